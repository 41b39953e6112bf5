/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The automaton of Aho and Corasick (Aho, Corasick, "Efficient string matching: an aid to bibliographic search"), every
 * transition spelled out: a state's row is that of its failure state except for the state's own children.
 */
#include <string.h>

#include "core/context/context.h"
#include "core/find/dict_compile.h"

typedef struct row_builder {
    struct pm_dict *dict;
    const pmi_trie *trie;
    uint32_t *failure; /* of each node: the node of its longest proper suffix that has one */
    uint32_t *answer;  /* of each node: the longest pattern that is a suffix of it */
    int32_t *state;    /* of each node */
} row_builder;

/* Returns the child of a node by a class; 0, which is no node's child, if it has no such child. */
static uint32_t child_by(const pmi_trie *trie, uint32_t node, uint8_t label) {
    const uint32_t first = trie->first_child[node];
    const uint8_t *const found = memchr(trie->label + first, label, trie->first_child[node + 1] - first);
    return found ? (uint32_t)(found - trie->label) : 0;
}

static void find_failures(const row_builder *builder) {
    const pmi_trie *const trie = builder->trie;
    builder->failure[0] = 0;
    builder->answer[0] = PM_NONE;
    for (uint32_t k = 0; k < trie->nodes; k++)
        for (uint32_t child = trie->first_child[k]; child < trie->first_child[k + 1]; child++) {
            uint32_t shorter = k, goes_on = 0;
            while (shorter != 0 && goes_on == 0) {
                shorter = builder->failure[shorter];
                goes_on = child_by(trie, shorter, trie->label[child]);
            }
            builder->failure[child] = goes_on;
            builder->answer[child] = trie->pattern[child] != PM_NONE ? trie->pattern[child] : builder->answer[goes_on];
        }
}

/* Numbers states in breadth-first order, those with an answer downwards: what is entered most often is neighbours. */
static pm_status number_states(const row_builder *builder, size_t *answering) {
    const size_t row_size = pmi_dict_row_size(builder->dict);
    size_t with = 0, without = 0;
    if (builder->trie->nodes > INT32_MAX / row_size)
        return PM_TOO_LARGE;
    for (uint32_t k = 0; k < builder->trie->nodes; k++)
        builder->state[k] =
            builder->answer[k] != PM_NONE ? -(int32_t)(++with * row_size) : (int32_t)(without++ * row_size);
    *answering = with;
    return PM_OK;
}

static void fill_rows(const row_builder *builder, int32_t *rows) {
    const pmi_trie *const trie = builder->trie;
    const unsigned classes = builder->dict->classes;
    memset(rows, 0, classes * sizeof *rows); /* at the start, what nothing begins with leads to the start */
    for (uint32_t k = 0; k < trie->nodes; k++) {
        int32_t *const row = rows + builder->state[k];
        if (k > 0)
            memcpy(row, rows + builder->state[builder->failure[k]], classes * sizeof *row);
        for (uint32_t child = trie->first_child[k]; child < trie->first_child[k + 1]; child++)
            row[trie->label[child]] = builder->state[child];
        memcpy(&row[classes], &builder->answer[k], sizeof *row);
    }
}

pm_status pmi_dict_make_rows(struct pm_dict *dict, const pmi_trie *backwards) {
    const pm_allocator *const memory = &dict->allocator;
    const size_t nodes = backwards->nodes, row_size = pmi_dict_row_size(dict);
    const row_builder builder = {.dict = dict,
                                 .trie = backwards,
                                 .failure = pmi_memory_allocate(memory, nodes, sizeof *builder.failure),
                                 .answer = pmi_memory_allocate(memory, nodes, sizeof *builder.answer),
                                 .state = pmi_memory_allocate(memory, nodes, sizeof *builder.state)};
    pm_status status = PM_OUT_OF_MEMORY;
    size_t answering = 0;
    if (builder.failure && builder.answer && builder.state) {
        find_failures(&builder);
        status = number_states(&builder, &answering);
    }
    if (status == PM_OK) {
        dict->states = nodes;
        dict->row_block = pmi_memory_allocate(memory, nodes, row_size * sizeof *dict->row_block);
        if (!dict->row_block)
            status = PM_OUT_OF_MEMORY;
    }
    if (status == PM_OK) {
        int32_t *const rows = dict->row_block + answering * row_size;
        fill_rows(&builder, rows);
        dict->rows = rows;
    }
    pmi_memory_free(memory, builder.failure);
    pmi_memory_free(memory, builder.answer);
    pmi_memory_free(memory, builder.state);
    return status;
}
