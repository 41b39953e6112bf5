/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: what chunks go through by turns, so that the host copies one while the device works on another. */
#ifndef PM_GPU_DEVICE_STAGING_RING_H
#define PM_GPU_DEVICE_STAGING_RING_H

#include "gpu/device/memory.h"
#include "gpu/device/settings.h"

#define PM_SLOTS 3u /* one that the host copies, one that the device works on, one that waits for either */

/* A chunk on its way. */
typedef struct pmi_staging_chunk {
    VkCommandBuffer commands;
    VkFence fence;
    pmi_buffer staging; /* the host's side, unless the host sees the device's both ways */
    pmi_buffer output;  /* the device's side of what comes down */
    bool in_flight;
    void *to; /* where pmi_staging_chunk_finish() copies `bytes` from `from`; NULL: nowhere */
    const void *from;
    size_t bytes;
} pmi_staging_chunk;

typedef struct pmi_staging_ring {
    pmi_staging_chunk slot[PM_SLOTS];
    unsigned turn;
    VkCommandPool pool;
    pmi_gpu_copy *copy; /* between the caller's memory and what the device sees */
    unsigned copy_threads;
} pmi_staging_ring;

/* Without buffers, which their user reserves. On failure, too, it is to be destroyed. */
pm_status pmi_staging_ring_create(const pmi_device *device, const pmi_gpu_settings *settings, pmi_staging_ring *slots);

/* As memcpy(), as the settings want it done. */
void pmi_staging_ring_copy(const pmi_staging_ring *slots, void *to, const void *from, size_t bytes);

/* The device must be idle. Slots that are all zeros are fine. */
void pmi_staging_ring_destroy(const pmi_device *device, pmi_staging_ring *slots);

/* Waits for what is in the slot, if anything is, and copies it to where it goes. */
pm_status pmi_staging_chunk_finish(const pmi_device *device, const pmi_staging_ring *slots, pmi_staging_chunk *slot);

/* Begins the commands of a slot that is empty. */
pm_status pmi_staging_chunk_record(const pmi_device *device, pmi_staging_chunk *slot);

/* The next slot, empty, with so many bytes of staging at least, and with its commands begun. */
pm_status pmi_staging_chunk_begin(const pmi_device *device, pmi_staging_ring *slots, uint64_t staging,
                                  pmi_staging_chunk **begun);

pm_status pmi_staging_chunk_submit(const pmi_device *device, pmi_staging_chunk *slot);

/* Waits for all slots, the oldest first. `deliver` false: what comes down goes nowhere. */
pm_status pmi_staging_ring_finish(const pmi_device *device, pmi_staging_ring *slots, bool deliver);

#endif
