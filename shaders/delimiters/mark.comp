/* SPDX-License-Identifier: Apache-2.0 */
/* The third stage: where tokens are told, now that the state before each group is known, and how many each group has;
 * with PM_LATE, where all regions begin, and what is told later. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shaders/delimiters/tokenizer.glsl"
#include "shaders/delimiters/functions.glsl"
#include "shaders/delimiters/read.glsl"
#include "shaders/shared/workgroup_add.glsl"

/* Bits for the places of a lane. */
struct lane_marks {
    uvec2 tokens;
#ifdef PM_LATE
    uvec2 starts;
#endif
    uint last; /* start, and 1; 0: no start */
};

shared uint start_last; /* the last start, and 1 */
#ifdef PM_LATE
uint unknown = 0; /* not 0: the lane has met something unknown */
#endif

lane_marks lane_mark(uint place, uint left, uint state) {
    lane_marks marks;
    marks.tokens = uvec2(0);
    marks.last = 0;
#ifdef PM_LATE
    marks.starts = uvec2(0);
#endif
    [[unroll]] for (uint i = 0; i < PM_STRUCTURE_LANE_BYTES / 16; i++) {
        if (16 * i >= left)
            break;
        const uvec4 own = text.at[place / 16 + i];
        uint tokens = 0, starts = 0;
        [[unroll]] for (uint k = 0; k < 16; k++) {
            const uint row = row_of_byte(own[k / 4], k % 4), next = row_next(row, state);
            const uint means = 16 * i + k < left ? row_means(row, state, next) : 0;
            tokens |= (means & PM_STRUCTURE_TOKEN) << k;
            starts |= (means / PM_STRUCTURE_START) << k;
#ifdef PM_LATE
            unknown |= 16 * i + k < left ? next & PM_STRUCTURE_UNKNOWN : 0;
#endif
            state = next;
        }
        marks.tokens[i / 2] |= tokens << 16 * (i % 2);
        marks.last = starts != 0 ? place + 16 * i + findMSB(starts) + 1 : marks.last;
#ifdef PM_LATE
        marks.starts[i / 2] |= starts << 16 * (i % 2);
#endif
    }
    return marks;
}

void main() {
    rows_load();
    if (lane == 0)
        start_last = 0;
    barrier();
    const uint group = first + gl_WorkGroupID.x;
    uint state = state_load(group), tokens = 0, start = 0;
    for (uint t = 0; t < group_tiles; t++) {
        const uint tile = group * group_tiles + t, begin = tile * PM_STRUCTURE_TILE;
        if (begin >= n)
            break;
        const uint place = begin + lane * PM_STRUCTURE_LANE_BYTES, left = places_left(place);
        function all;
        const function before = workgroup_compose_before(lane_function_load(tile), all);
        const lane_marks marks = lane_mark(place, left, function_get(before, state));
        begins.at[begin / PM_STRUCTURE_LANE_BYTES + lane] = marks.tokens;
#ifdef PM_LATE
        begins.at[starts_at(begin)] = marks.starts;
#endif
        tokens += bitCount(marks.tokens.x) + bitCount(marks.tokens.y);
        start = marks.last != 0 ? marks.last : start;
        state = function_get(all, state);
    }
    if (start != 0)
        atomicMax(start_last, start);
    const uint up_to = workgroup_inclusive_add(tokens);
    if (lane == PM_STRUCTURE_LANES - 1)
        counts.at[group] = up_to;
#ifdef PM_LATE
    if (unknown != 0)
        found.at[PM_STRUCTURE_FOUND_UNKNOWN] = 1;
    if (lane == 0)
        counts.at[last_at(group)] = start_last;
#endif
    if (lane == 0 && start_last != 0)
        atomicMax(found.at[PM_STRUCTURE_FOUND_START], start_last);
}
