/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch_vulkan.h, on a device that plays the caller's, under the validation layer where that is installed. Skipped
 * (77) where there is no device.
 *   test_vulkan KERNELS [PATTERN]   KERNELS: workgroup, subgroup, or one of these with -graphics after it;
 *                                   PATTERN: of the names of the tests to run
 */
#include "parenmatch_vulkan.h"

#include <stdio.h>
#include <string.h>

#include "tests/allocate.h"
#include "tests/cmocka_all.h"
#include "tests/families.h"
#include "tests/fault_allocator.h"
#include "tests/vulkan_bed.h"

enum {
    SKIPPED = 77,
    BED_WORDS = 1 << 22
};

static size_t messages; /* of the validation layer */

static void hear(const char *text, void *user) {
    (void)user;
    messages++;
    print_error("validation: %s\n", text);
}

static gpu_stages host; /* device, queue and commands of a program that uses the library */
static fault_allocator faults;
static uint32_t matcher_flags; /* of the matcher */
static pm_vk_matcher *matcher;
static bed matches;

/* ---- A caller's allocation callbacks: they count ---- */

typedef struct device_objects {
    size_t calls, live;
} device_objects;
static device_objects objects;

static VKAPI_ATTR void *VKAPI_CALL objects_allocate(void *user, size_t size, size_t alignment,
                                                    VkSystemAllocationScope scope) {
    device_objects *const o = user;
    (void)scope;
    void *const block = aligned_alloc(alignment < 16 ? 16 : alignment, (size + 63) / 64 * 64);
    o->calls++;
    o->live += block != NULL;
    return block;
}

static VKAPI_ATTR void VKAPI_CALL objects_free(void *user, void *block) {
    device_objects *const o = user;
    o->live -= block != NULL;
    free(block);
}

static VKAPI_ATTR void *VKAPI_CALL objects_reallocate(void *user, void *block, size_t size, size_t alignment,
                                                      VkSystemAllocationScope scope) {
    (void)block, (void)size, (void)alignment, (void)scope;
    device_objects *const o = user;
    o->calls++;
    return NULL; /* which is a failure that a driver must bear */
}

static const VkAllocationCallbacks callbacks = {.pUserData = &objects,
                                                .pfnAllocation = objects_allocate,
                                                .pfnReallocation = objects_reallocate,
                                                .pfnFree = objects_free};

static pm_vk_matcher_info matcher_info(void) {
    return (pm_vk_matcher_info){.struct_size = sizeof(pm_vk_matcher_info),
                                .instance = host.device.instance.handle,
                                .physical_device = host.device.physical,
                                .device = host.device.handle,
                                .get_instance_proc_addr = host.device.vk->GetInstanceProcAddr,
                                .flags = matcher_flags,
                                .callbacks = &callbacks,
                                .allocator = fault_allocator_functions(&faults)};
}

/* ---- Requirements ---- */

static void test_requirements(void **state) {
    (void)state;
    const PFN_vkGetInstanceProcAddr get = host.device.vk->GetInstanceProcAddr;
    pm_vk_requirements r;
    assert_int_equal(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, get, &r), PM_OK);
    assert_int_equal(r.api_version, VK_API_VERSION_1_2);
    assert_int_equal(r.buffer_device_address, VK_TRUE);
    assert_int_equal(r.subgroup_size_control, r.compute_full_subgroups);
    assert_true(r.extension_count <= 1 && (r.extension_count == 0 || r.subgroup_size_control));
    if (r.extension_count > 0)
        assert_string_equal(r.extensions[0], VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);

    assert_int_equal(pm_vk_requirements_get(NULL, host.device.physical, get, &r), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_requirements_get(host.device.instance.handle, NULL, get, &r), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, NULL, &r),
                     PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, get, NULL),
                     PM_INVALID_ARGUMENT);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL old_instance(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0 ? NULL
                                                             : host.device.vk->GetInstanceProcAddr(instance, name);
}

static VKAPI_ATTR void VKAPI_CALL old_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties) {
    host.device.vk->GetPhysicalDeviceProperties(physical, properties);
    properties->apiVersion = VK_API_VERSION_1_1;
}

static VKAPI_ATTR void VKAPI_CALL no_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features) {
    (void)physical;
    VkPhysicalDeviceBufferDeviceAddressFeatures *const address = features->pNext;
    assert_int_equal(address->sType, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    address->bufferDeviceAddress = VK_FALSE;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL old_device(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetPhysicalDeviceProperties") == 0 ? (PFN_vkVoidFunction)old_properties
                                                              : host.device.vk->GetInstanceProcAddr(instance, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL poor_device(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetPhysicalDeviceFeatures2") == 0 ? (PFN_vkVoidFunction)no_features
                                                             : host.device.vk->GetInstanceProcAddr(instance, name);
}

static void test_what_cannot_be(void **state) {
    (void)state;
    const PFN_vkGetInstanceProcAddr cannot[] = {old_instance, old_device, poor_device};
    for (size_t k = 0; k < sizeof cannot / sizeof *cannot; k++) {
        pm_vk_requirements r;
        assert_int_equal(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, cannot[k], &r),
                         PM_UNSUPPORTED);
        pm_vk_matcher_info info = matcher_info();
        info.get_instance_proc_addr = cannot[k];
        pm_vk_matcher *none = matcher;
        assert_int_equal(pm_vk_matcher_create(&info, &none), PM_UNSUPPORTED);
        assert_null(none);
    }
}

/* ---- Creating ---- */

static void refuse(const pm_vk_matcher_info *info, pm_status status) {
    const size_t calls = objects.calls, blocks = faults.live_blocks;
    pm_vk_matcher *none = matcher; /* anything but NULL */
    assert_int_equal(pm_vk_matcher_create(info, &none), status);
    assert_null(none);
    assert_int_equal(objects.calls, calls);
    assert_int_equal(faults.live_blocks, blocks);
}

static void test_bad_infos(void **state) {
    (void)state;
    pm_vk_matcher_info info = matcher_info();
    assert_int_equal(pm_vk_matcher_create(&info, NULL), PM_INVALID_ARGUMENT);
    refuse(NULL, PM_INVALID_ARGUMENT);
    info.instance = VK_NULL_HANDLE;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info();
    info.physical_device = VK_NULL_HANDLE;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info();
    info.device = VK_NULL_HANDLE;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info();
    info.get_instance_proc_addr = NULL;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info();
    info.allocator.free = NULL;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info();
    info.struct_size = sizeof info - 1;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info();
    info.flags = UINT32_C(1) << 31;
    refuse(&info, PM_UNSUPPORTED);
    pm_vk_requirements r;
    info = matcher_info();
    assert_int_equal(pm_vk_requirements_get(info.instance, info.physical_device, info.get_instance_proc_addr, &r),
                     PM_OK);
    info.flags = PM_VK_SUBGROUPS;
    if (!r.subgroup_size_control)
        refuse(&info, PM_UNSUPPORTED);
    pm_vk_matcher_destroy(NULL);
}

/* Without memory nothing is left behind; without callbacks and an allocator there are Vulkan's and the library's. */
static void test_memory(void **state) {
    (void)state;
    const size_t blocks = faults.live_blocks, live = objects.live, device_calls = objects.calls;
    pm_vk_matcher_info info = matcher_info();
    pm_vk_matcher *made = NULL;
    faults.fail_at = faults.calls + 1;
    refuse(&info, PM_OUT_OF_MEMORY);
    faults.fail_at = 0;

    assert_int_equal(pm_vk_matcher_create(&info, &made), PM_OK);
    assert_int_equal(faults.live_blocks, blocks + 1);
    assert_true(objects.calls > device_calls);
    pm_vk_matcher_destroy(made);
    assert_int_equal(faults.live_blocks, blocks);
    assert_int_equal(objects.live, live);

    const size_t calls_with = objects.calls;
    info.struct_size = 0;
    info.callbacks = NULL;
    info.allocator = (pm_allocator){NULL, NULL, NULL};
    assert_int_equal(pm_vk_matcher_create(&info, &made), PM_OK);
    assert_int_equal(objects.calls, calls_with);
    pm_vk_matcher_destroy(made);
}

static size_t pipelines_made;

static VKAPI_ATTR VkResult VKAPI_CALL pipelines_seen(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *called, VkPipeline *pipelines) {
    assert_true(cache != VK_NULL_HANDLE);
    pipelines_made++;
    return host.device.vk->CreateComputePipelines(device, cache, count, infos, called, pipelines);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function_seen(VkDevice device, const char *name) {
    return strcmp(name, "vkCreateComputePipelines") == 0 ? (PFN_vkVoidFunction)pipelines_seen
                                                         : host.device.vk->GetDeviceProcAddr(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function_seen(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)device_function_seen
                                                    : host.device.vk->GetInstanceProcAddr(instance, name);
}

/* A cache of pipelines is used while the matcher is created, and may then go. */
static void test_pipeline_cache(void **state) {
    (void)state;
    const pm_device *const device = &host.device;
    const PFN_vkCreatePipelineCache create =
        (PFN_vkCreatePipelineCache)device->vk->GetDeviceProcAddr(device->handle, "vkCreatePipelineCache");
    const PFN_vkDestroyPipelineCache destroy =
        (PFN_vkDestroyPipelineCache)device->vk->GetDeviceProcAddr(device->handle, "vkDestroyPipelineCache");
    const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    pm_vk_matcher_info info = matcher_info();
    info.get_instance_proc_addr = instance_function_seen;
    assert_int_equal(create(device->handle, &cache_info, NULL, &info.pipeline_cache), VK_SUCCESS);
    pm_vk_matcher *cached;
    assert_int_equal(pm_vk_matcher_create(&info, &cached), PM_OK);
    assert_true(pipelines_made > 0);
    destroy(device->handle, info.pipeline_cache, NULL);
    bed b;
    bed_open(&b, &host, cached, 1 << 16);
    const uint64_t parens = 0x3b;
    bed_add(&b, "with a cache", &parens, 7, (bed_how){0});
    bed_run(&b);
    bed_close(&b);
    pm_vk_matcher_destroy(cached);
}

/* ---- Sizes ---- */

static void test_sizes(void **state) {
    (void)state;
    static const uint64_t some[] = {0, 1, 31, 32, 33, 1024, 1025, 32768, 32769, 1 << 20, UINT64_C(1) << 31, UINT32_MAX};
    VkDeviceSize scratch = 0;
    pm_vk_sizes sizes;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        assert_int_equal(pm_vk_matcher_sizes(matcher, some[k], 4096, &sizes), PM_OK);
        assert_int_equal(sizes.match.size, some[k] < 4096 ? some[k] * 4 : 4096 * 4);
        const VkDeviceSize dispatches_of_ranges = sizes.dispatches.size;
        assert_int_equal(pm_vk_matcher_sizes(matcher, some[k], 0, &sizes), PM_OK);
        assert_true(sizes.dispatches.size <= dispatches_of_ranges && sizes.dispatches.size < some[k] / 1024 + 256);
        assert_int_equal(sizes.count.size, sizeof(uint32_t));
        assert_int_equal(sizes.parens.size, (some[k] + 31) / 32 * 4);
        assert_int_equal(sizes.match.size, some[k] * 4);
        assert_int_equal(sizes.summary.size, sizeof(pm_vk_summary));
        assert_true(sizes.scratch.size >= scratch && sizes.scratch.size < some[k] / 7 + 8192);
        scratch = sizes.scratch.size;
        const pm_vk_buffer *const all[] = {&sizes.parens,  &sizes.match, &sizes.scratch,
                                           &sizes.summary, &sizes.count, &sizes.dispatches};
        for (size_t b = 0; b < sizeof all / sizeof *all; b++) {
            assert_true(all[b]->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
            assert_true(all[b]->alignment >= 4 && (all[b]->alignment & (all[b]->alignment - 1)) == 0);
        }
    }
    assert_int_equal(pm_vk_matcher_sizes(matcher, UINT64_C(1) << 32, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_matcher_sizes(matcher, UINT64_MAX, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_matcher_sizes(NULL, 1, 0, &sizes), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_matcher_sizes(matcher, 1, 0, NULL), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_matcher_sizes(matcher, 1, 1000, &sizes), PM_INVALID_ARGUMENT);
    assert_true(sizes.dispatches.usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

/* ---- Recording ---- */

static uint64_t *family_make(const char *name, uint64_t seed, size_t n) {
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    assert_true(family_fill(name, seed, n, parens));
    return parens;
}

static void add_family(const char *name, uint64_t seed, uint32_t n, bed_how how) {
    uint64_t *const parens = family_make(name, seed, n);
    bed_add(&matches, name, parens, n, how);
    free(parens);
}

static void test_every_string_to_8(void **state) {
    (void)state;
    for (uint32_t n = 0; n <= 8; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const uint32_t junk = (uint32_t)bits * 0x9e3779b9u;
            bed_add(&matches, "a short string", &bits, n, (bed_how){.junk = junk});
            bed_add(&matches, "a short string", &bits, 8, (bed_how){.junk = junk, .counted = true, .count = n});
        }
    bed_run(&matches);
}

static void test_families_around_blocks(void **state) {
    (void)state;
    static const uint32_t edges[] = {32, 128, 1024, 4096, 32768, 65536};
    for (const char *const *name = family_names; *name; name++)
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
            for (uint32_t n = edges[e] - 1; n <= edges[e] + 1; n++)
                add_family(*name, n, n, (bed_how){.junk = n % 2 ? UINT32_MAX : n});
    bed_run(&matches);
}

/* Counts below, at and above the most that the match was recorded for. */
static void test_counts(void **state) {
    (void)state;
    static const uint32_t most[] = {1, 32, 33, 1024, 1025, 5000, 40000};
    for (const char *const *name = family_names; *name; name++)
        for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
            const uint32_t m = most[k];
            const uint32_t counts[] = {0, 1, m / 33, m / 2, m - m % 1024, m - 1, m, m + 1, UINT32_MAX};
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                add_family(*name, c, m, (bed_how){.counted = true, .count = counts[c], .junk = UINT32_MAX * (c % 2)});
        }
    bed_run(&matches);
}

/* Some thousand counts in sequences that wander, for what none of the sizes above is. */
static void test_random_counts(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 300; round++) {
        const uint32_t n = 1 + (uint32_t)random_below(&seed, UINT64_C(1) << (1 + random_below(&seed, 18)));
        const uint32_t count = (uint32_t)random_below(&seed, n + n / 8 + 2);
        const uint64_t ranges = round % 3 ? 0 : (1 + random_below(&seed, n / 1024 + 1)) * 1024;
        add_family(round % 2 ? "drift" : "bits", seed, n,
                   (bed_how){.counted = true,
                             .count = count,
                             .junk = (uint32_t)seed,
                             .range_elements = ranges > n / 64 ? ranges : 0});
    }
    bed_run(&matches);
}

/* More than 32 superblocks, so that the tree of least levels has a second level; or would have. */
static void test_tree(void **state) {
    (void)state;
    static const char *const names[] = {"bits", "drift", "sparse:511"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const uint32_t n = 33 * PM_SUPERBLOCK + 1;
        add_family(names[k], k, n, (bed_how){0});
        add_family(names[k], k, n, (bed_how){.counted = true, .count = n - 5});
        add_family(names[k], k, n, (bed_how){.counted = true, .count = 2 * PM_SUPERBLOCK});
    }
    bed_run(&matches);
}

/* So long that a software renderer gets more than one dispatch a stage. */
static void test_many_dispatches(void **state) {
    (void)state;
    const uint32_t n = (UINT32_C(1) << 23) + 54321;
    bed large;
    bed_open(&large, &host, matcher, 12 << 20);
    uint64_t *const parens = family_make("random", 6, n);
    static const uint32_t counts[] = {100000, (1 << 23) + 1};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        bed_add(&large, "many dispatches", parens, n, (bed_how){.junk = 2, .counted = true, .count = counts[k]});
        bed_run(&large);
    }
    free(parens);
    bed_close(&large);
}

/* Plans for a length cover its units, each once, and within the device's limits, whatever the greatest length was. */
static void check_plans(const pm_device *device, uint32_t most, uint32_t n, bool reduce, uint32_t first) {
    const uint32_t unit = reduce ? PM_SUPERBLOCK : PM_TILE, all = n / unit + (n % unit != 0);
    const uint32_t most_units = most / unit + (most % unit != 0) - first;
    const pm_plan_task task = reduce ? pm_wide_reduce_task(device, most, first, most_units)
                                     : pm_wide_match_task(device, most, first, most_units);
    uint32_t at = first;
    for (uint32_t k = 0; k < task.dispatches + task.dispatches_last; k++) {
        const pm_plan plan = pm_plan_make(task, n, k);
        assert_int_equal(plan.workgroups == 0, plan.count == 0);
        if (plan.count == 0)
            continue;
        assert_int_equal(plan.first, at);
        assert_true(plan.workgroups <= device->can.dispatch_workgroups);
        assert_true(plan.count <= task.dispatch_units && plan.count <= (uint64_t)plan.workgroups * plan.per_group);
        assert_true((uint64_t)(plan.workgroups - 1) * plan.per_group < plan.count);
        at += plan.count;
    }
    assert_int_equal(at, all > first ? all : first);
}

static void test_plans(void **state) {
    (void)state;
    static pm_device device; /* nothing but what it can do */
    uint64_t seed = 21;
    for (int round = 0; round < 20000; round++) {
        device.can = (pm_capabilities){.dispatch_workgroups = random_next(&seed) % 2 ? 1000 : UINT32_MAX,
                                       .dispatch_tiles = UINT32_C(1) << random_below(&seed, 21),
                                       .reduce_superblocks = random_next(&seed) % 3 ? 0 : 2,
                                       .match_tiles = random_next(&seed) % 3 ? 0 : 16};
        const uint32_t most = 1 + (uint32_t)(random_next(&seed) >> (32 + random_below(&seed, 31)));
        const uint32_t n = (uint32_t)random_below(&seed, (uint64_t)most + 1);
        const bool reduce = random_next(&seed) % 2;
        const uint32_t units = most / (reduce ? PM_SUPERBLOCK : PM_TILE);
        if (units / device.can.dispatch_tiles > 1 << 10)
            continue; /* there would be very many */
        const uint32_t first = (uint32_t)random_below(&seed, (uint64_t)units + 1);
        check_plans(&device, most, most, reduce, first);
        check_plans(&device, most, n, reduce, first);
        check_plans(&device, most, n, reduce, 0);
    }
}

static void test_ranges(void **state) {
    (void)state;
    static const struct {
        uint32_t n;
        uint64_t range_elements;
    } some[] = {{1, 1024},       {1024, 1024},   {1025, 1024},           {50000, 1024}, {50000, 3 * 1024},
                {100000, 65536}, {65536, 65536}, {7, UINT64_C(1) << 40}, {0, 1024}};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        add_family("bits", k, some[k].n, (bed_how){.range_elements = some[k].range_elements});
        add_family("deep", k, some[k].n,
                   (bed_how){.range_elements = some[k].range_elements, .counted = true, .count = some[k].n / 2});
    }
    bed_run(&matches);
}

/* A match after a match in the same scratch, with a barrier between them. */
static void test_one_scratch_for_two(void **state) {
    (void)state;
    const uint32_t n[] = {70000, 5000};
    bed_how how = {.junk = 5};
    add_family("bits", 1, n[0], how);
    how.scratch_of_last = true;
    add_family("opens", 2, n[1], how);
    how.counted = true;
    how.count = 4000;
    add_family("closes", 3, n[1], how);
    bed_run(&matches);
}

static void test_bad_matches(void **state) {
    (void)state;
    const VkDeviceAddress some = 1 << 16, odd = some + 8, ranges[] = {some, odd};
    const pm_vk_match_info good = {
        .struct_size = sizeof good, .n = 2000, .parens = some, .scratch = some, .summary = some, .match = some};
    /* Nothing of this is recorded: where there is nothing begun there is nothing to record to. */
    const VkCommandBuffer commands = host.commands;
    pm_vk_match_info bad = good;
    assert_int_equal(pm_vk_cmd_match(NULL, matcher, &good), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_cmd_match(commands, NULL, &good), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_vk_cmd_match(commands, matcher, NULL), PM_INVALID_ARGUMENT);
    bad.n = UINT64_C(1) << 32;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_TOO_LARGE);
    bad = good;
    bad.struct_size = 8;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    VkDeviceAddress *const addresses[] = {&bad.parens, &bad.scratch, &bad.summary, &bad.match};
    for (size_t k = 0; k < sizeof addresses / sizeof *addresses; k++) {
        bad = good;
        *addresses[k] = 0;
        assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
        *addresses[k] = some + 2;
        assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    }
    bad = good;
    bad.range_elements = 1024;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    bad.match_ranges = ranges; /* the second of which is misaligned */
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    bad.range_elements = 1000;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    bad = good;
    bad.count = some;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT); /* no buffer for dispatches */
    bad.dispatches = matches.block.handle;
    bad.dispatches_offset = 2;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    bad.dispatches_offset = 0;
    bad.count = some + 2;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
    pm_vk_matcher_info info = matcher_info();
    info.flags &= ~(uint32_t)PM_VK_COUNT_ON_DEVICE;
    pm_vk_matcher *without;
    assert_int_equal(pm_vk_matcher_create(&info, &without), PM_OK);
    bad.count = some;
    assert_int_equal(pm_vk_cmd_match(commands, without, &bad), PM_INVALID_ARGUMENT);
    pm_vk_sizes sizes;
    assert_int_equal(pm_vk_matcher_sizes(without, 2000, 0, &sizes), PM_OK);
    assert_int_equal(sizes.count.size + sizes.dispatches.size, 0);
    pm_vk_matcher_destroy(without);
    bad = good;
    bad.n = 0;
    bad.summary = 0;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_INVALID_ARGUMENT);
}

/* ---- What recording does ---- */

static char
    order[64]; /* of what has been recorded: d, a dispatch; i, an indirect one; |, a barrier; :, one before those */

static void order_add(char what) {
    const size_t length = strlen(order);
    assert_true(length + 1 < sizeof order);
    order[length] = what;
}

static VKAPI_ATTR void VKAPI_CALL dispatch_seen(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    order_add('d');
    host.device.vk->CmdDispatch(commands, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL indirect_seen(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset) {
    order_add('i');
    host.device.vk->CmdDispatchIndirect(commands, buffer, offset);
}

static VKAPI_ATTR void VKAPI_CALL barrier_seen(VkCommandBuffer commands, VkPipelineStageFlags after,
                                               VkPipelineStageFlags before, VkDependencyFlags flags, uint32_t count,
                                               const VkMemoryBarrier *barriers, uint32_t buffer_count,
                                               const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                                               const VkImageMemoryBarrier *images) {
    assert_int_equal(count, 1);
    assert_true((after & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) && (before & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT));
    assert_true((barriers->srcAccessMask & VK_ACCESS_SHADER_WRITE_BIT) &&
                (barriers->dstAccessMask & VK_ACCESS_SHADER_READ_BIT));
    order_add(barriers->dstAccessMask & VK_ACCESS_INDIRECT_COMMAND_READ_BIT ? ':' : '|');
    host.device.vk->CmdPipelineBarrier(commands, after, before, flags, count, barriers, buffer_count, buffers,
                                       image_count, images);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function_ordered(VkDevice device, const char *name) {
    return strcmp(name, "vkCmdDispatch") == 0           ? (PFN_vkVoidFunction)dispatch_seen
           : strcmp(name, "vkCmdDispatchIndirect") == 0 ? (PFN_vkVoidFunction)indirect_seen
           : strcmp(name, "vkCmdPipelineBarrier") == 0  ? (PFN_vkVoidFunction)barrier_seen
                                                        : host.device.vk->GetDeviceProcAddr(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function_ordered(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)device_function_ordered
                                                    : host.device.vk->GetInstanceProcAddr(instance, name);
}

static void check_order(bed *b, uint32_t n, bed_how how, const char *expected) {
    uint64_t *const parens = family_make("bits", n, n);
    memset(order, 0, sizeof order);
    bed_add(b, "in order", parens, n, how);
    assert_string_equal(order, expected);
    bed_run(b);
    free(parens);
}

/* Stages one after the other, with barriers where one reads what another has written; a software renderer would be
 * right without. */
static void test_order(void **state) {
    (void)state;
    pm_vk_matcher_info info = matcher_info();
    info.get_instance_proc_addr = instance_function_ordered;
    pm_vk_matcher *ordered;
    assert_int_equal(pm_vk_matcher_create(&info, &ordered), PM_OK);
    bed b;
    bed_open(&b, &host, ordered, 1 << 16);
    check_order(&b, 0, (bed_how){0}, "d");
    check_order(&b, 100, (bed_how){0}, "d|d|d");
    check_order(&b, 3000, (bed_how){.range_elements = 1024}, "d|d|ddd");
    check_order(&b, 0, (bed_how){.counted = true, .count = 5}, "d");
    check_order(&b, 100, (bed_how){.counted = true}, "dd:i|d|i");
    check_order(&b, 3000, (bed_how){.counted = true, .count = 9, .range_elements = 2048}, "ddd:i|d|ii");
    bed_close(&b);
    pm_vk_matcher_destroy(ordered);
}

/* ---- What recording does not do ---- */

static VKAPI_ATTR void VKAPI_CALL forbidden(void) {
    fail_msg("a matcher called a function that it has no business to call");
}

/* Of a device's functions, those that make and unmake kernels, and commands. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function_allowed(VkDevice device, const char *name) {
    static const char *const allowed[] = {
        "vkCreateComputePipelines", "vkCreatePipelineLayout", "vkCreateShaderModule",    "vkDestroyPipeline",
        "vkDestroyPipelineLayout",  "vkDestroyShaderModule",  "vkGetBufferDeviceAddress"};
    const PFN_vkVoidFunction function = host.device.vk->GetDeviceProcAddr(device, name);
    for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++)
        if (strcmp(name, allowed[k]) == 0)
            return function;
    return strncmp(name, "vkCmd", 5) == 0 ? function : forbidden;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function_allowed(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)device_function_allowed
                                                    : host.device.vk->GetInstanceProcAddr(instance, name);
}

static void test_recording_makes_nothing(void **state) {
    (void)state;
    pm_vk_matcher_info info = matcher_info();
    info.get_instance_proc_addr = instance_function_allowed;
    pm_vk_matcher *watched;
    assert_int_equal(pm_vk_matcher_create(&info, &watched), PM_OK);
    bed b;
    bed_open(&b, &host, watched, 1 << 20);
    const size_t calls = objects.calls, blocks = faults.calls;
    uint64_t *const parens = family_make("bits", 4, 100000);
    bed_add(&b, "watched", parens, 100000, (bed_how){.range_elements = 65536});
    bed_add(&b, "watched", parens, 77, (bed_how){0});
    bed_add(&b, "watched", parens, 9999, (bed_how){.counted = true, .count = 8888});
    assert_int_equal(objects.calls, calls);
    assert_int_equal(faults.calls, blocks);
    bed_run(&b);
    free(parens);
    bed_close(&b);
    pm_vk_matcher_destroy(watched);
}

/* ---- */

/* Nothing is left, and the validation layer had nothing to say. */
static bool close_all(void) {
    bed_close(&matches);
    pm_vk_matcher_destroy(matcher);
    gpu_stages_close(&host);
    if (objects.live > 0)
        print_error("%zu of the driver's blocks are left\n", objects.live);
    return fault_allocator_is_settled(&faults) && objects.live == 0 && messages == 0;
}

int main(int argc, char **argv) {
    const char *const kernels = argc > 1 ? argv[1] : "workgroup";
    const bool subgroups = strncmp(kernels, "subgroup", strlen("subgroup")) == 0;
    const bool graphics = strstr(kernels, "-graphics") != NULL;
    matcher_flags = PM_VK_COUNT_ON_DEVICE | (subgroups ? PM_VK_SUBGROUPS : 0) | (graphics ? PM_VK_GRAPHICS_QUEUE : 0);
    const pm_gpu_settings settings = {
        .allow_cpu_device = true, .message = hear, .team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP};
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const pm_status status = gpu_stages_open(&settings, &host);
    if (status == PM_NO_DEVICE) {
        printf("skipped: no Vulkan device here, or none for teams of the kind\n");
        return SKIPPED;
    }
    const pm_vk_matcher_info info = matcher_info();
    if (status != PM_OK || pm_vk_matcher_create(&info, &matcher) != PM_OK) {
        fprintf(stderr, "cannot open the device, or make the matcher\n");
        return 1;
    }
    printf("on %s\n", host.device.name);
    bed_open(&matches, &host, matcher, BED_WORDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_what_cannot_be),
        cmocka_unit_test(test_bad_infos),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_pipeline_cache),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_every_string_to_8),
        cmocka_unit_test(test_families_around_blocks),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_random_counts),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_many_dispatches),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_one_scratch_for_two),
        cmocka_unit_test(test_bad_matches),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_recording_makes_nothing),
    };
    const int failures = cmocka_run_group_tests_name("vulkan", tests, NULL, NULL);
    return close_all() && failures == 0 ? 0 : 1;
}
