/* SPDX-License-Identifier: Apache-2.0 */
/* The faults of a text, sent or asked for. */
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/lsp/server.h"
#include "cli/utf8.h"

/* Faults as they are reported, when the document cannot be asked for positions. */
typedef struct fault_list {
    pm_diagnostic *faults;
    size_t count, room;
    uint64_t max; /* 0: all */
    bool out_of_memory;
} fault_list;

static bool list_fault(const pm_diagnostic *diagnostic, void *user) {
    fault_list *const list = user;
    if (list->max != 0 && list->count == list->max)
        return false;
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 16;
        pm_diagnostic *const faults = realloc(list->faults, room * sizeof *faults);
        list->out_of_memory = !faults;
        if (!faults)
            return false;
        list->faults = faults;
        list->room = room;
    }
    list->faults[list->count++] = *diagnostic;
    return true;
}

/* A string or comment is marked at its beginning; in languages with delimiters that may be of any length. */
static void write_range_of(FILE *file, lsp_text *text, pm_place at, uint64_t length) {
    lsp_write_range(file, text, at.offset, at.offset + length);
}

static void write_place(FILE *file, lsp_text *text, pm_place at, uint64_t length, const char *message) {
    fputs("{\"location\":{\"uri\":", file);
    json_write_string(file, text->uri, strlen(text->uri));
    fputs(",\"range\":", file);
    write_range_of(file, text, at, length);
    fputs("},\"message\":", file);
    json_write_string(file, message, strlen(message));
    putc('}', file);
}

/* The other bracket of a pair, and where the mistake probably is. */
static void write_related(FILE *file, lsp_text *text, const shown_diagnostic *shown) {
    const bool pair = shown->fault == PM_FAULT_KIND_MISMATCH;
    if (!pair && !shown->elsewhere)
        return;
    fputs(",\"relatedInformation\":[", file);
    if (pair)
        write_place(file, text, shown->partner, shown->partner_length, shown->partner_message);
    if (pair && shown->elsewhere)
        putc(',', file);
    if (shown->elsewhere)
        write_place(file, text, shown->repair->at, shown->repair->kind != PM_REPAIR_INSERT, shown->repair_message);
    putc(']', file);
}

static void write_fault(const lsp_server *server, FILE *file, lsp_text *text, const pm_diagnostic *diagnostic) {
    shown_diagnostic shown;
    diagnostic_describe(diagnostic, text->document ? NULL : text->bytes, &shown);
    fputs("{\"range\":", file);
    write_range_of(file, text, shown.at, shown.length);
    fprintf(file, ",\"severity\":1,\"code\":\"%s\",\"source\":\"%s\",\"message\":", fault_name(shown.fault),
            program_name);
    json_write_string(file, shown.message, strlen(shown.message));
    if (server->related)
        write_related(file, text, &shown);
    putc('}', file);
}

static pm_status find_faults(const lsp_server *server, lsp_text *text, fault_list *list) {
    *list = (fault_list){.max = server->max_errors};
    const pm_status status = lsp_text_faults(text, list_fault, list);
    return list->out_of_memory ? PM_OUT_OF_MEMORY : status;
}

static void write_faults(const lsp_server *server, FILE *file, lsp_text *text, const fault_list *list) {
    putc('[', file);
    for (size_t k = 0; k < list->count; k++) {
        if (k > 0)
            putc(',', file);
        write_fault(server, file, text, &list->faults[k]);
    }
    putc(']', file);
}

void lsp_publish(lsp_server *server, lsp_text *text) {
    fault_list list;
    const pm_status status = find_faults(server, text, &list);
    text->unpublished = false;
    if (status != PM_OK) {
        complain("lsp: %s: %s", text->uri, pm_status_string(status));
    } else {
        lsp_writer writer;
        lsp_begin_notification(&writer, "textDocument/publishDiagnostics");
        if (writer.file) {
            fputs("{\"uri\":", writer.file);
            json_write_string(writer.file, text->uri, strlen(text->uri));
            fprintf(writer.file, ",\"version\":%lld,\"diagnostics\":", (long long)text->version);
            write_faults(server, writer.file, text, &list);
            putc('}', writer.file);
        }
        lsp_send(server, &writer);
    }
    free(list.faults);
}

/* The edition is the result's name: the client that has it already gets no second one. */
int lsp_answer_diagnostic(lsp_server *server, const lsp_request *request) {
    lsp_text *const text = request->text;
    const char *known;
    size_t length;
    char name[24];
    snprintf(name, sizeof name, "%llu", (unsigned long long)text->edition);
    const bool unchanged =
        json_get_string(request->params, "previousResultId", &known, &length) && strcmp(known, name) == 0;
    fault_list list = {0};
    if (!unchanged && find_faults(server, text, &list) != PM_OK) {
        free(list.faults);
        return LSP_INTERNAL_ERROR;
    }
    lsp_writer writer;
    lsp_begin_result(&writer, request->id);
    if (writer.file) {
        fprintf(writer.file, "{\"kind\":\"%s\",\"resultId\":\"%s\"", unchanged ? "unchanged" : "full", name);
        if (!unchanged) {
            fputs(",\"items\":", writer.file);
            write_faults(server, writer.file, text, &list);
        }
        putc('}', writer.file);
    }
    lsp_send(server, &writer);
    free(list.faults);
    return 0;
}
