/* SPDX-License-Identifier: Apache-2.0 */
/* What is open while a pm_gpu is. */
#ifndef PM_GPU_OPENED_H
#define PM_GPU_OPENED_H

#include "gpu/boxes.h"
#include "gpu/pipeline.h"
#include "gpu/pipeline_cache.h"
#include "gpu/run.h"
#include "gpu/slots.h"

struct pm_gpu {
    pm_allocator allocator;
    pm_device device;
    pm_pipeline_cache cache;
    bool pipeline_by_n;
    pm_pipeline_id pipeline_asked;       /* unless by n */
    pm_pipeline pipelines[PM_PIPELINES]; /* all zeros: not needed yet */
    size_t slot_bytes;                   /* asked for */
    pm_slots slots;
    pm_buffer parens, scratch, summary;
    pm_boxes boxes; /* all zeros until boxes are asked for; likewise what they need: */
    pm_buffer kinds, given, results;
    bool lost;
};

/* The device's side of a way: mapped for the host, where it is to be and there is such memory left, else not. */
static inline pm_status pm_device_side_reserve(const pm_device *device, pm_memory_kind kind, uint64_t size,
                                               pm_buffer *buffer) {
    if (device->can.transfer == PM_TRANSFER_MAPPED && pm_buffer_reserve(device, kind, size, buffer) == PM_OK)
        return PM_OK;
    return pm_buffer_reserve(device, PM_MEMORY_DEVICE, size, buffer);
}

#endif
