/* SPDX-License-Identifier: Apache-2.0 */
/* Texts from files and pipes. */
#include "cli/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/mapping.h"
#include "cli/utf8.h"

enum {
    MAPPED_PIECE = 32 << 20, /* between two looks at the clock */
    HISTORY = 1 << 20,       /* of a pipe, kept before the piece handed out */
    WINDOW = HISTORY * 4,    /* so that keeping it copies each byte at most once */
    LOOKAHEAD = 4096,        /* of a pipe, read before a piece is handed out, so that lines can be shown whole */
    LINE_SHOWN = 160,        /* bytes of a long line shown on either side */
    LOADED_MAX = 64 << 20,   /* of a pipe, kept in memory; a longer text goes to a file */
    READ_MAX = 256 << 10,    /* of a guarded file that is read: mapping it would take longer */
    LOOKED_AT = 8192         /* bytes that tell how a text is written */
};

/* ---- Opening ---- */

static bool source_map(text_source *source, size_t size, bool guard) {
    void *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->descriptor, 0);
    if (text == MAP_FAILED)
        return false; /* some file systems can't: read it then */
    (void)posix_madvise(text, size, POSIX_MADV_SEQUENTIAL);
    source->text = text;
    source->length = source->size = size;
    source->ended = true;
    source->guard = mapping_begin(text, size, source->name, guard);
    return true;
}

bool source_is_cut(const text_source *source) {
    return source->cut || (source->guard && mapping_is_cut(source->guard));
}

static bool is_standard_input(const char *path) {
    return strcmp(path, "-") == 0;
}

const char *source_name(const char *path) {
    return is_standard_input(path) ? "<stdin>" : path;
}

/* Reads once, behind what is at hand; notices the end. */
static bool window_read(text_source *source) {
    ssize_t got;
    do
        got = read(source->descriptor, source->text + source->length, source->room - source->length);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        complain("%s: %s", source->name, strerror(errno));
        return false;
    }
    source->length += (size_t)got;
    source->ended = got == 0;
    return true;
}

/* Reads a file of that size into memory. */
static bool source_read(text_source *source, size_t size) {
    source->text = malloc(size + 1);
    source->room = size + 1;
    if (!source->text) {
        complain("%s: %s", source->name, pm_status_string(PM_OUT_OF_MEMORY));
        return false;
    }
    while (!source->ended && source->length < source->room)
        if (!window_read(source))
            return false;
    source->ended = true; /* what was appended since is another text */
    source->cut = source->length < size;
    source->length = source->length > size ? size : source->length;
    return true;
}

static bool open_path(text_source *source, const char *path, bool guard) {
    const bool standard_input = is_standard_input(path);
    *source = (struct text_source){.name = source_name(path)};
    source->descriptor = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (source->descriptor < 0 || fstat(source->descriptor, &about) != 0) {
        complain_of_file(source->name, errno);
        source_close(source);
        return false;
    }
    if (S_ISDIR(about.st_mode)) {
        complain("%s: is a directory", source->name);
        source_close(source);
        return false;
    }
    /* A size of 0 may be a file of /proc, which has text all the same. Standard input may stand in the middle of its
     * file, and is read on from there. */
    const bool sized =
        S_ISREG(about.st_mode) && about.st_size > 0 && (uint64_t)about.st_size <= SIZE_MAX && !standard_input;
    if (sized && guard && about.st_size <= READ_MAX) {
        if (source_read(source, (size_t)about.st_size))
            return true;
        source_close(source);
        return false;
    }
    if (sized && source_map(source, (size_t)about.st_size, guard))
        return true;
    source->text = malloc(WINDOW);
    source->room = WINDOW;
    if (!source->text) {
        complain("%s: %s", source->name, pm_status_string(PM_OUT_OF_MEMORY));
        source_close(source);
        return false;
    }
    return true;
}

bool source_open(text_source *source, const char *path) {
    return open_path(source, path, false);
}

bool source_open_guarded(text_source *source, const char *path) {
    return open_path(source, path, true);
}

bool source_is_mapped(const text_source *source) {
    return source->text && source->room == 0;
}

/* Makes room behind what is at hand, forgetting what lies further back than HISTORY. */
static void window_slide(text_source *source) {
    const uint64_t keep_from = source->begun > HISTORY ? source->begun - HISTORY : 0;
    if (source->room - source->length >= HISTORY || keep_from <= source->offset)
        return;
    const size_t forgotten = (size_t)(keep_from - source->offset);
    memmove(source->text, source->text + forgotten, source->length - forgotten);
    source->length -= forgotten;
    source->offset += forgotten;
}

/* Reads until the window holds LOOKAHEAD bytes not handed out yet, and one more, or the text's end. */
static bool window_fill(text_source *source) {
    window_slide(source);
    while (!source->ended && source->offset + source->length <= source->begun + LOOKAHEAD)
        if (!window_read(source))
            return false;
    return true;
}

/* A file without a name, in $TMPDIR, or where what is large is kept for a while; complains and returns -1. */
static int spool_open(void) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (!folder || !*folder)
        folder = "/var/tmp";
    const int length = snprintf(path, sizeof path, "%s/parenmatch-XXXXXX", folder);
    const int file = length > 0 && (size_t)length < sizeof path ? mkstemp(path) : -1;
    if (file < 0)
        complain("%s: %s", folder, strerror(errno));
    else
        unlink(path);
    return file;
}

/* Writes what is at hand. */
static bool spool_write(int file, const text_source *source) {
    for (size_t done = 0; done < source->length;) {
        const ssize_t written = write(file, source->text + done, source->length - done);
        if (written < 0 && errno != EINTR) {
            complain("a temporary file: %s", strerror(errno));
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Brings a pipe's text, which begins with what is at hand, into a file, and maps that. */
static bool source_spool(text_source *source) {
    const int file = spool_open();
    size_t size = 0;
    bool good = file >= 0;
    while (good && source->length > 0) {
        good = spool_write(file, source);
        size += source->length;
        source->length = 0;
        good = good && window_read(source);
    }
    char *const text = good ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (good && text == MAP_FAILED)
        complain("%s: %s", source->name, strerror(errno));
    if (file >= 0)
        close(file);
    if (text == MAP_FAILED)
        return false;
    free(source->text);
    source->text = text;
    source->length = source->size = size;
    source->room = 0;
    return true;
}

bool source_load(text_source *source) {
    while (!source->ended) {
        if (source->length == source->room) {
            if (source->room >= LOADED_MAX)
                return source_spool(source);
            char *wider = realloc(source->text, source->room * 2);
            if (!wider) {
                complain("%s: %s", source->name, pm_status_string(PM_OUT_OF_MEMORY));
                return false;
            }
            source->text = wider;
            source->room *= 2;
        }
        if (!window_read(source))
            return false;
    }
    return true;
}

bool source_load_short(text_source *source, size_t bytes) {
    if (source_is_mapped(source))
        return source->length <= bytes;
    if (source->begun > 0)
        return false;
    while (!source->ended && source->length <= bytes && source->length < source->room)
        if (!window_read(source))
            return false;
    return source->ended && source->length <= bytes;
}

/* ---- How it is written ---- */

bool source_encoding(text_source *source, text_encoding *encoding) {
    while (!source->ended && source->length < LOOKED_AT)
        if (!window_read(source))
            return false;
    const size_t n = source->length < LOOKED_AT ? source->length : LOOKED_AT;
    *encoding = TEXT_BYTES;
    if (n >= 4 && (memcmp(source->text, "\xff\xfe\0", 4) == 0 || memcmp(source->text, "\0\0\xfe\xff", 4) == 0))
        *encoding = TEXT_UTF32;
    else if (n >= 2 && memcmp(source->text, "\xff\xfe", 2) == 0)
        *encoding = TEXT_UTF16_LITTLE;
    else if (n >= 2 && memcmp(source->text, "\xfe\xff", 2) == 0)
        *encoding = TEXT_UTF16_BIG;
    else if (n > 0 && memchr(source->text, '\0', n))
        *encoding = TEXT_BINARY;
    return true;
}

/* Gives back the text itself, which is replaced or done with. */
static void release_text(text_source *source) {
    if (source->guard)
        source->cut = mapping_end(source->guard);
    source->guard = NULL;
    if (source_is_mapped(source))
        munmap(source->text, source->length);
    else
        free(source->text);
    source->text = NULL;
}

bool source_from_utf16(text_source *source, bool big_endian) {
    if (!source_load(source))
        return false;
    const size_t room = source->length / 2 * 3 + 3; /* a unit takes at most three bytes, half a one at the end too */
    char *const text = malloc(room);
    if (!text) {
        complain("%s: %s", source->name, pm_status_string(PM_OUT_OF_MEMORY));
        return false;
    }
    const size_t length = utf8_from_utf16(text, source->text, source->length, big_endian);
    release_text(source);
    source->text = text;
    source->length = length;
    source->room = room;
    return true;
}

/* ---- Piece by piece ---- */

bool source_next(text_source *source, const char **piece, size_t *n) {
    if (!source_is_mapped(source) && !window_fill(source))
        return false;
    *piece = source->text + (source->begun - source->offset);
    *n = (size_t)(source->offset + source->length - source->begun);
    if (source_is_mapped(source) && *n > MAPPED_PIECE)
        *n = MAPPED_PIECE;
    if (!source->ended)
        *n -= LOOKAHEAD;
    source->begun += *n;
    return true;
}

excerpt source_line(const text_source *source, uint64_t offset, uint64_t column) {
    if (offset < source->offset || offset >= source->offset + source->length)
        return (excerpt){0};
    const char *mark = source->text + (offset - source->offset);
    const char *end = source->text + source->length;
    const uint64_t at_hand = offset - source->offset;
    uint64_t before = column - 1;
    if (before > LINE_SHOWN)
        before = LINE_SHOWN;
    if (before > at_hand)
        before = at_hand;
    size_t behind = (size_t)(end - mark) < LINE_SHOWN ? (size_t)(end - mark) : LINE_SHOWN;
    const char *newline = memchr(mark, '\n', behind);
    if (newline)
        behind = (size_t)(newline - mark);
    return (excerpt){.text = mark - before,
                     .length = (size_t)before + behind,
                     .mark = (size_t)before,
                     .cut_before = before < column - 1,
                     .cut_behind = mark + behind < end && mark[behind] != '\n'};
}

void source_close(text_source *source) {
    release_text(source);
    if (source->descriptor > STDIN_FILENO)
        close(source->descriptor);
    *source = (struct text_source){.descriptor = -1};
}
