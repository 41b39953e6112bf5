/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite worst: the 64-bit word which, repeated, a backend matches most slowly. Hill climbing finds it; then it is
 * measured as any other family. A word that is one bit, or one move, away from the slowest so far replaces it if it is
 * slower in a new comparison of the two.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suites/match_case.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"

#define CLIMB_ELEMENTS ((size_t)1 << 14) /* 256 words: more than a matcher's first ones, and matched quickly */
#define CLIMB_SAMPLES 5u                 /* of each of the two; the fastest counts, as noise only adds */
#define CLIMB_LONGER 10                  /* than a case */

struct climb {
    struct backend backend;
    pm_context *context;
    uint64_t state; /* of the random numbers */
    uint64_t parens[CLIMB_ELEMENTS / 64];
    uint32_t match[CLIMB_ELEMENTS];
};

static uint64_t word_time(struct climb *climb, uint64_t word) {
    for (size_t w = 0; w < CLIMB_ELEMENTS / 64; w++)
        climb->parens[w] = word;
    const uint64_t start = clock_now();
    climb->backend.match(climb->context, climb->parens, CLIMB_ELEMENTS, climb->match, NULL);
    return clock_now() - start;
}

static bool word_is_slower(struct climb *climb, uint64_t word, uint64_t than) {
    uint64_t word_least = UINT64_MAX, than_least = UINT64_MAX;
    for (unsigned s = 0; s < CLIMB_SAMPLES; s++) {
        const uint64_t word_took = word_time(climb, word), than_took = word_time(climb, than);
        word_least = word_took < word_least ? word_took : word_least;
        than_least = than_took < than_least ? than_took : than_least;
    }
    return word_least > than_least;
}

static uint64_t word_rotated(uint64_t word, unsigned by) {
    return by == 0 ? word : word << by | word >> (64 - by);
}

/* A neighbour of the word: mostly a bit away, sometimes rotated, with another run of equal bits, or random. */
static uint64_t word_moved(uint64_t word, uint64_t *state) {
    const unsigned place = (unsigned)random_below(state, 64), length = (unsigned)random_below(state, 64);
    const uint64_t run = word_rotated((UINT64_C(1) << length) - 1, place);
    switch (random_below(state, 8)) {
    case 0:
        return word_rotated(word, place);
    case 1:
        return word | run;
    case 2:
        return word & ~run;
    case 3:
        return random_next(state);
    default:
        return word ^ UINT64_C(1) << place;
    }
}

/* The slowest of the words among the families' names, where the climb begins. */
static uint64_t word_begin(struct climb *climb) {
    uint64_t slowest = 0;
    for (const char *const *name = family_names; *name; name++) {
        if (strncmp(*name, "word:", strlen("word:")) != 0)
            continue;
        const uint64_t word = strtoull(*name + strlen("word:"), NULL, 16);
        if (word_is_slower(climb, word, slowest))
            slowest = word;
    }
    return slowest;
}

static uint64_t climb_to_the_slowest(struct climb *climb, double seconds) {
    const uint64_t end = clock_now() + (uint64_t)(seconds * 1e9);
    uint64_t slowest = word_begin(climb);
    while (clock_now() < end) {
        const uint64_t word = word_moved(slowest, &climb->state);
        if (word_is_slower(climb, word, slowest))
            slowest = word;
    }
    return slowest;
}

/* Looks for the backend's slowest word, and writes it as a family's name. */
static bool find_worst(const struct backend *backend, const struct settings *settings, char *family, size_t size) {
    struct climb *climb = malloc(sizeof *climb);
    if (!climb) {
        fprintf(stderr, "pm_bench: no memory to climb in\n");
        return false;
    }
    climb->backend = *backend;
    climb->context = NULL;
    climb->state = settings->seed;
    const bool created = backend_context_create(backend, backend_threads(backend, settings->threads), settings,
                                                &climb->context) == PM_OK;
    const uint64_t word = created ? climb_to_the_slowest(climb, CLIMB_LONGER * settings->sampling.seconds) : 0;
    snprintf(family, size, "word:%016" PRIx64, word);
    pm_context_destroy(climb->context);
    free(climb);
    return true;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    enum outcome worst = OUTCOME_VERIFIED;
    struct backend backend;
    for (size_t b = 0; backend_at(b, &backend) && worst != OUTCOME_FAILED; b++) {
        char family[sizeof "word:0123456789abcdef"];
        if (!backend_wanted(&backend, settings))
            continue;
        if (!find_worst(&backend, settings, family, sizeof family))
            return OUTCOME_FAILED;
        struct settings of_this = *settings;
        of_this.backends = (struct name_list){1, {backend.name}};
        of_this.simd = backend.simd;
        of_this.families = (struct name_list){1, {family}};
        worst = outcome_worse(worst, match_cases_run(suite->name, NULL, &of_this));
    }
    return worst;
}

const struct suite suite_worst = {.name = "worst",
                                  .description = "the slowest 64-bit word for each backend, found by hill climbing",
                                  .sizes = {1, {1u << 24}},
                                  .run = run};
