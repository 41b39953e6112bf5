/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what options they have. */
#include "cli/listing.h"

#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"

bool listing_wanted(const char *command, const char *help, int *code, int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const int option = getopt_long(argc, argv, "", options, NULL);
    *code = EXIT_FINE;
    if (option == 'h') {
        puts(help);
        return false;
    }
    if (option == -1 && optind == argc)
        return true;
    *code = EXIT_TROUBLE;
    if (option == -1)
        complain_usage(command, "no file is wanted");
    else
        point_to_help(command);
    return false;
}
