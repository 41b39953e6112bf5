/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's program in C: matches "(())", asks for ranks of it, and prints the header's version and the library's.
 */
#include <parenmatch.h>
#include <parenmatch/bp_view.h>
#include <stdio.h>

static int ask(const uint64_t *parens) {
    pm_bp *bp;
    pm_bp_view view;
    if (pm_bp_create(NULL, parens, 4, &bp) != PM_OK || pm_bp_view_of(bp, &view) != PM_OK)
        return 0;
    const int fine = pm_bp_view_rank_open(&view, 3) == 2 && pm_bp_view_excess(&view, 2) == 1 &&
                     pm_bp_view_is_open(&view, 1) && !pm_bp_view_is_open(&view, 2);
    pm_bp_destroy(bp);
    return fine;
}

int main(void) {
    const uint64_t parens = 3;
    uint32_t match[4];
    pm_bic total;
    if (pm_match_auto(NULL, &parens, 4, match, &total) != PM_OK)
        return 1;
    if (match[0] != PM_NONE || match[1] != 0 || match[2] != 1 || match[3] != 0 || total.close != 0 || total.open != 0)
        return 2;
    if (!ask(&parens))
        return 3;
    return printf("%s %s\n", PM_VERSION_STRING, pm_version_string()) < 0;
}
