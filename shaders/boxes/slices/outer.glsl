/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of slices before that ends of this slice close, and their contexts. */

shared ivec4 team_bases[PM_TEAMS_MAX];
shared ivec4 outer_clipped[SLICE]; /* of nodes that this slice closes, the lowest first: what all clips up to it leave */
shared uint outer_node[SLICE];     /* of the same nodes: the element, and PM_BOXES_SLICE_CLIP, or NO_NODE */

ivec4 base; /* what the clips below the slice's least height leave */

/* One barrier, and one must follow. */
void outer_find() {
    const uint closes = uint(-slice_least);
    ivec4 below = EVERYWHERE, reach = EVERYWHERE;
    uint node = NO_NODE;
    [[unroll]] for (uint j = 0; j < (SLICES > SLICE ? SLICES / SLICE : 1); j++) {
        const uint at = j * SLICE + mine;
        if (at < slice) {
            const int kept = min(slice_floor[at + 1], slice_least) - slice_low[at];
            if (kept > 0)
                below = min(below, slice_clipped.at[at * SLICE + kept - 1]);
        }
    }
    if (mine < closes) {
        const int height = slice_least + int(mine);
        const uint of = slice_find(height);
        if (of < slice) {
            const uint at = of * SLICE + uint(height - slice_low[of]);
            node = slice_survivors.at[at];
            reach = slice_clipped.at[at];
        }
    }
    below = lanes_min(below);
    if (lane == 0)
        team_bases[team] = below;
    reach = team_intersect(reach);
    barrier();
    base = lanes_min(lane < teams ? team_bases[lane % PM_TEAMS_MAX] : EVERYWHERE);
    reach = min(min(reach, base), teams_before());
    if (mine < closes) {
        outer_clipped[mine] = reach;
        outer_node[mine] = node;
    }
}

/* What the clips up to an outer node at a height leave. */
ivec4 outer_context(int height) {
    return height < slice_least ? base : outer_clipped[height - slice_least];
}
