/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions for a caller's Vulkan device: they check their arguments and call the GPU backend. */
#include <stddef.h>

#include "base/arguments.h"
#include "base/dfa.h"
#include "core/context/context.h"
#include "gpu/match/recorder.h"
#include "parenmatch_vulkan.h"

pm_status pm_vk_requirements_get(VkInstance instance, VkPhysicalDevice physical_device,
                                 PFN_vkGetInstanceProcAddr get_instance_proc_addr, pm_vk_requirements *requirements) {
    if (!instance || !physical_device || !get_instance_proc_addr || !requirements)
        return PM_INVALID_ARGUMENT;
    return pmi_recorder_requirements(instance, physical_device, get_instance_proc_addr, requirements);
}

pm_status pm_vk_context_create(const pm_vk_context_info *info, pm_vk_context **matcher) {
    if (!matcher)
        return PM_INVALID_ARGUMENT;
    *matcher = NULL;
    if (!info)
        return PM_INVALID_ARGUMENT;
    pm_vk_context_info known;
    const pm_status status = pmi_options_read(info, &known, sizeof known, sizeof known);
    if (status != PM_OK)
        return status;
    if (!known.instance || !known.physical_device || !known.device || !known.get_instance_proc_addr ||
        !known.allocator.alloc != !known.allocator.free)
        return PM_INVALID_ARGUMENT;
    if (known.flags & ~(uint32_t)(PM_VK_SUBGROUPS | PM_VK_COUNT_ON_DEVICE | PM_VK_GRAPHICS_QUEUE | PM_VK_BOXES |
                                  PM_VK_SLICES | PM_VK_TREES | PM_VK_BATCHES | PM_VK_JSON))
        return PM_UNSUPPORTED;
    if (!known.allocator.alloc)
        known.allocator = pm_context_allocator(NULL);
    return pmi_recorder_create(&known, matcher);
}

void pm_vk_context_destroy(pm_vk_context *matcher) {
    if (matcher)
        pmi_recorder_destroy(matcher);
}

/* Zero, for one range, or a number of elements that ranges can have. */
static bool is_range(uint64_t range_elements) {
    return range_elements % PM_VK_RANGE_UNIT == 0;
}

pm_status pm_vk_context_sizes(const pm_vk_context *matcher, uint64_t n, uint64_t range_elements, pm_vk_sizes *sizes) {
    if (!matcher || !sizes || !is_range(range_elements))
        return PM_INVALID_ARGUMENT;
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    *sizes = pmi_recorder_sizes(matcher, n, range_elements);
    return PM_OK;
}

static bool is_address(VkDeviceAddress address, VkDeviceAddress alignment) {
    return address != 0 && address % alignment == 0;
}

/* Are all buffers for results given? */
static bool match_is_placed(uint64_t n, VkDeviceAddress match, const VkDeviceAddress *match_ranges,
                            uint64_t range_elements) {
    if (range_elements == 0)
        return is_address(match, PM_RECORDER_ALIGNMENT);
    if (!is_range(range_elements) || !match_ranges)
        return false;
    for (uint64_t begin = 0, range = 0; begin < n; begin += range_elements, range++)
        if (!is_address(match_ranges[range], PM_RECORDER_ALIGNMENT))
            return false;
    return true;
}

/* There is no count on the device, or all that it needs. */
static bool count_is_fine(const pm_vk_context *matcher, const pm_vk_match_info *info) {
    return info->count == 0 || (matcher->counts && is_address(info->count, PM_RECORDER_ALIGNMENT_OF_WORDS) &&
                                info->dispatches && info->dispatches_offset % PM_RECORDER_ALIGNMENT_OF_WORDS == 0);
}

static bool buffers_are_fine(const pm_vk_match_info *info) {
    return is_address(info->summary, PM_RECORDER_ALIGNMENT_OF_WORDS) &&
           (info->n == 0 ||
            (is_address(info->parens, PM_RECORDER_ALIGNMENT) && is_address(info->scratch, PM_RECORDER_ALIGNMENT) &&
             match_is_placed(info->n, info->match, info->match_ranges, info->range_elements)));
}

pm_status pm_vk_cmd_match(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_match_info *info) {
    if (!commands || !matcher || !info)
        return PM_INVALID_ARGUMENT;
    pm_vk_match_info known;
    const pm_status status = pmi_options_read(info, &known, sizeof known, sizeof known);
    if (status != PM_OK)
        return status;
    if (known.n > PM_N_MAX)
        return PM_TOO_LARGE;
    if (!buffers_are_fine(&known) || !count_is_fine(matcher, &known))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_match(matcher, commands, &known);
    return PM_OK;
}

/* ---- Batches ---- */

pm_status pm_vk_context_batch_sizes(const pm_vk_context *matcher, uint64_t n, uint64_t count, uint64_t range_elements,
                                    pm_vk_batch_sizes *sizes) {
    if (!matcher || !sizes || !matcher->takes_batches || !is_range(range_elements))
        return PM_INVALID_ARGUMENT;
    if (n > PM_N_MAX || count > PM_RECORDER_SEQUENCES_MAX)
        return PM_TOO_LARGE;
    *sizes = pmi_recorder_batch_sizes(matcher, n, count, range_elements);
    return PM_OK;
}

static bool batch_is_placed(const pm_vk_batch_info *info) {
    return is_address(info->offsets, PM_RECORDER_ALIGNMENT_OF_OFFSETS) &&
           info->totals % PM_RECORDER_ALIGNMENT_OF_WORDS == 0 &&
           (info->n == 0 ||
            (is_address(info->parens, PM_RECORDER_ALIGNMENT) && is_address(info->scratch, PM_RECORDER_ALIGNMENT) &&
             match_is_placed(info->n, info->match, info->match_ranges, info->range_elements)));
}

pm_status pm_vk_cmd_match_batch(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_batch_info *info) {
    if (!commands || !matcher || !info || !matcher->takes_batches)
        return PM_INVALID_ARGUMENT;
    pm_vk_batch_info known;
    const pm_status status = pmi_options_read(info, &known, sizeof known, sizeof known);
    if (status != PM_OK)
        return status;
    if (known.n > PM_N_MAX || known.count > PM_RECORDER_SEQUENCES_MAX)
        return PM_TOO_LARGE;
    if (!batch_is_placed(&known))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_batch(matcher, commands, &known);
    return PM_OK;
}

/* ---- Slices ---- */

/* Reads the caller's info into *known, and checks what every step needs: all but summary, stack and match. */
static pm_status slice_read(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_slice_info *info,
                            pm_vk_slice_info *known) {
    if (!commands || !matcher || !info || !matcher->takes_slices)
        return PM_INVALID_ARGUMENT;
    const pm_status status = pmi_options_read(info, known, sizeof *known, sizeof *known);
    if (status != PM_OK)
        return status;
    if (known->n > PM_N_MAX || known->origin > PM_N_MAX - known->n || known->incoming_count > PM_N_MAX)
        return PM_TOO_LARGE;
    const bool placed = known->n == 0 || (is_address(known->parens, PM_RECORDER_ALIGNMENT) &&
                                          is_address(known->scratch, PM_RECORDER_ALIGNMENT));
    const bool comes = known->incoming_count == 0 || is_address(known->incoming, PM_RECORDER_ALIGNMENT_OF_WORDS);
    return placed && comes ? PM_OK : PM_INVALID_ARGUMENT;
}

pm_status pm_vk_cmd_slice_reduce(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_slice_info *info) {
    pm_vk_slice_info known;
    const pm_status status = slice_read(commands, matcher, info, &known);
    if (status != PM_OK)
        return status;
    if (!is_address(known.summary, PM_RECORDER_ALIGNMENT_OF_WORDS))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_slice_reduce(matcher, commands, &known);
    return PM_OK;
}

pm_status pm_vk_cmd_slice_stack(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_slice_info *info,
                                VkDeviceAddress stack, uint64_t count) {
    pm_vk_slice_info known;
    const pm_status status = slice_read(commands, matcher, info, &known);
    if (status != PM_OK)
        return status;
    if (count > PM_N_MAX)
        return PM_TOO_LARGE;
    if (count > 0 && !is_address(stack, PM_RECORDER_ALIGNMENT_OF_WORDS))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_slice_stack(matcher, commands, &known, stack, (uint32_t)count);
    return PM_OK;
}

static pm_status slice_match(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_slice_info *info,
                             bool again) {
    pm_vk_slice_info known;
    const pm_status status = slice_read(commands, matcher, info, &known);
    if (status != PM_OK || known.n == 0)
        return status;
    if (!match_is_placed(known.n, known.match, known.match_ranges, known.range_elements))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_slice_match(matcher, commands, &known, again);
    return PM_OK;
}

pm_status pm_vk_cmd_slice_match(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_slice_info *info) {
    return slice_match(commands, matcher, info, false);
}

pm_status pm_vk_cmd_slice_match_again(VkCommandBuffer commands, const pm_vk_context *matcher,
                                      const pm_vk_slice_info *info) {
    return slice_match(commands, matcher, info, true);
}

/* ---- Boxes ---- */

pm_status pm_vk_context_box_sizes(const pm_vk_context *matcher, uint64_t n, pm_vk_box_sizes *sizes) {
    if (!matcher || !sizes || !matcher->finds_boxes)
        return PM_INVALID_ARGUMENT;
    if (n > PM_RECORDER_BOXES_MAX)
        return PM_TOO_LARGE;
    *sizes = pmi_recorder_box_sizes(matcher, n);
    return PM_OK;
}

static bool scene_is_placed(const pm_vk_boxes_info *info) {
    return is_address(info->kinds, PM_RECORDER_ALIGNMENT) && is_address(info->boxes, PM_RECORDER_ALIGNMENT) &&
           is_address(info->results, PM_RECORDER_ALIGNMENT) && is_address(info->scratch, PM_RECORDER_ALIGNMENT) &&
           (!info->dispatches || info->dispatches_offset % PM_RECORDER_ALIGNMENT_OF_WORDS == 0);
}

pm_status pm_vk_cmd_boxes(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_boxes_info *info) {
    if (!commands || !matcher || !info)
        return PM_INVALID_ARGUMENT;
    pm_vk_boxes_info known;
    const pm_status status =
        pmi_options_read(info, &known, sizeof known, offsetof(pm_vk_boxes_info, scratch) + sizeof known.scratch);
    if (status != PM_OK)
        return status;
    if (known.n > PM_RECORDER_BOXES_MAX)
        return PM_TOO_LARGE;
    if (known.lacks & ~(uint32_t)(PM_VK_NO_CLIPS | PM_VK_NO_BLENDS))
        return PM_UNSUPPORTED;
    if (!matcher->finds_boxes || (known.n > 0 && !scene_is_placed(&known)))
        return PM_INVALID_ARGUMENT;
    if (known.n > 0)
        pmi_recorder_record_boxes(matcher, commands, &known);
    return PM_OK;
}

/* ---- Structure ---- */

pm_status pm_vk_tokenizer_create(const pm_vk_context *matcher, const pm_language *language,
                                 VkPipelineCache pipeline_cache, pm_vk_tokenizer **tokenizer) {
    if (!tokenizer)
        return PM_INVALID_ARGUMENT;
    *tokenizer = NULL;
    if (!matcher || !language || !matcher->counts)
        return PM_INVALID_ARGUMENT;
    const pm_allocator *const allocator = &matcher->allocator;
    pmi_dfa *machine;
    pm_status status = pmi_dfa_create(allocator, language, &machine);
    if (status != PM_OK)
        return status;
    status = pmi_recorder_tokenizer_create(matcher, machine, pipeline_cache, tokenizer);
    pmi_dfa_destroy(allocator, machine);
    return status;
}

void pm_vk_tokenizer_destroy(pm_vk_tokenizer *tokenizer) {
    if (tokenizer)
        pmi_recorder_tokenizer_destroy(tokenizer);
}

static bool text_fits(uint64_t n, uint64_t capacity) {
    return n <= PM_RECORDER_BYTES_MAX && capacity <= PM_RECORDER_TOKENS_MAX;
}

pm_status pm_vk_tokenizer_sizes(const pm_vk_tokenizer *tokenizer, uint64_t n, uint64_t capacity,
                                pm_vk_delimiters_sizes *sizes) {
    if (!tokenizer || !sizes)
        return PM_INVALID_ARGUMENT;
    if (!text_fits(n, capacity))
        return PM_TOO_LARGE;
    *sizes = pmi_recorder_delimiters_sizes(tokenizer, n, capacity);
    return PM_OK;
}

const void *pm_vk_tokenizer_tables(const pm_vk_tokenizer *tokenizer) {
    return tokenizer ? pmi_recorder_tables(tokenizer) : NULL;
}

static bool text_is_placed(const pm_vk_delimiters_info *info) {
    return (info->n == 0 || is_address(info->text, PM_RECORDER_ALIGNMENT)) &&
           is_address(info->tables, PM_RECORDER_ALIGNMENT_OF_WORDS) &&
           is_address(info->scratch, PM_RECORDER_ALIGNMENT) &&
           is_address(info->result, PM_RECORDER_ALIGNMENT_OF_WORDS) && info->dispatches &&
           info->dispatches_offset % PM_RECORDER_ALIGNMENT_OF_WORDS == 0;
}

static bool tokens_are_placed(const pm_vk_delimiters_info *info) {
    return info->capacity == 0 ||
           (is_address(info->parens, PM_RECORDER_ALIGNMENT) && is_address(info->match, PM_RECORDER_ALIGNMENT) &&
            is_address(info->positions, PM_RECORDER_ALIGNMENT_OF_WORDS) &&
            is_address(info->kinds, PM_RECORDER_ALIGNMENT_OF_WORDS) &&
            (info->lengths == 0 || is_address(info->lengths, PM_RECORDER_ALIGNMENT_OF_WORDS)));
}

pm_status pm_vk_cmd_delimiters(VkCommandBuffer commands, const pm_vk_tokenizer *tokenizer,
                               const pm_vk_delimiters_info *info) {
    if (!commands || !tokenizer || !info)
        return PM_INVALID_ARGUMENT;
    pm_vk_delimiters_info known;
    const pm_status status = pmi_options_read(info, &known, sizeof known, sizeof known);
    if (status != PM_OK)
        return status;
    if (!text_fits(known.n, known.capacity))
        return PM_TOO_LARGE;
    if (!text_is_placed(&known) || !tokens_are_placed(&known))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_delimiters(tokenizer, commands, &known);
    return PM_OK;
}

/* ---- JSON ---- */

static bool json_fits(uint64_t n, uint64_t brackets, uint64_t tokens) {
    return n <= PM_RECORDER_BYTES_MAX && brackets <= PM_RECORDER_BYTES_MAX && tokens <= PM_RECORDER_BYTES_MAX;
}

pm_status pm_vk_context_json_sizes(const pm_vk_context *matcher, uint64_t n, uint64_t bracket_capacity,
                                   uint64_t token_capacity, pm_vk_json_sizes *sizes) {
    if (!matcher || !sizes || !matcher->reads_json)
        return PM_INVALID_ARGUMENT;
    if (!json_fits(n, bracket_capacity, token_capacity))
        return PM_TOO_LARGE;
    *sizes = pmi_recorder_json_sizes(matcher, n, bracket_capacity, token_capacity);
    return PM_OK;
}

static bool json_text_is_placed(const pm_vk_json_info *info) {
    return info->n == 0 || (is_address(info->text, PM_RECORDER_ALIGNMENT) &&
                            is_address(info->tokens, PM_RECORDER_ALIGNMENT_OF_OFFSETS) &&
                            is_address(info->brackets, PM_RECORDER_ALIGNMENT_OF_OFFSETS) &&
                            is_address(info->before, PM_RECORDER_ALIGNMENT_OF_WORDS));
}

static bool json_is_placed(const pm_vk_json_info *info) {
    const bool brackets = info->bracket_capacity == 0 || is_address(info->partners, PM_RECORDER_ALIGNMENT_OF_WORDS);
    const bool tokens = info->token_capacity == 0 || is_address(info->positions, PM_RECORDER_ALIGNMENT_OF_WORDS);
    return json_text_is_placed(info) && brackets && tokens && is_address(info->scratch, PM_RECORDER_ALIGNMENT) &&
           is_address(info->result, PM_RECORDER_ALIGNMENT_OF_WORDS) && info->dispatches &&
           info->dispatches_offset % PM_RECORDER_ALIGNMENT_OF_WORDS == 0;
}

pm_status pm_vk_cmd_json_index(VkCommandBuffer commands, const pm_vk_context *matcher, const pm_vk_json_info *info) {
    if (!commands || !matcher || !info || !matcher->reads_json)
        return PM_INVALID_ARGUMENT;
    pm_vk_json_info known;
    const pm_status status = pmi_options_read(info, &known, sizeof known, sizeof known);
    if (status != PM_OK)
        return status;
    if (!json_fits(known.n, known.bracket_capacity, known.token_capacity))
        return PM_TOO_LARGE;
    if (!json_is_placed(&known))
        return PM_INVALID_ARGUMENT;
    pmi_recorder_record_json(matcher, commands, &known);
    return PM_OK;
}

/* ---- Trees ---- */

pm_status pm_vk_monoid_create(const pm_vk_context *matcher, const pm_gpu_monoid *code, VkPipelineCache cache,
                              pm_vk_monoid **monoid) {
    if (!monoid)
        return PM_INVALID_ARGUMENT;
    *monoid = NULL;
    if (!matcher || !code || !matcher->scans_trees)
        return PM_INVALID_ARGUMENT;
    return pmi_recorder_monoid_create(matcher, code, cache, monoid);
}

void pm_vk_monoid_destroy(pm_vk_monoid *monoid) {
    if (monoid)
        pmi_recorder_monoid_destroy(monoid);
}

static pm_status tree_check(uint64_t n, uint64_t nodes) {
    if (n > PM_RECORDER_TREES_MAX)
        return PM_TOO_LARGE;
    return nodes > n ? PM_INVALID_ARGUMENT : PM_OK;
}

pm_status pm_vk_monoid_sizes(const pm_vk_monoid *monoid, uint64_t n, uint64_t nodes, pm_vk_tree_sizes *sizes) {
    if (!monoid || !sizes)
        return PM_INVALID_ARGUMENT;
    const pm_status status = tree_check(n, nodes);
    if (status == PM_OK)
        *sizes = pmi_recorder_tree_sizes(monoid, n, nodes);
    return status;
}

static bool tree_is_placed(const pm_vk_tree_info *info) {
    return is_address(info->parens, PM_RECORDER_ALIGNMENT) && is_address(info->values, PM_RECORDER_ALIGNMENT) &&
           is_address(info->results, PM_RECORDER_ALIGNMENT) && is_address(info->scratch, PM_RECORDER_ALIGNMENT);
}

pm_status pm_vk_cmd_tree_scan(VkCommandBuffer commands, const pm_vk_monoid *monoid, const pm_vk_tree_info *info) {
    if (!commands || !monoid || !info)
        return PM_INVALID_ARGUMENT;
    pm_vk_tree_info known;
    pm_status status = pmi_options_read(info, &known, sizeof known, sizeof known);
    if (status == PM_OK)
        status = tree_check(known.n, known.nodes);
    if (status != PM_OK)
        return status;
    if ((unsigned)known.way > PM_VK_TREE_UP || (known.nodes > 0 && !tree_is_placed(&known)))
        return PM_INVALID_ARGUMENT;
    if (known.nodes > 0)
        pmi_recorder_record_tree_scan(monoid, commands, &known);
    return PM_OK;
}
