/* SPDX-License-Identifier: Apache-2.0 */
/* pm_delimiters_check(): one pass over the tokens of a text with one stack of opens; and the lines of what is wrong. */
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

typedef struct delimiters_check {
    pm_delimiters_report report; /* NULL: none, or no more */
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
    pm_delimiters_diagnostic diagnostic = {.fault = fault, .length = at.length};
    bool known = line_index_find(&check->lines, (size_t)at.begin, &diagnostic.at);
    if (partner) {
        diagnostic.partner_length = partner->length;
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

static void report_end(delimiters_check *check, const pmi_token_scan *scan) {
    check->found.unmatched.open = check->depth;
    pmi_stack_visit(&check->opens, report_open, check);
    if (scan->cut == PM_CUT_NONE)
        return;
    check->found.unterminated = 1;
    report(check, PM_FAULT_UNTERMINATED, (open_token){scan->cut, (uint32_t)(scan->cut_end - scan->cut), 0}, NULL);
}

pm_status pm_delimiters_check(pm_context *context, const pm_delimiters *pairs, const char *text, size_t n,
                              pm_delimiters_report reporter, void *user, pm_check_summary *summary) {
    if (!pairs || (n > 0 && !text))
        return PM_INVALID_ARGUMENT;
    const pm_allocator allocator = pm_context_allocator(context);
    const unsigned char *const bytes = (const unsigned char *)text;
    const pmi_classifier *const classifier = pmi_simd_of(context)->classifier;
    delimiters_check check = {.report = reporter,
                              .user = user,
                              .lines = {.allocator = allocator, .classifier = classifier, .text = bytes, .n = n}};
    pmi_token_scan scan = {.pairs = pairs, .text = bytes, .n = n, .take = take, .user = &check};
    pmi_stack_init(&check.opens, &allocator, sizeof(open_token));
    pm_status status = pmi_token_scan_run(context, &scan);
    if (status == PM_OK)
        report_end(&check, &scan);
    if (check.out_of_memory)
        status = PM_OUT_OF_MEMORY;
    pmi_stack_clear(&check.opens);
    pmi_memory_free(&allocator, check.lines.blocks);
    if (status == PM_OK && summary) {
        check.found.bytes = n;
        check.found.lines = count_newlines(classifier, bytes, n) + (n > 0 && bytes[n - 1] != '\n');
        *summary = check.found;
    }
    return status;
}
