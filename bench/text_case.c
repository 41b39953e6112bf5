/* SPDX-License-Identifier: Apache-2.0 */
/* A subject and the reading of its text, sampled in turn. */
#include "bench/text_case.h"

#include "bench/floors.h"
#include "bench/report.h"

static void check_nothing(void *user) {
    (void)user; /* the calls check themselves */
}

enum outcome text_time(const struct suite *suite, const struct settings *settings, const char *kind,
                       const struct text *text, const char *backend, struct action subject, const bool *held) {
    struct floor_job read = {.floor = floor_named("read"), .held = true};
    read.block.from = text->bytes;
    read.block.size = text->n - text->n % 4;
    read.block.threads = 1;
    struct result result = {.times = timing_pairs(settings->sampling, floor_action(&read), subject, check_nothing),
                            .suite = suite->name,
                            .backend = backend,
                            .simd = "none",
                            .kind = kind,
                            .floor = read.floor->name,
                            .n = text->n,
                            .threads = 1};
    result.verified = *held;
    report_result(&result);
    return result.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}
