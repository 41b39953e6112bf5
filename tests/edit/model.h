/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence that changes as a plain array, and what a tree must be. */
#ifndef PM_TESTS_EDIT_MODEL_H
#define PM_TESTS_EDIT_MODEL_H

#include "parenmatch.h"

typedef struct edit_model {
    uint64_t n, capacity; /* elements */
    uint64_t *parens;
    uint8_t *kinds;
    uint64_t seed;
} edit_model;

/* Random elements, opens with a chance of `odds` in 256, with room for `capacity` of them. */
edit_model edit_model_create(uint64_t n, uint64_t capacity, unsigned odds, uint64_t seed);
void edit_model_destroy(edit_model *model);

/* Replaces elements of the model, and of `edit` with kinds of that many bits unless this is NULL. */
void edit_model_replace(edit_model *model, pm_edit *edit, unsigned kind_bits, uint64_t at, uint64_t removed,
                        const uint64_t *parens, uint64_t inserted);

/* The same with random elements. */
void edit_model_replace_random(edit_model *model, pm_edit *edit, unsigned kind_bits, uint64_t at, uint64_t removed,
                               uint64_t inserted, unsigned odds);

/* Fails unless `edit` has the model's elements and kinds, and a tree that keeps its rules. */
void edit_model_check(const edit_model *model, const pm_edit *edit, unsigned kind_bits);

/* Fails unless every query gives for elements first, first + step ... the answers of an index of the model. */
void edit_model_check_queries(const edit_model *model, const pm_edit *edit, uint64_t first, uint64_t step);

#endif
