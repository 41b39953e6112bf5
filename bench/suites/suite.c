/* SPDX-License-Identifier: Apache-2.0 */
/* What suites have in common. */
#include "bench/suites/suite.h"

enum outcome suite_run_cases(const struct suite *suite, const struct settings *settings, suite_case *time_case) {
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < settings->sizes.count; s++)
        for (size_t f = 0; f < settings->families.count && worst != OUTCOME_FAILED; f++)
            worst =
                outcome_worse(worst, time_case(suite, settings, settings->families.names[f], settings->sizes.sizes[s]));
    return worst;
}

enum outcome suite_run_families(const struct settings *settings, const char *(*family_at)(size_t k),
                                enum outcome (*time_family)(const struct settings *settings, const char *family,
                                                            size_t n)) {
    const struct name_list *const named = &settings->families;
    enum outcome worst = OUTCOME_VERIFIED;
    for (size_t s = 0; s < settings->sizes.count; s++) {
        const char *family;
        for (size_t f = 0; worst != OUTCOME_FAILED; f++) {
            family = named->count == 0 ? family_at(f) : f < named->count ? named->names[f] : NULL;
            if (!family)
                break;
            worst = outcome_worse(worst, time_family(settings, family, settings->sizes.sizes[s]));
        }
    }
    return worst;
}
