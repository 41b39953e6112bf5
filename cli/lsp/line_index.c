/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a text, with their line ends and units. */
#include "cli/lsp/line_index.h"

#include <stdlib.h>
#include <string.h>

/* ---- What bytes count for ---- */

static bool continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static unsigned units_of(position_encoding encoding, char byte) {
    switch (encoding) {
    case POSITION_UTF8:
        return 1;
    case POSITION_UTF16:
        return (unsigned)!continues(byte) + ((unsigned char)byte >= 0xf0);
    case POSITION_UTF32:
        return (unsigned)!continues(byte);
    }
    return 1;
}

/* Each count is kept in a byte for at most this many bytes, so that compilers use vectors. */
enum {
    COUNTED_AT_ONCE = 252
};

static uint32_t count_units(position_encoding encoding, const char *text, size_t n) {
    uint32_t units = 0;
    if (encoding == POSITION_UTF8)
        return (uint32_t)n;
    for (size_t begin = 0; begin < n; begin += COUNTED_AT_ONCE) {
        const size_t end = n - begin < COUNTED_AT_ONCE ? n : begin + COUNTED_AT_ONCE;
        uint8_t first = 0, pairs = 0;
        for (size_t i = begin; i < end; i++) {
            first = (uint8_t)(first + !continues(text[i]));
            pairs = (uint8_t)(pairs + ((unsigned char)text[i] >= 0xf0));
        }
        units += first + (encoding == POSITION_UTF16 ? pairs : 0u);
    }
    return units;
}

/* Is there a line end's last byte? text[1] can be read. */
static bool ends_line(const char *text) {
    return text[0] == '\n' || (text[0] == '\r' && text[1] != '\n');
}

/* text[n] can be read. */
static uint32_t count_lines(const char *text, size_t n) {
    uint32_t lines = 0;
    for (size_t begin = 0; begin < n; begin += COUNTED_AT_ONCE) {
        const size_t end = n - begin < COUNTED_AT_ONCE ? n : begin + COUNTED_AT_ONCE;
        uint8_t count = 0;
        for (size_t i = begin; i < end; i++)
            count = (uint8_t)(count + ((text[i] == '\n') | ((text[i] == '\r') & (text[i + 1] != '\n'))));
        lines += count;
    }
    return lines;
}

/* ---- Blocks ---- */

/* Reads at most twice LINE_BLOCK bytes into the buffer, and one more, which may decide about a '\r'. */
static const char *read_text(line_index *index, uint64_t at, size_t n) {
    const bool more = at + n < index->length;
    index->buffer[n] = '\0';
    if (n + more > 0)
        index->source.read(index->source.user, at, n + more, index->buffer);
    return index->buffer;
}

static line_block count_block(line_index *index, uint64_t at, size_t n) {
    const char *const text = read_text(index, at, n);
    return (line_block){(uint32_t)n, count_lines(text, n), count_units(index->encoding, text, n)};
}

static void step_back(line_index *index) {
    const line_block *const block = &index->blocks[--index->block];
    index->bytes_before -= block->bytes;
    index->lines_before -= block->lines;
    index->units_before -= block->units;
}

static void step_on(line_index *index) {
    const line_block *const block = &index->blocks[index->block++];
    index->bytes_before += block->bytes;
    index->lines_before += block->lines;
    index->units_before += block->units;
}

/* Goes to the block of an offset, or to the last one. */
static void go_to_offset(line_index *index, uint64_t offset) {
    while (offset < index->bytes_before)
        step_back(index);
    while (index->block + 1 < index->count && offset - index->bytes_before >= index->blocks[index->block].bytes)
        step_on(index);
}

/* Goes to the block where the line before `line`, one from 1 to the last, ends. */
static void go_to_line(line_index *index, uint64_t line) {
    while (line <= index->lines_before)
        step_back(index);
    while (line - index->lines_before > index->blocks[index->block].lines)
        step_on(index);
}

/* ---- Creation and edits ---- */

void line_index_create(line_index *index, position_encoding encoding, line_source source) {
    memset(index, 0, sizeof *index);
    index->encoding = encoding;
    index->source = source;
}

void line_index_destroy(line_index *index) {
    free(index->blocks);
    index->blocks = NULL;
}

/* Of the blocks that an edit touches at most three are kept in part, which makes seven new ones. */
bool line_index_reserve(line_index *index, uint64_t inserted) {
    const size_t wanted = index->count + (size_t)(inserted / LINE_BLOCK) + 8;
    if (wanted <= index->room)
        return true;
    line_block *const blocks = realloc(index->blocks, 2 * wanted * sizeof *blocks);
    if (!blocks)
        return false;
    index->blocks = blocks;
    index->room = 2 * wanted;
    return true;
}

/* Blocks block, ..., end - 1 give way to those of n bytes of text. */
static void count_again(line_index *index, size_t end, uint64_t n) {
    size_t made = 0;
    for (uint64_t rest = n; rest > 0; made++)
        rest -= rest > 2 * LINE_BLOCK ? LINE_BLOCK : rest;
    for (size_t k = index->block; k < end; k++)
        index->lines -= index->blocks[k].lines;
    memmove(index->blocks + index->block + made, index->blocks + end, (index->count - end) * sizeof *index->blocks);
    index->count = index->count - (end - index->block) + made;
    uint64_t at = index->bytes_before;
    for (size_t k = index->block; k < index->block + made; k++) {
        const uint64_t rest = index->bytes_before + n - at;
        index->blocks[k] = count_block(index, at, (size_t)(rest > 2 * LINE_BLOCK ? LINE_BLOCK : rest));
        index->lines += index->blocks[k].lines;
        at += index->blocks[k].bytes;
    }
}

void line_index_replace(line_index *index, uint64_t at, uint64_t removed, uint64_t inserted) {
    index->length = index->length - removed + inserted;
    index->last_offset = 0;
    index->last = (line_position){0, 0};
    go_to_offset(index, at > 0 ? at - 1 : 0); /* a '\r' there may end its line no longer */
    size_t end = index->block;
    uint64_t bytes = 0;
    while (end < index->count && (end == index->block || index->bytes_before + bytes <= at + removed))
        bytes += index->blocks[end++].bytes;
    if (bytes - removed + inserted < LINE_BLOCK / 4 && end < index->count) {
        bytes += index->blocks[end++].bytes;
    } else if (bytes - removed + inserted < LINE_BLOCK / 4 && index->block > 0) {
        step_back(index);
        bytes += index->blocks[index->block].bytes;
    }
    count_again(index, end, bytes - removed + inserted);
    if (index->block >= index->count && index->block > 0)
        step_back(index);
}

/* ---- Positions ---- */

/* Returns where a line begins. */
static uint64_t line_begin(line_index *index, uint64_t line) {
    if (line == 0)
        return 0;
    go_to_line(index, line);
    const size_t n = index->blocks[index->block].bytes;
    const char *const text = read_text(index, index->bytes_before, n);
    size_t i = 0;
    for (uint64_t rest = line - index->lines_before; rest > 0; i++)
        rest -= ends_line(text + i);
    return index->bytes_before + i;
}

/* Goes on by some units in a line, in the block of an offset; returns true if that was the end of the way. */
static bool walk_in_block(line_index *index, uint64_t *offset, uint64_t *units) {
    const line_block *const block = &index->blocks[index->block];
    if (*offset == index->bytes_before && block->lines == 0 && block->units <= *units) {
        *offset += block->bytes;
        *units -= block->units;
        return false;
    }
    const size_t n = (size_t)(index->bytes_before + block->bytes - *offset);
    const char *const text = read_text(index, *offset, n);
    for (size_t i = 0; i < n; i++) {
        const unsigned width = units_of(index->encoding, text[i]);
        if (text[i] == '\n' || text[i] == '\r' || width > *units) {
            *offset += i;
            return true;
        }
        *units -= width;
    }
    *offset += n;
    return false;
}

/* Returns the beginning of the character that an offset behind `line`, where its line begins, is in. */
static uint64_t character_begin(line_index *index, uint64_t line, uint64_t offset) {
    const unsigned most = offset - line < 3 ? (unsigned)(offset - line) : 3;
    const char *const text = read_text(index, offset - most, most + 1);
    unsigned back = 0;
    while (back < most && continues(text[most - back]))
        back++;
    const unsigned char first = (unsigned char)text[most - back];
    const unsigned bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return back < bytes ? offset - back : offset;
}

uint64_t line_index_offset(line_index *index, line_position position) {
    if (position.line > index->lines)
        return index->length;
    const uint64_t begin = line_begin(index, position.line);
    uint64_t offset = begin, units = position.character;
    for (bool ended = false; !ended && offset < index->length;) {
        go_to_offset(index, offset);
        ended = walk_in_block(index, &offset, &units);
    }
    /* A block was passed whose last byte belongs to the line end. */
    if (offset > begin && offset < index->length && memcmp(read_text(index, offset - 1, 1), "\r\n", 2) == 0)
        offset--;
    return index->encoding == POSITION_UTF8 && offset < index->length ? character_begin(index, begin, offset) : offset;
}

/* Returns the offset in a text behind its last line end; 0 if it has none. text[n] can be read. */
static size_t behind_last_line_end(const char *text, size_t n) {
    while (n > 0 && !ends_line(text + n - 1))
        n--;
    return n;
}

/* Counts on from the last position. */
static void position_onward(line_index *index, size_t n) {
    const char *const text = read_text(index, index->last_offset, n);
    const size_t begin = behind_last_line_end(text, n);
    if (begin > 0) {
        index->last.line += count_lines(text, n);
        index->last.character = 0;
    }
    index->last.character += count_units(index->encoding, text + begin, n - begin);
    index->last_offset += n;
}

/* Makes the last position that of the beginning of the block where the index is. */
static void position_of_block(line_index *index) {
    uint64_t at = index->bytes_before, units = 0;
    for (size_t k = index->block; k-- > 0;) {
        const line_block *const block = &index->blocks[k];
        at -= block->bytes;
        if (block->lines == 0) {
            units += block->units;
            continue;
        }
        const char *const text = read_text(index, at, block->bytes);
        const size_t begin = behind_last_line_end(text, block->bytes);
        units += count_units(index->encoding, text + begin, block->bytes - begin);
        break;
    }
    index->last_offset = index->bytes_before;
    index->last = (line_position){index->lines_before, units};
}

line_position line_index_position(line_index *index, uint64_t offset) {
    if (offset > index->length)
        offset = index->length;
    if (index->count == 0)
        return (line_position){0, 0};
    if (offset < index->last_offset || offset - index->last_offset > LINE_BLOCK) {
        go_to_offset(index, offset);
        position_of_block(index);
    }
    position_onward(index, (size_t)(offset - index->last_offset));
    return index->last;
}
