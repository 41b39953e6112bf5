/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: options of every size, allocators, and failure of every allocation; the fixture that fails them, too. */
#include <string.h>

#include "core/context/context.h"
#include "tests/support/unit.h"

/* Where the options of the first release end; a caller cannot know less. */
#define FIRST_RELEASE (offsetof(pm_options, allocator) + sizeof(pm_allocator))

/* Options in a larger struct, as a program built against a later header has them. */
typedef union later_options {
    pm_options known;
    unsigned char bytes[sizeof(pm_options) + 64];
} later_options;

static later_options later_options_make(fault_allocator *faults, size_t struct_size, unsigned char rest) {
    later_options options;
    memset(options.bytes, rest, sizeof options.bytes);
    options.known = (pm_options){.struct_size = struct_size, .allocator = fault_allocator_functions(faults)};
    return options;
}

/* Creates a context, which must come from the allocator in the options, and destroys it. */
static void check_accepted(const pm_options *options, fault_allocator *faults) {
    pm_context *context = NULL;
    assert_ok(pm_context_create(options, &context));
    assert_non_null(context);
    assert_int_equal(faults->live_blocks, 1);
    pm_context_destroy(context);
    assert_true(fault_allocator_is_settled(faults));
}

static void check_refused(const pm_options *options, const fault_allocator *faults, pm_status status) {
    pm_context *context = (pm_context *)(uintptr_t)&status; /* anything but NULL */
    assert_int_equal(pm_context_create(options, &context), status);
    assert_null(context);
    assert_int_equal(faults->calls, 0);
}

TEST(test_defaults) {
    pm_context *context = NULL;
    assert_ok(pm_context_create(NULL, &context));
    assert_non_null(context);
    pm_context_destroy(context);
    const pm_options zero = {0};
    assert_ok(pm_context_create(&zero, &context));
    pm_context_destroy(context);
    pm_context_destroy(NULL);
    assert_invalid(pm_context_create(NULL, NULL));
    assert_invalid(pm_context_create(&zero, NULL));
}

TEST(test_size_zero_is_the_librarys_own) {
    fault_allocator faults = {0};
    const later_options options = later_options_make(&faults, 0, 0xff);
    check_accepted(&options.known, &faults);
}

TEST(test_size_too_small) {
    for (size_t size = 1; size < FIRST_RELEASE; size++) {
        fault_allocator faults = {0};
        const later_options options = later_options_make(&faults, size, 0);
        check_refused(&options.known, &faults, PM_INVALID_ARGUMENT);
    }
}

/* What lies beyond struct_size is not the options' and does not matter. */
TEST(test_size_larger_with_zeros) {
    for (size_t size = FIRST_RELEASE; size <= sizeof(later_options); size++) {
        fault_allocator faults = {0};
        later_options options = later_options_make(&faults, size, 0);
        memset(options.bytes + size, 0xff, sizeof options - size);
        check_accepted(&options.known, &faults);
    }
}

TEST(test_size_larger_with_something) {
    for (size_t at = sizeof(pm_options); at < sizeof(later_options); at++) {
        fault_allocator faults = {0};
        later_options options = later_options_make(&faults, sizeof options, 0);
        options.bytes[at] = 1;
        check_refused(&options.known, &faults, PM_UNSUPPORTED);
        options.known.struct_size = at;
        check_accepted(&options.known, &faults);
    }
}

/* What was never set says anything: it is not believed, and nothing far behind the options is read. */
TEST(test_size_that_is_none) {
    const size_t sizes[] = {sizeof(pm_options) + 4097, SIZE_MAX / 2 + 1, SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        fault_allocator faults = {0};
        const later_options options = later_options_make(&faults, sizes[i], 0);
        check_refused(&options.known, &faults, PM_INVALID_ARGUMENT);
    }
}

TEST(test_one_sided_allocator) {
    fault_allocator faults = {0};
    pm_options options = {.struct_size = sizeof options, .allocator = fault_allocator_functions(&faults)};
    options.allocator.free = NULL;
    check_refused(&options, &faults, PM_INVALID_ARGUMENT);
    options.allocator = fault_allocator_functions(&faults);
    options.allocator.alloc = NULL;
    check_refused(&options, &faults, PM_INVALID_ARGUMENT);
}

/* Options are copied: they may change or go once the context is there. */
/* A device's name is copied into the context, so it has to end somewhere. */
TEST(test_device_name_too_long) {
    char name[PM_DEVICE_NAME_SIZE + 1];
    memset(name, '0', sizeof name);
    fault_allocator faults = {0};
    pm_options options = {
        .struct_size = sizeof options, .allocator = fault_allocator_functions(&faults), .device = name};
    name[PM_DEVICE_NAME_SIZE] = '\0';
    check_refused(&options, &faults, PM_INVALID_ARGUMENT);
    name[PM_DEVICE_NAME_SIZE - 1] = '\0';
    check_accepted(&options, &faults);
}

TEST(test_options_are_copied) {
    fault_allocator faults = {0};
    pm_options options = {.struct_size = sizeof options,
                          .allocator = fault_allocator_functions(&faults),
                          .simd = "portable",
                          .threads = 3,
                          .device = "1,0"};
    pm_context *context = context_of(&options);
    memset(&options, 0xff, sizeof options);
    assert_int_equal(pm_context_threads(context), 3);
    assert_string_equal(pm_context_device(context), "1,0");
    assert_int_equal(pm_context_threads(NULL), 0);
    assert_string_equal(pm_context_simd(context), "portable");
    assert_non_null(pm_context_simd(NULL));
    assert_string_equal(pm_context_device(NULL), "");
    context_close(context, &faults);
}

/* Of pm_match_gpu(); a name is known or not, whatever devices there are. */
TEST(test_pipelines_by_name) {
    assert_string_equal(pm_pipeline_at(0)->name, "levels");
    for (size_t k = 0; pm_pipeline_at(k); k++) {
        fault_allocator faults = {0};
        assert_true(strlen(pm_pipeline_at(k)->description) > 0);
        for (size_t before = 0; before < k; before++)
            assert_string_not_equal(pm_pipeline_at(before)->name, pm_pipeline_at(k)->name);
        check_accepted(
            &(pm_options){.allocator = fault_allocator_functions(&faults), .pipeline = pm_pipeline_at(k)->name},
            &faults);
    }
    static const char *const none[] = {"", "narrow", "levels ", "Levels"};
    for (size_t k = 0; k < COUNT_OF(none); k++) {
        fault_allocator faults = {0};
        check_refused(&(pm_options){.allocator = fault_allocator_functions(&faults), .pipeline = none[k]}, &faults,
                      PM_INVALID_ARGUMENT);
    }
}

TEST(test_contexts_without_memory) {
    fault_allocator faults = {.fail_at = 1};
    pm_context *context = (pm_context *)(uintptr_t)&faults;
    assert_int_equal(fault_allocator_context(&faults, &context), PM_OUT_OF_MEMORY);
    assert_null(context);
    assert_int_equal(faults.calls, 1);
    assert_true(fault_allocator_is_settled(&faults));
}

/* Of a context and a stream, whichever allocation fails, the rest is given back. */
TEST(test_objects_without_memory) {
    for (size_t fail_at = 1, needed = SIZE_MAX; fail_at <= needed + 1; fail_at++) {
        fault_allocator faults = {.fail_at = fail_at};
        pm_context *context;
        pm_stream *stream = (pm_stream *)(uintptr_t)&faults;
        pm_status status = fault_allocator_context(&faults, &context);
        if (status == PM_OK) {
            status = pm_stream_create(context, &stream);
            assert_true((status == PM_OK) == (stream != NULL));
            pm_stream_destroy(stream);
        }
        assert_int_equal(status, fail_at <= faults.calls ? PM_OUT_OF_MEMORY : PM_OK);
        if (status == PM_OK)
            needed = faults.calls;
        context_close(context, &faults);
    }
}

TEST(test_memory_of_many_elements) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    assert_null(pmi_memory_allocate(&allocator, SIZE_MAX / 8 + 1, 8)); /* the product overflows */
    assert_null(pmi_memory_allocate(&allocator, SIZE_MAX, 2));
    assert_int_equal(faults.calls, 0);
    void *none = pmi_memory_allocate(&allocator, 0, 24), *three = pmi_memory_allocate(&allocator, 3, 8);
    assert_non_null(none);
    assert_non_null(three);
    assert_int_equal(faults.live_bytes, 24 + 24);
    pmi_memory_free(&allocator, none);
    pmi_memory_free(&allocator, NULL);
    pmi_memory_free(&allocator, three);
    assert_true(fault_allocator_is_settled(&faults));
}

/* The fixture itself: it counts, fails the one allocation, and notices wrong frees. */
TEST(test_fault_allocator) {
    fault_allocator faults = {.fail_at = 2};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    void *first = allocator.alloc(100, allocator.user);
    assert_non_null(first);
    assert_null(allocator.alloc(5, allocator.user));
    void *third = allocator.alloc(20, allocator.user);
    assert_non_null(third);
    assert_int_equal(faults.calls, 3);
    assert_int_equal(faults.live_blocks, 2);
    assert_int_equal(faults.live_bytes, 120);
    allocator.free(first, allocator.user);
    assert_int_equal(faults.live_bytes, 20);
    assert_int_equal(faults.peak_bytes, 120);
    assert_false(fault_allocator_is_settled(&faults));
    allocator.free(third, allocator.user);
    assert_true(fault_allocator_is_settled(&faults));
    allocator.free(NULL, allocator.user);
    assert_int_equal(faults.wrong_frees, 1);
    assert_false(fault_allocator_is_settled(&faults));
}
