/* SPDX-License-Identifier: Apache-2.0 */
/* Queries inside one word, the library's and Vigna's, against one walk over its bits with a stack. */
#include <limits.h>

#include "bench/peers/word_vigna.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

/* Builds for speed try everything; the others (sanitizers, debugger) one word in SPARSENESS. */
#ifdef NDEBUG
#define SPARSENESS 1
#else
#define SPARSENESS 17 /* odd, so that every bit of the words tried varies */
#endif

/* What is right for a word. */
typedef struct answers {
    int8_t match[64];                   /* the top of the stack before the element, or -1; a close's open */
    int8_t close[1 + 64];               /* at 1 + i the close of the open i, unless that is far */
    int8_t far_close[64], far_open[64]; /* far opens highest first */
    int far_close_count, far_open_count;
    uint64_t far_opens;
} answers;

/* Without a branch on a random bit, which takes longer than all the rest: writes first, and counts what holds. */
static void answer(uint64_t x, answers *right) {
    int8_t stack[1 + 64] = {-1};
    ptrdiff_t depth = 0, far_closes = 0, far_opens = 0;
    for (int i = 0; i < 64; i++) {
        const ptrdiff_t step = (ptrdiff_t)(x >> i & 1) * 2 - 1, far_close = depth + step < 0;
        const int8_t here = (int8_t)i, top = stack[depth];
        right->match[i] = top;
        right->close[1 + top] = here; /* the last one to see this top is what pops it */
        right->far_close[far_closes] = here;
        stack[depth + 1] = here;
        far_closes += far_close;
        depth += step + far_close;
    }
    right->far_opens = 0;
    for (; depth > 0; depth--) {
        right->far_open[far_opens++] = stack[depth];
        right->far_opens |= UINT64_C(1) << stack[depth];
    }
    right->far_close_count = (int)far_closes;
    right->far_open_count = (int)far_opens;
}

/* What is asked: the library's functions, or others that answer the same. */
typedef struct queries {
    const char *name;
    int (*find_close)(uint64_t x, int i), (*find_open)(uint64_t x, int i), (*enclose)(uint64_t x, int i);
    int (*find_far_close)(uint64_t x, int k), (*find_far_open)(uint64_t x, int k);
    unsigned sparseness; /* odd; the words tried are fewer by that factor */
} queries;

static queries library = {.name = "pmi_word",
                          .find_close = pm_word_find_close,
                          .find_open = pm_word_find_open,
                          .enclose = pm_word_enclose,
                          .find_far_close = pm_word_find_far_close,
                          .find_far_open = pm_word_find_far_open,
                          .sparseness = SPARSENESS};

static int vigna_find_close(uint64_t x, int i) {
    return x >> i & 1 ? pmi_vigna_find_close(x, (unsigned)i) : -1;
}

static int vigna_find_open(uint64_t x, int i) {
    return x >> i & 1 ? -1 : pmi_vigna_enclose(x, (unsigned)i);
}

static int vigna_enclose(uint64_t x, int i) {
    return pmi_vigna_enclose(x, (unsigned)i);
}

static int vigna_find_far_close(uint64_t x, int k) {
    return pmi_vigna_find_far_close(x, (unsigned)k);
}

static int vigna_find_far_open(uint64_t x, int k) {
    return pmi_vigna_find_far_open(x, (unsigned)k);
}

/* Not what the library ships, so one word in five will do. */
static queries vigna = {.name = "pmi_vigna",
                        .find_close = vigna_find_close,
                        .find_open = vigna_find_open,
                        .enclose = vigna_enclose,
                        .find_far_close = vigna_find_far_close,
                        .find_far_open = vigna_find_far_open,
                        .sparseness = SPARSENESS * 5};

/* Says which word and argument went wrong, at a fraction of the price of an assertion for each. */
static void expect(int got, int expected, const char *name, const char *function, uint64_t x, int argument) {
    if (got != expected)
        fail_msg("%s_%s(0x%016llx, %d) is %d, not %d", name, function, (unsigned long long)x, argument, got, expected);
}

static void check_counts(uint64_t x, const answers *right) {
    expect(pm_word_far_close_count(x), right->far_close_count, "pmi_word", "far_close_count", x, 0);
    expect(pm_word_far_open_count(x), right->far_open_count, "pmi_word", "far_open_count", x, 0);
}

static void check_element(const queries *asked, uint64_t x, int i, const answers *right) {
    const bool open = x >> i & 1, far = right->far_opens >> i & 1;
    expect(asked->find_close(x, i), open && !far ? right->close[1 + i] : -1, asked->name, "find_close", x, i);
    expect(asked->find_open(x, i), open ? -1 : right->match[i], asked->name, "find_open", x, i);
    expect(asked->enclose(x, i), right->match[i], asked->name, "enclose", x, i);
}

static void check_far(const queries *asked, uint64_t x, int k, const answers *right) {
    const int close = k < right->far_close_count ? right->far_close[k] : -1;
    const int open = k < right->far_open_count ? right->far_open[k] : -1;
    expect(asked->find_far_close(x, k), close, asked->name, "find_far_close", x, k);
    expect(asked->find_far_open(x, k), open, asked->name, "find_far_open", x, k);
}

/* Asks for the elements, and the k, from `first` in strides. */
static void check_word_in_strides(const queries *asked, uint64_t x, int first, int stride) {
    answers right;
    answer(x, &right);
    check_counts(x, &right);
    for (int i = first; i < 64; i += stride) {
        check_element(asked, x, i, &right);
        check_far(asked, x, i, &right);
    }
}

static void check_word(const queries *asked, uint64_t x) {
    check_word_in_strides(asked, x, 0, 1);
}

/* Every string of 16 elements, at every byte of the word: among zeros, asked for every second element, and among ones
 * and junk, asked for every eighth. */
static void every_16_bits_everywhere(const queries *asked) {
    uint64_t seed = 16;
    for (unsigned offset = 0; offset <= 48; offset += 8)
        for (uint64_t bits = offset % asked->sparseness; bits < 1u << 16; bits += asked->sparseness) {
            const uint64_t placed = bits << offset, around = ~(UINT64_C(0xffff) << offset);
            const uint64_t junk = random_next(&seed), choice = random_next(&seed);
            check_word_in_strides(asked, placed, choice / 64 % 2, 2);
            check_word_in_strides(asked, placed | around, choice % 8, 8);
            check_word_in_strides(asked, placed | (junk & around), choice / 8 % 8, 8);
        }
}

/* Ten million random words, a third each with few, half and many opens; of each, one element and one k. */
static void random_words(const queries *asked) {
    uint64_t seed = 64;
    for (unsigned words = 10 * 1000 * 1000 / asked->sparseness; words > 0; words--) {
        const uint64_t a = random_next(&seed), b = random_next(&seed), choice = random_next(&seed);
        const uint64_t x = words % 3 == 0 ? a & b : words % 3 == 1 ? a : a | b;
        answers right;
        answer(x, &right);
        check_counts(x, &right);
        check_element(asked, x, choice % 64, &right);
        check_far(asked, x, choice / 64 % 64, &right);
        check_far(asked, x, choice / 4096 % 8, &right); /* one that is likely there */
    }
}

/* Runs of opens and closes reach every depth up to 64, and every k. */
static void runs(const queries *asked) {
    for (unsigned first = 0; first < 64; first++)
        for (unsigned second = first; second < 64; second++) {
            const uint64_t x = (UINT64_C(1) << first) - 1, y = (UINT64_C(1) << second) - 1;
            check_word(asked, x ^ y);
            check_word(asked, ~(x ^ y));
        }
}

/* Words of every family; enclose is the library's own match of a sequence that is the word alone. */
static void families(const queries *asked) {
    enum {
        WORDS = 64
    };
    uint64_t words[WORDS];
    for (size_t f = 0; family_names[f]; f++) {
        assert_true(family_fill(family_names[f], f, WORDS * 64, words));
        for (size_t w = 0; w < WORDS; w++) {
            check_word(asked, words[w]);
            uint32_t match[64];
            pm_bic total;
            assert_ok(pm_match_seq(NULL, &words[w], 64, match, &total));
            assert_int_equal(pm_word_far_close_count(words[w]), total.close);
            assert_int_equal(pm_word_far_open_count(words[w]), total.open);
            for (int i = 0; i < 64; i++)
                assert_int_equal(pm_word_enclose(words[w], i), match[i] == PM_NONE ? -1 : (int)match[i]);
        }
    }
}

/* Nobody asks a close for its close, but what is answered there, word.h says too: far close 0 of what is above. */
TEST(test_vigna_agrees_with_the_library_at_closes) {
    uint64_t seed = 1;
    for (int words = 0; words < 1000; words++) {
        const uint64_t x = random_next(&seed);
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(pmi_vigna_find_close(x, i), pmi_broadword_find_close(x, i));
    }
}

TEST(test_arguments_that_name_nothing) {
    static int (*const functions[])(uint64_t, int) = {pm_word_find_close, pm_word_find_open, pm_word_enclose,
                                                      pm_word_find_far_close, pm_word_find_far_open};
    static const int arguments[] = {INT_MIN, -64, -1, 64, 65, 127, 128, 256, INT_MAX};
    static const uint64_t words[] = {0, UINT64_MAX, UINT64_C(0x5555555555555555), UINT64_C(0xffffffff)};
    for (size_t f = 0; f < COUNT_OF(functions); f++)
        for (size_t a = 0; a < COUNT_OF(arguments); a++)
            for (size_t w = 0; w < COUNT_OF(words); w++)
                assert_int_equal(functions[f](words[w], arguments[a]), -1);
}

/* Two tests: of the library's queries, and of Vigna's. */
#define TEST_BOTH(check)                                                                                               \
    TEST(test_##check) {                                                                                               \
        check(&library);                                                                                               \
    }                                                                                                                  \
    TEST(test_##check##_with_vigna) {                                                                                  \
        check(&vigna);                                                                                                 \
    }

TEST_BOTH(every_16_bits_everywhere)
TEST_BOTH(random_words)
TEST_BOTH(runs)
TEST_BOTH(families)
