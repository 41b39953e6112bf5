/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns in a text: newlines are counted once for each block, and inside a block for each place. */
#ifndef PM_CORE_TEXT_LINE_INDEX_H
#define PM_CORE_TEXT_LINE_INDEX_H

#include "broadword/text/classify.h"
#include "parenmatch/text.h"

typedef struct pmi_block_lines {
    size_t newlines;   /* in all blocks before */
    size_t line_start; /* of the line that the block begins in */
} pmi_block_lines;

/* Of a text of n bytes; `blocks` is NULL at first. */
typedef struct pmi_line_index {
    pm_allocator allocator;
    const pmi_classifier *classifier;
    const unsigned char *text;
    size_t n;
    pmi_block_lines *blocks; /* NULL: not made yet */
} pmi_line_index;

size_t pmi_newlines_count(const pmi_classifier *classifier, const unsigned char *text, size_t n);

/* Stores the place of byte `offset` < n, or of the text's end, in *place and *last, which was found before or has line
 * 0. Mostly one fault is near the last one, and so is its partner to the last partner: then no more is read than what
 * is between. Returns false if there is no memory. */
bool pmi_line_index_find(pmi_line_index *index, size_t offset, pm_place *last, pm_place *place);

void pmi_line_index_clear(pmi_line_index *index);

#endif
