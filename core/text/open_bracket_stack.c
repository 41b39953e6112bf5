/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of words that hold opens. */
#include "core/text/open_bracket_stack.h"

#include <string.h>

#define RUN_MAX UINT16_MAX

/* ---- Words ---- */

pm_place pmi_text_word_place(const pmi_text_word *word, unsigned bit) {
    const uint64_t offset = pmi_text_word_offset(word) + bit;
    const uint64_t before = word->newlines & pmi_bits_low(bit);
    const uint64_t line_start = before ? pmi_text_word_offset(word) + pmi_bits_highest(before) + 1 : word->line_start;
    return (pm_place){offset, word->line + pmi_bits_count(before), offset - line_start + 1};
}

pmi_text_word pmi_text_word_after(const pmi_text_word *run, uint64_t steps) {
    pmi_text_word word = *run;
    word.run = 1;
    word.index = (run->index + steps) & PM_TEXT_WORD_INDEX_MAX;
    if (steps > 0 && run->newlines != 0) {
        word.line += steps * pmi_bits_count(run->newlines);
        word.line_start = pmi_text_word_offset(&word) - PM_WORD_BITS + pmi_bits_highest(run->newlines) + 1;
    }
    return word;
}

static bool word_continues(const pmi_text_word *run, const pmi_text_word *word) {
    return run->index + run->run == word->index && run->run < RUN_MAX && run->opens == word->opens &&
           run->kind[0] == word->kind[0] && run->kind[1] == word->kind[1] && run->newlines == word->newlines;
}

/* ---- The stack ---- */

void pmi_bracket_stack_init(pmi_bracket_stack *words, const pm_allocator *allocator) {
    pmi_stack_init(&words->far, allocator, sizeof(pmi_text_word));
    words->uncovered = (pmi_text_word){.run = 1};
}

void pmi_bracket_stack_clear(pmi_bracket_stack *words) {
    pmi_stack_clear(&words->far);
    words->uncovered.opens = 0;
}

/* Pushes the word, or makes the run on top one longer. */
static bool far_push(pmi_stack *far, const pmi_text_word *word) {
    pmi_text_word *top = pmi_stack_top(far);
    if (top && word_continues(top, word)) {
        top->run++;
        return true;
    }
    top = pmi_stack_push(far);
    if (!top)
        return false;
    *top = *word;
    return true;
}

/* Takes the topmost word off. */
static pmi_text_word far_pop(pmi_stack *far) {
    pmi_text_word *top = pmi_stack_top(far);
    const pmi_text_word last = pmi_text_word_after(top, top->run - 1u);
    if (top->run > 1)
        top->run--;
    else
        pmi_stack_pop(far);
    return last;
}

bool pmi_bracket_stack_push(pmi_bracket_stack *words, const pmi_text_word *word) {
    if (word->opens == 0)
        return true;
    if (words->uncovered.opens != 0 && !far_push(&words->far, &words->uncovered))
        return false;
    words->uncovered = *word;
    for (unsigned plane = 0; plane < PM_KIND_PLANES; plane++)
        words->uncovered.kind[plane] &= word->opens; /* so that equal survivors look alike */
    return true;
}

pmi_text_word *pmi_bracket_stack_innermost(pmi_bracket_stack *words) {
    if (words->uncovered.opens == 0)
        words->uncovered = far_pop(&words->far);
    return &words->uncovered;
}

void pmi_bracket_stack_pop(pmi_bracket_stack *words, uint64_t count) {
    while (count > 0) {
        pmi_text_word *word = pmi_bracket_stack_innermost(words);
        const unsigned opens = pmi_bits_count(word->opens);
        if (count >= opens) {
            count -= opens;
            word->opens = 0;
        }
        for (; count > 0 && word->opens != 0; count--)
            word->opens ^= UINT64_C(1) << pmi_bits_highest(word->opens);
    }
}

/* The kinds of a word's opens, the first one first. Returns how many there are. */
static unsigned kinds_of_word(const pmi_text_word *word, uint16_t kinds[PM_WORD_BITS]) {
    static const uint64_t spread[16] = {/* four bits, 16 bits apart */
                                        0x0000000000000000, 0x0000000000000001, 0x0000000000010000, 0x0000000000010001,
                                        0x0000000100000000, 0x0000000100000001, 0x0000000100010000, 0x0000000100010001,
                                        0x0001000000000000, 0x0001000000000001, 0x0001000000010000, 0x0001000000010001,
                                        0x0001000100000000, 0x0001000100000001, 0x0001000100010000, 0x0001000100010001};
    unsigned count = 0;
    for (; word->opens == UINT64_MAX && count < PM_WORD_BITS; count += 4) {
        const uint64_t four = spread[word->kind[0] >> count & 15] | spread[word->kind[1] >> count & 15] << 1;
        memcpy(kinds + count, &four, sizeof four);
    }
    for (uint64_t opens = count > 0 ? 0 : word->opens; opens != 0; opens &= opens - 1)
        kinds[count++] = (uint16_t)pmi_text_word_kind(word, pmi_bits_lowest(opens));
    return count;
}

/* Kinds that are still to be written, from the last one back. */
typedef struct kind_request {
    size_t count;
    uint16_t *kinds;
} kind_request;

static bool collect_kinds(const void *entry, void *user) {
    const pmi_text_word *run = entry;
    kind_request *request = user;
    unsigned step = 0;
    if (request->count >= PM_WORD_BITS && (run->opens == UINT64_MAX || run->run > 1)) {
        uint16_t kinds[PM_WORD_BITS];
        const size_t opens = kinds_of_word(run, kinds);
        for (; step < run->run && request->count >= PM_WORD_BITS && opens > 0; step++) {
            request->count -= opens;
            memcpy(request->kinds + request->count, kinds, opens * sizeof *kinds);
        }
    }
    for (; step < run->run && request->count > 0; step++)
        for (uint64_t opens = run->opens; opens != 0 && request->count > 0;) {
            const unsigned bit = pmi_bits_highest(opens);
            opens ^= UINT64_C(1) << bit;
            request->kinds[--request->count] = (uint16_t)pmi_text_word_kind(run, bit);
        }
    return request->count > 0;
}

void pmi_bracket_stack_kinds(const pmi_bracket_stack *words, size_t count, uint16_t *kinds) {
    kind_request request = {count, kinds};
    if (collect_kinds(&words->uncovered, &request))
        pmi_stack_visit_down(&words->far, collect_kinds, &request);
}

void pmi_bracket_stack_visit(const pmi_bracket_stack *words, bool (*visit)(const void *run, void *user), void *user) {
    pmi_stack_visit(&words->far, visit, user);
    visit(&words->uncovered, user);
}
