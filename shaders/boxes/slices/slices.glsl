/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes of short scenes: a slice for each workgroup, an element for each invocation, a word for each team. No
 * invocation walks, as it is latency that counts here: all that an element wants of those before it are searches along least
 * heights, and least and greatest of lanes. All teams come to every function together.
 */
#include "shaders/shared/layout.h"
layout(constant_id = PM_CONSTANT_SLICE) const uint SLICE = 512;
layout(constant_id = PM_CONSTANT_SLICES) const uint SLICES = 128;
#define PM_TEAMS_TOGETHER SLICE
#include "shaders/shared/lanes.glsl"
#define PM_PARAMETERS PM_BOXES_SLICES_PARAMETERS
#define PM_SCRATCH_ACCESS
#include "shaders/boxes/memory.glsl"
#include "shaders/boxes/words.glsl"

#define slice_record pm_delimiters(part_address(slice_record_part))
#define slice_survivors pm_words(part_address(slice_survivors_part))
#define slice_clipped pmi_extents(part_address(slice_clipped_part))
#define slice_rest slice_clipped /* of short scenes without clips */
#define blend_closed pm_words(part_address(blend_closed_part))
#define slice_covered pmi_extents(part_address(slice_covered_part))

#define mine (team * PM_LANES + lane) /* my element in the slice */

const int HIGHEST = 0x7fffffff;

/* The least x of the lanes above; HIGHEST in the highest. */
int lanes_lowest_above(int x) {
    return int(lanes_min_above(uint(x) ^ 0x80000000u) ^ 0x80000000u);
}

/* The union of the lanes from each on, its own included. */
ivec4 lanes_unite_from(ivec4 reach) {
    [[dont_unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const ivec4 above = lanes_shuffle(reach, lane + by & PM_LANES - 1);
        reach = lane + by < PM_LANES ? max(reach, above) : reach;
    }
    return reach;
}

#define is_in(bits, bit) (((bits) >> (bit)&1u) != 0)
