/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a word of text is code, where strings, comments and the like interfere with each other: from what begins one
 * of them to its end, and to the next beginning. See broadword/text/code_masks.h.
 */
#ifndef PM_BROADWORD_TEXT_CODE_STEPS_H
#define PM_BROADWORD_TEXT_CODE_STEPS_H

#include "broadword/text/code_long.h"

/* ---- A word ---- */

typedef struct pmi_code_steps {
    const pmi_code_rules *rules;
    const uint64_t *masks;
    const pmi_code_found *found;
    pmi_code_text text; /* whose `code` and `quoted` are right for bytes before `at` */
    unsigned at;        /* the next byte; behind the word: one that is protected */
    pmi_code_inside inside;
    bool begun;    /* a block comment's opener is in the word, and ends before: */
    unsigned from; /* the first byte that may be of its closer */
    bool slash;    /* the last byte is one, of code */
    bool touching; /* as in the state; the same: */
    bool in_class;
    size_t directives; /* noted */
    bool nested;       /* inside is PM_INSIDE_NESTED, too */
    bool dollar;       /* as in the state */
    pmi_code_templates
        *templates;             /* those of pmi_code_found, if the word may need them; and how they were before it, */
    pmi_code_templates *before; /* the strings around from this level on: */
    unsigned before_from;
    pmi_code_closer closer;   /* the same */
    unsigned opening, opened; /* as in the state */
    uint64_t uncounted;       /* code that is no bracket, whatever the mask says */
    pmi_code_look_signs look; /* which stores: */
    pmi_code_signs signs;     /* of the word, if they are known, */
    bool signs_known;         /* as pmi_code_know_signs() makes sure */
} pmi_code_steps;

/* The bits of a mask from the next byte on. */
static inline uint64_t pmi_code_ahead(const pmi_code_steps *steps, uint64_t mask) {
    return mask & ~pmi_bits_low(steps->at);
}

static inline unsigned pmi_code_first(uint64_t mask) {
    return mask != 0 ? pmi_bits_lowest(mask) : PM_WORD_BITS;
}

static inline uint64_t pmi_code_range(unsigned from, unsigned end) {
    return pmi_bits_low(end < PM_WORD_BITS ? end : PM_WORD_BITS) & ~pmi_bits_low(from);
}

/* Goes on at byte `end`; those before it are in a comment, or quoted. */
static inline void pmi_code_comment_to(pmi_code_steps *steps, unsigned from, unsigned end) {
    steps->text.code &= ~pmi_code_range(from, end);
    steps->at = end;
}

static inline void pmi_code_quote_to(pmi_code_steps *steps, unsigned from, unsigned end) {
    steps->text.code &= ~pmi_code_range(from, end);
    steps->text.quoted |= pmi_code_range(from, end);
    steps->at = end;
}

/* What is opened at `at` goes on at byte `inner`, perhaps of the next word. */
static inline void pmi_code_open_to(pmi_code_steps *steps, unsigned at, unsigned inner) {
    steps->at = inner;
    steps->opened = inner > PM_WORD_BITS ? inner - PM_WORD_BITS : 0;
    steps->opening = PM_WORD_BITS - at;
}

/* The byte at `bit`, which may be behind the word; 0 behind the text. */
static inline unsigned char pmi_code_byte(const pmi_code_steps *steps, unsigned bit) {
    return bit < steps->text.length ? steps->text.bytes[bit] : 0;
}

static inline void pmi_code_know_signs(pmi_code_steps *steps) {
    if (!steps->signs_known)
        steps->look(steps->text.bytes, &steps->signs);
    steps->signs_known = true;
}

/* ---- Regions ---- */

static inline bool pmi_code_step_block(pmi_code_steps *steps) {
    const uint64_t slash = steps->masks[PM_MASK_SLASH], star = steps->masks[PM_MASK_STAR];
    const uint64_t before = steps->begun ? 0 : 1; /* the first byte may end it if the word before ends with a star */
    const uint64_t stars = star & ~pmi_bits_low(steps->from);
    if (steps->rules->comments_nest)
        return false;
    const uint64_t ends = slash & (stars << 1 | before) & ~pmi_bits_low(steps->at);
    const unsigned end = pmi_code_first(ends);
    pmi_code_comment_to(steps, steps->at, end < PM_WORD_BITS ? end + 1 : end);
    if (end < PM_WORD_BITS)
        steps->inside = PM_INSIDE_CODE;
    return true;
}

static inline bool pmi_code_step_line(pmi_code_steps *steps, uint64_t after_backslash) {
    const uint64_t continued = steps->rules->lines_continue ? after_backslash : 0;
    const unsigned end = pmi_code_first(pmi_code_ahead(steps, steps->masks[PM_MASK_NEWLINE] & ~continued));
    pmi_code_comment_to(steps, steps->at, end);
    if (end < PM_WORD_BITS)
        steps->inside = PM_INSIDE_CODE;
    return true;
}

/* A string or character, whose opening quote may be before the next byte. */
static inline bool pmi_code_step_quote(pmi_code_steps *steps, unsigned quote_mask, unsigned from) {
    const bool ends = quote_mask == PM_MASK_CHARACTER || steps->rules->strings_end;
    const uint64_t newlines = ends ? steps->masks[PM_MASK_NEWLINE] : 0;
    const uint64_t stops = steps->masks[quote_mask] | steps->masks[PM_MASK_BACKSLASH] | newlines;
    while (steps->at < PM_WORD_BITS) {
        const unsigned stop = pmi_code_first(pmi_code_ahead(steps, stops));
        if (stop == PM_WORD_BITS)
            break;
        const unsigned char byte = steps->text.bytes[stop];
        if (byte != '\\') {
            pmi_code_quote_to(steps, from, stop);
            steps->at = stop + (byte != '\n'); /* the closing quote is code, and so is the newline */
            steps->inside = PM_INSIDE_CODE;
            return true;
        }
        const bool cut =
            stop + 1 < PM_WORD_BITS && steps->text.bytes[stop + 1] == '\n' && ends && !steps->rules->strings_continue;
        if (cut && !steps->rules->strings_cut)
            return false;
        steps->at = stop + 2 - cut;
    }
    pmi_code_quote_to(steps, from, steps->at > PM_WORD_BITS ? steps->at : PM_WORD_BITS);
    return true;
}

/* Code begins at an open brace in a string. Returns false if the lexer must read it. */
static inline bool pmi_code_step_template(pmi_code_steps *steps) {
    pmi_code_templates *const templates = steps->templates;
    if (!templates || templates->level == PM_CODE_TEMPLATES)
        return false;
    templates->around[templates->level].start = templates->start;
    templates->around[templates->level].element = templates->element;
    templates->sorts[templates->level] = templates->sort;
    templates->around[templates->level++].braces = templates->braces;
    templates->braces = 1;
    steps->nested = true;
    steps->inside = PM_INSIDE_CODE;
    steps->at++;
    return true;
}

/* The bytes with which something may begin in code that is in no string. */
static inline uint64_t pmi_code_beginning(const pmi_code_steps *steps) {
    const uint64_t *const masks = steps->masks;
    return masks[PM_MASK_STRING] | masks[PM_MASK_CHARACTER] | masks[PM_MASK_SLASH] | masks[PM_MASK_OTHER];
}

/* Code begins at an open brace: passes over it if it ends in the word and nothing but brackets begins in it. Bytes
 * `from` ... are in a string that is not marked yet. */
static __attribute__((noinline, unused)) bool pmi_code_pass_code(pmi_code_steps *steps, unsigned from) {
    const uint64_t begins = pmi_code_beginning(steps);
    const unsigned at = steps->at;
    for (uint64_t rest = (begins | steps->masks[PM_MASK_BRACKET]) & ~pmi_code_range(0, at + 1); rest != 0;
         rest &= rest - 1) {
        const unsigned end = pmi_bits_lowest(rest);
        const unsigned char byte = steps->text.bytes[end];
        if (byte == '}') {
            pmi_code_quote_to(steps, from, at);
            steps->at = end + 1;
            return true;
        }
        if (byte == '{' || byte == '\n' || (begins >> end & 1)) /* newlines are brackets where they may end a record */
            break;
    }
    return false;
}

/* A string between backticks has ended before the next byte: goes on behind the backtick of another one, if nothing
 * else begins before it. */
static inline bool pmi_code_step_next_literal(pmi_code_steps *steps) {
    const unsigned at = pmi_code_first(pmi_code_ahead(steps, pmi_code_beginning(steps)));
    if (steps->nested || at == PM_WORD_BITS || steps->text.bytes[at] != '`')
        return false;
    if (steps->templates)
        steps->templates->start = steps->text.w * PM_WORD_BITS + at;
    steps->at = at + 1;
    return true;
}

/* Between backticks. */
static inline bool pmi_code_step_backticks(pmi_code_steps *steps, unsigned from) {
    const bool templates = steps->rules->templates;
    const uint64_t stops =
        steps->masks[PM_MASK_OTHER] | (templates ? steps->masks[PM_MASK_BACKSLASH] | steps->masks[PM_MASK_BRACKET] : 0);
    const bool dollar = steps->dollar;
    unsigned unprotected = steps->at; /* bytes from this one on */
    steps->dollar = false;            /* where something else goes on behind the string */
    while (steps->at < PM_WORD_BITS) {
        const unsigned at = pmi_code_first(pmi_code_ahead(steps, stops));
        steps->at = at;
        if (at == PM_WORD_BITS)
            break;
        const unsigned char byte = steps->text.bytes[at];
        if (byte == '`') {
            pmi_code_quote_to(steps, from, at);
            steps->at = at + 1;
            if (!pmi_code_step_next_literal(steps)) {
                steps->inside = PM_INSIDE_CODE;
                return true;
            }
            unprotected = steps->at;
            from = unprotected - 1;
            continue;
        }
        if (templates && byte == '{' && (at > unprotected ? steps->text.bytes[at - 1] == '$' : at == 0 && dollar)) {
            if (steps->templates && pmi_code_pass_code(steps, from)) {
                from = unprotected = steps->at;
                continue;
            }
            pmi_code_quote_to(steps, from, at);
            return pmi_code_step_template(steps);
        }
        steps->at = at + 1 + (templates && byte == '\\');
        if (byte == '\\')
            unprotected = steps->at;
    }
    steps->dollar = templates && unprotected < PM_WORD_BITS && steps->text.bytes[PM_WORD_BITS - 1] == '$';
    pmi_code_quote_to(steps, from, steps->at);
    return true;
}

/* Counts the braces of a word of code in a string, whose brackets are known; those bytes are braces. */
static inline void pmi_code_count_braces(const pmi_code_found *found, size_t w, uint64_t opening, uint64_t closing) {
    found->templates->braces += pmi_bits_count(found->brackets[w] & opening);
    found->templates->braces -= pmi_bits_count(found->brackets[w] & closing);
}

/* In a string of C# that holds code. Its braces around code are code, but no brackets. */
static __attribute__((noinline, unused)) bool pmi_code_step_interpolated(pmi_code_steps *steps, unsigned from) {
    const bool lined = steps->templates->sort == PM_HOLDER_DOLLAR; /* ends with its line; in others "" is a quote */
    const uint64_t *const masks = steps->masks;
    const uint64_t stops = masks[PM_MASK_STRING] | masks[PM_MASK_BRACKET] | masks[PM_MASK_OTHER] |
                           (lined ? masks[PM_MASK_BACKSLASH] | masks[PM_MASK_NEWLINE] : 0);
    while (steps->at < PM_WORD_BITS) {
        const unsigned at = pmi_code_first(pmi_code_ahead(steps, stops));
        steps->at = at;
        if (at == PM_WORD_BITS)
            break;
        const unsigned char byte = steps->text.bytes[at], next = pmi_code_byte(steps, at + 1);
        if (at + 1 == steps->text.length && byte != '\n')
            return false;
        steps->at = at + 1;
        if ((byte == '"' && (lined || next != '"')) || (lined && byte == '\n')) {
            pmi_code_quote_to(steps, from, at);
            steps->at = at + (byte == '"');
            steps->inside = PM_INSIDE_CODE;
            return true;
        }
        if (byte == '{' && next != '{' && !(lined && (next == '\n' || next == '\\'))) {
            pmi_code_quote_to(steps, from, at);
            steps->uncounted |= UINT64_C(1) << at;
            return pmi_code_step_template(steps);
        }
        if (byte == '\\' && next == '\n' && !steps->rules->strings_cut)
            return false;
        if ((lined && byte == '\\' && next != '\n') || (byte == '{' && next == '{') || (!lined && byte == '"'))
            steps->at = at + 2;
    }
    pmi_code_quote_to(steps, from, steps->at);
    return true;
}

/* The `previous` of an element behind bytes from ... at - 1 of a tag, before which it was another. */
static inline unsigned char pmi_code_tag_previous(const pmi_code_steps *steps, unsigned from, unsigned at,
                                                  unsigned char previous) {
    const uint64_t passed = pmi_code_range(from, at) & ~steps->signs.blanks;
    if (passed == 0)
        return previous;
    const unsigned char last = steps->text.bytes[pmi_bits_highest(passed)];
    return last == '/' || last == '=' ? last : 0;
}

/* Behind a slash of a tag: is the next byte a star, blanks aside? */
static inline bool pmi_code_tag_comments(const pmi_code_steps *steps, unsigned at) {
    const unsigned next = pmi_code_first(~steps->signs.blanks & ~pmi_bits_low(at));
    return next < PM_WORD_BITS && steps->text.bytes[next] == '*';
}

/* From each opening quote of a tag on, of those from the next byte on, to before the closing one. */
static inline uint64_t pmi_code_tag_strings(const pmi_code_steps *steps) {
    uint64_t inside = pmi_code_ahead(steps, steps->masks[PM_MASK_STRING]);
    if (inside == 0)
        return 0; /* as in many tags, which then need not wait */
    for (unsigned shift = 1; shift < PM_WORD_BITS; shift *= 2)
        inside ^= inside << shift;
    return inside;
}

/* A string or apostrophes of a tag that began at the next byte or before the word: goes behind it. */
static inline void pmi_code_step_value(pmi_code_steps *steps, pmi_code_element *element, unsigned from) {
    const uint64_t ends = steps->masks[element->step == PM_ELEMENT_DOUBLE ? PM_MASK_STRING : PM_MASK_CHARACTER];
    const unsigned end = pmi_code_first(ends & ~pmi_bits_low(from));
    if (end < PM_WORD_BITS)
        element->step = PM_ELEMENT_TAG;
    steps->at = end < PM_WORD_BITS ? end + 1 : end;
}

/* Reads a tag that opens, up to its end or a brace behind which the code is not plain. Returns false if the lexer
 * must. */
static inline bool pmi_code_step_tag(pmi_code_steps *steps, pmi_code_element *element, unsigned *quoted_from) {
    const pmi_code_signs *const signs = &steps->signs;
    const uint64_t stops =
        steps->masks[PM_MASK_CHARACTER] | steps->masks[PM_MASK_SLASH] | signs->less | signs->greater | signs->braces;
    uint64_t strings = pmi_code_tag_strings(steps);
    for (;;) {
        const unsigned from = steps->at;
        if (element->previous == '/' && pmi_code_tag_comments(steps, from))
            return false;
        const unsigned at = pmi_code_first(pmi_code_ahead(steps, stops & ~strings));
        const unsigned char previous = pmi_code_tag_previous(steps, from, at, element->previous);
        const bool ends_in_string = at == PM_WORD_BITS && from < PM_WORD_BITS && strings >> (PM_WORD_BITS - 1);
        steps->at = at;
        element->step = ends_in_string ? PM_ELEMENT_DOUBLE : PM_ELEMENT_TAG;
        element->previous = at < PM_WORD_BITS || ends_in_string ? 0 : previous;
        if (at == PM_WORD_BITS)
            return true;
        const unsigned char byte = steps->text.bytes[at];
        if (byte == '>' && element->types == 0) {
            element->depth += previous != '/';
            element->step = PM_ELEMENT_TEXT;
            return true;
        }
        if (byte == '{' && !pmi_code_pass_code(steps, *quoted_from))
            return true;
        if (byte == '{')
            *quoted_from = steps->at;
        if (byte == '\'') {
            element->step = PM_ELEMENT_SINGLE;
            pmi_code_step_value(steps, element, at + 1);
            if (steps->at == PM_WORD_BITS && element->step == PM_ELEMENT_SINGLE)
                return true;
        }
        if (byte == '{' || byte == '\'') {
            strings = pmi_code_tag_strings(steps);
            continue;
        }
        if (byte == '}' || (byte == '/' && previous == '/') || (byte == '<' && element->types == PM_ELEMENT_TYPES_MAX))
            return false;
        element->types = (uint16_t)(element->types + (byte == '<') - (byte == '>' && previous != '='));
        element->previous = byte == '/' ? byte : 0;
        steps->at++;
    }
}

/* Behind a < in an element. */
static inline void pmi_code_step_element_less(pmi_code_steps *steps, pmi_code_element *element) {
    const unsigned char byte = steps->text.bytes[steps->at];
    element->previous = 0;
    element->step = byte == '/' ? PM_ELEMENT_CLOSING : pmi_code_begins_tag(byte) ? PM_ELEMENT_TAG : PM_ELEMENT_TEXT;
    steps->at += byte == '/';
}

/* Reads text or a tag of an element up to a byte that matters; stores whether a tag ends with that. Returns false if
 * the lexer must. */
static inline bool pmi_code_step_element_part(pmi_code_steps *steps, pmi_code_element *element, unsigned *from,
                                              bool *ended) {
    *ended = false;
    switch (element->step) {
    case PM_ELEMENT_TEXT:
        steps->at = pmi_code_first(pmi_code_ahead(steps, steps->signs.less | steps->signs.braces));
        return true;
    case PM_ELEMENT_TAG:
        if (!pmi_code_step_tag(steps, element, from))
            return false;
        *ended = element->step == PM_ELEMENT_TEXT;
        return true;
    default:
        steps->at = pmi_code_first(pmi_code_ahead(steps, steps->signs.greater));
        *ended = steps->at < PM_WORD_BITS;
        element->depth -= *ended;
        return true;
    }
}

/* Reads an element from the next byte on, by runs up to a byte that matters. The last > is code, but no bracket. */
static __attribute__((noinline, unused)) bool pmi_code_step_element(pmi_code_steps *steps, unsigned from) {
    pmi_code_element *const element = &steps->templates->element;
    pmi_code_know_signs(steps);
    while (steps->at < PM_WORD_BITS) {
        bool ended;
        if (element->step == PM_ELEMENT_DOUBLE || element->step == PM_ELEMENT_SINGLE) {
            pmi_code_step_value(steps, element, steps->at);
            continue;
        }
        if (element->step == PM_ELEMENT_LESS) {
            pmi_code_step_element_less(steps, element);
            continue;
        }
        if (!pmi_code_step_element_part(steps, element, &from, &ended))
            return false;
        if (steps->at == PM_WORD_BITS)
            break;
        const unsigned char byte = steps->text.bytes[steps->at];
        if (ended && element->depth == 0) {
            pmi_code_quote_to(steps, from, steps->at);
            steps->uncounted |= UINT64_C(1) << steps->at++;
            steps->inside = PM_INSIDE_CODE;
            return true;
        }
        if (byte == '{') {
            if (!pmi_code_pass_code(steps, from)) {
                pmi_code_quote_to(steps, from, steps->at);
                return pmi_code_step_template(steps);
            }
            from = steps->at;
            continue;
        }
        if (byte == '}')
            return false;
        element->step = ended ? PM_ELEMENT_TEXT : PM_ELEMENT_LESS;
        element->previous = 0;
        steps->at++;
    }
    pmi_code_quote_to(steps, from, PM_WORD_BITS);
    return true;
}

/* In a string that may hold code. */
static inline bool pmi_code_step_raw(pmi_code_steps *steps, unsigned from) {
    if (!steps->templates || steps->templates->sort == PM_HOLDER_BACKTICKS)
        return pmi_code_step_backticks(steps, from);
    return steps->templates->sort == PM_HOLDER_ELEMENT ? pmi_code_step_element(steps, from)
                                                       : pmi_code_step_interpolated(steps, from);
}

/* A regular expression, whose slash may be before the next byte. It ends with its line. */
static inline bool pmi_code_step_expression(pmi_code_steps *steps, unsigned from) {
    const uint64_t *const masks = steps->masks;
    const uint64_t stops = masks[PM_MASK_SLASH] | masks[PM_MASK_NEWLINE] | masks[PM_MASK_BACKSLASH] |
                           masks[PM_MASK_BRACKET] | masks[PM_MASK_OTHER];
    while (steps->at < PM_WORD_BITS) {
        const unsigned at = pmi_code_first(pmi_code_ahead(steps, stops));
        steps->at = at;
        if (at == PM_WORD_BITS)
            break;
        const unsigned char byte = steps->text.bytes[at];
        if (byte == '\n' || (byte == '/' && !steps->in_class)) {
            pmi_code_quote_to(steps, from, at);
            steps->at = at + (byte == '/');
            steps->inside = PM_INSIDE_CODE;
            return true;
        }
        if (byte == '[' || byte == ']')
            steps->in_class = byte == '[';
        steps->at = at + 1;
        if (byte != '\\')
            continue;
        const unsigned char next = pmi_code_byte(steps, at + 1);
        if (next == '\n' || next == '\r')
            return false;
        steps->at = at + 2;
    }
    pmi_code_quote_to(steps, from, steps->at);
    return true;
}

/* A string that more than one byte opens or closes, which began at `from` or before the word. */
static inline bool pmi_code_step_long(pmi_code_steps *steps, unsigned from) {
    unsigned end = steps->at;
    switch (pmi_code_read_long(&steps->closer, &steps->text, steps->masks, &end)) {
    case PM_CODE_ENDING_UNKNOWN:
        return false;
    case PM_CODE_GOES_ON:
        pmi_code_quote_to(steps, from, end);
        return true;
    case PM_CODE_ENDS:
        pmi_code_quote_to(steps, from, end - 1);
        steps->at = end;
        steps->inside = PM_INSIDE_CODE;
        return true;
    }
    return false;
}

/* One begins at `at`, and what opens it ends before `inner`. */
static inline bool pmi_code_begin_long(pmi_code_steps *steps, pmi_code_long sort, unsigned at, unsigned inner) {
    steps->closer.sort = (unsigned char)sort;
    steps->inside = PM_INSIDE_LONG;
    pmi_code_open_to(steps, at, inner);
    return pmi_code_step_long(steps, at);
}

/* ---- Code ---- */

static inline bool pmi_code_step_slash(pmi_code_steps *steps, unsigned at) {
    const unsigned char next = pmi_code_byte(steps, at + 1);
    const bool last = at == PM_WORD_BITS - 1;
    steps->at = at + 1;
    if (at > 0 && !((steps->text.code | steps->text.quoted) >> (at - 1) & 1))
        steps->touching = true;
    if (!last && next == '/') {
        steps->inside = PM_INSIDE_LINE;
        pmi_code_comment_to(steps, at, at + 2);
    } else if (!last && next == '*') {
        steps->inside = PM_INSIDE_BLOCK;
        steps->begun = true;
        steps->from = at + 2;
        pmi_code_comment_to(steps, at, at + 2);
    } else if (steps->rules->expressions && !(last && (next == '/' || next == '*'))) {
        if (last && steps->text.length == PM_WORD_BITS)
            return false;
        const pmi_code_slash slash = pmi_code_look_slash(&steps->text, steps->found, at);
        if (slash != PM_SLASH_DIVISION) {
            steps->inside = PM_INSIDE_EXPRESSION;
            steps->in_class = false;
            return slash == PM_SLASH_EXPRESSION && pmi_code_step_expression(steps, at);
        }
        steps->slash = last;
    } else {
        steps->slash = last;
    }
    return true;
}

/* The quote at `at` begins a raw string. */
static inline bool pmi_code_step_raw_string(pmi_code_steps *steps, unsigned at, unsigned hashes) {
    pmi_code_closer *const closer = &steps->closer;
    unsigned inner = at + 1;
    *closer = (pmi_code_closer){.length = 0};
    if (steps->rules->hashes) {
        if (hashes > PM_CODE_DELIMITER)
            return false;
        closer->bytes[0] = '"';
        for (unsigned k = 1; k <= hashes; k++)
            closer->bytes[k] = '#';
        closer->length = (unsigned char)(hashes + 1);
    } else {
        const unsigned opener = pmi_code_read_delimiter(&steps->text, (size_t)inner, closer);
        if (opener == 0)
            return false;
        inner += opener;
    }
    if (inner > PM_WORD_BITS)
        inner = PM_WORD_BITS; /* the rest of the delimiter may be read as what is in the string */
    return pmi_code_begin_long(steps, PM_LONG_RAW, at, inner);
}

/* May a $ at `at` be part of a directive's name, as letters are? */
static inline bool pmi_code_may_be_named(const pmi_code_steps *steps, unsigned at) {
    const int first = steps->text.w > 0 || steps->found->reaches_back ? -(int)PM_WORD_BITS : 0;
    int before = (int)at;
    while (before > first && pmi_byte_in_name(steps->text.bytes[before - 1]))
        before--;
    while (before > first && (steps->text.bytes[before - 1] == ' ' || steps->text.bytes[before - 1] == '\t'))
        before--;
    return before == first || steps->text.bytes[before - 1] == '#';
}

/* A $ or @ of C#, which may begin a string that holds code. */
static inline bool pmi_code_step_dollar(pmi_code_steps *steps, unsigned at) {
    const unsigned char byte = steps->text.bytes[at], next = pmi_code_byte(steps, at + 1);
    const unsigned char third = pmi_code_byte(steps, at + 2);
    const bool both = next == (byte == '$' ? '@' : '$');
    steps->at = at + 1;
    if ((size_t)at + 3 > steps->text.length || (byte == '$' && pmi_code_may_be_named(steps, at)))
        return false;
    if (!both && next != '"')
        return true;
    if ((both ? third != '"' : byte == '@') || !steps->templates)
        return false;
    steps->templates->sort = !both ? PM_HOLDER_DOLLAR : byte == '$' ? PM_HOLDER_DOLLAR_AT : PM_HOLDER_AT_DOLLAR;
    steps->templates->start = steps->text.w * PM_WORD_BITS + at;
    steps->inside = PM_INSIDE_RAW;
    pmi_code_open_to(steps, at, at + 2 + both);
    return pmi_code_step_interpolated(steps, at);
}

/* A < that may begin an element. */
static inline bool pmi_code_step_less(pmi_code_steps *steps, unsigned at) {
    if (!steps->templates)
        return pmi_code_less_plain(&steps->text, steps->found, at);
    pmi_code_know_signs(steps);
    const pmi_code_less less = pmi_code_look_less(&steps->text, &steps->signs, steps->found, at);
    if (less != PM_LESS_ELEMENT)
        return less == PM_LESS_PLAIN;
    steps->templates->sort = PM_HOLDER_ELEMENT;
    steps->templates->start = steps->text.w * PM_WORD_BITS + at;
    steps->templates->element = (pmi_code_element){.step = PM_ELEMENT_TAG};
    steps->inside = PM_INSIDE_RAW;
    return pmi_code_step_element(steps, at);
}

/* A # that may begin a directive. The rest of the line behind some is read as a comment of one line. */
static inline bool pmi_code_step_hash(pmi_code_steps *steps, unsigned at) {
    const pmi_code_text *const text = &steps->text;
    size_t end;
    bool known = true;
    if (steps->found->branches.what == PM_BRANCHES_READ || pmi_code_directive(text, at, &end) != PM_CODE_SKIPS)
        return pmi_code_others_plain(steps->rules, text, steps->found, UINT64_C(1) << at, &steps->directives);
    if (!pmi_code_begins_line(text, steps->found, at, &known))
        return known;
    if (!known || end >= PM_WORD_BITS || !pmi_code_line_ends(text, end))
        return false;
    steps->inside = PM_INSIDE_LINE;
    steps->at = (unsigned)end;
    return true;
}

/* What is no string, nor a character or a slash. */
static inline bool pmi_code_step_other(pmi_code_steps *steps, unsigned at) {
    const pmi_code_rules *const rules = steps->rules;
    const unsigned char byte = steps->text.bytes[at];
    if (byte == '@' && rules->verbatim && pmi_code_byte(steps, at + 1) == '"') {
        steps->closer = (pmi_code_closer){.length = 1, .bytes = "\"", .doubled = true};
        return pmi_code_begin_long(steps, PM_LONG_VERBATIM, at, at + 2);
    }
    if (rules->elements && byte == '<')
        return pmi_code_step_less(steps, at);
    if (rules->interpolated && (byte == '$' || byte == '@'))
        return pmi_code_step_dollar(steps, at);
    if (rules->directives && byte == '#')
        return pmi_code_step_hash(steps, at);
    return pmi_code_others_plain(rules, &steps->text, steps->found, UINT64_C(1) << at, &steps->directives);
}

static inline bool pmi_code_step_string(pmi_code_steps *steps, const pmi_code_state *state, unsigned at) {
    const pmi_code_rules *const rules = steps->rules;
    if (rules->raw_after) {
        bool raw;
        const int hashes = pmi_code_raw_before(rules, state, &steps->text, steps->found, at, &raw);
        if (hashes == PM_CODE_UNKNOWN)
            return false;
        if (raw)
            return pmi_code_step_raw_string(steps, at, (unsigned)hashes);
    }
    if (rules->triple && (at + 1 == steps->text.length || steps->text.bytes[at + 1] == '"') &&
        (at + 2 >= steps->text.length || steps->text.bytes[at + 2] == '"')) {
        if (!rules->triple_known || at + 3 > steps->text.length)
            return false;
        steps->closer = (pmi_code_closer){.length = 3, .bytes = "\"\"\"", .escapes = rules->triple_escapes};
        return pmi_code_begin_long(steps, PM_LONG_TRIPLE, at, at + 3);
    }
    steps->inside = PM_INSIDE_STRING;
    steps->at = at + 1;
    return pmi_code_step_quote(steps, PM_MASK_STRING, at);
}

/* Is it certain that a number does not go on from the word before, and from what was before the first one? */
static inline bool pmi_code_begins_number(const pmi_code_steps *steps) {
    const pmi_code_text *const text = &steps->text;
    const pmi_code_found *const found = steps->found;
    const unsigned char before = text->w > 0 ? text->bytes[-1] : found->branches.before[0];
    if (before != '.' && before != '\'' && !pmi_byte_in_name(before))
        return text->w > 0 || (found->branches.what != PM_BRANCHES_READ && steps->rules->directives && text->clear);
    return text->w > 0 && before == '\'' && !(found->quoted[text->w - 1] >> (PM_WORD_BITS - 1)) &&
           pmi_code_quoted_before(text, found, text->w - 1, PM_WORD_BITS - 1);
}

/* Does an apostrophe separate the digits of a number, as the lexer finds? *known: it can be told. */
static inline bool pmi_code_separates(const pmi_code_steps *steps, const pmi_code_state *state, unsigned at,
                                      bool *known) {
    unsigned first = at;
    for (; first > 0 && at - first < PM_CODE_SEPARATED; first--) {
        const unsigned char byte = steps->text.bytes[first - 1];
        if (!(steps->text.code >> (first - 1) & 1) || !(pmi_byte_in_name(byte) || byte == '.' || byte == '\'') ||
            (byte == '\'' &&
             (first == 1 ? state->inside == PM_INSIDE_CHARACTER : steps->text.quoted >> (first - 2) & 1)))
            break;
    }
    *known = first > 0 || pmi_code_begins_number(steps);
    const unsigned char byte = steps->text.bytes[first], second = first + 1 < at ? steps->text.bytes[first + 1] : 0;
    return at - first == PM_CODE_SEPARATED || (byte >= '0' && byte <= '9') ||
           (byte == '.' && second >= '0' && second <= '9');
}

static inline bool pmi_code_step_apostrophe(pmi_code_steps *steps, const pmi_code_state *state, unsigned at) {
    const pmi_code_rules *const rules = steps->rules;
    const unsigned char *const bytes = steps->text.bytes;
    bool known = true;
    steps->at = at + 1;
    if (rules->lifetimes && pmi_code_is_lifetime(bytes, steps->text.length, at, &known))
        return true;
    if (rules->separators && pmi_code_number_ends(pmi_code_before(state, bytes, at)) &&
        pmi_code_separates(steps, state, at, &known) && known)
        return true;
    if (!known)
        return false;
    steps->inside = PM_INSIDE_CHARACTER;
    return pmi_code_step_quote(steps, PM_MASK_CHARACTER, at);
}

/* A brace in the code of a string, which the last one ends. */
static inline bool pmi_code_step_brace(pmi_code_steps *steps, bool closes) {
    pmi_code_templates *const templates = steps->templates;
    templates->braces += closes ? UINT64_MAX : 1;
    steps->at++;
    if (templates->braces > 0)
        return true;
    if (templates->level == 0)
        return false; /* the string is not known */
    templates->level--;
    if (templates->level < steps->before_from) {
        steps->before_from = templates->level;
        pmi_code_templates_copy_at(steps->before, templates, templates->level);
    }
    templates->start = templates->around[templates->level].start;
    templates->sort = templates->sorts[templates->level];
    templates->element = templates->around[templates->level].element;
    templates->braces = templates->around[templates->level].braces;
    if (templates->least > templates->level)
        templates->least = templates->level;
    steps->nested = templates->level > 0 || templates->outer;
    steps->inside = PM_INSIDE_RAW;
    if (steps->rules->interpolated)
        steps->uncounted |= UINT64_C(1) << (steps->at - 1);
    return pmi_code_step_raw(steps, steps->at);
}

static inline bool pmi_code_step_code(pmi_code_steps *steps, const pmi_code_state *state) {
    const uint64_t stops = pmi_code_beginning(steps);
    if (steps->nested)
        pmi_code_know_signs(steps);
    const uint64_t braces = steps->nested ? steps->signs.braces : 0;
    const unsigned at = pmi_code_first(pmi_code_ahead(steps, stops | braces));
    if (steps->nested && steps->found->lines)
        steps->uncounted |=
            steps->masks[PM_MASK_BRACKET] & steps->masks[PM_MASK_NEWLINE] & pmi_code_range(steps->at, at);
    steps->at = at;
    if (at == PM_WORD_BITS)
        return true;
    const uint64_t bit = UINT64_C(1) << at;
    if (braces & bit)
        return pmi_code_step_brace(steps, steps->text.bytes[at] == '}');
    if (steps->masks[PM_MASK_STRING] & bit)
        return pmi_code_step_string(steps, state, at);
    if (steps->masks[PM_MASK_CHARACTER] & bit)
        return pmi_code_step_apostrophe(steps, state, at);
    if (steps->masks[PM_MASK_SLASH] & bit)
        return pmi_code_step_slash(steps, at);
    steps->at = at + 1;
    if (steps->text.bytes[at] != '`' || !steps->rules->backticks)
        return pmi_code_step_other(steps, at);
    steps->inside = PM_INSIDE_RAW;
    if (steps->templates) {
        steps->templates->start = steps->text.w * PM_WORD_BITS + at;
        steps->templates->sort = PM_HOLDER_BACKTICKS;
    }
    return pmi_code_step_raw(steps, at);
}

static inline bool pmi_code_step(pmi_code_steps *steps, const pmi_code_state *state, uint64_t after_backslash) {
    switch (steps->inside) {
    case PM_INSIDE_CODE:
        return pmi_code_step_code(steps, state);
    case PM_INSIDE_BLOCK:
        return pmi_code_step_block(steps);
    case PM_INSIDE_LINE:
        return pmi_code_step_line(steps, after_backslash);
    case PM_INSIDE_STRING:
        return pmi_code_step_quote(steps, PM_MASK_STRING, steps->at);
    case PM_INSIDE_CHARACTER:
        return pmi_code_step_quote(steps, PM_MASK_CHARACTER, steps->at);
    case PM_INSIDE_RAW:
        return pmi_code_step_raw(steps, steps->at);
    case PM_INSIDE_EXPRESSION:
        return pmi_code_step_expression(steps, steps->at);
    case PM_INSIDE_LONG:
        return pmi_code_step_long(steps, steps->at);
    }
    return false;
}

/* The templates are as before the word again. */
static inline void pmi_code_templates_restore(const pmi_code_steps *steps) {
    for (unsigned level = steps->before_from; level < steps->before->level; level++)
        pmi_code_templates_copy_at(steps->templates, steps->before, level);
    pmi_code_templates_copy(steps->templates, steps->before);
}

/* Reads a word, of `length` bytes of text from it on. Returns false, and changes nothing, if the lexer must. */
static __attribute__((noinline, unused)) bool pmi_code_by_steps(const pmi_code_rules *rules, pmi_code_state *state,
                                                                const unsigned char *text, size_t length,
                                                                const uint64_t *masks, const pmi_code_found *found,
                                                                size_t w, pmi_code_look_signs look_signs) {
    const pmi_code_inside inside = (pmi_code_inside)(state->inside & ~PM_INSIDE_NESTED);
    const uint64_t backslash = masks[PM_MASK_BACKSLASH];
    const uint64_t after_backslash = backslash << 1 | (uint64_t)state->backslash;
    const bool quoted = inside >= PM_INSIDE_STRING,
               comment_goes_on = state->slash && (text[0] == '/' || text[0] == '*');
    pmi_code_steps steps; /* its closer is not initialised: setting it to zeros takes longer than most words */
    steps.rules = rules;
    steps.masks = masks;
    steps.found = found;
    steps.text = (pmi_code_text){text, length, w, UINT64_MAX, 0, !comment_goes_on};
    steps.at = steps.from = 0;
    steps.inside = inside;
    steps.begun = !state->star;
    steps.slash = steps.touching = false;
    steps.in_class = state->in_class;
    steps.directives = state->branches;
    steps.nested = (state->inside & PM_INSIDE_NESTED) != 0;
    steps.dollar = state->dollar;
    steps.templates = NULL;
    steps.opened = 0;
    steps.uncounted = 0;
    steps.look = look_signs;
    steps.signs_known = false;
    if (inside == PM_INSIDE_LONG)
        steps.closer = *found->closer;
    pmi_code_templates before;
    if (found->templates && (inside == PM_INSIDE_RAW || steps.nested || masks[PM_MASK_OTHER] != 0)) {
        steps.templates = found->templates;
        steps.before = &before;
        steps.before_from = found->templates->level;
        pmi_code_templates_copy(&before, found->templates);
    }
    if (rules->returns && pmi_code_returns(text, after_backslash))
        return false;
    if (quoted && state->escaped) {
        const bool ends = !rules->strings_continue || inside == PM_INSIDE_EXPRESSION;
        const bool cut = text[0] == '\n' && ends && inside != PM_INSIDE_RAW && inside != PM_INSIDE_LONG;
        const bool lined = inside == PM_INSIDE_CHARACTER || (inside == PM_INSIDE_STRING && rules->strings_end);
        const bool cuts_holder = text[0] == '\n' && inside == PM_INSIDE_RAW && rules->interpolated;
        if (text[0] == '\r' || (cut && !(rules->strings_cut && lined)) || cuts_holder)
            return false;
        if (!cut)
            pmi_code_quote_to(&steps, 0, 1);
    }
    if (state->opened > 0)
        pmi_code_quote_to(&steps, 0, state->opened);
    if (comment_goes_on) {
        steps.inside = text[0] == '/' ? PM_INSIDE_LINE : PM_INSIDE_BLOCK;
        steps.begun = true;
        steps.from = 1;
        pmi_code_comment_to(&steps, 0, 1);
    }
    while (steps.at < PM_WORD_BITS)
        if (!pmi_code_step(&steps, state, after_backslash)) {
            if (steps.templates)
                pmi_code_templates_restore(&steps);
            return false;
        }

    found->brackets[w] = masks[PM_MASK_BRACKET] & steps.text.code & ~steps.uncounted;
    found->comments[w] = ~(steps.text.code | steps.text.quoted);
    found->quoted[w] = steps.text.quoted;
    if (comment_goes_on && w > 0)
        found->comments[w - 1] |= UINT64_C(1) << 63;
    state->inside = steps.inside | (steps.nested ? PM_INSIDE_NESTED : 0);
    state->slash = steps.slash;
    state->touching |= steps.touching;
    state->star = steps.inside == PM_INSIDE_BLOCK && (masks[PM_MASK_STAR] & ~pmi_bits_low(steps.from)) >> 63;
    state->backslash = backslash >> 63;
    state->escaped = steps.inside >= PM_INSIDE_STRING && steps.at > PM_WORD_BITS && steps.opened == 0;
    state->opened = (unsigned char)steps.opened;
    state->opening = (unsigned char)(steps.opened > 0 ? steps.opening : 0);
    state->in_class = steps.in_class;
    state->previous = text[PM_WORD_BITS - 1];
    state->branches = steps.directives;
    state->dollar = steps.inside == PM_INSIDE_RAW && steps.dollar;
    if (steps.inside == PM_INSIDE_LONG)
        *found->closer = steps.closer;
    return true;
}

#endif
