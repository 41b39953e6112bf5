/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What much code of a language, not the text at hand, says of a bracket between two tokens: a linear model of the
 * tokens around the place. tests/repair/learn_prior.c learns its weights from files, so that the place from which a
 * bracket was taken, or where one was doubled, ranks before the other places near it.
 */
#ifndef PM_CORE_REPAIR_PRIOR_H
#define PM_CORE_REPAIR_PRIOR_H

#include "core/repair/tokens.h"

#define PM_PRIOR_FEATURES 17u /* of a place */
#define PM_PRIOR_ROWS 16u     /* of weights; C has no long string literals */
#define PM_PRIOR_ROW 2048u
#define PM_PRIOR_SCALE 8   /* weights are multiples of 1 / PM_PRIOR_SCALE */
#define PM_PRIOR_LEVELS 30 /* the largest multiple */

struct pmi_prior {
    const char *brackets; /* those that it knows */
    const char *words;    /* each with a blank behind it */
    /* By feature and bracket; the multiple, plus PM_PRIOR_LEVELS, is a letter from @ on, without the backslash. */
    const char (*weights)[PM_PRIOR_ROW + 1];
};

extern const pmi_prior pmi_prior_c, pmi_prior_python, pmi_prior_rust;

/* A place between tokens, as the model sees it: hashes. */
typedef struct pmi_prior_place {
    uint32_t features[PM_PRIOR_FEATURES];
} pmi_prior_place;

/* Returns NULL if nothing is known of a language. */
const pmi_prior *pmi_prior_of(const pm_language *language);

/* Reads a list of at most PM_PRIOR_WORDS words, each with a blank behind it. */
void pmi_prior_words_init(pmi_prior_words *words, const char *list);

/* Returns the class of a token: its byte, or the ordinal of a known word, or the shape of another one. */
uint8_t pmi_prior_class(const pmi_prior_words *words, const char *bytes, const pmi_code_token *t);

/* Returns the place between two tokens of a list, or of a list without one token. `spacing` is what stands there. */
pmi_prior_place pmi_prior_place_between(const pmi_code_token *left, const pmi_code_token *right, unsigned spacing);

/* Does the model know a bracket? */
bool pmi_prior_knows(const pmi_prior *prior, uint8_t byte);

/* Returns the index of the weight of a feature for a bracket. */
uint32_t pmi_prior_index(uint32_t feature, uint8_t byte);

/* Returns the logarithm of how much likelier a bracket that the model knows is at a place than none. */
double pmi_prior_gain(const pmi_prior *prior, const pmi_prior_place *place, uint8_t byte);

#endif
