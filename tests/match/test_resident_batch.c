/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many sequences that stay on a device, against the reference implementation, under the validation layer where that is
 * installed. Skipped (77) where there is no device.
 *   test_resident_batch workgroup|subgroup|mapped [PATTERN]   mapped: any teams, and transfers without staging;
 *                                                             PATTERN: of the names of the tests to run
 */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"
#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "shaders/shared/layout.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/lengths.h"
#include "tests/support/unit.h"

enum {
    CANARY = 0x5ca1ab1e,
    RANGE = 69 * PM_TILE, /* of a match's buffers */
    ROOM = 250000,
    ROOM_SEQUENCES = 200000
};

static pmi_gpu *tested;
static pmi_gpu_settings settings = {.chunk_bytes = 1, .range_elements = RANGE, .workgroup_tiles = 3};

/* A context on an open device, which closing leaves open. */
static pm_context *context_on(pmi_gpu *gpu) {
    pm_context *const context = context_with(&faults);
    context->gpu = gpu;
    return context;
}

static void context_off(pm_context *context) {
    context->gpu = NULL;
    pm_context_destroy(context);
}

typedef struct batch {
    const char *what;
    const uint64_t *parens, *offsets;
    size_t count;
} batch;

static void check_elements(pm_resident *resident, const batch *b, const uint32_t *right, size_t first, size_t count) {
    uint32_t *const around = allocate(count + 2, sizeof *around);
    for (size_t i = 0; i < count + 2; i++)
        around[i] = CANARY;
    assert_ok(pm_resident_read(resident, first, count, around + 1));
    for (size_t i = 0; i < count; i++)
        if (around[i + 1] != right[first + i])
            fail_msg("%s, %zu sequences: match[%zu] is %u, not %u", b->what, b->count, first + i, around[i + 1],
                     right[first + i]);
    assert_true(around[0] == CANARY && around[count + 1] == CANARY);
    free(around);
}

static void check_totals(pm_resident *resident, const batch *b, const pm_bic *right, size_t first, size_t count) {
    pm_bic *const around = allocate(count + 2, sizeof *around);
    around[0] = around[count + 1] = (pm_bic){CANARY, CANARY};
    assert_ok(pm_resident_read_totals(resident, first, count, around + 1));
    for (size_t s = 0; s < count; s++)
        if (around[s + 1].close != right[first + s].close || around[s + 1].open != right[first + s].open)
            fail_msg("%s, %zu sequences: wrong total of sequence %zu", b->what, b->count, first + s);
    assert_true(around[0].close == CANARY && around[count + 1].open == CANARY);
    free(around);
}

/* What is loaded is matched right, and read whole and in parts, between canaries. */
static void check_loaded(pm_resident *resident, const batch *b) {
    const size_t first = b->count > 0 ? (size_t)b->offsets[0] : 0,
                 end = b->count > 0 ? (size_t)b->offsets[b->count] : 0;
    uint32_t *const match = allocate(end + 1, sizeof *match);
    pm_bic *const totals = allocate(b->count + 1, sizeof *totals);
    assert_ok(pm_match_batch_seq(NULL, b->parens, b->offsets, b->count, match, totals));
    assert_ok(pm_resident_match(resident, NULL));
    check_totals(resident, b, totals, b->count / 3, b->count / 2);
    check_elements(resident, b, match, first, end - first);
    check_elements(resident, b, match, first + (end - first) / 3, (end - first) / 2);
    check_totals(resident, b, totals, 0, b->count);
    if (b->count > 0) { /* as the header says how to read a sequence */
        const size_t s = b->count / 2;
        check_elements(resident, b, match, (size_t)b->offsets[s], (size_t)(b->offsets[s + 1] - b->offsets[s]));
    }
    free(match);
    free(totals);
}

static void check(pm_resident *resident, batch b) {
    assert_ok(pm_resident_load_batch(resident, b.parens, b.offsets, b.count));
    check_loaded(resident, &b);
}

/* ---- Small ones, all of them ---- */

TEST(test_every_cut_string_to_5_alone) {
    pm_context *const context = context_on(tested);
    pm_resident *resident;
    assert_ok(pm_resident_create_batch(context, 5, 5, &resident));
    for (uint32_t n = 1; n <= 5; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << (n - 1); cuts++) {
                uint64_t offsets[6];
                const size_t count = offsets_cut(0, n, cuts, offsets);
                check(resident, (batch){"a short string", &bits, offsets, count});
            }
    pm_resident_destroy(resident);
    context_off(context);
}

/* One after the other: what comes before must not count. */
TEST(test_every_cut_string_to_7_together) {
    cut_strings all = cut_strings_make();
    pm_context *const context = context_on(tested);
    pm_resident *resident;
    assert_ok(pm_resident_create_batch(context, all.elements, all.count, &resident));
    check(resident, (batch){"all short strings", all.parens, all.offsets, all.count});
    pm_resident_destroy(resident);
    context_off(context);
    cut_strings_free(&all);
}

/* ---- Long ones ---- */

/* One object for batches of all sizes, loaded one after another. */
TEST(test_families_around_blocks) {
    static const lengths some[] = {{1, 2, 0},       {1, 70, 1},    {60, 70, 0},
                                   {1000, 1050, 0}, {1, 40000, 2}, {200000, 200001, 0}};
    static const size_t edges[] = {64, 1024, 4096, 32768, 65536, RANGE, 2 * RANGE};
    static const size_t firsts[] = {0, 1, 63, 64, 65, 100000};
    pm_context *const context = context_on(tested);
    pm_resident *resident;
    assert_ok(pm_resident_create_batch(context, ROOM, ROOM_SEQUENCES, &resident));
    for (size_t f = 0; family_names[f]; f++)
        for (size_t e = 0; e < COUNT_OF(edges); e++) {
            const size_t n = edges[e] - 1 + (f + e) % 3, first = firsts[(n + e + f / 3) % COUNT_OF(firsts)];
            uint64_t *const parens = family_make(family_names[f], n, first + n);
            size_t count;
            uint64_t *const offsets = offsets_make(first, first + n, some[(n + f / 2) % COUNT_OF(some)], &count);
            assert_true(count <= ROOM_SEQUENCES);
            check(resident, (batch){family_names[f], parens, offsets, count});
            free(parens);
            free(offsets);
        }
    pm_resident_destroy(resident);
    context_off(context);
}

/* Sequences that begin and end at and around the edges of words, tiles, what a workgroup takes, and superblocks. */
TEST(test_edges) {
    static const uint64_t edges[] = {32, 64, 1024, 4096, 16384, 32768, 65536, RANGE};
    const size_t n = 200000;
    uint64_t offsets[3 * COUNT_OF(edges) + 2];
    pm_context *const context = context_on(tested);
    pm_resident *resident;
    assert_ok(pm_resident_create_batch(context, n, COUNT_OF(offsets) - 1, &resident));
    for (size_t f = 0; family_names[f]; f++) {
        uint64_t *const parens = family_make(family_names[f], f, n);
        const size_t count = offsets_around(edges, COUNT_OF(edges), n, f, offsets);
        check(resident, (batch){family_names[f], parens, offsets, count});
        free(parens);
    }
    pm_resident_destroy(resident);
    context_off(context);
}

/* The same batch, matched again and again, with other matches on the device between. */
TEST(test_between_other_matches) {
    const uint64_t offsets[] = {70, 70, 1000, 40000, 40001, 90000};
    uint64_t *const parens = family_make("bits", 8, 90000);
    const batch b = {"bits", parens, offsets, COUNT_OF(offsets) - 1};
    pm_context *const context = context_on(tested);
    pm_resident *resident, *one;
    assert_ok(pm_resident_create_batch(context, 90000, b.count, &resident));
    assert_ok(pm_resident_create(context, 90000, &one));
    check(resident, b);
    check_family(tested, "random", 1, 7 * PM_TILE);
    assert_ok(pm_resident_load(one, parens));
    assert_ok(pm_resident_match(one, NULL));
    check_loaded(resident, &b);
    check_loaded(resident, &b);
    pm_resident_destroy(one);
    pm_resident_destroy(resident);
    context_off(context);
    free(parens);
}

/* ---- What is refused ---- */

TEST(test_empty_sequences) {
    const uint64_t nowhere[] = {77, 77, 77, 77}, parens[] = {0, 5}, offsets[] = {64, 64, 67, 67};
    uint32_t match;
    pm_context *const context = context_on(tested);
    pm_resident *resident;
    assert_ok(pm_resident_create_batch(context, 3, 3, &resident));
    check(resident, (batch){"some empty", parens, offsets, 3});
    check(resident, (batch){"all empty", NULL, nowhere, 3});
    assert_ok(pm_resident_read(resident, 77, 0, NULL));
    assert_invalid(pm_resident_read(resident, 76, 0, NULL));
    assert_invalid(pm_resident_read(resident, 77, 1, &match));
    check(resident, (batch){"some empty", parens, offsets, 3});
    check(resident, (batch){"no sequences", NULL, NULL, 0});
    assert_ok(pm_resident_read_totals(resident, 0, 0, NULL));
    pm_resident_destroy(resident);
    assert_ok(pm_resident_create_batch(context, 0, 0, &resident));
    check(resident, (batch){"no room", NULL, NULL, 0});
    assert_int_equal(pm_resident_load_batch(resident, NULL, nowhere, 1), PM_TOO_LARGE);
    pm_resident_destroy(resident);
    context_off(context);
}

/* What was loaded before stays, and its match. */
TEST(test_bad_batches) {
    enum {
        N = 1000
    };
    uint64_t *const parens = family_make("bits", 1, 2 * N);
    const uint64_t offsets[] = {60, 100, 500, 60 + N}, descending[] = {60, 500, 100, 600},
                   longer[] = {60, 100, 500, 61 + N}, more[] = {0, 1, 2, 3, 4},
                   huge[] = {0, UINT64_C(1) << 32, UINT64_C(1) << 33, UINT64_C(1) << 34};
    const batch b = {"before", parens, offsets, 3};
    uint32_t match[N], right[60 + N];
    pm_context *const context = context_on(tested);
    pm_resident *resident;
    assert_ok(pm_resident_create_batch(context, N, 3, &resident));
    check(resident, b);
    assert_invalid(pm_resident_load_batch(resident, parens, descending, 3));
    assert_invalid(pm_resident_load_batch(resident, parens, NULL, 3));
    assert_invalid(pm_resident_load_batch(resident, NULL, offsets, 3));
    assert_int_equal(pm_resident_load_batch(resident, parens, longer, 3), PM_TOO_LARGE);
    assert_int_equal(pm_resident_load_batch(resident, parens, more, 4), PM_TOO_LARGE);
    assert_int_equal(pm_resident_load_batch(resident, parens, huge, 3), PM_TOO_LARGE);
    assert_ok(pm_match_batch_seq(NULL, parens, offsets, 3, right, NULL));
    assert_ok(pm_resident_read(resident, 60, N, match)); /* without another match */
    assert_memory_equal(match, right + 60, sizeof match);
    check_loaded(resident, &b);
    pm_resident_destroy(resident);
    context_off(context);
    free(parens);
}

TEST(test_arguments) {
    const uint64_t parens = 1, offsets[] = {2, 4, 5};
    pm_context *const context = context_on(tested);
    pm_resident *resident = NULL, *one;
    pm_bic totals[2];
    uint32_t match[3];
    assert_invalid(pm_resident_create_batch(context, 10, 2, NULL));
    assert_invalid(pm_resident_create_batch(NULL, 10, 2, &resident));
    assert_null(resident);
    assert_int_equal(pm_resident_create_batch(context, (UINT64_C(1) << 32) - 63, 2, &resident), PM_TOO_LARGE);
    assert_int_equal(pm_resident_create_batch(context, 10, UINT64_C(1) << 31, &resident), PM_TOO_LARGE);
    assert_null(resident);
    assert_int_equal(pm_resident_create_batch(context, RANGE * 17, 2, &resident), PM_OUT_OF_MEMORY);
    assert_null(resident);
    assert_ok(pm_resident_create_batch(context, 3, 2, &resident));
    assert_invalid(pm_resident_match(resident, NULL)); /* nothing is loaded */
    assert_invalid(pm_resident_load(resident, &parens));
    assert_invalid(pm_resident_load_batch(NULL, &parens, offsets, 2));
    assert_ok(pm_resident_load_batch(resident, &parens, offsets, 2));
    assert_invalid(pm_resident_read(resident, 2, 3, match)); /* nothing is matched */
    assert_invalid(pm_resident_read_totals(resident, 0, 2, totals));
    assert_invalid(pm_resident_match(resident, totals));
    assert_ok(pm_resident_match(resident, NULL));
    assert_invalid(pm_resident_read(resident, 1, 1, match));
    assert_invalid(pm_resident_read(resident, 3, 3, match));
    assert_invalid(pm_resident_read(resident, 6, 0, match));
    assert_invalid(pm_resident_read(resident, 2, 1, NULL));
    assert_ok(pm_resident_read(resident, 5, 0, NULL));
    assert_invalid(pm_resident_read_totals(resident, 0, 3, totals));
    assert_invalid(pm_resident_read_totals(resident, 3, 0, totals));
    assert_invalid(pm_resident_read_totals(resident, 0, 1, NULL));
    assert_invalid(pm_resident_read_totals(NULL, 0, 1, totals));
    assert_ok(pm_resident_read_totals(resident, 2, 0, NULL));
    assert_ok(pm_resident_create(context, 3, &one));
    assert_invalid(pm_resident_load_batch(one, &parens, offsets, 2));
    assert_ok(pm_resident_load(one, &parens));
    assert_ok(pm_resident_match(one, totals));
    assert_invalid(pm_resident_read_totals(one, 0, 0, totals));
    pm_resident_destroy(one);
    pm_resident_destroy(resident);
    context_off(context);
}

/* ---- What fails ---- */

static PFN_vkAllocateMemory allocate_memory;
static size_t allocations, allocation_to_fail;

static VKAPI_ATTR VkResult VKAPI_CALL allocation_failing(VkDevice device, const VkMemoryAllocateInfo *info,
                                                         const VkAllocationCallbacks *callbacks,
                                                         VkDeviceMemory *memory) {
    return ++allocations == allocation_to_fail ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                                               : allocate_memory(device, info, callbacks, memory);
}

static pm_status create_load_and_read(pm_context *context, const batch *b, pm_resident **resident) {
    pm_bic total;
    pm_status status = pm_resident_create_batch(context, b->offsets[b->count] - b->offsets[0], b->count, resident);
    if (status == PM_OK)
        status = pm_resident_load_batch(*resident, b->parens, b->offsets, b->count);
    if (status == PM_OK)
        status = pm_resident_match(*resident, NULL);
    return status == PM_OK ? pm_resident_read_totals(*resident, 0, 1, &total) : status;
}

/* Each allocation of host or device memory fails once; the next try succeeds. */
TEST(test_no_memory) {
    const uint64_t offsets[] = {1000, 1001, 2000, 2000, 5000};
    uint64_t *const parens = family_make("bits", 3, 5000);
    const batch b = {"bits", parens, offsets, 4};
    pmi_gpu *gpu;
    pm_resident *resident;
    assert_ok(gpu_tests_open(settings, &gpu));
    pm_context *const context = context_on(gpu);
    pmi_vk *const vk = &pmi_gpu_device(gpu)->instance.vk;
    allocate_memory = vk->AllocateMemory;
    vk->AllocateMemory = allocation_failing;
    for (size_t host = 0; host < 2; host++)
        for (size_t k = 1; k < 100; k++) {
            allocations = 0;
            allocation_to_fail = host ? 0 : k;
            faults.fail_at = host ? faults.calls + k : 0;
            const size_t calls = faults.calls;
            const pm_status status = create_load_and_read(context, &b, &resident);
            faults.fail_at = allocation_to_fail = 0;
            if (resident)
                check(resident, b);
            else
                assert_int_equal(status, PM_OUT_OF_MEMORY);
            pm_resident_destroy(resident);
            if (status == PM_OK && (host ? faults.calls - calls : allocations) < k)
                break;
            assert_true(k < 99);
        }
    context_off(context);
    pmi_gpu_close(gpu);
    free(parens);
}

static VKAPI_ATTR VkResult VKAPI_CALL submission_lost(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                                      VkFence fence) {
    (void)queue, (void)count, (void)infos, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

TEST(test_lost) {
    const uint64_t parens = 5, offsets[] = {0, 3};
    uint32_t match;
    pm_bic total;
    pmi_gpu *gpu;
    pm_resident *resident;
    assert_ok(gpu_tests_open(settings, &gpu));
    pm_context *const context = context_on(gpu);
    assert_ok(pm_resident_create_batch(context, 3, 1, &resident));
    check(resident, (batch){"before the loss", &parens, offsets, 1});
    assert_ok(pm_resident_match(resident, NULL));
    pmi_gpu_device(gpu)->instance.vk.QueueSubmit = submission_lost;
    assert_int_equal(pm_resident_read_totals(resident, 0, 1, &total), PM_DEVICE_LOST);
    assert_int_equal(pm_resident_match(resident, NULL), PM_DEVICE_LOST);
    assert_int_equal(pm_resident_read(resident, 0, 1, &match), PM_DEVICE_LOST);
    assert_int_equal(pm_resident_load_batch(resident, &parens, offsets, 1), PM_DEVICE_LOST);
    pm_resident_destroy(resident);
    context_off(context);
    pmi_gpu_close(gpu);
}

int main(int argc, char **argv) {
    settings.team_kind = gpu_tests_teams(argc, argv);
    settings.transfer = argc > 1 && strcmp(argv[1], "mapped") == 0 ? PM_TRANSFER_MAPPED : PM_TRANSFER_STAGED;
    return gpu_tests_with(argc, argv, &(gpu_tests_device){settings, &tested}, 1);
}
