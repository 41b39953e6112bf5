/* SPDX-License-Identifier: Apache-2.0 */
/* Rules in tests, and what tokens they give. */
#ifndef PM_TESTS_PAIRS_BED_H
#define PM_TESTS_PAIRS_BED_H

#include "parenmatch.h"

/* The delimiters of rules without a fault. */
pm_pairs *pairs_of(const char *rules);

/* The tokens of a short text, one after another, each with its kind: "0(<a> 0)</a>". */
void assert_tokens(const pm_pairs *pairs, const char *text, const char *expected);

#endif
