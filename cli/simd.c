/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch simd: the implementations that --simd can force. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/listing.h"

static const char simd_help[] = "Usage: parenmatch simd [OPTION]\n"
                                "List the names that --simd takes, best first, and whether this CPU has them.\n"
                                "\n"
                                "      --help   print this\n"
                                "\n"
                                "Exit code: 0, or 2 for wrong usage.";

int command_simd(int argc, char **argv) {
    int code;
    if (!listing_wanted("simd", simd_help, &code, argc, argv))
        return code;
    for (size_t i = 0; i < pm_simd_count(); i++)
        printf("%-12s %-4s %s\n", pm_simd_name(i), pm_simd_supported(i) ? "yes" : "no", pm_simd_description(i));
    return EXIT_FINE;
}
