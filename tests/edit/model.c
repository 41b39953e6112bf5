/* SPDX-License-Identifier: Apache-2.0 */
/* The plain array, and the comparisons. */
#include "tests/edit/model.h"

#include <string.h>

#include "base/edit_tree.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

static size_t words_for(uint64_t n) {
    return (size_t)(n + 63) / 64 + 1;
}

edit_model edit_model_create(uint64_t n, uint64_t capacity, unsigned odds, uint64_t seed) {
    edit_model model = {n, capacity, allocate(words_for(capacity), 8), allocate((size_t)capacity + 1, 1), seed};
    memset(model.parens, 0, words_for(capacity) * 8);
    elements_append(model.parens, 0, (size_t)n, odds, &model.seed);
    for (uint64_t i = 0; i < n; i++)
        model.kinds[i] = (uint8_t)random_next(&model.seed);
    return model;
}

void edit_model_destroy(edit_model *model) {
    free(model->parens);
    free(model->kinds);
}

void edit_model_replace(edit_model *model, pm_edit *edit, unsigned kind_bits, uint64_t at, uint64_t removed,
                        const uint64_t *parens, uint64_t inserted) {
    const uint64_t tail = model->n - at - removed, n = model->n - removed + inserted;
    assert_true(n <= model->capacity);
    uint64_t *const moved = allocate(words_for(model->capacity), 8);
    memset(moved, 0, words_for(model->capacity) * 8);
    pmi_bits_write(moved, 0, model->parens, 0, at);
    pmi_bits_write(moved, at, parens, 0, inserted);
    pmi_bits_write(moved, at + inserted, model->parens, at + removed, tail);
    free(model->parens);
    model->parens = moved;
    memmove(model->kinds + at + inserted, model->kinds + at + removed, (size_t)tail);
    for (uint64_t i = 0; i < inserted; i++)
        model->kinds[at + i] = (uint8_t)random_next(&model->seed);
    model->n = n;
    if (edit)
        assert_ok(pm_edit_replace_with(edit, at, removed, parens, kind_bits ? model->kinds + at : NULL, inserted));
}

void edit_model_replace_random(edit_model *model, pm_edit *edit, unsigned kind_bits, uint64_t at, uint64_t removed,
                               uint64_t inserted, unsigned odds) {
    uint64_t *const parens = allocate(words_for(inserted), 8);
    memset(parens, 0, words_for(inserted) * 8);
    elements_append(parens, 0, (size_t)inserted, odds, &model->seed);
    edit_model_replace(model, edit, kind_bits, at, removed, parens, inserted);
    free(parens);
}

/* ---- The tree ---- */

/* What a block contains, by its elements. */
typedef struct summary {
    uint64_t length;
    int64_t excess, min;
} summary;

static summary summary_of_range(const edit_model *model, uint64_t begin, uint64_t length) {
    summary found = {length, 0, 0};
    for (uint64_t i = begin; i < begin + length; i++) {
        found.excess += pmi_bits_get(model->parens, i) ? 1 : -1;
        found.min = found.excess < found.min ? found.excess : found.min;
    }
    return found;
}

static summary check_node(const edit_model *model, const pmi_edit_node *node, unsigned height, uint64_t begin,
                          bool is_root) {
    summary sum = {0, 0, 0};
    assert_in_range(node->count, is_root ? 1 : PM_EDIT_FAN_OUT / 2, PM_EDIT_FAN_OUT);
    for (unsigned c = 0; c < node->count; c++) {
        const uint64_t length = (uint64_t)pmi_edit_child_length(node, c);
        const summary child = height > 1 ? check_node(model, node->child[c], height - 1, begin + sum.length, false)
                                         : summary_of_range(model, begin + sum.length, length);
        if (height == 1)
            assert_in_range(length, is_root && node->count == 1 ? 0 : PM_EDIT_LEAF / 2, PM_EDIT_LEAF);
        assert_int_equal(node->begin[c], sum.length);
        assert_int_equal(node->before[c], sum.excess);
        assert_int_equal(node->min[c], sum.excess + child.min);
        assert_int_equal(length, child.length);
        const int64_t lowest = sum.excess + child.min;
        sum = (summary){sum.length + length, sum.excess + child.excess, lowest < sum.min ? lowest : sum.min};
    }
    assert_int_equal(node->length, sum.length);
    assert_int_equal(node->excess, sum.excess);
    return sum;
}

void edit_model_check(const edit_model *model, const pm_edit *edit, unsigned kind_bits) {
    assert_int_equal(pm_edit_length(edit), model->n);
    uint64_t *const parens = allocate(words_for(model->n), 8);
    uint8_t *const kinds = allocate((size_t)model->n, 1);
    assert_ok(pm_edit_read(edit, 0, model->n, parens));
    assert_ok(pm_edit_read_kinds(edit, 0, model->n, kinds));
    assert_memory_equal(parens, model->parens, model->n / 64 * 8);
    for (uint64_t i = model->n / 64 * 64; i < model->n; i++)
        assert_int_equal(pmi_bits_get(parens, i), pmi_bits_get(model->parens, i));
    for (uint64_t i = 0; i < model->n; i++)
        assert_int_equal(kinds[i], model->kinds[i] & ((1 << kind_bits) - 1));
    free(parens);
    free(kinds);
    assert_true(edit->height <= PM_EDIT_HEIGHT_MAX);
    check_node(model, edit->root, edit->height, 0, true);
}

/* ---- The queries ---- */

#define SAME(query, ...) assert_int_equal(pm_edit_##query(edit, __VA_ARGS__), pm_bp_##query(bp, __VA_ARGS__))

static void check_at(const pm_edit *edit, const pm_bp *bp, uint64_t i, uint64_t other) {
    SAME(rank_open, i);
    SAME(rank_close, i);
    SAME(select_open, i);
    SAME(select_close, i);
    SAME(excess, i);
    SAME(find_close, i);
    SAME(find_open, i);
    SAME(enclose, i);
    SAME(select_unmatched_close, i);
    SAME(select_unmatched_open, i);
    SAME(parent, i);
    SAME(depth, i);
    SAME(is_leaf, i);
    SAME(first_child, i);
    SAME(last_child, i);
    SAME(next_sibling, i);
    SAME(prev_sibling, i);
    SAME(subtree_size, i);
    SAME(degree, i);
    SAME(child, i, other % 5);
    SAME(child, i, pm_bp_degree(bp, i) - 1);
    SAME(level_ancestor, i, other % 7);
    SAME(level_ancestor, i, pm_bp_depth(bp, i));
    SAME(is_ancestor, i, other);
    SAME(lca, i, other);
    SAME(lca, i, i + other % 9);
    SAME(preorder_rank, i);
    SAME(preorder_select, i);
}

void edit_model_check_queries(const edit_model *model, const pm_edit *edit, uint64_t first, uint64_t step) {
    pm_bp *bp;
    uint64_t seed = model->n;
    assert_ok(pm_bp_create(NULL, model->parens, model->n, &bp));
    for (uint64_t i = first; i < model->n; i += step)
        check_at(edit, bp, i, random_below(&seed, model->n));
    const uint64_t past[] = {model->n, model->n + 1, UINT64_MAX - 1, UINT64_MAX};
    for (size_t p = 0; p < COUNT_OF(past); p++)
        check_at(edit, bp, past[p], 0);
    pm_bp_destroy(bp);
}
