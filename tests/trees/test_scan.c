/* SPDX-License-Identifier: Apache-2.0 */
/* Scans of trees: one thread against the definition, slices and threads against one thread, and each ready-made monoid
 * against arithmetic. Most of it with monoids that do not commute: strings, matrices, transforms. */
#include <math.h>
#include <string.h>

#include "cpu/trees/scan.h"
#include "inputs/families.h"
#include "inputs/scenes.h"
#include "tests/support/definition.h"
#include "tests/support/unit.h"

enum {
    SMALL = 64,  /* elements of a sequence that is one word */
    MARGIN = 64, /* bytes on either side of results that nobody may write to */
    SEVERAL = 20000
};

static const unsigned thread_counts[] = {1, 2, 3, 7};
/* ---- Monoids of the tests' own */

/* Strings under concatenation. */
typedef struct string {
    uint8_t length;
    char text[11];
} string;

static void concatenate(void *out, const void *a, const void *b, void *user) {
    const string *const left = a, *const right = b;
    string *const both = out;
    assert_true(left->length + right->length <= (int)sizeof both->text);
    assert_true(out != a && out != b);
    memset(both, 0, sizeof *both);
    both->length = (uint8_t)(left->length + right->length);
    memcpy(both->text, left->text, left->length);
    memcpy(both->text + left->length, right->text, right->length);
    ++*(size_t *)user;
}

/* Matrices of two by two, modulo 2^32. */
typedef struct matrix {
    uint32_t m[2][2];
} matrix;

static void multiply(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const matrix *const left = a, *const right = b;
    matrix *const product = out;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            product->m[i][j] = left->m[i][0] * right->m[0][j] + left->m[i][1] * right->m[1][j];
}

static const matrix identity_matrix = {{{1, 0}, {0, 1}}};
static const pm_monoid matrices = {sizeof(matrix), &identity_matrix, multiply, NULL};

/* ---- The definition */

/* The product of the values of the nodes for which `takes` is true, in order. */
static void fold(const pm_monoid *monoid, const uint64_t takes, const unsigned char *values, void *out) {
    unsigned char product[2][64];
    bool some = false;
    memcpy(out, monoid->identity, monoid->size);
    for (size_t k = 0; k < SMALL; k++) {
        if (!(takes >> k & 1))
            continue;
        if (some) {
            memcpy(product[0], out, monoid->size);
            monoid->combine(product[1], product[0], values + k * monoid->size, monoid->user);
            memcpy(out, product[1], monoid->size);
        } else {
            memcpy(out, values + k * monoid->size, monoid->size);
        }
        some = true;
    }
}

/* Of each node, by number, the set of the nodes above it; returns the number of nodes. */
static size_t find_above(uint64_t parens, size_t n, uint64_t *above) {
    uint32_t match[SMALL];
    size_t number[SMALL], nodes = 0;
    definition_match(&parens, NULL, n, match);
    for (size_t i = 0; i < n; i++) {
        if (!(parens >> i & 1))
            continue;
        above[nodes] = 0;
        for (uint32_t open = match[i]; open != PM_NONE; open = match[open])
            above[nodes] |= UINT64_C(1) << number[open];
        number[i] = nodes++;
    }
    return nodes;
}

typedef struct expectation {
    size_t nodes;
    unsigned char inclusive[SMALL * 64], exclusive[SMALL * 64], reduced[SMALL * 64];
} expectation;

static void expect_of(uint64_t parens, size_t n, const pm_monoid *monoid, const unsigned char *values,
                      expectation *expected) {
    uint64_t above[SMALL];
    const size_t nodes = expected->nodes = find_above(parens, n, above), size = monoid->size;
    for (size_t k = 0; k < nodes; k++) {
        uint64_t below = UINT64_C(1) << k;
        for (size_t j = k + 1; j < nodes; j++)
            below |= (above[j] >> k & 1) << j;
        fold(monoid, above[k], values, expected->exclusive + k * size);
        fold(monoid, above[k] | UINT64_C(1) << k, values, expected->inclusive + k * size);
        fold(monoid, below, values, expected->reduced + k * size);
    }
}

/* ---- One thread, and small slices, against the definition */

static void check_small(uint64_t parens, size_t n, const pm_monoid *monoid, const unsigned char *values,
                        size_t slices) {
    expectation expected;
    expect_of(parens, n, monoid, values, &expected);
    const size_t bytes = expected.nodes * monoid->size;
    unsigned char *const out = allocate(bytes, 1);
    assert_ok(pm_tree_scan_down_seq(NULL, &parens, n, monoid, PM_SCAN_INCLUSIVE, values, out));
    assert_memory_equal(out, expected.inclusive, bytes);
    assert_ok(pm_tree_scan_down_seq(NULL, &parens, n, monoid, PM_SCAN_EXCLUSIVE, values, out));
    assert_memory_equal(out, expected.exclusive, bytes);
    assert_ok(pm_tree_reduce_up_seq(NULL, &parens, n, monoid, values, out));
    assert_memory_equal(out, expected.reduced, bytes);
    const pmi_value_tree tree = {&parens, n, monoid, values, out};
    for (size_t size = 1; size <= slices; size++) {
        fault_allocator faults = {0};
        const pm_allocator allocator = fault_allocator_functions(&faults);
        const pmi_slice_plan plan = {1, size, n};
        const size_t nodes = expected.nodes;
        memset(out, 0xa5, bytes);
        assert_ok(pmi_omp_scan(&allocator, &plan, &tree, nodes, PM_SCAN_INCLUSIVE));
        assert_memory_equal(out, expected.inclusive, bytes);
        assert_ok(pmi_omp_scan(&allocator, &plan, &tree, nodes, PM_SCAN_EXCLUSIVE));
        assert_memory_equal(out, expected.exclusive, bytes);
        assert_ok(pmi_omp_reduce(&allocator, &plan, &tree, nodes));
        assert_memory_equal(out, expected.reduced, bytes);
        assert_true(fault_allocator_is_settled(&faults));
    }
    free(out);
}

/* Every sequence of up to 9 elements, with a letter for each node. */
TEST(test_every_small_tree) {
    size_t combined = 0;
    const string empty = {0};
    const pm_monoid strings = {sizeof(string), &empty, concatenate, &combined};
    string letters[SMALL];
    memset(letters, 0, sizeof letters);
    for (int k = 0; k < SMALL; k++)
        letters[k] = (string){1, {(char)('a' + k % 26)}};
    for (size_t n = 1; n <= 9; n++)
        for (uint64_t parens = 0; parens < UINT64_C(1) << n; parens++)
            check_small(parens | UINT64_MAX << n, n, &strings, (const unsigned char *)letters, n);
    assert_true(combined > 0);
}

/* ---- The ready-made monoids */

static const pm_monoid *const *ready_made(size_t *count) {
    static const pm_monoid *monoids[7];
    *count = COUNT_OF(monoids);
    monoids[0] = pm_monoid_box_intersection();
    monoids[1] = pm_monoid_box_union();
    monoids[2] = pm_monoid_sum_u64();
    monoids[3] = pm_monoid_sum_f64();
    monoids[4] = pm_monoid_max_i64();
    monoids[5] = pm_monoid_max_f64();
    monoids[6] = pm_monoid_affine();
    return monoids;
}

/* A value on which the monoid rounds nothing. */
static void random_value(const pm_monoid *monoid, uint64_t *seed, void *value) {
    const double number = (double)random_below(seed, 2000) - 1000;
    const uint64_t bits = random_next(seed);
    if (monoid == pm_monoid_box_intersection() || monoid == pm_monoid_box_union()) {
        const pm_box box = scene_odd_box(seed);
        memcpy(value, &box, sizeof box);
    } else if (monoid == pm_monoid_sum_u64() || monoid == pm_monoid_max_i64()) {
        memcpy(value, &bits, sizeof bits);
    } else if (monoid == pm_monoid_affine()) {
        pm_affine affine;
        for (unsigned i = 0; i < 12; i++)
            affine.m[i / 4][i % 4] = (float)random_below(seed, 3) - 1;
        memcpy(value, &affine, sizeof affine);
    } else {
        memcpy(value, &number, sizeof number);
    }
}

/* Is it the value, or where a value has several forms, one of the same? */
static bool same_value(const pm_monoid *monoid, const void *a, const void *b) {
    unsigned char left[64], right[64];
    monoid->combine(left, monoid->identity, a, monoid->user);
    monoid->combine(right, monoid->identity, b, monoid->user);
    return memcmp(left, right, monoid->size) == 0;
}

TEST(test_laws) {
    uint64_t seed = 1;
    size_t monoids;
    const pm_monoid *const *const monoid = ready_made(&monoids);
    for (size_t m = 0; m < monoids; m++)
        for (int round = 0; round < 3000; round++) {
            max_align_t a[4], b[4], c[4], ab[4], bc[4], left[4], right[4];
            random_value(monoid[m], &seed, a);
            random_value(monoid[m], &seed, b);
            random_value(monoid[m], &seed, c);
            monoid[m]->combine(ab, a, b, NULL);
            monoid[m]->combine(bc, b, c, NULL);
            monoid[m]->combine(left, ab, c, NULL);
            monoid[m]->combine(right, a, bc, NULL);
            assert_memory_equal(left, right, monoid[m]->size);
            monoid[m]->combine(left, a, monoid[m]->identity, NULL);
            monoid[m]->combine(right, monoid[m]->identity, a, NULL);
            assert_memory_equal(left, right, monoid[m]->size);
            assert_true(same_value(monoid[m], left, a));
        }
}

TEST(test_arithmetic) {
    const double x = 2.5, y = -3;
    double f64;
    pm_monoid_sum_f64()->combine(&f64, &x, &y, NULL);
    assert_true(f64 == -0.5);
    pm_monoid_max_f64()->combine(&f64, &x, &y, NULL);
    assert_true(f64 == 2.5);
    const int64_t i = -7, k = INT64_MIN;
    int64_t i64;
    pm_monoid_max_i64()->combine(&i64, &k, &i, NULL);
    assert_int_equal(i64, -7);
    const uint64_t u = UINT64_MAX - 1, v = 5;
    uint64_t u64;
    pm_monoid_sum_u64()->combine(&u64, &u, &v, NULL);
    assert_int_equal(u64, 3);
    const pm_box a = {0, 0, 3, 3}, b = {2, 1, 5, 2}, c = {4, 0, 5, 1};
    const pm_box both = {2, 1, 3, 2}, either = {0, 0, 5, 3}, none = {0, 0, 0, 0};
    pm_box box;
    pm_monoid_box_intersection()->combine(&box, &a, &b, NULL);
    assert_memory_equal(&box, &both, sizeof box);
    pm_monoid_box_intersection()->combine(&box, &a, &c, NULL);
    assert_memory_equal(&box, &none, sizeof box);
    pm_monoid_box_union()->combine(&box, &a, &b, NULL);
    assert_memory_equal(&box, &either, sizeof box);
    /* A quarter turn about z and a move, of what has been stretched: (1, 0, 0) -> (2, 0, 0) -> (10, 22, 30). */
    const pm_affine turn = {{{0, -1, 0, 10}, {1, 0, 0, 20}, {0, 0, 1, 30}}},
                    stretch = {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 4, 0}}};
    const pm_affine expected = {{{0, -3, 0, 10}, {2, 0, 0, 20}, {0, 0, 4, 30}}};
    pm_affine affine;
    pm_monoid_affine()->combine(&affine, &turn, &stretch, NULL);
    assert_memory_equal(&affine, &expected, sizeof affine);
}

TEST(test_ready_made) {
    uint64_t seed = 2;
    size_t monoids;
    const pm_monoid *const *const monoid = ready_made(&monoids);
    for (size_t m = 0; m < monoids; m++)
        for (int round = 0; round < 60; round++) {
            unsigned char *const values = allocate(SMALL, monoid[m]->size);
            for (size_t k = 0; k < SMALL; k++)
                random_value(monoid[m], &seed, values + k * monoid[m]->size);
            /* Transforms of at most 8 nodes, so that their products are exact. */
            const size_t n = monoid[m] == pm_monoid_affine() ? 1 + random_below(&seed, 8) : 1 + random_below(&seed, 64);
            check_small(random_next(&seed) | random_next(&seed), n, monoid[m], values, 8);
            free(values);
        }
}

/* ---- Slices and threads against one thread, with matrices */

typedef struct subject {
    uint64_t *parens;
    size_t n, nodes;
    matrix *values, *expected[3]; /* down with and without the node's own, and up */
    unsigned char *around;        /* MARGIN, results, MARGIN */
} subject;

static subject subject_make(size_t n) {
    subject s = {.parens = allocate(n / 64 + 1, sizeof *s.parens), .n = n};
    s.values = allocate(n, sizeof *s.values);
    uint64_t seed = n;
    for (size_t k = 0; k < n; k++)
        for (int e = 0; e < 4; e++)
            s.values[k].m[e / 2][e % 2] = (uint32_t)random_next(&seed);
    for (int e = 0; e < 3; e++)
        s.expected[e] = allocate(n, sizeof(matrix));
    s.around = allocate(n * sizeof(matrix) + 2 * MARGIN, 1);
    return s;
}

static void subject_free(subject *s) {
    free(s->parens);
    free(s->values);
    for (int e = 0; e < 3; e++)
        free(s->expected[e]);
    free(s->around);
}

static void subject_expect(subject *s) {
    s->nodes = pm_forest_count(s->parens, s->n);
    assert_ok(pm_tree_scan_down_seq(NULL, s->parens, s->n, &matrices, PM_SCAN_INCLUSIVE, s->values, s->expected[0]));
    assert_ok(pm_tree_scan_down_seq(NULL, s->parens, s->n, &matrices, PM_SCAN_EXCLUSIVE, s->values, s->expected[1]));
    assert_ok(pm_tree_reduce_up_seq(NULL, s->parens, s->n, &matrices, s->values, s->expected[2]));
}

/* Junk, and after it where results go. */
static void *fresh_results(const subject *s) {
    memset(s->around, 0xa5, s->nodes * sizeof(matrix) + 2 * MARGIN);
    return s->around + MARGIN;
}

static void check_results(const subject *s, const matrix *expected, const char *what) {
    const matrix *const out = (const matrix *)(void *)(s->around + MARGIN);
    size_t wrong = 0;
    while (wrong < s->nodes && memcmp(&out[wrong], &expected[wrong], sizeof *out) == 0)
        wrong++;
    if (wrong < s->nodes)
        fail_msg("%s, n = %zu: wrong from node %zu on", what, s->n, wrong);
    for (size_t b = 0; b < MARGIN; b++) {
        assert_int_equal(s->around[b], 0xa5);
        assert_int_equal(s->around[MARGIN + s->nodes * sizeof *out + b], 0xa5);
    }
}

static void check_plan(const subject *s, const pmi_slice_plan *plan, const char *what) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    const pmi_value_tree tree = {s->parens, s->n, &matrices, s->values, fresh_results(s)};
    assert_ok(pmi_omp_scan(&allocator, plan, &tree, s->nodes, PM_SCAN_INCLUSIVE));
    check_results(s, s->expected[0], what);
    fresh_results(s);
    assert_ok(pmi_omp_scan(&allocator, plan, &tree, s->nodes, PM_SCAN_EXCLUSIVE));
    check_results(s, s->expected[1], what);
    fresh_results(s);
    assert_ok(pmi_omp_reduce(&allocator, plan, &tree, s->nodes));
    check_results(s, s->expected[2], what);
    assert_true(fault_allocator_is_settled(&faults));
}

TEST(test_plans) {
    static const size_t sizes[] = {1, 2, 63, 64, 65, 128, 300, 1000}, slice_sizes[] = {1, 3, 13, 63, 64, 100, 999};
    for (size_t f = 0, turn = 0; family_names[f]; f++)
        for (size_t z = 0; z < COUNT_OF(sizes); z++) {
            subject s = subject_make(sizes[z]);
            assert_true(family_fill(family_names[f], z, sizes[z], s.parens));
            subject_expect(&s);
            for (size_t d = 0; d < COUNT_OF(slice_sizes); d++, turn++) {
                const size_t most = turn % 5 == 0 ? turn % 20 : s.nodes;
                check_plan(&s, &(pmi_slice_plan){thread_counts[turn % COUNT_OF(thread_counts)], slice_sizes[d], most},
                           family_names[f]);
            }
            subject_free(&s);
        }
}

/* The stack grows and shrinks across slices, to the bottom and past it. */
TEST(test_swings) {
    uint64_t seed = 5;
    subject s = subject_make(SEVERAL);
    for (int round = 0; round < 60; round++) {
        const uint64_t most = random_below(&seed, 2) ? 50 : 3000;
        for (size_t i = 0, left = 0, odds = 0; i < SEVERAL; i++, left--) {
            if (left == 0) {
                left = 1 + random_below(&seed, most);
                odds = random_below(&seed, 11);
            }
            const uint64_t bit = UINT64_C(1) << i % 64;
            s.parens[i / 64] = random_below(&seed, 10) < odds ? s.parens[i / 64] | bit : s.parens[i / 64] & ~bit;
        }
        subject_expect(&s);
        check_plan(&s,
                   &(pmi_slice_plan){thread_counts[(size_t)round % COUNT_OF(thread_counts)],
                                     1 + random_below(&seed, 2000), SEVERAL},
                   "swings");
    }
    subject_free(&s);
}

/* ---- The public functions */

typedef pm_status scan_function(pm_context *, const uint64_t *, size_t, const pm_monoid *, pm_scan_mode, const void *,
                                void *);
typedef pm_status reduce_function(pm_context *, const uint64_t *, size_t, const pm_monoid *, const void *, void *);
static scan_function *const scans[] = {pm_tree_scan_down_auto, pm_tree_scan_down_seq, pm_tree_scan_down_omp};
static reduce_function *const reduces[] = {pm_tree_reduce_up_auto, pm_tree_reduce_up_seq, pm_tree_reduce_up_omp};

/* Scans down as told by `which`, or reduces up: the index of the expectation. */
static pm_status call(size_t f, int which, pm_context *context, const uint64_t *parens, size_t n,
                      const pm_monoid *monoid, const void *values, void *out) {
    return which < 2
               ? scans[f](context, parens, n, monoid, which == 0 ? PM_SCAN_INCLUSIVE : PM_SCAN_EXCLUSIVE, values, out)
               : reduces[f](context, parens, n, monoid, values, out);
}

TEST(test_arguments) {
    const uint64_t parens = 5;
    const pm_monoid good = matrices;
    const matrix values[2] = {{{{1, 2}, {3, 4}}}, {{{5, 6}, {7, 8}}}};
    matrix out[2];
    for (size_t f = 0; f < COUNT_OF(scans); f++)
        for (int which = 0; which < 3; which++) {
            assert_ok(call(f, which, NULL, NULL, 0, &good, NULL, NULL));
            assert_ok(call(f, which, NULL, &parens, 3, &good, values, out));
            assert_invalid(call(f, which, NULL, NULL, 3, &good, values, out));
            assert_invalid(call(f, which, NULL, &parens, 3, NULL, values, out));
            assert_invalid(call(f, which, NULL, &parens, 3, &good, NULL, out));
            assert_invalid(call(f, which, NULL, &parens, 3, &good, values, NULL));
            assert_int_equal(call(f, which, NULL, &parens, (size_t)UINT32_MAX + 1, &good, values, out), PM_TOO_LARGE);
            pm_monoid bad = good;
            bad.size = 0;
            assert_invalid(call(f, which, NULL, &parens, 3, &bad, values, out));
            bad = good;
            bad.identity = NULL;
            assert_invalid(call(f, which, NULL, &parens, 3, &bad, values, out));
            bad = good;
            bad.combine = NULL;
            assert_invalid(call(f, which, NULL, &parens, 3, &bad, values, out));
        }
    for (size_t f = 0; f < COUNT_OF(scans); f++)
        assert_invalid(scans[f](NULL, &parens, 3, &good, (pm_scan_mode)2, values, out));
}

/* So long that several threads pay, for every number of them, and every allocation failing. */
TEST(test_public_functions) {
    static const char *const families[] = {"random", "twist:.5", "deep", "closes"};
    subject s = subject_make((1 << 17) + 77);
    for (size_t c = 0; c < COUNT_OF(families) * COUNT_OF(scans) * 4; c++) {
        const unsigned threads = (unsigned)(c % 4);
        const size_t f = c / 4 % COUNT_OF(scans);
        assert_true(family_fill(families[c / 4 / COUNT_OF(scans)], 3, s.n, s.parens));
        subject_expect(&s);
        fault_allocator faults = {0};
        const pm_options options = {
            .struct_size = sizeof options, .allocator = fault_allocator_functions(&faults), .threads = threads};
        pm_context *context = context_of(&options);
        for (int which = 0; which < 3; which++) {
            const size_t calls = faults.calls, bytes = faults.live_bytes;
            faults.peak_bytes = bytes;
            assert_ok(call(f, which, context, s.parens, s.n, &matrices, s.values, fresh_results(&s)));
            check_results(&s, s.expected[which], families[c / 4 / COUNT_OF(scans)]);
            const size_t of_a_thread = 50 * sizeof(matrix) + 1024, most = threads > 0 ? threads : 64;
            assert_true(faults.peak_bytes - bytes <= 8 * s.nodes + 64 + (f == 1 ? 0 : most * of_a_thread));
            if (faults.calls == calls) {
                assert_int_equal(s.nodes, 0);
                continue;
            }
            faults.fail_at = faults.calls + 1;
            assert_int_equal(call(f, which, context, s.parens, s.n, &matrices, s.values, fresh_results(&s)),
                             PM_OUT_OF_MEMORY);
        }
        context_close(context, &faults);
    }
    subject_free(&s);
}
