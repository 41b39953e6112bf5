/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch find: searches files for many patterns. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/find/find.h"
#include "cli/source.h"

enum {
    PIECE = 16 << 20 /* of a text that is searched before it is asked whether that is enough */
};

typedef struct find_command {
    find_request request;
    hit_printer printer;
    pm_context *context;
    pm_dict *dict;
    pm_find_stream *stream;
    int code;
} find_command;

/* ---- A file ---- */

/* Searches a text that is at hand, as far as need be. */
static pm_status search(find_command *command, const text_source *source, uint64_t *found) {
    const hit_printer *const printer = &command->printer;
    pm_status status = PM_OK;
    for (size_t begin = 0, n; status == PM_OK && begin < source->length; begin += n) {
        n = source->length - begin < PIECE ? source->length - begin : PIECE;
        status = pm_find_stream_push(command->stream, source->text + begin, n);
        if ((printer->form == HITS_NOTICED && printer->lines > 0) || output_failed())
            break;
    }
    const pm_status finished = pm_find_stream_finish(command->stream, found);
    return status == PM_OK ? finished : status;
}

static void find_in_file(find_command *command, const char *path) {
    text_source source;
    if (!source_open(&source, path)) {
        command->code = EXIT_TROUBLE;
        return;
    }
    uint64_t found = 0;
    if (!source_load(&source)) {
        command->code = EXIT_TROUBLE;
    } else {
        hits_begin(&command->printer, &source);
        const pm_status status = search(command, &source, &found);
        if (status != PM_OK)
            command->code = machine_complain(&command->request.machine, source.name, status);
        else if (command->request.names_only && found > 0)
            puts(source.name);
        else if (command->printer.form == HITS_COUNTED && command->printer.file_names)
            printf("%s:%" PRIu64 "\n", source.name, command->printer.lines);
        else if (command->printer.form == HITS_COUNTED)
            printf("%" PRIu64 "\n", command->printer.lines);
    }
    if (found > 0 && (command->code == EXIT_NOTHING_FOUND || command->request.quiet))
        command->code = EXIT_FINE; /* as with grep, -q asks for no more than that, whatever trouble others were */
    source_close(&source);
}

/* What options come to together. */
static void settle_form(find_command *command, int files) {
    find_request *const request = &command->request;
    hit_printer *const printer = &command->printer;
    request->names_only &= !request->quiet;
    printer->form = request->quiet || request->names_only ? HITS_NOTICED
                    : request->count                      ? HITS_COUNTED
                    : request->json                       ? HITS_AS_JSON
                    : request->alone                      ? HITS_ALONE
                                                          : HITS_AS_LINES;
    printer->file_names = request->file_names == -1 ? files > 1 : request->file_names == 1;
    printer->line_numbers = request->line_numbers || printer->form == HITS_AS_JSON;
    printer->byte_offsets = request->byte_offsets;
}

static void find_in_files(find_command *command, char *const *paths, int count) {
    settle_form(command, count);
    command->code = EXIT_NOTHING_FOUND;
    for (int i = 0; i < count && !(command->request.quiet && command->code == EXIT_FINE); i++)
        find_in_file(command, paths[i]);
}

/* ---- The command ---- */

static bool prepare(find_command *command) {
    if (!patterns_make_distinct(&command->request.patterns, command->request.ignore_case))
        return false;
    const pattern_list *const list = &command->request.patterns;
    if (!machine_context_create(&command->request.machine, NULL, &command->context))
        return false;
    pm_dict_fault fault;
    pm_status status =
        pm_dict_create_explained(command->context, list->patterns, list->lengths, list->count,
                                 command->request.ignore_case ? PM_DICT_IGNORE_CASE : 0, &command->dict, &fault);
    if (status != PM_OK) {
        complain("patterns: %s", fault.reason ? fault.reason : pm_status_string(status));
        return false;
    }
    status = pm_find_stream_create(command->context, command->dict, &command->request.search, hits_print,
                                   &command->printer, &command->stream);
    const char *const engine = command->request.search.engine;
    if (engine && status == PM_INVALID_ARGUMENT)
        complain_usage("find", "no such engine: '%s'", engine);
    else if (engine && status == PM_UNSUPPORTED)
        complain_usage("find", "--engine %s: does not support these patterns, or this CPU", engine);
    else if (status != PM_OK)
        complain("%s", pm_status_string(status));
    command->printer.dict = command->dict;
    return status == PM_OK;
}

int command_find(int argc, char **argv) {
    find_command command = {.request = FIND_REQUEST_DEFAULT};
    if (find_options_read(&command.request, &command.code, argc, argv)) {
        command.code = EXIT_TROUBLE;
        if (prepare(&command))
            find_in_files(&command, argv + optind, argc - optind);
    }
    pm_find_stream_destroy(command.stream);
    pm_dict_destroy(command.dict);
    pm_context_destroy(command.context);
    patterns_clear(&command.request.patterns);
    return command.code;
}
