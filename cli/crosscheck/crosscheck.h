/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the command crosscheck. */
#ifndef PM_CLI_CROSSCHECK_CROSSCHECK_H
#define PM_CLI_CROSSCHECK_CROSSCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/machine_options.h"
#include "parenmatch.h"

/* ---- Comparisons other than matches: boxes of a scene made from a sequence, and scans of its tree ---- */

/* A sequence; everything else is made from it and the seed. */
typedef struct crosscheck_tree {
    const uint64_t *parens;
    size_t n;
    uint64_t seed;
} crosscheck_tree;

enum {
    CROSSCHECK_WORDS = 160 /* characters that describe a difference */
};

/* Does a backend's answer differ from that of one thread? Then `difference` says where. Stores the status that it
 * returned, or PM_OUT_OF_MEMORY if it could not be called. */
typedef bool crosscheck_tree_test(pm_context *context, const crosscheck_tree *tree, char *difference,
                                  pm_status *status);

crosscheck_tree_test crosscheck_boxes_omp, crosscheck_boxes_gpu, crosscheck_scans_omp, crosscheck_scans_gpu;

/* ---- One way to match, or to do something with trees, held against the oracle on one input ---- */

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

/* ---- All ways to match, and to find boxes and scan trees: backends, vector instructions, numbers of threads,
 * pipelines ---- */

/* What to check; NULL, or 0: everything. */
typedef struct crosscheck_choice {
    const char *backend;
    machine_options machine; /* its own choice of a backend is not used */
} crosscheck_choice;

typedef struct crosscheck_ways {
    crosscheck_way *ways;
    size_t count, present; /* listed; that can be had here */
    double shrinking;      /* seconds, of making differences small */
} crosscheck_ways;

bool crosscheck_is_backend(const char *name);

/* The ways of a choice, each with a context that works, or else why it cannot be had here. PM_OUT_OF_MEMORY is
 * possible, then also to be closed. */
pm_status crosscheck_ways_open(const crosscheck_choice *choice, crosscheck_ways *all);

void crosscheck_ways_close(crosscheck_ways *all);

/* ---- Inputs for all ways: given ones, or of all kinds for a while. PM_OUT_OF_MEMORY is possible everywhere ---- */

/* Is it the name of a family of inputs (inputs/families.h)? */
bool crosscheck_is_family(const char *name);

/* Compares all ways on n elements of a family; PM_INVALID_ARGUMENT for an unknown name. */
pm_status crosscheck_family(crosscheck_ways *all, const char *family, size_t n, uint64_t seed);

/* Compares all ways on a sequence; PM_INVALID_ARGUMENT for an invalid spelling. */
pm_status crosscheck_string(crosscheck_ways *all, const char *spelling, uint64_t seed);

/* Compares all ways on random families and lengths for `seconds`, without the time of making differences small; one
 * input at least. */
pm_status crosscheck_seconds(crosscheck_ways *all, uint64_t seconds, uint64_t seed);

#endif
