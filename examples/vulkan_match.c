/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a Vulkan device of its own, which records a match into its own command buffer: upload, match,
 * download. First a short sequence, whose match it prints, then a long one, which it checks; the second time the device
 * alone is told how long they are. Exits with 77 where there is no device.
 *   cc vulkan_match.c vulkan_program.c $(pkg-config --cflags --libs parenmatch) -lvulkan
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan_program.h"

#define TEXT "((()((())(()()))))"
#define LONG 1000000u /* elements of the long sequence, and the most there is room for */

/* ---- A match ---- */

static pm_vk_context *context;
static struct buffers {
    buffer host; /* the sequence on its way up, then the match on its way down, then the summary */
    buffer parens, match, scratch, summary, count, dispatches;
} b;

static void context_open(void) {
    const pm_vk_context_info info = {.struct_size = sizeof info,
                                     .instance = r.instance,
                                     .physical_device = r.physical,
                                     .device = r.device,
                                     .get_instance_proc_addr = vkGetInstanceProcAddr,
                                     .flags = PM_VK_COUNT_ON_DEVICE |
                                              (r.requirements.subgroup_size_control ? PM_VK_SUBGROUPS : 0u)};
    require(pm_vk_context_create(&info, &context) == PM_OK, "the context");
    pm_vk_sizes sizes;
    require(pm_vk_context_sizes(context, LONG, 0, &sizes) == PM_OK, "the sizes");
    b.parens = buffer_for(&sizes.parens, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    b.match = buffer_for(&sizes.match, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    b.scratch = buffer_for(&sizes.scratch, 0);
    b.summary = buffer_for(&sizes.summary, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    b.count = buffer_for(&sizes.count, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    b.dispatches = buffer_for(&sizes.dispatches, 0);
    b.host = buffer_make(sizes.match.size + sizes.summary.size,
                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                         VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
}

static void context_close(void) {
    buffer *const all[] = {&b.host, &b.parens, &b.match, &b.scratch, &b.summary, &b.count, &b.dispatches};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        buffer_free(all[k]);
    pm_vk_context_destroy(context);
}

/* Upload, match, download: all that this frame does. With `counted` it is the device that says how many there are. */
static void frame_record(uint32_t n, int counted) {
    commands_begin();
    const VkBufferCopy up = {.size = (n + 31) / 32 * 4};
    vkCmdCopyBuffer(r.commands, b.host.handle, b.parens.handle, 1, &up);
    vkCmdUpdateBuffer(r.commands, b.count.handle, 0, sizeof n, &n); /* in earnest, a shader's result */
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT);

    const pm_vk_match_info info = {.struct_size = sizeof info,
                                   .n = counted ? LONG : n,
                                   .parens = b.parens.address,
                                   .scratch = b.scratch.address,
                                   .summary = b.summary.address,
                                   .match = b.match.address,
                                   .count = counted ? b.count.address : 0,
                                   .dispatches = counted ? b.dispatches.handle : VK_NULL_HANDLE};
    require(pm_vk_cmd_match(r.commands, context, &info) == PM_OK, "recording the match");

    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy down = {.size = n * sizeof(uint32_t)};
    const VkBufferCopy summary_down = {.dstOffset = down.size, .size = sizeof(pm_vk_summary)};
    vkCmdCopyBuffer(r.commands, b.match.handle, b.host.handle, 1, &down);
    vkCmdCopyBuffer(r.commands, b.summary.handle, b.host.handle, 1, &summary_down);
    barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
}

/* The match is valid until the next call. */
static const uint32_t *match_run(const uint64_t *parens, uint32_t n, int counted, pm_vk_summary *summary) {
    memcpy(b.host.mapped, parens, (n + 31) / 32 * 4);
    frame_record(n, counted);
    commands_run();
    const uint32_t *const match = b.host.mapped;
    memcpy(summary, match + n, sizeof *summary);
    return match;
}

/* ---- */

static void print_short(int counted) {
    const uint32_t n = sizeof TEXT - 1;
    uint64_t parens = 0;
    for (uint32_t i = 0; i < n; i++)
        parens |= (uint64_t)(TEXT[i] == '(') << i;
    pm_vk_summary summary;
    const uint32_t *const match = match_run(&parens, n, counted, &summary);
    for (uint32_t i = 0; i < n; i++)
        printf("%2u %c %2d\n", i, TEXT[i], (int)match[i]); /* -1: none */
    printf("unmatched: %u closes, %u opens\n", summary.close, summary.open);
}

static void check_long(int counted) {
    uint64_t *const parens = malloc((LONG + 63) / 64 * sizeof *parens), state = 1;
    require(parens != NULL, "memory");
    for (size_t w = 0; w < (LONG + 63) / 64; w++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        parens[w] = state ^ state >> 29;
    }
    pm_vk_summary summary;
    const uint32_t *const match = match_run(parens, LONG, counted, &summary);
    const pm_status status = pm_match_verify(NULL, parens, LONG, match, NULL);
    printf("%u elements more: %s\n", LONG, status == PM_OK ? "right" : "wrong");
    free(parens);
}

int main(void) {
    program_open();
    context_open();
    for (int counted = 0; counted < 2; counted++) {
        printf("the %s counts\n", counted ? "device" : "host");
        print_short(counted);
        check_long(counted);
    }
    context_close();
    program_close();
    return 0;
}
