/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings that more than one byte opens or closes: R"x(...)x" of C++, r##"..."## of Rust, """...""" of Java and C#, and
 * C#'s @"...", in which "" is a quote. See broadword/text/code_masks.h.
 */
#ifndef PM_BROADWORD_TEXT_CODE_LONG_H
#define PM_BROADWORD_TEXT_CODE_LONG_H

#include <string.h>

#include "broadword/text/code_look.h"

/* ---- How one begins ---- */

#define PM_CODE_UNKNOWN (-1)                          /* the lexer must tell */
#define PM_CODE_RAW_BACK ((int)PM_CODE_DELIMITER + 4) /* bytes before a quote that are looked at */

/* Does a quote at `bit` begin a raw string? Returns the number of hashes before it, which are the string's, or
 * PM_CODE_UNKNOWN; *raw: whether it does. */
static inline int pmi_code_raw_before(const pmi_code_rules *rules, const pmi_code_state *state,
                                      const pmi_code_text *text, const pmi_code_found *found, unsigned bit, bool *raw) {
    enum {
        PREFIX_MAX = 3
    };
    const int first = text->w > 0 || found->reaches_back ? (int)bit - PM_CODE_RAW_BACK : 0; /* not before this one */
    int at = (int)bit, hashes = 0, length = 0;
    *raw = false;
    const unsigned char before = pmi_code_before(state, text->bytes, bit);
    if (before != rules->raw_after && !(before == '#' && rules->hashes))
        return 0;
    for (; rules->hashes && at > first && text->bytes[at - 1] == '#'; at--)
        hashes++;
    while (length <= PREFIX_MAX && at - length > first && pmi_byte_in_name(text->bytes[at - length - 1]))
        length++;
    if (at - length <= first || hashes > (int)PM_CODE_DELIMITER || text->bytes[at - length - 1] == '\'')
        return PM_CODE_UNKNOWN;
    *raw = pmi_code_word_is_listed(text->bytes + at - length, (size_t)length, rules->raw_prefixes);
    return hashes;
}

/* Reads the x( of R"x(, from byte `at` on. Returns the number of these bytes; 0: the lexer must read it. */
static inline unsigned pmi_code_read_delimiter(const pmi_code_text *text, size_t at, pmi_code_closer *closer) {
    closer->bytes[0] = ')';
    for (unsigned k = 0; k <= PM_CODE_DELIMITER && at + k < text->length; k++) {
        const unsigned char byte = text->bytes[at + k];
        if (byte == '(') {
            closer->bytes[k + 1] = '"';
            closer->length = (unsigned char)(k + 2);
            return k + 1;
        }
        if (k == PM_CODE_DELIMITER || byte == ')' || byte == '\\' || byte == 0 || pmi_byte_is_space(byte))
            return 0;
        closer->bytes[k + 1] = byte;
    }
    return 0;
}

/* ---- How it ends ---- */

typedef enum pmi_code_ending {
    PM_CODE_GOES_ON,
    PM_CODE_ENDS,
    PM_CODE_ENDING_UNKNOWN
} pmi_code_ending;

/* Reads such a string from byte `*at` of a word on, up to the byte behind it, or behind the word: one more if a
 * backslash protects the next word's first byte.  */
static inline pmi_code_ending pmi_code_read_long(pmi_code_closer *closer, const pmi_code_text *text,
                                                 const uint64_t *masks, unsigned *at) {
    const unsigned char *const bytes = text->bytes;
    const uint64_t stops =
        (closer->bytes[0] == '"' ? masks[PM_MASK_STRING] : masks[PM_MASK_BRACKET] | masks[PM_MASK_OTHER]) |
        (closer->escapes ? masks[PM_MASK_BACKSLASH] : 0);
    unsigned i = *at, k = closer->matched;
    closer->matched = 0;
    if (k > 0) {
        while (k < closer->length && bytes[i] == closer->bytes[k]) {
            i++;
            k++;
        }
        if (k == closer->length) {
            *at = i;
            return PM_CODE_ENDS;
        }
        i = *at;
    }
    while (i < PM_WORD_BITS) {
        const uint64_t rest = stops & ~pmi_bits_low(i);
        if (rest == 0)
            break;
        i = pmi_bits_lowest(rest);
        if (bytes[i] == '\\' && closer->escapes) {
            i += 2;
            continue;
        }
        for (k = 0; k < closer->length && i + k < PM_WORD_BITS && bytes[i + k] == closer->bytes[k];)
            k++;
        if (k == closer->length && closer->doubled) {
            if (i + 1 == PM_WORD_BITS && (text->length == PM_WORD_BITS || bytes[PM_WORD_BITS] == '"'))
                return PM_CODE_ENDING_UNKNOWN;
            if (i + 1 < PM_WORD_BITS && bytes[i + 1] == '"') {
                i += 2;
                continue;
            }
        }
        if (k == closer->length) {
            *at = i + k;
            return PM_CODE_ENDS;
        }
        if (i + k == PM_WORD_BITS) {
            closer->matched = (unsigned char)k;
            break;
        }
        i++;
    }
    *at = i > PM_WORD_BITS ? i : PM_WORD_BITS;
    return PM_CODE_GOES_ON;
}

#endif
