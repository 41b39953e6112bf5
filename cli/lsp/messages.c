/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: members of those that arrive, and those that are sent. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/lsp/server.h"
#include "cli/utf8.h"

json_object *json_path(json_object *value, ...) {
    va_list names;
    va_start(names, value);
    for (const char *name; value && (name = va_arg(names, const char *));) {
        json_object *member = NULL;
        if (json_object_is_type(value, json_type_object))
            (void)json_object_object_get_ex(value, name, &member);
        value = member;
    }
    va_end(names);
    return value;
}

bool json_get_number(json_object *object, const char *name, uint64_t *number) {
    json_object *const value = json_path(object, name, NULL);
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
        return false;
    *number = (uint64_t)json_object_get_int64(value);
    return true;
}

bool json_get_string(json_object *object, const char *name, const char **text, size_t *length) {
    json_object *const value = json_path(object, name, NULL);
    if (!json_object_is_type(value, json_type_string))
        return false;
    *text = json_object_get_string(value);
    *length = (size_t)json_object_get_string_len(value);
    return true;
}

/* The file keeps the writer's address. */
static void begin(lsp_writer *writer) {
    *writer = (lsp_writer){0};
    writer->file = open_memstream(&writer->text, &writer->length);
    if (writer->file)
        fputs("{\"jsonrpc\":\"2.0\",", writer->file);
}

static void write_id(FILE *file, json_object *id) {
    fprintf(file, "\"id\":%s", id ? json_object_to_json_string_ext(id, JSON_C_TO_STRING_PLAIN) : "null");
}

void lsp_begin_result(lsp_writer *writer, json_object *id) {
    begin(writer);
    if (writer->file) {
        write_id(writer->file, id);
        fputs(",\"result\":", writer->file);
    }
}

void lsp_begin_notification(lsp_writer *writer, const char *method) {
    begin(writer);
    if (writer->file)
        fprintf(writer->file, "\"method\":\"%s\",\"params\":", method);
}

static void fail(lsp_server *server, const char *what) {
    server->ended = true;
    server->code = complain("lsp: %s", what);
}

void lsp_send(lsp_server *server, lsp_writer *writer) {
    bool written = false;
    if (writer->file) {
        putc('}', writer->file);
        written = !ferror(writer->file);
        written &= fclose(writer->file) == 0;
    }
    if (!written) {
        fail(server, pm_status_string(PM_OUT_OF_MEMORY));
    } else {
        printf("Content-Length: %zu\r\n\r\n", writer->length);
        fwrite(writer->text, 1, writer->length, stdout);
        if (fflush(stdout) != 0)
            (void)output_failed(); /* keeps the reason */
        if (ferror(stdout)) {
            server->ended = true; /* main() says why */
            server->code = EXIT_TROUBLE;
        }
    }
    free(writer->text);
    *writer = (lsp_writer){0};
}

void lsp_drop(lsp_writer *writer) {
    if (writer->file)
        (void)fclose(writer->file);
    free(writer->text);
    *writer = (lsp_writer){0};
}

void lsp_send_error(lsp_server *server, json_object *id, lsp_error error, const char *message) {
    lsp_writer writer;
    begin(&writer);
    if (writer.file) {
        write_id(writer.file, id);
        fprintf(writer.file, ",\"error\":{\"code\":%d,\"message\":", (int)error);
        json_write_string(writer.file, message, strlen(message));
        putc('}', writer.file);
    }
    lsp_send(server, &writer);
}

/* ---- Texts, positions and ranges ---- */

lsp_text *lsp_find_text(const lsp_server *server, const char *uri) {
    for (size_t k = 0; k < server->text_count; k++)
        if (strcmp(server->texts[k]->uri, uri) == 0)
            return server->texts[k];
    return NULL;
}

lsp_text *lsp_text_of(const lsp_server *server, json_object *params) {
    const char *uri;
    size_t length;
    return json_get_string(json_path(params, "textDocument", NULL), "uri", &uri, &length) ? lsp_find_text(server, uri)
                                                                                          : NULL;
}

bool lsp_read_position(lsp_text *text, json_object *position, uint64_t *offset) {
    line_position at;
    if (!json_get_number(position, "line", &at.line) || !json_get_number(position, "character", &at.character))
        return false;
    *offset = line_index_offset(&text->lines, at);
    return true;
}

bool lsp_read_range(lsp_text *text, json_object *range, uint64_t *from, uint64_t *to) {
    if (!lsp_read_position(text, json_path(range, "start", NULL), from) ||
        !lsp_read_position(text, json_path(range, "end", NULL), to))
        return false;
    if (*to < *from) {
        const uint64_t swapped = *from;
        *from = *to;
        *to = swapped;
    }
    return true;
}

static void write_position(FILE *file, const char *name, line_position at) {
    fprintf(file, "\"%s\":{\"line\":%llu,\"character\":%llu}", name, (unsigned long long)at.line,
            (unsigned long long)at.character);
}

void lsp_write_range(FILE *file, lsp_text *text, uint64_t from, uint64_t to) {
    putc('{', file);
    write_position(file, "start", line_index_position(&text->lines, from));
    putc(',', file);
    write_position(file, "end", line_index_position(&text->lines, to));
    putc('}', file);
}
