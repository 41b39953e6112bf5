/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of patterns and texts to look for them in, for the tests and benchmarks of dictionaries: of random bytes of a
 * small alphabet, where patterns overlap in every way.
 */
#ifndef PM_TESTS_FIND_WORD_SETS_H
#define PM_TESTS_FIND_WORD_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parenmatch.h"

typedef struct word_set {
    const char **patterns;
    size_t *lengths;
    size_t count;
    char *bytes;
    size_t size;
    unsigned flags; /* of the dictionary */
} word_set;

/* The letters that random bytes are drawn from; NUL and bytes from 128 on among them. */
extern const char word_letters[16];

/* At most `count` different patterns (different in more than case, where case is ignored) of 1 to `longest` of the
 * first `letters` letters. False if there is no memory. */
bool word_set_random(word_set *set, uint64_t seed, size_t count, size_t longest, unsigned letters, unsigned flags);

/* `count` patterns, each one letter longer than the one before. */
bool word_set_nested(word_set *set, size_t count);

/* The dictionary of the set, to be given to pm_dict_destroy(); a program that gets none aborts. */
pm_dict *word_set_dict(const word_set *set);

void word_set_clear(word_set *set);

/* n random bytes; the first `letters` letters. */
void word_text_random(uint64_t seed, unsigned letters, char *text, size_t n);

/* What is found by definition, by looking everywhere for every pattern. Returns how many; the first `capacity` hits are
 * stored. */
size_t word_set_find(const word_set *set, const char *text, size_t n, pm_hit *hits, size_t capacity);

/* Which of all hits are of a kind, by definition. Leaves these, and returns how many. */
size_t word_hits_select(pm_find_kind kind, pm_hit *hits, size_t count);

#endif
