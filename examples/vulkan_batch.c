/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a Vulkan device of its own, which matches many sequences by one recorded command: first a few short
 * ones, whose matches it prints, then 5000 of up to 99 elements, each of which it checks. Exits with 77 where there is
 * no device.
 *   cc vulkan_batch.c vulkan_program.c $(pkg-config --cflags --libs parenmatch) -lvulkan
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan_program.h"

#define SEQUENCES 5000u
#define ELEMENTS (99 * SEQUENCES)

static pm_vk_context *context;
static pm_vk_batch_sizes sizes;
static struct buffers {
    buffer parens, offsets, totals, match; /* which the host sees, too */
    buffer scratch;
} b;

static buffer shared_buffer(const pm_vk_buffer *needed) {
    return buffer_make(needed->size, needed->usage,
                       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
}

static void context_open(void) {
    const pm_vk_context_info info = {.struct_size = sizeof info,
                                     .instance = r.instance,
                                     .physical_device = r.physical,
                                     .device = r.device,
                                     .get_instance_proc_addr = vkGetInstanceProcAddr,
                                     .flags =
                                         PM_VK_BATCHES | (r.requirements.subgroup_size_control ? PM_VK_SUBGROUPS : 0u)};
    require(pm_vk_context_create(&info, &context) == PM_OK, "the context");
    require(pm_vk_context_batch_sizes(context, ELEMENTS, SEQUENCES, 0, &sizes) == PM_OK, "the sizes");
    b = (struct buffers){shared_buffer(&sizes.parens), shared_buffer(&sizes.offsets), shared_buffer(&sizes.totals),
                         shared_buffer(&sizes.match), buffer_for(&sizes.scratch, 0)};
}

static void context_close(void) {
    buffer *const all[] = {&b.parens, &b.offsets, &b.totals, &b.match, &b.scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        buffer_free(all[k]);
    pm_vk_context_destroy(context);
}

/* Elements and offsets are in their buffers already. */
static void batch_run(uint32_t count) {
    const uint64_t *const offsets = b.offsets.mapped;
    const pm_vk_batch_info info = {.struct_size = sizeof info,
                                   .n = offsets[count],
                                   .count = count,
                                   .parens = b.parens.address,
                                   .offsets = b.offsets.address,
                                   .scratch = b.scratch.address,
                                   .totals = b.totals.address,
                                   .match = b.match.address};
    commands_begin();
    require(pm_vk_cmd_match_batch(r.commands, context, &info) == PM_OK, "recording the batch");
    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
    commands_run();
}

/* Appends a sequence to the elements; returns where it ends. */
static uint64_t append(uint64_t at, const char *text, size_t length) {
    uint32_t *const parens = b.parens.mapped;
    for (size_t i = 0; i < length; i++, at++) {
        const uint32_t bit = UINT32_C(1) << at % 32;
        parens[at / 32] = text[i] == '(' ? parens[at / 32] | bit : parens[at / 32] & ~bit;
    }
    return at;
}

static void print_short(void) {
    static const char *const texts[] = {"(()())", "", "())(", ")(", "((("};
    const uint32_t count = sizeof texts / sizeof *texts;
    uint64_t *const offsets = b.offsets.mapped;
    offsets[0] = 0;
    for (uint32_t s = 0; s < count; s++)
        offsets[s + 1] = append(offsets[s], texts[s], strlen(texts[s]));
    batch_run(count);
    const uint32_t *const match = b.match.mapped;
    const pm_vk_summary *const totals = b.totals.mapped;
    for (uint32_t s = 0; s < count; s++) {
        printf("'%s':", texts[s]);
        for (uint64_t i = offsets[s]; i < offsets[s + 1]; i++)
            printf(" %d", (int)match[i]); /* -1: none */
        printf("; unmatched: %u closes, %u opens\n", totals[s].close, totals[s].open);
    }
}

/* Is sequence s matched as pm_match_seq() matches it alone? */
static int is_right(const char *text, const uint64_t *offsets, uint32_t s) {
    const uint32_t *const match = (const uint32_t *)b.match.mapped + offsets[s];
    const pm_vk_summary total = ((const pm_vk_summary *)b.totals.mapped)[s];
    const size_t n = (size_t)(offsets[s + 1] - offsets[s]);
    uint64_t parens[2] = {0, 0};
    uint32_t expected[99];
    pm_bic expected_total;
    for (size_t i = 0; i < n; i++)
        parens[i / 64] |= (uint64_t)(text[offsets[s] + i] == '(') << i % 64;
    require(pm_match_seq(NULL, parens, n, expected, &expected_total) == PM_OK, "matching on the host");
    return memcmp(match, expected, n * sizeof *match) == 0 && total.close == expected_total.close &&
           total.open == expected_total.open;
}

static void check_many(void) {
    char *const text = malloc(ELEMENTS);
    uint64_t *const offsets = b.offsets.mapped, state = 1;
    uint32_t right = 0;
    require(text != NULL, "memory");
    for (size_t i = 0; i < ELEMENTS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        text[i] = state >> 63 ? '(' : ')';
    }
    for (uint32_t s = 0; s < SEQUENCES; s++)
        offsets[s + 1] = offsets[s] + s % 100;
    append(0, text, offsets[SEQUENCES]);
    batch_run(SEQUENCES);
    for (uint32_t s = 0; s < SEQUENCES; s++)
        right += is_right(text, offsets, s) ? 1 : 0;
    printf("%u of %u sequences more are right\n", right, SEQUENCES);
    free(text);
}

int main(void) {
    program_open();
    context_open();
    print_short();
    check_many();
    context_close();
    program_close();
    return 0;
}
