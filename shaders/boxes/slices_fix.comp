/* SPDX-License-Identifier: Apache-2.0 */
/* The last stage of short scenes: blends that slices cut, as in boxes_fix.comp. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices.glsl"

shared ivec4 covered_from[PM_BOXES_SLICES]; /* unions of slices, from each up to this one */

/* Returns that of later ones. A barrier must follow. */
ivec4 slices_unite(uint slice) {
    ivec4 covered[PM_BOXES_LANE_SLICES], all = NOWHERE, later = NOWHERE;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        covered[j] = at < slices ? slice_covered.at[at] : NOWHERE;
    }
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        all = at < slice ? max(all, covered[j]) : all;
        later = at > slice ? max(later, covered[j]) : later;
    }
    [[dont_unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const ivec4 above = lanes_shuffle(all, lane + by & PM_LANES - 1);
        all = lane + by < PM_LANES ? max(all, above) : all;
    }
    ivec4 from = lanes_shuffle(all, lane + 1 & PM_LANES - 1);
    from = lane + 1 < PM_LANES ? from : NOWHERE;
    [[unroll]] for (uint j = PM_BOXES_LANE_SLICES; j-- > 0;) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        from = at < slice ? max(from, covered[j]) : from;
        if (team == 0)
            covered_from[at] = from;
    }
    return lanes_max(later);
}

void main() {
    const uint slice = first + gl_WorkGroupID.x, element = slice * SLICE + mine;
    int has = 0;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        has |= at < slices ? slice_record.at[at].y : 0;
    }
    const uint closed = element < n ? blend_closed.at[element] : PM_NO_LINK; /* whatever it holds, if there are no blends */
    if (lanes_ballot((has & PM_BOXES_HAS_BLENDS) != 0) == 0)
        return;
    const ivec4 later = slices_unite(slice);
    barrier();
    if (closed == PM_NO_LINK)
        return;
    const ivec4 of_element = reach_of_box(results.at[element]);
    if (closed == PM_BOXES_OPEN) {
        results.at[element] = box_of_reach(max(of_element, later));
        return;
    }
    const ivec4 between = covered_from[closed / SLICE + 1];
    const ivec4 box = box_of_reach(max(max(of_element, reach_of_box(results.at[closed])), between));
    results.at[closed] = box;
    results.at[element] = box;
}
