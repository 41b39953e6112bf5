/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/monoid.h: scans and reductions of any monoid on any tree.
 *
 * Values of a monoid flow down a forest or up it. The forest is a packed sequence, balanced or not: every open is a
 * node, and a node that is never closed extends to n. Values and results are node-indexed: entry k belongs to open k,
 * counted from 0, so each array has pm_forest_count() entries in preorder. n is at most 2^32 - 1 (PM_TOO_LARGE).
 *
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", section 9, which generalises to other monoids.
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_MONOID_H
#define PARENMATCH_MONOID_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A monoid: values, an associative product, which need not be commutative, and its identity. Products are of values in
 * order, left to right. The product of one value is that value, bit for bit; the product of none is the identity. The
 * grouping is unspecified: where rounding makes combine not quite associative, results depend on the number of threads,
 * within that rounding.
 */
typedef struct pm_monoid {
    size_t size;          /**< Bytes of a value, > 0. Values are contiguous, so a multiple of their alignment. */
    const void *identity; /**< The identity. */
    /** Writes a times b to `out`, which overlaps neither. The parallel functions call it from several threads at once.
     */
    void (*combine)(void *out, const void *a, const void *b, void *user);
    void *user; /**< Passed to combine. */
} pm_monoid;

/** Whether the result of a scan includes the node's own value. */
typedef enum pm_scan_mode {
    PM_SCAN_INCLUSIVE = 0, /**< Yes: a root gets its own value. */
    PM_SCAN_EXCLUSIVE = 1  /**< No: a root gets the identity. */
} pm_scan_mode;

/**
 * Scans down: each node gets the product of the values on the path from its root to it, in that order. Runs on several
 * threads where that pays, as pm_tree_scan_down_omp().
 *
 * @param context  NULL for the defaults.
 * @param parens   n bits in (n + 63) / 64 words.
 * @param monoid   PM_INVALID_ARGUMENT if its size is 0 or its identity or combine is NULL.
 * @param scan     with or without the node's own value.
 * @param values   a value for each node.
 * @param out      receives a result for each node.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_tree_scan_down_auto(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                        pm_scan_mode scan, const void *values, void *out);

/**
 * Scans down on the calling thread alone, always folding from the root. Parameters as pm_tree_scan_down_auto(). Memory:
 * 4 bytes a node from the context's allocator during the call.
 */
PM_API pm_status pm_tree_scan_down_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       pm_scan_mode scan, const void *values, void *out);

/**
 * Scans down on several threads (pm_options.threads); on the calling thread alone where pm_box_omp() would be.
 * Parameters as pm_tree_scan_down_auto(). Memory: 8 bytes a node, and 50 values and 1 KiB for each thread, from the
 * context's allocator during the call.
 */
PM_API pm_status pm_tree_scan_down_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       pm_scan_mode scan, const void *values, void *out);

/**
 * Reduces up: each node gets the product of the values of its subtree in the order of the sequence, its own first. Runs
 * on several threads where that pays, as pm_tree_reduce_up_omp(). Parameters as pm_tree_scan_down_auto().
 */
PM_API pm_status pm_tree_reduce_up_auto(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                        const void *values, void *out);

/**
 * Reduces up on the calling thread alone. Parameters as pm_tree_scan_down_auto(). Memory: 4 bytes a node and one value,
 * rounded up to 4 bytes, from the context's allocator during the call.
 */
PM_API pm_status pm_tree_reduce_up_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       const void *values, void *out);

/** Reduces up on several threads. Parameters, threads and memory as pm_tree_scan_down_omp(). */
PM_API pm_status pm_tree_reduce_up_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                       const void *values, void *out);

/** An affine transform of space, by rows: of a point p, m[i][0] p.x + m[i][1] p.y + m[i][2] p.z + m[i][3]. */
typedef struct pm_affine {
    float m[3][4]; /**< Three rows of four. */
} pm_affine;

/** Returns the intersection of pm_box, with the rules for empty boxes, NaN and -0 of parenmatch/boxes.h. Static
 * storage. */
PM_API const pm_monoid *pm_monoid_box_intersection(void);
/** Returns the union of pm_box, with the rules of parenmatch/boxes.h. Static storage. */
PM_API const pm_monoid *pm_monoid_box_union(void);
/** Returns the sum of uint64_t modulo 2^64, which is also that of int64_t. Static storage. */
PM_API const pm_monoid *pm_monoid_sum_u64(void);
/** Returns the sum of double. Static storage. */
PM_API const pm_monoid *pm_monoid_sum_f64(void);
/** Returns the maximum of int64_t; the identity is INT64_MIN. Static storage. */
PM_API const pm_monoid *pm_monoid_max_i64(void);
/** Returns the maximum of double, for values that are not NaN; the identity is minus infinity. Static storage. */
PM_API const pm_monoid *pm_monoid_max_f64(void);
/** Returns the composition of pm_affine: a times b applies b first. A scan down maps a node's space to its root's. */
PM_API const pm_monoid *pm_monoid_affine(void);

/* ---- On a GPU ---------------------------------------------------------------------------------------------------- */

#define PM_GPU_VALUE_MAX 256 /**< The largest value of a pm_gpu_monoid, in bytes. */

/**
 * A monoid for a GPU: SPIR-V compiled from a GLSL file that defines the values and their product and includes the
 * installed parenmatch/monoid.glsl, which says how. The device runs the SPIR-V unchecked, so take it only from whom you
 * trust.
 */
typedef struct pm_gpu_monoid {
    size_t size;           /**< Bytes between values in an array (std430): a multiple of 4, at most PM_GPU_VALUE_MAX. */
    const uint32_t *words; /**< The SPIR-V; borrowed during the call. */
    size_t word_count;     /**< The number of words. */
} pm_gpu_monoid;

/**
 * Scans down on a Vulkan device, chosen and opened as by pm_match_gpu(). The context keeps the kernels of the last 8
 * monoids. The tree, its values, results and scratch must fit the device, and each of them one allocation there
 * (PM_OUT_OF_MEMORY). Scratch takes 8 bytes a node, and the larger of 64 MiB + n / 3 bytes and an eighth of the values.
 *
 * @param context  not NULL.
 * @param n        at most 2^31 - 1; more is PM_TOO_LARGE.
 * @param monoid   PM_INVALID_ARGUMENT also if its words are not SPIR-V of this version's parenmatch/monoid.glsl, or
 *                 have no array of values of its size.
 * @param values   aligned to 4 bytes, as is `out`; they must not overlap.
 * @return as pm_match_gpu() without a named pipeline.
 */
PM_API pm_status pm_tree_scan_down_gpu(pm_context *context, const uint64_t *parens, size_t n,
                                       const pm_gpu_monoid *monoid, pm_scan_mode scan, const void *values, void *out);

/** Reduces up on a Vulkan device. Parameters, memory and errors as pm_tree_scan_down_gpu(). */
PM_API pm_status pm_tree_reduce_up_gpu(pm_context *context, const uint64_t *parens, size_t n,
                                       const pm_gpu_monoid *monoid, const void *values, void *out);

/** Returns pm_monoid_box_intersection() for a GPU, with the same results to the bit. Static storage. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_box_intersection(void);
/** Returns pm_monoid_box_union() for a GPU, with the same results to the bit. Static storage. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_box_union(void);
/** Returns pm_monoid_sum_u64() for a GPU. Static storage. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_sum_u64(void);
/** Returns pm_monoid_max_i64() for a GPU. Static storage. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_max_i64(void);
/** Returns pm_monoid_max_f64() for a GPU. Static storage. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_max_f64(void);
/** Returns pm_monoid_affine() for a GPU, which may round differently. Static storage. */
PM_API const pm_gpu_monoid *pm_gpu_monoid_affine(void);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_MONOID_H */
