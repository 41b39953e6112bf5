/* SPDX-License-Identifier: Apache-2.0 */
/* What is shared by those that read code by masks; see broadword/text/code_masks.h. */
#ifndef PM_BROADWORD_TEXT_CODE_TYPES_H
#define PM_BROADWORD_TEXT_CODE_TYPES_H

#include "base/ascii.h"
#include "broadword/text/classify.h"

#define PM_CODE_INLINE static inline __attribute__((always_inline))

/* Questions about a byte, a mask each. */
enum {
    PM_MASK_BRACKET,
    PM_MASK_STRING,    /* " */
    PM_MASK_CHARACTER, /* ' */
    PM_MASK_SLASH,
    PM_MASK_STAR,
    PM_MASK_BACKSLASH,
    PM_MASK_NEWLINE,
    PM_MASK_OTHER, /* what else may begin something in this language */
    PM_MASK_COUNT
};

/* The masks' classes, and a first look: one pair of look-ups by halves of a byte, low[l] & high[h], has a bit from
 * PM_LOOK_BRACKET on of each bracket, and one below that of each byte with which something may begin in code. */
#define PM_LOOK_BRACKET 6u
struct pmi_code_classes {
    pmi_byte_classes all;
    bool looks; /* such a pair does */
    uint8_t high[16], low[16];
};

/* Fills the first look. */
void pmi_code_classes_finish(pmi_code_classes *classes);

/* What differs between languages. */
struct pmi_code_rules {
    bool directives;          /* the name behind a # may choose a branch or be one that the lexer must read */
    bool bang;                /* a # begins something only before a ! */
    bool hashes;              /* a # may stand between raw_after and the quote */
    bool expressions;         /* a slash where an operand may begin begins a regular expression: JavaScript */
    bool elements;            /* a < there and before a name, > or what is not ASCII may begin an element; JSX */
    bool separators;          /* an apostrophe behind a number may be part of it; any other OTHER byte is odd */
    bool returns;             /* a '\r' behind a backslash is odd: with a newline it may mean one thing */
    bool lines_continue;      /* a backslash before a newline continues a comment of one line */
    bool strings_end;         /* with the line; and the same exception: */
    bool strings_continue;    /* a backslash before the newline */
    bool strings_cut;         /* not even by a backslash are strings and characters continued */
    bool comments_nest;       /* block comments */
    bool triple;              /* three quotes in a row begin something else */
    bool triple_known;        /* that is a string which three quotes end; in it: */
    bool triple_escapes;      /* a backslash protects the next byte */
    bool verbatim;            /* @" begins a string in which "" is a quote */
    bool lifetimes;           /* an apostrophe may begin a name: Rust */
    bool backticks;           /* strings of any number of lines: Go, JavaScript */
    bool templates;           /* a backslash protects the next byte in those, and code in { } may follow a dollar */
    bool interpolated;        /* $", $@" and @$" begin strings with code in { } and no brace of {{: C# */
    unsigned char raw_after;  /* a quote behind this byte may begin a raw string; 0: none does */
    const char *raw_prefixes; /* it does behind one of these words, which end with that byte */
};

typedef enum pmi_code_inside {
    PM_INSIDE_CODE,
    PM_INSIDE_BLOCK,
    PM_INSIDE_LINE,
    PM_INSIDE_STRING,
    PM_INSIDE_CHARACTER,
    PM_INSIDE_RAW,        /* between backticks, or of another sort of pmi_code_holder */
    PM_INSIDE_EXPRESSION, /* a regular one */
    PM_INSIDE_LONG        /* a string that more than one byte opens or closes */
} pmi_code_inside;

/* Added to it between words: the code around is in the { } of a string or the like. */
#define PM_INSIDE_NESTED 8u

/* Where a text is, between one word and the next. */
struct pmi_code_state {
    unsigned inside;        /* a pmi_code_inside, perhaps with PM_INSIDE_NESTED */
    bool slash;             /* code: the last byte was a slash that may begin a comment */
    bool star;              /* a block comment: the last byte was a star that may end it */
    bool backslash;         /* the last byte was one */
    bool escaped;           /* it protects the next byte */
    bool in_class;          /* inside the [] of a regular expression */
    unsigned char previous; /* the last byte; of hashes that may be of a raw string, raw_after */
    bool touching;          /* one comment began where another ended, in a word since the first one */
    bool dollar;            /* between backticks: the last byte was a dollar behind which code may begin */
    size_t branches;        /* noted so far */
    unsigned char opening;  /* bytes at the end of the word that open what the text is inside, together with: */
    unsigned char opened;   /* as many of the next word; 0: nothing is opened across the words' border */
};

/* What a directive does to the branches of a text; as pmi_directive. */
enum {
    PM_CODE_IF = 0,
    PM_CODE_IF_ZERO,
    PM_CODE_ELSE_IF,
    PM_CODE_ELSE,
    PM_CODE_ENDIF,
    PM_CODE_NO_BRANCH, /* nothing */
    PM_CODE_SKIPS,     /* the rest of its line is no code */
    PM_CODE_UNCLEAR    /* the lexer must read it */
};

typedef enum pmi_code_noting {
    PM_BRANCHES_READ, /* by the lexer, as all is that depends on code around it: that may be of another record */
    PM_BRANCHES_IGNORED,
    PM_BRANCHES_NOTED
} pmi_code_noting;

#define PM_CODE_SEPARATED 16u /* bytes of a number before an apostrophe that are looked at */
#define PM_CODE_BEFORE 12u    /* the longest keyword, and what is around it */

/* Where directives are noted that choose branches, each as the offset of the byte behind its name or, of an #if, behind
 * the blanks and the 0 that follow, from a byte `base` before the first word; and below that 3 bits that say what it
 * does. Their number is in the state. */
typedef struct pmi_code_branches {
    pmi_code_noting what;
    uint16_t *list;
    size_t base;
    unsigned char before[PM_CODE_BEFORE]; /* the last bytes of code before the first word, from the last one back,
                                             where a run of blanks is one, '\n' or ' ', and " is any string or the like;
                                             0: not known */
} pmi_code_branches;

/* The sorts of strings that may hold code. */
typedef enum pmi_code_holder {
    PM_HOLDER_BACKTICKS,
    PM_HOLDER_DOLLAR,    /* $" */
    PM_HOLDER_DOLLAR_AT, /* $@" */
    PM_HOLDER_AT_DOLLAR, /* @$" */
    PM_HOLDER_ELEMENT,   /* of JSX, with all that is in it */
    PM_HOLDER_SORTS
} pmi_code_holder;

/* What the next byte of an element is read as; as pmi_jsx. What is missing the lexer reads. */
enum {
    PM_ELEMENT_TEXT = 0,
    PM_ELEMENT_LESS,
    PM_ELEMENT_TAG = 6,
    PM_ELEMENT_DOUBLE,
    PM_ELEMENT_SINGLE,
    PM_ELEMENT_CLOSING = 11
};

/* Where a text is in an element. */
#define PM_ELEMENT_TYPES_MAX UINT16_MAX
typedef struct pmi_code_element {
    uint64_t depth;         /* elements open in it */
    uint16_t types;         /* in a tag: type arguments open */
    unsigned char step;     /* one of PM_ELEMENT_* */
    unsigned char previous; /* in a tag: the last byte that is no blank, if it is / or = */
} pmi_code_element;

/* The strings around the text whose code it is in, from the outermost one that is known. Places are bytes from the
 * first word on, modulo 2^64. */
#define PM_CODE_TEMPLATES 128u
typedef struct pmi_code_templates {
    uint64_t start;           /* of the string that the text is in */
    uint64_t braces;          /* open in the innermost code */
    unsigned level;           /* strings, of PM_CODE_TEMPLATES at most */
    unsigned least;           /* of level, since the first word */
    bool outer;               /* there is more around them */
    unsigned char sort;       /* of the string that the text is in: a pmi_code_holder */
    pmi_code_element element; /* if that is one */
    struct {
        uint64_t start, braces; /* of the string, and around it */
        pmi_code_element element;
    } around[PM_CODE_TEMPLATES];
    unsigned char sorts[PM_CODE_TEMPLATES]; /* of the same strings */
} pmi_code_templates;

/* Copies all but the strings around. */
static inline void pmi_code_templates_copy(pmi_code_templates *to, const pmi_code_templates *from) {
    to->start = from->start;
    to->braces = from->braces;
    to->level = from->level;
    to->least = from->least;
    to->outer = from->outer;
    to->sort = from->sort;
    to->element = from->element;
}

/* Copies the string around at a level. */
static inline void pmi_code_templates_copy_at(pmi_code_templates *to, const pmi_code_templates *from, unsigned level) {
    to->around[level] = from->around[level];
    to->sorts[level] = from->sorts[level];
}

/* The sorts of strings that more than one byte opens or closes. */
typedef enum pmi_code_long {
    PM_LONG_RAW,
    PM_LONG_TRIPLE,
    PM_LONG_VERBATIM,
    PM_LONG_SORTS
} pmi_code_long;

/* What ends the one that a text is in. */
#define PM_CODE_DELIMITER 16u /* bytes of the x in R"x(...)x", or hashes, at most */
typedef struct pmi_code_closer {
    unsigned char length, bytes[PM_CODE_DELIMITER + 2];
    unsigned char matched; /* bytes of it that the text ends with */
    unsigned char sort;    /* a pmi_code_long */
    bool escapes;          /* a backslash protects the next byte */
    bool doubled;          /* two in a row end nothing */
} pmi_code_closer;

/* Of each word of text, what is in comments, from their first byte to before the newline or with their closer; and what
 * is in strings and characters, from the opening quote to before the closing one. */
struct pmi_code_found {
    uint64_t *brackets, *comments, *quoted;
    pmi_code_branches branches;
    pmi_code_templates *templates; /* NULL: the lexer reads code in strings */
    pmi_code_closer *closer;       /* of the long string that the text is in */
    bool reaches_back;             /* a word of the same text stands before the first one in memory */
    bool lines; /* newlines are shown as brackets where they may end a record: not in strings' code */
};

/* Bytes of a word that elements and the code in strings ask for, a bit each. */
typedef struct pmi_code_signs {
    uint64_t blanks; /* and newlines */
    uint64_t names;  /* of names */
    uint64_t less, greater, braces;
} pmi_code_signs;

typedef void (*pmi_code_look_signs)(const unsigned char *word, pmi_code_signs *signs);

static inline unsigned char pmi_code_before(const pmi_code_state *state, const unsigned char *text, unsigned bit) {
    return bit == 0 ? state->previous : text[bit - 1];
}

#endif
