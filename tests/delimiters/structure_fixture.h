/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and rules whose structure devices find, and what it is by pm_text_scan(), pm_match_seq()
 * and pm_check.
 */
#ifndef PM_TESTS_DELIMITERS_STRUCTURE_FIXTURE_H
#define PM_TESTS_DELIMITERS_STRUCTURE_FIXTURE_H

#include "parenmatch.h"

/* Rules, and what texts for them are drawn from. */
typedef struct structure_rules {
    const char *name;
    const char *rules;      /* NULL: of the language of that name */
    const char *pieces[16]; /* ends with NULL */
} structure_rules;

/* Rules that devices can follow; the last has no name. */
extern const structure_rules structure_sets[];

pm_language *structure_pairs(const structure_rules *set);

/* n bytes, pieces of the set, drawn by chance; the first ones are drawn more often. */
void structure_text(const structure_rules *set, uint64_t seed, char *text, size_t n);

/* What there is to be found, arrays with a place for each token. */
typedef struct structure_expected {
    size_t count;
    uint64_t *parens;
    uint32_t *positions, *lengths, *kinds, *match;
    pm_check_summary summary;
    pm_diagnostic first; /* fault, if there is one */
    uint64_t cut;        /* where what is unterminated begins; UINT64_MAX: nothing is */
    bool faulty;
} structure_expected;

void structure_expect(const pm_language *pairs, const char *text, size_t n, structure_expected *expected);
void structure_expected_clear(structure_expected *expected);

#endif
