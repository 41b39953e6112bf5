/* SPDX-License-Identifier: Apache-2.0 */
/* core/slice.h: bits of a word, and the laws of the bicyclic product. */
#include "core/slice.h"
#include "tests/allocate.h"
#include "tests/cmocka_all.h"
#include "tests/definition.h"
#include "tests/families.h"

static const pm_bic identity = {0, 0}, close = {1, 0}, open = {0, 1};

static void assert_bic_equal(pm_bic a, pm_bic b) {
    assert_int_equal(a.close, b.close);
    assert_int_equal(a.open, b.open);
}

static void test_bits_of_words(void **state) {
    (void)state;
    assert_int_equal(pm_bits_words(0), 0);
    assert_int_equal(pm_bits_words(1), 1);
    assert_int_equal(pm_bits_words(64), 1);
    assert_int_equal(pm_bits_words(65), 2);
    assert_int_equal(pm_bits_words(SIZE_MAX), SIZE_MAX / 64 + 1);
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t bit = UINT64_C(1) << i, words[2] = {~bit, bit};
        assert_int_equal(pm_bits_low(i), bit - 1);
        assert_int_equal(pm_bits_count(bit - 1), i);
        assert_int_equal(pm_bits_highest(bit | (bit - 1)), i);
        assert_int_equal(pm_bits_lowest(~(bit - 1)), i);
        for (unsigned j = 0; j < 64; j++) {
            assert_int_equal(pm_bits_get(words, j), i != j);
            assert_int_equal(pm_bits_get(words, 64 + j), i == j);
        }
    }
    assert_int_equal(pm_bits_low(64), UINT64_MAX);
    assert_int_equal(pm_bits_count(UINT64_MAX), 64);
}

/* The first set bit at or after i, by looking at each. */
static void test_next_bit(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 64; round++) {
        const uint64_t words[3] = {UINT64_C(1) << round, round % 3 ? random_next(&seed) : 0, UINT64_MAX << round};
        for (size_t n = 0; n <= 192; n++)
            for (size_t i = 0; i <= n + 1; i++) {
                size_t next = i < n ? i : n;
                while (next < n && !pm_bits_get(words, next))
                    next++;
                assert_int_equal(pm_bits_next(words, n, i), next);
            }
    }
}

/* A word's worth of bits from anywhere, from words that end with the last. */
static void test_bits_from(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (size_t n = 1; n <= 192; n++) {
        uint64_t *words = allocate(pm_bits_words(n), sizeof *words);
        for (size_t w = 0; w < pm_bits_words(n); w++)
            words[w] = random_next(&seed);
        for (size_t i = 0; i < n; i++) {
            const uint64_t bits = pm_bits_from(words, n, i);
            for (size_t j = 0; j < 64 && i + j < n; j++)
                assert_int_equal(pm_bits_get(&bits, j), pm_bits_get(words, i + j));
        }
        free(words);
    }
}

static void test_bicyclic_laws(void **state) {
    (void)state;
    assert_bic_equal(pm_bic_multiply(open, close), identity);
    assert_bic_equal(pm_bic_multiply(close, open), (pm_bic){1, 1});
    enum {
        SIDE = 5,
        ELEMENTS = SIDE * SIDE
    };
    for (uint64_t i = 0; i < ELEMENTS; i++) {
        const pm_bic a = {i / SIDE, i % SIDE};
        assert_bic_equal(pm_bic_multiply(a, identity), a);
        assert_bic_equal(pm_bic_multiply(identity, a), a);
        for (uint64_t j = 0; j < ELEMENTS; j++) {
            const pm_bic b = {j / SIDE, j % SIDE}, ab = pm_bic_multiply(a, b);
            for (uint64_t k = 0; k < ELEMENTS; k++) {
                const pm_bic c = {k / SIDE, k % SIDE};
                assert_bic_equal(pm_bic_multiply(ab, c), pm_bic_multiply(a, pm_bic_multiply(b, c)));
            }
        }
    }
    const uint64_t far = UINT64_C(1) << 62; /* longer than any sequence in memory, and still no overflow */
    assert_bic_equal(pm_bic_multiply((pm_bic){far, far}, (pm_bic){far, far}), (pm_bic){far, far});
    assert_bic_equal(pm_bic_multiply((pm_bic){far, 0}, (pm_bic){far, far}), (pm_bic){2 * far, far});
}

/* However a string is cut in two, the product of the parts is the element of the whole. */
static void test_product_of_parts(void **state) {
    (void)state;
    enum {
        N = 10
    };
    pm_bic elements[N + 1][1 << N];
    uint32_t match[N];
    for (unsigned n = 0; n <= N; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            elements[n][bits] = definition_match(&bits, NULL, n, match);
    for (uint64_t bits = 0; bits < UINT64_C(1) << N; bits++)
        for (unsigned cut = 0; cut <= N; cut++)
            assert_bic_equal(pm_bic_multiply(elements[cut][bits & pm_bits_low(cut)], elements[N - cut][bits >> cut]),
                             elements[N][bits]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_of_words), cmocka_unit_test(test_next_bit),         cmocka_unit_test(test_bits_from),
        cmocka_unit_test(test_bicyclic_laws), cmocka_unit_test(test_product_of_parts),
    };
    return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
