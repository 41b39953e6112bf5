/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite match: each backend on each family and size, compared with the store of as many bytes. Suite call: calls with
 * next to nothing to match, compared with those of the plain stack. And their cases: inputs, the calls, and the proof
 * of the results.
 */
#include "bench/suites/match_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"

#define ELEMENTS_TO_FORGET ((size_t)1 << 20) /* of all versions together: more than a branch predictor remembers */
#define VERSIONS_MOST ((size_t)1 << 12)
#define DEVICE_VERSIONS_MOST 16u /* it has no branch predictor, and calls are long */

bool match_case_create(struct match_case *match_case, size_t n) {
    const size_t versions = ELEMENTS_TO_FORGET / (n > 0 ? n : 1);
    *match_case = (struct match_case){.n = n, .words = n / 64 + (n % 64 != 0)};
    match_case->versions = versions < 1 ? 1 : versions > VERSIONS_MOST ? VERSIONS_MOST : versions;
    match_case->parens = buffer_create(match_case->versions * match_case->words * sizeof *match_case->parens);
    match_case->match = buffer_create(n * sizeof *match_case->match);
    match_case->proofs = malloc(match_case->versions * sizeof *match_case->proofs);
    if (match_case->parens && match_case->match && match_case->proofs)
        return true;
    fprintf(stderr, "pm_bench: no memory for %zu elements\n", n);
    match_case_destroy(match_case);
    return false;
}

void match_case_destroy(struct match_case *match_case) {
    free(match_case->parens);
    free(match_case->match);
    free(match_case->proofs);
}

static const uint64_t *version_parens(const struct match_case *match_case, size_t version) {
    return match_case->parens + version * match_case->words;
}

bool match_case_fill(struct match_case *match_case, const char *family, uint64_t seed) {
    match_case->family = family;
    for (size_t v = 0; v < match_case->versions; v++)
        if (!family_fill(family, seed + v, match_case->n, match_case->parens + v * match_case->words)) {
            fprintf(stderr, "pm_bench: cannot make inputs of family %s\n", family);
            return false;
        }
    return true;
}

static void job_run(void *user, size_t calls) {
    struct match_job *job = user;
    const struct match_case *inputs = job->inputs;
    for (size_t c = 0; c < calls; c++) {
        job->version = job->version + 1 < job->versions ? job->version + 1 : 0;
        if (job->backend->match(job->context, version_parens(inputs, job->version), inputs->n, inputs->match,
                                &job->total) != PM_OK)
            job->right = false;
    }
}

/* Depends on every value and its place. Four chains, because one would wait for its multiplications. */
static uint64_t output_checksum(const struct match_job *job) {
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t chains[4] = {job->total.close, job->total.open, 0, 0};
    for (size_t i = 0; i < job->inputs->n; i++)
        chains[i % 4] = (chains[i % 4] ^ job->inputs->match[i]) * odd;
    uint64_t all = 0;
    for (unsigned c = 0; c < 4; c++)
        all = (all ^ chains[c] ^ chains[c] >> 32) * odd;
    return all;
}

/* Is the last call's output the match, and its total that of the match? */
static bool output_is_proved(const struct match_job *job) {
    const struct match_case *inputs = job->inputs;
    const uint64_t *parens = version_parens(inputs, job->version);
    if (pm_match_verify(NULL, parens, inputs->n, inputs->match, NULL) != PM_OK)
        return false;
    pm_bic total = {0, 0};
    for (size_t i = 0; i < inputs->n; i++) {
        if (parens[i / 64] >> i % 64 & 1)
            total.open++;
        else if (inputs->match[i] == PM_NONE)
            total.close++;
        else
            total.open--;
    }
    return total.close == job->total.close && total.open == job->total.open;
}

struct match_job match_job_make(const struct match_case *inputs, const struct backend *backend, pm_context *context) {
    const size_t most = backend && backend->device ? DEVICE_VERSIONS_MOST : inputs->versions;
    return (struct match_job){.inputs = inputs,
                              .backend = backend,
                              .context = context,
                              .versions = most < inputs->versions ? most : inputs->versions,
                              .right = true};
}

struct action match_job_action(struct match_job *job) {
    return (struct action){job_run, job};
}

void match_job_prove(struct match_job *job) {
    for (size_t v = 0; v < job->versions; v++) {
        memset(job->inputs->match, 0x5a, job->inputs->n * sizeof *job->inputs->match);
        job_run(job, 1);
        job->right = job->right && output_is_proved(job);
        job->inputs->proofs[job->version] = output_checksum(job);
    }
}

void match_job_check(void *user) {
    struct match_job *job = user;
    job->right = job->right && output_checksum(job) == job->inputs->proofs[job->version];
}

bool match_job_is_right(const struct match_job *job) {
    return job->right && output_is_proved(job);
}

void match_case_measure(struct match_case *match_case, const struct backend *backend, const struct backend *baseline,
                        const struct settings *settings, struct result *result) {
    const unsigned threads = backend_threads(backend, settings->threads);
    pm_context *context;
    const bool created = backend_context_create(backend, threads, settings, &context) == PM_OK;
    struct match_job job = match_job_make(match_case, backend, context);
    struct match_job base = match_job_make(match_case, baseline, NULL);
    struct floor_job store = {
        .floor = floor_at(0),
        .block = {.to = match_case->match, .size = match_case->n * sizeof *match_case->match, .threads = threads}};
    match_job_prove(&job);
    result->times = timing_pairs(settings->sampling, baseline ? match_job_action(&base) : floor_action(&store),
                                 match_job_action(&job), match_job_check);
    result->verified = created && match_job_is_right(&job);
    result->backend = backend->name;
    result->simd = backend->simd;
    result->kind = match_case->family;
    result->floor = baseline ? baseline->name : store.floor->name;
    result->n = match_case->n;
    result->threads = threads;
    pm_context_destroy(context);
}

/* Each backend asked for, on the inputs that are there. */
static enum outcome backends_run(const char *suite, struct match_case *match_case, const struct backend *baseline,
                                 const struct settings *settings) {
    enum outcome worst = OUTCOME_VERIFIED;
    struct backend backend;
    for (size_t b = 0; backend_at(b, &backend); b++) {
        if (!backend_wanted(&backend, settings))
            continue;
        struct result result = {.suite = suite};
        match_case_measure(match_case, &backend, baseline, settings, &result);
        worst = outcome_worse(worst, report_result(&result));
    }
    return worst;
}

enum outcome match_cases_run(const char *suite, const struct backend *baseline, const struct settings *settings) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < settings->sizes.count; s++) {
        struct match_case match_case;
        if (!match_case_create(&match_case, settings->sizes.sizes[s]))
            return OUTCOME_FAILED;
        for (size_t f = 0; f < settings->families.count && worst != OUTCOME_FAILED; f++) {
            const bool filled = match_case_fill(&match_case, settings->families.names[f], settings->seed);
            worst =
                outcome_worse(worst, filled ? backends_run(suite, &match_case, baseline, settings) : OUTCOME_FAILED);
        }
        match_case_destroy(&match_case);
    }
    return worst;
}

/* ---- The suites ---- */

static enum outcome run_match(const struct suite *suite, const struct settings *settings) {
    return match_cases_run(suite->name, NULL, settings);
}

static enum outcome run_call(const struct suite *suite, const struct settings *settings) {
    const struct backend plain_stack = {"seq", "none", 1, pm_match_seq, false};
    return match_cases_run(suite->name, &plain_stack, settings);
}

const struct suite suite_match = {
    .name = "match",
    .description = "each backend on each family and size, compared with the store",
    .families = {10,
                 {"random", "bits", "flat", "zigzag", "saw:100", "saw:5000", "deep", "opens", "closes", "twist:.25"}},
    .sizes = {4, {1u << 12, 1u << 16, 1u << 20, 1u << 24}},
    .run = run_match};

const struct suite suite_call = {.name = "call",
                                 .description = "calls with n = 0 ... 64, compared with the plain stack",
                                 .families = {1, {"random"}},
                                 .sizes = {10, {0, 1, 2, 4, 8, 16, 32, 48, 63, 64}},
                                 .run = run_call};
