/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: what chunks go through by turns, so that the host copies one while the device works on another. */
#ifndef PM_GPU_SLOTS_H
#define PM_GPU_SLOTS_H

#include "gpu/memory.h"
#include "gpu/settings.h"

#define PM_SLOTS 3u /* one that the host copies, one that the device works on, one that waits for either */

/* A chunk on its way. */
typedef struct pm_slot {
    VkCommandBuffer commands;
    VkFence fence;
    pm_buffer staging; /* the host's side, unless the host sees the device's both ways */
    pm_buffer output;  /* the device's side of what comes down */
    bool in_flight;
    void *to;         /* where `bytes` go when it has landed; NULL: nowhere */
    const void *from; /* where they are then; NULL: in `output` where the host sees that, else in `staging` */
    size_t bytes;
} pm_slot;

typedef struct pm_slots {
    pm_slot slot[PM_SLOTS];
    unsigned turn;
    VkCommandPool pool;
    pm_gpu_copy *copy; /* between the caller's memory and what the device sees */
    unsigned copy_threads;
} pm_slots;

/* Without buffers, which their user reserves. On failure, too, it is to be destroyed. */
pm_status pm_slots_create(const pm_device *device, const pm_gpu_settings *settings, pm_slots *slots);

/* As memcpy(), as the settings want it done. */
void pm_slots_copy(const pm_slots *slots, void *to, const void *from, size_t bytes);

/* The device must be idle. Slots that are all zeros are fine. */
void pm_slots_destroy(const pm_device *device, pm_slots *slots);

/* Waits for what is in the slot, if anything is, and copies it to where it goes. */
pm_status pm_slot_land(const pm_device *device, const pm_slots *slots, pm_slot *slot);

/* Begins the commands of a slot that is empty. */
pm_status pm_slot_record(const pm_device *device, pm_slot *slot);

/* The next slot, empty and with its commands begun. */
pm_status pm_slot_begin(const pm_device *device, pm_slots *slots, pm_slot **begun);

pm_status pm_slot_submit(const pm_device *device, pm_slot *slot);

/* Waits for all slots, the oldest first. `deliver` false: what comes down goes nowhere. */
pm_status pm_slots_land(const pm_device *device, pm_slots *slots, bool deliver);

#endif
