/* SPDX-License-Identifier: Apache-2.0 */
/* Searching for many patterns: the oracle against the definition, and all else against the oracle. */
#include <stdlib.h>
#include <string.h>

#include "core/context/context.h"
#include "core/find/find.h"
#include "cpu/find/find.h"
#include "inputs/families.h"
#include "tests/find/word_sets.h"
#include "tests/support/unit.h"

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
TEST(test_by_definition) {
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
        pm_dict *dict = word_set_dict(&set);
        size_t count = word_set_find(&set, text, n, expected, HITS_MAX);
        assert_true(count <= HITS_MAX);
        const pm_find_options options = {.kind = (pm_find_kind)random_below(&random, 4), .engine = "automaton"};
        count = word_hits_select(options.kind, expected, count);
        const size_t capacity = random_below(&random, 2) ? count : random_below(&random, count + 1);
        pm_hit *hits = allocate(capacity, sizeof *hits);
        size_t found;
        assert_ok(pm_find_with(NULL, dict, &options, text, n, hits, capacity, &found));
        assert_int_equal(found, count);
        assert_hits(hits, expected, capacity);
        if (options.kind == PM_FIND_ALL) {
            assert_ok(pm_find_seq(NULL, dict, text, n, hits, capacity, &found));
            assert_hits(hits, expected, capacity);
            assert_ok(pm_find_seq(NULL, dict, text, n, NULL, 0, &found));
            assert_int_equal(found, count);
        }
        free(hits);
        free(text);
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
    free(expected);
}

/* Hundreds of patterns at one place, which come first in the dictionary, last, or mixed: ordered, and cut anywhere. */
TEST(test_many_at_one_place) {
    enum {
        COUNT = 100
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
        pm_dict *dict = word_set_dict(&set);
        const size_t count = word_set_find(&set, text, COUNT, expected, COUNT * COUNT);
        size_t found;
        assert_int_equal(count, COUNT * (COUNT + 1) / 2);
        for (size_t capacity = 0; capacity < count; capacity += 1 + random_below(&random, 30)) {
            hits[capacity].pattern = 77777;
            assert_ok(pm_find_seq(NULL, dict, text, COUNT, hits, capacity, &found));
            assert_int_equal(found, count);
            assert_hits(hits, expected, capacity);
            assert_int_equal(hits[capacity].pattern, 77777);
        }
        assert_ok(pm_find_seq(NULL, dict, text, COUNT, hits, count, &found));
        assert_hits(hits, expected, count);
        pm_dict_destroy(dict);
    }
    free(hits);
    free(expected);
    word_set_clear(&set);
}

/* ---- Engines ---- */

/* A context for each kind of vector instructions that this CPU has. */
static void for_each_context(void (*test)(pm_context *context)) {
    for (size_t s = 0; pm_simd_at(s); s++) {
        if (!pm_simd_at(s)->supported)
            continue;
        const pm_options options = {.simd = pm_simd_at(s)->name, .threads = 3};
        pm_context *context = context_of(&options);
        test(context);
        pm_context_destroy(context);
    }
}

/* One search by one engine, in ranges of a given size, on some threads: nothing is written but what there is room for.
 */
static void check_plan(const pmi_find_plan *plan, const pmi_search *search, pm_find_kind kind, const pm_hit *expected,
                       size_t count, size_t capacity) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    pm_hit *const hits = allocate(capacity, sizeof *hits);
    pmi_hit_sink sink = {.dict = search->dict, .kind = kind, .hits = hits, .capacity = capacity};
    const pm_status status = plan->threads > 1 ? pmi_omp_find(&allocator, plan, search, &sink)
                                               : pmi_seq_find(&allocator, plan, search, &sink);
    assert_ok(status);
    if (sink.found != count)
        fail_msg("%s, range %zu: %zu hits, expected %zu", plan->engine->info.name, plan->range, (size_t)sink.found,
                 count);
    assert_hits(hits, expected, capacity);
    assert_true(fault_allocator_is_settled(&faults));
    free(hits);
}

/* A text of n bytes, in a block of exactly that size, by every engine, in ranges of all sizes that matter. */
static void check_engines(pm_context *context, const word_set *set, const char *text, size_t n, uint64_t seed) {
    pm_dict *dict = word_set_dict(set);
    size_t count;
    assert_ok(pm_find_seq(NULL, dict, text, n, NULL, 0, &count));
    pm_hit *expected = allocate(count, sizeof *expected);
    assert_ok(pm_find_seq(NULL, dict, text, n, expected, count, &count));
    const pm_find_kind kind = (pm_find_kind)random_below(&seed, 4);
    count = word_hits_select(kind, expected, count);
    const pmi_search search = pmi_search_make(dict, pmi_simd_of(context)->finder, text, n);
    for (size_t e = 0; pm_find_engine_at(e); e++) {
        pmi_find_plan plan;
        if (pmi_find_engine_choose(dict, search.finder, pm_find_engine_at(e)->name, &plan.engine) != PM_OK)
            continue;
        static const size_t ranges[] = {1, 63, 64, 65, 256, 1000, 100000};
        plan.range = ranges[random_below(&seed, COUNT_OF(ranges))];
        plan.threads = random_below(&seed, 20) ? 1 : 2 + (unsigned)random_below(&seed, 2);
        plan.ranges_a_turn = 1 + random_below(&seed, 7) + n / plan.range / 2; /* few turns: teams take time */
        const size_t capacity = random_below(&seed, 2) ? count : random_below(&seed, count + 1);
        check_plan(&plan, &search, kind, expected, count, capacity);
    }
    free(expected);
    pm_dict_destroy(dict);
}

static void engines_on_small_alphabets(pm_context *context) {
    for (uint64_t seed = 0; seed < 250; seed++) {
        uint64_t random = seed;
        const unsigned letters = 1 + (unsigned)random_below(&random, 16);
        const size_t n_most = seed % 16 == 0 ? 60000 : seed % 4 == 0 ? 3000 : 300, n = random_below(&random, n_most);
        const size_t longest = random_below(&random, 3) ? 1 + random_below(&random, 9) : 1;
        const size_t few = random_below(&random, 3) ? 20 : 3;
        word_set set;
        assert_true(word_set_random(&set, seed, 1 + random_below(&random, few), longest, letters,
                                    (unsigned)random_below(&random, 2)));
        char *text = allocate(n, 1);
        word_text_random(seed, letters, text, n);
        check_engines(context, &set, text, n, seed);
        free(text);
        word_set_clear(&set);
    }
}

TEST(test_engines_on_small_alphabets) {
    for_each_context(engines_on_small_alphabets);
}

/* Patterns that share beginnings, here and there in a text of what is in none, so that candidates are few. */
static void engines_on_sparse_texts(pm_context *context) {
    enum {
        N_MOST = 20000
    };
    for (uint64_t seed = 0; seed < 150; seed++) {
        uint64_t random = seed;
        const size_t n = random_below(&random, N_MOST), longest = 1 + random_below(&random, 14);
        word_set set;
        assert_true(word_set_random(&set, seed, 1 + random_below(&random, seed % 3 == 0 ? 60 : 8), longest,
                                    1 + (unsigned)random_below(&random, 6), (unsigned)random_below(&random, 2)));
        char *text = allocate(n, 1);
        memset(text, '.', n);
        for (size_t at = random_below(&random, 40); at < n; at += 30 + random_below(&random, 200)) {
            const size_t p = random_below(&random, set.count), left = n - at;
            memcpy(text + at, set.patterns[p], set.lengths[p] < left ? set.lengths[p] : left);
        }
        check_engines(context, &set, text, n, seed);
        free(text);
        word_set_clear(&set);
    }
}

/* Two patterns with the same eight bytes, in either order. */
static void engines_on_long_patterns(pm_context *context) {
    enum {
        N = 1000
    };
    const char *orders[][2] = {{"pronounce", "pronounc"}, {"pronounc", "pronounce"}};
    size_t lengths[][2] = {{9, 8}, {8, 9}};
    char *text = allocate(N, 1);
    memset(text, '.', N);
    memcpy(text + 300, "pronounced pronounc", 19);
    for (uint64_t seed = 0; seed < 16; seed++) {
        const word_set set = {.patterns = orders[seed % 2], .lengths = lengths[seed % 2], .count = 2};
        check_engines(context, &set, text, N, seed);
    }
    free(text);
}

TEST(test_engines_on_long_patterns) {
    for_each_context(engines_on_long_patterns);
}

TEST(test_engines_on_sparse_texts) {
    for_each_context(engines_on_sparse_texts);
}

/* One pattern, planted at each place around every boundary. */
static void engines_at_boundaries(pm_context *context) {
    enum {
        N = 70000
    };
    char *text = allocate(N, 1);
    const char *pattern[] = {"needle", "need", "eel"};
    const size_t lengths[] = {6, 4, 3};
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, pattern, lengths, 3, 0, &dict));
    memset(text, 'e', N);
    for (size_t e = 0; pm_find_engine_at(e); e++) {
        const pm_find_options options = {.engine = pm_find_engine_at(e)->name};
        for (size_t part = 1; part <= 128; part *= 2)
            for (size_t at = 0; at < 12; at++) {
                const size_t n = N - part, place = n / part - at;
                if (place > n - 6)
                    continue;
                memcpy(text + place, "needle", 6);
                pm_hit hits[4] = {{0}};
                size_t found = 0;
                const pm_status status = pm_find_with(context, dict, &options, text, n, hits, 4, &found);
                memset(text + place, 'e', 6);
                if (status == PM_UNSUPPORTED)
                    break;
                assert_ok(status);
                assert_int_equal(found, 2);
                assert_true(hits[0].start == place && hits[0].pattern == 0 && hits[1].start == place &&
                            hits[1].pattern == 1);
            }
    }
    pm_dict_destroy(dict);
    free(text);
}

TEST(test_engines_at_boundaries) {
    for_each_context(engines_at_boundaries);
}

/* What lies behind the text would make a pattern of its end. Of some lengths a range is made up of lanes alone. */
static void engines_at_the_end(pm_context *context) {
    enum {
        N_MOST = 128 * 17 * 64
    };
    const char *const patterns[] = {"needle", "need"};
    char *const text = allocate(N_MOST + 2, 1);
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, patterns, NULL, 2, 0, &dict));
    for (size_t e = 0; pm_find_engine_at(e); e++)
        for (size_t lines = 1; lines <= 17; lines += 2)
            for (size_t lanes = 8; lanes <= 128; lanes *= 2) {
                const pm_find_options options = {.engine = pm_find_engine_at(e)->name};
                const size_t n = lanes * lines * 64;
                pm_hit hits[2];
                size_t found;
                memset(text, 'e', N_MOST);
                memcpy(text + n - 4, "needle", 6);
                const pm_status status = pm_find_with(context, dict, &options, text, n, hits, 2, &found);
                if (status == PM_UNSUPPORTED)
                    continue;
                assert_ok(status);
                assert_int_equal(found, 1);
                assert_true(hits[0].start == n - 4 && hits[0].pattern == 1);
            }
    pm_dict_destroy(dict);
    free(text);
}

TEST(test_engines_at_the_end) {
    for_each_context(engines_at_the_end);
}

/* Hits at every place, and enough of them for threads to store them together. */
static void dense_hits(pm_context *context) {
    enum {
        N = 1 << 20
    };
    char *text = allocate(N, 1);
    memset(text, 'a', N);
    word_set set;
    assert_true(word_set_nested(&set, 3));
    pm_dict *dict = word_set_dict(&set);
    pm_hit *hits = allocate(3 * N, sizeof *hits);
    for (unsigned kind = PM_FIND_ALL; kind <= PM_FIND_LEFTMOST_FIRST; kind++) {
        static const size_t expected[] = {3 * N - 3, N, (N + 2) / 3, N};
        const pm_find_options options = {.kind = (pm_find_kind)kind};
        size_t found;
        memset(hits, 0, 3 * N * sizeof *hits);
        assert_ok(pm_find_with(context, dict, &options, text, N, hits, expected[kind] - 1, &found));
        assert_int_equal(found, expected[kind]);
        for (size_t h = 0; h + 1 < found; h++) {
            static const unsigned a_place[] = {3, 1, 1, 1}, step[] = {1, 1, 3, 1};
            const bool at_the_end = kind == PM_FIND_ALL && h >= 3 * N - 6; /* where not all three fit */
            if (!at_the_end && hits[h].start != h / a_place[kind] * step[kind])
                fail_msg("kind %u, hit %zu: at %llu", kind, h, (unsigned long long)hits[h].start);
        }
        assert_int_equal(hits[found - 1].length, 0);
    }
    free(hits);
    free(text);
    pm_dict_destroy(dict);
    word_set_clear(&set);
}

TEST(test_dense_hits) {
    for_each_context(dense_hits);
}

TEST(test_the_list) {
    const char *const pattern = "a";
    pm_dict *dict;
    size_t found;
    assert_ok(pm_dict_create(NULL, &pattern, NULL, 1, 0, &dict));
    bool listed = false;
    for (size_t e = 0; pm_find_engine_at(e); e++) {
        assert_true(strlen(pm_find_engine_at(e)->description) > 0);
        listed |= strcmp(pm_find_engine_at(e)->name, pm_dict_engine(NULL, dict)) == 0;
        for (size_t other = 0; other < e; other++)
            assert_string_not_equal(pm_find_engine_at(e)->name, pm_find_engine_at(other)->name);
    }
    assert_true(listed);
    assert_null(pm_find_engine_at(SIZE_MAX));
    const pm_find_options bad[] = {{.engine = "horse"}, {.kind = (pm_find_kind)4}, {.struct_size = 4}};
    for (size_t b = 0; b < COUNT_OF(bad); b++)
        assert_invalid(pm_find_with(NULL, dict, &bad[b], "a", 1, NULL, 0, &found));
    assert_ok(pm_find_with(NULL, dict, NULL, "a", 1, NULL, 0, &found));
    assert_int_equal(found, 1);
    pm_dict_destroy(dict);
}

/* ---- The calls ---- */

typedef pm_status search_function(pm_context *context, const pm_dict *dict, const char *text, size_t n, pm_hit *hits,
                                  size_t capacity, size_t *found);
static search_function *const functions[] = {pm_find_seq, pm_find_omp, pm_find_auto};

TEST(test_arguments) {
    const char *const pattern = "a";
    pm_dict *dict;
    pm_hit hit;
    size_t found = 7;
    assert_ok(pm_dict_create(NULL, &pattern, NULL, 1, 0, &dict));
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        assert_invalid(functions[f](NULL, NULL, "a", 1, &hit, 1, &found));
        assert_invalid(functions[f](NULL, dict, NULL, 1, &hit, 1, &found));
        assert_invalid(functions[f](NULL, dict, "a", 1, NULL, 1, &found));
        assert_invalid(functions[f](NULL, dict, "a", 1, &hit, 1, NULL));
        assert_int_equal(found, 7);
        assert_ok(functions[f](NULL, dict, NULL, 0, NULL, 0, &found));
        assert_int_equal(found, 0);
        found = 7;
    }
    pm_dict_destroy(dict);
}

TEST(test_no_memory) {
    const char *const pattern = "a";
    fault_allocator faults = {.fail_at = 0};
    pm_context *context;
    pm_dict *dict;
    size_t found;
    enum {
        N = 1 << 20
    };
    char *text = allocate(N, 1);
    memset(text, 'a', N);
    assert_ok(fault_allocator_context(&faults, &context));
    assert_ok(pm_dict_create(NULL, &pattern, NULL, 1, 0, &dict));
    faults.fail_at = faults.calls + 1;
    assert_ok(pm_find_seq(context, dict, text, 256, NULL, 0, &found)); /* needs none */
    assert_int_equal(found, 256);
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        faults.fail_at = faults.calls + 1;
        assert_int_equal(functions[f](context, dict, text, N, NULL, 0, &found), PM_OUT_OF_MEMORY);
        assert_ok(functions[f](context, dict, text, N, NULL, 0, &found));
        assert_int_equal(found, N);
        faults.fail_at = faults.calls + 2; /* where there are several threads */
        const pm_status status = functions[f](context, dict, text, N, NULL, 0, &found);
        assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
    }
    free(text);
    pm_dict_destroy(dict);
    context_close(context, &faults);
}
