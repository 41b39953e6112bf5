/* SPDX-License-Identifier: Apache-2.0 */
/* A context of its own, so that what is timed is what callers call. */
#include "bench/gpu_host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/gpu_bed.h"
#include "bench/stop.h"

static double microseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void must(pm_status status) {
    if (status != PM_OK)
        stop("pm_match_gpu", pm_status_string(status));
}

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
    must(pm_context_create(&asked, &context));
    must(pm_match_broadword(context, parens, n, expected, NULL));
    must(pm_match_gpu(context, parens, n, match, NULL)); /* opens the device */
    for (unsigned r = 0; r < options->reps; r++) {
        memset(match, 0, bytes);
        const double begin = microseconds();
        must(pm_match_gpu(context, parens, n, match, NULL));
        us[r] = microseconds() - begin;
        if (memcmp(match, expected, bytes) != 0)
            stop("pm_match_gpu", "the match is wrong");
    }
    pm_context_destroy(context);
    free(match);
    free(expected);
    qsort(us, options->reps, sizeof *us, compare);
    return us[options->reps / 2];
}
