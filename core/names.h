/* SPDX-License-Identifier: Apache-2.0 */
/* The names in a text, what is known of each, and the numbers of those that are matched. */
#ifndef PM_CORE_NAMES_H
#define PM_CORE_NAMES_H

#include "parenmatch.h"

typedef enum pm_name_sort {
    PM_NAME_NEW = 0, /* not told yet */
    PM_NAME_MATCHED,
    PM_NAME_RAW, /* the same, and what it opens is raw */
    PM_NAME_IGNORED
} pm_name_sort;

typedef struct pm_name {
    size_t begin, length; /* in the text */
    uint64_t bytes;       /* the first eight, as they are compared */
    uint32_t family;      /* equal names of two families are two */
    uint32_t number;      /* PM_NONE: it has none yet */
    pm_name_sort sort;
    uint32_t implied; /* the line that says where its close may be left out; PM_NONE: nowhere */
    bool assigned;    /* it opens nothing where a = is in the tag */
    uint64_t ends;    /* lines, a bit each: what they name ends before a tag that opens this */
} pm_name;

typedef struct pm_names {
    pm_allocator allocator;
    const unsigned char *text;
    size_t n; /* its bytes */
    bool ignore_case;
    pm_name *slots; /* a hash table; slots without a name have length 0 */
    size_t room;    /* a power of two, or 0 */
    uint32_t count, numbered;
} pm_names;

/* A name of length > 0, valid until the next call; NULL: there is no memory, or there are 2^31 names. */
pm_name *pm_names_find(pm_names *names, uint32_t family, size_t begin, size_t length);

/* Its number: 0, 1, ... in the order in which they were first asked for. */
uint32_t pm_names_number(pm_names *names, pm_name *name);

void pm_names_clear(pm_names *names);

#endif
