/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of a heap come and go at random: they keep what was written, lie apart, and blocks go back. */
#include <string.h>

#include "base/heap.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

#define OBJECTS 500u

typedef struct object {
    unsigned char *bytes;
    size_t n;
    unsigned char mark;
} object;

static void fill(object *of, unsigned char mark) {
    of->mark = mark;
    memset(of->bytes, mark, of->n);
}

static void check(const object *of) {
    for (size_t i = 0; i < of->n; i++)
        assert_int_equal(of->bytes[i], of->mark);
}

static void replace(pmi_heap *heap, object *of, uint64_t *seed) {
    if (of->bytes) {
        check(of);
        pmi_heap_free(heap, of->bytes);
        of->bytes = NULL;
    } else {
        const size_t most = random_below(seed, 10) == 0 ? 40000 : 700;
        of->n = random_below(seed, most);
        of->bytes = pmi_heap_allocate(heap, 0, of->n, 1);
        assert_non_null(of->bytes);
        assert_int_equal((uintptr_t)of->bytes % _Alignof(max_align_t), 0);
        fill(of, (unsigned char)random_below(seed, 256));
    }
}

TEST(test_objects_at_random) {
    for (uint64_t seed = 1; seed <= 8; seed++) {
        fault_allocator memory = {0};
        pmi_heap heap = {.allocator = fault_allocator_functions(&memory)};
        object objects[OBJECTS] = {{0}};
        uint64_t random = seed;
        if (seed % 2)
            assert_true(pmi_heap_reserve(&heap, 100000));
        for (size_t step = 0; step < 20000; step++)
            replace(&heap, &objects[random_below(&random, OBJECTS)], &random);
        assert_true(heap.bytes == memory.live_bytes);
        for (size_t k = 0; k < OBJECTS; k++)
            if (objects[k].bytes)
                replace(&heap, &objects[k], &random);
        assert_true(memory.live_blocks <= 1); /* the spare one */
        pmi_heap_clear(&heap);
        assert_true(fault_allocator_is_settled(&memory));
    }
}

/* Objects that grow one by one, each in the place of a smaller one, take no memory twice. */
TEST(test_neighbours_become_one) {
    fault_allocator memory = {0};
    pmi_heap heap = {.allocator = fault_allocator_functions(&memory)};
    object objects[OBJECTS];
    assert_true(pmi_heap_reserve(&heap, OBJECTS * 6500));
    for (unsigned round = 0; round < 8; round++)
        for (size_t k = 0; k < OBJECTS; k++) {
            if (round > 0)
                pmi_heap_free(&heap, objects[k].bytes);
            objects[k].bytes = pmi_heap_allocate(&heap, 0, 6000 + 50 * round, 1);
            assert_non_null(objects[k].bytes);
        }
    assert_true(memory.peak_bytes < OBJECTS * 6500 * 5 / 4);
    pmi_heap_clear(&heap); /* with all of them */
    assert_true(fault_allocator_is_settled(&memory));
}

TEST(test_no_memory) {
    fault_allocator memory = {0};
    pmi_heap heap = {.allocator = fault_allocator_functions(&memory)};
    assert_null(pmi_heap_allocate(&heap, 16, SIZE_MAX / 2, 3));
    assert_null(pmi_heap_allocate(&heap, SIZE_MAX, 1, 1));
    assert_int_equal(memory.calls, 0);
    memory.fail_at = 1;
    assert_false(pmi_heap_reserve(&heap, 1));
    memory.fail_at = 2;
    assert_null(pmi_heap_allocate(&heap, 1, 1, 1));
    memory.fail_at = 0;
    void *const nothing = pmi_heap_allocate(&heap, 0, 0, 1);
    assert_non_null(nothing);
    pmi_heap_free(&heap, NULL);
    pmi_heap_free(&heap, nothing);
    pmi_heap_clear(&heap);
    assert_true(fault_allocator_is_settled(&memory));
}
