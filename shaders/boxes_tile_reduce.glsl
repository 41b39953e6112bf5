/* SPDX-License-Identifier: Apache-2.0 */
/* A tile, by a team: what it changes the height by, and its least; the nodes that survive it, and the intersection of the
 * clips among them. */

void tile_reduce(uint tile) {
    const pm_chunk chunk = chunk_read(tile * PM_LANES + lane);
    const int opened = bitCount(chunk.survivors), closes = bitCount(chunk.closers);
    const int end = int(lanes_inclusive_add(uint(opened - closes)));
    const int low = end - opened;

    /* Of later chunks, the lowest closes all survivors that are not below it. */
    const int low_after = int(lanes_min_above(uint(low) ^ 0x80000000u) ^ 0x80000000u);
    uint kept = chunk.survivors;
    for (int surplus = opened - clamp(low_after, low, end) + low; surplus > 0; surplus--)
        kept ^= 1u << findMSB(kept);

    ivec4 clipped = EVERYWHERE;
    for (uint bits = kept & chunk.clips; bits != 0; bits &= bits - 1)
        clipped = min(clipped, box_read(tile * PM_BOXES_TILE + lane * PM_BOXES_CHUNK + findLSB(bits)));
    if (lanes_ballot((kept & chunk.clips) != 0) != 0)
        clipped = lanes_min(clipped);

    const uint word = lanes_gather_bytes(kept), clips_word = lanes_gather_bytes(kept & chunk.clips);
    if (lane % 4 == 0) {
        tile_survivors.at[tile * PM_BOXES_TILE_WORDS + lane / 4] = word;
        tile_clips.at[tile * PM_BOXES_TILE_WORDS + lane / 4] = clips_word;
    }
    const int has = (lanes_ballot(chunk.clips != 0) != 0 ? PM_BOXES_HAS_CLIPS : 0) |
                    (lanes_ballot(chunk.blends != 0) != 0 ? PM_BOXES_HAS_BLENDS : 0);
    const int tile_low = lanes_min(low);
    const int change = int(lanes_shuffle(uint(end), PM_LANES - 1));
    if (lane == 0) {
        tile_record.at[tile] = ivec2(change, PM_BOXES_PACK(tile_low, has));
        tile_clipped.at[tile] = clipped;
    }
}
