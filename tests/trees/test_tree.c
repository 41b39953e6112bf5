/* SPDX-License-Identifier: Apache-2.0 */
/* One value an element, one value a node: against the model, and with arguments that are wrong. */
#include <stdlib.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"
#include "tests/trees/forest_model.h"

#define CANARY UINT32_C(0xa5a5a5a5)
#define TOO_MANY ((size_t)UINT32_MAX + 1)

static pm_status partner(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                         const uint32_t *match, uint32_t *out) {
    (void)by; /* elements alone have partners */
    return pm_forest_partner(context, parens, n, match, out);
}

/* Every function that takes a sequence and its match, with each way to index its output. */
static const struct vector {
    pm_status (*function)(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *, uint32_t *);
    forest_column column;
    pm_forest_index by;
} vectors[] = {
    {partner, FOREST_PARTNER, PM_FOREST_BY_ELEMENT},
    {pm_forest_depth, FOREST_DEPTH, PM_FOREST_BY_ELEMENT},
    {pm_forest_parent, FOREST_PARENT, PM_FOREST_BY_ELEMENT},
    {pm_forest_prev_sibling, FOREST_PREV_SIBLING, PM_FOREST_BY_ELEMENT},
    {pm_forest_next_sibling, FOREST_NEXT_SIBLING, PM_FOREST_BY_ELEMENT},
    {pm_forest_first_child, FOREST_FIRST_CHILD, PM_FOREST_BY_ELEMENT},
    {pm_forest_subtree_size, FOREST_SUBTREE_SIZE, PM_FOREST_BY_ELEMENT},
    {pm_forest_depth, FOREST_DEPTH, PM_FOREST_BY_NODE},
    {pm_forest_parent, FOREST_PARENT, PM_FOREST_BY_NODE},
    {pm_forest_prev_sibling, FOREST_PREV_SIBLING, PM_FOREST_BY_NODE},
    {pm_forest_next_sibling, FOREST_NEXT_SIBLING, PM_FOREST_BY_NODE},
    {pm_forest_first_child, FOREST_FIRST_CHILD, PM_FOREST_BY_NODE},
    {pm_forest_subtree_size, FOREST_SUBTREE_SIZE, PM_FOREST_BY_NODE},
};

static void check_against_model(const uint64_t *parens, size_t n) {
    forest_model model = forest_model_create(parens, n);
    uint32_t *match = allocate(n, sizeof *match);
    uint32_t *of_elements = allocate(n, sizeof *of_elements);
    uint32_t *out = allocate(n + 1, sizeof *out);
    assert_ok(pm_match_seq(NULL, parens, n, match, NULL));

    assert_int_equal(pm_forest_count(parens, n), model.nodes);
    out[model.nodes] = CANARY;
    assert_ok(pm_forest_position(NULL, parens, n, out));
    assert_memory_equal(out, model.open, model.nodes * sizeof *out);
    assert_int_equal(out[model.nodes], CANARY);

    for (size_t v = 0; v < COUNT_OF(vectors); v++) {
        for (size_t i = 0; i < n; i++)
            of_elements[i] = forest_model_element(&model, vectors[v].column, i);
        const uint32_t *expected = vectors[v].by ? model.column[vectors[v].column] : of_elements;
        const size_t length = vectors[v].by ? model.nodes : n;
        out[length] = CANARY;
        assert_ok(vectors[v].function(NULL, vectors[v].by, parens, n, match, out));
        assert_memory_equal(out, expected, length * sizeof *out);
        assert_int_equal(out[length], CANARY);
    }
    forest_model_destroy(&model);
    free(match);
    free(of_elements);
    free(out);
}

TEST(test_every_string_to_14) {
    for (size_t n = 0; n <= 14; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const uint64_t parens = bits | UINT64_MAX << n; /* junk past n */
            check_against_model(&parens, n);
        }
}

TEST(test_families_around_words) {
    static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 640};
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (const char *const *name = family_names; *name; name++) {
            uint64_t *parens = allocate((sizes[s] + 63) / 64, sizeof *parens);
            assert_true(family_fill(*name, s, sizes[s], parens));
            check_against_model(parens, sizes[s]);
            free(parens);
        }
}

/* Words with three closes in four elements alternate with words of three opens: unmatched ones of both sorts. */
TEST(test_unbalanced_random) {
    uint64_t seed = 1;
    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + random_below(&seed, 256);
        uint64_t parens[4];
        for (size_t w = 0; w < 4; w++) {
            const uint64_t a = random_next(&seed), b = random_next(&seed);
            parens[w] = w % 2 ? a | b : a & b;
        }
        check_against_model(parens, n);
    }
}

TEST(test_arguments) {
    const uint64_t parens = 1;
    const uint32_t match[2] = {PM_NONE, 0};
    uint32_t out[2];
    for (size_t v = 0; v < COUNT_OF(vectors); v++) {
        assert_ok(vectors[v].function(NULL, vectors[v].by, NULL, 0, NULL, NULL));
        assert_invalid(vectors[v].function(NULL, vectors[v].by, NULL, 2, match, out));
        assert_invalid(vectors[v].function(NULL, vectors[v].by, &parens, 2, NULL, out));
        assert_invalid(vectors[v].function(NULL, vectors[v].by, &parens, 2, match, NULL));
        assert_int_equal(vectors[v].function(NULL, vectors[v].by, &parens, TOO_MANY, match, out), PM_TOO_LARGE);
        if (vectors[v].function != partner)
            assert_invalid(vectors[v].function(NULL, (pm_forest_index)2, &parens, 2, match, out));
    }
    assert_ok(pm_forest_position(NULL, NULL, 0, NULL));
    assert_invalid(pm_forest_position(NULL, NULL, 2, out));
    assert_invalid(pm_forest_position(NULL, &parens, 2, NULL));
    assert_int_equal(pm_forest_position(NULL, &parens, TOO_MANY, out), PM_TOO_LARGE);
    assert_int_equal(pm_forest_count(NULL, 100), 0);
    assert_int_equal(pm_forest_count(&parens, 0), 0);
}

/* Is a match one that no sequence with these parens can have at i? */
static bool out_of_bounds(const uint64_t *parens, size_t i, uint32_t match) {
    return match != PM_NONE && (match >= i || !(parens[match / 64] >> match % 64 & 1));
}

/* Runs every function on a match that need not be the sequence's: what is out of bounds must be noticed, and whatever
 * else comes of it, nothing is written past the output (nor anything else touched, as sanitizers see). */
static void check_survives(const uint64_t *parens, size_t n, const uint32_t *match) {
    bool must_fail = false;
    for (size_t i = 0; i < n; i++)
        must_fail = must_fail || out_of_bounds(parens, i, match[i]);
    uint32_t *out = allocate(n + 1, sizeof *out);
    for (size_t v = 0; v < COUNT_OF(vectors); v++) {
        const size_t length = vectors[v].by ? pm_forest_count(parens, n) : n;
        out[length] = CANARY;
        const pm_status status = vectors[v].function(NULL, vectors[v].by, parens, n, match, out);
        assert_true(status == PM_INVALID_ARGUMENT || (status == PM_OK && !must_fail));
        assert_int_equal(out[length], CANARY);
    }
    free(out);
}

TEST(test_one_wrong_match) {
    enum {
        N = 7
    };
    static const uint32_t wrong[] = {0, 1, 2, 3, 4, 5, 6, N, N + 1, 63, 64, INT32_MAX, PM_NONE - 1, PM_NONE};
    uint32_t *match = allocate(N, sizeof *match); /* a block of its own, so that sanitizers see its ends */
    for (uint64_t parens = 0; parens < UINT64_C(1) << N; parens++) {
        assert_ok(pm_match_seq(NULL, &parens, N, match, NULL));
        for (size_t i = 0; i < N; i++) {
            const uint32_t right = match[i];
            for (size_t w = 0; w < COUNT_OF(wrong); w++) {
                match[i] = wrong[w];
                check_survives(&parens, N, match);
            }
            match[i] = right;
        }
    }
    free(match);
}

/* Seven rounds of eight have nothing out of bounds, so that the functions go on to follow what is there. */
TEST(test_all_matches_wrong) {
    uint64_t seed = 1;
    for (uint64_t round = 0; round < 2000; round++) {
        const size_t n = 1 + random_below(&seed, 200);
        uint64_t *parens = allocate((n + 63) / 64, sizeof *parens);
        uint32_t *match = allocate(n, sizeof *match);
        assert_true(family_fill("bits", round, n, parens));
        for (size_t i = 0; i < n; i++) {
            match[i] = (uint32_t)random_below(&seed, i + 1);
            if (round % 8 != 0 && out_of_bounds(parens, i, match[i]))
                match[i] = PM_NONE;
        }
        check_survives(parens, n, match);
        free(parens);
        free(match);
    }
}

TEST(test_out_of_memory) {
    enum {
        N = 100
    };
    const uint64_t parens[2] = {UINT64_C(0x5d3), 0};
    uint32_t match[N], out[N + 1];
    assert_ok(pm_match_seq(NULL, parens, N, match, NULL));

    fault_allocator faults = {0};
    pm_context *context = context_with(&faults);
    for (size_t v = 0; v < COUNT_OF(vectors); v++) {
        size_t needed = 0;
        for (pm_status status = PM_OUT_OF_MEMORY; status != PM_OK; needed += status != PM_OK) {
            faults.fail_at = faults.calls + needed + 1;
            out[N] = CANARY;
            status = vectors[v].function(context, vectors[v].by, parens, N, match, out);
            assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
            assert_int_equal(faults.live_blocks, 1); /* the context alone */
            assert_int_equal(out[N], CANARY);
        }
        assert_int_equal(needed, vectors[v].by ? 1 : 0); /* the rank directory */
    }
    context_close(context, &faults);
}
