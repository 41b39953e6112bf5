/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queries of parenmatch/bp_view.h against a plain stack; and that a view is refused where it must be. Compiled
 * several times, as the header counts by what instructions it is compiled for.
 */
#include "parenmatch/bp_view.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/bp/model.h"
#include "tests/bp/variants.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

static void compare_at(const bp_model *model, const pm_bp_view *view, uint64_t i) {
    assert_int_equal(pm_bp_view_is_open(view, i), bp_model_is_open(model, i));
    assert_int_equal(pm_bp_view_rank_open(view, i), bp_model_rank(model, i));
    assert_int_equal(pm_bp_view_excess(view, i), model->level[i + 1]);
}

static void compare_past(const bp_model *model, const pm_bp_view *view, uint64_t i) {
    assert_false(pm_bp_view_is_open(view, i));
    assert_int_equal(pm_bp_view_rank_open(view, i), model->opens);
    assert_int_equal(pm_bp_view_excess(view, i), model->level[model->n]);
}

/* All elements, and some past the end, by every variant; past the last word nothing can be read. */
static void check(const uint64_t *parens, uint64_t n) {
    const size_t words = (n + 63) / 64;
    guarded_memory memory = guarded_allocate(words * sizeof *parens);
    uint64_t *const copy = (uint64_t *)(void *)memory.end - words;
    memcpy(copy, parens, words * sizeof *parens);
    bp_model model;
    assert_true(bp_model_create(&model, copy, n));
    for (size_t v = 0; v < bp_variant_count; v++) {
        pm_bp *bp = bp_variant_create(v, copy, n);
        pm_bp_view view;
        assert_ok(pm_bp_view_of(bp, &view));
        for (uint64_t i = 0; i < n; i++)
            compare_at(&model, &view, i);
        const uint64_t past[] = {n, n + 1, n + 511, n + 512, UINT64_MAX - 512, UINT64_MAX - 1, UINT64_MAX};
        for (size_t p = 0; p < COUNT_OF(past); p++)
            compare_past(&model, &view, past[p]);
        pm_bp_destroy(bp);
    }
    bp_model_destroy(&model);
    guarded_free(&memory);
}

TEST(test_families) {
    static const char *const names[] = {"random", "twist:1", "twist:.25", "opens", "closes", "drift", "zigzag"};
    static const uint64_t lengths[] = {0,    1,    64,   255,   256,   257,   511,   512,   513,  767,
                                       768,  1023, 1024, 1025,  8191,  8192,  8193,  8447,  8448, 8704,
                                       9215, 9216, 9217, 16383, 16384, 16385, 24575, 24576, 24577};
    uint64_t *const parens = allocate(24640 / 8, 1);
    for (size_t f = 0; f < COUNT_OF(names); f++)
        for (size_t l = 0; l < COUNT_OF(lengths); l++) {
            assert_true(family_fill(names[f], l + 1, lengths[l], parens));
            check(parens, lengths[l]);
        }
    free(parens);
}

TEST(test_refused) {
    const uint64_t parens = 5;
    pm_bp *bp;
    assert_ok(pm_bp_create(NULL, &parens, 4, &bp));
    pm_bp_view view, before;
    memset(&view, 7, sizeof view);
    before = view;
    assert_invalid(pm_bp_view_of(NULL, &view));
    assert_invalid(pm_bp_view_of(bp, NULL));
    assert_int_equal(pm_bp_view_fill(bp, PM_BP_VIEW_LAYOUT + 1, &view), PM_UNSUPPORTED);
    assert_int_equal(pm_bp_view_fill(bp, 0, &view), PM_UNSUPPORTED);
    assert_memory_equal(&view, &before, sizeof view);
    assert_ok(pm_bp_view_of(bp, &view));
    assert_int_equal(view.layout, PM_BP_VIEW_LAYOUT);
    pm_bp_destroy(bp);
}

int main(void) {
    return tests_run_between(bp_variants_set_up, bp_variants_tear_down);
}
