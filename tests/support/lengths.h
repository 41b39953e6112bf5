/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of many sequences whose lengths are chosen at random, for tests of batches. */
#ifndef PM_TESTS_SUPPORT_LENGTHS_H
#define PM_TESTS_SUPPORT_LENGTHS_H

#include <stdlib.h>

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

#endif
