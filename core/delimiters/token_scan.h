/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of a text by a dictionary of delimiters: one pass over what the dictionary finds. It goes from each token,
 * region or tag to the first pattern behind its end, of those that begin there to the longest that fits.
 */
#ifndef PM_CORE_DELIMITERS_TOKEN_SCAN_H
#define PM_CORE_DELIMITERS_TOKEN_SCAN_H

#include "base/product.h"
#include "base/stack.h"
#include "broadword/simd.h"
#include "core/delimiters/delimiters.h"
#include "core/delimiters/spared.h"
#include "core/lexer/lexer.h"

#define PM_CUT_NONE SIZE_MAX

/* Returns the token's length as reports have it: at most UINT32_MAX. */
static inline uint32_t pmi_token_length(const pmi_token *token) {
    const size_t length = token->end - token->begin;
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

#define PM_TOKENS 256u /* that are handed on at once, at most */

/* Takes some tokens, in order. False: there is no memory. */
typedef bool (*pmi_token_take)(const pmi_token *tokens, size_t count, void *user);

/* Receives a fault: PM_FAULT_UNMATCHED_CLOSE, or PM_FAULT_KIND_MISMATCH with the open that `at` closes. False: there is
 * no memory. */
typedef bool (*pmi_token_fault)(pm_fault fault, const pmi_token *at, const pmi_token *partner, void *user);

/* Opens that are not closed yet. */
typedef struct pmi_opens {
    pmi_open *entries; /* entries[-1], if there is any room, is of no kind */
    size_t depth, room;
} pmi_opens;

/* ---- Numbers of tag names (tags/tag.c): a hash table with what rules say of each ---- */

typedef enum pmi_name_sort {
    PM_NAME_NEW = 0, /* not looked up in the rules yet */
    PM_NAME_MATCHED,
    PM_NAME_RAW, /* the same, and what it opens is raw */
    PM_NAME_IGNORED
} pmi_name_sort;

typedef struct pmi_name {
    size_t begin, length; /* in the text */
    uint64_t bytes;       /* the first eight, as they are compared */
    uint32_t family;      /* equal names in two families are different names */
    uint32_t number;      /* PM_NONE: it has none yet */
    pmi_name_sort sort;
    uint32_t implied; /* the line that says where its close may be omitted; PM_NONE: nowhere */
    bool assigned;    /* it opens nothing if the tag contains a = */
    bool quoted;      /* it opens nothing if a string stands behind a blank of the tag */
    uint32_t hash;
    uint64_t ends; /* lines, a bit each: what they name ends before a tag that opens this */
} pmi_name;

/* A name that has come into the table, or got its number; these and what preceded them are the way to a table. */
typedef struct pmi_name_change {
    struct pmi_name_change *below; /* the one before; NULL: this is the first */
    struct pmi_name_change *above; /* on the way that is being made again */
    uint64_t depth;                /* changes up to this one */
    size_t begin, length;          /* of the name */
    uint32_t family, hash;
    uint32_t number; /* that it got; PM_NONE: it came */
} pmi_name_change;

#define PM_FIRST_NAMES 16u

typedef struct pmi_tag_numbers {
    pm_allocator allocator;
    const unsigned char *text;
    size_t n; /* its bytes */
    bool ignore_case;
    uint64_t key[2]; /* of the hash; zeros until there is a table */
    pmi_name *table; /* unused entries have length 0 */
    size_t room;     /* of the table: a power of two, or 0 */
    uint32_t count, numbered;
    pmi_stack *changes;            /* where changes are noted; NULL: nowhere, and then */
    uint8_t first[PM_FIRST_NAMES]; /* of a table as small as it can be, the entries of the names that came first */
    uint64_t noted;                /* changes that are there */
    pmi_name_change *last;
} pmi_tag_numbers;

/* Returns the hash of a piece of 8 bytes and what precedes it: both halves of a product, of which a factor is secret.
 */
static inline uint64_t pmi_tag_numbers_mix(const uint64_t key[2], uint64_t hash, uint64_t piece) {
    const pmi_product product = pmi_product_of(hash ^ piece ^ key[0], (key[1] ^ UINT64_C(0x9e3779b97f4a7c15)) | 1);
    return pmi_product_low(product) ^ pmi_product_high(product);
}

/* Returns the entry of a name of length > 0, valid until the next call; NULL if there is no memory, or there are 2^31
 * names. */
pmi_name *pmi_tag_numbers_find(pmi_tag_numbers *names, uint32_t family, size_t begin, size_t length);

/* Returns the number of a name: 0, 1, ... in the order of the first calls; PM_NONE: there is no memory to note it. */
uint32_t pmi_tag_numbers_number(pmi_tag_numbers *names, pmi_name *name);

/* Makes the table what it was behind a change, NULL: empty; its text has the names on the way there. Takes time for
 * what differs. False: there is no memory; then it is one on the way. */
bool pmi_tag_numbers_go(pmi_tag_numbers *names, pmi_name_change *to);

/* Gives up the changes that were noted last, so that `noted` stay; none of them is on the way to the table. */
void pmi_tag_numbers_drop(pmi_tag_numbers *names, uint64_t noted);

/* Forgets all names and changes, and keeps a small table for the next text. */
void pmi_tag_numbers_empty(pmi_tag_numbers *names);

void pmi_tag_numbers_clear(pmi_tag_numbers *names);

/* ---- A text that grows (core/delimiters/open/text.h) ---- */

struct pmi_token_scan;

/* How far the end of something was looked for that the text's end cuts off. */
typedef struct pmi_end_search {
    size_t from;   /* where its contents begin */
    size_t at;     /* where to go on; 0: nothing was looked for */
    size_t behind; /* if > at: a string begins there that does not end before this */
    size_t depth;  /* of what is nested there */
} pmi_end_search;

/* A quote of an expression whose string has not ended, if it is one. */
typedef struct pmi_waiting_quote {
    size_t at, depth; /* depth: of the expression there */
} pmi_waiting_quote;

/* How far an expression was read as if no quote that waits began a string (core/delimiters/expressions.c). */
typedef struct pmi_expression {
    size_t from;      /* where it begins */
    size_t at, depth; /* where to go on; if <= from: it was not read */
    size_t seen;      /* bytes among which none ends a string of a quote that waits */
    size_t comment;   /* a comment begins at `at`: from here on its end is to be looked for; 0: none */
    size_t until[3];  /* by quote: one before it begins no string */
    unsigned count;
    pmi_waiting_quote quotes[3]; /* that wait, one of a sort */
} pmi_expression;

/* These bytes are known to be of a name of that family. */
typedef struct pmi_known_name {
    const pmi_tag_family *family; /* NULL: none are */
    size_t begin, end;
} pmi_known_name;

/* The contents of a raw element, which its own close alone ends. */
typedef struct pmi_raw_contents {
    uint32_t family;
    size_t name, name_end; /* of its tag; equal: we are in no raw element */
} pmi_raw_contents;

/* Whoever reads such a text keeps what is open, and is told of what may change when more of the text has come. */
typedef struct pmi_scan_growth {
    bool undecided; /* what was read depends on what may follow the text */
    bool doubtful;  /* so did what the region or tag is that was read last */
    bool line;      /* the text ends in a region that a newline ends */
    pmi_end_search search;
    pmi_expression expression; /* that is the region which is searched, */
    pmi_expression inner;      /* or in the tag which is */
    size_t braces;             /* of the expression that the text ends in, which are not closed; 0: it ends in none */
    pmi_known_name name;
    size_t blanks, blanks_end; /* these bytes are known to be blanks */
    pmi_raw_contents raw;      /* that begin where the scan goes on */
    void (*emit)(struct pmi_token_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied);
    void (*end_before)(struct pmi_token_scan *scan, uint64_t ended, size_t at);
    bool (*innermost_is)(const struct pmi_token_scan *scan, uint32_t kind, pmi_rule_words words);
} pmi_scan_growth;

/* ---- The scan ---- */

#define PM_QUICK_NAME_BITS 7u
#define PM_QUICK_NAME_FEW 3u /* of short texts: to clear more would take longer than to read them */

/* What a tag with a name does (core/delimiters/tags/quick.h). */
typedef struct pmi_quick_name {
    uint64_t bytes[2]; /* the name, zeros behind it; the first one 0: no name is here */
    uint32_t sort;     /* of tags that it is in */
    uint32_t kind;
    int8_t step;           /* 1: it opens, -1: it closes, 0: neither */
    bool assigned, quoted; /* it opens nothing if there is a = or a string in it (pmi_name) */
    uint32_t implied;      /* of an open */
    uint64_t ends;         /* of a tag that does not close (pmi_name) */
} pmi_quick_name;

typedef struct pmi_token_scan {
    const struct pmi_delimiters *pairs;
    const unsigned char *text;
    size_t n;
    size_t more;           /* bytes behind it that may be read, too: of the records behind one */
    bool limited;          /* the text goes on behind n: a quote that nothing closes before may begin a string */
    pmi_token_take take;   /* NULL: tokens are checked, and not handed on */
    pmi_token_fault fault; /* without `take` */
    void *user;
    bool nested;             /* do comments nest that may? */
    bool holds_nested;       /* the text has such comments, so that it would be read otherwise if they did */
    bool marks;              /* are tokens of PM_KIND_MARK wanted? */
    pmi_scan_growth *growth; /* NULL: the text is whole, and what is open is kept here */
    pmi_token *tokens;       /* not handed on yet */
    size_t token_count;

    const pmi_simd_target *simd;    /* NULL: the scan has not begun */
    size_t next;                    /* where the next token may begin */
    size_t words_at;                /* where several words fit, if that is known: */
    uint32_t words;                 /* their rule */
    size_t mark;                    /* bytes of a byte order mark, if the rules track; else 0 */
    pmi_tag_numbers names;          /* of tags, numbered */
    pmi_quick_name *quick_names;    /* of a check, 1 << quick_bits */
    unsigned quick_bits;            /* at least 1 */
    pmi_spared spared;              /* of a check */
    pmi_opens opens;                /* if tokens are checked, or the rules ask for it (pmi_delimiters.tracks) */
    uint64_t count, max_depth;      /* of a check: its tokens; the most opens at once */
    bool only_counts;               /* of a check: faults may be counted here instead of being handed to `fault`: */
    uint64_t unmatched, mismatched; /* PM_FAULT_UNMATCHED_CLOSE, PM_FAULT_KIND_MISMATCH */
    uint64_t newlines;              /* of a language of tags: in the text */
    size_t cut, cut_end;            /* what begins the region or tag that the text's end cuts off; PM_CUT_NONE: none */
    bool out_of_memory;
} pmi_token_scan;

/* Begins scans of any number of texts; `scan` stays where it is, and has pairs, take, fault and user set. To be ended,
 * except after a failure. */
pm_status pmi_token_scan_begin(pm_context *context, pmi_token_scan *scan);

/* Scans one text, and keeps `cut`; of a check also opens, count and max_depth. PM_OUT_OF_MEMORY is possible; the next
 * text may be scanned after it. */
pm_status pmi_token_scan_text(pmi_token_scan *scan, const unsigned char *text, size_t n);

/* What begins in a record: event e at byte base + events[e].offset of the whole text. */
typedef struct pmi_text_events {
    const pmi_event *events;
    size_t count, base;
} pmi_text_events;

/* What a scan needs while it reads a text. */
typedef struct pmi_text_room {
    pmi_token tokens[PM_TOKENS];
    pmi_quick_name quick_names[1u << PM_QUICK_NAME_BITS];
} pmi_text_room;

/* Begins a text of many records, of a check. */
void pmi_token_scan_begin_text(pmi_token_scan *scan, pmi_text_room *room, const unsigned char *text, size_t n);

/* Scans its bytes begin ... end - 1 as a text of their own, before which the text ends or begins a line, and keeps what
 * pmi_token_scan_text() does; but `count` and `max_depth` are those of all its records. */
pm_status pmi_token_scan_record(pmi_token_scan *scan, size_t begin, size_t end, const pmi_text_events *found);

/* Ends what may be left open, as at a text's end; of a check that only counts. Returns whether no fault is known. */
bool pmi_token_scan_ends_well(pmi_token_scan *scan);

/* In a language of tags: scans a text of records that are lines, each as a text of its own, up to the first with
 * faults. Stores how many those are, and keeps `count` and `max_depth` of them. bounds: their last bytes, with what is
 * skipped, a bit each. PM_OUT_OF_MEMORY. */
pm_status pmi_token_scan_tag_records(pmi_token_scan *scan, const pmi_text_records *records, const uint64_t *bounds,
                                     size_t *good);

void pmi_token_scan_end_text(pmi_token_scan *scan);

void pmi_token_scan_end(pmi_token_scan *scan);

/* Gives back the memory of opens. */
void pmi_token_scan_release_opens(pmi_token_scan *scan);

/* Scans a text; `scan` has pairs, text, n, take and user set, and keeps `cut`. PM_OUT_OF_MEMORY is possible. */
pm_status pmi_token_scan_run(pm_context *context, pmi_token_scan *scan);

/* Hands a token on, and continues behind it. For an open, `rule` and `implied` are as in pmi_open. */
void pmi_token_scan_emit(pmi_token_scan *scan, const pmi_token *token, uint32_t rule, uint32_t implied);

/* Sees to it that `count` <= PM_TOKENS more tokens can be noted, and opens. The latter is false if there is no memory.
 */
void pmi_token_scan_hand_on(pmi_token_scan *scan, size_t count);
bool pmi_token_scan_reserve_opens(pmi_token_scan *scan, size_t count);

/* The bit of an open with this `implied` in its chain; 0: it ends the chain. */
static inline uint64_t pmi_open_bit(uint32_t implied) {
    return implied < PM_RULES_IMPLIED_MAX ? UINT64_C(1) << implied : 0;
}

/* Takes over what was opened and closed without a call for each: the innermost open, and where the deepest one was. */
static inline void pmi_token_scan_stacked(pmi_token_scan *scan, const pmi_open *top, const pmi_open *deepest) {
    const pmi_open *const bottom = scan->opens.entries - 1;
    scan->opens.depth = (size_t)(top - bottom);
    scan->max_depth = (uint64_t)(deepest - bottom);
}

/* Counts tokens that were noted, or else only checked. */
static inline void pmi_token_scan_took(pmi_token_scan *scan, size_t count, bool noted) {
    if (noted)
        scan->token_count += count;
    else
        scan->count += count;
}

/* The text's end cuts off what begins with this pattern. */
void pmi_token_scan_cut(pmi_token_scan *scan, size_t begin, size_t end);

/* What is being read depends on what may follow the text. */
static inline void pmi_token_scan_doubt(const pmi_token_scan *scan) {
    if (scan->growth)
        scan->growth->undecided = true;
}

/* A region or tag is read now, which the text's end may cut off. */
static inline void pmi_token_scan_begin_cut(const pmi_token_scan *scan) {
    if (!scan->growth)
        return;
    scan->growth->doubtful = scan->growth->undecided;
    scan->growth->braces = 0;
}

/* Where to look for the end of what has its contents from `from` on; *depth, if it is not NULL, becomes what it was
 * there. */
static inline size_t pmi_token_scan_resume(const pmi_token_scan *scan, size_t from, size_t *depth) {
    const pmi_end_search *const search = scan->growth ? &scan->growth->search : NULL;
    if (!search || search->at <= from || search->from != from)
        return from;
    if (depth)
        *depth = search->depth;
    return search->at;
}

/* The end was not found; when more has come, the search may go on at `at` > 0. */
static inline void pmi_token_scan_pause(const pmi_token_scan *scan, size_t from, size_t at, size_t depth) {
    if (scan->growth) {
        scan->growth->undecided = true;
        scan->growth->search = (pmi_end_search){.from = from, .at = at, .depth = depth};
    }
}

/* Then: if it is to go on at `at`, a string begins there that nothing ends before `behind`. */
static inline void pmi_token_scan_pause_in_string(const pmi_token_scan *scan, size_t at, size_t behind) {
    if (scan->growth && at < scan->n && scan->growth->search.at == at)
        scan->growth->search.behind = behind;
}

/* Where to look for the quote that ends the string which begins at `at`. */
static inline size_t pmi_token_scan_behind_quote(const pmi_token_scan *scan, size_t at) {
    const pmi_end_search *const search = scan->growth ? &scan->growth->search : NULL;
    return search && search->at == at && search->behind > at ? search->behind : at + 1;
}

/* Do the word's bytes stand at `at`? */
static inline bool pmi_token_scan_at(const pmi_token_scan *scan, pmi_rule_word word, size_t at) {
    const unsigned char *const bytes = scan->pairs->bytes + word.begin, *const text = scan->text + at;
    const bool ignore_case = scan->pairs->ignore_case;
    if (word.length > scan->n - at) {
        pmi_token_scan_doubt(scan);
        return false;
    }
    for (size_t k = 0; k < word.length; k++)
        if (text[k] != bytes[k] && (!ignore_case || pmi_fold_case(text[k], true) != pmi_fold_case(bytes[k], true)))
            return false;
    return true;
}

/* Returns the offset behind the blanks that begin at `at`, if any do. */
static inline size_t pmi_behind_blanks(const pmi_token_scan *scan, size_t at) {
    pmi_scan_growth *const growth = scan->growth;
    const size_t begin = at;
    if (growth && growth->blanks <= at && at < growth->blanks_end)
        at = growth->blanks_end;
    while (at < scan->n && pmi_byte_is_space(scan->text[at]))
        at++;
    if (growth && at == scan->n) {
        growth->undecided = true;
        growth->blanks = growth->blanks < begin && begin <= growth->blanks_end ? growth->blanks : begin;
        growth->blanks_end = at;
    }
    return at;
}

/* Is it the name of a TeX command? */
static inline bool pmi_rule_word_is_command(const struct pmi_delimiters *pairs, pmi_rule_word word) {
    const unsigned char *const bytes = pairs->bytes + word.begin;
    return word.length > 1 && bytes[0] == '\\' && pmi_byte_is_letter(bytes[word.length - 1]);
}

/* The quote that ends the string which begins at `at`; NULL: nothing does. */
const unsigned char *pmi_token_scan_closing_quote(const pmi_token_scan *scan, size_t at);

/* Bytes of a byte order mark that the text begins with: a word may begin behind it. */
size_t pmi_text_mark_length(const unsigned char *text, size_t n);

/* May a whole word begin there? */
bool pmi_token_scan_word_may_begin(const pmi_token_scan *scan, size_t at);

/* Is an open of a pair that these words open? */
bool pmi_open_is_one_of(const struct pmi_delimiters *pairs, const pmi_open *open, pmi_rule_words words);

/* Reads what begins at a place, where `longest` is the longest pattern; what means nothing there leaves `next` as it
 * was. */
void pmi_token_scan_read_at(pmi_token_scan *scan, size_t begin, uint32_t longest);

/* Takes a close that is not of the innermost open's kind, as pmi_token_scan_emit() does, if its fault is only counted.
 * Returns the innermost open after it; NULL if more has to be done, and nothing was. */
pmi_open *pmi_token_scan_count_bad(pmi_token_scan *scan, const pmi_token *close, pmi_open *top);

/* Returns where the tag begins that closes raw contents, which begin at `from`; n if there is no such tag. */
size_t pmi_token_scan_raw_end(const pmi_token_scan *scan, const pmi_raw_contents *raw, size_t from);

/* Returns where a region ends whose text begins at `from`; n + 1 if it does not. */
size_t pmi_token_scan_region_end(pmi_token_scan *scan, const pmi_rule_region *region, size_t from);

/* Reads the region that the pattern begin ... end - 1 begins. False: it begins none, read it otherwise. */
bool pmi_token_scan_region(pmi_token_scan *scan, const pmi_rule_region *region, size_t begin, size_t end);

/* Returns where the name of a statement begins whose contents are bytes `at` ... n - 1: behind a sign, as in {%- if %},
 * and blanks, if any. */
static inline size_t pmi_statement_name(const unsigned char *text, size_t at, size_t n) {
    if (at < n && (text[at] == '-' || text[at] == '+'))
        at++;
    while (at < n && pmi_byte_is_space(text[at]))
        at++;
    return at;
}

/* Is the quote at `at` the value of an attribute that stands behind `begin`? */
bool pmi_tag_quote_is_value(const unsigned char *text, size_t begin, size_t at);

/* Returns the offset behind the expression whose open is at `at`; n + 1 if it does not end. */
size_t pmi_token_scan_nested_end(const pmi_token_scan *scan, size_t at);

/* Returns the offset behind a branch whose text begins at `from`; n + 1 if it does not end, and then *depth is how many
 * ends it lacks. */
size_t pmi_token_scan_branch_end(const pmi_token_scan *scan, const pmi_rule_region *region, size_t from, size_t *depth);

/* Returns the first offset from `from` on at which the word's bytes stand; n if there is no such offset. */
size_t pmi_token_scan_find(const pmi_token_scan *scan, pmi_rule_word word, size_t from);

/* Before a tag at `at` that ends what these lines are of, a bit each: closes that, and what is in it. */
void pmi_opens_end_before(pmi_token_scan *scan, uint64_t ended, size_t at);

/* A tag of the text. */
typedef struct pmi_tag {
    size_t begin, end;
    size_t name, name_end; /* equal: a statement without a name */
    bool closes;
    bool empty; /* it ends as one that opens nothing */
} pmi_tag;

/* Reads the tag that the pattern begin ... end - 1 begins, and goes behind it; or notes that the text's end cuts it
 * off, and then tag->end > scan->n. False: the pattern begins no tag, read it otherwise. */
bool pmi_tag_read(pmi_token_scan *scan, const pmi_rule *rule, size_t begin, size_t end, pmi_tag *tag);

/* Returns the offset behind the end of a tag whose name ends at `from`, n + 1 if it has none. *empty: it ends as one
 * that opens nothing. */
size_t pmi_tag_end(const pmi_token_scan *scan, const pmi_tag_family *family, size_t from, bool *empty);

/* Returns what is known of a tag's name, valid until the next call. NULL: there is no memory. */
pmi_name *pmi_token_scan_name(pmi_token_scan *scan, uint32_t family, const pmi_tag *tag);

/* Does a tag open nothing because of what stands in from ... end - 1, behind its name, which is assigned or quoted? */
bool pmi_tag_opens_nothing(const pmi_token_scan *scan, bool assigned, bool quoted, size_t from, size_t end);

/* Hands on what a tag with this name opens or closes, and goes behind it and its raw contents. */
void pmi_token_scan_take_named(pmi_token_scan *scan, const pmi_tag *tag, pmi_name *name);

/* Hands on what a tag with a name opens or closes, and goes behind it and its raw contents. */
void pmi_token_scan_take_tag(pmi_token_scan *scan, uint32_t family, const pmi_tag *tag);

/* Reads a tag as pmi_tag_read(), and hands on what it opens or closes. */
bool pmi_token_scan_tag(pmi_token_scan *scan, const pmi_rule *rule, size_t begin, size_t end);

/* Reads the text of a scan in a language of tags (tags/tokens.c). */
void pmi_token_scan_tags(pmi_token_scan *scan);

/* An element's name may begin with it. */
static inline bool pmi_byte_begins_name(unsigned char byte) {
    return pmi_byte_is_letter(byte) || byte == '_' || byte == ':' || byte >= 0x80;
}

#endif
