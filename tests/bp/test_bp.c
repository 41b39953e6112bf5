/* SPDX-License-Identifier: Apache-2.0 */
/* Queries on a long sequence against a plain stack: every implementation that this CPU runs, with both widths. */
#include <stdlib.h>
#include <string.h>

#include "core/bp/bp.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/bp/model.h"
#include "tests/bp/variants.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

/* All queries on elements first ... last - 1 and past the end; by every `step`-th variant from the given one on. */
static void check_some(const uint64_t *parens, uint64_t n, uint64_t first, uint64_t last, size_t variant, size_t step,
                       const char *what) {
    guarded_memory memory = guarded_allocate((n + 63) / 64 * 8);
    uint64_t *const words = (uint64_t *)(void *)memory.end - (n + 63) / 64;
    memcpy(words, parens, (n + 63) / 64 * 8);
    bp_model model;
    assert_true(bp_model_create(&model, words, n));
    for (size_t v = variant; v < bp_variant_count; v += step) {
        pm_bp *bp = bp_variant_create(v, words, n);
        uint64_t argument;
        const char *const wrong = bp_model_compare(&model, bp, first, last, &argument);
        if (wrong)
            fail_msg("%s: %s, n = %llu: %s of %llu is wrong", bp_variant_name(v), what, (unsigned long long)n, wrong,
                     (unsigned long long)argument);
        pm_bp_destroy(bp);
    }
    bp_model_destroy(&model);
    guarded_free(&memory);
}

/* In one word, so that no memory needs to be fenced. */
static void check_string(uint64_t bits, unsigned n, size_t step) {
    const uint64_t parens = bits | UINT64_MAX << n; /* junk past n */
    bp_model model;
    assert_true(bp_model_create(&model, &parens, n));
    for (size_t v = 0; v < bp_variant_count; v += step) {
        pm_bp *bp = bp_variant_create(v, &parens, n);
        uint64_t argument;
        assert_null(bp_model_compare(&model, bp, 0, n, &argument));
        pm_bp_destroy(bp);
    }
    bp_model_destroy(&model);
}

/* To two bytes and one element; to fewer where sanitizers make that slow, and in all widths. */
TEST(test_every_string) {
    enum {
        ALL_VARIANTS = 10,
#ifdef NDEBUG
        LONGEST = 17
#else
        LONGEST = 13
#endif
    };
    for (unsigned n = 0; n <= LONGEST; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            check_string(bits, n, n <= ALL_VARIANTS ? 1 : BP_WAYS);
}

static void fill_ones(uint64_t *parens, uint64_t first, uint64_t last, bool value) {
    for (uint64_t i = first; i < last; i++)
        parens[i / 64] = value ? parens[i / 64] | UINT64_C(1) << i % 64 : parens[i / 64] & ~(UINT64_C(1) << i % 64);
}

/* A few elements in all their forms across a boundary, between stretches of one kind that end or begin just so. */
TEST(test_across_boundaries) {
    enum {
        MIDDLE = 6
    };
    const uint64_t boundaries[] = {8, 64, 512, 1024, 8192};
    uint64_t *parens = allocate(2 * 8192 / 8, 1);
    for (size_t b = 0; b < COUNT_OF(boundaries); b++)
        for (uint64_t bits = 0; bits < 1 << MIDDLE; bits++) {
            const uint64_t begin = boundaries[b] - MIDDLE / 2, n = 2 * boundaries[b] - bits % 3;
            memset(parens, bits % 5 == 0 ? 0xff : 0, 2 * 8192 / 8);
            fill_ones(parens, 0, begin, bits % 4 != 1);
            fill_ones(parens, begin + MIDDLE, n, bits % 4 == 2);
            for (unsigned i = 0; i < MIDDLE; i++)
                fill_ones(parens, begin + i, begin + i + 1, bits >> i & 1);
            const uint64_t first = boundaries[b] < 100 ? 0 : boundaries[b] - 90;
            check_some(parens, n, first, boundaries[b] + 90 < n ? boundaries[b] + 90 : n, 0, 1, "across a boundary");
        }
    free(parens);
}

/* One pair that encloses all of the rest, whose ends are moved over the boundaries. */
TEST(test_far_pairs) {
    const uint64_t ends[] = {0,    1,    62,   63,    64,    65,    511,   512,   513,    1023,   1024,   8191,
                             8192, 8193, 8704, 16383, 16384, 16385, 65535, 65536, 131072, 262143, 262144, 270000};
    const uint64_t n = 270001;
    uint64_t *parens = allocate((n + 63) / 64 * 8, 1);
    const size_t count = COUNT_OF(ends);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            if ((a + b) % 3 != 0)
                continue;
            /* ()()() all over, and within the pair one more pair or none. */
            memset(parens, 0x55, (n + 63) / 64 * 8);
            for (uint64_t i = ends[a]; i <= ends[b]; i++)
                fill_ones(parens, i, i + 1, i == ends[a] || (i != ends[b] && (i - ends[a]) % 2 == 1));
            bp_model model;
            assert_true(bp_model_create(&model, parens, n));
            for (size_t v = 0; v < bp_variant_count; v++) {
                pm_bp *bp = bp_variant_create(v, parens, n);
                for (size_t e = 0; e < count; e++) {
                    const uint64_t i = ends[e];
                    assert_int_equal(pm_bp_find_close(bp, i), model.close[i]);
                    assert_int_equal(pm_bp_enclose(bp, i), model.match[i]);
                }
                pm_bp_destroy(bp);
            }
            bp_model_destroy(&model);
        }
    free(parens);
}

TEST(test_families) {
    const uint64_t sizes[] = {60, 64, 65, 512, 513, 1000, 8193, 20000};
    uint64_t *parens = allocate(20000 / 64 * 8 + 8, 1);
    for (size_t f = 0; family_names[f]; f++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            const size_t step = sizes[s] > 1000 ? BP_WAYS : 1; /* the large ones one way each */
            assert_true(family_fill(family_names[f], 3, sizes[s], parens));
            check_some(parens, sizes[s], 0, sizes[s], f % step, step, family_names[f]);
        }
    free(parens);
}

/* Enough superblocks for a tree of several rows; elements here and there, and around every boundary of the top row. */
TEST(test_tall_trees) {
    static const char *const names[] = {"twist:.25", "twist:1", "deep", "saw:70000", "drift", "sparse:511", "bits"};
    const uint64_t n = 33 * 32 * 8192 + 12345, step = 32 * 8192;
    uint64_t *parens = allocate((n + 63) / 64 * 8, 1);
    for (size_t f = 0; f < COUNT_OF(names); f++) {
        assert_true(family_fill(names[f], 5, n, parens));
        bp_model model;
        assert_true(bp_model_create(&model, parens, n));
        for (size_t v = 0; v < bp_variant_count; v++) {
            pm_bp *bp = bp_variant_create(v, parens, n);
            uint64_t argument, seed = 7;
            for (uint64_t at = step; at < n; at += step)
                assert_null(bp_model_compare(&model, bp, at - 3, at + 3, &argument));
            for (int q = 0; q < 3000; q++) {
                const uint64_t i = random_below(&seed, n);
                assert_null(bp_model_compare(&model, bp, i, i + 1, &argument));
            }
            pm_bp_destroy(bp);
        }
        bp_model_destroy(&model);
    }
    free(parens);
}

TEST(test_many) {
    static const char *const names[] = {"twist:.25", "twist:1", "deep", "bits", "closes", "opens"};
    enum {
        QUERIES = 1001
    };
    const uint64_t n = 700001;
    uint64_t *parens = malloc((n + 63) / 64 * 8), arguments[QUERIES], answers[QUERIES];
    assert_non_null(parens);
    for (size_t f = 0; f < COUNT_OF(names); f++) {
        assert_true(family_fill(names[f], 5, n, parens));
        for (size_t v = 0; v < bp_variant_count; v++) {
            pm_bp *bp = bp_variant_create(v, parens, n);
            uint64_t seed = v + 1;
            for (size_t q = 0; q < QUERIES; q++)
                arguments[q] = q % 50 == 7 ? n + random_below(&seed, 3) : random_below(&seed, n);
            arguments[8] = 0;
            arguments[9] = UINT64_MAX;
            arguments[10] = n - 1;
            for (size_t count = 0; count <= QUERIES; count += count < 70 ? 1 : 137) {
                answers[QUERIES - 1] = 99;
                pm_bp_find_close_many(bp, arguments, count, answers);
                for (size_t q = 0; q < count; q++)
                    assert_int_equal(answers[q], pm_bp_find_close(bp, arguments[q]));
                pm_bp_find_open_many(bp, arguments, count, answers);
                for (size_t q = 0; q < count; q++)
                    assert_int_equal(answers[q], pm_bp_find_open(bp, arguments[q]));
                pm_bp_enclose_many(bp, arguments, count, answers);
                for (size_t q = 0; q < count; q++)
                    assert_int_equal(answers[q], pm_bp_enclose(bp, arguments[q]));
                assert_true(count == QUERIES || answers[QUERIES - 1] == 99);
            }
            memcpy(answers, arguments, sizeof answers); /* in place */
            pm_bp_enclose_many(bp, answers, QUERIES, answers);
            for (size_t q = 0; q < QUERIES; q++)
                assert_int_equal(answers[q], pm_bp_enclose(bp, arguments[q]));
            pm_bp_destroy(bp);
        }
    }
    free(parens);
}

/* Few opens, far from each other: hints are far apart. */
TEST(test_select_of_sparse_opens) {
    const uint64_t n = UINT64_C(1) << 24;
    uint64_t *parens = calloc(n / 64, 8);
    assert_non_null(parens);
    const uint64_t at[] = {0, 5, 8191, 8192, 1000000, 1000001, 9999999, n - 8193, n - 1};
    const size_t count = COUNT_OF(at);
    fill_ones(parens, 3000000, 3009000, true);
    for (size_t k = 0; k < count; k++)
        fill_ones(parens, at[k], at[k] + 1, true);
    for (size_t v = 0; v < bp_variant_count; v++) {
        pm_bp *bp = bp_variant_create(v, parens, n);
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(pm_bp_select_open(bp, k), at[k]);
        for (uint64_t k = 0; k < 9000; k += 11)
            assert_int_equal(pm_bp_select_open(bp, 6 + k), 3000000 + k);
        for (size_t k = 6; k < count; k++)
            assert_int_equal(pm_bp_select_open(bp, 9000 + k), at[k]);
        assert_int_equal(pm_bp_select_open(bp, 9000 + count), PM_BP_NONE);
        assert_int_equal(pm_bp_rank_open(bp, n), 9000 + count);
        pm_bp_destroy(bp);
    }
    free(parens);
}

/* How large an index is, and what kind of a sequence it takes it for. */
TEST(test_size) {
    static const struct {
        const char *family;
        pmi_bp_kind kind;
    } cases[] = {{"twist:1", PM_BP_NEAR_FLAT},
                 {"twist:.75", PM_BP_NEAR_FLAT},
                 {"twist:.5", PM_BP_NEAR_DEEP},
                 {"twist:.25", PM_BP_NEAR_DEEP}};
    for (size_t c = 0; c < COUNT_OF(cases); c++)
        for (uint64_t n = 8192; n <= UINT64_C(1) << 22; n *= 4) {
            uint64_t *parens = allocate(n / 8, 1);
            assert_true(family_fill(cases[c].family, 3, n, parens));
            pm_bp *bp;
            assert_ok(pm_bp_create(NULL, parens, n, &bp));
            assert_int_equal(pmi_bp_kind_of(bp), cases[c].kind);
            assert_int_equal(bp->far_close != NULL, cases[c].kind == PM_BP_NEAR_DEEP);
            assert_true((double)pm_bp_size_in_bytes(bp) * 8 <= 0.09 * (double)n);
            assert_int_equal(pm_bp_length(bp), n);
            pm_bp_destroy(bp);
            free(parens);
        }
}

TEST(test_arguments) {
    const uint64_t parens = 1;
    pm_bp *bp = (pm_bp *)(uintptr_t)&parens;
    assert_invalid(pm_bp_create(NULL, &parens, 1, NULL));
    assert_invalid(pm_bp_create(NULL, NULL, 1, &bp));
    assert_null(bp);
    assert_int_equal(pm_bp_create(NULL, &parens, (UINT64_C(1) << 48) + 1, &bp), PM_TOO_LARGE);
    assert_null(bp);
    assert_ok(pm_bp_create(NULL, NULL, 0, &bp));
    assert_int_equal(pm_bp_find_close(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_enclose(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_rank_open(bp, 0), 0);
    assert_int_equal(pm_bp_excess(bp, 0), 0);
    assert_int_equal(pm_bp_select_open(bp, 0), PM_BP_NONE);
    assert_int_equal(pm_bp_select_close(bp, 0), PM_BP_NONE);
    uint64_t many[2] = {0, 7};
    pm_bp_find_open_many(bp, many, 2, many);
    assert_int_equal(many[0], PM_BP_NONE);
    assert_int_equal(many[1], PM_BP_NONE);
    pm_bp_destroy(bp);
    pm_bp_destroy(NULL);
    const pm_bp_options none_such = {.structure = (pm_bp_structure)2}, newer = {.struct_size = sizeof newer + 8},
                        older = {.struct_size = sizeof(size_t)};
    assert_invalid(pm_bp_create_with(NULL, &none_such, &parens, 1, &bp));
    assert_int_equal(pm_bp_create_with(NULL, &newer, &parens, 1, &bp), PM_UNSUPPORTED);
    assert_invalid(pm_bp_create_with(NULL, &older, &parens, 1, &bp));
    assert_null(bp);
}

/* Each allocation fails once. Returns how many there were. */
static size_t fail_each_allocation(const pm_bp_options *options) {
    uint64_t parens[512];
    assert_true(family_fill("twist:1", 3, 512 * 64, parens));
    for (size_t fail_at = 1;; fail_at++) {
        fault_allocator faults = {0};
        pm_context *context = context_with(&faults);
        faults.fail_at = faults.calls + fail_at;
        pm_bp *bp;
        const pm_status status = pm_bp_create_with(context, options, parens, 512 * 64, &bp);
        assert_true((status == PM_OK) == (bp != NULL));
        pm_bp_destroy(bp);
        context_close(context, &faults);
        if (status == PM_OK)
            return fail_at - 1;
        assert_int_equal(status, PM_OUT_OF_MEMORY);
    }
}

TEST(test_no_memory) {
    const pm_bp_options pioneers = {.structure = PM_BP_PIONEERS};
    assert_int_equal(fail_each_allocation(NULL), 3);
    assert_int_equal(fail_each_allocation(&pioneers), 12);
}

int main(void) {
    return tests_run_between(bp_variants_set_up, bp_variants_tear_down);
}
