/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device to time searches on, text and dictionary being there already: by the device's own clock, beside the floor,
 * which is reading the text. There is one bed at a time; what goes wrong once it is open ends the program.
 */
#ifndef PM_BENCH_GPU_FIND_FIXTURE_H
#define PM_BENCH_GPU_FIND_FIXTURE_H

#include "gpu/device/settings.h"

#define GPU_FIND_REPETITIONS 100u /* at most */

enum gpu_find_stage {
    GPU_FIND_SEARCH,
    GPU_FIND_SCAN,
    GPU_FIND_WRITE,
    GPU_FIND_STAGES
};

/* PM_NO_DEVICE: there is none, or it has no clock. PM_OUT_OF_MEMORY: nothing is open. */
pm_status gpu_find_bed_open(const pmi_gpu_settings *settings);
void gpu_find_bed_close(void);
const char *gpu_find_bed_name(void);

/* The text that is searched from now on. */
void gpu_find_bed_load(const char *text, uint32_t n);

/* The dictionary that it is searched by from now on; finds how many hits there are, and has room for them. */
uint32_t gpu_find_bed_prepare(const pm_dict *dict);

/* Searches once; the hits, in memory that stays until the next one. */
const pm_hit *gpu_find_bed_hits(void);

/* Medians of repetitions in microseconds: of each stage, with readings of the clock between them; of all stages without
 * such; of the floor. Repeated for a while before, until the device is at the clock it keeps. */
void gpu_find_bed_time_stages(unsigned repetitions, double us[GPU_FIND_STAGES]);
double gpu_find_bed_time(unsigned repetitions);
double gpu_find_bed_time_floor(unsigned repetitions);

#endif
