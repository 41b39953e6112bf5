/* SPDX-License-Identifier: Apache-2.0 */
/* The history from what was noted of a piece: backwards, as far as it remembers. */
#include "core/lexer/history.h"

/* Are the bytes of a word of code blanks that would change nothing behind what was added? */
static bool is_passed(const pmi_lexer_back *back, const unsigned char *word) {
    unsigned blanks = 0, newlines = 0;
    for (unsigned k = 0; k < PM_WORD_BITS; k++) {
        blanks += pmi_byte_is_space(word[k]);
        newlines += word[k] == '\n';
    }
    return blanks == PM_WORD_BITS &&
           (newlines > 0 ? pmi_lexer_back_ends_in_lines(back) : pmi_lexer_back_is_blank(back));
}

/* How many bytes before byte `to`, of up to 64 from byte `from` on, were noted as code. */
static inline unsigned code_before(const pmi_lexer_noted *noted, size_t from, size_t to) {
    const size_t w = to / PM_WORD_BITS, bit = to % PM_WORD_BITS;
    uint64_t code = bit > 0 ? noted->code[w] << (PM_WORD_BITS - bit) : 0;
    if (w > from / PM_WORD_BITS)
        code |= noted->code[w - 1] >> bit;
    const size_t run = code == UINT64_MAX ? PM_WORD_BITS : PM_WORD_BITS - 1 - pmi_bits_highest(~code);
    return (unsigned)(run < to - from ? run : to - from);
}

/* Is another byte wanted? A word is, with the byte before it. */
static inline bool is_wanted(const pmi_lexer_back *back, unsigned count) {
    return back->count <= count || (pmi_byte_in_name(back->bytes[back->count - 1]) && !pmi_lexer_back_is_full(back));
}

__attribute__((noinline)) pmi_lexer_history pmi_lexer_history_before(const pmi_lexer *lexer,
                                                                     const pmi_lexer_noted *noted,
                                                                     const unsigned char *text, size_t from, size_t to,
                                                                     unsigned count) {
    pmi_lexer_back back = {.count = 0, .newlines = 0};
    pmi_lexer_history history = lexer->history;
    const size_t first = from / PM_WORD_BITS;
    const unsigned run = code_before(noted, from, to);
    if (run == to - from || (run > PM_HISTORY_BYTES &&
                             !(pmi_byte_is_space(text[to - 1]) && pmi_byte_is_space(text[to - 2])))) { /* as a rule */
        pmi_lexer_history_extend(&history, text + to - run, run);
        return history;
    }
    size_t w = (to + PM_WORD_BITS - 1) / PM_WORD_BITS;
    uint64_t below = to % PM_WORD_BITS ? pmi_bits_low(to % PM_WORD_BITS) : UINT64_MAX;
    while (w-- > first && is_wanted(&back, count)) {
        uint64_t rest = (noted->code[w] | noted->operands[w] | noted->blanks[w]) & below;
        below = UINT64_MAX;
        if (noted->code[w] == UINT64_MAX && rest == UINT64_MAX && pmi_lexer_back_is_blank(&back) &&
            is_passed(&back, text + w * PM_WORD_BITS))
            continue;
        while (rest != 0 && is_wanted(&back, count)) {
            const unsigned bit = pmi_bits_highest(rest);
            unsigned char byte = text[w * PM_WORD_BITS + bit];
            rest ^= UINT64_C(1) << bit;
            if (!(noted->code[w] >> bit & 1))
                byte = !(noted->operands[w] >> bit & 1) ? ' ' : noted->blanks[w] >> bit & 1 ? '{' : PM_LEXER_OPERAND;
            pmi_lexer_back_add(&back, byte);
        }
    }
    pmi_lexer_history_push_back(&history, &back);
    return history;
}
