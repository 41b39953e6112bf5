/* SPDX-License-Identifier: Apache-2.0 */
/* Reading rules: words and lines of them (core/delimiters/read_rules.c), and what each line says
 * (core/delimiters/directives.c). */
#ifndef PM_CORE_DELIMITERS_READ_RULES_H
#define PM_CORE_DELIMITERS_READ_RULES_H

#include "core/delimiters/delimiters.h"

typedef struct pmi_rule_reader {
    struct pm_delimiters *pairs;
    const unsigned char *text;
    size_t n, at;               /* of the text; bytes read */
    size_t byte_count;          /* of words */
    uint32_t *word_offset;      /* where in the text each word begins */
    pm_delimiters_error *error; /* never NULL */
} pmi_rule_reader;

/* What is wrong at an offset of the text, or with a word; both return false. */
bool pmi_rules_fail_at(pmi_rule_reader *reader, size_t offset, const char *what);
bool pmi_rules_fail(pmi_rule_reader *reader, uint32_t word, const char *what);

/* Does what a line says, which has a word at least. */
bool pmi_rules_apply_directive(pmi_rule_reader *reader, pmi_pairs_words line);

/* Once all lines are read: which rules are the dictionary's. */
bool pmi_rules_finish(pmi_rule_reader *reader);

#endif
