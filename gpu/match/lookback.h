/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `lookback`, after Levien, "The stack monoid revisited": one pass over partitions of w k elements, w =
 * 512, or as many invocations as workgroups of the device have, k = 16; and a small dispatch before it, which clears
 * states. Partitions are taken in order, each workgroup looks back over the states of those before it, and what it does
 * not find there soon it reduces itself, so that no workgroup needs another to get on
 * (shaders/match/lookback_match.comp).
 *
 * n is limited by the scratch, which has to fit an allocation: 4 bytes an element and 12 a partition.
 */
#ifndef PM_GPU_MATCH_LOOKBACK_H
#define PM_GPU_MATCH_LOOKBACK_H

#include "gpu/device/kernel.h"
#include "gpu/match/stage.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_lookback {
    pmi_kernel clear, match;
    uint32_t elements; /* of a partition */
    uint64_t limit;
} pmi_lookback;

/* On failure it needs no destroying. PM_UNSUPPORTED: workgroups of the device are too small. */
pm_status pmi_lookback_create(const pmi_device *device, pmi_lookback *lookback);

/* One that is all zeros is fine. */
void pmi_lookback_destroy(const pmi_device *device, pmi_lookback *lookback);

uint64_t pmi_lookback_scratch_bytes(const pmi_lookback *lookback, uint32_t n);

/* The parameters; addresses as pmi_sequence has them. */
pmi_lookback_parameters pmi_lookback_parameters_make(const pmi_device *device, const pmi_lookback *lookback,
                                                     const pmi_sequence *sequence);

void pmi_lookback_record_clear(const pmi_device *device, VkCommandBuffer commands, const pmi_lookback *lookback,
                               const pmi_sequence *sequence);
/* For elements first ... first + count - 1, in multiples of a partition's, in order: not before those before `first`.
 * match: address for the match of element `first` and those after it. */
void pmi_lookback_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_lookback *lookback,
                               const pmi_sequence *sequence, uint32_t first, uint32_t count, uint64_t match);

#endif
