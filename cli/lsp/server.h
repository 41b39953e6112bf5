/* SPDX-License-Identifier: Apache-2.0 */
/* The language server: what it knows, and what answers a message. */
#ifndef PM_CLI_LSP_SERVER_H
#define PM_CLI_LSP_SERVER_H

#include <json-c/json.h>
#include <stdio.h>

#include "cli/lsp.h"
#include "cli/lsp/frames.h"
#include "cli/lsp/text.h"

/* A message that has arrived and waits. */
typedef struct lsp_waiting {
    json_object *message; /* NULL: it was not JSON */
    bool cancelled;
} lsp_waiting;

enum {
    LSP_WAITING_MAX = 256 /* messages that are read ahead */
};

typedef struct lsp_server {
    uint64_t max_errors; /* diagnostics of a text; 0: all */

    enum lsp_phase {
        LSP_NEW,
        LSP_RUNNING, /* initialised */
        LSP_SHUT_DOWN
    } phase;
    bool ended; /* nothing more is to be done */
    int code;   /* then the exit code */

    frame_reader reader;
    bool input_ended;
    lsp_waiting waiting[LSP_WAITING_MAX]; /* in the order of their arrival */
    size_t waiting_count;

    lsp_text **texts;
    size_t text_count;

    /* What the client can do. */
    position_encoding encoding;
    bool pulls;            /* it asks for diagnostics, so that they are not sent */
    bool related;          /* it takes places that a diagnostic is related to */
    bool document_changes; /* it takes edits for a version of a text */
    uint64_t folds_max;
} lsp_server;

/* ---- Messages ---- */

typedef enum lsp_error {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_INTERNAL_ERROR = -32603,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_CANCELLED = -32800
} lsp_error;

/* Returns member of member ... of a value, names up to NULL; NULL if one is missing or null. */
json_object *json_path(json_object *value, ...) __attribute__((sentinel));

/* Stores a member, and returns whether it is there and of its type, a number not negative. */
bool json_get_number(json_object *object, const char *name, uint64_t *number);
bool json_get_string(json_object *object, const char *name, const char **text, size_t *length);

/* A message that is being written; file is NULL if there is no memory. It must not be copied. */
typedef struct lsp_writer {
    FILE *file;
    char *text;
    size_t length;
} lsp_writer;

/* Begins the answer to a request, up to its result, which the caller writes. */
void lsp_begin_result(lsp_writer *writer, json_object *id);
/* Begins a notification, up to its params. */
void lsp_begin_notification(lsp_writer *writer, const char *method);
/* Ends either, and sends it. If that fails, the server ends. */
void lsp_send(lsp_server *server, lsp_writer *writer);

/* Forgets it instead. */
void lsp_drop(lsp_writer *writer);

/* Sends an error; id is NULL if it is not known. */
void lsp_send_error(lsp_server *server, json_object *id, lsp_error error, const char *message);

/* ---- Texts, positions and ranges ---- */

/* Returns the open text of a URI; NULL if it is not open. */
lsp_text *lsp_find_text(const lsp_server *server, const char *uri);

/* Returns the text that params are about; NULL: it is not open. */
lsp_text *lsp_text_of(const lsp_server *server, json_object *params);

/* Reads a position or a range as offsets; returns false if it is not one. A range that ends before it begins is turned
 * round. */
bool lsp_read_position(lsp_text *text, json_object *position, uint64_t *offset);
bool lsp_read_range(lsp_text *text, json_object *range, uint64_t *from, uint64_t *to);

/* Writes the range of offsets from, ..., to - 1. */
void lsp_write_range(FILE *file, lsp_text *text, uint64_t from, uint64_t to);

/* ---- Answers ---- */

/* Answer a request whose text is open. They return what the client did wrong, or 0; a result is sent by them. */
typedef struct lsp_request {
    json_object *id, *params;
    lsp_text *text;
} lsp_request;

int lsp_answer_diagnostic(lsp_server *server, const lsp_request *request);
int lsp_answer_highlight(lsp_server *server, const lsp_request *request);
int lsp_answer_selection(lsp_server *server, const lsp_request *request);
int lsp_answer_folding(lsp_server *server, const lsp_request *request);
int lsp_answer_tokens(lsp_server *server, const lsp_request *request);
int lsp_answer_tokens_of_range(lsp_server *server, const lsp_request *request);
int lsp_answer_actions(lsp_server *server, const lsp_request *request);

/* Reads what the client can do, and sends what the server can. */
void lsp_initialize(lsp_server *server, json_object *id, json_object *params);

/* The notifications about texts. */
void lsp_open(lsp_server *server, json_object *params);
void lsp_change(lsp_server *server, json_object *params);
void lsp_close(lsp_server *server, json_object *params);

/* Sends the diagnostics of a text. */
void lsp_publish(lsp_server *server, lsp_text *text);

/* Returns milliseconds since some time that stays. */
int64_t lsp_now_ms(void);

/* Handles a message. */
void lsp_handle(lsp_server *server, const lsp_waiting *waiting);

#endif
