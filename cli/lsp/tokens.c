/* SPDX-License-Identifier: Apache-2.0 */
/* Semantic tokens: each bracket with its depth, modulo six, as its type, so that an editor colours pairs. */
#include "cli/lsp/server.h"

enum {
    TOKENS_MAX = 1000000, /* in a whole text; of one with more the client gets those of ranges */
    TYPES = 6
};

typedef struct token_list {
    lsp_text *text;
    FILE *file;
    uint64_t count, max;
    line_position last;
} token_list;

/* Units of a token up to the end of its first line. */
static uint64_t units_in_line(lsp_text *text, line_position at, const lsp_bracket *bracket) {
    if (bracket->length == 1)
        return 1;
    const line_position end = line_index_position(&text->lines, bracket->offset + bracket->length);
    if (end.line == at.line)
        return end.character - at.character;
    const uint64_t line_end = line_index_offset(&text->lines, (line_position){at.line, UINT64_MAX});
    return line_index_position(&text->lines, line_end).character - at.character;
}

static bool visit(const lsp_bracket *bracket, void *user) {
    token_list *const list = user;
    if (bracket->length == 0)
        return true;
    const line_position at = line_index_position(&list->text->lines, bracket->offset);
    const uint64_t units = units_in_line(list->text, at, bracket);
    if (list->count++ == list->max)
        return false;
    const bool same_line = at.line == list->last.line;
    fprintf(list->file, "%s%llu,%llu,%llu,%u,%d", list->count > 1 ? "," : "",
            (unsigned long long)(at.line - list->last.line),
            (unsigned long long)(at.character - (same_line ? list->last.character : 0)), (unsigned long long)units,
            (unsigned)(bracket->depth % TYPES), bracket->faulty);
    list->last = at;
    return true;
}

static int answer(lsp_server *server, const lsp_request *request, uint64_t from, uint64_t to, uint64_t max) {
    lsp_writer writer;
    lsp_begin_result(&writer, request->id);
    if (!writer.file) {
        lsp_send(server, &writer);
        return 0;
    }
    token_list list = {.text = request->text, .file = writer.file, .max = max};
    fputs("{\"data\":[", writer.file);
    const pm_status status = lsp_text_each_bracket(request->text, from, to, visit, &list);
    fputs("]}", writer.file);
    if (status != PM_OK || list.count > max) {
        lsp_drop(&writer);
        if (status != PM_OK)
            return LSP_INTERNAL_ERROR;
        lsp_begin_result(&writer, request->id);
        if (writer.file)
            fputs("null", writer.file);
    }
    lsp_send(server, &writer);
    return 0;
}

int lsp_answer_tokens(lsp_server *server, const lsp_request *request) {
    return answer(server, request, 0, lsp_text_length(request->text), TOKENS_MAX);
}

int lsp_answer_tokens_of_range(lsp_server *server, const lsp_request *request) {
    uint64_t from, to;
    if (!lsp_read_range(request->text, json_path(request->params, "range", NULL), &from, &to))
        return LSP_INVALID_PARAMS;
    return answer(server, request, from, to, UINT64_MAX);
}
