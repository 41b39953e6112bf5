/* SPDX-License-Identifier: Apache-2.0 */
/* Every matching function against the definition, at every size where words and blocks meet, and against bad input. */
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/backends.h"
#include "tests/support/definition.h"
#include "tests/support/unit.h"

#define CANARY 0xa5a5a5a5u
/* Where sizes have 32 bits, no number of elements is too large. */
#define SIZES_ARE_LARGE (SIZE_MAX > UINT32_MAX)
static const size_t too_large = (size_t)UINT32_MAX + 1;

/* The words of a sequence in a block that ends with them; `junk` inverts the bits past n. */
static uint64_t *parens_copy(const uint64_t *parens, size_t n, bool junk) {
    uint64_t *copy = allocate(pmi_bits_words(n), sizeof *copy);
    memcpy(copy, parens, pmi_bits_words(n) * sizeof *copy);
    if (junk && n % 64 != 0)
        copy[n / 64] ^= ~pmi_bits_low(n % 64);
    return copy;
}

/* A string that failed, shown as the words it is made of, and the backend that failed it. */
static void fail_backend(const char *what, size_t which, const uint64_t *parens, size_t n) {
    print_error("%s: %s, n = %llu, words", backends[which].name, what, (unsigned long long)n);
    for (size_t w = 0; w < pmi_bits_words(n) && w < 8; w++)
        print_error(" %016llx", (unsigned long long)parens[w]);
    fail_msg("%s", what);
}

/* Every backend gives this match and total, whatever the bits past n are, and touches nothing around its output. */
static void check_backends(const uint64_t *parens, size_t n, const uint32_t *expected, pm_bic expected_total) {
    for (size_t b = 0; b < backend_count; b++)
        for (int junk = 0; junk < 2; junk++) {
            uint64_t *words = parens_copy(parens, n, junk);
            uint32_t *around = allocate(n + 2, sizeof *around), *match = around + 1;
            memset(around, 0xa5, (n + 2) * sizeof *around);
            pm_bic total = {CANARY, CANARY};
            if (backends[b].match(NULL, words, n, match, &total) != PM_OK)
                fail_backend("not PM_OK", b, words, n);
            if (n > 0 && memcmp(match, expected, n * sizeof *match) != 0)
                fail_backend("wrong match", b, words, n);
            if (total.close != expected_total.close || total.open != expected_total.open)
                fail_backend("wrong total", b, words, n);
            if (match[-1] != CANARY || match[n] != CANARY)
                fail_backend("wrote outside the output", b, words, n);
            if (n > 0 && memcmp(words, parens, n / 64 * sizeof *words) != 0)
                fail_backend("wrote to the input", b, words, n);
            free(around);
            free(words);
        }
}

static void check_against_definition(const uint64_t *parens, size_t n) {
    uint32_t *expected = allocate(n, sizeof *expected);
    const pm_bic total = definition_match(parens, NULL, n, expected);
    check_backends(parens, n, expected, total);
    free(expected);
}

/* Fills exactly the words of n elements. */
static uint64_t *family_make(const char *name, uint64_t seed, size_t n) {
    uint64_t *parens = allocate(pmi_bits_words(n), sizeof *parens);
    assert_true(family_fill(name, seed, n, parens));
    return parens;
}

TEST(test_every_string_to_16) {
    for (size_t n = 0; n <= 16; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            check_against_definition(&bits, n);
}

TEST(test_families_around_words) {
    static const size_t edges[] = {256, 512, 1024, 4096};
    for (const char *const *name = family_names; *name; name++) {
        for (size_t n = 1; n <= 200; n++) {
            uint64_t *parens = family_make(*name, n, n);
            check_against_definition(parens, n);
            free(parens);
        }
        for (size_t e = 0; e < COUNT_OF(edges); e++)
            for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++) {
                uint64_t *parens = family_make(*name, n, n);
                check_against_definition(parens, n);
                free(parens);
            }
    }
}

/* Random words under a random mask, so that runs of every length come up. */
TEST(test_random_strings) {
    uint64_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        uint64_t parens[8];
        const size_t n = random_below(&seed, 64 * COUNT_OF(parens) + 1);
        for (size_t w = 0; w < pmi_bits_words(n); w++) {
            parens[w] = random_next(&seed);
            switch (random_below(&seed, 4)) {
            case 0:
                parens[w] &= random_next(&seed) & random_next(&seed);
                break;
            case 1:
                parens[w] |= random_next(&seed) | random_next(&seed);
                break;
            case 2:
                parens[w] >>= random_below(&seed, 64);
                break;
            }
        }
        check_against_definition(parens, n);
    }
}

/* Too long for the definition: the oracle, proved at the sizes above, says what is right, and the proof agrees. */
TEST(test_families_around_blocks) {
    static const size_t sizes[] = {65535, 65536, 65537, 300001};
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const size_t n = sizes[s];
            uint64_t *parens = family_make(*name, s, n);
            uint32_t *expected = allocate(n, sizeof *expected);
            pm_bic total;
            assert_ok(pm_match_seq(NULL, parens, n, expected, &total));
            assert_ok(pm_match_verify(NULL, parens, n, expected, NULL));
            check_backends(parens, n, expected, total);
            free(expected);
            free(parens);
        }
}

/* The total is the product of the elements of single parentheses. */
TEST(test_total_is_the_product) {
    const size_t n = 3001;
    uint32_t *match = allocate(n, sizeof *match);
    for (const char *const *name = family_names; *name; name++) {
        uint64_t *parens = family_make(*name, 3, n);
        pm_bic product = {0, 0};
        for (size_t i = 0; i < n; i++) {
            product = pmi_bic_multiply(product, pmi_bits_get(parens, i) ? (pm_bic){0, 1} : (pm_bic){1, 0});
            if (i % 97 != 0 && i + 1 != n)
                continue;
            for (size_t b = 0; b < backend_count; b++) {
                pm_bic total;
                assert_ok(backends[b].match(NULL, parens, i + 1, match, &total));
                assert_int_equal(total.close, product.close);
                assert_int_equal(total.open, product.open);
            }
        }
        free(parens);
    }
    free(match);
}

/* Buffers at every offset in a cache line that their types allow. */
TEST(test_every_alignment) {
    enum {
        LINE = 64,
        N = 1000,
        WORDS = 16,
        OUT = 3 * LINE + N * sizeof(uint32_t) / LINE * LINE
    };
    uint64_t *parens = family_make("random", 7, N);
    uint32_t expected[N];
    definition_match(parens, NULL, N, expected);
    unsigned char *in = allocate_aligned(LINE, LINE + WORDS * sizeof *parens);
    unsigned char *out = allocate_aligned(LINE, OUT);
    assert_non_null(in);
    assert_non_null(out);
    for (size_t in_offset = 0; in_offset < LINE; in_offset += sizeof *parens)
        for (size_t out_offset = sizeof *expected; out_offset <= LINE; out_offset += sizeof *expected)
            for (size_t b = 0; b < backend_count; b++) {
                memcpy(in + in_offset, parens, WORDS * sizeof *parens);
                memset(out, 0xa5, OUT);
                uint32_t *match = (uint32_t *)(void *)(out + out_offset);
                assert_ok(backends[b].match(NULL, (const uint64_t *)(const void *)(in + in_offset), N, match, NULL));
                assert_memory_equal(match, expected, sizeof expected);
                assert_int_equal(match[-1], CANARY);
                assert_int_equal(match[N], CANARY);
            }
    free_aligned(out);
    free_aligned(in);
    free(parens);
}

TEST(test_bad_arguments) {
    const uint64_t parens = 5;
    uint32_t match[3];
    for (size_t b = 0; b < backend_count; b++) {
        const backend *const tested = &backends[b];
        pm_bic total = {7, 7};
        assert_ok(tested->match(NULL, NULL, 0, NULL, &total));
        assert_int_equal(total.close, 0);
        assert_int_equal(total.open, 0);
        assert_ok(tested->match(NULL, NULL, 0, NULL, NULL));
        assert_invalid(tested->match(NULL, NULL, 3, match, NULL));
        assert_invalid(tested->match(NULL, &parens, 3, NULL, NULL));
        assert_invalid(tested->match(NULL, NULL, UINT32_MAX, NULL, NULL));
        if (!SIZES_ARE_LARGE)
            continue;
        assert_int_equal(tested->match(NULL, NULL, too_large, NULL, NULL), PM_TOO_LARGE);
        assert_int_equal(tested->match(NULL, &parens, too_large, match, NULL), PM_TOO_LARGE);
        assert_int_equal(tested->match(NULL, &parens, SIZE_MAX, match, NULL), PM_TOO_LARGE);
    }
}

/* The answer with a context is the answer without, and nothing stays allocated but the context. */
TEST(test_with_a_context) {
    const size_t n = 5000;
    fault_allocator faults = {0};
    pm_context *context = context_with(&faults);
    const size_t blocks_of_context = faults.live_blocks, calls = faults.calls;
    uint64_t *parens = family_make("bits", 11, n);
    uint32_t *expected = allocate(n, sizeof *expected), *match = allocate(n, sizeof *match);
    definition_match(parens, NULL, n, expected);
    assert_ok(pm_match_seq(context, parens, n, match, NULL));
    assert_int_equal(faults.calls, calls); /* the header promises: it allocates nothing */
    for (size_t b = 0; b < backend_count; b++) {
        memset(match, 0xa5, n * sizeof *match);
        assert_ok(backends[b].match(context, parens, n, match, NULL));
        assert_memory_equal(match, expected, n * sizeof *match);
        assert_int_equal(faults.live_blocks, blocks_of_context);
    }
    free(match);
    free(expected);
    free(parens);
    context_close(context, &faults);
}

static void check_masks(const uint64_t *opens, const uint64_t *closes, size_t n) {
    uint32_t *expected = allocate(n, sizeof *expected), *match = allocate(n + 1, sizeof *match);
    const pm_bic expected_total = definition_match(opens, closes, n, expected);
    memset(match, 0xa5, (n + 1) * sizeof *match);
    pm_bic total;
    assert_ok(pm_match_masks(NULL, opens, closes, n, match, &total));
    assert_memory_equal(match, expected, n * sizeof *match);
    assert_int_equal(match[n], CANARY);
    assert_int_equal(total.close, expected_total.close);
    assert_int_equal(total.open, expected_total.open);
    free(match);
    free(expected);
}

TEST(test_every_pair_of_masks_to_7) {
    uint32_t match[7];
    for (unsigned n = 1; n <= 7; n++)
        for (uint64_t opens = 0; opens < UINT64_C(1) << n; opens++)
            for (uint64_t closes = 0; closes < UINT64_C(1) << n; closes++) {
                const uint64_t junk = ~pmi_bits_low(n); /* both an open and a close, past n */
                const uint64_t o = opens | junk, c = closes | junk;
                if (opens & closes)
                    assert_invalid(pm_match_masks(NULL, &o, &c, n, match, NULL));
                else
                    check_masks(&o, &c, n);
            }
}

TEST(test_random_masks) {
    uint64_t seed = 2;
    for (int round = 0; round < 500; round++) {
        uint64_t opens[5], closes[5];
        const size_t n = 1 + random_below(&seed, 320), words = pmi_bits_words(n);
        const uint64_t neutral_shift = random_below(&seed, 64);
        for (size_t w = 0; w < words; w++) {
            const uint64_t neutral = random_next(&seed) >> neutral_shift, bits = random_next(&seed);
            opens[w] = bits & ~neutral;
            closes[w] = ~bits & ~neutral;
        }
        check_masks(opens, closes, n);
        const size_t both = random_below(&seed, n);
        uint32_t match[320];
        opens[both / 64] |= UINT64_C(1) << both % 64;
        closes[both / 64] |= UINT64_C(1) << both % 64;
        assert_invalid(pm_match_masks(NULL, opens, closes, n, match, NULL));
    }
}

TEST(test_masks_bad_arguments) {
    const uint64_t opens = 1, closes = 2;
    uint32_t match[2];
    pm_bic total = {7, 7};
    assert_ok(pm_match_masks(NULL, NULL, NULL, 0, NULL, &total));
    assert_int_equal(total.close, 0);
    assert_int_equal(total.open, 0);
    assert_ok(pm_match_masks(NULL, &opens, &closes, 2, match, NULL));
    assert_invalid(pm_match_masks(NULL, NULL, &closes, 2, match, NULL));
    assert_invalid(pm_match_masks(NULL, &opens, NULL, 2, match, NULL));
    assert_invalid(pm_match_masks(NULL, &opens, &closes, 2, NULL, NULL));
    if (SIZES_ARE_LARGE)
        assert_int_equal(pm_match_masks(NULL, NULL, NULL, too_large, NULL, NULL), PM_TOO_LARGE);
}

/* Every wrong value at every place of every small string is noticed, there. */
TEST(test_verify_notices_every_corruption) {
    enum {
        LONGEST = 9
    };
    static const uint32_t outlandish[] = {PM_NONE, PM_NONE - 1, 0x80000000u, LONGEST, LONGEST + 1};
    for (size_t n = 1; n <= LONGEST; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            uint32_t match[LONGEST];
            definition_match(&bits, NULL, n, match);
            size_t wrong = n;
            assert_ok(pm_match_verify(NULL, &bits, n, match, &wrong));
            for (size_t i = 0; i < n; i++) {
                const uint32_t right = match[i];
                for (uint32_t value = 0; value < LONGEST + COUNT_OF(outlandish); value++) {
                    match[i] = value < LONGEST ? value : outlandish[value - LONGEST];
                    if (match[i] == right)
                        continue;
                    assert_int_equal(pm_match_verify(NULL, &bits, n, match, &wrong), PM_CORRUPT);
                    assert_int_equal(wrong, i);
                }
                match[i] = right;
            }
        }
}

/* Of several wrong values the first is reported, however far the others are. */
TEST(test_verify_long_strings) {
    const size_t n = 20000;
    uint64_t seed = 4;
    uint32_t *match = allocate(n, sizeof *match);
    for (const char *const *name = family_names; *name; name++) {
        uint64_t *parens = family_make(*name, 5, n);
        assert_ok(pm_match_seq(NULL, parens, n, match, NULL));
        assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
        size_t first = n;
        for (int corruptions = 0; corruptions < 20; corruptions++) {
            const size_t i = random_below(&seed, first);
            match[i] ^= 1 + (uint32_t)random_below(&seed, UINT32_MAX);
            first = i;
            size_t wrong = n;
            assert_int_equal(pm_match_verify(NULL, parens, n, match, &wrong), PM_CORRUPT);
            assert_int_equal(wrong, first);
            assert_int_equal(pm_match_verify(NULL, parens, n, match, NULL), PM_CORRUPT);
            assert_ok(pm_match_verify(NULL, parens, first, match, NULL));
            if (first == 0)
                break;
        }
        free(parens);
    }
    free(match);
}

TEST(test_verify_bad_arguments) {
    const uint64_t parens = 1;
    const uint32_t match = PM_NONE;
    assert_ok(pm_match_verify(NULL, NULL, 0, NULL, NULL));
    assert_invalid(pm_match_verify(NULL, NULL, 1, &match, NULL));
    assert_invalid(pm_match_verify(NULL, &parens, 1, NULL, NULL));
    if (SIZES_ARE_LARGE)
        assert_int_equal(pm_match_verify(NULL, NULL, too_large, NULL, NULL), PM_TOO_LARGE);
}
