/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device to time pipelines on, their data being there already: by the device's own clock, beside the floor, which is
 * writing the match in the fastest way there is. Matches are verified on the device. There is one bed at a time; what
 * goes wrong once it is open ends the program.
 */
#ifndef PM_BENCH_GPU_MATCH_FIXTURE_H
#define PM_BENCH_GPU_MATCH_FIXTURE_H

#include "gpu/device/device.h"
#include "gpu/match/pipeline.h"

#define GPU_BED_REPETITIONS 100u /* at most */

/* Room for n elements, and the pipelines, or one alone if `pipeline` is not NULL. PM_NO_DEVICE: there is none, or it
 * has no clock. PM_OUT_OF_MEMORY: nothing is open. */
pm_status gpu_bed_open(const pmi_gpu_settings *settings, const char *pipeline, uint32_t n);
void gpu_bed_close(void);

const pmi_device *gpu_bed_device(void);

/* NULL for one that is not there, or takes fewer elements. */
const pmi_pipeline *gpu_bed_pipeline(pmi_pipeline_id id, uint32_t n);

/* The sequence that is matched from now on; its n elements. */
void gpu_bed_load(const uint64_t *parens, uint32_t n);

/* Microseconds of all stages together, of the floor if `pipeline` is NULL: sorted, repetitions of them. Repeated for a
 * while before, until the device is at the clock it keeps. */
void gpu_bed_time(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions, double *us);

/* What a match can be held against. */
typedef enum gpu_floor {
    GPU_FLOOR_WRITE,    /* writing as many words, in the fastest way there is */
    GPU_FLOOR_EXPAND,   /* each element's bit, read and written as a word */
    GPU_FLOOR_COPY,     /* as many words, read and written */
    GPU_FLOOR_DOWNLOAD, /* as many words, to memory of the host that the device sees */
} gpu_floor;

/* As gpu_bed_time(). False if there is not the memory for it. */
bool gpu_bed_time_floor(gpu_floor floor, uint32_t n, unsigned repetitions, double *us);

/* The median of each stage, with readings of the clock between them. */
void gpu_bed_time_stages(const pmi_pipeline *pipeline, uint32_t n, unsigned repetitions, double us[PM_STAGES]);

/* Matches, over something else and with a scratch that holds nonsense, and returns the number of wrong elements. */
uint32_t gpu_bed_wrong(const pmi_pipeline *pipeline, uint32_t n);

#endif
