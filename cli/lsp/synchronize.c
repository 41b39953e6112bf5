/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that the client opens, changes and closes. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/lsp/server.h"
#include "cli/utf8.h"

/* Editors' names of languages that the library calls otherwise. */
static const pm_language *language_by_id(const char *id) {
    static const char *const names[][2] = {
        {"javascriptreact", "javascript"},
        {"typescriptreact", "tsx"},
        {"objective-c", "c"},
        {"objective-cpp", "c++"},
        {"shellscript", "shell"},
        {"cuda-cpp", "c++"},
        {"plaintext", "text"},
        {"xsl", "xml"},
        {"objc", "c"},
        {"cuda", "c++"},
        {"zsh", "shell"},
        {"svg", "xml"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(id, names[k][0]) == 0)
            return pm_language_by_name(names[k][1]);
    return pm_language_by_name(id);
}

static void complain_status(const char *uri, pm_status status) {
    complain("lsp: %s: %s", uri, pm_status_string(status));
}

static void forget(lsp_server *server, const lsp_text *text) {
    size_t k = 0;
    while (server->texts[k] != text)
        k++;
    lsp_text_destroy(server->texts[k]);
    server->texts[k] = server->texts[--server->text_count];
}

static pm_status remember(lsp_server *server, const char *uri, const pm_language *language, uint64_t version,
                          const char *bytes, size_t n) {
    lsp_text **const texts = realloc(server->texts, (server->text_count + 1) * sizeof *texts);
    lsp_text *text;
    if (!texts)
        return PM_OUT_OF_MEMORY;
    server->texts = texts;
    const pm_status status = lsp_text_create(uri, language, server->encoding, bytes, n, &text);
    if (status != PM_OK)
        return status;
    text->version = (int64_t)version;
    texts[server->text_count++] = text;
    return PM_OK;
}

void lsp_open(lsp_server *server, json_object *params) {
    json_object *const item = json_path(params, "textDocument", NULL);
    const char *uri, *bytes, *id = "";
    size_t n, length;
    uint64_t version = 0;
    if (!json_get_string(item, "uri", &uri, &length) || !json_get_string(item, "text", &bytes, &n))
        return;
    (void)json_get_string(item, "languageId", &id, &length);
    (void)json_get_number(item, "version", &version);
    const pm_language *language = language_by_id(id);
    if (!language)
        language = pm_language_by_content(uri, bytes, n);
    const lsp_text *const before = lsp_find_text(server, uri);
    if (before)
        forget(server, before);
    const pm_status status = remember(server, uri, language, version, bytes, n);
    if (status != PM_OK)
        complain_status(uri, status);
}

/* Makes one change of a text; a change without a range is a new text. */
static pm_status change(lsp_text *text, json_object *item) {
    json_object *const range = json_path(item, "range", NULL);
    const char *bytes;
    size_t n;
    uint64_t from = 0, to = lsp_text_length(text);
    if (!json_get_string(item, "text", &bytes, &n) || (range && !lsp_read_range(text, range, &from, &to)))
        return PM_INVALID_ARGUMENT;
    return lsp_text_replace(text, from, to - from, bytes, n);
}

/* A text of which a change was lost is not the client's any longer. */
void lsp_change(lsp_server *server, json_object *params) {
    lsp_text *const text = lsp_text_of(server, params);
    json_object *const changes = json_path(params, "contentChanges", NULL);
    uint64_t version;
    if (!text || !json_object_is_type(changes, json_type_array))
        return;
    text->changed_ms = lsp_now_ms();
    pm_status status = PM_OK;
    for (size_t k = 0; status == PM_OK && k < json_object_array_length(changes); k++)
        status = change(text, json_object_array_get_idx(changes, k));
    if (status != PM_OK) {
        complain_status(text->uri, status);
        forget(server, text);
    } else if (json_get_number(json_path(params, "textDocument", NULL), "version", &version)) {
        text->version = (int64_t)version;
    }
}

void lsp_close(lsp_server *server, json_object *params) {
    const lsp_text *const text = lsp_text_of(server, params);
    if (!text)
        return;
    if (!server->pulls) {
        lsp_writer writer;
        lsp_begin_notification(&writer, "textDocument/publishDiagnostics");
        if (writer.file) {
            fputs("{\"uri\":", writer.file);
            json_write_string(writer.file, text->uri, strlen(text->uri));
            fputs(",\"diagnostics\":[]}", writer.file);
        }
        lsp_send(server, &writer);
    }
    forget(server, text);
}
