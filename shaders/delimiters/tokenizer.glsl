/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the shaders that find a text's structure. */
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"
#include "shaders/match/plan.h"
#include "shaders/delimiters/tokenizer.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex
#define WORKGROUP_LANES PM_STRUCTURE_LANES

readonly PM_BUFFER(pmi_text, uvec4, 16);
readonly PM_BUFFER(pmi_input, uint, 4);
PM_BUFFER(pm_words, uint, 4);
PM_BUFFER(pmi_marks, uvec2, 8);
readonly PM_BUFFER(pmi_plans, pmi_plan, 4);
PM_PUSHED(PM_STRUCTURE_PARAMETERS);

uint pieces(uint all, uint piece) {
    return all / piece + (all % piece != 0 ? 1 : 0);
}

uint groups() {
    return pieces(pieces(n, PM_STRUCTURE_TILE), group_tiles);
}

/* Where the lane's starts of a tile are, and the last one of a group. */
uint starts_at(uint tile_begin) {
    return (pieces(n, PM_STRUCTURE_TILE) + tile_begin / PM_STRUCTURE_TILE) * PM_STRUCTURE_LANES + lane;
}

uint last_at(uint group) {
    return groups() + 1 + group;
}
