/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes to masks, in bulk: of every 64 bytes of text one word a question, bit i of which is the answer for byte i; and
 * from such masks back to bytes and positions. Everything works on whole words of 64 bytes and reads nothing else.
 */
#ifndef PM_BROADWORD_TEXT_CLASSIFY_H
#define PM_BROADWORD_TEXT_CLASSIFY_H

#include "base/slice.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A class is 8 bits, each the answer to a question. */
#define PM_CLASS_BITS 8u
#define PM_CLASS_PAIRS 4u

typedef struct pmi_byte_classes {
    uint8_t of[256];    /* by byte: 16 rows of 16, found by the byte's high and low half */
    uint8_t rows[16];   /* those with a class that is not 0 */
    uint8_t row_count;  /* ... how many */
    uint8_t pair_count; /* of look-ups by halves: of[16 * h + l] is the `or` of high[k][h] & low[k][l] of so many pairs;
                           if it is more than PM_CLASS_PAIRS, these are not all */
    uint8_t high[PM_CLASS_PAIRS][16], low[PM_CLASS_PAIRS][16];
} pmi_byte_classes;

/* Notes the rows and pairs of a table that was filled in. */
void pmi_byte_classes_finish(pmi_byte_classes *classes);

#define PM_PICK_SLACK 64u   /* bytes that pmi_classifier.pick may write behind those it promises */
#define PM_PICK_WORDS 1023u /* most words it takes */

/* Asks for a word of text that is to be read soon. What happens to masks gives the hardware no hint that more text will
 * be wanted, and it stops at pages. Asking is not reading: there need not be as much text. */
#define PM_TEXT_EXPECT(text) __builtin_prefetch((const void *)((uintptr_t)(text) + 4096))

/* ---- Quotations ---- */

/*
 * Which bytes of a text are quoted, where one byte opens and closes a quotation and a backslash inside protects the
 * next byte, as in JSON: from masks to masks, 64 bytes at a time.
 *
 * After Langdale and Lemire, "Parsing gigabytes of JSON per second", section 3.1.1: which bytes a backslash protects
 * follows from a subtraction, and what is quoted from the parity of the quotes up to a byte. Instruction sets differ in
 * how they get at that parity alone, so it is left to whoever goes through the words:
 *
 *     inside = pmi_quoted_inside(&state, &masks, parity_up_to_each_bit(pmi_quoted_quotes(&state, &masks)));
 */

/* Where a text is, between one word and the next. */
typedef struct pmi_quotation {
    bool inside;  /* the next byte is quoted, or closes the quotation */
    bool escaped; /* inside: a backslash protects the next byte */
} pmi_quotation;

/* Masks of a word of text: bytes that are brackets, quotes, backslashes. */
typedef struct pmi_quoted_masks {
    uint64_t brackets, quotes, backslashes;
} pmi_quoted_masks;

/*
 * The bytes that a backslash protects, were all of the word quoted. A run of backslashes protects what is behind its
 * first, third, ... one. Where it starts at an even bit, those are all even, else all odd. Subtracting the starts of
 * protection from the bits behind them, with the odd bits set, lets a borrow run through each run of backslashes and so
 * distinguishes the two cases; what then differs from the odd bits are the even ones of the one and the odd ones of the
 * other.
 */
static inline uint64_t pmi_quoted_escapes(const pmi_quotation *state, uint64_t backslashes) {
    const uint64_t odd_bits = UINT64_C(0xaaaaaaaaaaaaaaaa);
    const uint64_t starts = backslashes & ~(uint64_t)state->escaped;
    return ((starts << 1 | odd_bits) - starts) ^ odd_bits;
}

/* The word's quotes that no backslash protects. */
static inline uint64_t pmi_quoted_quotes(const pmi_quotation *state, const pmi_quoted_masks *masks) {
    if (masks->backslashes == 0)
        return masks->quotes & ~(uint64_t)state->escaped;
    const uint64_t protected_bytes =
        pmi_quoted_escapes(state, masks->backslashes) ^ (masks->backslashes | (uint64_t)state->escaped);
    return masks->quotes & ~protected_bytes;
}

/* The same as the arithmetic, a quote or backslash at a time, whatever stands outside. */
static inline uint64_t pmi_quoted_inside_by_steps(pmi_quotation *state, const pmi_quoted_masks *masks) {
    uint64_t inside = state->inside ? UINT64_MAX : 0;
    uint64_t stops = (masks->quotes | masks->backslashes) & ~(uint64_t)state->escaped;
    state->escaped = false;
    while (stops != 0) {
        const uint64_t stop = stops & (~stops + 1);
        stops ^= stop;
        if (masks->quotes & stop) {
            inside ^= ~stop + 1; /* this byte and all behind it */
            state->inside = !state->inside;
        } else if (state->inside) {
            stops &= ~(stop << 1);
            state->escaped = stop >> (PM_WORD_BITS - 1);
        }
    }
    return inside;
}

/* From each opening quote on to before the closing one, given of each bit the parity of pmi_quoted_quotes() up to and
 * with it; and goes to the next word. A backslash outside of quotations protects nothing, but has been taken as if:
 * where there is one, which no valid text has, the word is read by steps. */
static inline uint64_t pmi_quoted_inside(pmi_quotation *state, const pmi_quoted_masks *masks, uint64_t parity) {
    const uint64_t inside = parity ^ (~(uint64_t)state->inside + 1);
    if (masks->backslashes & ~inside)
        return pmi_quoted_inside_by_steps(state, masks);
    state->inside = inside >> (PM_WORD_BITS - 1);
    state->escaped = masks->backslashes >> (PM_WORD_BITS - 1) &&
                     (pmi_quoted_escapes(state, masks->backslashes) & masks->backslashes) >> (PM_WORD_BITS - 1);
    return inside;
}

/* ---- Brackets outside quotations ---- */

/* Classes of bytes for brackets outside quotations: the role of a bracket, and these. No bracket is a quote, backslash
 * or newline. */
#define PM_UNQUOTED_ROLE 15u
#define PM_UNQUOTED_QUOTE 16u
#define PM_UNQUOTED_BACKSLASH 32u
#define PM_UNQUOTED_NEWLINE 64u
#define PM_UNQUOTED_BRACKET 128u

#define PM_UNQUOTED_ROOM 2048u /* brackets of a few words */

/* What one pass finds; entries of the masks and of `before` are words. */
typedef struct pmi_unquoted_found {
    uint64_t *brackets, *inside; /* see pmi_classifier.quoted */
    uint64_t *newlines;
    uint16_t *before;       /* brackets in earlier words */
    uint16_t *lines_before; /* newlines in earlier words; an entry more than there are words */
    unsigned char
        *packed; /* all brackets in a row, for cancel_packed and unpack: a byte for each, and PM_PICK_SLACK more */
} pmi_unquoted_found;

/* ---- Code ---- */

/* See broadword/text/code_masks.h. */
typedef struct pmi_code_rules pmi_code_rules;
typedef struct pmi_code_classes pmi_code_classes;
typedef struct pmi_code_state pmi_code_state;
typedef struct pmi_code_found pmi_code_found;

/* ---- The classifier ---- */

/* The functions of texts for one SIMD target. */
typedef struct pmi_classifier {
    /* masks[planes * w + p], p < planes <= PM_CLASS_BITS: bit p of the classes of text[64w] ... text[64w + 63]. */
    void (*classify)(const pmi_byte_classes *classes, unsigned planes, const unsigned char *text, size_t words,
                     uint64_t *masks);

    /* outside[w]: the brackets of word w that are not quoted; inside[w]: see pmi_quoted_inside(). */
    void (*quoted)(pmi_quotation *state, const pmi_quoted_masks *masks, size_t words, uint64_t *outside,
                   uint64_t *inside);

    /* See pmi_code_words(). */
    size_t (*code)(const pmi_code_rules *rules, const pmi_code_classes *classes, pmi_code_state *state,
                   const unsigned char *text, size_t words, const pmi_code_found *found);

    /* masks[w]: which bytes are `byte`. Returns how many are. before[w], w <= words <= PM_PICK_WORDS: how many are in
     * earlier words; NULL if not wanted. */
    size_t (*find)(unsigned char byte, const unsigned char *text, size_t words, uint64_t *masks, uint16_t *before);

    /* Bits set in words. */
    size_t (*count)(const uint64_t *masks, size_t words);

    /* The bytes that the masks have, one after another, into picked, which has room for PM_PICK_SLACK more.
     * before[w]: how many come before word w. Returns how many there are. */
    size_t (*pick)(const unsigned char *text, const uint64_t *masks, size_t words, unsigned char *picked,
                   uint16_t *before);

    /* Their positions: base + 64w + i for bit i of masks[w]. Writes as many as there are bits. */
    void (*positions)(const uint64_t *masks, size_t words, uint64_t base, uint64_t *positions);

    /* Of brackets whose classes are their roles: which are opens, a bit each, and their kinds, a byte each. Reads whole
     * words of them. */
    void (*roles)(const pmi_byte_classes *roles, const unsigned char *brackets, size_t words, uint64_t *opens,
                  uint8_t *kinds);

    /* Removes opens and the closes of their kind right behind them, a few times, from `count` brackets whose roles are
     * found by the byte, but not all: most code opens and closes at once. Stores the roles of those left and their
     * numbers, and up to PM_PICK_SLACK more, and in *rise how many levels all of them rise at most, and returns how
     * many are left; SIZE_MAX if the kinds of such a pair differ. records: what has neither side ends a record; of
     * those next to each other all but the first may go. NULL: the target has no fast way. */
    size_t (*cancel)(const uint8_t role_of[256], const unsigned char *brackets, size_t count, bool records,
                     uint8_t *roles, uint16_t *numbers, size_t *rise);

    /* Reads at most *words <= PM_PICK_WORDS words of text with quotations, as long as they have at most `room` brackets
     * outside these, which is no less than PM_UNQUOTED_ROOM. Returns how many brackets there are, and stores how many
     * words were read. many_kinds: some bracket is of a kind above 1. NULL: the target has no fast way. */
    size_t (*unquoted)(const pmi_byte_classes *classes, bool many_kinds, pmi_quotation *state,
                       const unsigned char *text, size_t *words, size_t room, const pmi_unquoted_found *found);

    /* The same, of any kinds, where a separator without role ends records outside quotations, and counts as a bracket.
     */
    size_t (*unquoted_records)(const pmi_byte_classes *classes, unsigned char separator, pmi_quotation *state,
                               const unsigned char *text, size_t *words, size_t room, const pmi_unquoted_found *found);

    /* As `cancel`, of brackets that `unquoted` packed. The role of what ends a record is PM_ROLE(PM_ROLE_NEUTRAL, 4).
     */
    size_t (*cancel_packed)(const unsigned char *packed, size_t count, bool records, uint8_t *roles, uint16_t *numbers,
                            size_t *rise);

    /* Of brackets that `unquoted` packed: which are opens, a bit each; their kinds, a byte each and up to PM_PICK_SLACK
     * more. */
    void (*unpack)(const unsigned char *packed, size_t count, uint64_t *opens, uint8_t *kinds);

    /* Copies bytes that are not read soon again, past the caches where the target can. Before other threads read them
     * comes a fence of the order memory_order_seq_cst. */
    void (*copy)(const unsigned char *from, size_t n, unsigned char *to);

    bool bits; /* CPUs with the target have BMI2's instructions for bits, too */
} pmi_classifier;

#ifdef __cplusplus
}
#endif

#endif
