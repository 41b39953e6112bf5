/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of a DFA: what may begin at a place of a text, as far as the rules determine it. */
#ifndef PM_CORE_DELIMITERS_DFA_LETTERS_H
#define PM_CORE_DELIMITERS_DFA_LETTERS_H

#include "base/dfa.h"
#include "core/delimiters/delimiters.h"

#define PM_GLYPHS_MAX 1024u

/* The longest word that begins at a place, and the rule that applies there in code. */
typedef struct pmi_glyph {
    const unsigned char *bytes; /* words that it begins with begin there as well */
    uint32_t length;            /* 0: no word begins there */
    const pmi_rule *rule;       /* NULL: none */
    bool unknown;               /* its meaning in code is not determined */
} pmi_glyph;

typedef struct pmi_glyphs {
    unsigned char every_byte[256]; /* in order */
    unsigned char twice[2];        /* the byte of a rule `tagged` */
    uint32_t count;
    pmi_glyph at[PM_GLYPHS_MAX];
} pmi_glyphs;

/* The words of a pattern of two: the second begins behind the blanks that follow the first. */
pmi_pairs_word pmi_first_word(const struct pm_delimiters *pairs, const pmi_rule *rule);
pmi_pairs_word pmi_second_word(const struct pm_delimiters *pairs, const pmi_rule *rule);

bool pmi_rule_is_tagged(const struct pm_delimiters *pairs, const pmi_rule *rule);

static inline unsigned char pmi_first_byte(const struct pm_delimiters *pairs, pmi_pairs_word word) {
    return pairs->bytes[word.begin];
}

/* Are all words that rules look for single bytes, and nothing around them matters? */
bool pmi_glyphs_are_bytes(const struct pm_delimiters *pairs);

/* Makes a glyph for each byte. */
void pmi_glyphs_of_bytes(const struct pm_delimiters *pairs, pmi_glyphs *glyphs);

/* Makes the glyphs of words, the first of which stands for no word, and the trie and choices of a DFA that is all
 * zeros, whose letters are the glyphs' numbers. Returns false if there are too many. */
bool pmi_glyphs_of_words(const struct pm_delimiters *pairs, pmi_glyphs *glyphs, pmi_dfa *machine);

#endif
