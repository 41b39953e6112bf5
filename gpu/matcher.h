/* SPDX-License-Identifier: Apache-2.0 */
/* Matching on a caller's device, recorded into the caller's command buffers: what parenmatch_vulkan.h promises, of
 * arguments that have been checked. */
#ifndef PM_GPU_MATCHER_H
#define PM_GPU_MATCHER_H

#include "gpu/vulkan.h"
#include "parenmatch_vulkan.h"

/* What the addresses are multiples of. */
enum {
    PM_MATCHER_ALIGNMENT = 16,        /* parens, match, scratch */
    PM_MATCHER_ALIGNMENT_OF_WORDS = 4 /* summary, count, dispatches */
};

/* PM_UNSUPPORTED where the device cannot. */
pm_status pm_matcher_requirements(VkInstance instance, VkPhysicalDevice physical,
                                  PFN_vkGetInstanceProcAddr get_instance_proc_addr, pm_vk_requirements *requirements);

/* Both functions of info->allocator are set. */
pm_status pm_matcher_create(const pm_vk_matcher_info *info, pm_vk_matcher **matcher);
void pm_matcher_destroy(pm_vk_matcher *matcher);

/* For n <= 2^32 - 1 elements, and range_elements 0 or a multiple of PM_VK_RANGE_UNIT. */
pm_vk_sizes pm_matcher_sizes(const pm_vk_matcher *matcher, uint64_t n, uint64_t range_elements);

/* It was made for counts on the device. */
bool pm_matcher_counts(const pm_vk_matcher *matcher);

void pm_matcher_record(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_match_info *info);

#endif
