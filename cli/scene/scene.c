/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes: appending elements, and reading and writing them as text and in binary. */
#include "cli/scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/utf8.h"

const char *const scene_kind_names[4] = {"leaf", "clip", "blend", "end"};

static const char magic[] = "pmscene1";
enum {
    MAGIC_SIZE = sizeof magic - 1,
    HEADER_SIZE = MAGIC_SIZE + 8,
    BOX_SIZE = 16
};

bool scene_append(scene *s, pm_node kind, pm_box box) {
    if (s->n == s->room) {
        const size_t room = s->room > 0 ? 2 * s->room : 1024;
        uint8_t *const kinds = realloc(s->kinds, room);
        s->kinds = kinds ? kinds : s->kinds;
        pm_box *const boxes = kinds ? realloc(s->boxes, room * sizeof *boxes) : NULL;
        s->boxes = boxes ? boxes : s->boxes;
        if (!boxes)
            return complain("out of memory for %zu elements", room), false;
        s->room = room;
    }
    s->kinds[s->n] = (uint8_t)kind;
    s->boxes[s->n++] = box;
    return true;
}

void scene_free(scene *s) {
    free(s->kinds);
    free(s->boxes);
}

/* ---- Text */

/* A line's words before a comment: kind, and four numbers where the kind has a box. For an empty line *kind is -1. */
static bool parse_line(char *line, int *kind, pm_box *box) {
    char *rest = line + strspn(line, " \t\r");
    *kind = -1;
    *box = (pm_box){0, 0, 0, 0};
    if (*rest == '\0')
        return true;
    const size_t length = strcspn(rest, " \t\r");
    for (int k = PM_LEAF; k <= PM_END; k++)
        if (strlen(scene_kind_names[k]) == length && strncmp(rest, scene_kind_names[k], length) == 0)
            *kind = k;
    rest += length;
    float *const numbers[] = {&box->x0, &box->y0, &box->x1, &box->y1};
    for (int k = 0; k < 4 && (*kind == PM_LEAF || *kind == PM_CLIP); k++) {
        char *end;
        *numbers[k] = strtof(rest, &end);
        if (end == rest)
            return false;
        rest = end;
    }
    return *kind >= 0 && rest[strspn(rest, " \t\r")] == '\0';
}

bool scene_read_text(const char *name, const char *text, size_t length, scene *s) {
    enum {
        LINE_MAX_BYTES = 1024
    };
    size_t number = 1;
    for (size_t at = utf8_mark(text, length); at < length; number++) {
        const char *const newline = memchr(text + at, '\n', length - at);
        const size_t size = newline ? (size_t)(newline - (text + at)) : length - at;
        const char *const comment = memchr(text + at, '#', size);
        const size_t said = comment ? (size_t)(comment - (text + at)) : size;
        char line[LINE_MAX_BYTES];
        int kind = -1;
        pm_box box;
        bool parsed = said < sizeof line && !memchr(text + at, '\0', said);
        if (parsed) {
            memcpy(line, text + at, said);
            line[said] = '\0';
            parsed = parse_line(line, &kind, &box);
        }
        if (!parsed)
            return complain("%s:%zu: expected 'leaf X0 Y0 X1 Y1', 'clip X0 Y0 X1 Y1', 'blend' or 'end'", name, number),
                   false;
        if (kind >= 0 && !scene_append(s, (pm_node)kind, box))
            return false;
        at += size + 1;
    }
    return true;
}

void scene_write_text(const scene *s, FILE *file) {
    for (size_t i = 0; i < s->n; i++) {
        const pm_box *const box = &s->boxes[i];
        fputs(scene_kind_names[s->kinds[i]], file);
        if (s->kinds[i] == PM_LEAF || s->kinds[i] == PM_CLIP)
            fprintf(file, " %.9g %.9g %.9g %.9g", (double)box->x0, (double)box->y0, (double)box->x1, (double)box->y1);
        putc('\n', file);
    }
}

/* ---- Bytes, least significant first */

static uint64_t load(const char *bytes, unsigned count) {
    uint64_t number = 0;
    for (unsigned b = count; b-- > 0;)
        number = number << 8 | (unsigned char)bytes[b];
    return number;
}

static void store(uint64_t number, unsigned count, FILE *file) {
    for (unsigned b = 0; b < count; b++)
        putc((int)(number >> 8 * b & 0xff), file);
}

static float load_float(const char *bytes) {
    const uint32_t bits = (uint32_t)load(bytes, 4);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void store_float(float number, FILE *file) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    store(bits, 4, file);
}

/* Zeros between kinds and boxes. */
static size_t padding(uint64_t n) {
    return (size_t)(-n % 8);
}

bool scene_is_binary(const char *text, size_t length) {
    return length >= MAGIC_SIZE && memcmp(text, magic, MAGIC_SIZE) == 0;
}

bool scene_read_binary(const char *name, const char *text, size_t length, scene *s) {
    const uint64_t n = length >= HEADER_SIZE ? load(text + MAGIC_SIZE, 8) : UINT64_MAX;
    if (n > UINT32_MAX || length != HEADER_SIZE + n + padding(n) + n * BOX_SIZE)
        return complain("%s: invalid binary scene: its length differs from its header's", name), false;
    const char *const kinds = text + HEADER_SIZE, *const boxes = kinds + n + padding(n);
    for (size_t i = 0; i < n; i++) {
        const char *const box = boxes + i * BOX_SIZE;
        if ((unsigned char)kinds[i] > PM_END)
            return complain("%s: element %zu has the invalid kind %d", name, i, (unsigned char)kinds[i]), false;
        if (!scene_append(s, (pm_node)kinds[i],
                          (pm_box){load_float(box), load_float(box + 4), load_float(box + 8), load_float(box + 12)}))
            return false;
    }
    return true;
}

void boxes_write(const pm_box *boxes, size_t n, FILE *file) {
    for (size_t i = 0; i < n; i++) {
        store_float(boxes[i].x0, file);
        store_float(boxes[i].y0, file);
        store_float(boxes[i].x1, file);
        store_float(boxes[i].y1, file);
    }
}

void scene_write_binary(const scene *s, FILE *file) {
    fputs(magic, file);
    store(s->n, 8, file);
    if (s->n > 0) /* else there is no array */
        fwrite(s->kinds, 1, s->n, file);
    store(0, (unsigned)padding(s->n), file);
    boxes_write(s->boxes, s->n, file);
}
