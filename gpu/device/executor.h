/* SPDX-License-Identifier: Apache-2.0 */
/* An executor: an open device, and the kernels and buffers that calls from host to host keep on it. */
#ifndef PM_GPU_DEVICE_EXECUTOR_H
#define PM_GPU_DEVICE_EXECUTOR_H

#include "gpu/boxes/boxes.h"
#include "gpu/delimiters/tokenizer.h"
#include "gpu/device/kernel.h"
#include "gpu/device/transfer.h"
#include "gpu/find/pfac.h"
#include "gpu/gpu.h"
#include "gpu/json/index.h"
#include "gpu/match/batch.h"
#include "gpu/match/pipeline.h"
#include "gpu/trees/scan.h"

/* A monoid's kernels, and a copy of their code. */
typedef struct pmi_executor_monoid {
    pmi_monoid_kernels kernels;
    uint32_t *words;
    size_t word_count;
} pmi_executor_monoid;

enum {
    PM_EXECUTOR_MONOIDS = 8 /* kept at most */
};

/* Kernels and buffers are all zeros until they are needed. */
typedef struct pmi_executor {
    pmi_device device;
    pmi_pipeline_cache cache;
    bool pipeline_by_n;
    pmi_pipeline_id pipeline_asked; /* unless by n */
    pmi_pipeline pipelines[PM_PIPELINES];
    size_t chunk_bytes; /* at most */
    pmi_staging_ring ring;
    pmi_buffer parens, scratch, summary;
    pmi_batch_kernels batch;
    pmi_buffer offsets, totals; /* of many sequences */
    pmi_boxes boxes;
    pmi_buffer kinds, given, results, dispatches; /* of boxes; of trees the second and third */
    pmi_pfac_runner pfac;
    pmi_delimiters_runner delimiters;
    pmi_index_runner index;
    pmi_levels slices;       /* for sequences that stay on the device */
    uint32_t range_elements; /* of their match in a buffer */
    uint32_t slice_elements; /* of them on each device, at least */
    uint32_t ahead_elements; /* of a slice, matched before its incoming stack is known; 0: by the number of devices */
    pmi_nodes nodes;
    pmi_executor_monoid monoids[PM_EXECUTOR_MONOIDS];
    unsigned monoid_turn; /* the one to be replaced next */
} pmi_executor;

/* Gets the pipeline for n elements, or creates it. PM_OUT_OF_MEMORY, PM_UNSUPPORTED; PM_TOO_LARGE past its limit. */
pm_status pmi_executor_pipeline(pmi_executor *executor, size_t n, const pmi_pipeline **pipeline);

/* Gets the pipeline `levels`, or creates it. */
pm_status pmi_executor_levels(pmi_executor *executor, const pmi_levels **levels);

/* The same, with the kernels of many sequences. */
pm_status pmi_executor_batch(pmi_executor *executor, const pmi_pipeline **levels);

/* Bytes of a chunk of n elements, which are uploaded at a time, and of their match, which are downloaded at a time. */
size_t pmi_executor_chunk_bytes(const pmi_executor *executor, const pmi_pipeline *pipeline, size_t n);

/* Bytes of the 32-bit words that hold n bits. */
static inline size_t pmi_parens_bytes(size_t n) {
    return (n / 32 + (n % 32 != 0)) * 4;
}

/* Reserves buffers for a sequence of n elements and chunks of its match. */
pm_status pmi_executor_reserve(pmi_executor *executor, const pmi_pipeline *pipeline, uint32_t n, size_t chunk);

/* Destroys what scans of trees keep. */
void pmi_executor_scan_clear(pmi_executor *executor, const pm_allocator *allocator);

/* ---- The devices that a list names, which may name one several times, and calls on them ---- */

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
