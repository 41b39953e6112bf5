/* SPDX-License-Identifier: Apache-2.0 */
/* Whole records of a text, copied as they follow each other, for pmi_bracket_reader_records(). */
#ifndef PM_CORE_RECORDS_RECORD_BATCH_H
#define PM_CORE_RECORDS_RECORD_BATCH_H

#include "core/text/bracket_masks.h"

typedef struct pmi_record_batch {
    pmi_text_records records;
    uint16_t ends[PM_CHUNK_BYTES];
    unsigned char text[PM_CHUNK_BYTES]; /* with newlines as separators, and zeros to the end of its last word */
    const unsigned char *original;      /* what that is a copy of */
    uint64_t replaced[PM_CHUNK_WORDS];  /* separators of its words that are no newlines; if `replaces` */
    bool replaces;
} pmi_record_batch;

/* The bytes of the records, with what is skipped behind each. */
static inline size_t pmi_record_batch_bytes(const pmi_record_batch *batch) {
    const pmi_text_records *const records = &batch->records;
    return records->count > 0 ? pmi_text_records_next(records, records->count - 1) : 0;
}

/* Takes the records that end in a text's first n <= PM_CHUNK_BYTES bytes with a separator. */
void pmi_record_batch_separated(pmi_record_batch *batch, const pmi_classifier *classifier, unsigned char separator,
                                const unsigned char *text, size_t n);

/* Takes the first of `count` records, record r being bytes offsets[r] ... offsets[r + 1] - 1 of a text, as far as they
 * fit in n <= PM_CHUNK_BYTES bytes. */
void pmi_record_batch_listed(pmi_record_batch *batch, const unsigned char *text, const uint64_t *offsets, size_t count,
                             size_t n);

#endif
