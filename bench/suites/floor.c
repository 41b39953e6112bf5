/* SPDX-License-Identifier: Apache-2.0 */
/* Suite floor: each floor, compared with the store. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"

/* Two arrays of n values, the first of them random. */
static bool arrays_create(size_t n, uint64_t seed, uint32_t **from, uint32_t **to) {
    *from = buffer_create(n * sizeof **from);
    *to = buffer_create(n * sizeof **to);
    if (!*from || !*to) {
        fprintf(stderr, "pm_bench: no memory for %zu elements\n", n);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        (*from)[i] = (uint32_t)random_next(&seed);
    return true;
}

static struct result floor_measure(const struct floor *floor, const struct floor_block *block,
                                   const struct settings *settings) {
    struct floor_job store = {.floor = floor_at(0), .block = *block, .held = true};
    struct floor_job job = {.floor = floor, .block = *block, .held = true};
    return (struct result){.times =
                               timing_pairs(settings->sampling, floor_action(&store), floor_action(&job), floor_check),
                           .backend = floor->name,
                           .simd = floor_simd(floor),
                           .kind = "none",
                           .floor = store.floor->name,
                           .n = block->size / sizeof(uint32_t),
                           .threads = block->threads,
                           .verified = job.held};
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < settings->sizes.count && worst != OUTCOME_FAILED; s++) {
        const size_t n = settings->sizes.sizes[s];
        uint32_t *from, *to;
        if (!arrays_create(n, settings->seed, &from, &to))
            worst = OUTCOME_FAILED;
        const struct floor_block block = {.to = to, .from = from, .size = n * sizeof *to, .threads = settings->threads};
        const struct floor *floor;
        for (size_t f = 0; worst != OUTCOME_FAILED && (floor = floor_at(f)) != NULL; f++) {
            struct result result = floor_measure(floor, &block, settings);
            result.suite = suite->name;
            worst = outcome_worse(worst, report_result(&result));
        }
        free(from);
        free(to);
    }
    return worst;
}

const struct suite suite_floor = {.name = "floor",
                                  .description = "what the memory allows: each floor, compared with the store",
                                  .sizes = {5, {1u << 12, 1u << 16, 1u << 20, 1u << 24, 1u << 26}},
                                  .run = run};
