/* SPDX-License-Identifier: Apache-2.0 */
/* The families are what families.h says they are. */
#include "inputs/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/slice.h"
#include "tests/support/unit.h"

#define CANARY UINT64_C(0xa5a5a5a5a5a5a5a5)
enum {
    N_MAX = 5000,
    WORDS_MAX = N_MAX / 64 + 2
};
static const size_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 1001, N_MAX};

static void fill(const char *name, uint64_t seed, size_t n, uint64_t *parens) {
    memset(parens, 0xa5, WORDS_MAX * sizeof *parens);
    assert_true(family_fill(name, seed, n, parens));
    assert_int_equal(parens[pmi_bits_words(n)], CANARY);
}

/* Least and final depth, and the greatest. */
typedef struct profile {
    long lowest, highest, last;
} profile;

static profile profile_of(const uint64_t *parens, size_t n) {
    profile depth = {0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        depth.last += pmi_bits_get(parens, i) ? 1 : -1;
        if (depth.lowest > depth.last)
            depth.lowest = depth.last;
        if (depth.highest < depth.last)
            depth.highest = depth.last;
    }
    return depth;
}

/* Elements up to n that differ, bits past n not counted. */
static bool same_elements(const uint64_t *a, const uint64_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (pmi_bits_get(a, i) != pmi_bits_get(b, i))
            return false;
    return true;
}

TEST(test_same_seed_same_bits) {
    uint64_t first[WORDS_MAX], second[WORDS_MAX];
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            fill(*name, 9, sizes[s], first);
            memset(second, 0, sizeof second);
            assert_true(family_fill(*name, 9, sizes[s], second));
            assert_memory_equal(first, second,
                                pmi_bits_words(sizes[s]) * sizeof *first); /* the junk is the same, too */
        }
    static const char *const seeded[] = {"random", "bits", "zigzag", "twist:1", "twist:.5"};
    for (size_t f = 0; f < COUNT_OF(seeded); f++) {
        fill(seeded[f], 1, 1000, first);
        fill(seeded[f], 2, 1000, second);
        assert_false(same_elements(first, second, 1000));
    }
}

/* SplitMix64's first outputs for the seed 0, from its reference implementation: the bits are the same everywhere. */
TEST(test_random_numbers) {
    uint64_t seed = 0;
    assert_true(random_next(&seed) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random_next(&seed) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random_next(&seed) == UINT64_C(0x06c45d188009454f));
    unsigned seen[10] = {0};
    for (int i = 0; i < 10000; i++) {
        const uint64_t number = random_below(&seed, 10);
        assert_true(number < 10);
        seen[number]++;
    }
    for (size_t number = 0; number < 10; number++)
        assert_in_range(seen[number], 800, 1200);
}

/* With different seeds the bits past n differ somewhere, so tests that should ignore them cannot pass by luck. */
TEST(test_junk_past_the_end) {
    uint64_t parens[WORDS_MAX];
    static const char *const families[] = {"random", "bits", "deep", "opens", "closes", "flat", "saw:20", "zigzag"};
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        uint64_t ever_open = 0, ever_close = 0;
        for (uint64_t seed = 0; seed < 64; seed++) {
            fill(families[f], seed, 65, parens);
            ever_open |= parens[1];
            ever_close |= ~parens[1];
        }
        assert_true((ever_open & ever_close) >> 1 == UINT64_MAX >> 1);
    }
}

/* Families that are a pattern: open exactly where i % period < opens. */
TEST(test_patterns) {
    static const struct {
        const char *name;
        size_t period, opens;
    } patterns[] = {{"opens", 1, 1},
                    {"closes", 1, 0},
                    {"flat", 2, 1},
                    {"saw:1", 2, 1},
                    {"saw:20", 40, 20},
                    {"saw:64", 128, 64},
                    {"saw:1000", 2000, 1000},
                    {"comb:1", 2, 1},
                    {"comb:2", 3, 2},
                    {"comb:63", 64, 63},
                    {"comb:64", 65, 64},
                    {"word:0000000000000001", 64, 1},
                    {"word:00000000ffffffff", 64, 32},
                    {"word:7fffffffffffffff", 64, 63},
                    {"word:1", 64, 1},
                    {"word:FFFF", 64, 16},
                    {"word:5555555555555555", 2, 1}};
    uint64_t parens[WORDS_MAX];
    for (size_t p = 0; p < COUNT_OF(patterns); p++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            fill(patterns[p].name, s, sizes[s], parens);
            for (size_t i = 0; i < sizes[s]; i++)
                assert_int_equal(pmi_bits_get(parens, i), i % patterns[p].period < patterns[p].opens);
        }
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        fill("deep", s, sizes[s], parens);
        for (size_t i = 0; i < sizes[s]; i++)
            assert_int_equal(pmi_bits_get(parens, i), i < sizes[s] / 2);
    }
}

/* What sparse:P leaves open: one element in 2 P + 1 of the first seven eighths, less the closes after them. */
TEST(test_sparse) {
    uint64_t parens[WORDS_MAX];
    static const size_t pairs[] = {1, 40, 511};
    for (size_t p = 0; p < COUNT_OF(pairs); p++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const size_t n = sizes[s], rise = n - n / 8, period = 2 * pairs[p] + 1;
            char name[32];
            snprintf(name, sizeof name, "sparse:%zu", pairs[p]);
            fill(name, s, n, parens);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(pmi_bits_get(parens, i), i < rise && (i % period == 0 || i % period % 2 == 1));
        }
}

TEST(test_drift) {
    uint64_t parens[WORDS_MAX];
    fill("drift", 1, N_MAX, parens);
    const long middle = profile_of(parens, N_MAX / 2).last, last = profile_of(parens, N_MAX).last;
    assert_in_range(middle, N_MAX / 8 - 200, N_MAX / 8 + 200); /* n / 2 elements rise by a quarter each */
    assert_in_range(last + 400, 0, 800);
}

TEST(test_random_families) {
    uint64_t parens[WORDS_MAX];
    long deepest_zigzag = 0, deepest_random = 0, lowest_bits = 0;
    for (uint64_t seed = 0; seed < 50; seed++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const size_t n = sizes[s];
            fill("random", seed, n, parens);
            profile depth = profile_of(parens, n);
            assert_int_equal(depth.lowest, 0);
            deepest_random = depth.highest > deepest_random ? depth.highest : deepest_random;

            fill("zigzag", seed, n, parens);
            depth = profile_of(parens, n);
            assert_int_equal(depth.lowest, 0);
            deepest_zigzag = depth.highest > deepest_zigzag ? depth.highest : deepest_zigzag;

            fill("bits", seed, n, parens);
            depth = profile_of(parens, n);
            lowest_bits = depth.lowest < lowest_bits ? depth.lowest : lowest_bits;
        }
    assert_int_equal(deepest_zigzag, 20);
    assert_true(deepest_random > 100);
    assert_true(lowest_bits < -100);
}

TEST(test_twist) {
    static const char *const twists[] = {"twist:.25", "twist:.5", "twist:.75", "twist:1", "twist:2"};
    uint64_t parens[WORDS_MAX];
    double mean_depth[COUNT_OF(twists)] = {0};
    for (size_t t = 0; t < COUNT_OF(twists); t++)
        for (uint64_t seed = 0; seed < 20; seed++)
            for (size_t s = 0; s < COUNT_OF(sizes); s++) {
                fill(twists[t], seed, sizes[s], parens);
                const profile depth = profile_of(parens, sizes[s]);
                assert_int_equal(depth.lowest, 0);
                assert_int_equal(depth.last, sizes[s] % 2); /* balanced, with one open too many where n is odd */
                mean_depth[t] += (double)depth.highest;
            }
    for (size_t t = 1; t < COUNT_OF(twists); t++)
        assert_true(mean_depth[t] < mean_depth[t - 1]);
}

/* Arnold and Sleep's are uniform: each of the 14 balanced sequences of 8 elements comes up about as often. */
TEST(test_twist_one_is_uniform) {
    enum {
        ROUNDS = 14000
    };
    unsigned seen[256] = {0}, kinds = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        uint64_t parens[WORDS_MAX];
        fill("twist:1", seed, 8, parens);
        seen[parens[0] & 0xff]++;
    }
    for (size_t bits = 0; bits < COUNT_OF(seen); bits++)
        if (seen[bits] > 0) {
            kinds++;
            assert_in_range(seen[bits], ROUNDS / 14 - 150, ROUNDS / 14 + 150); /* five standard deviations */
        }
    assert_int_equal(kinds, 14);
}

static void write_file(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Brackets of every kind count, all other bytes are skipped, and the end is followed by the beginning. */
TEST(test_file) {
    const char *const path = "test_families.tmp";
    char name[64];
    snprintf(name, sizeof name, "file:%s", path);
    static const char text[] = "int f(x[2]) { return \"\0\xff<>\" }";
    static const uint64_t brackets = 0x13; /* ( [ ] ) { } from bit 0 on */
    write_file(path, text, sizeof text - 1);
    uint64_t parens[WORDS_MAX];
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        fill(name, s, sizes[s], parens);
        for (size_t i = 0; i < sizes[s]; i++)
            assert_int_equal(pmi_bits_get(parens, i), brackets >> i % 6 & 1);
    }
    char *long_text = allocate(10000, 1); /* more than the blocks that files are read in */
    memset(long_text, ' ', 10000);
    long_text[4095] = '(', long_text[4096] = '[', long_text[9999] = ')';
    write_file(path, long_text, 10000);
    free(long_text);
    fill(name, 0, 3, parens);
    assert_int_equal(parens[0] & 7, 3);

    write_file(path, "no brackets", 11);
    assert_false(family_fill(name, 0, 3, parens));
    assert_int_equal(remove(path), 0);
    assert_false(family_fill(name, 0, 3, parens));
    assert_false(family_fill("file:", 0, 3, parens));
    assert_false(family_fill("file:.", 0, 3, parens)); /* a folder */
}

TEST(test_bad_names) {
    static const char *const bad[] = {"",
                                      "Random",
                                      "random ",
                                      "random:1",
                                      "rand",
                                      "bits1",
                                      "saw",
                                      "saw:",
                                      "saw:0",
                                      "saw:-1",
                                      "saw:+1",
                                      "saw: 1",
                                      "saw:1x",
                                      "saw:1.5",
                                      "saw:0x10",
                                      "saw:99999999999999999999",
                                      "comb",
                                      "comb:",
                                      "comb:0",
                                      "comb:x",
                                      "twist",
                                      "twist:",
                                      "twist:0",
                                      "twist:-1",
                                      "twist:+1",
                                      "twist:.",
                                      "twist:1 ",
                                      "twist:inf",
                                      "twist:nan",
                                      "twist:1.2.3",
                                      "twist:0x1",
                                      "word",
                                      "word:",
                                      "word:-1",
                                      "word:+1",
                                      "word: 1",
                                      "word:0x1",
                                      "word:g",
                                      "word:11112222333344445"};
    uint64_t parens[WORDS_MAX];
    for (size_t b = 0; b < COUNT_OF(bad); b++)
        if (family_fill(bad[b], 0, 100, parens))
            fail_msg("accepted: \"%s\"", bad[b]);
    for (const char *const *name = family_names; *name; name++)
        fill(*name, 0, 100, parens);
}
