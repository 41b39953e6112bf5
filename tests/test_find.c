/* SPDX-License-Identifier: Apache-2.0 */
/* Searching for many patterns: the oracle against the definition. */
#include <stdlib.h>
#include <string.h>

#include "tests/allocate.h"
#include "tests/cmocka_all.h"
#include "tests/families.h"
#include "tests/fault_allocator.h"
#include "tests/word_sets.h"

static pm_dict *dict_of(const word_set *set) {
    pm_dict *dict;
    assert_int_equal(pm_dict_create(NULL, set->patterns, set->lengths, set->count, set->flags, &dict), PM_OK);
    return dict;
}

static void assert_hits(const pm_hit *hits, const pm_hit *expected, size_t count) {
    for (size_t h = 0; h < count; h++)
        if (hits[h].start != expected[h].start || hits[h].length != expected[h].length ||
            hits[h].pattern != expected[h].pattern)
            fail_msg("hit %zu: pattern %u at %llu, expected %u at %llu", h, hits[h].pattern,
                     (unsigned long long)hits[h].start, expected[h].pattern, (unsigned long long)expected[h].start);
}

enum {
    N_MAX = 600,
    HITS_MAX = 20000
};

/* Texts and patterns of few letters. */
static void test_by_definition(void **state) {
    (void)state;
    pm_hit *expected = allocate(HITS_MAX, sizeof *expected);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint64_t random = seed;
        const unsigned letters = 1 + (unsigned)random_below(&random, 16);
        const size_t n = random_below(&random, 4) ? random_below(&random, 60) : random_below(&random, N_MAX);
        word_set set;
        assert_true(word_set_random(&set, seed, 1 + random_below(&random, 30), 1 + random_below(&random, 9), letters,
                                    (unsigned)random_below(&random, 2)));
        char *text = allocate(n, 1);
        word_text_random(seed, letters, text, n);
        pm_dict *dict = dict_of(&set);
        const size_t count = word_set_find(&set, text, n, expected, HITS_MAX);
        assert_true(count <= HITS_MAX);
        const size_t capacity = random_below(&random, 2) ? count : random_below(&random, count + 1);
        pm_hit *hits = allocate(capacity, sizeof *hits);
        size_t found;
        assert_int_equal(pm_find_seq(NULL, dict, text, n, hits, capacity, &found), PM_OK);
        assert_int_equal(found, count);
        assert_hits(hits, expected, capacity);
        assert_int_equal(pm_find_seq(NULL, dict, text, n, NULL, 0, &found), PM_OK);
        assert_int_equal(found, count);
        free(hits);
        free(text);
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
    free(expected);
}

/* Hundreds of patterns at one place, which come first in the dictionary, last, or mixed: ordered, and cut anywhere. */
static void test_many_at_one_place(void **state) {
    (void)state;
    enum {
        COUNT = 300
    };
    word_set set;
    assert_true(word_set_nested(&set, COUNT));
    char text[COUNT];
    memset(text, 'a', COUNT);
    pm_hit *expected = allocate(COUNT * COUNT, sizeof *expected), *hits = allocate(COUNT * COUNT, sizeof *hits);
    uint64_t random = 1;
    for (unsigned order = 0; order < 3; order++) {
        for (size_t p = 0; order > 0 && p < COUNT; p++) { /* reversed, then shuffled */
            const size_t q = order == 1 ? COUNT - 1 - p : random_below(&random, COUNT);
            const char *const pattern = set.patterns[p];
            const size_t length = set.lengths[p];
            if (order == 1 && q <= p)
                break;
            set.patterns[p] = set.patterns[q];
            set.lengths[p] = set.lengths[q];
            set.patterns[q] = pattern;
            set.lengths[q] = length;
        }
        pm_dict *dict = dict_of(&set);
        const size_t count = word_set_find(&set, text, COUNT, expected, COUNT * COUNT);
        size_t found;
        assert_int_equal(count, COUNT * (COUNT + 1) / 2);
        for (size_t capacity = 0; capacity < count; capacity += 1 + random_below(&random, 100)) {
            hits[capacity].pattern = 77777;
            assert_int_equal(pm_find_seq(NULL, dict, text, COUNT, hits, capacity, &found), PM_OK);
            assert_int_equal(found, count);
            assert_hits(hits, expected, capacity);
            assert_int_equal(hits[capacity].pattern, 77777);
        }
        assert_int_equal(pm_find_seq(NULL, dict, text, COUNT, hits, count, &found), PM_OK);
        assert_hits(hits, expected, count);
        pm_dict_destroy(dict);
    }
    free(hits);
    free(expected);
    word_set_clear(&set);
}

static void test_arguments(void **state) {
    (void)state;
    const char *const pattern = "a";
    pm_dict *dict;
    pm_hit hit;
    size_t found = 7;
    assert_int_equal(pm_dict_create(NULL, &pattern, NULL, 1, 0, &dict), PM_OK);
    assert_int_equal(pm_find_seq(NULL, NULL, "a", 1, &hit, 1, &found), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_find_seq(NULL, dict, NULL, 1, &hit, 1, &found), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_find_seq(NULL, dict, "a", 1, NULL, 1, &found), PM_INVALID_ARGUMENT);
    assert_int_equal(pm_find_seq(NULL, dict, "a", 1, &hit, 1, NULL), PM_INVALID_ARGUMENT);
    assert_int_equal(found, 7);
    assert_int_equal(pm_find_seq(NULL, dict, NULL, 0, NULL, 0, &found), PM_OK);
    assert_int_equal(found, 0);
    pm_dict_destroy(dict);
}

static void test_no_memory(void **state) {
    (void)state;
    const char *const pattern = "a";
    fault_allocator faults = {.fail_at = 0};
    pm_context *context;
    pm_dict *dict;
    size_t found;
    char text[1000];
    memset(text, 'a', sizeof text);
    assert_int_equal(fault_allocator_context(&faults, &context), PM_OK);
    assert_int_equal(pm_dict_create(NULL, &pattern, NULL, 1, 0, &dict), PM_OK);
    faults.fail_at = faults.calls + 1;
    assert_int_equal(pm_find_seq(context, dict, text, 256, NULL, 0, &found), PM_OK); /* needs none */
    assert_int_equal(found, 256);
    assert_int_equal(pm_find_seq(context, dict, text, 257, NULL, 0, &found), PM_OUT_OF_MEMORY);
    assert_int_equal(pm_find_seq(context, dict, text, 257, NULL, 0, &found), PM_OK);
    assert_int_equal(found, 257);
    pm_dict_destroy(dict);
    pm_context_destroy(context);
    assert_true(fault_allocator_is_settled(&faults));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_definition),
        cmocka_unit_test(test_many_at_one_place),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
