/* SPDX-License-Identifier: Apache-2.0 */
/* Rules in tests, and what tokens they give. */
#ifndef PM_TESTS_DELIMITERS_RULES_FIXTURE_H
#define PM_TESTS_DELIMITERS_RULES_FIXTURE_H

#include "parenmatch.h"

/* The delimiters of rules without a fault. */
pm_delimiters *pairs_of(const char *rules);

/* The tokens of a short text, one after another, each with its kind: "0(<a> 0)</a>". */
void assert_tokens(const pm_delimiters *pairs, const char *text, const char *expected);

#endif
