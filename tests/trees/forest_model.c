/* SPDX-License-Identifier: Apache-2.0 */
/* The forest by its definitions. */
#include "tests/trees/forest_model.h"

#include <stdlib.h>

#include "parenmatch.h"
#include "tests/support/unit.h"

static uint32_t *column_create(size_t n) {
    uint32_t *column = allocate((n + 1) * sizeof *column, 1);
    return column;
}

static bool is_open(const uint64_t *parens, size_t i) {
    return parens[i / 64] >> i % 64 & 1;
}

/* The close at which a counter that the open begins at 1 comes to 0. */
static uint32_t find_close(const uint64_t *parens, size_t n, size_t open) {
    size_t unclosed = 0;
    for (size_t i = open; i < n; i++) {
        unclosed = is_open(parens, i) ? unclosed + 1 : unclosed - 1;
        if (unclosed == 0)
            return (uint32_t)i;
    }
    return PM_NONE;
}

/* The last node before node k that encloses it. */
static uint32_t innermost_around(const forest_model *model, size_t k) {
    for (size_t j = k; j-- > 0;)
        if (model->close[j] == PM_NONE || model->close[j] > model->open[k])
            return (uint32_t)j;
    return PM_NONE;
}

/* The last node before node k that has this parent. */
static uint32_t last_child_before(const forest_model *model, size_t k, uint32_t parent) {
    for (size_t j = k; j-- > 0;)
        if (model->column[FOREST_PARENT][j] == parent)
            return (uint32_t)j;
    return PM_NONE;
}

/* The first node after node k that has this parent. */
static uint32_t first_child_after(const forest_model *model, size_t k, uint32_t parent) {
    for (size_t j = k + 1; j < model->nodes; j++)
        if (model->column[FOREST_PARENT][j] == parent)
            return (uint32_t)j;
    return PM_NONE;
}

static void list_nodes(forest_model *model, const uint64_t *parens, size_t n) {
    for (size_t i = 0; i < n; i++)
        model->node[i] = PM_NONE;
    for (size_t i = 0; i < n; i++) {
        if (!is_open(parens, i))
            continue;
        const uint32_t close = find_close(parens, n, i);
        model->open[model->nodes] = (uint32_t)i;
        model->close[model->nodes] = close;
        model->node[i] = (uint32_t)model->nodes;
        if (close != PM_NONE)
            model->node[close] = (uint32_t)model->nodes;
        model->nodes++;
    }
}

forest_model forest_model_create(const uint64_t *parens, size_t n) {
    forest_model model = {0, column_create(n), column_create(n), column_create(n), {NULL}};
    for (size_t c = 0; c < FOREST_COLUMNS; c++)
        model.column[c] = column_create(n);
    list_nodes(&model, parens, n);

    uint32_t *const *column = model.column;
    for (size_t k = 0; k < model.nodes; k++)
        column[FOREST_PARENT][k] = innermost_around(&model, k);
    for (size_t k = 0; k < model.nodes; k++) {
        const uint32_t parent = column[FOREST_PARENT][k];
        column[FOREST_PREV_SIBLING][k] = last_child_before(&model, k, parent);
        column[FOREST_NEXT_SIBLING][k] = first_child_after(&model, k, parent);
        column[FOREST_FIRST_CHILD][k] = first_child_after(&model, k, (uint32_t)k);
        column[FOREST_DEPTH][k] = column[FOREST_SUBTREE_SIZE][k] = 0;
    }
    for (size_t k = 0; k < model.nodes; k++) {
        column[FOREST_SUBTREE_SIZE][k]++;
        for (uint32_t above = column[FOREST_PARENT][k]; above != PM_NONE; above = column[FOREST_PARENT][above]) {
            column[FOREST_DEPTH][k]++;
            column[FOREST_SUBTREE_SIZE][above]++;
        }
    }
    return model;
}

void forest_model_destroy(forest_model *model) {
    free(model->open);
    free(model->close);
    free(model->node);
    for (size_t c = 0; c < FOREST_COLUMNS; c++)
        free(model->column[c]);
}

uint32_t forest_model_element(const forest_model *model, forest_column column, size_t i) {
    const bool counts = column == FOREST_DEPTH || column == FOREST_SUBTREE_SIZE;
    const uint32_t node = model->node[i];
    if (node == PM_NONE)
        return counts ? 0 : PM_NONE;
    if (column == FOREST_PARTNER)
        return model->open[node] == i ? model->close[node] : model->open[node];
    const uint32_t value = model->column[column][node];
    return counts || value == PM_NONE ? value : model->open[value];
}
