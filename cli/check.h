/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the command check. */
#ifndef PM_CLI_CHECK_H
#define PM_CLI_CHECK_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/machine_options.h"
#include "cli/source.h"
#include "parenmatch.h"

/* ---- The options that `parenmatch check` and `parenmatch-mpi check` share ---- */

typedef struct check_options {
    pm_alphabet brackets;
    bool has_brackets;   /* else they are the language's own */
    uint64_t max_errors; /* 0: all */
    bool quiet, json;
} check_options;

#define CHECK_OPTIONS_DEFAULT                                                                                          \
    { .max_errors = 20 }

/* What getopt_long() returns for those without a letter. */
enum {
    CHECK_JSON = 256,
    CHECK_HELP,
    CHECK_OWN /* from here on a command's own */
};

/* For getopt_long(). */
#define CHECK_LETTERS "l:b:m:q"
#define CHECK_LONG_OPTIONS                                                                                             \
    {"lang", required_argument, NULL, 'l'}, {"brackets", required_argument, NULL, 'b'},                                \
        {"max-errors", required_argument, NULL, 'm'}, {"quiet", no_argument, NULL, 'q'},                               \
        {"json", no_argument, NULL, CHECK_JSON}, {                                                                     \
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

/* Prints how many faults of a text were not printed, if any. */
void check_print_rest(const check_options *options, const text_source *source, uint64_t printed, uint64_t faults);

/* ---- The check of a text's structure by a device ---- */

/* Complains of what a device cannot do, and returns false. */
bool check_refuse(const text_source *source, const char *why);

/* Checks a loaded text on the context's device, which the options named. Sets all of *found except lines; max_depth
 * only if depth_wanted. Complains and returns false if the check fails. */
bool check_on_device(const machine_options *machine, pm_context *context, const pm_delimiters *pairs,
                     const text_source *source, bool depth_wanted, pm_check_summary *found);

/* ---- Diagnostics on standard output: as compilers print them, or as JSON, one object a line ---- */

/* Prints a diagnostic of a bracket, or its JSON object. */
void diagnostic_print(const text_source *source, const pm_diagnostic *diagnostic);
void diagnostic_print_json(const text_source *source, const pm_diagnostic *diagnostic);

/* Prints a diagnostic of a token, or its JSON object; the whole text is loaded. */
void structure_diagnostic_print(const text_source *source, const pm_delimiters_diagnostic *diagnostic);
void structure_diagnostic_print_json(const text_source *source, const pm_delimiters_diagnostic *diagnostic);

/* Prints what is wrong with rules, on standard error. */
void rules_error_print(const text_source *source, const pm_delimiters_error *error);

/* A byte as text: itself, or an escape as in C if it is not printable ASCII. */
typedef struct byte_text {
    char text[5];
} byte_text;
byte_text byte_show(char byte);

/* ---- Delimiters of any length: of a language that the library knows, or of a file of rules ---- */

/* Creates delimiters from rules of the library. Complains with `name` and returns false, with *pairs NULL, if there is
 * no memory. */
bool delimiters_of_rules(const char *name, const char *rules, pm_delimiters **pairs);

/* Creates the delimiters of a language. Complains and returns false, with *pairs NULL, if there is no such language. */
bool delimiters_of_language(const char *command, const char *name, pm_delimiters **pairs);

/* Creates delimiters from a file of rules. Complains and returns false, with *pairs NULL, if the file cannot be read or
 * a rule is wrong. */
bool delimiters_of_file(const char *path, pm_delimiters **pairs);

/* ---- The files below a directory ---- */

/*
 * Calls visit for a path that is not a directory; for a directory, in the order of names, for each regular file below
 * it whose name tells its language. Does not follow symbolic links below it. Complains and returns false if a directory
 * cannot be read, and visits the rest.
 */
bool file_tree_visit(const char *path, void (*visit)(const char *path, void *user), void *user);

#endif
