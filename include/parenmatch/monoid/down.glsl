/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Down: of each node the product of the values on its path from the root. Inside a tile paths are found by pointer doubling,
 * and so they are from tile to tile. What a tile needs of those before it is what its head's path comes to, and what the
 * survivors of earlier tiles have, where its nodes have their parents. So these have their results first.
 */

/* A node of a tile, on its way down. */
struct pm_down {
    uint node, parent;
    bool exists, survives;
};

bool pm_is_in(uint tile, uint node) {
    return node != PM_NOTHING && node >= tile * PM_TILE;
}

pm_down pm_down_take(uint tile) {
    pm_down down;
    down.node = tile * PM_TILE + pm_lane;
    down.exists = down.node < pm_nodes;
    down.survives = down.exists && pm_end_of(down.node) > (tile + 1) * PM_TILE;
    down.parent = down.exists ? pm.parents.at[down.node] : PM_NOTHING;
    return down;
}

/* The product along links between the tile's invocations: of the one that links to nothing, first, to mine. Everybody's
 * is in pm_shared_value then. */
pm_value pm_chain(pm_value product, uint link) {
    pm_shared_value[pm_lane] = product;
    pm_shared_link[pm_lane] = link;
    if (pm_lane == 0)
        pm_shared_more[0] = 0;
    barrier();
    for (uint hops = 1, turn = 0; hops < PM_TILE; hops *= 2, turn ^= 1) {
        if (link != PM_NOTHING) {
            product = pm_combine(pm_shared_value[link], product);
            link = pm_shared_link[link];
        }
        barrier();
        pm_shared_value[pm_lane] = product;
        pm_shared_link[pm_lane] = link;
        if (link != PM_NOTHING)
            pm_shared_more[turn] = 1;
        if (pm_lane == 0)
            pm_shared_more[turn ^ 1] = 0;
        barrier();
        if (pm_shared_more[turn] == 0)
            break;
    }
    return product;
}

shared uint pm_shared_head;

void pm_chains(uint tile) {
    const pm_down down = pm_down_take(tile);
    const bool outermost = down.survives && !pm_is_in(tile, down.parent);
    if (pm_lane == 0)
        pm_shared_head = PM_NOTHING;
    barrier();
    if (outermost)
        pm_shared_head = down.parent;
    pm_value value = pm_identity();
    if (down.survives)
        value = pm.values.at[down.node];
    value = pm_chain(value, down.survives && !outermost ? down.parent - tile * PM_TILE : PM_NOTHING);
    if (down.survives)
        pm.results.at[down.node] = value;
    if (pm_lane == 0)
        pm.heads.at[tile] = pm_shared_head;
}

/* Where a tile's base, so far, has more before it. */
uint pm_link_of(uint tile) {
    if (pm.shift > 0)
        return pm.links_from.at[tile];
    const uint holder = pm.heads.at[tile] / PM_TILE;
    return pm.heads.at[holder] == PM_NOTHING ? PM_NOTHING : holder;
}

pm_value pm_base_of(uint tile) {
    if (pm.shift > 0)
        return pm.bases_from.at[tile];
    return pm.results.at[pm.heads.at[tile]];
}

void pm_jump(uint tile) {
    const uint tiles = (pm_nodes + PM_TILE - 1) / PM_TILE;
    if (tile >= tiles || pm.heads.at[tile] == PM_NOTHING)
        return;
    pm_value base = pm_base_of(tile);
    uint link = pm_link_of(tile);
    for (uint hop = 1; hop < PM_MONOID_HOPS && link != PM_NOTHING; hop++) {
        base = pm_combine(pm_base_of(link), base);
        link = pm_link_of(link);
    }
    pm.bases_to.at[tile] = base;
    pm.links_to.at[tile] = link;
}

void pm_survivors(uint tile) {
    const pm_down down = pm_down_take(tile);
    const bool has_base = pm.heads.at[tile] != PM_NOTHING;
    pm_value value = pm_identity();
    if (down.survives) {
        const uint from = pm.exclusive == 0 ? down.node : pm_is_in(tile, down.parent) ? down.parent : PM_NOTHING;
        if (from != PM_NOTHING && has_base)
            value = pm_combine(pm.bases_from.at[tile], pm.results.at[from]);
        else if (from != PM_NOTHING)
            value = pm.results.at[from];
        else if (has_base)
            value = pm.bases_from.at[tile];
    }
    barrier(); /* a survivor's parent is read before it is overwritten */
    if (down.survives)
        pm.results.at[down.node] = value;
}

/* The product of the path to a survivor, that included. */
pm_value pm_path_of(uint survivor) {
    if (pm.exclusive == 0)
        return pm.results.at[survivor];
    if (pm.parents.at[survivor] == PM_NOTHING)
        return pm.values.at[survivor];
    return pm_combine(pm.results.at[survivor], pm.values.at[survivor]);
}

void pm_rest(uint tile) {
    const pm_down down = pm_down_take(tile);
    const uint begin = tile * PM_TILE;
    pm_shared_link[pm_lane] = down.survives ? 1 : 0;
    barrier();
    const bool rest = down.exists && !down.survives;
    uint link = PM_NOTHING;
    if (rest && pm_is_in(tile, down.parent) && pm_shared_link[down.parent - begin] == 0)
        link = down.parent - begin;
    barrier();

    pm_value path = pm_identity(), before = pm_identity();
    if (rest) {
        path = pm.values.at[down.node];
        if (link == PM_NOTHING && down.parent != PM_NOTHING) {
            before = pm_path_of(down.parent);
            path = pm_combine(before, path);
        }
    }
    path = pm_chain(path, link);
    if (pm.exclusive != 0 && link != PM_NOTHING)
        path = pm_shared_value[link];
    else if (pm.exclusive != 0)
        path = before;
    if (rest)
        pm.results.at[down.node] = path;
}
