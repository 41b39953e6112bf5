/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of pm_bench_gpu.
 *
 *   pm_bench_gpu [KEY=VALUE]...
 *     from=20 to=28      sizes: 2^from to 2^to elements, 2^32 standing for 2^32 - 1; to=27
 *                        where the program can do no more
 *     step=4             every fourth of them, down from the largest
 *     family=NAME,...    these alone (see tests/families.h, or tests/scenes.h)
 *     pipeline=NAME      that one alone (see pm_pipeline_name()); else each of them, up to its limit
 *     scan=NAME          of pm_bench_gpu_scan: that one alone
 *     tile=0 piece=0     of pm_bench_gpu_scan: nodes of a tile, blocks of a piece, as in gpu/settings.h
 *     spirv=FOLDER       of pm_bench_gpu: `wide` as well with the shaders that lie there as wide_*.spv (made by
 *                        shaders/compile.sh WORDS FOLDER); of pm_bench_gpu_boxes likewise with boxes_reduce_*.spv,
 *                        boxes_match_*.spv and boxes_fix_*.spv; up to 16 folders, each family by one after the other;
 *                        one that is WRONG is timed all the same, and the program's status is 1
 *     reps=20            repetitions, of which the median counts
 *     queue=compute      or graphics
 *     teams=any          or subgroup, workgroup
 *     stack=0            entries of the stack of a workgroup of wide: 1024, 512, or 0: 512 for the graphics queue alone
 *     cpu=0              1: a CPU device will do
 *     device=NAME        as pm_options.device; several are for host=1 and pm_bench_devices alone
 *     host=0             1: pm_match_gpu() alone, from host memory to host memory; the floor is bringing the match down
 *     threads=0          that copy for pm_match_gpu(), at most; 0: as many as OpenMP gives
 */
#ifndef PM_BENCH_GPU_OPTIONS_H
#define PM_BENCH_GPU_OPTIONS_H

#include "gpu/settings.h"

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
    pm_gpu_settings settings;
} gpu_options;

/* Reads them; stops the program where one is wrong, or where sizes are not among 2^least to 2^most, which it can do. */
gpu_options options_read(int argc, char **argv, unsigned least, unsigned most);

/* The families that are asked for: of `all`, which ends with NULL, if none is named. */
static inline const char *const *options_families(const gpu_options *options, const char *const *all) {
    return options->families ? options->families : all;
}

#endif
