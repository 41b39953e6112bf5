/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch pipelines: the ways of the GPU backend that --pipeline can choose. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/listing.h"

static const char pipelines_help[] = "Usage: parenmatch pipelines [OPTION]\n"
                                     "List the names that --pipeline takes, the one for any length first.\n"
                                     "\n"
                                     "      --help   print this\n"
                                     "\n"
                                     "Exit code: 0, or 2 for wrong usage.";

int command_pipelines(int argc, char **argv) {
    int code;
    if (!listing_wanted("pipelines", pipelines_help, &code, argc, argv))
        return code;
    for (size_t i = 0; i < pm_pipeline_count(); i++)
        printf("%-14s %s\n", pm_pipeline_name(i), pm_pipeline_description(i));
    return EXIT_FINE;
}
