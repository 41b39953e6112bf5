/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/text.h: the brackets and other delimiters of texts, found and checked.
 *
 * A pm_language says what opens, what closes, and which strings and comments are skipped. It has either brackets of one
 * byte or delimiters of any length, such as the tags of XML, or begin and end. pm_check reports what is wrong with a
 * text in any language. pm_text_scan() returns its tokens and their match.
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_TEXT_H
#define PARENMATCH_TEXT_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Alphabets and languages ------------------------------------------------------------------------------------- */

#define PM_ROLE_NEUTRAL 0u /**< Role of a byte that is not a bracket. */
#define PM_ROLE_OPEN 1u    /**< Role of an open bracket, without its kind (see PM_ROLE). */
#define PM_ROLE_CLOSE 2u   /**< Role of a close bracket, without its kind (see PM_ROLE). */
#define PM_KINDS_MAX 64u   /**< The largest number of kinds in an alphabet. */
/** The role of a bracket: side is PM_ROLE_OPEN or PM_ROLE_CLOSE, kind is 0 ... PM_KINDS_MAX - 1. */
#define PM_ROLE(side, kind) ((uint8_t)((side) | (unsigned)(kind) << 2))

/** Which bytes are brackets: role[byte] is PM_ROLE_NEUTRAL or PM_ROLE(PM_ROLE_OPEN or PM_ROLE_CLOSE, kind). */
typedef struct pm_alphabet {
    uint8_t role[256]; /**< Indexed by the byte. */
} pm_alphabet;

/**
 * Makes the alphabet of a string of pairs such as "()[]{}": pair k, counted from 0, is kind k.
 *
 * @param pairs     length bytes; any bytes, NUL included.
 * @param alphabet  receives the alphabet.
 * @return PM_OK; PM_INVALID_ARGUMENT for an odd length or a byte that occurs twice; PM_TOO_LARGE past PM_KINDS_MAX.
 */
PM_API pm_status pm_alphabet_from_pairs(const char *pairs, size_t length, pm_alphabet *alphabet);

/**
 * A language: its brackets, and the strings and comments to skip; or its delimiters (XML, HTML, LaTeX, SQL, Pascal,
 * Jinja, and those made from rules). Immutable; any number of threads may use it at once. Those of the library have
 * static storage.
 */
typedef struct pm_language pm_language;

/** Returns language `index`, counted from 0, "text" first; NULL past the last. Static storage. */
PM_API const pm_language *pm_language_at(size_t index);
/** Returns the number of languages. */
PM_API size_t pm_language_count(void);
/** Returns the language of a name ("json", "c++", "xml") or alias; NULL for an unknown name. */
PM_API const pm_language *pm_language_by_name(const char *name);
/**
 * Returns the language of a file name by its ending ("a.json", "dir/X.C"); "text" if the ending is unknown, or for
 * NULL.
 */
PM_API const pm_language *pm_language_by_path(const char *path);
/**
 * As pm_language_by_path(), but where an ending belongs to two languages the text decides: ".cl" is Lisp or OpenCL
 * ("c"), ".ts" TypeScript or Qt's XML, ".v" Verilog or Coq, ".fs" F#, Forth or GLSL, ".sql" SQL or MySQL's, ".pl" Perl
 * or Prolog ("erlang"), ".bb" Clojure or BitBake ("shell"), ".sls" Scheme or Salt ("jinja"). Any thread.
 *
 * @param text  the first n bytes of the text, 8,192 suffice; NULL: the name decides alone.
 * @return the language; "text" if the ending is unknown. Static storage.
 */
PM_API const pm_language *pm_language_by_content(const char *path, const char *text, size_t n);
/** Returns the language's name, "rules" if the caller made it; NULL for NULL. */
PM_API const char *pm_language_name(const pm_language *language);
/** Returns what the language skips, one line of English; NULL for NULL. */
PM_API const char *pm_language_description(const pm_language *language);
/** Returns the endings of the language's files, lower case, without the dot, separated by blanks ("c h"); NULL for
 * NULL. Static storage. */
PM_API const char *pm_language_endings(const pm_language *language);
/** Returns the language's own brackets; NULL if it has delimiters instead, and for NULL. */
PM_API const pm_alphabet *pm_language_alphabet(const pm_language *language);
/** Returns the rules that the library reads a language with delimiters by; NULL for other languages, and for NULL.
 * Static storage. */
PM_API const char *pm_language_rules(const pm_language *language);

/** A place in a text. */
typedef struct pm_place {
    uint64_t offset; /**< The byte offset. */
    uint64_t line;   /**< The line, from 1; a line ends with its '\n'. */
    uint64_t column; /**< The column, from 1, in bytes. */
} pm_place;

/** What is wrong with rules. */
typedef struct pm_language_error {
    pm_place at;      /**< The place in the rules. */
    const char *what; /**< One line of English, in static storage; NULL: nothing is wrong. */
} pm_language_error;

/**
 * Makes a language with delimiters from rules, one a line, such as "pair begin end", "line //" and "string \" \\";
 * docs/guide/delimiters.md describes them. Of the patterns that fit at a byte of code the longest counts, and reading
 * continues behind it, or behind the skipped region or tag that it begins. Patterns and names are bytes; only the case
 * of ASCII letters can be ignored.
 *
 * @param context   its allocator is used, and must outlive the language.
 * @param rules     n bytes, at most 65536; not used after the call.
 * @param language  receives the language, to be given to pm_language_destroy(); NULL after a failure.
 * @param error     receives the first error; may be NULL.
 * @return PM_OK; PM_CORRUPT if a rule is wrong; PM_INVALID_ARGUMENT for NULL; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_language_create_rules(pm_context *context, const char *rules, size_t n, pm_language **language,
                                          pm_language_error *error);

/** Destroys a language made from rules, after everything that uses it; NULL is allowed. */
PM_API void pm_language_destroy(pm_language *language);

/* ---- The tokens of a text ---------------------------------------------------------------------------------------- */

/** Where pm_text_scan() and pm_text_scan_gpu() store tokens. Zero-initialise the struct and set what you need. */
typedef struct pm_text_arrays {
    size_t struct_size;  /**< As pm_options.struct_size. */
    size_t capacity;     /**< The room of each array, in tokens. Only the first `capacity` tokens are stored. */
    uint64_t *parens;    /**< (min(tokens, capacity) + 63) / 64 words, bits past the end 0; may be NULL. */
    uint64_t *positions; /**< Byte offsets; may be NULL. */
    uint32_t *lengths;   /**< The bytes of tokens, for tags of the whole tag, at most 2^32 - 1; may be NULL. A close
                              that the text omits, as HTML's items may, has length 0; it stands before the tag that ends
                              its item, or at the end of the text. */
    uint32_t *kinds;     /**< Kinds; may be NULL. Those of brackets are the alphabet's. Pairs of delimiters come first,
                              where pairs that share a pattern have one kind; then names, in the order of their first
                              occurrence in the text. */
    uint32_t *match;     /**< The match of parens, as pm_match_seq() gives it; may be NULL. */
} pm_text_arrays;

/**
 * Scans a text for its tokens: brackets or delimiters, opens and closes. With branches (C's `if` directives) the tokens
 * of all branches count.
 *
 * Runs on one thread, except for the match, which is that of pm_match_auto(). Memory: one bit for each token if the
 * match is wanted without parens. With delimiters also: a pm_find_stream; at most 350 bytes for each distinct name; if
 * their meaning depends on what is open (HTML, Pascal) at most 96 bytes for each open not closed yet. The library's
 * rules are compiled in a call, which takes up to a millisecond and 200 KB; the context keeps those of the last
 * language for later calls. Those of pm_language_create_rules() are compiled once.
 *
 * @param context  NULL for the defaults.
 * @param text     n bytes, the whole text; any bytes, any n. Map a large file into memory.
 * @param arrays   what to store; NULL: nothing.
 * @param count    receives the number of tokens, which may exceed the capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_UNSUPPORTED as for pm_options.struct_size; PM_TOO_LARGE if the match of more
 *         than 2^32 - 1 tokens is wanted; PM_OUT_OF_MEMORY, also for more than 2^31 distinct names.
 */
PM_API pm_status pm_text_scan(pm_context *context, const pm_language *language, const char *text, size_t n,
                              const pm_text_arrays *arrays, size_t *count);

/**
 * Lists the brackets of a text: packed bits, positions, kinds. It has brackets of the caller's choice and kinds of one
 * byte; otherwise it finds what pm_text_scan() does.
 *
 * @param language   whose strings and comments to skip; NULL: skip nothing.
 * @param alphabet   which bytes are brackets; NULL: the language's own. Both NULL is PM_INVALID_ARGUMENT. A byte with
 *                   which the language may begin a string or comment ('/' in C) is never a bracket. Comments and
 *                   strings that begin and end with brackets, such as (* *) of OCaml, count as a pair.
 * @param text       n bytes; it need not be valid UTF-8 nor end in NUL.
 * @param capacity   the room of each output, in brackets. Only the first `capacity` brackets are stored.
 * @param parens     receives (min(count, capacity) + 63) / 64 words, bits past the end 0; may be NULL.
 * @param positions  receives byte offsets; may be NULL.
 * @param kinds      receives kinds; may be NULL.
 * @param count      receives the number of brackets in the text, which may exceed capacity; not optional.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_UNSUPPORTED for a language with delimiters; PM_OUT_OF_MEMORY (a language that
 *         nests strings and code keeps a stack of them).
 */
PM_API pm_status pm_text_brackets(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                  const char *text, size_t n, size_t capacity, uint64_t *parens, uint64_t *positions,
                                  uint8_t *kinds, size_t *count);

/* ---- The tokens of records ---- */

#define PM_RECORDS_NONE (-1)    /**< The text has no separators. */
#define PM_RECORDS_NEWLINE 0x0a /**< JSON Lines and the like. A carriage return before it belongs to its record. */
#define PM_RECORDS_NUL 0x00     /**< As find -print0 writes. */
#define PM_RECORDS_RS 0x1e      /**< JSON text sequences (RFC 7464): it begins a record, and there are no empty ones. */

/** The records of a text, and where to store what is found of each. Zero-initialise it and set what you need. */
typedef struct pm_text_records {
    size_t struct_size; /**< As pm_options.struct_size. */
    /** count + 1 of them, ascending, at most the bytes of the text, as in Arrow's lists: record r begins at offsets[r]
     * and ends before offsets[r + 1]. NULL: separators end records. */
    const uint64_t *offsets;
    size_t count;     /**< The records that offsets gives. */
    int separator;    /**< Without offsets: a byte, 0 ... 255, as in pm_check_set_records(). */
    size_t capacity;  /**< The room of the arrays, in records. Only the first `capacity` records are stored. */
    uint64_t *begins; /**< Byte offsets of records; may be NULL. */
    uint64_t *firsts; /**< min(records, capacity) + 1 entries: how many tokens come before each record, and
                           behind the last of these records. If all tokens were stored, they are offsets for
                           pm_match_batch_auto(). May be NULL. */
} pm_text_records;

/**
 * Scans every record of a text as pm_text_scan() scans a text of its own; the lexer begins again at each. Positions
 * count from the text's first byte, kinds of names and matches from each record's first token. Separators are found in
 * strings too; what is behind the last one is a record too.
 *
 * Memory: as pm_text_scan(), and 8 bytes for each record if the match is wanted, which is that of
 * pm_match_batch_auto(). Otherwise one thread runs.
 *
 * @param context       NULL for the defaults.
 * @param text          n bytes, the whole text.
 * @param records       where records are, and what to store of them; not NULL.
 * @param arrays        what to store of tokens; NULL: nothing.
 * @param count         receives the number of tokens, which may exceed the capacity; not optional.
 * @param record_count  receives the number of records, which may exceed theirs; may be NULL.
 * @return as pm_text_scan(); PM_INVALID_ARGUMENT also for offsets that descend or lie behind the text; PM_TOO_LARGE if
 *         the match of a record with more than 2^32 - 1 tokens is wanted.
 */
PM_API pm_status pm_text_scan_records(pm_context *context, const pm_language *language, const char *text, size_t n,
                                      const pm_text_records *records, const pm_text_arrays *arrays, size_t *count,
                                      size_t *record_count);

/**
 * Lists the brackets of every record of a text as pm_text_brackets() does of a text of its own. Positions count from
 * the text's first byte.
 *
 * @param records       where records are, and what to store of them, as for pm_text_scan_records().
 * @param record_count  receives the number of records, which may exceed their capacity; may be NULL. The other
 *                      parameters are those of pm_text_brackets().
 * @return as pm_text_brackets(); PM_INVALID_ARGUMENT also for offsets that descend or lie behind the text.
 */
PM_API pm_status pm_text_brackets_records(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                          const char *text, size_t n, const pm_text_records *records, size_t capacity,
                                          uint64_t *parens, uint64_t *positions, uint8_t *kinds, size_t *count,
                                          size_t *record_count);

/* ---- Checking a text --------------------------------------------------------------------------------------------- */

/** What can be wrong with the brackets or delimiters of a text. */
typedef enum pm_fault {
    PM_FAULT_UNMATCHED_CLOSE = 0, /**< A close with no open left. */
    PM_FAULT_UNMATCHED_OPEN = 1,  /**< An open that is never closed. */
    PM_FAULT_KIND_MISMATCH = 2,   /**< A close whose open has another kind. */
    PM_FAULT_UNTERMINATED = 3,    /**< A string or comment that the end of the text cuts off. */
    PM_FAULT_MISPLACED = 4,       /**< pm_json: a token that may not stand there; length 0: the end of the text. */
    PM_FAULT_TRAILING = 5,        /**< pm_json: a token behind the text's value. */
    PM_FAULT_BAD_BYTE = 6 /**< pm_json: a byte that is not UTF-8, a control character in a string, or a backslash
                               outside strings. */
} pm_fault;

/** What a repair does. */
typedef enum pm_repair_kind {
    PM_REPAIR_INSERT = 0, /**< A bracket is missing. */
    PM_REPAIR_REMOVE = 1, /**< A bracket is one too many. */
    PM_REPAIR_REPLACE = 2 /**< A close has the wrong kind. */
} pm_repair_kind;

/** One change of a text. */
typedef struct pm_repair {
    pm_repair_kind kind; /**< What it does. */
    pm_place at;         /**< Where: the bracket, or the byte before which one is missing. */
    char byte;           /**< The bracket that is missing, or one too many, or in place of the one that is there. */
    bool new_line;       /**< PM_REPAIR_INSERT: in a new line before `at`, indented as the line of the partner. */
    bool certain;        /**< No other repair of the text is nearly as likely. */
    pm_place partner;    /**< The bracket that it matches; zeros for PM_REPAIR_REMOVE. */
} pm_repair;

/** One fault of a text. */
typedef struct pm_diagnostic {
    pm_fault fault;    /**< What is wrong. */
    pm_place at;       /**< Where: the bracket or delimiter, or the beginning of what the end of the text cuts off. */
    uint64_t length;   /**< Bytes of what is at `at`; 1 for a bracket, and for a string or comment in a language with
                            brackets. */
    char byte;         /**< The first byte there; 0 if length is 0. */
    char partner_byte; /**< PM_FAULT_KIND_MISMATCH: the first byte of the open that the close at `at` closes; else 0. */
    pm_place partner;  /**< PM_FAULT_KIND_MISMATCH: where that open is; else zeros. */
    uint64_t partner_length; /**< PM_FAULT_KIND_MISMATCH: its length in bytes; else 0. */
    uint64_t record;  /**< The record it is in, from 0 (see pm_check_set_records()); 0 in a text without records. */
    bool has_repair;  /**< `repair` is set: the fault is a mistake that pm_check_set_repairs() asked for. */
    pm_repair repair; /**< Where the text is probably to be changed, and how; else zeros. */
} pm_diagnostic;

/**
 * Receives a diagnostic, valid during the call, from the thread that calls pm_check_push(), pm_check_text() or
 * pm_check_finish(). It must not call the checker. Returns true to continue; after false it is not called again, and
 * faults are only counted.
 */
typedef bool (*pm_check_report)(const pm_diagnostic *diagnostic, void *user);

/** The totals of a text. */
typedef struct pm_check_summary {
    uint64_t bytes;        /**< Bytes of text. */
    uint64_t lines;        /**< The number of '\n', and one more if the last line has none. */
    uint64_t brackets;     /**< Brackets or delimiters outside strings and comments. */
    uint64_t max_depth;    /**< The largest number of them open at once; behind branches, in the choice with fewest. */
    pm_bic unmatched;      /**< Unmatched closes and opens. */
    uint64_t mismatched;   /**< Pairs of two different kinds. */
    uint64_t unterminated; /**< 1 if the end cut off a string or comment; with records, the records where it did. */
    uint64_t records;      /**< The number of records; 0 in a text without records. */
    uint64_t bad_records;  /**< Records with at least one fault. */
} pm_check_summary;

/**
 * A check of a text that arrives in chunks or as a whole: whether its brackets or delimiters are balanced and of
 * matching kinds or names. Strings and comments are skipped. A close always closes the innermost open, whatever their
 * kinds. Chunks of 8 KiB and more are fastest.
 *
 * In C, C++, C#, GLSL, Fortran, assembly and Verilog each branch of `if`, `elif` and `else` directives begins with what
 * was open before its `if`. Every choice of branches is followed, up to 8 that leave different brackets open; beyond
 * that the deepest are dropped. A close is a fault if it matches in no choice that reaches it; an open is one if no
 * choice closes it. The brackets of an `if 0` are ignored.
 *
 * Memory: 68 KB. With brackets also: at most 56 bytes for every 64 bytes of text that hold an open bracket not closed
 * yet, much less where the text repeats itself. Each unfinished string with code in it (JavaScript's `${ }`) takes 56
 * bytes. If the language has branches: 160 bytes for each `if` not ended yet, and up to 80 bytes for each bracket
 * open at a directive. This memory is allocated in blocks of 4 KiB; at most one empty block of each sort is kept.
 *
 * Delimiters need the text behind them. So chunks are kept until pm_check_finish(), which reads them: at most twice the
 * bytes of the text. pm_check_text() keeps none. In addition, the memory of pm_text_scan(), and in every language up to
 * 64 bytes for each open not closed yet, 96 while their array grows; in XML 16 and 24, and none for names. After a
 * first fault also 16 bytes for every 4 KiB of text.
 */
typedef struct pm_check pm_check;

/**
 * Creates a check.
 *
 * @param context   NULL for the defaults. It must outlive the check if the language has delimiters.
 * @param language  not NULL; must outlive the check.
 * @param alphabet  other brackets than the language's, copied; NULL: the language's own, or its delimiters. More than 4
 *                  kinds are PM_UNSUPPORTED; so is any alphabet if the language has delimiters.
 * @param report    called for each fault in the order of their places, except that opens never closed, and what is
 *                  unterminated, come last. With brackets faults are reported as early as pm_check_push(). NULL: faults
 *                  are only counted.
 * @param user      passed to report.
 * @param check     receives the check, to be given to pm_check_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_UNSUPPORTED; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_check_create(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                                 pm_check_report report, void *user, pm_check **check);

/**
 * Appends n bytes of text. After PM_OUT_OF_MEMORY every push returns it again until pm_check_finish().
 *
 * Of 4 MiB and more, the context's threads read slices of 0.25 to 1 MiB at the same time; with pm_options.threads = 1
 * the calling thread reads alone. Nothing that is reported depends on this, and pm_check_report is called by the
 * caller. Each slice is read from the state that it probably begins in. Where the guess is wrong, and where a slice
 * leaves too much to be decided (8192 brackets and directives), the caller reads it again. So one thread reads the long
 * parts of texts that are often inside of template literals' code, `case` of shells, YAML's block scalars, or strings
 * and comments of 64 KiB to 2 MiB. Languages with delimiters are read by one thread, except XML in
 * pm_check_text(): its texts of 4 MiB and more are read in slices, too, of 0.2 MB of memory each.
 *
 * Memory: 0.6 MB for each slice, of which there are up to 16 for each thread; the check keeps them for the next text.
 * Without this memory one thread reads.
 *
 * @return PM_OK, whatever was found; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_check_push(pm_check *check, const char *text, size_t n);

/**
 * Ends the text, reports what is still open, and makes the check ready for the next text.
 *
 * @param summary  receives the totals; may be NULL.
 * @return PM_OK, whatever was found, or the failure of a push since the last finish.
 */
PM_API pm_status pm_check_finish(pm_check *check, pm_check_summary *summary);

/**
 * Appends n bytes of text and ends it: pm_check_push() and pm_check_finish() in one, for a text that is all in memory.
 * No copy of it is kept. See pm_check_set_repairs().
 *
 * @param summary  receives the totals; may be NULL.
 * @return as pm_check_finish().
 */
PM_API pm_status pm_check_text(pm_check *check, const char *text, size_t n, pm_check_summary *summary);

/**
 * Makes pm_check_text() report the mistakes behind the faults of a text, which pm_text_repair() finds. One missing
 * bracket may make many faults, far from where it is missing. If there is a repair that makes all brackets match, one
 * fault is reported for each of its changes, in the order of the faults' places, with pm_diagnostic.repair. It names
 * the bracket that the change concerns: an open or close whose partner is missing, a bracket that is one too many, a
 * pair of two kinds. What only follows from these is not reported. What is unterminated comes last. Without such a
 * repair, or with one of more mistakes than faults, all faults are reported, as they are without this call.
 *
 * The summary does not depend on this: it counts all faults. Nothing changes for texts that come by pm_check_push(),
 * which are not at hand as a whole, and for records and delimiters. It changes nothing either for texts that would take
 * long: those of more than PM_REPAIR_BYTES_MAX bytes, 16,384 brackets, or 1,000 open at a time.
 *
 * A text without faults takes no longer. Others take the time and memory of pm_text_repair() too, and are read up to
 * three times. The check's context, if it has one, must outlive it.
 *
 * @param wanted  false: all faults are reported, as by a new check.
 * @return PM_OK; PM_INVALID_ARGUMENT, also between the first push of a text and its finish.
 */
PM_API pm_status pm_check_set_repairs(pm_check *check, bool wanted);

/* ---- Checking records ---- */

/**
 * Makes the texts of a check consist of records: each is checked as a text of its own. An open bracket, a string or a
 * comment ends with its record, so one bad record spoils no other. Places are those in the whole text;
 * pm_diagnostic.record is the record. What is never closed is reported at the end of its record. pm_check_open(),
 * pm_check_suffix() and pm_check_save() concern the record that is being read.
 *
 * Separators end records and belong to no record. They are found in strings too. Bytes behind the last separator are a
 * record too. Chunks may end anywhere. Takes no memory; with delimiters a record is kept until its end, unless it lies
 * in one chunk.
 *
 * Records are read nearly at the speed of one text, except bad ones of less than some thousand bytes, which are read
 * alone. With delimiters, records of less than 1,000 bytes take about twice as long.
 *
 * @param separator  a byte, 0 ... 255, such as PM_RECORDS_NEWLINE; or PM_RECORDS_NONE, as a new check has it.
 * @return PM_OK; PM_INVALID_ARGUMENT, also between the first push of a text and its finish.
 */
PM_API pm_status pm_check_set_records(pm_check *check, int separator);

/**
 * Ends a record between two pushes, with or without separators; the next byte begins another one, without a separator.
 * The record may be empty.
 *
 * @return PM_OK, whatever was found; PM_INVALID_ARGUMENT; PM_OUT_OF_MEMORY; or the failure of an earlier push.
 */
PM_API pm_status pm_check_end_record(pm_check *check);

/**
 * Checks a text in memory whose records are given by offsets: record r is bytes offsets[r] ... offsets[r + 1] - 1, as
 * in Arrow's lists. Places count from offsets[0]. The check must have nothing pushed and PM_RECORDS_NONE.
 *
 * @param offsets  count + 1 of them, ascending.
 * @param summary  receives the totals; may be NULL.
 * @return as pm_check_finish(); PM_INVALID_ARGUMENT also for offsets that descend.
 */
PM_API pm_status pm_check_text_records(pm_check *check, const char *text, const uint64_t *offsets, size_t count,
                                       pm_check_summary *summary);

/** Destroys a check; NULL is allowed. */
PM_API void pm_check_destroy(pm_check *check);

/* ---- On a device ------------------------------------------------------------------------------------------------- */

/** The totals of a text that a device scanned. */
typedef struct pm_text_summary {
    uint64_t tokens;       /**< Tokens of the text, which may exceed the arrays' capacity. */
    pm_bic unmatched;      /**< Unmatched closes and opens. */
    uint64_t mismatched;   /**< Pairs of two different kinds. */
    uint64_t unterminated; /**< 1 if the end cut off a skipped region. */
    bool faulty;           /**< There is a fault; the next three fields are the one that pm_check reports first. */
    pm_fault fault;        /**< What is wrong. */
    uint64_t at;           /**< Where: a byte offset. */
    uint64_t partner;      /**< PM_FAULT_KIND_MISMATCH: the byte offset of the open that is closed there. */
} pm_text_summary;

/**
 * Scans a text for its delimiters on a Vulkan device, matches them and checks them. The text is uploaded and the wanted
 * results are downloaded; nothing crosses in between. If several devices are listed, the first is used.
 *
 * It reads languages with delimiters that compile to a finite state machine of at most 32 states and 256 letters, XML
 * and SQL among them (docs/guide/delimiters.md). It supports tags of one `element` with names of at most 1024 bytes,
 * patterns of two words, and `tagged` without names. It does not support names with a meaning (`void`, `raw` and so
 * on), `statement`, `delimited` and whatever depends on what is open.
 *
 * Device memory: the text, and between a fifth and 1.8 times as much again, depending on the rules; there the text
 * counts as the next multiple of 16 KiB. In addition 17 bytes a token, 33 with tags.
 *
 * @param context   not NULL; its device is opened as by pm_match_gpu().
 * @param text      n < 2^32 bytes.
 * @param arrays    what to store; NULL: nothing.
 * @param summary   receives the totals; may be NULL.
 * @return PM_OK, whatever was found; PM_UNSUPPORTED for other languages, for a text with a name between the quotes of a
 *         `tagged`, and for more than 255 blanks between possible words of a pattern; PM_TOO_LARGE for a longer text,
 *         more than 2^31 - 1 tokens, a longer name, or thousands of names with nearly equal hashes;
 *         PM_INVALID_ARGUMENT; PM_NO_DEVICE; PM_OUT_OF_MEMORY, of the host or the device; PM_DEVICE_LOST. If the text
 *         is the reason for a failure, the arrays are unspecified.
 */
PM_API pm_status pm_text_scan_gpu(pm_context *context, const pm_language *language, const char *text, size_t n,
                                  const pm_text_arrays *arrays, pm_text_summary *summary);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_TEXT_H */
