/* SPDX-License-Identifier: Apache-2.0 */
/* Syllables of letters as frequent as in English; ranks by Zipf's law. */
#include "bench/suites/find_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "inputs/families.h"

enum {
    WORD_ROOM = 24,
    PERIOD = 1 << 25 /* bytes that are made one by one; longer texts repeat them */
};

/* A letter occurs in each as often as it does between vowels, or as one. */
static const char onsets[] = "ttttttnnnnnnsssssshhhhhrrrrrddddllllccccmmmmffppggwwybbvkjxqz";
static const char vowels[] = "eeeeeeeeeeeeaaaaaaaaooooooooiiiiiiiuuuy";

static char letter(uint64_t *seed, const char *of, size_t count) {
    return of[random_below(seed, count)];
}

static void word_make(uint64_t *seed, char *word) {
    const uint64_t syllables = 1 + random_below(seed, 4);
    size_t length = 0;
    for (uint64_t s = 0; s < syllables; s++) {
        for (uint64_t k = 1 + random_below(seed, 8) / 6; k > 0; k--)
            word[length++] = letter(seed, onsets, sizeof onsets - 1);
        word[length++] = letter(seed, vowels, sizeof vowels - 1);
        if (s + 1 == syllables || random_below(seed, 3) == 0)
            word[length++] = letter(seed, onsets, sizeof onsets - 1);
    }
    word[length] = '\0';
}

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Leaves one of those that are equal. */
static size_t make_distinct(const char **words, size_t count) {
    size_t kept = 0;
    qsort(words, count, sizeof *words, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(words[i], words[kept - 1]) != 0)
            words[kept++] = words[i];
    return kept;
}

static void shuffle(uint64_t *seed, const char **words, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const size_t k = random_below(seed, i);
        const char *const word = words[k];
        words[k] = words[i - 1];
        words[i - 1] = word;
    }
}

find_words find_words_make(uint64_t seed, size_t count) {
    const size_t tries = 4 * count; /* many are made more than once */
    find_words made = {.words = malloc(tries * sizeof *made.words), .bytes = malloc(tries * WORD_ROOM)};
    if (!made.words || !made.bytes)
        stop("words", "no memory");
    for (size_t i = 0; i < tries; i++) {
        made.words[i] = made.bytes + i * WORD_ROOM;
        word_make(&seed, made.bytes + i * WORD_ROOM);
    }
    const size_t distinct = make_distinct(made.words, tries);
    shuffle(&seed, made.words, distinct);
    made.count = distinct < count ? distinct : count;
    return made;
}

void find_words_clear(find_words *words) {
    free(words->words);
    free(words->bytes);
    *words = (find_words){0};
}

void find_words_text(const find_words *words, uint64_t seed, char *text, size_t n) {
    const double range = log((double)words->count);
    const size_t made = n < PERIOD ? n : PERIOD;
    for (size_t i = 0; i < made;) {
        const size_t rank = (size_t)exp(range * (double)random_below(&seed, 1u << 30) / (1u << 30)) - 1;
        for (const char *word = words->words[rank]; *word && i < made;)
            text[i++] = *word++;
        const uint64_t kind = random_below(&seed, 32);
        if (kind < 3 && i < made)
            text[i++] = ",.;"[kind];
        if (i < made)
            text[i++] = kind == 31 ? '\n' : ' ';
    }
    for (size_t i = made; i < n; i++)
        text[i] = text[i - made];
}

void find_words_pick(const find_words *words, uint64_t seed, const char **picked, size_t count) {
    if (count > words->count)
        stop("words", "too many");
    for (size_t i = 0, left = words->count; count > 0; i++, left--)
        if (random_below(&seed, left) < count) {
            *picked++ = words->words[i];
            count--;
        }
}
