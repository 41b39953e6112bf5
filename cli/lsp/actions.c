/* SPDX-License-Identifier: Apache-2.0 */
/* Quick fixes: the likeliest changes after which all brackets match. */
#include <stdlib.h>
#include <string.h>

#include "cli/lsp/server.h"
#include "cli/utf8.h"

enum {
    REPAIRED_BYTES_MAX = 1 << 20 /* of a text; more take a second */
};

/* Does the client ask for quick fixes, perhaps among others? */
static bool wants_fixes(json_object *context) {
    json_object *const kinds = json_path(context, "only", NULL);
    if (!json_object_is_type(kinds, json_type_array))
        return true;
    for (size_t k = 0; k < json_object_array_length(kinds); k++) {
        json_object *const kind = json_object_array_get_idx(kinds, k);
        if (json_object_is_type(kind, json_type_string) &&
            (!*json_object_get_string(kind) || strcmp(json_object_get_string(kind), "quickfix") == 0))
            return true;
    }
    return false;
}

static bool is_ours(json_object *diagnostic) {
    const char *source;
    size_t length;
    return json_get_string(diagnostic, "source", &source, &length) && strcmp(source, "parenmatch") == 0;
}

static size_t count_of(json_object *array) {
    return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

/* The client's diagnostics of this server that the fix is for. */
static void write_diagnostics(FILE *file, json_object *diagnostics) {
    bool any = false;
    for (size_t k = 0; k < count_of(diagnostics); k++) {
        json_object *const diagnostic = json_object_array_get_idx(diagnostics, k);
        if (!is_ours(diagnostic))
            continue;
        fputs(any ? "," : ",\"diagnostics\":[", file);
        fputs(json_object_to_json_string_ext(diagnostic, JSON_C_TO_STRING_PLAIN), file);
        any = true;
    }
    if (any)
        putc(']', file);
}

/* Does a repair concern the lines of a range? Else it is offered at the diagnostics only. */
static bool touches(lsp_text *text, const pm_repair *repair, uint64_t from, uint64_t to) {
    const uint64_t line = line_index_position(&text->lines, repair->at.offset).line;
    return line >= line_index_position(&text->lines, from).line && line <= line_index_position(&text->lines, to).line;
}

static bool any_is_ours(json_object *diagnostics) {
    for (size_t k = 0; k < count_of(diagnostics); k++)
        if (is_ours(json_object_array_get_idx(diagnostics, k)))
            return true;
    return false;
}

/* A bracket in a new line is indented as the line of its partner, and ends as the line before. */
static void write_new_line(FILE *file, lsp_text *text, const pm_repair *repair) {
    const uint64_t line = repair->partner.offset - (repair->partner.column - 1);
    char added[512], before = 0;
    size_t n = (size_t)(repair->partner.column - 1);
    n = n < sizeof added - 3 ? n : sizeof added - 3;
    lsp_text_read(text, line, n, added);
    size_t length = 0;
    while (length < n && (added[length] == ' ' || added[length] == '\t'))
        length++;
    if (repair->at.offset > 1)
        lsp_text_read(text, repair->at.offset - 2, 1, &before);
    added[length++] = repair->byte;
    if (before == '\r')
        added[length++] = '\r';
    added[length++] = '\n';
    json_write_string(file, added, length);
}

static void write_edit(FILE *file, lsp_text *text, const pm_repair *repair) {
    const bool inserts = repair->kind == PM_REPAIR_INSERT;
    fputs("{\"range\":", file);
    lsp_write_range(file, text, repair->at.offset, repair->at.offset + !inserts);
    fputs(",\"newText\":", file);
    if (repair->new_line)
        write_new_line(file, text, repair);
    else
        json_write_string(file, &repair->byte, repair->kind != PM_REPAIR_REMOVE);
    putc('}', file);
}

static void write_edits(const lsp_server *server, FILE *file, lsp_text *text, const pm_repair *repairs, size_t count) {
    fputs(server->document_changes ? ",\"edit\":{\"documentChanges\":[{\"textDocument\":{\"uri\":"
                                   : ",\"edit\":{\"changes\":{",
          file);
    json_write_string(file, text->uri, strlen(text->uri));
    if (server->document_changes)
        fprintf(file, ",\"version\":%lld},\"edits\":[", (long long)text->version);
    else
        fputs(":[", file);
    for (size_t k = 0; k < count; k++) {
        if (k > 0)
            putc(',', file);
        write_edit(file, text, &repairs[k]);
    }
    fputs(server->document_changes ? "]}]}" : "]}}", file);
}

static void write_title(FILE *file, lsp_text *text, const pm_repair *repairs, size_t count) {
    char title[80];
    const char byte = repairs[0].byte;
    const unsigned long long line = line_index_position(&text->lines, repairs[0].at.offset).line + 1;
    if (count > 1)
        snprintf(title, sizeof title, "Repair the brackets in all %zu places", count);
    else if (repairs[0].kind == PM_REPAIR_INSERT)
        snprintf(title, sizeof title, "Insert the missing '%c' in line %llu", byte, line);
    else if (repairs[0].kind == PM_REPAIR_REMOVE)
        snprintf(title, sizeof title, "Remove '%c' from line %llu", byte, line);
    else
        snprintf(title, sizeof title, "Put '%c' in place of the close in line %llu", byte, line);
    json_write_string(file, title, strlen(title));
}

static void write_action(const lsp_server *server, FILE *file, const lsp_request *request, const pm_repair *repairs,
                         size_t count) {
    fputs("{\"title\":", file);
    write_title(file, request->text, repairs, count);
    fputs(",\"kind\":\"quickfix\"", file);
    write_diagnostics(file, json_path(request->params, "context", "diagnostics", NULL));
    if (repairs[0].certain)
        fputs(",\"isPreferred\":true", file);
    write_edits(server, file, request->text, repairs, count);
    putc('}', file);
}

/* The repairs belong together: several are offered one by one, and all at once. */
static void write_actions(const lsp_server *server, FILE *file, const lsp_request *request, uint64_t from,
                          uint64_t to) {
    lsp_text *const text = request->text;
    const bool at_fault = any_is_ours(json_path(request->params, "context", "diagnostics", NULL));
    bool any = false;
    putc('[', file);
    for (size_t k = 0; k < text->repair_count; k++) {
        if (!at_fault && !touches(text, &text->repairs[k], from, to))
            continue;
        if (any)
            putc(',', file);
        write_action(server, file, request, &text->repairs[k], 1);
        any = true;
    }
    if (any && text->repair_count > 1) {
        putc(',', file);
        write_action(server, file, request, text->repairs, text->repair_count);
    }
    putc(']', file);
}

int lsp_answer_actions(lsp_server *server, const lsp_request *request) {
    uint64_t from, to;
    if (!lsp_read_range(request->text, json_path(request->params, "range", NULL), &from, &to))
        return LSP_INVALID_PARAMS;
    const bool wanted = wants_fixes(json_path(request->params, "context", NULL));
    if (wanted && lsp_text_repairs(request->text, REPAIRED_BYTES_MAX) != PM_OK)
        return LSP_INTERNAL_ERROR;
    lsp_writer writer;
    lsp_begin_result(&writer, request->id);
    if (writer.file && wanted)
        write_actions(server, writer.file, request, from, to);
    else if (writer.file)
        fputs("[]", writer.file);
    lsp_send(server, &writer);
    return 0;
}
