/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of the language server: the same messages however the bytes arrive, and none of bytes that are not there.
 *
 * Input: bytes of a piece, less 1; then the bytes that arrive.
 */
#include <string.h>

#include "cli/lsp/frames.h"
#include "tests/fuzz/fuzz.h"

enum {
    CONTENTS_MAX = 64 /* of which a note is kept */
};

/* What a reader has handed out. */
typedef struct outcome {
    frame_result end;
    size_t count, bytes;
    size_t sizes[CONTENTS_MAX];
    uint64_t sum;
} outcome;

static void note(outcome *seen, const char *content, size_t n) {
    if (seen->count < CONTENTS_MAX)
        seen->sizes[seen->count] = n;
    seen->count++;
    seen->bytes += n;
    for (size_t i = 0; i < n; i++)
        seen->sum = 31 * seen->sum + (unsigned char)content[i];
}

static outcome read_in_pieces(const uint8_t *bytes, size_t size, size_t piece) {
    frame_reader reader = {0};
    outcome seen = {.end = FRAME_PARTIAL};
    for (size_t at = 0; at < size && seen.end == FRAME_PARTIAL; at += piece) {
        size_t room;
        char *const to = frame_reader_room(&reader, &room);
        const size_t n = size - at < piece ? size - at : piece;
        fuzz_require(to && room >= n, "room");
        memcpy(to, bytes + at, n);
        frame_reader_added(&reader, n);
        const char *content;
        size_t length;
        while ((seen.end = frame_reader_next(&reader, &content, &length)) == FRAME_READY)
            note(&seen, content, length);
    }
    frame_reader_destroy(&reader);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    const outcome whole = read_in_pieces(data + 1, size - 1, 1 << 14);
    const outcome pieces = read_in_pieces(data + 1, size - 1, (size_t)data[0] + 1);
    fuzz_require(whole.bytes <= size, "bytes that were not there");
    fuzz_require(whole.end == pieces.end && whole.count == pieces.count && whole.bytes == pieces.bytes &&
                     whole.sum == pieces.sum && memcmp(whole.sizes, pieces.sizes, sizeof whole.sizes) == 0,
                 "the same by pieces");
    return 0;
}
