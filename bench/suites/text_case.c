/* SPDX-License-Identifier: Apache-2.0 */
/* A subject and the reading of its text, sampled in turn. */
#include "bench/suites/text_case.h"

#include "bench/floors.h"
#include "bench/report.h"

static void check_nothing(void *user) {
    (void)user; /* the calls check themselves */
}

static enum outcome time_one(const struct suite *suite, const struct settings *settings, const char *kind,
                             const struct text *text, const struct text_subject *subject, void *job, const bool *held) {
    struct floor_job read = {.floor = floor_named("read"), .held = true};
    read.block.from = text->bytes;
    read.block.size = text->n - text->n % 4;
    read.block.threads = 1;
    const struct action action = {subject->run, job};
    struct result result = {.times = timing_pairs(settings->sampling, floor_action(&read), action, check_nothing),
                            .suite = suite->name,
                            .backend = subject->name,
                            .simd = "none",
                            .kind = kind,
                            .floor = read.floor->name,
                            .n = text->n,
                            .threads = 1};
    result.verified = *held;
    report_result(&result);
    return result.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

enum outcome text_time(const struct suite *suite, const struct settings *settings, const char *kind,
                       const struct text *text, const struct text_subject *subjects, size_t count, void *job,
                       const bool *held) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < count; s++)
        worst = outcome_worse(worst, time_one(suite, settings, kind, text, &subjects[s], job, held));
    return worst;
}
