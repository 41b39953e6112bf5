/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many sequences, matched as one by the pipeline `levels`: kernels for what differs. Reduce and scan are those of one
 * sequence. Match stores results that count from their own sequences, and totals writes each sequence's bicyclic
 * element.
 */
#ifndef PM_GPU_MATCH_BATCH_H
#define PM_GPU_MATCH_BATCH_H

#include "gpu/match/levels.h"

typedef struct pmi_batch_kernels {
    pmi_kernel match, totals;
} pmi_batch_kernels;

/* After a failure they need no destroying. */
pm_status pmi_batch_kernels_create(const pmi_device *device, pmi_batch_kernels *kernels);

/* Zeros are allowed. */
void pmi_batch_kernels_destroy(const pmi_device *device, pmi_batch_kernels *kernels);

/* Gives the parameters of a sequence the offsets of a batch: count + 1 of 64 bits, at an address aligned to 8. */
void pmi_batch_parameters_add(pmi_levels_parameters *parameters, uint64_t offsets, uint32_t count);

/* Like pmi_levels_record_match(), after pmi_levels_record_scan_of_any(). */
void pmi_batch_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_batch_kernels *kernels,
                            pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);

/* Writes 8 bytes a sequence to `totals`, which is aligned to 4. Needs scan, but not match. */
void pmi_batch_record_totals(const pmi_device *device, VkCommandBuffer commands, const pmi_batch_kernels *kernels,
                             pmi_levels_parameters parameters, uint64_t totals);

/* Totals have half the bytes on a device, so they fit the second half of their place on the host: they are downloaded
 * to there, and then widened. */
unsigned char *pmi_batch_totals_halves(pm_bic *totals, size_t count);
void pmi_batch_totals_widen(pm_bic *totals, size_t count);

#endif
