/* SPDX-License-Identifier: Apache-2.0 */
/* base/slice.h: bits of a word, and the laws of the bicyclic product; and slices that are reduced. */
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "tests/support/definition.h"
#include "tests/support/unit.h"

static const pm_bic identity = {0, 0}, one_close = {1, 0}, one_open = {0, 1};

static void assert_bic_equal(pm_bic a, pm_bic b) {
    assert_int_equal(a.close, b.close);
    assert_int_equal(a.open, b.open);
}

TEST(test_bits_of_words) {
    assert_int_equal(pmi_bits_words(0), 0);
    assert_int_equal(pmi_bits_words(1), 1);
    assert_int_equal(pmi_bits_words(64), 1);
    assert_int_equal(pmi_bits_words(65), 2);
    assert_int_equal(pmi_bits_words(SIZE_MAX), SIZE_MAX / 64 + 1);
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t bit = UINT64_C(1) << i, words[2] = {~bit, bit};
        assert_int_equal(pmi_bits_low(i), bit - 1);
        assert_int_equal(pmi_bits_count(bit - 1), i);
        assert_int_equal(pmi_bits_highest(bit | (bit - 1)), i);
        assert_int_equal(pmi_bits_lowest(~(bit - 1)), i);
        for (unsigned j = 0; j < 64; j++) {
            assert_int_equal(pmi_bits_get(words, j), i != j);
            assert_int_equal(pmi_bits_get(words, 64 + j), i == j);
        }
    }
    assert_int_equal(pmi_bits_low(64), UINT64_MAX);
    assert_int_equal(pmi_bits_count(UINT64_MAX), 64);
}

/* The first set bit at or after i, by looking at each. */
TEST(test_next_bit) {
    uint64_t seed = 1;
    for (int round = 0; round < 64; round++) {
        const uint64_t words[3] = {UINT64_C(1) << round, round % 3 ? random_next(&seed) : 0, UINT64_MAX << round};
        for (size_t n = 0; n <= 192; n++)
            for (size_t i = 0; i <= n + 1; i++) {
                size_t next = i < n ? i : n;
                while (next < n && !pmi_bits_get(words, next))
                    next++;
                assert_int_equal(pmi_bits_next(words, n, i), next);
            }
    }
}

/* A word's worth of bits from anywhere, from words that end with the last. */
TEST(test_bits_from) {
    uint64_t seed = 1;
    for (size_t n = 1; n <= 192; n++) {
        uint64_t *words = allocate(pmi_bits_words(n), sizeof *words);
        for (size_t w = 0; w < pmi_bits_words(n); w++)
            words[w] = random_next(&seed);
        for (size_t i = 0; i < n; i++) {
            const uint64_t bits = pmi_bits_from(words, n, i);
            for (size_t j = 0; j < 64 && i + j < n; j++)
                assert_int_equal(pmi_bits_get(&bits, j), pmi_bits_get(words, i + j));
        }
        free(words);
    }
}

TEST(test_bicyclic_laws) {
    assert_bic_equal(pmi_bic_multiply(one_open, one_close), identity);
    assert_bic_equal(pmi_bic_multiply(one_close, one_open), (pm_bic){1, 1});
    enum {
        SIDE = 5,
        ELEMENTS = SIDE * SIDE
    };
    for (uint64_t i = 0; i < ELEMENTS; i++) {
        const pm_bic a = {i / SIDE, i % SIDE};
        assert_bic_equal(pmi_bic_multiply(a, identity), a);
        assert_bic_equal(pmi_bic_multiply(identity, a), a);
        for (uint64_t j = 0; j < ELEMENTS; j++) {
            const pm_bic b = {j / SIDE, j % SIDE}, ab = pmi_bic_multiply(a, b);
            for (uint64_t k = 0; k < ELEMENTS; k++) {
                const pm_bic c = {k / SIDE, k % SIDE};
                assert_bic_equal(pmi_bic_multiply(ab, c), pmi_bic_multiply(a, pmi_bic_multiply(b, c)));
            }
        }
    }
    const uint64_t far = UINT64_C(1) << 62; /* longer than any sequence in memory, and still no overflow */
    assert_bic_equal(pmi_bic_multiply((pm_bic){far, far}, (pm_bic){far, far}), (pm_bic){far, far});
    assert_bic_equal(pmi_bic_multiply((pm_bic){far, 0}, (pm_bic){far, far}), (pm_bic){2 * far, far});
}

/* However a string is cut in two, the product of the parts is the element of the whole. */
TEST(test_product_of_parts) {
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
            assert_bic_equal(pmi_bic_multiply(elements[cut][bits & pmi_bits_low(cut)], elements[N - cut][bits >> cut]),
                             elements[N][bits]);
}

/* The opens that a sequence leaves on the stack, as a mask over it, and its bicyclic element: by the plain stack. */
static pm_bic stack_after(const uint64_t *parens, size_t n, uint64_t *left) {
    uint32_t *const stack = allocate(n, sizeof *stack);
    pm_bic bic = {0, 0};
    memset(left, 0, pmi_bits_words(n) * sizeof *left);
    for (size_t i = 0; i < n; i++) {
        if (pmi_bits_get(parens, i))
            stack[bic.open++] = (uint32_t)i;
        else if (bic.open > 0)
            bic.open--;
        else
            bic.close++;
    }
    for (uint64_t k = 0; k < bic.open; k++)
        left[stack[k] / 64] |= UINT64_C(1) << stack[k] % 64;
    free(stack);
    return bic;
}

/* Asks for survivors in portions of limited numbers of words and opens, top first, and takes them out of `left`. */
static void take_survivors(pm_context *context, const uint64_t *parens, size_t n, size_t capacity, uint64_t most,
                           uint64_t *left, uint64_t opens) {
    pm_open_word words[9];
    const uint64_t all = opens;
    for (size_t count = 1, end = n; opens > 0; end = words[count - 1].first + pmi_bits_lowest(words[count - 1].opens)) {
        uint64_t stored = 0;
        assert_ok(pm_slice_survivors(context, parens, end, most, capacity, words, &count));
        assert_in_range(count, 1, capacity);
        for (size_t k = 0; k < count; k++) {
            uint64_t *const word = &left[words[k].first / 64];
            assert_int_equal(words[k].first % 64, 0);
            assert_true(words[k].opens != 0 && (words[k].opens & ~*word) == 0);
            assert_true(words[k].opens >> pmi_bits_highest(*word) == 1); /* the topmost */
            assert_true(k == 0 || words[k].first < words[k - 1].first);
            *word ^= words[k].opens;
            stored += pmi_bits_count(words[k].opens);
        }
        assert_true(stored == most || count == capacity || stored == opens);
        assert_true(stored <= most);
        opens -= stored;
    }
    for (size_t w = 0; w < pmi_bits_words(n); w++)
        assert_int_equal(left[w], 0);
    size_t count = 1;
    assert_ok(pm_slice_survivors(context, parens, n, all, 0, NULL, &count));
    assert_int_equal(count, 0);
}

TEST(test_reduced_slices) {
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000, 64 * 256 - 1, 64 * 256, 64 * 256 + 65, 64 * 600};
    for (size_t i = 0; pm_simd_at(i); i++) {
        pm_context *context;
        const pm_options options = {.simd = pm_simd_at(i)->name};
        if (!pm_simd_at(i)->supported)
            continue;
        assert_ok(pm_context_create(&options, &context));
        for (const char *const *name = family_names; *name; name++)
            for (size_t s = 0; s < COUNT_OF(sizes); s++) {
                const size_t n = sizes[s], words = pmi_bits_words(n);
                uint64_t *const parens = allocate(words, sizeof *parens), *const left = allocate(words, sizeof *left);
                assert_true(family_fill(*name, s, n, parens));
                const pm_bic expected = stack_after(parens, n, left);
                pm_bic effect;
                assert_ok(pm_slice_reduce(context, parens, n, &effect));
                assert_bic_equal(effect, expected);
                take_survivors(context, parens, n, 9, UINT64_MAX, left, expected.open);
                stack_after(parens, n, left);
                take_survivors(context, parens, n, 2, 70 + s, left, expected.open);
                free(left);
                free(parens);
            }
        pm_context_destroy(context);
    }
}

TEST(test_reduced_slices_bad_arguments) {
    const uint64_t word = 1;
    pm_open_word opens;
    pm_bic effect;
    size_t count;
    assert_ok(pm_slice_reduce(NULL, NULL, 0, &effect));
    assert_bic_equal(effect, identity);
    assert_invalid(pm_slice_reduce(NULL, NULL, 1, &effect));
    assert_invalid(pm_slice_reduce(NULL, &word, 1, NULL));
    assert_ok(pm_slice_survivors(NULL, NULL, 0, 1, 1, &opens, &count));
    assert_int_equal(count, 0);
    assert_invalid(pm_slice_survivors(NULL, NULL, 1, 1, 1, &opens, &count));
    assert_invalid(pm_slice_survivors(NULL, &word, 1, 1, 1, NULL, &count));
    assert_invalid(pm_slice_survivors(NULL, &word, 1, 1, 1, &opens, NULL));
}
