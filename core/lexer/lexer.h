/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which brackets of a text count: those outside its language's strings and comments. The text comes in pieces, cut
 * anywhere; whether a byte is such a bracket never depends on what follows it. So a byte with which a string or comment
 * of the language may begin is no bracket, whatever the alphabet says.
 */
#ifndef PM_CORE_LEXER_LEXER_H
#define PM_CORE_LEXER_LEXER_H

#include "base/slice.h"
#include "base/stack.h"
#include "core/text/language.h"
#include "core/text/readings.h"

#define PM_LEXER_PIECE 64u   /* maximum of bytes in one scan */
#define PM_RAW_DELIMITER 16u /* maximum of bytes in the x of R"x(...)x" (C++, [lex.string]) */
#define PM_LEXER_OPENING 8u  /* maximum of bytes in a pmi_region's open */

/* What the next byte is read as. */
typedef enum pmi_lexer_state {
    PM_LEXER_CODE = 0,
    PM_LEXER_REGION,             /* part of the region */
    PM_LEXER_OPENING_REGION,     /* perhaps the next byte of a region's open */
    PM_LEXER_PROTECTED,          /* code behind a backslash */
    PM_LEXER_DIRECTIVE,          /* the name behind # */
    PM_LEXER_CONDITION,          /* behind #if: perhaps a 0 */
    PM_LEXER_CONDITION_ZERO,     /* behind that 0 */
    PM_LEXER_RAW_DELIMITER,      /* the x of R"x(...)x" */
    PM_LEXER_RAW_HASHES,         /* the hashes of r##"..."## */
    PM_LEXER_QUOTE,              /* behind Rust's ': a character or a lifetime */
    PM_LEXER_QUOTE_WORD,         /* the same, and an identifier so far */
    PM_LEXER_CHARACTER,          /* behind Emacs Lisp's ? */
    PM_LEXER_CHARACTER_ESCAPE,   /* behind its backslash */
    PM_LEXER_CHARACTER_MODIFIER, /* behind the C of ?\C-x */
    PM_LEXER_CLOSED,             /* behind a closer that may be doubled */
    PM_LEXER_LONG,               /* the = of [==[ */
    PM_LEXER_PAIRED,             /* behind % or ~: a letter or a delimiter */
    PM_LEXER_HEREDOC,            /* behind <<: its word */
    PM_LEXER_VARIABLE,           /* behind Perl's $ */
    PM_LEXER_SECOND_PART,        /* behind the {} of Perl's s{}{}: what opens the other part, and blanks */
    PM_LEXER_SECOND_COMMENT,     /* a comment there */
} pmi_lexer_state;

/* What a backslash inside a region still waits for. */
typedef enum pmi_lexer_escape {
    PM_LEXER_UNESCAPED = 0,
    PM_LEXER_ESCAPE,        /* the byte that it protects */
    PM_LEXER_ESCAPE_RETURN, /* the '\n' behind a '\r' that it protected */
    PM_LEXER_ESCAPE_LINE,   /* behind the newline that Fortran's & protects: what goes on, or a comment; behind Lua's \z
                             */
    PM_LEXER_ESCAPE_COMMENT /* inside that comment */
} pmi_lexer_escape;

/* The last bytes of code. Each run of blanks at the end stands as one blank, '\n' if it held a newline and ' ' if not,
 * so it does not matter where a text was cut into pieces. */
#define PM_HISTORY_BYTES 16u /* the longest word asked for, "instanceof", the byte before it, and some to spare */

/* What ends a heredoc. */
#define PM_HEREDOC_WORD 30u /* bytes of a word that are kept */
typedef struct pmi_heredoc {
    uint64_t hash;        /* of its word */
    bool indented;        /* blanks may stand before it */
    unsigned char length; /* of the word; more than PM_HEREDOC_WORD: it is not known */
    char word[PM_HEREDOC_WORD];
} pmi_heredoc;
#define PM_HEREDOCS_MAX 4u /* in a line; further ones are read as code */
#define PM_CASES_MAX 16u   /* nested in each other; the same */

typedef enum pmi_shell_part {
    PM_CASE_WORD = 0,       /* before `in` */
    PM_CASE_PATTERN,        /* behind it, or behind ;; */
    PM_CASE_PATTERN_PARENS, /* the same, and the pattern began with a parenthesis */
    PM_CASE_COMMANDS
} pmi_shell_part;

/* The regions of a shell, without heredocs. */
enum {
    PM_SHELL_COMMENT,
    PM_SHELL_DOUBLE,
    PM_SHELL_SINGLE,
    PM_SHELL_DOLLAR, /* $'' */
    PM_SHELL_REGIONS
};

/* A `case` of a shell that is not ended yet. */
typedef struct pmi_shell_case {
    pmi_shell_part part;
    uint64_t parens;     /* open in this part */
    uint64_t arithmetic; /* as many were open before the (( around; UINT64_MAX outside (( */
    bool unclosed;       /* the last pattern was */
} pmi_shell_case;

/* What a text of YAML is read as. */
typedef struct pmi_yaml {
    enum {
        PM_YAML_LINE = 0, /* blanks at the beginning of a line */
        PM_YAML_VALUE,    /* a value may begin */
        PM_YAML_PLAIN,    /* inside a plain scalar */
        PM_YAML_AFTER,    /* behind another value */
        PM_YAML_PROPERTY, /* inside an anchor, alias or tag */
        PM_YAML_COMMENT,
        PM_YAML_DOUBLE, /* inside "" */
        PM_YAML_DOUBLE_ESCAPE,
        PM_YAML_SINGLE,      /* inside '' */
        PM_YAML_SINGLE_END,  /* behind a ' that may be doubled */
        PM_YAML_HEADER,      /* behind | or > */
        PM_YAML_BLOCK_BLANK, /* blanks at the beginning of a line of a block scalar */
        PM_YAML_BLOCK        /* inside such a line */
    } state;
    uint64_t flow;         /* brackets open */
    uint64_t column;       /* of the byte to be read, from 1 */
    uint64_t indent;       /* the column of the key or dash that a value is of; 0: of the document */
    uint64_t key;          /* the column where this line's first value began; 0: none did */
    unsigned char newest;  /* the byte before */
    unsigned char repeats; /* how many bytes before that are equal to it, at most 2 */
    bool continues;        /* the line before ended inside a plain scalar */
} pmi_yaml;

typedef struct pmi_lexer_history {
    uint64_t newer, older; /* the newest byte lowest; 0: before the text */
} pmi_lexer_history;

/* The directives that choose branches of a text, each noted when the byte behind its name was read. Two are at least 4
 * bytes apart. */
#define PM_DIRECTIVES_MAX 2049u /* of 8 KiB */
typedef struct pmi_directives {
    uint64_t base;                    /* offset of the first byte that they may be at */
    size_t count;                     /* to be set to 0 by the reader */
    uint16_t list[PM_DIRECTIVES_MAX]; /* offset from base, and below it 3 bits of pmi_directive */
} pmi_directives;

#define PM_QUICK_SEVERAL UINT8_MAX

/* The table of core/lexer/words/words.c. */
#define PM_WORDS_CLASSES 32u /* of bytes */
#define PM_WORDS_STATES 16u
#define PM_WORDS_SYMBOLS 64u
typedef struct pmi_lexer_words_table {
    bool known;              /* it is there */
    bool always;             /* it reads all of the language that it can, not crowded texts alone */
    uint32_t regions;        /* that it reads, a bit each */
    uint32_t escapes;        /* of those: a backslash protects the next byte, a bit each */
    uint32_t strings;        /* regions that open and close with one byte, a bit each */
    unsigned string_classes; /* of the bytes that matter inside them, a bit each */
    uint8_t line, block;     /* r + 1: a comment that a newline alone ends, or two bytes; 0: none begins here */
    unsigned char unless;    /* a byte behind which the open of `line` is another's; 0: no byte does that */
    unsigned classes, symbols;
    unsigned char bytes[PM_WORDS_CLASSES]; /* by class */
    uint8_t class_of[256];
    uint8_t symbol_of[PM_WORDS_CLASSES][PM_WORDS_CLASSES]; /* of a byte and the next one */
    uint16_t next[PM_WORDS_STATES][PM_WORDS_SYMBOLS];
    uint8_t quote_of[PM_WORDS_CLASSES]; /* r + 1: the byte opens string r, which is read by parity */
    uint32_t shared;   /* of those strings: other bytes of their class end runs of code, too, a bit each */
    uint32_t prefixed; /* of those strings: behind a name, a bit each */
    bool prefixes;     /* some regions open behind a word alone */
    uint32_t triples;  /* of those strings: three quotes in a row may be another, a bit each */
    bool by_parity;    /* strings of one sort are sought by the parity of their quotes first */
} pmi_lexer_words_table;

typedef struct pmi_lexer {
    const pm_language *language;
    uint8_t class_of[256];    /* see core/lexer/parts.h */
    uint32_t opened_by[256];  /* bit r: the byte is the first that opens region r of the language, of 32 at most */
    uint8_t alone[256];       /* r + 1: the byte alone opens region r wherever it is code; 0: that is not known */
    uint8_t region_class[32]; /* of the bytes that matter inside a region */
    uint8_t ahead[256];       /* by a byte of code: PM_AHEAD_*, see core/lexer/parts.h */
    bool passes;              /* some bytes that end a run of code often do not, see core/lexer/range.c */
    uint32_t regions_ahead;   /* the same of regions, a bit each */
    uint32_t regions_quick;   /* those whose end alone matters, see core/lexer/range.c */
    uint8_t quick[256]; /* r + 1: the byte opens region r, or PM_QUICK_SEVERAL: perhaps one of several, whatever the
                           code before it, and means nothing else */
    const pmi_region *shell[PM_SHELL_REGIONS]; /* a shell's regions, by PM_SHELL_* */
    struct {
        bool known; /* core/lexer/strings.c knows the language */
        uint8_t next[6][16];
        const pmi_region *regions[6];
    } strings;
    pmi_lexer_words_table words;
    uint8_t crowd[256];     /* by a byte of code: what core/lexer/crowd.c takes it for */
    uint32_t crowd_regions; /* the regions that it reads, a bit each */
    bool crowded;           /* words.c has just found that crowd.c would have been faster */
    unsigned classes;       /* bits of them in use */
    unsigned region_flags;  /* of all its regions */
    uint8_t flagged[32];    /* r + 1: region r is the last with that flag, by the number of its bit; 0: none has it */
    bool remembers;         /* it asks for the history */
    bool bits;              /* the CPU has BMI2; see core/lexer/parts.h */
    bool special;           /* its code has constructs that the table of regions and C's lexer do not know */
    bool ends;              /* the text ends with the bytes being read: the history behind them is not made */
    pmi_directives *directives; /* where to note them; NULL: nowhere */

    uint64_t position;  /* bytes of the text in earlier pieces; from here on a text changes the lexer */
    uint64_t begin;     /* where the text began, or the record */
    bool out_of_memory; /* for the template stack; until pmi_lexer_clear() */
    pmi_lexer_state state;
    pmi_lexer_history history;
    uint64_t start; /* where the region, or what may become one, began */

    unsigned char opening[PM_LEXER_OPENING]; /* state OPENING_REGION: what may be a region's open, so far */
    unsigned opening_length;

    const pmi_region *region; /* state REGION: being skipped */
    pmi_lexer_escape escape;
    uint64_t matched;     /* bytes of what closes the region, just read */
    uint64_t depth;       /* a region that nests: regions inside it */
    unsigned char closer; /* of a PAIRED region; its open if they differ: */
    unsigned char opener;
    unsigned parts;      /* of Perl's s/// and tr///, to be read behind this one */
    unsigned char first; /* the byte at `start` */
    enum {
        PM_LEXER_AS_READ = 0,
        PM_LEXER_COUNTED,   /* it ends a region that ends with a bracket */
        PM_LEXER_UNCOUNTED  /* it is no bracket, although code */
    } verdict;              /* of the byte just read */
    bool in_class;          /* a regular expression: inside [...] */
    unsigned char previous; /* a byte that means something together with the next; 0: none. Far from `escape`: one load
                               of both would wait for the stores of each */
    uint64_t raw_length;    /* of raw_delimiter, or the number of hashes; in the ${ } of a shell's string: open ( */
    unsigned char raw_delimiter[PM_RAW_DELIMITER];

    pmi_stack templates; /* of every template literal around the code */
    uint64_t braces;     /* open in the code of the innermost one */
    bool mixed;          /* their code may have other open brackets than `braces` says: a brace in text of JSX closed
                            one, or there are directives */

    unsigned heredoc_count;
    uint64_t heredoc_hash; /* of the line or word so far; see core/lexer/shell/shell.c */
    unsigned char heredoc_quote;
    unsigned heredoc_step;
    unsigned case_count; /* of a shell: `case`s around the code */
    pmi_yaml yaml;

    pmi_heredoc heredocs[PM_HEREDOCS_MAX]; /* of this line, and not read yet */
    pmi_shell_case cases[PM_CASES_MAX];

    const uint64_t
        *lines;   /* no text changes it: of records that are read as one, the newlines of the piece, of which those
                     outside all strings and comments are to be told from those in a string's code; else NULL */
    bool unclear; /* of such records: what was read of one may depend on the record before, or in PHP a string or
                     heredoc goes on behind the end of the code */
} pmi_lexer;

/* A text changes the bytes of a lexer from PM_LEXER_FIXED on; most languages do not use the last ones. */
#define PM_LEXER_FIXED offsetof(pmi_lexer, position)

static inline size_t pmi_lexer_changing_bytes(const pmi_lexer *lexer) {
    const unsigned code = lexer->language->code;
    const size_t end = code & PM_CODE_SHELL      ? offsetof(pmi_lexer, lines)
                       : code & PM_CODE_HEREDOCS ? offsetof(pmi_lexer, cases)
                                                 : offsetof(pmi_lexer, heredocs);
    return end - PM_LEXER_FIXED;
}

/* A piece of text as the classes of its bytes. A class is 8 bits, each the answer to a question; the answers of 64
 * bytes to one question are one word. */
#define PM_PIECE_CLASSES 8u /* maximum of bits in a class */
#define PM_PIECE_WORDS 64u  /* maximum of words in a piece */

typedef struct pmi_lexer_masks {
    const uint64_t *masks; /* bit i of masks[classes * w + c]: bit c of the class of byte 64w + i; 0 past the piece */
    unsigned classes;      /* bits of a class in use */
    size_t n;
} pmi_lexer_masks;

/* Texts of their own that a piece consists of, one behind another. Record r ends before byte ends[r], and the next one
 * begins `skipped` bytes, 0 or 1, behind that; the last bytes skipped are the piece's. */
typedef struct pmi_text_records {
    const uint16_t *ends; /* ascending */
    size_t count;
    unsigned skipped;
} pmi_text_records;

/* Where the record behind record r begins. */
static inline size_t pmi_text_records_next(const pmi_text_records *records, size_t r) {
    return (size_t)records->ends[r] + records->skipped;
}

/* Borrows the alphabet, for this call only; neither it nor the language is NULL. Takes no memory. */
void pmi_lexer_init(pmi_lexer *lexer, const pm_language *language, const pm_alphabet *alphabet,
                    const pm_allocator *allocator);

/* Sets lexer->words, which is worth its time where much of a text is read in long pieces. */
void pmi_lexer_words_init(pmi_lexer *lexer);

/* Reads the next n <= PM_LEXER_PIECE bytes of the text: bit i of *brackets is set where byte i is a bracket outside
 * strings and comments. PM_OUT_OF_MEMORY, for languages that nest code in strings only, lasts until pmi_lexer_clear().
 */
pm_status pmi_lexer_scan(pmi_lexer *lexer, const unsigned char *text, size_t n, uint64_t *brackets);

/* The same, of a piece that is classified already: brackets[w] of bytes 64w and up. */
pm_status pmi_lexer_scan_piece(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                               uint64_t *brackets);

/* The same, of a piece of whole records; the lexer begins again at each of them, and at the byte behind the last. *cut:
 * the first that ends inside a string or comment, or the number of records. Skipped bytes are no brackets. */
pm_status pmi_lexer_scan_records(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                                 const pmi_text_records *records, uint64_t *brackets, size_t *cut);

/* Does a line that ends in code, outside of all strings, decide little about the next one, so that records that are
 * lines may be read as one text? */
bool pmi_lexer_lines_are_apart(const pmi_lexer *lexer);

/* Records of such a language were read as one text; `outside` has the newlines that end such lines. Returns how many
 * records, from the first one on, have been read as they stand alone. */
size_t pmi_lexer_count_apart(const pmi_lexer *lexer, const unsigned char *text, const pmi_text_records *records,
                             const uint64_t *outside);

/* Reads at least one record of such a language as one text; lines[w] are the newlines of word w. Stores how many
 * records that is right for; if not for all, the lexer is at the first one again. */
pm_status pmi_lexer_scan_lines(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece,
                               const pmi_text_records *records, const uint64_t *lines, uint64_t *brackets,
                               size_t *apart);

/* Reads bytes from ... to - 1 of a piece, which follow those read so far, and adds what is outside strings and comments
 * to a mask. */
void pmi_lexer_scan_range(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                          size_t to, uint64_t *outside);

/* The same of a text's last bytes. Then pmi_lexer_inside() may be asked, before pmi_lexer_restart(). */
void pmi_lexer_scan_last(pmi_lexer *lexer, const unsigned char *text, const pmi_lexer_masks *piece, size_t from,
                         size_t to, uint64_t *outside);

/* Are quotations all that the language skips, where *quote opens and closes one and a backslash inside it protects the
 * next byte? */
bool pmi_lexer_quotes(const pmi_lexer *lexer, unsigned char *quote);

/* Such a language: the next n bytes of the text were read elsewhere. They ended inside a quotation or not; if so,
 * behind a backslash that protects the next byte or not; and the quotation began at the text's byte `start`. */
void pmi_lexer_quoted(pmi_lexer *lexer, size_t n, bool inside, bool escaped, uint64_t start);

/* Is the text, as read so far, inside a string or comment that its end must not cut off (one that a newline ends is
 * fine)? Then *offset is where that began, the outermost one where they nest, and *byte is what stands there: its
 * opening quote, or the first byte that opens a comment. */
bool pmi_lexer_inside(const pmi_lexer *lexer, uint64_t *offset, char *byte);

/* The same, also if what follows decides: a closer that may be doubled, the = of [==[, code in a string that a newline
 * ends. What began, began in the piece just read, at most PM_RAW_DELIMITER bytes before, or the same was said after an
 * earlier piece. */
bool pmi_lexer_perhaps_inside(const pmi_lexer *lexer, uint64_t *offset, char *byte);

/* What does the text, as read so far, end in? */
pm_inside pmi_lexer_inside_of(const pmi_lexer *lexer);

/* Stores bytes that behind the text lead out of what it ends in, or a step nearer to that; returns their number. 0: the
 * text ends in code, or nothing helps. If no brackets follow, what the text's end may cut off stays. */
#define PM_LEXER_CLOSING 34u
unsigned pmi_lexer_closing(const pmi_lexer *lexer, bool brackets_follow, unsigned char bytes[PM_LEXER_CLOSING]);

/* A text of its own begins at the next byte; positions count on. */
void pmi_lexer_restart(pmi_lexer *lexer);

/* Gives memory back; ready for the next text. */
void pmi_lexer_clear(pmi_lexer *lexer);

#endif
