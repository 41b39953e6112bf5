/* SPDX-License-Identifier: Apache-2.0 */
/* A station: an open device, and all that matching, and boxes, from host to host keep on it from call to call. */
#ifndef PM_GPU_STATION_H
#define PM_GPU_STATION_H

#include "gpu/boxes.h"
#include "gpu/pfac_run.h"
#include "gpu/pipeline.h"
#include "gpu/pipeline_cache.h"
#include "gpu/slots.h"
#include "gpu/structure_run.h"
#include "gpu/tree_scan.h"

/* A monoid's kernels, and a copy of the code they were made of; all zeros: none. */
typedef struct pm_station_monoid {
    pm_monoid_kernels kernels;
    uint32_t *words;
    size_t word_count;
} pm_station_monoid;

enum {
    PM_STATION_MONOIDS = 8 /* that are kept */
};

typedef struct pm_station {
    pm_device device;
    pm_pipeline_cache cache;
    bool pipeline_by_n;
    pm_pipeline_id pipeline_asked;       /* unless by n */
    pm_pipeline pipelines[PM_PIPELINES]; /* all zeros: not needed yet */
    size_t slot_bytes;                   /* asked for */
    pm_slots slots;
    pm_buffer parens, scratch, summary;
    pm_boxes boxes; /* all zeros until boxes are asked for; likewise what they need: */
    pm_buffer kinds, given, results, dispatches;
    pm_pfac_runner pfac;           /* all zeros until a text is searched */
    pm_structure_runner structure; /* likewise until a text's structure is wanted */
    pm_wide slices; /* all zeros until a sequence is to stay here; of its match a buffer has so many elements: */
    uint32_t range_elements;
    uint32_t slice_elements; /* of a sequence that is on several stations at least on each */
    uint32_t ahead_elements; /* of a slice, before what comes in is known; 0: by the number of devices */
    pm_nodes nodes;          /* all zeros until a tree is scanned; likewise: */
    pm_station_monoid monoids[PM_STATION_MONOIDS];
    unsigned monoid_turn; /* which of them gives way next */
} pm_station;

/* Opens the one device that the settings ask for. *station stays where it is; on failure, too, it is to be closed. */
pm_status pm_station_open(const pm_gpu_settings *settings, const pm_allocator *allocator, pm_station *station);

/* One that is all zeros is fine. */
void pm_station_close(pm_station *station, const pm_allocator *allocator);

/* The pipeline for n elements, made if need be: PM_OUT_OF_MEMORY, PM_UNSUPPORTED; PM_TOO_LARGE past its limit. */
pm_status pm_station_pipeline(pm_station *station, size_t n, const pm_pipeline **pipeline);

/* The pipeline that is recorded as a part of others. */
pm_status pm_station_wide(pm_station *station, const pm_wide **wide);

/* Bytes of a match of n elements that come down at a time; as many bytes of the sequence go up at a time. */
size_t pm_station_chunk_bytes(const pm_station *station, const pm_pipeline *pipeline, size_t n);

/* Room for a sequence of n elements and chunks of its match. */
pm_status pm_station_reserve(pm_station *station, const pm_pipeline *pipeline, uint32_t n, size_t chunk);

/* The boxes of a scene of 0 < n <= PM_BOXES_N_MAX elements. What comes down has landed when all slots have.
 * PM_INVALID_ARGUMENT for a kind that is none. */
pm_status pm_station_boxes(pm_station *station, const uint8_t *kinds, const pm_box *boxes, size_t n, pm_box *out);

/* Are its kernels made? */
bool pm_station_has_boxes(const pm_station *station);

struct pm_gpu_tree; /* gpu/run.h */

/* Scans a tree of 0 < n <= PM_TREE_SCAN_N_MAX elements. What comes down has landed when all slots have.
 * PM_INVALID_ARGUMENT for a monoid that is none. */
pm_status pm_station_tree_scan(pm_station *station, const struct pm_gpu_tree *tree, const pm_allocator *allocator);

/* Destroys all that scans of trees keep, on an open device. */
void pm_station_scan_clear(pm_station *station, const pm_allocator *allocator);

#endif
