/* SPDX-License-Identifier: Apache-2.0 */
/* Searches of texts that arrive in chunks: the same hits as of the whole text, however it is cut. */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/find/word_sets.h"
#include "tests/support/unit.h"

/* What was reported. */
typedef struct collected {
    pm_hit *hits;
    size_t count, room;
    size_t stop_after; /* reports; 0: never */
} collected;

static bool collect(const pm_hit *hits, size_t count, void *user) {
    collected *const to = user;
    assert_true(count > 0 && count <= to->room - to->count);
    memcpy(to->hits + to->count, hits, count * sizeof *hits);
    to->count += count;
    return to->stop_after == 0 || --to->stop_after > 0;
}

/* Pushes the text in chunks of 0 to `longest` bytes, each in a block of its own. */
static void push_all(pm_find_stream *stream, const char *text, size_t n, size_t longest, uint64_t seed) {
    for (size_t begin = 0, length; begin < n; begin += length) {
        length = random_below(&seed, longest + 1);
        if (length > n - begin)
            length = n - begin;
        char *chunk = allocate(length, 1);
        memcpy(chunk, text + begin, length);
        assert_ok(pm_find_stream_push(stream, chunk, length));
        free(chunk);
    }
}

TEST(test_every_cut) {
    for (uint64_t seed = 0; seed < 1500; seed++) {
        uint64_t random = seed;
        const unsigned letters = 1 + (unsigned)random_below(&random, 8);
        const size_t n = random_below(&random, seed % 10 == 0 ? 4000 : 100);
        word_set set;
        assert_true(word_set_random(&set, seed, random_below(&random, 20), 1 + random_below(&random, 30), letters, 0));
        pm_dict *dict = word_set_dict(&set);
        const pm_find_options options = {.kind = (pm_find_kind)random_below(&random, 4)};
        char *text = allocate(n, 1);
        word_text_random(seed, letters, text, n);
        size_t count;
        uint64_t found;
        assert_ok(pm_find_with(NULL, dict, &options, text, n, NULL, 0, &count));
        pm_hit *const expected = allocate(count, sizeof *expected);
        assert_ok(pm_find_with(NULL, dict, &options, text, n, expected, count, &count));
        collected got = {.hits = allocate(count, sizeof *got.hits), .room = count};
        pm_find_stream *stream;
        assert_ok(pm_find_stream_create(NULL, dict, &options, collect, &got, &stream));
        for (unsigned round = 0; round < 3; round++) {
            got.count = 0;
            push_all(stream, text, n, 1 + random_below(&random, 40), seed);
            assert_ok(pm_find_stream_finish(stream, &found));
            assert_int_equal(found, count);
            assert_int_equal(got.count, count);
            assert_memory_equal(got.hits, expected, count * sizeof *expected);
        }
        pm_find_stream_destroy(stream);
        free(got.hits);
        free(expected);
        free(text);
        pm_dict_destroy(dict);
        word_set_clear(&set);
    }
}

/* More hits at a place than are reported at once otherwise, and a caller who has seen enough. */
TEST(test_many_and_enough) {
    enum {
        COUNT = 1500,
        N = 2000,
        HITS = COUNT * (N - COUNT) + COUNT * (COUNT + 1) / 2
    };
    word_set set;
    assert_true(word_set_nested(&set, COUNT));
    pm_dict *dict = word_set_dict(&set);
    char text[N];
    memset(text, 'a', N);
    collected got = {.hits = allocate(HITS, sizeof *got.hits), .room = HITS};
    pm_find_stream *stream;
    uint64_t found;
    assert_ok(pm_find_stream_create(NULL, dict, NULL, collect, &got, &stream));
    push_all(stream, text, N, 700, 1);
    assert_ok(pm_find_stream_finish(stream, &found));
    assert_int_equal(found, HITS);
    assert_int_equal(got.count, HITS);
    for (size_t h = 0; h < HITS; h++)
        if (got.hits[h].length != got.hits[h].pattern + 1 || (h > 0 && got.hits[h].start < got.hits[h - 1].start))
            fail_msg("hit %zu", h);
    got.count = 0;
    got.stop_after = 2;
    push_all(stream, text, N, N, 1);
    assert_ok(pm_find_stream_finish(stream, &found));
    assert_int_equal(found, HITS);
    assert_int_equal(got.stop_after, 0);
    assert_true(got.count > 0 && got.count < HITS);
    got.count = 0;
    push_all(stream, text, N, N, 1); /* the next text is reported again */
    assert_ok(pm_find_stream_finish(stream, NULL));
    assert_int_equal(got.count, HITS);
    pm_find_stream_destroy(stream);
    free(got.hits);
    pm_dict_destroy(dict);
    word_set_clear(&set);
}

TEST(test_counting) {
    const char *const patterns[] = {"ab", "b"};
    pm_dict *dict;
    pm_find_stream *stream;
    uint64_t found;
    assert_ok(pm_dict_create(NULL, patterns, NULL, 2, 0, &dict));
    assert_ok(pm_find_stream_create(NULL, dict, NULL, NULL, NULL, &stream));
    assert_ok(pm_find_stream_push(stream, "a", 1));
    assert_ok(pm_find_stream_push(stream, NULL, 0));
    assert_ok(pm_find_stream_push(stream, "bb", 2));
    assert_ok(pm_find_stream_finish(stream, &found));
    assert_int_equal(found, 3);
    pm_find_stream_destroy(stream);
    pm_dict_destroy(dict);
}

TEST(test_arguments) {
    const char *const pattern = "a";
    pm_dict *dict;
    pm_find_stream *stream = (pm_find_stream *)(uintptr_t)&stream;
    assert_ok(pm_dict_create(NULL, &pattern, NULL, 1, 0, &dict));
    assert_invalid(pm_find_stream_create(NULL, dict, NULL, NULL, NULL, NULL));
    assert_invalid(pm_find_stream_create(NULL, NULL, NULL, NULL, NULL, &stream));
    assert_null(stream);
    const pm_find_options bad = {.engine = "horse"};
    assert_invalid(pm_find_stream_create(NULL, dict, &bad, NULL, NULL, &stream));
    assert_ok(pm_find_stream_create(NULL, dict, NULL, NULL, NULL, &stream));
    assert_invalid(pm_find_stream_push(stream, NULL, 1));
    assert_invalid(pm_find_stream_push(NULL, "a", 1));
    assert_invalid(pm_find_stream_finish(NULL, NULL));
    pm_find_stream_destroy(stream);
    pm_find_stream_destroy(NULL);
    pm_dict_destroy(dict);
}

TEST(test_no_memory) {
    enum {
        N = 3000
    };
    const char *const patterns[] = {"a", "aa"};
    char text[N];
    memset(text, 'a', N);
    pm_dict *dict;
    assert_ok(pm_dict_create(NULL, patterns, NULL, 2, 0, &dict));
    for (size_t fail_at = 2;; fail_at++) {
        fault_allocator faults = {.fail_at = fail_at};
        pm_find_stream *stream;
        uint64_t found = 0;
        pm_context *context = context_with(&faults);
        pm_status status = pm_find_stream_create(context, dict, NULL, NULL, NULL, &stream);
        const bool created = status == PM_OK;
        assert_true(created == (stream != NULL));
        if (created) {
            status = pm_find_stream_push(stream, text, N);
            assert_int_equal(pm_find_stream_push(stream, text, 10), status);
            assert_int_equal(pm_find_stream_finish(stream, &found), status);
            faults.fail_at = 0; /* the next text */
            assert_ok(pm_find_stream_push(stream, text, N));
            assert_ok(pm_find_stream_finish(stream, &found));
            assert_int_equal(found, 2 * N - 1);
        }
        pm_find_stream_destroy(stream);
        context_close(context, &faults);
        if (status == PM_OK)
            break;
        assert_int_equal(status, PM_OUT_OF_MEMORY);
        assert_true(fail_at < 20);
    }
    pm_dict_destroy(dict);
}

/* Pushes a text of 2^18 bytes singly; the longest pattern has n bytes, and matches all along. */
static void push_singly(size_t n, void *user) {
    (void)user;
    char *const pattern = allocate(n, 1);
    memset(pattern, 'a', n);
    const char *const patterns[] = {pattern};
    pm_dict *dict;
    pm_find_stream *stream;
    uint64_t found;
    assert_ok(pm_dict_create(NULL, patterns, &n, 1, 0, &dict));
    assert_ok(pm_find_stream_create(NULL, dict, NULL, NULL, NULL, &stream));
    for (size_t i = 0; i < 1 << 18; i++)
        assert_int_equal(pm_find_stream_push(stream, "a", 1), PM_OK);
    assert_ok(pm_find_stream_finish(stream, &found));
    assert_int_equal(found, (1 << 18) - n + 1);
    pm_find_stream_destroy(stream);
    pm_dict_destroy(dict);
    free(pattern);
}

/* A byte takes about the same time, however long the patterns are. */
TEST(test_bytes_singly) {
    assert_true(takes_at_most(3, (timed_work){push_singly, 4000, NULL}, (timed_work){push_singly, 1000, NULL}));
}
