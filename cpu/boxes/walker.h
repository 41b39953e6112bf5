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

#include "cpu/boxes/leaves.h"

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

/*
 * ---- Four elements at a time ----
 *
 * The way to walk where kinds cannot be guessed: four elements at a time. Each is a leaf, a node that begins, or an
 * end, so there are 81 cases, each with code of its own, and the processor guesses once for four elements. Whether a
 * node is a clip or a blend is not asked.
 */

/* The case: a number of four digits, of which the first element's is the highest: 0 for a leaf, 1 for a node that
 * begins, 2 for an end. The product's highest byte has the sum of the digits, each times its power of 3. */
static inline unsigned pmi_four_case(uint32_t four) {
    const uint32_t digits = four - (four >> 1 & 0x01010101u); /* of the kinds 0, 1, 2, 3 */
    return digits * (27u << 24 | 9u << 16 | 3u << 8 | 1u) >> 24;
}

/* Goes on to `stop` or past it, as far as w->end; false for an invalid kind. */
static inline __attribute__((always_inline)) bool
pmi_walk_fours(pmi_walker *w, size_t stop, pmi_leaves_in_fours *leaves_in_fours, pmi_closes_outside *closes) {
    const uint8_t *const kinds = w->scene->kinds;
    const pm_box *const boxes = w->scene->boxes;
    pm_box *const out = w->scene->out;
    const uint32_t *const bottom = w->bottom;
    uint32_t *top = w->top;
    pmi_extent context = w->context, covered = w->covered;
    size_t i = w->i;

/* The element k after i. */
#define LEAF(k) covered = pmi_leaf(context, &boxes[i + k], covered, &out[i + k]);
#define BEGIN(k)                                                                                                       \
    pmi_node_begin(kinds[i + k], &boxes[i + k], &context, &covered, &out[i + k]);                                      \
    *top++ = (uint32_t)(i + k);
#define END(k)                                                                                                         \
    if (__builtin_expect(top == bottom, 0)) {                                                                          \
        i += k;                                                                                                        \
        goto outside;                                                                                                  \
    }                                                                                                                  \
    top--;                                                                                                             \
    pmi_node_end(kinds[*top], &context, &covered, &out[*top], &out[i + k]);

/* Four elements, and all cases of those that are not given yet. Four leaves begin a row of them, mostly. */
#define FOUR(number, first, second, third, fourth)                                                                     \
    case number:                                                                                                       \
        if (number == 0 && leaves_in_fours) {                                                                          \
            i = leaves_in_fours(w->scene, i, w->end, context, &covered);                                               \
            continue;                                                                                                  \
        }                                                                                                              \
        first(0) second(1) third(2) fourth(3) break;
#define FOURTH(number, first, second, third)                                                                           \
    FOUR(number, first, second, third, LEAF)                                                                           \
    FOUR(number + 1, first, second, third, BEGIN)                                                                      \
    FOUR(number + 2, first, second, third, END)
#define THIRD(number, first, second)                                                                                   \
    FOURTH(number, first, second, LEAF) FOURTH(number + 3, first, second, BEGIN) FOURTH(number + 6, first, second, END)
#define SECOND(number, first) THIRD(number, first, LEAF) THIRD(number + 9, first, BEGIN) THIRD(number + 18, first, END)

    while (i < stop) {
        if (w->end - i < 4) {
            const uint8_t kind = kinds[i];
            if (kind == PM_LEAF) {
                LEAF(0)
            } else if (kind < PM_END) {
                BEGIN(0)
            } else if (kind == PM_END) {
                END(0)
            } else {
                return false;
            }
            i++;
            continue;
        }
        pmi_scene_ahead(boxes, out, i);
        const uint32_t four = pmi_four_kinds(kinds + i);
        if (four & 0xfcfcfcfcu)
            return false;
        switch (pmi_four_case(four)) { SECOND(0, LEAF) SECOND(27, BEGIN) SECOND(54, END) }
        i += 4;
        continue;
    outside:
        w->covered = covered;
        i = closes(w->scene, w->outside, i, w->end, &w->covered);
        covered = w->covered;
        context = pmi_extent_of(&w->outside->context);
    }
    w->i = i;
    w->top = top;
    w->context = context, w->covered = covered;
    return true;
#undef SECOND
#undef THIRD
#undef FOURTH
#undef FOUR
#undef END
#undef BEGIN
#undef LEAF
}

#endif
