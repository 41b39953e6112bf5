/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of tiles before that ends of the tile close. */

/* Tells that outer node `node` is the one at `height`. */
void outer_tell(uint node, int height) {
    reaches[place(outer_end(height))].x = int(node);
}

/* The nodes among survivors of tile `begin` and the 31 after it, of those before `end`, that are on the stack at heights low ...
 * top. Returns the least height of these tiles; `least` is that of the lane's. */
int tiles_tell(uint begin, uint end, int least, int start, int top) {
    const uint source = begin + lane;
    const int source_low = source < end ? least - start : 0x7fffffff;
    const int low_after = int(lanes_min_above(uint(source_low) ^ 0x80000000u) ^ 0x80000000u);
    const int to = min(top, low_after == 0x7fffffff ? top : low_after - 1), from = max(low, source_low);
    const bool few = to >= from && to - from < 4;
    if (few) { /* each lane by itself */
        const ivec4 low_words = pmi_extents(tile_survivors).at[2 * source];
        const ivec4 high_words = pmi_extents(tile_survivors).at[2 * source + 1];
        const uint words[] = {low_words.x,  low_words.y,  low_words.z,  low_words.w,
                              high_words.x, high_words.y, high_words.z, high_words.w};
        uint word = 0, bits = words[0];
        int height = source_low;
        [[unroll]] for (uint w = 1; w < PM_BOXES_TILE_WORDS; w++) {
            const int ones = bitCount(bits);
            const bool is_past = height + ones <= from;
            height += is_past ? ones : 0;
            bits = is_past ? words[w] : bits;
            word = is_past ? w : word;
        }
        [[dont_unroll]] for (; height < from; height++)
            bits &= bits - 1;
        [[dont_unroll]] for (; height <= to; height++) {
            while (bits == 0)
                bits = tile_survivors.at[source * PM_BOXES_TILE_WORDS + ++word];
            outer_tell(source * PM_BOXES_TILE + word * 32 + findLSB(bits), height);
            bits &= bits - 1;
        }
    }
    for (uint many = lanes_ballot(to >= from && !few); many != 0; many &= many - 1) { /* all lanes together */
        const uint k = findLSB(many), of = begin + k;
        const int of_from = int(lanes_shuffle(uint(from), k)), of_to = int(lanes_shuffle(uint(to), k));
        uint bits = lane_byte(tile_survivors.at[of * PM_BOXES_TILE_WORDS + lane / 4]);
        const uint ones = bitCount(bits);
        int height = int(lanes_shuffle(uint(source_low), k)) + int(lanes_inclusive_add(ones) - ones);
        for (; bits != 0; bits &= bits - 1, height++)
            if (height >= of_from && height <= of_to)
                outer_tell(of * PM_BOXES_TILE + lane * PM_BOXES_CHUNK + findLSB(bits), height);
    }
    return lanes_min(source_low);
}

/* The last row of 32 tiles of which one before `end` has a least height of at most `height`; `end` becomes the end of those
 * that count in it. False if all are higher. */
bool group_find(inout uint end, int height) {
    uint node = end, shift = 0, held = 0;
    for (;; node /= PM_LANES, shift += 5) {
        const uint sisters = node & ~(PM_LANES - 1);
        held = lanes_ballot(lane < node % PM_LANES && tree_least.at[(leaves >> shift) + sisters + lane] <= height);
        if (held != 0) {
            node = sisters + findMSB(held);
            break;
        }
        if (node < PM_LANES)
            return false;
    }
    for (; shift > 5; shift -= 5)
        node = node * PM_LANES +
               findMSB(lanes_ballot(tree_least.at[(leaves >> shift - 5) + node * PM_LANES + lane] <= height));
    end = shift == 0 ? end : (node + 1) * PM_LANES;
    return true;
}

/* The first of the 32 tiles before, which are asked first. */
uint outer_begin() {
    return max(tile, PM_LANES) - PM_LANES;
}

/* The first tile of the row of 32 that ends at `end`, or in which it lies. */
uint row_begin(uint end) {
    return max(end, 1) - 1 & ~(PM_LANES - 1);
}

/* Which nodes of tiles before the tile's outer ends close: their number, and in place of each end its node. Lanes know the
 * least heights of the tiles from outer_begin() on. Those of the row before are on their way meanwhile: where few nodes stay
 * open in each of many tiles, it is row after row that has some. */
void outer_find(int start, int least) {
    uint end = outer_begin(), begin = row_begin(end);
    int ahead = tree_least.at[leaves + begin + lane];
    int top = min(-1, tiles_tell(outer_begin(), tile, least, start, -1) - 1);
    while (top >= low && end > 0) {
        int lows = ahead;
        if (lanes_ballot(begin + lane < end && lows - start <= top) == 0) {
            if (!group_find(end, top + start))
                break;
            begin = row_begin(end);
            lows = tree_least.at[leaves + begin + lane];
        }
        const uint row = begin;
        begin = row_begin(row);
        ahead = tree_least.at[leaves + begin + lane];
        top = min(top, tiles_tell(row, end, lows, start, top) - 1);
        end = row;
    }
    found = uint(-1 - max(top, low - 1));
}

/* In place of each outer end what the clips up to its node leave. */
void outer_intersect() {
    ivec4 below = tile_base;
    for (uint row = (found + PM_LANES - 1) / PM_LANES; row-- > 0;) {
        const uint k = row * PM_LANES + lane;
        const bool mine = k < found;
        uint end = 0;
        ivec4 reach = EVERYWHERE;
        if (mine) {
            end = outer_end(-1 - int(k));
            const uint node = uint(reaches[place(end)].x), kind = kind_of(node);
            const ivec4 box = boxes.at[node];
            if (kind == 1)
                reach = reach_of_box(box);
            else {
                atomicOr(outer_blends(end / 32), 1 << end % 32);
                blend_closed.at[tile * PM_BOXES_TILE + end] = node;
            }
        }
        [[dont_unroll]] for (uint by = 1; by < min(PM_LANES, found); by *= 2) {
            const ivec4 above = lanes_shuffle(reach, (lane + by) % PM_LANES);
            reach = lane + by < PM_LANES ? min(reach, above) : reach;
        }
        reach = min(reach, below);
        if (mine)
            reaches[place(end)] = reach;
        below = lanes_shuffle(reach, 0);
    }
    for (uint k = found + lane; k < closes; k += PM_LANES)
        reaches[place(outer_end(-1 - int(k)))] = tile_base;
    lanes_barrier();
}

/* All of this, once the ends of the tile that close nothing in it are listed. */
void outer_match(int start, int least) {
    base_place = closes > 0 && outer_end(low) == BASE ? place(BASE) : TILE_PLACE;
    found = 0;
    if (closes > 0) {
        outer_find(start, least);
        lanes_barrier();
        outer_intersect();
    }
    if (lane % 4 == 0)
        tile_closers.at[tile * PM_BOXES_TILE_WORDS + lane / 4] = uint(outer_blends(lane / 4));
}
