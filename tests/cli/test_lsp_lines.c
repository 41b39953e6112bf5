/* SPDX-License-Identifier: Apache-2.0 */
/* The line index against a walk from the text's beginning, over random edits. */
#include <string.h>

#include "cli/lsp/line_index.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    ROOM = 1 << 17
};

typedef struct model {
    char text[ROOM + 1]; /* a NUL behind it */
    size_t n;
} model;

static void read_model(void *user, uint64_t at, size_t n, char *to) {
    const model *const m = user;
    assert_true(at + n <= m->n);
    memcpy(to, m->text + at, n);
}

static unsigned units(position_encoding encoding, unsigned char byte) {
    if (encoding == POSITION_UTF8)
        return 1;
    if (byte >= 0x80 && byte < 0xc0)
        return 0;
    return encoding == POSITION_UTF16 && byte >= 0xf0 ? 2 : 1;
}

/* Where the character begins that byte i is of. */
static size_t character_begin(const model *m, size_t i) {
    size_t first = i;
    while (first > 0 && i - first < 3 && (m->text[first] & 0xc0) == 0x80)
        first--;
    const unsigned char byte = (unsigned char)m->text[first];
    return i - first < (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? first : i;
}

/* At every offset, or at every step-th and those next to line ends. */
static void compare(line_index *index, const model *m, size_t step) {
    line_position at = {0, 0};
    for (size_t i = 0; i <= m->n; i++) {
        const bool inside = i > 0 && m->text[i - 1] == '\r' && m->text[i] == '\n'; /* of a line end */
        const bool ends = i == m->n || m->text[i] == '\n' || m->text[i] == '\r';
        if (i % step == 0 || (ends && (i % 7 == 0 || step > 500))) {
            const line_position found = line_index_position(index, i);
            assert_int_equal(found.line, at.line);
            assert_int_equal(found.character, at.character);
            if (units(index->encoding, (unsigned char)m->text[i]) > 0)
                assert_int_equal(line_index_offset(index, at), inside ? i - 1 : character_begin(m, i));
            if (ends && !inside)
                assert_int_equal(line_index_offset(index, (line_position){at.line, at.character + 1 + i}), i);
        }
        at.character += units(index->encoding, (unsigned char)m->text[i]);
        if (m->text[i] == '\n' || (m->text[i] == '\r' && m->text[i + 1] != '\n'))
            at = (line_position){at.line + 1, 0};
    }
    assert_int_equal(line_index_offset(index, (line_position){at.line + 1, 0}), m->n);
    assert_int_equal(index->lines, at.line);
}

/* Few line ends leave blocks without one. */
static size_t random_text(uint64_t *seed, char *text, size_t n, bool long_lines) {
    static const char *const pieces[] = {"\n",           "\r\n", "\r", "a", "\xc3\xa9", "\xf0\x9f\x98\x80",
                                         "\xe2\x82\xac", "\x80", " "};
    size_t length = 0;
    while (length + 4 <= n) {
        const bool breaks = random_below(seed, long_lines ? 4000 : 8) == 0;
        const char *const piece = pieces[breaks ? random_below(seed, 3) : 3 + random_below(seed, 6)];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return length;
}

static void replace(line_index *index, model *m, size_t at, size_t removed, const char *text, size_t inserted) {
    memmove(m->text + at + inserted, m->text + at + removed, m->n - at - removed);
    memcpy(m->text + at, text, inserted);
    m->n = m->n - removed + inserted;
    m->text[m->n] = '\0';
    assert_true(line_index_reserve(index, inserted));
    line_index_replace(index, at, removed, inserted);
}

static void edit(line_index *index, model *m, uint64_t *seed, bool long_lines) {
    static char text[ROOM];
    static const size_t sizes[] = {0, 4, 5, 300, LINE_BLOCK, 30000};
    const size_t at = random_below(seed, m->n + 1);
    size_t removed = sizes[random_below(seed, 6)];
    removed = removed < m->n - at ? removed : m->n - at;
    size_t inserted = random_text(seed, text, sizes[random_below(seed, 6)], long_lines);
    if (m->n - removed + inserted > ROOM)
        inserted = 0;
    replace(index, m, at, removed, text, inserted);
}

TEST(random_edits) {
    static model m;
    static line_index index;
    uint64_t seed = 1;
    for (unsigned run = 0; run < 9; run++) {
        m.n = 0;
        line_index_create(&index, (position_encoding)(run % 3), (line_source){read_model, &m});
        compare(&index, &m, 1);
        for (unsigned k = 0; k < 60; k++) {
            edit(&index, &m, &seed, run % 2);
            if (k % 4 == 0)
                compare(&index, &m, 61);
        }
        replace(&index, &m, 0, m.n, "", 0);
        compare(&index, &m, 1);
        line_index_destroy(&index);
    }
}

/* A line end at each border of blocks, cut and joined by edits. */
TEST(line_ends_at_borders) {
    static model m;
    static line_index index;
    for (size_t place = 2 * LINE_BLOCK - 3; place <= 2 * LINE_BLOCK + 3; place++) {
        static char text[5 * LINE_BLOCK];
        memset(text, 'a', sizeof text);
        m.n = 0;
        line_index_create(&index, POSITION_UTF16, (line_source){read_model, &m});
        replace(&index, &m, 0, 0, text, sizeof text);
        replace(&index, &m, place, 1, "\r", 1);
        compare(&index, &m, 509);
        replace(&index, &m, place + 1, 0, "\n", 1);
        compare(&index, &m, 509);
        replace(&index, &m, place + 1, 1, "", 0);
        compare(&index, &m, 509);
        replace(&index, &m, place + 1, 1, "\n", 1);
        replace(&index, &m, place, 1, "", 0);
        compare(&index, &m, 509);
        line_index_destroy(&index);
    }
}
