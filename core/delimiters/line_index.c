/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns: newlines are counted once for each block, and inside a block for each call. */
#include "core/delimiters/line_index.h"

#include <string.h>

#include "base/memory.h"
#include "base/slice.h"
#include "core/text/bracket_masks.h"

#define BLOCK_WORDS PM_CHUNK_WORDS
#define BLOCK (BLOCK_WORDS * PM_WORD_BITS)

size_t pmi_count_newlines(const pmi_classifier *classifier, const unsigned char *text, size_t n) {
    const size_t whole = n / PM_WORD_BITS;
    uint64_t masks[BLOCK_WORDS];
    size_t count = 0;
    for (size_t w = 0; w < whole; w += BLOCK_WORDS)
        count +=
            classifier->find('\n', text + w * PM_WORD_BITS, whole - w < BLOCK_WORDS ? whole - w : BLOCK_WORDS, masks);
    for (size_t i = whole * PM_WORD_BITS; i < n; i++)
        count += text[i] == '\n';
    return count;
}

/* Where the line begins that byte `end` is in, given the one that byte `begin` is in. */
static size_t line_start_at(const unsigned char *text, size_t begin, size_t end, size_t line_start) {
    for (size_t i = end; i > begin; i--)
        if (text[i - 1] == '\n')
            return i;
    return line_start;
}

static bool make_index(pmi_line_index *index) {
    const size_t count = index->n / BLOCK + 1;
    index->blocks = pmi_memory_allocate(&index->allocator, count, sizeof *index->blocks);
    if (!index->blocks)
        return false;
    pmi_block_lines at = {0, 0};
    for (size_t b = 0; b < count; b++) {
        index->blocks[b] = at;
        if (b + 1 == count)
            break;
        at.newlines += pmi_count_newlines(index->classifier, index->text + b * BLOCK, BLOCK);
        at.line_start = line_start_at(index->text, b * BLOCK, (b + 1) * BLOCK, at.line_start);
    }
    return true;
}

bool pmi_line_index_find(pmi_line_index *index, size_t offset, pm_place *place) {
    if (!index->blocks && !make_index(index))
        return false;
    const size_t begin = offset / BLOCK * BLOCK;
    const pmi_block_lines block = index->blocks[offset / BLOCK];
    const size_t newlines =
        block.newlines +
        (offset > begin ? pmi_count_newlines(index->classifier, index->text + begin, offset - begin) : 0);
    const size_t start = line_start_at(index->text, begin, offset, block.line_start);
    *place = (pm_place){offset, newlines + 1, offset - start + 1};
    return true;
}

void pmi_line_index_clear(pmi_line_index *index) {
    pmi_memory_free(&index->allocator, index->blocks);
    index->blocks = NULL;
}
