/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GPU backend on whatever Vulkan device there is, a software renderer if need be, under the validation layer where
 * that is installed. Skipped (77) where there is no device.
 *   test_gpu [TEAMS [PATTERN]]   TEAMS: workgroup, subgroup, or any; PATTERN: of the names of the tests to run
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/match_stages.h"
#include "tests/support/unit.h"

static pmi_gpu_settings settings;
static pmi_gpu *gpu;           /* shared by the tests: a software renderer compiles slowly */
static pmi_gpu *gpu_of_chunks; /* with small slots, five tiles each, and kernels for a queue that draws */
static match_stages stages;
static match_stages stages_of_many; /* workgroups do much, and dispatches little; the same kernels */

/* ---- From host to host ---- */

TEST(test_every_string_to_8) {
    for (size_t n = 1; n <= 8; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            check_match(gpu, &bits, n, "a short string");
}

/* Around words, tiles, superblocks, and rows of superblocks. */
TEST(test_families_around_blocks) {
    static const size_t edges[] = {32,       64,        128,           PM_TILE,           2 * PM_TILE,
                                   5 * 4096, 17 * 1024, PM_SUPERBLOCK, 2 * PM_SUPERBLOCK, 33 * PM_TILE};
    for (const char *const *name = family_names; *name; name++)
        for (size_t e = 0; e < COUNT_OF(edges); e++)
            for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                check_family(gpu, *name, n, n);
}

TEST(test_large_families) {
    static const size_t sizes[] = {32 * PM_SUPERBLOCK + 1, 777777};
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            check_family(gpu, *name, s, sizes[s]);
}

TEST(test_random_sizes) {
    uint64_t seed = 5;
    for (int round = 0; round < 60; round++) {
        const size_t n = 1 + random_below(&seed, UINT64_C(1) << (1 + random_below(&seed, 20)));
        uint64_t *const parens = wandering_make(&seed, n);
        check_match(gpu, parens, n, "a wandering string");
        check_match(gpu_of_chunks, parens, n, "a wandering string in chunks");
        free(parens);
    }
}

/* One level in each superblock or tile that nobody closes until the end: what fetching the stack likes least. */
TEST(test_sparse_survivors) {
    const size_t n = 20 * PM_SUPERBLOCK;
    static const size_t strides[] = {PM_SUPERBLOCK, PM_TILE, PM_TILE - 2, PM_TILE / 2, 2 * PM_SUPERBLOCK - PM_TILE};
    for (size_t k = 0; k < COUNT_OF(strides); k++) {
        uint64_t *const parens = allocate(n / 64, sizeof *parens);
        for (size_t w = 0; w < n / 64; w++)
            parens[w] = w < n / 64 / 4 * 3 ? UINT64_C(0x5555555555555555) : 0;
        for (size_t i = 1; i < n / 4 * 3; i += strides[k]) /* an open in place of a close: one more level */
            parens[i / 64] |= UINT64_C(1) << i % 64;
        check_match(gpu, parens, n, "sparse survivors");
        check_match(gpu_of_chunks, parens, n, "sparse survivors in chunks");
        free(parens);
    }
}

/* One open to many in each superblock that nobody closes until the end, whose keys come from lists of superblocks, from
 * several tiles at once, or from one tile after the other. */
TEST(test_wells) {
    static const char *const names[] = {"wells:32767:20", "wells:16383:60", "wells:511:1500", "wells:127:5000",
                                        "wells:41:9000"};
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        check_family(gpu, names[k], k, 34 * PM_SUPERBLOCK + 5);
        check_family(gpu_of_chunks, names[k], k, 34 * PM_SUPERBLOCK + 5);
    }
}

/* Chunks of five superblocks up and five tiles down: everything in many pieces. */
TEST(test_many_chunks) {
    static const size_t sizes[] = {1, 5 * PM_TILE + 1, 10 * PM_TILE, 11 * PM_SUPERBLOCK - 1};
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            check_family(gpu_of_chunks, *name, s, sizes[s]);
}

/* The device's buffers were larger once, and hold other sequences' leavings. */
TEST(test_sizes_that_shrink) {
    for (size_t n = 300000; n > 0; n /= 3) {
        check_family(gpu, "bits", n, n);
        check_family(gpu, "closes", n, n);
        check_family(gpu, "opens", n, n);
    }
}

/* ---- Stage by stage ---- */

static void check_stages(const uint64_t *parens, uint32_t n, const char *what) {
    match_stages_check(&stages, parens, n, what);
    match_stages_check(&stages_of_many, parens, n, what);
}

TEST(test_stages_and_their_twins) {
    static const uint32_t sizes[] = {1, 33, PM_TILE, 5 * PM_TILE - 7, PM_SUPERBLOCK + 1, 3 * PM_SUPERBLOCK + 12345};
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            uint64_t *const parens = family_make(*name, s, sizes[s]);
            check_stages(parens, sizes[s], *name);
            free(parens);
        }
}

/* The tree of least levels has more than one level only past 32 superblocks. */
TEST(test_stages_with_a_tree) {
    uint64_t seed = 8;
    static const uint32_t sizes[] = {32 * PM_SUPERBLOCK, 9 * PM_SUPERBLOCK - 1, 40 * PM_SUPERBLOCK + 5};
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        uint64_t *const parens = wandering_make(&seed, sizes[s]);
        check_stages(parens, sizes[s], "a wandering string");
        free(parens);
    }
}

/* Runs about as long as a stack has entries, or half as many: what is overwritten there, and asked for again. */
TEST(test_runs_around_stacks) {
    static const uint32_t lengths[] = {PM_TILE / 2, PM_TILE / 2, PM_TILE, 3 * PM_TILE / 2};
    uint64_t seed = 12;
    for (int round = 0; round < 60; round++) {
        const size_t n = 40 * PM_TILE - (size_t)round;
        uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens);
        memset(parens, 0, pmi_bits_words(n) * sizeof *parens);
        bool open = true;
        for (size_t i = 0, end = 1 + (size_t)round * 17; i < n; open = !open) {
            for (; i < end && i < n; i++)
                parens[i / 64] |= (uint64_t)open << i % 64;
            const uint64_t kind = random_below(&seed, 8);
            end += kind < 4   ? lengths[kind] - 40 + random_below(&seed, 80)
                   : kind < 6 ? 1 + random_below(&seed, 4)
                              : PM_TILE / 2 - i % (PM_TILE / 2);
        }
        check_match(gpu, parens, n, "runs");
        check_match(gpu_of_chunks, parens, n, "runs in chunks");
        match_stages_check(&stages_of_many, parens, (uint32_t)n, "runs");
        free(parens);
    }
}

TEST(test_verify_on_the_device) {
    const uint32_t n = 50000;
    uint64_t *const parens = family_make("bits", 9, n);
    block b;
    match_stages_run(&stages, parens, n, &b);
    uint32_t *const match = block_words(&b, MATCH_RESULT);
    uint32_t first;
    assert_int_equal(match_stages_verify(&stages, &b, n, &first), 0);
    assert_int_equal(first, UINT32_MAX);
    uint64_t seed = 3;
    for (int round = 0; round < 40; round++) {
        const uint32_t i = (uint32_t)random_below(&seed, n), right = match[i];
        match[i] = round % 4 == 0 ? UINT32_MAX : (uint32_t)random_below(&seed, n);
        if (match[i] != right) {
            assert_true(match_stages_verify(&stages, &b, n, &first) > 0);
            assert_int_equal(first, i);
        }
        match[i] = right;
    }
    block_close(&b);
    free(parens);
}

/* Scratch is what the header of gpu/match/levels.h says, for every n. */
TEST(test_scratch_is_bounded) {
    uint64_t seed = 6;
    for (int round = 0; round < 1000; round++) {
        const uint32_t n = round == 0 ? UINT32_MAX : 1 + (uint32_t)(random_next(&seed) >> (32 + round % 31));
        assert_true(pmi_levels_scratch_bytes(n) < (uint64_t)n / 6 + 8192);
    }
}

/* ---- Devices ---- */

static pm_status open_and_close(const pmi_gpu_settings *asked) {
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pmi_gpu *opened = (pmi_gpu *)(uintptr_t)&faults; /* anything but NULL */
    const pm_status status = pmi_gpu_open(asked, &allocator, &opened);
    assert_true((status == PM_OK) == (opened != NULL));
    pmi_gpu_close(opened);
    return status;
}

TEST(test_no_loader) {
    pmi_gpu_settings none = settings;
    none.loader = "libvulkan-that-is-not-there.so.1";
    assert_int_equal(open_and_close(&none), PM_NO_DEVICE);
    none.loader = "libc.so.6"; /* a library, but no loader */
    assert_int_equal(open_and_close(&none), PM_NO_DEVICE);
    pmi_gpu_close(NULL);
}

TEST(test_no_memory) {
    const size_t next = faults.calls + 1;
    faults.fail_at = next;
    assert_int_equal(open_and_close(&settings), PM_OUT_OF_MEMORY);
    faults.fail_at = 0;
}

TEST(test_devices_by_name) {
    static const char *const nobody[] = {"999", "-1", "0x0", "best", "00000000-0000-0000-0000-000000000000", "0 "};
    pmi_gpu_settings named = settings;
    for (size_t k = 0; k < COUNT_OF(nobody); k++) {
        named.device = nobody[k];
        assert_int_equal(open_and_close(&named), PM_NO_DEVICE);
    }
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &id};
    stages.host.device.vk->GetPhysicalDeviceProperties2(stages.host.device.physical, &properties);
    char uuid[2 * VK_UUID_SIZE + 2] = "";
    for (size_t k = 0; k < VK_UUID_SIZE; k++)
        sprintf(uuid + strlen(uuid), k == 4 ? "-%02x" : "%02X", id.deviceUUID[k]);
    named.device = uuid;
    assert_ok(open_and_close(&named));
    uuid[0] = uuid[0] == '0' ? '1' : '0';
    assert_int_equal(open_and_close(&named), PM_NO_DEVICE);
    if (properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        uuid[0] = "0123456789abcdef"[id.deviceUUID[0] >> 4];
        named.allow_cpu_device = false;
        assert_int_equal(open_and_close(&named), PM_NO_DEVICE);
    }
}

TEST(test_statuses) {
    assert_ok(pmi_vk_status(VK_SUCCESS));
    assert_ok(pmi_vk_status(VK_INCOMPLETE));
    assert_int_equal(pmi_vk_status(VK_TIMEOUT), PM_DEVICE_LOST);
    assert_int_equal(pmi_vk_status(VK_ERROR_DEVICE_LOST), PM_DEVICE_LOST);
    assert_int_equal(pmi_vk_status(VK_ERROR_OUT_OF_HOST_MEMORY), PM_OUT_OF_MEMORY);
    assert_int_equal(pmi_vk_status(VK_ERROR_OUT_OF_DEVICE_MEMORY), PM_OUT_OF_MEMORY);
    assert_int_equal(pmi_vk_status(VK_ERROR_INCOMPATIBLE_DRIVER), PM_NO_DEVICE);
    assert_int_equal(pmi_vk_status(VK_ERROR_UNKNOWN), PM_UNSUPPORTED);
}

/* ---- A driver that fails ---- */

static VKAPI_ATTR VkResult VKAPI_CALL no_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory) {
    (void)device, (void)info, (void)callbacks, (void)memory;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VKAPI_ATTR VkResult VKAPI_CALL no_mapping(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                                 VkDeviceSize size, VkMemoryMapFlags flags, void **mapped) {
    (void)device, (void)memory, (void)offset, (void)size, (void)flags, (void)mapped;
    return VK_ERROR_MEMORY_MAP_FAILED;
}

static unsigned pipelines_left; /* before pipelines_lost() fails */
static PFN_vkCreateComputePipelines pipelines_create;

static VKAPI_ATTR VkResult VKAPI_CALL pipelines_lost(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *callbacks, VkPipeline *pipelines) {
    return pipelines_left-- > 0 ? pipelines_create(device, cache, count, infos, callbacks, pipelines)
                                : VK_ERROR_DEVICE_LOST;
}

/* Each failure comes back as a status; what had been made before it is gone, or the validation layer would tell. */
TEST(test_driver_that_fails) {
    const pmi_vk sound = stages.host.device.instance.vk;
    pmi_vk *const vk = &stages.host.device.instance.vk;
    pmi_buffer buffer;
    assert_int_equal(pmi_buffer_create(&stages.host.device, PM_MEMORY_DEVICE, UINT64_MAX, &buffer), PM_OUT_OF_MEMORY);
    vk->AllocateMemory = no_memory;
    assert_int_equal(pmi_buffer_create(&stages.host.device, PM_MEMORY_DEVICE, 100, &buffer), PM_OUT_OF_MEMORY);
    assert_null(buffer.mapped);
    *vk = sound;
    vk->MapMemory = no_mapping;
    assert_int_equal(pmi_buffer_create(&stages.host.device, PM_MEMORY_UPLOAD, 100, &buffer), PM_OUT_OF_MEMORY);
    *vk = sound;

    pipelines_create = vk->CreateComputePipelines;
    vk->CreateComputePipelines = pipelines_lost;
    for (unsigned made = 0; made < PM_STAGES + 1; made++) { /* each stage, and match of short sequences */
        pmi_levels levels;
        pipelines_left = made;
        assert_int_equal(pmi_levels_create(&stages.host.device, &levels), PM_DEVICE_LOST);
    }
    *vk = sound;
}

/* ---- The public function ---- */

TEST(test_public_function) {
    const size_t n = 3000, too_large = (size_t)UINT32_MAX + 1;
    fault_allocator own = {0};
    const pm_options options = {
        .struct_size = sizeof options, .allocator = fault_allocator_functions(&own), .allow_cpu_device = true};
    pm_context *context = context_of(&options);
    uint64_t *const parens = family_make("bits", 2, n);
    uint32_t *const match = allocate(n, sizeof *match);
    pm_bic total = {7, 7};

    assert_invalid(pm_match_gpu(NULL, parens, n, match, &total));
    assert_invalid(pm_match_gpu(NULL, NULL, 0, NULL, NULL));
    assert_invalid(pm_match_gpu(context, NULL, n, match, &total));
    assert_invalid(pm_match_gpu(context, parens, n, NULL, &total));
    assert_int_equal(pm_match_gpu(context, parens, too_large, match, &total), PM_TOO_LARGE);
    assert_int_equal(total.close, 7);
    assert_ok(pm_match_gpu(context, NULL, 0, NULL, &total));
    assert_int_equal(total.close, 0);
    assert_int_equal(own.live_blocks, 1); /* the context: no device has been opened yet */

    assert_ok(pm_match_gpu(context, parens, n, match, NULL));
    assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
    assert_int_equal(own.live_blocks, 2);
    memset(match, 0, n * sizeof *match);
    assert_ok(pm_match_gpu(context, parens, n, match, &total));
    assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
    assert_int_equal(own.live_blocks, 2);

    free(match);
    free(parens);
    context_close(context, &own);
}

/* A context whose device is a CPU matches only where its options or the environment allow that. */
TEST(test_environment) {
    VkPhysicalDeviceProperties properties;
    stages.host.device.vk->GetPhysicalDeviceProperties(stages.host.device.physical, &properties);
    const bool is_cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    static const struct {
        const char *value;
        bool allows;
    } values[] = {{NULL, false}, {"0", false}, {"", false}, {"yes", false}, {"1", true}};
    const uint64_t parens = 5;
    uint32_t match[3];
    for (size_t k = 0; k < COUNT_OF(values); k++) {
        if (values[k].value)
            assert_int_equal(setenv("PARENMATCH_ALLOW_CPU_DEVICE", values[k].value, 1), 0);
        else
            assert_int_equal(unsetenv("PARENMATCH_ALLOW_CPU_DEVICE"), 0);
        pm_context *context = context_of(NULL);
        assert_int_equal(pm_match_gpu(context, &parens, 3, match, NULL),
                         values[k].allows || !is_cpu ? PM_OK : PM_NO_DEVICE);
        pm_context_destroy(context);
    }
    unsetenv("PARENMATCH_ALLOW_CPU_DEVICE");
}

TEST(test_device_of_a_context) {
    char nobody[] = "999";
    const pm_options options = {.struct_size = sizeof options, .device = nobody, .allow_cpu_device = true};
    pm_context *context = context_of(&options);
    nobody[0] = '\0'; /* it has been copied, so this asks for no other device */
    const uint64_t parens = 5;
    uint32_t match[3];
    assert_int_equal(pm_match_gpu(context, &parens, 3, match, NULL), PM_NO_DEVICE);
    pm_context_destroy(context);
}

static pm_status open_all(void) {
    pm_status status = gpu_tests_open(settings, &gpu);
    if (status != PM_OK)
        return status;
    pmi_gpu_settings slots = settings, many = settings;
    slots.chunk_bytes = 5 * PM_TILE * sizeof(uint32_t);
    slots.workgroup_tiles = 3;
    slots.graphics_queue = true;
    slots.transfer = PM_TRANSFER_STAGED;
    slots.scan_always = true;
    many.workgroup_superblocks = 2;
    many.workgroup_tiles = 16;
    many.scan_always = true;
    many.graphics_queue = true;
    many.dispatch_tiles = 3 * PM_SUPERBLOCK_TILES;
    status = gpu_tests_open(slots, &gpu_of_chunks);
    if (status == PM_OK)
        status = match_stages_open(settings, &stages);
    return status == PM_OK ? match_stages_open(many, &stages_of_many) : status;
}

static void close_all(void) {
    match_stages_close(&stages);
    match_stages_close(&stages_of_many);
    pmi_gpu_close(gpu);
    pmi_gpu_close(gpu_of_chunks);
}

int main(int argc, char **argv) {
    settings = gpu_tests_settings((pmi_gpu_settings){.team_kind = gpu_tests_teams(argc, argv)});
    return gpu_tests_main(argc, argv, open_all, close_all);
}
