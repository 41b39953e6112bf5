/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of the server. What has arrived is read first, so that a request can still be cancelled; then a message is
 * handled. While nothing arrives, texts are read on in portions, and diagnostics are sent. Diagnostics that take long,
 * as those of a large text that is read as a whole, are sent when the text has not changed for a while. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/lsp/server.h"

enum {
    DEPTH_MAX = 64,          /* of JSON */
    PORTION_BYTES = 1 << 20, /* of a text, read on before input is looked at again: some 0.3 ms */
    LONG_MS = 5,             /* diagnostics of a text that took longer */
    PAUSE_MS = 200           /* wait that long for a change */
};

/* ---- Messages that arrive ---- */

static json_object *parse(const char *content, size_t n) {
    json_tokener *const tokener = json_tokener_new_ex(DEPTH_MAX);
    if (!tokener)
        return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    json_object *message = json_tokener_parse_ex(tokener, content, (int)n);
    if (json_tokener_get_error(tokener) != json_tokener_success || json_tokener_get_parse_end(tokener) != n) {
        json_object_put(message);
        message = NULL;
    }
    json_tokener_free(tokener);
    return message;
}

/* Marks the request that a message cancels, if it still waits. */
static void cancel(lsp_server *server, json_object *message) {
    const char *method;
    size_t length;
    json_object *const id = json_path(message, "params", "id", NULL);
    if (!id || !json_get_string(message, "method", &method, &length) || strcmp(method, "$/cancelRequest") != 0)
        return;
    for (size_t k = 0; k < server->waiting_count; k++) {
        json_object *const other = json_path(server->waiting[k].message, "id", NULL);
        server->waiting[k].cancelled |= other && json_object_equal(id, other);
    }
}

static void take_message(lsp_server *server, const char *content, size_t n) {
    json_object *const message = parse(content, n);
    cancel(server, message);
    server->waiting[server->waiting_count++] = (lsp_waiting){message, false};
}

static void end_input(lsp_server *server, int code) {
    server->input_ended = true;
    server->code = code;
}

/* Takes all messages that are complete. */
static void take_messages(lsp_server *server) {
    while (server->waiting_count < LSP_WAITING_MAX) {
        const char *content;
        size_t n;
        switch (frame_reader_next(&server->reader, &content, &n)) {
        case FRAME_READY:
            take_message(server, content, n);
            break;
        case FRAME_PARTIAL:
            return;
        case FRAME_BAD:
            end_input(server, complain("lsp: a message without a valid Content-Length header"));
            return;
        case FRAME_TOO_LARGE:
            end_input(server, complain("lsp: a message of more than %d bytes", FRAME_CONTENT_MAX));
            return;
        }
    }
}

/* Reads once. Is called only if that does not wait, or if there is nothing else to do. */
static void read_input(lsp_server *server) {
    size_t room;
    char *const to = frame_reader_room(&server->reader, &room);
    if (!to) {
        end_input(server, complain("lsp: %s", pm_status_string(PM_OUT_OF_MEMORY)));
        return;
    }
    const ssize_t n = read(STDIN_FILENO, to, room);
    if (n < 0 && errno == EINTR)
        return;
    if (n < 0)
        end_input(server, complain("standard input: %s", strerror(errno)));
    else if (n == 0)
        end_input(server, EXIT_UNBALANCED);
    else
        frame_reader_added(&server->reader, (size_t)n);
    if (n == 0 && frame_reader_is_inside(&server->reader))
        complain("lsp: the input ends within a message");
}

static bool input_waits(int milliseconds) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, milliseconds) > 0;
}

/* ---- What is done meanwhile ---- */

int64_t lsp_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void publish(lsp_server *server, lsp_text *text) {
    const int64_t begin = lsp_now_ms();
    lsp_publish(server, text);
    text->publishing_ms = lsp_now_ms() - begin;
}

/* Milliseconds until the diagnostics of a text are due. */
static int64_t time_left(const lsp_text *text) {
    const int64_t left = text->changed_ms + PAUSE_MS - lsp_now_ms();
    return text->publishing_ms > LONG_MS && left > 0 ? left : 0;
}

/* Sends the diagnostics of one text, or reads it on so that they can be sent. Returns false if no text needs either
 * now; *wait is for how many milliseconds, -1 until something arrives. */
static bool work_on(lsp_server *server, int *wait) {
    *wait = -1;
    for (size_t k = 0; k < server->text_count; k++) {
        lsp_text *const text = server->texts[k];
        const bool settled = !text->document || pm_document_settled(text->document) == lsp_text_length(text);
        if (!settled && pm_document_settle(text->document, PORTION_BYTES) == PM_OK)
            return true;
        if (!text->unpublished || server->pulls)
            continue;
        const int left = (int)time_left(text);
        if (left == 0) {
            publish(server, text);
            return true;
        }
        *wait = *wait < 0 || left < *wait ? left : *wait;
    }
    return false;
}

/* ---- The loop ---- */

static void handle_first(lsp_server *server) {
    const lsp_waiting first = server->waiting[0];
    memmove(server->waiting, server->waiting + 1, --server->waiting_count * sizeof *server->waiting);
    lsp_handle(server, &first);
    json_object_put(first.message);
}

/* Reads what has arrived. With nothing else to do it waits for more. */
static void gather(lsp_server *server) {
    take_messages(server);
    while (!server->input_ended && server->waiting_count < LSP_WAITING_MAX && input_waits(0)) {
        read_input(server);
        take_messages(server);
    }
    frame_reader_trim(&server->reader); /* of a large text, before it is opened and not at the first key */
}

static void run(lsp_server *server) {
    int wait;
    while (!server->ended) {
        gather(server);
        if (server->waiting_count > 0)
            handle_first(server);
        else if (server->input_ended)
            server->ended = true;
        else if (!work_on(server, &wait))
            (void)input_waits(wait);
    }
}

int lsp_serve(uint64_t max_errors) {
    lsp_server *const server = calloc(1, sizeof *server);
    if (!server)
        return complain("lsp: %s", pm_status_string(PM_OUT_OF_MEMORY));
    server->max_errors = max_errors;
    run(server);
    const int code = server->code;
    for (size_t k = 0; k < server->waiting_count; k++)
        json_object_put(server->waiting[k].message);
    for (size_t k = 0; k < server->text_count; k++)
        lsp_text_destroy(server->texts[k]);
    free(server->texts);
    frame_reader_destroy(&server->reader);
    free(server);
    return code;
}
