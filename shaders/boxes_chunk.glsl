/* SPDX-License-Identifier: Apache-2.0 */
/* A lane's chunk of a tile, as bits, one an element; what is matched in it; and a lane's bits among those of the tile. */

struct pm_chunk {
    uint clips, blends, ends, leaves;
    uint survivors; /* nodes that no end of the chunk closes */
    uint closers;   /* ends that close no node of the chunk */
};

/* The lowest bit of each byte, as four bits. */
uint bytes_gather(uint bytes) {
    return (bytes & 0x01010101) * 0x10204080 >> 28;
}

/* Four kinds; zeros, which are leaves, past n. */
uint kinds_word(uint index) {
    const uint first_element = 4 * index;
    if (first_element >= n)
        return 0;
    const uint word = kinds.at[index], left = n - first_element;
    return left < 4 ? word & (1u << 8 * left) - 1u : word;
}

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
    chunk.survivors = chunk.clips | chunk.blends;
    chunk.closers = 0;
    [[dont_unroll]] for (uint ends = chunk.ends; ends != 0; ends &= ends - 1) {
        const uint end = ends & -ends, open = chunk.survivors & end - 1;
        if (open != 0)
            chunk.survivors ^= 1u << findMSB(open);
        else
            chunk.closers |= end;
    }
    return chunk;
}

/* The bit that `below` others are below. */
uint bit_select(uint bits, uint below) {
    for (; below > 0; below--)
        bits &= bits - 1;
    return findLSB(bits);
}

/* Eight lanes' bits of each four lanes, in the first of these. */
uint lanes_gather_bytes(uint bits) {
    uint word = bits << lane % 4 * 8;
    word |= lanes_shuffle(word, lane ^ 1);
    word |= lanes_shuffle(word, lane ^ 2);
    return word;
}

/* The lane's bits of a tile's. */
uint lane_byte(uint word) {
    return word >> lane % 4 * 8 & 255;
}

ivec4 lanes_shuffle(ivec4 x, uint from) {
    return ivec4(lanes_shuffle(uint(x.x), from), lanes_shuffle(uint(x.y), from), lanes_shuffle(uint(x.z), from),
                 lanes_shuffle(uint(x.w), from));
}

ivec4 lanes_min(ivec4 x) {
    return ivec4(lanes_min(x.x), lanes_min(x.y), lanes_min(x.z), lanes_min(x.w));
}

ivec4 lanes_max(ivec4 x) {
    return ivec4(lanes_max(x.x), lanes_max(x.y), lanes_max(x.z), lanes_max(x.w));
}
