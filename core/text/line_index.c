/* SPDX-License-Identifier: Apache-2.0 */
#include "core/text/line_index.h"

#include "base/memory.h"
#include "core/text/bracket_masks.h"

#define BLOCK_WORDS PM_CHUNK_WORDS
#define BLOCK (BLOCK_WORDS * PM_WORD_BITS)

size_t pmi_newlines_count(const pmi_classifier *classifier, const unsigned char *text, size_t n) {
    const size_t whole = n / PM_WORD_BITS;
    uint64_t masks[BLOCK_WORDS];
    size_t count = 0;
    for (size_t w = 0; w < whole; w += BLOCK_WORDS)
        count += classifier->find('\n', text + w * PM_WORD_BITS, whole - w < BLOCK_WORDS ? whole - w : BLOCK_WORDS,
                                  masks, NULL);
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
        at.newlines += pmi_newlines_count(index->classifier, index->text + b * BLOCK, BLOCK);
        at.line_start = line_start_at(index->text, b * BLOCK, (b + 1) * BLOCK, at.line_start);
    }
    return true;
}

#define NEAR ((size_t)8) /* bytes that are looked at one by one */

static inline size_t newlines_between(const pmi_line_index *index, size_t low, size_t high) {
    size_t count = 0;
    if (high - low > NEAR)
        return pmi_newlines_count(index->classifier, index->text + low, high - low);
    for (size_t i = low; i < high; i++)
        count += index->text[i] == '\n';
    return count;
}

/* The place of byte `offset`, given one in the same block. */
static pm_place place_near(const pmi_line_index *index, const pm_place *known, size_t offset) {
    const size_t from = (size_t)known->offset, low = from < offset ? from : offset,
                 high = from < offset ? offset : from;
    const size_t newlines = newlines_between(index, low, high);
    if (newlines == 0)
        return (pm_place){offset, known->line, known->column + offset - from};
    const size_t b = offset / BLOCK;
    const size_t start = line_start_at(index->text, b * BLOCK, offset, index->blocks[b].line_start);
    return (pm_place){offset, from < offset ? known->line + newlines : known->line - newlines, offset - start + 1};
}

bool pmi_line_index_find(pmi_line_index *index, size_t offset, pm_place *last, pm_place *place) {
    if (!index->blocks && !make_index(index))
        return false;
    const size_t begin = offset / BLOCK * BLOCK;
    const pmi_block_lines block = index->blocks[offset / BLOCK];
    if (last->line == 0 || last->offset / BLOCK != offset / BLOCK)
        *last = (pm_place){begin, block.newlines + 1, begin - block.line_start + 1};
    const pm_place found = place_near(index, last, offset);
    *last = found; /* both from registers: to load what has just been stored in parts takes longer */
    *place = found;
    return true;
}

void pmi_line_index_clear(pmi_line_index *index) {
    pmi_memory_free(&index->allocator, index->blocks);
    index->blocks = NULL;
}
