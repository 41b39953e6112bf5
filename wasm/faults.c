/* SPDX-License-Identifier: Apache-2.0 */
#include "wasm/faults.h"

#include <stdlib.h>

static bool grow(faults *faults) {
    const size_t room = faults->room ? 2 * faults->room : 64;
    fault *const list = realloc(faults->list, room * sizeof *list);
    if (!list)
        return false;
    faults->list = list;
    faults->room = room;
    return true;
}

static fault fault_from(const pm_diagnostic *diagnostic) {
    const bool has_partner = diagnostic->fault == PM_FAULT_KIND_MISMATCH;
    return (fault){.fault = diagnostic->fault,
                   .byte = (unsigned char)diagnostic->byte,
                   .partner_byte = (unsigned char)diagnostic->partner_byte,
                   .length = (double)diagnostic->length,
                   .offset = (double)diagnostic->at.offset,
                   .line = (double)diagnostic->at.line,
                   .column = (double)diagnostic->at.column,
                   .partner_offset = has_partner ? (double)diagnostic->partner.offset : -1,
                   .partner_line = (double)diagnostic->partner.line,
                   .partner_column = (double)diagnostic->partner.column};
}

bool pmi_js_report(const pm_diagnostic *diagnostic, void *user) {
    faults *const faults = user;
    if (faults->limit == 0)
        return false;
    if (faults->count == faults->room && !grow(faults)) {
        faults->failed = true;
        return false;
    }
    faults->list[faults->count++] = fault_from(diagnostic);
    return --faults->limit > 0;
}

summary pmi_js_summary(const pm_check_summary *from) {
    return (summary){.bytes = (double)from->bytes,
                     .lines = (double)from->lines,
                     .brackets = (double)from->brackets,
                     .max_depth = (double)from->max_depth,
                     .unmatched_closes = (double)from->unmatched.close,
                     .unmatched_opens = (double)from->unmatched.open,
                     .mismatched = (double)from->mismatched,
                     .unterminated = (double)from->unterminated};
}
