/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a language by its name or a file name, and what it says of itself. */
#include <string.h>

#include "base/ascii.h"
#include "core/text/language.h"

size_t pm_language_count(void) {
    return pmi_bracket_language_count + pmi_delimiter_language_count;
}

const pm_language *pm_language_at(size_t index) {
    if (index < pmi_bracket_language_count)
        return &pmi_bracket_languages[index];
    return index < pm_language_count() ? &pmi_delimiter_languages[index - pmi_bracket_language_count] : NULL;
}

const pm_language *pm_language_by_name(const char *name) {
    const pm_language *language;
    if (!name)
        return NULL;
    for (size_t i = 0; (language = pm_language_at(i)); i++)
        if (strcmp(name, language->name) == 0 || pmi_list_contains(language->aliases, name, false))
            return language;
    return NULL;
}

const pm_language *pm_language_by_path(const char *path) {
    const pm_language *language;
    const char *const ending = path ? pmi_path_ending(path) : "";
    for (size_t i = 0; (language = pm_language_at(i)); i++)
        if (pmi_list_contains(language->endings, ending, true))
            return language;
    return &pmi_bracket_languages[0];
}

const char *pm_language_name(const pm_language *language) {
    return language ? language->name : NULL;
}

const char *pm_language_description(const pm_language *language) {
    return language ? language->description : NULL;
}

const char *pm_language_endings(const pm_language *language) {
    return language ? language->endings : NULL;
}

const char *pm_language_rules(const pm_language *language) {
    return language ? language->rules : NULL;
}

const pm_alphabet *pm_language_alphabet(const pm_language *language) {
    static const pm_alphabet brackets = {{['('] = PM_ROLE(PM_ROLE_OPEN, 0),
                                          [')'] = PM_ROLE(PM_ROLE_CLOSE, 0),
                                          ['['] = PM_ROLE(PM_ROLE_OPEN, 1),
                                          [']'] = PM_ROLE(PM_ROLE_CLOSE, 1),
                                          ['{'] = PM_ROLE(PM_ROLE_OPEN, 2),
                                          ['}'] = PM_ROLE(PM_ROLE_CLOSE, 2)}};
    if (!language || pmi_language_has_delimiters(language))
        return NULL;
    return language->alphabet ? language->alphabet : &brackets;
}
