/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of expressions, such as Svelte's {a.map((b) => { c })}: braces that nest, strings and comments. */
#include <string.h>

#include "core/delimiters/rules/keys.h"
#include "core/delimiters/token_scan.h"

static bool is_quote(unsigned char byte) {
    return byte == '"' || byte == '\'' || byte == '`';
}

#define QUOTES 3u

static unsigned ordinal_of(unsigned char quote) {
    return quote == '"' ? 0 : quote == '\'' ? 1 : 2;
}

/* ---- In a complete text ---- */

/* Where strings of one sort were looked for in vain: one that begins before this offset does not end, either. */
typedef struct open_quotes {
    size_t until[QUOTES];
} open_quotes;

/* Returns the offset behind what the byte at `at` begins in an expression: a string, a comment, or the byte alone. A
 * quote that its line does not close is one in a regular expression. *whole: whatever follows the text. */
static size_t behind_part(const pmi_token_scan *scan, size_t at, open_quotes *open, bool *whole) {
    const unsigned char *const text = scan->text, quote = text[at];
    *whole = quote != '/' || at + 1 < scan->n;
    if (quote == '/' && at + 1 < scan->n && text[at + 1] == '*') {
        for (size_t i = at + 2; i + 1 < scan->n; i++)
            if (text[i] == '*' && text[i + 1] == '/')
                return i + 2;
        *whole = false;
        return scan->n;
    }
    if (!is_quote(quote))
        return at + 1;
    size_t i = at + 1, *const until = &open->until[ordinal_of(quote)];
    for (; at >= *until && i < scan->n && (text[i] != '\n' || quote == '`'); i++) {
        if (text[i] == quote)
            return i + 1;
        i += text[i] == '\\';
    }
    *until = i > *until ? i : *until;
    *whole = *until < scan->n;
    return at + 1;
}

/* Passes words of an expression without strings and comments, in which it does not end. Returns the offset behind them.
 */
static size_t behind_words(const pmi_token_scan *scan, size_t at, size_t *depth) {
    uint64_t masks[PM_NESTED_PLANES];
    for (; scan->simd && scan->n - at >= PM_WORD_BITS; at += PM_WORD_BITS) {
        scan->simd->classifier->classify(&scan->pairs->keys->nested, PM_NESTED_PLANES, scan->text + at, 1, masks);
        const size_t closes = (size_t)pmi_bits_count(masks[PM_NESTED_CLOSE]);
        if (masks[PM_NESTED_OTHER] != 0 || closes >= *depth)
            break;
        *depth += (size_t)pmi_bits_count(masks[PM_NESTED_OPEN]) - closes;
    }
    return at;
}

static size_t end_in_complete(const pmi_token_scan *scan, size_t at) {
    const unsigned char open = scan->pairs->nested_open, close = scan->pairs->nested_close;
    const uint8_t *const matter = scan->pairs->keys->nested.of;
    open_quotes quotes = {{0}};
    size_t depth = 0, apart = PM_WORD_BITS, words_from = at + apart;
    while (at < scan->n) {
        if (at >= words_from) {
            const size_t behind = behind_words(scan, at, &depth);
            apart = behind > at ? PM_WORD_BITS : 2 * apart;
            words_from = behind + apart;
            at = behind;
            continue;
        }
        const unsigned char byte = scan->text[at];
        bool whole = true;
        if (!matter[byte]) {
            at++;
            continue;
        }
        depth += byte == open;
        depth -= byte == close;
        at = byte == open || byte == close ? at + 1 : behind_part(scan, at, &quotes, &whole);
        if (!whole && scan->limited)
            break;
        if (depth == 0)
            return at;
    }
    return scan->n + 1;
}

/*
 * ---- In a text that grows ----
 *
 * What was read is not read again. A quote whose string has not ended yet is taken for one in a regular expression, and
 * where it stands is noted: the byte that ends the string after all takes the reading back to there.
 */

/* Does a backslash of a string that begins at `begin` protect the byte at `at`? */
static bool is_protected(const unsigned char *text, size_t begin, size_t at) {
    size_t slashes = 0;
    while (at - slashes > begin + 1 && text[at - slashes - 1] == '\\')
        slashes++;
    return slashes % 2 > 0;
}

/* What bytes make of a quote. */
typedef enum quote_fate {
    QUOTE_WAITS,
    QUOTE_BEGINS, /* a string, which ends there */
    QUOTE_ALONE   /* its line ends there */
} quote_fate;

/* By the bytes from `from` on, behind the quote; stores which one it is. */
static quote_fate fate_of(const pmi_token_scan *scan, const pmi_waiting_quote *quote, size_t from, size_t *at) {
    const unsigned char *const text = scan->text, byte = text[quote->at];
    for (size_t i = from; i < scan->n; i++) {
        const bool ends = text[i] == byte;
        if ((ends || (text[i] == '\n' && byte != '`')) && !is_protected(text, quote->at, i)) {
            *at = i;
            return ends ? QUOTE_BEGINS : QUOTE_ALONE;
        }
    }
    return QUOTE_WAITS;
}

static void drop_quote(pmi_expression *reading, unsigned k) {
    reading->count--;
    memmove(reading->quotes + k, reading->quotes + k + 1, (reading->count - k) * sizeof *reading->quotes);
}

/* Takes into account what has come since: an outer string is one whatever is in it. */
static void take_quotes(const pmi_token_scan *scan, pmi_expression *reading) {
    for (unsigned k = 0; k < reading->count;) {
        const pmi_waiting_quote quote = reading->quotes[k];
        size_t at;
        switch (fate_of(scan, &quote, reading->seen, &at)) {
        case QUOTE_WAITS:
            k++;
            break;
        case QUOTE_BEGINS:
            reading->at = at + 1;
            reading->depth = quote.depth;
            reading->comment = 0;
            reading->count = k;
            break;
        case QUOTE_ALONE:
            drop_quote(reading, k);
            break;
        }
    }
    reading->seen = scan->n;
}

static bool waits(const pmi_token_scan *scan, const pmi_expression *reading, unsigned char quote) {
    for (unsigned k = 0; k < reading->count; k++)
        if (scan->text[reading->quotes[k].at] == quote)
            return true;
    return false;
}

/* Reads a quote. One that begins before `until` has no end on its line, as one before it has none. */
static void read_quote(const pmi_token_scan *scan, pmi_expression *reading) {
    const pmi_waiting_quote quote = {reading->at, reading->depth};
    const unsigned char byte = scan->text[quote.at];
    size_t *const until = &reading->until[ordinal_of(byte)], at;
    reading->at++;
    if (quote.at < *until || waits(scan, reading, byte))
        return;
    switch (fate_of(scan, &quote, quote.at + 1, &at)) {
    case QUOTE_WAITS:
        reading->quotes[reading->count++] = quote;
        break;
    case QUOTE_BEGINS:
        reading->at = at + 1;
        break;
    case QUOTE_ALONE:
        *until = at;
        break;
    }
}

/* Goes on in a comment, or stays where it begins, if it does not end. */
static bool read_comment(const pmi_token_scan *scan, pmi_expression *reading) {
    for (size_t i = reading->comment; i + 1 < scan->n; i++)
        if (scan->text[i] == '*' && scan->text[i + 1] == '/') {
            reading->at = i + 2;
            reading->comment = 0;
            return true;
        }
    if (reading->comment < scan->n)
        reading->comment = scan->n - 1;
    return false;
}

/* Reads what begins at reading->at. False: that depends on what follows the text. */
static bool read_part(const pmi_token_scan *scan, pmi_expression *reading) {
    const unsigned char byte = scan->text[reading->at];
    if (reading->comment > 0)
        return read_comment(scan, reading);
    if (is_quote(byte)) {
        read_quote(scan, reading);
        return true;
    }
    if (byte == '/' && reading->at + 1 == scan->n)
        return false;
    if (byte == '/' && scan->text[reading->at + 1] == '*') {
        reading->comment = reading->at + 2;
        return read_comment(scan, reading);
    }
    reading->depth += byte == scan->pairs->nested_open;
    reading->depth -= byte == scan->pairs->nested_close;
    reading->at++;
    return true;
}

/* Goes on in growth->expression, if that is this one. */
static size_t end_in_growing(const pmi_token_scan *scan, size_t from) {
    pmi_scan_growth *const growth = scan->growth;
    pmi_expression *const reading = &growth->expression;
    if (reading->from != from || reading->at <= from)
        *reading = (pmi_expression){.from = from, .at = from};
    take_quotes(scan, reading);
    while (reading->at < scan->n && (reading->depth > 0 || reading->at == from) && read_part(scan, reading))
        continue;
    const bool ended = reading->depth == 0 && reading->at > from, waiting = reading->count > 0;
    if (waiting)
        pmi_token_scan_pause(scan, from, reading->quotes[0].at, reading->quotes[0].depth);
    else if (!ended)
        pmi_token_scan_pause(scan, from, reading->at, reading->depth);
    if (!ended)
        growth->braces = reading->depth;
    return ended ? reading->at : scan->n + 1;
}

/* ---- In either ---- */

size_t pmi_token_scan_nested_end(const pmi_token_scan *scan, size_t at) {
    return scan->growth ? end_in_growing(scan, at) : end_in_complete(scan, at);
}
