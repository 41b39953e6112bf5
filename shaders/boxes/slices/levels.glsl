/* SPDX-License-Identifier: Apache-2.0 */
/* What reduce and match of short scenes both find in a slice: heights, relative to its start, and survivors. */

uint slice, element;
uint clips_word, blends_word, nodes_word, ends_word; /* a bit for each lane of the team */
int before;          /* height of the element, relative to the start of its word */
int word_start;      /* that of the word */
int lows;            /* the least height of word `lane` */
int slice_least, slice_change;
uint slice_has;
bool is_left_by_word, is_left; /* a node that survives its word, or the slice */

shared ivec2 word_record[PM_TEAMS_MAX]; /* what each word changes the height by, and PM_BOXES_PACK */

/* Returns the element's kind. */
uint element_take(uint of_slice) {
    slice = of_slice;
    element = slice * SLICE + mine;
    return element < n ? kind_of(element) : 0;
}

void levels_find(uint kind) {
    clips_word = lanes_ballot(kind == 1);
    blends_word = lanes_ballot(kind == 2);
    ends_word = lanes_ballot(kind == 3);
    nodes_word = clips_word | blends_word;
    const uint bit = 1u << lane, up_to = bit | bit - 1u;
    const int after = bitCount(nodes_word & up_to) - bitCount(ends_word & up_to);
    const bool is_node = (nodes_word & bit) != 0;
    before = after - (is_node ? 1 : 0) + (kind == 3 ? 1 : 0);
    const int least_later = lanes_lowest_above(after);
    is_left_by_word = is_node && least_later > before;
    const int least = min(0, lanes_min(after));
    const int has = (clips_word != 0 ? PM_BOXES_HAS_CLIPS : 0) | (blends_word != 0 ? PM_BOXES_HAS_BLENDS : 0);
    if (lane == 0)
        word_record[team] = ivec2(bitCount(nodes_word) - bitCount(ends_word), PM_BOXES_PACK(least, has));
    barrier();
    const ivec2 record = lane < teams ? word_record[lane % PM_TEAMS_MAX] : ivec2(0);
    const int end = int(lanes_inclusive_add(uint(record.x)));
    slice_has = (lanes_ballot((record.y & 1) != 0) != 0 ? 1u : 0u) | (lanes_ballot((record.y & 2) != 0) != 0 ? 2u : 0u);
    lows = lane < teams ? end - record.x + PM_BOXES_LEAST(record.y) : HIGHEST;
    word_start = int(lanes_shuffle(uint(end - record.x), team));
    slice_change = int(lanes_shuffle(uint(end), PM_LANES - 1));
    slice_least = lanes_min(lows);
    const int least_after = lanes_min(lane > team ? lows : HIGHEST);
    is_left = is_left_by_word && least_after > word_start + before;
}

/* ---- Intersections of all invocations up to each */

shared ivec4 team_reaches[PM_TEAMS_MAX];

/* The intersection of the team's; the other teams can read it. */
ivec4 team_intersect(ivec4 reach) {
    [[dont_unroll]] for (uint by = 1; by < PM_LANES; by *= 2) {
        const ivec4 below = lanes_shuffle(reach, lane - by & PM_LANES - 1);
        reach = lane >= by ? min(reach, below) : reach;
    }
    if (lane == PM_LANES - 1)
        team_reaches[team] = reach;
    return reach;
}

/* After a barrier: of all teams before. */
ivec4 teams_before() {
    return lanes_min(lane < team ? team_reaches[lane % PM_TEAMS_MAX] : EVERYWHERE);
}
