/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and columns of a whole text, from an index that is made when the first is asked for. */
#ifndef PM_CORE_PLACES_H
#define PM_CORE_PLACES_H

#include "parenmatch.h"

typedef struct pm_block_lines {
    size_t newlines;   /* in all blocks before */
    size_t line_start; /* of the line that the block begins in */
} pm_block_lines;

typedef struct pm_places {
    pm_allocator allocator;
    const unsigned char *text;
    size_t n;
    pm_block_lines *blocks; /* NULL: not asked yet */
} pm_places;

/* The place of byte `offset` < n, or of the text's end. False: there is no memory. */
bool pm_places_find(pm_places *places, size_t offset, pm_place *place);

void pm_places_clear(pm_places *places);

/* Newlines in n bytes. */
size_t pm_count_newlines(const unsigned char *text, size_t n);

#endif
