/* SPDX-License-Identifier: Apache-2.0 */
/* One way to match, or to do something with trees, held against the oracle on one input. */
#ifndef PM_CLI_CROSSCHECK_COMPARE_H
#define PM_CLI_CROSSCHECK_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/crosscheck/trees.h"

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

/* An implementation, and what is known of it. */
typedef struct crosscheck_way {
    const char *backend;
    const char *device, *simd, *pipeline; /* NULL: the default, or of no meaning to this backend */
    bool by_threads;                      /* does their number matter to it? */
    unsigned threads;                     /* 0: as many as there are */
    bool limited;                         /* a long input may be too large for it */
    crosscheck_tree_test *tree;           /* what it does with trees; NULL: it matches, */
    match_function *match;                /* by this; NULL: by a stream */
    pm_context *context;
    pm_status presence; /* PM_OK: it can be had here */

    uint64_t inputs, elements;       /* compared */
    uint64_t refused;                /* inputs that were too large */
    char *difference, *reproduction; /* NULL: none was found */
} crosscheck_way;

/* An input: `seed` also cuts it into the pieces of a stream, and makes values and boxes. */
typedef struct crosscheck_input {
    const uint64_t *parens;
    size_t n;
    uint64_t seed;
    const char *family;       /* that makes it of n and seed; NULL: none does */
    const uint32_t *expected; /* the oracle's answer, so that it is asked once for all ways; NULL: not yet */
    pm_bic expected_total;
} crosscheck_input;

/*
 * Compares a way's answer with the oracle's (the oracle itself is proven by induction), counts it, and keeps a first
 * difference, with the command that shows it again on an input as small as can be found. The way's own strings are to
 * be freed. Returns PM_OK whether they agree or not; PM_OUT_OF_MEMORY.
 */
pm_status crosscheck_compare(crosscheck_way *way, const crosscheck_input *input);

/* Does this sequence fail? */
typedef bool shrink_test(void *user, const uint64_t *parens, size_t n);

/*
 * Removes elements of a sequence that fails, while the rest still fails, and returns how many are left. No single one
 * of them can be removed, unless trying has taken too long. Bits past the end are closes before and after.
 */
size_t crosscheck_shrink(uint64_t *parens, size_t n, shrink_test *fails, void *user);

#endif
