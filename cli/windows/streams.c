/* SPDX-License-Identifier: Apache-2.0 */
/* Streams into memory, by temporary files that are read when they are closed. */
#include "cli/windows/streams.h"

#include <errno.h>
#include <pthread.h>
#include <windows.h>

#undef fclose

/* The streams that are open. */
typedef struct memory_stream {
    struct memory_stream *next;
    FILE *file;
    char **text;
    size_t *size;
} memory_stream;

static memory_stream *streams;
static pthread_mutex_t streams_mutex = PTHREAD_MUTEX_INITIALIZER;

static FILE *open_temporary(void) {
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (GetTempPathW(MAX_PATH, folder) == 0 || GetTempFileNameW(folder, L"pm", 0, name) == 0) {
        pmi_windows_failed();
        return NULL;
    }
    const HANDLE handle = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                                      FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    const int file = handle == INVALID_HANDLE_VALUE
                         ? pmi_windows_failed()
                         : _open_osfhandle((intptr_t)handle, O_RDWR | O_BINARY | O_NOINHERIT);
    FILE *const stream = file >= 0 ? fdopen(file, "w+b") : NULL;
    if (!stream && file >= 0)
        close(file);
    else if (!stream && handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return stream;
}

FILE *open_memstream(char **text, size_t *size) {
    memory_stream *const stream = malloc(sizeof *stream);
    FILE *const file = stream ? open_temporary() : NULL;
    if (!file) {
        free(stream);
        return NULL;
    }
    pthread_mutex_lock(&streams_mutex);
    *stream = (memory_stream){streams, file, text, size};
    streams = stream;
    pthread_mutex_unlock(&streams_mutex);
    *text = NULL;
    *size = 0;
    return file;
}

/* Takes the memory stream of a file off the list; NULL if it is not one. */
static memory_stream *stream_take(const FILE *file) {
    pthread_mutex_lock(&streams_mutex);
    memory_stream **at = &streams;
    while (*at && (*at)->file != file)
        at = &(*at)->next;
    memory_stream *const found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&streams_mutex);
    return found;
}

/* Brings what was written into memory. Returns false if that fails. */
static int stream_read(const memory_stream *stream) {
    const off_t end = fflush(stream->file) == 0 ? ftello(stream->file) : -1;
    char *const text = end >= 0 ? malloc((size_t)end + 1) : NULL;
    if (!text)
        return 0;
    rewind(stream->file);
    const size_t got = fread(text, 1, (size_t)end, stream->file);
    text[got] = '\0';
    *stream->text = text;
    *stream->size = got;
    return got == (size_t)end;
}

int pmi_windows_fclose(FILE *file) {
    memory_stream *const stream = stream_take(file);
    const int fine = !stream || stream_read(stream);
    free(stream);
    return fclose(file) == 0 && fine ? 0 : EOF;
}
