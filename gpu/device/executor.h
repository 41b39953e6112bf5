/* SPDX-License-Identifier: Apache-2.0 */
/* A executor: an open device, and all that matching, and boxes, from host to host keep on it from call to call. */
#ifndef PM_GPU_DEVICE_EXECUTOR_H
#define PM_GPU_DEVICE_EXECUTOR_H

#include "gpu/boxes/boxes.h"
#include "gpu/delimiters/run.h"
#include "gpu/device/pipeline_cache.h"
#include "gpu/device/staging_ring.h"
#include "gpu/find/pfac_run.h"
#include "gpu/match/pipeline.h"
#include "gpu/trees/scan.h"

/* A monoid's kernels, and a copy of the code they were made of; all zeros: none. */
typedef struct pmi_executor_monoid {
    pmi_monoid_kernels kernels;
    uint32_t *words;
    size_t word_count;
} pmi_executor_monoid;

enum {
    PM_STATION_MONOIDS = 8 /* that are kept */
};

typedef struct pmi_executor {
    pmi_device device;
    pmi_pipeline_cache cache;
    bool pipeline_by_n;
    pmi_pipeline_id pipeline_asked;       /* unless by n */
    pmi_pipeline pipelines[PM_PIPELINES]; /* all zeros: not needed yet */
    size_t slot_bytes;                    /* asked for */
    pmi_staging_ring slots;
    pmi_buffer parens, scratch, summary;
    pmi_boxes boxes; /* all zeros until boxes are asked for; likewise what they need: */
    pmi_buffer kinds, given, results, dispatches;
    pmi_pfac_runner pfac;           /* all zeros until a text is searched */
    pmi_structure_runner structure; /* likewise until a text's structure is wanted */
    pmi_levels slices; /* all zeros until a sequence is to stay here; of its match a buffer has so many elements: */
    uint32_t range_elements;
    uint32_t slice_elements; /* of a sequence that is on several executors at least on each */
    uint32_t ahead_elements; /* of a slice, before what comes in is known; 0: by the number of devices */
    pm_nodes nodes;          /* all zeros until a tree is scanned; likewise: */
    pmi_executor_monoid monoids[PM_STATION_MONOIDS];
    unsigned monoid_turn; /* which of them gives way next */
} pmi_executor;

/* Opens the one device that the settings ask for. *executor stays where it is; on failure, too, it is to be closed. */
pm_status pmi_executor_open(const pmi_gpu_settings *settings, const pm_allocator *allocator, pmi_executor *executor);

/* One that is all zeros is fine. */
void pmi_executor_close(pmi_executor *executor, const pm_allocator *allocator);

/* The pipeline for n elements, made if need be: PM_OUT_OF_MEMORY, PM_UNSUPPORTED; PM_TOO_LARGE past its limit. */
pm_status pmi_executor_pipeline(pmi_executor *executor, size_t n, const pmi_pipeline **pipeline);

/* The pipeline that is recorded as a part of others. */
pm_status pmi_executor_levels(pmi_executor *executor, const pmi_levels **levels);

/* Bytes of a match of n elements that come down at a time; as many bytes of the sequence go up at a time. */
size_t pmi_executor_chunk_bytes(const pmi_executor *executor, const pmi_pipeline *pipeline, size_t n);

/* Room for a sequence of n elements and chunks of its match. */
pm_status pmi_executor_reserve(pmi_executor *executor, const pmi_pipeline *pipeline, uint32_t n, size_t chunk);

/* The boxes of a scene of 0 < n <= PM_BOXES_N_MAX elements. What comes down has landed when all slots have.
 * PM_INVALID_ARGUMENT for a kind that is none. */
pm_status pmi_executor_boxes(pmi_executor *executor, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* Are its kernels made? */
bool pmi_executor_has_boxes(const pmi_executor *executor);

struct pmi_gpu_tree; /* gpu/gpu.h */

/* Scans a tree of 0 < n <= PM_TREE_SCAN_N_MAX elements. What comes down has landed when all slots have.
 * PM_INVALID_ARGUMENT for a monoid that is none. */
pm_status pmi_executor_tree_scan(pmi_executor *executor, const struct pmi_gpu_tree *tree,
                                 const pm_allocator *allocator);

/* Destroys all that scans of trees keep, on an open device. */
void pmi_executor_scan_clear(pmi_executor *executor, const pm_allocator *allocator);

#endif
