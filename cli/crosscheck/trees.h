/* SPDX-License-Identifier: Apache-2.0 */
/* What there is beside matching, held against one thread: boxes of a scene that a sequence stands for, and scans of its
 * tree. */
#ifndef PM_CLI_CROSSCHECK_TREES_H
#define PM_CLI_CROSSCHECK_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parenmatch.h"

/* A sequence, from which and the seed everything else is made. */
typedef struct crosscheck_tree {
    const uint64_t *parens;
    size_t n;
    uint64_t seed;
} crosscheck_tree;

enum {
    CROSSCHECK_WORDS = 160 /* room for a difference in words */
};

/* Does a backend's answer differ from that of one thread? Then `difference` says where. *status is what it returned, or
 * PM_OUT_OF_MEMORY if it could not be asked. */
typedef bool crosscheck_tree_test(pm_context *context, const crosscheck_tree *tree, char *difference,
                                  pm_status *status);

crosscheck_tree_test crosscheck_boxes_omp, crosscheck_boxes_gpu, crosscheck_scans_omp, crosscheck_scans_gpu;

#endif
