/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage of `simple` and `work-efficient`: a workgroup reduces a partition, which is not the last one, to its
 * bicyclic element and its slice. */
#version 460
#extension GL_GOOGLE_include_directive : require
#define PM_PARAMETERS PM_PARTITION_PARAMETERS
#define PM_WORDS_ACCESS
#define n most
#include "shaders/match/partition.glsl"
#include "shaders/shared/slice.glsl"

void main() {
    const uint own = first + gl_WorkGroupID.x;
    tree_make(own * PARTITION_WORDS, PARTITION_WORDS);
    slice_write(own * PARTITION);
    if (gl_LocalInvocationIndex == 0)
        bics.at[own] = bic_pack(tree_total());
}
