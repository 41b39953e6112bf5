/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags, as in <a b="c">, in bulk: from text to the places of `<` and `>`, and from these to the match of names.
 *
 * Both stop where a text is not as tags mostly are; the caller reads on from there, byte by byte.
 */
#ifndef PM_BROADWORD_DELIMITERS_TAGS_H
#define PM_BROADWORD_DELIMITERS_TAGS_H

#include "base/slice.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_TAGS_AHEAD 64u          /* bytes behind those of a call that are read, too */
#define PM_TAGS_SLACK PM_WORD_BITS /* places that may be written behind those of a word */

/* Where the reading is, between one word of text and the next. Each but `at` and `newlines` is 0 or all ones. */
typedef struct pmi_tag_state {
    uint64_t in_tag;
    uint64_t quoted;       /* in a tag: in the value of an attribute, whose quotes are of the sort `apostrophes` says */
    uint64_t apostrophes;  /* the last value was in apostrophes, so that of the next tag is expected to be */
    uint64_t behind_equal; /* the last byte is = */
    uint64_t newlines;     /* in all words read */
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

#define PM_KNOWN_NAMES ((size_t)256)

#define PM_KNOWN_LENGTH 15u /* most bytes of such a name */

/* A name: its bytes, zeros behind its end, and in the highest byte of the second word its length. */
typedef struct pmi_known_name {
    uint64_t words[2];
} pmi_known_name;

/* Where it is among PM_KNOWN_NAMES. */
static inline size_t pmi_known_name_place(const pmi_known_name *name) {
    return (size_t)((name->words[0] ^ name->words[1]) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* What is found of a tag: the place of its name, and these. */
#define PM_TAG_CLOSES_BIT 8u
#define PM_TAG_EMPTY_BIT 9u

typedef struct pmi_tag_kernel {
    /*
     * Reads words of text from byte `at` on, until one that has something odd in it: a `<` in a tag or before `!` or
     * `?`, a `>` in a value, a quotation mark in a tag that is not behind a =, or both sorts of them. Returns how many
     * words it read; the places of all their `<` and of the `>` that end tags are appended. *events: of the odd word,
     * which bytes are `<`, `>` or quotation marks.
     */
    size_t (*find)(pmi_tag_state *state, const unsigned char *text, size_t at, size_t words, pmi_tag_places *places,
                   uint64_t *events);

    /*
     * Opens and closes `count` tags with names that end at a blank, `/` or `>`. Returns how many it did before one
     * that has an odd name (with a =, or that does not begin as names do), or closes something else than what is open.
     * There is room for `count` more opens, and one.
     */
    size_t (*match)(pmi_tag_stack *stack, const unsigned char *text, const uint64_t *begins, const uint64_t *ends,
                    size_t count);

    /* Reads the names of `count` tags, which end where those of match() do or at the byte `end`. Returns how many it
     * read before one that is not in its place in `known`. */
    size_t (*names)(const pmi_known_name known[PM_KNOWN_NAMES], const unsigned char *text, const uint64_t *begins,
                    const uint64_t *ends, size_t count, unsigned char end, uint16_t *found);
} pmi_tag_kernel;

#ifdef __cplusplus
}
#endif

#endif
