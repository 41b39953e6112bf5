/* SPDX-License-Identifier: Apache-2.0 */
/* What match of short scenes finds in the slices before: heights, and the slice that has a node. Heights are relative to
 * the slice's start. */

const uint NO_NODE = 0x7fffffff;

shared int slice_low[SLICES];     /* the least heights of slices */
shared int slice_floor[SLICES];   /* of slices before, the least from each up to this one; which never falls */

uint scene_has;
int lowest_later; /* of later slices */

/* Each lane has PM_BOXES_LANE_SLICES of them; nobody has reduced the only one. A barrier must follow. */
void slices_read(uint my_slice) {
    ivec2 record[PM_BOXES_LANE_SLICES];
    int start[PM_BOXES_LANE_SLICES], change = 0;
    uint has = 0;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        record[j] = at < slices && slices > 1 ? slice_record.at[at] : ivec2(0);
    }
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        start[j] = change;
        change += record[j].x;
        has |= uint(PM_BOXES_HAS(record[j].y));
    }
    const int lane_start = int(lanes_inclusive_add(uint(change))) - change;
    scene_has = (lanes_ballot((has & 1) != 0) != 0 ? 1u : 0u) | (lanes_ballot((has & 2) != 0) != 0 ? 2u : 0u);
    int of_slice = 0;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++)
        of_slice = my_slice % PM_BOXES_LANE_SLICES == j ? lane_start + start[j] : of_slice;
    of_slice = int(lanes_shuffle(uint(of_slice), my_slice / PM_BOXES_LANE_SLICES));
    int low[PM_BOXES_LANE_SLICES], lowest = HIGHEST, later = HIGHEST;
    [[unroll]] for (uint j = 0; j < PM_BOXES_LANE_SLICES; j++) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        low[j] = lane_start + start[j] - of_slice + PM_BOXES_LEAST(record[j].y);
        lowest = at < my_slice ? min(lowest, low[j]) : lowest;
        later = at > my_slice && at < slices ? min(later, low[j]) : later;
    }
    lowest_later = lanes_min(later);
    int floor_above = lanes_lowest_above(lowest);
    [[unroll]] for (uint j = PM_BOXES_LANE_SLICES; j-- > 0;) {
        const uint at = lane * PM_BOXES_LANE_SLICES + j;
        floor_above = at < my_slice ? min(floor_above, low[j]) : floor_above;
        if (team == 0) {
            slice_low[at] = low[j];
            slice_floor[at] = floor_above;
        }
    }
}

shared ivec2 team_sums[PM_TEAMS_MAX];  /* what each team's slices change the height by, and which nodes they have */
shared ivec2 team_lows[PM_TEAMS_MAX]; /* the least heights of slices before and of slices after this one */
shared int start_of_slice;

/* The same for more slices, some of which each invocation has. */
void slices_read_together(uint my_slice) {
    ivec2 record[PM_BOXES_OWN_SLICES];
    int change = 0, has = 0;
    [[unroll]] for (uint j = 0; j < PM_BOXES_OWN_SLICES; j++) {
        const uint at = mine * PM_BOXES_OWN_SLICES + j;
        record[j] = at < slices ? slice_record.at[at] : ivec2(0);
    }
    [[unroll]] for (uint j = 0; j < PM_BOXES_OWN_SLICES; j++) {
        change += record[j].x;
        has |= PM_BOXES_HAS(record[j].y);
    }
    const int end_in_team = int(lanes_inclusive_add(uint(change)));
    const int has_in_team = (lanes_ballot((has & 1) != 0) != 0 ? 1 : 0) | (lanes_ballot((has & 2) != 0) != 0 ? 2 : 0);
    if (lane == PM_LANES - 1)
        team_sums[team] = ivec2(end_in_team, has_in_team);
    barrier();
    const ivec2 sum = lane < teams ? team_sums[lane % PM_TEAMS_MAX] : ivec2(0);
    const int ends = int(lanes_inclusive_add(uint(sum.x)));
    scene_has = (lanes_ballot((sum.y & 1) != 0) != 0 ? 1u : 0u) | (lanes_ballot((sum.y & 2) != 0) != 0 ? 2u : 0u);
    int start = int(lanes_shuffle(uint(ends - sum.x), team)) + end_in_team - change;
    int low[PM_BOXES_OWN_SLICES], low_before = HIGHEST, later = HIGHEST;
    [[unroll]] for (uint j = 0; j < PM_BOXES_OWN_SLICES; j++) {
        const uint at = mine * PM_BOXES_OWN_SLICES + j;
        low[j] = start + PM_BOXES_LEAST(record[j].y);
        low_before = at < my_slice ? min(low_before, low[j]) : low_before;
        later = at > my_slice && at < slices ? min(later, low[j]) : later;
        if (at == my_slice)
            start_of_slice = start;
        start += record[j].x;
    }
    const int floor_above = lanes_lowest_above(low_before), low_after = lanes_min(later);
    if (lane == 0)
        team_lows[team] = ivec2(min(low_before, floor_above), low_after);
    barrier();
    const ivec2 lows_of_team = lane < teams ? team_lows[lane % PM_TEAMS_MAX] : ivec2(HIGHEST);
    const int floor_of_later_teams = lanes_min(lane > team ? lows_of_team.x : HIGHEST);
    const int lowest = lanes_min(lows_of_team.y);
    lowest_later = lowest == HIGHEST ? HIGHEST : lowest - start_of_slice;
    int from = min(floor_above, floor_of_later_teams);
    [[unroll]] for (uint j = PM_BOXES_OWN_SLICES; j-- > 0;) {
        const uint at = mine * PM_BOXES_OWN_SLICES + j;
        from = at < my_slice ? min(from, low[j]) : from;
        slice_low[at] = low[j] - start_of_slice;
        slice_floor[at] = at < my_slice ? from - start_of_slice : HIGHEST;
    }
}

/* The last slice before this one with a node at a height below its start, and so the one that has it; `slice` if none. */
uint slice_find(int height) {
    uint found = 0;
    [[unroll]] for (uint step = SLICES / 2; step > 0; step /= 2)
        found += slice_floor[found + step] <= height ? step : 0;
    return slice_floor[found] <= height ? found : slice;
}

/* What clips of the invocation's slices leave that lie below this slice's least height. */
ivec4 clipped_below() {
    ivec4 reach = EVERYWHERE;
    [[unroll]] for (uint j = 0; j < (SLICES > SLICE ? SLICES / SLICE : 1); j++) {
        const uint at = j * SLICE + mine;
        if (at < slice) {
            const int kept = min(slice_floor[at + 1], slice_least) - slice_low[at];
            if (kept > 0)
                reach = min(reach, slice_clipped.at[at * SLICE + kept - 1]);
        }
    }
    return reach;
}

/* The last node before this slice at a height below its start, and PM_BOXES_SLICE_CLIP, or NO_NODE; and what the clips of its slice
 * up to it leave. */
void node_find(int height, out uint node, out ivec4 reach) {
    node = NO_NODE;
    reach = EVERYWHERE;
    const uint of = slice_find(height);
    if (of < slice) {
        const uint at = of * SLICE + uint(height - slice_low[of]);
        node = slice_survivors.at[at];
        reach = slice_clipped.at[at];
    }
}
