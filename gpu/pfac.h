/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search of a text on the device for the patterns of a dictionary there: PFAC in three stages, search, scan, write
 * (shaders/pfac.h). Sizes and recording only; it allocates, submits and waits for nothing.
 */
#ifndef PM_GPU_PFAC_H
#define PM_GPU_PFAC_H

#include "gpu/kernel.h"
#include "gpu/pfac_dict.h"
#include "shaders/parameters.h"

typedef struct pm_pfac {
    pm_kernel search, scan, write;
} pm_pfac;

/* On failure it needs no destroying. PM_UNSUPPORTED: workgroups of the device are too small. */
pm_status pm_pfac_create(const pm_device *device, pm_pfac *pfac);

/* One that is all zeros is fine. */
void pm_pfac_destroy(const pm_device *device, pm_pfac *pfac);

/* Longest pattern that can be looked for, since a lane goes down the trie without a pause. */
uint32_t pm_pfac_longest(const pm_device *device);

/* What is searched; addresses are the device's. */
typedef struct pm_pfac_text {
    uint64_t text;    /* n bytes, and PM_PFAC_TEXT_BEYOND that may be read; aligned to 16 */
    uint32_t n;       /* bytes */
    uint32_t places;  /* the first so many are searched, 1 ... pm_pfac_places_most() */
    uint64_t start;   /* the number of the first */
    uint64_t scratch; /* pm_pfac_scratch_bytes() bytes, aligned to 16 */
    uint64_t total;   /* receives the number of hits, 32 bits; aligned to 4 */
    uint64_t hits;    /* receives hits as pm_hit; aligned to 16 */
} pm_pfac_text;

/* Places that can be searched at once: so many that hits can be numbered, and that it takes some seconds at most. Whole
 * tiles. */
uint32_t pm_pfac_places_most(const pm_device *device, const pm_pfac_dict *dict);

/* Bytes of scratch: less than places / 7 + 1 KiB. */
uint64_t pm_pfac_scratch_bytes(const pm_pfac_dict *dict, uint32_t places);

pm_pfac_parameters pm_pfac_parameters_make(const pm_pfac_dict *dict, const pm_pfac_text *text);

/* Each records dispatches alone, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT); between them
 * pm_pfac_record_barrier() is needed. After the first two, total is there. */
void pm_pfac_record_search(const pm_device *device, VkCommandBuffer commands, const pm_pfac *pfac,
                           const pm_pfac_dict *dict, pm_pfac_parameters parameters);
void pm_pfac_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_pfac *pfac,
                         pm_pfac_parameters parameters);
/* The hits from hit first on, at most `room` of them; as often as is wanted. */
void pm_pfac_record_write(const pm_device *device, VkCommandBuffer commands, const pm_pfac *pfac,
                          const pm_pfac_dict *dict, pm_pfac_parameters parameters, uint32_t first, uint32_t room);
void pm_pfac_record_barrier(const pm_device *device, VkCommandBuffer commands);

#endif
