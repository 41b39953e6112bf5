/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a text in chunks: brackets outside strings and comments, one stack of opens with their kinds and places,
 * diagnostics.
 *
 * Whole words of 64 bytes are read in bulk (core/check/chunk.c), what is shorter bracket by bracket
 * (core/check/brackets.c).
 *
 * Of a language with delimiters the whole text is read at its end (core/delimiters/check.h).
 *
 * The stack holds what was opened since the last directive that chooses a branch. What is beneath it may depend on the
 * branches taken (core/text/readings.h).
 */
#include "core/check/parts.h"

#include <string.h>

#include "base/slice.h"
#include "core/check/slices.h"
#include "core/check/suffix.h"
#include "core/context/context.h"
#include "cpu/threads.h"

void pmi_check_reset(pm_check *check) {
    pmi_lexer_clear(&check->reader.lexer);
    pmi_bracket_stack_clear(&check->opens);
    pmi_readings_clear(&check->readings);
    check->progress.current = (pmi_text_word){.run = 1, .line = 1};
    check->progress.filled = 0;
    check->progress.muted = check->report == NULL;
    check->progress.cut = (pm_diagnostic){.fault = PM_FAULT_UNTERMINATED, .at.offset = UINT64_MAX, .length = 1};
    check->progress.depth = 0;
    check->progress.found = (pm_check_summary){0};
    check->progress.record_begin = check->progress.faults = check->progress.faulty = 0;
    check->failure = PM_OK;
    check->kinds_known = false;
    pmi_check_clear_pending(check);
    check->suffix.known = false;
    pmi_rests_clear(&check->rests, &check->allocator);
}

static pm_status init_brackets(pm_check *check, pm_context *context, const pm_language *language,
                               const pm_alphabet *alphabet) {
    if (!alphabet)
        alphabet = pm_language_alphabet(language);
    for (unsigned byte = 0; byte < 256; byte++)
        if (pmi_role_kind(alphabet->role[byte]) >= PM_OPEN_KINDS)
            return PM_UNSUPPORTED;
    check->alphabet = *alphabet;
    for (unsigned byte = 256; byte-- > 0;)
        if (pmi_role_is_open(alphabet->role[byte]))
            check->open_byte[pmi_role_kind(alphabet->role[byte])] = (char)byte;
        else if (alphabet->role[byte] != PM_ROLE_NEUTRAL)
            check->close_byte[pmi_role_kind(alphabet->role[byte])] = (char)byte;
    pmi_bracket_reader_init(&check->reader, pmi_simd_of(context)->classifier, language, &check->alphabet,
                            &check->allocator);
    check->reader.lexer.directives = &check->directives;
    pmi_bracket_stack_init(&check->opens, &check->allocator);
    pmi_readings_init(&check->readings, &check->allocator);
    pmi_check_reset(check);
    return PM_OK;
}

pm_status pm_check_create(pm_context *context, const pm_language *language, const pm_alphabet *alphabet,
                          pm_check_report report, void *user, pm_check **check) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    *check = NULL;
    if (!language || (alphabet && !pmi_alphabet_valid(alphabet)))
        return PM_INVALID_ARGUMENT;
    const bool delimited = pmi_language_has_delimiters(language);
    if (delimited && alphabet)
        return PM_UNSUPPORTED;

    const pm_allocator allocator = pm_context_allocator(context);
    pm_check *created = pmi_memory_allocate(&allocator, 1, sizeof *created);
    if (!created)
        return PM_OUT_OF_MEMORY;
    memset(created, 0, offsetof(pm_check, kinds)); /* which a first run fills */
    created->allocator = allocator;
    created->report = report;
    created->user = user;
    created->context = context;
    created->threads = pm_context_threads(context);
    created->separator = PM_RECORDS_NONE;
    created->batch_bytes = PM_CHUNK_BYTES;
    created->reader.cuts = true;
    const pm_status status = delimited ? pmi_delimiters_check_init(&created->delimiters, context, language,
                                                                   report ? pmi_check_report_delimiters : NULL, created)
                                       : init_brackets(created, context, language, alphabet);
    if (delimited && status == PM_OK)
        pmi_check_reset_delimiters(created);
    if (status == PM_OK)
        *check = created;
    else
        pmi_memory_free(&allocator, created);
    return status;
}

void pm_check_destroy(pm_check *check) {
    if (!check)
        return;
    if (check->delimiters.pairs)
        pmi_delimiters_check_clear(&check->delimiters);
    else
        pmi_check_reset(check); /* gives back what the text took */
    pmi_check_free_slots(check);
    const pm_allocator allocator = check->allocator;
    pmi_memory_free(&allocator, check);
}

/* ---- Pushes ---- */

pm_status pmi_check_read(pm_check *check, const unsigned char *bytes, size_t n) {
    for (size_t done = 0, length; done < n && check->failure == PM_OK; done += length) {
        const size_t left = n - done, room = PM_WORD_BITS - check->progress.filled;
        if (check->progress.filled > 0 || left < PM_WORD_BITS) {
            length = left < room ? left : room;
            check->failure = pmi_check_read_piece(check, bytes + done, length);
        } else {
            check->failure = pmi_check_read_chunk(check, bytes + done, left, &length);
        }
        if (check->readings.failed) /* in a close */
            check->failure = PM_OUT_OF_MEMORY;
    }
    if (check->keeps_pending)
        return check->failure;
    if (check->failure == PM_OK && !pmi_check_unfold(check))
        check->failure = PM_OUT_OF_MEMORY;
    if (check->failure != PM_OK)
        pmi_check_clear_pending(check);
    return check->failure;
}

/* Reads a long text, by as many threads as there are. */
static pm_status read_by_all(pm_check *check, const unsigned char *bytes, size_t n) {
    const unsigned threads = pmi_threads_paying(n, PM_CHECK_SLICE_BYTES_MIN, check->threads);
    const size_t even = pmi_slice_size(n, threads) / PM_WORD_BITS * PM_WORD_BITS;
    const size_t slice_bytes = even < PM_CHECK_SLICE_BYTES_MIN   ? PM_CHECK_SLICE_BYTES_MIN
                               : even > PM_CHECK_SLICE_BYTES_MAX ? PM_CHECK_SLICE_BYTES_MAX
                                                                 : even;
    return pmi_check_read_slices(check, bytes, n, slice_bytes, threads);
}

static pm_status push_brackets(pm_check *check, const unsigned char *bytes, size_t n) {
    const uint64_t faults = pmi_check_faults_of_closes(check);
    check->suffix.known = check->suffix.known && n < PM_WORD_BITS;
    const pm_status status = check->separator != PM_RECORDS_NONE ? pmi_check_push_records(check, bytes, n)
                             : n < PM_CHECK_SLICED_BYTES_MIN     ? pmi_check_read(check, bytes, n)
                                                                 : read_by_all(check, bytes, n);
    if (pmi_check_faults_of_closes(check) != faults)
        check->progress.faulty = check->reader.lexer.position;
    return status;
}

pm_status pm_check_push(pm_check *check, const char *text, size_t n) {
    if (!check || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    const unsigned char *const bytes = (const unsigned char *)text;
    if (check->delimiters.pairs)
        return check->separator != PM_RECORDS_NONE ? pmi_check_push_records(check, bytes, n)
                                                   : pmi_check_push_delimiters(check, bytes, n);
    return push_brackets(check, bytes, n);
}

/* ---- The end */

pm_status pm_check_text(pm_check *check, const char *text, size_t n, pm_check_summary *summary) {
    if (!check || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    if (check->delimiters.pairs && check->separator == PM_RECORDS_NONE)
        return pmi_check_finish_delimiters(check, (const unsigned char *)text, n, summary);
    if (check->repairs && !pmi_check_is_begun(check) && check->separator == PM_RECORDS_NONE)
        return pmi_check_text_repaired(check, text, n, summary);
    check->keeps_pending = check->separator == PM_RECORDS_NONE;
    pm_check_push(check, text, n); /* of which the finish returns a failure */
    check->keeps_pending = false;
    return pm_check_finish(check, summary);
}

pm_status pm_check_finish(pm_check *check, pm_check_summary *summary) {
    if (!check)
        return PM_INVALID_ARGUMENT;
    if (check->delimiters.pairs)
        return pmi_check_finish_delimiters(check, NULL, 0, summary);
    pm_status status = check->failure;
    if (status == PM_OK && !pmi_check_end_brackets(check))
        status = PM_OUT_OF_MEMORY;
    if (status == PM_OK) {
        pm_check_summary found;
        pmi_check_summarize(check, summary ? summary : &found);
    }
    pmi_check_reset(check);
    return status;
}
