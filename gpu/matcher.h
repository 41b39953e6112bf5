/* SPDX-License-Identifier: Apache-2.0 */
/* Matching on a caller's device, recorded into the caller's command buffers: what parenmatch_vulkan.h promises, of
 * arguments that have been checked. */
#ifndef PM_GPU_MATCHER_H
#define PM_GPU_MATCHER_H

#include "gpu/vulkan.h"
#include "parenmatch_vulkan.h"

#define PM_MATCHER_BOXES_MAX INT32_MAX /* elements of a scene: their heights have a sign */
#define PM_MATCHER_TREES_MAX INT32_MAX /* elements of a tree */

/* What the addresses are multiples of. */
enum {
    PM_MATCHER_ALIGNMENT = 16,        /* parens, match, scratch, and all buffers of boxes and trees */
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

/* It was made for slices; then recording their steps. Of an empty slice only reduce records something. */
bool pm_matcher_takes_slices(const pm_vk_matcher *matcher);
void pm_matcher_record_slice_reduce(const pm_vk_matcher *matcher, VkCommandBuffer commands,
                                    const pm_vk_slice_info *info);
void pm_matcher_record_slice_stack(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_slice_info *info,
                                   VkDeviceAddress stack, uint32_t count);
void pm_matcher_record_slice_match(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_slice_info *info,
                                   bool again);

/* It was made for boxes; then what they need, for n <= PM_BOXES_N_MAX elements, and recording them, for n > 0. */
bool pm_matcher_finds_boxes(const pm_vk_matcher *matcher);
pm_vk_box_sizes pm_matcher_box_sizes(const pm_vk_matcher *matcher, uint64_t n);
void pm_matcher_record_boxes(const pm_vk_matcher *matcher, VkCommandBuffer commands, const pm_vk_boxes_info *info);

/* Of both functions. */
const pm_allocator *pm_matcher_allocator(const pm_vk_matcher *matcher);

struct pm_machine;

#define PM_MATCHER_BYTES_MAX UINT32_MAX /* of a text: places have 32 bits */
#define PM_MATCHER_TOKENS_MAX INT32_MAX /* of a text: they are addressed by numbers that have a sign */

/* For a matcher that counts. PM_UNSUPPORTED: workgroups of the device are too small. */
pm_status pm_matcher_tokenizer_create(const pm_vk_matcher *matcher, const struct pm_machine *machine,
                                      VkPipelineCache cache, pm_vk_tokenizer **tokenizer);
void pm_matcher_tokenizer_destroy(pm_vk_tokenizer *tokenizer);

/* For n <= PM_MATCHER_BYTES_MAX, capacity <= PM_MATCHER_TOKENS_MAX. */
pm_vk_structure_sizes pm_matcher_structure_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity);
const void *pm_matcher_tables(const pm_vk_tokenizer *tokenizer);
void pm_matcher_record_structure(const pm_vk_tokenizer *tokenizer, VkCommandBuffer commands,
                                 const pm_vk_structure_info *info);

/* It was made for trees. */
bool pm_matcher_scans_trees(const pm_vk_matcher *matcher);

/* Of a matcher that was made for trees. PM_INVALID_ARGUMENT for code that is none. */
pm_status pm_matcher_monoid_create(const pm_vk_matcher *matcher, const pm_gpu_monoid *code, VkPipelineCache cache,
                                   pm_vk_monoid **monoid);
void pm_matcher_monoid_destroy(pm_vk_monoid *monoid);

/* For n <= PM_MATCHER_TREES_MAX elements. */
pm_vk_tree_sizes pm_matcher_tree_sizes(const pm_vk_monoid *monoid, uint64_t n, uint64_t nodes);

/* For nodes > 0. */
void pm_matcher_record_tree_scan(const pm_vk_monoid *monoid, VkCommandBuffer commands, const pm_vk_tree_info *info);

#endif
