/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the devices of a list, and runs calls on them. */
#include "gpu/device/devices.h"

#include <string.h>

#include "base/memory.h"

enum {
    NAME_SIZE = 64 /* of a device, with its end */
};

/* ---- Calls ---- */

/* Waits for all that is in flight; the first failure counts. `deliver` as for pmi_staging_ring_finish(). */
static pm_status finish(pmi_gpu *gpu, const pmi_gpu_call *call, bool deliver) {
    pm_status status = call->finish ? call->finish(call->arguments) : PM_OK;
    for (unsigned k = 0; k < gpu->count; k++) {
        pmi_executor *const executor = &gpu->executors[k];
        const pm_status finished =
            pmi_staging_ring_finish(&executor->device, &executor->ring, deliver && status == PM_OK);
        status = status == PM_OK ? finished : status;
    }
    return status;
}

pm_status pmi_gpu_run(pmi_gpu *gpu, const pmi_gpu_call *call) {
    if (gpu->lost)
        return PM_DEVICE_LOST;
    pm_status status = finish(gpu, call, false); /* of a call that failed */
    if (status == PM_OK) {
        status = call->run(gpu, call->arguments);
        const pm_status finished = finish(gpu, call, status == PM_OK);
        gpu->lost = finished == PM_DEVICE_LOST;
        status = status == PM_OK ? finished : status;
    }
    gpu->lost |= status == PM_DEVICE_LOST;
    return status;
}

/* ---- What the devices are ---- */

pm_status pmi_gpu_describe(const pmi_gpu_settings *settings, size_t index, pm_device_info *info) {
    return pmi_device_describe(settings, index, info);
}

const char *pmi_gpu_key(const pmi_gpu *gpu) {
    return gpu->executors[0].device.key;
}

const char *pmi_gpu_kind(const pmi_gpu *gpu) {
    return pmi_physical_kind(gpu->executors[0].device.can.type);
}

pmi_device *pmi_gpu_device(pmi_gpu *gpu) {
    return &gpu->executors[0].device;
}

/* ---- Opening and closing ---- */

/* The number of names, which commas separate. An empty list is one name. */
static size_t names_count(const char *list) {
    size_t count = 1;
    for (; list && *list; list++)
        count += *list == ',';
    return count;
}

/* Copies the next name, and moves *list past it. False if the name is too long. */
static bool name_take(const char **list, char name[NAME_SIZE]) {
    const size_t length = strcspn(*list, ",");
    if (length >= NAME_SIZE)
        return false;
    memcpy(name, *list, length);
    name[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Opens the last executor, on the device that the list names next. */
static pm_status executor_open(pmi_gpu *gpu, const pmi_gpu_settings *settings, const char **list) {
    char name[NAME_SIZE];
    gpu->executors[gpu->count - 1] = (pmi_executor){0};
    const bool listed = settings->device && *settings->device != '\0';
    if (!name_take(list, name) || (listed && *name == '\0'))
        return PM_NO_DEVICE;
    pmi_gpu_settings own = *settings;
    own.device = name;
    own.pipeline_cache = gpu->count == 1 ? settings->pipeline_cache : NULL; /* a file is for one device */
    return pmi_executor_open(&own, &gpu->allocator, &gpu->executors[gpu->count - 1]);
}

pm_status pmi_gpu_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_gpu **gpu) {
    *gpu = NULL;
    const char *list = settings->device ? settings->device : "";
    const size_t devices = names_count(list);
    if (devices > PM_DEVICES_MAX)
        return PM_NO_DEVICE;
    pmi_gpu *const opened = pmi_memory_allocate_with(allocator, sizeof *opened, devices, sizeof *opened->executors);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pmi_gpu){.allocator = *allocator};
    pm_status status = PM_OK;
    for (size_t k = 0; k < devices && status == PM_OK; k++) {
        opened->count++;
        status = executor_open(opened, settings, &list);
    }
    if (status != PM_OK) {
        pmi_gpu_close(opened);
        return status;
    }
    *gpu = opened;
    return PM_OK;
}

void pmi_gpu_close(pmi_gpu *gpu) {
    if (!gpu)
        return;
    for (unsigned k = 0; k < gpu->count; k++)
        pmi_executor_close(&gpu->executors[k], &gpu->allocator);
    const pm_allocator allocator = gpu->allocator; /* outlives the block it frees */
    pmi_memory_free(&allocator, gpu);
}
