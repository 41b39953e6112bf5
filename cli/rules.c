/* SPDX-License-Identifier: Apache-2.0 */
/* Creating delimiters from a language's name, or from a file of rules. */
#include "cli/check.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/source.h"

bool delimiters_of_rules(const char *name, const char *rules, pm_delimiters **pairs) {
    const pm_status status = pm_delimiters_create(NULL, rules, strlen(rules), pairs, NULL);
    if (status != PM_OK)
        complain("%s: %s", name, pm_status_string(status));
    return status == PM_OK;
}

bool delimiters_of_language(const char *command, const char *name, pm_delimiters **pairs) {
    const char *const rules = pm_rules_by_name(name);
    *pairs = NULL;
    if (rules)
        return delimiters_of_rules(name, rules, pairs);
    complain_usage(command, "no such language: '%s' (see 'parenmatch languages')", name);
    return false;
}

bool delimiters_of_file(const char *path, pm_delimiters **pairs) {
    text_source source;
    *pairs = NULL;
    if (!source_open(&source, path))
        return false;
    pm_delimiters_error error;
    pm_status status = PM_IO; /* source_load() complains itself */
    if (source_load(&source)) {
        status = pm_delimiters_create(NULL, source.text, source.length, pairs, &error);
        if (status == PM_CORRUPT)
            rules_error_print(&source, &error);
        else if (status != PM_OK)
            complain("%s: %s", source.name, pm_status_string(status));
    }
    source_close(&source);
    return status == PM_OK;
}
