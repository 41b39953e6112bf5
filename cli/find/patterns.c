/* SPDX-License-Identifier: Apache-2.0 */
/* Collecting the patterns of find. */
#include "cli/find/find.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static bool no_memory(void) {
    complain("%s", pm_status_string(PM_OUT_OF_MEMORY));
    return false;
}

static bool reserve(pattern_list *list) {
    if (list->count < list->room)
        return true;
    const size_t room = list->room ? list->room * 2 : 64;
    const char **const patterns = realloc(list->patterns, room * sizeof *patterns);
    if (patterns)
        list->patterns = patterns;
    size_t *const lengths = realloc(list->lengths, room * sizeof *lengths);
    if (lengths)
        list->lengths = lengths;
    if (!patterns || !lengths)
        return no_memory();
    list->room = room;
    return true;
}

static bool add(pattern_list *list, const char *pattern, size_t length) {
    if (!reserve(list))
        return false;
    list->patterns[list->count] = pattern;
    list->lengths[list->count++] = length;
    return true;
}

bool patterns_add(pattern_list *list, const char *pattern) {
    if (*pattern)
        return add(list, pattern, strlen(pattern));
    complain_usage("find", "empty pattern");
    return false;
}

bool patterns_add_file(pattern_list *list, const char *path) {
    text_source *const files = realloc(list->files, (list->file_count + 1) * sizeof *files);
    if (!files)
        return no_memory();
    list->files = files;
    text_source *const file = &files[list->file_count];
    if (!source_open(file, path))
        return false;
    list->file_count++;
    if (!source_load(file))
        return false;
    size_t line = 1;
    for (size_t begin = 0, end; begin < file->length; begin = end + 1, line++) {
        const char *const newline = memchr(file->text + begin, '\n', file->length - begin);
        end = newline ? (size_t)(newline - file->text) : file->length;
        if (end == begin) {
            complain("%s:%zu: empty pattern", file->name, line);
            return false;
        }
        if (!add(list, file->text + begin, end - begin))
            return false;
    }
    return true;
}

/* ---- Each once ---- */

typedef struct numbered_pattern {
    const char *bytes;
    size_t length, number;
    bool ignore_case;
} numbered_pattern;

static unsigned char folded(const numbered_pattern *pattern, size_t i) {
    const unsigned char byte = (unsigned char)pattern->bytes[i];
    return pattern->ignore_case && byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte + ('a' - 'A')) : byte;
}

static int compare_bytes(const numbered_pattern *a, const numbered_pattern *b) {
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (size_t i = 0; i < a->length; i++)
        if (folded(a, i) != folded(b, i))
            return folded(a, i) < folded(b, i) ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b) {
    const numbered_pattern *const one = a, *const other = b;
    const int order = compare_bytes(one, other);
    if (order != 0)
        return order;
    return one->number < other->number ? -1 : one->number > other->number;
}

bool patterns_make_distinct(pattern_list *list, bool ignore_case) {
    if (list->count < 2)
        return true;
    numbered_pattern *const sorted = malloc(list->count * sizeof *sorted);
    if (!sorted)
        return no_memory();
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = (numbered_pattern){list->patterns[i], list->lengths[i], i, ignore_case};
    qsort(sorted, list->count, sizeof *sorted, compare);
    for (size_t i = 1; i < list->count; i++)
        if (compare_bytes(&sorted[i - 1], &sorted[i]) == 0)
            list->lengths[sorted[i].number] = 0; /* to be left out */
    free(sorted);
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->lengths[i] == 0)
            continue;
        list->patterns[left] = list->patterns[i];
        list->lengths[left++] = list->lengths[i];
    }
    list->count = left;
    return true;
}

void patterns_clear(pattern_list *list) {
    for (size_t f = 0; f < list->file_count; f++)
        source_close(&list->files[f]);
    free(list->files);
    free(list->patterns);
    free(list->lengths);
}
