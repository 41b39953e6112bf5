/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite bp: queries on a long sequence, as in the table of Vigna's paper: random strings of Arnold and Sleep, twisted
 * deeper and deeper; stored arguments in random order. An element is a query here, so ns_per_element is the time of
 * one, and `length` is that of the sequence. Each query is timed with arguments known beforehand; as NAME/chain, with
 * arguments that depend on the last answer; and as NAME/many if there is a function for that. Building the index is
 * timed as well; there an element is a parenthesis.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "bench/peers/bp_peers.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"
#include "parenmatch.h"

#define QUERIES_MOST 1000000u
#define QUERIES_AN_ELEMENT 1000u /* at most: enough for what is small */

static const struct bp_peer *const peers[] = {
    &bp_peer_library,
    &bp_peer_view,
    &bp_peer_pioneers,
#ifdef PM_BENCH_SDSL
    &bp_peer_sada,
#endif
};

static const char *const query_names[BP_QUERIES] = {"find_close", "find_open", "enclose", "rank", "select", "excess"};

#define PEERS (sizeof peers / sizeof *peers)
#define NAME_SIZE 64u /* of a line's name: what it does, the index, how */

static const char building[] = "build";
static const char *const suffixes[] = {"", "/chain", "/many"};

static void name_line(char *name, const char *what, const struct bp_peer *peer, const char *suffix) {
    snprintf(name, NAME_SIZE, "%s/%s%s", what, peer->name, suffix);
}

static bool is_line_of(const char *name, const char *what, const struct bp_peer *peer) {
    for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
        char line[NAME_SIZE];
        name_line(line, what, peer, suffixes[s]);
        if (strcmp(name, line) == 0)
            return true;
    }
    return false;
}

static bool names_peer(const char *name, const struct bp_peer *peer) {
    bool found = strcmp(name, peer->name) == 0 || is_line_of(name, building, peer);
    for (enum bp_query kind = 0; kind < BP_QUERIES; kind++)
        found |= is_line_of(name, query_names[kind], peer);
    return found;
}

bool suite_bp_knows(const char *name) {
    for (size_t p = 0; p < PEERS; p++)
        if (names_peer(name, peers[p]))
            return true;
    return false;
}

/* Is an index asked for, or any of its lines; and one of its lines? */
static bool peer_wanted(const struct settings *settings, const struct bp_peer *peer) {
    for (size_t b = 0; b < settings->backends.count; b++)
        if (names_peer(settings->backends.names[b], peer))
            return true;
    return settings->backends.count == 0;
}

static bool line_wanted(const struct settings *settings, const struct bp_peer *peer, const char *name) {
    return name_list_wants(&settings->backends, name) || name_list_wants(&settings->backends, peer->name);
}

/* ---- A sequence, and queries at random places with the right answers, from the match of the whole ---- */

struct bp_queries {
    uint64_t *parens;
    size_t n, count;                                        /* elements; queries of each kind */
    uint64_t *arguments[BP_QUERIES], *expected[BP_QUERIES]; /* in random order */
    uint64_t *answers;                                      /* room for them */
};

static uint64_t wide(uint32_t index) {
    return index == PM_NONE ? PM_BP_NONE : index;
}

static bool is_open(const struct bp_queries *queries, uint64_t i) {
    return queries->parens[i / 64] >> i % 64 & 1;
}

/* Chooses arguments, and finds the answers; `before` counts the opens before each word. */
static void ask(struct bp_queries *queries, uint64_t seed, const uint32_t *match, const uint32_t *partner,
                const uint32_t *before) {
    for (size_t q = 0; q < queries->count; q++) {
        uint64_t i = random_below(&seed, queries->n), open = i;
        while (!is_open(queries, open) || partner[open] == PM_NONE)
            open = random_below(&seed, queries->n);
        const uint64_t earlier = queries->parens[i / 64] & ((UINT64_C(1) << i % 64) - 1);
        const uint64_t rank = before[i / 64] + (uint64_t)__builtin_popcountll(earlier);
        const uint64_t earlier_open = queries->parens[open / 64] & ((UINT64_C(1) << open % 64) - 1);
        const uint64_t k = before[open / 64] + (uint64_t)__builtin_popcountll(earlier_open);
        const uint64_t asked[BP_QUERIES][2] = {
            [BP_FIND_CLOSE] = {open, wide(partner[open])},
            [BP_FIND_OPEN] = {wide(partner[open]), open},
            [BP_ENCLOSE] = {open, wide(match[open])},
            [BP_RANK] = {i, rank},
            [BP_SELECT] = {k, open},
            [BP_EXCESS] = {i, 2 * (rank + is_open(queries, i)) - i - 1},
        };
        for (size_t kind = 0; kind < BP_QUERIES; kind++) {
            queries->arguments[kind][q] = asked[kind][0];
            queries->expected[kind][q] = asked[kind][1];
        }
    }
}

static bool find_answers(struct bp_queries *queries, uint64_t seed) {
    const size_t n = queries->n, words = (n + 63) / 64;
    uint32_t *const match = malloc(n * sizeof *match), *const partner = malloc(n * sizeof *partner);
    uint32_t *const before = malloc(words * sizeof *before);
    bool found = match && partner && before;
    if (found) {
        uint32_t opens = 0;
        for (size_t w = 0; w < words; opens += (uint32_t)__builtin_popcountll(queries->parens[w++]))
            before[w] = opens;
        pm_bic total;
        found = pm_match_auto(NULL, queries->parens, n, match, &total) == PM_OK &&
                pm_match_verify(NULL, queries->parens, n, match, NULL) == PM_OK &&
                pm_forest_partner(NULL, queries->parens, n, match, partner) == PM_OK &&
                total.open < pm_forest_count(queries->parens, n); /* some open has a close */
    }
    if (found)
        ask(queries, seed, match, partner, before);
    free(match);
    free(partner);
    free(before);
    return found;
}

static void bp_queries_destroy(struct bp_queries *queries) {
    for (size_t kind = 0; kind < BP_QUERIES; kind++) {
        free(queries->arguments[kind]);
        free(queries->expected[kind]);
    }
    free(queries->answers);
    free(queries->parens);
}

/* False, after a line on standard error, when there is no memory or no such family, or nothing to ask. */
static bool bp_queries_create(struct bp_queries *queries, const char *family, uint64_t seed, size_t n, size_t count) {
    *queries = (struct bp_queries){.n = n, .count = count};
    queries->parens = buffer_create((n / 64 + 1) * sizeof *queries->parens);
    bool created = queries->parens && (queries->answers = buffer_create(count * sizeof *queries->answers));
    for (size_t kind = 0; kind < BP_QUERIES; kind++) {
        queries->arguments[kind] = buffer_create(count * sizeof **queries->arguments);
        queries->expected[kind] = malloc(count * sizeof **queries->expected);
        created = created && queries->arguments[kind] && queries->expected[kind];
    }
    if (created && n > 0 && family_fill(family, seed, n, queries->parens) && find_answers(queries, seed))
        return true;
    fprintf(stderr, "pm_bench: no queries on %zu elements of '%s'\n", n, family);
    bp_queries_destroy(queries);
    return false;
}

/* Does the index answer all queries of the kind, one at a time and, if it can, together? */
static bool bp_queries_verify(const struct bp_queries *queries, const struct bp_peer *peer, const void *index,
                              enum bp_query kind) {
    const uint64_t *const arguments = queries->arguments[kind], *const expected = queries->expected[kind];
    for (size_t q = 0; q < queries->count; q++)
        if (peer->answer[kind](index, arguments[q]) != expected[q])
            return false;
    if (!peer->answer_many[kind])
        return true;
    peer->answer_many[kind](index, arguments, queries->count, queries->answers);
    return memcmp(queries->answers, expected, queries->count * sizeof *expected) == 0;
}

/* ---- Loops ---- */

/* Queries of one kind to be put to an index. */
struct bp_job {
    const struct bp_queries *queries;
    enum bp_query kind;
    const void *index;
    bp_loop *loop;
    bp_answer_many *answer_many;
    uint64_t sum; /* of the right answers */
    bool held;    /* has every call had that sum? */
};

/* A call that the compiler can neither remove nor merge with its neighbours. */
static void job_keep(struct bp_job *job, uint64_t sum) {
    job->held &= sum == job->sum;
    __asm__ volatile("" : : "r"(job) : "memory");
}

static void run_loop(void *user, size_t calls) {
    struct bp_job *const job = user;
    for (size_t c = 0; c < calls; c++)
        job_keep(job, job->loop(job->index, job->queries->arguments[job->kind], job->queries->count));
}

static void run_many(void *user, size_t calls) {
    struct bp_job *const job = user;
    uint64_t *const answers = job->queries->answers;
    for (size_t c = 0; c < calls; c++) {
        uint64_t sum = 0;
        job->answer_many(job->index, job->queries->arguments[job->kind], job->queries->count, answers);
        for (size_t q = 0; q < job->queries->count; q++)
            sum += answers[q];
        job_keep(job, sum);
    }
}

/* A call that computes nothing, and is not inlined. */
static bp_answer *volatile answer_nothing;

static uint64_t give_back(const void *index, uint64_t argument) {
    (void)index;
    return argument;
}

static uint64_t call_nothing(const void *index, const uint64_t *arguments, size_t count) {
    uint64_t sum = 0;
    bp_answer *const call = answer_nothing;
    for (size_t q = 0; q < count; q++)
        sum += call(index, arguments[q]);
    return sum;
}

static uint64_t sum_of(const uint64_t *values, size_t count) {
    uint64_t sum = 0;
    for (size_t q = 0; q < count; q++)
        sum += values[q];
    return sum;
}

/* What the lines of one index share. */
struct bp_case {
    const struct suite *suite;
    const struct settings *settings;
    const char *family;
    const struct bp_queries *queries;
    const struct bp_peer *peer;
    const void *index;
};

/* The instruction set asked for, or the best. */
static const char *simd_of(const struct settings *settings) {
    size_t best = 0;
    while (!pm_simd_at(best)->supported)
        best++;
    return settings->simd ? settings->simd : pm_simd_at(best)->name;
}

static struct result result_of(const struct bp_case *bp_case, const char *name, const char *floor) {
    const size_t n = bp_case->queries->n;
    return (struct result){.suite = bp_case->suite->name,
                           .backend = name,
                           .simd = bp_case->peer->simd ? bp_case->peer->simd : simd_of(bp_case->settings),
                           .kind = bp_case->family,
                           .floor = floor,
                           .n = bp_case->queries->count,
                           .length = n,
                           .index_bits = (double)bp_case->peer->size(bp_case->index) * 8 / (double)n,
                           .threads = 1};
}

static enum outcome time_queries(const struct bp_case *bp_case, enum bp_query kind, const char *suffix, bp_loop *loop,
                                 void (*run)(void *user, size_t calls), bool verified) {
    const struct bp_queries *const queries = bp_case->queries;
    char name[NAME_SIZE];
    name_line(name, query_names[kind], bp_case->peer, suffix);
    if (!line_wanted(bp_case->settings, bp_case->peer, name))
        return OUTCOME_VERIFIED;
    struct bp_job nothing = {.queries = queries,
                             .kind = kind,
                             .loop = call_nothing,
                             .sum = sum_of(queries->arguments[kind], queries->count),
                             .held = true};
    struct bp_job job = {.queries = queries,
                         .kind = kind,
                         .index = bp_case->index,
                         .loop = loop,
                         .answer_many = bp_case->peer->answer_many[kind],
                         .sum = sum_of(queries->expected[kind], queries->count),
                         .held = true};
    struct result result = result_of(bp_case, name, "call");
    result.times = timing_pairs(bp_case->settings->sampling, (struct action){run_loop, &nothing},
                                (struct action){run, &job}, NULL);
    result.verified = verified && job.held && nothing.held;
    return report_result(&result);
}

static enum outcome time_kinds(const struct bp_case *bp_case) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (enum bp_query kind = 0; kind < BP_QUERIES; kind++) {
        if (!bp_case->peer->answer[kind])
            continue;
        const bool verified = bp_queries_verify(bp_case->queries, bp_case->peer, bp_case->index, kind);
        const struct bp_peer *const peer = bp_case->peer;
        worst = outcome_worse(worst, time_queries(bp_case, kind, "", peer->apart[kind], run_loop, verified));
        worst = outcome_worse(worst, time_queries(bp_case, kind, "/chain", peer->chained[kind], run_loop, verified));
        if (peer->answer_many[kind])
            worst = outcome_worse(worst, time_queries(bp_case, kind, "/many", NULL, run_many, verified));
    }
    return worst;
}

/* Building; the floor is reading the sequence once. */
struct build_job {
    const struct bp_case *bp_case;
    bool held;
    uint64_t seen;
};

static void run_read(void *user, size_t calls) {
    struct build_job *const job = user;
    const struct bp_queries *const queries = job->bp_case->queries;
    for (size_t c = 0; c < calls; c++) {
        uint64_t seen = 0;
        for (size_t w = 0; w < queries->n / 64; w++)
            seen ^= queries->parens[w];
        job->seen = seen;
        __asm__ volatile("" : : "r"(job) : "memory");
    }
}

static void run_build(void *user, size_t calls) {
    struct build_job *const job = user;
    const struct bp_case *const bp_case = job->bp_case;
    for (size_t c = 0; c < calls; c++) {
        void *const index =
            bp_case->peer->create(bp_case->queries->parens, bp_case->queries->n, bp_case->settings->simd);
        job->held &= index != NULL;
        if (index)
            bp_case->peer->destroy(index);
    }
}

static enum outcome time_building(const struct bp_case *bp_case) {
    struct build_job read = {.bp_case = bp_case, .held = true}, job = read;
    char name[NAME_SIZE];
    name_line(name, building, bp_case->peer, "");
    if (!line_wanted(bp_case->settings, bp_case->peer, name))
        return OUTCOME_VERIFIED;
    struct result result = result_of(bp_case, name, "read");
    result.n = bp_case->queries->n;
    result.times = timing_pairs(bp_case->settings->sampling, (struct action){run_read, &read},
                                (struct action){run_build, &job}, NULL);
    result.verified = job.held;
    return report_result(&result);
}

static enum outcome time_index(struct bp_case *bp_case) {
    void *const index = bp_case->peer->create(bp_case->queries->parens, bp_case->queries->n, bp_case->settings->simd);
    if (!index) {
        fprintf(stderr, "pm_bench: no index '%s'\n", bp_case->peer->name);
        return OUTCOME_FAILED;
    }
    bp_case->index = index;
    const enum outcome built = bp_case->peer->built_by_another ? OUTCOME_VERIFIED : time_building(bp_case);
    const enum outcome outcome = outcome_worse(built, time_kinds(bp_case));
    bp_case->peer->destroy(index);
    return outcome;
}

static enum outcome time_family(const struct suite *suite, const struct settings *settings, const char *family,
                                size_t n) {
    struct bp_queries queries;
    const size_t count = n < QUERIES_MOST / QUERIES_AN_ELEMENT ? n * QUERIES_AN_ELEMENT : QUERIES_MOST;
    if (!bp_queries_create(&queries, family, settings->seed, n, count))
        return OUTCOME_FAILED;
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t p = 0; p < PEERS; p++) {
        if (!peer_wanted(settings, peers[p]))
            continue;
        struct bp_case bp_case = {suite, settings, family, &queries, peers[p], NULL};
        worst = outcome_worse(worst, time_index(&bp_case));
    }
    bp_queries_destroy(&queries);
    return worst;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    answer_nothing = give_back;
    return suite_run_cases(suite, settings, time_family);
}

const struct suite suite_bp = {.name = "bp",
                               .description = "queries on a long sequence; the floor is a call; elements are queries",
                               .families = {4, {"twist:1", "twist:.75", "twist:.5", "twist:.25"}},
                               .sizes = {5, {1u << 10, 1u << 16, 1u << 20, 1u << 24, 1u << 28}},
                               .run = run};
