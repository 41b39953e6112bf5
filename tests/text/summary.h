/* SPDX-License-Identifier: Apache-2.0 */
/* What the records of a text add up to, for tests that check each of them alone. */
#ifndef TESTS_TEXT_SUMMARY_H
#define TESTS_TEXT_SUMMARY_H

#include "parenmatch.h"

/* Adds a record, except for its bytes and lines. */
static inline void summary_add_record(pm_check_summary *sum, const pm_check_summary *one) {
    sum->brackets += one->brackets;
    sum->max_depth = one->max_depth > sum->max_depth ? one->max_depth : sum->max_depth;
    sum->unmatched.close += one->unmatched.close;
    sum->unmatched.open += one->unmatched.open;
    sum->mismatched += one->mismatched;
    sum->unterminated += one->unterminated;
    sum->records++;
    sum->bad_records += one->unmatched.close + one->unmatched.open + one->mismatched + one->unterminated > 0;
}

#endif
