/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sequence that stays on the devices, a slice on each, and so does its match. Reduce and match are the devices';
 * the scan over slices is the host's, and so is the way of opens from one device to another.
 */
#ifndef PM_GPU_MATCH_RESIDENT_H
#define PM_GPU_MATCH_RESIDENT_H

#include "gpu/gpu.h"

/*
 * Room for a sequence of fewer than 2^32 elements, of which device k has lengths[k], a multiple of PM_SUPERBLOCK but
 * for the last that has any; `lengths` NULL: equal slices of whole superblocks, on no
 * more devices than have pmi_gpu_settings.slice_elements. The devices outlive what is created. PM_OUT_OF_MEMORY;
 * PM_DEVICE_LOST.
 */
pm_status pmi_gpu_resident_create(pmi_gpu *gpu, uint64_t n, const uint32_t *lengths, pm_resident **resident);
void pmi_gpu_resident_destroy(pm_resident *resident);

uint64_t pmi_gpu_resident_n(const pm_resident *resident);

/* As their namesakes in parenmatch.h, arguments checked; after PM_DEVICE_LOST every call returns that. */
pm_status pmi_gpu_resident_load(pm_resident *resident, const uint64_t *parens);
pm_status pmi_gpu_resident_match(pm_resident *resident, pm_bic *total);
pm_status pmi_gpu_resident_read(pm_resident *resident, uint64_t begin, uint64_t count, uint32_t *match);

#endif
