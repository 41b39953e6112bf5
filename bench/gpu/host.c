/* SPDX-License-Identifier: Apache-2.0 */
/* A context of its own, so that what is timed is what callers call. */
#include "bench/gpu/host.h"

#include <stdlib.h>
#include <string.h>

#include "bench/gpu/match_fixture.h"
#include "bench/host_times.h"
#include "bench/stop.h"

double gpu_host_us(const gpu_options *options, const uint64_t *parens, uint32_t n) {
    const pm_options asked = {.struct_size = sizeof asked,
                              .threads = options->threads,
                              .device = options->settings.device,
                              .allow_cpu_device = options->settings.allow_cpu_device};
    const size_t bytes = (size_t)n * sizeof(uint32_t);
    uint32_t *const match = malloc(bytes), *const expected = malloc(bytes);
    pm_context *context;
    double us[GPU_BED_REPETITIONS];
    if (!match || !expected)
        stop("memory", "none");
    must(pm_context_create(&asked, &context), "pm_context_create");
    must(pm_match_broadword(context, parens, n, expected, NULL), "pm_match_broadword");
    must(pm_match_gpu(context, parens, n, match, NULL), "pm_match_gpu"); /* opens the device */
    for (unsigned r = 0; r < options->reps; r++) {
        memset(match, 0, bytes);
        const double begin = host_clock_us();
        must(pm_match_gpu(context, parens, n, match, NULL), "pm_match_gpu");
        us[r] = host_clock_us() - begin;
        if (memcmp(match, expected, bytes) != 0)
            stop("pm_match_gpu", "the match is wrong");
    }
    pm_context_destroy(context);
    free(match);
    free(expected);
    return times_sort(us, options->reps);
}
