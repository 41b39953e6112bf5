/* SPDX-License-Identifier: Apache-2.0 */
/* Words that look like words, and texts of them, some words being frequent and most rare, as in texts that people
 * write. */
#ifndef PM_BENCH_SUITES_FIND_WORDS_H
#define PM_BENCH_SUITES_FIND_WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct find_words {
    const char **words; /* different ones, of 3 letters and more */
    size_t count;
    char *bytes;
} find_words;

/* Stops the program if there is no memory. */
find_words find_words_make(uint64_t seed, size_t count);
void find_words_clear(find_words *words);

/* A text of n bytes: words of rank r with a probability of about 1 / r, in lines, with some punctuation. */
void find_words_text(const find_words *words, uint64_t seed, char *text, size_t n);

/* `count` of the words, every one as likely. */
void find_words_pick(const find_words *words, uint64_t seed, const char **picked, size_t count);

#endif
