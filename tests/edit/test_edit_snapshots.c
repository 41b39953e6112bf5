/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of snapshots while a writer edits, and snapshots that are edited themselves. ThreadSanitizer watches. */
#include <pthread.h>

#include "inputs/families.h"
#include "tests/edit/model.h"
#include "tests/support/unit.h"

enum {
    READERS = 3,
    PLACES = 400,
    KIND_BITS = 4
};

typedef struct reader {
    pthread_t thread;
    pm_edit *snapshot;
    uint64_t seed, sum; /* of the right answers */
    bool edits, wrong;
} reader;

static uint64_t sum_of_queries(const pm_edit *edit, uint64_t seed) {
    uint64_t sum = pm_edit_length(edit);
    for (int q = 0; q < PLACES; q++) {
        const uint64_t i = random_below(&seed, pm_edit_length(edit));
        uint8_t kind = 0;
        sum += pm_edit_read_kinds(edit, i, 1, &kind) == PM_OK ? kind : 99u;
        sum = 3 * sum + pm_edit_find_close(edit, i) + pm_edit_enclose(edit, i) + (uint64_t)pm_edit_excess(edit, i);
    }
    return sum;
}

/* Reads, perhaps edits what is its own, and gives the snapshot back. */
static void *read_snapshot(void *user) {
    reader *const r = user;
    const uint64_t parens = 1;
    bool wrong = sum_of_queries(r->snapshot, r->seed) != r->sum;
    for (uint64_t k = 0; r->edits && k < PLACES; k++)
        wrong |= pm_edit_replace(r->snapshot, k * 97, k % 3, &parens, 1) != PM_OK;
    pm_edit_destroy(r->snapshot);
    r->wrong = wrong;
    return NULL;
}

TEST(test_readers_and_a_writer) {
    edit_model model = edit_model_create(150000, 160000, 128, 7);
    const pm_edit_options options = {.kind_bits = KIND_BITS};
    pm_edit *edit;
    assert_ok(pm_edit_create_with(NULL, &options, model.parens, model.kinds, model.n, &edit));
    for (int round = 0; round < 12; round++) {
        reader readers[READERS];
        for (unsigned k = 0; k < READERS; k++) {
            readers[k] = (reader){.seed = k, .edits = k == 0};
            assert_ok(pm_edit_snapshot(edit, &readers[k].snapshot));
            readers[k].sum = sum_of_queries(edit, k);
            assert_int_equal(pthread_create(&readers[k].thread, NULL, read_snapshot, &readers[k]), 0);
            for (int edits = 0; edits < 10; edits++)
                edit_model_replace_random(&model, edit, KIND_BITS, random_below(&model.seed, model.n - 5), 5,
                                          random_below(&model.seed, 10), 128);
        }
        for (unsigned k = 0; k < READERS; k++) {
            assert_int_equal(pthread_join(readers[k].thread, NULL), 0);
            assert_false(readers[k].wrong);
        }
    }
    edit_model_check(&model, edit, KIND_BITS);
    edit_model_check_queries(&model, edit, 0, 991);
    pm_edit_destroy(edit);
    edit_model_destroy(&model);
}

/* A snapshot outlives what it was taken of, and a snapshot of a snapshot both. */
TEST(test_chain_of_snapshots) {
    fault_allocator memory = {0};
    pm_context *context = context_with(&memory);
    edit_model model = edit_model_create(40000, 60000, 128, 9);
    pm_edit *edit, *next;
    assert_ok(pm_edit_create(context, model.parens, model.n, &edit));
    for (int round = 0; round < 200; round++) {
        memory.fail_at = memory.calls + 1;
        assert_int_equal(pm_edit_snapshot(edit, &next), PM_OUT_OF_MEMORY);
        assert_null(next);
        assert_ok(pm_edit_snapshot(edit, &next));
        const uint64_t at = random_below(&model.seed, model.n - 3000), count = round % 9 == 0 ? 3000 : 2;
        if (round % 2 == 0)
            pm_edit_destroy(edit);
        edit_model_replace_random(&model, next, 0, at, count, random_below(&model.seed, 2 * count + 1), 128);
        if (round % 2 == 1)
            pm_edit_destroy(edit);
        edit = next;
        if (round % 20 == 0)
            edit_model_check(&model, edit, 0);
    }
    edit_model_check(&model, edit, 0);
    pm_edit_destroy(edit);
    edit_model_destroy(&model);
    context_close(context, &memory);
}
