/* SPDX-License-Identifier: Apache-2.0 */
/* Does the crosscheck find mistakes that are planted, make them small, and say how to see them again? */
#include <stdlib.h>
#include <string.h>

#include "cli/crosscheck/crosscheck.h"
#include "cli/sequence.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

/* ---- Mistakes ---- */

/* A close is wrong behind two opens on a stack of three. */
static pm_status match_wrong_when_deep(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                       pm_bic *total) {
    const pm_status status = pm_match_seq(context, parens, n, match, total);
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        const bool open = sequence_is_open(parens, i);
        if (!open && depth >= 5 && sequence_is_open(parens, i - 1) && sequence_is_open(parens, i - 2))
            match[i]--;
        depth = open ? depth + 1 : depth - (depth > 0);
    }
    return status;
}

static pm_status match_wrong_total(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                   pm_bic *total) {
    const pm_status status = pm_match_seq(context, parens, n, match, total);
    total->open += total->close > 1 && total->open > 0;
    return status;
}

static pm_status match_past_end(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    if (n >= 70)
        match[n] = 0;
    return pm_match_seq(context, parens, n, match, total);
}

static pm_status match_wrong_when_long(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                       pm_bic *total) {
    const pm_status status = pm_match_seq(context, parens, n, match, total);
    if (n > 2500)
        match[n - 1] = 7;
    return status;
}

static pm_status match_limited(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    return n > 300 ? PM_TOO_LARGE : pm_match_seq(context, parens, n, match, total);
}

static unsigned calls;

static pm_status match_wrong_once(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match,
                                  pm_bic *total) {
    const pm_status status = pm_match_seq(context, parens, n, match, total);
    match[0] = calls++ == 0 ? 5 : match[0];
    return status;
}

static pm_status match_lost(pm_context *context, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    (void)context, (void)parens, (void)n, (void)match, (void)total;
    calls++;
    return PM_DEVICE_LOST;
}

/* Of a tree: two opens in a row, unless the seed is lost on the way. */
static bool tree_wrong(pm_context *context, const crosscheck_tree *tree, char *difference, pm_status *status) {
    (void)context;
    *status = PM_OK;
    for (size_t i = 1; i < tree->n; i++)
        if (sequence_is_open(tree->parens, i) && sequence_is_open(tree->parens, i - 1)) {
            strcpy(difference, "two in a row");
            return tree->seed == 9;
        }
    return false;
}

static bool tree_without_memory(pm_context *context, const crosscheck_tree *tree, char *difference, pm_status *status) {
    (void)context, (void)tree, (void)difference;
    *status = PM_OUT_OF_MEMORY;
    return false;
}

/* ---- What is found ---- */

static void compare(crosscheck_way *way, const char *family, size_t n) {
    uint64_t *const parens = sequence_create(n);
    assert_non_null(parens);
    assert_true(family_fill(family, 9, n, parens));
    const crosscheck_input input = {.parens = parens, .n = n, .seed = 9, .family = family};
    assert_ok(crosscheck_compare(way, &input));
    free(parens);
}

/* The difference and its command must be these; they are told of once. */
static void expect_found(crosscheck_way *way, const char *difference, const char *reproduction) {
    assert_non_null(way->reproduction);
    assert_string_equal(way->reproduction, reproduction);
    assert_string_equal(way->difference, difference);
    free(way->difference);
    free(way->reproduction);
    way->difference = way->reproduction = NULL;
}

TEST(test_wrong_element) {
    static const char *const families[] = {"random", "bits", "deep", "saw:100", "zigzag", "twist:1", "drift"};
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        crosscheck_way way = {.backend = "planted", .simd = "abacus", .match = match_wrong_when_deep};
        compare(&way, families[f], 2000);
        expect_found(&way, "element 5 of 6 is 3, not 4",
                     "parenmatch crosscheck --backend planted --simd abacus --string '(5)'");
    }
}

TEST(test_wrong_tree) {
    crosscheck_way way = {.backend = "planted", .tree = tree_wrong};
    compare(&way, "random", 2000);
    expect_found(&way, "two in a row", "parenmatch crosscheck --backend planted --seed 9 --string '(('");
    way.tree = tree_without_memory;
    const uint64_t parens = 1;
    assert_int_equal(crosscheck_compare(&way, &(crosscheck_input){.parens = &parens, .n = 1}), PM_OUT_OF_MEMORY);
    assert_null(way.difference);
}

TEST(test_wrong_total) {
    crosscheck_way way = {.backend = "planted", .by_threads = true, .threads = 3, .match = match_wrong_total};
    compare(&way, "bits", 1000);
    expect_found(&way, "the total is (2,2), not (2,1)",
                 "parenmatch crosscheck --backend planted --threads 3 --string '))('");
}

TEST(test_written_past_the_end) {
    crosscheck_way way = {.backend = "planted", .pipeline = "p", .match = match_past_end};
    compare(&way, "opens", 1000);
    expect_found(&way, "element 70 of 70 was written",
                 "parenmatch crosscheck --backend planted --pipeline p --string '(70'");
}

/* What cannot be spelled in a few words is told of by its family. */
TEST(test_long) {
    crosscheck_way way = {.backend = "planted", .match = match_wrong_when_long};
    compare(&way, "bits", 2600);
    assert_non_null(strstr(way.difference, "of 2501 is 7, not "));
    char difference[160];
    memcpy(difference, way.difference, sizeof difference);
    expect_found(&way, difference, "parenmatch crosscheck --backend planted --family bits --n 2600 --seed 9");
    compare(&way, "opens", 2600);
    expect_found(&way, "element 2500 of 2501 is 7, not 2499",
                 "parenmatch crosscheck --backend planted --string '(2501'");
}

/* A limit may lie above what every pipeline takes, and only where limits are. */
TEST(test_limit) {
    crosscheck_way way = {.backend = "planted", .match = match_limited, .limited = true};
    compare(&way, "flat", 20000);
    assert_null(way.difference);
    assert_int_equal(way.refused, 1);
    compare(&way, "flat", 300);
    assert_int_equal(way.inputs, 1);
    assert_int_equal(way.elements, 300);
    compare(&way, "opens", 500);
    expect_found(&way, "too large: past a documented limit, of 301 elements",
                 "parenmatch crosscheck --backend planted --string '(301'");
    way.limited = false;
    compare(&way, "opens", 20000);
    assert_non_null(way.difference);
    free(way.difference);
    free(way.reproduction);
}

TEST(test_not_again) {
    crosscheck_way way = {.backend = "planted", .match = match_wrong_once};
    calls = 0;
    compare(&way, "opens", 5000);
    expect_found(&way, "element 0 of 5000 is 5, not 4294967295",
                 "parenmatch crosscheck --backend planted --family opens --n 5000 --seed 9");
    way.match = match_lost;
    calls = 0;
    compare(&way, "opens", 5000);
    expect_found(&way, "device lost, of 5000 elements",
                 "parenmatch crosscheck --backend planted --family opens --n 5000 --seed 9");
    assert_int_equal(calls, 2); /* once more at most */
}

/* Ways that are right. */
TEST(test_agree) {
    crosscheck_way ways[] = {
        {.backend = "seq", .match = pm_match_seq}, {.backend = "auto", .match = pm_match_auto}, {.backend = "stream"}};
    for (size_t w = 0; w < COUNT_OF(ways); w++) {
        uint64_t elements = 0;
        for (const char *const *family = family_names; *family; family++)
            for (size_t n = 0; n < 5000; elements += n, n = 3 * n + 1)
                compare(&ways[w], *family, n);
        assert_null(ways[w].difference);
        assert_int_equal(ways[w].elements, elements);
    }
}

/* ---- Spelling and shrinking ---- */

TEST(test_spelling) {
    static const char *const same[] = {"", "(", ")", "((()", "(4", ")100(", "(64)64", "()()()))", "(63)(63)4"};
    for (size_t k = 0; k < COUNT_OF(same); k++) {
        size_t n;
        uint64_t *const parens = sequence_read(same[k], &n);
        assert_non_null(parens);
        char *const spelling = sequence_spell(parens, n);
        assert_string_equal(spelling, same[k]);
        free(spelling);
        free(parens);
    }
    size_t n;
    uint64_t *const parens = sequence_read("(3)2(1)", &n);
    assert_int_equal(n, 7);
    assert_int_equal(parens[0], 0x27);
    free(parens);
    static const char *const none[] = {
        "x", "(x", "3", "(0", "( ", "(4294967296", "(4294967295(", "(99999999999999999999999"};
    for (size_t k = 0; k < COUNT_OF(none); k++)
        assert_null(sequence_read(none[k], &n));
}

static bool has_5_opens(void *user, const uint64_t *parens, size_t n) {
    (void)user;
    size_t opens = 0;
    for (size_t i = 0; i < n; i++)
        opens += sequence_is_open(parens, i);
    return opens >= 5;
}

static bool anything(void *user, const uint64_t *parens, size_t n) {
    (void)user, (void)parens, (void)n;
    return true;
}

TEST(test_shrink) {
    uint64_t *const parens = sequence_create(1000);
    assert_non_null(parens);
    assert_true(family_fill("bits", 3, 1000, parens));
    assert_int_equal(crosscheck_shrink(parens, 1000, has_5_opens, NULL), 5);
    assert_int_equal(parens[0], 31);
    assert_int_equal(crosscheck_shrink(parens, 5, anything, NULL), 0);
    free(parens);
}
