/* SPDX-License-Identifier: Apache-2.0 */
/* The names in a text, each with a number: 0, 1, ... in the order in which they first come. */
#ifndef PM_CORE_NAMES_H
#define PM_CORE_NAMES_H

#include "parenmatch.h"

typedef struct pm_name {
    size_t begin, length; /* in the text */
    uint32_t family;      /* equal names of two families are two */
    uint32_t number;
} pm_name;

typedef struct pm_names {
    pm_allocator allocator;
    const unsigned char *text;
    bool ignore_case;
    pm_name *slots; /* a hash table; slots without a name have length 0 */
    size_t room;    /* a power of two, or 0 */
    uint32_t count;
} pm_names;

/* The number of a name of length > 0; PM_NONE: there is no memory, or there are 2^31 names. */
uint32_t pm_names_number(pm_names *names, uint32_t family, size_t begin, size_t length);

void pm_names_clear(pm_names *names);

#endif
