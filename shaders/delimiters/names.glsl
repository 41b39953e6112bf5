/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the shaders that number names, and what they have of tokens. */
#include "shaders/shared/buffers.glsl"
#include "shaders/shared/layout.h"
#include "shaders/match/plan.h"
#include "shaders/delimiters/tokenizer.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex
#define WORKGROUP_LANES PM_STRUCTURE_LANES
#ifndef PM_SLOTS_ACCESS
#define PM_SLOTS_ACCESS readonly
#endif

readonly PM_BUFFER(pmi_text, uint, 4);
PM_BUFFER(pm_words, uint, 4);
PM_BUFFER(pmi_tag_numbers, uvec2, 8);
PM_SLOTS_ACCESS PM_BUFFER(pmi_staging_ring, uint, 4);
readonly PM_BUFFER(pmi_plans, pmi_plan, 4);
PM_PUSHED(PM_STRUCTURE_NAMES_PARAMETERS);

uint tokens() {
    return plan.at[0].n;
}

uint tiles() {
    return pmi_plan_pieces(tokens(), PM_TILE);
}
