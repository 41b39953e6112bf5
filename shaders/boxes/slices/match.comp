/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second stage of short scenes. What all clips above an element leave of it comes in three parts: of its word, by pointer
 * doubling from node to node; of the words before, of which each has its survivors' in a table; of the slices before.
 * A blend is the union of a range of elements: the rest of its word, the words between, what comes before its end.
 *   PM_DIRECT  of the shortest scenes, for which there is no first stage.
 */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices/slices.glsl"
#include "shaders/boxes/slices/levels.glsl"
#ifdef PM_DIRECT
#include "shaders/boxes/slices/before_words.glsl"
#else
#include "shaders/boxes/slices/before.glsl"
#endif
#include "shaders/boxes/slices/outer.glsl"
#include "shaders/boxes/slices/under.glsl"

/* Of the survivors of each word, the lowest first: what the clips of the word up to it leave, and then, of a blend, what it
 * covers of the word; and its lane, and PM_BOXES_SLICE_CLIP. */
shared ivec4 word_stack[SLICE];
shared uint word_node[SLICE];
shared ivec4 word_base[PM_TEAMS_MAX]; /* what the clips below each word's least height leave, and then: */
#define word_covered word_base        /* the union of its leaves */

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
    outer_tell();
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
    ivec4 between = lanes_unite_from(lane < team ? of_word : NOWHERE); /* from each word on up to this one */
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
#ifdef PM_DIRECT
    slices_read(slice);
#else
    if (SLICES > PM_BOXES_SLICES_FEW)
        slices_read_together(slice);
    else
        slices_read(slice);
#endif
    levels_find(kind);
#ifdef PM_DIRECT
    if (mine == 0) /* for fix */
        slice_record.at[slice] = ivec2(slice_change, PM_BOXES_PACK(slice_least, int(slice_has)));
#endif
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
