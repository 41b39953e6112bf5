/* SPDX-License-Identifier: Apache-2.0 */
/* Delimiters: from rules to a dictionary. */
#include "core/pairs.h"

#include "core/context.h"

/* For every pattern the longest other one that it begins with. */
static void note_shorter(struct pm_pairs *pairs) {
    for (uint32_t i = 0; i < pairs->rule_count; i++) {
        const pm_pairs_word word = pairs->words[pairs->rules[i].word_at];
        uint32_t best = PM_NONE, best_length = 0;
        for (uint32_t k = 0; k < pairs->rule_count; k++) {
            const pm_pairs_word other = pairs->words[pairs->rules[k].word_at];
            if (other.length >= word.length || other.length <= best_length ||
                !pm_bytes_equal(pairs->bytes + word.begin, pairs->bytes + other.begin, other.length,
                                pairs->ignore_case))
                continue;
            best = k;
            best_length = other.length;
        }
        pairs->rules[i].shorter = best;
    }
}

static pm_status make_dict(pm_context *context, struct pm_pairs *pairs) {
    const char *patterns[PM_PAIRS_PATTERNS_MAX];
    size_t lengths[PM_PAIRS_PATTERNS_MAX];
    for (uint32_t i = 0; i < pairs->rule_count; i++) {
        const pm_pairs_word word = pairs->words[pairs->rules[i].word_at];
        patterns[i] = (const char *)pairs->bytes + word.begin;
        lengths[i] = word.length;
    }
    return pm_dict_create(context, patterns, lengths, pairs->rule_count, pairs->ignore_case ? PM_DICT_IGNORE_CASE : 0,
                          &pairs->dict);
}

pm_status pm_pairs_create(pm_context *context, const char *rules, size_t n, pm_pairs **pairs, pm_pairs_error *error) {
    if (error)
        *error = (pm_pairs_error){.what = NULL};
    if (!pairs)
        return PM_INVALID_ARGUMENT;
    *pairs = NULL;
    if (n > 0 && !rules)
        return PM_INVALID_ARGUMENT;
    if (n > PM_PAIRS_TEXT_MAX)
        return PM_TOO_LARGE;
    const pm_allocator allocator = pm_context_allocator(context);
    struct pm_pairs *const made = pm_memory_allocate(&allocator, 1, sizeof *made);
    if (!made)
        return PM_OUT_OF_MEMORY;
    *made = (struct pm_pairs){.allocator = allocator};
    pm_status status = pm_pairs_read(made, rules, n, error);
    if (status == PM_OK) {
        note_shorter(made);
        status = make_dict(context, made);
    }
    if (status == PM_OK)
        *pairs = made;
    else
        pm_pairs_destroy(made);
    return status;
}

void pm_pairs_destroy(pm_pairs *pairs) {
    if (!pairs)
        return;
    const pm_allocator allocator = pairs->allocator; /* outlives the block it frees */
    pm_dict_destroy(pairs->dict);
    pm_memory_free(&allocator, pairs->bytes);
    pm_memory_free(&allocator, pairs->words);
    pm_memory_free(&allocator, pairs->rules);
    pm_memory_free(&allocator, pairs->regions);
    pm_memory_free(&allocator, pairs->families);
    pm_memory_free(&allocator, pairs);
}
