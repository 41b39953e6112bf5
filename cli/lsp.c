/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch lsp: a language server for editors. */
#include "cli/lsp.h"

#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"

static const char lsp_help[] =
    "Usage: parenmatch lsp [OPTION]...\n"
    "Serve an editor by the Language Server Protocol 3.17 on standard input and output: diagnostics, the pair at the\n"
    "cursor, selections and folds by brackets, semantic tokens by depth, and repairs.\n"
    "\n"
    "  -m, --max-errors N  send at most N diagnostics of a text (1000; 0: all)\n"
    "      --stdio         use standard input and output, as by default\n"
    "      --help          print this\n"
    "\n"
    "Exit code: 0 after the client's shutdown and exit; 1 if it ended without them; 2 for wrong usage or messages\n"
    "that cannot be read.";

enum {
    MAX_ERRORS = 1000
};

int command_lsp(int argc, char **argv) {
    enum {
        STDIO = 256,
        HELP
    };
    static const struct option options[] = {{"max-errors", required_argument, NULL, 'm'},
                                            {"stdio", no_argument, NULL, STDIO},
                                            {"help", no_argument, NULL, HELP},
                                            {NULL, 0, NULL, 0}};
    uint64_t max_errors = MAX_ERRORS;
    for (int option; (option = getopt_long(argc, argv, "m:", options, NULL)) != -1;) {
        if (option == HELP) {
            puts(lsp_help);
            return EXIT_FINE;
        }
        if (option == 'm' && !read_number("lsp", "--max-errors", optarg, &max_errors))
            return EXIT_TROUBLE;
        if (option != 'm' && option != STDIO)
            return point_to_help("lsp");
    }
    if (optind < argc)
        return complain_usage("lsp", "unexpected argument '%s'", argv[optind]);
    return lsp_serve(max_errors);
}
