/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of slices before that ends of this slice close, and their contexts. */

shared ivec4 team_bases[PM_TEAMS_MAX];
shared ivec4 outer_clipped[SLICE]; /* of nodes that this slice closes, the lowest first: what all clips up to it leave */
shared uint outer_node[SLICE];     /* of the same nodes: the element, and PM_BOXES_SLICE_CLIP, or NO_NODE */

ivec4 base; /* what the clips below the slice's least height leave */

/* One barrier, and one must follow. */
void outer_find() {
    const uint closes = uint(-slice_least);
    ivec4 below = clipped_below(), reach = EVERYWHERE;
    uint node = NO_NODE;
    if (mine < closes)
        node_find(slice_least + int(mine), node, reach);
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
