/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the options of check. */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    BRACKETS_MAX = 4 /* kinds that pm_check_create() takes */
};

/* Stores the ordinal of a name in the list, which ends in NULL; complains and returns false if it is not there. */
static bool read_choice(const char *option, const char *const *names, const char *value, unsigned *choice) {
    for (*choice = 0; names[*choice]; ++*choice)
        if (strcmp(value, names[*choice]) == 0)
            return true;
    complain_usage("check", "invalid value '%s' for %s (see --help)", value, option);
    return false;
}

static check_option take_form(check_options *options, int option) {
    static const char *const formats[] = {"gcc", "json", "sarif", "github", NULL};
    static const char *const colors[] = {"auto", "always", "never", NULL};
    unsigned choice = FORMAT_JSON;
    if (option == CHECK_COLOR) {
        if (!read_choice("--color", colors, optarg, &choice))
            return CHECK_WRONG;
        options->color = (enum check_color)choice;
        return CHECK_TAKEN;
    }
    if (option != CHECK_JSON && !read_choice("--format", formats, optarg, &choice))
        return CHECK_WRONG;
    options->format = (diagnostic_format)choice;
    return CHECK_TAKEN;
}

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
        options->has_max_errors = true;
        return read_number("check", "--max-errors", optarg, &options->max_errors) ? CHECK_TAKEN : CHECK_WRONG;
    case 'q':
        options->quiet = true;
        return CHECK_TAKEN;
    case CHECK_JSON:
    case CHECK_FORMAT:
    case CHECK_COLOR:
        return take_form(options, option);
    default:
        return CHECK_OTHER;
    }
}

int complain_delimiters_have_no_brackets(void) {
    return complain_usage("check", "--brackets and delimiters (--pairs, or a --lang that has them) exclude each other");
}

void complain_binary(const char *name) {
    complain("%s: binary, skipped (a NUL in the first 8 KiB; --lang text checks it)", name);
}

/* By default on a terminal that can show them, unless the user wants none anywhere (https://no-color.org). */
static bool is_colored(enum check_color color) {
    const char *const unwanted = getenv("NO_COLOR"), *const terminal = getenv("TERM");
    if (color != COLOR_AUTO)
        return color == COLOR_ALWAYS;
    return !(unwanted && *unwanted) && terminal && strcmp(terminal, "dumb") != 0 && isatty(STDOUT_FILENO);
}

diagnostic_printer check_printer(const check_options *options) {
    return (diagnostic_printer){.to = stdout, .format = options->format, .colored = is_colored(options->color)};
}

void check_print_rest(const check_options *options, FILE *to, const text_source *source, uint64_t withheld,
                      uint64_t following) {
    if (options->quiet || options->format != FORMAT_GCC)
        return;
    if (withheld > 0)
        fprintf(to, "%s: note: %" PRIu64 " more not shown (--max-errors)\n", source->name, withheld);
    if (following > 0)
        fprintf(to, "%s: note: %" PRIu64 " more that probably %s from these (--all)\n", source->name, following,
                following == 1 ? "follows" : "follow");
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
