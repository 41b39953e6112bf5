/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parenthesis queries inside one word as Vigna answers them in "Broadword implementation of parenthesis queries": the
 * reference for the figures of word.h (docs/results/matching.md). The answers, and what is undefined, are those of
 * word.h; so is the notation: w = 64, L_k, H_k and µ_k.
 *
 * The paper has two algorithms, of O(log w) operations without a branch or a test:
 *
 *   find close      the match of the word's first element. The excess of closes over opens at the end of each byte
 *                   comes from a sideways addition; then all bytes are walked backwards at once.
 *   find far close  far closes and far opens of sub-words double until these are half the word (word.h has that
 *                   tree, and counts with it); then one walks down the tree, from a sub-word to one of its halves.
 *
 * The mirror images are not in the paper. Where the paper answers w or more because there is nothing to be found, the
 * answer here is -1.
 */
#ifndef PM_BENCH_PEERS_WORD_VIGNA_H
#define PM_BENCH_PEERS_WORD_VIGNA_H

#include "broadword/word.h"

/* ---- Find close ---- */

/*
 * Step 1: in byte j twice the ones of bytes 0 ... j, from those of each pair. Pairs are added to nibbles, nibbles to
 * bytes, and the multiplication by 2 L_8 sums the bytes up.
 */
static inline uint64_t pmi_vigna_twice_sums(uint64_t pairs) {
    const uint64_t nibbles = (pairs & PM_MU(1)) + (pairs >> 2 & PM_MU(1));
    const uint64_t bytes = (nibbles + (nibbles >> 4)) & PM_MU(2);
    return bytes * (PM_L(8) << 1);
}

/*
 * Step 2: b, the excess of closes in elements 0 ... 8j + 7, for each byte j: 8 (j + 1) elements less twice the ones.
 * Byte j of 8 L_8 L_8 is 8 (j + 1). An excess is between -64 and 64; the 128 of H_8 is added to each, so that the
 * bytes do not borrow from each other.
 */
static inline uint64_t pmi_vigna_excess(uint64_t pairs) {
    return (PM_H(8) | 8 * PM_L(8) * PM_L(8)) - pmi_vigna_twice_sums(pairs);
}

/* Step 3: b after one step back, over a pair of two elements, `ones` of which are opens. */
static inline uint64_t pmi_vigna_excess_before(uint64_t b, uint64_t ones) {
    return b + 2 * ones - 2 * PM_L(8);
}

/*
 * Step 4: z, what each byte knows of its first element with excess zero: 64 and the element's place in the byte, or 0.
 * Where b is zero the byte is overwritten, as `place` is before those known. The mask u is 0x7f there, 0x80
 * elsewhere.
 */
static inline uint64_t pmi_vigna_zeros(uint64_t z, uint64_t b, unsigned place) {
    const uint64_t not_zero = ((b | PM_H(8)) - PM_L(8)) >> 7 & PM_L(8);
    const uint64_t u = (not_zero | PM_H(8)) - PM_L(8);
    return (z & ~u) | ((PM_H(8) >> 1 | PM_L(8) * place) & u);
}

/*
 * The first element up to which the excess is zero; -1 if no element has it. An excess is zero after an even number of
 * elements, so every second place of a byte is tried: 7 (steps 1 and 2), then 5, 3 and 1 (step 3). Arguments are the
 * ones of all pairs, and of each byte those of its last, third and second pair alone.
 */
static inline int pmi_vigna_first_zero(uint64_t pairs, uint64_t last, uint64_t third, uint64_t second) {
    const uint64_t b7 = pmi_vigna_excess(pairs);
    const uint64_t b5 = pmi_vigna_excess_before(b7, last);
    const uint64_t b3 = pmi_vigna_excess_before(b5, third);
    const uint64_t b1 = pmi_vigna_excess_before(b3, second);
    uint64_t z = pmi_vigna_zeros(0, b7, 7);
    z = pmi_vigna_zeros(z, b5, 5);
    z = pmi_vigna_zeros(z, b3, 3);
    z = pmi_vigna_zeros(z, b1, 1);
    const uint64_t bytes = z >> 6 & PM_L(8); /* that know of one */
    const unsigned p = pmi_bits_lowest(bytes | PM_H(64));
    return (int)(p + (unsigned)(z >> p & 0x3f)) | -(bytes == 0);
}

/* The match of an open at i, 0 <= i < 64, which is moved to the front. Opens come in behind the word's end. */
static inline int pmi_vigna_find_close(uint64_t x, unsigned i) {
    const uint64_t pairs = pmi_broadword_pair_ones(~(~x >> i) | 1);
    const int distance =
        pmi_vigna_first_zero(pairs, pmi_broadword_pair_of_bytes(pairs, 3), pmi_broadword_pair_of_bytes(pairs, 2),
                             pmi_broadword_pair_of_bytes(pairs, 1));
    return pmi_broadword_position((int)i + distance, distance);
}

/* What is on top of the stack before i, 0 <= i < 64: the match of a close there. The mirror image: i is moved to the
 * other end, zeros are ones, and of the reversed bytes the lowest pair is the last. */
static inline int pmi_vigna_enclose(uint64_t x, unsigned i) {
    const uint64_t pairs = pmi_bits_reverse_bytes(pmi_broadword_pair_ones(~(x << (63 - i)) | PM_H(64)));
    const int distance =
        pmi_vigna_first_zero(pairs, pmi_broadword_pair_of_bytes(pairs, 0), pmi_broadword_pair_of_bytes(pairs, 1),
                             pmi_broadword_pair_of_bytes(pairs, 2));
    return pmi_broadword_position((int)i - distance, distance);
}

/* ---- Find far close ---- */

/* The tree: at level j the far closes and far opens of sub-words of 2^j elements, 1 <= j <= 5. */
typedef struct pmi_vigna_tree {
    pmi_broadword_far_counts level[6];
} pmi_vigna_tree;

static inline pmi_vigna_tree pmi_vigna_tree_of(uint64_t x) {
    pmi_vigna_tree tree;
    tree.level[1] = pmi_broadword_far_counts_of_pairs(x);
    tree.level[2] = pmi_broadword_far_counts_double(tree.level[1], 1);
    tree.level[3] = pmi_broadword_far_counts_double(tree.level[2], 2);
    tree.level[4] = pmi_broadword_far_counts_double(tree.level[3], 3);
    tree.level[5] = pmi_broadword_far_counts_double(tree.level[4], 4);
    return tree;
}

/* Where a walk down the tree is: what it looks for is far close k of the sub-word before which there are s elements. */
typedef struct pmi_vigna_walk {
    uint64_t k;
    unsigned s;
} pmi_vigna_walk;

/*
 * One step down, from a sub-word whose first half has c far closes and o far opens, each in the lowest field of an
 * argument. Close k is in the first half if k < c. Else it is in the second, where it is close k - c + o, because o
 * closes there meet the opens of the first. The comparison is the sign of k - c, widened to a mask of ones where
 * k >= c. Walks for what is not there end in the last pair, and k says so.
 */
static inline pmi_vigna_walk pmi_vigna_step(pmi_vigna_walk at, uint64_t c, uint64_t o, unsigned half) {
    const uint64_t second = ((at.k - (c & pmi_bits_low(half))) >> 63) - 1;
    const uint64_t counted = second & pmi_bits_low(half);
    return (pmi_vigna_walk){.k = at.k - (c & counted) + (o & counted), .s = at.s + (half & (unsigned)second)};
}

static inline pmi_vigna_walk pmi_vigna_step_upwards(pmi_vigna_walk at, const pmi_vigna_tree *tree, unsigned j) {
    return pmi_vigna_step(at, tree->level[j].close >> at.s, tree->level[j].open >> at.s, 1u << j);
}

/* In the mirror image s elements are above the sub-word, and far opens are looked for. */
static inline pmi_vigna_walk pmi_vigna_step_downwards(pmi_vigna_walk at, const pmi_vigna_tree *tree, unsigned j) {
    const unsigned half = 1u << j, shift = PM_WORD_BITS - half - at.s;
    return pmi_vigna_step(at, tree->level[j].open >> shift, tree->level[j].close >> shift, half);
}

/* The end of a walk, in a pair with `far` of what is looked for: the k-th element of the pair, or -1. */
static inline int pmi_vigna_arrive(pmi_vigna_walk at, uint64_t far) {
    return (int)(at.s + (unsigned)at.k) | -(at.k >= far);
}

/* The k-th far close, from the lowest, 0 <= k < 64; -1 if there are fewer. */
static inline int pmi_vigna_find_far_close(uint64_t x, unsigned k) {
    const pmi_vigna_tree tree = pmi_vigna_tree_of(x);
    pmi_vigna_walk at = {.k = k, .s = 0};
    at = pmi_vigna_step_upwards(at, &tree, 5);
    at = pmi_vigna_step_upwards(at, &tree, 4);
    at = pmi_vigna_step_upwards(at, &tree, 3);
    at = pmi_vigna_step_upwards(at, &tree, 2);
    at = pmi_vigna_step_upwards(at, &tree, 1);
    return pmi_vigna_arrive(at, tree.level[1].close >> at.s & 3);
}

/* The k-th far open, from the highest, 0 <= k < 64; -1 if there are fewer. */
static inline int pmi_vigna_find_far_open(uint64_t x, unsigned k) {
    const pmi_vigna_tree tree = pmi_vigna_tree_of(x);
    pmi_vigna_walk at = {.k = k, .s = 0};
    at = pmi_vigna_step_downwards(at, &tree, 5);
    at = pmi_vigna_step_downwards(at, &tree, 4);
    at = pmi_vigna_step_downwards(at, &tree, 3);
    at = pmi_vigna_step_downwards(at, &tree, 2);
    at = pmi_vigna_step_downwards(at, &tree, 1);
    const int distance = pmi_vigna_arrive(at, tree.level[1].open >> (62 - at.s) & 3);
    return pmi_broadword_position(63 - distance, distance);
}

#endif
