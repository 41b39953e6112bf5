/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing what the tests share. */
#include "tests/support/vulkan_host.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    BED_WORDS = 1 << 22
};

gpu_stages host;
device_objects objects;
pm_vk_context *matcher;
bed matches;

static uint32_t matcher_flags;
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

pm_vk_context_info matcher_info(void) {
    return (pm_vk_context_info){.struct_size = sizeof(pm_vk_context_info),
                                .instance = host.device.instance.handle,
                                .physical_device = host.device.physical,
                                .device = host.device.handle,
                                .get_instance_proc_addr = host.device.vk->GetInstanceProcAddr,
                                .flags = matcher_flags,
                                .callbacks = &callbacks,
                                .allocator = fault_allocator_functions(&faults)};
}

static pmi_gpu_settings asked;
static pm_status (*open_further)(void);
static void (*close_further)(void);

static pm_status open_all(void) {
    const pmi_gpu_settings settings = gpu_tests_settings(asked);
    pm_status status = gpu_stages_open(&settings, &host);
    if (status != PM_OK)
        return status;
    gpu_tests_on(&host.device);
    const pm_vk_context_info info = matcher_info();
    status = pm_vk_context_create(&info, &matcher);
    if (status == PM_OK)
        bed_open(&matches, &host, matcher, BED_WORDS);
    return status == PM_OK && open_further ? open_further() : status;
}

static void close_all(void) {
    if (close_further)
        close_further();
    bed_close(&matches);
    pm_vk_context_destroy(matcher);
    gpu_stages_close(&host);
    assert_int_equal(objects.live, 0);
}

int host_run(int argc, char **argv, pm_status (*open_more)(void), void (*close_more)(void)) {
    const char *const kernels = argc > 1 ? argv[1] : "workgroup";
    const bool subgroups = strncmp(kernels, "subgroup", strlen("subgroup")) == 0;
    const bool graphics = strstr(kernels, "-graphics") != NULL;
    matcher_flags = PM_VK_COUNT_ON_DEVICE | (subgroups ? PM_VK_SUBGROUPS : 0) | (graphics ? PM_VK_GRAPHICS_QUEUE : 0);
    asked.graphics_queue = graphics;
    asked.team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP;
    open_further = open_more;
    close_further = close_more;
    return gpu_tests_main(argc, argv, open_all, close_all);
}
