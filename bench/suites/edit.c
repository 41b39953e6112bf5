/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite edit: a sequence that changes, as each peer keeps it. An element is an operation here, so ns_per_element is the
 * time of one, and `length` is that of the sequence. Every insertion is undone by a removal, so the sequence stays what
 * it was, which is checked. Building is timed as well; there an element is a parenthesis.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "bench/peers/edit_peers.h"
#include "bench/report.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"
#include "parenmatch.h"

#define PLACES 4096u
#define THOUSAND 1000u
#define MILLION 1000000u

static const struct edit_peer *const peers[] = {&edit_peer_library, &edit_peer_bp, &edit_peer_treap};

/* A sequence, and places in it: some of any kind, some of opens with their closes. */
struct edit_case {
    const struct settings *settings;
    const struct edit_peer *peer;
    void *edit;
    const char *family;
    uint64_t n, *parens, *inserted;
    uint64_t place[PLACES], open[PLACES], close[PLACES];
    bool held; /* has every answer been right, and every edit been made? */
};

static bool is_open(const uint64_t *parens, uint64_t i) {
    return parens[i / 64] >> i % 64 & 1;
}

/* Inserts and removes `count` elements at each place, the removals in the order that undoes the insertions. */
static void edit_places(struct edit_case *c, uint64_t count, size_t places, bool scattered) {
    for (size_t p = 0; p < places; p++)
        c->held &= c->peer->replace(c->edit, scattered ? c->place[p] : c->place[0] + p, 0, c->inserted, count);
    for (size_t p = places; p-- > 0;)
        c->held &= c->peer->replace(c->edit, scattered ? c->place[p] : c->place[0] + p, count, NULL, 0);
}

static void run_random(void *user, size_t calls) {
    for (size_t k = 0; k < calls; k++)
        edit_places(user, 1, ((struct edit_case *)user)->peer->slow ? 8 : PLACES, true);
}
static void run_typing(void *user, size_t calls) {
    for (size_t k = 0; k < calls; k++)
        edit_places(user, 1, ((struct edit_case *)user)->peer->slow ? 8 : PLACES, false);
}
static void run_thousand(void *user, size_t calls) {
    for (size_t k = 0; k < calls; k++)
        edit_places(user, THOUSAND, 8, true);
}
static void run_million(void *user, size_t calls) {
    for (size_t k = 0; k < calls; k++)
        edit_places(user, MILLION, 1, true);
}
static void run_find_close(void *user, size_t calls) {
    struct edit_case *const c = user;
    for (size_t k = 0; k < calls; k++)
        for (size_t p = 0; p < PLACES; p++)
            c->held &= c->peer->find_close(c->edit, c->open[p]) == c->close[p];
}
static void run_build(void *user, size_t calls) {
    struct edit_case *const c = user;
    for (size_t k = 0; k < calls; k++) {
        void *const built = c->peer->create(c->parens, c->n, c->settings->simd);
        c->held &= built != NULL;
        c->peer->destroy(built);
    }
}

/* The floor: reading what the operation is told. */
static void run_nothing(void *user, size_t calls) {
    const struct edit_case *const c = user;
    for (size_t k = 0; k < calls; k++)
        for (size_t p = 0; p < PLACES; p++)
            __asm__ volatile("" : : "r"(c->place[p]) : "memory");
}

static const struct {
    const char *name;
    void (*run)(void *user, size_t calls);
    size_t operations, slow_operations; /* of a call; 0: of building, an element each */
} jobs[] = {{"find_close", run_find_close, PLACES, PLACES},
            {"random", run_random, 2 * PLACES, 16},
            {"typing", run_typing, 2 * PLACES, 16},
            {"thousand", run_thousand, 16, 16},
            {"million", run_million, 2, 2},
            {"build", run_build, 0, 0}};

static bool is_as_before(const struct edit_case *c) {
    bool same = c->held;
    for (uint64_t p = 0; p < PLACES && same; p++)
        same = c->peer->find_close(c->edit, c->open[p]) == c->close[p];
    return same;
}

static enum outcome time_jobs(struct edit_case *c) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s", jobs[j].name, c->peer->name);
        if (!name_list_wants(&c->settings->backends, name) && !name_list_wants(&c->settings->backends, c->peer->name))
            continue;
        const size_t operations = c->peer->slow ? jobs[j].slow_operations : jobs[j].operations;
        struct result result = {.suite = "edit",
                                .backend = name,
                                .simd = c->settings->simd ? c->settings->simd : "",
                                .kind = c->family,
                                .floor = "nothing",
                                .n = operations > 0 ? operations : c->n,
                                .length = c->n,
                                .index_bits = 8 * (double)c->peer->size(c->edit) / (double)c->n,
                                .threads = 1};
        result.times =
            timing_pairs(c->settings->sampling, (struct action){run_nothing, c}, (struct action){jobs[j].run, c}, NULL);
        result.verified = is_as_before(c);
        worst = outcome_worse(worst, report_result(&result));
    }
    return worst;
}

/* Fills in the sequence, places, and answers by the library's index. */
static bool prepare(struct edit_case *c, const char *family, uint64_t n) {
    pm_bp *bp = NULL;
    uint64_t seed = c->settings->seed;
    c->n = n;
    c->family = family;
    c->parens = buffer_create((n / 64 + 1) * sizeof *c->parens);
    c->inserted = buffer_create((MILLION / 64 + 1) * sizeof *c->inserted);
    if (!c->parens || !c->inserted || n < PLACES || !family_fill(family, seed, n, c->parens) ||
        !family_fill("bits", seed, MILLION, c->inserted) || pm_bp_create(NULL, c->parens, n, &bp) != PM_OK)
        return false;
    for (size_t p = 0; p < PLACES; p++) {
        c->open[p] = c->place[p] = random_below(&seed, n);
        for (unsigned tries = 0; tries < 1000 && !is_open(c->parens, c->open[p]); tries++)
            c->open[p] = random_below(&seed, n);
        c->close[p] = pm_bp_find_close(bp, c->open[p]);
    }
    pm_bp_destroy(bp);
    return true;
}

static enum outcome time_family(const struct suite *suite, const struct settings *settings, const char *family,
                                size_t n) {
    (void)suite;
    struct edit_case *const c = calloc(1, sizeof *c);
    enum outcome worst = OUTCOME_FAILED;
    if (c) {
        c->settings = settings;
        worst = prepare(c, family, n) ? OUTCOME_VERIFIED : OUTCOME_FAILED;
    }
    for (size_t p = 0; worst != OUTCOME_FAILED && p < sizeof peers / sizeof *peers; p++) {
        c->peer = peers[p];
        if (n > c->peer->longest)
            continue;
        c->held = true;
        c->edit = c->peer->create(c->parens, n, settings->simd);
        worst = outcome_worse(worst, c->edit ? time_jobs(c) : OUTCOME_FAILED);
        c->peer->destroy(c->edit);
    }
    if (worst == OUTCOME_FAILED)
        fprintf(stderr, "pm_bench: no edits of %zu elements of '%s'; at least %u are needed, and memory\n", n, family,
                PLACES);
    free(c ? c->parens : NULL);
    free(c ? c->inserted : NULL);
    free(c);
    return worst;
}

bool suite_edit_knows(const char *name) {
    for (size_t p = 0; p < sizeof peers / sizeof *peers; p++) {
        if (strcmp(name, peers[p]->name) == 0)
            return true;
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
            const size_t length = strlen(jobs[j].name);
            if (strncmp(name, jobs[j].name, length) == 0 && name[length] == '/' &&
                strcmp(name + length + 1, peers[p]->name) == 0)
                return true;
        }
    }
    return false;
}

const struct suite suite_edit = {.name = "edit",
                                 .description = "a sequence that changes; elements are edits or queries",
                                 .families = {2, {"twist:1", "twist:.25"}},
                                 .sizes = {4, {1u << 16, 1u << 20, 1u << 24, 1u << 27}},
                                 .time_case = time_family};
