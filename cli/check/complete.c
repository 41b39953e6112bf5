/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with what completes them. */
#include <stdlib.h>

#include "cli/check/command.h"
#include "cli/cli.h"

static bool print_text(text_source *source, pm_check *check) {
    for (;;) {
        const char *piece;
        size_t n;
        if (!source_next(source, &piece, &n))
            return false;
        if (n == 0)
            return true;
        if (!check_succeeds(source, pm_check_push(check, piece, n)))
            return false;
        fwrite(piece, 1, n, stdout);
        if (output_failed())
            return false;
    }
}

/* Prints the suffix, and pushes it, so that what is left is wrong with the text. */
static bool print_suffix(const text_source *source, pm_check *check) {
    size_t length;
    pm_status status = pm_check_suffix(check, NULL, 0, &length);
    if (status == PM_UNSUPPORTED)
        return !complain("%s: nothing completes it", source->name);
    if (!check_succeeds(source, status))
        return false;
    char *const suffix = malloc(length + 1);
    if (!suffix)
        return check_succeeds(source, PM_OUT_OF_MEMORY);
    status = pm_check_suffix(check, suffix, length, &length);
    if (status == PM_OK) {
        fwrite(suffix, 1, length, stdout);
        status = pm_check_push(check, suffix, length);
    }
    free(suffix);
    return check_succeeds(source, status);
}

bool check_complete(check_command *command, const pm_language *language, text_source *source, pm_check_summary *found) {
    pm_check *check;
    if (!check_succeeds(source, pm_check_create(NULL, language, check_alphabet(&command->options), NULL, NULL, &check)))
        return false;
    const bool done = print_text(source, check) && print_suffix(source, check) &&
                      check_succeeds(source, pm_check_finish(check, found));
    pm_check_destroy(check);
    return done;
}
