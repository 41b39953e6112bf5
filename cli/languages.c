/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch languages: those that --lang takes, and what is skipped of each. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/listing.h"

static const char languages_help[] = "Usage: parenmatch languages [OPTION]\n"
                                     "List the names that --lang takes, and what each language skips.\n"
                                     "\n"
                                     "      --help   print this\n"
                                     "\n"
                                     "Exit code: 0, or 2 for wrong usage.";

int command_languages(int argc, char **argv) {
    int code;
    if (!listing_wanted("languages", languages_help, &code, argc, argv))
        return code;
    for (size_t i = 0; i < pm_language_count(); i++) {
        const pm_language *language = pm_language_at(i);
        printf("%-12s %s\n", pm_language_name(language), pm_language_description(language));
    }
    for (size_t i = 0; i < pm_rules_count(); i++)
        printf("%-12s %s\n", pm_rules_name(i), pm_rules_description(i));
    return EXIT_FINE;
}
