/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of short scenes. What all clips above an element leave of it comes in three parts: of its word, by pointer
 * doubling from node to node; of the words before, of which each has its survivors' in a table; of the slices before.
 * A blend is the union of a range of elements: the rest of its word, the words between, what comes before its end.
 */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices.glsl"
#include "shaders/boxes/slices_levels.glsl"
#include "shaders/boxes/slices_before.glsl"

/* Of the survivors of each word, the lowest first: what the clips of the word up to it leave, and then, of a blend, what it
 * covers of the word; and its lane, and PM_BOXES_SLICE_CLIP. */
shared ivec4 word_stack[SLICE];
shared uint word_node[SLICE];
shared ivec4 word_base[PM_TEAMS_MAX]; /* what the clips below each word's least height leave, and then: */
#define word_covered word_base        /* the union of its leaves */

/* The node that the element lies under, or closes. */
bool is_under_word; /* it is in the word: */
uint under_lane;
bool is_under_slice; /* else in another word of the slice, which has this place in the tables: */
uint under_word, under_place;
int under_height; /* of it, or, if it is in the word, of the highest on the stack before the word that is left */

void under_find() {
    uint same = nodes_word & (1u << lane) - 1u; /* nodes one below: the last of them; heights are -32 ... 31 */
    [[unroll]] for (uint k = 0; k < 6; k++) {
        const uint ones = lanes_ballot((before >> k & 1) != 0);
        same &= (before - 1 >> k & 1) != 0 ? ones : ~ones;
    }
    is_under_word = same != 0;
    under_lane = is_under_word ? findMSB(same) : lane;
    int least = min(before, 0); /* of the word up to here */
    [[unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const int below = int(lanes_shuffle_up(uint(least), by));
        least = lane >= by ? min(least, below) : least;
    }
    under_height = word_start + least - 1;
}

/* In the tables: of the words before, the last that has a node at under_height. */
void under_place_find(int floors) {
    under_word = 0;
    [[unroll]] for (uint step = PM_LANES / 2; step > 0; step /= 2)
        under_word += int(lanes_shuffle(uint(floors), under_word + step)) <= under_height ? step : 0;
    is_under_slice = int(lanes_shuffle(uint(floors), under_word)) <= under_height;
    under_place = under_word * PM_LANES + uint(under_height - int(lanes_shuffle(uint(lows), under_word)));
}

/* What all clips above it leave of the element, its own box being given. */
ivec4 context_find(ivec4 reach, uint word_place) {
    uint link = under_lane;
    [[dont_unroll]] for (uint round = 0; round < 5; round++) {
        const ivec4 above = lanes_shuffle(reach, link);
        reach = min(reach, above);
        link = lanes_shuffle(link, link);
    }
    if (is_left_by_word) {
        word_stack[word_place] = reach;
        word_node[word_place] = lane | (is_in(clips_word, lane) ? PM_BOXES_SLICE_CLIP : 0);
    }
    barrier();
    /* Of words before, the least height from each up to this one. */
    const int low = lane < team ? lows : HIGHEST, above = lanes_lowest_above(low);
    const int word_low = int(lanes_shuffle(uint(lows), team)), kept = min(above, word_low) - low;
    const ivec4 left = lane < team && kept > 0 ? word_stack[lane * PM_LANES + kept - 1] : EVERYWHERE;
    const int lowest = min(0, min(word_low, lanes_min(low)));
    const ivec4 of_word = min(outer_context(lowest - 1), lanes_min(left));
    if (lane == 0)
        word_base[team] = of_word;
    barrier();
    under_place_find(min(above, low));
    return min(reach, is_under_slice ? min(word_base[under_word], word_stack[under_place])
                                     : outer_context(under_height));
}

/* The union of leaves of the word: of `count` of them up to `last`. `all`: of all up to this one. */
ivec4 word_unite(inout ivec4 all, uint last, uint count) {
    ivec4 reach = NOWHERE;
    [[dont_unroll]] for (uint by = 1; by < PM_LANES; by *= 2) { /* all: of `by` of them up to this one */
        const ivec4 some = lanes_shuffle(all, last & PM_LANES - 1);
        const ivec4 below = lanes_shuffle(all, lane - by & PM_LANES - 1);
        reach = (count & by) != 0 ? max(reach, some) : reach;
        last -= count & by;
        all = lane >= by ? max(all, below) : all;
    }
    return reach;
}

/* Blends, and ends that close blends. */
void blends_unite(bool is_leaf, bool closes_blend, ivec4 reach, uint word_place) {
    const bool is_blend = is_in(blends_word, lane);
    ivec4 all = is_leaf ? reach_of_area(reach) : NOWHERE;
    const uint last = closes_blend ? lane - 1 : PM_LANES - 1;
    const uint count = closes_blend ? is_under_word ? lane - 1 - under_lane : lane : is_blend ? PM_LANES - 1 - lane : 0;
    ivec4 covered = word_unite(all, last, count);
    barrier();
    if (is_left_by_word)
        word_stack[word_place] = covered;
    if (lane == PM_LANES - 1)
        word_covered[team] = all;
    barrier();
    const ivec4 of_word = lane < teams ? word_covered[lane % PM_TEAMS_MAX] : NOWHERE;
    const ivec4 after = lanes_max(lane > team ? of_word : NOWHERE), of_slice = lanes_max(of_word);
    ivec4 between = lane < team ? of_word : NOWHERE; /* from each word on up to this one */
    [[dont_unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const ivec4 above = lanes_shuffle(between, lane + by & PM_LANES - 1);
        between = lane + by < PM_LANES ? max(between, above) : between;
    }
    between = lanes_shuffle(between, is_under_slice ? under_word + 1 : 0);
    uint told = PM_NO_LINK;
    if (closes_blend && !is_under_word) {
        covered = max(covered, between);
        if (is_under_slice)
            covered = max(covered, word_stack[under_place]);
        else
            told = outer_node[under_height - slice_least];
    }
    if (closes_blend && told == PM_NO_LINK) {
        const uint blend = is_under_word ? under_lane : under_word * PM_LANES + (word_node[under_place] & 31);
        results.at[element - mine + (is_under_word ? team * PM_LANES : 0) + blend] = box_of_reach(covered);
    }
    if (is_blend && is_left) {
        covered = max(covered, after);
        told = word_start + before < lowest_later ? PM_BOXES_OPEN : PM_NO_LINK;
    }
    if (closes_blend || is_blend && is_left)
        results.at[element] = box_of_reach(covered);
    if (element < n)
        blend_closed.at[element] = told;
    if (mine == 0)
        slice_covered.at[slice] = of_slice;
}

void main() {
    const uint kind = element_take(first + gl_WorkGroupID.x);
    const ivec4 given = element < n ? reach_of_box(boxes.at[element]) : EVERYWHERE; /* on its way meanwhile */
    if (SLICES > PM_BOXES_SLICES_FEW)
        slices_read_together(slice);
    else
        slices_read(slice);
    levels_find(kind);
    scene_has |= slice_has;
    const bool is_end = is_in(ends_word, lane), is_clip = is_in(clips_word, lane);
    const bool is_leaf = !is_in(nodes_word | ends_word, lane) && element < n;
    const ivec4 own = is_leaf || is_clip ? given : EVERYWHERE;
    const uint word_place = team * PM_LANES + uint(word_start + before - int(lanes_shuffle(uint(lows), team)));
    outer_find();
    under_find();
    ivec4 reach = context_find(own, word_place);

    bool closes_clip = false, closes_none = false;
    if (is_end) {
        if (is_under_word)
            closes_clip = is_in(clips_word, under_lane);
        else {
            const uint node = is_under_slice ? word_node[under_place] : outer_node[under_height - slice_least];
            closes_clip = (node & PM_BOXES_SLICE_CLIP) != 0;
            closes_none = node == NO_NODE;
        }
    }
    if (closes_none)
        reach = NOWHERE;
    if (is_leaf || is_clip || closes_clip || closes_none)
        results.at[element] = box_of_reach(reach);
    if ((scene_has & PM_BOXES_HAS_BLENDS) != 0)
        blends_unite(is_leaf, is_end && !closes_clip && !closes_none, reach, word_place);
}
