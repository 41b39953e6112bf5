/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A monoid for tree scans on a GPU, to be written in GLSL. The file of the monoid says what values are and how they are
 * combined, and includes this one, which has the rest:
 *
 *     #version 460
 *     #extension GL_GOOGLE_include_directive : require
 *
 *     struct pm_value { vec2 row[2]; };                        // or: #define pm_value vec4
 *     pm_value pm_identity() { return pm_value(vec2[2](vec2(1, 0), vec2(0, 1))); }
 *     pm_value pm_combine(pm_value a, pm_value b) { ... }   // a times b: associative; going down a is the outer
 *                                                              // one, going up the earlier one
 *
 *     #include "parenmatch/monoid.glsl"
 *
 *     glslangValidator -V --target-env vulkan1.2 -I/usr/local/include matrices.comp -o matrices.spv
 *     glslc -O --target-env=vulkan1.2 -I/usr/local/include matrices.comp -o matrices.spv
 *
 * The words of the SPIR-V, and the bytes that values lie apart in an array of layout std430, are a pm_gpu_monoid.
 * A value has at most 256 bytes, in members of 32 bits: what has 64 bits or 16, the device may lack, and the library's
 * own does not enable. Names that begin with pm_ or PM_ are taken.
 */
#ifndef PARENMATCH_MONOID_GLSL
#define PARENMATCH_MONOID_GLSL

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "parenmatch/monoid/layout.h"

layout(constant_id = PM_MONOID_STAGE) const uint pm_stage = 0;
layout(local_size_x_id = PM_MONOID_TILE) in;
#define PM_TILE gl_WorkGroupSize.x
#define pm_lane gl_LocalInvocationIndex

layout(buffer_reference, std430, buffer_reference_align = 4) buffer pm_words {
    uint at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer pm_values {
    pm_value at[];
};

layout(push_constant, std430) uniform pm_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_UINT(name) uint name;
    PM_MONOID_PARAMETERS(PM_ADDRESS, PM_UINT)
}
pm;

#define PM_NOTHING PM_MONOID_NOTHING

shared pm_value pm_shared_value[PM_TILE];
shared uint pm_shared_link[PM_TILE];
shared uint pm_shared_more[2];

uint pm_nodes; /* how many there are */

uint pm_end_of(uint node) {
    return min(pm.ends.at[node], pm_nodes);
}

#include "parenmatch/monoid/down.glsl"
#include "parenmatch/monoid/up.glsl"

void main() {
    pm_nodes = pm.count.at[0];
    const uint tile = pm.first + gl_WorkGroupID.x;
    if (pm_stage == PM_MONOID_CHAINS)
        pm_chains(tile);
    else if (pm_stage == PM_MONOID_JUMP)
        pm_jump(tile * PM_TILE + pm_lane);
    else if (pm_stage == PM_MONOID_SURVIVORS)
        pm_survivors(tile);
    else if (pm_stage == PM_MONOID_REST)
        pm_rest(tile);
    else if (pm_stage == PM_MONOID_PRODUCTS)
        pm_products(tile);
    else
        pm_ranges(tile);
}

#endif
