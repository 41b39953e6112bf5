/* SPDX-License-Identifier: Apache-2.0 */
/* As before.glsl, of the shortest scenes, which nobody has reduced: every workgroup reads the kinds of all elements, each
 * invocation those of a word. So a scene has at most as many words as a slice has elements. */

const uint NO_NODE = 0x7fffffff;
const uint WORDS_AT_A_TIME = 16; /* of clips whose boxes are on their way together; at most 32 */

shared int scene_low[SLICE];   /* the least heights of words of the scene */
shared int scene_floor[SLICE]; /* of words before the slice, the least from each up to it; which never falls */
shared uint scene_nodes[SLICE]; /* which nodes survive their word */
shared uint scene_clips[SLICE]; /* which elements are clips */
shared uvec2 kept_clips[SLICE]; /* of 32 words of each team: clips below the slice's least height, and the first element */

uint scene_has;
int lowest_later; /* of later slices */
uint first_word;  /* of the slice */

shared ivec2 team_sums[PM_TEAMS_MAX]; /* what each team's words change the height by, and which nodes they have */
shared ivec2 team_lows[PM_TEAMS_MAX]; /* the least heights of words before the slice, and after it */
shared int start_of_slice;

void slices_read(uint my_slice) {
    first_word = my_slice * (SLICE / 32);
    const uvec2 bits = mine * 32 < n ? kinds_read(mine) : uvec2(0);
    const uint clips = bits.x & ~bits.y;
    uint ends = bits.x & bits.y;
    const uint left = word_survivors(bits.x ^ bits.y, ends);
    const int least = -int(bitCount(ends)), change = int(bitCount(left)) + least;
    const uint blends = bits.y & ~bits.x;
    scene_nodes[mine] = left;
    scene_clips[mine] = clips;

    const int end_in_team = int(lanes_inclusive_add(uint(change)));
    const int has_in_team = (lanes_ballot(clips != 0) != 0 ? PM_BOXES_HAS_CLIPS : 0) |
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

/* Of the clips of a word before the slice, those that lie below the slice's least height. */
uint clips_below(uint word) {
    const int kept = min(scene_floor[word + 1], slice_least) - scene_low[word];
    uint nodes = scene_nodes[word];
    if (kept < int(bitCount(nodes)))
        nodes &= (1u << bit_select(nodes, uint(max(kept, 0)))) - 1u;
    return nodes & scene_clips[word];
}

/* The intersection of boxes, given the least and the greatest of their bits, with a sign and without: which is less to do
 * for each box than to find its reach. With a sign, bits of negative numbers have the opposite order. */
ivec4 reach_of_bits(ivec4 least, ivec4 most, uvec4 most_unsigned) {
    const int infinity = 0x7f800000;
    const bool has_nan = any(greaterThan(most, ivec4(infinity))) ||
                         any(greaterThan(most_unsigned, uvec4(infinity | 0x80000000)));
    const ivec2 from = mix(most.xy, least.xy, lessThan(most.xy, ivec2(0)));
    const ivec2 last = ivec2(most_unsigned.zw), to = mix(least.zw, last, lessThan(last, ivec2(0)));
    return mix(reach_of_box(ivec4(from, to)), NOWHERE, bvec4(has_nan));
}

/* What the clips of the team's words leave that lie below the slice's least height. The team takes one word after the
 * other, a lane an element: neighbours are read together. */
ivec4 words_intersect() {
    const uint word = lane * teams + team, clips = word < first_word ? clips_below(word) : 0;
    const uint with_clips = lanes_ballot(clips != 0), before_this = (1u << lane) - 1u, count = bitCount(with_clips);
    const uint place = clips != 0 ? bitCount(with_clips & before_this) : count + bitCount(~with_clips & before_this);
    kept_clips[team * PM_LANES + place] = uvec2(clips, word * 32);
    lanes_barrier();
    const uvec2 one = kept_clips[team * PM_LANES];
    const uint again = one.y + findLSB(one.x); /* a clip for lanes whose own element is not a clip */
    ivec4 least = ivec4(0x7fffffff), most = ivec4(0x80000000);
    uvec4 most_unsigned = uvec4(0);
    [[dont_unroll]] for (uint k = 0; k < count; k += WORDS_AT_A_TIME) {
        ivec4 box[WORDS_AT_A_TIME];
        [[unroll]] for (uint j = 0; j < WORDS_AT_A_TIME; j++) {
            const uvec2 kept = kept_clips[team * PM_LANES + k + j];
            box[j] = boxes.at[is_in(kept.x, lane) ? kept.y + lane : again];
        }
        [[unroll]] for (uint j = 0; j < WORDS_AT_A_TIME; j++) {
            least = min(least, box[j]);
            most = max(most, box[j]);
            most_unsigned = max(most_unsigned, uvec4(box[j]));
        }
    }
    return count > 0 ? reach_of_bits(least, most, most_unsigned) : EVERYWHERE;
}

/* What some of the clips leave that lie below the slice's least height: of the nodes there one for each invocation; where
 * there are more, those of the team's words. */
ivec4 clipped_below() {
    if (scene_floor[0] < slice_least - int(SLICE))
        return words_intersect();
    uint node;
    ivec4 reach;
    node_find(slice_least - 1 - int(mine), node, reach);
    return reach;
}
