/* SPDX-License-Identifier: Apache-2.0 */
/* Delimiters of a text on a caller's device. */
#include "base/memory.h"
#include "gpu/delimiters/tokenizer.h"
#include "gpu/match/recorder.h"

struct pm_vk_tokenizer {
    const pm_vk_context *recorder;
    pmi_tokenizer kernels;
};

_Static_assert(PM_RECORDER_BYTES_MAX == PM_TOKENIZER_BYTES_MAX && PM_RECORDER_TOKENS_MAX == PM_TOKENIZER_TOKENS_MAX,
               "one limit");
_Static_assert(sizeof(pm_vk_delimiters_result) == PM_STRUCTURE_RESULT_WORDS * 4 && PM_NONE == PM_STRUCTURE_NONE,
               "shaders write results");

pm_status pmi_recorder_tokenizer_create(const pm_vk_context *recorder, const pmi_dfa *machine, VkPipelineCache cache,
                                        pm_vk_tokenizer **tokenizer) {
    pm_vk_tokenizer *const created = pmi_memory_allocate(&recorder->allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    pmi_device device = recorder->device;
    device.cache = cache;
    created->recorder = recorder;
    const pm_status status = pmi_tokenizer_create(&device, machine, &created->kernels);
    if (status == PM_OK)
        *tokenizer = created;
    else
        pmi_memory_free(&recorder->allocator, created);
    return status;
}

void pmi_recorder_tokenizer_destroy(pm_vk_tokenizer *tokenizer) {
    const pm_allocator *const allocator = &tokenizer->recorder->allocator;
    pmi_tokenizer_destroy(&tokenizer->recorder->device, &tokenizer->kernels);
    pmi_memory_free(allocator, tokenizer);
}

pm_vk_delimiters_sizes pmi_recorder_delimiters_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const uint64_t scratch = pmi_tokenizer_scratch_bytes(&tokenizer->kernels, (uint32_t)n) +
                             pmi_tokenizer_matching_bytes(&tokenizer->kernels, (uint32_t)capacity);
    const uint64_t plans = pmi_levels_plans_bytes(&tokenizer->recorder->device, (uint32_t)capacity);
    return (pm_vk_delimiters_sizes){
        .text = {(n + 15) / 16 * 16, PM_RECORDER_ALIGNMENT, usage},
        .tables = {(VkDeviceSize)tokenizer->kernels.table_words * 4, PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .scratch = {scratch, PM_RECORDER_ALIGNMENT, usage},
        .result = {sizeof(pm_vk_delimiters_result), PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .parens = {(capacity + 31) / 32 * 4, PM_RECORDER_ALIGNMENT, usage},
        .words = {capacity * 4, PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .match = {capacity * 4, PM_RECORDER_ALIGNMENT, usage},
        .dispatches = {plans, PM_RECORDER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
}

const void *pmi_recorder_tables(const pm_vk_tokenizer *tokenizer) {
    return tokenizer->kernels.tables;
}

void pmi_recorder_record_delimiters(const pm_vk_tokenizer *tokenizer, VkCommandBuffer commands,
                                    const pm_vk_delimiters_info *info) {
    const pmi_device *const device = &tokenizer->recorder->device;
    const uint32_t n = (uint32_t)info->n;
    const pmi_tokenizer_task task = {.n = n,
                                     .capacity = (uint32_t)info->capacity,
                                     .text = info->text,
                                     .tables = info->tables,
                                     .scratch = info->scratch,
                                     .matching = info->scratch + pmi_tokenizer_scratch_bytes(&tokenizer->kernels, n),
                                     .result = info->result,
                                     .parens = info->parens,
                                     .positions = info->positions,
                                     .kinds = info->kinds,
                                     .lengths = info->lengths,
                                     .match = info->match};
    pmi_tokenizer_record_all_marks(device, commands, &tokenizer->kernels, &task);
    pmi_shader_barrier(device, commands);
    pmi_tokenizer_record_structure(device, commands, &tokenizer->kernels, &tokenizer->recorder->indirect, &task,
                                   pmi_plans_at(device, info->dispatches, info->dispatches_offset));
}
