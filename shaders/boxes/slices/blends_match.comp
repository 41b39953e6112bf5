/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage of short scenes without clips. A blend is the union of a range of leaves, of which reduce has found the
 * rest of its slice, and the slices between: so an end that closes it finds all of it, and nothing is left to fix.
 */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices/slices.glsl"
#include "shaders/boxes/slices/levels.glsl"
#include "shaders/boxes/slices/before.glsl"
#include "shaders/boxes/slices/under.glsl"

shared ivec4 covered_from[SLICES];    /* from each slice up to this one */
shared ivec4 outer_covered[SLICE];    /* of nodes that this slice closes, the lowest first: up to this slice */
shared uint outer_node[SLICE];        /* of the same nodes: the element, or NO_NODE */
shared ivec4 word_stack[SLICE];       /* of the survivors of each word, the lowest first: what it covers of the word, */
shared uint word_node[SLICE];         /* and its element in the slice */
shared ivec4 word_covered[PM_TEAMS_MAX];

ivec4 covered_there[PM_BOXES_LANE_SLICES]; /* of the lane's slices */

/* Nothing waits for it here. Of one slice nothing is read. */
void slices_covered_read() {
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        covered_there[j] = at < slices && slices > 1 ? slice_covered.at[at] : NOWHERE;
    }
}

/* Returns the union of later slices. A barrier must follow. */
ivec4 slices_unite() {
    ivec4 before_this = NOWHERE, later = NOWHERE;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        before_this = at < slice ? max(before_this, covered_there[j]) : before_this;
        later = at > slice ? max(later, covered_there[j]) : later;
    }
    before_this = lanes_unite_from(before_this);
    ivec4 from = lanes_shuffle(before_this, lane + 1 & PM_LANES - 1);
    from = lane + 1 < PM_LANES ? from : NOWHERE;
    [[unroll]] for (uint j = PM_BOXES_LANE_SLICES; j-- > 0;) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        from = at < slice ? max(from, covered_there[j]) : from;
        if (team == 0)
            covered_from[at] = from;
    }
    return lanes_max(later);
}

void main() {
    const uint kind = element_take(first + gl_WorkGroupID.x);
    const bool is_leaf = kind == 0 && element < n;
    const ivec4 reach = is_leaf ? reach_of_box(boxes.at[element]) : NOWHERE;
    slices_covered_read();
    slices_read(slice);
    const ivec4 later = slices_unite();
    levels_find(kind); /* with a barrier */

    ivec4 outer = NOWHERE;
    uint node = NO_NODE;
    if (mine < uint(-slice_least)) {
        const int height = slice_least + int(mine);
        const uint of = slice_find(height);
        if (of < slice) {
            const uint at = of * SLICE + uint(height - slice_low[of]);
            node = slice_survivors.at[at];
            outer = max(slice_rest.at[at], covered_from[of + 1]);
        }
    }
    under_find();
    const bool is_end = is_in(ends_word, lane), is_node = is_in(nodes_word, lane);
    const uint last = is_end ? lane - 1 : PM_LANES - 1;
    const uint count = is_end ? is_under_word ? lane - 1 - under_lane : lane : is_node ? PM_LANES - 1 - lane : 0;
    ivec4 all = reach;
    ivec4 covered = word_unite(all, last, count);
    const int low = lane < team ? lows : HIGHEST;
    under_place_find(min(lanes_lowest_above(low), low));
    const uint word_place = team * PM_LANES + uint(word_start + before - int(lanes_shuffle(uint(lows), team)));
    if (is_left_by_word) {
        word_stack[word_place] = covered;
        word_node[word_place] = mine;
    }
    if (lane == PM_LANES - 1)
        word_covered[team] = all;
    outer_covered[mine] = outer;
    outer_node[mine] = node;
    barrier();

    const ivec4 of_word = lane < teams ? word_covered[lane % PM_TEAMS_MAX] : NOWHERE;
    const ivec4 after = lanes_max(lane > team ? of_word : NOWHERE);
    const ivec4 up_to_word = lanes_unite_from(lane < team ? of_word : NOWHERE); /* from word `lane` on */
    const ivec4 between = lanes_shuffle(up_to_word, is_under_slice ? under_word + 1 : 0);
    uint blend = slice * SLICE + team * PM_LANES + under_lane;
    if (is_end && !is_under_word) {
        const uint outer_place = uint(under_height - slice_least) % SLICE;
        blend = is_under_slice ? slice * SLICE + word_node[under_place] : outer_node[outer_place];
        covered = max(max(covered, between), is_under_slice ? word_stack[under_place] : outer_covered[outer_place]);
    }
    const bool closes_none = is_end && blend == NO_NODE;
    if (is_end && !closes_none)
        results.at[blend] = box_of_reach(covered);
    const bool is_open = is_node && is_left && word_start + before < lowest_later;
    if (is_open)
        covered = max(covered, max(after, later));
    if (is_leaf || is_end || is_open)
        results.at[element] = box_of_reach(is_leaf ? reach : closes_none ? NOWHERE : covered);
}
