/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipelines that a driver has compiled, kept in a file between runs. A missing, damaged or foreign file is ignored, and
 * so is a failure to write: pipelines are then only created more slowly.
 */
#ifndef PM_GPU_DEVICE_PIPELINE_CACHE_H
#define PM_GPU_DEVICE_PIPELINE_CACHE_H

#include "gpu/device/device.h"

typedef struct pmi_pipeline_cache {
    const char *path;    /* the caller's; NULL: there is no file */
    uint64_t file_bytes; /* that the file held for this device */
    uint64_t file_checksum;
} pmi_pipeline_cache;

/* Gives the library's own device the cache in the file `path`; NULL or "": none. The path must outlive the cache. */
void pmi_pipeline_cache_open(pmi_pipeline_cache *cache, pmi_device *device, const char *path,
                             const pm_allocator *allocator);

/* Destroys the cache; if its contents are not the file's, replaces that atomically first. Zeros are allowed. */
void pmi_pipeline_cache_close(pmi_pipeline_cache *cache, pmi_device *device, const pm_allocator *allocator);

#endif
