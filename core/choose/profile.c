/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped figures, by vector instructions: other differences between CPUs matter less. */
#include "core/choose/profile.h"

#include <string.h>

/*
 * docs/design/choosing.md tells how they were measured ("Shipped figures"). One thread: means over ten
 * families on Xeons, AVX-512 with results of the files in bench/results/, NEON taken for as fast as SSSE3, which has
 * vectors of the same size. Threads: of the sixteen cores' 2, 4, 8 and 16 threads, at 2^24, each takes as much longer
 * than its share as shared_element says, to within a third of it; two teams of two take 2 us. The plain stack: the mean
 * of 0.7 to 6 ns; it is worth its while below PM_SELECT_MIN only.
 */
#define SHIPPED(cached, memory)                                                                                        \
    {                                                                                                                  \
        .seq_element = 2.6, .call = 100, .cached_element = (cached), .memory_element = (memory),                       \
        .cached_elements = 1 << 18, .team_call = 1000, .team_thread = 500, .shared_element = .011                      \
    }

static const struct {
    const char *simd;
    pmi_figures figures;
} shipped[] = {
    {"portable", SHIPPED(.92, 1.8)}, /* first: also for names that are not in the table */
    {"avx512-vbmi", SHIPPED(.15, .19)}, {"avx512bw", SHIPPED(.32, .37)}, {"avx2", SHIPPED(.32, .37)},
    {"sse4", SHIPPED(.70, .78)},        {"ssse3", SHIPPED(.91, 1.24)},   {"neon", SHIPPED(.91, 1.24)},
};

const pmi_figures *pmi_figures_shipped(const char *simd) {
    for (size_t i = 1; i < sizeof shipped / sizeof *shipped; i++)
        if (strcmp(shipped[i].simd, simd) == 0)
            return &shipped[i].figures;
    return &shipped[0].figures;
}

/*
 * Of a discrete GPU, behind a bus: one NVIDIA H200 (docs/results/choosing.md). Threads of the host copy the match from
 * where the bus leaves it, and unless there are many, that takes longer than the bus and the matching together, so that
 * other such devices will hardly differ. A short call's transfers hardly count. Of other kinds only a software renderer
 * was measured, which never is the fastest.
 */
static const pmi_gpu_figures discrete = {.open = 5e8,
                                         .call = 5.3e4,
                                         .upload_element = .012,
                                         .download_element = .055,
                                         .copy_element = .46,
                                         .launch = 5.3e4,
                                         .match_element = .0015};

const pmi_gpu_figures *pmi_gpu_figures_shipped(const char *kind) {
    return strcmp(kind, "discrete") == 0 ? &discrete : NULL;
}
