/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matching n elements of one family, timed and verified.
 *
 * Small inputs come in many versions that are interleaved. A branch predictor would learn a single input of a few
 * thousand elements by heart.
 */
#ifndef PM_BENCH_SUITES_MATCH_CASE_H
#define PM_BENCH_SUITES_MATCH_CASE_H

#include "bench/backends.h"
#include "bench/report.h"

struct match_case {
    size_t n;
    size_t versions, words; /* versions of the input, and words of each */
    uint64_t *parens;
    uint32_t *match;
    uint64_t *proofs; /* of each version: the checksum of an output that was proved right */
    const char *family;
};

/* Room for n elements; false, after a line on standard error, when there is no memory. */
bool match_case_create(struct match_case *match_case, size_t n);

void match_case_destroy(struct match_case *match_case);

/* Makes the inputs; false, after a line on standard error, if the family cannot. */
bool match_case_fill(struct match_case *match_case, const char *family, uint64_t seed);

/* A backend at work on a case. */
struct match_job {
    const struct match_case *inputs;
    const struct backend *backend;
    pm_context *context;
    size_t versions; /* in use */
    size_t version;  /* that the last call matched */
    pm_bic total;
    bool right; /* everything so far */
};

struct match_job match_job_make(const struct match_case *inputs, const struct backend *backend, pm_context *context);

/* The job as something to time; valid as long as the job is. */
struct action match_job_action(struct match_job *job);

/* Matches every version once, over junk; proves the output, and remembers its checksum. */
void match_job_prove(struct match_job *job);

/* Compares the last call's output with what was proved; with the action's user. */
void match_job_check(void *job);

/* Was everything right, and is the last call's output? */
bool match_job_is_right(const struct match_job *job);

/*
 * Times a backend on the inputs, compared with `baseline` or, if that is NULL, with the store, and fills in the
 * result's backend, simd, kind, floor, n, threads, times, verified.
 *
 * Verified means: before the clock starts, pm_match_verify() proves the output of each version of the input, and its
 * total is checked too; then the output that each timed sample leaves behind has the checksum of the proved one; and
 * after the last sample pm_match_verify() proves the output once more.
 */
void match_case_measure(struct match_case *match_case, const struct backend *backend, const struct backend *baseline,
                        const struct settings *settings, struct result *result);

/* Measures and reports each size, family and backend asked for. */
enum outcome match_cases_run(const char *suite, const struct backend *baseline, const struct settings *settings);

#endif
