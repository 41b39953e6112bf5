/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons other than matches: boxes of a scene made from a sequence, and scans of its tree. */
#ifndef PM_CLI_CROSSCHECK_TREES_H
#define PM_CLI_CROSSCHECK_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parenmatch.h"

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

#endif
