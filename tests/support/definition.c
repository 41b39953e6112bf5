/* SPDX-License-Identifier: Apache-2.0 */
/* The definition, read aloud. Uses nothing of the library but its types. */
#include "tests/support/definition.h"

#include <stdlib.h>

static int bit(const uint64_t *words, size_t i) {
    return (int)(words[i / 64] >> i % 64 & 1);
}

pm_bic definition_match(const uint64_t *opens, const uint64_t *closes, size_t n, uint32_t *match) {
    int64_t *before = malloc((n + 1) * sizeof *before), lowest = 0;
    if (!before)
        abort();
    before[0] = 0;
    for (size_t i = 0; i < n; i++) {
        const int open = bit(opens, i), close = closes ? bit(closes, i) : !open;
        before[i + 1] = before[i] + open - close;
        if (before[i + 1] < lowest)
            lowest = before[i + 1];
    }
    for (size_t i = 0; i < n; i++) {
        size_t j = i;
        while (j > 0 && before[j - 1] >= before[i])
            j--;
        match[i] = j > 0 ? (uint32_t)(j - 1) : PM_NONE;
    }
    const pm_bic total = {(uint64_t)-lowest, (uint64_t)(before[n] - lowest)};
    free(before);
    return total;
}
