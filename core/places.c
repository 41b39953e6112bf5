/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns: newlines are counted once a block, and within one each time. */
#include "core/places.h"

#include <string.h>

#include "core/bracket_masks.h"
#include "core/context.h"
#include "core/slice.h"

#define BLOCK_WORDS PM_CHUNK_WORDS
#define BLOCK (BLOCK_WORDS * PM_WORD_BITS)

size_t pm_count_newlines(const unsigned char *text, size_t n) {
    const pm_classifier *const classifier = pm_classifier_best();
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

static bool make_index(pm_places *places) {
    const size_t count = places->n / BLOCK + 1;
    places->blocks = pm_memory_allocate(&places->allocator, count, sizeof *places->blocks);
    if (!places->blocks)
        return false;
    pm_block_lines at = {0, 0};
    for (size_t b = 0; b < count; b++) {
        places->blocks[b] = at;
        if (b + 1 == count)
            break;
        at.newlines += pm_count_newlines(places->text + b * BLOCK, BLOCK);
        at.line_start = line_start_at(places->text, b * BLOCK, (b + 1) * BLOCK, at.line_start);
    }
    return true;
}

bool pm_places_find(pm_places *places, size_t offset, pm_place *place) {
    if (!places->blocks && !make_index(places))
        return false;
    const size_t begin = offset / BLOCK * BLOCK;
    const pm_block_lines block = places->blocks[offset / BLOCK];
    const size_t newlines =
        block.newlines + (offset > begin ? pm_count_newlines(places->text + begin, offset - begin) : 0);
    const size_t start = line_start_at(places->text, begin, offset, block.line_start);
    *place = (pm_place){offset, newlines + 1, offset - start + 1};
    return true;
}

void pm_places_clear(pm_places *places) {
    pm_memory_free(&places->allocator, places->blocks);
    places->blocks = NULL;
}
