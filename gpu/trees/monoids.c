/* SPDX-License-Identifier: Apache-2.0 */
/* The monoids that are ready-made for a GPU. */
#include "parenmatch.h"

#define WORDS(array) (sizeof(array) / sizeof *(array))

static const uint32_t affine[] = {
#include "shaders/spv/monoid_affine.inc"
};
static const uint32_t box_intersection[] = {
#include "shaders/spv/monoid_box_intersection.inc"
};
static const uint32_t box_union[] = {
#include "shaders/spv/monoid_box_union.inc"
};
static const uint32_t max_f64[] = {
#include "shaders/spv/monoid_max_f64.inc"
};
static const uint32_t max_i64[] = {
#include "shaders/spv/monoid_max_i64.inc"
};
static const uint32_t sum_u64[] = {
#include "shaders/spv/monoid_sum_u64.inc"
};

const pm_gpu_monoid *pm_gpu_monoid_box_intersection(void) {
    static const pm_gpu_monoid monoid = {sizeof(pm_box), box_intersection, WORDS(box_intersection)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_box_union(void) {
    static const pm_gpu_monoid monoid = {sizeof(pm_box), box_union, WORDS(box_union)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_sum_u64(void) {
    static const pm_gpu_monoid monoid = {sizeof(uint64_t), sum_u64, WORDS(sum_u64)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_max_i64(void) {
    static const pm_gpu_monoid monoid = {sizeof(int64_t), max_i64, WORDS(max_i64)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_max_f64(void) {
    static const pm_gpu_monoid monoid = {sizeof(double), max_f64, WORDS(max_f64)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_affine(void) {
    static const pm_gpu_monoid monoid = {sizeof(pm_affine), affine, WORDS(affine)};
    return &monoid;
}
