/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches a text on the device for the patterns of a dictionary: PFAC in three stages, search, scan and write
 * (shaders/find/pfac.h). The stages are sizes and recording only; they allocate, submit and wait for nothing.
 */
#ifndef PM_GPU_FIND_PFAC_H
#define PM_GPU_FIND_PFAC_H

#include "base/dict.h"
#include "gpu/device/kernel.h"
#include "gpu/device/transfer.h"
#include "shaders/shared/parameters.h"

/* ---- Dictionaries ---- */

typedef struct pmi_pfac_dict {
    uint64_t serial; /* of the dictionary; 0: no dictionary */
    pmi_buffer buffer;
    uint64_t nodes, filters, patterns, chains; /* addresses */
    uint32_t fold, shorts, ends;               /* parameters of the shaders */
    uint32_t longest;                          /* bytes of a pattern */
    uint32_t nested;                           /* hits at a position, at most */
} pmi_pfac_dict;

#define PM_PFAC_DICTS 4u

/* The dictionaries that were used last. */
typedef struct pmi_pfac_dicts {
    pmi_pfac_dict dict[PM_PFAC_DICTS]; /* the last one first */
} pmi_pfac_dicts;

/* Gets a dictionary, which has at least one pattern, on the device, or uploads it. The device must be idle, and no
 * chunk in flight. *dict is valid until the next call. */
pm_status pmi_pfac_dicts_get(const pmi_device *device, pmi_staging_ring *ring, pmi_pfac_dicts *dicts,
                             const struct pm_dict *wanted, const pmi_pfac_dict **dict);

/* The device must be idle. */
void pmi_pfac_dicts_clear(const pmi_device *device, pmi_pfac_dicts *dicts);

/* ---- Stages ---- */

typedef struct pmi_pfac {
    pmi_kernel search, scan, write;
} pmi_pfac;

/* PM_UNSUPPORTED if workgroups of the device are too small. After a failure it needs no destroying. */
pm_status pmi_pfac_create(const pmi_device *device, pmi_pfac *pfac);

/* Zeros are allowed. */
void pmi_pfac_destroy(const pmi_device *device, pmi_pfac *pfac);

/* The length of the longest pattern that can be found: a lane follows the trie without a pause. */
uint32_t pmi_pfac_longest(const pmi_device *device);

/* A text, by addresses on the device. */
typedef struct pmi_pfac_text {
    uint64_t text;    /* n bytes, and PM_PFAC_TEXT_BEYOND that may be read; aligned to 16 */
    uint32_t n;       /* bytes */
    uint32_t places;  /* positions that are searched, 1 ... pmi_pfac_places_max() */
    uint64_t start;   /* the number of the first one */
    uint64_t scratch; /* pmi_pfac_scratch_bytes() bytes, aligned to 16 */
    uint64_t total;   /* receives the number of hits, 32 bits; aligned to 4 */
    uint64_t hits;    /* receives hits as pm_hit; aligned to 16 */
} pmi_pfac_text;

/* The maximum number of positions that can be searched at once: their hits can be numbered, and the search takes some
 * seconds at most. A multiple of a tile. */
uint32_t pmi_pfac_places_max(const pmi_device *device, const pmi_pfac_dict *dict);

/* Bytes of scratch: less than places / 7 + 1 KiB. */
uint64_t pmi_pfac_scratch_bytes(const pmi_pfac_dict *dict, uint32_t places);

pmi_pfac_parameters pmi_pfac_parameters_make(const pmi_pfac_dict *dict, const pmi_pfac_text *text);

/* Record dispatches, which read and write in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). pmi_shader_barrier() must
 * come between the stages. The first two compute the total. */
void pmi_pfac_record_search(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                            const pmi_pfac_dict *dict, pmi_pfac_parameters parameters);
void pmi_pfac_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                          pmi_pfac_parameters parameters);
/* Writes hits from hit `first` on, at most `room` of them. It may be recorded several times. */
void pmi_pfac_record_write(const pmi_device *device, VkCommandBuffer commands, const pmi_pfac *pfac,
                           const pmi_pfac_dict *dict, pmi_pfac_parameters parameters, uint32_t first, uint32_t room);

/* ---- From host to host ---- */

/* The memory of a chunk. */
typedef struct pmi_pfac_side {
    pmi_buffer text, scratch;
    pmi_buffer hits; /* the host's: the number of hits, and from byte 16 on the hits */
    pmi_pfac_parameters parameters;
    uint32_t room;  /* for hits */
    bool delivered; /* the hits have been copied to the caller */
} pmi_pfac_side;

typedef struct pmi_pfac_runner {
    bool created;
    pmi_pfac pfac;
    pmi_pfac_dicts dicts;
    pmi_pfac_side side[PM_STAGING_CHUNKS];
} pmi_pfac_runner;

/* Sets the runner to zeros, which are allowed. The device must be idle. */
void pmi_pfac_runner_clear(const pmi_device *device, pmi_pfac_runner *runner);

#endif
