/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch simd: the implementations that --simd can force. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int command_simd(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("Usage: parenmatch simd\nList the names that match --simd takes, best first, and whether this CPU has "
             "them.");
        return EXIT_FINE;
    }
    if (argc > 1)
        return complain_usage("simd", "nothing may follow 'simd'");
    for (size_t i = 0; i < pm_simd_count(); i++)
        printf("%-12s %-4s %s\n", pm_simd_name(i), pm_simd_supported(i) ? "yes" : "no", pm_simd_description(i));
    return EXIT_FINE;
}
