/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs for tests and benchmarks, by name; the only place that makes them. The same name, n and seed give the same
 * bits on every machine.
 *
 *   random    push or pop with equal chance; a push where the stack is empty
 *   bits      a fair coin for each element
 *   coin:P    an open with a chance of one in P, for each element
 *   deep      n / 2 opens, then closes
 *   opens     opens alone
 *   closes    closes alone
 *   flat      ()()()...
 *   saw:P     P opens, P closes, and again
 *   comb:P    P opens, one close, and again
 *   zigzag    random trees of depth 20 at most
 *   twist:T   random balanced sequences (Arnold and Sleep), closing preferred (T > 1) or opening (T < 1), as Vigna does
 *   drift     opens with a chance of 5/8, from the middle on with 3/8
 *   sparse:P  an open and P pairs (), and again; the last eighth is closes alone: few opens stay, far from each other
 *   wells:P:R an open and (P - 1) / 2 pairs (), R times, then R closes, and again: few opens stay in each tile
 *   hills:LOG:F:A:B  opens with a chance of A in 65536 in the first F in 65536 of each 2^LOG elements, else of B
 *   mixture   pieces of 2^4 to 2^20 elements, each of another family
 *   word:HEX  one 64-bit word, repeated
 *   file:PATH the ()[]{} brackets of a file, repeated as needed
 */
#ifndef PM_INPUTS_FAMILIES_H
#define PM_INPUTS_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills n bits, (n + 63) / 64 words, bits past n included (with junk). False for an unknown name, a file that
 * cannot be read or has no brackets, or too little memory. */
bool family_fill(const char *name, uint64_t seed, size_t n, uint64_t *parens);

/* Names that cover the families, for loops over all of them; ends with NULL. */
extern const char *const family_names[];

/* Appends `count` elements to n, each an open with a chance of `odds` in 256; returns how many there are then. */
size_t elements_append(uint64_t *parens, size_t n, size_t count, unsigned odds, uint64_t *seed);

/* A fast generator of good 64-bit numbers (SplitMix64); *state is the seed. */
uint64_t random_next(uint64_t *state);

/* A number below `bound` > 0, with a bias below 2^-32 for bounds below 2^32. */
uint64_t random_below(uint64_t *state, uint64_t bound);

#endif
