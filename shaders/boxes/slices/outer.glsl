/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of slices before that ends of this slice close, and their contexts. */

shared ivec4 team_bases[PM_TEAMS_MAX];
shared ivec4 outer_clipped[SLICE]; /* of nodes that this slice closes, the lowest first: what all clips up to it leave */
shared uint outer_node[SLICE];     /* of the same nodes: the element, and PM_BOXES_SLICE_CLIP, or NO_NODE */

ivec4 base; /* what the clips below the slice's least height leave */

ivec4 outer_below, outer_reach; /* what the invocation has found of base and of outer_clipped, */
uint outer_found;               /* and of outer_node */

/* All have it only after outer_tell(), so that there is something to do between while memory answers. */
void outer_find() {
    outer_below = clipped_below();
    outer_reach = EVERYWHERE;
    outer_found = NO_NODE;
    if (mine < uint(-slice_least))
        node_find(slice_least + int(mine), outer_found, outer_reach);
}

/* One barrier, and one must follow. */
void outer_tell() {
    const ivec4 below = lanes_min(outer_below);
    if (lane == 0)
        team_bases[team] = below;
    ivec4 reach = team_intersect(outer_reach);
    barrier();
    base = lanes_min(lane < teams ? team_bases[lane % PM_TEAMS_MAX] : EVERYWHERE);
    reach = min(min(reach, base), teams_before());
    if (mine < uint(-slice_least)) {
        outer_clipped[mine] = reach;
        outer_node[mine] = outer_found;
    }
}

/* What the clips up to an outer node at a height leave. */
ivec4 outer_context(int height) {
    return height < slice_least ? base : outer_clipped[height - slice_least];
}
