/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a language is described to the lexer: its regions (strings, comments: everything in which brackets do not count)
 * and the few habits of its code that a table of regions cannot express.
 */
#ifndef PM_CORE_TEXT_LANGUAGE_H
#define PM_CORE_TEXT_LANGUAGE_H

#include "parenmatch.h"

#define PM_REGION_COMMENT (1u << 0)   /* counts as a blank between tokens; other regions count as an operand */
#define PM_REGION_ESCAPES (1u << 1)   /* a backslash protects the next byte */
#define PM_REGION_LINE (1u << 2)      /* a newline ends it, closed or not */
#define PM_REGION_CONTINUED (1u << 3) /* ... but not a newline behind a backslash */
#define PM_REGION_NESTS (1u << 4)     /* contains regions of its own sort; open and close have two bytes each */
#define PM_REGION_FIRST (1u << 5)     /* opens only where the text begins */
#define PM_REGION_TEMPLATE (1u << 6)  /* contains code, as its `code` says */
#define PM_REGION_REGEX (1u << 7)     /* opens only where an operand may begin; not closed inside [...] */
#define PM_REGION_DELIMITED (1u << 8) /* C++'s R"x(...)x"; opened by its prefix */
#define PM_REGION_HASHED (1u << 9)    /* Rust's r##"..."##; opened by its prefix */
#define PM_REGION_LIFETIME (1u << 10) /* Rust's '...': opens unless the quote begins a lifetime */
#define PM_REGION_FREE (1u << 11)     /* the rest of an #error or #warning line */
#define PM_REGION_NOTHING (1u << 12)  /* no region: keeps its last byte from opening one */
#define PM_REGION_NOT (1u << 13)      /* no region either: its first byte is code, and its last one is read as code */
#define PM_REGION_BRACKET (1u << 14)  /* begins and ends with a bracket, which counts: (* *) */
#define PM_REGION_TICK (1u << 15)     /* with LIFETIME: opens nothing behind a name, a literal or a close: x' */
#define PM_REGION_WORD (1u << 16)     /* opens only where a word may begin: the # of shells */
#define PM_REGION_START (1u << 17)    /* opens only where a line begins, blanks aside */
#define PM_REGION_REST (1u << 18)     /* the end of the text may cut it off; without `close` it goes on until there */
#define PM_REGION_LONG (1u << 19)     /* [==[...]==]; what follows the first [ decides */
#define PM_REGION_DOUBLED (1u << 20)  /* two closers in a row close nothing; of """" the last three do */
#define PM_REGION_PAIRED (1u << 21)   /* closed by what matches the byte behind its open: %w(...) */
#define PM_REGION_HEREDOC (1u << 22)  /* the lines behind <<EOF, up to that word */
#define PM_REGION_OUTSIDE (1u << 23)  /* the text begins with it: what surrounds <?php ?> */
#define PM_REGION_LEAVES (1u << 24)   /* its closer closes the code around it, too */

#define PM_REGION_GAPS (1u << 27) /* a backslash protects blanks and newlines, and one byte behind them */
#define PM_REGION_YAML (1u << 25) /* the whole text is read by core/lexer/yaml/yaml.c */
#define PM_REGION_AMPERSAND                                                                                            \
    (1u << 28)                    /* an & protects the newline behind it and blanks, and nothing else: with CONTINUED */
#define PM_REGION_ZAPS (1u << 29) /* a \z protects the blanks and newlines behind it: Lua */
#define PM_REGION_JSX (1u << 26)  /* an element where an operand may begin, read by core/lexer/jsx.c */

/* One sort of string or comment. The longest `open` that fits wins, and of equal ones the first. */
typedef struct pmi_region {
    const char *open;  /* of 1 to 3 bytes; NULL: opened by one of the lexer's functions only */
    const char *close; /* of a region opened by its prefix: the first byte of what closes it */
    unsigned flags;
    const char *code; /* TEMPLATE: a byte and the opens that begin code behind it; ' ': the open alone, "{{" does not */
    const char *prefix; /* opens only behind one of these words; NULL: anywhere */
} pmi_region;

#define PM_CODE_SEPARATORS (1u << 0) /* 1'000: a quote inside a number */
#define PM_CODE_DIRECTIVES (1u << 1) /* #error and #warning lines */
#define PM_CODE_ESCAPES (1u << 2)    /* a backslash in code protects the next byte */
#define PM_CODE_CHARACTERS (1u << 3) /* ?( is a character: Emacs Lisp */
#define PM_CODE_HEREDOCS (1u << 4)   /* <<EOF and the like */
#define PM_CODE_RUBY (1u << 5)       /* regular expressions and %w() as in Ruby, ?( for a character */
#define PM_CODE_SIGILS (1u << 6)     /* ~w(), and ?( for a character: Elixir */
#define PM_CODE_SHELL (1u << 7)      /* the close of `case x in a)` is no bracket */
#define PM_CODE_DOLLAR (1u << 8)     /* $( is a character: Erlang */
#define PM_CODE_BACKTICKS (1u << 9)  /* directives begin with `, anywhere: Verilog */
#define PM_CODE_ASSEMBLY (1u << 11)  /* a line that begins with # is a directive or a comment */
#define PM_CODE_REST (1u << 12)      /* with DIRECTIVES: what follows a directive's name is no code: Fortran's #if !a */
#define PM_CODE_PERL (1u << 10)      /* quote operators, variables such as $#, regular expressions: Perl */

struct pm_language {
    const char *name;
    const char *description;
    const char *aliases;         /* separated by blanks */
    const char *endings;         /* of file names, without the dot, lower case, separated by blanks */
    const pm_alphabet *alphabet; /* NULL: ( ) [ ] { } */
    const pmi_region *regions;
    size_t region_count;
    unsigned code; /* PM_CODE_* */
    bool by_table; /* real files are read faster by the table of core/lexer/words/words.c */

    /* Of a language with delimiters of several bytes, which needs nothing of that: */
    const char *rules;                 /* of the library; NULL: the user's */
    struct pmi_delimiters *delimiters; /* made from the user's rules; NULL: to be made from `rules` */
};

/* The library's languages: those with brackets (core/text/languages.c), then those with delimiters
 * (core/delimiters/rules/languages.c). */
extern const pm_language pmi_bracket_languages[];
extern const size_t pmi_bracket_language_count;
extern const pm_language pmi_delimiter_languages[];
extern const size_t pmi_delimiter_language_count;

/* Has it delimiters of several bytes, rather than brackets? */
static inline bool pmi_language_has_delimiters(const pm_language *language) {
    return language->rules || language->delimiters;
}

/* ---- Roles of bytes ---- */

#define PM_ROLE_SIDES 3u /* the bits of a role that tell open, close and neutral apart; its kind is above them */

static inline bool pmi_role_is_open(uint8_t role) {
    return (role & PM_ROLE_SIDES) == PM_ROLE_OPEN;
}

static inline unsigned pmi_role_kind(uint8_t role) {
    return role >> 2;
}

/* Is every role of the alphabet one that parenmatch.h names? */
bool pmi_alphabet_valid(const pm_alphabet *alphabet);

#endif
