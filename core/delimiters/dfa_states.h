/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a DFA that follows rules, and their transitions. */
#ifndef PM_CORE_DELIMITERS_DFA_STATES_H
#define PM_CORE_DELIMITERS_DFA_STATES_H

#include "core/delimiters/dfa_letters.h"
#include "core/delimiters/structure.h"

/* Where in a tag. */
typedef enum pmi_tag_part {
    PM_TAG_NAME,
    PM_TAG_INSIDE,
    PM_TAG_VALUE /* behind a =, blanks aside: a quote begins a value */
} pmi_tag_part;

/* What is known of a place before its letter is read. */
typedef struct pmi_dfa_state {
    const pmi_pairs_region *region; /* it is in; NULL: in none */
    const pmi_tag_family *family;   /* of the tag that it is in; NULL: in none */
    bool closes;                    /* that tag */
    pmi_tag_part part;
    bool passing;              /* the second word of a pattern comes next, blanks aside */
    const pmi_rule *two_words; /* the rule of that pattern; NULL: it stands for itself */
    unsigned char quote;       /* of a quoted string inside the region or tag; 0: in none */
    uint32_t skip;             /* places that stand for themselves, from this one on */
} pmi_dfa_state;

bool pmi_dfa_state_same(pmi_dfa_state a, pmi_dfa_state b);

/* The state behind a place. */
pmi_dfa_state pmi_dfa_state_after(const struct pm_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph);

/* If the glyph completes a token in a state (it ends a tag, or the blanks before a second word), returns the bytes from
 * there to the token's end; else 0. */
uint32_t pmi_dfa_state_late_length(const struct pm_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph);

/* Is a text that ends there unterminated: in a tag, or in a region other than a line? */
bool pmi_dfa_state_is_open(pmi_dfa_state s);

/* Is there nothing in the word, read in code, that could begin something else? */
bool pmi_dfa_word_is_plain(const struct pm_delimiters *pairs, pmi_pairs_word word);

#endif
