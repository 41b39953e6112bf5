/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a text is code, from one beginning to the next: a first look notes the bytes with which something may begin
 * in code, and from each of those that is code, only what ends its comment or string is looked for. Most words of code
 * hold no such byte, and what stands in comments and strings is not looked at. See broadword/text/code_masks.h, which
 * reads words in which much begins.
 */
#ifndef PM_BROADWORD_TEXT_CODE_SCAN_H
#define PM_BROADWORD_TEXT_CODE_SCAN_H

#include "broadword/text/code_look.h"

/* Where code begins, words are looked at: that many at once. */
#define PM_CODE_LOOK_WORDS 64u

/* What a first look finds in words. */
typedef struct pmi_code_looked {
    size_t first;                       /* of them; SIZE_MAX: it has not looked yet */
    uint64_t begins;                    /* words in which something may begin, */
    uint64_t stops[PM_CODE_LOOK_WORDS]; /* ... and the bytes of each with which it may */
} pmi_code_looked;

/* How a target looks at text. */
typedef struct pmi_code_looks {
    /* Says of at most PM_CODE_LOOK_WORDS words, from the `first` one on, that all of them are code. */
    void (*code)(void *target, const unsigned char *text, size_t words, const pmi_code_found *found, size_t first,
                 pmi_code_looked *looked);

    /* Stores all masks of a word. */
    void (*masks)(const void *target, const unsigned char *word, uint64_t *masks);

    /* Which of 64 bytes are that byte? And which are one of two? */
    uint64_t (*equal)(const unsigned char *word, unsigned char byte);
    uint64_t (*either)(const unsigned char *word, unsigned char a, unsigned char b);

    pmi_code_look_signs signs;

    /* Of each bit, the parity of the bits up to and with it. */
    uint64_t (*parity)(uint64_t);

    /* As pmi_code_nested_words(); NULL: that takes longer than steps. */
    size_t (*nested)(const void *target, const pmi_code_rules *rules, pmi_code_state *state, const unsigned char *text,
                     size_t length, size_t words, const pmi_code_found *found, size_t w);

    /* Reads words between scans, as pmi_code_other_words(); by itself, for they are rare. */
    size_t (*other)(const void *target, const pmi_code_rules *rules, pmi_code_state *state, const unsigned char *word,
                    size_t length, size_t words, const pmi_code_found *found, size_t w, bool odd);
} pmi_code_looks;

/* A comment or string. Places are bytes of the words that are scanned. */
typedef struct pmi_code_span {
    size_t start, inner; /* inner: behind what opens it; if it goes on from before: the first byte that may close it */
    size_t end;          /* behind what closes it; SIZE_MAX: not in these words */
    unsigned inside;     /* a pmi_code_inside */
} pmi_code_span;

/* Words that were looked at, and how far they are scanned. */
typedef struct pmi_code_scan {
    const pmi_code_rules *rules;
    const pmi_code_found *found;
    const unsigned char *text;
    const pmi_code_looked *looked;
    size_t first, words;  /* of all words that are read: the first of these; how many are these */
    size_t limit, length; /* bytes of these words, and of text from the first of them on */
    size_t least;         /* see PM_CODE_SCAN_LEAST */

    pmi_code_state before;    /* before the first word that was scanned */
    size_t from, at;          /* that word; the next byte */
    size_t odd;               /* a byte whose word must be read in another way */
    pmi_code_span crossing;   /* the last comment or string that goes across the border of two words */
    size_t comment_end;       /* of the last one; SIZE_MAX: none */
    bool clear, touching;     /* see pmi_code_text; as in the state */
    bool marked;              /* is not all code? */
    size_t directives;        /* noted, */
    size_t directives_before; /* ... and before the word `directed`, in which the last one was noted */
    size_t directed;
} pmi_code_scan;

/* The languages that can be scanned: in others what begins depends on more. */
static inline bool pmi_code_scans(const pmi_code_rules *rules) {
    return !rules->interpolated;
}

/* Can a scan go on in what the text is in? */
static inline bool pmi_code_scans_inside(const pmi_code_rules *rules, unsigned inside) {
    return inside < PM_INSIDE_RAW || (inside == PM_INSIDE_RAW && rules->backticks && !rules->templates);
}

/* Bytes at which something may begin, for each word of text and at least, or at least where samples of it are full of
 * them: where there are more, other ways to read it are faster. */
#define PM_CODE_SCAN_STEPS 2u
#define PM_CODE_SCAN_LEAST 16u
#define PM_CODE_SCAN_LEAST_FULL 4u

/* Are samples of the words full of bytes with which something may begin, if those are code? */
static inline bool pmi_code_looks_full(const pmi_code_looked *looked, size_t words) {
    const unsigned samples = 4;
    unsigned stops = 0;
    for (unsigned k = 0; k < samples; k++)
        stops += pmi_bits_count(looked->stops[k * words / samples]);
    return stops > samples * PM_CODE_SCAN_LEAST;
}

static inline void pmi_code_scan_init(pmi_code_scan *scan, const pmi_code_rules *rules, const unsigned char *text,
                                      size_t words, size_t length, const pmi_code_found *found, size_t first,
                                      const pmi_code_looked *looked) {
    scan->rules = rules;
    scan->found = found;
    scan->text = text;
    scan->looked = looked;
    scan->first = first;
    scan->words = words;
    scan->limit = words * PM_WORD_BITS;
    scan->length = length;
    scan->least = pmi_code_looks_full(looked, words) ? PM_CODE_SCAN_LEAST_FULL : PM_CODE_SCAN_LEAST;
}

/* ---- Comments and strings ---- */

/* Marks bytes [from, end). Two words are written in any case, as which is hard to predict. */
static inline void pmi_code_scan_mark(uint64_t *marks, size_t from, size_t end) {
    if (from == end)
        return;
    const size_t w = from / PM_WORD_BITS, last = (end - 1) / PM_WORD_BITS;
    const uint64_t above = ~pmi_bits_low(from % PM_WORD_BITS);
    const uint64_t below = UINT64_MAX >> (PM_WORD_BITS - 1 - (end - 1) % PM_WORD_BITS);
    marks[w] |= above & (w == last ? below : UINT64_MAX);
    marks[last] |= below & (w == last ? above : UINT64_MAX);
    for (size_t k = w + 1; k < last; k++)
        marks[k] = UINT64_MAX;
}

/* A comment or string of which [start, last) is no code. */
PM_CODE_INLINE void pmi_code_scan_span(pmi_code_scan *scan, pmi_code_span span, size_t last) {
    const bool comment = span.inside <= PM_INSIDE_LINE;
    pmi_code_scan_mark((comment ? scan->found->comments : scan->found->quoted) + scan->first, span.start, last);
    if (span.start / PM_WORD_BITS != span.end / PM_WORD_BITS)
        scan->crossing = span;
    scan->touching |= comment & (span.start == scan->comment_end);
    scan->comment_end = comment ? last : scan->comment_end;
    scan->marked = true;
    scan->at = span.end;
}

/* The word of byte `at`, which is in that comment or string, must be read in another way. */
static inline bool pmi_code_scan_odd(pmi_code_scan *scan, pmi_code_span span, size_t at) {
    if (span.start / PM_WORD_BITS != at / PM_WORD_BITS)
        pmi_code_scan_span(scan, span, at);
    scan->odd = at;
    return false;
}

/* Does a backslash before `end` protect the byte there? */
static inline bool pmi_code_scan_escapes(const unsigned char *text, size_t inner, size_t end) {
    size_t first = end;
    while (first > inner && text[first - 1] == '\\')
        first--;
    return (end - first) % 2;
}

/* Does the text end in a return behind a backslash? Only the lexer knows whether they continue a line. */
static inline bool pmi_code_scan_returns(const unsigned char *text, size_t inner, size_t end) {
    return end >= inner + 2 && text[end - 1] == '\r' && text[end - 2] == '\\';
}

/* What a byte that may end a comment or string means, if it does not simply end it. */
typedef enum pmi_code_ending_byte {
    PM_BYTE_ENDS,
    PM_BYTE_GOES_ON,
    PM_BYTE_ODD
} pmi_code_ending_byte;

/* The same, behind a backslash or a return. */
static inline pmi_code_ending_byte pmi_code_scan_ending(const pmi_code_scan *scan, const pmi_code_span *span,
                                                        size_t at) {
    const pmi_code_rules *const rules = scan->rules;
    if (pmi_code_scan_returns(scan->text, span->inner, at))
        return PM_BYTE_ODD;
    if (span->inside == PM_INSIDE_LINE)
        return scan->text[at - 1] == '\\' && at > span->inner ? PM_BYTE_GOES_ON : PM_BYTE_ENDS;
    if (!pmi_code_scan_escapes(scan->text, span->inner, at))
        return PM_BYTE_ENDS;
    if (scan->text[at] != '\n' || rules->strings_continue)
        return PM_BYTE_GOES_ON;
    return rules->strings_cut ? PM_BYTE_ENDS : PM_BYTE_ODD;
}

/* Looks for the end of a comment or string from `from` on, which is not the first byte of all. Returns false if its
 * word must be read in another way. Compiled for each sort, which is a constant. */
PM_CODE_INLINE bool pmi_code_scan_close(pmi_code_scan *scan, pmi_code_inside inside, size_t start, size_t inner,
                                        size_t from, const pmi_code_looks looks) {
    static const char closers[] = {0, '/', '\n', '"', '\'', '`'};
    const pmi_code_rules *const rules = scan->rules;
    const bool quoted = inside == PM_INSIDE_STRING || inside == PM_INSIDE_CHARACTER;
    const bool careful = quoted || (inside == PM_INSIDE_LINE && rules->lines_continue);
    const unsigned char closer = (unsigned char)closers[inside];
    const unsigned char newline =
        inside == PM_INSIDE_CHARACTER || (inside == PM_INSIDE_STRING && rules->strings_end) ? '\n' : closer;
    const size_t last = scan->length - PM_WORD_BITS;
    pmi_code_span span = {start, inner, SIZE_MAX, inside};
    while (from < scan->limit) {
        const size_t window = from < last ? from : last;
        const unsigned char *const bytes = scan->text + window;
        const uint64_t found =
            (quoted ? looks.either(bytes, closer, newline) : looks.equal(bytes, closer)) >> (from - window);
        if (found == 0) {
            from = window + PM_WORD_BITS;
            continue;
        }
        from += pmi_bits_lowest(found);
        const unsigned char previous = scan->text[from - 1];
        if (from >= scan->limit)
            break;
        if (inside == PM_INSIDE_BLOCK && previous != '*') {
            from++;
            continue;
        }
        if (careful && (previous == '\\' || previous == '\r')) {
            const pmi_code_ending_byte ending = pmi_code_scan_ending(scan, &span, from);
            if (ending == PM_BYTE_ODD)
                return pmi_code_scan_odd(scan, span, from - 1);
            if (ending == PM_BYTE_GOES_ON) {
                from++;
                continue;
            }
        }
        span.end = from + 1;
        pmi_code_scan_span(scan, span, from + (inside == PM_INSIDE_BLOCK));
        return true;
    }
    if (careful && pmi_code_scan_returns(scan->text, inner, scan->limit))
        return pmi_code_scan_odd(scan, span, scan->limit - 1);
    pmi_code_scan_span(scan, span, scan->limit);
    return true;
}

/* A block comment, in which others may begin. */
PM_CODE_INLINE bool pmi_code_scan_nest(pmi_code_scan *scan, size_t start, size_t inner, const pmi_code_looks looks) {
    uint64_t unread = ~pmi_bits_low(inner % PM_WORD_BITS), star_before = 0, slash_before = 0;
    pmi_code_span span = {start, inner, SIZE_MAX, PM_INSIDE_BLOCK};
    for (size_t w = inner / PM_WORD_BITS; w < scan->words; w++, unread = UINT64_MAX) {
        const unsigned char *const word = scan->text + w * PM_WORD_BITS;
        const uint64_t slashes = looks.equal(word, '/') & unread, stars = looks.equal(word, '*') & unread;
        const uint64_t ends = slashes & (stars << 1 | star_before), begins = stars & (slashes << 1 | slash_before);
        if (begins & ~ends & (ends - 1)) /* another one begins before this one ends */
            return pmi_code_scan_odd(scan, span, w * PM_WORD_BITS + pmi_bits_lowest(begins) - 1);
        if (ends != 0) {
            span.end = w * PM_WORD_BITS + pmi_bits_lowest(ends) + 1;
            pmi_code_scan_span(scan, span, span.end);
            return true;
        }
        star_before = stars >> (PM_WORD_BITS - 1);
        slash_before = slashes >> (PM_WORD_BITS - 1);
    }
    if (slash_before != 0)
        return pmi_code_scan_odd(scan, span, scan->limit - 1);
    pmi_code_scan_span(scan, span, scan->limit);
    return true;
}

/* ---- Code ---- */

/* The byte before. */
static inline unsigned char pmi_code_scan_before(const pmi_code_scan *scan, size_t at) {
    return at > scan->from * PM_WORD_BITS ? scan->text[at - 1] : scan->before.previous;
}

/* The word of a byte, as those read it who look around. */
static inline pmi_code_text pmi_code_scan_text(const pmi_code_scan *scan, size_t w) {
    const size_t of_all = scan->first + w;
    const uint64_t quoted = scan->found->quoted[of_all], code = ~(scan->found->comments[of_all] | quoted);
    const size_t length = scan->length - w * PM_WORD_BITS;
    return (pmi_code_text){scan->text + w * PM_WORD_BITS, length, of_all, code, quoted, scan->clear || of_all > 0};
}

/* Of what begins at `at`, these return false if its word must be read in another way. */

PM_CODE_INLINE bool pmi_code_scan_block(pmi_code_scan *scan, size_t start, size_t inner, const pmi_code_looks looks) {
    return scan->rules->comments_nest ? pmi_code_scan_nest(scan, start, inner, looks)
                                      : pmi_code_scan_close(scan, PM_INSIDE_BLOCK, start, inner, inner + 1, looks);
}

/* A slash that begins no comment in its word, and the regular expression that it may begin, if that ends there. */
static inline bool pmi_code_scan_expression(pmi_code_scan *scan, size_t at) {
    const unsigned bit = at % PM_WORD_BITS;
    const pmi_code_text text = pmi_code_scan_text(scan, at / PM_WORD_BITS);
    if (bit == PM_WORD_BITS - 1 && text.length == PM_WORD_BITS)
        return false;
    if (bit == PM_WORD_BITS - 1 && (text.bytes[PM_WORD_BITS] == '/' || text.bytes[PM_WORD_BITS] == '*'))
        return true;
    const pmi_code_slash slash = pmi_code_look_slash(&text, scan->found, bit);
    if (slash != PM_SLASH_EXPRESSION)
        return slash == PM_SLASH_DIVISION;
    const unsigned end = pmi_code_expression_end(&text, bit);
    if (end == PM_WORD_BITS)
        return false;
    const size_t last = at - bit + end;
    const pmi_code_span span = {at, at + 1, last + 1, PM_INSIDE_EXPRESSION};
    pmi_code_scan_span(scan, span, last);
    return true;
}

PM_CODE_INLINE bool pmi_code_scan_slash(pmi_code_scan *scan, size_t at, const pmi_code_looks looks) {
    const unsigned char next = at + 1 < scan->limit ? scan->text[at + 1] : 0; /* a last one waits for the next words */
    if (next == '/')
        return pmi_code_scan_close(scan, PM_INSIDE_LINE, at, at + 2, at + 2, looks);
    if (next == '*')
        return pmi_code_scan_block(scan, at, at + 2, looks);
    return !scan->rules->expressions || pmi_code_scan_expression(scan, at);
}

PM_CODE_INLINE bool pmi_code_scan_string(pmi_code_scan *scan, size_t at, const pmi_code_looks looks) {
    const pmi_code_rules *const rules = scan->rules;
    if (rules->raw_after && pmi_code_perhaps_raw(rules, pmi_code_scan_before(scan, at)))
        return false;
    if (rules->triple && (at + 1 >= scan->length || scan->text[at + 1] == '"') &&
        (at + 2 >= scan->length || scan->text[at + 2] == '"'))
        return false;
    return pmi_code_scan_close(scan, PM_INSIDE_STRING, at, at + 1, at + 1, looks);
}

PM_CODE_INLINE bool pmi_code_scan_apostrophe(pmi_code_scan *scan, size_t at, const pmi_code_looks looks) {
    const pmi_code_rules *const rules = scan->rules;
    bool known = true;
    if (rules->lifetimes && pmi_code_is_lifetime(scan->text + at, scan->length - at, 0, &known))
        return true;
    if (!known || (rules->separators && pmi_code_number_ends(pmi_code_scan_before(scan, at))))
        return false; /* perhaps it is in a number */
    return pmi_code_scan_close(scan, PM_INSIDE_CHARACTER, at, at + 1, at + 1, looks);
}

static inline bool pmi_code_scan_directive(pmi_code_scan *scan, size_t at) {
    const size_t w = at / PM_WORD_BITS;
    const pmi_code_text text = pmi_code_scan_text(scan, w);
    if (scan->directed != w) {
        scan->directed = w;
        scan->directives_before = scan->directives;
    }
    return pmi_code_read_directive(&text, scan->found, at % PM_WORD_BITS, &scan->directives);
}

/* A < that may begin an element. */
static inline bool pmi_code_scan_less(const pmi_code_scan *scan, size_t at) {
    const pmi_code_text text = pmi_code_scan_text(scan, at / PM_WORD_BITS);
    return pmi_code_less_plain(&text, scan->found, at % PM_WORD_BITS);
}

/* A template literal, as long as it ends in these words and no code is in it. */
PM_CODE_INLINE bool pmi_code_scan_template(pmi_code_scan *scan, size_t start, const pmi_code_looks looks) {
    const size_t inner = start + 1, last = scan->length - PM_WORD_BITS;
    for (size_t from = inner; from < scan->limit;) {
        const size_t window = from < last ? from : last;
        const uint64_t found = looks.either(scan->text + window, '`', '{') >> (from - window);
        from = found != 0 ? from + pmi_bits_lowest(found) : window + PM_WORD_BITS;
        if (found == 0)
            continue;
        if (from >= scan->limit)
            break;
        if (scan->text[from] == '{' && scan->text[from - 1] == '$')
            break; /* perhaps code */
        if (scan->text[from] == '`' && !pmi_code_scan_escapes(scan->text, inner, from)) {
            const pmi_code_span span = {start, inner, from + 1, PM_INSIDE_RAW};
            pmi_code_scan_span(scan, span, from);
            return true;
        }
        from++;
    }
    return false;
}

/* What is no slash nor a quote. */
PM_CODE_INLINE bool pmi_code_scan_other(pmi_code_scan *scan, size_t at, const pmi_code_looks looks) {
    const pmi_code_rules *const rules = scan->rules;
    const unsigned char byte = scan->text[at];
    if (byte == '#' && rules->directives)
        return pmi_code_scan_directive(scan, at);
    if (byte == '#' && pmi_code_hash_plain(rules, scan->text, scan->length, at))
        return true;
    if (byte == '<' && rules->elements)
        return pmi_code_scan_less(scan, at);
    if (byte == '`' && rules->templates)
        return pmi_code_scan_template(scan, at, looks);
    if (byte == '`' && rules->backticks)
        return pmi_code_scan_close(scan, PM_INSIDE_RAW, at, at + 1, at + 1, looks);
    return false;
}

PM_CODE_INLINE bool pmi_code_scan_begin(pmi_code_scan *scan, size_t at, const pmi_code_looks looks) {
    scan->odd = at;
    scan->at = at + 1;
    switch (scan->text[at]) {
    case '/':
        return pmi_code_scan_slash(scan, at, looks);
    case '"':
        return pmi_code_scan_string(scan, at, looks);
    case '\'':
        return pmi_code_scan_apostrophe(scan, at, looks);
    default:
        return pmi_code_scan_other(scan, at, looks);
    }
}

/* The next byte with which something may begin in code; or the limit. Without a branch that depends on whether it is in
 * the same word. */
static inline size_t pmi_code_scan_next(const pmi_code_scan *scan) {
    const pmi_code_looked *const looked = scan->looked;
    const size_t w = scan->at / PM_WORD_BITS;
    if (w >= scan->words)
        return scan->limit;
    const uint64_t here = looked->stops[w] & ~pmi_bits_low(scan->at % PM_WORD_BITS);
    const uint64_t later = ((looked->begins >> w) & ~UINT64_C(1)) | (here != 0);
    if (later == 0)
        return scan->limit;
    const unsigned skipped = pmi_bits_lowest(later);
    const uint64_t stops = skipped > 0 ? looked->stops[w + skipped] : here;
    return (w + skipped) * PM_WORD_BITS + pmi_bits_lowest(stops);
}

/* ---- Words ---- */

/* The first byte of what the text was in before the first word. *ends: it does with this byte. */
static inline bool pmi_code_scan_first(const pmi_code_scan *scan, bool *ends) {
    const pmi_code_rules *const rules = scan->rules;
    const pmi_code_state *const state = &scan->before;
    const unsigned char byte = scan->text[scan->at];
    switch (state->inside) {
    case PM_INSIDE_BLOCK:
        *ends = byte == '/' && state->star;
        return true;
    case PM_INSIDE_LINE:
        *ends = byte == '\n' && !(rules->lines_continue && state->backslash);
        return !(rules->lines_continue && state->backslash && byte == '\r');
    case PM_INSIDE_RAW:
        *ends = byte == '`';
        return true;
    default:
        if (state->escaped)
            return byte != '\r' && (byte != '\n' || rules->strings_continue);
        *ends = state->inside == PM_INSIDE_STRING ? byte == '"' || (byte == '\n' && rules->strings_end)
                                                  : byte == '\'' || byte == '\n';
        return true;
    }
}

/* Goes on in what the text was in before the first word. Returns false if that must be read in another way. */
PM_CODE_INLINE bool pmi_code_scan_resume(pmi_code_scan *scan, const pmi_code_looks looks) {
    const pmi_code_state *const state = &scan->before;
    const size_t at = scan->at, w = scan->first + scan->from;
    const unsigned char byte = scan->text[at];
    bool ends = false;
    if (state->inside == PM_INSIDE_CODE) {
        if (!state->slash || (byte != '/' && byte != '*'))
            return true;
        if (w > 0)
            scan->found->comments[w - 1] |= UINT64_C(1) << (PM_WORD_BITS - 1);
        scan->clear = false;
        return byte == '*' ? pmi_code_scan_block(scan, at, at + 1, looks)
                           : pmi_code_scan_close(scan, PM_INSIDE_LINE, at, at + 1, at + 1, looks);
    }
    if (!pmi_code_scan_first(scan, &ends))
        return false;
    if (ends) {
        const pmi_code_span span = {at, at, at + 1, state->inside};
        pmi_code_scan_span(scan, span, at + (state->inside == PM_INSIDE_BLOCK));
        return true;
    }
    switch (state->inside) {
    case PM_INSIDE_BLOCK:
        return pmi_code_scan_block(scan, at, at, looks);
    case PM_INSIDE_LINE:
        return pmi_code_scan_close(scan, PM_INSIDE_LINE, at, at, at + 1, looks);
    case PM_INSIDE_STRING:
        return pmi_code_scan_close(scan, PM_INSIDE_STRING, at, at + state->escaped, at + 1, looks);
    case PM_INSIDE_CHARACTER:
        return pmi_code_scan_close(scan, PM_INSIDE_CHARACTER, at, at + state->escaped, at + 1, looks);
    default:
        return pmi_code_scan_close(scan, PM_INSIDE_RAW, at, at, at + 1, looks);
    }
}

/* A scan ends behind byte `end` in a template literal. */
static inline void pmi_code_scan_leave_template(const pmi_code_scan *scan, size_t end, pmi_code_state *state) {
    const pmi_code_span *const span = &scan->crossing;
    const unsigned char *const text = scan->text;
    pmi_code_templates *const templates = scan->found->templates;
    state->escaped = pmi_code_scan_escapes(text, span->inner, end);
    state->dollar = end > span->inner && text[end - 1] == '$' && !pmi_code_scan_escapes(text, span->inner, end - 1);
    if (!templates)
        return;
    templates->sort = PM_HOLDER_BACKTICKS;
    templates->start = scan->first * PM_WORD_BITS + span->start;
}

/* Ends the scan behind a word; what is known of later ones is not used. */
static inline void pmi_code_scan_leave(const pmi_code_scan *scan, size_t words, pmi_code_state *state) {
    const size_t end = words * PM_WORD_BITS;
    const unsigned char *const text = scan->text;
    const pmi_code_span *const span = &scan->crossing;
    const bool within = span->start < end && span->end > end;
    const bool opening = within && span->inside <= PM_INSIDE_LINE && span->inner > end;
    state->inside = within && !opening ? span->inside : PM_INSIDE_CODE;
    state->slash = state->inside == PM_INSIDE_CODE && text[end - 1] == '/' &&
                   !(span->inside == PM_INSIDE_BLOCK && span->end == end);
    state->star = state->inside == PM_INSIDE_BLOCK && text[end - 1] == '*' && span->inner < end;
    state->backslash = text[end - 1] == '\\';
    state->escaped = (state->inside == PM_INSIDE_STRING || state->inside == PM_INSIDE_CHARACTER) &&
                     pmi_code_scan_escapes(text, span->inner, end);
    state->previous = text[end - 1];
    state->touching |= scan->touching;
    if (state->inside == PM_INSIDE_RAW && scan->rules->templates)
        pmi_code_scan_leave_template(scan, end, state);
    if (opening) /* whether a comment begins there is known when the next word is read */
        scan->found->comments[scan->first + words - 1] &= ~(UINT64_C(1) << (PM_WORD_BITS - 1));
}

/* Words in a row, each the first one of a scan, that must be read in another way: behind them no more are scanned. */
#define PM_CODE_SCAN_VAIN 4u

/* How a scan ended. */
typedef enum pmi_code_scanned_to {
    PM_SCANNED_ALL,
    PM_SCANNED_TO_ODD,  /* the next word must be read in another way; */
    PM_SCANNED_TO_DENSE /* ... and so should those behind it */
} pmi_code_scanned_to;

/* Scans words from *from on, and stores how far. */
PM_CODE_INLINE pmi_code_scanned_to pmi_code_scan_words(pmi_code_scan *scan, size_t *from, pmi_code_state *state,
                                                       const pmi_code_looks looks) {
    scan->before = *state;
    scan->from = *from;
    scan->odd = scan->at = *from * PM_WORD_BITS;
    scan->crossing = (pmi_code_span){0, 0, 0, PM_INSIDE_CODE};
    scan->comment_end = SIZE_MAX;
    scan->clear = true;
    scan->touching = scan->marked = false;
    scan->directives = scan->directives_before = state->branches;
    scan->directed = SIZE_MAX;
    size_t steps = 0, at;
    bool dense = false, good = pmi_code_scan_resume(scan, looks);
    while (good && (at = pmi_code_scan_next(scan)) < scan->limit) {
        dense = ++steps > scan->least + (at / PM_WORD_BITS - *from) * PM_CODE_SCAN_STEPS;
        if (dense)
            scan->odd = at;
        good = !dense && pmi_code_scan_begin(scan, at, looks);
    }
    const size_t end = good ? scan->words : scan->odd / PM_WORD_BITS;
    if (end > *from) {
        for (size_t w = scan->first + *from; scan->marked && w < scan->first + end; w++)
            scan->found->brackets[w] &= ~(scan->found->comments[w] | scan->found->quoted[w]);
        pmi_code_scan_leave(scan, end, state);
        state->branches = scan->directed == end ? scan->directives_before : scan->directives;
        *from = end;
    }
    return good ? PM_SCANNED_ALL : dense ? PM_SCANNED_TO_DENSE : PM_SCANNED_TO_ODD;
}

#endif
