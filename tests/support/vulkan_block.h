/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a device in which buffers of recorded commands lie one behind the other, with canaries around each. */
#ifndef PM_TESTS_SUPPORT_VULKAN_BLOCK_H
#define PM_TESTS_SUPPORT_VULKAN_BLOCK_H

#include "tests/support/vulkan_host.h"

#define BLOCK_CANARY 0x0ddba11u

enum {
    BLOCK_BUFFERS = 5 /* of one task, at most */
};

/* All counts are of 32-bit words. */
typedef struct buffer_block {
    pmi_buffer buffer;
    size_t used, checked;
} buffer_block;

/* Where a task's buffers lie. */
typedef struct block_place {
    size_t first[BLOCK_BUFFERS], words[BLOCK_BUFFERS];
} block_place;

/* Room for so many words, all of them canaries; commands of the host begin. */
void block_begin(buffer_block *block, size_t words);

/* Buffers no better aligned than asked for, one after the other; none where the alignment is 0. */
block_place block_lay_out(buffer_block *block, const pm_vk_buffer buffers[BLOCK_BUFFERS]);

/* Of the tasks in the order in which they were laid out: nothing was written before their buffers. */
void block_check(buffer_block *block, const block_place *place, const char *name, uint32_t n);

/* Nor behind the last one's; and frees the memory. */
void block_end(buffer_block *block);

#endif
