/* SPDX-License-Identifier: Apache-2.0 */
/* pm_check of a language with delimiters: one pass over the tokens of the whole text with one stack of opens, or over
 * its tags. */
#include "core/delimiters/check.h"

#include <string.h>

#include "core/context/context.h"
#include "core/delimiters/check_parts.h"
#include "core/delimiters/token_scan.h"
#include "cpu/threads.h"

/* ---- The check ---- */

#define FAULTS_KEPT ((size_t)4096) /* at most: a text with more is read again */

/* What is wrong with a token; and with the open that it closes, unless that is NULL. */
static void report(pmi_text_check *check, pm_fault fault, const pmi_token *at, const pmi_token *partner) {
    if (!check->report)
        return;
    const char *const text = (const char *)check->lines.text;
    pm_diagnostic *const diagnostic = &check->diagnostic;
    bool known = pmi_line_index_find(&check->lines, at->begin, &check->at, &diagnostic->at);
    diagnostic->fault = fault;
    diagnostic->length = pmi_token_length(at);
    diagnostic->byte = diagnostic->length > 0 ? text[at->begin] : '\0';
    diagnostic->partner = (pm_place){0};
    if (partner)
        known = known && pmi_line_index_find(&check->lines, partner->begin, &check->partner, &diagnostic->partner);
    diagnostic->partner_length = partner ? pmi_token_length(partner) : 0;
    diagnostic->partner_byte = partner ? text[partner->begin] : '\0';
    if (!known)
        check->out_of_memory = true;
    else if (check->report(diagnostic, check->user))
        return;
    check->report = NULL;
}

/* Makes room for one more fault, if there is memory and there are not too many. */
static bool grow_kept(pmi_kept_faults *kept, const pm_allocator *allocator) {
    if (kept->count < kept->room)
        return true;
    const size_t room = kept->room > 0 ? 2 * kept->room : 16;
    pmi_kept_fault *const wider = room <= FAULTS_KEPT ? pmi_memory_allocate(allocator, room, sizeof *wider) : NULL;
    if (!wider)
        return false;
    if (kept->count > 0)
        memcpy(wider, kept->entries, kept->count * sizeof *wider);
    pmi_memory_free(allocator, kept->entries);
    kept->entries = wider;
    kept->room = room;
    return true;
}

static void keep_fault(pmi_text_check *check, pm_fault fault, const pmi_token *at, const pmi_token *partner) {
    pmi_kept_faults *const kept = &check->kept;
    kept->all = kept->all && grow_kept(kept, &check->lines.allocator);
    if (kept->all)
        kept->entries[kept->count++] = (pmi_kept_fault){fault, partner != NULL, *at, partner ? *partner : *at};
}

/* Need faults to be known one by one no more? */
static void note_whether_counted(pmi_text_check *check) {
    check->scan->only_counts = !check->report && !(check->kept.on && check->kept.all);
}

static bool take_fault(pm_fault fault, const pmi_token *at, const pmi_token *partner, void *user) {
    pmi_text_check *const check = user;
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

static void report_cut(pmi_text_check *check, const pmi_token_scan *scan) {
    if (scan->cut == PM_CUT_NONE)
        return;
    check->found.unterminated = 1;
    report(check, PM_FAULT_UNTERMINATED, &(pmi_token){.begin = scan->cut, .end = scan->cut_end}, NULL);
}

static void report_end(pmi_text_check *check, const pmi_token_scan *scan) {
    check->found.unmatched.open = scan->opens.depth;
    for (size_t d = 0; d < scan->opens.depth && check->report; d++) {
        const pmi_open *const open = &scan->opens.entries[d];
        const size_t begin = (size_t)open->begin;
        report(check, PM_FAULT_UNMATCHED_OPEN, &(pmi_token){begin, begin + open->length, open->kind, true}, NULL);
    }
    report_cut(check, scan);
}

pm_status pmi_text_check_begin(pmi_delimiters_check *whole, pmi_text_check *check) {
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

pm_status pmi_text_check_tokens(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                                pmi_text_check *check) {
    pmi_token_scan *const scan = &whole->scan;
    check->found = (pm_check_summary){.bytes = n};
    pm_status status = pmi_text_check_begin(whole, check);
    if (status == PM_OK)
        status = pmi_token_scan_text(scan, text, n);
    check->found.unmatched.close += scan->unmatched;
    check->found.mismatched += scan->mismatched;
    if (status == PM_OK)
        report_end(check, scan);
    check->found.brackets = scan->count;
    check->found.max_depth = scan->max_depth;
    return status;
}

/* Also counts its lines. */
static pm_status check_tokens(pmi_delimiters_check *whole, const unsigned char *text, size_t n, pmi_text_check *check) {
    const pmi_token_scan *const scan = &whole->scan;
    const pm_status status = pmi_text_check_tokens(whole, text, n, check);
    check->found.lines =
        (whole->pairs->tags.fits ? scan->newlines : pmi_newlines_count(check->lines.classifier, text, n)) +
        (n > 0 && text[n - 1] != '\n');
    return status;
}

/* Reports what was kept of the last reading, and what it left open. */
static void report_kept(pmi_text_check *check, const pmi_token_scan *scan) {
    for (size_t k = 0; k < check->kept.count && check->report; k++) {
        const pmi_kept_fault *const kept = &check->kept.entries[k];
        report(check, kept->fault, &kept->at, kept->closes ? &kept->partner : NULL);
    }
    report_end(check, scan);
}

/* Where comments may nest and a text has faults, it is read in both ways; what has fewer faults is reported. Those of
 * the first reading are kept, because mostly nothing nests. */
static pm_status check_nesting(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                               pmi_text_check *check) {
    const pmi_delimiters_report reporter = check->report;
    check->report = NULL;
    check->kept.on = check->kept.all = reporter != NULL;
    whole->scan.nested = false;
    pm_status status = check_tokens(whole, text, n, check);
    check->kept.on = false;
    const pm_check_summary found = check->found;
    if (status != PM_OK || pmi_faults_of(&found) == 0)
        return status;
    const bool twice = whole->scan.holds_nested;
    if (twice) {
        whole->scan.nested = true;
        status = check_tokens(whole, text, n, check);
        whole->scan.nested = pmi_faults_of(&check->found) < pmi_faults_of(&found);
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
    pmi_text_check *const check = user;
    const pmi_token token = token_of(at), open = partner ? token_of(partner) : (pmi_token){0};
    report(check, fault, &token, partner ? &open : NULL);
    return check->report != NULL;
}

pm_status pmi_text_check_tags(pmi_delimiters_check *whole, const unsigned char *text, size_t n, pmi_text_check *check) {
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

void pmi_delimiters_check_release_opens(pmi_delimiters_check *whole, size_t kept) {
    if (whole->scan.opens.room > kept)
        pmi_token_scan_release_opens(&whole->scan);
    if (whole->tags.room > kept) {
        pmi_memory_free(&whole->allocator, whole->tags.opens);
        whole->tags = (pmi_tag_memory){NULL, 0};
    }
}

static pm_status check_text(pmi_delimiters_check *whole, const unsigned char *text, size_t n, pm_check_summary *found) {
    const pmi_classifier *const classifier = pmi_simd_of(whole->context)->classifier;
    pmi_text_check check = {.report = whole->report,
                            .user = whole->user,
                            .lines = {.allocator = whole->allocator, .classifier = classifier, .text = text, .n = n}};
    pm_status status = (whole->pairs->tags.plain ? pmi_text_check_tags
                        : whole->pairs->may_nest ? check_nesting
                                                 : check_tokens)(whole, text, n, &check);
    if (check.out_of_memory)
        status = PM_OUT_OF_MEMORY;
    pmi_line_index_clear(&check.lines);
    pmi_memory_free(&whole->allocator, check.kept.entries);
    pmi_delimiters_check_release_opens(whole, PM_OPENS_KEPT);
    check.found.bytes = n;
    *found = check.found;
    return status;
}

/* ---- Chunks ---- */

pm_status pmi_delimiters_check_init(pmi_delimiters_check *check, pm_context *context, const pm_language *language,
                                    pmi_delimiters_report reporter, void *user) {
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
    pmi_delimiters_check_release_opens(check, 0);
    pmi_delimiters_destroy(check->made);
}
