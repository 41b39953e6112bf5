/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the stages that find boxes, and trees over tiles. */
#define PM_PARAMETERS PM_BOXES_PARAMETERS
#include "shaders/boxes/memory.glsl"

#define tile_survivors pm_words(part_address(tile_survivors_part))
#define tile_clips pm_words(part_address(tile_clips_part))
#define tile_record pm_delimiters(part_address(tile_record_part))
#define word_clipped pmi_extents(part_address(word_clipped_part))
#define block_record pm_delimiters(part_address(block_record_part))
/* Where that tree has its inner nodes, which are made only after match: match writes the leaves, behind them. */
#define tile_order pm_words(part_address(tree_covered_part))
#define scene_has pmi_numbers(part_address(scene_has_part))
#define tile_start pmi_numbers(part_address(tile_start_part))
#define tree_least pmi_numbers(part_address(tree_least_part))
#define link_from pm_words(part_address(link_from_part))
#define link_to pm_words(part_address(link_to_part))
#define base_from pmi_extents(part_address(base_from_part))
#define base_to pmi_extents(part_address(base_to_part))
#define tile_closers pm_words(part_address(tile_closers_part))
#define blend_closed pm_words(part_address(blend_closed_part))
#define tree_covered pmi_extents(part_address(tree_covered_part))

/* The union of tiles begin ... end - 1. Which nodes of the tree these are does not depend on what is in them, so those of
 * three levels are on their way at a time. Few blocks have no nodes above them, and are taken one by one. */
ivec4 covered_between(uint begin, uint end) {
    const uint below = blocks <= PM_BOXES_FEW_BLOCKS ? 2 * blocks : 0; /* the first node below the blocks */
    ivec4 all = NOWHERE;
    begin += leaves;
    end += leaves;
    [[dont_unroll]] while (begin < end && begin >= below) {
        ivec4 left[3], right[3];
        [[unroll]] for (uint k = 0; k < 3; k++) {
            const bool is_below = begin >= below, has_some = is_below && begin < end;
            const uint odd = has_some ? begin % 2 : 0, last_odd = has_some ? end % 2 : 0;
            left[k] = odd != 0 ? tree_covered.at[begin] : NOWHERE;
            right[k] = last_odd != 0 ? tree_covered.at[end - 1] : NOWHERE;
            begin = is_below ? (begin + odd) / 2 : begin;
            end = is_below ? end / 2 : end;
        }
        [[unroll]] for (uint k = 0; k < 3; k++)
            all = max(all, max(left[k], right[k]));
    }
    if (begin < end) {
        ivec4 of_block[PM_BOXES_FEW_BLOCKS];
        [[unroll]] for (uint k = 0; k < PM_BOXES_FEW_BLOCKS; k++)
            of_block[k] = tree_covered.at[min(begin + k, end - 1)];
        [[unroll]] for (uint k = 0; k < PM_BOXES_FEW_BLOCKS; k++)
            all = max(all, of_block[k]);
    }
    return all;
}
