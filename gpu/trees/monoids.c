/* SPDX-License-Identifier: Apache-2.0 */
/* The monoids that the library has for a GPU. */
#include "parenmatch.h"
#include "shaders/spv/trees.h"

#define WORDS(array) (sizeof(array) / sizeof *(array))

const pm_gpu_monoid *pm_gpu_monoid_box_intersection(void) {
    static const pm_gpu_monoid monoid = {sizeof(pm_box), spv_trees_monoid_box_intersection,
                                         WORDS(spv_trees_monoid_box_intersection)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_box_union(void) {
    static const pm_gpu_monoid monoid = {sizeof(pm_box), spv_trees_monoid_box_union, WORDS(spv_trees_monoid_box_union)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_sum_u64(void) {
    static const pm_gpu_monoid monoid = {sizeof(uint64_t), spv_trees_monoid_sum_u64, WORDS(spv_trees_monoid_sum_u64)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_max_i64(void) {
    static const pm_gpu_monoid monoid = {sizeof(int64_t), spv_trees_monoid_max_i64, WORDS(spv_trees_monoid_max_i64)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_max_f64(void) {
    static const pm_gpu_monoid monoid = {sizeof(double), spv_trees_monoid_max_f64, WORDS(spv_trees_monoid_max_f64)};
    return &monoid;
}

const pm_gpu_monoid *pm_gpu_monoid_affine(void) {
    static const pm_gpu_monoid monoid = {sizeof(pm_affine), spv_trees_monoid_affine, WORDS(spv_trees_monoid_affine)};
    return &monoid;
}
