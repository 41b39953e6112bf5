/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite batch: many sequences in one call, and a call for each; the floor is one long match of all elements. Suite
 * keys: a stack for each key, and a hash table of stacks; the floor is the store.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"
#include "parenmatch.h"

struct inputs {
    size_t n, count; /* elements; sequences */
    uint64_t *parens, *offsets;
    uint32_t *keys, *match, *right;
};

static void inputs_destroy(struct inputs *inputs) {
    free(inputs->parens);
    free(inputs->offsets);
    free(inputs->keys);
    free(inputs->match);
    free(inputs->right);
}

static bool inputs_create(struct inputs *inputs, const char *family, uint64_t seed, size_t n) {
    *inputs = (struct inputs){.n = n,
                              .parens = buffer_create((n / 64 + 1) * sizeof(uint64_t)),
                              .offsets = buffer_create((n + 2) * sizeof(uint64_t)),
                              .keys = buffer_create((n + 1) * sizeof(uint32_t)),
                              .match = buffer_create((n + 1) * sizeof(uint32_t)),
                              .right = malloc((n + 1) * sizeof(uint32_t))};
    if (inputs->parens && inputs->offsets && inputs->keys && inputs->match && inputs->right &&
        family_fill(family, seed, n, inputs->parens))
        return true;
    fprintf(stderr, "pm_bench: cannot make %zu elements of family %s\n", n, family);
    inputs_destroy(inputs);
    return false;
}

struct subject {
    const char *name, *backend; /* as reported, and as asked for */
    pm_status (*run)(pm_context *context, const struct inputs *inputs);
};

struct job {
    const struct inputs *inputs;
    const struct subject *subject;
    pm_context *context;
    bool right;
};

static void job_run(void *user, size_t calls) {
    struct job *const job = user;
    for (size_t c = 0; c < calls; c++)
        job->right &= job->subject->run(job->context, job->inputs) == PM_OK;
}

static void job_check(void *user) {
    struct job *const job = user;
    job->right &= memcmp(job->inputs->match, job->inputs->right, job->inputs->n * sizeof(uint32_t)) == 0;
}

static enum outcome time_subject(const struct inputs *inputs, const struct subject *subject, struct action floor,
                                 const struct settings *settings, struct result result) {
    const bool team = strcmp(subject->backend, "omp") == 0;
    result.threads = team ? settings->threads : 1;
    const pm_options options = {.threads = result.threads, .simd = settings->simd};
    struct job job = {.inputs = inputs, .subject = subject, .right = true};
    if (pm_context_create(&options, &job.context) != PM_OK)
        return OUTCOME_FAILED;
    result.times = timing_pairs(settings->sampling, floor, (struct action){job_run, &job}, job_check);
    result.backend = subject->name;
    result.simd = settings->simd ? settings->simd : "best";
    result.n = inputs->n;
    result.verified = job.right;
    pm_context_destroy(job.context);
    return report_result(&result);
}

static enum outcome time_subjects(const struct inputs *inputs, const struct subject *subjects, size_t count,
                                  struct action floor, const struct settings *settings, struct result result) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < count && worst != OUTCOME_FAILED; s++)
        if (name_list_wants(&settings->backends, subjects[s].backend))
            worst = outcome_worse(worst, time_subject(inputs, &subjects[s], floor, settings, result));
    return worst;
}

/* ---- Many sequences ---- */

static pm_status run_broadword(pm_context *context, const struct inputs *in) {
    return pm_match_batch_broadword(context, in->parens, in->offsets, in->count, in->match, NULL);
}

static pm_status run_totals(pm_context *context, const struct inputs *in) {
    return pm_match_batch_broadword(context, in->parens, in->offsets, in->count, in->match, (pm_bic *)(void *)in->keys);
}

static pm_status run_omp(pm_context *context, const struct inputs *in) {
    return pm_match_batch_omp(context, in->parens, in->offsets, in->count, in->match, NULL);
}

static pm_status run_seq(pm_context *context, const struct inputs *in) {
    return pm_match_batch_seq(context, in->parens, in->offsets, in->count, in->match, NULL);
}

/* A call for each sequence, whose bits are moved to a word's beginning before. */
static pm_status run_each(pm_context *context, const struct inputs *in) {
    uint64_t *const words = (uint64_t *)(void *)in->keys;
    pm_status status = PM_OK;
    for (size_t s = 0; s < in->count && status == PM_OK; s++) {
        const size_t first = in->offsets[s], n = in->offsets[s + 1] - first, shift = first % 64;
        const uint64_t *const from = in->parens + first / 64;
        for (size_t w = 0; w * 64 < n; w++)
            words[w] = from[w] >> shift | (shift + n - 64 * w > 64 ? from[w + 1] << 1 << (63 - shift) : 0);
        status = pm_match_auto(context, words, n, in->match + first, NULL);
    }
    return status;
}

static const struct subject batch_subjects[] = {{"batch/broadword", "broadword", run_broadword},
                                                {"batch/totals", "broadword", run_totals},
                                                {"batch/omp", "omp", run_omp},
                                                {"each/auto", "auto", run_each},
                                                {"batch/seq", "seq", run_seq}};

static void long_match(void *user, size_t calls) {
    const struct job *const job = user;
    for (size_t c = 0; c < calls; c++)
        pm_match_broadword(job->context, job->inputs->parens, job->inputs->n, job->inputs->match, NULL);
}

/* Lengths of 0: as records have them, most short, few long. */
static void cut(struct inputs *inputs, size_t length, uint64_t seed) {
    size_t count = 0;
    for (uint64_t at = 0; at < inputs->n;) {
        static const unsigned mixed[] = {1, 30, 30, 200, 200, 5000};
        inputs->offsets[count++] = at;
        at += length > 0 ? length : random_below(&seed, mixed[random_below(&seed, 6)]);
    }
    inputs->offsets[count] = inputs->n;
    inputs->count = count;
}

static enum outcome batch_case(const struct suite *suite, const struct settings *settings, const char *family,
                               size_t n) {
    static const size_t lengths[] = {8, 64, 1000, 0};
    struct inputs inputs;
    if (!inputs_create(&inputs, family, settings->seed, n))
        return OUTCOME_FAILED;
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths && worst != OUTCOME_FAILED; l++) {
        char kind[64];
        snprintf(kind, sizeof kind, lengths[l] ? "%s/%zu" : "%s/mixed", family, lengths[l]);
        cut(&inputs, lengths[l], settings->seed);
        pm_match_batch_seq(NULL, inputs.parens, inputs.offsets, inputs.count, inputs.right, NULL);
        struct job whole = {.inputs = &inputs};
        const struct result result = {.suite = suite->name, .kind = kind, .floor = "long"};
        worst =
            outcome_worse(worst, time_subjects(&inputs, batch_subjects, sizeof batch_subjects / sizeof *batch_subjects,
                                               (struct action){long_match, &whole}, settings, result));
    }
    inputs_destroy(&inputs);
    return worst;
}

const struct suite suite_batch = {.name = "batch",
                                  .description = "many sequences in one call; the floor is one long match",
                                  .families = {1, {"bits"}},
                                  .sizes = {2, {1u << 16, 1u << 24}},
                                  .time_case = batch_case};

/* ---- Stacks by key ---- */

static pm_status run_keys(pm_context *context, const struct inputs *in) {
    return pm_match_keys(context, in->parens, in->keys, sizeof *in->keys, in->n, in->match);
}

/* What one would write without the library: a hash table of tops, by linear probing. It has twice as many places as
 * there are keys, at least. */
#define PLACES_BITS 18u

static pm_status run_hash(pm_context *context, const struct inputs *in) {
    (void)context;
    static uint32_t key[1u << PLACES_BITS], top[1u << PLACES_BITS];
    memset(key, 0xff, sizeof key);
    for (size_t i = 0; i < in->n; i++) {
        uint32_t place = in->keys[i] * UINT32_C(0x9e3779b1) >> (32 - PLACES_BITS);
        while (key[place] != in->keys[i]) {
            if (key[place] == UINT32_MAX) {
                key[place] = in->keys[i];
                top[place] = PM_NONE;
                break;
            }
            place = (place + 1) % (1u << PLACES_BITS);
        }
        in->match[i] = top[place];
        if (in->parens[i / 64] >> i % 64 & 1)
            top[place] = (uint32_t)i;
        else if (top[place] != PM_NONE)
            top[place] = in->match[top[place]];
    }
    return PM_OK;
}

static const struct subject keys_subjects[] = {{"keys", "auto", run_keys}, {"keys/hash", "seq", run_hash}};

/* `spread` multiplies the keys, so that they are many times as large as there are. */
static enum outcome keys_kind(const struct suite *suite, const struct settings *settings, const char *family,
                              struct inputs *inputs, uint32_t keys, uint32_t spread) {
    char kind[64];
    snprintf(kind, sizeof kind, spread > 1 ? "%s/%u/spread" : "%s/%u", family, keys);
    uint64_t seed = settings->seed;
    for (size_t i = 0; i < inputs->n; i++)
        inputs->keys[i] = (uint32_t)random_below(&seed, keys) * spread;
    run_hash(NULL, inputs);
    memcpy(inputs->right, inputs->match, inputs->n * sizeof *inputs->right);
    struct floor_job store = floor_job_make("store", inputs->match, NULL, inputs->n * sizeof *inputs->match, 1);
    const struct result result = {.suite = suite->name, .kind = kind, .floor = "store"};
    return time_subjects(inputs, keys_subjects, sizeof keys_subjects / sizeof *keys_subjects, floor_action(&store),
                         settings, result);
}

static enum outcome keys_case(const struct suite *suite, const struct settings *settings, const char *family,
                              size_t n) {
    static const uint32_t kinds[][2] = {{2, 1}, {8, 1}, {1000, 1}, {1000, 4000037}, {60000, 1}};
    struct inputs inputs;
    if (!inputs_create(&inputs, family, settings->seed, n))
        return OUTCOME_FAILED;
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && worst != OUTCOME_FAILED; k++)
        worst = outcome_worse(worst, keys_kind(suite, settings, family, &inputs, kinds[k][0], kinds[k][1]));
    inputs_destroy(&inputs);
    return worst;
}

const struct suite suite_keys = {.name = "keys",
                                 .description = "a stack for each of 2 to 60,000 keys; the floor is the store",
                                 .families = {1, {"bits"}},
                                 .sizes = {2, {1u << 16, 1u << 24}},
                                 .time_case = keys_case};
