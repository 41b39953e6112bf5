/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing what the tests share. */
#include "tests/support/vulkan_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/support/allocate.h"
#include "tests/support/cmocka_all.h"

enum {
    SKIPPED = 77,
    BED_WORDS = 1 << 22
};

gpu_stages host;
device_objects objects;
pm_vk_context *matcher;
bed matches;

static uint32_t matcher_flags;
static size_t messages; /* of the validation layer */

static void hear(const char *text, void *user) {
    (void)user;
    messages++;
    print_error("validation: %s\n", text);
}

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

/* Nothing is left, and the validation layer had nothing to say. */
static bool close_all(void) {
    bed_close(&matches);
    pm_vk_context_destroy(matcher);
    gpu_stages_close(&host);
    if (objects.live > 0)
        print_error("%zu of the driver's blocks are left\n", objects.live);
    return fault_allocator_is_settled(&faults) && objects.live == 0 && messages == 0;
}

int host_run(int argc, char **argv, int (*tests_run)(void)) {
    const char *const kernels = argc > 1 ? argv[1] : "workgroup";
    const bool subgroups = strncmp(kernels, "subgroup", strlen("subgroup")) == 0;
    const bool graphics = strstr(kernels, "-graphics") != NULL;
    matcher_flags = PM_VK_COUNT_ON_DEVICE | (subgroups ? PM_VK_SUBGROUPS : 0) | (graphics ? PM_VK_GRAPHICS_QUEUE : 0);
    const pmi_gpu_settings settings = {.allow_cpu_device = true,
                                       .graphics_queue = graphics,
                                       .message = hear,
                                       .team_kind = subgroups ? PM_TEAM_SUBGROUP : PM_TEAM_WORKGROUP};
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    const pm_status status = gpu_stages_open(&settings, &host);
    if (status == PM_NO_DEVICE) {
        printf("skipped: no Vulkan device here, or none for teams of the kind\n");
        return SKIPPED;
    }
    const pm_vk_context_info info = matcher_info();
    if (status != PM_OK || pm_vk_context_create(&info, &matcher) != PM_OK) {
        fprintf(stderr, "cannot open the device, or make the matcher\n");
        return 1;
    }
    printf("on %s\n", host.device.name);
    bed_open(&matches, &host, matcher, BED_WORDS);
    const int failures = tests_run();
    return close_all() && failures == 0 ? 0 : 1;
}
