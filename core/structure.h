/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of a text by a dictionary of delimiters: one pass over what the dictionary finds. It goes from each token,
 * region or tag to the first pattern behind its end, of those that begin there to the longest that fits.
 */
#ifndef PM_CORE_STRUCTURE_H
#define PM_CORE_STRUCTURE_H

#include "core/names.h"
#include "core/pairs.h"

#define PM_CUT_NONE SIZE_MAX

typedef struct pm_token {
    size_t begin, end;
    uint32_t kind;
    bool open;
} pm_token;

/* As the caller is told it. */
static inline uint32_t pm_token_length(const pm_token *token) {
    const size_t length = token->end - token->begin;
    return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Takes the tokens, in order. False: there is no memory. */
typedef bool (*pm_token_take)(const pm_token *token, void *user);

/* An open that is not closed yet. */
typedef struct pm_open {
    uint32_t kind;
    uint32_t rule;    /* of a pair; PM_NONE: a tag */
    uint32_t implied; /* its close may be left out where what it is in ends: by that line of its family, or, for
                         PM_PAIRS_IMPLIED_MAX, only there; PM_NONE: it may not */
} pm_open;

typedef struct pm_opens {
    pm_open *entries;
    size_t depth, room;
} pm_opens;

typedef struct pm_structure_scan {
    const struct pm_pairs *pairs;
    const unsigned char *text;
    size_t n;
    pm_token_take take;
    void *user;

    size_t next;         /* where the next token may begin */
    pm_names names;      /* of tags, numbered */
    pm_opens opens;      /* if the rules ask for it (pm_pairs.tracks) */
    size_t cut, cut_end; /* what begins the region or tag that the text's end cuts off; PM_CUT_NONE: none */
    bool out_of_memory;
} pm_structure_scan;

/* Scans a text; `scan` has its first five members set, and keeps `cut`. PM_OUT_OF_MEMORY is possible. */
pm_status pm_structure_run(pm_context *context, pm_structure_scan *scan);

/* Hands a token on, and goes on behind it. Of an open its rule and line are told, as in pm_open. */
void pm_structure_emit(pm_structure_scan *scan, const pm_token *token, uint32_t rule, uint32_t implied);

/* The text's end cuts off what begins with this pattern. */
void pm_structure_cut(pm_structure_scan *scan, size_t begin, size_t end);

/* Do the words's bytes stand at `at`? */
bool pm_structure_at(const pm_structure_scan *scan, pm_pairs_word word, size_t at);

/* Where they stand first, from `from` on; n: nowhere. */
size_t pm_structure_find(const pm_structure_scan *scan, pm_pairs_word word, size_t from);

/* The same of blanks in the word being any blanks of the text: behind the bytes; 0: they do not stand there. */
size_t pm_structure_spaced_end(const pm_structure_scan *scan, pm_pairs_word word, size_t at);

/* Before a token is handed on: closes what it closes beside, and notes what it opens. */
void pm_opens_take(pm_structure_scan *scan, const pm_token *token, uint32_t rule, uint32_t implied);

/* Before a tag at `at` that ends what these lines are of, a bit each: closes that, and what is in it. */
void pm_opens_end_before(pm_structure_scan *scan, uint64_t ended, size_t at);

/* Is the innermost open of a kind one of these words? */
bool pm_opens_innermost_is(const pm_structure_scan *scan, uint32_t kind, pm_pairs_words words);

/* At the text's end: closes what may be left open. */
void pm_opens_finish(pm_structure_scan *scan);
void pm_opens_clear(pm_structure_scan *scan);

/* Reads the region that the pattern begin ... end - 1 begins, or the tag. False: it begins none, read it otherwise. */
bool pm_structure_region(pm_structure_scan *scan, const pm_pairs_region *region, size_t begin, size_t end);
bool pm_structure_tag(pm_structure_scan *scan, const pm_rule *rule, size_t begin, size_t end);

/* Part of a word: a letter, a digit, an underline, a byte of what is not ASCII. */
static inline bool pm_byte_is_word(unsigned char byte) {
    return pm_byte_is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_' || byte >= 0x80;
}

/* An element's name may begin with it. */
static inline bool pm_byte_begins_name(unsigned char byte) {
    return pm_byte_is_letter(byte) || byte == '_' || byte == ':' || byte >= 0x80;
}

#endif
