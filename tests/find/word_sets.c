/* SPDX-License-Identifier: Apache-2.0 */
/* Pattern sets and texts for tests. */
#include "tests/find/word_sets.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"

const char word_letters[16] = {'a', 'A', 'b', '\0', '\xff', 'B',    '\x80', 'z',
                               'Z', '[', '@', '{',  '`',    '\x7f', ' ',    'c'};

static unsigned char fold(const word_set *set, char byte) {
    const bool upper = byte >= 'A' && byte <= 'Z';
    return (unsigned char)(upper && (set->flags & PM_DICT_IGNORE_CASE) != 0 ? byte + ('a' - 'A') : byte);
}

static bool same(const word_set *set, const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (fold(set, a[i]) != fold(set, b[i]))
            return false;
    return true;
}

static bool is_in(const word_set *set, const char *pattern, size_t length) {
    for (size_t i = 0; i < set->count; i++)
        if (set->lengths[i] == length && same(set, set->patterns[i], pattern, length))
            return true;
    return false;
}

static bool reserve(word_set *set, size_t count, size_t bytes, unsigned flags) {
    *set = (word_set){.patterns = malloc((count + 1) * sizeof *set->patterns),
                      .lengths = malloc((count + 1) * sizeof *set->lengths),
                      .bytes = malloc(bytes + 1),
                      .flags = flags};
    if (set->patterns && set->lengths && set->bytes)
        return true;
    word_set_clear(set);
    return false;
}

/* Adds the pattern that was written at bytes + size, unless it is there. */
static void add(word_set *set, size_t length) {
    const char *const pattern = set->bytes + set->size;
    if (is_in(set, pattern, length))
        return;
    set->patterns[set->count] = pattern;
    set->lengths[set->count++] = length;
    set->size += length;
}

bool word_set_random(word_set *set, uint64_t seed, size_t count, size_t longest, unsigned letters, unsigned flags) {
    if (!reserve(set, count, count * longest, flags))
        return false;
    for (size_t i = 0; i < count; i++) {
        const size_t length = 1 + random_below(&seed, longest);
        word_text_random(random_next(&seed), letters, set->bytes + set->size, length);
        add(set, length);
    }
    return true;
}

bool word_set_nested(word_set *set, size_t count) {
    if (!reserve(set, count, count * (count + 1) / 2, 0))
        return false;
    for (size_t i = 1; i <= count; i++) {
        memset(set->bytes + set->size, 'a', i);
        set->patterns[set->count] = set->bytes + set->size;
        set->lengths[set->count++] = i;
        set->size += i;
    }
    return true;
}

pm_dict *word_set_dict(const word_set *set) {
    pm_dict *dict;
    if (pm_dict_create(NULL, set->patterns, set->lengths, set->count, set->flags, &dict) != PM_OK)
        abort();
    return dict;
}

void word_set_clear(word_set *set) {
    free(set->patterns);
    free(set->lengths);
    free(set->bytes);
}

void word_text_random(uint64_t seed, unsigned letters, char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        text[i] = word_letters[random_below(&seed, letters)];
}

size_t word_set_find(const word_set *set, const char *text, size_t n, pm_hit *hits, size_t capacity) {
    size_t found = 0;
    for (size_t start = 0; start < n; start++)
        for (size_t p = 0; p < set->count; p++) {
            if (set->lengths[p] > n - start || !same(set, set->patterns[p], text + start, set->lengths[p]))
                continue;
            if (found < capacity)
                hits[found] = (pm_hit){start, (uint32_t)set->lengths[p], (uint32_t)p};
            found++;
        }
    return found;
}

/* Does its kind prefer hit a to hit b, of the same start? */
static bool is_preferred(pm_find_kind kind, const pm_hit *a, const pm_hit *b) {
    return kind == PM_FIND_LEFTMOST_FIRST ? a->pattern < b->pattern : a->length > b->length;
}

size_t word_hits_select(pm_find_kind kind, pm_hit *hits, size_t count) {
    if (kind == PM_FIND_ALL)
        return count;
    pm_hit *const all = malloc((count + 1) * sizeof *all);
    if (!all)
        abort();
    memcpy(all, hits, count * sizeof *all);
    size_t chosen = 0;
    uint64_t free_from = 0;
    for (size_t h = 0, end; h < count; h = end) { /* those of one start are neighbours */
        size_t best = h;
        for (end = h; end < count && all[end].start == all[h].start; end++)
            if (is_preferred(kind, &all[end], &all[best]))
                best = end;
        if (all[h].start < free_from)
            continue;
        hits[chosen++] = all[best];
        free_from = kind == PM_FIND_LONGEST ? 0 : all[best].start + all[best].length;
    }
    free(all);
    return chosen;
}
