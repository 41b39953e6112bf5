/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest use: the match of six parentheses. */
#include <parenmatch.h>
#include <stdio.h>

int main(void) {
    const uint64_t parens = 0x0b; /* "(()())", lowest bit first: 1 1 0 1 0 0 */
    uint32_t match[6];
    if (pm_match_auto(NULL, &parens, 6, match, NULL) != PM_OK)
        return 1;
    for (int i = 0; i < 6; i++)
        printf("%d -> %d\n", i, (int)match[i]); /* -1: none */
    return 0;
}
