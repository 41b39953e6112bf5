/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a JSON text on a caller's device. */
#include "gpu/json/index.h"

#include "gpu/match/recorder.h"

_Static_assert(sizeof(pm_vk_json_result) == PM_INDEX_RESULT_WORDS * 4 && PM_NONE == PM_NO_ELEMENT,
               "shaders write results");
_Static_assert(offsetof(pm_vk_json_result, verdict) == PM_INDEX_RESULT_VERDICT * 4 &&
                   offsetof(pm_vk_json_result, unmatched) == PM_INDEX_RESULT_CLOSE * 4,
               "shaders write results");
_Static_assert((unsigned)PM_VK_JSON_RIGHT == PM_INDEX_RIGHT && (unsigned)PM_VK_JSON_WRONG == PM_INDEX_WRONG &&
                   (unsigned)PM_VK_JSON_NO_ROOM == PM_INDEX_NO_ROOM,
               "shaders write verdicts");

/* What brackets need follows in the scratch. */
static uint64_t text_scratch_bytes(uint32_t n) {
    return (pmi_index_scratch_bytes(n) + 15) / 16 * 16;
}

pm_vk_json_sizes pmi_recorder_json_sizes(const pm_vk_context *recorder, uint64_t n, uint64_t brackets,
                                         uint64_t tokens) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const uint64_t words = pmi_index_words((uint32_t)n);
    const uint64_t scratch = text_scratch_bytes((uint32_t)n) + pmi_index_matching_bytes((uint32_t)brackets);
    const uint64_t plans = pmi_levels_plans_bytes(&recorder->device, (uint32_t)brackets);
    return (pm_vk_json_sizes){
        .text = {(n + 15) / 16 * 16, PM_RECORDER_ALIGNMENT, usage},
        .masks = {words * 8, PM_RECORDER_ALIGNMENT_OF_OFFSETS, usage},
        .before = {words * 4, PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .partners = {brackets * 4, PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .positions = {tokens * 4, PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .result = {sizeof(pm_vk_json_result), PM_RECORDER_ALIGNMENT_OF_WORDS, usage},
        .scratch = {scratch, PM_RECORDER_ALIGNMENT, usage},
        .dispatches = {plans, PM_RECORDER_ALIGNMENT_OF_WORDS, usage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
}

void pmi_recorder_record_json(const pm_vk_context *recorder, VkCommandBuffer commands, const pm_vk_json_info *info) {
    const pmi_index_task task = {.n = (uint32_t)info->n,
                                 .capacity = (uint32_t)info->bracket_capacity,
                                 .token_capacity = (uint32_t)info->token_capacity,
                                 .text = info->text,
                                 .scratch = info->scratch,
                                 .matching = info->scratch + text_scratch_bytes((uint32_t)info->n),
                                 .result = info->result,
                                 .tokens = info->tokens,
                                 .brackets = info->brackets,
                                 .before = info->before,
                                 .partners = info->partners,
                                 .positions = info->positions};
    pmi_index_recording recording = {
        .device = &recorder->device, .commands = commands, .index = &recorder->index, .indirect = &recorder->indirect};
    if (info->bracket_capacity > 0)
        recording.plans = pmi_plans_at(&recorder->device, info->dispatches, info->dispatches_offset);
    pmi_index_record(&recording, &task, PM_INDEX_REDUCE, PM_INDEX_STAGES);
}
