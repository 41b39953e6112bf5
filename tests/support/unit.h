/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every test program includes: cmocka with the headers that it needs, tests that add themselves to the program,
 * memory and contexts. A program without a main() of its own gets one that runs all of its tests.
 */
#ifndef PM_TESTS_SUPPORT_UNIT_H
#define PM_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "parenmatch.h"
#include "tests/support/fault_allocator.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define assert_ok(status) assert_int_equal(status, PM_OK)
#define assert_invalid(status) assert_int_equal(status, PM_INVALID_ARGUMENT)

/* TEST(test_x) { ... } defines a test. Tests run in the order in which they stand in the file. */
#define TEST(name) TEST_AFTER(NULL, name)

/* TEST_AFTER(set_up, test_x) { ... }: a test before which set_up() runs. */
#define TEST_AFTER(set_up, name)                                                                                       \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void name##_add(void) {                                                        \
        tests_add(&(struct CMUnitTest){#name, name, set_up, NULL, NULL}, __LINE__);                                    \
    }                                                                                                                  \
    static void name(void **state __attribute__((unused)))

/* Adds a copy of the test to those of the program, in the order of lines. */
void tests_add(const struct CMUnitTest *test, int line);

/* Runs the program's tests; returns the number of failures. A program without tests aborts. */
int tests_run(void);

/* As tests_run(): set_up() runs once before all tests, tear_down() once after them. */
int tests_run_between(CMFixtureFunction set_up, CMFixtureFunction tear_down);

/* A call of work(n, user) to be timed. */
typedef struct {
    void (*work)(size_t n, void *user);
    size_t n;
    void *user;
} timed_work;

/*
 * Does `longer` take at most `times` the processor time of `shorter`? They are timed one after the other, three times;
 * then again, for up to ten seconds, while it seems not so, since other programs may have disturbed one of them. The
 * fastest calls count.
 */
bool takes_at_most(double times, timed_work longer, timed_work shorter);

/* Returns a block of exactly count * size bytes, so that sanitizers watch its edges; to be freed. */
static inline void *allocate(size_t count, size_t size) {
    void *memory = malloc(count * size + (count == 0));
    assert_non_null(memory);
    return memory;
}

/* Returns memory of these bytes; to be given to free_aligned(). The C library of Windows has no aligned_alloc(). */
static inline void *allocate_aligned(size_t alignment, size_t bytes) {
#ifdef _WIN32
    return _aligned_malloc(bytes, alignment);
#else
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#endif
}

static inline void free_aligned(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

/* Returns a context with these options (NULL: the default ones), or with this allocator; to be destroyed. */
static inline pm_context *context_of(const pm_options *options) {
    pm_context *context;
    assert_ok(pm_context_create(options, &context));
    return context;
}

static inline pm_context *context_with(fault_allocator *memory) {
    pm_context *context;
    assert_ok(fault_allocator_context(memory, &context));
    return context;
}

/* Destroys a context, which has given back all memory of its allocator. */
static inline void context_close(pm_context *context, const fault_allocator *memory) {
    pm_context_destroy(context);
    assert_true(fault_allocator_is_settled(memory));
}

#endif
