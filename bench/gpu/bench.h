/* SPDX-License-Identifier: Apache-2.0 */
/* What the suites of pm_bench_gpu share: the command line, the table they print, and shaders from files. */
#ifndef PM_BENCH_GPU_BENCH_H
#define PM_BENCH_GPU_BENCH_H

#include "bench/gpu/timing.h"
#include "bench/settings.h"

enum {
    GPU_VARIANTS_MOST = 16
};

/* The command line; --help describes each option. */
struct gpu_options {
    struct name_list suites, families, spirv;
    unsigned from, to, step; /* sizes are powers of two, by their logarithms */
    unsigned repetitions, threads, seconds;
    const char *pipeline, *scan;
    bool host, list, help;
    pmi_gpu_settings settings;
};

extern struct gpu_options gpu_options;

struct gpu_suite {
    const char *name, *description;
    const char *columns;             /* of the table, separated by tabs */
    const char *const *families;     /* inputs by default; NULL ends them */
    unsigned log_least, log_most;    /* sizes that it can do */
    unsigned log_from;               /* by default */
    gpu_timing *(*open)(uint32_t n); /* for at most n elements; returns the device in use, NULL if several may be */
    void (*begin)(uint32_t n);       /* before the families of a size; may be NULL */
    void (*run)(const char *family, uint32_t n);
    void (*close)(void);
};

extern const struct gpu_suite gpu_suite_match, gpu_suite_resident, gpu_suite_boxes, gpu_suite_scan, gpu_suite_find,
    gpu_suite_structure, gpu_suite_worst, gpu_suite_batch, gpu_suite_json;

enum gpu_verdict {
    GPU_WRONG, /* makes the program's exit status 1 */
    GPU_VERIFIED,
    GPU_UNVERIFIED
};

/* Returns the word for a table's last column, and takes the verdict into the exit status. */
const char *gpu_verdict_word(enum gpu_verdict verdict);

/* Prints a row: the first columns by `format`, then times in microseconds, 10^9 items a second (n of them in all), the
 * floor's share, times from host to host where there are some, and the verdict. */
void gpu_row(const gpu_times *times, double n, enum gpu_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The words of the shader NAME_subgroup.spv or NAME_workgroup.spv, whichever suits the device, from a folder of
 * shaders/compile.sh's binaries; the caller frees them. NULL if there is no such file. */
uint32_t *gpu_variant_read(const pmi_device *device, const char *folder, const char *name, size_t *bytes);

/* A context for calls from host to host on the device that the options name. */
pm_context *gpu_context_create(const char *device);

#endif
