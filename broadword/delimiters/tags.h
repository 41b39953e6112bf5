/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags, as in <a b="c">, in bulk: from text to the places of `<` and `>`, and from these to the match of names.
 *
 * Both stop where a text is not as tags mostly are; the caller reads on from there, byte by byte.
 */
#ifndef PM_BROADWORD_DELIMITERS_TAGS_H
#define PM_BROADWORD_DELIMITERS_TAGS_H

#include "base/open_token.h"
#include "base/slice.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_TAGS_AHEAD 64u          /* bytes behind those of a call that are read, too */
#define PM_TAGS_SLACK PM_WORD_BITS /* places that may be written behind those of a word */

/* What braces begin in a text of tags. */
typedef enum pmi_tag_braces {
    PM_BRACES_NOTHING = 0,
    PM_BRACES_TWICE,       /* outside of tags {{ begins what }} ends */
    PM_BRACES_EXPRESSIONS, /* { begins an expression, in tags too; or, before # and /, a tag of another family */
    PM_BRACES_SORTS
} pmi_tag_braces;

/* Where the reading is, between one word of text and the next. What is true is all ones. */
typedef struct pmi_tag_state {
    uint64_t in_tag;
    uint64_t quoted;       /* in a tag: in the value of an attribute, whose quotes are of the sort `apostrophes` says */
    uint64_t apostrophes;  /* the last value was in apostrophes, so that of the next tag is expected to be */
    uint64_t behind_equal; /* the last byte is = */
    uint64_t in_braces;    /* how many are open: the first is at offset `braces`, and nothing odd has come since */
    uint64_t braces;
    uint64_t lines;    /* records end at newlines, so that one in braces is odd */
    uint64_t newlines; /* in all words read */
} pmi_tag_state;

/* Offsets in a text: of the `<` and the `>` of each tag. The last tag may lack its end. */
typedef struct pmi_tag_places {
    uint64_t *begins, *ends;
    size_t begin_count, end_count;
} pmi_tag_places;

/* The tags that are open. */
typedef struct pmi_tag_stack {
    uint64_t *opens; /* offsets of their `<`; opens[-1] is there, for the kernel */
    uint64_t depth, deepest;
    uint64_t count; /* of tags that opened or closed */
} pmi_tag_stack;

#define PM_KNOWN_NAMES ((size_t)512)

#define PM_KNOWN_LENGTH 15u  /* bytes of a short name at most, the slash of a close included */
#define PM_KNOWN_REST 32u    /* bytes of a longer one that pmi_known_tag does not hold, at most */
#define PM_KNOWN_LONGEST 47u /* of any of them; behind it there is an end */
#define PM_KNOWN_LONG                                                                                                  \
    64u /* is added to the length of a longer one: it is of no name that was looked for as a short one */

/* What is known of the tags that open with a name, or of those that close with it. 64 bytes, a line of a cache. */
typedef struct pmi_known_tag {
    uint64_t name[2]; /* its first bytes, that of a close behind a slash; zeros behind its end */
    pmi_open open; /* its kind; what an open brings: `chain` is the bit that it adds; `length` is that of the name, of a
                      long one with PM_KNOWN_LONG, or PM_KNOWN_NOTHING: more must be looked at, or no name is here */
    uint64_t ends; /* of what is open, this is ended before the tag if `chain` has one of these bits */
    int8_t steps[2]; /* opens that the tag adds: 1, 0 or -1; and if it ends with a slash. Without stacks the first may
                        be PM_KNOWN_EMPTY: only empty tags of the name are known */
    uint8_t closes;  /* 1: it closes; else 0 */
    int8_t keeps;    /* -1: an open keeps the chain of what it is in; else 0 */
    int8_t closed;   /* -1: what is open must be of the kind; else 0 */
} pmi_known_tag;

#define PM_KNOWN_NOTHING UINT32_MAX
#define PM_KNOWN_EMPTY 2

/* Where the entry of a name is among PM_KNOWN_NAMES, by its first eight bytes, zeros behind its end. Of the factors
 * that were tried, HTML's frequent names get places of their own with PM_KNOWN_FACTOR most often; where other names
 * share one, another odd factor may tell them apart. */
#define PM_KNOWN_FACTOR UINT64_C(0x1dc39036752bc329)
static inline size_t pmi_known_name_place(uint64_t bytes, size_t length, uint64_t factor) {
    return (size_t)((bytes + length) * factor >> 55);
}

/* The same of a long name, by its first and its last eight bytes: one of two places, which share a pmi_known_rest. */
static inline size_t pmi_known_long_name_place(uint64_t first, uint64_t last, size_t length, uint64_t factor) {
    return pmi_known_name_place(first ^ (last << 29 | last >> 35), length, factor) & ~(size_t)1;
}

/* The bytes of a long name behind those that its entry holds; what is behind its end does not matter. */
typedef struct pmi_known_rest {
    unsigned char bytes[PM_KNOWN_REST];
} pmi_known_rest;

#define PM_KNOWN_RESTS (PM_KNOWN_NAMES / 2) /* that of the entry k is at k / 2 */

/* What tags with known names do (base/token.h). */
typedef struct pmi_tags_taken {
    uint64_t factor;          /* of the places of known names; with `stacks` it is PM_KNOWN_FACTOR */
    pmi_open *top, *deepest;  /* the innermost open, and where the deepest one was */
    struct pmi_token *tokens; /* receives what opens and closes */
    size_t count;             /* of that */
    pmi_open *bottom; /* where nothing is open, if closes of something else than what is open are to be counted; NULL:
                         they are not taken */
    size_t unmatched, mismatched; /* receive how many more of these there were: with nothing open, or something else */
    const uint8_t *firsts;        /* of a check, by tag: 1 if a record begins with it, and then `top` has to be `floor`;
                                     else 0. NULL: they are of one text */
    pmi_open *floor;              /* what `top` is where nothing is open */
    size_t flat, flat_count;      /* the last first tag that was taken; what `count` was before it, */
    pmi_open *flat_deepest;       /* and `deepest` */
} pmi_tags_taken;

typedef struct pmi_tag_kernel {
    /*
     * Reads words of text from byte `at` on, until one that has something odd in it: a `<` in a tag or before `!` or
     * `?`, a `>` in a value, a quotation mark in a tag that is not behind a =, or both sorts of them; in braces a
     * string of two lines or with a brace, both sorts of quotation marks, a backslash, a comment, a template, or a
     * newline if records end there; and what braces begin in tags, or as a tag. Returns how many words it read; the
     * places of all their `<` and of the `>` that end tags are appended. *events: of the odd word, which bytes are `<`,
     * `>`, quotation marks, or braces that begin something. One for each sort of braces.
     */
    size_t (*find[PM_BRACES_SORTS])(pmi_tag_state *state, const unsigned char *text, size_t at, size_t words,
                                    pmi_tag_places *places, uint64_t *events);

    /*
     * Opens and closes `count` tags with names that end at a blank, `/` or `>`. Returns how many it did before one
     * that has an odd name (with a =, or that does not begin as names do), or closes something else than what is open.
     * There is room for `count` more opens, and one.
     */
    size_t (*match)(pmi_tag_stack *stack, const unsigned char *text, const uint64_t *begins, const uint64_t *ends,
                    size_t count);

    /*
     * Takes `count` tags with known names, which end where those of match() do or at the byte `end`, as long as they
     * close the innermost open, or open something, and end no more than PM_OPENS_SEEN others, or with `notes` one,
     * which may be left open; and other closes, if they are to be counted. Returns how many. Without `stacks` it does
     * not matter what is open; without `notes` what opens and closes is only counted. There is room for `count` more
     * opens, and one, and for two tokens of each, and one.
     */
    size_t (*take)(pmi_tags_taken *taken, const pmi_known_tag known[PM_KNOWN_NAMES],
                   const pmi_known_rest rests[PM_KNOWN_RESTS], const unsigned char *text, const uint64_t *begins,
                   const uint64_t *ends, size_t count, unsigned char end, bool stacks, bool notes);
} pmi_tag_kernel;

#ifdef __cplusplus
}
#endif

#endif
