/* SPDX-License-Identifier: Apache-2.0 */
/* The faults that a check finds: each is counted and reported. */
#include "core/check/parts.h"

static void report(pm_check *check, const pm_diagnostic *diagnostic) {
    if (check->progress.muted)
        return;
    pm_diagnostic reported = *diagnostic;
    reported.record = check->progress.found.records;
    check->progress.muted = !check->report(&reported, check->user);
}

void pmi_check_mismatch(pm_check *check, unsigned bit, char byte, pm_place open, unsigned open_kind) {
    if (check->effect) {
        pmi_effect_mismatch(check->effect, pmi_text_word_place(&check->progress.current, bit), byte, open, open_kind);
        return;
    }
    check->progress.found.mismatched++;
    if (check->progress.muted)
        return;
    report(check, &(pm_diagnostic){.fault = PM_FAULT_KIND_MISMATCH,
                                   .at = pmi_text_word_place(&check->progress.current, bit),
                                   .length = 1,
                                   .byte = byte,
                                   .partner = open,
                                   .partner_length = 1,
                                   .partner_byte = check->open_byte[open_kind]});
}

void pmi_check_unmatched_close(pm_check *check, unsigned bit, char byte) {
    check->progress.found.unmatched.close++;
    if (check->progress.muted)
        return; /* without asking for the place */
    report(check, &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_CLOSE,
                                   .at = pmi_text_word_place(&check->progress.current, bit),
                                   .length = 1,
                                   .byte = byte});
}

bool pmi_check_report_open(pm_check *check, pm_place at, unsigned kind) {
    report(check,
           &(pm_diagnostic){.fault = PM_FAULT_UNMATCHED_OPEN, .at = at, .length = 1, .byte = check->open_byte[kind]});
    return !check->progress.muted;
}

void pmi_check_unterminated(pm_check *check) {
    check->progress.found.unterminated++;
    report(check, &check->progress.cut);
}
