/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a text or of one of its records: what is still open then, and the summary. */
#include "core/check/parts.h"

/* ---- Records ---- */

/* Reports and drops the opens; there are no readings. */
static void end_opens(pm_check *check) {
    if (check->progress.depth == 0)
        return;
    check->progress.found.unmatched.open += check->progress.depth;
    check->kinds_known = false;
    pmi_check_visit_opens(check, pmi_check_report_open);
    pmi_check_drop_opens(check);
}

void pmi_check_count_if_bad(pm_check *check) {
    const uint64_t faults = pmi_faults_of(&check->progress.found);
    check->progress.found.bad_records += faults > check->progress.faults;
    check->progress.faults = faults;
}

void pmi_check_count_record(pm_check *check, uint64_t end, uint64_t next) {
    const bool counts = check->separator != PM_RECORDS_RS || end > check->progress.record_begin;
    pmi_check_count_if_bad(check);
    check->progress.found.records += counts;
    check->progress.record_begin = next;
}

void pmi_check_end_marked_record(pm_check *check, unsigned bit) {
    const uint64_t end = pmi_text_word_offset(&check->progress.current) + bit;
    end_opens(check);
    pmi_check_count_record(check, end, end + 1);
}

/* ---- Texts ---- */

/* Reports what no reading closes. False: there is no memory. */
static bool report_lost(pm_check *check) {
    const pmi_reading *open;
    for (pmi_reading_id id = pmi_readings_finish(&check->readings); id > 0; id = open->next) {
        open = pmi_readings_at(&check->readings, id);
        check->progress.found.unmatched.open++;
        pmi_check_report_open(check, open->at, open->kind);
    }
    return !check->readings.failed;
}

bool pmi_check_end_brackets(pm_check *check) {
    check->suffix.known = false;
    if (!pmi_check_end_pending(check))
        return false;
    const bool branched = check->readings.groups.bottom || check->readings.entries.count > 0;
    check->kinds_known &= !branched;
    if (pmi_readings_empty(&check->readings) && !pmi_stack_top(&check->readings.groups))
        end_opens(check);
    else if (!pmi_check_settle(check) || !report_lost(check))
        return false;
    if (branched)
        pmi_readings_clear(&check->readings);
    return true;
}

void pmi_check_end_strings(pm_check *check) {
    uint64_t offset;
    char byte;
    if (pmi_lexer_inside(&check->reader.lexer, &offset, &byte))
        pmi_check_unterminated(check);
    pmi_lexer_restart(&check->reader.lexer);
}

static void count_bytes_and_lines(pm_check *check) {
    const pm_place end = pmi_text_word_place(&check->progress.current, check->progress.filled);
    check->progress.found.bytes = end.offset;
    check->progress.found.lines = end.line - 1 + (end.column > 1);
}

void pmi_check_summarize(pm_check *check, pm_check_summary *summary) {
    count_bytes_and_lines(check);
    pmi_check_end_strings(check);
    const uint64_t end = check->progress.found.bytes;
    if (pmi_check_has_records(check) && end > check->progress.record_begin)
        pmi_check_count_record(check, end, end);
    *summary = check->progress.found;
}
