/* SPDX-License-Identifier: Apache-2.0 */
/* The pair at the cursor, and the pairs around it: highlights and selections. */
#include "cli/lsp/server.h"

enum {
    PAIRS_MAX = 64 /* around a place; clients handle each in a call of its own */
};

static void write_highlight(FILE *file, lsp_text *text, const lsp_bracket *bracket) {
    fputs("{\"range\":", file);
    lsp_write_range(file, text, bracket->offset, bracket->offset + bracket->length);
    fputs(",\"kind\":1}", file);
}

int lsp_answer_highlight(lsp_server *server, const lsp_request *request) {
    lsp_text *const text = request->text;
    uint64_t cursor;
    lsp_bracket bracket = {0}, partner = {0};
    bool found, matched = false;
    if (!lsp_read_position(text, json_path(request->params, "position", NULL), &cursor))
        return LSP_INVALID_PARAMS;
    pm_status status = lsp_text_bracket_at(text, cursor, &bracket, &found);
    if (status == PM_OK && found)
        status = lsp_text_partner(text, &bracket, &partner, &matched);
    if (status != PM_OK)
        return LSP_INTERNAL_ERROR;
    lsp_writer writer;
    lsp_begin_result(&writer, request->id);
    if (writer.file) {
        putc('[', writer.file);
        if (found)
            write_highlight(writer.file, text, &bracket);
        if (matched) {
            putc(',', writer.file);
            write_highlight(writer.file, text, &partner);
        }
        putc(']', writer.file);
    }
    lsp_send(server, &writer);
    return 0;
}

/* ---- Selections ---- */

/* Writes a range whose parent follows. */
static void write_selected(FILE *file, lsp_text *text, uint64_t from, uint64_t to, size_t *written) {
    fputs(*written > 0 ? ",\"parent\":{\"range\":" : "{\"range\":", file);
    lsp_write_range(file, text, from, to);
    ++*written;
}

/* Of each pair first what is in it, then the pair. */
static pm_status write_selection(FILE *file, lsp_text *text, uint64_t cursor) {
    lsp_bracket opens[PAIRS_MAX];
    size_t count, written = 0;
    const pm_status status = lsp_text_path(text, cursor, PAIRS_MAX, opens, &count);
    for (size_t k = 0; status == PM_OK && k < count; k++) {
        lsp_bracket close;
        bool found;
        const pm_status asked = lsp_text_partner(text, &opens[k], &close, &found);
        if (asked != PM_OK)
            return asked;
        if (!found)
            continue;
        write_selected(file, text, opens[k].offset + opens[k].length, close.offset, &written);
        write_selected(file, text, opens[k].offset, close.offset + close.length, &written);
    }
    if (written == 0)
        write_selected(file, text, cursor, cursor, &written);
    for (; written > 0; written--)
        putc('}', file);
    return status;
}

int lsp_answer_selection(lsp_server *server, const lsp_request *request) {
    json_object *const positions = json_path(request->params, "positions", NULL);
    if (!json_object_is_type(positions, json_type_array))
        return LSP_INVALID_PARAMS;
    lsp_writer writer;
    lsp_begin_result(&writer, request->id);
    int wrong = 0;
    if (writer.file)
        putc('[', writer.file);
    for (size_t k = 0; writer.file && wrong == 0 && k < json_object_array_length(positions); k++) {
        uint64_t cursor;
        if (k > 0)
            putc(',', writer.file);
        if (!lsp_read_position(request->text, json_object_array_get_idx(positions, k), &cursor))
            wrong = LSP_INVALID_PARAMS;
        else if (write_selection(writer.file, request->text, cursor) != PM_OK)
            wrong = LSP_INTERNAL_ERROR;
    }
    if (writer.file)
        putc(']', writer.file);
    if (wrong != 0)
        lsp_drop(&writer);
    else
        lsp_send(server, &writer);
    return wrong;
}
