/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence that changes, against a plain array and the index of it: every SIMD target that this CPU runs. */
#include <string.h>

#include "base/edit_tree.h"
#include "inputs/families.h"
#include "tests/edit/model.h"
#include "tests/support/unit.h"

/* Calls test() with a context of each SIMD target. */
static void with_each_target(void (*test)(pm_context *context)) {
    for (size_t i = 0; pm_simd_at(i); i++)
        if (pm_simd_at(i)->supported) {
            pm_context *context = context_of(&(pm_options){.simd = pm_simd_at(i)->name});
            test(context);
            pm_context_destroy(context);
        }
}

static pm_edit *create_edit(pm_context *context, const edit_model *model, unsigned kind_bits) {
    const pm_edit_options options = {.kind_bits = kind_bits};
    pm_edit *edit;
    assert_ok(pm_edit_create_with(context, &options, model->parens, kind_bits ? model->kinds : NULL, model->n, &edit));
    return edit;
}

/* In one leaf: every place around words' ends, every length of what goes and comes around these. */
static void replace_in_leaf(pm_context *context) {
    static const uint64_t counts[] = {0, 1, 2, 63, 64, 65, 130, 700};
    for (uint64_t at = 0; at <= 1700; at += at % 64 == 1 ? 61 : 1)
        for (size_t r = 0; r < COUNT_OF(counts); r++) {
            edit_model model = edit_model_create(1700, 1700 + 700, 128, at);
            pm_edit *edit = create_edit(context, &model, 1);
            const uint64_t removed = counts[r] < model.n - at ? counts[r] : model.n - at;
            const uint64_t inserted = counts[(r * 3 + at) % COUNT_OF(counts)];
            edit_model_replace_random(&model, edit, 1, at, removed, inserted, 120);
            edit_model_check(&model, edit, 1);
            edit_model_check_queries(&model, edit, at % 97, 97);
            pm_edit_destroy(edit);
            edit_model_destroy(&model);
        }
}

TEST(test_replace_in_leaf) {
    with_each_target(replace_in_leaf);
}

/* A sequence that changes at random places, flat, balanced and deep, with two levels of nodes. */
static void edit_at_random(pm_context *context) {
    for (unsigned odds = 112; odds <= 144; odds += 16) {
        edit_model model = edit_model_create(200000, 260000, odds, odds);
        pm_edit *edit = create_edit(context, &model, 0);
        for (int round = 0; round < 400; round++) {
            const uint64_t at = random_below(&model.seed, model.n), few = random_below(&model.seed, 4);
            uint64_t removed = round % 20 == 0 ? random_below(&model.seed, 9000) : few;
            removed = removed < model.n - at ? removed : model.n - at;
            const uint64_t inserted = round % 20 == 10 ? random_below(&model.seed, 9000) : random_below(&model.seed, 4);
            edit_model_replace_random(&model, edit, 0, at, removed, inserted, odds);
            if (round % 80 == 79) {
                edit_model_check(&model, edit, 0);
                edit_model_check_queries(&model, edit, (uint64_t)round, 997);
            }
        }
        pm_edit_destroy(edit);
        edit_model_destroy(&model);
    }
}

TEST(test_random_edits) {
    with_each_target(edit_at_random);
}

/* Opens that grow one by one from a leaf to the next, and as many closes: partners are the ends of full leaves. */
static void fill_leaves(pm_context *context) {
    const uint64_t one = 1, zero = 0, most = 3 * PM_EDIT_LEAF;
    pm_edit *edit = NULL;
    assert_ok(pm_edit_create(context, NULL, 0, &edit));
    for (uint64_t n = 0; n < most; n++) {
        assert_ok(pm_edit_replace(edit, n / 2, 0, &one, 1));
        assert_ok(pm_edit_replace(edit, 2 * n + 1 - n / 3, 0, &zero, 1));
        for (uint64_t i = 0; i <= n; i += n > 0 ? n : 1) {
            assert_int_equal(pm_edit_find_close(edit, i), 2 * n + 1 - i);
            assert_int_equal(pm_edit_find_open(edit, 2 * n + 1 - i), i);
        }
    }
    pm_edit_destroy(edit);
}

TEST(test_full_leaves) {
    with_each_target(fill_leaves);
}

static void check_size(const pm_edit *edit, double bits_beside) {
    const double bits = 8.0 * (double)pm_edit_size_in_bytes(edit) / (double)pm_edit_length(edit);
    if (bits > 1 + bits_beside)
        fail_msg("%.3f bits an element", bits);
}

/* Edits one by one, on a plain tree without a model; then the memory. */
TEST(test_size) {
    const uint64_t n = UINT64_C(1) << 20, one = 1;
    edit_model model = edit_model_create(n, n, 128, 1);
    pm_edit *edit = create_edit(NULL, &model, 0);
    uint64_t seed = 3;
    check_size(edit, 0.25);
    for (uint64_t i = 0; i < n; i++) /* everywhere */
        assert_ok(pm_edit_replace(edit, random_below(&seed, n + i), 0, &one, 1));
    check_size(edit, 0.6);
    for (uint64_t i = 0; i < n; i++) { /* and away, one by one, at its fullest and at its emptiest */
        assert_ok(pm_edit_replace(edit, random_below(&seed, 2 * n - i), 1, NULL, 0));
        if (i % 8192 == 0)
            check_size(edit, 0.6);
    }
    for (uint64_t i = 0; i < n; i++) { /* typing at one place */
        assert_ok(pm_edit_replace(edit, 1000 + i, 0, &one, 1));
        if (i % 8192 == 0)
            check_size(edit, 0.6);
    }
    pm_edit_destroy(edit);
    edit_model_destroy(&model);
}

/* Many elements at once, from and to nothing. */
TEST(test_large_edits) {
    edit_model model = edit_model_create(0, 3000000, 128, 8);
    pm_edit *edit = create_edit(NULL, &model, 4);
    static const struct {
        uint64_t at, removed, inserted;
    } edits[] = {{0, 0, 2500000},       {1000, 2400000, 3}, {50000, 1, 2000000}, {100, 1900000, 1900000},
                 {3, 2099999 - 100, 0}, {0, 102, 0},        {0, 0, 1},           {1, 0, 3071}};
    for (size_t e = 0; e < COUNT_OF(edits); e++) {
        const uint64_t removed = edits[e].removed < model.n - edits[e].at ? edits[e].removed : model.n - edits[e].at;
        edit_model_replace_random(&model, edit, 4, edits[e].at, removed, edits[e].inserted, 128);
        edit_model_check(&model, edit, 4);
        edit_model_check_queries(&model, edit, 0, model.n / 100 + 1);
    }
    pm_edit_destroy(edit);
    edit_model_destroy(&model);
}

TEST(test_arguments) {
    const uint64_t parens = 5;
    const uint8_t kinds[2] = {1, 2};
    uint64_t read = 0;
    uint8_t read_kinds[3];
    pm_edit *edit, *snapshot;
    assert_invalid(pm_edit_create(NULL, &parens, 2, NULL));
    assert_invalid(pm_edit_create(NULL, NULL, 2, &edit));
    assert_null(edit);
    assert_int_equal(pm_edit_create(NULL, &parens, PM_EDIT_N_MAX + 1, &edit), PM_TOO_LARGE);
    assert_invalid(pm_edit_create_with(NULL, &(pm_edit_options){.kind_bits = 5}, &parens, NULL, 2, &edit));
    assert_invalid(pm_edit_create_with(NULL, &(pm_edit_options){.struct_size = 1}, &parens, NULL, 2, &edit));
    assert_int_equal(pm_edit_create_with(NULL, &(pm_edit_options){.struct_size = 64}, &parens, NULL, 2, &edit),
                     PM_UNSUPPORTED);
    assert_invalid(pm_edit_create_with(NULL, NULL, &parens, kinds, 2, &edit));
    assert_invalid(pm_edit_snapshot(NULL, &snapshot));
    pm_edit_destroy(NULL);
    assert_ok(pm_edit_create(NULL, &parens, 3, &edit));
    assert_invalid(pm_edit_snapshot(edit, NULL));
    assert_invalid(pm_edit_replace(NULL, 0, 0, &parens, 1));
    assert_invalid(pm_edit_replace(edit, 4, 0, &parens, 1));
    assert_invalid(pm_edit_replace(edit, 2, 2, &parens, 1));
    assert_invalid(pm_edit_replace(edit, UINT64_MAX, 2, &parens, 1));
    assert_invalid(pm_edit_replace(edit, 0, 0, NULL, 1));
    assert_invalid(pm_edit_replace_with(edit, 0, 0, &parens, kinds, 1));
    assert_int_equal(pm_edit_replace(edit, 0, 2, &parens, PM_EDIT_N_MAX), PM_TOO_LARGE);
    assert_invalid(pm_edit_read(edit, 2, 2, &read));
    assert_invalid(pm_edit_read(edit, 0, 2, NULL));
    assert_invalid(pm_edit_read(NULL, 0, 2, &read));
    assert_invalid(pm_edit_read_kinds(edit, 0, 4, read_kinds));
    assert_ok(pm_edit_replace(edit, 3, 0, NULL, 0));
    assert_ok(pm_edit_read(edit, 0, 3, &read));
    assert_int_equal(read & 7, parens);
    assert_int_equal(pm_edit_length(edit), 3);
    pm_edit_destroy(edit);
}
