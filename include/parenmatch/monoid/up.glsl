/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Up: of each node the product of the values of its subtree, which are those from its own to its end. Products of aligned
 * blocks of 16 nodes, 32, 64 ... are made from small to large; a node takes its subtree as the fewest of them, and
 * single values at either side.
 */

/* Where the products of blocks of 2^shift nodes begin. Only whole blocks have one. */
uint pm_products_begin(uint shift) {
    uint begin = 0;
    for (uint below = PM_MONOID_BLOCK_SHIFT; below < shift; below++)
        begin += pm_nodes >> below;
    return begin;
}

void pm_products(uint tile) {
    const uint given = pm_nodes >> pm.shift, mine = tile * PM_TILE + pm_lane;
    if (mine < given) {
        if (pm.shift == 0)
            pm_shared_value[pm_lane] = pm.values.at[mine];
        else
            pm_shared_value[pm_lane] = pm.products.at[pm_products_begin(pm.shift) + mine];
    }
    uint shift = pm.shift, begin = pm_products_begin(shift);
    for (uint half_size = 1; half_size < PM_TILE; half_size *= 2) {
        begin += shift < PM_MONOID_BLOCK_SHIFT ? 0 : pm_nodes >> shift;
        shift++;
        const uint pairs = PM_TILE / 2 / half_size, block = tile * pairs + pm_lane, left = pm_lane * 2 * half_size;
        barrier();
        if (pm_lane < pairs && block < pm_nodes >> shift) {
            const pm_value product = pm_combine(pm_shared_value[left], pm_shared_value[left + half_size]);
            pm_shared_value[left] = product;
            if (shift >= PM_MONOID_BLOCK_SHIFT)
                pm.products.at[begin + block] = product;
        }
    }
}

/* A factor before others, if there are some yet. */
pm_value pm_before(pm_value factor, bool some, pm_value others) {
    if (some)
        return pm_combine(factor, others);
    return factor;
}

void pm_ranges(uint node) {
    if (node >= pm_nodes)
        return;
    const uint block_nodes = 1u << PM_MONOID_BLOCK_SHIFT;
    uint begin = node + 1, end = pm_end_of(node);
    pm_value left = pm.values.at[node], right = left;
    bool some = false; /* on the right */
    for (; begin < end && begin % block_nodes != 0; begin++)
        left = pm_combine(left, pm.values.at[begin]);
    for (; begin < end && end % block_nodes != 0; some = true)
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
    pm.results.at[node] = left;
}
