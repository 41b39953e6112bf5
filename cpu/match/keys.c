/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack for each key. All of them lie inside `match`, as the plain stack does (seq.c): an open's match is the next
 * open down, so a table with each key's top is all there is in addition. Nothing branches on an element, and stacks of
 * different keys do not wait for each other.
 *
 * Keys that are too large for a table are hashed into one. If that becomes too full, or many collide, the elements are
 * taken in buckets of one upper half each, which a stable sort by counting gathers. So the time is proportional to n,
 * whatever the keys are.
 */
#include "cpu/match/match.h"

#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"

#define HALF_BITS 16u
#define HALVES ((size_t)1 << HALF_BITS)
#define LOWER_HALF (HALVES - 1)

typedef struct keyed {
    const uint64_t *parens;
    const void *keys;
    size_t n;
    uint32_t *match;
    uint32_t *top; /* of each key, PM_NONE where its stack is empty */
} keyed;

/* Key i of so many bytes; a constant width leaves one load. */
static inline uint32_t key_at(const void *keys, size_t width, size_t i) {
    return width == 1   ? ((const uint8_t *)keys)[i]
           : width == 2 ? ((const uint16_t *)keys)[i]
                        : ((const uint32_t *)keys)[i];
}

/* By arithmetic, because compilers make a branch of a conditional here, which half of all elements mispredict. */
static inline uint32_t select(bool first, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & -(uint32_t)first);
}

/* An empty stack's "next one down" is read from the element itself, which has just got PM_NONE. */
static inline void match_one(const keyed *all, size_t i, uint32_t *top) {
    const uint32_t before = *top;
    all->match[i] = before;
    const uint32_t self = (uint32_t)i;
    const uint32_t below = all->match[select(before == PM_NONE, self, before)];
    *top = select(pmi_bits_get(all->parens, i), self, below);
}

static inline void match_in_table(const keyed *all, size_t width) {
    for (size_t i = 0; i < all->n; i++)
        match_one(all, i, &all->top[key_at(all->keys, width, i)]);
}

static void match_by_width(const keyed *all, size_t width) {
    if (width == 1)
        match_in_table(all, 1);
    else if (width == 2)
        match_in_table(all, 2);
    else
        match_in_table(all, 4);
}

/* ---- Few large keys ---- */

#define PROBES_MOST 16u

/* The place of a key in a table of HALVES keys, HALVES if there is none. Unused places hold 0, and key 0 has place 0.
 */
static inline uint32_t place_of(uint32_t *table, uint32_t key) {
    uint32_t place = key * UINT32_C(0x9e3779b1) >> HALF_BITS;
    for (unsigned probe = 0; probe < PROBES_MOST; probe++, place = (place + 1) % HALVES) {
        if (table[place] == key)
            return place;
        if (table[place] == 0 && place != 0) {
            table[place] = key;
            return place;
        }
    }
    return HALVES;
}

/* Returns false if a key has no place; what was matched before does no harm. */
static bool match_by_hash(const keyed *all, uint32_t *table) {
    const uint32_t *const keys = all->keys;
    memset(table, 0, HALVES * sizeof *table);
    for (size_t i = 0; i < all->n; i++) {
        const uint32_t place = place_of(table, keys[i]);
        if (place == HALVES)
            return false;
        match_one(all, i, &all->top[place]);
    }
    return true;
}

/* ---- Many large keys ---- */

/* Gathers the elements of each upper half in order. end[h] becomes the end of bucket h; it has HALVES + 1 entries. */
static void gather_buckets(const uint32_t *keys, size_t n, uint32_t *end, uint32_t *order) {
    memset(end, 0, (HALVES + 1) * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[(keys[i] >> HALF_BITS) + 1]++;
    for (size_t h = 0; h < HALVES; h++)
        end[h + 1] += end[h];
    for (size_t i = 0; i < n; i++)
        order[end[keys[i] >> HALF_BITS]++] = (uint32_t)i;
}

/* Matches the elements of one bucket, then empties their stacks. */
static void match_bucket(const keyed *all, const uint32_t *order, size_t count) {
    const uint32_t *const keys = all->keys;
    for (size_t k = 0; k < count; k++)
        match_one(all, order[k], &all->top[keys[order[k]] & LOWER_HALF]);
    for (size_t k = 0; k < count; k++)
        all->top[keys[order[k]] & LOWER_HALF] = PM_NONE;
}

static void match_in_buckets(const keyed *all, uint32_t *end, uint32_t *order) {
    memset(all->top, 0xff, HALVES * sizeof *all->top);
    gather_buckets(all->keys, all->n, end, order);
    uint32_t begin = 0;
    for (size_t h = 0; h < HALVES; h++) {
        match_bucket(all, order + begin, end[h] - begin);
        begin = end[h];
    }
}

/* ---- All of it ---- */

static inline uint32_t largest_of(const void *keys, size_t width, size_t n) {
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = key_at(keys, width, i) > largest ? key_at(keys, width, i) : largest;
    return largest;
}

static uint32_t largest_key(const void *keys, size_t width, size_t n) {
    return width == 1 ? UINT8_MAX : width == 2 ? largest_of(keys, 2, n) : largest_of(keys, 4, n);
}

pm_status pmi_seq_match_keys(const pm_allocator *allocator, const uint64_t *parens, const void *keys, size_t width,
                             size_t n, uint32_t *match) {
    const uint32_t largest = largest_key(keys, width, n);
    const bool in_table = largest < HALVES || largest < n;
    const size_t tops = in_table ? (size_t)largest + 1 : HALVES;
    uint32_t *const top = pmi_memory_allocate(allocator, in_table ? tops : tops + HALVES + 1 + n, sizeof *top);
    if (!top)
        return PM_OUT_OF_MEMORY;
    memset(top, 0xff, tops * sizeof *top);
    const keyed all = {parens, keys, n, match, top};
    if (in_table)
        match_by_width(&all, width);
    else if (!match_by_hash(&all, top + tops))
        match_in_buckets(&all, top + tops, top + tops + HALVES + 1);
    pmi_memory_free(allocator, top);
    return PM_OK;
}
