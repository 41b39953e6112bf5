/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the options of check. */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum {
    BRACKETS_MAX = 4 /* kinds that pm_check_create() takes */
};

static check_option take(check_options *options, int option) {
    switch (option) {
    case 'b':
        if (strlen(optarg) > 2 * BRACKETS_MAX) {
            complain_usage("check", "--brackets takes at most %d pairs: '%s'", BRACKETS_MAX, optarg);
            return CHECK_WRONG;
        }
        options->has_brackets = read_alphabet("check", optarg, &options->brackets);
        return options->has_brackets ? CHECK_TAKEN : CHECK_WRONG;
    case 'm':
        return read_number("check", "--max-errors", optarg, &options->max_errors) ? CHECK_TAKEN : CHECK_WRONG;
    case 'q':
        options->quiet = true;
        return CHECK_TAKEN;
    case CHECK_JSON:
        options->json = true;
        return CHECK_TAKEN;
    default:
        return CHECK_OTHER;
    }
}

int complain_delimiters_have_no_brackets(void) {
    return complain_usage("check", "--brackets and delimiters (--pairs, or a --lang that has them) exclude each other");
}

void check_print_rest(const check_options *options, const text_source *source, uint64_t printed, uint64_t faults) {
    if (faults > printed && !options->quiet && !options->json)
        printf("%s: note: %" PRIu64 " more not shown (--max-errors)\n", source->name, faults - printed);
}

bool check_options_read(check_options *options, const check_own *own, void *command, int argc, char **argv, int *code) {
    *code = EXIT_TROUBLE;
    for (int option; (option = getopt_long(argc, argv, own->letters, own->options, NULL)) != -1;) {
        if (option == CHECK_HELP) {
            puts(own->help);
            *code = EXIT_FINE;
            return false;
        }
        check_option taken = take(options, option);
        if (taken == CHECK_OTHER)
            taken = own->take(command, option);
        if (taken == CHECK_OTHER)
            point_to_help("check");
        if (taken != CHECK_TAKEN)
            return false;
    }
    if (optind == argc) {
        complain_usage("check", "no file given");
        return false;
    }
    *code = EXIT_FINE;
    return true;
}
