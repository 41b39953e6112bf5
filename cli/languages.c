/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch languages: what check can skip the strings and comments of. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int command_languages(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("Usage: parenmatch languages\nList the names that check --lang takes, and what each language skips.");
        return EXIT_FINE;
    }
    if (argc > 1)
        return complain_usage("languages", "nothing may follow 'languages'");
    for (size_t i = 0; i < pm_language_count(); i++) {
        const pm_language *language = pm_language_at(i);
        printf("%-12s %s\n", pm_language_name(language), pm_language_description(language));
    }
    for (size_t i = 0; i < pm_rules_count(); i++)
        printf("%-12s %s\n", pm_rules_name(i), pm_rules_description(i));
    return EXIT_FINE;
}
