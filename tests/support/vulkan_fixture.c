/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing what the tests share; recording matches, running them, and looking at what they left. */
#include "tests/support/vulkan_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    RECORDER_WORDS = 1 << 22,
    RANGES_MAX = 64 /* of a match */
};

gpu_host host;
device_objects objects;
pm_vk_context *matcher;
recorder matches;

/* ---- Recorded matches ---- */

/* The buffers of a match, by their index. */
enum {
    PARENS,
    SCRATCH,
    SUMMARY,
    MATCH,
    COUNT,
    DISPATCHES,
    BUFFERS
};

void recorder_open(recorder *r, const pm_vk_context *of, size_t words) {
    *r = (recorder){.matcher = of};
    block_open(&r->block, &host.device, words);
}

void recorder_close(recorder *r) {
    assert_false(r->recording);
    block_close(&r->block);
}

static uint32_t *words_of(const recorder *r, const recorded_match *m, size_t buffer) {
    return block_words(&r->block, m->at + buffer);
}

static VkDeviceAddress address_of(const recorder *r, const recorded_match *m, size_t buffer) {
    return block_address(&r->block, BLOCK_DEVICE, m->at + buffer);
}

static size_t length_of(const recorder *r, const recorded_match *m, size_t buffer) {
    return r->block.buffers[m->at + buffer].words;
}

/* Gives the match its buffers in the block, after running what there is if there is no room. */
static void lay_out(recorder *r, recorded_match *m, uint64_t range_elements) {
    pm_vk_sizes sizes;
    assert_ok(pm_vk_context_sizes(r->matcher, m->n, range_elements, &sizes));
    sizes.match.size = 4 * (VkDeviceSize)m->n; /* the ranges lie together */
    const pm_vk_buffer buffers[BUFFERS] = {sizes.parens, sizes.scratch, sizes.summary,
                                           sizes.match,  sizes.count,   sizes.dispatches};
    size_t bytes = 0;
    for (int k = 0; k < BUFFERS; k++)
        bytes += buffers[k].size;
    if (r->count == RECORDED_MAX || !block_has_room(&r->block, bytes / 4, BUFFERS))
        recorder_run(r);
    m->at = block_add(&r->block, buffers, BUFFERS, m->what, m->n);
}

static void record(recorder *r, const recorded_match *m, VkDeviceAddress scratch, record_how how) {
    VkDeviceAddress ranges[RANGES_MAX];
    if (how.range_elements > 0)
        for (uint64_t k = 0; k * how.range_elements < m->n; k++) {
            assert_true(k < RANGES_MAX);
            ranges[k] = address_of(r, m, MATCH) + 4 * k * how.range_elements;
        }
    const pm_vk_match_info info = {.struct_size = sizeof info,
                                   .n = m->n,
                                   .parens = address_of(r, m, PARENS),
                                   .scratch = scratch,
                                   .summary = address_of(r, m, SUMMARY),
                                   .match = how.range_elements ? 0 : address_of(r, m, MATCH),
                                   .match_ranges = how.range_elements ? ranges : NULL,
                                   .range_elements = how.range_elements,
                                   .count = how.counted ? address_of(r, m, COUNT) : 0,
                                   .dispatches = how.counted ? r->block.memory.handle : VK_NULL_HANDLE,
                                   .dispatches_offset =
                                       how.counted ? 4 * r->block.buffers[m->at + DISPATCHES].first : 0};
    assert_ok(pm_vk_cmd_match(host.commands, r->matcher, &info));
}

/* A number for what a match only reads. */
static uint64_t given_sum(const recorder *r, const recorded_match *m) {
    static const size_t given[] = {PARENS, COUNT};
    uint64_t sum = 0;
    for (size_t k = 0; k < COUNT_OF(given); k++)
        for (size_t i = 0; i < length_of(r, m, given[k]); i++)
            sum = (sum ^ words_of(r, m, given[k])[i]) * UINT64_C(0x100000001b3);
    return sum;
}

void recorder_add(recorder *r, const char *what, const uint64_t *parens, uint32_t n, record_how how) {
    recorded_match m = {.what = what, .n = n, .length = how.counted && how.count < n ? how.count : n};
    lay_out(r, &m, how.range_elements);
    memcpy(words_of(r, &m, PARENS), parens, length_of(r, &m, PARENS) * 4);
    for (size_t i = 0; i < length_of(r, &m, SCRATCH); i++)
        words_of(r, &m, SCRATCH)[i] = how.junk;
    if (length_of(r, &m, COUNT) > 0)
        *words_of(r, &m, COUNT) = how.count;
    m.given_sum = given_sum(r, &m);
    if (!r->recording)
        gpu_commands_begin(&host);
    r->recording = true;
    if (how.scratch_of_last) {
        assert_true(r->count > 0);
        gpu_commands_barrier(&host);
    } else
        r->scratch_owner = r->count;
    r->matches[r->count++] = m;
    record(r, &m, address_of(r, &r->matches[r->scratch_owner], SCRATCH), how);
}

static void check(const recorder *r, const recorded_match *m) {
    const uint32_t *const match = words_of(r, m, MATCH);
    const size_t n = m->length;
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    uint32_t *const expected = allocate(n, sizeof *expected);
    pm_bic total;
    if (given_sum(r, m) != m->given_sum)
        fail_msg("%s, n = %zu: what is given has been changed", m->what, n);
    memcpy(parens, words_of(r, m, PARENS), (n + 31) / 32 * 4);
    assert_ok(pm_match_seq(NULL, parens, n, expected, &total));
    for (size_t i = 0; i < n; i++)
        if (match[i] != expected[i])
            fail_msg("%s, n = %zu: match[%zu] is %u, not %u", m->what, n, i, match[i], expected[i]);
    for (size_t i = n; i < m->n; i++)
        if (match[i] != BLOCK_CANARY)
            fail_msg("%s, n = %zu of %u: match[%zu] has been written", m->what, n, m->n, i);
    pm_vk_summary summary;
    memcpy(&summary, words_of(r, m, SUMMARY), sizeof summary);
    if (summary.close != total.close || summary.open != total.open)
        fail_msg("%s, n = %zu: the summary is (%u, %u)", m->what, n, summary.close, summary.open);
    free(parens);
    free(expected);
}

void recorder_run(recorder *r) {
    if (!r->recording)
        return;
    gpu_commands_run(&host);
    for (size_t k = 0; k < r->count; k++)
        check(r, &r->matches[k]);
    block_check(&r->block);
    block_clear(&r->block);
    r->recording = false;
    r->count = 0;
}

/* ---- The program ---- */

static uint32_t matcher_flags;
static pmi_gpu_settings settings;
static void (*open_further)(void), (*close_further)(void);

static VKAPI_ATTR void *VKAPI_CALL objects_allocate(void *user, size_t size, size_t alignment,
                                                    VkSystemAllocationScope scope) {
    device_objects *const o = user;
    (void)scope;
    void *const memory = allocate_aligned(alignment < 16 ? 16 : alignment, size);
    o->calls++;
    o->live += memory != NULL;
    return memory;
}

static VKAPI_ATTR void VKAPI_CALL objects_free(void *user, void *memory) {
    device_objects *const o = user;
    o->live -= memory != NULL;
    free_aligned(memory);
}

static VKAPI_ATTR void *VKAPI_CALL objects_reallocate(void *user, void *memory, size_t size, size_t alignment,
                                                      VkSystemAllocationScope scope) {
    (void)memory, (void)size, (void)alignment, (void)scope;
    device_objects *const o = user;
    o->calls++;
    return NULL; /* which is a failure that a driver must bear */
}

static const VkAllocationCallbacks callbacks = {.pUserData = &objects,
                                                .pfnAllocation = objects_allocate,
                                                .pfnReallocation = objects_reallocate,
                                                .pfnFree = objects_free};

pm_vk_context_info matcher_info(uint32_t flags) {
    return (pm_vk_context_info){.struct_size = sizeof(pm_vk_context_info),
                                .instance = host.device.instance.handle,
                                .physical_device = host.device.physical,
                                .device = host.device.handle,
                                .get_instance_proc_addr = host.device.vk->GetInstanceProcAddr,
                                .flags = matcher_flags | flags,
                                .callbacks = &callbacks,
                                .allocator = fault_allocator_functions(&faults)};
}

static pm_status open_all(void) {
    const pm_status status = gpu_host_open(settings, &host);
    if (status != PM_OK)
        return status;
    const pm_vk_context_info info = matcher_info(0);
    assert_ok(pm_vk_context_create(&info, &matcher));
    recorder_open(&matches, matcher, RECORDER_WORDS);
    if (open_further)
        open_further();
    return PM_OK;
}

static void close_all(void) {
    if (close_further)
        close_further();
    recorder_close(&matches);
    pm_vk_context_destroy(matcher);
    gpu_host_close(&host);
    assert_int_equal(objects.live, 0);
}

int vulkan_tests_main(int argc, char **argv, void (*open_more)(void), void (*close_more)(void)) {
    const char *const kernels = argc > 1 ? argv[1] : "workgroup";
    const bool subgroups = strncmp(kernels, "subgroup", strlen("subgroup")) == 0;
    const bool graphics = strstr(kernels, "-graphics") != NULL;
    matcher_flags = PM_VK_COUNT_ON_DEVICE | (subgroups ? PM_VK_SUBGROUPS : 0) | (graphics ? PM_VK_GRAPHICS_QUEUE : 0);
    settings.graphics_queue = graphics;
    settings.team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP;
    open_further = open_more;
    close_further = close_more;
    return gpu_tests_main(argc, argv, open_all, close_all);
}
