/* SPDX-License-Identifier: Apache-2.0 */
/* The ready-made monoids. Values need no more than their own alignment. */
#include <math.h>

#include "base/box_algebra.h"

static void intersect_boxes(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const pmi_extent context = pmi_extent_context(pmi_extent_of(a));
    pmi_extent_store(pmi_extent_intersect(context, pmi_extent_of(b)), out);
}

static void unite_boxes(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const pmi_extent covered = pmi_extent_unite(pmi_extent_nowhere, pmi_extent_of(a));
    pmi_extent_store(pmi_extent_unite(covered, pmi_extent_of(b)), out);
}

static void sum_u64(void *out, const void *a, const void *b, void *user) {
    (void)user;
    *(uint64_t *)out = *(const uint64_t *)a + *(const uint64_t *)b;
}

static void sum_f64(void *out, const void *a, const void *b, void *user) {
    (void)user;
    *(double *)out = *(const double *)a + *(const double *)b;
}

static void max_i64(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    *(int64_t *)out = x > y ? x : y;
}

static void max_f64(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const double x = *(const double *)a, y = *(const double *)b;
    *(double *)out = x > y ? x : y;
}

/* The rows of a, applied to the columns of b; the last column moves, so a's own move is added there. */
static void compose_affine(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const pm_affine *const outer = a, *const inner = b;
    pm_affine *const both = out;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 4; j++)
            both->m[i][j] = outer->m[i][0] * inner->m[0][j] + outer->m[i][1] * inner->m[1][j] +
                            outer->m[i][2] * inner->m[2][j] + (j == 3 ? outer->m[i][3] : 0);
}

static const uint64_t zero_u64 = 0;
static const double zero_f64 = 0, lowest_f64 = -HUGE_VAL;
static const int64_t lowest_i64 = INT64_MIN;
static const pm_affine identity_affine = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

#define MONOID(name, type, identity, combine)                                                                          \
    const pm_monoid *pm_monoid_##name(void) {                                                                          \
        static const pm_monoid monoid = {sizeof(type), identity, combine, NULL};                                       \
        return &monoid;                                                                                                \
    }

MONOID(box_intersection, pm_box, &pmi_box_everything, intersect_boxes)
MONOID(box_union, pm_box, &pmi_box_empty, unite_boxes)
MONOID(sum_u64, uint64_t, &zero_u64, sum_u64)
MONOID(sum_f64, double, &zero_f64, sum_f64)
MONOID(max_i64, int64_t, &lowest_i64, max_i64)
MONOID(max_f64, double, &lowest_f64, max_f64)
MONOID(affine, pm_affine, &identity_affine, compose_affine)
