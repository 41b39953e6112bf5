/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of records. */
#include "core/records/record_batch.h"

#include <string.h>

static void fill_text(pmi_record_batch *batch, const unsigned char *text, size_t n) {
    batch->original = text;
    if (n > 0) /* else text may be NULL */
        memcpy(batch->text, text, n);
    memset(batch->text + n, 0, pmi_bits_words(n) * PM_WORD_BITS - n + PM_RECORDS_SLACK);
}

void pmi_record_batch_separated(pmi_record_batch *batch, const pmi_classifier *classifier, unsigned char separator,
                                const unsigned char *text, size_t n) {
    const size_t words = pmi_bits_words(n);
    size_t count = 0;
    fill_text(batch, text, n);
    classifier->find(separator, batch->text, words, batch->replaced, NULL);
    for (size_t w = 0; w < words; w++)
        for (uint64_t rest = batch->replaced[w]; rest != 0; rest &= rest - 1) {
            const size_t end = w * PM_WORD_BITS + pmi_bits_lowest(rest);
            if (end < n && count < PM_RECORDS_MOST) /* zeros behind the text are no separators */
                batch->ends[count++] = (uint16_t)end;
        }
    batch->replaces = separator != '\n';
    for (size_t r = 0; batch->replaces && r < count; r++)
        batch->text[batch->ends[r]] = '\n'; /* what ends a line ends the same in any record */
    batch->records = (pmi_text_records){batch->ends, count, 1};
}

void pmi_record_batch_listed(pmi_record_batch *batch, const unsigned char *text, const uint64_t *offsets, size_t count,
                             size_t n) {
    size_t fitting = 0;
    while (fitting < count && fitting < PM_RECORDS_MOST && offsets[fitting + 1] - offsets[0] <= n) {
        batch->ends[fitting] = (uint16_t)(offsets[fitting + 1] - offsets[0]);
        fitting++;
    }
    batch->replaces = false;
    batch->records = (pmi_text_records){batch->ends, fitting, 0};
    if (fitting > 0)
        fill_text(batch, text ? text + offsets[0] : NULL, pmi_record_batch_bytes(batch));
}
