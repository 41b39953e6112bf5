/* SPDX-License-Identifier: Apache-2.0 */
/* Queries at random elements: of opens their closes, of these their opens; and so on. */
#include "bench/suites/bp_queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/buffers.h"
#include "inputs/families.h"
#include "parenmatch.h"

static uint64_t wide(uint32_t index) {
    return index == PM_NONE ? PM_BP_NONE : index;
}

static bool is_open(const struct bp_queries *queries, uint64_t i) {
    return queries->parens[i / 64] >> i % 64 & 1;
}

/* Elements, and what they are partners of; rank is counted in words. */
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

bool bp_queries_create(struct bp_queries *queries, const char *family, uint64_t seed, size_t n, size_t count) {
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

void bp_queries_destroy(struct bp_queries *queries) {
    for (size_t kind = 0; kind < BP_QUERIES; kind++) {
        free(queries->arguments[kind]);
        free(queries->expected[kind]);
    }
    free(queries->answers);
    free(queries->parens);
}

bool bp_queries_verify(const struct bp_queries *queries, const struct bp_peer *peer, const void *index,
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
