/* SPDX-License-Identifier: Apache-2.0 */
/* Where a check reports faults. */
#ifndef PM_TESTS_TEXT_REPORTED_H
#define PM_TESTS_TEXT_REPORTED_H

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

#endif
