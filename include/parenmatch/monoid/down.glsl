/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Down: of each node the product of the values on its path from the root. Inside a tile paths are found by pointer
 * doubling, and from tile to tile by jumps. What a tile needs of those before it is what its head's path comes to, and
 * what the survivors of earlier tiles have, where its nodes have their parents. So these have their results first.
 */

bool pm_is_in(uint tile, uint node) {
    return node != PM_NOTHING && node >= tile * PM_TILE;
}

bool pm_is_survivor(uint node) {
    return pm_nodes > PM_TILE && (pm.survivors.at[node / 32] >> node % 32 & 1) != 0;
}

/* The product along links between those of the tile's invocations that have a part in it: from the one that links to
 * nothing to mine. Everybody's is in pm_shared_value then. */
pm_value pm_chain(bool has_part, pm_value product, uint link) {
    if (has_part) {
        pm_shared_value[pm_lane] = product;
        pm_shared_link[pm_lane] = link;
    }
    if (pm_lane == 0)
        pm_shared_more[0] = 0;
    barrier();
    for (uint hops = 1, turn = 0; hops < PM_TILE; hops *= 2, turn ^= 1) {
        const bool linked = link != PM_NOTHING;
        if (linked) {
            product = pm_combine(pm_shared_value[link], product);
            link = pm_shared_link[link];
        }
        barrier();
        if (linked) {
            pm_shared_value[pm_lane] = product;
            pm_shared_link[pm_lane] = link;
        }
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
shared uint pm_shared_survivors[PM_TILE / 32];

void pm_chains(uint tile) {
    const uint begin = tile * PM_TILE, node = begin + pm_lane;
    const bool survives = node < pm_nodes && pm_end_of(node) > begin + PM_TILE;
    uint parent = PM_NOTHING;
    if (survives)
        parent = pm.parents.at[node];
    const bool outermost = survives && !pm_is_in(tile, parent);
    if (pm_lane == 0)
        pm_shared_head = PM_NOTHING;
    if (pm_lane < PM_TILE / 32)
        pm_shared_survivors[pm_lane] = 0;
    barrier();
    if (survives)
        atomicOr(pm_shared_survivors[pm_lane / 32], 1u << pm_lane % 32);
    if (outermost)
        pm_shared_head = parent;

    pm_value value = pm_identity();
    if (survives)
        value = pm.values.at[node];
    value = pm_chain(survives, value, survives && !outermost ? parent - begin : PM_NOTHING);
    if (survives)
        pm.results.at[node] = value;
    if (pm_lane == 0)
        pm.heads.at[tile] = pm_shared_head;
    if (pm_lane < PM_TILE / 32)
        pm.survivors.at[begin / 32 + pm_lane] = pm_shared_survivors[pm_lane];
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
    const uint node = tile * PM_TILE + pm_lane;
    const bool survives = node < pm_nodes && pm_is_survivor(node), has_base = pm.heads.at[tile] != PM_NOTHING;
    pm_value value = pm_identity();
    if (survives) {
        uint from = node;
        if (pm.exclusive != 0)
            from = pm.parents.at[node];
        const bool is_local = pm_is_in(tile, from);
        if (is_local && has_base)
            value = pm_combine(pm.bases_from.at[tile], pm.results.at[from]);
        else if (is_local)
            value = pm.results.at[from];
        else if (has_base)
            value = pm.bases_from.at[tile];
    }
    barrier(); /* a survivor's parent is read before it is overwritten */
    if (survives)
        pm.results.at[node] = value;
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
    const uint begin = tile * PM_TILE, node = begin + pm_lane;
    const bool rests = node < pm_nodes && !pm_is_survivor(node);
    pm_value path = pm_identity(), before = pm_identity();
    uint link = PM_NOTHING;
    if (rests) {
        const uint parent = pm.parents.at[node];
        path = pm.values.at[node];
        if (pm_is_in(tile, parent) && !pm_is_survivor(parent)) {
            link = parent - begin;
        } else if (parent != PM_NOTHING) {
            before = pm_path_of(parent);
            path = pm_combine(before, path);
        }
    }
    path = pm_chain(rests, path, link);
    if (pm.exclusive != 0 && link != PM_NOTHING)
        path = pm_shared_value[link];
    else if (pm.exclusive != 0)
        path = before;
    if (rests)
        pm.results.at[node] = path;
}
