/* SPDX-License-Identifier: Apache-2.0 */
/* Where a check reports faults. */
#ifndef PM_TESTS_TEXT_REPORTED_H
#define PM_TESTS_TEXT_REPORTED_H

#include <string.h>

#include "parenmatch.h"
#include "tests/support/unit.h"

/* The offsets of faults, in the order of the reports. */
typedef struct reported {
    size_t count;
    uint64_t at[16];
} reported;

static inline bool collect(const pm_diagnostic *diagnostic, void *user) {
    reported *const found = user;
    if (found->count < COUNT_OF(found->at))
        found->at[found->count] = diagnostic->at.offset;
    found->count++;
    return true;
}

/* Copies a text behind `before` newlines, without its marks, each of which stands before a byte that is to be reported.
 * Returns its length. */
static inline size_t read_marked(const char *marked, char mark, size_t before, char *text, reported *expected) {
    size_t n = before;
    memset(text, '\n', before);
    expected->count = 0;
    for (; *marked; marked++)
        if (*marked == mark)
            expected->at[expected->count++] = n;
        else
            text[n++] = *marked;
    return n;
}

static inline int compare_offsets(const void *a, const void *b) {
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* By places: an open that is never closed is reported behind later faults. */
static inline void sort_reported(reported *found) {
    qsort(found->at, found->count < COUNT_OF(found->at) ? found->count : COUNT_OF(found->at), sizeof *found->at,
          compare_offsets);
}

#endif
