/* SPDX-License-Identifier: Apache-2.0 */
/* pm_check of a language with delimiters: one pass over the tokens of the whole text with one stack of opens, or over
 * its tags. */
#include "core/delimiters/check.h"

#include <string.h>

#include "core/context/context.h"
#include "core/delimiters/starts.h"
#include "core/delimiters/token_scan.h"
#include "core/text/line_index.h"
#include "cpu/threads.h"

/* ---- The check ---- */

/* Faults that are reported later, if at all. */
typedef struct kept_fault {
    pm_fault fault;
    bool closes; /* `partner` is set */
    pmi_token at, partner;
} kept_fault;

#define FAULTS_KEPT ((size_t)4096) /* at most: a text with more is read again */

typedef struct kept_faults {
    kept_fault *entries;
    size_t count, room;
    bool on;  /* faults are kept */
    bool all; /* none is missing */
} kept_faults;

/* Of one text. */
typedef struct delimiters_check {
    pm_check_report report; /* NULL: none, or no more */
    void *user;
    pmi_line_index lines;
    pm_place at, partner; /* of the last fault; line 0: none */
    kept_faults kept;
    pmi_token_scan *scan;
    bool out_of_memory;
    pm_check_summary found;
} delimiters_check;

/* What is wrong with a token; and with the open that it closes, unless that is NULL. */
static void report(delimiters_check *check, pm_fault fault, const pmi_token *at, const pmi_token *partner) {
    if (!check->report)
        return;
    const char *const text = (const char *)check->lines.text;
    const uint32_t length = pmi_token_length(at);
    pm_diagnostic diagnostic = {.fault = fault, .length = length, .byte = length > 0 ? text[at->begin] : '\0'};
    bool known = pmi_line_index_find(&check->lines, at->begin, &check->at);
    diagnostic.at = check->at;
    if (partner) {
        diagnostic.partner_length = pmi_token_length(partner);
        diagnostic.partner_byte = text[partner->begin];
        known = known && pmi_line_index_find(&check->lines, partner->begin, &check->partner);
        diagnostic.partner = check->partner;
    }
    if (!known)
        check->out_of_memory = true;
    else if (check->report(&diagnostic, check->user))
        return;
    check->report = NULL;
}

/* Makes room for one more fault, if there is memory and there are not too many. */
static bool grow_kept(kept_faults *kept, const pm_allocator *allocator) {
    if (kept->count < kept->room)
        return true;
    const size_t room = kept->room > 0 ? 2 * kept->room : 16;
    kept_fault *const wider = room <= FAULTS_KEPT ? pmi_memory_allocate(allocator, room, sizeof *wider) : NULL;
    if (!wider)
        return false;
    if (kept->count > 0)
        memcpy(wider, kept->entries, kept->count * sizeof *wider);
    pmi_memory_free(allocator, kept->entries);
    kept->entries = wider;
    kept->room = room;
    return true;
}

static void keep_fault(delimiters_check *check, pm_fault fault, const pmi_token *at, const pmi_token *partner) {
    kept_faults *const kept = &check->kept;
    kept->all = kept->all && grow_kept(kept, &check->lines.allocator);
    if (kept->all)
        kept->entries[kept->count++] = (kept_fault){fault, partner != NULL, *at, partner ? *partner : *at};
}

/* Need faults to be known one by one no more? */
static void note_whether_counted(delimiters_check *check) {
    check->scan->only_counts = !check->report && !(check->kept.on && check->kept.all);
}

static bool take_fault(pm_fault fault, const pmi_token *at, const pmi_token *partner, void *user) {
    delimiters_check *const check = user;
    if (fault == PM_FAULT_UNMATCHED_CLOSE)
        check->found.unmatched.close++;
    else
        check->found.mismatched++;
    if (check->kept.on)
        keep_fault(check, fault, at, partner);
    report(check, fault, at, partner);
    note_whether_counted(check);
    return !check->out_of_memory;
}

static void report_cut(delimiters_check *check, const pmi_token_scan *scan) {
    if (scan->cut == PM_CUT_NONE)
        return;
    check->found.unterminated = 1;
    report(check, PM_FAULT_UNTERMINATED, &(pmi_token){.begin = scan->cut, .end = scan->cut_end}, NULL);
}

static void report_end(delimiters_check *check, const pmi_token_scan *scan) {
    check->found.unmatched.open = scan->opens.depth;
    for (size_t d = 0; d < scan->opens.depth && check->report; d++) {
        const pmi_open *const open = &scan->opens.entries[d];
        const size_t begin = (size_t)open->begin;
        report(check, PM_FAULT_UNMATCHED_OPEN, &(pmi_token){begin, begin + open->length, open->kind, true}, NULL);
    }
    report_cut(check, scan);
}

/* Begins the scan of texts for a check. */
static pm_status begin_scan(pmi_delimiters_check *whole, delimiters_check *check) {
    pmi_token_scan *const scan = &whole->scan;
    scan->user = check;
    check->scan = scan;
    note_whether_counted(check);
    if (scan->simd)
        return PM_OK;
    scan->pairs = whole->pairs;
    scan->fault = take_fault;
    return pmi_token_scan_begin(whole->context, scan);
}

/* `found`: what begins in the text; NULL: that is not known. */
static pm_status scan_text(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                           const pmi_text_events *found, delimiters_check *check) {
    const pm_status status = begin_scan(whole, check);
    return status == PM_OK ? pmi_token_scan_text_of(&whole->scan, text, n, found) : status;
}

/* All but lines. */
static pm_status check_some_tokens(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                                   const pmi_text_events *found, delimiters_check *check) {
    const pmi_token_scan *const scan = &whole->scan;
    check->found = (pm_check_summary){.bytes = n};
    const pm_status status = scan_text(whole, text, n, found, check);
    check->found.unmatched.close += scan->unmatched;
    check->found.mismatched += scan->mismatched;
    if (status == PM_OK)
        report_end(check, scan);
    check->found.brackets = scan->count;
    check->found.max_depth = scan->max_depth;
    return status;
}

static pm_status check_tokens(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                              delimiters_check *check) {
    const pmi_token_scan *const scan = &whole->scan;
    const pm_status status = check_some_tokens(whole, text, n, NULL, check);
    check->found.lines =
        (whole->pairs->tags.fits ? scan->newlines : pmi_newlines_count(check->lines.classifier, text, n)) +
        (n > 0 && text[n - 1] != '\n');
    return status;
}

static uint64_t faults_of(const pm_check_summary *found) {
    return found->unmatched.open + found->unmatched.close + found->mismatched + found->unterminated;
}

/* Reports what was kept of the last reading, and what it left open. */
static void report_kept(delimiters_check *check, const pmi_token_scan *scan) {
    for (size_t k = 0; k < check->kept.count && check->report; k++) {
        const kept_fault *const kept = &check->kept.entries[k];
        report(check, kept->fault, &kept->at, kept->closes ? &kept->partner : NULL);
    }
    report_end(check, scan);
}

/* Where comments may nest and a text has faults, it is read in both ways; what has fewer faults is reported. Those of
 * the first reading are kept, because mostly nothing nests. */
static pm_status check_nesting(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                               delimiters_check *check) {
    const pm_check_report reporter = check->report;
    check->report = NULL;
    check->kept.on = check->kept.all = reporter != NULL;
    whole->scan.nested = false;
    pm_status status = check_tokens(whole, text, n, check);
    check->kept.on = false;
    const pm_check_summary found = check->found;
    if (status != PM_OK || faults_of(&found) == 0)
        return status;
    const bool twice = whole->scan.holds_nested;
    if (twice) {
        whole->scan.nested = true;
        status = check_tokens(whole, text, n, check);
        whole->scan.nested = faults_of(&check->found) < faults_of(&found);
    }
    if (!whole->scan.nested)
        check->found = found;
    check->report = reporter;
    if (status != PM_OK || !reporter)
        return status;
    if (twice || !check->kept.all)
        return check_tokens(whole, text, n, check);
    report_kept(check, &whole->scan);
    return PM_OK;
}

/* ---- Tags that match by name ---- */

static pmi_token token_of(const pmi_tag *tag) {
    return (pmi_token){.begin = tag->begin, .end = tag->end};
}

static bool report_tag(pm_fault fault, const pmi_tag *at, const pmi_tag *partner, void *user) {
    delimiters_check *const check = user;
    const pmi_token token = token_of(at), open = partner ? token_of(partner) : (pmi_token){0};
    report(check, fault, &token, partner ? &open : NULL);
    return check->report != NULL;
}

static pm_status check_tags(pmi_delimiters_check *whole, const unsigned char *text, size_t n, delimiters_check *check) {
    pmi_token_scan scan = {.pairs = whole->pairs, .text = text, .n = n};
    pmi_tag_check tags = {.allocator = whole->allocator,
                          .memory = &whole->tags,
                          .report = check->report ? report_tag : NULL,
                          .user = check};
    const pmi_simd_target *const simd = pmi_simd_of(whole->context);
    const unsigned threads = n < PM_TAG_SLICES_MIN * PM_TAG_SLICE_BYTES
                                 ? 1
                                 : pmi_threads_paying(n, PM_TAG_SLICE_BYTES, pm_context_threads(whole->context));
    scan.cut = PM_CUT_NONE;
    if (!(threads > 1 ? pmi_tag_check_slices(&tags, &scan, simd, PM_TAG_SLICE_BYTES, threads)
                      : pmi_tag_check_text(&tags, &scan, simd)))
        return PM_OUT_OF_MEMORY;
    check->found = tags.found;
    report_cut(check, &scan);
    return PM_OK;
}

/* ---- Either ---- */

#define OPENS_KEPT ((size_t)4096) /* room for as many is kept for the next text */

static void release_opens(pmi_delimiters_check *whole, size_t kept) {
    if (whole->scan.opens.room > kept)
        pmi_token_scan_release_opens(&whole->scan);
    if (whole->tags.room > kept) {
        pmi_memory_free(&whole->allocator, whole->tags.opens);
        whole->tags = (pmi_tag_memory){NULL, 0};
    }
}

static pm_status check_text(pmi_delimiters_check *whole, const unsigned char *text, size_t n, pm_check_summary *found) {
    const pmi_classifier *const classifier = pmi_simd_of(whole->context)->classifier;
    delimiters_check check = {.report = whole->report,
                              .user = whole->user,
                              .lines = {.allocator = whole->allocator, .classifier = classifier, .text = text, .n = n}};
    pm_status status = (whole->pairs->tags.plain ? check_tags
                        : whole->pairs->may_nest ? check_nesting
                                                 : check_tokens)(whole, text, n, &check);
    if (check.out_of_memory)
        status = PM_OUT_OF_MEMORY;
    pmi_line_index_clear(&check.lines);
    pmi_memory_free(&whole->allocator, check.kept.entries);
    release_opens(whole, OPENS_KEPT);
    check.found.bytes = n;
    *found = check.found;
    return status;
}

/* ---- Records ---- */

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

/* What begins in the next record. */
static pmi_text_events events_of(record_reader *reader, size_t end) {
    const pmi_starts *const starts = &reader->starts;
    const size_t first = reader->event;
    while (reader->event < starts->count && starts->events[reader->event].offset < end)
        reader->event++;
    return (pmi_text_events){starts->events + first, reader->event - first, 0};
}

static void begin_lines(pmi_delimiters_check *whole, record_reader *reader) {
    pmi_token_scan *const scan = &whole->scan;
    const size_t n = pmi_text_records_next(reader->records, reader->records->count - 1);
    pmi_token_scan_begin_text(scan, &reader->room, reader->text, n);
    reader->event = 0;
    if (scan->pairs->tags.fits)
        return;
    pmi_starts_begin(&reader->starts, scan);
    pmi_starts_read(&reader->starts, 0);
}

/* Reads a record that is a line; its brackets and its depth count only if it is good. */
static pm_status check_line(pmi_delimiters_check *whole, record_reader *reader, size_t begin, size_t end,
                            delimiters_check *check) {
    pmi_token_scan *const scan = &whole->scan;
    const uint64_t count = scan->count;
    const pmi_text_events found = events_of(reader, end);
    const pm_status status = pmi_token_scan_record(scan, begin, end, &found);
    check->found.unmatched.open += scan->opens.depth;
    check->found.unmatched.close += scan->unmatched;
    check->found.mismatched += scan->mismatched;
    check->found.unterminated += scan->cut != PM_CUT_NONE;
    check->found.brackets = scan->count - count;
    check->found.max_depth = scan->max_depth;
    return status;
}

/* The last bytes of records, with what is skipped. */
static void find_bounds(const pmi_text_records *records, uint64_t bounds[PM_PIECE_WORDS]) {
    memset(bounds, 0, PM_PIECE_WORDS * sizeof *bounds);
    for (size_t r = 0; r < records->count; r++) {
        const size_t next = pmi_text_records_next(records, r);
        if (next > 0)
            bounds[(next - 1) / PM_WORD_BITS] |= UINT64_C(1) << (next - 1) % PM_WORD_BITS;
    }
}

/* Reads lines of tags that match by name. Stores how many are good: all, or it is not known of any. */
static pm_status check_plain_lines(pmi_delimiters_check *whole, const unsigned char *text,
                                   const pmi_text_records *records, pm_check_summary *found, size_t *good) {
    uint64_t bounds[PM_PIECE_WORDS];
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
    uint64_t bounds[PM_PIECE_WORDS];
    find_bounds(records, bounds);
    scan->fault = count_fault;
    scan->user = scan;
    const pm_status status = pmi_token_scan_tag_records(scan, records, bounds, good);
    scan->fault = take_fault;
    found->brackets = scan->count;
    found->max_depth = scan->max_depth;
    return status;
}

static pm_status check_record(pmi_delimiters_check *whole, record_reader *reader, size_t begin, size_t end,
                              delimiters_check *check) {
    if (reader->lines)
        return check_line(whole, reader, begin, end, check);
    const unsigned char *const text = reader->text + begin;
    return whole->pairs->tags.plain ? check_tags(whole, text, end - begin, check)
                                    : check_some_tokens(whole, text, end - begin, NULL, check);
}

static pm_status begin_records(pmi_delimiters_check *whole, record_reader *reader, delimiters_check *check) {
    whole->scan.nested = false; /* which matters to texts with faults */
    if (whole->pairs->tags.plain)
        return PM_OK;
    const pm_status status = begin_scan(whole, check);
    if (status == PM_OK && reader->lines)
        begin_lines(whole, reader);
    return status;
}

/* Reads records one after another. */
static pm_status check_each(pmi_delimiters_check *whole, record_reader *reader, delimiters_check *check,
                            pm_check_summary *found, size_t *good) {
    const pmi_text_records *const records = reader->records;
    pm_status status = PM_OK;
    for (size_t begin = 0; *good < records->count && status == PM_OK; ++*good) {
        const size_t end = records->ends[*good];
        if (end > begin) {
            status = check_record(whole, reader, begin, end, check);
            if (status != PM_OK || faults_of(&check->found) > 0)
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
    delimiters_check check = {.report = NULL};
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
    release_opens(whole, OPENS_KEPT);
    pmi_delimiters_check_reset(whole);
    return status;
}

size_t pmi_delimiters_check_together(const pmi_delimiters_check *check) {
    return check->pairs->tags.fits ? PM_PIECE_WORDS * PM_WORD_BITS : PM_STARTS_WORDS * PM_WORD_BITS;
}

/* ---- Chunks ---- */

pm_status pmi_delimiters_check_init(pmi_delimiters_check *check, pm_context *context, const pm_language *language,
                                    pm_check_report reporter, void *user) {
    *check = (pmi_delimiters_check){
        .context = context, .allocator = pm_context_allocator(context), .report = reporter, .user = user};
    return pmi_delimiters_of(context, language, &check->pairs, &check->made);
}

pmi_delimiters_text *pmi_delimiters_text_share(pmi_delimiters_text *text, size_t length) {
    if (text) {
        text->users++;
        text->shared = length > text->shared ? length : text->shared;
    }
    return text;
}

void pmi_delimiters_text_release(const pm_allocator *allocator, pmi_delimiters_text *text) {
    if (text && --text->users == 0)
        pmi_memory_free(allocator, text);
}

/* More room than is asked for, so that what goes on several times from a state saved here need not copy its text. */
#define SPARE ((size_t)4096)

bool pmi_delimiters_check_make_room(pmi_delimiters_check *check, size_t n) {
    pmi_delimiters_text *const kept = check->kept;
    const bool others_go_on = kept && kept->users > 1 && kept->shared > check->length;
    if (kept && !others_go_on && n <= kept->room - check->length)
        return true;
    if (n > SIZE_MAX / 4 - check->length)
        return false;
    const size_t twice = 2 * check->length, room = (check->length + n > twice ? check->length + n : twice) + SPARE;
    pmi_delimiters_text *const grown = pmi_memory_allocate_with(&check->allocator, sizeof *grown, room, 1);
    if (!grown)
        return false;
    *grown = (pmi_delimiters_text){.users = 1, .room = room};
    if (check->length > 0)
        memcpy(grown->bytes, kept->bytes, check->length);
    pmi_delimiters_text_release(&check->allocator, kept);
    check->kept = grown;
    return true;
}

pm_status pmi_delimiters_check_push(pmi_delimiters_check *check, const char *text, size_t n) {
    if (n == 0)
        return PM_OK;
    if (!pmi_delimiters_check_make_room(check, n))
        return PM_OUT_OF_MEMORY;
    memcpy(check->kept->bytes + check->length, text, n);
    check->length += n;
    return PM_OK;
}

pm_status pmi_delimiters_check_finish(pmi_delimiters_check *check, const char *text, size_t n,
                                      pm_check_summary *found) {
    pm_status status = PM_OK;
    if (check->length > 0) {
        status = pmi_delimiters_check_push(check, text, n);
        text = (const char *)check->kept->bytes;
        n = check->length;
    }
    return status == PM_OK ? check_text(check, (const unsigned char *)text, n, found) : status;
}

void pmi_delimiters_check_return(pmi_delimiters_check *check, pmi_delimiters_text *kept, size_t length,
                                 const pmi_open_text_saved *then) {
    if (kept)
        kept->users++;
    pmi_delimiters_text_release(&check->allocator, check->kept);
    check->kept = kept;
    check->length = length;
    pmi_open_text_return(check->open_text, then);
}

void pmi_delimiters_check_reset(pmi_delimiters_check *check) {
    pmi_delimiters_text_release(&check->allocator, check->kept);
    check->kept = NULL;
    check->length = 0;
    pmi_open_text_forget(check->open_text);
}

void pmi_delimiters_check_clear(pmi_delimiters_check *check) {
    pmi_delimiters_check_reset(check);
    pmi_open_text_destroy(check->open_text);
    check->open_text = NULL;
    if (check->scan.simd)
        pmi_token_scan_end(&check->scan);
    release_opens(check, 0);
    pmi_delimiters_destroy(check->made);
}
