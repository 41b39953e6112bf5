/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a machine that follows rules, and where each place of a text leads from them. */
#ifndef PM_CORE_MACHINE_STATE_H
#define PM_CORE_MACHINE_STATE_H

#include "core/machine_letters.h"
#include "core/structure.h"

/* Where in a tag. */
typedef enum pm_tag_part {
    PM_TAG_NAME,
    PM_TAG_INSIDE,
    PM_TAG_VALUE /* behind a =, blanks aside: a quote begins a value */
} pm_tag_part;

/* What is known of a place before its letter is read. */
typedef struct pm_machine_state {
    const pm_pairs_region *region; /* it is in; NULL: in none */
    const pm_tag_family *family;   /* of the tag that it is in; NULL: in none */
    bool closes;                   /* that tag */
    pm_tag_part part;
    bool passing;        /* the second word of a pattern comes next, blanks aside */
    const pm_rule *told; /* which pattern's; NULL: of one that stands for itself */
    unsigned char quote; /* of a quoted string inside the region or tag; 0: in none */
    uint32_t skip;       /* places that stand for themselves, from this one on */
} pm_machine_state;

bool pm_machine_state_same(pm_machine_state a, pm_machine_state b);

/* The state behind a place. */
pm_machine_state pm_machine_state_after(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph);

/* What the glyph ends in a state, so that a token can be told: a tag, or the blanks before a second word. The bytes
 * from there to the token's end; 0: nothing. */
uint32_t pm_machine_state_late_length(const struct pm_pairs *pairs, pm_machine_state before, const pm_glyph *glyph);

/* Is a text that ends there unterminated: in a tag, or in a region other than a line? */
bool pm_machine_state_is_open(pm_machine_state s);

/* Is there nothing in the word, read in code, that could begin something else? */
bool pm_machine_word_is_plain(const struct pm_pairs *pairs, pm_pairs_word word);

#endif
