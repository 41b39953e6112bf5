/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings: which tokens stand in which kinds of brackets. */
#include "core/repair/habits.h"
#include "core/repair/learn.h"

#define WEIGHT_AROUND 8.0 /* counts that the next coarser level stands for */

unsigned pmi_habits_surrounding(unsigned kind, const pmi_code_token *before) {
    return 2 * (kind & 3) + (before->name == pmi_code_token_name("for", 3));
}

/* Counts which tokens stand in which brackets. A close that does not fit closes what it can. */
bool pmi_surroundings_learn(pmi_habits *habits, const pm_allocator *allocator, const pmi_code_tokens *tokens,
                            uint8_t *stack) {
    size_t depth = 0;
    for (size_t i = PM_TOKEN_EDGE; i + PM_TOKEN_EDGE < tokens->count; i++) {
        const pmi_code_token *const t = &tokens->list[i];
        if (pmi_role_is_open(t->role)) {
            stack[depth++] = (uint8_t)pmi_habits_surrounding(pmi_role_kind(t->role), t - 1);
        } else if (t->role != PM_ROLE_NEUTRAL) {
            const unsigned kind = pmi_role_kind(t->role);
            size_t fits = depth;
            while (fits > 0 && depth - fits < 3 && (unsigned)stack[fits - 1] / 2 != kind)
                fits--;
            if (fits > 0 && (unsigned)stack[fits - 1] / 2 == kind)
                depth = fits - 1;
        } else {
            if (!pmi_counts_make_room(&habits->counts, allocator))
                return false;
            const unsigned around = depth > 0 ? stack[depth - 1] : PM_SURROUNDING_NONE;
            habits->surrounding[around]++;
            pmi_counts_add(&habits->counts, pmi_count_key(PM_COUNT_AROUND, t->name, around, 0));
        }
    }
    return true;
}

double pmi_habits_fits(const pmi_habits *habits, unsigned surrounding, const pmi_code_token *t) {
    const double everywhere = (pmi_habits_word(habits, t->name) + 0.5) / (habits->tokens + 1.0);
    const double here = (pmi_counts_get(&habits->counts, pmi_count_key(PM_COUNT_AROUND, t->name, surrounding, 0), 1) +
                         WEIGHT_AROUND * everywhere) /
                        (habits->surrounding[surrounding] + WEIGHT_AROUND);
    const double ratio = pmi_logarithm(here / everywhere);
    return ratio < 0 ? ratio : 0;
}
