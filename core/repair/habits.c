/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of tokens in a row. The probability of a token behind two others is a mixture: of that token behind the one
 * before it, and of its sort behind both, behind the one, and behind the sort of the one. What is counted often
 * outweighs what is counted seldom (additive smoothing towards the coarser level).
 */
#include "core/repair/habits.h"

#include <string.h>

#include "base/memory.h"
#include "core/repair/learn.h"

#define WEIGHT_TOKEN 4.0 /* counts that the next coarser level stands for */
#define WEIGHT_SORT 4.0
#define WEIGHT_NAMES 4.0
#define WEIGHT_COARSE 8.0
#define UNKNOWN 0.2 /* count of a word that does not occur */

static unsigned after_of(const pmi_code_token *t) {
    return t->sort * PM_SPACINGS + t->spacing;
}

/* ---- Learning ---- */

static void learn_sorts(pmi_habits *habits, const pmi_code_token *t) {
    const unsigned before = t[-1].sort, sort = after_of(t);
    habits->rows++;
    habits->before[before]++;
    habits->after[sort]++;
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_PAIR, before, sort, 0));
}

/* Does the name of a token say more than its sort? All strings have one, and all numbers; data have little else. */
static bool has_name(const pmi_habits *habits, const pmi_code_token *t) {
    return !habits->data && t->sort != PM_SORT_STRING && t->sort != PM_SORT_NUMBER;
}

static void learn_row(pmi_habits *habits, const pmi_code_token *t) {
    const pmi_code_token *const x = t - 1, *const w = t - 2;
    const unsigned sort = after_of(t);
    learn_sorts(habits, t);
    habits->tokens++;
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_WORD, t->name, 0, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_BEFORE, x->name, 0, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_TOKEN, x->name, t->name, t->spacing));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_SORT, x->name, sort, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_BEFORE_TWO, w->sort, x->name, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_SORT_TWO, w->sort, x->name, sort));
    if (!has_name(habits, w))
        return;
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_BEFORE_NAMES, w->name, x->name, 0));
    pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_SORT_NAMES, w->name, x->name, sort));
}

static bool learn_rows(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens) {
    for (size_t i = PM_TOKEN_EDGE; i < tokens->count; i++) {
        if (!pmi_counts_make_room(&habits->counts, allocator))
            return false;
        learn_row(habits, &tokens->list[i]);
    }
    return true;
}

/* Of a text shorter than the sample the sample says more. */
static bool learn_sample(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *sample, bool all,
                         uint8_t *stack) {
    if (!pmi_frames_learn(habits, allocator, sample))
        return false;
    if (all)
        return learn_rows(habits, allocator, sample) && pmi_surroundings_learn(habits, allocator, sample, stack);
    for (size_t i = PM_TOKEN_EDGE; i < sample->count; i++) {
        if (!pmi_counts_make_room(&habits->counts, allocator))
            return false;
        learn_sorts(habits, &sample->list[i]);
    }
    return true;
}

pm_status pmi_habits_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens,
                           const pmi_code_tokens *sample, bool data) {
    *habits = (pmi_habits){.data = data};
    uint8_t *const stack =
        pmi_memory_allocate(allocator, tokens->count > sample->count ? tokens->count : sample->count, 1);
    habits->kept = pmi_memory_allocate(allocator, PM_KEPT_GAINS, sizeof *habits->kept);
    habits->kept_rows = pmi_memory_allocate(allocator, PM_KEPT_ROWS, sizeof *habits->kept_rows);
    const bool learnt = stack && habits->kept && habits->kept_rows && learn_rows(habits, allocator, tokens) &&
                        learn_sample(habits, allocator, sample, sample->count > tokens->count, stack) &&
                        pmi_surroundings_learn(habits, allocator, tokens, stack) &&
                        pmi_frames_learn(habits, allocator, tokens);
    pmi_memory_free(allocator, stack);
    if (!learnt) {
        pmi_habits_clear(habits, allocator);
        return PM_OUT_OF_MEMORY;
    }
    memset(habits->kept, 0, PM_KEPT_GAINS * sizeof *habits->kept);
    memset(habits->kept_rows, 0, PM_KEPT_ROWS * sizeof *habits->kept_rows);
    return PM_OK;
}

void pmi_habits_clear(pmi_habits *habits, const pm_allocator *allocator) {
    pmi_counts_clear(&habits->counts, allocator);
    pmi_memory_free(allocator, habits->kept);
    pmi_memory_free(allocator, habits->kept_rows);
    *habits = (pmi_habits){0};
}

/* ---- Asking ---- */

uint32_t pmi_habits_word(const pmi_habits *habits, uint32_t name) {
    return pmi_counts_of(&habits->counts, pmi_count_key(PM_COUNT_WORD, name, 0, 0));
}

static double less(uint32_t count, unsigned by) {
    return count > by ? count - by : 0;
}

/* The probability of a sort behind w, and x behind it, by their names; `wider` is that by their sorts. */
static double behind_names(const pmi_habits *habits, const pmi_code_token *w, const pmi_code_token *x, unsigned sort,
                           double wider, unsigned by) {
    const pmi_counts *const counts = &habits->counts;
    return (pmi_counts_get(counts, pmi_count_key(PM_COUNT_SORT_NAMES, w->name, x->name, sort), by) +
            WEIGHT_NAMES * wider) /
           (pmi_counts_get(counts, pmi_count_key(PM_COUNT_BEFORE_NAMES, w->name, x->name, 0), by) + WEIGHT_NAMES);
}

/* The logarithm of the probability of t behind w and x; by: the text has this row itself, and is not to count it. */
static double find_likely(const pmi_habits *habits, const pmi_code_token *w, const pmi_code_token *x,
                          const pmi_code_token *t, unsigned by) {
    const unsigned sort = after_of(t);
    const double any = (less(habits->after[sort], by) + 0.05) / (habits->rows + 40.0);
    const double coarse =
        (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_PAIR, x->sort, sort, 0), by) + WEIGHT_COARSE * any) /
        (less(habits->before[x->sort], by) + WEIGHT_COARSE);
    const double before = pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_BEFORE, x->name, 0, 0), by);
    const double one =
        (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_SORT, x->name, sort, 0), by) + WEIGHT_SORT * coarse) /
        (before + WEIGHT_SORT);
    const double sorts =
        (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_SORT_TWO, w->sort, x->name, sort), by) +
         WEIGHT_SORT * one) /
        (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_BEFORE_TWO, w->sort, x->name, 0), by) + WEIGHT_SORT);
    const double two = has_name(habits, w) ? behind_names(habits, w, x, sort, sorts, by) : sorts;
    if (t->sort != PM_SORT_WORD)
        return pmi_logarithm(two);
    double words = 0;
    for (unsigned s = 0; s < PM_SPACINGS; s++)
        words += habits->after[PM_SORT_WORD * PM_SPACINGS + s];
    const double known = pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_WORD, t->name, 0, 0), by);
    const double word = (known > 0 ? known : UNKNOWN) / (words + 1);
    return pmi_logarithm(
        (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_TOKEN, x->name, t->name, t->spacing), by) +
         WEIGHT_TOKEN * two * word) /
        (before + WEIGHT_TOKEN));
}

/* The same, which is kept for whoever asks next. */
static double likely(const pmi_habits *habits, const pmi_code_token *w, const pmi_code_token *x,
                     const pmi_code_token *t, unsigned by) {
    const uint64_t key = pmi_count_key(1 + t->spacing + PM_SPACINGS * by, w->name, x->name, t->name) | 1;
    pmi_kept_row *const kept = &habits->kept_rows[key >> 32 & (PM_KEPT_ROWS - 1)];
    if (kept->key != key)
        *kept = (pmi_kept_row){key, find_likely(habits, w, x, t, by)};
    return kept->likely;
}

pmi_habits_row pmi_habits_row_of(const pmi_habits *habits, const pmi_code_token *t) {
    return (pmi_habits_row){likely(habits, t - 2, t - 1, t, 1), likely(habits, t - 1, t, t + 1, 1)};
}

double pmi_habits_insert(const pmi_habits *habits, const pmi_code_token *t, const pmi_habits_row *row,
                         pmi_code_token added, pmi_spacing rest) {
    pmi_code_token moved = *t;
    moved.spacing = (uint8_t)rest;
    return likely(habits, t - 2, t - 1, &added, 0) + likely(habits, t - 1, &added, &moved, 0) +
           likely(habits, &added, t, t + 1, 1) - row->token - row->next;
}

double pmi_habits_remove(const pmi_habits *habits, const pmi_code_token *t) {
    pmi_code_token moved = t[1];
    moved.spacing = t->spacing > moved.spacing ? t->spacing : moved.spacing;
    return likely(habits, t - 2, t - 1, &moved, 0) + likely(habits, t - 1, t + 1, t + 2, 1) -
           likely(habits, t - 2, t - 1, t, 1) - likely(habits, t - 1, t, t + 1, 1) - likely(habits, t, t + 1, t + 2, 1);
}

double pmi_habits_split(const pmi_habits *habits, const pmi_code_token *t, const pmi_habits_row *row,
                        pmi_code_token left, pmi_code_token added, pmi_code_token right) {
    return likely(habits, t - 2, t - 1, &left, 0) + likely(habits, t - 1, &left, &added, 0) +
           likely(habits, &left, &added, &right, 0) + likely(habits, &added, &right, t + 1, 0) - row->token - row->next;
}
