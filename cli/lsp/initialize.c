/* SPDX-License-Identifier: Apache-2.0 */
/* What client and server can do. */
#include <string.h>

#include "cli/lsp/server.h"

static const char *const encoding_names[] = {
    [POSITION_UTF8] = "utf-8", [POSITION_UTF16] = "utf-16", [POSITION_UTF32] = "utf-32"};

/* The first that the server knows too; UTF-16 if the client names none. */
static position_encoding choose_encoding(json_object *names) {
    const size_t count = json_object_is_type(names, json_type_array) ? json_object_array_length(names) : 0;
    for (size_t k = 0; k < count; k++) {
        json_object *const name = json_object_array_get_idx(names, k);
        for (size_t e = 0; e < sizeof encoding_names / sizeof *encoding_names; e++)
            if (json_object_is_type(name, json_type_string) &&
                strcmp(json_object_get_string(name), encoding_names[e]) == 0)
                return (position_encoding)e;
    }
    return POSITION_UTF16;
}

static void read_abilities(lsp_server *server, json_object *client) {
    json_object *const text = json_path(client, "textDocument", NULL);
    server->encoding = choose_encoding(json_path(client, "general", "positionEncodings", NULL));
    server->pulls = json_path(text, "diagnostic", NULL);
    server->related = json_object_get_boolean(json_path(text, "publishDiagnostics", "relatedInformation", NULL)) ||
                      json_object_get_boolean(json_path(text, "diagnostic", "relatedInformation", NULL));
    server->document_changes =
        json_object_get_boolean(json_path(client, "workspace", "workspaceEdit", "documentChanges", NULL));
    server->folds_max = UINT64_MAX;
    (void)json_get_number(json_path(text, "foldingRange", NULL), "rangeLimit", &server->folds_max);
}

void lsp_initialize(lsp_server *server, json_object *id, json_object *params) {
    read_abilities(server, json_path(params, "capabilities", NULL));
    server->phase = LSP_RUNNING;
    lsp_writer writer;
    lsp_begin_result(&writer, id);
    if (writer.file)
        fprintf(writer.file,
                "{\"capabilities\":{\"positionEncoding\":\"%s\","
                "\"textDocumentSync\":{\"openClose\":true,\"change\":2},"
                "\"documentHighlightProvider\":true,\"selectionRangeProvider\":true,\"foldingRangeProvider\":true,"
                "\"semanticTokensProvider\":{\"legend\":{\"tokenTypes\":[\"bracket0\",\"bracket1\",\"bracket2\","
                "\"bracket3\",\"bracket4\",\"bracket5\"],\"tokenModifiers\":[\"unmatched\"]},"
                "\"range\":true,\"full\":true},"
                "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},"
                "\"diagnosticProvider\":{\"identifier\":\"parenmatch\",\"interFileDependencies\":false,"
                "\"workspaceDiagnostics\":false}},"
                "\"serverInfo\":{\"name\":\"parenmatch\",\"version\":\"%s\"}}",
                encoding_names[server->encoding], pm_version_string());
    lsp_send(server, &writer);
}
