/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of the programs that measure devices, pm_bench_devices and pm_bench_gpu*, as KEY=VALUE: --help of each
 * tells them (gpu_options.c).
 */
#ifndef PM_BENCH_GPU_OPTIONS_H
#define PM_BENCH_GPU_OPTIONS_H

#include "gpu/device/settings.h"

enum {
    GPU_VARIANTS_MOST = 16
};

typedef struct gpu_options {
    unsigned from, to, step, reps;
    const char *spirv[GPU_VARIANTS_MOST];
    unsigned variants;           /* so many of them */
    const char *const *families; /* ends with NULL; NULL: all */
    const char *pipeline, *scan;
    unsigned threads;
    bool host;
    pmi_gpu_settings settings;
} gpu_options;

/* Reads them; stops the program where one is wrong or help is asked for, or where sizes are not among 2^least to
 * 2^most, which it can do. */
gpu_options options_read(int argc, char **argv, unsigned least, unsigned most);

/* The families that are asked for: of `all`, which ends with NULL, if none is named. */
static inline const char *const *options_families(const gpu_options *options, const char *const *all) {
    return options->families ? options->families : all;
}

#endif
