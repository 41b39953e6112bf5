/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of words that hold opens. */
#include "core/open_words.h"

#define RUN_MAX UINT16_MAX

/* ---- Words ---- */

pm_place pm_text_word_place(const pm_text_word *word, unsigned bit) {
    const uint64_t offset = pm_text_word_offset(word) + bit;
    const uint64_t before = word->newlines & pm_bits_low(bit);
    const uint64_t line_start = before ? pm_text_word_offset(word) + pm_bits_highest(before) + 1 : word->line_start;
    return (pm_place){offset, word->line + pm_bits_count(before), offset - line_start + 1};
}

pm_text_word pm_text_word_after(const pm_text_word *run, uint64_t steps) {
    pm_text_word word = *run;
    word.run = 1;
    word.index = (run->index + steps) & PM_TEXT_WORD_INDEX_MAX;
    if (steps > 0 && run->newlines != 0) {
        word.line += steps * pm_bits_count(run->newlines);
        word.line_start = pm_text_word_offset(&word) - PM_WORD_BITS + pm_bits_highest(run->newlines) + 1;
    }
    return word;
}

static bool word_continues(const pm_text_word *run, const pm_text_word *word) {
    return run->index + run->run == word->index && run->run < RUN_MAX && run->opens == word->opens &&
           run->kind[0] == word->kind[0] && run->kind[1] == word->kind[1] && run->newlines == word->newlines;
}

/* ---- The stack ---- */

void pm_open_words_init(pm_open_words *words, const pm_allocator *allocator) {
    pm_stack_init(&words->far, allocator, sizeof(pm_text_word));
    words->uncovered = (pm_text_word){.run = 1};
}

void pm_open_words_clear(pm_open_words *words) {
    pm_stack_clear(&words->far);
    words->uncovered.opens = 0;
}

/* Pushes the word, or makes the run on top one longer. */
static bool far_push(pm_stack *far, const pm_text_word *word) {
    pm_text_word *top = pm_stack_top(far);
    if (top && word_continues(top, word)) {
        top->run++;
        return true;
    }
    top = pm_stack_push(far);
    if (!top)
        return false;
    *top = *word;
    return true;
}

/* Takes the topmost word off. */
static pm_text_word far_pop(pm_stack *far) {
    pm_text_word *top = pm_stack_top(far);
    const pm_text_word last = pm_text_word_after(top, top->run - 1u);
    if (top->run > 1)
        top->run--;
    else
        pm_stack_pop(far);
    return last;
}

bool pm_open_words_push(pm_open_words *words, const pm_text_word *word) {
    if (word->opens == 0)
        return true;
    if (words->uncovered.opens != 0 && !far_push(&words->far, &words->uncovered))
        return false;
    words->uncovered.opens = 0;
    pm_text_word pushed = *word;
    for (unsigned plane = 0; plane < PM_KIND_PLANES; plane++)
        pushed.kind[plane] &= pushed.opens; /* so that equal survivors look alike */
    return far_push(&words->far, &pushed);
}

pm_text_word *pm_open_words_innermost(pm_open_words *words) {
    if (words->uncovered.opens == 0)
        words->uncovered = far_pop(&words->far);
    return &words->uncovered;
}

void pm_open_words_pop(pm_open_words *words, uint64_t count) {
    while (count > 0) {
        pm_text_word *word = pm_open_words_innermost(words);
        for (; count > 0 && word->opens != 0; count--)
            word->opens ^= UINT64_C(1) << pm_bits_highest(word->opens);
    }
}

/* Kinds that are still to be written, from the last one back. */
typedef struct kind_request {
    size_t count;
    uint16_t *kinds;
} kind_request;

static bool collect_kinds(const void *entry, void *user) {
    const pm_text_word *run = entry;
    kind_request *request = user;
    for (unsigned step = 0; step < run->run && request->count > 0; step++)
        for (uint64_t opens = run->opens; opens != 0 && request->count > 0;) {
            const unsigned bit = pm_bits_highest(opens);
            opens ^= UINT64_C(1) << bit;
            request->kinds[--request->count] = (uint16_t)pm_text_word_kind(run, bit);
        }
    return request->count > 0;
}

void pm_open_words_kinds(const pm_open_words *words, size_t count, uint16_t *kinds) {
    kind_request request = {count, kinds};
    if (collect_kinds(&words->uncovered, &request))
        pm_stack_visit_down(&words->far, collect_kinds, &request);
}

void pm_open_words_visit(const pm_open_words *words, bool (*visit)(const void *run, void *user), void *user) {
    pm_stack_visit(&words->far, visit, user);
    visit(&words->uncovered, user);
}
