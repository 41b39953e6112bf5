/* SPDX-License-Identifier: Apache-2.0 */
/* Reading rules: words and lines of them (core/pairs_read.c), and what each line says (core/pairs_directives.c). */
#ifndef PM_CORE_PAIRS_READ_H
#define PM_CORE_PAIRS_READ_H

#include "core/pairs.h"

typedef struct pm_rule_reader {
    struct pm_pairs *pairs;
    const unsigned char *text;
    size_t n, at;          /* of the text; bytes read */
    size_t byte_count;     /* of words */
    uint32_t *word_offset; /* where in the text each word begins */
    pm_pairs_error *error; /* never NULL */
} pm_rule_reader;

/* What is wrong at an offset of the text, or with a word; both return false. */
bool pm_rules_fail_at(pm_rule_reader *reader, size_t offset, const char *what);
bool pm_rules_fail(pm_rule_reader *reader, uint32_t word, const char *what);

/* Does what a line says, which has a word at least. */
bool pm_rules_obey(pm_rule_reader *reader, pm_pairs_words line);

/* Once all lines are read: which rules are the dictionary's. */
bool pm_rules_settle(pm_rule_reader *reader);

#endif
