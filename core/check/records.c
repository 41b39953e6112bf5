/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in records. A separator is found by a byte search; at it the current record ends, and all that a text changes
 * in the check is put back, while offsets and lines count on.
 *
 * Where the masks of the reader show separators outside strings, chunks are read as one text, and what ends a record
 * is one more sort of bracket, which fits where nothing is open. Only chunks with a separator in a string, which there
 * ends a record inside the string, are read record by record.
 *
 * With delimiters a record is a text to the check of delimiters; its places become those of the whole text here.
 */
#include "core/check/parts.h"

#include <limits.h>
#include <string.h>

#include "core/context/context.h"

#define SEARCHED_BYTES 32768u /* at most, before they are read: they stay in the cache */

bool pmi_check_is_begun(const pm_check *check) {
    const pmi_check_progress *const progress = &check->progress;
    return check->failure != PM_OK || progress->found.records > 0 ||
           (check->delimiters.pairs ? progress->end.offset > 0 : progress->current.index > 0 || progress->filled > 0);
}

static void mark_separator(pm_check *check) {
    check->marked = pmi_bracket_reader_mark(&check->reader, (unsigned char)check->separator, true);
    if (check->marked)
        check->alphabet.role[check->separator] = PM_ROLE_RECORD_END;
}

static void unmark_separator(pm_check *check) {
    if (!check->marked)
        return;
    pmi_bracket_reader_mark(&check->reader, (unsigned char)check->separator, false);
    check->alphabet.role[check->separator] = PM_ROLE_NEUTRAL;
    check->marked = false;
}

pm_status pm_check_set_records(pm_check *check, int separator) {
    if (!check || separator < PM_RECORDS_NONE || separator > UCHAR_MAX || pmi_check_is_begun(check))
        return PM_INVALID_ARGUMENT;
    unmark_separator(check);
    check->separator = separator;
    if (separator != PM_RECORDS_NONE && !check->delimiters.pairs)
        mark_separator(check);
    return PM_OK;
}

/* ---- Delimiters ---- */

pm_place pmi_check_place(const pm_check *check, pm_place place) {
    const pm_place begin = check->progress.begin;
    return (pm_place){begin.offset + place.offset, begin.line + place.line - 1,
                      place.column + (place.line == 1 ? begin.column - 1 : 0)};
}

bool pmi_check_report_delimiters(pm_diagnostic *diagnostic, void *user) {
    pm_check *const check = user;
    if (check->progress.muted)
        return false;
    diagnostic->record = check->progress.found.records;
    diagnostic->at = pmi_check_place(check, diagnostic->at);
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH)
        diagnostic->partner = pmi_check_place(check, diagnostic->partner);
    check->progress.muted = !check->report(diagnostic, check->user);
    return !check->progress.muted;
}

void pmi_check_reset_delimiters(pm_check *check) {
    pmi_delimiters_check_reset(&check->delimiters);
    check->progress = (pmi_check_progress){.muted = !check->report, .begin = {0, 1, 1}, .end = {0, 1, 1}};
    check->failure = PM_OK;
}

/* Newlines of a text that a place goes behind. */
typedef struct newlines {
    uint64_t count;
    size_t behind_last; /* offset behind the last one; 0: no such record */
} newlines;

/* The last of up to PM_CHUNK_WORDS * 64 bytes, and how many there are. */
static newlines newlines_in(const pmi_classifier *classifier, const unsigned char *text, size_t n) {
    uint64_t masks[PM_CHUNK_WORDS];
    const size_t words = n / PM_WORD_BITS;
    newlines found = {classifier->find('\n', text, words, masks, NULL), 0};
    for (size_t w = words; w-- > 0 && found.behind_last == 0;)
        if (masks[w] != 0)
            found.behind_last = w * PM_WORD_BITS + pmi_bits_highest(masks[w]) + 1;
    for (size_t i = words * PM_WORD_BITS; i < n; i++)
        if (text[i] == '\n') {
            found.count++;
            found.behind_last = i + 1;
        }
    return found;
}

#define PIECE ((size_t)PM_CHUNK_WORDS * PM_WORD_BITS)

/* All newlines of a text, from its end on; only up to the last one if their number is known. */
static newlines newlines_of(const pmi_classifier *classifier, const unsigned char *text, size_t n,
                            const uint64_t *known) {
    newlines all = {known ? *known : 0, 0};
    for (size_t end = n; end > 0 && !(known && (all.behind_last > 0 || *known == 0));) {
        const size_t begin = end > PIECE ? end - PIECE : 0;
        const newlines found = newlines_in(classifier, text + begin, end - begin);
        if (!known)
            all.count += found.count;
        if (all.behind_last == 0 && found.count > 0)
            all.behind_last = begin + found.behind_last;
        end = begin;
    }
    return all;
}

/* Moves the place behind what was pushed. */
static void advance(pm_place *end, size_t n, newlines found) {
    end->line += found.count;
    end->column = (found.behind_last > 0 ? 1 : end->column) + (n - found.behind_last);
    end->offset += n;
}

void pmi_check_advance(pm_check *check, const unsigned char *text, size_t n) {
    const pmi_classifier *const classifier = pmi_simd_of(check->delimiters.context)->classifier;
    advance(&check->progress.end, n, newlines_of(classifier, text, n, NULL));
}

pm_status pmi_check_push_delimiters(pm_check *check, const unsigned char *text, size_t n) {
    if (check->failure == PM_OK && n > 0) {
        pmi_check_advance(check, text, n);
        check->failure = pmi_delimiters_check_push(&check->delimiters, (const char *)text, n);
    }
    return check->failure;
}

/* Checks what was pushed of a record and n more bytes, its last. */
static pm_status end_delimiters(pm_check *check, const unsigned char *text, size_t n) {
    const pmi_classifier *const classifier = pmi_simd_of(check->delimiters.context)->classifier;
    const bool whole =
        check->delimiters.length == 0; /* nothing was pushed: the newlines of the record are the text's */
    pm_check_summary record, *const found = &check->progress.found;
    const pm_status status = pmi_delimiters_check_finish(&check->delimiters, (const char *)text, n, &record);
    pmi_delimiters_check_reset(&check->delimiters);
    if (status != PM_OK)
        return status;
    if (n > 0) {
        const uint64_t count = record.lines - (text[n - 1] != '\n');
        advance(&check->progress.end, n, newlines_of(classifier, text, n, whole ? &count : NULL));
    }
    found->brackets += record.brackets;
    found->max_depth = record.max_depth > found->max_depth ? record.max_depth : found->max_depth;
    found->unmatched.close += record.unmatched.close;
    found->unmatched.open += record.unmatched.open;
    found->mismatched += record.mismatched;
    found->unterminated += record.unterminated;
    return PM_OK;
}

pm_status pmi_check_finish_delimiters(pm_check *check, const unsigned char *text, size_t n, pm_check_summary *summary) {
    pm_status status = check->failure;
    if (status == PM_OK)
        status = end_delimiters(check, text, n);
    if (status == PM_OK) {
        const pm_place end = check->progress.end;
        if (pmi_check_has_records(check) && end.offset > check->progress.record_begin)
            pmi_check_count_record(check, end.offset, end.offset);
        check->progress.found.bytes = end.offset;
        check->progress.found.lines = end.line - 1 + (end.column > 1);
        if (summary)
            *summary = check->progress.found;
    }
    pmi_check_reset_delimiters(check);
    return status;
}

/* ---- Records ---- */

/* Reads the last n bytes of a record, and ends it before `skipped` bytes of separator. */
static pm_status end_record(pm_check *check, const unsigned char *text, size_t n, size_t skipped) {
    uint64_t end;
    if (check->delimiters.pairs) {
        const pm_status status = end_delimiters(check, text, n);
        if (status != PM_OK)
            return status;
        end = check->progress.end.offset;
        if (skipped > 0)
            pmi_check_advance(check, text + n, skipped);
        check->progress.begin = check->progress.end;
    } else {
        const pm_status status = n > 0 ? pmi_check_read(check, text, n) : PM_OK;
        if (status != PM_OK)
            return status;
        if (!pmi_check_end_brackets(check))
            return PM_OUT_OF_MEMORY;
        pmi_check_end_strings(check);
        end = check->reader.lexer.position;
        if (skipped > 0 && !pmi_check_skip(check, text[n]))
            return PM_OUT_OF_MEMORY;
        check->reader.lexer.begin = check->reader.lexer.start = check->reader.lexer.position;
    }
    pmi_check_count_record(check, end, end + skipped);
    return PM_OK;
}

/* Reads up to the next separator, or as much as is searched at once; or many short records. Stores how much that was.
 */
static pm_status read_some_record(pm_check *check, const unsigned char *text, size_t n, size_t *done) {
    const pm_status failure = pmi_check_read_separated(check, text, n, done);
    if (failure != PM_OK || *done > 0)
        return failure;
    const size_t searched = n < SEARCHED_BYTES ? n : SEARCHED_BYTES;
    const unsigned char *const separator = memchr(text, check->separator, searched);
    if (separator) {
        *done = (size_t)(separator - text) + 1;
        return end_record(check, text, *done - 1, 1);
    }
    *done = searched;
    return (check->delimiters.pairs ? pmi_check_push_delimiters : pmi_check_read)(check, text, searched);
}

/* Reads the next n bytes record by record. */
static pm_status read_records(pm_check *check, const unsigned char *text, size_t n) {
    pm_status status = PM_OK;
    for (size_t done = 0, length; done < n && status == PM_OK; done += length)
        status = read_some_record(check, text + done, n - done, &length);
    return status;
}

/* How many of n bytes to read record by record before masks are tried again. */
static size_t unmasked(const pm_check *check, size_t n) {
    const size_t word = PM_WORD_BITS - check->progress.filled, wanted = word < PM_WORD_BITS ? word : PM_RUN_MAX;
    return check->marked && wanted < n ? wanted : n;
}

pm_status pmi_check_push_records(pm_check *check, const unsigned char *text, size_t n) {
    for (size_t done = 0, length; done < n && check->failure == PM_OK; done += length) {
        length = 0;
        if (check->marked)
            check->failure = pmi_check_read_marked(check, text + done, n - done, &length);
        if (length == 0 && check->failure == PM_OK) {
            length = unmasked(check, n - done);
            check->failure = read_records(check, text + done, length);
        }
    }
    return check->failure;
}

pm_status pm_check_end_record(pm_check *check) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    if (check->failure == PM_OK)
        check->failure = end_record(check, NULL, 0, 0);
    return check->failure;
}

pm_status pm_check_text_records(pm_check *check, const char *text, const uint64_t *offsets, size_t count,
                                pm_check_summary *summary) {
    if (!check || !offsets || check->separator != PM_RECORDS_NONE || pmi_check_is_begun(check) ||
        (offsets[count] > 0 && !text))
        return PM_INVALID_ARGUMENT;
    for (size_t r = 0; r < count; r++)
        if (offsets[r] > offsets[r + 1])
            return PM_INVALID_ARGUMENT;
    const unsigned char *const bytes = (const unsigned char *)text;
    for (size_t r = 0, read; r < count && check->failure == PM_OK; r += read) {
        check->failure = pmi_check_read_listed(check, bytes, offsets + r, count - r, &read);
        if (check->failure == PM_OK && read == 0) {
            check->failure =
                end_record(check, bytes ? bytes + offsets[r] : NULL, (size_t)(offsets[r + 1] - offsets[r]), 0);
            read = 1;
        }
    }
    return pm_check_finish(check, summary);
}
