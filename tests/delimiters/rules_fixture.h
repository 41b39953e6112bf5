/* SPDX-License-Identifier: Apache-2.0 */
/* Rules in tests, and what tokens they give. */
#ifndef PM_TESTS_DELIMITERS_RULES_FIXTURE_H
#define PM_TESTS_DELIMITERS_RULES_FIXTURE_H

#include "parenmatch.h"

/* The language of rules without a fault. */
pm_language *pairs_of(const char *rules);

/* The tokens of a short text, one after another, each with its kind: "0(<a> 0)</a>". */
void assert_tokens(const pm_language *pairs, const char *text, const char *expected);

/* pm_text_scan() into these arrays. */
pm_status scan_tokens(pm_context *context, const pm_language *language, const char *text, size_t n, size_t capacity,
                      uint64_t *parens, uint64_t *positions, uint32_t *lengths, uint32_t *kinds, size_t *count);

/* A check of a whole text. */
pm_status check_text_in(pm_context *context, const pm_language *language, const char *text, size_t n,
                        pm_check_report report, void *user, pm_check_summary *summary);

#endif
