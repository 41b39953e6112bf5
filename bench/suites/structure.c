/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite structure: from bytes to tokens of any length by a language's rules, and their check, beside reading the text.
 * An element is a byte here, so GB/s are 1 / ns_per_element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buffers.h"
#include "bench/suites/text_case.h"

/* A text, its delimiters, and room for its tokens. */
struct structure_job {
    struct text text;
    pm_delimiters *pairs;
    size_t count; /* of tokens */
    uint64_t *parens, *positions;
    uint32_t *lengths, *kinds;
    pm_check_summary summary; /* found the first time */
    bool held;                /* every call so far found the same */
};

static void run_structure(void *user, size_t calls) {
    struct structure_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        size_t count = 0;
        const pm_status status = pm_delimiters_scan(NULL, job->pairs, job->text.bytes, job->text.n, job->count,
                                                    job->parens, job->positions, job->lengths, job->kinds, &count);
        job->held &= status == PM_OK && count == job->count;
    }
}

static bool check_once(const struct structure_job *job, pm_check_summary *found) {
    return pm_delimiters_check(NULL, job->pairs, job->text.bytes, job->text.n, NULL, NULL, found) == PM_OK;
}

static void run_check(void *user, size_t calls) {
    struct structure_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        pm_check_summary found;
        job->held &= check_once(job, &found) && memcmp(&found, &job->summary, sizeof found) == 0;
    }
}

static const struct text_subject subjects[] = {{"structure", run_structure}, {"check", run_check}};

static bool job_create(struct structure_job *job, const char *kind, const struct settings *settings, size_t n) {
    *job = (struct structure_job){.held = false};
    if (!text_create(kind, settings->seed, n, &job->text))
        return false;
    if (!job->text.rules) {
        fprintf(stderr, "pm_bench: there are no rules for '%s'\n", kind);
        return false;
    }
    if (pm_delimiters_create(NULL, job->text.rules, strlen(job->text.rules), &job->pairs, NULL) != PM_OK ||
        pm_delimiters_scan(NULL, job->pairs, job->text.bytes, job->text.n, 0, NULL, NULL, NULL, NULL, &job->count) !=
            PM_OK ||
        !check_once(job, &job->summary))
        return false;
    job->parens = buffer_create((job->count / 64 + 1) * sizeof *job->parens);
    job->positions = buffer_create((job->count + 1) * sizeof *job->positions);
    job->lengths = buffer_create((job->count + 1) * sizeof *job->lengths);
    job->kinds = buffer_create((job->count + 1) * sizeof *job->kinds);
    const pm_check_summary *const found = &job->summary;
    const bool good = found->unmatched.close + found->unmatched.open + found->mismatched + found->unterminated == 0 &&
                      found->brackets == job->count;
    job->held = good || !text_is_made(kind); /* what is made here is balanced */
    return job->parens && job->positions && job->lengths && job->kinds;
}

static void job_destroy(struct structure_job *job) {
    pm_delimiters_destroy(job->pairs);
    free(job->text.bytes);
    free(job->parens);
    free(job->positions);
    free(job->lengths);
    free(job->kinds);
}

static enum outcome time_structure(const struct suite *suite, const struct settings *settings, const char *kind,
                                   size_t n) {
    struct structure_job job;
    const enum outcome outcome =
        job_create(&job, kind, settings, n)
            ? text_time(suite, settings, kind, &job.text, subjects, sizeof subjects / sizeof *subjects, &job, &job.held)
            : OUTCOME_FAILED;
    job_destroy(&job);
    return outcome;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    return suite_run_cases(suite, settings, time_structure);
}

const struct suite suite_structure = {
    .name = "structure",
    .description = "tokens by a language's rules, and their check, beside reading; elements are bytes",
    .families = {6, {"xml", "html", "latex", "sql", "pascal", "jinja"}},
    .sizes = {2, {1u << 20, 1u << 26}},
    .run = run};
