/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of brackets, checked without a branch: does every close find an open of its kind? A plain stack in memory holds
 * the kinds of the innermost opens, as many as the run may come to close, and remembers of each which bracket of the
 * run it was, so that afterwards the run's survivors are known. It does not know places, and does not say what is
 * wrong.
 */
#ifndef PM_CORE_TEXT_KIND_RUN_H
#define PM_CORE_TEXT_KIND_RUN_H

#include "base/slice.h"

#define PM_RUN_MAX 8192u /* most brackets of a run */

typedef struct pmi_kind_stack {
    size_t held;    /* levels here; those beneath them are elsewhere */
    bool knows_all; /* there are none beneath */
    /* Levels are levels[PM_RUN_MAX + 1] and up. What is beneath them belongs to runs that close too much. */
    uint16_t levels[3 * PM_RUN_MAX + 1];
} pmi_kind_stack;

/* What a run came to. */
typedef struct pmi_kind_run {
    size_t rise;      /* most levels on the way beyond those of before */
    size_t closed;    /* levels of before that were closed */
    size_t survivors; /* levels opened on top of the rest */
} pmi_kind_run;

/* Where the kinds of `count` levels go that will be all that the stack holds: the innermost one last. */
uint16_t *pmi_kind_stack_fill(pmi_kind_stack *stack, size_t count, bool all);

/* Can the stack take a run of that many brackets as it is? */
bool pmi_kind_stack_suffices(const pmi_kind_stack *stack, size_t count);

/* Takes count <= PM_RUN_MAX brackets, whose roles, of kinds below 4, are found by the byte. False if some close does
 * not fit; then the stack is to be filled anew. */
bool pmi_kind_stack_run(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                        pmi_kind_run *run);

/* After a run and before the next, which bracket of it survivor k is, from the outermost; and its kind. */
size_t pmi_kind_stack_survivor(const pmi_kind_stack *stack, const pmi_kind_run *run, size_t k, unsigned *kind);

#endif
