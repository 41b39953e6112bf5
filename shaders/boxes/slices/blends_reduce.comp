/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage of short scenes without clips: as reduce.comp, but, of each survivor, what the leaves of its
 * slice after it cover; and what all of them cover. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices/slices.glsl"
#include "shaders/boxes/slices/levels.glsl"

shared ivec4 word_covered[PM_TEAMS_MAX];

void main() {
    const uint kind = element_take(first + gl_WorkGroupID.x);
    const bool is_leaf = kind == 0 && element < n;
    const ivec4 from = lanes_unite_from(is_leaf ? reach_of_box(boxes.at[element]) : NOWHERE);
    if (lane == 0)
        word_covered[team] = from;
    levels_find(kind); /* with a barrier */
    const ivec4 of_word = lane < teams ? word_covered[lane % PM_TEAMS_MAX] : NOWHERE;
    const ivec4 later = lanes_max(lane > team ? of_word : NOWHERE), all = lanes_max(of_word);
    if (is_left) {
        const uint k = slice * SLICE + uint(word_start + before - slice_least);
        slice_survivors.at[k] = element;
        slice_rest.at[k] = max(from, later);
    }
    if (mine == 0) {
        slice_record.at[slice] = ivec2(slice_change, PM_BOXES_PACK(slice_least, int(slice_has)));
        slice_covered.at[slice] = all;
    }
}
