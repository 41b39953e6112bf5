/* SPDX-License-Identifier: Apache-2.0 */
/* The repair of a text, tried out: a bracket may have changed what is a string. */
#include "cli/repair.h"

#include <stdlib.h>

/* Do all brackets match in a text? */
static pm_status brackets_match(const pm_language *language, const pm_alphabet *alphabet, const char *text, size_t n,
                                bool *match) {
    pm_check *check;
    pm_check_summary found = {0};
    pm_status status = pm_check_create(NULL, language, alphabet, NULL, NULL, &check);
    if (status == PM_OK)
        status = pm_check_text(check, text, n, &found);
    pm_check_destroy(check);
    *match = found.unmatched.close == 0 && found.unmatched.open == 0 && found.mismatched == 0;
    return status;
}

pm_status repair_text(const pm_language *language, const pm_alphabet *alphabet, const char *text, size_t n,
                      pm_repair repairs[PM_REPAIRS_MAX], size_t *count) {
    size_t length = 0;
    bool match = false;
    pm_status status = pm_text_repair(NULL, language, alphabet, text, n, PM_REPAIRS_MAX, repairs, count);
    if (status != PM_OK || *count == 0)
        return status;
    (void)pm_text_repair_apply(text, n, repairs, *count, 0, NULL, &length);
    char *const repaired = malloc(length + 1);
    if (!repaired)
        return PM_OUT_OF_MEMORY;
    status = pm_text_repair_apply(text, n, repairs, *count, length, repaired, &length);
    if (status == PM_OK)
        status = brackets_match(language, alphabet, repaired, length, &match);
    free(repaired);
    if (!match)
        *count = 0;
    return status;
}
