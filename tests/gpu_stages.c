/* SPDX-License-Identifier: Apache-2.0 */
/* Recording, submitting and waiting for what the test asks for. */
#include "tests/gpu_stages.h"

#include <string.h>

#include "shaders/wide_twin.h"
#include "tests/cmocka_all.h"

static const uint32_t verify_words[] = {
#include "shaders/spv/verify.inc"
};

const char *const gpu_stage_names[GPU_STAGES] = {"reduce", "scan", "match"};

enum {
    CANARY = 0x5ca1ab1e,
    GAP = 64, /* words before and after each buffer */
    VERIFY_CHUNK_SHIFT = 12,
    VERIFY_WORKGROUPS = 64
};

pm_status gpu_stages_open(const pm_gpu_settings *settings, gpu_stages *stages) {
    *stages = (gpu_stages){0};
    pm_device *const device = &stages->device;
    pm_status status = pm_device_open(settings, device);
    if (status != PM_OK)
        return status;
    assert_int_equal(pm_wide_create(device, &stages->wide), PM_OK);
    assert_int_equal(pm_kernel_create(device, (pm_shader){verify_words, sizeof verify_words}, 0, &stages->verify),
                     PM_OK);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->queue_family};
    assert_int_equal(device->vk->CreateCommandPool(device->handle, &pool, NULL, &stages->pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = stages->pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    assert_int_equal(device->vk->AllocateCommandBuffers(device->handle, &commands, &stages->commands), VK_SUCCESS);
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    assert_int_equal(device->vk->CreateFence(device->handle, &fence, NULL, &stages->fence), VK_SUCCESS);
    return PM_OK;
}

void gpu_stages_close(gpu_stages *stages) {
    pm_device *const device = &stages->device;
    device->vk->DestroyFence(device->handle, stages->fence, NULL);
    device->vk->DestroyCommandPool(device->handle, stages->pool, NULL);
    pm_kernel_destroy(device, &stages->verify);
    pm_wide_destroy(device, &stages->wide);
    pm_device_close(device);
}

/* ---- Buffers ---- */

static size_t parens_words(uint32_t n) {
    return n / 32 + (n % 32 != 0);
}

/* Lengths of the buffers, in words, in the order in which they lie. */
static void lengths(uint32_t n, size_t words[4]) {
    words[0] = parens_words(n);
    words[1] = (size_t)pm_wide_scratch_bytes(n) / 4;
    words[2] = 2;
    words[3] = n;
}

/* The offset of buffer k, a multiple of 64 bytes. */
static size_t offset(const size_t words[4], int k) {
    size_t at = GAP;
    for (int before = 0; before < k; before++)
        at = (at + words[before] + GAP + 15) / 16 * 16;
    return at;
}

void gpu_buffers_make(const gpu_stages *stages, const uint64_t *parens, uint32_t n, gpu_buffers *b) {
    size_t words[4];
    lengths(n, words);
    const size_t all = offset(words, 3) + words[3] + GAP;
    *b = (gpu_buffers){.n = n, .scratch_words = words[1]};
    assert_int_equal(pm_buffer_create(&stages->device, PM_MEMORY_DOWNLOAD, all * 4, &b->buffer), PM_OK);
    uint32_t *const mapped = b->buffer.mapped;
    for (size_t i = 0; i < all; i++)
        mapped[i] = CANARY;
    b->parens = mapped + offset(words, 0);
    b->scratch = mapped + offset(words, 1);
    b->summary = mapped + offset(words, 2);
    b->match = mapped + offset(words, 3);
    memcpy(b->parens, parens, words[0] * 4);
    const uint64_t device = b->buffer.address, host = (uint64_t)(uintptr_t)mapped;
    b->of_device = pm_wide_parameters_make(n, device + 4 * offset(words, 0), device + 4 * offset(words, 1),
                                           device + 4 * offset(words, 2));
    b->of_device.match = device + 4 * offset(words, 3);
    if (pm_wide_is_short(&stages->device, &stages->wide, n)) /* what the scan leaves is not there */
        b->scratch_words = (b->of_device.superblock_base - b->of_device.survivors) / 4;
    b->of_host = pm_wide_parameters_make(n, host + 4 * offset(words, 0), host + 4 * offset(words, 1),
                                         host + 4 * offset(words, 2));
    b->of_host.match = host + 4 * offset(words, 3);
}

void gpu_buffers_free(const gpu_stages *stages, gpu_buffers *buffers) {
    pm_buffer_destroy(&stages->device, &buffers->buffer);
}

size_t gpu_buffers_spilt(const gpu_buffers *b) {
    size_t words[4], spilt = 0, inside = 0;
    lengths(b->n, words);
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
    const pm_device *const device = &stages->device;
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &stages->commands};
    pm_device_barrier(device, stages->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    assert_int_equal(device->vk->EndCommandBuffer(stages->commands), VK_SUCCESS);
    assert_int_equal(device->vk->QueueSubmit(device->queue, 1, &info, stages->fence), VK_SUCCESS);
    assert_int_equal(device->vk->WaitForFences(device->handle, 1, &stages->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    assert_int_equal(device->vk->ResetFences(device->handle, 1, &stages->fence), VK_SUCCESS);
}

static void twin_run(const gpu_buffers *b, int stage) {
    pm_wide_parameters of_host = b->of_host;
    of_host.count = stage == 0 ? of_host.superblocks : pm_wide_tiles(b->n);
    if (stage == 0)
        pm_wide_reduce_twin(&of_host);
    else if (stage == 1)
        pm_wide_scan_twin(&of_host);
    else
        pm_wide_match_twin(&of_host);
}

/* Ranges of odd lengths, as a caller might choose them. */
static void stage_record(const gpu_stages *stages, const gpu_buffers *b, int stage) {
    const pm_device *const device = &stages->device;
    const uint32_t superblocks = b->of_device.superblocks, tiles = pm_wide_tiles(b->n);
    const uint32_t first = stage == 0 ? superblocks / 3 : tiles / 3;
    if (stage == 0) {
        if (first > 0)
            pm_wide_record_reduce(device, stages->commands, &stages->wide, b->of_device, 0, first);
        pm_wide_record_reduce(device, stages->commands, &stages->wide, b->of_device, first, superblocks - first);
    } else if (stage == 1) {
        pm_wide_record_scan(device, stages->commands, &stages->wide, b->of_device);
    } else {
        const uint64_t match = b->of_device.match;
        if (first > 0)
            pm_wide_record_match(device, stages->commands, &stages->wide, b->of_device, 0, first, match);
        pm_wide_record_match(device, stages->commands, &stages->wide, b->of_device, first, tiles - first,
                             match + (uint64_t)first * PM_TILE * 4);
    }
    pm_wide_record_barrier(device, stages->commands);
}

void gpu_stages_run(const gpu_stages *stages, const gpu_buffers *buffers, int from) {
    for (int stage = 0; stage < from; stage++)
        twin_run(buffers, stage);
    if (from == GPU_STAGES)
        return;
    gpu_commands_begin(stages);
    for (int stage = from; stage < GPU_STAGES; stage++)
        stage_record(stages, buffers, stage);
    gpu_commands_run(stages);
}

size_t gpu_stages_verify(const gpu_stages *stages, const gpu_buffers *b, uint32_t *first) {
    const pm_device *const device = &stages->device;
    const uint32_t chunks = b->n / (1u << VERIFY_CHUNK_SHIFT) + 1;
    pm_buffer buffer; /* the chunks' addresses, then what is wrong */
    assert_int_equal(pm_buffer_create(device, PM_MEMORY_DOWNLOAD, (uint64_t)chunks * 8 + 8, &buffer), PM_OK);
    uint64_t *const addresses = buffer.mapped;
    for (uint32_t k = 0; k < chunks; k++)
        addresses[k] = b->of_device.match + ((uint64_t)k << VERIFY_CHUNK_SHIFT) * 4;
    uint32_t *const wrong = (uint32_t *)(addresses + chunks);
    wrong[0] = 0;
    wrong[1] = UINT32_MAX;
    const pm_verify_parameters parameters = {.parens = b->of_device.parens,
                                             .chunks = buffer.address,
                                             .wrong = buffer.address + (uint64_t)chunks * 8,
                                             .n = b->n,
                                             .chunk_shift = VERIFY_CHUNK_SHIFT,
                                             .count = b->n};
    gpu_commands_begin(stages);
    pm_kernel_dispatch(device, stages->commands, &stages->verify, &parameters, sizeof parameters, VERIFY_WORKGROUPS);
    gpu_commands_run(stages);
    *first = wrong[1];
    const size_t found = wrong[0];
    pm_buffer_destroy(device, &buffer);
    return found;
}
