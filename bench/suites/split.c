/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite split: CPU and device match parts of one sequence at the same time; compared with the CPU's threads alone. Of T
 * threads K copy from the device, and the others match. The parts are matched as independent sequences, so this is a
 * lower bound of sharing: the second part does not learn what the first leaves open.
 */
#include <stdio.h>
#include <string.h>
#include <threads.h>

#include "bench/suites/match_case.h"
#include "bench/suites/suite.h"

#define SHARES 4 /* the device's: a half, a quarter, ... */

/* A part and its backend. */
struct part {
    match_function *match;
    pm_context *context;
    const uint64_t *parens;
    size_t n;
    uint32_t *to;
    pm_status status;
};

struct split {
    struct part cpu, device; /* the device has the second part */
    bool right;
};

static int part_run(void *user) {
    struct part *const part = user;
    part->status = part->match(part->context, part->parens, part->n, part->to, NULL);
    return 0;
}

static void split_run(void *user, size_t calls) {
    struct split *const split = user;
    for (size_t c = 0; c < calls && split->right; c++) {
        thrd_t other;
        split->right = thrd_create(&other, part_run, &split->device) == thrd_success;
        if (!split->right)
            return;
        part_run(&split->cpu);
        thrd_join(other, NULL);
        split->right = split->cpu.status == PM_OK && split->device.status == PM_OK;
    }
}

static bool part_is_right(const struct part *part) {
    return pm_match_verify(NULL, part->parens, part->n, part->to, NULL) == PM_OK;
}

/* Cuts a case's first input at a whole word; the device gets 1 / share of it. */
static void split_cut(const struct match_case *inputs, unsigned share, struct split *split) {
    const size_t first = (inputs->n - inputs->n / share) / 64 * 64;
    split->cpu.parens = inputs->parens, split->cpu.to = inputs->match, split->cpu.n = first;
    split->device.parens = inputs->parens + first / 64, split->device.to = inputs->match + first;
    split->device.n = inputs->n - first;
}

static enum outcome measure_share(const struct match_case *inputs, const struct backend *team, struct match_job *whole,
                                  unsigned share, unsigned copiers, struct split *split,
                                  const struct settings *settings) {
    char name[40];
    snprintf(name, sizeof name, "split:1/%u:%u", share, copiers);
    split_cut(inputs, share, split);
    struct result result = {.suite = "split",
                            .backend = name,
                            .simd = team->simd,
                            .kind = inputs->family,
                            .floor = team->name,
                            .n = inputs->n,
                            .threads = settings->threads};
    split->right = true;
    result.times = timing_pairs(settings->sampling, match_job_action(whole), (struct action){split_run, split}, NULL);
    split_run(split, 1); /* so that the last output is its own */
    result.verified = split->right && part_is_right(&split->cpu) && part_is_right(&split->device);
    return report_result(&result);
}

static bool backend_find(const char *name, const struct settings *settings, struct backend *backend) {
    for (size_t b = 0; backend_at(b, backend); b++)
        if (strcmp(backend->name, name) == 0 &&
            (!settings->simd || backend->device || strcmp(backend->simd, settings->simd) == 0))
            return true;
    return false;
}

/* With `copiers` threads that copy. */
static enum outcome run_copiers(const struct match_case *inputs, const struct backend *team, struct match_job *whole,
                                unsigned copiers, const struct settings *settings) {
    struct backend gpu;
    if (!backend_find("gpu", settings, &gpu))
        return OUTCOME_FAILED;
    struct split split = {.cpu = {.match = team->match}, .device = {.match = gpu.match}};
    enum outcome outcome = OUTCOME_FAILED;
    if (backend_context_create(team, settings->threads - copiers, settings, &split.cpu.context) == PM_OK &&
        backend_context_create(&gpu, copiers, settings, &split.device.context) == PM_OK) {
        outcome = OUTCOME_VERIFIED;
        for (unsigned share = 2; share <= 1u << SHARES; share *= 2)
            outcome = outcome_worse(outcome, measure_share(inputs, team, whole, share, copiers, &split, settings));
    }
    pm_context_destroy(split.cpu.context);
    pm_context_destroy(split.device.context);
    return outcome;
}

static enum outcome split_case(const struct suite *suite, const struct settings *settings, const char *family,
                               size_t n) {
    (void)suite;
    struct backend team;
    struct match_case inputs;
    pm_context *context = NULL;
    if (!backend_find("omp", settings, &team) || !match_case_create(&inputs, n))
        return OUTCOME_FAILED;
    enum outcome outcome = OUTCOME_FAILED;
    if (match_case_fill(&inputs, family, settings->seed) &&
        backend_context_create(&team, settings->threads, settings, &context) == PM_OK) {
        struct match_job whole = match_job_make(&inputs, &team, context);
        outcome = OUTCOME_VERIFIED;
        for (unsigned copiers = 1; copiers < settings->threads && outcome != OUTCOME_FAILED; copiers *= 2)
            outcome = outcome_worse(outcome, run_copiers(&inputs, &team, &whole, copiers, settings));
    }
    pm_context_destroy(context);
    match_case_destroy(&inputs);
    return outcome;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    struct backend gpu;
    if (!backend_find("gpu", settings, &gpu) || !backend_wanted(&gpu, settings))
        return OUTCOME_VERIFIED; /* a device is used only if it is named */
    if (settings->threads < 2) {
        fprintf(stderr, "pm_bench: suite split needs at least two threads (--threads)\n");
        return OUTCOME_FAILED;
    }
    return suite_run_cases(suite, settings, split_case);
}

const struct suite suite_split = {
    .name = "split",
    .description = "one sequence shared between CPU and device, or by the CPU alone; with --backend gpu",
    .families = {1, {"bits"}},
    .sizes = {2, {1u << 24, 1u << 28}},
    .run = run};
