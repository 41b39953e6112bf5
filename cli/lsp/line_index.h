/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a text that changes, and positions in them as editors count: in units of UTF-8, UTF-16 or UTF-32.
 *
 * The text is divided into blocks of some thousand bytes, and each knows its line ends and units. A line ends with
 * "\n", "\r\n" or "\r". A byte that begins no character of UTF-8 counts as if it did.
 */
#ifndef PM_CLI_LSP_LINE_INDEX_H
#define PM_CLI_LSP_LINE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum position_encoding {
    POSITION_UTF8,
    POSITION_UTF16,
    POSITION_UTF32
} position_encoding;

/* As in LSP, both counted from 0. */
typedef struct line_position {
    uint64_t line, character;
} line_position;

/* Where the text is read: stores bytes at, ..., at + n - 1, all of which are there. */
typedef struct line_source {
    void (*read)(void *user, uint64_t at, size_t n, char *to);
    void *user;
} line_source;

enum {
    LINE_BLOCK = 4096 /* bytes of a new block; it grows to twice that */
};

typedef struct line_block {
    uint32_t bytes, lines, units;
} line_block;

typedef struct line_index {
    position_encoding encoding;
    line_source source;
    line_block *blocks;
    size_t count, room;
    uint64_t length, lines; /* of the text; line ends */

    /* A block, and what is before it. */
    size_t block;
    uint64_t bytes_before, lines_before, units_before;

    /* The position that was last asked for. */
    uint64_t last_offset;
    line_position last;

    char buffer[2 * LINE_BLOCK + 1];
} line_index;

/* Makes the index of an empty text. */
void line_index_create(line_index *index, position_encoding encoding, line_source source);
void line_index_destroy(line_index *index);

/* Takes the memory that line_index_replace() needs for `inserted` bytes; returns false if there is not enough. */
bool line_index_reserve(line_index *index, uint64_t inserted);

/* Follows an edit that the text has undergone already: bytes at, ..., at + removed - 1 gave way to others. */
void line_index_replace(line_index *index, uint64_t at, uint64_t removed, uint64_t inserted);

/* Returns the offset of a position. Behind a line's last character that is the line's end, without its line end;
 * behind the last line, the text's; inside a character, the character's beginning. */
uint64_t line_index_offset(line_index *index, line_position position);

/* Returns the position of an offset; past the length, that of the end. */
line_position line_index_position(line_index *index, uint64_t offset);

#endif
