/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a walk has come, and what it does where a node begins and where it ends, for all ways of walking.
 *
 * Three things are known at every element: the context, which is the intersection of the clips that are open; what has
 * been covered since the innermost open blend began; and the open nodes, a stack of indices alone. What an open node
 * has changed stands in its place in `out` as it was before, until the node is closed: of a clip the context, of a
 * blend what was covered. To put that into form and back would take longer than all else about a short node.
 */
#ifndef PM_CPU_BOXES_WALKER_H
#define PM_CPU_BOXES_WALKER_H

#include "cpu/boxes/walk.h"

/* Ends from element i on that close nodes of other slices, with what is between them; returns the index after them. */
typedef size_t pmi_closes_outside(const pmi_scene *scene, pmi_outside *outside, size_t i, size_t end,
                                  pmi_extent *covered);

typedef struct pmi_walker {
    const pmi_scene *scene;
    pmi_outside *outside;
    size_t i, end;
    const uint32_t *bottom; /* of the stack: the place of the lowest open node */
    uint32_t *top;          /* the place after the innermost */
    pmi_extent context;     /* no NaN is in it */
    pmi_extent covered;     /* nowhere, or not empty */
} pmi_walker;

static inline void pmi_keep(pmi_extent reach, pm_box *place) {
    memcpy(place, &reach, sizeof reach);
}

static inline pmi_extent pmi_kept(const pm_box *place) {
    pmi_extent reach;
    memcpy(&reach, place, sizeof reach);
    return reach;
}

/* The reach of a box without NaNs: where there is one, nowhere. A box with a NaN is empty. */
static inline pmi_extent pmi_extent_sane(const pm_box *box) {
    return pmi_extent_greatest(pmi_extent_of(box), pmi_extent_nowhere);
}

/*
 * A node's kind cannot be guessed where there are both. So what follows does the same for both, and what is not for the
 * one is made to do nothing: by a mask of lanes, or by a bound, infinite in all lanes, which is the least or the
 * greatest. Where the kind is known, compilers leave that out.
 */

/* All ones for blends. */
static inline pmi_lanes pmi_blend_lanes(uint8_t kind) {
    static const pmi_lanes lanes[] = {[PM_CLIP] = {0, 0, 0, 0}, [PM_BLEND] = {-1, -1, -1, -1}};
    return lanes[kind];
}

/* Infinite for blends, minus infinite for clips. */
static inline pmi_extent pmi_blend_bound(uint8_t kind) {
    static const pmi_extent bounds[] = {[PM_CLIP] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                        [PM_BLEND] = {INFINITY, INFINITY, INFINITY, INFINITY}};
    return bounds[kind];
}

/* What belongs to the node: a blend's is what is covered, a clip's is the context. */
static inline pmi_extent pmi_node_own(uint8_t kind, pmi_extent context, pmi_extent covered) {
    const pmi_lanes blend = pmi_blend_lanes(kind);
    return (pmi_extent)((blend & (pmi_lanes)covered) | (~blend & (pmi_lanes)context));
}

/* A node begins: a clip intersects the context with its box, a blend has covered nothing yet. */
static inline __attribute__((always_inline)) void pmi_node_begin(uint8_t kind, const pm_box *box, pmi_extent *context,
                                                                 pmi_extent *covered, pm_box *place) {
    const pmi_extent bound = pmi_blend_bound(kind);
    const pmi_extent reach =
        pmi_extent_greatest(pmi_extent_of(box), bound); /* a clip's is sane then, a blend's everything */
    pmi_keep(pmi_node_own(kind, *context, *covered), place);
    *context = pmi_extent_min(reach, *context);
    *covered = pmi_extent_min(*covered, -bound);
}

/* It ends, with its result stored in both places: the context is again what it was before a clip, which is greater; and
 * what was covered before a blend is covered as well. */
static inline __attribute__((always_inline)) void pmi_node_end(uint8_t kind, pmi_extent *context, pmi_extent *covered,
                                                               pm_box *place, pm_box *end) {
    const pmi_extent bound = pmi_blend_bound(kind), kept = pmi_kept(place);
    const pm_box result = pmi_extent_box(pmi_node_own(kind, *context, *covered));
    *context = pmi_extent_greatest(pmi_extent_min(kept, -bound), *context);
    *covered = pmi_extent_greatest(pmi_extent_min(kept, bound), *covered);
    *place = *end = result;
}

#endif
