/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts to time the front end on, by name; name, size and seed determine the bytes on every machine.
 *
 *   json       records as APIs send them, indented: strings with escapes and brackets in them, numbers, nested lists
 *   minified   json without blanks and line ends
 *   lines      JSON Lines: records of minified, one a line; checked record by record
 *   soup       nothing but the bytes ()[]{}, balanced
 *   nested     n / 2 opens of three kinds, at random, and their closes
 *   xml        records with attributes, comments and CDATA; similar records are
 *   html, latex, sql, pascal, jinja
 *   file:PATH  a file, repeated as often as it takes
 */
#ifndef PM_BENCH_SUITES_TEXTS_H
#define PM_BENCH_SUITES_TEXTS_H

#include "parenmatch.h"

struct text {
    char *bytes; /* to be given to free() */
    size_t n;
    const pm_language *language; /* NULL: delimiters are longer than a byte */
};

/* Is that the name of a text that is made here, not read? */
bool text_is_made(const char *name);

/* About n bytes, ended where a record ends. False, after a line on standard error, for an unknown name, a file that
 * cannot be read, or no memory. */
bool text_create(const char *name, uint64_t seed, size_t n, struct text *text);

#endif
