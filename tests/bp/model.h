/* SPDX-License-Identifier: Apache-2.0 */
/* What queries on a sequence must answer, element by element, from a plain stack. */
#ifndef PM_TESTS_BP_MODEL_H
#define PM_TESTS_BP_MODEL_H

#include "parenmatch.h"

typedef struct bp_model {
    const uint64_t *parens;
    uint64_t n, opens;
    uint64_t far_closes, far_opens; /* unmatched ones */
    uint64_t *match;                /* of each element; PM_BP_NONE: none */
    uint64_t *close;                /* of each open its close, of each close PM_BP_NONE */
    int64_t *level;                 /* before each element, and after the last */
    uint64_t *opening;              /* position of each open */
} bp_model;

/* False when there is no memory. */
bool bp_model_create(bp_model *model, const uint64_t *parens, uint64_t n);
void bp_model_destroy(bp_model *model);

/* Is an open at i? */
bool bp_model_is_open(const bp_model *model, uint64_t i);

/* Opens among the first i. */
uint64_t bp_model_rank(const bp_model *model, uint64_t i);

/*
 * The first query of pm_bp_* on elements first ... last - 1, and on arguments past the end, that is answered wrongly:
 * its name, with the argument in *argument; NULL if all are right.
 */
const char *bp_model_compare(const bp_model *model, const pm_bp *bp, uint64_t first, uint64_t last, uint64_t *argument);

#endif
