/* SPDX-License-Identifier: Apache-2.0 */
/* The options that `parenmatch check` and `parenmatch-mpi check` have alike. */
#ifndef PM_CLI_CHECK_OPTIONS_H
#define PM_CLI_CHECK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

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

/* For getopt_long(); the language and the help are each command's own to read. */
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
    CHECK_OTHER  /* it is none of those that are alike */
} check_option;

/* Takes what getopt_long() has returned. */
check_option check_option_take(check_options *options, int option);

/* The brackets that are asked for; NULL: the language's own. */
static inline const pm_alphabet *check_alphabet(const check_options *options) {
    return options->has_brackets ? &options->brackets : NULL;
}

#endif
