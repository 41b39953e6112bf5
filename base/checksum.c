/* SPDX-License-Identifier: Apache-2.0 */
/* A sum over words: xor and multiply, in four lanes that do not wait for each other. */
#include "base/checksum.h"

#include <string.h>

const pmi_checksum pmi_checksum_empty = {{1, 2, 3, 4}, 0};

static inline uint64_t mix(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return lane ^ lane >> 32;
}

static inline uint64_t word_at(const unsigned char *bytes, size_t w) {
    uint64_t word;
    memcpy(&word, bytes + w * sizeof word, sizeof word);
    return word;
}

void pmi_checksum_words(pmi_checksum *sum, const void *words, size_t count) {
    const unsigned char *const bytes = words;
    size_t w = 0;
    for (; w < count && (sum->words + w) % 4 != 0; w++)
        sum->lane[(sum->words + w) % 4] = mix(sum->lane[(sum->words + w) % 4], word_at(bytes, w));
    for (; w + 4 <= count; w += 4)
        for (size_t k = 0; k < 4; k++)
            sum->lane[k] = mix(sum->lane[k], word_at(bytes, w + k));
    for (; w < count; w++)
        sum->lane[(sum->words + w) % 4] = mix(sum->lane[(sum->words + w) % 4], word_at(bytes, w));
    sum->words += count;
}

uint64_t pmi_checksum_end(const pmi_checksum *sum) {
    uint64_t end = sum->words;
    for (size_t k = 0; k < 4; k++)
        end = mix(end, sum->lane[k]);
    return end;
}

uint64_t pmi_checksum_of(const void *words, size_t count) {
    pmi_checksum sum = pmi_checksum_empty;
    pmi_checksum_words(&sum, words, count);
    return pmi_checksum_end(&sum);
}
