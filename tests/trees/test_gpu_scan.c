/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans of trees on whatever Vulkan device there is, held against one thread of the CPU, under the validation layer
 * where that is installed. Skipped (77) where there is no device.
 *   test_gpu_scan [ANYTHING [PATTERN [MATRICES]]]   PATTERN: of the names of the tests to run; MATRICES: a file of
 *       SPIR-V, made of examples/matrices.comp, which is tried in place of transforms
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "inputs/families.h"
#include "parenmatch/monoid/layout.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/unit.h"

enum {
    MARGIN = 64, /* bytes on either side of results that nobody may write to */
    WAYS = 3     /* down inclusive, down exclusive, up */
};

static pmi_gpu *whole, *pieces; /* the latter with small tiles, pieces and dispatches */

/* ---- Monoids: one on the device, its like on the CPU, and values for it */

typedef struct subject {
    const char *name;
    const pm_gpu_monoid *gpu;
    const pm_monoid *cpu;
    void (*fill)(void *value, uint64_t *seed);
    bool floats; /* zeros may differ in their sign */
} subject;

/* Quarter turns about three axes, and moves by whole numbers: nothing is rounded. */
static void fill_affine(void *value, uint64_t *seed) {
    static const pm_affine turns[] = {{{{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}},
                                      {{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}},
                                      {{{0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}}}};
    pm_affine affine = turns[random_below(seed, 3)];
    for (int i = 0; i < 3; i++)
        affine.m[i][3] = (float)random_below(seed, 7) - 3;
    memcpy(value, &affine, sizeof affine);
}

/* With what floating-point numbers have beside numbers. */
static void fill_box(void *value, uint64_t *seed) {
    static const float odd[] = {0, -0.F, INFINITY, -INFINITY, NAN, 1e-42F};
    float numbers[4];
    for (int k = 0; k < 4; k++)
        numbers[k] = random_below(seed, 40) == 0 ? odd[random_below(seed, 6)]
                                                 : (float)random_below(seed, 1000) + (k < 2 ? -1000.F : 0.F);
    memcpy(value, numbers, sizeof numbers);
}

static void fill_u64(void *value, uint64_t *seed) {
    const uint64_t number = random_next(seed);
    memcpy(value, &number, sizeof number);
}

static void fill_i64(void *value, uint64_t *seed) {
    const uint64_t number = random_next(seed) >> random_below(seed, 64);
    const int64_t with_sign = random_below(seed, 2) ? -(int64_t)(number >> 1) : (int64_t)(number >> 1);
    memcpy(value, &with_sign, sizeof with_sign);
}

static void fill_f64(void *value, uint64_t *seed) {
    static const double odd[] = {0, -0., HUGE_VAL, -HUGE_VAL, 1e-310, -1e-310};
    const double number = random_below(seed, 4) == 0 ? odd[random_below(seed, 6)]
                                                     : ((double)random_below(seed, 2000001) - 1000000) / 1024;
    memcpy(value, &number, sizeof number);
}

/* Matrices of two by two, modulo 2^32, as examples/matrices.comp has them. */
typedef struct matrix {
    uint32_t m[2][2];
} matrix;

static void multiply(void *out, const void *a, const void *b, void *user) {
    (void)user;
    const matrix *const left = a, *const right = b;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            ((matrix *)out)->m[i][j] = left->m[i][0] * right->m[0][j] + left->m[i][1] * right->m[1][j];
}

static void fill_matrix(void *value, uint64_t *seed) {
    matrix drawn;
    for (int k = 0; k < 4; k++)
        drawn.m[k / 2][k % 2] = (uint32_t)random_next(seed);
    memcpy(value, &drawn, sizeof drawn);
}

static const matrix identity_matrix = {{{1, 0}, {0, 1}}};
static const pm_monoid matrices = {sizeof(matrix), &identity_matrix, multiply, NULL};
static pm_gpu_monoid gpu_matrices = {.size = sizeof(matrix)};

enum {
    SUBJECTS = 6
};
static subject subjects[SUBJECTS]; /* the first is not commutative */

static void subjects_set(void) {
    const subject all[SUBJECTS] = {
        {"affine", pm_gpu_monoid_affine(), pm_monoid_affine(), fill_affine, true},
        {"intersection", pm_gpu_monoid_box_intersection(), pm_monoid_box_intersection(), fill_box, false},
        {"union", pm_gpu_monoid_box_union(), pm_monoid_box_union(), fill_box, false},
        {"sum", pm_gpu_monoid_sum_u64(), pm_monoid_sum_u64(), fill_u64, false},
        {"max of integers", pm_gpu_monoid_max_i64(), pm_monoid_max_i64(), fill_i64, false},
        {"max of doubles", pm_gpu_monoid_max_f64(), pm_monoid_max_f64(), fill_f64, false}};
    memcpy(subjects, all, sizeof all);
    if (gpu_matrices.words)
        subjects[0] = (subject){"matrices", &gpu_matrices, &matrices, fill_matrix, false};
}

/* ---- Checking */

static bool is_equal(const subject *s, const unsigned char *a, const unsigned char *b, size_t bytes) {
    if (!s->floats)
        return memcmp(a, b, bytes) == 0;
    for (size_t at = 0; at < bytes; at += sizeof(float)) {
        float x, y;
        memcpy(&x, a + at, sizeof x);
        memcpy(&y, b + at, sizeof y);
        if (x != y)
            return false;
    }
    return true;
}

static pm_status expect(const subject *s, const uint64_t *parens, size_t n, int way, const void *values, void *out) {
    if (way == 2)
        return pm_tree_reduce_up_seq(NULL, parens, n, s->cpu, values, out);
    return pm_tree_scan_down_seq(NULL, parens, n, s->cpu, way == 0 ? PM_SCAN_INCLUSIVE : PM_SCAN_EXCLUSIVE, values,
                                 out);
}

static void check_on(pmi_gpu *gpu, const subject *s, const uint64_t *parens, size_t n, uint64_t seed,
                     const char *what) {
    const size_t nodes = pm_forest_count(parens, n), size = s->cpu->size, bytes = nodes * size;
    unsigned char *const values = allocate(bytes, 1), *const expected = allocate(bytes, 1);
    unsigned char *const out = allocate(bytes + 2 * MARGIN, 1);
    for (size_t k = 0; k < nodes; k++)
        s->fill(values + k * size, &seed);
    for (int way = 0; way < WAYS; way++) {
        memset(out, 0xa5, bytes + 2 * MARGIN);
        const pmi_gpu_tree tree = {.parens = parens,
                                   .n = n,
                                   .nodes = nodes,
                                   .monoid = s->gpu,
                                   .up = way == 2,
                                   .exclusive = way == 1,
                                   .values = values,
                                   .out = out + MARGIN};
        assert_ok(expect(s, parens, n, way, values, expected));
        assert_ok(pmi_gpu_scan(gpu, &tree));
        for (size_t k = 0; k < nodes; k++)
            if (!is_equal(s, expected + k * size, out + MARGIN + k * size, size))
                fail_msg("%s, n = %zu, %s, way %d: node %zu of %zu is wrong", what, n, s->name, way, k, nodes);
        for (size_t at = 0; at < MARGIN; at++)
            assert_true(out[at] == 0xa5 && out[MARGIN + bytes + at] == 0xa5);
    }
    free(values);
    free(expected);
    free(out);
}

/* Both with the first monoid; others by turns. */
static void check(const uint64_t *parens, size_t n, uint64_t seed, const char *what) {
    check_on(whole, &subjects[seed % SUBJECTS], parens, n, seed, what);
    check_on(pieces, &subjects[0], parens, n, seed, what);
}

static void check_scans_of(const char *family, uint64_t seed, size_t n) {
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    assert_true(family_fill(family, seed, n, parens));
    check(parens, n, seed, family);
    free(parens);
}

/* ---- Trees */

TEST(test_every_tree_to_6) {
    for (size_t n = 1; n <= 6; n++)
        for (uint64_t parens = 0; parens < UINT64_C(1) << n; parens++)
            check_on(pieces, &subjects[0], &parens, n, parens, "a small tree");
}

/* Every sequence of a length, one after the other with closes after each, so that they come to lie across tiles
 * in every way; below a node that holds them all, and not. */
TEST(test_every_sequence_of_10) {
    const size_t length = 10, closes = 5, count = (size_t)1 << length, n = 1 + count * (length + closes);
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    for (unsigned holder = 0; holder < 2; holder++) {
        memset(parens, 0, (n / 64 + 1) * sizeof *parens);
        parens[0] = holder;
        size_t i = 1;
        for (size_t k = 0; k < count; k++) {
            int64_t depth = 0;
            for (size_t e = 0; e < length; e++, i++) {
                parens[i / 64] |= (uint64_t)(k >> e & 1) << i % 64;
                depth += k >> e & 1 ? 1 : -(depth > 0);
            }
            for (size_t e = 0; e < closes; e++, i++, depth--) /* or leaves, if closes would be too many */
                if (depth <= 0 && holder) {
                    parens[i / 64] |= (uint64_t)(e % 2 == 0) << i % 64;
                    depth = e % 2 == 0 ? 2 : 1;
                }
        }
        check(parens, n, holder, "all small sequences");
    }
    free(parens);
}

/* Nodes and elements around tiles, blocks of nodes and of elements, and pieces of the match. */
TEST(test_sizes_around_edges) {
    static const size_t edges[] = {16, 32, 64, 256, 512, 1024, 2048, 8192, 16384, 32768};
    static const char *const families[] = {"random", "deep", "flat", "zigzag", "opens"};
    for (size_t e = 0; e < COUNT_OF(edges); e++)
        for (size_t n = edges[e] - 1; n <= edges[e] + 1; n++)
            check_scans_of(families[(e + n) % (COUNT_OF(families))], e, n);
}

TEST(test_families) {
    for (size_t f = 0; family_names[f]; f++) {
        check_scans_of(family_names[f], f, 1500 + f);
        if (f % 4 == 0)
            check_scans_of(family_names[f], f / 4, 15001);
    }
}

/* Deeper than a few jumps from tile to tile reach; and what the scan of a long sequence does. */
TEST(test_long_sequences) {
    check_scans_of("deep", 0, 40000);
    check_scans_of("random", 6, 150003);
}

/* All nodes are cut by tiles, and their ends lie apart: what going up likes least. */
TEST(test_far_ends) {
    const size_t half = 15000, n = 3 * half;
    uint64_t *const parens = allocate(n / 64 + 1, sizeof *parens);
    memset(parens, 0, (n / 64 + 1) * sizeof *parens);
    for (size_t i = 0; i < half; i++)
        parens[i / 64] |= UINT64_C(1) << i % 64;
    for (size_t i = half; i + 1 < n; i += 2) /* a close, then an open, then two closes */
        parens[i / 64] |= (uint64_t)(i % 3 == 0) << i % 64;
    check(parens, n, 0, "far ends");
    free(parens);
}

TEST(test_monoids) {
    uint64_t parens[3000 / 64 + 1];
    for (size_t s = 0; s < SUBJECTS; s++)
        for (size_t f = 0; f < 2; f++) {
            assert_true(family_fill(f == 0 ? "random" : "deep", s, 3000, parens));
            check_on(whole, &subjects[s], parens, 3000, s, "monoids");
            check_on(pieces, &subjects[s], parens, 3000, s, "monoids");
        }
}

/* ---- From host to host */

/* Staged and mapped, in pieces of a few values; sizes that shrink, so that buffers hold other trees' leavings; matches
 * in between, whose scratch and slots are the same. */
TEST(test_host_to_host) {
    static const pmi_transfer transfers[] = {PM_TRANSFER_STAGED, PM_TRANSFER_MAPPED};
    for (size_t t = 0; t < 2; t++) {
        pmi_gpu *gpu;
        assert_ok(gpu_tests_open((pmi_gpu_settings){.transfer = transfers[t], .chunk_bytes = 4099}, &gpu));
        for (size_t n = 20001; n > 0; n /= 5) {
            uint64_t parens[20001 / 64 + 1], of_match = n;
            uint32_t match[64];
            pm_bic total;
            assert_true(family_fill("random", n, n, parens));
            check_on(gpu, &subjects[n % SUBJECTS], parens, n, n, "host to host");
            assert_ok(pmi_gpu_match(gpu, &of_match, 64, match, &total));
            assert_ok(pm_match_verify(NULL, &of_match, 64, match, NULL));
        }
        pmi_gpu_close(gpu);
    }
}

/* More monoids than are kept, all of them again and again; told apart by the word that names their maker. */
TEST(test_many_monoids) {
    pmi_gpu *gpu;
    assert_ok(gpu_tests_open((pmi_gpu_settings){0}, &gpu));
    const pm_gpu_monoid *const given = pm_gpu_monoid_sum_u64();
    uint32_t *const words = allocate(given->word_count, sizeof *words);
    memcpy(words, given->words, given->word_count * sizeof *words);
    subject s = subjects[3];
    const pm_gpu_monoid renamed = {given->size, words, given->word_count};
    s.gpu = &renamed;
    const uint64_t parens = 0x2b;
    for (uint32_t turn = 0; turn < 12; turn++) {
        words[2] = turn % 10;
        check_on(gpu, &s, &parens, 7, turn, "many monoids");
    }
    const size_t calls = faults.calls;
    check_on(gpu, &s, &parens, 7, 5, "many monoids");
    assert_int_equal(faults.calls, calls); /* it was kept */
    words[2] = 77;
    faults.fail_at = faults.calls + 1;
    uint64_t value[4] = {1, 2, 3, 4}, out[4];
    const pmi_gpu_tree tree = {.parens = &parens, .n = 7, .nodes = 4, .monoid = &renamed, .values = value, .out = out};
    assert_int_equal(pmi_gpu_scan(gpu, &tree), PM_OUT_OF_MEMORY);
    check_on(gpu, &s, &parens, 7, 5, "many monoids");
    pmi_gpu_close(gpu);
    free(words);
}

/* ---- The public functions */

typedef struct call {
    pm_context *context;
    const uint64_t *parens;
    size_t n;
    const pm_gpu_monoid *monoid;
    const void *values;
    void *out;
} call;

static void expect_status(call c, pm_status status) {
    assert_int_equal(pm_tree_scan_down_gpu(c.context, c.parens, c.n, c.monoid, PM_SCAN_INCLUSIVE, c.values, c.out),
                     status);
    assert_int_equal(pm_tree_scan_down_gpu(c.context, c.parens, c.n, c.monoid, PM_SCAN_EXCLUSIVE, c.values, c.out),
                     status);
    assert_int_equal(pm_tree_reduce_up_gpu(c.context, c.parens, c.n, c.monoid, c.values, c.out), status);
}

TEST(test_arguments) {
    const uint64_t parens = 5, no_node = 0;
    const uint64_t values[2] = {3, 4};
    uint64_t out[2] = {0};
    const pm_options options = {.struct_size = sizeof options, .allow_cpu_device = true};
    call good = {NULL, &parens, 3, pm_gpu_monoid_sum_u64(), values, out}, bad;
    assert_ok(pm_context_create(&options, &good.context));
#define CHECK_BAD(member, value, status) (bad = good, bad.member = (value), expect_status(bad, status))
    CHECK_BAD(context, NULL, PM_INVALID_ARGUMENT);
    CHECK_BAD(parens, NULL, PM_INVALID_ARGUMENT);
    CHECK_BAD(monoid, NULL, PM_INVALID_ARGUMENT);
    CHECK_BAD(values, NULL, PM_INVALID_ARGUMENT);
    CHECK_BAD(out, NULL, PM_INVALID_ARGUMENT);
    CHECK_BAD(n, (size_t)UINT32_MAX + 1, PM_TOO_LARGE);
    expect_status((call){good.context, NULL, 0, NULL, NULL, NULL}, PM_OK);
    expect_status(good, PM_OK);
    CHECK_BAD(parens, &no_node, PM_OK);
    assert_invalid(pm_tree_scan_down_gpu(good.context, &parens, 3, good.monoid, (pm_scan_mode)2, values, out));
    assert_ok(pm_tree_scan_down_gpu(good.context, &parens, 3, good.monoid, PM_SCAN_EXCLUSIVE, values, out));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 0);
    assert_ok(pm_tree_reduce_up_gpu(good.context, &parens, 2, good.monoid, values, out));
    assert_int_equal(out[0], 3);
    pm_context_destroy(good.context);
}

static void check_code(size_t size, const uint32_t *words, size_t word_count) {
    const uint64_t parens = 1;
    unsigned char value[2 * PM_GPU_VALUE_MAX] = {0}, out[2 * PM_GPU_VALUE_MAX];
    const pm_gpu_monoid monoid = {size, words, word_count};
    const pmi_gpu_tree tree = {.parens = &parens, .n = 1, .nodes = 1, .monoid = &monoid, .values = value, .out = out};
    assert_invalid(pmi_gpu_scan(whole, &tree));
}

/* What is not a monoid's code, or not of such values. */
TEST(test_codes) {
    const pm_gpu_monoid *const good = pm_gpu_monoid_sum_u64();
    const size_t count = good->word_count;
    uint32_t *const words = allocate(count, sizeof *words);
    memcpy(words, good->words, count * sizeof *words);
    const uint64_t parens = 1, value = 3;
    uint64_t out = 0;
    const pmi_gpu_tree tree = {.parens = &parens, .n = 1, .nodes = 1, .monoid = good, .values = &value, .out = &out};
    assert_ok(pmi_gpu_scan(whole, &tree)); /* and is kept */
    check_code(0, words, count);
    check_code(6, words, count);
    check_code(16, words, count);
    check_code(2 * PM_GPU_VALUE_MAX, words, count);
    check_code(8, NULL, count);
    check_code(8, words, 0);
    check_code(8, words, 4);
    check_code(8, words, 5);
    words[count - 1] += 1 << 16; /* the last instruction is cut */
    check_code(8, words, count);
    words[count - 1] = good->words[count - 1];
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        if (words[at] != (4 << 16 | 71) || words[at + 2] != 1)
            continue;
        const uint32_t kept = words[at + 3];
        words[at + 3]++; /* a specialization constant of another number */
        check_code(8, words, count);
        words[at + 3] = kept;
    }
    words[5] = 71; /* an instruction of no length */
    check_code(8, words, count);
    words[5] = good->words[5];
    words[0]++;
    check_code(8, words, count);
    free(words);
}

/* ---- */

/* The words of a file; whatever fails ends the program. */
static void words_read(const char *path, pm_gpu_monoid *monoid) {
    static uint32_t words[1 << 16];
    FILE *const file = fopen(path, "rb");
    if (!file || (monoid->word_count = fread(words, sizeof *words, COUNT_OF(words), file)) == 0) {
        perror(path);
        exit(1);
    }
    fclose(file);
    monoid->words = words;
}

int main(int argc, char **argv) {
    if (argc > 3)
        words_read(argv[3], &gpu_matrices);
    subjects_set();
    const gpu_tests_device devices[] = {
        {.gpu = &whole},
        {.settings = {.tile_nodes = 32, .piece_blocks = 1, .dispatch_tiles = 5, .scan_always = true}, .gpu = &pieces}};
    return gpu_tests_with(argc, argv, devices, 2);
}
