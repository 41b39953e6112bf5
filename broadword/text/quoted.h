/* SPDX-License-Identifier: Apache-2.0 */
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
#ifndef PM_BROADWORD_TEXT_QUOTED_H
#define PM_BROADWORD_TEXT_QUOTED_H

#include "base/slice.h"

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
 * tells the two cases apart; what then differs from the odd bits are the even ones of the one and the odd ones of the
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

#endif
