/* SPDX-License-Identifier: Apache-2.0 */
/* A sum over words in four lanes, to notice damage to a file. Steps are invertible, so one damaged word always shows;
 * several do except with a chance of 2^-64. It is no defence against malice. */
#ifndef PM_BASE_CHECKSUM_H
#define PM_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct pmi_checksum {
    uint64_t lane[4];
    uint64_t words;
} pmi_checksum;

extern const pmi_checksum pmi_checksum_empty;

/* Adds `count` words of 8 bytes. */
void pmi_checksum_words(pmi_checksum *sum, const void *words, size_t count);

/* Returns the sum. */
uint64_t pmi_checksum_end(const pmi_checksum *sum);

/* Returns the sum of these words alone. */
uint64_t pmi_checksum_of(const void *words, size_t count);

/* Adds a number to a hash, by which what is in memory is compared. */
static inline uint64_t pmi_hash_add(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
