/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Up: of each node the product of the values of its subtree, which are those from its own to its end. Products of aligned
 * blocks of 16 nodes, 32, 64 ... are made from small to large. Then tiles find the subtrees that end in them by
 * themselves; those that go on take the fewest of the products for what lies behind their tile, and single values last.
 */

/* Where the products of blocks of 2^shift nodes begin. Only whole blocks have one. */
uint pm_products_begin(uint shift) {
    uint begin = 0;
    for (uint below = PM_MONOID_BLOCK_SHIFT; below < shift; below++)
        begin += pm_nodes >> below;
    return begin;
}

void pm_product_store(uint shift, uint block, pm_value product) {
    if (shift >= PM_MONOID_BLOCK_SHIFT)
        pm.products.at[pm_products_begin(shift) + block] = product;
}

pm_value pm_given_product(uint block) {
    if (pm.shift == 0)
        return pm.values.at[block];
    return pm.products.at[pm_products_begin(pm.shift) + block];
}

/* The product of two blocks of 2^(shift - 1) nodes, the first of which is `block`; stored, and of no matter if they are
 * not there. */
pm_value pm_pair_product(uint shift, uint block) {
    pm_value product = pm_identity();
    if (block / 2 < pm_nodes >> shift) {
        product = pm_combine(pm_given_product(block), pm_given_product(block + 1));
        pm_product_store(shift, block / 2, product);
    }
    return product;
}

/* Each invocation begins with four blocks. */
void pm_products(uint tile) {
    const uint mine = tile * PM_TILE + pm_lane;
    const pm_value left = pm_pair_product(pm.shift + 1, 4 * mine), right = pm_pair_product(pm.shift + 1, 4 * mine + 2);
    uint shift = pm.shift + 2;
    if (mine < pm_nodes >> shift) {
        const pm_value product = pm_combine(left, right);
        pm_shared_value[pm_lane] = product;
        pm_product_store(shift, mine, product);
    }
    for (uint half_size = 1; half_size < PM_TILE; half_size *= 2) {
        shift++;
        const uint pairs = PM_TILE / 2 / half_size, block = tile * pairs + pm_lane, first = pm_lane * 2 * half_size;
        barrier();
        if (pm_lane < pairs && block < pm_nodes >> shift) {
            const pm_value product = pm_combine(pm_shared_value[first], pm_shared_value[first + half_size]);
            pm_shared_value[first] = product;
            pm_product_store(shift, block, product);
        }
    }
}

/* A factor before others, if there are some yet. */
pm_value pm_before(pm_value factor, bool some, pm_value others) {
    if (some)
        return pm_combine(factor, others);
    return factor;
}

/* The values of nodes from `begin`, where a block begins, to `end`, behind those on the left. */
pm_value pm_with_blocks(pm_value left, uint begin, uint end) {
    pm_value right = left;
    bool some = false; /* on the right */
    for (; end % (1u << PM_MONOID_BLOCK_SHIFT) != 0; some = true)
        right = pm_before(pm.values.at[--end], some, right);
    uint shift = PM_MONOID_BLOCK_SHIFT, from = 0;
    for (begin >>= shift, end >>= shift; begin < end; begin >>= 1, end >>= 1, shift++) {
        if (begin % 2 == 1)
            left = pm_combine(left, pm.products.at[from + begin++]);
        if (end % 2 == 1) {
            right = pm_before(pm.products.at[from + --end], some, right);
            some = true;
        }
        from += pm_nodes >> shift;
    }
    if (some)
        left = pm_combine(left, right);
    return left;
}

shared uint pm_shared_apart;
shared uint pm_shared_crossing;

/*
 * Blocks of the tile grow from one node to all of them by pairs. Each invocation knows the product from its block's
 * begin to its own node, which the others see, and from its own node to the block's end. A subtree whose first and last
 * node come together in a pair is the product of what the one has to its block's end, and the other from its block's
 * begin.
 */
void pm_ranges(uint tile) {
    const uint tile_begin = tile * PM_TILE, node = tile_begin + pm_lane;
    const bool exists = node < pm_nodes;
    uint end = node + 1;
    if (exists)
        end = pm_end_of(node);
    const bool crosses = end > tile_begin + PM_TILE;
    const uint last = crosses ? PM_TILE - 1 : end - 1 - tile_begin, apart = crosses ? PM_TILE - 1 : pm_lane ^ last;
    if (pm_lane == 0) {
        pm_shared_apart = 0;
        pm_shared_crossing = 0;
    }
    pm_value from_begin = pm_identity();
    if (exists)
        from_begin = pm.values.at[node];
    pm_value to_end = from_begin, left = from_begin, right = from_begin;
    pm_shared_value[pm_lane] = from_begin;
    barrier();
    if (apart > 0)
        atomicMax(pm_shared_apart, apart);
    barrier();
    for (uint size = 1; size <= pm_shared_apart; size *= 2) {
        if (apart / size == 1 && !crosses) {
            left = to_end;
            right = pm_shared_value[last];
        }
        const bool on_right = (pm_lane & size) != 0;
        const uint last_of_other = on_right ? (pm_lane & ~size) | size - 1 : pm_lane | 2 * size - 1;
        const pm_value other = pm_shared_value[last_of_other];
        barrier();
        if (on_right) {
            from_begin = pm_combine(other, from_begin);
            pm_shared_value[pm_lane] = from_begin;
        } else {
            to_end = pm_combine(to_end, other);
        }
        barrier();
    }
    if (!crosses && apart > 0)
        left = pm_combine(left, right); /* of all invocations at once */
    if (exists && !crosses)
        pm.results.at[node] = left;

    /* Those that go on behind the tile are taken by the first invocations, so that the others may rest. */
    if (crosses) {
        const uint place = atomicAdd(pm_shared_crossing, 1);
        pm_shared_link[place] = pm_lane;
        pm_shared_value[place] = to_end;
    }
    barrier();
    if (pm_lane < pm_shared_crossing) {
        const uint crossing = tile_begin + pm_shared_link[pm_lane];
        pm.results.at[crossing] =
            pm_with_blocks(pm_shared_value[pm_lane], tile_begin + PM_TILE, pm_end_of(crossing));
    }
}
