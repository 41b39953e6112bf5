/* SPDX-License-Identifier: Apache-2.0 */
/* Slots that chunks go through by turns, so that the host copies one while the device works on another. */
#ifndef PM_GPU_SLOTS_H
#define PM_GPU_SLOTS_H

#include "gpu/memory.h"

enum {
    PM_SLOTS = 3 /* one that the host copies, one that the device works on, one that waits for either */
};

/* A chunk on its way. */
typedef struct pm_slot {
    VkCommandBuffer commands;
    VkFence fence;
    pm_buffer staging; /* the host's side, unless the host sees the device's both ways */
    pm_buffer output;  /* the device's side of what comes down */
    bool in_flight;
    void *to; /* where `bytes` of `from` go when it has landed; NULL: nowhere */
    const void *from;
    size_t bytes;
} pm_slot;

typedef struct pm_slots {
    VkCommandPool pool;
    pm_slot slots[PM_SLOTS];
    unsigned turn;
    pm_gpu_copy *copy; /* how the host copies, with so many threads */
    unsigned copy_threads;
} pm_slots;

static inline void pm_slots_copy(const pm_slots *slots, void *to, const void *from, size_t bytes) {
    slots->copy(to, from, bytes, slots->copy_threads);
}

/* On failure what has been made is to be destroyed. All zeros is fine to destroy, with no work under way. */
pm_status pm_slots_create(const pm_device *device, pm_gpu_copy *copy, unsigned copy_threads, pm_slots *slots);
void pm_slots_destroy(const pm_device *device, pm_slots *slots);

/* The next slot, landed and with its commands begun. */
pm_status pm_slot_begin(const pm_device *device, pm_slots *slots, pm_slot **begun);

/* Sends the slot on its way. */
pm_status pm_slot_submit(const pm_device *device, pm_slot *slot);

/* Waits for all slots, the oldest first. `deliver` false: what comes down goes nowhere. */
pm_status pm_slots_land(const pm_device *device, pm_slots *slots, bool deliver);

#endif
