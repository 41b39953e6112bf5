/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds as bits, one an element, in words of 32; what is matched in a word, and its clips; and boxes from lane to lane. */

uint kind_of(uint element) {
    return kinds.at[element / 4] >> element % 4 * 8 & 3;
}

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

/* The low and the high bits of 32 kinds. */
uvec2 kinds_read(uint word) {
    uvec2 bits = uvec2(0);
    if (word * 32 + 32 <= n) {
        const uvec4 first_half = pmi_extents(uvec2(kinds)).at[2 * word];
        const uvec4 second_half = pmi_extents(uvec2(kinds)).at[2 * word + 1];
        [[unroll]] for (uint k = 4; k-- > 0;)
            bits = bits << 4 | uvec2(bytes_gather(second_half[k]), bytes_gather(second_half[k] >> 1));
        [[unroll]] for (uint k = 4; k-- > 0;)
            bits = bits << 4 | uvec2(bytes_gather(first_half[k]), bytes_gather(first_half[k] >> 1));
    } else {
        [[dont_unroll]] for (uint k = 8; k-- > 0;) {
            const uint four = kinds_word(8 * word + k);
            bits = bits << 4 | uvec2(bytes_gather(four), bytes_gather(four >> 1));
        }
    }
    return bits;
}

/* The nodes that no end of the word closes; of the ends those stay that close none of it. In rounds: each takes away
 * the ends that follow a node, with leaves between them or not, and these nodes. */
uint word_survivors(uint nodes, inout uint ends) {
    [[dont_unroll]] for (;;) {
        const uint both = nodes | ends, closing = (nodes << 1) + ~both & ends;
        if (closing == 0)
            return nodes;
        const uint closed = bitfieldReverse((bitfieldReverse(closing) << 1) + bitfieldReverse(~both));
        nodes &= ~(closed & both);
        ends &= ~closing;
    }
}

/* The bit that `below` others are below. */
uint bit_select(uint bits, uint below) {
    uint place = 0;
    [[unroll]] for (uint step = 16; step > 0; step /= 2) {
        const uint ones = bitCount(bits >> place & (1u << step) - 1u);
        place += ones <= below ? step : 0;
        below -= ones <= below ? ones : 0;
    }
    return place;
}

/* The intersection of the word's clips; of each four the boxes are on their way at a time. */
ivec4 clips_intersect(uint first_element, uint clips) {
    ivec4 reach = EVERYWHERE;
    [[dont_unroll]] while (clips != 0) {
        ivec4 box[4];
        uint element = 0;
        [[unroll]] for (uint k = 0; k < 4; k++) { /* or the last one again */
            element = clips != 0 ? findLSB(clips) : element;
            clips &= clips - 1;
            box[k] = boxes.at[first_element + element];
        }
        [[unroll]] for (uint k = 0; k < 4; k++)
            reach = min(reach, reach_of_box(box[k]));
    }
    return reach;
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
