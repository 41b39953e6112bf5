/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns of a whole text, from an index that the first call makes. */
#ifndef PM_CORE_DELIMITERS_LINE_INDEX_H
#define PM_CORE_DELIMITERS_LINE_INDEX_H

#include "broadword/text/classify.h"

typedef struct pmi_block_lines {
    size_t newlines;   /* in all blocks before */
    size_t line_start; /* of the line that the block begins in */
} pmi_block_lines;

typedef struct pmi_line_index {
    pm_allocator allocator;
    const pmi_classifier *classifier;
    const unsigned char *text;
    size_t n;
    pmi_block_lines *blocks; /* NULL: not made yet */
} pmi_line_index;

/* Stores line and column of byte `offset` < n, or of the text's end. Returns false if there is no memory. */
bool pmi_line_index_find(pmi_line_index *index, size_t offset, pm_place *place);

/* Frees the index. */
void pmi_line_index_clear(pmi_line_index *index);

/* Returns the number of newlines in n bytes. */
size_t pmi_count_newlines(const pmi_classifier *classifier, const unsigned char *text, size_t n);

#endif
