/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of parenmatch_vulkan.h, which record into a caller's command buffers. Arguments have been checked. */
#ifndef PM_GPU_MATCH_RECORDER_H
#define PM_GPU_MATCH_RECORDER_H

#include "gpu/boxes/boxes.h"
#include "gpu/json/index.h"
#include "gpu/match/batch.h"
#include "gpu/match/levels.h"
#include "gpu/match/partitions.h"
#include "gpu/trees/scan.h"
#include "parenmatch_vulkan.h"

struct pm_vk_context {
    pm_allocator allocator;
    pmi_device device;
    pmi_levels levels;
    pmi_partitions direct; /* for short sequences; zeros if workgroups of the device are too small */
    bool counts;           /* on the device */
    bool reads_json;
    pmi_indirect indirect; /* for either */
    pmi_index index;       /* of JSON texts */
    bool takes_slices;
    pmi_levels slices;
    bool takes_batches;
    pmi_batch_kernels batch;
    bool finds_boxes;
    pmi_boxes boxes;
    bool scans_trees;
    pmi_nodes nodes;
};

#define PM_RECORDER_BOXES_MAX INT32_MAX /* elements of a scene; heights are signed */
#define PM_RECORDER_TREES_MAX INT32_MAX /* elements of a tree */

/* Alignment of addresses. */
enum {
    PM_RECORDER_ALIGNMENT_OF_OFFSETS = 8,
    PM_RECORDER_ALIGNMENT = 16,        /* parens, match, scratch, and all buffers of boxes and trees */
    PM_RECORDER_ALIGNMENT_OF_WORDS = 4 /* summary, count, dispatches */
};

/* PM_UNSUPPORTED if the device cannot be used. */
pm_status pmi_recorder_requirements(VkInstance instance, VkPhysicalDevice physical,
                                    PFN_vkGetInstanceProcAddr get_instance_proc_addr, pm_vk_requirements *requirements);

/* Both functions of info->allocator are set. */
pm_status pmi_recorder_create(const pm_vk_context_info *info, pm_vk_context **recorder);
void pmi_recorder_destroy(pm_vk_context *recorder);

/* For n < 2^32 elements; range_elements is 0 or a multiple of PM_VK_RANGE_UNIT. */
pm_vk_sizes pmi_recorder_sizes(const pm_vk_context *recorder, uint64_t n, uint64_t range_elements);

void pmi_recorder_record_match(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_match_info *info);

#define PM_RECORDER_SEQUENCES_MAX INT32_MAX /* of a batch */

/* For a recorder with batches: n < 2^32 elements, and count <= PM_RECORDER_SEQUENCES_MAX sequences. */
pm_vk_batch_sizes pmi_recorder_batch_sizes(const pm_vk_context *recorder, uint64_t n, uint64_t count,
                                           uint64_t range_elements);
void pmi_recorder_record_batch(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_batch_info *info);

/* For a recorder with slices. For an empty slice only reduce records something. */
void pmi_recorder_record_slice_reduce(const pm_vk_context *recorder, VkCommandBuffer commands,
                                      const pm_vk_slice_info *info);
void pmi_recorder_record_slice_stack(const pm_vk_context *recorder, VkCommandBuffer commands,
                                     const pm_vk_slice_info *info, VkDeviceAddress stack, uint32_t count);
void pmi_recorder_record_slice_match(const pm_vk_context *recorder, VkCommandBuffer commands,
                                     const pm_vk_slice_info *info, bool again);

/* For a recorder with boxes: sizes for n <= PM_BOXES_N_MAX elements, and recording for n > 0. */
pm_vk_box_sizes pmi_recorder_box_sizes(const pm_vk_context *recorder, uint64_t n);
void pmi_recorder_record_boxes(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_boxes_info *info);

struct pmi_dfa;

#define PM_RECORDER_BYTES_MAX UINT32_MAX /* of a text; positions have 32 bits */
#define PM_RECORDER_TOKENS_MAX INT32_MAX /* of a text; shaders use signed numbers for them */

/* For a recorder with counts. PM_UNSUPPORTED if workgroups of the device are too small. */
pm_status pmi_recorder_tokenizer_create(const pm_vk_context *recorder, const struct pmi_dfa *machine,
                                        VkPipelineCache cache, pm_vk_tokenizer **tokenizer);
void pmi_recorder_tokenizer_destroy(pm_vk_tokenizer *tokenizer);

/* For n <= PM_RECORDER_BYTES_MAX, capacity <= PM_RECORDER_TOKENS_MAX. */
pm_vk_delimiters_sizes pmi_recorder_delimiters_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity);
const void *pmi_recorder_tables(const pm_vk_tokenizer *tokenizer);
void pmi_recorder_record_delimiters(const pm_vk_tokenizer *tokenizer, VkCommandBuffer commands,
                                    const pm_vk_delimiters_info *info);

/* For a recorder that reads JSON: at most PM_RECORDER_BYTES_MAX of each. */
pm_vk_json_sizes pmi_recorder_json_sizes(const pm_vk_context *recorder, uint64_t n, uint64_t brackets, uint64_t tokens);
void pmi_recorder_record_json(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_json_info *info);

/* For a recorder with trees. PM_INVALID_ARGUMENT if this is not a monoid's code. */
pm_status pmi_recorder_monoid_create(const pm_vk_context *recorder, const pm_gpu_monoid *code, VkPipelineCache cache,
                                     pm_vk_monoid **monoid);
void pmi_recorder_monoid_destroy(pm_vk_monoid *monoid);

/* For n <= PM_RECORDER_TREES_MAX elements. */
pm_vk_tree_sizes pmi_recorder_tree_sizes(const pm_vk_monoid *monoid, uint64_t n, uint64_t nodes);

/* For nodes > 0. */
void pmi_recorder_record_tree_scan(const pm_vk_monoid *monoid, VkCommandBuffer commands, const pm_vk_tree_info *info);

#endif
