/* SPDX-License-Identifier: Apache-2.0 */
/* The first stage of short scenes: of each slice what it changes the height by, its least height and its survivors. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices/slices.glsl"
#include "shaders/boxes/slices/levels.glsl"

shared ivec4 reaches[SLICE]; /* of each survivor */

void main() {
    levels_find(element_take(first + gl_WorkGroupID.x));
    if (is_left) {
        const uint k = uint(word_start + before - slice_least);
        const bool is_clip = is_in(clips_word, lane);
        slice_survivors.at[slice * SLICE + k] = element | (is_clip ? PM_BOXES_SLICE_CLIP : 0);
        reaches[k] = is_clip ? reach_of_box(boxes.at[element]) : EVERYWHERE;
    }
    barrier();
    const uint survivors = uint(slice_change - slice_least);
    ivec4 reach = team_intersect(mine < survivors ? reaches[mine] : EVERYWHERE);
    barrier();
    reach = min(reach, teams_before());
    if (mine < survivors)
        slice_clipped.at[slice * SLICE + mine] = reach;
    if (mine == 0)
        slice_record.at[slice] = ivec2(slice_change, PM_BOXES_PACK(slice_least, int(slice_has)));
}
