/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipelines that a driver has compiled, kept in a file between runs. Whatever goes wrong with the file, pipelines are
 * only made more slowly: a missing, damaged or foreign one is as good as none, and one that cannot be written is not.
 */
#ifndef PM_GPU_DEVICE_PIPELINE_CACHE_H
#define PM_GPU_DEVICE_PIPELINE_CACHE_H

#include "gpu/device/device.h"

typedef struct pmi_pipeline_cache {
    const char *path;    /* the caller's; NULL: there is no file */
    uint64_t file_bytes; /* of what the file held for this device; 0: nothing */
    uint64_t file_checksum;
} pmi_pipeline_cache;

/* Gives a device of our own the cache in the file `path`, or none if that is NULL or "". The path stays until the cache
 * is closed. */
void pmi_pipeline_cache_open(pmi_pipeline_cache *cache, pmi_device *device, const char *path,
                             const pm_allocator *allocator);

/* Takes it away, and if it holds something else than the file, replaces that at one stroke. One that was never opened
 * is fine. */
void pmi_pipeline_cache_close(pmi_pipeline_cache *cache, pmi_device *device, const pm_allocator *allocator);

#endif
