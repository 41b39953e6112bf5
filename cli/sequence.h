/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packed sequences in the program's own hands: parts of them, and their spelling, in which a parenthesis may be
 * followed by the length of its run: "((()" is also "(3)".
 */
#ifndef PM_CLI_SEQUENCE_H
#define PM_CLI_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns n elements, all closes, to be freed; NULL if there is no memory. */
uint64_t *sequence_create(size_t n);

bool sequence_is_open(const uint64_t *parens, size_t i);

/* Copies n elements, from `from_at` on, to `to_at` on; `to` has closes there. */
void sequence_copy(uint64_t *to, size_t to_at, const uint64_t *from, size_t from_at, size_t n);

/* Reads a spelling of at most 2^32 - 1 elements into a sequence to be freed; NULL if it is invalid, or there is no
 * memory. */
uint64_t *sequence_read(const char *spelling, size_t *n);

/* The spelling, to be freed, runs from four on with their length; NULL where there is no memory. */
char *sequence_spell(const uint64_t *parens, size_t n);

#endif
