/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite word: the queries inside one word, as each peer answers them; the floor is a call that computes nothing. An
 * element is a word here, so ns_per_element is the time of a query. Each is timed twice: with words known beforehand,
 * so that a processor works on several at once; and, as NAME/chain, with words that depend on the last answer, as in a
 * walk through a tree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "bench/peers/word_peers.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "bench/suites/texts.h"
#include "inputs/families.h"

/* Words, and for each a number below 64. */
struct word_block {
    size_t count;
    uint64_t *words;
    uint8_t *arguments;
};

/* A query on all words. */
struct word_job {
    const struct word_block *block;
    word_query *answer;
    uint64_t sum; /* of the right answers */
    bool held;    /* has every call had that sum? */
};

/* A call that the compiler can neither remove nor merge with its neighbours, even over no words at all. */
static void job_keep(const struct word_job *job) {
    __asm__ volatile("" : : "r"(job) : "memory");
}

static void run_apart(void *user, size_t calls) {
    struct word_job *job = user;
    const struct word_block *block = job->block;
    word_query *const answer = job->answer;
    for (size_t c = 0; c < calls; c++) {
        uint64_t sum = 0;
        for (size_t w = 0; w < block->count; w++)
            sum += (uint64_t)answer(block->words[w], block->arguments[w]);
        job->held &= sum == job->sum;
        job_keep(job);
    }
}

/* An answer, -1 ... 64, shifted by eight bits is 0, but the processor has to wait for it. */
static void run_chained(void *user, size_t calls) {
    struct word_job *job = user;
    const struct word_block *block = job->block;
    word_query *const answer = job->answer;
    for (size_t c = 0; c < calls; c++) {
        uint64_t sum = 0, nothing = 0;
        for (size_t w = 0; w < block->count; w++) {
            const uint64_t got = (uint64_t)answer(block->words[w] ^ nothing, block->arguments[w]);
            nothing = (got + 1) >> 8;
            sum += got;
        }
        job->held &= sum == job->sum;
        job_keep(job);
    }
}

static const struct {
    const char *suffix; /* of the peer's name */
    void (*run)(void *user, size_t calls);
} modes[] = {{"", run_apart}, {"/chain", run_chained}};

/* The brackets of a text, repeated as needed. */
static bool fill_from_text(const char *kind, uint64_t seed, struct word_block *block) {
    enum {
        BYTES_A_BRACKET = 24 /* enough of every text that is made */
    };
    struct text text;
    if (!text_create(kind, seed, block->count * 64 * BYTES_A_BRACKET, &text))
        return false;
    const size_t most = block->count * 64;
    size_t found = 0;
    const bool filled = pm_text_brackets(NULL, text.language, NULL, text.bytes, text.n, most, block->words, NULL, NULL,
                                         &found) == PM_OK;
    free(text.bytes);
    const size_t whole = (found < most ? found : most) / 64;
    for (size_t w = whole; whole > 0 && w < block->count; w++)
        block->words[w] = block->words[w - whole];
    return filled && (whole > 0 || block->count == 0);
}

static bool block_create(struct word_block *block, const char *kind, uint64_t seed, size_t count) {
    block->count = count;
    block->words = buffer_create((count + 1) * sizeof *block->words);
    block->arguments = buffer_create(count + 1);
    if (!block->words || !block->arguments) {
        fprintf(stderr, "pm_bench: no memory for %zu words\n", count);
        return false;
    }
    if (text_is_made(kind) ? fill_from_text(kind, seed, block) : family_fill(kind, seed, count * 64, block->words))
        return true;
    fprintf(stderr, "pm_bench: no words of '%s'\n", kind);
    return false;
}

static void block_destroy(struct word_block *block) {
    free(block->words);
    free(block->arguments);
}

/* The first open at or after `from`, round the end; `from` if the word has no open. */
static unsigned open_after(uint64_t x, unsigned from) {
    for (unsigned step = 0; step < 64; step++)
        if (x >> (from + step) % 64 & 1)
            return (from + step) % 64;
    return from;
}

static void block_choose_arguments(struct word_block *block, enum word_argument argument, uint64_t seed) {
    for (size_t w = 0; w < block->count; w++) {
        const uint64_t x = block->words[w];
        const unsigned element = (unsigned)random_below(&seed, 64), count = (unsigned)pm_word_far_close_count(x);
        unsigned chosen = element;
        if (argument == ARGUMENT_OPEN)
            chosen = open_after(x, element);
        else if (argument == ARGUMENT_K)
            chosen = count > 0 ? (unsigned)random_below(&seed, count) : 0;
        block->arguments[w] = (uint8_t)chosen;
    }
}

static uint64_t block_sum(const struct word_block *block, word_query *answer) {
    uint64_t sum = 0;
    for (size_t w = 0; w < block->count; w++)
        sum += (uint64_t)answer(block->words[w], block->arguments[w]);
    return sum;
}

/* Does the peer answer for each word what the loop does? */
static bool block_verify(const struct word_block *block, const struct word_peer *peer) {
    for (size_t w = 0; w < block->count; w++)
        if (peer->answer(block->words[w], block->arguments[w]) != peer->loop(block->words[w], block->arguments[w]))
            return false;
    return true;
}

static enum outcome time_peer(const struct suite *suite, const struct settings *settings, const char *kind,
                              const struct word_block *block, const struct word_peer *peer) {
    enum outcome worst = OUTCOME_VERIFIED;
    const bool verified = block_verify(block, peer);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        struct word_job nothing = {block, word_nothing, block_sum(block, word_nothing), true};
        struct word_job job = {block, peer->answer, block_sum(block, peer->loop), true};
        char name[64];
        snprintf(name, sizeof name, "%s/%s%s", peer->query, peer->name, modes[m].suffix);
        struct result result = {.times = timing_pairs(settings->sampling, (struct action){modes[m].run, &nothing},
                                                      (struct action){modes[m].run, &job}, NULL),
                                .suite = suite->name,
                                .backend = name,
                                .simd = peer->simd,
                                .kind = kind,
                                .floor = "call",
                                .n = block->count,
                                .threads = 1};
        result.verified = verified && job.held && nothing.held;
        worst = outcome_worse(worst, report_result(&result));
    }
    return worst;
}

static enum outcome time_kind(const struct suite *suite, const struct settings *settings, const char *kind,
                              size_t count) {
    struct word_block block = {0};
    enum outcome worst = OUTCOME_VERIFIED;
    if (!block_create(&block, kind, settings->seed, count))
        worst = OUTCOME_FAILED;
    struct word_peer peer;
    for (size_t p = 0; worst != OUTCOME_FAILED && word_peer_at(p, &peer); p++) {
        block_choose_arguments(&block, peer.argument, settings->seed);
        worst = outcome_worse(worst, time_peer(suite, settings, kind, &block, &peer));
    }
    block_destroy(&block);
    return worst;
}

const struct suite suite_word = {.name = "word",
                                 .description = "queries inside a word; the floor is a call; elements are words",
                                 .families = {5, {"bits", "flat", "saw:32", "coin:8", "json"}},
                                 .sizes = {1, {1u << 14}},
                                 .time_case = time_kind};
