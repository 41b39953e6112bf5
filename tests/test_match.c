/* SPDX-License-Identifier: Apache-2.0 */
/* Matching against its second, independent formulation: match(i) is the largest j < i with P(j) < P(i). */
#include <stdlib.h>
#include <string.h>

#include "parenmatch.h"
#include "tests/cmocka_all.h"
#include "tests/families.h"

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

static match_function *const backends[] = {pm_match_seq, pm_match_auto};

/* The definition by prefix sums, quadratic; P(i) counts opens minus closes before i, without clamping. */
static void match_by_definition(const uint64_t *parens, size_t n, uint32_t *match) {
    long *prefix = malloc((n + 1) * sizeof *prefix);
    assert_non_null(prefix);
    prefix[0] = 0;
    for (size_t i = 0; i < n; i++)
        prefix[i + 1] = prefix[i] + (parens[i / 64] >> i % 64 & 1 ? 1 : -1);
    for (size_t i = 0; i < n; i++) {
        match[i] = PM_NONE;
        for (size_t j = i; j-- > 0;)
            if (prefix[j] < prefix[i]) {
                match[i] = (uint32_t)j;
                break;
            }
    }
    free(prefix);
}

static void test_every_string_to_16(void **state) {
    (void)state;
    for (size_t n = 0; n <= 16; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const uint64_t parens = bits | UINT64_MAX << n; /* junk past n */
            uint32_t expected[16], match[17];
            match_by_definition(&parens, n, expected);
            for (size_t b = 0; b < sizeof backends / sizeof *backends; b++) {
                memset(match, 0xa5, sizeof match);
                assert_int_equal(backends[b](NULL, &parens, n, match, NULL), PM_OK);
                assert_memory_equal(match, expected, n * sizeof *match);
                assert_int_equal(match[n], 0xa5a5a5a5);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_string_to_16)};
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
