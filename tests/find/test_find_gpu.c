/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching on whatever Vulkan device there is, a software renderer if need be, against the oracle, under the
 * validation layer where that is installed. Skipped (77) where there is no device.
 *   test_find_gpu [ANYTHING [PATTERN]]   PATTERN: of the names of the tests to run
 */
#include <stdlib.h>
#include <string.h>

#include "base/dict.h"
#include "inputs/families.h"
#include "shaders/find/pfac.h"
#include "tests/find/word_sets.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    SLOT_TILES = 3,
    SLOT_BYTES = SLOT_TILES * PM_PFAC_TILE /* and so 768 hits */
};

static pmi_gpu *gpu;
static pmi_gpu *gpu_of_chunks; /* with small slots, which go up and down by copies, and dispatches that do little */

/* ---- Against the oracle ---- */

/* One search with room for a number of hits; nothing is written behind them. */
static void check_capacity(pmi_gpu *tested, const pm_dict *dict, const char *text, size_t n, const pm_hit *expected,
                           size_t count, size_t capacity) {
    pm_hit *const hits = allocate(capacity + 1, sizeof *hits);
    memset(hits, 0x5a, (capacity + 1) * sizeof *hits);
    const pm_hit canary = hits[capacity];
    uint64_t found = 0;
    assert_ok(pmi_gpu_find(tested, dict, text, n, hits, capacity, &found));
    if (found != count)
        fail_msg("n = %zu: %llu hits, not %zu", n, (unsigned long long)found, count);
    const size_t stored = count < capacity ? count : capacity;
    for (size_t h = 0; h < stored; h++)
        if (memcmp(&hits[h], &expected[h], sizeof *hits) != 0)
            fail_msg("n = %zu, hit %zu of %zu: pattern %u at %llu, not %u at %llu", n, h, count, hits[h].pattern,
                     (unsigned long long)hits[h].start, expected[h].pattern, (unsigned long long)expected[h].start);
    for (size_t h = stored; h <= capacity; h++)
        assert_memory_equal(&hits[h], &canary, sizeof canary);
    free(hits);
}

/* With room for all hits, for one more, for a part of them, and for none. */
static void check(pmi_gpu *tested, const pm_dict *dict, const char *text, size_t n) {
    size_t count, again;
    assert_ok(pm_find_seq(NULL, dict, text, n, NULL, 0, &count));
    pm_hit *const expected = allocate(count, sizeof *expected);
    assert_ok(pm_find_seq(NULL, dict, text, n, expected, count, &again));
    uint64_t seed = n + count;
    check_capacity(tested, dict, text, n, expected, count, count + 1);
    check_capacity(tested, dict, text, n, expected, count, random_below(&seed, count + 1));
    check_capacity(tested, dict, text, n, expected, count, 0);
    free(expected);
}

/* By both devices. The text is of exactly its size, so that sanitizers watch its end. */
static void check_random(const pm_dict *dict, uint64_t seed, unsigned letters, size_t n) {
    char *const text = allocate(n, 1);
    word_text_random(seed, letters, text, n);
    check(gpu, dict, text, n);
    check(gpu_of_chunks, dict, text, n);
    free(text);
}

/* Texts and patterns of few letters, where hits are everywhere and overlap in every way; NUL and folded case too. */
TEST(test_random) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint64_t random = seed;
        const unsigned letters = 1 + (unsigned)random_below(&random, 16);
        word_set set;
        assert_true(word_set_random(&set, seed, 1 + random_below(&random, 30), 1 + random_below(&random, 9), letters,
                                    (unsigned)random_below(&random, 2)));
        pm_dict *const dict = word_set_dict(&set);
        check_random(dict, seed, letters, 1 + random_below(&random, random_below(&random, 4) ? 100 : 9000));
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
}

/* Around tiles, steps and groups of the device, and chunks of the slots. */
TEST(test_boundaries) {
    static const size_t edges[] = {PM_PFAC_LANE_PLACES, 32,
                                   PM_PFAC_TILE,        SLOT_BYTES,
                                   2 * SLOT_BYTES,      PM_PFAC_STEP_TILES * PM_PFAC_TILE,
                                   4 * SLOT_BYTES,      PM_PFAC_GROUP_TILES * PM_PFAC_TILE};
    word_set set;
    assert_true(word_set_random(&set, 3, 20, 8, 4, 0));
    pm_dict *const dict = word_set_dict(&set);
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
            check_random(dict, n, 6, n);
    pm_dict_destroy(dict);
    word_set_clear(&set);
}

/* A pattern lies across every boundary, by each of its bytes. */
TEST(test_across_boundaries) {
    static const char pattern[] = "needle";
    static const size_t edges[] = {PM_PFAC_TILE, SLOT_BYTES, 2 * SLOT_BYTES, 3 * SLOT_BYTES};
    enum {
        LENGTH = sizeof pattern - 1,
        N = 3 * SLOT_BYTES + LENGTH
    };
    const char *const patterns[] = {pattern};
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, patterns, NULL, 1, 0, &dict));
    char *const text = allocate(N, 1);
    for (size_t shift = 0; shift <= LENGTH; shift++) {
        memset(text, 'e', N);
        for (size_t e = 0; e < COUNT_OF(edges); e++)
            memcpy(text + edges[e] - shift, pattern, LENGTH);
        check(gpu, dict, text, N);
        check(gpu_of_chunks, dict, text, N);
        check(gpu_of_chunks, dict, text, N - 1); /* the last one is cut off where shift is 0 */
    }
    free(text);
    pm_dict_destroy(dict);
}

/* Every byte is a hit; more hits than a slot has room for. */
TEST(test_single_bytes) {
    char bytes[256];
    const char *patterns[256];
    size_t lengths[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        bytes[byte] = (char)(255 - byte);
        patterns[byte] = &bytes[byte];
        lengths[byte] = 1;
    }
    for (size_t count = 1; count <= 256; count += 255) {
        pm_dict *dict;
        assert_ok(pm_dict_create(NULL, patterns, lengths, count, 0, &dict));
        check_random(dict, count, 16, 20000);
        pm_dict_destroy(dict);
    }
}

/* Many patterns at a place, in an order that is not that of their lengths. */
TEST(test_many_at_one_place) {
    enum {
        COUNT = 40,
        N = 4500
    };
    word_set set;
    assert_true(word_set_nested(&set, COUNT));
    char *const text = allocate(N, 1);
    memset(text, 'a', N);
    uint64_t random = 1;
    for (unsigned order = 0; order < 2; order++) {
        for (size_t p = 0; order > 0 && p < COUNT; p++) {
            const size_t q = random_below(&random, COUNT), length = set.lengths[p];
            const char *const pattern = set.patterns[p];
            set.patterns[p] = set.patterns[q];
            set.lengths[p] = set.lengths[q];
            set.patterns[q] = pattern;
            set.lengths[q] = length;
        }
        pm_dict *const dict = word_set_dict(&set);
        check(gpu, dict, text, N);
        check(gpu_of_chunks, dict, text, N);
        pm_dict_destroy(dict);
    }
    free(text);
    word_set_clear(&set);
}

/* Ten thousand patterns, of all lengths, and of four bytes and more. */
TEST(test_many_patterns) {
    for (unsigned shortest = 1; shortest <= 4; shortest += 3) {
        word_set set;
        assert_true(word_set_random(&set, shortest, 10000, 12, 16, 0));
        size_t kept = 0;
        for (size_t p = 0; p < set.count; p++)
            if (set.lengths[p] >= shortest) {
                set.patterns[kept] = set.patterns[p];
                set.lengths[kept++] = set.lengths[p];
            }
        set.count = kept;
        pm_dict *const dict = word_set_dict(&set);
        check_random(dict, 5, 16, 100000);
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
}

/* Patterns so long that groups, dispatches and chunks have fewer places; and one that is too long. */
TEST(test_long_patterns) {
    const size_t most = strcmp(pmi_gpu_kind(gpu), "cpu") == 0 ? 1024 : 65536, n = most + 4000;
    char *const text = allocate(n, 1);
    memset(text, 'b', n);
    text[n - 1] = 'a';
    const size_t longest[] = {40, 300, most};
    for (size_t k = 0; k < COUNT_OF(longest); k++) {
        const char *const patterns[] = {text + n - longest[k], "bba", "bbb"};
        const size_t lengths[] = {longest[k], 3, 3};
        pm_dict *dict;
        assert_ok(pm_dict_create(NULL, patterns, lengths, 3, 0, &dict));
        check(gpu, dict, text, n);
        check(gpu_of_chunks, dict, text + most / 2, n - most / 2);
        pm_dict_destroy(dict);
    }
    const char *const too_long[] = {text};
    const size_t length = most + 1;
    pm_dict *dict;
    uint64_t found;
    assert_ok(pm_dict_create(NULL, too_long, &length, 1, 0, &dict));
    assert_int_equal(pmi_gpu_find(gpu, dict, text, n, NULL, 0, &found), PM_TOO_LARGE);
    pm_dict_destroy(dict);
    free(text);
}

/* More dictionaries than are kept, interleaved; those made again, which may lie where others lay, are new ones. */
TEST(test_dictionaries) {
    enum {
        COUNT = 6
    };
    pm_dict *dict[COUNT];
    word_set set[COUNT];
    for (unsigned k = 0; k < COUNT; k++) {
        assert_true(word_set_random(&set[k], k, 5, 4, 5, 0));
        dict[k] = word_set_dict(&set[k]);
    }
    uint64_t seed = 1;
    for (unsigned round = 0; round < 40; round++) {
        const unsigned k = (unsigned)random_below(&seed, COUNT), j = (unsigned)random_below(&seed, COUNT);
        check_random(dict[k], round, 5, 500);
        pm_dict_destroy(dict[k]);
        dict[k] = word_set_dict(&set[j]);
        check_random(dict[k], round, 5, 500);
    }
    for (unsigned k = 0; k < COUNT; k++) {
        pm_dict_destroy(dict[k]);
        word_set_clear(&set[k]);
    }
}

/* ---- The public function ---- */

TEST(test_public_function) {
    fault_allocator own = {0};
    const pm_options options = {
        .struct_size = sizeof options, .allocator = fault_allocator_functions(&own), .allow_cpu_device = true};
    pm_context *context = context_of(&options);
    const char *const patterns[] = {"he", "she", "his", "hers"};
    static const char text[] = "ushers";
    pm_dict *dict, *none;
    assert_ok(pm_dict_create(context, patterns, NULL, 4, 0, &dict));
    assert_ok(pm_dict_create(context, NULL, NULL, 0, 0, &none));
    pm_hit hits[3];
    size_t found = 7;
    assert_invalid(pm_find_gpu(NULL, dict, text, 6, hits, 3, &found));
    assert_invalid(pm_find_gpu(context, NULL, text, 6, hits, 3, &found));
    assert_invalid(pm_find_gpu(context, dict, NULL, 6, hits, 3, &found));
    assert_invalid(pm_find_gpu(context, dict, text, 6, NULL, 3, &found));
    assert_invalid(pm_find_gpu(context, dict, text, 6, hits, 3, NULL));
    assert_int_equal(found, 7);
    assert_ok(pm_find_gpu(context, dict, NULL, 0, NULL, 0, &found));
    assert_int_equal(found, 0);
    found = 7;
    assert_ok(pm_find_gpu(context, none, text, 6, hits, 3, &found));
    assert_int_equal(found, 0);
    assert_ok(pm_find_gpu(context, dict, text, 6, hits, 3, &found));
    assert_int_equal(found, 3);
    static const pm_hit expected[] = {{1, 3, 1}, {2, 2, 0}, {2, 4, 3}};
    assert_memory_equal(hits, expected, sizeof expected);
    pm_dict_destroy(none);
    pm_dict_destroy(dict);
    context_close(context, &own);
}

/* ---- As a backend of searches with settings ---- */

static pm_context *context_with_device(fault_allocator *own) {
    const pm_options options = {
        .struct_size = sizeof options, .allocator = fault_allocator_functions(own), .allow_cpu_device = true};
    pm_context *context = context_of(&options);
    return context;
}

typedef struct collected {
    pm_hit *hits;
    size_t count, room;
} collected;

static bool collect(const pm_hit *hits, size_t count, void *user) {
    collected *const to = user;
    assert_true(count <= to->room - to->count);
    memcpy(to->hits + to->count, hits, count * sizeof *hits);
    to->count += count;
    return true;
}

/* Hits of a kind are those that the CPU finds; of a text at once, and of one in chunks. */
static void check_kind(pm_context *context, const pm_dict *dict, pm_find_kind kind, const char *text, size_t n,
                       size_t chunk) {
    const pm_find_options device = {.kind = kind, .backend = "gpu"}, host = {.kind = kind, .backend = "cpu"};
    size_t count, found;
    uint64_t streamed;
    assert_ok(pm_find_with(NULL, dict, &host, text, n, NULL, 0, &count));
    pm_hit *const expected = allocate(count, sizeof *expected);
    assert_ok(pm_find_with(NULL, dict, &host, text, n, expected, count, &count));
    collected to = {.hits = allocate(count, sizeof *to.hits), .room = count};
    assert_ok(pm_find_with(context, dict, &device, text, n, to.hits, count, &found));
    assert_int_equal(found, count);
    assert_memory_equal(to.hits, expected, count * sizeof *expected);
    memset(to.hits, 0, count * sizeof *to.hits);
    pm_find_stream *stream;
    assert_ok(pm_find_stream_create(context, dict, &device, collect, &to, &stream));
    for (size_t begin = 0; begin < n; begin += chunk)
        assert_ok(pm_find_stream_push(stream, text + begin, n - begin < chunk ? n - begin : chunk));
    assert_ok(pm_find_stream_finish(stream, &streamed));
    assert_int_equal(streamed, count);
    assert_int_equal(to.count, count);
    assert_memory_equal(to.hits, expected, count * sizeof *expected);
    pm_find_stream_destroy(stream);
    free(to.hits);
    free(expected);
}

TEST(test_kinds) {
    fault_allocator own = {0};
    pm_context *const context = context_with_device(&own);
    for (uint64_t seed = 0; seed < 24; seed++) {
        uint64_t random = seed;
        const unsigned letters = 1 + (unsigned)random_below(&random, 4);
        const size_t n = 1 + random_below(&random, 3000);
        word_set set;
        assert_true(
            word_set_random(&set, seed, 1 + random_below(&random, 20), 1 + random_below(&random, 9), letters, 0));
        pm_dict *const dict = word_set_dict(&set);
        char *const text = allocate(n, 1);
        word_text_random(seed, letters, text, n);
        check_kind(context, dict, (pm_find_kind)(seed % 4), text, n, 1 + random_below(&random, n));
        free(text);
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
    context_close(context, &own);
}

/* More than the device is given at a time, and more hits than there is room for at first. */
TEST(test_pieces) {
    enum {
        PIECE = 64 << 20,
        MANY = 100000
    };
    const size_t n = PIECE + 100;
    const char *const patterns[] = {"needles", "need", "x"};
    char *const text = allocate(n, 1);
    pm_dict *dict;
    fault_allocator own = {0};
    pm_context *const context = context_with_device(&own);
    assert_ok(pm_dict_create(NULL, patterns, NULL, 3, 0, &dict));
    memset(text, ' ', n);
    memset(text + 1000, 'x', MANY);
    memcpy(text + PIECE - 4, "needles", 7);
    memcpy(text + n - 7, "needles", 7);
    const pm_find_options options = {.kind = PM_FIND_ALL, .backend = "gpu"};
    pm_hit *const hits = allocate(MANY + 4, sizeof *hits);
    size_t found;
    assert_ok(pm_find_with(context, dict, &options, text, n, hits, MANY + 4, &found));
    assert_int_equal(found, MANY + 4);
    const pm_hit last[] = {{PIECE - 4, 7, 0}, {PIECE - 4, 4, 1}, {n - 7, 7, 0}, {n - 7, 4, 1}};
    assert_memory_equal(hits + MANY, last, sizeof last);
    assert_int_equal(hits[MANY - 1].start, 1000 + MANY - 1);
    free(hits);
    free(text);
    pm_dict_destroy(dict);
    context_close(context, &own);
}

TEST(test_backend_arguments) {
    fault_allocator own = {0};
    pm_context *const context = context_with_device(&own);
    const char *const patterns[] = {"he"};
    pm_dict *dict;
    size_t found;
    assert_ok(pm_dict_create(NULL, patterns, NULL, 1, 0, &dict));
    const pm_find_options unknown = {.backend = "gpus"}, both = {.engine = "trie", .backend = "gpu"},
                          good = {.backend = "gpu"};
    assert_invalid(pm_find_with(context, dict, &unknown, "he", 2, NULL, 0, &found));
    assert_invalid(pm_find_with(context, dict, &both, "he", 2, NULL, 0, &found));
    assert_invalid(pm_find_with(NULL, dict, &good, "he", 2, NULL, 0, &found));
    pm_find_stream *stream;
    assert_invalid(pm_find_stream_create(NULL, dict, &good, NULL, NULL, &stream));
    pm_status status = PM_OUT_OF_MEMORY;
    for (size_t fail_at = 1; status == PM_OUT_OF_MEMORY; fail_at++) { /* once the device is open */
        assert_ok(pm_find_with(context, dict, &good, "he", 2, NULL, 0, &found));
        own.fail_at = own.calls + fail_at;
        status = pm_find_with(context, dict, &good, "he", 2, NULL, 0, &found);
        own.fail_at = 0;
    }
    assert_ok(status);
    assert_int_equal(found, 1);
    pm_dict_destroy(dict);
    context_close(context, &own);
}

int main(int argc, char **argv) {
    const gpu_tests_device devices[] = {
        {.gpu = &gpu},
        {.settings = {.chunk_bytes = SLOT_BYTES, .transfer = PM_TRANSFER_STAGED, .dispatch_tiles = 1},
         .gpu = &gpu_of_chunks}};
    return gpu_tests_with(argc, argv, devices, 2);
}
