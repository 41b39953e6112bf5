/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the stages that find boxes, and trees over tiles. */
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

layout(push_constant, std430) uniform pm_boxes_parameters {
#define PM_ADDRESS(type, name) type name;
#define PM_PART(type, name) uint name##_part;
#define PM_UINT(name) uint name;
    PM_BOXES_PARAMETERS(PM_ADDRESS, PM_PART, PM_UINT)
};

/* Where a part of the scratch begins; without 64-bit integers, which some devices lack. */
uvec2 part_address(uint fours) {
    uint carry;
    const uint low = uaddCarry(scratch.x, fours << 4, carry);
    return uvec2(low, scratch.y + (fours >> 28) + carry);
}

#define tile_survivors pm_words(part_address(tile_survivors_part))
#define tile_clips pm_words(part_address(tile_clips_part))
#define tile_record pm_pairs(part_address(tile_record_part))
#define word_clipped pm_reaches(part_address(word_clipped_part))
#define block_record pm_pairs(part_address(block_record_part))
#define scene_has pm_numbers(part_address(scene_has_part))
#define tile_start pm_numbers(part_address(tile_start_part))
#define tree_least pm_numbers(part_address(tree_least_part))
#define link_from pm_words(part_address(link_from_part))
#define link_to pm_words(part_address(link_to_part))
#define base_from pm_reaches(part_address(base_from_part))
#define base_to pm_reaches(part_address(base_to_part))
#define tile_closers pm_words(part_address(tile_closers_part))
#define blend_closed pm_words(part_address(blend_closed_part))
#define tree_covered pm_reaches(part_address(tree_covered_part))

uint kind_of(uint element) {
    return kinds.at[element / 4] >> element % 4 * 8 & 3;
}

/* The union of tiles begin ... end - 1. Which nodes of the tree these are does not depend on what is in them, so those of
 * three levels are on their way at a time. */
ivec4 covered_between(uint begin, uint end) {
    ivec4 all = NOWHERE;
    begin += leaves;
    end += leaves;
    [[dont_unroll]] while (begin < end) {
        ivec4 left[3], right[3];
        [[unroll]] for (uint k = 0; k < 3; k++) {
            const uint odd = begin < end ? begin % 2 : 0, last_odd = begin < end ? end % 2 : 0;
            left[k] = odd != 0 ? tree_covered.at[begin] : NOWHERE;
            right[k] = last_odd != 0 ? tree_covered.at[end - 1] : NOWHERE;
            begin = (begin + odd) / 2;
            end /= 2;
        }
        [[unroll]] for (uint k = 0; k < 3; k++)
            all = max(all, max(left[k], right[k]));
    }
    return all;
}
