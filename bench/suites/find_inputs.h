/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts and patterns to look for in them, by name; name, size and seed determine the bytes on every machine.
 *
 *   words:K           prose of made words, some frequent and most rare, as words of a language are; K of them
 *   names             that prose, and ten names that are rarely in it
 *   tags              markup of nested elements; ten pieces of its tags
 *   files:TEXT:LINES  a file, repeated as often as it takes; the lines of another (bench/corpora.sh makes some)
 */
#ifndef PM_BENCH_SUITES_FIND_INPUTS_H
#define PM_BENCH_SUITES_FIND_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct find_input {
    char *text; /* to be given to free(), as the others */
    size_t n;
    char *lines; /* the patterns' bytes */
    const char **patterns;
    size_t *lengths;
    size_t count;
};

/* Is that the name of a text and patterns? */
bool find_input_is_named(const char *name);

/* Makes n bytes of text. False, after a line on standard error, for a file that cannot be read, or no memory. */
bool find_input_create(const char *name, uint64_t seed, size_t n, struct find_input *input);

void find_input_destroy(struct find_input *input);

#endif
