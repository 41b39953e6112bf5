/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of records. */
#include "core/records/record_batch.h"

#include <string.h>

static void fill_text(pmi_record_batch *batch, const unsigned char *text, size_t n) {
    if (n > 0) /* else text may be NULL */
        memcpy(batch->text, text, n);
    memset(batch->text + n, 0, pmi_bits_words(n) * PM_WORD_BITS - n);
}

void pmi_record_batch_separated(pmi_record_batch *batch, const pmi_classifier *classifier, unsigned char separator,
                                const unsigned char *text, size_t n) {
    const size_t words = pmi_bits_words(n);
    uint64_t separators[PM_CHUNK_WORDS];
    size_t count = 0;
    fill_text(batch, text, n);
    classifier->find(separator, batch->text, words, separators, NULL);
    for (size_t w = 0; w < words; w++)
        for (uint64_t rest = separators[w]; rest != 0; rest &= rest - 1) {
            const size_t end = w * PM_WORD_BITS + pmi_bits_lowest(rest);
            if (end < n) /* zeros behind the text are no separators */
                batch->ends[count++] = (uint16_t)end;
        }
    batch->records = (pmi_text_records){batch->ends, count, 1};
}

void pmi_record_batch_listed(pmi_record_batch *batch, const unsigned char *text, const uint64_t *offsets, size_t count,
                             size_t n) {
    size_t fitting = 0;
    while (fitting < count && fitting < PM_CHUNK_BYTES && offsets[fitting + 1] - offsets[0] <= n) {
        batch->ends[fitting] = (uint16_t)(offsets[fitting + 1] - offsets[0]);
        fitting++;
    }
    batch->records = (pmi_text_records){batch->ends, fitting, 0};
    if (fitting > 0)
        fill_text(batch, text ? text + offsets[0] : NULL, pmi_record_batch_bytes(batch));
}
