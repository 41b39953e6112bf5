/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delta debugging by removal alone: of large parts, then of ever smaller ones down to single elements, until a round
 * removes nothing. Parts are powers of two, so that what large ones leave keeps its places in words and blocks.
 */
#include "cli/crosscheck/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "cli/sequence.h"

/* What all trials may cost, in elements, when a trial by itself costs as much as so many. */
static const uint64_t budget_elements = UINT64_C(1) << 29;
enum {
    TRIAL_ELEMENTS = 1 << 15
};

typedef struct shrinking {
    uint64_t *parens, *trial;
    size_t n;
    uint64_t spent; /* elements */
    shrink_test *fails;
    void *user;
} shrinking;

/* Removes `count` elements from `at` on if what is left fails, too. */
static bool try_without(shrinking *s, size_t at, size_t count) {
    const size_t left = s->n - count, words = s->n / 64 + 1;
    memset(s->trial, 0, words * sizeof *s->trial);
    sequence_copy(s->trial, 0, s->parens, 0, at);
    sequence_copy(s->trial, at, s->parens, at + count, left - at);
    s->spent += s->n + TRIAL_ELEMENTS;
    if (!s->fails(s->user, s->trial, left))
        return false;
    memcpy(s->parens, s->trial, words * sizeof *s->trial);
    s->n = left;
    return true;
}

size_t crosscheck_shrink(uint64_t *parens, size_t n, shrink_test *fails, void *user) {
    shrinking s = {.parens = parens, .trial = sequence_create(n), .n = n, .fails = fails, .user = user};
    if (!s.trial)
        return n;
    for (size_t before = n + 1; s.n < before;) {
        before = s.n;
        size_t chunk = 1;
        while (2 * chunk < s.n)
            chunk *= 2;
        for (; chunk > 0; chunk /= 2)
            for (size_t at = 0; at < s.n && s.spent < budget_elements;) {
                const size_t count = chunk < s.n - at ? chunk : s.n - at;
                if (!try_without(&s, at, count))
                    at += count;
            }
    }
    free(s.trial);
    return s.n;
}
