/* SPDX-License-Identifier: Apache-2.0 */
/* Four tiles, by a team, a word of 32 elements for each lane: what they change the height by, and their least; the nodes that
 * survive them, and the intersection of the clips among these. */

/* Tiles `tile` ... `end` - 1, of which there are no more than a team has words for. */
void tiles_reduce(uint tile, uint end) {
    const uint word = tile * PM_BOXES_TILE_WORDS + lane, of_tile = lane % PM_BOXES_TILE_WORDS;
    const bool is_there = word / PM_BOXES_TILE_WORDS < end;
    const uvec2 kinds_bits = is_there ? kinds_read(word) : uvec2(0);
    const uint clips = kinds_bits.x & ~kinds_bits.y, blends = kinds_bits.y & ~kinds_bits.x;
    uint ends = kinds_bits.x & kinds_bits.y;
    const uint survivors = word_survivors(clips | blends, ends);

    /* Heights relative to the tile's start; and above them, in the same number, marks up to here. */
    const int opened = bitCount(survivors);
    int sum = opened - bitCount(ends) + (bitCount(kinds_bits.x | kinds_bits.y) << 16);
    [[unroll]] for (uint by = 1; by < PM_BOXES_TILE_WORDS; by *= 2) {
        const int before = int(lanes_shuffle_up(uint(sum), by));
        sum += of_tile >= by ? before : 0;
    }
    const int height = sum << 16 >> 16, low = height - opened;

    /* Of later words, the lowest closes all survivors that are not below it. */
    int low_from = low;
    [[unroll]] for (uint by = 1; by < PM_BOXES_TILE_WORDS; by *= 2) {
        const int after = int(lanes_shuffle(uint(low_from), (lane + by) % PM_LANES));
        low_from = of_tile + by < PM_BOXES_TILE_WORDS ? min(low_from, after) : low_from;
    }
    const int next_low = int(lanes_shuffle(uint(low_from), (lane + 1) % PM_LANES));
    const int low_after = of_tile < PM_BOXES_TILE_WORDS - 1 ? next_low : height;
    const uint left = uint(clamp(low_after, low, height) - low);
    const uint kept = left < opened ? survivors & (1u << bit_select(survivors, left)) - 1u : survivors;

    ivec4 clipped = clips_intersect(word * 32, kept & clips); /* up to this word */
    if (lanes_ballot((kept & clips) != 0) != 0)
        [[unroll]] for (uint by = 1; by < PM_BOXES_TILE_WORDS; by *= 2) {
            const ivec4 before = lanes_shuffle(clipped, (lane - by) % PM_LANES);
            clipped = of_tile >= by ? min(clipped, before) : clipped;
        }

    const uint row = 0xffu << lane - of_tile;
    const bool has_clips = (lanes_ballot(clips != 0) & row) != 0, has_blends = (lanes_ballot(blends != 0) & row) != 0;
    const int all = int(lanes_shuffle(uint(sum), lane | PM_BOXES_TILE_WORDS - 1)), change = all << 16 >> 16;
    const uint marks = uint(all - change >> 16);
    if (!is_there)
        return;
    tile_survivors.at[word] = kept;
    tile_clips.at[word] = kept & clips;
    word_clipped.at[word] = clipped;
    if (of_tile == 0) {
        const int has = (has_clips ? PM_BOXES_HAS_CLIPS : 0) | (has_blends ? PM_BOXES_HAS_BLENDS : 0) |
                        (marks > 0 && marks <= PM_BOXES_MARKS ? PM_BOXES_SPARSE : 0);
        tile_record.at[word / PM_BOXES_TILE_WORDS] = ivec2(change, PM_BOXES_PACK(low_from, has));
    }
}
