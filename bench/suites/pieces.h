/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of texts, for suites that look for the worst text: a piece is a few tokens of languages, to be repeated. Hill
 * climbing goes from the slowest pieces so far to their neighbours.
 */
#ifndef PM_BENCH_SUITES_PIECES_H
#define PM_BENCH_SUITES_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parenmatch.h"

#define PIECE_BYTES 64u /* at most */
#define PIECE_TOKENS 4u
#define PIECES_KEPT 10u

struct piece {
    unsigned count; /* of tokens; 0 in a slot without a piece */
    unsigned token[PIECE_TOKENS];
    double cost;
};

/* The slowest, the slowest first; of equal pieces one. Zeros: none so far. */
struct slow_pieces {
    struct piece pieces[PIECES_KEPT];
};

/* A piece to try next. */
struct piece piece_next(const struct slow_pieces *slow, uint64_t *state);

/* Writes the piece's bytes; returns their number, at most PIECE_BYTES. */
size_t piece_bytes(const struct piece *piece, char *bytes);

/* Is it as slow as those that are kept? */
bool piece_is_slow(const struct slow_pieces *slow, double cost);

void piece_keep(struct slow_pieces *slow, const struct piece *piece);

/* A family is a language, or language:piece. Returns the language, and sets *bytes to the piece, or NULL; NULL, after a
 * line on standard error: it is neither. */
const pm_language *piece_family(const char *suite, const char *family, const char **bytes);

/* The name of the k-th language, which is a family; NULL behind the last one. */
const char *piece_language(size_t k);

/* Is there such a language? */
bool piece_is_family(const char *family);

#endif
