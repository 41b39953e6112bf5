/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parenthesis queries inside one word: no branch, no table, no loop over bits; O(log w) operations on a word of w bits.
 *
 * After Vigna, "Broadword implementation of parenthesis queries", in its notation: a word is cut into fields of k bits;
 * L_k has the lowest bit of each field set, H_k the highest, and µ_k the lower half of each field of 2^(k+1) bits.
 *
 * Counting is the paper's tree: the far closes c and far opens o of sub-words, which double until they are the word.
 *
 * Searching is our own; the paper's is in word_vigna.h and takes longer (docs/results/matching.md). A prefix that ends
 * at the k-th far close is the first with k + 1 more closes than opens. Its length has the parity of k + 1, so only
 * every second element can end it: cut into pairs that end with those elements, a word has 32 candidates, four to a
 * byte, and they are all tried at once. Finding opens is the mirror image: zeros for ones, and pairs from the other
 * end.
 *
 * There is no form for BMI2: with PDEP one can jump to the j-th close, j the opens before the last guess, until the
 * guess stands. That is quicker where the first guess is right, but there are as many as the word likes, up to 32, and
 * random words take three times as long as here.
 */
#ifndef PM_BROADWORD_WORD_H
#define PM_BROADWORD_WORD_H

#include "base/slice.h"

#define PM_L(k) (UINT64_MAX / (UINT64_MAX >> (PM_WORD_BITS - (k)))) /* L_k, 1 <= k <= 64 dividing 64 */
#define PM_H(k) (PM_L(k) << ((k)-1))                                /* H_k */
#define PM_MU(k) (UINT64_MAX / ((UINT64_C(1) << (1u << (k))) + 1))  /* µ_k, 0 <= k <= 5 */

/* ---- Counting ---- */

/* Far closes and far opens of each sub-word, in fields as wide as the sub-words. */
typedef struct pmi_broadword_far_counts {
    uint64_t close, open;
} pmi_broadword_far_counts;

/* Level 1: sub-words of two elements, first `a`, then `b`. "))" has two far closes, "((" two far opens, ")(" one of
 * each and "()" none; a field's high bit is 2 and its low bit 1. */
static inline pmi_broadword_far_counts pmi_broadword_far_counts_of_pairs(uint64_t x) {
    const uint64_t a = x & PM_MU(0), b = x >> 1 & PM_MU(0);
    const uint64_t close_open = b & ~a;
    const pmi_broadword_far_counts pairs = {(PM_MU(0) & ~(a | b)) << 1 | close_open, (a & b) << 1 | close_open};
    return pairs;
}

/*
 * From level k (sub-words of 2^k elements) to level k + 1: the bicyclic product of each sub-word and the next, in
 * parallel. Opens of the left one meet closes of the right one; what is left over of one kind is a monus,
 *     max(0, c_right - o_left),
 * and of the other kind the same less the difference. A field's top bit, free because counts are at most 2^(k+1),
 * survives the subtraction where it does not go below zero, and is then widened to a mask of the bits under it.
 */
static inline pmi_broadword_far_counts pmi_broadword_far_counts_double(pmi_broadword_far_counts level, unsigned k) {
    const unsigned half = 1u << k, width = 2 * half;
    const uint64_t close_left = level.close & PM_MU(k), close_right = level.close >> half & PM_MU(k);
    const uint64_t open_left = level.open & PM_MU(k), open_right = level.open >> half & PM_MU(k);
    const uint64_t difference = (close_right | PM_H(width)) - open_left;
    const uint64_t not_negative = difference & PM_H(width);
    const uint64_t left_over = difference & (not_negative - (not_negative >> (width - 1)));
    const pmi_broadword_far_counts doubled = {close_left + left_over,
                                              open_right + (left_over + open_left - close_right)};
    return doubled;
}

/* The word's bicyclic element: its far closes and its far opens. */
static inline pm_bic pmi_broadword_total(uint64_t x) {
    pmi_broadword_far_counts level = pmi_broadword_far_counts_of_pairs(x);
    level = pmi_broadword_far_counts_double(level, 1);
    level = pmi_broadword_far_counts_double(level, 2);
    level = pmi_broadword_far_counts_double(level, 3);
    level = pmi_broadword_far_counts_double(level, 4);
    level = pmi_broadword_far_counts_double(level, 5);
    const pm_bic total = {level.close, level.open};
    return total;
}

/* ---- Searching ---- */

/* The ones of each pair of bits, in fields of two bits. */
static inline uint64_t pmi_broadword_pair_ones(uint64_t x) {
    return x - (x >> 1 & PM_MU(0));
}

/* Of each byte, pair s (0 ... 3) alone. */
static inline uint64_t pmi_broadword_pair_of_bytes(uint64_t pairs, unsigned s) {
    return pairs >> 2 * s & 3 * PM_L(8);
}

/*
 * The pairs, of 32, after which zeros lead ones by 2 (lead + 1), 0 <= lead < 32: bit 2 i for pair i. Of the pairs
 * behind the first it says nothing. Argument p_s has in byte j the ones of pair 4j + s.
 *
 * Half the zeros' lead grows by 1 - p over a pair of p ones. It is d_s after pairs 0 ... s of a byte; over the bytes
 * before, one multiplication by L_8 sums it. In the sums `start` + d_s each field is in 0 ... 255 and is 128 where the
 * lead is just reached, so no field borrows from the next, and its top bit is the comparison.
 */
static inline uint64_t pmi_broadword_leads(uint64_t p0, uint64_t p1, uint64_t p2, uint64_t p3, unsigned lead) {
    const uint64_t d0 = PM_L(8) - p0;
    const uint64_t d1 = d0 + (PM_L(8) - p1);
    const uint64_t d2 = d1 + (PM_L(8) - p2);
    const uint64_t d3 = d2 + (PM_L(8) - p3);
    const uint64_t start = PM_H(8) - (lead + 1) * PM_L(8) + d3 * (PM_L(8) << 8);
    return ((start + d0) & PM_H(8)) >> 7 | ((start + d1) & PM_H(8)) >> 5 | ((start + d2) & PM_H(8)) >> 3 |
           ((start + d3) & PM_H(8)) >> 1;
}

/* pmi_broadword_leads() over the pairs of x, lowest first. */
static inline uint64_t pmi_broadword_leads_upwards(uint64_t x, unsigned lead) {
    const uint64_t pairs = pmi_broadword_pair_ones(x);
    return pmi_broadword_leads(pmi_broadword_pair_of_bytes(pairs, 0), pmi_broadword_pair_of_bytes(pairs, 1),
                               pmi_broadword_pair_of_bytes(pairs, 2), pmi_broadword_pair_of_bytes(pairs, 3), lead);
}

/* pmi_broadword_leads() over the pairs of x, highest first. */
static inline uint64_t pmi_broadword_leads_downwards(uint64_t x, unsigned lead) {
    const uint64_t pairs = pmi_bits_reverse_bytes(pmi_broadword_pair_ones(x));
    return pmi_broadword_leads(pmi_broadword_pair_of_bytes(pairs, 3), pmi_broadword_pair_of_bytes(pairs, 2),
                               pmi_broadword_pair_of_bytes(pairs, 1), pmi_broadword_pair_of_bytes(pairs, 0), lead);
}

/* How far it is to the first of these pairs: twice the number of pairs before it, or -1 if no pair is one. */
static inline int pmi_broadword_first_lead(uint64_t leads) {
    const uint64_t sentinel = UINT64_C(1) << 63; /* no pair is marked there; for the lowest bit of none */
    return (int)pmi_bits_lowest(leads | sentinel) | -(leads == 0);
}

/* `position`, or -1 if `distance` is: without a branch. */
static inline int pmi_broadword_position(int position, int distance) {
    return position | -(distance < 0);
}

/*
 * Where the k-th far close is, from the lowest, 0 <= k < 64: k % 2 + the lowest bit of these, and nowhere if there is
 * none. For even k the word is moved up by a bit, so that candidates end pairs; the zero that comes in makes up for the
 * odd length (k + 1 closes more, and one zero, are 2 (k/2 + 1)).
 */
static inline uint64_t pmi_broadword_far_closes(uint64_t x, unsigned k) {
    return pmi_broadword_leads_upwards(x << (~k & 1), k / 2);
}

/* Where the k-th far open is, from the highest: its distance below bit 63, as above. */
static inline uint64_t pmi_broadword_far_opens(uint64_t x, unsigned k) {
    return pmi_broadword_leads_downwards(~x >> (~k & 1), k / 2);
}

/* The k-th far close, from the lowest, 0 <= k < 64; -1 if there are fewer. */
static inline int pmi_broadword_find_far_close(uint64_t x, unsigned k) {
    const int distance = pmi_broadword_first_lead(pmi_broadword_far_closes(x, k));
    return pmi_broadword_position((int)(k & 1) + distance, distance);
}

/* The k-th far open, from the highest, 0 <= k < 64; -1 if there are fewer. */
static inline int pmi_broadword_find_far_open(uint64_t x, unsigned k) {
    const int distance = pmi_broadword_first_lead(pmi_broadword_far_opens(x, k));
    return pmi_broadword_position(63 - (int)(k & 1) - distance, distance);
}

/* The match of an open at i, 0 <= i < 64: far close 0 of what is above it. Opens come in behind the word's end. */
static inline int pmi_broadword_find_close(uint64_t x, unsigned i) {
    const int distance = pmi_broadword_first_lead(pmi_broadword_leads_upwards(~(~x >> i) & ~UINT64_C(1), 0));
    return pmi_broadword_position((int)i + 1 + distance, distance);
}

/* What is on top of the stack before i, 0 <= i < 64: far open 0 of what is below it. Closes come in below the word. */
static inline int pmi_broadword_enclose(uint64_t x, unsigned i) {
    const int distance = pmi_broadword_first_lead(pmi_broadword_leads_downwards(~(x << (63 - i)) & UINT64_MAX >> 1, 0));
    return pmi_broadword_position((int)i - 1 - distance, distance);
}

#endif
