/* SPDX-License-Identifier: Apache-2.0 */
#include "core/repair/counts.h"

#include <string.h>

#include "base/memory.h"

#define ROOM_MIN ((size_t)1024)
#define COUNT_BITS 24u /* of an entry; a text has fewer tokens */
#define COUNT_MASK (((uint64_t)1 << COUNT_BITS) - 1)

uint64_t pmi_count_key(unsigned what, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t key = (uint64_t)what * UINT64_C(0x9e3779b97f4a7c15) ^ a;
    key = (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + b;
    key = (key ^ key >> 32) * UINT64_C(0x94d049bb133111eb) + c;
    key = (key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return key ^ key >> 32;
}

/* Returns the entry of a key, or the free one where it would stand. Keys that differ in their lowest COUNT_BITS alone
 * share an entry: of a million keys about one does. */
static uint64_t *find(const pmi_counts *counts, uint64_t key) {
    size_t k = key >> COUNT_BITS & counts->mask;
    while (counts->table[k] != 0 && (counts->table[k] ^ key) > COUNT_MASK)
        k = (k + 1) & counts->mask;
    return &counts->table[k];
}

/* Would the next token fill a table beyond two thirds? */
static bool fills(const pmi_counts *counts, size_t room) {
    return 3 * (counts->used + PM_COUNTS_A_TOKEN) > 2 * room;
}

bool pmi_counts_make_room(pmi_counts *counts, const pm_allocator *allocator) {
    const size_t room = counts->table ? counts->mask + 1 : 0;
    counts->full = room >= PM_COUNTS_ROOM_MAX && fills(counts, room);
    if (counts->full || !fills(counts, room))
        return true;
    pmi_counts larger = {.mask = (room > 0 ? 2 * room : ROOM_MIN) - 1};
    larger.table = pmi_memory_allocate(allocator, larger.mask + 1, sizeof *larger.table);
    if (!larger.table)
        return false;
    memset(larger.table, 0, (larger.mask + 1) * sizeof *larger.table);
    for (size_t k = 0; k < room; k++)
        if (counts->table[k] != 0)
            *find(&larger, counts->table[k]) = counts->table[k];
    pmi_memory_free(allocator, counts->table);
    counts->table = larger.table;
    counts->mask = larger.mask;
    return true;
}

void pmi_counts_add(pmi_counts *counts, uint64_t key) {
    uint64_t *const entry = find(counts, key);
    if (*entry == 0) {
        if (counts->full)
            return;
        counts->used++;
        *entry = key & ~COUNT_MASK;
    }
    ++*entry;
}

void pmi_counts_clear(pmi_counts *counts, const pm_allocator *allocator) {
    pmi_memory_free(allocator, counts->table);
    *counts = (pmi_counts){0};
}

uint32_t pmi_counts_of(const pmi_counts *counts, uint64_t key) {
    return (uint32_t)(*find(counts, key) & COUNT_MASK);
}

double pmi_counts_get(const pmi_counts *counts, uint64_t key, unsigned less) {
    const uint32_t count = pmi_counts_of(counts, key);
    return count > less ? count - less : 0;
}

double pmi_logarithm(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    bits = (bits & (UINT64_MAX >> 12)) | UINT64_C(0x3ff) << 52;
    double mantissa; /* 1 ... 2 */
    memcpy(&mantissa, &bits, sizeof mantissa);
    const double z = (mantissa - 1.4142135623730951) / (mantissa + 1.4142135623730951), square = z * z;
    return 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7))) + (exponent + 0.5) * 0.6931471805599453;
}
