/* SPDX-License-Identifier: Apache-2.0 */
/* Which message is answered by whom, and when it may come. */
#include <string.h>

#include "cli/cli.h"
#include "cli/lsp/server.h"

static const struct {
    const char *method;
    int (*answer)(lsp_server *server, const lsp_request *request);
} requests[] = {
    {"textDocument/diagnostic", lsp_answer_diagnostic},
    {"textDocument/documentHighlight", lsp_answer_highlight},
    {"textDocument/selectionRange", lsp_answer_selection},
    {"textDocument/foldingRange", lsp_answer_folding},
    {"textDocument/semanticTokens/full", lsp_answer_tokens},
    {"textDocument/semanticTokens/range", lsp_answer_tokens_of_range},
    {"textDocument/codeAction", lsp_answer_actions},
};

static const struct {
    const char *method;
    void (*follow)(lsp_server *server, json_object *params);
} notifications[] = {
    {"textDocument/didOpen", lsp_open},
    {"textDocument/didChange", lsp_change},
    {"textDocument/didClose", lsp_close},
};

static void answer_null(lsp_server *server, json_object *id) {
    lsp_writer writer;
    lsp_begin_result(&writer, id);
    if (writer.file)
        fputs("null", writer.file);
    lsp_send(server, &writer);
}

static void answer_about_text(lsp_server *server, size_t which, json_object *id, json_object *params) {
    const lsp_request request = {id, params, lsp_text_of(server, params)};
    if (!request.text) {
        lsp_send_error(server, id, LSP_INVALID_PARAMS, "the text is not open");
        return;
    }
    const int wrong = requests[which].answer(server, &request);
    if (wrong != 0)
        lsp_send_error(server, id, (lsp_error)wrong,
                       wrong == LSP_INVALID_PARAMS ? "invalid params" : pm_status_string(PM_OUT_OF_MEMORY));
}

static void answer(lsp_server *server, const char *method, json_object *id, json_object *params) {
    const bool first = strcmp(method, "initialize") == 0;
    if (server->phase == LSP_NEW && !first) {
        lsp_send_error(server, id, LSP_NOT_INITIALIZED, "the server is not initialized");
        return;
    }
    if (server->phase == LSP_SHUT_DOWN || (first && server->phase != LSP_NEW)) {
        lsp_send_error(server, id, LSP_INVALID_REQUEST,
                       first ? "the server is initialized already" : "the server is shut down");
        return;
    }
    if (first) {
        lsp_initialize(server, id, params);
        return;
    }
    if (strcmp(method, "shutdown") == 0) {
        server->phase = LSP_SHUT_DOWN;
        answer_null(server, id);
        return;
    }
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++)
        if (strcmp(method, requests[k].method) == 0) {
            answer_about_text(server, k, id, params);
            return;
        }
    lsp_send_error(server, id, LSP_METHOD_NOT_FOUND, "no such method");
}

static void follow(lsp_server *server, const char *method, json_object *params) {
    if (strcmp(method, "exit") == 0) {
        server->ended = true;
        server->code = server->phase == LSP_SHUT_DOWN ? EXIT_FINE : EXIT_UNBALANCED;
        return;
    }
    for (size_t k = 0; server->phase == LSP_RUNNING && k < sizeof notifications / sizeof *notifications; k++)
        if (strcmp(method, notifications[k].method) == 0)
            notifications[k].follow(server, params);
}

static bool may_be_id(json_object *id) {
    return json_object_is_type(id, json_type_int) || json_object_is_type(id, json_type_string);
}

/* A message with an id but no method is an answer to a request; the server sends none. */
void lsp_handle(lsp_server *server, const lsp_waiting *waiting) {
    json_object *const message = waiting->message, *id = NULL;
    const char *method;
    size_t length;
    if (!message) {
        lsp_send_error(server, NULL, LSP_PARSE_ERROR, "not JSON");
        return;
    }
    const bool has_id = json_object_is_type(message, json_type_object) && json_object_object_get_ex(message, "id", &id);
    const bool has_method = json_get_string(message, "method", &method, &length);
    const bool is_answer = has_id && !has_method && !json_path(message, "method", NULL);
    if (is_answer)
        return;
    if (!has_method || (has_id && !may_be_id(id)))
        lsp_send_error(server, may_be_id(id) ? id : NULL, LSP_INVALID_REQUEST, "not a request");
    else if (!has_id)
        follow(server, method, json_path(message, "params", NULL));
    else if (waiting->cancelled)
        lsp_send_error(server, id, LSP_REQUEST_CANCELLED, "cancelled");
    else
        answer(server, method, id, json_path(message, "params", NULL));
}
