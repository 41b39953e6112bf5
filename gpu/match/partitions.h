/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipelines whose workgroups have one partition each, and a tree of bicyclic elements over its words, after Levien,
 * "Fast parentheses matching on GPU". A workgroup has w invocations, fewer if the device has fewer; each has k
 * elements, so a partition has w k elements:
 *
 *   simple          section 6: k = 1, w = 512.   n <= w^2 (2^18). Two dispatches, one for n <= w.
 *   work-efficient  section 7: k = 8, w = 512.   n <= w^2 k^2 (2^24). Two dispatches, one for n <= w k.
 *   direct          k = 128, w = 512.            n <= w k (2^16). One dispatch.
 *
 * The first stage reduces each partition except the last to its bicyclic element and its slice of the stack, the
 * indices of survivors. In the second stage each workgroup makes a tree of the partitions before it. Each element goes
 * up and down the tree of its own partition, and then, if needed, down the tree of the others. A word of 32 elements is
 * a leaf. If there are few partitions, several workgroups make the same trees and share a partition's elements.
 */
#ifndef PM_GPU_MATCH_PARTITIONS_H
#define PM_GPU_MATCH_PARTITIONS_H

#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

/* In this order. Reduce may be recorded for any ranges of elements that together are all, scan once, and match for
 * ranges in order. Some pipelines have no reduce or scan; lookback's scan only clears. */
typedef enum pmi_stage {
    PM_STAGE_REDUCE,
    PM_STAGE_SCAN,
    PM_STAGE_MATCH,
    PM_STAGES
} pmi_stage;

/* A sequence on a device, by addresses. */
typedef struct pmi_sequence {
    uint32_t n;       /* > 0 elements */
    uint64_t parens;  /* n bits, aligned to 16 bytes; no 32-bit word without one of them is read */
    uint64_t scratch; /* pmi_pipeline_scratch_bytes(), aligned to 16 bytes; contents undefined before and after */
    uint64_t summary; /* 8 bytes, aligned to 4, for the unmatched closes and the unmatched opens */
    uint64_t length;  /* for `direct` only: the number of elements on the device, of which n is the most; 0: n */
} pmi_sequence;

/* ---- simple, work-efficient, direct ---- */

typedef struct pmi_partitions_plan {
    uint32_t invocations;    /* of a workgroup, if the device has as many; a power of two */
    uint32_t per_invocation; /* elements; a power of two */
    bool many;               /* partitions, else one */
} pmi_partitions_plan;

typedef struct pmi_partitions {
    pmi_kernel reduce, match;
    uint32_t invocations;
    uint32_t elements; /* of a partition */
    bool many;
} pmi_partitions;

/* Partitions that n elements touch. */
static inline uint32_t pmi_partitions_of(uint32_t n, uint32_t elements) {
    return n / elements + (n % elements != 0);
}

/* Leaves of the tree over a partition: its words, or a power of two that is enough for n elements. */
static inline uint32_t pmi_partition_leaves(uint32_t n, uint32_t elements) {
    const uint32_t words = n / 32 + (n % 32 != 0);
    uint32_t leaves = 2;
    while (leaves < elements / 32 && leaves < words)
        leaves *= 2;
    return leaves;
}

extern const pmi_partitions_plan pmi_simple_plan, pmi_work_efficient_plan, pmi_direct_plan;

/* PM_UNSUPPORTED if workgroups of the device are too small. After a failure it needs no destroying. */
pm_status pmi_partitions_create(const pmi_device *device, const pmi_partitions_plan *plan, pmi_partitions *partitions);

/* Zeros are allowed. */
void pmi_partitions_destroy(const pmi_device *device, pmi_partitions *partitions);

/* The maximum number of elements of a sequence. */
uint64_t pmi_partitions_limit(const pmi_partitions *partitions);

/* 4 bytes an element and a partition, without the last partition. */
uint64_t pmi_partitions_scratch_bytes(const pmi_partitions *partitions, uint32_t n);

pmi_partition_parameters pmi_partitions_parameters_make(const pmi_partitions *partitions, const pmi_sequence *sequence);

/* Record at most one dispatch for elements first ... first + count - 1, which are whole partitions, unless the sequence
 * ends there. match: address for the match of element `first`. */
void pmi_partitions_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_partitions *partitions,
                                  const pmi_sequence *sequence, uint32_t first, uint32_t count);
void pmi_partitions_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_partitions *partitions,
                                 const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);

/*
 * ---- lookback ----
 *
 * After Levien, "The stack monoid revisited": one pass over partitions of w k elements, with w = 512, or as many
 * invocations as workgroups of the device have, and k = 16. A small dispatch before it clears states. Partitions are
 * taken in order, and each workgroup looks back over the states of those before it. If a state does not appear soon,
 * the workgroup reduces that partition itself, so that none has to wait for another
 * (shaders/match/lookback_match.comp).
 *
 * n is limited by the scratch, which has to fit an allocation: 4 bytes an element and 12 a partition.
 */

typedef struct pmi_lookback {
    pmi_kernel clear, match;
    uint32_t elements; /* of a partition */
    uint64_t limit;
} pmi_lookback;

/* PM_UNSUPPORTED if workgroups of the device are too small. After a failure it needs no destroying. */
pm_status pmi_lookback_create(const pmi_device *device, pmi_lookback *lookback);

/* Zeros are allowed. */
void pmi_lookback_destroy(const pmi_device *device, pmi_lookback *lookback);

uint64_t pmi_lookback_scratch_bytes(const pmi_lookback *lookback, uint32_t n);

pmi_lookback_parameters pmi_lookback_parameters_make(const pmi_device *device, const pmi_lookback *lookback,
                                                     const pmi_sequence *sequence);

void pmi_lookback_record_clear(const pmi_device *device, VkCommandBuffer commands, const pmi_lookback *lookback,
                               const pmi_sequence *sequence);
/* Records elements first ... first + count - 1, which are whole partitions; ranges must be in order. match: address for
 * the match of element `first`. */
void pmi_lookback_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_lookback *lookback,
                               const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);

#endif
