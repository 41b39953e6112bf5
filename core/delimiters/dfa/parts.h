/* SPDX-License-Identifier: Apache-2.0 */
/* A DFA that follows rules: its letters (letters.c), and its states and their transitions (states.c). */
#ifndef PM_CORE_DELIMITERS_DFA_PARTS_H
#define PM_CORE_DELIMITERS_DFA_PARTS_H

#include "base/dfa.h"
#include "core/delimiters/token_scan.h"

/* ---- Letters: what may begin at a place of a text, as far as the rules determine it ---- */

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
pmi_rule_word pmi_first_word(const struct pmi_delimiters *pairs, const pmi_rule *rule);
pmi_rule_word pmi_second_word(const struct pmi_delimiters *pairs, const pmi_rule *rule);

bool pmi_rule_is_tagged(const struct pmi_delimiters *pairs, const pmi_rule *rule);

static inline unsigned char pmi_first_byte(const struct pmi_delimiters *pairs, pmi_rule_word word) {
    return pairs->bytes[word.begin];
}

/* Are all words that rules look for single bytes, and nothing around them matters? */
bool pmi_glyphs_are_bytes(const struct pmi_delimiters *pairs);

/* Makes a glyph for each byte. */
void pmi_glyphs_of_bytes(const struct pmi_delimiters *pairs, pmi_glyphs *glyphs);

/* Makes the glyphs of words, the first of which stands for no word, and the trie and choices of a DFA that is all
 * zeros, whose letters are the glyphs' numbers. Returns false if there are too many. */
bool pmi_glyphs_of_words(const struct pmi_delimiters *pairs, pmi_glyphs *glyphs, pmi_dfa *machine);

/* ---- States ---- */

/* Where in a tag. */
typedef enum pmi_tag_part {
    PM_TAG_NAME,
    PM_TAG_INSIDE,
    PM_TAG_VALUE /* behind a =, blanks aside: a quote begins a value */
} pmi_tag_part;

/* What is known of a place before its letter is read. */
typedef struct pmi_dfa_state {
    const pmi_rule_region *region; /* it is in; NULL: in none */
    const pmi_tag_family *family;  /* of the tag that it is in; NULL: in none */
    bool closes;                   /* that tag */
    pmi_tag_part part;
    bool passing;              /* the second word of a pattern comes next, blanks aside */
    const pmi_rule *two_words; /* the rule of that pattern; NULL: it stands for itself */
    unsigned char quote;       /* of a quoted string inside the region or tag; 0: in none */
    uint32_t skip;             /* places that stand for themselves, from this one on */
} pmi_dfa_state;

bool pmi_dfa_state_same(pmi_dfa_state a, pmi_dfa_state b);

/* The state behind a place. */
pmi_dfa_state pmi_dfa_state_after(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph);

/* If the glyph completes a token in a state (it ends a tag, or the blanks before a second word), returns the bytes from
 * there to the token's end; else 0. */
uint32_t pmi_dfa_state_late_length(const struct pmi_delimiters *pairs, pmi_dfa_state before, const pmi_glyph *glyph);

/* Is a text that ends there unterminated: in a tag, or in a region other than a line? */
bool pmi_dfa_state_is_open(pmi_dfa_state s);

/* Is there nothing in the word, read in code, that could begin something else? */
bool pmi_dfa_word_is_plain(const struct pmi_delimiters *pairs, pmi_rule_word word);

#endif
