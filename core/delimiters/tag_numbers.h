/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of the tag names in a text: what rules say of each, and the numbers of those that are matched. */
#ifndef PM_CORE_DELIMITERS_TAG_NUMBERS_H
#define PM_CORE_DELIMITERS_TAG_NUMBERS_H

#include "parenmatch.h"

typedef enum pmi_name_sort {
    PM_NAME_NEW = 0, /* not looked up in the rules yet */
    PM_NAME_MATCHED,
    PM_NAME_RAW, /* the same, and what it opens is raw */
    PM_NAME_IGNORED
} pmi_name_sort;

typedef struct pmi_name {
    size_t begin, length; /* in the text */
    uint64_t bytes;       /* the first eight, as they are compared */
    uint32_t family;      /* equal names in two families are different names */
    uint32_t number;      /* PM_NONE: it has none yet */
    pmi_name_sort sort;
    uint32_t implied; /* the line that says where its close may be omitted; PM_NONE: nowhere */
    bool assigned;    /* it opens nothing if the tag contains a = */
    uint64_t ends;    /* lines, a bit each: what they name ends before a tag that opens this */
} pmi_name;

typedef struct pmi_tag_numbers {
    pm_allocator allocator;
    const unsigned char *text;
    size_t n; /* its bytes */
    bool ignore_case;
    pmi_name *table; /* unused entries have length 0 */
    size_t room;     /* of the table: a power of two, or 0 */
    uint32_t count, numbered;
} pmi_tag_numbers;

/* Returns the entry of a name of length > 0, valid until the next call; NULL if there is no memory, or there are 2^31
 * names. */
pmi_name *pmi_tag_numbers_find(pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length);

/* Returns the number of a name: 0, 1, ... in the order of the first calls. */
uint32_t pmi_tag_numbers_number(pmi_tag_numbers *names, pmi_name *name);

void pmi_tag_numbers_clear(pmi_tag_numbers *names);

#endif
