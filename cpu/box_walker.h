/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a walk has come, and what it does where a node begins and where it ends, for all ways of walking.
 *
 * Three things are known at every element: the context, which is the intersection of the clips that are open; what has
 * been covered since the innermost open blend began; and the open nodes, a stack of indices alone. What an open node
 * has changed stands in its place in `out` as it was before, until the node is closed: of a clip the context, of a
 * blend what was covered. To put that into form and back would take longer than all else about a short node.
 */
#ifndef PM_CPU_BOX_WALKER_H
#define PM_CPU_BOX_WALKER_H

#include "cpu/box_walk.h"

/* Ends from element i on that close nodes of other slices, with what is between them; returns the index after them. */
typedef size_t pm_closes_outside(const pm_scene *scene, pm_outside *outside, size_t i, size_t end, pm_reach *covered);

typedef struct pm_walker {
    const pm_scene *scene;
    pm_outside *outside;
    size_t i, end;
    const uint32_t *bottom; /* of the stack: the place of the lowest open node */
    uint32_t *top;          /* the place after the innermost */
    pm_reach context;       /* no NaN is in it */
    pm_reach covered;       /* nowhere, or not empty */
} pm_walker;

static inline void pm_keep(pm_reach reach, pm_box *place) {
    memcpy(place, &reach, sizeof reach);
}

static inline pm_reach pm_kept(const pm_box *place) {
    pm_reach reach;
    memcpy(&reach, place, sizeof reach);
    return reach;
}

/* The reach of a box without NaNs: where there is one, nowhere. A box with a NaN is empty. */
static inline pm_reach pm_reach_sane(const pm_box *box) {
    return pm_reach_greatest(pm_reach_of(box), pm_reach_nowhere);
}

/*
 * A node's kind cannot be guessed where there are both. So what follows does the same for both, and what is not for the
 * one is made to do nothing: by a mask of lanes, or by a bound, infinite in all lanes, which is the least or the
 * greatest. Where the kind is known, compilers leave that out.
 */

/* All ones for blends. */
static inline pm_lanes pm_blend_lanes(uint8_t kind) {
    static const pm_lanes lanes[] = {[PM_CLIP] = {0, 0, 0, 0}, [PM_BLEND] = {-1, -1, -1, -1}};
    return lanes[kind];
}

/* Infinite for blends, minus infinite for clips. */
static inline pm_reach pm_blend_bound(uint8_t kind) {
    static const pm_reach bounds[] = {[PM_CLIP] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                      [PM_BLEND] = {INFINITY, INFINITY, INFINITY, INFINITY}};
    return bounds[kind];
}

/* What belongs to the node: a blend's is what is covered, a clip's is the context. */
static inline pm_reach pm_node_own(uint8_t kind, pm_reach context, pm_reach covered) {
    const pm_lanes blend = pm_blend_lanes(kind);
    return (pm_reach)((blend & (pm_lanes)covered) | (~blend & (pm_lanes)context));
}

/* A node begins: a clip intersects the context with its box, a blend has covered nothing yet. */
static inline __attribute__((always_inline)) void pm_node_begin(uint8_t kind, const pm_box *box, pm_reach *context,
                                                                pm_reach *covered, pm_box *place) {
    const pm_reach bound = pm_blend_bound(kind);
    const pm_reach reach = pm_reach_greatest(pm_reach_of(box), bound); /* a clip's is sane then, a blend's everything */
    pm_keep(pm_node_own(kind, *context, *covered), place);
    *context = pm_reach_least(reach, *context);
    *covered = pm_reach_least(*covered, -bound);
}

/* It ends, with its result stored in both places: the context is again what it was before a clip, which is greater; and
 * what was covered before a blend is covered as well. */
static inline __attribute__((always_inline)) void pm_node_end(uint8_t kind, pm_reach *context, pm_reach *covered,
                                                              pm_box *place, pm_box *end) {
    const pm_reach bound = pm_blend_bound(kind), kept = pm_kept(place);
    const pm_box result = pm_reach_box(pm_node_own(kind, *context, *covered));
    *context = pm_reach_greatest(pm_reach_least(kept, -bound), *context);
    *covered = pm_reach_greatest(pm_reach_least(kept, bound), *covered);
    *place = *end = result;
}

#endif
