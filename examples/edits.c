/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence that changes: types a pair of parentheses into a long sequence, with a snapshot from before. */
#include <parenmatch.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000000

int main(void) {
    uint64_t *parens = calloc(N / 64 + 1, sizeof *parens);
    pm_edit *edit = NULL, *before = NULL;
    if (!parens)
        return 1;
    for (uint64_t i = 0; i < N / 2; i++) /* (((( ... )))) */
        parens[i / 64] |= UINT64_C(1) << i % 64;
    const uint64_t pair = 1; /* "()", lowest bit first */
    int failed = pm_edit_create(NULL, parens, N, &edit) != PM_OK || pm_edit_snapshot(edit, &before) != PM_OK ||
                 pm_edit_replace(edit, 1000, 0, &pair, 2) != PM_OK;
    if (!failed) {
        printf("length %llu, before %llu\n", (unsigned long long)pm_edit_length(edit),
               (unsigned long long)pm_edit_length(before));
        printf("close of 0: %llu, before %llu\n", (unsigned long long)pm_edit_find_close(edit, 0),
               (unsigned long long)pm_edit_find_close(before, 0));
        printf("close of 1000: %llu, depth %llu\n", (unsigned long long)pm_edit_find_close(edit, 1000),
               (unsigned long long)pm_edit_depth(edit, 1000));
    }
    pm_edit_destroy(before);
    pm_edit_destroy(edit);
    free(parens);
    return failed;
}
