/* SPDX-License-Identifier: Apache-2.0 */
/* The array whose pages saved arrays share, against plain arrays: pushes, changes, saves and restorations at random,
 * with failing allocations. */
#include <stdlib.h>
#include <string.h>

#include "base/shared_array.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    COUNT_MAX = 40000, /* of two nodes above a page, and more */
    SAVED = 8,
    ROUNDS = 400
};

typedef struct model {
    size_t count;
    uint64_t entries[COUNT_MAX];
} model;

/* One entry in 8-byte units, all made from one number. */
static void entry_write(void *entry, size_t size, uint64_t number) {
    for (size_t u = 0; u < size / sizeof number; u++)
        ((uint64_t *)entry)[u] = number + u;
}

static const uint64_t *entry_at(const pmi_shared_array *array, size_t index) {
    const unsigned char *const page = pmi_shared_array_page(array, index);
    return (const void *)(page + pmi_shared_page_place(index) * array->entry_size);
}

static void check_contents(const pmi_shared_array *array, const model *expected) {
    assert_int_equal(array->count, expected->count);
    for (size_t k = 0; k < expected->count; k++) {
        const uint64_t *const entry = entry_at(array, k);
        for (size_t u = 0; u < array->entry_size / sizeof *entry; u++)
            assert_int_equal(entry[u], expected->entries[k] + u);
    }
}

/* Pushes or changes some entries; where there is no memory, nothing has changed. */
static void change_some(pmi_shared_array *array, model *expected, uint64_t *seed) {
    static uint64_t number;
    const bool pushes = random_below(seed, 2);
    for (size_t steps = random_below(seed, pushes ? 3000 : 50); steps > 0; steps--) {
        const size_t at = pushes || expected->count == 0 ? expected->count : random_below(seed, expected->count);
        if (at == COUNT_MAX)
            return;
        void *const entry = at == expected->count ? pmi_shared_array_push(array) : pmi_shared_array_change(array, at);
        if (!entry)
            return;
        assert_int_equal((uintptr_t)entry % sizeof(uint64_t), 0);
        expected->count += at == expected->count;
        expected->entries[at] = number += 100;
        entry_write(entry, array->entry_size, number);
    }
}

TEST(test_saved_arrays) {
    model *const now = allocate(1, sizeof *now), *const kept = allocate(SAVED, sizeof *kept);
    for (size_t size = 8; size <= 64; size += 56) {
        fault_allocator faults = {0};
        const pm_allocator allocator = fault_allocator_functions(&faults);
        pmi_shared_array array, saved[SAVED];
        uint64_t seed = size;
        pmi_shared_array_init(&array, &allocator, size);
        now->count = 0;
        for (size_t k = 0; k < SAVED; k++) {
            kept[k].count = 0;
            pmi_shared_array_save(&array, &saved[k]);
        }
        for (unsigned round = 0; round < ROUNDS; round++) {
            const size_t k = random_below(&seed, SAVED);
            faults.fail_at = random_below(&seed, 4) == 0 ? faults.calls + 1 + random_below(&seed, 5) : 0;
            change_some(&array, now, &seed);
            if (random_below(&seed, 2)) {
                pmi_shared_array_clear(&saved[k]);
                pmi_shared_array_save(&array, &saved[k]);
                kept[k] = *now;
            } else if (random_below(&seed, 2)) {
                pmi_shared_array_restore(&array, &saved[k]);
                *now = kept[k];
            }
            if (round % 8 == 0) {
                check_contents(&array, now);
                check_contents(&saved[k], &kept[k]);
            }
        }
        pmi_shared_array_clear(&array);
        for (size_t k = 0; k < SAVED; k++) {
            check_contents(&saved[k], &kept[k]);
            pmi_shared_array_clear(&saved[k]);
        }
        assert_true(fault_allocator_is_settled(&faults));
    }
    free(now);
    free(kept);
}

/* A change behind a save copies one page and the nodes above it; the next change there copies nothing. */
TEST(test_what_a_change_copies) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pmi_shared_array array, saved;
    pmi_shared_array_init(&array, &allocator, 8);
    for (uint64_t k = 0; k < COUNT_MAX; k++)
        entry_write(pmi_shared_array_push(&array), 8, k);
    const size_t before = faults.calls;
    pmi_shared_array_save(&array, &saved);
    assert_int_equal(faults.calls, before);
    for (int again = 0; again < 2; again++) {
        entry_write(pmi_shared_array_change(&array, 5), 8, 7);
        entry_write(pmi_shared_array_change(&array, 6), 8, 7);
        assert_int_equal(faults.calls, before + 1 + array.height);
    }
    assert_int_equal(*entry_at(&saved, 5), 5);
    pmi_shared_array_clear(&array);
    assert_int_equal(*entry_at(&saved, COUNT_MAX - 1), COUNT_MAX - 1);
    pmi_shared_array_clear(&saved);
    assert_true(fault_allocator_is_settled(&faults));
}
