/* SPDX-License-Identifier: Apache-2.0 */
/* The branch-free stack of kinds. */
#include "core/text/kind_run.h"

#include <string.h>

#include "core/text/language.h"

#define KIND_BITS PM_LEVEL_KIND_BITS
#define KIND_RECORD_END 4u
#define KIND_MASK ((1u << KIND_BITS) - 1)

/* Index of what is beneath all levels; beneath that there is room for a run that closes more than it should. */
#define BOTTOM PM_RUN_MAX

uint16_t *pmi_kind_stack_fill(pmi_kind_stack *stack, size_t count, bool all) {
    stack->held = count;
    stack->knows_all = all;
    return &stack->levels[BOTTOM + 1];
}

void pmi_kind_stack_keep(pmi_kind_stack *stack, size_t count) {
    uint16_t *const first = &stack->levels[BOTTOM + 1];
    memmove(first, first + stack->held - count, count * sizeof *first);
    stack->knows_all &= stack->held == count;
    stack->held = count;
}

bool pmi_kind_stack_suffices(const pmi_kind_stack *stack, size_t count) {
    return (stack->knows_all || stack->held >= count) && stack->held + count <= 2 * PM_RUN_MAX;
}

/* A stack while a run goes through it. */
typedef struct run_state {
    uint16_t *bottom, *top, *deepest, *shallowest;
    unsigned differences;
} run_state;

static inline run_state run_begin(pmi_kind_stack *stack) {
    uint16_t *const bottom = &stack->levels[BOTTOM], *const top = bottom + stack->held;
    bottom[0] = stack->knows_all ? KIND_RECORD_END : 0;
    return (run_state){bottom, top, top, top, 0};
}

/*
 * Every bracket is written above the top, where an open belongs and a close does no harm, and then compared with the
 * level that it meets: an open with itself, a close with the top. What ends a record is compared with the top too, and
 * differs from all but the bottom.
 */
static inline void run_step(run_state *run, unsigned role, size_t number, bool records) {
    const unsigned open = role & PM_ROLE_OPEN;
    const unsigned level = pmi_role_kind((uint8_t)role) | (unsigned)number << KIND_BITS;
    run->top[1] = (uint16_t)level;
    run->differences |= run->top[open] ^ level;
    run->top += records ? (ptrdiff_t)open - (ptrdiff_t)(role >> 1 & 1) : 2 * (ptrdiff_t)open - 1;
    run->deepest = run->top > run->deepest ? run->top : run->deepest;
    run->shallowest = run->top < run->shallowest ? run->top : run->shallowest;
}

static inline void run_note(const run_state *state, pmi_kind_stack *stack, pmi_kind_run *run) {
    const size_t before = stack->held;
    stack->held = (size_t)(state->top - state->bottom);
    *run = (pmi_kind_run){.rise = (size_t)(state->deepest - state->bottom) - before,
                          .closed = before - (size_t)(state->shallowest - state->bottom),
                          .survivors = (size_t)(state->top - state->shallowest)};
}

static inline bool run_end(const run_state *state, pmi_kind_stack *stack, pmi_kind_run *run) {
    if (state->shallowest < state->bottom || state->differences & KIND_MASK)
        return false;
    run_note(state, stack, run);
    return true;
}

#define BLOCK 16u /* brackets that are looked at together */

static inline unsigned block_level(unsigned role, unsigned number) {
    return pmi_role_kind((uint8_t)role) | number << KIND_BITS;
}

/* The same of a block of opens. */
static inline void run_opens(run_state *run, const uint8_t roles[BLOCK], const uint16_t numbers[BLOCK]) {
    uint16_t levels[BLOCK];
    for (unsigned k = 0; k < BLOCK; k++)
        levels[k] = (uint16_t)block_level(roles[k], numbers[k]);
    memcpy(run->top + 1, levels, sizeof levels);
    run->top += BLOCK;
    run->deepest = run->top > run->deepest ? run->top : run->deepest;
}

static inline void run_closes(run_state *run, const uint8_t roles[BLOCK], const uint16_t numbers[BLOCK]) {
    uint16_t levels[BLOCK];
    unsigned differences = 0;
    memcpy(levels, run->top + 1 - BLOCK, sizeof levels);
    for (unsigned k = 0; k < BLOCK; k++)
        differences |= levels[BLOCK - 1 - k] ^ block_level(roles[k], numbers[k]);
    run->differences |= differences;
    run->top -= BLOCK;
    run->shallowest = run->top < run->shallowest ? run->top : run->shallowest;
}

/* Brackets in a row that are all opens or all closes go together: so do those of a text that is nested deeply. */
static inline void run_block(run_state *run, const uint8_t roles[BLOCK], const uint16_t numbers[BLOCK]) {
    const uint64_t opens = UINT64_C(0x0101010101010101) * PM_ROLE_OPEN;
    uint64_t halves[2];
    memcpy(halves, roles, sizeof halves);
    if ((halves[0] & halves[1] & opens) == opens) {
        run_opens(run, roles, numbers);
    } else if (((halves[0] | halves[1]) & opens) == 0) {
        run_closes(run, roles, numbers);
    } else {
        for (unsigned k = 0; k < BLOCK; k++)
            run_step(run, roles[k], numbers[k], false);
    }
}

static inline bool run_kinds(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                             pmi_kind_run *run, bool records) {
    run_state state = run_begin(stack);
    for (size_t i = 0; i < count; i++)
        run_step(&state, role_of[brackets[i]], i, records);
    return run_end(&state, stack, run);
}

bool pmi_kind_stack_run(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                        pmi_kind_run *run) {
    return run_kinds(stack, role_of, brackets, count, run, false);
}

/* Beneath all levels no kind is that of a close. */
void pmi_kind_stack_run_faulty(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets,
                               size_t count, pmi_kind_run *run, pmi_kind_faults *faults) {
    run_state state = run_begin(stack);
    size_t differ = 0, unmatched = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned role = role_of[brackets[i]], open = role & PM_ROLE_OPEN, level = block_level(role, (unsigned)i);
        state.top[1] = (uint16_t)level;
        differ += ((state.top[open] ^ level) & KIND_MASK) != 0;
        uint16_t *const next = state.top + 2 * (ptrdiff_t)open - 1;
        unmatched += next < state.bottom;
        state.top = next < state.bottom ? state.bottom : next;
        state.deepest = state.top > state.deepest ? state.top : state.deepest;
        state.shallowest = state.top < state.shallowest ? state.top : state.shallowest;
    }
    *faults = (pmi_kind_faults){unmatched, differ - unmatched};
    run_note(&state, stack, run);
}

/* The same, faster where most brackets stand among others that open or close, too. */
static bool run_deep(pmi_kind_stack *stack, const uint8_t *role_of, const unsigned char *brackets, size_t count,
                     pmi_kind_run *run) {
    run_state state = run_begin(stack);
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        uint8_t roles[BLOCK];
        uint16_t numbers[BLOCK];
        for (unsigned k = 0; k < BLOCK; k++) {
            roles[k] = role_of[brackets[i + k]];
            numbers[k] = (uint16_t)(i + k);
        }
        run_block(&state, roles, numbers);
    }
    for (; i < count; i++)
        run_step(&state, role_of[brackets[i]], i, false);
    return run_end(&state, stack, run);
}

/* Do the brackets in the middle all open, or all close? */
static bool looks_deep(const uint8_t *role_of, const unsigned char *brackets, size_t count) {
    unsigned opens = 0;
    if (count < 2 * BLOCK)
        return false;
    for (unsigned k = 0; k < BLOCK; k++)
        opens += role_of[brackets[count / 2 + k]] & PM_ROLE_OPEN;
    return opens == 0 || opens == BLOCK * PM_ROLE_OPEN;
}

/* Room for what is left of brackets when pairs side by side have been removed. */
typedef struct cancelled_run {
    uint8_t roles[PM_RUN_MAX + PM_PICK_SLACK];
    uint16_t numbers[PM_RUN_MAX + PM_PICK_SLACK];
    size_t left, rise;
} cancelled_run;

/* Takes what is left of `count` brackets. */
static inline bool run_left(pmi_kind_stack *stack, const cancelled_run *from, size_t count, pmi_kind_run *run,
                            bool records) {
    if (from->left == SIZE_MAX)
        return false;
    run_state state = run_begin(stack);
    size_t i = 0;
    for (; !records && from->left > count / 2 && i + BLOCK <= from->left; i += BLOCK)
        run_block(&state, from->roles + i, from->numbers + i);
    for (; i < from->left; i++)
        run_step(&state, from->roles[i], from->numbers[i], records);
    if (!run_end(&state, stack, run))
        return false;
    run->rise = from->rise;
    return true;
}

/* Brackets so few that looking for pairs among them takes longer than going through them, as between directives. */
#define FEW_BRACKETS 16

static inline bool run_fast(pmi_kind_stack *stack, const pmi_classifier *classifier, const uint8_t *role_of,
                            const unsigned char *brackets, size_t count, pmi_kind_run *run, bool records) {
    cancelled_run rest; /* not initialised: most of it is not used most of the time */
    if (!records && count < FEW_BRACKETS)
        return run_kinds(stack, role_of, brackets, count, run, false);
    if (!classifier->cancel)
        return !records && looks_deep(role_of, brackets, count)
                   ? run_deep(stack, role_of, brackets, count, run)
                   : run_kinds(stack, role_of, brackets, count, run, records);
    rest.left = classifier->cancel(role_of, brackets, count, records, rest.roles, rest.numbers, &rest.rise);
    return run_left(stack, &rest, count, run, records);
}

bool pmi_kind_stack_run_packed(pmi_kind_stack *stack, const pmi_classifier *classifier, const unsigned char *packed,
                               size_t count, bool records, pmi_kind_run *run) {
    cancelled_run rest;
    rest.left = classifier->cancel_packed(packed, count, records, rest.roles, rest.numbers, &rest.rise);
    return records ? run_left(stack, &rest, count, run, true) : run_left(stack, &rest, count, run, false);
}

bool pmi_kind_stack_run_fast(pmi_kind_stack *stack, const pmi_classifier *classifier, const uint8_t *role_of,
                             const unsigned char *brackets, size_t count, pmi_kind_run *run) {
    return run_fast(stack, classifier, role_of, brackets, count, run, false);
}

bool pmi_kind_stack_run_records(pmi_kind_stack *stack, const pmi_classifier *classifier, const uint8_t *role_of,
                                const unsigned char *brackets, size_t count, pmi_kind_run *run) {
    return run_fast(stack, classifier, role_of, brackets, count, run, true);
}

bool pmi_kind_stack_survivor_word(const pmi_kind_stack *stack, const pmi_kind_run *run, size_t k, uint64_t kinds[2]) {
    const uint16_t *const levels = pmi_kind_stack_survivors(stack, run) + k;
    if (run->survivors - k < PM_WORD_BITS ||
        (levels[PM_WORD_BITS - 1] >> KIND_BITS) - (levels[0] >> KIND_BITS) != PM_WORD_BITS - 1)
        return false;
    const uint64_t lowest = UINT64_C(0x0001000100010001), gather = UINT64_C(0x0001000200040008);
    kinds[0] = kinds[1] = 0;
    for (unsigned i = 0; i < PM_WORD_BITS; i += 4) {
        uint64_t four;
        memcpy(&four, levels + i, sizeof four);
        kinds[0] |= ((four & lowest) * gather >> 48 & 15) << i;
        kinds[1] |= ((four >> 1 & lowest) * gather >> 48 & 15) << i;
    }
    return true;
}
