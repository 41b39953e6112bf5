/* SPDX-License-Identifier: Apache-2.0 */
/* All that a check finds, to compare two ways of reading a text. */
#ifndef PM_TESTS_TEXT_FINDINGS_H
#define PM_TESTS_TEXT_FINDINGS_H

#include <string.h>

#include "parenmatch.h"

typedef struct findings {
    pm_check_summary summary;
    size_t room, most; /* for faults; the reporter wants no more than `most` */
    size_t count;      /* of faults; more than there is room for are counted only */
    pm_diagnostic *faults;
} findings;

/* pm_check_report, for findings. */
static inline bool findings_note(const pm_diagnostic *diagnostic, void *user) {
    findings *const found = user;
    if (found->count < found->room)
        found->faults[found->count] = *diagnostic;
    return ++found->count < found->most;
}

static inline bool findings_places_equal(pm_place a, pm_place b) {
    return a.offset == b.offset && a.line == b.line && a.column == b.column;
}

static inline const char *findings_fault_difference(const pm_diagnostic *a, const pm_diagnostic *b) {
    if (a->fault != b->fault)
        return "the sort of a fault";
    if (!findings_places_equal(a->at, b->at))
        return "the place of a fault";
    if (a->byte != b->byte || a->length != b->length || a->record != b->record)
        return "what a fault says";
    if (a->fault != PM_FAULT_KIND_MISMATCH)
        return NULL;
    if (!findings_places_equal(a->partner, b->partner))
        return "the place of a partner";
    return a->partner_byte != b->partner_byte || a->partner_length != b->partner_length ? "the partner" : NULL;
}

/* Returns what differs, or NULL. */
static inline const char *findings_difference(const findings *a, const findings *b) {
    if (a->count != b->count)
        return "the number of faults";
    for (size_t k = 0; k < a->count && k < a->room && k < b->room; k++) {
        const char *const difference = findings_fault_difference(&a->faults[k], &b->faults[k]);
        if (difference)
            return difference;
    }
    return memcmp(&a->summary, &b->summary, sizeof a->summary) != 0 ? "the summary" : NULL;
}

#endif
