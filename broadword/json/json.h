/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a JSON text, in bulk: of every 64 bytes which begin a token and which are brackets, as masks; the
 * partner of each bracket; and whether the text is what the grammar of RFC 8259 allows, except for the letters of
 * numbers and names, and for what stands behind a backslash.
 */
#ifndef PM_BROADWORD_JSON_JSON_H
#define PM_BROADWORD_JSON_JSON_H

#include "broadword/text/classify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A container that is open. */
enum {
    PM_JSON_IN_ARRAY = 0,
    PM_JSON_IN_OBJECT = 1,
    PM_JSON_IN_NOTHING = 2 /* beneath all containers */
};
typedef struct pmi_json_open {
    uint32_t at;     /* offset of its bracket */
    uint32_t number; /* of its bracket, from 1 */
    uint32_t kind;
} pmi_json_open;

/* The largest number of words read at once, and what that number is a multiple of. */
#define PM_JSON_WORDS 64u
#define PM_JSON_STEP 8u

/* Partners behind the last one that a reading may overwrite. */
#define PM_JSON_SLACK 64u

/* Fewer brackets than this may close more than is open before that is noticed. */
#define PM_JSON_BENEATH (PM_WORD_BITS + 1)

/* Where the reading is, between one word of text and the next. Numbers that are not counts are 0 or 1. */
typedef struct pmi_json_state {
    unsigned inside, escaped; /* the next byte is in a string, or closes it; a backslash protects it */
    unsigned scalar;          /* the last byte belongs to a number or name */
    unsigned after_begin;     /* the last token is an open bracket or a comma */
    unsigned after_separator; /* the last token is a comma or a colon */
    unsigned after_key;       /* the last token is a key */
    uint64_t continuations;   /* which of the next bytes must go on with a character */
    uint64_t after_e0, after_ed, after_f0, after_f4; /* the last byte is that */
    uint64_t tokens;                                 /* their count */
    uint32_t at, brackets;                           /* offset of the next word; brackets before it */
    pmi_json_open *bottom, *top; /* the stack: PM_JSON_BENEATH entries up to bottom stand for nothing */
    uint32_t *partners;          /* by a bracket's number, from 1: its partner's offset. Entry 0 is scratch. */
} pmi_json_state;

/* What is found, an entry for each word. */
typedef struct pmi_json_found {
    uint64_t *tokens, *brackets;
    uint32_t *before; /* brackets in earlier words */
} pmi_json_found;

typedef struct pmi_json_kernel {
    /* Reads PM_JSON_STEP to PM_JSON_WORDS words of text, in whole steps. There is room for as many opens and brackets
     * as they have bytes, and for PM_JSON_SLACK more brackets. Returns false if the text is wrong; then the state is
     * not to be used any more. */
    bool (*read)(pmi_json_state *state, const unsigned char *text, size_t words, const pmi_json_found *found);
} pmi_json_kernel;

#ifdef __cplusplus
}
#endif

#endif
