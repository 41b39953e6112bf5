/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of a text, roughly as its language has them: what a repair looks at. */
#ifndef PM_CORE_REPAIR_TOKENS_H
#define PM_CORE_REPAIR_TOKENS_H

#include "core/text/language.h"
#include "core/text/readings.h"

#define PM_TOKEN_EDGE 2u /* tokens before the first and behind the last, which stand for the text's ends */
#define PM_TOKENS_MAX ((size_t)1 << 20) /* with these */

/* Sorts of tokens; any other token is its own byte. */
#define PM_SORT_EDGE 0u
#define PM_SORT_WORD 'w'
#define PM_SORT_NUMBER '0'
#define PM_SORT_STRING '"'

/* Kinds of pmi_spacing. */
#define PM_SPACINGS 3u

/* Forms of words that are not sorts; no token begins with these bytes and is not a word. */
#define PM_FORM_FOR 0x80u     /* the word `for` */
#define PM_FORM_CONTROL 0x81u /* words before a condition */
#define PM_FORM_FLOW 0x82u    /* other words that are not operands */
#define PM_FORM_DECLARE 0x83u /* words of types and declarations */

/* What stands before a token. */
typedef enum pmi_spacing {
    PM_SPACE_NONE = 0,
    PM_SPACE_BLANK,
    PM_SPACE_LINE /* a newline, perhaps with blanks and comments */
} pmi_spacing;

typedef struct pmi_code_token {
    uint32_t begin, end; /* byte offsets */
    uint32_t name;       /* a hash of its bytes; all numbers have one, and all strings */
    uint32_t indent;     /* of its line, in columns */
    uint8_t sort;
    uint8_t form;              /* its sort, but of some words PM_FORM_FOR ... */
    uint8_t class;             /* for a pmi_prior */
    uint8_t role;              /* as in a pm_alphabet; PM_ROLE_NEUTRAL: not a bracket */
    uint8_t spacing;           /* pmi_spacing */
    uint8_t directive;         /* 1 + the pmi_directive that it is the name of; 0: it is not */
    bool directive_line : 1;   /* it stands in a line that begins with # */
    bool statement : 1;        /* it begins a line and a statement */
    bool behind_statement : 1; /* the line before it ended one, or began or ended a block */
    bool behind_line : 1;      /* ... by its end alone: no parenthesis of a call goes on here */
    bool line_statements : 1;  /* the end of a line ends a statement in this language */
    bool wants_paren : 1;      /* a word like `if`, where a parenthesis has to follow it */
    bool label_line : 1;       /* its line ends with a colon, or begins with `case` */
} pmi_code_token;

typedef struct pmi_code_tokens {
    pmi_code_token *list; /* PM_TOKEN_EDGE, then the text's, then PM_TOKEN_EDGE */
    size_t count;         /* of all */
} pmi_code_tokens;

/* What is known of a language: core/repair/prior.h. */
typedef struct pmi_prior pmi_prior;

/* Words that it knows. */
#define PM_PRIOR_WORDS 120u
typedef struct pmi_prior_words {
    uint32_t name[256]; /* open addressing */
    uint8_t class[256]; /* 0: free */
} pmi_prior_words;

/* Returns the hash of a word. */
uint32_t pmi_code_token_name(const char *bytes, size_t n);

/* Returns the sort of the token that begins with a byte. */
uint8_t pmi_code_token_sort(unsigned char byte);

/* Reads a text of less than 2^32 bytes. tokens->list is to be given to pmi_memory_free(). PM_TOO_LARGE: it has more
 * than PM_TOKENS_MAX tokens; PM_OUT_OF_MEMORY. */
pm_status pmi_code_tokens_read(const pm_allocator *allocator, const pm_language *language, const pm_alphabet *alphabet,
                               const char *text, size_t n, pmi_code_tokens *tokens);

#endif
