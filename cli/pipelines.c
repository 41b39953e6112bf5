/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch pipelines: the ways of the GPU backend that --pipeline can choose. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int command_pipelines(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("Usage: parenmatch pipelines\nList the names that match --pipeline takes, the one for any length first.");
        return EXIT_FINE;
    }
    if (argc > 1)
        return complain_usage("pipelines", "nothing may follow 'pipelines'");
    for (size_t i = 0; i < pm_pipeline_count(); i++)
        printf("%-14s %s\n", pm_pipeline_name(i), pm_pipeline_description(i));
    return EXIT_FINE;
}
