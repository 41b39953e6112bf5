/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and the scratch of what finds boxes. PM_PARAMETERS are the shader's, the scratch among them. */
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#include "shaders/boxes_layout.h"
#include "shaders/boxes_reach.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) PM_SCRATCH_ACCESS buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) PM_SCRATCH_ACCESS buffer pm_numbers {
    int at[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) PM_SCRATCH_ACCESS buffer pm_pairs {
    ivec2 at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) PM_SCRATCH_ACCESS buffer pm_reaches {
    ivec4 at[];
};
#define pm_address uvec2

layout(push_constant, std430) uniform pm_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_PART(type, name) uint name##_part;
#define PM_UINT(name) uint name;
    PM_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
};

/* Where a part of the scratch begins; without 64-bit integers, which some devices lack. */
uvec2 part_address(uint fours) {
    uint carry;
    const uint low = uaddCarry(scratch.x, fours << 4, carry);
    return uvec2(low, scratch.y + (fours >> 28) + carry);
}
