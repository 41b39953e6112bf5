/* SPDX-License-Identifier: Apache-2.0 */
/* pm_delimiters_check(): one pass over the tokens of a text with one stack of opens. */
#include "base/stack.h"
#include "core/context/context.h"
#include "core/delimiters/line_index.h"
#include "core/delimiters/structure.h"

typedef struct open_token {
    uint64_t begin;
    uint32_t length, kind;
} open_token;

typedef struct structure_check {
    pm_delimiters_report report; /* NULL: none, or no more */
    void *user;
    pmi_line_index lines;
    pmi_stack opens;
    uint64_t depth;
    bool out_of_memory;
    pm_check_summary found;
} structure_check;

/* What is wrong with a token; and with the open that it closes, unless that is NULL. */
static void report(structure_check *check, pm_fault fault, open_token at, const open_token *partner) {
    if (!check->report)
        return;
    pm_delimiters_diagnostic diagnostic = {.fault = fault, .length = at.length};
    bool known = pmi_line_index_find(&check->lines, (size_t)at.begin, &diagnostic.at);
    if (partner) {
        diagnostic.partner_length = partner->length;
        known = known && pmi_line_index_find(&check->lines, (size_t)partner->begin, &diagnostic.partner);
    }
    if (!known)
        check->out_of_memory = true;
    else if (check->report(&diagnostic, check->user))
        return;
    check->report = NULL;
}

static void take_open(structure_check *check, open_token token) {
    open_token *const top = pmi_stack_push(&check->opens);
    if (!top) {
        check->out_of_memory = true;
        return;
    }
    *top = token;
    if (++check->depth > check->found.max_depth)
        check->found.max_depth = check->depth;
}

static void take_close(structure_check *check, open_token token) {
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
    structure_check *const check = user;
    check->found.brackets++;
    (token->open ? take_open : take_close)(check, (open_token){token->begin, pmi_token_length(token), token->kind});
    return !check->out_of_memory;
}

static bool report_open(const void *entry, void *user) {
    structure_check *const check = user;
    report(check, PM_FAULT_UNMATCHED_OPEN, *(const open_token *)entry, NULL);
    return check->report != NULL;
}

static void report_end(structure_check *check, const pmi_structure_scan *scan) {
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
    structure_check check = {.report = reporter,
                             .user = user,
                             .lines = {.allocator = allocator, .classifier = classifier, .text = bytes, .n = n}};
    pmi_structure_scan scan = {.pairs = pairs, .text = bytes, .n = n, .take = take, .user = &check};
    pmi_stack_init(&check.opens, &allocator, sizeof(open_token));
    pm_status status = pmi_structure_run(context, &scan);
    if (status == PM_OK)
        report_end(&check, &scan);
    if (check.out_of_memory)
        status = PM_OUT_OF_MEMORY;
    pmi_stack_clear(&check.opens);
    pmi_line_index_clear(&check.lines);
    if (status == PM_OK && summary) {
        check.found.bytes = n;
        check.found.lines = pmi_count_newlines(classifier, bytes, n) + (n > 0 && bytes[n - 1] != '\n');
        *summary = check.found;
    }
    return status;
}
