/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a text is code, where comments, strings and characters look as in C: from masks to masks, 64 bytes at a time.
 *
 * Each sort is computed as though those that come after it did not exist: comments by an addition that carries from
 * their openers to their closers, strings and characters by the parity of their quotes. This is right except where the
 * sorts interfere, as a comment's opener in a string does, which the masks show. Such a word is read by steps
 * (broadword/text/code_steps.h), and where that does not do either, by an exact lexer.
 */
#ifndef PM_BROADWORD_TEXT_CODE_MASKS_H
#define PM_BROADWORD_TEXT_CODE_MASKS_H

#include "broadword/text/code_nested.h"
#include "broadword/text/code_scan.h"
#include "broadword/text/code_steps.h"

/* From each bit of `begin` to the next bit of `end`, both included, where `*open` says whether one goes on across the
 * border of two words. begin and end have no bit in common. */
static inline uint64_t pmi_code_spans(uint64_t begin, uint64_t end, bool *open) {
    const uint64_t sum = ~end + begin + (uint64_t)*open;
    *open = ((~end & begin) | ((~end | begin) & ~sum)) >> 63;
    return (sum ^ ~end) | begin;
}

/* ---- Quotes ---- */

/* Removes the apostrophes of names; `inside`: the first one ends a character. Returns false if what is behind one of
 * them is not known. */
static inline bool pmi_code_remove_lifetimes(const unsigned char *text, size_t length, bool inside, uint64_t *quotes) {
    for (uint64_t rest = inside ? *quotes & (*quotes - 1) : *quotes; rest != 0;) {
        const unsigned bit = pmi_bits_lowest(rest);
        bool known;
        rest &= rest - 1;
        if (pmi_code_is_lifetime(text, length, bit, &known))
            *quotes ^= UINT64_C(1) << bit;
        else
            rest &= rest - 1; /* the other quote of a character */
        if (!known)
            return false;
    }
    return true;
}

static inline bool pmi_code_strings_plain(const pmi_code_rules *rules, const pmi_code_state *state,
                                          const unsigned char *text, uint64_t opening) {
    for (; opening != 0; opening &= opening - 1)
        if (pmi_code_perhaps_raw(rules, pmi_code_before(state, text, pmi_bits_lowest(opening))))
            return false;
    return true;
}

/* May three quotes in a row cross the end of the word? */
static inline bool pmi_code_triple_crosses(const unsigned char *text, size_t length, uint64_t quotes) {
    if (!(quotes >> (PM_WORD_BITS - 1)))
        return false;
    const bool first = length <= PM_WORD_BITS || text[PM_WORD_BITS] == '"';
    const bool second = length <= PM_WORD_BITS + 1 || text[PM_WORD_BITS + 1] == '"';
    return first && (second || quotes >> (PM_WORD_BITS - 2) == 3);
}

/* The same as by parities, a quote after another, where one sort may stand in the other. */
static inline void pmi_code_quotes_by_steps(uint64_t quotes, uint64_t apostrophes, uint64_t *strings,
                                            uint64_t *characters) {
    uint64_t inside_string = *strings, inside_character = *characters; /* all or no bits each */
    *strings = inside_string;
    *characters = inside_character;
    for (uint64_t rest = quotes | apostrophes; rest != 0; rest &= rest - 1) {
        const uint64_t bit = rest & (~rest + 1), from = ~bit + 1; /* this byte and all behind it */
        if ((quotes & bit) && !inside_character) {
            *strings ^= from;
            inside_string = ~inside_string;
        } else if ((apostrophes & bit) && !inside_string) {
            *characters ^= from;
            inside_character = ~inside_character;
        }
    }
}

/* ---- Comments ---- */

/* A word's comments: what is in them, with their closers but not their newlines, and where they begin. */
typedef struct pmi_code_comments {
    uint64_t all, firsts; /* firsts: second bytes of openers */
    uint64_t odd;
    bool in_block, in_line, star; /* behind the word */
    bool touching;                /* as in the state */
} pmi_code_comments;

static inline pmi_code_comments pmi_code_find_comments(const pmi_code_rules *rules, const pmi_code_state *state,
                                                       const uint64_t *masks) {
    const uint64_t slash = masks[PM_MASK_SLASH], star = masks[PM_MASK_STAR];
    const bool was_block = state->inside == PM_INSIDE_BLOCK, was_line = state->inside == PM_INSIDE_LINE;
    pmi_code_comments found = {0, 0, 0, was_block, was_line, false, false};
    const uint64_t after_slash = slash << 1 | (uint64_t)state->slash;
    const uint64_t begin = star & after_slash;
    const uint64_t end = slash & (star << 1 | (uint64_t)state->star);
    const uint64_t blocks = pmi_code_spans(begin, end, &found.in_block);
    uint64_t lines = slash & after_slash;
    if (((begin | lines) & end << 1) != 0) { /* a closer's slash begins nothing */
        const uint64_t behind_closers = (end & blocks) << 1;
        found.odd = begin & behind_closers;
        found.touching = true;
        lines &= ~behind_closers;
    }
    const uint64_t line_begin = lines & ~blocks;
    const uint64_t after_backslash = masks[PM_MASK_BACKSLASH] << 1 | (uint64_t)state->backslash;
    const uint64_t line_end = masks[PM_MASK_NEWLINE] & ~(rules->lines_continue ? after_backslash : 0);
    const uint64_t line = pmi_code_spans(line_begin, line_end, &found.in_line); /* with its newline, which is code */
    const uint64_t block_firsts = begin & ~(blocks << 1 | (uint64_t)was_block);
    found.firsts = block_firsts | (line_begin & ~(line << 1 | (uint64_t)was_line));
    found.all = blocks | (line & ~line_end);
    found.odd |= (end & begin << 1) | (begin & lines << 1) | (block_firsts & line);
    if (rules->comments_nest)
        found.odd |= (begin & ~block_firsts) | (found.in_block ? slash >> 63 : 0);
    found.star = found.in_block && (star & ~block_firsts) >> 63;
    return found;
}

/* ---- Quotations ---- */

/* A word's strings and characters, from their opening quotes to before the closing ones. */
typedef struct pmi_code_quotes {
    uint64_t strings, characters;
    uint64_t opening_strings, opening_characters; /* their opening quotes */
    uint64_t odd;
    bool escaped; /* a backslash protects the byte behind the word */
} pmi_code_quotes;

/* `code`: outside comments. Returns false if the word is odd. */
static inline __attribute__((always_inline)) bool
pmi_code_find_quotes(const pmi_code_rules *rules, const pmi_code_state *state, const unsigned char *text, size_t length,
                     const uint64_t *masks, uint64_t code, uint64_t (*parity)(uint64_t), pmi_code_quotes *found) {
    const uint64_t was_string = state->inside == PM_INSIDE_STRING ? UINT64_MAX : 0;
    const uint64_t was_character = state->inside == PM_INSIDE_CHARACTER ? UINT64_MAX : 0;
    const uint64_t backslash = masks[PM_MASK_BACKSLASH];
    uint64_t escaped = (uint64_t)state->escaped;
    found->escaped = false;
    if (backslash != 0) {
        const pmi_quotation escape = {true, state->escaped};
        const uint64_t codes = pmi_quoted_escapes(&escape, backslash);
        escaped ^= codes ^ backslash ^ (backslash & (uint64_t)state->escaped);
        found->escaped = (codes & backslash) >> 63;
    }
    uint64_t quotes = masks[PM_MASK_STRING] & code;
    uint64_t strings = parity(quotes & ~escaped) ^ was_string;
    uint64_t apostrophes = masks[PM_MASK_CHARACTER] & code & ~strings, characters = was_character;
    found->odd = 0;
    if ((apostrophes | was_character) != 0) {
        if (rules->lifetimes) {
            uint64_t kept = apostrophes & ~escaped;
            found->odd = apostrophes & escaped;
            if (!pmi_code_remove_lifetimes(text, length, was_character != 0, &kept))
                return false;
            apostrophes = kept;
        }
        characters ^= parity(apostrophes & ~escaped);
        if ((quotes & characters) != 0 && !rules->lifetimes) {
            apostrophes = masks[PM_MASK_CHARACTER] & code;
            strings = was_string;
            characters = was_character;
            pmi_code_quotes_by_steps(quotes & ~escaped, apostrophes & ~escaped, &strings, &characters);
            quotes &= ~characters;
            apostrophes &= ~strings;
        }
    }
    const uint64_t goes_on = rules->strings_continue ? escaped : 0;
    found->odd |= (quotes & escaped & ~strings) | (apostrophes & escaped & ~characters) | (quotes & characters) |
                  (masks[PM_MASK_NEWLINE] & ~goes_on & (rules->strings_end ? strings | characters : characters));
    if (rules->triple) {
        const uint64_t pairs = quotes & quotes << 1;
        found->odd |= (pairs & pairs << 1) | (uint64_t)pmi_code_triple_crosses(text, length, quotes);
    }
    found->strings = strings;
    found->characters = characters;
    found->opening_strings = quotes & strings & ~escaped;
    found->opening_characters = apostrophes & characters & ~escaped;
    return true;
}

/* ---- Words ---- */

/* Reads a word in which something may begin or end, of `length` bytes of text from it on. Returns false, and changes
 * nothing, if it is odd. `parity` computes of each bit the parity of the bits up to and with it. */
static inline __attribute__((always_inline)) bool pmi_code_word(const pmi_code_rules *rules, pmi_code_state *state,
                                                                const unsigned char *text, size_t length,
                                                                const uint64_t *masks, const pmi_code_found *found,
                                                                size_t w, uint64_t (*parity)(uint64_t)) {
    const uint64_t slash = masks[PM_MASK_SLASH], backslash = masks[PM_MASK_BACKSLASH], other = masks[PM_MASK_OTHER];
    if (state->inside >= PM_INSIDE_RAW)
        return false;
    const bool was_comment = state->inside == PM_INSIDE_BLOCK || state->inside == PM_INSIDE_LINE;
    const bool was_quoted = state->inside == PM_INSIDE_STRING || state->inside == PM_INSIDE_CHARACTER;
    pmi_code_comments comments = {0, 0, 0, false, false, false, false};
    if ((slash | (uint64_t)state->slash | (uint64_t)was_comment) != 0)
        comments = pmi_code_find_comments(rules, state, masks);
    const uint64_t code = ~comments.all;

    pmi_code_quotes quotes = {0, 0, 0, 0, 0, false};
    if ((((masks[PM_MASK_STRING] | masks[PM_MASK_CHARACTER]) & code) | (uint64_t)was_quoted) != 0 &&
        !pmi_code_find_quotes(rules, state, text, length, masks, code, parity, &quotes))
        return false;
    uint64_t quoted = quotes.strings | quotes.characters, outside = code & ~quoted;
    const uint64_t after_backslash = backslash << 1 | (uint64_t)state->backslash;
    if ((comments.odd | quotes.odd | (comments.firsts & quoted) | (other & after_backslash)) != 0 ||
        (rules->returns && pmi_code_returns(text, after_backslash)))
        return false;

    /* The rest of the code. */
    if (rules->separators && !pmi_code_characters_plain(state, text, found, w, quotes.opening_characters))
        return false;
    if (rules->raw_after && !pmi_code_strings_plain(rules, state, text, quotes.opening_strings))
        return false;
    size_t directives = state->branches;
    const uint64_t slashes = rules->expressions ? slash & outside & ~(comments.firsts >> 1) : 0;
    if (((other & outside) | slashes) != 0) {
        pmi_code_text here = {text, length, w, outside & ~(comments.firsts >> 1), quoted, !(comments.firsts & 1)};
        uint64_t others = other & outside;
        size_t count = directives;
        if (!pmi_code_read_slashes(&here, found, slashes, &others) ||
            !pmi_code_others_plain(rules, &here, found, others, &count))
            return false;
        directives = count;
        outside &= ~here.quoted;
        quoted = here.quoted;
    }

    found->brackets[w] = masks[PM_MASK_BRACKET] & outside;
    found->comments[w] = comments.all | comments.firsts >> 1;
    found->quoted[w] = quoted;
    if ((comments.firsts & 1) && w > 0)
        found->comments[w - 1] |= UINT64_C(1) << 63;
    state->inside = comments.in_block         ? PM_INSIDE_BLOCK
                    : comments.in_line        ? PM_INSIDE_LINE
                    : quotes.strings >> 63    ? PM_INSIDE_STRING
                    : quotes.characters >> 63 ? PM_INSIDE_CHARACTER
                                              : PM_INSIDE_CODE;
    state->slash = (slash & outside) >> 63;
    state->star = comments.star;
    state->touching |= comments.touching;
    state->backslash = backslash >> 63;
    state->escaped = quotes.escaped;
    state->previous = text[PM_WORD_BITS - 1];
    state->branches = directives;
    return true;
}

static inline void pmi_code_set(const pmi_code_found *found, size_t w, uint64_t comments, uint64_t quoted) {
    found->brackets[w] = 0;
    found->comments[w] = comments;
    found->quoted[w] = quoted;
}

/* Passes through words of code in which nothing begins, or of a block comment in which nothing can end. Returns the
 * next word, of `words`. */
static inline __attribute__((always_inline)) size_t pmi_code_pass(const pmi_code_rules *rules, pmi_code_state *state,
                                                                  const unsigned char *text, uint64_t begins,
                                                                  size_t words, const pmi_code_found *found,
                                                                  size_t first, size_t w, const pmi_code_looks looks) {
    const size_t before = w;
    bool star = state->star;
    if (state->inside == PM_INSIDE_CODE && !state->slash) {
        w = begins >> w ? w + pmi_bits_lowest(begins >> w) : words;
        star = false;
    } else if (state->inside == PM_INSIDE_BLOCK) {
        for (; w < words; w++) {
            const unsigned char *const word = text + w * PM_WORD_BITS;
            const uint64_t slash = looks.equal(word, '/');
            if (slash != 0 && (rules->comments_nest || slash & (looks.equal(word, '*') << 1 | (uint64_t)star)))
                break;
            star = word[PM_WORD_BITS - 1] == '*';
            pmi_code_set(found, first + w, UINT64_MAX, 0);
        }
    }
    if (w > before) {
        state->slash = state->escaped = state->backslash = false;
        state->star = star;
        state->previous = text[w * PM_WORD_BITS - 1];
    }
    return w;
}

/* The same of one word of a comment of one line or of a string, whose masks are known. Returns false if something may
 * end in it. */
static inline bool pmi_code_pass_word(const pmi_code_rules *rules, pmi_code_state *state, const uint64_t *masks,
                                      const unsigned char *word, const pmi_code_found *found, size_t w) {
    switch (state->inside) {
    case PM_INSIDE_LINE:
        if (masks[PM_MASK_NEWLINE] != 0 || state->backslash ||
            (rules->returns && pmi_code_returns(word, masks[PM_MASK_BACKSLASH] << 1)))
            return false;
        pmi_code_set(found, w, UINT64_MAX, 0);
        break;
    case PM_INSIDE_STRING:
        if ((masks[PM_MASK_STRING] | masks[PM_MASK_BACKSLASH] | masks[PM_MASK_NEWLINE]) != 0)
            return false;
        pmi_code_set(found, w, 0, UINT64_MAX);
        break;
    case PM_INSIDE_LONG:
        if ((masks[PM_MASK_STRING] | masks[PM_MASK_BACKSLASH] | masks[PM_MASK_BRACKET] | masks[PM_MASK_OTHER] |
             found->closer->matched) != 0)
            return false;
        pmi_code_set(found, w, 0, UINT64_MAX);
        break;
    default:
        return false;
    }
    state->slash = state->escaped = state->star = false;
    state->backslash = state->inside == PM_INSIDE_LINE && masks[PM_MASK_BACKSLASH] >> 63;
    state->previous = word[PM_WORD_BITS - 1];
    return true;
}

/* Reads a word by its masks. Returns false if it is odd. */
static inline __attribute__((always_inline)) bool
pmi_code_masked_word(const pmi_code_rules *rules, pmi_code_state *state, const unsigned char *word, size_t length,
                     const uint64_t *masks, const pmi_code_found *found, size_t w, const pmi_code_looks looks) {
    const bool nested = state->inside & PM_INSIDE_NESTED &&
                        pmi_bits_count(looks.equal(word, '}')) < found->templates->braces; /* it cannot end */
    if (nested)
        state->inside &= ~PM_INSIDE_NESTED;
    const bool read = pmi_code_pass_word(rules, state, masks, word, found, w) ||
                      pmi_code_word(rules, state, word, length, masks, found, w, looks.parity);
    if (nested) {
        state->inside |= PM_INSIDE_NESTED;
        if (read) {
            pmi_code_count_braces(found, w, looks.equal(word, '{'), looks.equal(word, '}'));
            if (found->lines)
                found->brackets[w] &= ~looks.equal(word, '\n');
        }
    }
    return read;
}

/* Reads words of a part that was looked at, at most `words`, in another way than by a scan, and returns how many; 0:
 * the lexer must. odd: masks are not tried, as they would fail. */
static inline __attribute__((always_inline)) size_t
pmi_code_other_words(const pmi_code_rules *rules, pmi_code_state *state, const unsigned char *word, size_t length,
                     size_t words, const pmi_code_found *found, size_t w, const pmi_code_looks looks,
                     const void *target, bool odd) {
    uint64_t masks[PM_MASK_COUNT];
    looks.masks(target, word, masks);
    if (!odd && pmi_code_masked_word(rules, state, word, length, masks, found, w, looks))
        return 1;
    const bool holds = looks.nested && pmi_code_is_nested(state);
    const size_t nested = holds ? looks.nested(target, rules, state, word, length, words, found, w) : 0;
    if (nested > 0)
        return nested;
    pmi_code_state copy = *state;
    if (!pmi_code_by_steps(rules, &copy, word, length, masks, found, w, looks.signs))
        return 0;
    *state = copy;
    return 1;
}

/* Scans words of text, and reads those in another way in which that does not do, until one is odd. Returns how many
 * were read. *dense: it ended, too, where so much begins that no more should be scanned. `looked` is of the last part.
 */
static inline __attribute__((always_inline)) size_t pmi_code_scanned(const pmi_code_rules *rules, pmi_code_state *state,
                                                                     const unsigned char *text, size_t words,
                                                                     const pmi_code_found *found,
                                                                     const pmi_code_looks looks, void *target,
                                                                     pmi_code_looked *looked, bool *dense) {
    unsigned vain = 0;
    *dense = false;
    for (size_t first = 0; first < words; first += PM_CODE_LOOK_WORDS) {
        const unsigned char *const of_part = text + first * PM_WORD_BITS;
        const size_t length = (words - first) * PM_WORD_BITS;
        const size_t part = words - first < PM_CODE_LOOK_WORDS ? words - first : PM_CODE_LOOK_WORDS;
        size_t w = 0;
        pmi_code_scan scan;
        looks.code(target, of_part, part, found, first, looked);
        pmi_code_scan_init(&scan, rules, of_part, part, length, found, first, looked);
        while (w < part) {
            bool odd = false;
            if (pmi_code_scans_inside(rules, state->inside)) {
                const size_t from = w;
                const pmi_code_scanned_to to = pmi_code_scan_words(&scan, &w, state, looks);
                vain = w == from ? vain + 1 : 0;
                *dense = to == PM_SCANNED_TO_DENSE || vain == PM_CODE_SCAN_VAIN;
                if (*dense)
                    return first + w;
                if (to == PM_SCANNED_ALL)
                    break;
                odd = !rules->comments_nest; /* those masks may read */
            }
            const unsigned char *const word = of_part + w * PM_WORD_BITS;
            const size_t others =
                looks.other(target, rules, state, word, length - w * PM_WORD_BITS, part - w, found, first + w, odd);
            if (others == 0)
                return first + w;
            w += others;
        }
    }
    return words;
}

/* Reads words of text, from the `read`-th on, until one is odd. Returns which that is, or `words`. `looked` may be of
 * the part of that word already. */
static inline __attribute__((always_inline)) size_t
pmi_code_words(const pmi_code_rules *rules, pmi_code_state *state, const unsigned char *text, size_t read, size_t words,
               const pmi_code_found *found, const pmi_code_looks looks, void *target, pmi_code_looked *looked) {
    pmi_code_state now = *state;
    size_t w = read % PM_CODE_LOOK_WORDS, part = w, first = read - w;
    for (; first < words && w == part; first += part) {
        const unsigned char *const of_part = text + first * PM_WORD_BITS;
        part = words - first < PM_CODE_LOOK_WORDS ? words - first : PM_CODE_LOOK_WORDS;
        if (looked->first != first)
            looks.code(target, of_part, part, found, first, looked);
        for (w = first < read ? w : 0; w < part;) {
            w = pmi_code_pass(rules, &now, of_part, looked->begins, part, found, first, w, looks);
            if (w == part)
                break;
            const unsigned char *const word = of_part + w * PM_WORD_BITS;
            const size_t length = (words - first - w) * PM_WORD_BITS;
            const size_t others =
                pmi_code_other_words(rules, &now, word, length, part - w, found, first + w, looks, target, false);
            if (others == 0)
                break;
            w += others;
        }
    }
    *state = now;
    return w < part ? first - part + w : first;
}

#endif
