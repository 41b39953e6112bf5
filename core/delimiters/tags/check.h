/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a text in a language in which all tags match by name (pmi_tag_language.plain). */
#ifndef PM_CORE_DELIMITERS_TAGS_CHECK_H
#define PM_CORE_DELIMITERS_TAGS_CHECK_H

#include "core/delimiters/tags/reader.h"

/* Kept from text to text. */
typedef struct pmi_tag_memory {
    uint64_t *opens;
    size_t room;
} pmi_tag_memory;

/* Goes through the tags of records that are read as one text. */
typedef struct pmi_tag_records {
    const pmi_text_records *records;
    const uint64_t *bounds; /* see pmi_tag_reader */
    size_t record;
    uint64_t level; /* opens of the record, minus closes */
    bool flat;      /* no tag is of two records, and each record closes what it opens */
} pmi_tag_records;

typedef struct pmi_tag_check {
    pm_allocator allocator;
    pmi_tag_memory *memory;
    /* Is told what is wrong with the tag at `at`, and which it closes (NULL: none). False: no more is to be told. */
    bool (*report)(pm_fault fault, const pmi_tag *at, const pmi_tag *partner, void *user);
    void *user;
    pmi_tag_records *records; /* NULL: the text is one */
    pm_check_summary found;   /* without bytes */
} pmi_tag_check;

#define PM_TAGS_BENEATH 1u /* entries beneath a stack, for pmi_tag_stack.opens[-1] */

/* Makes room for `count` more opens, and one. False: there is no memory. */
bool pmi_tag_check_reserve(pmi_tag_check *check, pmi_tag_stack *stack, size_t count);

/* Does the tag close, by its name, what the tag at `begin` opens? */
bool pmi_tag_closes(const pmi_token_scan *scan, size_t begin, const pmi_tag *tag);

#define PM_TAG_SLICE_BYTES ((size_t)1 << 20)
#define PM_TAG_SLICES_MIN 4u /* shorter texts are read by one thread */

/* As pmi_tag_check_text(), by at most `threads` threads. The outcome does not depend on their number, nor on the bytes
 * of a slice. */
bool pmi_tag_check_slices(pmi_tag_check *check, pmi_token_scan *scan, const pmi_simd_target *simd, size_t slice_bytes,
                          unsigned threads);

/* Checks the tags that begin from byte `at`, which is outside of tags and regions, to before `stop`; *end: where the
 * last of these tags or regions ends, if there is one. False: there is no memory. */
bool pmi_tag_check_range(pmi_tag_check *check, pmi_tag_reader *reader, pmi_token_scan *scan,
                         const pmi_simd_target *simd, pmi_tag_stack *stack, size_t at, size_t stop, size_t *end);

/* Reports what is open at the end, and sets what of check->found is not counted on the way, except for lines. */
void pmi_tag_check_finish(pmi_tag_check *check, pmi_token_scan *scan, const pmi_tag_stack *stack);

/* Checks a text of records that are lines, without reports. *good: all of them are good, and found.brackets and
 * found.max_depth are theirs. False: there is no memory. */
bool pmi_tag_check_records(pmi_tag_check *check, pmi_token_scan *scan, const pmi_simd_target *simd,
                           const pmi_text_records *records, const uint64_t *bounds, bool *good);

/* Checks the text of a scan, whose pairs, text and n are set, and whose `cut` is kept. False: there is no memory. */
bool pmi_tag_check_text(pmi_tag_check *check, pmi_token_scan *scan, const pmi_simd_target *simd);

#endif
