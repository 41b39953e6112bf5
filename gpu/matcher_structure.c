/* SPDX-License-Identifier: Apache-2.0 */
/* From text to structure on a device that is a caller's. */
#include "gpu/matcher_parts.h"
#include "gpu/tokenizer.h"

struct pm_vk_tokenizer {
    const pm_vk_matcher *matcher;
    pm_tokenizer kernels;
};

_Static_assert(PM_MATCHER_BYTES_MAX == PM_TOKENIZER_BYTES_MAX && PM_MATCHER_TOKENS_MAX == PM_TOKENIZER_TOKENS_MAX,
               "one limit");
_Static_assert(sizeof(pm_vk_structure_result) == PM_STRUCTURE_RESULT_WORDS * 4 && PM_VK_NONE == PM_STRUCTURE_NONE,
               "shaders write results");

pm_status pm_matcher_tokenizer_create(const pm_vk_matcher *matcher, const pm_machine *machine, VkPipelineCache cache,
                                      pm_vk_tokenizer **tokenizer) {
    pm_vk_tokenizer *const created = matcher->allocator.alloc(sizeof *created, matcher->allocator.user);
    if (!created)
        return PM_OUT_OF_MEMORY;
    pm_device device = matcher->device; /* as it is, with the cache for now */
    device.cache = cache;
    created->matcher = matcher;
    const pm_status status = pm_tokenizer_create(&device, machine, &created->kernels);
    if (status == PM_OK)
        *tokenizer = created;
    else
        matcher->allocator.free(created, matcher->allocator.user);
    return status;
}

void pm_matcher_tokenizer_destroy(pm_vk_tokenizer *tokenizer) {
    const pm_allocator *const allocator = &tokenizer->matcher->allocator;
    pm_tokenizer_destroy(&tokenizer->matcher->device, &tokenizer->kernels);
    allocator->free(tokenizer, allocator->user);
}

pm_vk_structure_sizes pm_matcher_structure_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const uint64_t scratch = pm_tokenizer_scratch_bytes(&tokenizer->kernels, (uint32_t)n) +
                             pm_tokenizer_matching_bytes(&tokenizer->kernels, (uint32_t)capacity);
    const uint64_t plans = pm_tokenizer_plans_bytes(&tokenizer->matcher->device, (uint32_t)capacity);
    return (pm_vk_structure_sizes){
        .text = {(n + 15) / 16 * 16, PM_MATCHER_ALIGNMENT, usage},
        .tables = {(VkDeviceSize)tokenizer->kernels.table_words * 4, PM_MATCHER_ALIGNMENT_OF_WORDS, usage},
        .scratch = {scratch, PM_MATCHER_ALIGNMENT, usage},
        .result = {sizeof(pm_vk_structure_result), PM_MATCHER_ALIGNMENT_OF_WORDS, usage},
        .parens = {(capacity + 31) / 32 * 4, PM_MATCHER_ALIGNMENT, usage},
        .words = {capacity * 4, PM_MATCHER_ALIGNMENT_OF_WORDS, usage},
        .match = {capacity * 4, PM_MATCHER_ALIGNMENT, usage},
        .dispatches = {plans, PM_MATCHER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
}

const void *pm_matcher_tables(const pm_vk_tokenizer *tokenizer) {
    return tokenizer->kernels.tables;
}

void pm_matcher_record_structure(const pm_vk_tokenizer *tokenizer, VkCommandBuffer commands,
                                 const pm_vk_structure_info *info) {
    const pm_device *const device = &tokenizer->matcher->device;
    const uint32_t n = (uint32_t)info->n;
    const pm_tokenizer_task task = {.n = n,
                                    .capacity = (uint32_t)info->capacity,
                                    .text = info->text,
                                    .tables = info->tables,
                                    .scratch = info->scratch,
                                    .matching = info->scratch + pm_tokenizer_scratch_bytes(&tokenizer->kernels, n),
                                    .result = info->result,
                                    .parens = info->parens,
                                    .positions = info->positions,
                                    .kinds = info->kinds,
                                    .lengths = info->lengths,
                                    .match = info->match};
    pm_tokenizer_record_all_marks(device, commands, &tokenizer->kernels, &task);
    pm_tokenizer_record_barrier(device, commands);
    pm_tokenizer_record_structure(device, commands, &tokenizer->kernels, &tokenizer->matcher->planned, &task,
                                  pm_plans_at(device, info->dispatches, info->dispatches_offset));
}
