/* SPDX-License-Identifier: Apache-2.0 */
/* What the header promises threads: each with a context of its own, all with none, and an object passed between them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

enum {
    N = 3000,
    WORDS = (N + 63) / 64,
    THREADS = 4,
    ROUNDS = 20,
    LANGUAGES_MAX = 64
};

typedef pm_status vector_function(pm_context *, pm_forest_index, const uint64_t *, size_t, const uint32_t *,
                                  uint32_t *);

static vector_function *const vectors[] = {pm_forest_depth,        pm_forest_parent,      pm_forest_prev_sibling,
                                           pm_forest_next_sibling, pm_forest_first_child, pm_forest_subtree_size};

#define VECTORS (2 * COUNT_OF(vectors)) /* by element and by node */

/* What all threads read. */
static struct {
    uint64_t parens[WORDS], some_closes[WORDS];
    uint8_t kinds[N];
    char text[N];
} input;

/* An index that all threads ask. */
static pm_bp *shared_index;

/* What they all must come to; zeros where nothing is written. */
typedef struct results {
    uint32_t match[N], masked_match[N], vector[VECTORS][N], position[N], order[N], mismatched[N];
    uint64_t close[N], ancestor[N], enclose_many[N];
    uint64_t stream_match[N], of_depth[2 * WORDS], of_parent[2 * WORDS];
    pm_bic total, masked_total, stream_total;
    size_t nodes, found;
    int8_t enclose[N];
    size_t brackets[LANGUAGES_MAX];
    pm_check_summary checks[LANGUAGES_MAX];
} results;

static bool match_everything(pm_context *context, results *out) {
    return pm_match_seq(context, input.parens, N, out->match, &out->total) == PM_OK &&
           pm_match_auto(context, input.parens, N, out->match, &out->total) == PM_OK &&
           pm_match_verify(context, input.parens, N, out->match, NULL) == PM_OK &&
           pm_match_masks(context, input.parens, input.some_closes, N, out->masked_match, &out->masked_total) == PM_OK;
}

static bool stream_everything(pm_context *context, results *out) {
    pm_stream *stream;
    if (pm_stream_create(context, &stream) != PM_OK)
        return false;
    const bool right = pm_stream_push(stream, input.parens, N / 2, NULL) == PM_OK &&
                       pm_stream_push(stream, input.parens, N, out->stream_match) == PM_OK &&
                       pm_stream_finish(stream, &out->stream_total) == PM_OK;
    pm_stream_destroy(stream);
    return right;
}

/* Of the tree, there and back. */
static bool vectors_of_everything(pm_context *context, results *out) {
    for (size_t v = 0; v < VECTORS; v++)
        if (vectors[v / 2](context, v % 2 ? PM_FOREST_BY_NODE : PM_FOREST_BY_ELEMENT, input.parens, N, out->match,
                           out->vector[v]) != PM_OK)
            return false;
    out->nodes = pm_forest_count(input.parens, N);
    uint32_t *vector = out->position;
    return pm_forest_depth(context, PM_FOREST_BY_NODE, input.parens, N, out->match, vector) == PM_OK &&
           pm_parens_from_depth(context, vector, out->nodes, out->of_depth) == PM_OK &&
           pm_forest_parent(context, PM_FOREST_BY_NODE, input.parens, N, out->match, vector) == PM_OK &&
           pm_parens_from_parent(context, vector, out->nodes, out->of_parent, out->order) == PM_OK &&
           pm_forest_position(context, input.parens, N, out->position) == PM_OK;
}

/* One text, as every language reads it. */
static bool read_everything(pm_context *context, results *out) {
    for (size_t i = 0; i < pm_language_count() && i < LANGUAGES_MAX; i++) {
        const pm_language *language = pm_language_at(i);
        pm_check *check;
        const pm_status listed =
            pm_text_brackets(context, language, NULL, input.text, N, 0, NULL, NULL, NULL, &out->brackets[i]);
        if (listed != (pm_language_alphabet(language) ? PM_OK : PM_UNSUPPORTED) ||
            pm_check_create(context, language, NULL, NULL, NULL, &check) != PM_OK)
            return false;
        const bool right =
            pm_check_push(check, input.text, N) == PM_OK && pm_check_finish(check, &out->checks[i]) == PM_OK;
        pm_check_destroy(check);
        if (!right)
            return false;
    }
    return true;
}

static void query_everything(results *out) {
    uint64_t all[N];
    for (size_t i = 0; i < N; i++) {
        all[i] = i;
        out->close[i] = pm_bp_find_close(shared_index, i) + pm_bp_select_open(shared_index, i);
        out->ancestor[i] = pm_bp_level_ancestor(shared_index, i, 2) + pm_bp_degree(shared_index, i);
    }
    pm_bp_enclose_many(shared_index, all, N, out->enclose_many);
}

static bool answer_everything(pm_context *context, results *out) {
    memset(out, 0, sizeof *out);
    query_everything(out);
    for (size_t i = 0; i < N; i++)
        out->enclose[i] = (int8_t)pm_word_enclose(input.parens[i / 64], i % 64);
    return match_everything(context, out) && stream_everything(context, out) && vectors_of_everything(context, out) &&
           read_everything(context, out) &&
           pm_match_check_kinds(context, input.parens, N, out->match, input.kinds, N, out->mismatched, &out->found) ==
               PM_OK;
}

static results *expected;

static int set_up(void **state) {
    (void)state;
    uint64_t seed = 1;
    assert_true(family_fill("bits", seed, N, input.parens));
    for (size_t w = 0; w < WORDS; w++)
        input.some_closes[w] = ~input.parens[w] & random_next(&seed);
    for (size_t i = 0; i < N; i++)
        input.kinds[i] = (uint8_t)random_below(&seed, 2);
    static const char bytes[] = "()[]{}()[]{}abR1#;:|\\\"'/*\n ";
    for (size_t i = 0; i < N; i++)
        input.text[i] = bytes[random_below(&seed, sizeof bytes - 1)];
    assert_ok(pm_bp_create(NULL, input.parens, N, &shared_index));
    expected = allocate(1, sizeof *expected);
    assert_true(answer_everything(NULL, expected));
    assert_true(expected->found > 0 && expected->checks[0].brackets == expected->brackets[0]);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(expected);
    pm_bp_destroy(shared_index);
    return 0;
}

/* Asserts leap to where the test began, so they are left to its thread; the others say whether all went right. */
typedef struct worker {
    pthread_t thread;
    bool own_context, right;
    fault_allocator faults;
    results *out;
} worker;

static void *work(void *argument) {
    worker *self = argument;
    self->right = true;
    for (int round = 0; round < ROUNDS && self->right; round++) {
        pm_context *context = NULL;
        if (self->own_context && fault_allocator_context(&self->faults, &context) != PM_OK)
            self->right = false;
        else
            self->right = answer_everything(context, self->out) && memcmp(self->out, expected, sizeof *expected) == 0;
        pm_context_destroy(context);
    }
    return NULL;
}

static void check_together(bool own_context) {
    worker workers[THREADS];
    for (size_t t = 0; t < THREADS; t++) {
        workers[t] = (worker){.own_context = own_context, .out = allocate(1, sizeof *workers[t].out)};
        assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
    for (size_t t = 0; t < THREADS; t++) {
        assert_true(workers[t].right);
        assert_true(fault_allocator_is_settled(&workers[t].faults));
        assert_int_equal(workers[t].faults.calls > 0, own_context);
        free(workers[t].out);
    }
}

TEST(test_each_its_own_context) {
    check_together(true);
}

TEST(test_all_without_context) {
    check_together(false);
}

/* Words that the library keeps: the same for all, and never written. */
static void *name_everything(void *argument) {
    const char **names = argument;
    names[0] = pm_version_string();
    for (int status = -1; status <= 9; status++) {
        *++names = pm_status_name((pm_status)status);
        *++names = pm_status_string((pm_status)status);
    }
    return NULL;
}

TEST(test_names) {
    enum {
        NAMES = 1 + 2 * 11
    };
    const char *names[THREADS][NAMES];
    pthread_t threads[THREADS];
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, name_everything, names[t]), 0);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    for (size_t t = 1; t < THREADS; t++)
        for (size_t i = 0; i < NAMES; i++)
            assert_ptr_equal(names[t][i], names[0][i]);
}

/* One thread at a time, but not always the same one. */
static void *push_half(void *stream) {
    return pm_stream_push(stream, input.parens, N / 2, NULL) == PM_OK ? stream : NULL;
}

TEST(test_a_stream_passed_on) {
    pm_stream *stream;
    pthread_t thread;
    void *pushed;
    assert_ok(pm_stream_create(NULL, &stream));
    assert_int_equal(pthread_create(&thread, NULL, push_half, stream), 0);
    assert_int_equal(pthread_join(thread, &pushed), 0);
    assert_ptr_equal(pushed, stream);
    uint64_t *match = allocate(N, sizeof *match);
    assert_ok(pm_stream_push(stream, input.parens, N, match));
    assert_memory_equal(match, expected->stream_match, N * sizeof *match);
    free(match);
    pm_stream_destroy(stream);
}

int main(void) {
    return tests_run_between(set_up, tear_down);
}
