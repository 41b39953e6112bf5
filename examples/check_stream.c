/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the brackets of a JSON text that arrives in chunks on standard input, and says in its own words what is wrong.
 */
#include <inttypes.h>
#include <parenmatch.h>
#include <stdio.h>

static bool report(const pm_diagnostic *diagnostic, void *user) {
    static const char *const faults[] = {[PM_FAULT_UNMATCHED_CLOSE] = "closes nothing",
                                         [PM_FAULT_UNMATCHED_OPEN] = "is never closed",
                                         [PM_FAULT_KIND_MISMATCH] = "does not close",
                                         [PM_FAULT_UNTERMINATED] = "begins what never ends"};
    const pm_place *at = &diagnostic->at, *partner = &diagnostic->partner;
    FILE *out = user;
    fprintf(out, "line %" PRIu64 ", column %" PRIu64 ": '%c' %s", at->line, at->column, diagnostic->byte,
            faults[diagnostic->fault]);
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH)
        fprintf(out, " the '%c' of line %" PRIu64 ", column %" PRIu64, diagnostic->partner_byte, partner->line,
                partner->column);
    fputs(".\n", out);
    return true; /* tell me more */
}

int main(void) {
    pm_check *check;
    pm_status status = pm_check_create(NULL, pm_language_by_name("json"), NULL, report, stdout, &check);
    if (status != PM_OK) {
        fprintf(stderr, "%s\n", pm_status_string(status));
        return 1;
    }
    char chunk[16]; /* far too small, to show that a fault does not care where a chunk ends */
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, stdin)) > 0;)
        pm_check_push(check, chunk, n); /* a failure is remembered until the end */
    pm_check_summary summary;
    status = pm_check_finish(check, &summary);
    pm_check_destroy(check);
    if (status != PM_OK) {
        fprintf(stderr, "%s\n", pm_status_string(status));
        return 1;
    }
    printf("%" PRIu64 " brackets in %" PRIu64 " lines, %" PRIu64 " open at most.\n", summary.brackets, summary.lines,
           summary.max_depth);
    return 0;
}
