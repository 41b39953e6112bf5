/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree with leaves of 8 elements and nodes of 4 children, which this program is built with: short sequences have all
 * shapes of trees. Queries are answered by the portable implementation.
 */
#include <string.h>

#include "inputs/families.h"
#include "tests/edit/model.h"
#include "tests/support/unit.h"

static pm_context *portable(void) {
    return context_of(&(pm_options){.simd = "portable"});
}

/* Every sequence of that many elements, every edit of it that removes some and inserts at most two. */
static void check_every_edit(pm_context *context, unsigned n) {
    for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
        for (unsigned at = 0; at <= n; at++)
            for (unsigned removed = 0; removed <= n - at; removed++)
                for (unsigned inserted = 0; inserted <= 2; inserted++)
                    for (uint64_t new = 0; new < UINT64_C(1) << inserted; new ++) {
                        edit_model model = edit_model_create(n, n + 2, 0, 0);
                        model.parens[0] = bits;
                        pm_edit *edit;
                        assert_ok(pm_edit_create(context, &bits, n, &edit));
                        edit_model_replace(&model, edit, 0, at, removed, &new, inserted);
                        edit_model_check(&model, edit, 0);
                        edit_model_check_queries(&model, edit, 0, 1);
                        pm_edit_destroy(edit);
                        edit_model_destroy(&model);
                    }
}

TEST(test_every_edit) {
    pm_context *context = portable();
    for (unsigned n = 0; n <= 5; n++)
        check_every_edit(context, n);
    pm_context_destroy(context);
}

/* Of a longer sequence every edit that removes up to 40 elements and inserts up to 20. */
TEST(test_every_place) {
    pm_context *context = portable();
    for (uint64_t n = 0; n <= 150; n += n < 40 ? 7 : 53)
        for (uint64_t at = 0; at <= n; at++)
            for (uint64_t removed = 0; removed <= n - at; removed += removed < 10 ? 3 : 13)
                for (uint64_t inserted = 0; inserted <= 40; inserted += inserted < 2 ? 1 : 19) {
                    edit_model model = edit_model_create(n, n + inserted, 128, n + at);
                    pm_edit *edit;
                    const pm_edit_options with_kinds = {.kind_bits = 1 + (unsigned)(n + at) % 4};
                    assert_ok(pm_edit_create_with(context, &with_kinds, model.parens, model.kinds, n, &edit));
                    edit_model_replace_random(&model, edit, with_kinds.kind_bits, at, removed, inserted, 128);
                    edit_model_check(&model, edit, with_kinds.kind_bits);
                    edit_model_check_queries(&model, edit, at % 11, 11);
                    pm_edit_destroy(edit);
                    edit_model_destroy(&model);
                }
    pm_context_destroy(context);
}

/* Edits one after the other, of which some grow the sequence, some shrink it; with snapshots that must not change. */
TEST(test_random_edits) {
    fault_allocator memory = {0};
    pm_context *context;
    const pm_options options = {.simd = "portable", .allocator = fault_allocator_functions(&memory)};
    context = context_of(&options);
    edit_model model = edit_model_create(300, 4000, 128, 5), kept = {0};
    const pm_edit_options with_kinds = {.kind_bits = 3};
    pm_edit *edit, *snapshot = NULL;
    assert_ok(pm_edit_create_with(context, &with_kinds, model.parens, model.kinds, model.n, &edit));
    for (int round = 0; round < 4000; round++) {
        const bool grow = round / 700 % 2 == 0;
        const uint64_t most = round % 50 == 0 ? 200 : 12, at = random_below(&model.seed, model.n + 1);
        uint64_t removed = random_below(&model.seed, grow ? 8 : most),
                 inserted = random_below(&model.seed, grow ? most : 8);
        removed = removed < model.n - at ? removed : model.n - at;
        inserted = model.n + inserted <= model.capacity ? inserted : 0;
        edit_model_replace_random(&model, edit, 3, at, removed, inserted, (unsigned)round / 100 % 3 * 128);
        edit_model_check(&model, edit, 3);
        if (round % 10 == 0)
            edit_model_check_queries(&model, edit, (uint64_t)round % 17, 17);
        if (round % 37 == 0) {
            if (snapshot) {
                edit_model_check(&kept, snapshot, 3);
                edit_model_destroy(&kept);
                pm_edit_destroy(snapshot);
            }
            kept = edit_model_create(0, model.capacity, 0, 0);
            assert_ok(pm_edit_snapshot(edit, &snapshot));
            edit_model_replace(&kept, NULL, 0, 0, 0, model.parens, model.n);
            for (uint64_t i = 0; i < model.n; i++)
                kept.kinds[i] = model.kinds[i];
        }
    }
    pm_edit_destroy(edit);
    edit_model_check(&kept, snapshot, 3);
    pm_edit_destroy(snapshot);
    edit_model_destroy(&kept);
    edit_model_destroy(&model);
    context_close(context, &memory);
}

/* Each allocation of an edit fails once; the sequence, with kinds or without, and its snapshot stay as they were. */
TEST(test_failing_allocations) {
    fault_allocator memory = {0};
    const pm_options options = {.simd = "portable", .allocator = fault_allocator_functions(&memory)};
    pm_context *context = context_of(&options);
    for (int round = 0; round < 120; round++) {
        edit_model model = edit_model_create(400, 6000, 128, (uint64_t)round);
        pm_edit *edit, *snapshot = NULL;
        const unsigned kind_bits = (unsigned)round / 2 % 2 * 4;
        assert_ok(pm_edit_create_with(context, &(pm_edit_options){.kind_bits = kind_bits}, model.parens,
                                      kind_bits ? model.kinds : NULL, model.n, &edit));
        if (round % 2 == 1)
            assert_ok(pm_edit_snapshot(edit, &snapshot));
        const uint64_t at = random_below(&model.seed, 300), removed = random_below(&model.seed, 100);
        const uint64_t inserted = round % 10 == 0 ? 5000 : random_below(&model.seed, 50);
        uint64_t *const parens = allocate(80, 8);
        uint8_t *const kinds = allocate((size_t)inserted + 1, 1);
        elements_append(parens, 0, (size_t)inserted, 128, &model.seed);
        for (size_t i = 0; i < inserted; i++)
            kinds[i] = (uint8_t)random_next(&model.seed);
        for (size_t fail = 1;; fail++) {
            memory.fail_at = memory.calls + fail;
            const size_t blocks = memory.live_blocks;
            const pm_status status =
                pm_edit_replace_with(edit, at, removed, parens, kind_bits ? kinds : NULL, inserted);
            memory.fail_at = 0;
            if (status == PM_OK)
                break;
            assert_int_equal(status, PM_OUT_OF_MEMORY);
            assert_int_equal(memory.live_blocks, blocks);
            edit_model_check(&model, edit, kind_bits);
        }
        if (snapshot)
            edit_model_check(&model, snapshot, kind_bits);
        edit_model_replace(&model, NULL, 0, at, removed, parens, inserted);
        memcpy(model.kinds + at, kinds, (size_t)inserted);
        edit_model_check(&model, edit, kind_bits);
        pm_edit_destroy(edit);
        pm_edit_destroy(snapshot);
        edit_model_destroy(&model);
        free(parens);
        free(kinds);
    }
    context_close(context, &memory);
}
