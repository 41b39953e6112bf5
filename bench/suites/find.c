/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite find: the engine that is chosen, for all hits and for those that do not overlap, and every engine that suits
 * the patterns; several threads; making a dictionary; and the peers of bench/peers/find_peers.h, which only count. The
 * library stores its hits; samples are interleaved; the floor is reading the text. An element is a byte, so GB/s are
 * 1 / ns_per_element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/peers/find_peers.h"
#include "bench/report.h"
#include "bench/suites/find_inputs.h"
#include "bench/suites/suite.h"
#include "parenmatch.h"

static const struct find_peer *const peers[] = {
#ifdef PM_BENCH_HYPERSCAN
    &find_hyperscan,
#endif
#ifdef PM_BENCH_RE2
    &find_re2,
#endif
#ifdef PM_BENCH_STD_REGEX
    &find_std_regex,
#endif
#ifdef PM_BENCH_GREP
    &find_grep,
#endif
#ifdef PM_BENCH_RIPGREP
    &find_ripgrep,
#endif
    NULL, /* the end */
};

/* What a search must find, by the reference engine. */
struct wanted {
    size_t n; /* in the first n bytes */
    pm_find_kind kind;
    pm_hit *hits; /* NULL: they are only counted */
    size_t count;
};

/* A text, patterns, and room for their hits. */
struct find_job {
    const struct suite *suite;
    const struct settings *settings;
    const char *family;
    struct find_input input;
    pm_dict *dict;
    pm_context *one; /* thread, for the reference: more would compete for the CPUs of --pin while others are timed */
    struct wanted all, leftmost;
    pm_hit *hits; /* all.count */
};

/* One way to search. */
struct way {
    struct find_job *job;
    const struct wanted *wanted;
    const char *name;
    unsigned threads;
    pm_context *context;          /* by the library, */
    const char *engine;           /* with this engine, NULL: the best; */
    const struct find_peer *peer; /* or, unless it is NULL, by this */
    void *made;
    bool held; /* was every call right? */
};

/* ---- The reference ---- */

static bool wanted_count(const struct find_job *job, size_t n, pm_find_kind kind, struct wanted *wanted) {
    const pm_find_options options = {.kind = kind, .engine = "automaton"};
    *wanted = (struct wanted){.n = n, .kind = kind};
    return pm_find_with(job->one, job->dict, &options, job->input.text, n, NULL, 0, &wanted->count) == PM_OK;
}

static bool wanted_find(const struct find_job *job, size_t n, pm_find_kind kind, struct wanted *wanted) {
    const pm_find_options options = {.kind = kind, .engine = "automaton"};
    if (!wanted_count(job, n, kind, wanted))
        return false;
    wanted->hits = buffer_create((wanted->count + 1) * sizeof *wanted->hits);
    return wanted->hits && pm_find_with(job->one, job->dict, &options, job->input.text, n, wanted->hits, wanted->count,
                                        &wanted->count) == PM_OK;
}

static bool job_create(struct find_job *job, size_t n) {
    if (!find_input_create(job->family, job->settings->seed, n, &job->input))
        return false;
    const struct find_input *const input = &job->input;
    if (pm_context_create(&(pm_options){.threads = 1}, &job->one) != PM_OK ||
        pm_dict_create(NULL, input->patterns, input->lengths, input->count, 0, &job->dict) != PM_OK ||
        !wanted_find(job, n, PM_FIND_ALL, &job->all) || !wanted_find(job, n, PM_FIND_LEFTMOST_LONGEST, &job->leftmost))
        return false;
    job->hits = buffer_create((job->all.count + 1) * sizeof *job->hits);
    return job->hits != NULL;
}

static void job_destroy(struct find_job *job) {
    find_input_destroy(&job->input);
    pm_dict_destroy(job->dict);
    pm_context_destroy(job->one);
    free(job->all.hits);
    free(job->leftmost.hits);
    free(job->hits);
}

/* ---- Ways ---- */

/* Names of ways that are not an engine's or a peer's. */
static const char chosen[] = "auto", chosen_leftmost[] = "auto/leftmost", threaded[] = "omp", building[] = "dict";

static void run_find(void *user, size_t calls) {
    struct way *const way = user;
    struct find_job *const job = way->job;
    const struct wanted *const wanted = way->wanted;
    const pm_find_options options = {.kind = wanted->kind, .engine = way->engine};
    for (size_t c = 0; c < calls; c++) {
        size_t found = 0;
        way->held &= pm_find_with(way->context, job->dict, &options, job->input.text, wanted->n, job->hits,
                                  wanted->count, &found) == PM_OK &&
                     found == wanted->count;
    }
}

static void check_hits(void *user) {
    struct way *const way = user;
    const size_t size = way->wanted->count * sizeof *way->job->hits;
    way->held &= memcmp(way->job->hits, way->wanted->hits, size) == 0;
    memset(way->job->hits, 0, size);
}

static void run_peer(void *user, size_t calls) {
    struct way *const way = user;
    for (size_t c = 0; c < calls; c++)
        way->held &= way->peer->count(way->made, way->job->input.text, way->wanted->n) == way->wanted->count;
}

/* Interleaves ways that have equal numbers of threads; each searches as many bytes as the first. */
static enum outcome time_ways(struct way *ways, unsigned count) {
    const struct find_job *const job = ways[0].job;
    const size_t n = ways[0].wanted->n;
    struct pair_turn turns[TURNS_MOST];
    struct floor_job read = floor_job_make("read", NULL, job->input.text, n, ways[0].threads);
    for (unsigned w = 0; w < count; w++) {
        ways[w].held = true;
        turns[w] = (struct pair_turn){.subject = {ways[w].peer ? run_peer : run_find, &ways[w]},
                                      .check = ways[w].peer ? NULL : check_hits};
    }
    timing_pairs_interleaved(job->settings->sampling, floor_action(&read), turns, count);
    enum outcome worst = OUTCOME_VERIFIED;
    for (unsigned w = 0; w < count; w++) {
        const struct result result = {.times = turns[w].times,
                                      .suite = job->suite->name,
                                      .backend = ways[w].name,
                                      .simd = job->settings->simd ? job->settings->simd : "best",
                                      .kind = job->family,
                                      .floor = read.floor->name,
                                      .n = n,
                                      .threads = ways[w].threads,
                                      .verified = ways[w].held};
        worst = outcome_worse(worst, report_result(&result));
    }
    return worst;
}

bool suite_find_knows(const char *name) {
    if (strcmp(name, chosen) == 0 || strcmp(name, chosen_leftmost) == 0 || strcmp(name, threaded) == 0 ||
        strcmp(name, building) == 0)
        return true;
    for (size_t e = 0; pm_find_engine_at(e); e++)
        if (strcmp(name, pm_find_engine_at(e)->name) == 0)
            return true;
    for (size_t p = 0; peers[p]; p++)
        if (strcmp(name, peers[p]->name) == 0)
            return true;
    return false;
}

static bool is_asked_for(const struct find_job *job, const char *name) {
    return name_list_wants(&job->settings->backends, name);
}

/* ---- The library ---- */

/* Adds the engine if it suits the patterns and is wanted. */
static enum outcome add_engine(struct find_job *job, pm_context *context, const char *engine, struct way *ways,
                               unsigned *count) {
    const pm_find_options options = {.engine = engine};
    size_t found;
    if (!is_asked_for(job, engine))
        return OUTCOME_VERIFIED;
    const pm_status status = pm_find_with(context, job->dict, &options, NULL, 0, NULL, 0, &found);
    if (status == PM_OK && *count < TURNS_MOST)
        ways[(*count)++] = (struct way){
            .job = job, .wanted = &job->all, .name = engine, .threads = 1, .context = context, .engine = engine};
    return status == PM_OK || status == PM_UNSUPPORTED ? OUTCOME_VERIFIED : OUTCOME_FAILED;
}

static enum outcome time_one_thread(struct find_job *job) {
    const pm_options options = {.simd = job->settings->simd, .threads = 1};
    pm_context *context;
    struct way ways[TURNS_MOST];
    unsigned count = 0;
    enum outcome outcome = OUTCOME_VERIFIED;
    if (pm_context_create(&options, &context) != PM_OK)
        return OUTCOME_FAILED;
    if (is_asked_for(job, chosen))
        ways[count++] = (struct way){.job = job, .wanted = &job->all, .name = chosen, .threads = 1, .context = context};
    if (is_asked_for(job, chosen_leftmost))
        ways[count++] = (struct way){
            .job = job, .wanted = &job->leftmost, .name = chosen_leftmost, .threads = 1, .context = context};
    for (size_t e = 0; outcome != OUTCOME_FAILED && pm_find_engine_at(e); e++)
        outcome = add_engine(job, context, pm_find_engine_at(e)->name, ways, &count);
    if (outcome != OUTCOME_FAILED && count > 0)
        outcome = time_ways(ways, count);
    pm_context_destroy(context);
    return outcome;
}

static enum outcome time_threads(struct find_job *job) {
    const pm_options options = {.simd = job->settings->simd, .threads = job->settings->threads};
    struct way way = {.job = job, .wanted = &job->all, .name = threaded, .threads = options.threads};
    if (options.threads == 1 || !is_asked_for(job, way.name))
        return OUTCOME_VERIFIED;
    if (pm_context_create(&options, &way.context) != PM_OK)
        return OUTCOME_FAILED;
    const enum outcome outcome = time_ways(&way, 1);
    pm_context_destroy(way.context);
    return outcome;
}

/* ---- Dictionaries ---- */

/* Making a dictionary of the patterns. */
struct making {
    const struct find_input *input;
    bool held;
};

static void run_making(void *user, size_t calls) {
    struct making *const making = user;
    const struct find_input *const input = making->input;
    for (size_t c = 0; c < calls; c++) {
        pm_dict *dict = NULL;
        making->held &= pm_dict_create(NULL, input->patterns, input->lengths, input->count, 0, &dict) == PM_OK &&
                        pm_dict_count(dict) == input->count;
        pm_dict_destroy(dict);
    }
}

/* Elements are bytes of patterns; ns_per_call is the time of a dictionary. */
static enum outcome time_making(struct find_job *job) {
    struct making making = {.input = &job->input, .held = true};
    size_t n = 0;
    if (!is_asked_for(job, building))
        return OUTCOME_VERIFIED;
    for (size_t k = 0; k < making.input->count; k++)
        n += making.input->lengths[k];
    struct floor_job read = floor_job_make("read", NULL, job->input.text, n < job->input.n ? n : job->input.n, 1);
    const struct result result = {
        .times = timing_pairs(job->settings->sampling, floor_action(&read), (struct action){run_making, &making}, NULL),
        .suite = job->suite->name,
        .backend = building,
        .simd = "none",
        .kind = job->family,
        .floor = read.floor->name,
        .n = n,
        .threads = 1,
        .verified = making.held};
    return report_result(&result);
}

/* ---- Peers ---- */

/* Searches the bytes that the peer can do in time; skips what it cannot do. */
static enum outcome time_peer(struct find_job *job, const struct find_peer *peer) {
    const size_t all = job->input.n, n = peer->bytes > 0 && peer->bytes < all ? peer->bytes : all;
    if (!is_asked_for(job, peer->name) || (peer->patterns > 0 && job->input.count > peer->patterns))
        return OUTCOME_VERIFIED;
    struct wanted wanted;
    struct way way = {.job = job, .wanted = &wanted, .name = peer->name, .threads = 1, .peer = peer};
    enum outcome outcome = OUTCOME_VERIFIED;
    way.made = peer->create(&job->input, n);
    if (way.made)
        outcome = wanted_count(job, n, peer->kind, &wanted) ? time_ways(&way, 1) : OUTCOME_FAILED;
    peer->destroy(way.made);
    return outcome;
}

static enum outcome time_case(const struct suite *suite, const struct settings *settings, const char *family,
                              size_t n) {
    struct find_job job = {.suite = suite, .settings = settings, .family = family};
    enum outcome worst = job_create(&job, n) ? OUTCOME_VERIFIED : OUTCOME_FAILED;
    if (worst != OUTCOME_FAILED)
        worst = time_one_thread(&job);
    if (worst != OUTCOME_FAILED)
        worst = outcome_worse(worst, time_threads(&job));
    if (worst != OUTCOME_FAILED)
        worst = outcome_worse(worst, time_making(&job));
    for (size_t p = 0; worst != OUTCOME_FAILED && peers[p]; p++)
        worst = outcome_worse(worst, time_peer(&job, peers[p]));
    job_destroy(&job);
    return worst;
}

const struct suite suite_find = {.name = "find",
                                 .description = "many patterns in a text; the floor is reading it; elements are bytes",
                                 .families = {5, {"names", "words:100", "words:1000", "words:10000", "tags"}},
                                 .sizes = {1, {1u << 25}},
                                 .time_case = time_case};
