/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device that times pipelines of matching by its own clock, the data being on the device. Matches are verified there.
 * One can be open at a time. What goes wrong while it is open ends the program.
 */
#ifndef PM_BENCH_GPU_MATCHER_H
#define PM_BENCH_GPU_MATCHER_H

#include "bench/gpu/timing.h"
#include "gpu/match/pipeline.h"

/* Opens a device for n elements and all pipelines, or the one that `pipeline` names. Returns PM_NO_DEVICE if there is
 * none with a clock, PM_OUT_OF_MEMORY if it cannot be opened. */
pm_status gpu_matcher_open(const pmi_gpu_settings *settings, const char *pipeline, uint32_t n);
void gpu_matcher_close(void);

/* The device that is open. */
gpu_timing *gpu_matcher_timing(void);

/* Returns the pipeline, NULL if the device lacks it or it takes fewer than n elements. */
const pmi_pipeline *gpu_matcher_pipeline(pmi_pipeline_id id, uint32_t n);

/* Uploads the n elements to match from now on. */
void gpu_matcher_load(const uint64_t *parens, uint32_t n);

/* Microseconds of all stages together, as gpu_timing_settled_us() returns them. */
void gpu_matcher_time(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions, double *us);

/* What a match is compared with. */
typedef enum gpu_floor {
    GPU_FLOOR_WRITE,    /* writing n words, in the fastest way */
    GPU_FLOOR_EXPAND,   /* reading each element's bit and writing it as a word */
    GPU_FLOOR_COPY,     /* reading and writing n words */
    GPU_FLOOR_DOWNLOAD, /* copying n words to memory of the host that the device sees */
} gpu_floor;

/* Times a floor as gpu_matcher_time() does a pipeline. False if there is too little memory. */
bool gpu_matcher_time_floor(gpu_floor floor, uint32_t n, unsigned repetitions, double *us);

/* Times the stages as gpu_timing_take() does; those that the pipeline lacks take 0. */
gpu_times gpu_matcher_take(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions);

/* Matches, after overwriting the match and the scratch with other values, and returns the number of wrong elements. */
uint32_t gpu_matcher_wrong(const pmi_pipeline *pipeline, uint32_t n);

#endif
