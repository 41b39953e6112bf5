/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queries inside one word, each answered in several ways:
 *
 *   broadword  broadword/word.h, which the library ships
 *   vigna      bench/peers/word_vigna.h, the algorithms of the paper; where it counts, word.h does just that
 *   bmi2       guesses that PDEP turns into positions, until one stands; x86-64 alone
 *   loop       element by element, until the answer is found
 */
#ifndef PM_BENCH_PEERS_WORD_PEERS_H
#define PM_BENCH_PEERS_WORD_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Answers for the word x and an argument: an element, or a k; it is not looked at where the query takes none. */
typedef int word_query(uint64_t x, unsigned argument);

enum word_argument {
    ARGUMENT_OPEN,    /* an element that is an open, if there is one */
    ARGUMENT_ELEMENT, /* any element */
    ARGUMENT_K        /* a number below that of the word's far closes; 0 if it has no far close */
};

struct word_peer {
    const char *query, *name;
    const char *simd; /* the instruction set it takes beyond plain C, or "none" */
    enum word_argument argument;
    word_query *answer, *loop; /* the loop is what is right */
};

/* What this processor can run, by index; false past the last. Peers that answer the same query are neighbours. */
bool word_peer_at(size_t index, struct word_peer *peer);

/* The query that is nothing but a call, and yet depends on the word. */
int word_nothing(uint64_t x, unsigned argument);

#endif
