/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forest of a parenthesis sequence as an explicit list of nodes, by the definitions as the public header words
 * them, each written out without regard to time.
 */
#ifndef PM_TESTS_TREES_FOREST_MODEL_H
#define PM_TESTS_TREES_FOREST_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What there is to know of a node. */
typedef enum forest_column {
    FOREST_PARTNER, /* of elements only */
    FOREST_DEPTH,
    FOREST_PARENT,
    FOREST_PREV_SIBLING,
    FOREST_NEXT_SIBLING,
    FOREST_FIRST_CHILD,
    FOREST_SUBTREE_SIZE,
    FOREST_COLUMNS
} forest_column;

/* Nodes in the order of their opens. */
typedef struct forest_model {
    size_t nodes;
    uint32_t *open, *close;           /* element indices of each node; close: PM_NONE where it has none */
    uint32_t *node;                   /* of each element the node it stands for, or PM_NONE */
    uint32_t *column[FOREST_COLUMNS]; /* of each node a number of a node, or PM_NONE, or a count */
} forest_model;

forest_model forest_model_create(const uint64_t *parens, size_t n);
void forest_model_destroy(forest_model *model);

/* What a column is for element i, in element indices. */
uint32_t forest_model_element(const forest_model *model, forest_column column, size_t i);

#endif
