/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sum over words in four lanes, to notice damage to a file. What a step does to its lane can be undone, so that one
 * damaged word always shows; more of them do but for a chance of 2^-64. No defence against malice.
 */
#ifndef PM_BASE_CHECKSUM_H
#define PM_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct pmi_checksum {
    uint64_t lane[4];
    uint64_t words;
} pmi_checksum;

extern const pmi_checksum pmi_checksum_empty;

/* Goes on with `count` words of 8 bytes, of whatever the bytes are. */
void pmi_checksum_words(pmi_checksum *sum, const void *words, size_t count);

/* What it comes to. */
uint64_t pmi_checksum_end(const pmi_checksum *sum);

/* The sum of these words alone. */
uint64_t pmi_checksum_of(const void *words, size_t count);

#endif
