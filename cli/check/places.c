/* SPDX-License-Identifier: Apache-2.0 */
/* Below the faults of a file: where a bracket is probably missing, or one too many. */
#include <inttypes.h>

#include "cli/check/command.h"

/* Texts of which nothing is larger take at most a few tenths of a second. */
#define PLACES_BYTES (UINT64_C(256) << 10)
#define PLACES_BRACKETS (UINT64_C(1) << 14)
#define PLACES_DEPTH UINT64_C(1000)

void repair_print(FILE *to, const char *name, const pm_repair *repair) {
    static const char *const what[] = {[PM_REPAIR_INSERT] = "is probably missing here",
                                       [PM_REPAIR_REMOVE] = "is probably one too many",
                                       [PM_REPAIR_REPLACE] = "should probably stand here"};
    fprintf(to, "%s:%" PRIu64 ":%" PRIu64 ": note: '%c' %s\n", name, repair->at.line, repair->at.column, repair->byte,
            what[repair->kind]);
}

/* Do faults name a line? */
typedef struct line_search {
    uint64_t line;
    bool found;
} line_search;

static bool look_at(const pm_diagnostic *diagnostic, void *user) {
    line_search *const search = user;
    search->found |= diagnostic->at.line == search->line ||
                     (diagnostic->fault == PM_FAULT_KIND_MISMATCH && diagnostic->partner.line == search->line);
    return !search->found;
}

static bool is_named(const check_command *command, const pm_language *language, uint64_t line) {
    line_search search = {.line = line};
    pm_check *check;
    if (pm_check_create(NULL, language, check_alphabet(&command->options), look_at, &search, &check) != PM_OK)
        return true;
    const pm_status status = pm_check_text(check, command->source->text, command->source->length, NULL);
    pm_check_destroy(check);
    return search.found || status != PM_OK;
}

static bool is_at_hand(const text_source *source) {
    return source_is_mapped(source) || (source->ended && source->offset == 0);
}

static bool is_small(const pm_check_summary *text) {
    return text->bytes <= PLACES_BYTES && text->brackets <= PLACES_BRACKETS && text->max_depth <= PLACES_DEPTH;
}

void check_print_places(check_command *command, const char *path, const pm_check_summary *found) {
    const text_source *const source = command->source;
    if (command->printed == 0 || command->options.format != FORMAT_GCC || command->printer.delimited ||
        command->printer.records || !is_at_hand(source) || !is_small(found))
        return;
    const pm_language *const language = check_language(&command->options, command->language, path, source);
    pm_repair repairs[PM_REPAIRS_MAX];
    size_t count;
    if (pm_text_repair(NULL, language, check_alphabet(&command->options), source->text, source->length, PM_REPAIRS_MAX,
                       repairs, &count) != PM_OK)
        return;
    for (size_t k = 0; k < count; k++)
        if (!is_named(command, language, repairs[k].at.line))
            repair_print(command->printer.to, source->name, &repairs[k]);
}
