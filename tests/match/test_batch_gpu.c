/* SPDX-License-Identifier: Apache-2.0 */
/* Many sequences on a device against the reference implementation. Without a device the tests are skipped. */
#include <string.h>

#include "base/slice.h"
#include "core/match/match.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

/* A context whose device is open; skips the test if there is no device. */
static pm_context *device_context(fault_allocator *memory, const char *device) {
    const pm_options options = {
        .allow_cpu_device = true, .device = device, .allocator = fault_allocator_functions(memory)};
    pm_context *context = context_of(&options);
    const uint64_t parens = 1, offsets[] = {0, 1};
    uint32_t match;
    const pm_status status = pm_match_batch_gpu(context, &parens, offsets, 1, &match, NULL);
    if (status == PM_NO_DEVICE) {
        context_close(context, memory);
        skip();
    }
    assert_ok(status);
    assert_int_equal(match, PM_NONE);
    return context;
}

/* Sequences of lengths below `bound`, from element `first` on; on the device at most `most` elements at once. */
static void check_in_chunks(pm_context *context, const char *family, uint64_t first, size_t count, uint64_t bound,
                            uint64_t most) {
    uint64_t *const offsets = allocate(count + 1, sizeof *offsets), seed = bound;
    offsets[0] = first;
    for (size_t s = 0; s < count; s++)
        offsets[s + 1] = offsets[s] + random_below(&seed, bound);
    const size_t n = offsets[count];
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens);
    assert_true(family_fill(family, bound, n, parens));
    uint32_t *const match = allocate(2 * n, sizeof *match), *const right = match + n;
    pm_bic *const totals = allocate(2 * count, sizeof *totals), *const right_totals = totals + count;
    memset(match, 0xa5, 2 * n * sizeof *match);
    assert_ok(pm_match_batch_seq(NULL, parens, offsets, count, right, right_totals));
    const pmi_batch batch = {parens, offsets, count, match, totals};
    assert_ok(pmi_match_batch_gpu(context, &batch, most));
    assert_memory_equal(match, right, n * sizeof *match);
    assert_memory_equal(totals, right_totals, count * sizeof *totals);
    memset(match, 0xa5, n * sizeof *match);
    assert_ok(pmi_match_batch_gpu(context, &(pmi_batch){parens, offsets, count, match, NULL}, most));
    assert_memory_equal(match, right, n * sizeof *match);
    free(totals);
    free(match);
    free(parens);
    free(offsets);
}

static void check(pm_context *context, const char *family, uint64_t first, size_t count, uint64_t bound) {
    check_in_chunks(context, family, first, count, bound, PM_N_MAX);
}

/* As batches of more than 2^32 elements are matched; some chunks are of one sequence that is longer. */
TEST(test_batches_in_chunks) {
    fault_allocator memory = {0};
    pm_context *const context = device_context(&memory, NULL);
    for (uint64_t most = 1; most <= 4096; most *= 8)
        check_in_chunks(context, "bits", most % 3, 40, 150, most);
    check_in_chunks(context, "deep", 3, 30, 4, 1);
    check_in_chunks(context, "closes", 64, 30, 200, 128);
    context_close(context, &memory);
}

/* A chunk takes what fits, to the last element, with what is before it in its first word: four sequences of 16, each
 * chunk's copy of offsets an allocation. */
TEST(test_ends_of_chunks) {
    fault_allocator memory = {0};
    pm_context *const context = device_context(&memory, NULL);
    const uint64_t parens[] = {0, UINT64_C(0x123456789abcdef0), 5}, offsets[] = {65, 81, 97, 113, 129};
    uint32_t match[129];
    const pmi_batch batch = {parens, offsets, 4, match, NULL};
    static const struct {
        uint64_t most;
        size_t chunks;
    } cases[] = {{65, 1}, {64, 2}, {49, 2}, {48, 3}, {33, 3}, {32, 4}, {1, 4}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const size_t before = memory.calls;
        assert_ok(pmi_match_batch_gpu(context, &batch, cases[k].most));
        assert_int_equal(memory.calls - before, cases[k].chunks);
    }
    context_close(context, &memory);
}

TEST(test_batches_on_a_device) {
    fault_allocator memory = {0};
    pm_context *const context = device_context(&memory, NULL);
    for (size_t f = 0; family_names[f]; f++)
        check(context, family_names[f], f, 60, 70);
    check(context, "bits", 64, 2000, 9);
    check(context, "bits", 0, 100, 3000);
    check(context, "opens", 5, 3, 60000);
    memory.fail_at = memory.calls + 1; /* the copy of offsets that do not begin in the first word */
    const uint64_t parens[] = {5, 5}, offsets[] = {65, 70};
    uint32_t match[70];
    assert_int_equal(pm_match_batch_gpu(context, parens, offsets, 1, match, NULL), PM_OUT_OF_MEMORY);
    assert_ok(pm_match_batch_gpu(context, parens, offsets, 1, match, NULL));
    context_close(context, &memory);
}

/* Several chunks of the match, which devices take in turns; a name twice in the list opens the device twice. */
TEST(test_long_batches_on_two_devices) {
    fault_allocator memory = {0};
    pm_context *const context = device_context(&memory, "0,0");
    check(context, "bits", 1000, 2500, 2000);
    check(context, "drift", 63, 12, 400000);
    context_close(context, &memory);
}

TEST(test_arguments) {
    const pm_options options = {.allow_cpu_device = true};
    pm_context *const context = context_of(&options);
    const uint64_t parens = 1, good[] = {0, 1, 1}, descending[] = {0, 3, 1}, too_long[] = {0, UINT64_C(1) << 32};
    uint32_t match[3];
    pm_bic totals[2] = {{7, 7}, {7, 7}};
    assert_invalid(pm_match_batch_gpu(NULL, &parens, good, 2, match, NULL));
    assert_invalid(pm_match_batch_gpu(NULL, NULL, NULL, 0, NULL, NULL));
    assert_ok(pm_match_batch_gpu(context, NULL, NULL, 0, NULL, NULL));
    assert_ok(pm_match_batch_gpu(context, NULL, good + 1, 1, NULL, totals));
    assert_true(totals[0].close == 0 && totals[0].open == 0 && totals[1].open == 7);
    assert_invalid(pm_match_batch_gpu(context, &parens, descending, 2, match, NULL));
    assert_invalid(pm_match_batch_gpu(context, NULL, good, 2, match, NULL));
    assert_int_equal(pm_match_batch_gpu(context, &parens, too_long, 1, match, NULL), PM_TOO_LARGE);
    pm_context_destroy(context);
}
