/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite find: every engine that suits the patterns, with its hits stored, beside reading the text; the best one with
 * several threads, and for hits that do not overlap; and what others take (bench/find_peers.h), which only count.
 * An element is a byte, so GB/s are 1 / ns_per_element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buffers.h"
#include "bench/find_inputs.h"
#include "bench/find_peers.h"
#include "bench/floors.h"
#include "bench/report.h"
#include "bench/suite.h"
#include "parenmatch.h"

/* A text, and the oracle's hits, which everything else must find. */
struct find_job {
    struct find_input input;
    pm_dict *dict;
    pm_hit *expected, *hits; /* room for all occurrences */
    size_t room;

    size_t n;          /* what is searched: so many bytes, */
    pm_find_kind kind; /* for these hits, */
    size_t count;      /* of which there are so many: */

    pm_context *context;          /* by the library, */
    const char *engine;           /* with this engine, NULL: the best; */
    const struct find_peer *peer; /* or, unless it is NULL, by this */
    void *made;
    bool held; /* every call so far was right */
};

/* Asks the oracle for the hits of a kind in the first n bytes. */
static bool job_expect(struct find_job *job, size_t n, pm_find_kind kind) {
    const pm_find_options options = {.kind = kind, .engine = "automaton"};
    job->n = n;
    job->kind = kind;
    return pm_find_with(NULL, job->dict, &options, job->input.text, n, job->expected, job->room, &job->count) == PM_OK;
}

static void run_find(void *user, size_t calls) {
    struct find_job *const job = user;
    const pm_find_options options = {.kind = job->kind, .engine = job->engine};
    for (size_t c = 0; c < calls; c++) {
        size_t found = 0;
        job->held &= pm_find_with(job->context, job->dict, &options, job->input.text, job->n, job->hits, job->count,
                                  &found) == PM_OK &&
                     found == job->count;
    }
}

static void check_hits(void *user) {
    struct find_job *const job = user;
    job->held &= memcmp(job->hits, job->expected, job->count * sizeof *job->hits) == 0;
    memset(job->hits, 0, job->count * sizeof *job->hits);
}

static void run_peer(void *user, size_t calls) {
    struct find_job *const job = user;
    for (size_t c = 0; c < calls; c++)
        job->held &= job->peer->count(job->made, job->input.text, job->n) == job->count;
}

static void check_nothing(void *user) {
    (void)user; /* the calls check themselves */
}

static bool job_create(struct find_job *job, const char *kind, const struct settings *settings, size_t n) {
    *job = (struct find_job){.held = false};
    if (!find_input_create(kind, settings->seed, n, &job->input))
        return false;
    const struct find_input *const input = &job->input;
    if (pm_dict_create(NULL, input->patterns, input->lengths, input->count, 0, &job->dict) != PM_OK ||
        pm_find_seq(NULL, job->dict, input->text, n, NULL, 0, &job->room) != PM_OK)
        return false;
    job->expected = buffer_create((job->room + 1) * sizeof *job->expected);
    job->hits = buffer_create((job->room + 1) * sizeof *job->hits);
    return job->expected && job->hits && job_expect(job, n, PM_FIND_ALL);
}

static void job_destroy(struct find_job *job) {
    find_input_destroy(&job->input);
    pm_dict_destroy(job->dict);
    free(job->expected);
    free(job->hits);
}

static enum outcome time_one(const struct suite *suite, const struct settings *settings, const char *kind,
                             struct find_job *job, const char *name, unsigned threads) {
    struct floor_job read = {.floor = floor_named("read"), .held = true};
    read.block.from = job->input.text;
    read.block.size = job->n - job->n % 4;
    read.block.threads = threads;
    job->held = true;
    const struct action subject = {job->peer ? run_peer : run_find, job};
    const struct result result = {
        .times = timing_pairs(settings->sampling, floor_action(&read), subject, job->peer ? check_nothing : check_hits),
        .suite = suite->name,
        .backend = name,
        .simd = settings->simd ? settings->simd : "best",
        .kind = kind,
        .floor = read.floor->name,
        .n = job->n,
        .threads = threads,
        .verified = job->held};
    report_result(&result);
    return result.verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

/* The engine, NULL for the best, on so many threads; nothing where it does not suit. */
static enum outcome time_engine(const struct suite *suite, const struct settings *settings, const char *kind,
                                struct find_job *job, const char *engine, unsigned threads) {
    const pm_options context_options = {.simd = settings->simd, .threads = threads};
    const pm_find_options options = {.engine = engine};
    size_t found;
    enum outcome outcome = OUTCOME_FAILED;
    if (pm_context_create(&context_options, &job->context) != PM_OK)
        return outcome;
    job->engine = engine;
    const pm_status status = pm_find_with(job->context, job->dict, &options, NULL, 0, NULL, 0, &found);
    if (status == PM_UNSUPPORTED)
        outcome = OUTCOME_VERIFIED;
    else if (status == PM_OK)
        outcome = time_one(suite, settings, kind, job, engine ? engine : threads > 1 ? "omp" : "auto", threads);
    if (status == PM_OK && !engine && threads == 1 && outcome != OUTCOME_FAILED) {
        outcome = job_expect(job, job->n, PM_FIND_LEFTMOST_LONGEST)
                      ? outcome_worse(outcome, time_one(suite, settings, kind, job, "auto/leftmost", threads))
                      : OUTCOME_FAILED;
        if (!job_expect(job, job->n, PM_FIND_ALL))
            outcome = OUTCOME_FAILED;
    }
    pm_context_destroy(job->context);
    return outcome;
}

/* A peer, on as much of the text as it is asked for; nothing where it cannot, or would take too long. */
static enum outcome time_peer(const struct suite *suite, const struct settings *settings, const char *kind,
                              struct find_job *job) {
    const struct find_peer *const peer = job->peer;
    const size_t all = job->input.n, n = peer->bytes > 0 && peer->bytes < all ? peer->bytes : all;
    enum outcome outcome = OUTCOME_VERIFIED;
    if (peer->patterns > 0 && job->input.count > peer->patterns)
        return outcome;
    job->made = peer->create(&job->input, n);
    if (job->made)
        outcome = job_expect(job, n, peer->kind) ? time_one(suite, settings, kind, job, peer->name, 1) : OUTCOME_FAILED;
    peer->destroy(job->made);
    return outcome;
}

static enum outcome time_peers(const struct suite *suite, const struct settings *settings, const char *kind,
                               struct find_job *job) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t p = 0; worst != OUTCOME_FAILED && (job->peer = find_peer_at(p)); p++)
        worst = outcome_worse(worst, time_peer(suite, settings, kind, job));
    job->peer = NULL;
    return worst;
}

static enum outcome time_case(const struct suite *suite, const struct settings *settings, const char *kind, size_t n) {
    struct find_job job;
    enum outcome worst = job_create(&job, kind, settings, n) ? OUTCOME_VERIFIED : OUTCOME_FAILED;
    if (worst != OUTCOME_FAILED)
        worst = time_engine(suite, settings, kind, &job, NULL, 1);
    if (worst != OUTCOME_FAILED && settings->threads > 1)
        worst = outcome_worse(worst, time_engine(suite, settings, kind, &job, NULL, settings->threads));
    for (size_t e = 0; worst != OUTCOME_FAILED && pm_find_engine_name(e); e++)
        worst = outcome_worse(worst, time_engine(suite, settings, kind, &job, pm_find_engine_name(e), 1));
    if (worst != OUTCOME_FAILED)
        worst = outcome_worse(worst, time_peers(suite, settings, kind, &job));
    job_destroy(&job);
    return worst;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    return suite_run_cases(suite, settings, time_case);
}

const struct suite suite_find = {.name = "find",
                                 .description = "many patterns in a text, beside reading it; elements are bytes",
                                 .families = {5, {"names", "words:100", "words:1000", "words:10000", "tags"}},
                                 .sizes = {1, {1u << 25}},
                                 .run = run};
