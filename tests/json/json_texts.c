/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/json/json_texts.h"

#include <stdbool.h>
#include <string.h>

#include "inputs/families.h"

enum {
    DEPTH_MOST = 1000,
    ITEM_MOST = 400 /* bytes of an item without its containers */
};

typedef struct writer {
    uint64_t seed;
    char *to;
    size_t at, n, depth;
    bool objects[DEPTH_MOST];
    uint64_t opens, closes, longest; /* of 8, and the longest string */
} writer;

static void put(writer *w, const char *bytes) {
    const size_t length = strlen(bytes);
    memcpy(w->to + w->at, bytes, length);
    w->at += length;
}

static void put_run(writer *w, char byte, uint64_t length) {
    memset(w->to + w->at, byte, (size_t)length);
    w->at += (size_t)length;
}

static void put_string(writer *w) {
    static const char *const pieces[] = {
        "a", "[", "}", ",", ":", "\\\"", "\\\\", "/", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", " "};
    const uint64_t length = random_below(&w->seed, w->longest);
    put(w, "\"");
    if (random_below(&w->seed, 8) == 0)
        put_run(w, '\\', 2 * random_below(&w->seed, 70));
    for (uint64_t k = 0; k < length; k++)
        put(w, pieces[random_below(&w->seed, sizeof pieces / sizeof *pieces)]);
    put(w, "\"");
}

static void put_blanks(writer *w) {
    if (random_below(&w->seed, 4) == 0)
        put_run(w, " \n\t\r"[random_below(&w->seed, 4)], random_below(&w->seed, 9));
}

static void put_value(writer *w) {
    static const char *const scalars[] = {"1", "-2.5e3", "true", "null", "123456789012345678901234567890"};
    if (random_below(&w->seed, 2))
        put_string(w);
    else
        put(w, scalars[random_below(&w->seed, sizeof scalars / sizeof *scalars)]);
}

static void open_container(writer *w) {
    const bool object = random_below(&w->seed, 2);
    put(w, object ? "{" : "[");
    w->objects[w->depth++] = object;
    put_blanks(w);
}

static void close_container(writer *w) {
    put(w, w->objects[--w->depth] ? "}" : "]");
    put_blanks(w);
}

void json_text_make(uint64_t seed, char *to, size_t n) {
    writer w = {.seed = seed, .to = to, .n = n};
    w.opens = random_below(&w.seed, 8);
    w.closes = random_below(&w.seed, 8);
    w.longest = random_below(&w.seed, 4) ? 5 : 60;
    memset(to, ' ', n);
    if (n < ITEM_MOST + DEPTH_MOST) {
        to[random_below(&w.seed, n)] = '1';
        return;
    }
    open_container(&w);
    bool empty = true;
    while (w.at + w.depth * 9 + ITEM_MOST < n) {
        if (w.depth > 1 && random_below(&w.seed, 8) < w.closes) {
            close_container(&w);
            empty = false;
            continue;
        }
        if (!empty)
            put(&w, ",");
        put_blanks(&w);
        if (w.objects[w.depth - 1]) {
            put_string(&w);
            put_blanks(&w);
            put(&w, ":");
            put_blanks(&w);
        }
        empty = w.depth < DEPTH_MOST && random_below(&w.seed, 8) < w.opens;
        if (empty)
            open_container(&w);
        else
            put_value(&w);
        put_blanks(&w);
    }
    while (w.depth > 0)
        close_container(&w);
}

void json_text_change(uint64_t *seed, char *text, size_t n) {
    static const char letters[] = "{}[],:\"\\ \n1a\x01\x80\xc3\xe0\xed\xf0\xf4\xff";
    const size_t at = (size_t)random_below(seed, n);
    text[at] = random_below(seed, 4) ? letters[random_below(seed, sizeof letters - 1)] : text[random_below(seed, n)];
}
