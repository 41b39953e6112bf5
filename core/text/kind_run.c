/* SPDX-License-Identifier: Apache-2.0 */
/* The branch-free stack of kinds. */
#include "core/text/kind_run.h"

#include <string.h>

#include "core/text/language.h"

/* A level: its kind, and above that the number of its bracket in the run that opened it. */
#define KIND_BITS 3u /* kinds of brackets, and one of what ends a record */
#define KIND_RECORD_END 4u
#define KIND_MASK ((1u << KIND_BITS) - 1)

/* Index of what is beneath all levels; beneath that there is room for a run that closes more than it should. */
#define BOTTOM PM_RUN_MAX

uint16_t *pmi_kind_stack_fill(pmi_kind_stack *stack, size_t count, bool all) {
    stack->held = count;
    stack->knows_all = all;
    return &stack->levels[BOTTOM + 1];
}

bool pmi_kind_stack_suffices(const pmi_kind_stack *stack, size_t count) {
    return (stack->knows_all || stack->held >= count) && stack->held + count <= 2 * PM_RUN_MAX;
}

/*
 * Every bracket is written above the top, where an open belongs and a close does no harm, and then compared with the
 * level that it meets: an open with itself, a close with the top. What ends a record is compared with the top too, and
 * differs from all but the bottom.
 */
static inline bool run_kinds(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                             pmi_kind_run *run, bool records) {
    uint16_t *const bottom = &stack->levels[BOTTOM];
    uint16_t *top = bottom + stack->held, *deepest = top, *shallowest = top;
    unsigned differences = 0;
    bottom[0] = stack->knows_all ? KIND_RECORD_END : 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned role = role_of[brackets[i]];
        const unsigned open = role & PM_ROLE_OPEN;
        const unsigned level = pmi_role_kind((uint8_t)role) | (unsigned)i << KIND_BITS;
        top[1] = (uint16_t)level;
        differences |= top[open] ^ level;
        top += records ? (ptrdiff_t)open - (ptrdiff_t)(role >> 1 & 1) : 2 * (ptrdiff_t)open - 1;
        deepest = top > deepest ? top : deepest;
        shallowest = top < shallowest ? top : shallowest;
    }
    if (shallowest < bottom || differences & KIND_MASK)
        return false;
    const size_t before = stack->held;
    stack->held = (size_t)(top - bottom);
    *run = (pmi_kind_run){.rise = (size_t)(deepest - bottom) - before,
                          .closed = before - (size_t)(shallowest - bottom),
                          .survivors = (size_t)(top - shallowest)};
    return true;
}

bool pmi_kind_stack_run(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                        pmi_kind_run *run) {
    return run_kinds(stack, role_of, brackets, count, run, false);
}

bool pmi_kind_stack_run_records(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets,
                                size_t count, pmi_kind_run *run) {
    return run_kinds(stack, role_of, brackets, count, run, true);
}

size_t pmi_kind_stack_survivor(const pmi_kind_stack *stack, const pmi_kind_run *run, size_t k, unsigned *kind) {
    const unsigned level = stack->levels[BOTTOM + 1 + stack->held - run->survivors + k];
    *kind = level & KIND_MASK;
    return level >> KIND_BITS;
}
