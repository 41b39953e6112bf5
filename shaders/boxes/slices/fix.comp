/* SPDX-License-Identifier: Apache-2.0 */
/* The last stage of short scenes: blends that slices cut, as in boxes_fix.comp. */
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/boxes/slices/slices.glsl"

shared ivec4 covered_from[SLICES]; /* unions of slices, from each up to this one */
shared ivec4 team_from[PM_TEAMS_MAX], team_later[PM_TEAMS_MAX];
shared uint team_has[PM_TEAMS_MAX];

/* Returns the union of later slices. A barrier must follow. */
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
    all = lanes_unite_from(all);
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

/* The same for more slices, some of which each invocation has. `has`: are there blends in the scene? */
ivec4 slices_unite_together(uint slice, out bool has) {
    ivec4 covered[PM_BOXES_OWN_SLICES], before_this = NOWHERE, after = NOWHERE;
    int kinds_there = 0;
    [[unroll]] for (uint j = 0; j < PM_BOXES_OWN_SLICES; j++) {
        const uint at = mine * PM_BOXES_OWN_SLICES + j;
        covered[j] = at < slices ? slice_covered.at[at] : NOWHERE;
        kinds_there |= at < slices ? slice_record.at[at].y : 0;
    }
    [[unroll]] for (uint j = 0; j < PM_BOXES_OWN_SLICES; j++) {
        const uint at = mine * PM_BOXES_OWN_SLICES + j;
        before_this = at < slice ? max(before_this, covered[j]) : before_this;
        after = at > slice ? max(after, covered[j]) : after;
    }
    const bool has_in_team = lanes_ballot((kinds_there & PM_BOXES_HAS_BLENDS) != 0) != 0;
    const ivec4 from_lane = lanes_unite_from(before_this), later = lanes_max(after);
    const ivec4 from_next = lanes_shuffle(from_lane, lane + 1 & PM_LANES - 1);
    if (lane == 0) {
        team_from[team] = from_lane;
        team_later[team] = later;
        team_has[team] = has_in_team ? 1 : 0;
    }
    barrier();
    const bool is_team = lane < teams;
    ivec4 from = lanes_max(is_team && lane > team ? team_from[lane % PM_TEAMS_MAX] : NOWHERE);
    from = lane + 1 < PM_LANES ? max(from, from_next) : from;
    [[unroll]] for (uint j = PM_BOXES_OWN_SLICES; j-- > 0;) {
        const uint at = mine * PM_BOXES_OWN_SLICES + j;
        from = at < slice ? max(from, covered[j]) : from;
        covered_from[at] = from;
    }
    has = lanes_ballot(is_team && team_has[lane % PM_TEAMS_MAX] != 0) != 0;
    return lanes_max(is_team ? team_later[lane % PM_TEAMS_MAX] : NOWHERE);
}

/* Are there blends in the scene? */
bool blends_find() {
    int has = 0;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        has |= at < slices ? slice_record.at[at].y : 0;
    }
    return lanes_ballot((has & PM_BOXES_HAS_BLENDS) != 0) != 0;
}

void main() {
    const uint slice = first + gl_WorkGroupID.x, element = slice * SLICE + mine;
    const uint closed = element < n ? blend_closed.at[element] : PM_NO_LINK; /* whatever it holds, if there are no blends */
    ivec4 later;
    if (SLICES > PM_BOXES_SLICES_FEW) {
        bool has;
        later = slices_unite_together(slice, has);
        if (!has)
            return;
    } else {
        if (!blends_find())
            return;
        later = slices_unite(slice);
    }
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
