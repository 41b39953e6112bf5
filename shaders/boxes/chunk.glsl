/* SPDX-License-Identifier: Apache-2.0 */
/* A lane's chunk of a tile, as bits, one an element; and what is matched in it: see chunk_match(). */

struct pm_chunk {
    uint clips, blends, ends, leaves;
    uint survivors; /* nodes that no end of the chunk closes */
    uint closers;   /* ends that close no node of the chunk */
};

pm_chunk chunk_read(uint index) {
    const uint begin = index * PM_BOXES_CHUNK;
    const uvec2 word = uvec2(kinds_word(2 * index), kinds_word(2 * index + 1));
    const uint low = bytes_gather(word.x) | bytes_gather(word.y) << 4;
    const uint high = bytes_gather(word.x >> 1) | bytes_gather(word.y >> 1) << 4;
    pm_chunk chunk;
    chunk.clips = low & ~high;
    chunk.blends = high & ~low;
    chunk.ends = low & high;
    chunk.leaves = ~(low | high) & (begin >= n ? 0u : n - begin < 8 ? (1u << n - begin) - 1u : 255u);
    return chunk;
}

void chunk_match(inout pm_chunk chunk) {
    chunk.closers = chunk.ends;
    chunk.survivors = word_survivors(chunk.clips | chunk.blends, chunk.closers);
}
