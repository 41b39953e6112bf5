/* SPDX-License-Identifier: Apache-2.0 */
/* The third stage: where tokens begin, now that the state before each group is known, and how many each group has. */
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shaders/structure.glsl"
#include "shaders/structure_functions.glsl"
#include "shaders/structure_read.glsl"
#include "shaders/workgroup_add.glsl"

/* Bits for the places of a lane. */
struct lane_marks {
    uvec2 tokens;
    uint region; /* the last place that begins one, and 1; 0: none does */
};

shared uint region_last;

lane_marks lane_mark(uint place, uint left, uint state) {
    lane_marks marks = lane_marks(uvec2(0), 0);
    [[unroll]] for (uint i = 0; i < PM_STRUCTURE_LANE_BYTES / 16; i++) {
        if (16 * i >= left)
            break;
        const uvec4 own = text.at[place / 16 + i];
        uint tokens = 0, regions = 0;
        [[unroll]] for (uint k = 0; k < 16; k++) {
            const uint row = row_of_byte(own[k / 4], k % 4);
            const uint means = 16 * i + k < left && (state & STATE_MASK) == 0 ? row_means(row) : 0;
            tokens |= (means & PM_STRUCTURE_TOKEN) << k;
            regions |= (means / PM_STRUCTURE_REGION) << k;
            state = row_next(row, state);
        }
        marks.tokens[i / 2] |= tokens << 16 * (i % 2);
        marks.region = regions != 0 ? place + 16 * i + findMSB(regions) + 1 : marks.region;
    }
    return marks;
}

void main() {
    rows_load();
    if (lane == 0)
        region_last = 0;
    barrier();
    const uint group = first + gl_WorkGroupID.x;
    uint state = state_load(group), tokens = 0, region = 0;
    for (uint t = 0; t < group_tiles; t++) {
        const uint tile = group * group_tiles + t, begin = tile * PM_STRUCTURE_TILE;
        if (begin >= n)
            break;
        const uint place = begin + lane * PM_STRUCTURE_LANE_BYTES, left = places_left(place);
        function all;
        const function before = workgroup_compose_before(lane_function_load(tile), all);
        const lane_marks marks = lane_mark(place, left, function_get(before, state));
        begins.at[begin / PM_STRUCTURE_LANE_BYTES + lane] = marks.tokens;
        tokens += bitCount(marks.tokens.x) + bitCount(marks.tokens.y);
        region = marks.region != 0 ? marks.region : region;
        state = function_get(all, state);
    }
    if (region != 0)
        atomicMax(region_last, region);
    const uint up_to = workgroup_inclusive_add(tokens);
    if (lane == PM_STRUCTURE_LANES - 1)
        counts.at[group] = up_to;
    if (lane == 0 && region_last != 0)
        atomicMax(found.at[PM_STRUCTURE_FOUND_REGION], region_last);
}
