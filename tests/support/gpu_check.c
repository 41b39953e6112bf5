/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs as words, and the comparison with the oracle. */
#include "tests/support/gpu_check.h"

#include <stdlib.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

enum {
    CANARY = 0x5ca1ab1e
};

uint64_t *family_make(const char *name, uint64_t seed, size_t n) {
    uint64_t *parens = allocate(n / 64 + 1, sizeof *parens);
    assert_true(family_fill(name, seed, n, parens));
    return parens;
}

uint64_t *wandering_make(uint64_t *seed, size_t n) {
    uint64_t *parens = allocate(pmi_bits_words(n), sizeof *parens);
    uint64_t run = 0, kind = 0;
    for (size_t w = 0; w < pmi_bits_words(n); w++) {
        if (run-- == 0) {
            run = random_below(seed, UINT64_C(1) << random_below(seed, 10));
            kind = random_below(seed, 6);
        }
        const uint64_t a = random_next(seed), b = random_next(seed), c = random_next(seed);
        parens[w] = kind == 0   ? 0
                    : kind == 1 ? ~UINT64_C(0)
                    : kind == 2 ? a & b
                    : kind == 3 ? a | b
                    : kind == 4 ? a & (b | c)
                                : a | (b & c);
    }
    return parens;
}

void check_match(pmi_gpu *tested, const uint64_t *parens, size_t n, const char *what) {
    uint32_t *const expected = allocate(n, sizeof *expected), *const around = allocate(n + 2, sizeof *around);
    pm_bic total, expected_total;
    assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
    for (size_t i = 0; i < n + 2; i++)
        around[i] = CANARY;
    assert_ok(pmi_gpu_match(tested, parens, n, around + 1, &total));
    for (size_t i = 0; i < n; i++)
        if (around[i + 1] != expected[i])
            fail_msg("%s, n = %zu: match[%zu] is %u, not %u", what, n, i, around[i + 1], expected[i]);
    if (total.close != expected_total.close || total.open != expected_total.open)
        fail_msg("%s, n = %zu: wrong total", what, n);
    if (around[0] != CANARY || around[n + 1] != CANARY)
        fail_msg("%s, n = %zu: wrote outside the output", what, n);
    free(expected);
    free(around);
}

void check_family(pmi_gpu *tested, const char *family, uint64_t seed, size_t n) {
    uint64_t *const parens = family_make(family, seed, n);
    check_match(tested, parens, n, family);
    free(parens);
}
