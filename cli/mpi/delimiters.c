/* SPDX-License-Identifier: Apache-2.0 */
/* The check of delimiters, and its printing. */
#include "cli/mpi/delimiters.h"

#include "cli/cli.h"
#include "cli/diagnostics.h"
#include "cli/rules.h"

typedef struct printer {
    const check_options *options;
    const text_source *source;
    uint64_t printed;
} printer;

static bool print(const pm_delimiters_diagnostic *diagnostic, void *user) {
    printer *const to = user;
    if (to->options->max_errors != 0 && to->printed == to->options->max_errors)
        return false;
    to->printed++;
    (to->options->json ? structure_diagnostic_print_json : structure_diagnostic_print)(to->source, diagnostic);
    return true;
}

bool delimiters_check(const check_options *options, text_source *source, const char *rules, uint64_t *faults) {
    pm_delimiters *pairs;
    if (!source_load(source) || !delimiters_of_rules(source->name, rules, &pairs))
        return false;
    printer to = {.options = options, .source = source};
    pm_check_summary found;
    const pm_status status =
        pm_delimiters_check(NULL, pairs, source->text, source->length, options->quiet ? NULL : print, &to, &found);
    pm_delimiters_destroy(pairs);
    if (status != PM_OK) {
        complain("%s: %s", source->name, pm_status_string(status));
        return false;
    }
    *faults = found.unmatched.close + found.unmatched.open + found.mismatched + found.unterminated;
    check_print_rest(options, source, to.printed, *faults);
    return true;
}
