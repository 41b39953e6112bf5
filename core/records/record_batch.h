/* SPDX-License-Identifier: Apache-2.0 */
/* Whole records of a text, copied as they follow each other, for pmi_bracket_reader_records(). */
#ifndef PM_CORE_RECORDS_RECORD_BATCH_H
#define PM_CORE_RECORDS_RECORD_BATCH_H

#include "core/delimiters/check.h"
#include "core/text/bracket_masks.h"

#define PM_RECORDS_MOST PM_CHUNK_BYTES /* in a batch */

typedef struct pmi_record_batch {
    pmi_text_records records;
    uint16_t ends[PM_RECORDS_MOST];
    unsigned char text[PM_RECORDS_BYTES + PM_RECORDS_SLACK]; /* with newlines as separators; behind it zeros to the end
                                                                of its last word, and PM_RECORDS_SLACK more */
    const unsigned char *original;                           /* what that is a copy of */
    uint64_t
        replaced[PM_RECORDS_BYTES / PM_WORD_BITS]; /* separators of its words that are no newlines; if `replaces` */
    bool replaces;
} pmi_record_batch;

/* The bytes of the records, with what is skipped behind each. */
static inline size_t pmi_record_batch_bytes(const pmi_record_batch *batch) {
    const pmi_text_records *const records = &batch->records;
    return records->count > 0 ? pmi_text_records_next(records, records->count - 1) : 0;
}

/* Takes the records that end in a text's first n <= PM_RECORDS_BYTES bytes with a separator. */
void pmi_record_batch_separated(pmi_record_batch *batch, const pmi_classifier *classifier, unsigned char separator,
                                const unsigned char *text, size_t n);

/* Takes the first of `count` records, record r being bytes offsets[r] ... offsets[r + 1] - 1 of a text, as far as they
 * fit in n <= PM_RECORDS_BYTES bytes. */
void pmi_record_batch_listed(pmi_record_batch *batch, const unsigned char *text, const uint64_t *offsets, size_t count,
                             size_t n);

#endif
