/* SPDX-License-Identifier: Apache-2.0 */
/* The options that `parenmatch check` and `parenmatch-mpi check` share. */
#ifndef PM_CLI_CHECK_OPTIONS_H
#define PM_CLI_CHECK_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/source.h"
#include "parenmatch.h"

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

#endif
