/* SPDX-License-Identifier: Apache-2.0 */
/* The places between tokens where a bracket may be missing, and how likely each is by the text's habits. */
#ifndef PM_CORE_REPAIR_PLACES_H
#define PM_CORE_REPAIR_PLACES_H

#include "core/repair/search.h"

#define PM_GAIN_MAX 12.0 /* of a change, by habits */
#define PM_BRACKETS 8u   /* bytes that are brackets, at most */
#define PM_PLACES_EACH 2u

typedef struct pmi_place {
    uint32_t at, column;
    double gain; /* by how much the text becomes likelier, as a logarithm */
    uint8_t byte;
    uint8_t sort; /* PM_CHANGE_INSERT or PM_CHANGE_INSERT_LINE */
    bool begins_line, ends_line;
    pmi_code_token before, behind; /* the tokens around it, perhaps parts of a word */
    const pmi_code_token *next;    /* the token of the text that follows */
    uint8_t spacing, rest;         /* what stands before it and behind it */
} pmi_place;

typedef struct pmi_places {
    size_t bracket_count;
    uint8_t bracket[PM_BRACKETS];
    uint8_t close_byte[4]; /* by kind */
    pmi_prior_gains seen;  /* between the two tokens */
    pmi_habits_row row;    /* of the second */
    size_t count, front_count;
    pmi_place list[PM_BRACKETS * PM_PLACES_EACH];  /* before the line of the token begins; the best of each bracket */
    pmi_place front[PM_BRACKETS * PM_PLACES_EACH]; /* in that line, before its first token */
} pmi_places;

void pmi_places_init(pmi_places *places, const pm_alphabet *alphabet);

/* Adds the places before a token. */
void pmi_places_collect(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t);

/* Adds the places inside the token whose places before it were added last. */
void pmi_places_collect_inside(pmi_places *places, const pmi_repair_text *text, const pmi_code_token *t);

#endif
