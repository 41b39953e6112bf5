/* SPDX-License-Identifier: Apache-2.0 */
/* Reading them. */
#include "cli/check_options.h"

#include <getopt.h>

#include "cli/cli.h"

check_option check_option_take(check_options *options, int option) {
    switch (option) {
    case 'b':
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
