/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The opens of a text that are not closed yet, each with its kind and its place: a stack of words of text, 64 bytes
 * each. Opens of one word share an entry: a survivor mask, two bit planes of kinds, and the newlines, from which any
 * open's line and column follow. Words that look alike and follow one another share an entry too, so that memory for a
 * text of endless equal opens does not grow.
 */
#ifndef PM_CORE_TEXT_OPEN_BRACKET_STACK_H
#define PM_CORE_TEXT_OPEN_BRACKET_STACK_H

#include "base/slice.h"
#include "base/stack.h"

#define PM_KIND_PLANES 2u
#define PM_OPEN_KINDS (1u << PM_KIND_PLANES)
#define PM_TEXT_WORD_INDEX_MAX ((UINT64_C(1) << 48) - 1) /* 2^54 bytes of text */

/* `run` equal words of text, the first being the text's index-th; as to opens, equal survivors. */
typedef struct pmi_text_word {
    uint64_t index : 48; /* see PM_TEXT_WORD_INDEX_MAX */
    uint64_t run : 16;
    uint64_t opens;                /* bit i: byte i is an open that is still open */
    uint64_t kind[PM_KIND_PLANES]; /* bit i of plane p: bit p of that open's kind; undefined where there is no open */
    uint64_t newlines;             /* bit i: byte i is a newline */
    uint64_t line, line_start;     /* number and offset of the line that the word's first byte is on */
} pmi_text_word;

/* The text's offset of the word's first byte. */
static inline uint64_t pmi_text_word_offset(const pmi_text_word *word) {
    return word->index * PM_WORD_BITS;
}

static inline unsigned pmi_text_word_kind(const pmi_text_word *word, unsigned bit) {
    return (unsigned)((word->kind[0] >> bit & 1) | (word->kind[1] >> bit & 1) << 1);
}

/* An open that was not in the word before. */
static inline void pmi_text_word_add(pmi_text_word *word, unsigned bit, unsigned kind) {
    word->opens |= UINT64_C(1) << bit;
    for (unsigned plane = 0; plane < PM_KIND_PLANES; plane++)
        word->kind[plane] |= (uint64_t)(kind >> plane & 1) << bit;
}

/* Line and column of a byte of the word, or with bit = 64 of the byte behind it. */
pm_place pmi_text_word_place(const pmi_text_word *word, unsigned bit);

/* The word `steps` after the first of a run: one of its words, or with steps = run what the word behind it begins with.
 */
pmi_text_word pmi_text_word_after(const pmi_text_word *run, uint64_t steps);

typedef struct pmi_bracket_stack {
    pmi_stack far;           /* all but the next */
    pmi_text_word uncovered; /* the topmost, if it has opens: few need no memory; run 1 */
} pmi_bracket_stack;

void pmi_bracket_stack_init(pmi_bracket_stack *words, const pm_allocator *allocator);

/* Puts a word on top, whose run is 1; nothing if it holds no opens. False when there is no memory. */
bool pmi_bracket_stack_push(pmi_bracket_stack *words, const pmi_text_word *word);

/* The word that holds the innermost open, to take it off its mask; there is one. */
pmi_text_word *pmi_bracket_stack_innermost(pmi_bracket_stack *words);

/* Takes `count` opens off, which are there. */
void pmi_bracket_stack_pop(pmi_bracket_stack *words, uint64_t count);

/* The kinds of the innermost `count` opens, which are there: the innermost last. */
void pmi_bracket_stack_kinds(const pmi_bracket_stack *words, size_t count, uint16_t *kinds);

/* Calls visit for each entry, a run of words, outermost first, until it returns false. */
void pmi_bracket_stack_visit(const pmi_bracket_stack *words, bool (*visit)(const void *run, void *user), void *user);

/* No opens; gives all memory back. */
void pmi_bracket_stack_clear(pmi_bracket_stack *words);

#endif
