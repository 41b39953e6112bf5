/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of many sequences that are matched as one: the offsets at which they begin, and where the sequence of each element of
 * a tile begins. A match before that does not count. `incoming` has the offsets, incoming_count of them, 64 bits each.
 * If they do not ascend, results are wrong, but nothing else is written, and every loop ends.
 */
readonly PM_BUFFER(pmi_offsets, uvec2, 8);

uint offset_clamp(uvec2 offset) {
    return offset.y != 0 ? n : min(offset.x, n);
}

uint offset_at(uint k) {
    return offset_clamp(pmi_offsets(incoming).at[k]);
}

#ifndef PM_TOTALS

shared uint start_bits[PM_TILE_WORDS];  /* of the tile, where sequences begin */
shared uvec2 word_start[PM_TILE_WORDS]; /* these bits of a word, and where the sequence before its first element begins */

uint next_offset;   /* offsets before this one are at or before the beginning of the tile, or in it */
uvec2 offset_ahead; /* lane = offset, from that one on */
uint tile_start;    /* where the sequence at the end of the last tile begins */
uint begun_words;   /* of the tile, a bit each: does a sequence begin there? */

void offsets_read_ahead() {
    offset_ahead = pmi_offsets(incoming).at[min(next_offset + lane, incoming_count - 1)];
}

/* The first offset from `begin` on that is beyond `element`. */
uint offset_find(uint begin, uint element) {
    uint left = incoming_count - begin;
    while (left > PM_LANES) {
        const uint step = (left + PM_LANES - 1) / PM_LANES, probe = lane * step + step - 1;
        const uint passed = bitCount(lanes_ballot(probe < left && offset_at(begin + probe) <= element)) * step;
        begin += passed;
        left = min(left - passed, step - 1);
    }
    return begin + bitCount(lanes_ballot(lane < left && offset_at(begin + lane) <= element));
}

/* Before the first tile of a workgroup, which begins at `element`. */
void starts_begin(uint element) {
    next_offset = offset_find(0, element);
    tile_start = next_offset > 0 ? offset_at(next_offset - 1) : 0;
    offsets_read_ahead();
}

/*
 * For the next tile: lane = word. Each round takes 32 offsets. If all of them are equal, their sequences are empty, and so
 * may be any number of those after them; a search finds the first that is not. So there is no round without a new
 * beginning in the tile.
 */
void starts_make(uint element) {
    start_bits[lane] = 0;
    lanes_barrier();
    const uint room = min(n - element, PM_TILE);
    for (uint round = 0; round <= PM_TILE; round++) {
        const uint offset = offset_clamp(offset_ahead);
        const bool is_here = next_offset + lane < incoming_count && offset - element < room;
        if (is_here)
            atomicOr(start_bits[(offset - element) / 32], 1u << (offset - element) % 32);
        const uint here = bitCount(lanes_ballot(is_here));
        next_offset += here;
        if (here == PM_LANES && lanes_shuffle(offset, 0) == lanes_shuffle(offset, PM_LANES - 1))
            next_offset = offset_find(next_offset, lanes_shuffle(offset, 0));
        if (here > 0)
            offsets_read_ahead();
        if (here < PM_LANES)
            break;
    }
    lanes_barrier();
    const uint bits = start_bits[lane], last = element + 32 * lane + findMSB(bits);
    begun_words = lanes_ballot(bits != 0);
    const uint begun = begun_words, begun_below = begun & ((1u << lane) - 1);
    const uint last_below = lanes_shuffle(last, begun_below != 0 ? findMSB(begun_below) : 0);
    word_start[lane] = uvec2(bits, begun_below != 0 ? last_below : tile_start);
    const uint last_of_tile = lanes_shuffle(last, begun != 0 ? findMSB(begun) : 0);
    tile_start = begun != 0 ? last_of_tile : tile_start;
    lanes_barrier();
}

/* Lane = element, of a word that begins with `element`: where its sequence begins. */
uint start_of(uint element) {
    const uvec2 start = word_start[element / 32 % PM_TILE_WORDS];
    const uint begun = start.x & ((2u << lane) - 1);
    return begun != 0 ? element + findMSB(begun) : start.y;
}

/* The same of a group's words, in most of which nothing begins where sequences are long. */
uint[AT_A_TIME] starts_of_group(uint group, uint element) {
    uint start[AT_A_TIME];
    if ((begun_words >> group * AT_A_TIME & (1u << AT_A_TIME) - 1) == 0) {
        const uint of_all = word_start[group * AT_A_TIME].y;
        [[unroll]] for (uint w = 0; w < AT_A_TIME; w++)
            start[w] = of_all;
    } else {
        [[unroll]] for (uint w = 0; w < AT_A_TIME; w++)
            start[w] = start_of(element + 32 * w);
    }
    return start;
}

/* A match, counted from `start`; none if it is before. PM_NO_ELEMENT + 1 is 0, and so before every start. */
uint counted_from(uint found, uint start) {
    return max(found + 1, start) - start - 1;
}

#endif
