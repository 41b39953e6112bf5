/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of parenmatch_vulkan.h one by one: what they refuse, what they call, in which order they record.
 * Skipped (77) where there is no device; arguments as vulkan_tests_main() has them.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu/match/levels.h"
#include "tests/support/unit.h"
#include "tests/support/vulkan_fixture.h"

/* ---- Requirements ---- */

TEST(test_requirements) {
    const PFN_vkGetInstanceProcAddr get = host.device.vk->GetInstanceProcAddr;
    pm_vk_requirements r;
    assert_ok(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, get, &r));
    assert_int_equal(r.api_version, VK_API_VERSION_1_2);
    assert_int_equal(r.buffer_device_address, VK_TRUE);
    assert_int_equal(r.subgroup_size_control, r.compute_full_subgroups);
    assert_true(r.extension_count <= 1 && (r.extension_count == 0 || r.subgroup_size_control));
    if (r.extension_count > 0)
        assert_string_equal(r.extensions[0], VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);

    assert_invalid(pm_vk_requirements_get(NULL, host.device.physical, get, &r));
    assert_invalid(pm_vk_requirements_get(host.device.instance.handle, NULL, get, &r));
    assert_invalid(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, NULL, &r));
    assert_invalid(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, get, NULL));
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

TEST(test_what_cannot_be) {
    const PFN_vkGetInstanceProcAddr cannot[] = {old_instance, old_device, poor_device};
    for (size_t k = 0; k < COUNT_OF(cannot); k++) {
        pm_vk_requirements r;
        assert_int_equal(pm_vk_requirements_get(host.device.instance.handle, host.device.physical, cannot[k], &r),
                         PM_UNSUPPORTED);
        pm_vk_context_info info = matcher_info(0);
        info.get_instance_proc_addr = cannot[k];
        pm_vk_context *none = matcher;
        assert_int_equal(pm_vk_context_create(&info, &none), PM_UNSUPPORTED);
        assert_null(none);
    }
}

/* ---- Creating ---- */

static void refuse(const pm_vk_context_info *info, pm_status status) {
    const size_t calls = objects.calls, blocks = faults.live_blocks;
    pm_vk_context *none = matcher; /* anything but NULL */
    assert_int_equal(pm_vk_context_create(info, &none), status);
    assert_null(none);
    assert_int_equal(objects.calls, calls);
    assert_int_equal(faults.live_blocks, blocks);
}

TEST(test_bad_infos) {
    pm_vk_context_info info = matcher_info(0);
    assert_invalid(pm_vk_context_create(&info, NULL));
    refuse(NULL, PM_INVALID_ARGUMENT);
    info.instance = VK_NULL_HANDLE;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info(0);
    info.physical_device = VK_NULL_HANDLE;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info(0);
    info.device = VK_NULL_HANDLE;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info(0);
    info.get_instance_proc_addr = NULL;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info(0);
    info.allocator.free = NULL;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info(0);
    info.struct_size = sizeof info - 1;
    refuse(&info, PM_INVALID_ARGUMENT);
    info = matcher_info(0);
    info.flags = UINT32_C(1) << 31;
    refuse(&info, PM_UNSUPPORTED);
    pm_vk_requirements r;
    info = matcher_info(0);
    assert_ok(pm_vk_requirements_get(info.instance, info.physical_device, info.get_instance_proc_addr, &r));
    info.flags = PM_VK_SUBGROUPS;
    if (!r.subgroup_size_control)
        refuse(&info, PM_UNSUPPORTED);
    pm_vk_context_destroy(NULL);
}

/* Without memory nothing is left behind; without callbacks and an allocator there are Vulkan's and the library's. */
TEST(test_memory) {
    const size_t blocks = faults.live_blocks, live = objects.live, device_calls = objects.calls;
    pm_vk_context_info info = matcher_info(0);
    pm_vk_context *made = NULL;
    faults.fail_at = faults.calls + 1;
    refuse(&info, PM_OUT_OF_MEMORY);
    faults.fail_at = 0;

    assert_ok(pm_vk_context_create(&info, &made));
    assert_int_equal(faults.live_blocks, blocks + 1);
    assert_true(objects.calls > device_calls);
    pm_vk_context_destroy(made);
    assert_int_equal(faults.live_blocks, blocks);
    assert_int_equal(objects.live, live);

    const size_t calls_with = objects.calls;
    info.struct_size = 0;
    info.callbacks = NULL;
    info.allocator = (pm_allocator){NULL, NULL, NULL};
    assert_ok(pm_vk_context_create(&info, &made));
    assert_int_equal(objects.calls, calls_with);
    pm_vk_context_destroy(made);
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
TEST(test_pipeline_cache) {
    const pmi_device *const device = &host.device;
    const PFN_vkCreatePipelineCache create =
        (PFN_vkCreatePipelineCache)device->vk->GetDeviceProcAddr(device->handle, "vkCreatePipelineCache");
    const PFN_vkDestroyPipelineCache destroy =
        (PFN_vkDestroyPipelineCache)device->vk->GetDeviceProcAddr(device->handle, "vkDestroyPipelineCache");
    const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    pm_vk_context_info info = matcher_info(0);
    info.get_instance_proc_addr = instance_function_seen;
    assert_int_equal(create(device->handle, &cache_info, NULL, &info.pipeline_cache), VK_SUCCESS);
    pm_vk_context *cached;
    assert_ok(pm_vk_context_create(&info, &cached));
    assert_true(pipelines_made > 0);
    destroy(device->handle, info.pipeline_cache, NULL);
    recorder b;
    recorder_open(&b, cached, 1 << 16);
    const uint64_t parens = 0x3b;
    recorder_add(&b, "with a cache", &parens, 7, (record_how){0});
    recorder_run(&b);
    recorder_close(&b);
    pm_vk_context_destroy(cached);
}

/* ---- Sizes ---- */

TEST(test_sizes) {
    static const uint64_t some[] = {0, 1, 31, 32, 33, 1024, 1025, 32768, 32769, 1 << 20, UINT64_C(1) << 31, UINT32_MAX};
    VkDeviceSize scratch = 0;
    pm_vk_sizes sizes;
    for (size_t k = 0; k < COUNT_OF(some); k++) {
        assert_ok(pm_vk_context_sizes(matcher, some[k], 4096, &sizes));
        assert_int_equal(sizes.match.size, some[k] < 4096 ? some[k] * 4 : 4096 * 4);
        const VkDeviceSize dispatches_of_ranges = sizes.dispatches.size;
        assert_ok(pm_vk_context_sizes(matcher, some[k], 0, &sizes));
        assert_true(sizes.dispatches.size <= dispatches_of_ranges && sizes.dispatches.size < some[k] / 1024 + 256);
        assert_int_equal(sizes.count.size, sizeof(uint32_t));
        assert_int_equal(sizes.parens.size, (some[k] + 31) / 32 * 4);
        assert_int_equal(sizes.match.size, some[k] * 4);
        assert_int_equal(sizes.summary.size, sizeof(pm_vk_summary));
        assert_true(sizes.scratch.size >= scratch && sizes.scratch.size < some[k] / 6 + 8192);
        scratch = sizes.scratch.size;
        const pm_vk_buffer *const all[] = {&sizes.parens,  &sizes.match, &sizes.scratch,
                                           &sizes.summary, &sizes.count, &sizes.dispatches};
        for (size_t b = 0; b < COUNT_OF(all); b++) {
            assert_true(all[b]->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
            assert_true(all[b]->alignment >= 4 && (all[b]->alignment & (all[b]->alignment - 1)) == 0);
        }
    }
    assert_int_equal(pm_vk_context_sizes(matcher, UINT64_C(1) << 32, 0, &sizes), PM_TOO_LARGE);
    assert_int_equal(pm_vk_context_sizes(matcher, UINT64_MAX, 0, &sizes), PM_TOO_LARGE);
    assert_invalid(pm_vk_context_sizes(NULL, 1, 0, &sizes));
    assert_invalid(pm_vk_context_sizes(matcher, 1, 0, NULL));
    assert_invalid(pm_vk_context_sizes(matcher, 1, 1000, &sizes));
    assert_true(sizes.dispatches.usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

/* ---- Recording ---- */

TEST(test_bad_matches) {
    const VkDeviceAddress some = 1 << 16, odd = some + 8, ranges[] = {some, odd};
    const pm_vk_match_info good = {
        .struct_size = sizeof good, .n = 2000, .parens = some, .scratch = some, .summary = some, .match = some};
    /* Nothing of this is recorded: where there is nothing begun there is nothing to record to. */
    const VkCommandBuffer commands = host.commands;
    pm_vk_match_info bad = good;
    assert_invalid(pm_vk_cmd_match(NULL, matcher, &good));
    assert_invalid(pm_vk_cmd_match(commands, NULL, &good));
    assert_invalid(pm_vk_cmd_match(commands, matcher, NULL));
    bad.n = UINT64_C(1) << 32;
    assert_int_equal(pm_vk_cmd_match(commands, matcher, &bad), PM_TOO_LARGE);
    bad = good;
    bad.struct_size = 8;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    VkDeviceAddress *const addresses[] = {&bad.parens, &bad.scratch, &bad.summary, &bad.match};
    for (size_t k = 0; k < COUNT_OF(addresses); k++) {
        bad = good;
        *addresses[k] = 0;
        assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
        *addresses[k] = some + 2;
        assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    }
    bad = good;
    bad.range_elements = 1024;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    bad.match_ranges = ranges; /* the second of which is misaligned */
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    bad.range_elements = 1000;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    bad = good;
    bad.count = some;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad)); /* no buffer for dispatches */
    bad.dispatches = matches.block.memory.handle;
    bad.dispatches_offset = 2;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    bad.dispatches_offset = 0;
    bad.count = some + 2;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
    pm_vk_context_info info = matcher_info(0);
    info.flags &= ~(uint32_t)PM_VK_COUNT_ON_DEVICE;
    pm_vk_context *without;
    assert_ok(pm_vk_context_create(&info, &without));
    bad.count = some;
    assert_invalid(pm_vk_cmd_match(commands, without, &bad));
    pm_vk_sizes sizes;
    assert_ok(pm_vk_context_sizes(without, 2000, 0, &sizes));
    assert_int_equal(sizes.count.size + sizes.dispatches.size, 0);
    pm_vk_context_destroy(without);
    bad = good;
    bad.n = 0;
    bad.summary = 0;
    assert_invalid(pm_vk_cmd_match(commands, matcher, &bad));
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

static void check_order(recorder *b, uint32_t n, record_how how, const char *expected) {
    uint64_t *const parens = family_make("bits", n, n);
    memset(order, 0, sizeof order);
    recorder_add(b, "in order", parens, n, how);
    assert_string_equal(order, expected);
    recorder_run(b);
    free(parens);
}

/* Stages one after the other, with barriers where one reads what another has written; a software renderer would be
 * right without. */
TEST(test_order) {
    pm_vk_context_info info = matcher_info(0);
    info.get_instance_proc_addr = instance_function_ordered;
    pm_vk_context *ordered;
    assert_ok(pm_vk_context_create(&info, &ordered));
    recorder b;
    const uint32_t longer = (PM_SHORT_SUPERBLOCKS + 1) * PM_SUPERBLOCK;
    recorder_open(&b, ordered, 2 * longer);
    check_order(&b, 0, (record_how){0}, "d");
    check_order(&b, 65536, (record_how){0}, "d");
    check_order(&b, 65537, (record_how){0}, "d|d");
    check_order(&b, 3000, (record_how){.range_elements = 1024}, "d|ddd");
    check_order(&b, longer, (record_how){0}, "d|d|d");
    check_order(&b, 0, (record_how){.counted = true, .count = 5}, "d");
    check_order(&b, 65536, (record_how){.counted = true}, "d");
    check_order(&b, 65537, (record_how){.counted = true}, "dd:i|d|i");
    check_order(&b, 3000, (record_how){.counted = true, .count = 9, .range_elements = 2048}, "ddd:i|d|ii");
    recorder_close(&b);
    pm_vk_context_destroy(ordered);
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
    for (size_t k = 0; k < COUNT_OF(allowed); k++)
        if (strcmp(name, allowed[k]) == 0)
            return function;
    return strncmp(name, "vkCmd", 5) == 0 ? function : forbidden;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function_allowed(VkInstance instance, const char *name) {
    return strcmp(name, "vkGetDeviceProcAddr") == 0 ? (PFN_vkVoidFunction)device_function_allowed
                                                    : host.device.vk->GetInstanceProcAddr(instance, name);
}

TEST(test_recording_makes_nothing) {
    pm_vk_context_info info = matcher_info(0);
    info.get_instance_proc_addr = instance_function_allowed;
    pm_vk_context *watched;
    assert_ok(pm_vk_context_create(&info, &watched));
    recorder b;
    recorder_open(&b, watched, 1 << 20);
    const size_t calls = objects.calls, blocks = faults.calls;
    uint64_t *const parens = family_make("bits", 4, 100000);
    recorder_add(&b, "watched", parens, 100000, (record_how){.range_elements = 65536});
    recorder_add(&b, "watched", parens, 77, (record_how){0});
    recorder_add(&b, "watched", parens, 9999, (record_how){.counted = true, .count = 8888});
    assert_int_equal(objects.calls, calls);
    assert_int_equal(faults.calls, blocks);
    recorder_run(&b);
    free(parens);
    recorder_close(&b);
    pm_vk_context_destroy(watched);
}

int main(int argc, char **argv) {
    return vulkan_tests_main(argc, argv, NULL, NULL);
}
