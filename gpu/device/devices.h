/* SPDX-License-Identifier: Apache-2.0 */
/* The devices that a list names, with an executor each, and calls on them. A list may name a device several times. */
#ifndef PM_GPU_DEVICE_DEVICES_H
#define PM_GPU_DEVICE_DEVICES_H

#include "gpu/device/executor.h"
#include "gpu/gpu.h"

#define PM_DEVICES_MAX 16

struct pmi_gpu {
    pm_allocator allocator;
    bool lost;
    unsigned count;
    pmi_executor executors[];
};

/* A call on the devices. */
typedef struct pmi_gpu_call {
    pm_status (*run)(pmi_gpu *gpu, void *arguments);
    pm_status (*finish)(void *arguments); /* waits for what run() starts outside of the staging rings; NULL: nothing */
    void *arguments;
} pmi_gpu_call;

/* Runs a call, and waits for all that it has started: every function that uses an open device goes through here. If it
 * fails, nothing more is copied to the caller's memory. Once a device is lost, PM_DEVICE_LOST without running it. */
pm_status pmi_gpu_run(pmi_gpu *gpu, const pmi_gpu_call *call);

#endif
