/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing summaries, and adding those of records, for tests that check each of them alone. */
#ifndef TESTS_TEXT_SUMMARY_H
#define TESTS_TEXT_SUMMARY_H

#include <stdbool.h>

#include "parenmatch.h"

/* Is what is found the same? Records are not looked at. */
static inline bool summary_equal(const pm_check_summary *a, const pm_check_summary *b) {
    return a->bytes == b->bytes && a->lines == b->lines && a->brackets == b->brackets && a->max_depth == b->max_depth &&
           a->mismatched == b->mismatched && a->unterminated == b->unterminated &&
           a->unmatched.open == b->unmatched.open && a->unmatched.close == b->unmatched.close;
}

static inline uint64_t summary_faults(const pm_check_summary *found) {
    return found->unmatched.open + found->unmatched.close + found->mismatched + found->unterminated;
}

/* Adds a record, except for its bytes and lines. */
static inline void summary_add_record(pm_check_summary *sum, const pm_check_summary *one) {
    sum->brackets += one->brackets;
    sum->max_depth = one->max_depth > sum->max_depth ? one->max_depth : sum->max_depth;
    sum->unmatched.close += one->unmatched.close;
    sum->unmatched.open += one->unmatched.open;
    sum->mismatched += one->mismatched;
    sum->unterminated += one->unterminated;
    sum->records++;
    sum->bad_records += summary_faults(one) > 0;
}

#endif
