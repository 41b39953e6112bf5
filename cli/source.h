/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text to read, piece by piece. A regular file is mapped. Anything else (pipe, terminal, device) is read through a
 * window that keeps the last bytes read, so that a diagnostic can still show its line.
 */
#ifndef PM_CLI_SOURCE_H
#define PM_CLI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct text_source {
    const char *name; /* for messages; "<stdin>" for "-" */
    int descriptor;
    uint64_t size;  /* of a mapped file; 0: not known */
    uint64_t begun; /* offset behind the last piece handed out */

    /* What is at hand: bytes offset ... offset + length - 1 of the text. */
    char *text;
    uint64_t offset;
    size_t length;
    size_t room; /* bytes of the window; 0: the text is a mapping */
    bool ended;  /* the window holds the text's end */

    struct guarded_mapping *guard; /* of a mapping that may be cut short; NULL: not guarded */
    bool cut;                      /* it was, or what was read was */
} text_source;

/* Returns the name of a path in messages: "<stdin>" for "-". */
const char *source_name(const char *path);

/* Opens a path, "-" for standard input; complains and returns false if it cannot be read as a text. */
bool source_open(text_source *source, const char *path);

/* Opens a path as source_open(), but if the file is cut short while it is read, zeros take the place of what is gone,
 * and source_is_cut() says so. */
bool source_open_guarded(text_source *source, const char *path);

/* Has a guarded file been cut short since it was opened? */
bool source_is_cut(const text_source *source);

/* How a text is written, by its first bytes. */
typedef enum text_encoding {
    TEXT_BYTES, /* UTF-8, or anything like it */
    TEXT_BINARY,
    TEXT_UTF16_LITTLE,
    TEXT_UTF16_BIG,
    TEXT_UTF32
} text_encoding;

/* Looks at the first 8 KiB, before anything else is read. Complains and returns false if reading fails. */
bool source_encoding(text_source *source, text_encoding *encoding);

/* Loads a text of UTF-16 and makes it one of UTF-8. Complains and returns false if that fails. */
bool source_from_utf16(text_source *source, bool big_endian);

/* Is the whole text at hand without taking memory? */
bool source_is_mapped(const text_source *source);

/* Stores the next piece of the text: *n > 0 bytes, valid until the next call, or *n = 0 at the end. Complains and
 * returns false if reading fails. */
bool source_next(text_source *source, const char **piece, size_t *n);

/* Loads the whole text into text and length. More than 64 MiB from a pipe go to an unnamed temporary file. Complains
 * and returns false if that fails. */
bool source_load(text_source *source);

/* Returns whether the whole text is at hand and has at most `bytes` bytes; of a pipe, tries to read that many. False
 * also if reading fails, which the next call reports. */
bool source_load_short(text_source *source, size_t bytes);

/* A part of a line. */
typedef struct excerpt {
    const char *text; /* NULL: no longer at hand */
    size_t length;
    size_t mark;                 /* where in it the offset asked for is */
    bool cut_before, cut_behind; /* the line goes on there */
} excerpt;

/* The line around an offset, as far as it is near and at hand. */
excerpt source_line(const text_source *source, uint64_t offset, uint64_t column);

void source_close(text_source *source);

#endif
