/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A check without branches that every close of a run of brackets finds an open of its kind. A plain stack in memory
 * holds the kinds of the innermost opens, as many as the run may close, and the index in the run of each open, so that
 * the run's survivors are known afterwards. It knows no offsets, and does not say what is wrong.
 */
#ifndef PM_CORE_TEXT_KIND_RUN_H
#define PM_CORE_TEXT_KIND_RUN_H

#include "broadword/text/classify.h"

#define PM_RUN_MAX 8192u /* maximum of brackets in a run */

/* A level: its kind, and above that the number of its bracket in the run that opened it. */
#define PM_LEVEL_KIND_BITS 3u /* kinds of brackets, and one of what ends a record */

typedef struct pmi_kind_stack {
    size_t held;    /* levels here; those beneath them are elsewhere */
    bool knows_all; /* the stack has no levels beneath them */
    /* Levels are levels[PM_RUN_MAX + 1] and up. What is beneath them belongs to runs that close too much. */
    uint16_t levels[3 * PM_RUN_MAX + 1];
} pmi_kind_stack;

/* The effect of a run. */
typedef struct pmi_kind_run {
    size_t rise;      /* maximum of levels above those before the run */
    size_t closed;    /* levels of before that were closed */
    size_t survivors; /* levels opened on top of the rest */
} pmi_kind_run;

/* Returns where to store the kinds of `count` levels, the innermost one last; the stack will hold just these. */
uint16_t *pmi_kind_stack_fill(pmi_kind_stack *stack, size_t count, bool all);

/* Forgets all levels but the innermost `count`, which are held. */
void pmi_kind_stack_keep(pmi_kind_stack *stack, size_t count);

/* Can the stack take a run of that many brackets as it is? */
bool pmi_kind_stack_suffices(const pmi_kind_stack *stack, size_t count);

/* Takes count <= PM_RUN_MAX brackets, whose roles, of kinds below 4, are found by the byte. Returns false if some
 * close does not fit; then the stack must be filled again. */
bool pmi_kind_stack_run(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                        pmi_kind_run *run);

/* Closes of a run that do not fit. */
typedef struct pmi_kind_faults {
    size_t unmatched;  /* nothing is open */
    size_t mismatched; /* they close an open of another kind */
} pmi_kind_faults;

/* Takes brackets that need not fit, by a stack that suffices for them: a close closes the innermost open, whatever its
 * kind. */
void pmi_kind_stack_run_faulty(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets,
                               size_t count, pmi_kind_run *run, pmi_kind_faults *faults);

/* As pmi_kind_stack_run() with the instructions of the classifier's target. */
bool pmi_kind_stack_run_fast(pmi_kind_stack *stack, const pmi_classifier *classifier, const uint8_t *role_of,
                             const unsigned char *brackets, size_t count, pmi_kind_run *run);

/* As pmi_kind_stack_run_fast(), or with records as pmi_kind_stack_run_records(), of what the classifier packed. */
bool pmi_kind_stack_run_packed(pmi_kind_stack *stack, const pmi_classifier *classifier, const unsigned char *packed,
                               size_t count, bool records, pmi_kind_run *run);

/* As pmi_kind_stack_run_fast(), where some bytes are no brackets but end records: their role has neither side, and
 * kind 4. Returns false also if anything is open before one of them. */
bool pmi_kind_stack_run_records(pmi_kind_stack *stack, const pmi_classifier *classifier, const uint8_t *role_of,
                                const unsigned char *brackets, size_t count, pmi_kind_run *run);

/* The survivors of a run, the outermost first, before the next run. */
static inline const uint16_t *pmi_kind_stack_survivors(const pmi_kind_stack *stack, const pmi_kind_run *run) {
    return &stack->levels[PM_RUN_MAX + 1 + stack->held - run->survivors];
}

/* Returns which bracket of the run is survivor k, and stores its kind. */
static inline size_t pmi_kind_stack_survivor(const pmi_kind_stack *stack, const pmi_kind_run *run, size_t k,
                                             unsigned *kind) {
    const unsigned level = pmi_kind_stack_survivors(stack, run)[k];
    *kind = level & ((1u << PM_LEVEL_KIND_BITS) - 1);
    return level >> PM_LEVEL_KIND_BITS;
}

/* Are survivor k and the 63 that follow it brackets of the run without others in between? Stores their kinds: bit i of
 * kinds[p] is bit p of the kind of survivor k + i. */
bool pmi_kind_stack_survivor_word(const pmi_kind_stack *stack, const pmi_kind_run *run, size_t k, uint64_t kinds[2]);

#endif
