/* SPDX-License-Identifier: Apache-2.0 */
/* Messages as the base protocol of LSP frames them: headers, an empty line, and as many bytes as Content-Length says.
 */
#ifndef PM_CLI_LSP_FRAMES_H
#define PM_CLI_LSP_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FRAME_HEADER_MAX = 4096,    /* bytes of the headers of a message */
    FRAME_CONTENT_MAX = 1 << 30 /* bytes of its content */
};

/* Bytes that have arrived and are not handed out yet. Zeros make an empty one. */
typedef struct frame_reader {
    char *bytes;
    size_t begin, end, room;
    size_t headers, content; /* sizes of the next message; headers is 0 until all of them are there */
} frame_reader;

typedef enum frame_result {
    FRAME_READY,
    FRAME_PARTIAL,  /* more bytes are needed */
    FRAME_BAD,      /* no valid Content-Length: where the next message begins is not known */
    FRAME_TOO_LARGE /* so is a content of more than FRAME_CONTENT_MAX bytes */
} frame_result;

/* Returns where to store arriving bytes, and the room there; NULL: there is no memory. */
char *frame_reader_room(frame_reader *reader, size_t *room);

/* Says that n bytes were stored there. */
void frame_reader_added(frame_reader *reader, size_t n);

/* Takes the next message. Its content is valid until the next call of another function. */
frame_result frame_reader_next(frame_reader *reader, const char **content, size_t *n);

/* Has a message begun that is not complete? */
bool frame_reader_is_inside(const frame_reader *reader);

/* Gives the memory of a large message back if it has been taken and nothing is behind it. */
void frame_reader_trim(frame_reader *reader);

void frame_reader_destroy(frame_reader *reader);

#endif
