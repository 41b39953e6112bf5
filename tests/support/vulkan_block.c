/* SPDX-License-Identifier: Apache-2.0 */
/* Layout, and canaries. */
#include "tests/support/vulkan_block.h"

#include "tests/support/unit.h"

#define GAP 16 /* words between buffers, at least */

static uint32_t *words_of(const buffer_block *block) {
    return block->buffer.mapped;
}

void block_begin(buffer_block *block, size_t words) {
    assert_ok(pmi_buffer_create(&host.device, PM_MEMORY_DOWNLOAD, words * 4, &block->buffer));
    for (size_t i = 0; i < words; i++)
        words_of(block)[i] = BLOCK_CANARY;
    block->used = block->checked = 0;
    gpu_commands_begin(&host);
}

block_place block_lay_out(buffer_block *block, const pm_vk_buffer buffers[BLOCK_BUFFERS]) {
    block_place place;
    for (int k = 0; k < BLOCK_BUFFERS; k++) {
        const size_t unit = buffers[k].alignment > 0 ? buffers[k].alignment / 4 : 1;
        block->used = (block->used + GAP + unit - 1) / unit * unit;
        block->used += block->used % (2 * unit) == 0 ? unit : 0;
        place.first[k] = block->used;
        place.words[k] = buffers[k].size / 4;
        block->used += place.words[k];
    }
    assert_true((block->used + GAP) * 4 <= block->buffer.size);
    return place;
}

void block_check(buffer_block *block, const block_place *place, const char *name, uint32_t n) {
    for (int k = 0; k < BLOCK_BUFFERS; k++) {
        for (; block->checked < place->first[k]; block->checked++)
            if (words_of(block)[block->checked] != BLOCK_CANARY)
                fail_msg("%s, n = %u: something wrote before buffer %d", name, n, k);
        block->checked += place->words[k];
    }
}

void block_end(buffer_block *block) {
    for (; block->checked < block->buffer.size / 4; block->checked++)
        assert_int_equal(words_of(block)[block->checked], BLOCK_CANARY);
    pmi_buffer_destroy(&host.device, &block->buffer);
}
