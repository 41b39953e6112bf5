/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The algebra of boxes, four numbers at a time and to the bit.
 *
 * A box's reach is how far it goes to either side of the origin: (-x0, -y0, x1, y1). Intersection is the least of each,
 * union the greatest. Minus infinities reach nowhere: the union of nothing. What is stored is always a pm_box in its
 * one form: zeros where it is empty, and no -0, so that results do not depend on the order in which boxes were
 * combined.
 */
#ifndef PM_BASE_BOX_ALGEBRA_H
#define PM_BASE_BOX_ALGEBRA_H

#include <math.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "parenmatch.h"

/* Vectors as gcc and clang have them on every machine: comparing lanes gives all ones or zeros. */
typedef float pmi_extent __attribute__((vector_size(16)));
typedef int32_t pmi_lanes __attribute__((vector_size(16)));

/* The intersection of no boxes, and the union of none. */
static const pm_box pmi_box_everything = {-INFINITY, -INFINITY, INFINITY, INFINITY};
static const pm_box pmi_box_empty = {0, 0, 0, 0};
static const pmi_extent pmi_extent_nowhere = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};

/* Lanes of a where `where` has ones, else of b. */
static inline pmi_extent pmi_extent_select(pmi_lanes where, pmi_extent a, pmi_extent b) {
    return (pmi_extent)((where & (pmi_lanes)a) | (~where & (pmi_lanes)b));
}

/* Lane by lane the lesser, and the greater; b where they are equal or one is a NaN. And where a is not greater, or one
 * is a NaN. SSE has instructions for all three, which gcc does not see in comparisons. */
#ifdef __SSE2__
static inline pmi_extent pmi_extent_min(pmi_extent a, pmi_extent b) {
    return _mm_min_ps(a, b);
}

static inline pmi_extent pmi_extent_greatest(pmi_extent a, pmi_extent b) {
    return _mm_max_ps(a, b);
}

static inline pmi_lanes pmi_extent_not_greater(pmi_extent a, pmi_extent b) {
    return (pmi_lanes)_mm_cmpngt_ps(a, b);
}
#else
static inline pmi_extent pmi_extent_min(pmi_extent a, pmi_extent b) {
    return pmi_extent_select(a < b, a, b);
}

static inline pmi_extent pmi_extent_greatest(pmi_extent a, pmi_extent b) {
    return pmi_extent_select(a > b, a, b);
}

static inline pmi_lanes pmi_extent_not_greater(pmi_extent a, pmi_extent b) {
    return ~(a > b);
}
#endif

/* From a box's numbers to its reach, and back. */
static inline pmi_extent pmi_extent_flip(pmi_extent box) {
    const pmi_lanes signs = {INT32_MIN, INT32_MIN, 0, 0};
    return (pmi_extent)((pmi_lanes)box ^ signs);
}

static inline pmi_extent pmi_extent_of(const pm_box *box) {
    pmi_extent numbers;
    memcpy(&numbers, box, sizeof numbers);
    return pmi_extent_flip(numbers);
}

/* All ones where the box is empty: unless it goes further to the right than it begins on the left, in both directions.
 */
static inline pmi_lanes pmi_extent_is_empty(pmi_extent a) {
    const pmi_extent opposite = {a[2], a[3], a[0], a[1]};
    const pmi_lanes empty = pmi_extent_not_greater(a, -opposite);
    const pmi_lanes other_direction = {empty[1], empty[0], empty[3], empty[2]};
    return empty | other_direction;
}

/* The intersection with a box, whose NaNs stay in it. */
static inline pmi_extent pmi_extent_intersect(pmi_extent context, pmi_extent box) {
    return pmi_extent_min(context, box);
}

/* The same where the box is empty: zeros, which whatever they are intersected with is empty too. So it is no NaN. */
static inline pmi_extent pmi_extent_context(pmi_extent a) {
    return (pmi_extent)((pmi_lanes)a & ~pmi_extent_is_empty(a));
}

/* The union with a box, which may be empty; `covered` is nowhere or not empty, and so is what is returned. */
static inline pmi_extent pmi_extent_unite(pmi_extent covered, pmi_extent box) {
    const pmi_extent not_empty =
        (pmi_extent)((pmi_lanes)box | pmi_extent_is_empty(box)); /* or NaNs, which are not greater */
    return pmi_extent_greatest(not_empty, covered);
}

/* Stores a context, or any box, in its one form. */
static inline void pmi_extent_store_context(pmi_extent context, pm_box *box) {
    const pmi_extent numbers = pmi_extent_flip(context);
    const pmi_lanes form = (pmi_lanes)numbers & ~(numbers == 0);
    memcpy(box, &form, sizeof form);
}

static inline void pmi_extent_store(pmi_extent a, pm_box *box) {
    pmi_extent_store_context(pmi_extent_context(a), box);
}

static inline pm_box pmi_extent_box(pmi_extent a) {
    pm_box box;
    pmi_extent_store(a, &box);
    return box;
}

/* Stores a box, unless it is there already: where memory is the limit, not to write costs least. */
static inline void pmi_extent_store_if_other(pmi_extent a, pm_box *box) {
    pm_box form;
    pmi_extent_store(a, &form);
    const pmi_lanes other = pmi_extent_of(&form) != pmi_extent_of(box);
#ifdef __SSE2__
    const bool is_other = _mm_movemask_ps((__m128)other) != 0;
#else
    const bool is_other = (other[0] | other[1] | other[2] | other[3]) != 0;
#endif
    if (is_other)
        *box = form;
}

/* The intersection of a box in its one form and any other; in its one form. */
static inline pm_box pmi_box_intersect(pm_box context, pm_box box) {
    return pmi_extent_box(pmi_extent_intersect(pmi_extent_of(&context), pmi_extent_of(&box)));
}

/* The union of two boxes; in its one form. */
static inline pm_box pmi_box_unite(pm_box a, pm_box b) {
    const pmi_extent covered = pmi_extent_unite(pmi_extent_nowhere, pmi_extent_of(&a));
    return pmi_extent_box(pmi_extent_unite(covered, pmi_extent_of(&b)));
}

#endif
