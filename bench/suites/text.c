/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite text: from bytes to brackets, and the whole check, beside reading the text. An element is a byte here, so GB/s
 * are 1 / ns_per_element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buffers.h"
#include "bench/suites/text_case.h"

/* A text and room for its brackets. */
struct text_job {
    struct text text;
    size_t count;    /* of brackets */
    uint64_t faults; /* found the first time */
    uint64_t *parens, *positions;
    uint8_t *kinds;
    bool held; /* every call so far found the same */
};

static void run_brackets(void *user, size_t calls) {
    struct text_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        size_t count = 0;
        const pm_status status = pm_text_brackets(NULL, job->text.language, NULL, job->text.bytes, job->text.n,
                                                  job->count, job->parens, job->positions, job->kinds, &count);
        job->held &= status == PM_OK && count == job->count;
    }
}

static uint64_t check_once(const struct text_job *job, uint64_t *brackets) {
    pm_check *check;
    pm_check_summary found = {.unterminated = UINT64_MAX};
    if (pm_check_create(NULL, job->text.language, NULL, NULL, NULL, &check) != PM_OK)
        return UINT64_MAX;
    pm_check_push(check, job->text.bytes, job->text.n);
    pm_check_finish(check, &found);
    pm_check_destroy(check);
    *brackets = found.brackets;
    return found.unmatched.close + found.unmatched.open + found.mismatched + found.unterminated;
}

static void run_check(void *user, size_t calls) {
    struct text_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        uint64_t brackets = 0;
        const uint64_t faults = check_once(job, &brackets);
        job->held &= faults == job->faults && brackets == job->count;
    }
}

static const struct text_subject subjects[] = {{"brackets", run_brackets}, {"check", run_check}};

static bool job_create(struct text_job *job, const char *kind, const struct settings *settings, size_t n) {
    *job = (struct text_job){.held = false};
    if (!text_create(kind, settings->seed, n, &job->text))
        return false;
    if (!job->text.language) {
        fprintf(stderr, "pm_bench: '%s' has no brackets of a byte\n", kind);
        return false;
    }
    if (pm_text_brackets(NULL, job->text.language, NULL, job->text.bytes, job->text.n, 0, NULL, NULL, NULL,
                         &job->count) != PM_OK)
        return false;
    job->parens = buffer_create((job->count / 64 + 1) * sizeof *job->parens);
    job->positions = buffer_create((job->count + 1) * sizeof *job->positions);
    job->kinds = buffer_create(job->count + 1);
    uint64_t brackets = 0;
    job->faults = check_once(job, &brackets);
    job->held = job->faults == 0 || !text_is_made(kind); /* what is made here is balanced */
    return job->parens && job->positions && job->kinds;
}

static void job_destroy(struct text_job *job) {
    free(job->text.bytes);
    free(job->parens);
    free(job->positions);
    free(job->kinds);
}

static enum outcome time_text(const struct suite *suite, const struct settings *settings, const char *kind, size_t n) {
    struct text_job job;
    const enum outcome outcome =
        job_create(&job, kind, settings, n)
            ? text_time(suite, settings, kind, &job.text, subjects, sizeof subjects / sizeof *subjects, &job, &job.held)
            : OUTCOME_FAILED;
    job_destroy(&job);
    return outcome;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    return suite_run_cases(suite, settings, time_text);
}

const struct suite suite_text = {.name = "text",
                                 .description = "brackets of texts, and the check, beside reading; elements are bytes",
                                 .families = {3, {"json", "minified", "soup"}},
                                 .sizes = {2, {1u << 20, 1u << 26}},
                                 .run = run};
