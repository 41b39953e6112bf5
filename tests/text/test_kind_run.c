/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of brackets against a stack of kinds that is pushed and popped one by one. */
#include <stdlib.h>
#include <string.h>

#include "broadword/simd.h"
#include "core/text/kind_run.h"
#include "core/text/language.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    KINDS = 4,
    DEPTH_MAX = 4 * PM_RUN_MAX
};

static const char opens[] = "([{<", closes[] = ")]}>";

static pm_alphabet four_kinds(void) {
    pm_alphabet alphabet;
    assert_ok(pm_alphabet_from_pairs("()[]{}<>", 2 * KINDS, &alphabet));
    return alphabet;
}

/* All levels, and by how many the run in hand went down and up. */
typedef struct levels {
    unsigned char kind[DEPTH_MAX];
    size_t opened_at[DEPTH_MAX]; /* index in the run */
    size_t depth, lowest, highest;
} levels;

/* A run that goes up or down with some chance, and closes what it should; one in `faults` closes another kind. */
static bool make_run(levels *now, uint64_t *seed, unsigned up, uint64_t faults, unsigned char *run, size_t count) {
    bool good = true;
    now->lowest = now->highest = now->depth;
    for (size_t i = 0; i < count; i++) {
        if (random_below(seed, 8) < up || now->depth == 0) {
            const unsigned kind = (unsigned)random_below(seed, KINDS);
            now->kind[now->depth] = (unsigned char)kind;
            now->opened_at[now->depth++] = i;
            run[i] = (unsigned char)opens[kind];
        } else {
            const bool fault = random_below(seed, faults) == 0;
            run[i] = (unsigned char)closes[(now->kind[--now->depth] + fault) % KINDS];
            good = good && !fault;
        }
        now->lowest = now->depth < now->lowest ? now->depth : now->lowest;
        now->highest = now->depth > now->highest ? now->depth : now->highest;
    }
    return good;
}

static void fill(pmi_kind_stack *stack, const levels *now, size_t count) {
    uint16_t *kinds = pmi_kind_stack_fill(stack, count, count == now->depth);
    for (size_t k = 0; k < count; k++)
        kinds[k] = now->kind[now->depth - count + k];
}

/* Survivors that are read 64 at once are those that are read one by one. */
static void assert_words(const pmi_kind_stack *stack, const pmi_kind_run *run) {
    for (size_t k = 0; k < run->survivors; k += 7) {
        uint64_t kinds[2];
        unsigned first, kind;
        const size_t number = pmi_kind_stack_survivor(stack, run, k, &first);
        const bool all = run->survivors - k >= 64 && pmi_kind_stack_survivor(stack, run, k + 63, &kind) == number + 63;
        assert_int_equal(pmi_kind_stack_survivor_word(stack, run, k, kinds), all);
        for (unsigned i = 0; all && i < 64; i++) {
            pmi_kind_stack_survivor(stack, run, k + i, &kind);
            assert_int_equal((kinds[0] >> i & 1) | (kinds[1] >> i & 1) << 1, kind);
        }
    }
}

/* Every target finds the same. */
static void assert_fast(const pmi_kind_stack *before, const pm_alphabet *alphabet, const unsigned char *run,
                        size_t count, const pmi_kind_stack *after, const pmi_kind_run *expected) {
    static pmi_kind_stack stack;
    for (size_t t = 0; pmi_simd_at(t); t++) {
        pmi_kind_run found;
        if (!pmi_simd_at(t)->supported())
            continue;
        stack = *before;
        const bool good =
            pmi_kind_stack_run_fast(&stack, pmi_simd_at(t)->classifier, alphabet->role, run, count, &found);
        assert_int_equal(good, expected != NULL);
        if (!expected)
            continue;
        assert_int_equal(found.rise, expected->rise);
        assert_int_equal(found.closed, expected->closed);
        assert_int_equal(found.survivors, expected->survivors);
        assert_int_equal(stack.held, after->held);
        for (size_t k = 0; k < found.survivors; k++) {
            unsigned kind, wanted;
            assert_int_equal(pmi_kind_stack_survivor(&stack, &found, k, &kind),
                             pmi_kind_stack_survivor(after, expected, k, &wanted));
            assert_int_equal(kind, wanted);
        }
    }
}

TEST(test_runs) {
    const pm_alphabet alphabet = four_kinds();
    levels *now = calloc(1, sizeof *now);
    pmi_kind_stack *stack = malloc(sizeof *stack), *unchanged = malloc(sizeof *unchanged);
    unsigned char *run = malloc(PM_RUN_MAX);
    assert_true(now && stack && unchanged && run);
    uint64_t seed = 1;
    fill(stack, now, 0);
    for (unsigned round = 0; round < 2000; round++) {
        const size_t before = now->depth;
        const size_t count = random_below(&seed, round % 8 ? 200 : PM_RUN_MAX + 1);
        const unsigned up = before > DEPTH_MAX - 2 * PM_RUN_MAX ? 1 : (unsigned)random_below(&seed, 9);
        const size_t needed = before < count ? before : count;
        if (!pmi_kind_stack_suffices(stack, count) && stack->held >= needed)
            pmi_kind_stack_keep(stack, needed);
        else if (!pmi_kind_stack_suffices(stack, count))
            fill(stack, now, needed);
        assert_true(pmi_kind_stack_suffices(stack, count));
        pmi_kind_run found;
        const bool good = make_run(now, &seed, up, round % 3 ? UINT64_MAX : 1000, run, count);
        *unchanged = *stack;
        assert_int_equal(pmi_kind_stack_run(stack, alphabet.role, run, count, &found), good);
        if (round % 4 == 0 || count < 200)
            assert_fast(unchanged, &alphabet, run, count, stack, good ? &found : NULL);
        if (!good) {
            fill(stack, now, now->depth < 10 ? now->depth : 10);
            continue;
        }
        assert_int_equal(found.rise, now->highest - before);
        assert_int_equal(found.closed, before - now->lowest);
        assert_int_equal(found.survivors, now->depth - now->lowest);
        assert_words(stack, &found);
        for (size_t k = 0; k < found.survivors; k++) {
            unsigned kind;
            assert_int_equal(pmi_kind_stack_survivor(stack, &found, k, &kind), now->opened_at[now->lowest + k]);
            assert_int_equal(kind, now->kind[now->lowest + k]);
        }
    }
    free(run);
    free(unchanged);
    free(stack);
    free(now);
}

/* More closes than there are, as many as may be. */
TEST(test_closing_too_much) {
    const pm_alphabet alphabet = four_kinds();
    pmi_kind_stack *stack = malloc(sizeof *stack);
    unsigned char *run = malloc(PM_RUN_MAX);
    assert_true(stack && run);
    memset(run, ')', PM_RUN_MAX);
    for (size_t depth = 0; depth < 3; depth++)
        for (size_t count = depth + 1; count <= PM_RUN_MAX; count = count < PM_RUN_MAX / 2 ? count * 2 : count + 1111) {
            pmi_kind_run found;
            memset(stack, 0, sizeof *stack); /* whatever lies there, no close may fit it */
            memset(pmi_kind_stack_fill(stack, depth, true), 0, depth * sizeof(uint16_t));
            assert_false(pmi_kind_stack_run(stack, alphabet.role, run, count, &found));
        }
    free(run);
    free(stack);
}

/* Records between opens and closes of each kind: every target finds those in which something is open at the end. */
TEST(test_records) {
    pm_alphabet alphabet = four_kinds();
    pmi_kind_stack *stack = malloc(sizeof *stack);
    unsigned char run[300];
    assert_true(stack != NULL);
    alphabet.role['\n'] = PM_ROLE(PM_ROLE_NEUTRAL, KINDS);
    for (size_t t = 0; pmi_simd_at(t); t++)
        for (size_t at = 0; pmi_simd_at(t)->supported() && at <= sizeof run; at++) {
            const unsigned kind = (unsigned)(at % KINDS);
            pmi_kind_run found;
            for (size_t i = 0; i < sizeof run; i += 3) {
                run[i] = (unsigned char)opens[kind];
                run[i + 1] = (unsigned char)closes[kind];
                run[i + 2] = '\n';
            }
            if (at < sizeof run && at % 3 > 0) { /* a record ends early */
                run[at / 3 * 3 + 1] = '\n';
                run[at / 3 * 3 + 2] = (unsigned char)closes[kind];
            }
            pmi_kind_stack_fill(stack, 0, true);
            assert_int_equal(
                pmi_kind_stack_run_records(stack, pmi_simd_at(t)->classifier, alphabet.role, run, sizeof run, &found),
                at == sizeof run || at % 3 == 0);
        }
    free(stack);
}

/* What is held suffices for as many closes, and for as many opens as there is room for. */
TEST(test_what_suffices) {
    pmi_kind_stack *stack = allocate(sizeof *stack, 1);
    pmi_kind_stack_fill(stack, 5, false);
    assert_true(pmi_kind_stack_suffices(stack, 5));
    assert_false(pmi_kind_stack_suffices(stack, 6));
    pmi_kind_stack_fill(stack, 5, true);
    assert_true(pmi_kind_stack_suffices(stack, 6));
    assert_true(pmi_kind_stack_suffices(stack, PM_RUN_MAX));
    stack->held = PM_RUN_MAX;
    assert_true(pmi_kind_stack_suffices(stack, PM_RUN_MAX));
    stack->held = PM_RUN_MAX + 1;
    assert_false(pmi_kind_stack_suffices(stack, PM_RUN_MAX));
    assert_true(pmi_kind_stack_suffices(stack, PM_RUN_MAX - 1));
    free(stack);
}
