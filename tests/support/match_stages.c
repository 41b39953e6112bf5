/* SPDX-License-Identifier: Apache-2.0 */
/* Recording, submitting and waiting for what the test asks for. */
#include "tests/support/match_stages.h"

#include <string.h>

#include "gpu/device/commands.h"
#include "shaders/match/levels_twin.h"
#include "shaders/match/lookback_twin.h"
#include "shaders/match/partition_twin.h"
#include "shaders/spv/match.h"
#include "tests/support/unit.h"

static const char *const stage_names[PM_STAGES] = {"reduce", "scan", "match"};

enum {
    CANARY = 0x5ca1ab1e,
    GAP = 64, /* words before and after each buffer */
    VERIFY_CHUNK_SHIFT = 12,
    VERIFY_WORKGROUPS = 64
};

pm_status gpu_stages_open(const pmi_gpu_settings *settings, gpu_stages *stages) {
    *stages = (gpu_stages){0};
    pmi_device *const device = &stages->device;
    pm_status status = pmi_device_open(settings, device);
    if (status != PM_OK)
        return status;
    stages->id = settings->pipeline;
    assert_ok(pmi_pipeline_create(device, stages->id, &stages->pipeline));
    assert_ok(pmi_kernel_create(device, (pmi_shader){spv_match_verify, sizeof spv_match_verify}, 0, &stages->verify));
    assert_int_equal(pmi_commands_pool(device, &stages->pool), VK_SUCCESS);
    assert_int_equal(pmi_commands_create(device, stages->pool, &stages->commands, &stages->fence), VK_SUCCESS);
    return PM_OK;
}

void gpu_stages_close(gpu_stages *stages) {
    pmi_device *const device = &stages->device;
    device->vk->DestroyFence(device->handle, stages->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, stages->pool, NULL);
    pmi_kernel_destroy(device, &stages->verify);
    pmi_pipeline_destroy(device, &stages->pipeline);
    pmi_device_close(device);
}

/* ---- Buffers ---- */

/* What the scan of levels leaves at the end of its scratch is not there where the match stage scans by itself. */
static size_t compared_words(const gpu_stages *stages, const gpu_buffers *b) {
    if (stages->id != PM_PIPELINE_LEVELS ||
        pmi_pipeline_has_stage(&stages->device, &stages->pipeline, PM_STAGE_SCAN, b->n))
        return b->scratch_words;
    return (size_t)pmi_levels_parameters_make(b->n, 0, 0, 0).superblock_base / 4;
}

static size_t parens_words(uint32_t n) {
    return n / 32 + (n % 32 != 0);
}

/* Lengths of the buffers, in words, in the order in which they lie. */
static void lengths(const gpu_buffers *b, size_t words[4]) {
    words[0] = parens_words(b->n);
    words[1] = b->scratch_words;
    words[2] = 2;
    words[3] = b->n;
}

/* The offset of buffer k, a multiple of 64 bytes. */
static size_t offset(const size_t words[4], int k) {
    size_t at = GAP;
    for (int before = 0; before < k; before++)
        at = (at + words[before] + GAP + 15) / 16 * 16;
    return at;
}

/* The sequence, its buffers being at an address of host or device. */
static pmi_sequence sequence_at(const gpu_buffers *b, const size_t words[4], uint64_t address) {
    return (pmi_sequence){.n = b->n,
                          .parens = address + 4 * offset(words, 0),
                          .scratch = address + 4 * offset(words, 1),
                          .summary = address + 4 * offset(words, 2)};
}

void gpu_buffers_make(const gpu_stages *stages, const uint64_t *parens, uint32_t n, gpu_buffers *b) {
    size_t words[4];
    *b = (gpu_buffers){.n = n, .scratch_words = (size_t)pmi_pipeline_scratch_bytes(&stages->pipeline, n) / 4};
    lengths(b, words);
    const size_t all = offset(words, 3) + words[3] + GAP;
    assert_ok(pmi_buffer_create(&stages->device, PM_MEMORY_DOWNLOAD, all * 4, &b->buffer));
    uint32_t *const mapped = b->buffer.mapped;
    for (size_t i = 0; i < all; i++)
        mapped[i] = CANARY;
    b->parens = mapped + offset(words, 0);
    b->scratch = mapped + offset(words, 1);
    b->summary = mapped + offset(words, 2);
    b->match = mapped + offset(words, 3);
    memcpy(b->parens, parens, words[0] * 4);
    b->of_host = sequence_at(b, words, (uint64_t)(uintptr_t)mapped);
    b->of_device = sequence_at(b, words, b->buffer.address);
    b->match_of_device = b->buffer.address + 4 * offset(words, 3);
}

void gpu_buffers_free(const gpu_stages *stages, gpu_buffers *buffers) {
    pmi_buffer_destroy(&stages->device, &buffers->buffer);
}

size_t gpu_buffers_spilt(const gpu_buffers *b) {
    size_t words[4], spilt = 0, inside = 0;
    lengths(b, words);
    const uint32_t *const mapped = b->buffer.mapped;
    for (size_t i = 0; i < b->buffer.size / 4; i++) {
        bool canary = true;
        for (int k = 0; k < 4; k++)
            canary &= i < offset(words, k) || i >= offset(words, k) + words[k];
        inside += !canary;
        spilt += canary && mapped[i] != CANARY;
    }
    assert_int_equal(inside, words[0] + words[1] + words[2] + words[3]);
    return spilt;
}

/* ---- Running ---- */

void gpu_commands_begin(const gpu_stages *stages) {
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    assert_int_equal(stages->device.vk->BeginCommandBuffer(stages->commands, &info), VK_SUCCESS);
}

void gpu_commands_run(const gpu_stages *stages) {
    const pmi_device *const device = &stages->device;
    pmi_device_barrier(device, stages->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    assert_int_equal(device->vk->EndCommandBuffer(stages->commands), VK_SUCCESS);
    assert_int_equal(pmi_commands_submit(device, stages->commands, stages->fence), VK_SUCCESS);
    assert_int_equal(device->vk->WaitForFences(device->handle, 1, &stages->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    assert_int_equal(device->vk->ResetFences(device->handle, 1, &stages->fence), VK_SUCCESS);
}

static void levels_twin(const gpu_stages *stages, const gpu_buffers *b, pm_stage stage) {
    (void)stages;
    const pmi_sequence *const sequence = &b->of_host;
    pmi_levels_parameters parameters =
        pmi_levels_parameters_make(b->n, sequence->parens, sequence->scratch, sequence->summary);
    parameters.match = (uint64_t)(uintptr_t)b->match;
    parameters.count = stage == PM_STAGE_REDUCE ? parameters.superblocks : pmi_levels_tiles(b->n);
    if (stage == PM_STAGE_REDUCE)
        pmi_levels_reduce_twin(&parameters);
    else if (stage == PM_STAGE_SCAN)
        pmi_levels_scan_twin(&parameters);
    else
        pmi_levels_match_twin(&parameters);
}

static void partitions_twin(const gpu_stages *stages, const gpu_buffers *b, pm_stage stage) {
    const pmi_partitions *const partitions = &stages->pipeline.partitions;
    pmi_partition_parameters parameters = pmi_partitions_parameters_make(partitions, &b->of_host);
    parameters.match = (uint64_t)(uintptr_t)b->match;
    if (stage == PM_STAGE_REDUCE)
        pmi_partition_reduce_twin(&parameters, partitions->elements);
    else if (stage == PM_STAGE_MATCH)
        pmi_partition_match_twin(&parameters, partitions->elements);
}

static void lookback_twin(const gpu_stages *stages, const gpu_buffers *b, pm_stage stage) {
    const pmi_lookback *const lookback = &stages->pipeline.lookback;
    pmi_lookback_parameters parameters = pmi_lookback_parameters_make(&stages->device, lookback, &b->of_host);
    parameters.match = (uint64_t)(uintptr_t)b->match;
    if (stage == PM_STAGE_SCAN)
        pmi_lookback_clear_twin(&parameters);
    else if (stage == PM_STAGE_MATCH)
        pmi_lookback_match_twin(&parameters, lookback->elements);
}

static void (*const twins[PM_PIPELINES])(const gpu_stages *, const gpu_buffers *, pm_stage) = {
    [PM_PIPELINE_LEVELS] = levels_twin,     [PM_PIPELINE_DIRECT] = partitions_twin,
    [PM_PIPELINE_SIMPLE] = partitions_twin, [PM_PIPELINE_WORK_EFFICIENT] = partitions_twin,
    [PM_PIPELINE_LOOKBACK] = lookback_twin,
};

/* Ranges of odd lengths, as a caller might choose them. */
static void stage_record(const gpu_stages *stages, const gpu_buffers *b, pm_stage stage) {
    const pmi_device *const device = &stages->device;
    const uint32_t unit = pmi_pipeline_unit(&stages->pipeline, stage);
    const uint32_t first = stage == PM_STAGE_SCAN ? 0 : b->n / 3 / unit * unit;
    if (first > 0)
        pmi_pipeline_record(device, stages->commands, &stages->pipeline, stage, &b->of_device, 0, first,
                            b->match_of_device);
    pmi_pipeline_record(device, stages->commands, &stages->pipeline, stage, &b->of_device, first, b->n - first,
                        b->match_of_device + (uint64_t)first * 4);
    pmi_device_barrier(device, stages->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

void gpu_stages_run(const gpu_stages *stages, const gpu_buffers *buffers, pm_stage from) {
    for (unsigned stage = 0; stage < from; stage++)
        twins[stages->id](stages, buffers, (pm_stage)stage);
    if (from == PM_STAGES)
        return;
    gpu_commands_begin(stages);
    for (unsigned stage = from; stage < PM_STAGES; stage++)
        if (pmi_pipeline_has_stage(&stages->device, &stages->pipeline, (pm_stage)stage, buffers->n))
            stage_record(stages, buffers, (pm_stage)stage);
    gpu_commands_run(stages);
}

void gpu_stages_check(const gpu_stages *stages, const uint64_t *parens, uint32_t n, const char *what) {
    gpu_buffers twin, mixed;
    gpu_buffers_make(stages, parens, n, &twin);
    gpu_stages_run(stages, &twin, PM_STAGES);
    assert_ok(pm_match_verify(NULL, parens, n, twin.match, NULL));
    assert_int_equal(gpu_buffers_spilt(&twin), 0);
    for (unsigned from = PM_STAGES; from-- > 0;) { /* so that the first to fail is the stage that is wrong */
        gpu_buffers_make(stages, parens, n, &mixed);
        gpu_stages_run(stages, &mixed, (pm_stage)from);
        if (memcmp(mixed.scratch, twin.scratch, compared_words(stages, &twin) * 4) != 0 ||
            memcmp(mixed.summary, twin.summary, 8) != 0 || memcmp(mixed.match, twin.match, n * sizeof *twin.match) != 0)
            fail_msg("%s, n = %u: %s is wrong", what, n, stage_names[from]);
        if (gpu_buffers_spilt(&mixed) != 0)
            fail_msg("%s, n = %u: from %s on something wrote outside its buffers", what, n, stage_names[from]);
        gpu_buffers_free(stages, &mixed);
    }
    gpu_buffers_free(stages, &twin);
}

size_t gpu_stages_verify(const gpu_stages *stages, const gpu_buffers *b, uint32_t *first) {
    const pmi_device *const device = &stages->device;
    const uint32_t chunks = b->n / (1u << VERIFY_CHUNK_SHIFT) + 1;
    pmi_buffer buffer; /* the chunks' addresses, then what is wrong */
    assert_ok(pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, (uint64_t)chunks * 8 + 8, &buffer));
    uint64_t *const addresses = buffer.mapped;
    for (uint32_t k = 0; k < chunks; k++)
        addresses[k] = b->match_of_device + ((uint64_t)k << VERIFY_CHUNK_SHIFT) * 4;
    uint32_t *const wrong = (uint32_t *)(addresses + chunks);
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pmi_verify_parameters parameters = {.parens = b->of_device.parens,
                                              .chunks = buffer.address,
                                              .wrong = buffer.address + (uint64_t)chunks * 8,
                                              .n = b->n,
                                              .chunk_shift = VERIFY_CHUNK_SHIFT,
                                              .count = b->n};
    gpu_commands_begin(stages);
    pmi_kernel_dispatch(device, stages->commands, &stages->verify, &parameters, sizeof parameters, VERIFY_WORKGROUPS);
    gpu_commands_run(stages);
    *first = wrong[1];
    const size_t found = wrong[0];
    pmi_buffer_destroy(device, &buffer);
    return found;
}
