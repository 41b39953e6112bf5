/* SPDX-License-Identifier: Apache-2.0 */
/* The language of a name, of a file of rules, and of a file that is checked. */
#include "cli/check.h"

#include "cli/cli.h"
#include "cli/source.h"

const pm_language *language_named(const char *command, const char *name) {
    const pm_language *const language = pm_language_by_name(name);
    if (!language)
        complain_usage(command, "no such language: '%s' (see 'parenmatch languages')", name);
    return language;
}

pm_language *language_of_rules(const char *path) {
    text_source source;
    pm_language *language = NULL;
    if (!source_open(&source, path))
        return NULL;
    if (source_load(&source)) { /* which complains itself */
        pm_language_error error;
        const pm_status status = pm_language_create_rules(NULL, source.text, source.length, &language, &error);
        if (status == PM_CORRUPT)
            rules_error_print(&source, &error);
        else if (status != PM_OK)
            complain("%s: %s", source.name, pm_status_string(status));
    }
    source_close(&source);
    return language;
}

const pm_language *check_language(const check_options *options, const pm_language *wanted, const char *path,
                                  const text_source *source) {
    const char *const text = source ? source->text : NULL;
    const pm_language *const language = wanted ? wanted : pm_language_by_content(path, text, text ? source->length : 0);
    return check_alphabet(options) && !wanted && language_has_delimiters(language) ? pm_language_at(0) : language;
}
