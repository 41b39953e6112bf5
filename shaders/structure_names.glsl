/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the shaders that number names, and what they have of tokens. */
#include "shaders/layout.h"
#include "shaders/plan.h"
#include "shaders/structure.h"

layout(local_size_x = PM_STRUCTURE_LANES) in;
#define lane gl_LocalInvocationIndex
#define WORKGROUP_LANES PM_STRUCTURE_LANES
#ifndef PM_SLOTS_ACCESS
#define PM_SLOTS_ACCESS readonly
#endif

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_text {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer pm_names {
    uvec2 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) PM_SLOTS_ACCESS buffer pm_slots {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer pm_plans {
    pm_plan at[];
};
layout(push_constant, std430) uniform pm_structure_names_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_STRUCTURE_NAMES_PARAMETERS(PM_ADDRESS, PM_UINT)
};

uint tokens() {
    return plan.at[0].n;
}

uint tiles() {
    return pm_plan_pieces(tokens(), PM_TILE);
}
