/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of many sequences, for tests of batches: of lengths chosen at random, of short strings, at edges. */
#ifndef PM_TESTS_SUPPORT_LENGTHS_H
#define PM_TESTS_SUPPORT_LENGTHS_H

#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"

/* How lengths are chosen. */
typedef struct lengths {
    uint64_t least, below;
    unsigned empty; /* how many of 16 sequences are followed by many empty ones */
} lengths;

/* The offsets, to be freed, of *count sequences of elements first ... end - 1. */
static inline uint64_t *offsets_make(uint64_t first, uint64_t end, lengths l, size_t *count) {
    size_t room = 1024;
    uint64_t *offsets = allocate(room, sizeof *offsets), seed = l.below + first, at = first;
    *count = 0;
    offsets[0] = first;
    while (at < end) {
        at += l.least + random_below(&seed, l.below - l.least);
        const size_t equal = random_below(&seed, 16) < l.empty ? 1 + random_below(&seed, 150) : 1;
        if (*count + equal >= room) {
            offsets = realloc(offsets, (room *= 2) * sizeof *offsets);
            assert_non_null(offsets);
        }
        for (size_t k = 0; k < equal; k++)
            offsets[++*count] = at < end ? at : end;
    }
    return offsets;
}

/* Stores the offsets of n elements, from `begin` on, that are cut before element i + 1 if bit i of `cuts` is set.
 * Returns the number of sequences. */
static inline size_t offsets_cut(uint64_t begin, uint32_t n, uint64_t cuts, uint64_t *offsets) {
    size_t count = 0;
    offsets[0] = begin;
    for (uint32_t i = 0; i < n; i++)
        if (i + 1 == n || (cuts >> i & 1))
            offsets[++count] = begin + i + 1;
    return count;
}

/* Every string of 1 ... 7 elements, cut in every way, one behind the other. */
typedef struct cut_strings {
    uint64_t *parens, *offsets; /* to be freed */
    size_t elements, count;
} cut_strings;

static inline cut_strings cut_strings_make(void) {
    enum {
        ELEMENTS = 7 * 2 << 13
    };
    cut_strings all = {.parens = allocate(ELEMENTS / 64 + 1, sizeof *all.parens),
                       .offsets = allocate(ELEMENTS + 1, sizeof *all.offsets)};
    memset(all.parens, 0, ELEMENTS / 8);
    for (uint32_t n = 1; n <= 7; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << (n - 1); cuts++, all.elements += n) {
                assert_true(all.elements + n <= ELEMENTS);
                for (uint32_t i = 0; i < n; i++)
                    all.parens[(all.elements + i) / 64] |= (bits >> i & 1) << (all.elements + i) % 64;
                all.count += offsets_cut(all.elements, n, cuts, all.offsets + all.count);
            }
    return all;
}

static inline void cut_strings_free(cut_strings *all) {
    free(all->parens);
    free(all->offsets);
}

/* Stores offsets of sequences of n elements that begin and end at and around edges: two of three places at each; which,
 * depends on `variant`. Returns the number of sequences. */
static inline size_t offsets_around(const uint64_t *edges, size_t edge_count, size_t n, size_t variant,
                                    uint64_t *offsets) {
    size_t count = 0;
    offsets[0] = 0;
    for (size_t e = 0; e < edge_count; e++)
        for (uint64_t k = 0; k <= 2; k++)
            if ((variant + e) % 3 != k)
                offsets[++count] = edges[e] - 1 + k;
    offsets[++count] = n;
    return count;
}

#endif
