/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mistakes behind the faults of a text. One missing bracket can make many faults, often far from where it is
 * missing. If there is a likely repair, each of its changes is a mistake, and the bracket that it concerns is reported
 * instead of all faults.
 */
#include "core/check/parts.h"
#include "parenmatch/repair.h"

/* Texts of which nothing is larger are repaired in a few tenths of a second. */
#define REPAIRED_BRACKETS (UINT64_C(1) << 14)
#define REPAIRED_DEPTH UINT64_C(1000)

static uint64_t count_faults(const pm_check_summary *found) {
    return found->unmatched.close + found->unmatched.open + found->mismatched;
}

static bool brackets_are_faulty(const pm_check_summary *found) {
    return count_faults(found) > 0;
}

static bool is_small(const pm_check_summary *text) {
    return text->brackets <= REPAIRED_BRACKETS && text->max_depth <= REPAIRED_DEPTH;
}

/* Reads the whole text with another reporter; NULL: faults are only counted. */
static pm_status read_text(pm_check *check, const char *text, size_t n, pm_check_report report, void *user,
                           pm_check_summary *found) {
    const pm_check_report own = check->report;
    void *const own_user = check->user;
    check->report = report;
    check->user = user;
    check->progress.muted = !report;
    (void)pm_check_push(check, text, n); /* the finish returns its failure */
    const pm_status status = pm_check_finish(check, found);
    check->report = own;
    check->user = own_user;
    check->progress.muted = !own;
    return status;
}

/* Of equal closes side by side the last one is too much for a reader. */
static pm_place last_equal(const char *text, size_t n, pm_place at) {
    while (at.offset + 1 < n && text[at.offset + 1] == text[at.offset]) {
        at.offset++;
        at.column++;
    }
    return at;
}

/* The fault that a mistake is: of the partner of what is missing, or of what should not stand there. */
static pm_diagnostic fault_of(const pm_check *check, const char *text, const pm_repair *repair) {
    const pm_place at = repair->kind == PM_REPAIR_INSERT ? repair->partner : repair->at;
    const unsigned char byte = (unsigned char)text[at.offset];
    pm_diagnostic fault = {.fault = pmi_role_is_open(check->alphabet.role[byte]) ? PM_FAULT_UNMATCHED_OPEN
                                                                                 : PM_FAULT_UNMATCHED_CLOSE,
                           .at = at,
                           .length = 1,
                           .byte = (char)byte,
                           .has_repair = true,
                           .repair = *repair};
    if (repair->kind == PM_REPAIR_REPLACE) {
        fault.fault = PM_FAULT_KIND_MISMATCH;
        fault.partner = repair->partner;
        fault.partner_length = 1;
        fault.partner_byte = text[repair->partner.offset];
    }
    return fault;
}

/* Are all brackets that the repairs concern in the text? */
static bool name_brackets(const pm_check *check, const char *text, size_t n, const pm_repair *repairs, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const uint64_t at = repairs[k].kind == PM_REPAIR_REMOVE ? repairs[k].at.offset : repairs[k].partner.offset;
        if (at >= n || check->alphabet.role[(unsigned char)text[at]] == PM_ROLE_NEUTRAL)
            return false;
    }
    return true;
}

/* The faults that the mistakes are, in the order of their places, a bracket once. Returns their number. */
static size_t list_mistakes(const pm_check *check, const char *text, size_t n, const pm_repair *repairs, size_t count,
                            pm_diagnostic faults[PM_REPAIRS_MAX]) {
    for (size_t k = 0; k < count; k++) {
        pm_diagnostic fault = fault_of(check, text, &repairs[k]);
        if (count == 1 && repairs[k].kind == PM_REPAIR_REMOVE && fault.fault == PM_FAULT_UNMATCHED_CLOSE)
            fault.at = last_equal(text, n, fault.at);
        size_t to = k;
        for (; to > 0 && faults[to - 1].at.offset > fault.at.offset; to--)
            faults[to] = faults[to - 1];
        faults[to] = fault;
    }
    size_t distinct = 0;
    for (size_t k = 0; k < count; k++)
        if (distinct == 0 || faults[k].at.offset != faults[distinct - 1].at.offset)
            faults[distinct++] = faults[k];
    return distinct;
}

/* Returns false if the reporter wants no more. */
static bool report_each(const pm_check *check, const pm_diagnostic *faults, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!check->report(&faults[k], check->user))
            return false;
    return true;
}

/* What check->report would be given. */
typedef struct own_report {
    pm_check_report report;
    void *user;
} own_report;

static bool report_unterminated(const pm_diagnostic *diagnostic, void *user) {
    const own_report *const own = user;
    return diagnostic->fault != PM_FAULT_UNTERMINATED || own->report(diagnostic, own->user);
}

/* Reports the mistakes and what is unterminated; *known: there is a repair. */
static pm_status report_repaired(pm_check *check, const char *text, size_t n, const pm_check_summary *found,
                                 bool *known) {
    pm_repair repairs[PM_REPAIRS_MAX];
    pm_diagnostic mistakes[PM_REPAIRS_MAX];
    size_t count = 0;
    pm_status status = pm_text_repair(check->context, check->reader.lexer.language, &check->alphabet, text, n,
                                      PM_REPAIRS_MAX, repairs, &count);
    if (status != PM_OK || count == 0 || !name_brackets(check, text, n, repairs, count))
        return status;
    count = list_mistakes(check, text, n, repairs, count, mistakes);
    *known = count <= count_faults(found);
    if (!*known || !report_each(check, mistakes, count) || found->unterminated == 0)
        return status;
    own_report own = {check->report, check->user};
    pm_check_summary again;
    return read_text(check, text, n, report_unterminated, &own, &again);
}

pm_status pmi_check_text_repaired(pm_check *check, const char *text, size_t n, pm_check_summary *summary) {
    pm_check_summary found;
    pm_status status = read_text(check, text, n, NULL, NULL, &found);
    if (status != PM_OK)
        return status;
    bool known = false;
    if (check->report && brackets_are_faulty(&found) && is_small(&found))
        status = report_repaired(check, text, n, &found, &known);
    if (status == PM_TOO_LARGE)
        status = PM_OK;
    if (status == PM_OK && !known && (brackets_are_faulty(&found) || found.unterminated > 0))
        status = read_text(check, text, n, check->report, check->user, &found);
    if (status == PM_OK && summary)
        *summary = found;
    return status;
}

pm_status pm_check_set_repairs(pm_check *check, bool wanted) {
    if (!check || pmi_check_is_begun(check))
        return PM_INVALID_ARGUMENT;
    check->repairs = wanted && !check->delimiters.pairs;
    return PM_OK;
}
