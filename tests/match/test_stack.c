/* SPDX-License-Identifier: Apache-2.0 */
/* The chunked stack against a plain array: walks over chunk edges, visits, memory that follows the height. */
#include <stdlib.h>
#include <string.h>

#include "base/stack.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

/* One entry in 8-byte units, all made from one number. */
static void entry_write(void *entry, size_t size, uint64_t number) {
    uint64_t *units = entry;
    for (size_t u = 0; u < size / sizeof *units; u++)
        units[u] = number + u;
}

static void check_entry(const void *entry, size_t size, uint64_t number) {
    const uint64_t *units = entry;
    for (size_t u = 0; u < size / sizeof *units; u++)
        assert_int_equal(units[u], number + u);
}

static void push(pmi_stack *stack, uint64_t number) {
    void *entry = pmi_stack_push(stack);
    assert_non_null(entry);
    assert_int_equal((uintptr_t)entry % sizeof(uint64_t), 0);
    entry_write(entry, stack->entry_size, number);
}

/* What pmi_stack_visit() should see, and how much of it is wanted. */
typedef struct visitor {
    const uint64_t *expected;
    size_t size, seen, wanted;
} visitor;

static bool visit(const void *entry, void *user) {
    visitor *visited = user;
    check_entry(entry, visited->size, visited->expected[visited->seen]);
    return ++visited->seen < visited->wanted;
}

static void check_contents(const pmi_stack *stack, const uint64_t *expected, size_t height) {
    visitor all = {expected, stack->entry_size, 0, SIZE_MAX}, half = {expected, stack->entry_size, 0, height / 2};
    pmi_stack_visit(stack, visit, &all);
    assert_int_equal(all.seen, height);
    if (half.wanted > 0) {
        pmi_stack_visit(stack, visit, &half);
        assert_int_equal(half.seen, half.wanted);
    }
}

/* Long runs of pushes and of pops at random, so that the height crosses chunks both ways. */
TEST(test_walks) {
    enum {
        HEIGHT_MAX = 20000
    };
    uint64_t *model = allocate(HEIGHT_MAX, sizeof *model);
    for (size_t size = 8; size <= 56; size += 16) {
        fault_allocator faults = {0};
        const pm_allocator allocator = fault_allocator_functions(&faults);
        uint64_t seed = size, number = 0;
        size_t height = 0;
        pmi_stack stack;
        pmi_stack_init(&stack, &allocator, size);
        for (int run = 0; run < 60; run++) {
            const bool up = random_below(&seed, 2);
            for (size_t steps = random_below(&seed, 5000); steps > 0; steps--) {
                if (up && height < HEIGHT_MAX) {
                    push(&stack, model[height++] = number += 100);
                } else if (!up && height > 0) {
                    pmi_stack_pop(&stack);
                    height--;
                }
                if (height == 0)
                    assert_null(pmi_stack_top(&stack));
                else
                    check_entry(pmi_stack_top(&stack), size, model[height - 1]);
            }
            check_contents(&stack, model, height);
        }
        pmi_stack_clear(&stack);
        assert_null(pmi_stack_top(&stack));
        assert_true(fault_allocator_is_settled(&faults));
    }
    free(model);
}

TEST(test_memory_follows_height) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pmi_stack stack;
    pmi_stack_init(&stack, &allocator, 16);
    assert_int_equal(faults.calls, 0);
    const size_t chunks = 3 * PM_STACK_SPARES, height = chunks * stack.capacity;
    for (size_t i = 0; i < height; i++)
        push(&stack, i);
    assert_int_equal(faults.live_blocks, chunks);

    for (int swing = 0; swing < 100; swing++) { /* about a chunk's edge */
        push(&stack, height);
        pmi_stack_pop(&stack);
    }
    assert_int_equal(faults.calls, chunks + 1);

    for (size_t i = height; i-- > 0;) {
        check_entry(pmi_stack_top(&stack), 16, i);
        pmi_stack_pop(&stack);
        assert_true(faults.live_blocks <= (i + stack.capacity - 1) / stack.capacity + PM_STACK_SPARES);
    }
    assert_null(pmi_stack_top(&stack));
    pmi_stack_clear(&stack);
    assert_true(fault_allocator_is_settled(&faults));
}

/* A push without memory changes nothing, and the next one succeeds. */
TEST(test_push_without_memory) {
    for (size_t fail_at = 1; fail_at <= 3; fail_at++) {
        fault_allocator faults = {.fail_at = fail_at};
        const pm_allocator allocator = fault_allocator_functions(&faults);
        pmi_stack stack;
        pmi_stack_init(&stack, &allocator, 24);
        const size_t height = (fail_at - 1) * stack.capacity;
        for (size_t i = 0; i < height; i++)
            push(&stack, i);
        assert_null(pmi_stack_push(&stack));
        if (height == 0)
            assert_null(pmi_stack_top(&stack));
        else
            check_entry(pmi_stack_top(&stack), 24, height - 1);
        push(&stack, height);
        check_entry(pmi_stack_top(&stack), 24, height);
        pmi_stack_clear(&stack);
        push(&stack, 1); /* a cleared stack is a new one */
        check_entry(pmi_stack_top(&stack), 24, 1);
        pmi_stack_clear(&stack);
        assert_true(fault_allocator_is_settled(&faults));
    }
}

/* Saved stacks keep what they were, whatever happens to the stack and to the other ones. */
TEST(test_saved) {
    enum {
        HEIGHT_MAX = 12000,
        SAVED = 12
    };
    uint64_t *const model = allocate(HEIGHT_MAX, sizeof *model);
    uint64_t *const kept = allocate((size_t)SAVED * HEIGHT_MAX, sizeof *kept);
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pmi_stack stack, saved[SAVED];
    size_t height = 0, heights[SAVED];
    uint64_t seed = 9, number = 0;
    pmi_stack_init(&stack, &allocator, 24);
    for (size_t k = 0; k < SAVED; k++) {
        heights[k] = 0;
        assert_true(pmi_stack_save(&stack, &saved[k]));
    }
    for (int run = 0; run < 200; run++) {
        const bool up = random_below(&seed, 2);
        for (size_t steps = random_below(&seed, 3000); steps > 0; steps--) {
            if (up && height < HEIGHT_MAX) {
                push(&stack, model[height++] = number += 100);
            } else if (!up && height > 0) {
                pmi_stack_pop(&stack);
                height--;
            }
        }
        const size_t k = random_below(&seed, SAVED);
        if (random_below(&seed, 2)) {
            pmi_stack_clear(&saved[k]);
            assert_true(pmi_stack_save(&stack, &saved[k]));
            heights[k] = height;
            memcpy(kept + k * HEIGHT_MAX, model, height * sizeof *model);
        } else {
            if (random_below(&seed, 4) == 0)
                pmi_stack_clear(&stack);
            assert_true(pmi_stack_reserve_for(&stack, &saved[k]));
            pmi_stack_restore(&stack, &saved[k]);
            height = heights[k];
            memcpy(model, kept + k * HEIGHT_MAX, height * sizeof *model);
        }
        check_contents(&stack, model, height);
        check_contents(&saved[k], kept + k * HEIGHT_MAX, heights[k]);
        if (height > 0)
            check_entry(pmi_stack_bottom(&stack), 24, model[0]);
    }
    pmi_stack_clear(&stack);
    for (size_t k = 0; k < SAVED; k++) {
        check_contents(&saved[k], kept + k * HEIGHT_MAX, heights[k]);
        pmi_stack_clear(&saved[k]);
    }
    assert_true(fault_allocator_is_settled(&faults));
    free(model);
    free(kept);
}
