/* SPDX-License-Identifier: Apache-2.0 */
/* pm_check_text_records of a language with delimiters: records that are lines are read as parts of one text, others one
 * after another, each as a text of its own. */
#include <string.h>

#include "core/context/context.h"
#include "core/delimiters/check_parts.h"
#include "core/delimiters/token_scan.h"
#include "core/delimiters/windows/starts.h"

/* Records of a text, and what begins in them. */
typedef struct record_reader {
    const unsigned char *text;
    const pmi_text_records *records;
    bool lines;   /* they are, and read as parts of one text */
    size_t event; /* the first one that is in no record before */
    pmi_text_room room;
    pmi_starts starts; /* of all records, if a dictionary says what begins */
} record_reader;

/* Does a newline stand between any two records, and does none begin with a byte order mark? */
static bool are_lines(const record_reader *reader) {
    for (size_t r = 0, begin = 0, next; r < reader->records->count; r++, begin = next) {
        next = pmi_text_records_next(reader->records, r);
        if (next > begin && (reader->text[next - 1] != '\n' || reader->text[begin] == 0xef))
            return false;
    }
    return true;
}

/* Finds what begins in the next record; what begins before it is passed over. Returns false if the record is too long.
 */
static bool find_events(record_reader *reader, size_t begin, size_t end, pmi_text_events *found) {
    pmi_starts *const starts = &reader->starts;
    if (end > starts->end) {
        pmi_starts_read(starts, begin);
        reader->event = 0;
        if (end > starts->end)
            return false;
    }
    const size_t first = reader->event;
    while (reader->event < starts->count && starts->begin + starts->events[reader->event].offset < end)
        reader->event++;
    *found = (pmi_text_events){starts->events + first, reader->event - first, starts->begin};
    return true;
}

static void begin_lines(pmi_delimiters_check *whole, record_reader *reader) {
    pmi_token_scan *const scan = &whole->scan;
    const size_t n = pmi_text_records_next(reader->records, reader->records->count - 1);
    if (scan->pairs->tags.fits) { /* so that the last tags are read by words, too */
        pmi_token_scan_begin_text(scan, &reader->room, reader->text, n + PM_RECORDS_SLACK);
        return;
    }
    pmi_token_scan_begin_text(scan, &reader->room, reader->text, n);
    scan->more = PM_RECORDS_SLACK;
    reader->event = 0;
    pmi_starts_begin(&reader->starts, scan);
    reader->starts.end = 0; /* nothing is read yet */
}

/* Reads a record that is a line; its brackets and its depth count only if it is good. */
static pm_status check_line(pmi_delimiters_check *whole, size_t begin, size_t end, const pmi_text_events *found,
                            pmi_text_check *check) {
    pmi_token_scan *const scan = &whole->scan;
    const uint64_t count = scan->count;
    const pm_status status = pmi_token_scan_record(scan, begin, end, found);
    check->found.unmatched.open += scan->opens.depth;
    check->found.unmatched.close += scan->unmatched;
    check->found.mismatched += scan->mismatched;
    check->found.unterminated += scan->cut != PM_CUT_NONE;
    check->found.brackets = scan->count - count;
    check->found.max_depth = scan->max_depth;
    return status;
}

#define BOUNDS ((PM_RECORDS_BYTES + PM_RECORDS_SLACK) / PM_WORD_BITS)

/* The last bytes of records, with what is skipped. */
static void find_bounds(const pmi_text_records *records, uint64_t bounds[BOUNDS]) {
    memset(bounds, 0, BOUNDS * sizeof *bounds);
    for (size_t r = 0; r < records->count; r++) {
        const size_t next = pmi_text_records_next(records, r);
        if (next > 0)
            bounds[(next - 1) / PM_WORD_BITS] |= UINT64_C(1) << (next - 1) % PM_WORD_BITS;
    }
}

/* Reads lines of tags that match by name. Stores how many are good: all, or it is not known of any. */
static pm_status check_plain_lines(pmi_delimiters_check *whole, const unsigned char *text,
                                   const pmi_text_records *records, pm_check_summary *found, size_t *good) {
    uint64_t bounds[BOUNDS];
    pmi_token_scan scan = {
        .pairs = whole->pairs, .text = text, .n = pmi_text_records_next(records, records->count - 1)};
    pmi_tag_check tags = {.allocator = whole->allocator, .memory = &whole->tags};
    bool all;
    find_bounds(records, bounds);
    if (!pmi_tag_check_records(&tags, &scan, pmi_simd_of(whole->context), records, bounds, &all))
        return PM_OUT_OF_MEMORY;
    if (!all)
        return PM_OK;
    *good = records->count;
    found->brackets = tags.found.brackets;
    found->max_depth = tags.found.max_depth;
    return PM_OK;
}

/* Counts a fault of a record, which is enough to read it again. */
static bool count_fault(pm_fault fault, const pmi_token *at, const pmi_token *partner, void *user) {
    pmi_token_scan *const scan = user;
    (void)fault;
    (void)at;
    (void)partner;
    scan->unmatched++;
    return true;
}

/* Reads lines of other tags. */
static pm_status check_tag_lines(pmi_delimiters_check *whole, const pmi_text_records *records, pm_check_summary *found,
                                 size_t *good) {
    pmi_token_scan *const scan = &whole->scan;
    uint64_t bounds[BOUNDS];
    find_bounds(records, bounds);
    const pmi_token_fault take_fault = scan->fault;
    scan->fault = count_fault;
    scan->user = scan;
    const pm_status status = pmi_token_scan_tag_records(scan, records, bounds, good);
    scan->fault = take_fault;
    found->brackets = scan->count;
    found->max_depth = scan->max_depth;
    return status;
}

/* *known: the record was not too long to be read here. */
static pm_status check_record(pmi_delimiters_check *whole, record_reader *reader, size_t begin, size_t end,
                              pmi_text_check *check, bool *known) {
    pmi_text_events found;
    *known = !reader->lines || find_events(reader, begin, end, &found);
    if (!*known)
        return PM_OK;
    if (reader->lines)
        return check_line(whole, begin, end, &found, check);
    const unsigned char *const text = reader->text + begin;
    return whole->pairs->tags.plain ? pmi_text_check_tags(whole, text, end - begin, check)
                                    : pmi_text_check_tokens(whole, text, end - begin, check);
}

static pm_status begin_records(pmi_delimiters_check *whole, record_reader *reader, pmi_text_check *check) {
    whole->scan.nested = false; /* which matters to texts with faults */
    if (whole->pairs->tags.plain)
        return PM_OK;
    const pm_status status = pmi_text_check_begin(whole, check);
    if (status == PM_OK && reader->lines)
        begin_lines(whole, reader);
    return status;
}

/* Reads records one after another. */
static pm_status check_each(pmi_delimiters_check *whole, record_reader *reader, pmi_text_check *check,
                            pm_check_summary *found, size_t *good) {
    const pmi_text_records *const records = reader->records;
    pm_status status = PM_OK;
    for (size_t begin = 0; *good < records->count && status == PM_OK; ++*good) {
        const size_t end = records->ends[*good];
        if (end > begin) {
            bool known;
            status = check_record(whole, reader, begin, end, check, &known);
            if (status != PM_OK || !known || pmi_faults_of(&check->found) > 0)
                break;
            found->brackets += check->found.brackets;
            found->max_depth = check->found.max_depth > found->max_depth ? check->found.max_depth : found->max_depth;
        }
        begin = pmi_text_records_next(records, *good);
    }
    return status;
}

pm_status pmi_delimiters_check_records(pmi_delimiters_check *whole, const unsigned char *text,
                                       const pmi_text_records *records, pm_check_summary *found, size_t *good) {
    const pmi_tag_language *const tags = &whole->pairs->tags;
    pmi_text_check check = {.report = NULL};
    record_reader reader; /* not initialised: most of it is not used most of the time */
    reader.text = text;
    reader.records = records;
    reader.lines = (whole->pairs->newlines_apart || tags->fits) && are_lines(&reader);
    *good = 0;
    *found = (pm_check_summary){.bytes = 0};
    pm_status status = begin_records(whole, &reader, &check);
    if (status == PM_OK && reader.lines && tags->plain)
        status = check_plain_lines(whole, text, records, found, good);
    else if (status == PM_OK && reader.lines && tags->fits)
        status = check_tag_lines(whole, records, found, good);
    reader.lines &= !tags->plain;
    if (status == PM_OK && !(reader.lines && tags->fits))
        status = check_each(whole, &reader, &check, found, good);
    if (reader.lines)
        pmi_token_scan_end_text(&whole->scan);
    pmi_delimiters_check_release_opens(whole, PM_OPENS_KEPT);
    pmi_delimiters_check_reset(whole);
    return status;
}

size_t pmi_delimiters_check_together(const pmi_delimiters_check *check) {
    const struct pmi_delimiters *const pairs = check->pairs;
    if (pairs->tags.plain) /* where one bad record has all others read again */
        return PM_PIECE_WORDS * PM_WORD_BITS;
    return pairs->tags.fits || pairs->newlines_apart ? PM_RECORDS_BYTES : PM_STARTS_WORDS * PM_WORD_BITS;
}
