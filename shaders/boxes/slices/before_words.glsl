/* SPDX-License-Identifier: Apache-2.0 */
/* As before.glsl, of the shortest scenes, which nobody has reduced: every workgroup reads the kinds of all elements, each
 * invocation those of a word. So a scene has at most as many words as a slice has elements. */

const uint NO_NODE = 0x7fffffff;

shared int scene_low[SLICE];   /* the least heights of words of the scene */
shared int scene_floor[SLICE]; /* of words before the slice, the least from each up to it; which never falls */
shared uint scene_nodes[SLICE]; /* which nodes survive their word */

uint scene_has;
int lowest_later; /* of later slices */
uint first_word;  /* of the slice */
uint clips_there; /* in the invocation's word */

shared ivec2 team_sums[PM_TEAMS_MAX]; /* what each team's words change the height by, and which nodes they have */
shared ivec2 team_lows[PM_TEAMS_MAX]; /* the least heights of words before the slice, and after it */
shared int start_of_slice;

void slices_read(uint my_slice) {
    first_word = my_slice * (SLICE / 32);
    const uvec2 bits = mine * 32 < n ? kinds_read(mine) : uvec2(0);
    clips_there = bits.x & ~bits.y;
    uint ends = bits.x & bits.y;
    const uint left = word_survivors(bits.x ^ bits.y, ends);
    const int least = -int(bitCount(ends)), change = int(bitCount(left)) + least;
    const uint blends = bits.y & ~bits.x;
    scene_nodes[mine] = left;

    const int end_in_team = int(lanes_inclusive_add(uint(change)));
    const int has_in_team = (lanes_ballot(clips_there != 0) != 0 ? PM_BOXES_HAS_CLIPS : 0) |
                            (lanes_ballot(blends != 0) != 0 ? PM_BOXES_HAS_BLENDS : 0);
    if (lane == PM_LANES - 1)
        team_sums[team] = ivec2(end_in_team, has_in_team);
    barrier();
    const ivec2 sum = lane < teams ? team_sums[lane % PM_TEAMS_MAX] : ivec2(0);
    const int end = int(lanes_inclusive_add(uint(sum.x)));
    scene_has = (lanes_ballot((sum.y & 1) != 0) != 0 ? 1u : 0u) | (lanes_ballot((sum.y & 2) != 0) != 0 ? 2u : 0u);
    const int start = int(lanes_shuffle(uint(end - sum.x), team)) + end_in_team - change, low = start + least;
    const int low_before = mine < first_word ? low : HIGHEST;
    const bool is_later = mine >= first_word + SLICE / 32 && mine * 32 < n;
    const int floor_above = lanes_lowest_above(low_before), low_after = lanes_min(is_later ? low : HIGHEST);
    if (mine == first_word)
        start_of_slice = start;
    if (lane == 0)
        team_lows[team] = ivec2(min(low_before, floor_above), low_after);
    barrier();
    const ivec2 lows_of_team = lane < teams ? team_lows[lane % PM_TEAMS_MAX] : ivec2(HIGHEST);
    const int floor_of_later_teams = lanes_min(lane > team ? lows_of_team.x : HIGHEST);
    const int lowest = lanes_min(lows_of_team.y);
    lowest_later = lowest == HIGHEST ? HIGHEST : lowest - start_of_slice;
    scene_low[mine] = low - start_of_slice;
    scene_floor[mine] =
        mine < first_word ? min(low_before, min(floor_above, floor_of_later_teams)) - start_of_slice : HIGHEST;
}

/* The last node before this slice at a height below its start, and PM_BOXES_SLICE_CLIP, or NO_NODE; and what it leaves,
 * if it is a clip. */
void node_find(int height, out uint node, out ivec4 reach) {
    node = NO_NODE;
    reach = EVERYWHERE;
    if (scene_floor[0] <= height) {
        uint word = 0;
        [[unroll]] for (uint step = SLICE / 2; step > 0; step /= 2)
            word += scene_floor[word + step] <= height ? step : 0;
        node = word * 32 + bit_select(scene_nodes[word], uint(height - scene_low[word]));
        const uint kind = kind_of(node);
        const ivec4 box = boxes.at[node];
        node |= kind == 1 ? PM_BOXES_SLICE_CLIP : 0;
        reach = kind == 1 ? reach_of_box(box) : EVERYWHERE;
    }
}

/* What some of the clips leave that lie below the slice's least height: of that of one node for each invocation; where
 * there are more, of those of the invocation's word. */
ivec4 clipped_below() {
    uint node;
    ivec4 reach = EVERYWHERE;
    if (scene_floor[0] >= slice_least - int(SLICE)) {
        node_find(slice_least - 1 - int(mine), node, reach);
    } else if (mine < first_word) {
        const int kept = min(scene_floor[mine + 1], slice_least) - scene_low[mine];
        uint clips = scene_nodes[mine];
        if (kept < int(bitCount(clips)))
            clips &= (1u << bit_select(clips, uint(max(kept, 0)))) - 1u;
        reach = clips_intersect(mine * 32, clips & clips_there);
    }
    return reach;
}
