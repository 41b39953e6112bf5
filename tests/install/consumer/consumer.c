/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's program in C: matches "(())", and prints the header's version and the library's. */
#include <parenmatch.h>
#include <stdio.h>

int main(void) {
    const uint64_t parens = 3;
    uint32_t match[4];
    pm_bic total;
    if (pm_match_auto(NULL, &parens, 4, match, &total) != PM_OK)
        return 1;
    if (match[0] != PM_NONE || match[1] != 0 || match[2] != 1 || match[3] != 0 || total.close != 0 || total.open != 0)
        return 2;
    return printf("%s %s\n", PM_VERSION_STRING, pm_version_string()) < 0;
}
