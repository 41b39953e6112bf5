/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What much code of a language, not the text at hand, says of a bracket between two tokens: a small neural network over
 * the tokens around the place. tests/repair/learn_prior.c learns its weights from files, so that the place from which a
 * bracket was taken, or where one was doubled, ranks before the other places near it.
 *
 * A class of tokens is described by some numbers, its traits. Each position near a place, as "the second token to the
 * left" or "the token before the bracket around it", adds a linear function of the traits there to hidden values; what
 * is positive of these, weighed, says how likely each bracket is.
 */
#ifndef PM_CORE_REPAIR_PRIOR_H
#define PM_CORE_REPAIR_PRIOR_H

#include "core/repair/tokens.h"

#define PM_PRIOR_POSITIONS 29u
#define PM_PRIOR_CLASSES 256u
#define PM_PRIOR_TRAITS 12u
#define PM_PRIOR_HIDDEN 32u
#define PM_PRIOR_BRACKETS "()[]{}"
#define PM_PRIOR_BRACKET_COUNT (sizeof PM_PRIOR_BRACKETS - 1)

struct pmi_prior {
    const char *brackets;                         /* those that it knows, the first of PM_PRIOR_BRACKETS */
    const char *words;                            /* each with a blank behind it */
    float trait_scale, input_scale, output_scale; /* what 1 means in these tables */
    const int8_t (*traits)[PM_PRIOR_TRAITS];      /* by class */
    const int8_t (*input)[PM_PRIOR_HIDDEN];       /* by position and trait; one row more: what is added at all places */
    const int8_t (*output)[PM_PRIOR_HIDDEN];      /* by bracket */
};

extern const pmi_prior pmi_prior_c, pmi_prior_cpp, pmi_prior_php, pmi_prior_python, pmi_prior_ruby, pmi_prior_rust,
    pmi_prior_typescript;

/* A place between tokens: at each position the class of a token, or a number less than 32, which no class is. */
typedef struct pmi_prior_place {
    uint8_t at[PM_PRIOR_POSITIONS];
} pmi_prior_place;

/* How much likelier each bracket is at a place than none, as a logarithm. */
typedef struct pmi_prior_gains {
    float of[PM_PRIOR_BRACKET_COUNT];
} pmi_prior_gains;

/* A prior, and what it has found out. */
typedef struct pmi_prior_reader {
    const pmi_prior *prior; /* NULL: nothing is known */
    pmi_prior_words words;
    struct pmi_prior_share *kept;
} pmi_prior_reader;

/* Returns NULL if nothing is known of a language. */
const pmi_prior *pmi_prior_of(const pm_language *language);

/* Reads a list of at most PM_PRIOR_WORDS words, each with a blank behind it. */
void pmi_prior_words_init(pmi_prior_words *words, const char *list);

/* Returns the class of a token: its byte, or the ordinal of a known word, or the shape of another one. */
uint8_t pmi_prior_class(const pmi_prior_words *words, const char *bytes, const pmi_code_token *t);

/* Returns the place between two tokens of a list, or of a list without one token. `spacing` is what stands there. */
pmi_prior_place pmi_prior_place_between(const pmi_code_token *left, const pmi_code_token *right, unsigned spacing);

/* Returns the place between two tokens that token t of a list is taken for. */
pmi_prior_place pmi_prior_place_inside(const pmi_code_token *t, const pmi_code_token *left,
                                       const pmi_code_token *right);

/* prior may be NULL. PM_OUT_OF_MEMORY. */
pm_status pmi_prior_reader_init(pmi_prior_reader *reader, const pmi_prior *prior, const pm_allocator *allocator);
void pmi_prior_reader_clear(pmi_prior_reader *reader, const pm_allocator *allocator);

/* Does the prior know a bracket? */
bool pmi_prior_knows(const pmi_prior_reader *reader, uint8_t byte);

/* prior is not NULL. */
pmi_prior_gains pmi_prior_gains_at(const pmi_prior_reader *reader, const pmi_prior_place *place);

/* Returns the gain of a bracket that the prior knows. */
double pmi_prior_gain(const pmi_prior_gains *gains, uint8_t byte);

#endif
