/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on a device. If a device cannot check a text, a message says why; nothing else is tried. */
#include "cli/check.h"

#include <stdlib.h>

#include "cli/cli.h"

/* Returns why a device cannot check a text that the CPU can; NULL for other failures. If it cannot check an empty text
 * either, the reason is the rules. */
static const char *why_not(pm_context *context, const pm_language *language, pm_status status) {
    switch (status) {
    case PM_UNSUPPORTED:
        return pm_text_scan_gpu(context, language, NULL, 0, NULL, NULL) == PM_UNSUPPORTED
                   ? "its rules are too complex for a device"
                   : "by these rules a device cannot check this text";
    case PM_TOO_LARGE:
        return "it exceeds a device's limits for bytes, tokens or names";
    default:
        return NULL;
    }
}

bool check_refuse(const text_source *source, const char *why) {
    complain("%s: %s (the CPU can check it: omit --backend gpu)", source->name, why);
    return false;
}

/* Returns the maximum number of opens at once. */
static uint64_t depth_of(const uint64_t *parens, uint64_t tokens) {
    uint64_t level = 0, max = 0;
    for (uint64_t t = 0; t < tokens; t++)
        if (parens[t / 64] >> t % 64 & 1) {
            level++;
            max = level > max ? level : max;
        } else if (level > 0) {
            level--;
        }
    return max;
}

bool check_on_device(const machine_options *machine, pm_context *context, const pm_language *language,
                     const text_source *source, bool depth_wanted, pm_check_summary *found) {
    /* No text has more tokens than bytes. */
    pm_text_arrays arrays = {.struct_size = sizeof arrays, .capacity = depth_wanted ? source->length : 0};
    if (depth_wanted && !(arrays.parens = malloc(source->length / 8 + 8))) {
        complain("%s: %s", source->name, pm_status_string(PM_OUT_OF_MEMORY));
        return false;
    }
    pm_text_summary scanned;
    const pm_status status = pm_text_scan_gpu(context, language, source->text, source->length, &arrays, &scanned);
    const char *const why = why_not(context, language, status);
    if (why)
        check_refuse(source, why);
    else if (status != PM_OK)
        machine_complain(machine, source->name, status);
    if (status == PM_OK)
        *found = (pm_check_summary){.bytes = source->length,
                                    .brackets = scanned.tokens,
                                    .max_depth = depth_wanted ? depth_of(arrays.parens, scanned.tokens) : 0,
                                    .unmatched = scanned.unmatched,
                                    .mismatched = scanned.mismatched,
                                    .unterminated = scanned.unterminated};
    free(arrays.parens);
    return status == PM_OK;
}
