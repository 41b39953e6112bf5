/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A search of a text on the device for the patterns of a dictionary there: PFAC in three stages, search, scan, write
 * (shaders/find/pfac.h). Sizes and recording only; it allocates, submits and waits for nothing.
 */
#ifndef PM_GPU_FIND_PFAC_H
#define PM_GPU_FIND_PFAC_H

#include "gpu/device/kernel.h"
#include "gpu/find/pfac_dict.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_pfac {
    pmi_kernel search, scan, write;
} pmi_pfac;

/* On failure it needs no destroying. PM_UNSUPPORTED: workgroups of the device are too small. */
pm_status pmi_pfac_create(const pmi_device *device, pmi_pfac *pfac);

/* One that is all zeros is fine. */
void pmi_pfac_destroy(const pmi_device *device, pmi_pfac *pfac);

/* Longest pattern that can be looked for, since a lane goes down the trie without a pause. */
uint32_t pmi_pfac_longest(const pmi_device *device);

/* What is searched; addresses are the device's. */
typedef struct pmi_pfac_text {
    uint64_t text;    /* n bytes, and PM_PFAC_TEXT_BEYOND that may be read; aligned to 16 */
    uint32_t n;       /* bytes */
    uint32_t places;  /* the first so many are searched, 1 ... pmi_pfac_places_max() */
    uint64_t start;   /* the number of the first */
    uint64_t scratch; /* pmi_pfac_scratch_bytes() bytes, aligned to 16 */
    uint64_t total;   /* receives the number of hits, 32 bits; aligned to 4 */
    uint64_t hits;    /* receives hits as pm_hit; aligned to 16 */
} pmi_pfac_text;

/* Places that can be searched at once: so many that hits can be numbered, and that it takes some seconds at most. Whole
 * tiles. */
uint32_t pmi_pfac_places_max(const pmi_device *device, const pmi_pfac_dict *dict);

/* Bytes of scratch: less than places / 7 + 1 KiB. */
uint64_t pmi_pfac_scratch_bytes(const pmi_pfac_dict *dict, uint32_t places);

pmi_pfac_parameters pmi_pfac_parameters_make(const pmi_pfac_dict *dict, const pmi_pfac_text *text);

/* Each records dispatches alone, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT); between them
 * pmi_pfac_record_barrier() is needed. After the first two, total is there. */
void pmi_pfac_record_search(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                            const pmi_pfac_dict *dict, pmi_pfac_parameters parameters);
void pmi_pfac_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                          pmi_pfac_parameters parameters);
/* The hits from hit first on, at most `room` of them; as often as is wanted. */
void pmi_pfac_record_write(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                           const pmi_pfac_dict *dict, pmi_pfac_parameters parameters, uint32_t first, uint32_t room);
void pmi_pfac_record_barrier(const pmi_device *device, VkCommandBuffer commands);

#endif
