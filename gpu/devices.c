/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing the devices of a list, and what the first of them is. */
#include "gpu/devices.h"

#include <string.h>

enum {
    NAME_SIZE = 64 /* of a device, with its end */
};

pm_status pm_gpu_land(pm_gpu *gpu, bool deliver) {
    pm_status status = PM_OK;
    for (unsigned k = 0; k < gpu->count; k++) {
        const pm_status landed =
            pm_slots_land(&gpu->stations[k].device, &gpu->stations[k].slots, deliver && status == PM_OK);
        status = status == PM_OK ? landed : status;
    }
    return status;
}

pm_status pm_gpu_describe(const pm_gpu_settings *settings, size_t index, pm_device_info *info) {
    return pm_device_describe(settings, index, info);
}

/* ---- What the first is ---- */

const char *pm_gpu_key(const pm_gpu *gpu) {
    return gpu->stations[0].device.key;
}

const char *pm_gpu_kind(const pm_gpu *gpu) {
    return pm_physical_kind(gpu->stations[0].device.can.type);
}

pm_device *pm_gpu_device(pm_gpu *gpu) {
    return &gpu->stations[0].device;
}

/* ---- Opening and closing ---- */

/* How many names there are in a list, parted by commas; an empty list is one name. */
static size_t names_count(const char *list) {
    size_t count = 1;
    for (; list && *list; list++)
        count += *list == ',';
    return count;
}

/* The list's next name; *list goes past it. False if it is too long. */
static bool name_take(const char **list, char name[NAME_SIZE]) {
    const size_t length = strcspn(*list, ",");
    if (length >= NAME_SIZE)
        return false;
    memcpy(name, *list, length);
    name[length] = '\0';
    *list += length + ((*list)[length] == ',');
    return true;
}

/* Opens the next station, on the device that the list names next. */
static pm_status station_open(pm_gpu *gpu, const pm_gpu_settings *settings, const char **list) {
    char name[NAME_SIZE];
    gpu->stations[gpu->count - 1] = (pm_station){0};
    const bool listed = settings->device && *settings->device != '\0';
    if (!name_take(list, name) || (listed && *name == '\0'))
        return PM_NO_DEVICE;
    pm_gpu_settings own = *settings;
    own.device = name;
    own.pipeline_cache = gpu->count == 1 ? settings->pipeline_cache : NULL; /* a file is for one device */
    return pm_station_open(&own, &gpu->allocator, &gpu->stations[gpu->count - 1]);
}

pm_status pm_gpu_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_gpu **gpu) {
    *gpu = NULL;
    const char *list = settings->device ? settings->device : "";
    const size_t devices = names_count(list);
    if (devices > PM_DEVICES_MOST)
        return PM_NO_DEVICE;
    pm_gpu *const opened = allocator->alloc(sizeof *opened + devices * sizeof *opened->stations, allocator->user);
    if (!opened)
        return PM_OUT_OF_MEMORY;
    *opened = (pm_gpu){.allocator = *allocator};
    pm_status status = PM_OK;
    for (size_t k = 0; k < devices && status == PM_OK; k++) {
        opened->count++;
        status = station_open(opened, settings, &list);
    }
    if (status != PM_OK) {
        pm_gpu_close(opened);
        return status;
    }
    *gpu = opened;
    return PM_OK;
}

void pm_gpu_close(pm_gpu *gpu) {
    if (!gpu)
        return;
    for (unsigned k = 0; k < gpu->count; k++)
        pm_station_close(&gpu->stations[k], &gpu->allocator);
    const pm_allocator allocator = gpu->allocator; /* outlives the block it frees */
    allocator.free(gpu, allocator.user);
}
