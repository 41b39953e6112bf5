/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a text, kept until JavaScript has read them. */
#ifndef PM_WASM_FAULTS_H
#define PM_WASM_FAULTS_H

#include <parenmatch.h>

/* Doubles alone, which JavaScript reads as one array. */
typedef struct fault {
    double fault, byte, partner_byte, length;
    double offset, line, column;
    double partner_offset, partner_line, partner_column; /* -1, 0, 0: no partner */
} fault;

typedef struct faults {
    fault *list;
    size_t count, room;
    size_t limit; /* how many more are wanted */
    bool failed;  /* there was no memory for one */
} faults;

/* As struct fault: doubles alone. */
typedef struct summary {
    double bytes, lines, brackets, max_depth, unmatched_closes, unmatched_opens, mismatched, unterminated;
} summary;

/* A pm_check_report; user is a struct faults. */
bool pmi_js_report(const pm_diagnostic *diagnostic, void *user);

summary pmi_js_summary(const pm_check_summary *from);

#endif
