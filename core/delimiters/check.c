/* SPDX-License-Identifier: Apache-2.0 */
/* pm_check of a language with delimiters: one pass over the tokens of the whole text with one stack of opens, or over
 * its tags; and the lines of what is wrong. */
#include "core/delimiters/check.h"

#include <string.h>

#include "base/stack.h"
#include "core/context/context.h"
#include "core/delimiters/token_scan.h"
#include "core/text/bracket_masks.h"

/* ---- Lines and columns: newlines are counted once for each block, and inside a block for each call ---- */

#define BLOCK_WORDS PM_CHUNK_WORDS
#define BLOCK (BLOCK_WORDS * PM_WORD_BITS)

typedef struct block_lines {
    size_t newlines;   /* in all blocks before */
    size_t line_start; /* of the line that the block begins in */
} block_lines;

typedef struct line_index {
    pm_allocator allocator;
    const pmi_classifier *classifier;
    const unsigned char *text;
    size_t n;
    block_lines *blocks; /* NULL: not made yet */
} line_index;

static size_t count_newlines(const pmi_classifier *classifier, const unsigned char *text, size_t n) {
    const size_t whole = n / PM_WORD_BITS;
    uint64_t masks[BLOCK_WORDS];
    size_t count = 0;
    for (size_t w = 0; w < whole; w += BLOCK_WORDS)
        count +=
            classifier->find('\n', text + w * PM_WORD_BITS, whole - w < BLOCK_WORDS ? whole - w : BLOCK_WORDS, masks);
    for (size_t i = whole * PM_WORD_BITS; i < n; i++)
        count += text[i] == '\n';
    return count;
}

/* Where the line begins that byte `end` is in, given the one that byte `begin` is in. */
static size_t line_start_at(const unsigned char *text, size_t begin, size_t end, size_t line_start) {
    for (size_t i = end; i > begin; i--)
        if (text[i - 1] == '\n')
            return i;
    return line_start;
}

static bool make_index(line_index *index) {
    const size_t count = index->n / BLOCK + 1;
    index->blocks = pmi_memory_allocate(&index->allocator, count, sizeof *index->blocks);
    if (!index->blocks)
        return false;
    block_lines at = {0, 0};
    for (size_t b = 0; b < count; b++) {
        index->blocks[b] = at;
        if (b + 1 == count)
            break;
        at.newlines += count_newlines(index->classifier, index->text + b * BLOCK, BLOCK);
        at.line_start = line_start_at(index->text, b * BLOCK, (b + 1) * BLOCK, at.line_start);
    }
    return true;
}

/* Stores line and column of byte `offset` < n, or of the text's end. Returns false if there is no memory. */
static bool line_index_find(line_index *index, size_t offset, pm_place *place) {
    if (!index->blocks && !make_index(index))
        return false;
    const size_t begin = offset / BLOCK * BLOCK;
    const block_lines block = index->blocks[offset / BLOCK];
    const size_t newlines =
        block.newlines + (offset > begin ? count_newlines(index->classifier, index->text + begin, offset - begin) : 0);
    const size_t start = line_start_at(index->text, begin, offset, block.line_start);
    *place = (pm_place){offset, newlines + 1, offset - start + 1};
    return true;
}

/* ---- The check ---- */

typedef struct open_token {
    uint64_t begin;
    uint32_t length, kind;
} open_token;

/* Of one text. */
typedef struct delimiters_check {
    pm_check_report report; /* NULL: none, or no more */
    void *user;
    line_index lines;
    pmi_stack opens;
    uint64_t depth;
    bool out_of_memory;
    pm_check_summary found;
} delimiters_check;

/* What is wrong with a token; and with the open that it closes, unless that is NULL. */
static void report(delimiters_check *check, pm_fault fault, open_token at, const open_token *partner) {
    if (!check->report)
        return;
    const char *const text = (const char *)check->lines.text;
    pm_diagnostic diagnostic = {.fault = fault, .length = at.length, .byte = at.length > 0 ? text[at.begin] : '\0'};
    bool known = line_index_find(&check->lines, (size_t)at.begin, &diagnostic.at);
    if (partner) {
        diagnostic.partner_length = partner->length;
        diagnostic.partner_byte = text[partner->begin];
        known = known && line_index_find(&check->lines, (size_t)partner->begin, &diagnostic.partner);
    }
    if (!known)
        check->out_of_memory = true;
    else if (check->report(&diagnostic, check->user))
        return;
    check->report = NULL;
}

static void take_open(delimiters_check *check, open_token token) {
    open_token *const top = pmi_stack_push(&check->opens);
    if (!top) {
        check->out_of_memory = true;
        return;
    }
    *top = token;
    if (++check->depth > check->found.max_depth)
        check->found.max_depth = check->depth;
}

static void take_close(delimiters_check *check, open_token token) {
    if (check->depth == 0) {
        check->found.unmatched.close++;
        report(check, PM_FAULT_UNMATCHED_CLOSE, token, NULL);
        return;
    }
    const open_token open = *(const open_token *)pmi_stack_top(&check->opens);
    pmi_stack_pop(&check->opens);
    check->depth--;
    if (open.kind == token.kind)
        return;
    check->found.mismatched++;
    report(check, PM_FAULT_KIND_MISMATCH, token, &open);
}

static bool take(const pmi_token *token, void *user) {
    delimiters_check *const check = user;
    check->found.brackets++;
    (token->open ? take_open : take_close)(check, (open_token){token->begin, pmi_token_length(token), token->kind});
    return !check->out_of_memory;
}

static bool report_open(const void *entry, void *user) {
    delimiters_check *const check = user;
    report(check, PM_FAULT_UNMATCHED_OPEN, *(const open_token *)entry, NULL);
    return check->report != NULL;
}

static void report_cut(delimiters_check *check, const pmi_token_scan *scan) {
    if (scan->cut == PM_CUT_NONE)
        return;
    check->found.unterminated = 1;
    report(check, PM_FAULT_UNTERMINATED, (open_token){scan->cut, (uint32_t)(scan->cut_end - scan->cut), 0}, NULL);
}

static void report_end(delimiters_check *check, const pmi_token_scan *scan) {
    check->found.unmatched.open = check->depth;
    pmi_stack_visit(&check->opens, report_open, check);
    report_cut(check, scan);
}

static pm_status scan_text(pmi_delimiters_check *whole, const unsigned char *text, size_t n, delimiters_check *check) {
    pmi_token_scan *const scan = &whole->scan;
    scan->user = check;
    if (!scan->simd) {
        scan->pairs = whole->pairs;
        scan->take = take;
        const pm_status status = pmi_token_scan_begin(whole->context, scan);
        if (status != PM_OK)
            return status;
    }
    return pmi_token_scan_text(scan, text, n);
}

static uint64_t count_lines(const pmi_classifier *classifier, const unsigned char *text, size_t n) {
    return count_newlines(classifier, text, n) + (n > 0 && text[n - 1] != '\n');
}

static pm_status check_tokens(pmi_delimiters_check *whole, const unsigned char *text, size_t n,
                              delimiters_check *check) {
    pmi_stack_init(&check->opens, &whole->allocator, sizeof(open_token));
    const pm_status status = scan_text(whole, text, n, check);
    if (status == PM_OK)
        report_end(check, &whole->scan);
    pmi_stack_clear(&check->opens);
    check->found.lines = count_lines(check->lines.classifier, text, n);
    return status;
}

/* ---- Tags that match by name ---- */

static open_token token_of(const pmi_tag *tag) {
    const pmi_token token = {.begin = tag->begin, .end = tag->end};
    return (open_token){tag->begin, pmi_token_length(&token), 0};
}

static bool report_tag(pm_fault fault, const pmi_tag *at, const pmi_tag *partner, void *user) {
    delimiters_check *const check = user;
    const open_token open = partner ? token_of(partner) : (open_token){0};
    report(check, fault, token_of(at), partner ? &open : NULL);
    return check->report != NULL;
}

static pm_status check_tags(pmi_delimiters_check *whole, const unsigned char *text, size_t n, delimiters_check *check) {
    pmi_token_scan scan = {.pairs = whole->pairs, .text = text, .n = n};
    pmi_tag_check tags = {.allocator = whole->allocator,
                          .memory = &whole->tags,
                          .report = check->report ? report_tag : NULL,
                          .user = check};
    if (!pmi_tag_check_text(&tags, &scan, pmi_simd_of(whole->context)))
        return PM_OUT_OF_MEMORY;
    check->found = tags.found;
    report_cut(check, &scan);
    return PM_OK;
}

/* ---- Either ---- */

static pm_status check_text(pmi_delimiters_check *whole, const unsigned char *text, size_t n, pm_check_summary *found) {
    const pmi_classifier *const classifier = pmi_simd_of(whole->context)->classifier;
    delimiters_check check = {.report = whole->report,
                              .user = whole->user,
                              .lines = {.allocator = whole->allocator, .classifier = classifier, .text = text, .n = n}};
    pm_status status = (whole->pairs->tags.plain ? check_tags : check_tokens)(whole, text, n, &check);
    if (check.out_of_memory)
        status = PM_OUT_OF_MEMORY;
    pmi_memory_free(&whole->allocator, check.lines.blocks);
    check.found.bytes = n;
    *found = check.found;
    return status;
}

/* ---- Chunks ---- */

pm_status pmi_delimiters_check_init(pmi_delimiters_check *check, pm_context *context, const pm_language *language,
                                    pm_check_report reporter, void *user) {
    *check = (pmi_delimiters_check){
        .context = context, .allocator = pm_context_allocator(context), .report = reporter, .user = user};
    return pmi_delimiters_of(context, language, &check->pairs, &check->made);
}

pmi_delimiters_text *pmi_delimiters_text_refer(pmi_delimiters_text *text) {
    if (text)
        text->users++;
    return text;
}

void pmi_delimiters_text_release(const pm_allocator *allocator, pmi_delimiters_text *text) {
    if (text && --text->users == 0)
        pmi_memory_free(allocator, text);
}

/* Makes room for n more bytes behind the first ones, in a text of the check's own if others use those there. */
static bool make_room(pmi_delimiters_check *check, size_t n) {
    pmi_delimiters_text *const kept = check->kept;
    const bool others_go_on = kept && kept->users > 1 && kept->filled > check->length;
    if (kept && !others_go_on && n <= kept->room - check->length)
        return true;
    if (n > SIZE_MAX / 2 - check->length)
        return false;
    const size_t twice = 2 * check->length, room = check->length + n > twice ? check->length + n : twice;
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
    if (!make_room(check, n))
        return PM_OUT_OF_MEMORY;
    memcpy(check->kept->bytes + check->length, text, n);
    check->length += n;
    check->kept->filled = check->length;
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

void pmi_delimiters_check_reset(pmi_delimiters_check *check) {
    pmi_delimiters_text_release(&check->allocator, check->kept);
    check->kept = NULL;
    check->length = 0;
}

void pmi_delimiters_check_clear(pmi_delimiters_check *check) {
    pmi_delimiters_check_reset(check);
    if (check->scan.simd)
        pmi_token_scan_end(&check->scan);
    pmi_memory_free(&check->allocator, check->tags.opens);
    pmi_delimiters_destroy(check->made);
}
