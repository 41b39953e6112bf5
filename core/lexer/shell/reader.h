/* SPDX-License-Identifier: Apache-2.0 */
/* What reads a shell's text: shell/range.c goes from one byte that matters to the next, shell/special.c
 * reads those bytes of code that need more than a table. */
#ifndef PM_CORE_LEXER_SHELL_READER_H
#define PM_CORE_LEXER_SHELL_READER_H

#include "core/lexer/parts.h"

/* Bits of a class. X, Y and Z say, together with the others, which byte it is. */
enum {
    PM_SHELL_TOKEN = PM_LEXER_BRACKET + 1, /* may matter to strings and comments, or begin a heredoc */
    PM_SHELL_X,
    PM_SHELL_Y,
    PM_SHELL_Z,
    PM_SHELL_DUE,  /* a word may begin behind it */
    PM_SHELL_NAME, /* part of a word */
    PM_SHELL_SOFT, /* may end the word `case` or `esac`, or matter inside a `case` */
    PM_SHELL_CLASSES
};
_Static_assert(PM_SHELL_CLASSES == PM_PIECE_CLASSES, "as many as there may be");

/* States of the table: a shell's regions, and: */
enum {
    PM_SHELL_CODE = PM_SHELL_REGIONS,
    PM_SHELL_STATES,
    PM_SHELL_OTHER = PM_SHELL_STATES,
    /* or what is to be done: */
    PM_SHELL_ESCAPE,     /* a backslash protects the next byte */
    PM_SHELL_BEGIN_CODE, /* perhaps code begins inside the string */
    PM_SHELL_STOP        /* the byte is read in another way */
};

/* A string with code in it, and what to return to behind that. */
typedef struct pmi_shell_nest {
    size_t start; /* of the string, as in the reader */
    uint64_t braces, raw_length;
    unsigned char open, around; /* the brackets with which this code and the code around it began */
} pmi_shell_nest;
#define PM_SHELL_NESTS 8u

typedef struct pmi_shell_reader {
    pmi_lexer *lexer;
    const unsigned char *text;
    const pmi_lexer_masks *piece;
    size_t begin, to;
    uint64_t position; /* of the piece */
    uint64_t *outside;

    unsigned state;     /* OTHER: the table does not have the lexer's */
    size_t start;       /* of the region, in the piece; SIZE_MAX: the lexer knows it */
    size_t fresh;       /* the byte before this was read by the lexer alone, or in another piece */
    bool fresh_due;     /* a word may begin there */
    bool fresh_soft;    /* a soft byte there may mean something by what comes before */
    bool surrounded;    /* one of the next three is there */
    bool heredocs;      /* follow the line */
    unsigned char open; /* of the code in a string; 0: it is in none */
    pmi_shell_case *of; /* the innermost `case` that is not ended; NULL: none is */

    pmi_shell_nest nests[PM_SHELL_NESTS]; /* the innermost ones, of which the lexer does not know */
    unsigned nest_count;

    size_t noted; /* from this byte on the history is to be made from: */
    uint64_t code[PM_PIECE_WORDS];
    uint64_t operands[PM_PIECE_WORDS]; /* the last bytes of strings, and bytes behind a backslash */
    uint64_t dollars[PM_PIECE_WORDS];  /* behind which code begins inside a string */
} pmi_shell_reader;

static inline bool pmi_shell_is_code(const pmi_shell_reader *reader, size_t i) {
    return reader->code[i / PM_WORD_BITS] >> i % PM_WORD_BITS & 1;
}

/* Was what comes right before byte i, four bytes of it, read as code that follows each other? */
static inline bool pmi_shell_is_plain_behind(const pmi_shell_reader *reader, size_t i) {
    return i >= reader->fresh + 4 || i < reader->fresh;
}

/* Is byte i of code a parenthesis of the ${ } of a string that is no bracket? `code`: the byte before it is code. */
static inline bool pmi_shell_is_literal(const pmi_shell_reader *reader, size_t i, bool code) {
    const unsigned char byte = reader->text[i];
    if (reader->open != '{' || (byte != '(' && byte != ')'))
        return false;
    const unsigned char newest = i == reader->noted ? pmi_lexer_history_byte(&reader->lexer->history, 0)
                                 : code             ? reader->text[i - 1]
                                                    : 0;
    return pmi_lexer_shell_literal(reader->lexer, byte, newest);
}

typedef enum pmi_shell_effect {
    PM_SHELL_COUNTS = 0,
    PM_SHELL_COUNTS_NOT, /* as a bracket */
    PM_SHELL_UNKNOWN     /* without the history */
} pmi_shell_effect;

/* Of the bytes before byte i, is the k-th code? Bit 64 - k says so. */
static inline bool pmi_shell_is_code_before(uint64_t code, unsigned k) {
    return code >> (PM_WORD_BITS - k) & 1;
}

/* What another byte does to the `case` around it, behind four bytes of plain code. */
static inline pmi_shell_effect pmi_shell_soft_read(const pmi_shell_reader *reader, size_t i, uint64_t code) {
    const unsigned char byte = reader->text[i];
    const unsigned char before = pmi_shell_is_code_before(code, 1) ? reader->text[i - 1] : 0;
    pmi_shell_case *const of = reader->of;
    switch (byte) {
    case '(':
        if (of->part == PM_CASE_PATTERN && of->parens == 0)
            return PM_SHELL_UNKNOWN;
        if (before == '(' && of->parens > 0 && of->arithmetic == UINT64_MAX)
            of->arithmetic = of->parens - 1;
        of->parens++;
        return PM_SHELL_COUNTS;
    case ')':
        return pmi_lexer_shell_close(of) ? PM_SHELL_COUNTS : PM_SHELL_COUNTS_NOT;
    case ';':
        if (before == ';')
            pmi_lexer_shell_semicolons(of);
        return PM_SHELL_COUNTS;
    case '[':
    case ']':
        return pmi_lexer_shell_in_pattern(of) ? PM_SHELL_COUNTS_NOT : PM_SHELL_COUNTS;
    default:
        if (before == '&' && !pmi_shell_is_code_before(code, 2))
            return PM_SHELL_UNKNOWN;
        if (before == '&' && reader->text[i - 2] == ';') {
            if (!pmi_shell_is_code_before(code, 3))
                return PM_SHELL_UNKNOWN;
            if (reader->text[i - 3] != ';')
                pmi_lexer_shell_semicolons(of);
        }
        if (before == 'n' && of->part == PM_CASE_WORD && of->parens == 0 && reader->text[i - 2] == 'i') {
            if (!pmi_shell_is_code_before(code, 2) || !pmi_shell_is_code_before(code, 3))
                return PM_SHELL_UNKNOWN;
            if (!pmi_byte_in_name(reader->text[i - 3]))
                pmi_lexer_shell_in(of);
        }
        return PM_SHELL_COUNTS;
    }
}

/* Gives the history what was noted before byte `to`, as far back as it remembers. */
void pmi_shell_catch_up(pmi_shell_reader *reader, size_t to);

/* Sees what code is in: a `case`, a string, a line with heredocs. */
void pmi_shell_look_around(pmi_shell_reader *reader);

/* Takes the lexer's state; gives it back. */
void pmi_shell_state_take(pmi_shell_reader *reader);
void pmi_shell_state_give(const pmi_shell_reader *reader);

/* What comes before byte i is known to the lexer alone. */
void pmi_shell_refresh(pmi_shell_reader *reader, size_t i);

/* Has the lexer read byte i, and those behind it that belong to the word of a heredoc. Returns the next one. */
size_t pmi_shell_read_alone(pmi_shell_reader *reader, size_t i);

/* Does to `case`s what the soft byte i of code does. */
void pmi_shell_read_soft(pmi_shell_reader *reader, size_t i);

/* Reads byte i of code. Returns the next one. */
size_t pmi_shell_read_special(pmi_shell_reader *reader, size_t i);

/* Code begins behind the $ of a string that began at byte `start`, with that bracket. */
void pmi_shell_code_begin(pmi_shell_reader *reader, unsigned char open, size_t start);

/* The code in a string ends. Returns where the string began. */
size_t pmi_shell_code_end(pmi_shell_reader *reader);

/* Tells the lexer of what it does not know yet. */
void pmi_shell_nests_give(pmi_shell_reader *reader);

#endif
