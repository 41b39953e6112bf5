/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of messages, out of bytes that arrive in pieces of any size. */
#include "cli/lsp/frames.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    PIECE = 1 << 16,    /* bytes to read at once, at least */
    ROOM_KEPT = 1 << 20 /* more room than this is given back between messages */
};

char *frame_reader_room(frame_reader *reader, size_t *room) {
    frame_reader_trim(reader);
    if (reader->begin > 0) {
        memmove(reader->bytes, reader->bytes + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
    }
    if (reader->room - reader->end < PIECE) {
        const size_t wanted = 2 * reader->room + PIECE;
        char *const bytes = realloc(reader->bytes, wanted);
        if (!bytes)
            return NULL;
        reader->bytes = bytes;
        reader->room = wanted;
    }
    *room = reader->room - reader->end;
    return reader->bytes + reader->end;
}

void frame_reader_added(frame_reader *reader, size_t n) {
    reader->end += n;
}

/* The bytes of the headers with the empty line; 0: it is not there yet. */
static size_t headers_size(const char *text, size_t n) {
    for (size_t i = 3; i < n; i++)
        if (memcmp(text + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    return 0;
}

/* Reads a number without a sign, with blanks around. */
static frame_result read_length(const char *text, size_t n, size_t *length) {
    size_t i = 0;
    while (i < n && (text[i] == ' ' || text[i] == '\t'))
        i++;
    const size_t first = i;
    for (*length = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
        *length = 10 * *length + (size_t)(text[i] - '0');
        if (*length > FRAME_CONTENT_MAX)
            return FRAME_TOO_LARGE;
    }
    const bool digits = i > first;
    while (i < n && (text[i] == ' ' || text[i] == '\t'))
        i++;
    return digits && i == n ? FRAME_READY : FRAME_BAD;
}

/* Reads all headers. Of those that are not Content-Length only the form is looked at. */
static frame_result read_headers(const char *text, size_t n, size_t *content) {
    static const char wanted[] = "Content-Length";
    const char *const end = text + n - 2; /* the empty line */
    bool found = false;
    for (const char *line = text; line < end;) {
        const char *stop = line;
        while (memcmp(stop, "\r\n", 2) != 0)
            stop++;
        const char *const colon = memchr(line, ':', (size_t)(stop - line));
        if (!colon)
            return FRAME_BAD;
        if ((size_t)(colon - line) == sizeof wanted - 1 && strncasecmp(line, wanted, sizeof wanted - 1) == 0) {
            const frame_result result = read_length(colon + 1, (size_t)(stop - colon - 1), content);
            if (found || result != FRAME_READY)
                return found ? FRAME_BAD : result;
            found = true;
        }
        line = stop + 2;
    }
    return found ? FRAME_READY : FRAME_BAD;
}

frame_result frame_reader_next(frame_reader *reader, const char **content, size_t *n) {
    const char *const text = reader->bytes + reader->begin;
    const size_t there = reader->end - reader->begin;
    if (reader->headers == 0 && there > 0) {
        const size_t size = headers_size(text, there < FRAME_HEADER_MAX ? there : FRAME_HEADER_MAX);
        if (size == 0)
            return there < FRAME_HEADER_MAX ? FRAME_PARTIAL : FRAME_BAD;
        const frame_result result = read_headers(text, size, &reader->content);
        if (result != FRAME_READY)
            return result;
        reader->headers = size;
    }
    if (reader->headers == 0 || there - reader->headers < reader->content)
        return FRAME_PARTIAL;
    *content = text + reader->headers;
    *n = reader->content;
    reader->begin += reader->headers + reader->content;
    reader->headers = 0;
    return FRAME_READY;
}

bool frame_reader_is_inside(const frame_reader *reader) {
    return reader->begin < reader->end;
}

void frame_reader_trim(frame_reader *reader) {
    if (reader->begin == reader->end && reader->room > ROOM_KEPT)
        frame_reader_destroy(reader);
}

void frame_reader_destroy(frame_reader *reader) {
    free(reader->bytes);
    *reader = (frame_reader){0};
}
