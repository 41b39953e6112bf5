/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The algebra of boxes, four numbers at a time and to the bit.
 *
 * A box's reach is how far it goes to either side of the origin: (-x0, -y0, x1, y1). Intersection is the least of each,
 * union the greatest. Minus infinities reach nowhere: the union of nothing. What is stored is always a pm_box in its
 * one form: zeros where it is empty, and no -0, so that results do not depend on the order in which boxes were
 * combined.
 */
#ifndef PM_CORE_REACH_H
#define PM_CORE_REACH_H

#include <math.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "parenmatch.h"

/* Vectors as gcc and clang have them on every machine: comparing lanes gives all ones or zeros. */
typedef float pm_reach __attribute__((vector_size(16)));
typedef int32_t pm_lanes __attribute__((vector_size(16)));

/* The intersection of no boxes, and the union of none. */
static const pm_box pm_box_everything = {-INFINITY, -INFINITY, INFINITY, INFINITY};
static const pm_box pm_box_empty = {0, 0, 0, 0};
static const pm_reach pm_reach_nowhere = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};

/* Lane by lane the lesser, and the greater; b where they are equal or one is a NaN. And where a is not greater, or one
 * is a NaN. SSE has instructions for all three, which gcc does not see in comparisons. */
#ifdef __SSE2__
static inline pm_reach pm_reach_least(pm_reach a, pm_reach b) {
    return _mm_min_ps(a, b);
}

static inline pm_reach pm_reach_greatest(pm_reach a, pm_reach b) {
    return _mm_max_ps(a, b);
}

static inline pm_lanes pm_reach_not_greater(pm_reach a, pm_reach b) {
    return (pm_lanes)_mm_cmpngt_ps(a, b);
}
#else
static inline pm_reach pm_reach_select(pm_lanes where, pm_reach a, pm_reach b) {
    return (pm_reach)((where & (pm_lanes)a) | (~where & (pm_lanes)b));
}

static inline pm_reach pm_reach_least(pm_reach a, pm_reach b) {
    return pm_reach_select(a < b, a, b);
}

static inline pm_reach pm_reach_greatest(pm_reach a, pm_reach b) {
    return pm_reach_select(a > b, a, b);
}

static inline pm_lanes pm_reach_not_greater(pm_reach a, pm_reach b) {
    return ~(a > b);
}
#endif

/* From a box's numbers to its reach, and back. */
static inline pm_reach pm_reach_flip(pm_reach box) {
    const pm_lanes signs = {INT32_MIN, INT32_MIN, 0, 0};
    return (pm_reach)((pm_lanes)box ^ signs);
}

static inline pm_reach pm_reach_of(const pm_box *box) {
    pm_reach numbers;
    memcpy(&numbers, box, sizeof numbers);
    return pm_reach_flip(numbers);
}

/* All ones where the box is empty: unless it goes further to the right than it begins on the left, in both directions.
 */
static inline pm_lanes pm_reach_is_empty(pm_reach a) {
    const pm_reach opposite = {a[2], a[3], a[0], a[1]};
    const pm_lanes empty = pm_reach_not_greater(a, -opposite);
    const pm_lanes other_direction = {empty[1], empty[0], empty[3], empty[2]};
    return empty | other_direction;
}

/* The intersection with a box, whose NaNs stay in it. */
static inline pm_reach pm_reach_intersect(pm_reach context, pm_reach box) {
    return pm_reach_least(context, box);
}

/* The same where the box is empty: zeros, which whatever they are intersected with is empty too. So it is no NaN. */
static inline pm_reach pm_reach_context(pm_reach a) {
    return (pm_reach)((pm_lanes)a & ~pm_reach_is_empty(a));
}

/* The union with a box, which may be empty; `covered` is nowhere or not empty, and so is what is returned. */
static inline pm_reach pm_reach_unite(pm_reach covered, pm_reach box) {
    const pm_reach not_empty = (pm_reach)((pm_lanes)box | pm_reach_is_empty(box)); /* or NaNs, which are not greater */
    return pm_reach_greatest(not_empty, covered);
}

/* Stores a context, or any box, in its one form. */
static inline void pm_reach_store_context(pm_reach context, pm_box *box) {
    const pm_reach numbers = pm_reach_flip(context);
    const pm_lanes form = (pm_lanes)numbers & ~(numbers == 0);
    memcpy(box, &form, sizeof form);
}

static inline void pm_reach_store(pm_reach a, pm_box *box) {
    pm_reach_store_context(pm_reach_context(a), box);
}

static inline pm_box pm_reach_box(pm_reach a) {
    pm_box box;
    pm_reach_store(a, &box);
    return box;
}

/* Stores a box, unless it is there already: where memory is the limit, not to write costs least. */
static inline void pm_reach_store_if_other(pm_reach a, pm_box *box) {
    pm_box form;
    pm_reach_store(a, &form);
    const pm_lanes other = pm_reach_of(&form) != pm_reach_of(box);
#ifdef __SSE2__
    const bool is_other = _mm_movemask_ps((__m128)other) != 0;
#else
    const bool is_other = (other[0] | other[1] | other[2] | other[3]) != 0;
#endif
    if (is_other)
        *box = form;
}

/* The intersection of a box in its one form and any other; in its one form. */
static inline pm_box pm_box_intersect(pm_box context, pm_box box) {
    return pm_reach_box(pm_reach_intersect(pm_reach_of(&context), pm_reach_of(&box)));
}

/* The union of two boxes; in its one form. */
static inline pm_box pm_box_unite(pm_box a, pm_box b) {
    const pm_reach covered = pm_reach_unite(pm_reach_nowhere, pm_reach_of(&a));
    return pm_reach_box(pm_reach_unite(covered, pm_reach_of(&b)));
}

#endif
