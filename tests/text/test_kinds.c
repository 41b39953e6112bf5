/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of two kinds: against the pairs that scanning backwards with a counter finds. */
#include <stdlib.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

#define CANARY UINT32_C(0xa5a5a5a5)

static bool is_open(const uint64_t *parens, size_t i) {
    return parens[i / 64] >> i % 64 & 1;
}

/* Is element i a close whose open, where a counter of closes comes back to 0, has another kind? */
static bool is_mismatched(const uint64_t *parens, const uint8_t *kinds, size_t i) {
    size_t owed = 0;
    for (size_t j = i + 1; j-- > 0;) {
        owed = is_open(parens, j) ? owed - 1 : owed + 1;
        if (owed == 0)
            return kinds[j] != kinds[i];
    }
    return false;
}

/* With capacities of none, one, all but one, all and one more. */
static void check_kinds(const uint64_t *parens, const uint8_t *kinds, size_t n) {
    uint32_t *match = allocate(n, sizeof *match);
    uint32_t *expected = allocate(n, sizeof *expected);
    uint32_t *out = allocate(n + 1, sizeof *out);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_open(parens, i) && is_mismatched(parens, kinds, i))
            expected[count++] = (uint32_t)i;
    assert_ok(pm_match_seq(NULL, parens, n, match, NULL));

    const size_t capacities[] = {0, 1, count > 0 ? count - 1 : 0, count, count + 1};
    for (size_t c = 0; c < COUNT_OF(capacities); c++) {
        const size_t stored = count < capacities[c] ? count : capacities[c];
        size_t found = SIZE_MAX;
        out[stored] = CANARY;
        assert_ok(pm_match_check_kinds(NULL, parens, n, match, kinds, capacities[c], out, &found));
        assert_int_equal(found, count);
        assert_memory_equal(out, expected, stored * sizeof *out);
        assert_int_equal(out[stored], CANARY);
    }
    free(match);
    free(expected);
    free(out);
}

TEST(test_every_string_of_two_kinds_to_6) {
    for (size_t n = 0; n <= 6; n++)
        for (uint64_t parens = 0; parens < UINT64_C(1) << n; parens++)
            for (unsigned coins = 0; coins < 1u << n; coins++) {
                uint8_t kinds[6];
                for (size_t i = 0; i < n; i++)
                    kinds[i] = coins >> i & 1;
                check_kinds(&parens, kinds, n);
            }
}

/* Any byte may be a kind. */
TEST(test_families) {
    static const size_t sizes[] = {63, 64, 65, 300};
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (const char *const *name = family_names; *name; name++) {
            uint64_t parens[5], seed = s;
            uint8_t kinds[300];
            assert_true(family_fill(*name, s, sizes[s], parens));
            for (size_t i = 0; i < sizes[s]; i++)
                kinds[i] = random_below(&seed, 4) ? 255 : (uint8_t)random_next(&seed);
            check_kinds(parens, kinds, sizes[s]);
        }
}

TEST(test_arguments) {
    const uint64_t parens = 1;
    const uint32_t match[2] = {PM_NONE, 0}, self[2] = {PM_NONE, 1}, far[2] = {PM_NONE, PM_NONE - 1};
    const uint8_t kinds[2] = {0, 1};
    uint32_t out[2];
    size_t found = SIZE_MAX;
    assert_ok(pm_match_check_kinds(NULL, NULL, 0, NULL, NULL, 0, NULL, &found));
    assert_int_equal(found, 0);
    assert_invalid(pm_match_check_kinds(NULL, NULL, 0, NULL, NULL, 0, NULL, NULL));
    assert_invalid(pm_match_check_kinds(NULL, &parens, 2, match, kinds, 2, out, NULL));
    assert_invalid(pm_match_check_kinds(NULL, NULL, 2, match, kinds, 2, out, &found));
    assert_invalid(pm_match_check_kinds(NULL, &parens, 2, NULL, kinds, 2, out, &found));
    assert_invalid(pm_match_check_kinds(NULL, &parens, 2, match, NULL, 2, out, &found));
    assert_invalid(pm_match_check_kinds(NULL, &parens, 2, match, kinds, 2, NULL, &found));
    assert_invalid(pm_match_check_kinds(NULL, &parens, 2, self, kinds, 2, out, &found));
    assert_invalid(pm_match_check_kinds(NULL, &parens, 2, far, kinds, 2, out, &found));
    assert_int_equal(pm_match_check_kinds(NULL, &parens, (size_t)UINT32_MAX + 1, match, kinds, 2, out, &found),
                     PM_TOO_LARGE);
    assert_ok(pm_match_check_kinds(NULL, &parens, 2, match, kinds, 0, NULL, &found));
    assert_int_equal(found, 1);
}
