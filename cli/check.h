/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the command check. */
#ifndef PM_CLI_CHECK_H
#define PM_CLI_CHECK_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/check/ignore.h"
#include "cli/machine_options.h"
#include "cli/source.h"
#include "parenmatch.h"

/* ---- How diagnostics are printed ---- */

typedef enum diagnostic_format {
    FORMAT_GCC,   /* as compilers do, with the source line */
    FORMAT_JSON,  /* an object a line */
    FORMAT_SARIF, /* one object of SARIF 2.1.0 for all files */
    FORMAT_GITHUB /* commands of GitHub's workflows, which show them at the line */
} diagnostic_format;

typedef struct diagnostic_printer {
    FILE *to;
    diagnostic_format format;
    bool colored;   /* FORMAT_GCC: for a terminal */
    bool delimited; /* the text's language has delimiters, of any length */
    bool records;   /* the text is in records: say which, in FORMAT_GCC and FORMAT_JSON, and show no line */
    bool continued; /* FORMAT_SARIF: there are results before */
} diagnostic_printer;

/* ---- The options that `parenmatch check` and `parenmatch-mpi check` share ---- */

typedef struct check_options {
    pm_alphabet brackets;
    bool has_brackets;   /* else they are the language's own */
    uint64_t max_errors; /* 0: all */
    bool has_max_errors; /* the user has set them */
    diagnostic_format format;
    enum check_color {
        COLOR_AUTO, /* on a terminal */
        COLOR_ALWAYS,
        COLOR_NEVER
    } color;
    bool quiet;
} check_options;

#define CHECK_OPTIONS_DEFAULT                                                                                          \
    { .max_errors = 20 }

/* What getopt_long() returns for those without a letter. */
enum {
    CHECK_JSON = 256,
    CHECK_FORMAT,
    CHECK_COLOR,
    CHECK_HELP,
    CHECK_OWN /* from here on a command's own */
};

/* For getopt_long(). */
#define CHECK_LETTERS "l:b:m:q"
#define CHECK_LONG_OPTIONS                                                                                             \
    {"lang", required_argument, NULL, 'l'}, {"brackets", required_argument, NULL, 'b'},                                \
        {"max-errors", required_argument, NULL, 'm'}, {"quiet", no_argument, NULL, 'q'},                               \
        {"json", no_argument, NULL, CHECK_JSON}, {"format", required_argument, NULL, CHECK_FORMAT},                    \
        {"color", required_argument, NULL, CHECK_COLOR}, {                                                             \
        "help", no_argument, NULL, CHECK_HELP                                                                          \
    }

typedef enum check_option {
    CHECK_TAKEN,
    CHECK_WRONG, /* its value, which has been complained about */
    CHECK_OTHER  /* not one of these options */
} check_option;

/* What a command has of its own. */
typedef struct check_own {
    const char *help;
    const char *letters;                             /* for getopt_long(): those above, and its own */
    const struct option *options;                    /* those above, its own, and zeros */
    check_option (*take)(void *command, int option); /* its own options, and the language */
} check_own;

/* Reads the options; from optind on there are files. Returns false, with *code set, when there is nothing more to do:
 * the help is printed, or something is wrong and has been complained about. */
bool check_options_read(check_options *options, const check_own *own, void *command, int argc, char **argv, int *code);

/* Returns the brackets of --brackets; NULL: the language's own. */
static inline const pm_alphabet *check_alphabet(const check_options *options) {
    return options->has_brackets ? &options->brackets : NULL;
}

/* Complains about --brackets together with delimiters. Returns EXIT_TROUBLE. */
int complain_delimiters_have_no_brackets(void);

/* Says that a file that the user named is binary and skipped. */
void complain_binary(const char *name);

/* Returns a printer to standard output, as the options say. */
diagnostic_printer check_printer(const check_options *options);

/* Prints how many faults of a text were not printed, if any: as too many, and as they follow from others. */
void check_print_rest(const check_options *options, FILE *to, const text_source *source, uint64_t withheld,
                      uint64_t following);

/* ---- The check of a text's structure by a device ---- */

/* Complains of what a device cannot do, and returns false. */
bool check_refuse(const text_source *source, const char *why);

/* Checks a loaded text on the context's device, which the options named. Sets all of *found except lines; max_depth
 * only if depth_wanted. Complains and returns false if the check fails. */
bool check_on_device(const machine_options *machine, pm_context *context, const pm_language *language,
                     const text_source *source, bool depth_wanted, pm_check_summary *found);

/* ---- Diagnostics ---- */

/* Prints what comes before and behind all diagnostics, if the format has such. */
void diagnostics_begin(const diagnostic_printer *printer);
void diagnostics_end(const diagnostic_printer *printer, int exit_code);

/* Prints a diagnostic. In a language with delimiters the whole text is loaded. */
void diagnostic_print(diagnostic_printer *printer, const text_source *source, const pm_diagnostic *diagnostic);

enum {
    MESSAGE_ROOM = 192 /* for two tokens as they are shown, and words between them */
};

/* A diagnostic, of a bracket or of a token of any length, in words. */
typedef struct shown_diagnostic {
    pm_fault fault;
    pm_place at, partner; /* partner: only of PM_FAULT_KIND_MISMATCH */
    char message[MESSAGE_ROOM], partner_message[MESSAGE_ROOM];
    const char *key; /* what JSON calls the bytes: "byte", "text" */
    const char *bytes, *partner_bytes;
    size_t length, partner_length;
    const pm_repair *repair; /* NULL: not known */
    char repair_message[MESSAGE_ROOM];
    bool elsewhere;  /* the repair is in a line that the rest does not name: to be said to people */
    uint64_t record; /* from 1; 0: not to be shown */
} shown_diagnostic;

/* Puts a repair in words, with its line if a bracket is missing. */
void repair_describe(const pm_repair *repair, char message[MESSAGE_ROOM]);

/* Prints where a repair is, and what, as a note. */
void repair_print(FILE *to, const char *name, const pm_repair *repair);

/* Returns the name of what a repair does for programs, such as "insert". */
const char *repair_name(pm_repair_kind kind);

/* Puts a diagnostic in words; it must outlive them. text: the whole text, which a language with delimiters needs; NULL
 * for brackets. */
void diagnostic_describe(const pm_diagnostic *diagnostic, const char *text, shown_diagnostic *shown);

/* Returns the name of a fault for programs, such as "unmatched-close". */
const char *fault_name(pm_fault fault);

/* Prints it for programs, in any format but FORMAT_GCC. */
void diagnostic_print_for_programs(diagnostic_printer *printer, const text_source *source,
                                   const shown_diagnostic *shown);

/* Prints what is wrong with rules, on standard error. */
void rules_error_print(const text_source *source, const pm_language_error *error);

/* A byte as text: itself, or an escape as in C if it is not printable ASCII. */
typedef struct byte_text {
    char text[5];
} byte_text;
byte_text byte_show(char byte);

/* ---- Languages ---- */

/* Are there delimiters of several bytes, for which a text must be loaded, rather than brackets? */
static inline bool language_has_delimiters(const pm_language *language) {
    return !pm_language_alphabet(language);
}

/* Returns the language of a name. Complains about an unknown name, and returns NULL. */
const pm_language *language_named(const char *command, const char *name);

/* Makes a language from a file of rules, to be given to pm_language_destroy(). Complains and returns NULL if the file
 * cannot be read or a rule is wrong. */
pm_language *language_of_rules(const char *path);

/* Returns the language to check a file in: the wanted one, or if that is NULL its name's, by what is at hand of the
 * text; source may be NULL. For --brackets that is never one with delimiters. */
const pm_language *check_language(const check_options *options, const pm_language *wanted, const char *path,
                                  const text_source *source);

/* ---- The files below a folder ---- */

typedef struct file_tree_options {
    bool everything;       /* also what .gitignore files name, and folders that are skipped by their names */
    ignore_rules *exclude; /* count before those of .gitignore files; NULL: none */
} file_tree_options;

/* What is called, in the order of the walk. */
typedef struct file_tree_visitor {
    bool (*visit)(const char *path, bool named, void *user);  /* returns false to end the walk */
    void (*trouble)(const char *path, int error, void *user); /* something cannot be read; error: of errno.h */
    void *user;
} file_tree_visitor;

typedef struct file_tree_found {
    bool is_folder;
    uint64_t files;   /* visited */
    uint64_t skipped; /* folders */
} file_tree_found;

/* The names of folders that are skipped, besides those that begin with a dot; NULL ends them. */
extern const char *const file_tree_skipped[];

/*
 * Visits a path that is not a folder, as named; of a folder, in the order of names, the regular files below it whose
 * names indicate a language. Does not follow symbolic links below it. Skips what .gitignore files name, as git does:
 * those of the folder and below, and in a repository those above. Skips folders by their names, unless such a file has
 * them kept. Always skips .git.
 */
void file_tree_visit(const char *path, const file_tree_options *options, const file_tree_visitor *visitor,
                     file_tree_found *found);

#endif
