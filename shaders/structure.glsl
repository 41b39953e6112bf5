/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the shaders that find a text's structure. */
#include "shaders/layout.h"
#include "shaders/plan.h"
#include "shaders/structure.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex
#define WORKGROUP_LANES PM_STRUCTURE_LANES

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer pm_text {
    uvec4 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_input {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer pm_marks {
    uvec2 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_plans {
    pm_plan at[];
};
layout(push_constant, std430) uniform pm_structure_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_STRUCTURE_PARAMETERS(PM_ADDRESS, PM_UINT)
};

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
