/* SPDX-License-Identifier: Apache-2.0 */
/* A stack for each key, against each key's elements matched by themselves. */
#include <string.h>

#include "base/slice.h"
#include "inputs/families.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

/* Keys of every width, from their values. */
typedef struct key_arrays {
    uint8_t *one;
    uint16_t *two;
    uint32_t *four;
} key_arrays;

static key_arrays keys_make(const uint32_t *values, size_t n) {
    key_arrays keys = {allocate(n, 1), allocate(n, 2), allocate(n, 4)};
    for (size_t i = 0; i < n; i++) {
        keys.one[i] = (uint8_t)values[i];
        keys.two[i] = (uint16_t)values[i];
        keys.four[i] = values[i];
    }
    return keys;
}

static void keys_free(key_arrays *keys) {
    free(keys->one);
    free(keys->two);
    free(keys->four);
}

/* What is right: gathers the elements of the key that element i is the first of, matches and scatters them. */
static void match_key_of(const uint64_t *parens, const uint32_t *keys, size_t n, size_t i, uint32_t *right) {
    uint64_t *const gathered = allocate(pmi_bits_words(n), sizeof *gathered);
    uint32_t *const place = allocate(n, sizeof *place), *const match = allocate(n, sizeof *match);
    memset(gathered, 0, pmi_bits_words(n) * sizeof *gathered);
    size_t count = 0;
    for (size_t k = i; k < n; k++)
        if (keys[k] == keys[i]) {
            gathered[count / 64] |= (uint64_t)pmi_bits_get(parens, k) << count % 64;
            place[count++] = (uint32_t)k;
        }
    assert_ok(pm_match_seq(NULL, gathered, count, match, NULL));
    for (size_t k = 0; k < count; k++)
        right[place[k]] = match[k] == PM_NONE ? PM_NONE : place[match[k]];
    free(gathered);
    free(place);
    free(match);
}

static void check_width(const uint64_t *parens, const void *keys, size_t width, const uint32_t *values, size_t n) {
    uint32_t *const right = allocate(n, sizeof *right), *const match = allocate(n, sizeof *match);
    memset(right, 0xa5, n * sizeof *right);
    memset(match, 0x5a, n * sizeof *match);
    for (size_t i = 0; i < n; i++)
        if (right[i] == UINT32_C(0xa5a5a5a5))
            match_key_of(parens, values, n, i, right);
    fault_allocator memory = {0}; /* whose blocks are not zeroed */
    pm_context *const context = context_with(&memory);
    assert_ok(pm_match_keys(context, parens, keys, width, n, match));
    if (n > 0)
        assert_memory_equal(match, right, n * sizeof *match);
    context_close(context, &memory);
    free(right);
    free(match);
}

static void check(const uint64_t *parens, uint32_t *values, size_t n) {
    key_arrays keys = keys_make(values, n);
    check_width(parens, keys.four, 4, values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = keys.two[i];
    check_width(parens, keys.two, 2, values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = keys.one[i];
    check_width(parens, keys.one, 1, values, n);
    keys_free(&keys);
}

/* Each element is an open or a close of one of three keys; as 4 bytes the keys have two upper halves. */
TEST(test_every_sequence_of_3_keys_to_5) {
    static const uint32_t keys[] = {7, 0, 0x7fff0007};
    for (size_t n = 0, count = 1; n <= 5; n++, count *= 6)
        for (size_t code = 0; code < count; code++) {
            uint64_t parens = UINT64_MAX << n;
            uint32_t values[7];
            for (size_t i = 0, rest = code; i < n; i++, rest /= 6) {
                parens |= (uint64_t)(rest % 2) << i;
                values[i] = keys[rest % 6 / 2];
            }
            check(&parens, values, n);
        }
}

TEST(test_families_with_few_and_many_keys) {
    static const uint32_t bounds[] = {1, 2, 8, 200, 3000, 65536, 70000, UINT32_MAX};
    uint64_t parens[3000 / 64 + 1], seed = 3;
    for (size_t f = 0; family_names[f]; f++)
        for (size_t b = 0; b < COUNT_OF(bounds); b++) {
            uint32_t values[2000];
            const size_t n = 1 + random_below(&seed, bounds[b] < 300 ? 1000 : 150);
            assert_true(family_fill(family_names[f], f, n, parens));
            for (size_t i = 0; i < n; i++)
                values[i] = (uint32_t)random_below(&seed, bounds[b]);
            check(parens, values, n);
        }
}

/* Large keys that collide when they are hashed, and too many to have places. */
TEST(test_large_keys_beyond_a_hash_table) {
    const size_t n = 600;
    uint64_t parens[600 / 64 + 1], seed = 6;
    uint32_t values[600];
    assert_true(family_fill("bits", 5, n, parens));
    for (size_t i = 0; i < n; i++) /* the inverse of the multiplier */
        values[i] = (uint32_t)(0x50050000 + random_below(&seed, 30)) * UINT32_C(0x0e8b2f51);
    check_width(parens, values, 4, values, n);
}

/* Large keys of which up to as many as are looked for have one place want no more memory; one more does. */
TEST(test_large_keys_with_one_place) {
    uint64_t parens[300 / 64 + 1], seed = 2;
    uint32_t values[300], match[300];
    assert_true(family_fill("bits", 4, 300, parens));
    for (uint32_t count = 2; count <= 17; count++) {
        for (size_t i = 0; i < 300; i++) /* the inverse of the multiplier, as above */
            values[i] = (uint32_t)(0x50050000 + (i < count ? i : random_below(&seed, count))) * UINT32_C(0x0e8b2f51);
        check_width(parens, values, 4, values, 300);
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        memory.fail_at = memory.calls + 2;
        assert_int_equal(pm_match_keys(context, parens, values, 4, 300, match), count <= 16 ? PM_OK : PM_OUT_OF_MEMORY);
        context_close(context, &memory);
    }
}

/* In buckets, too, keys that share a lower half are different, and keys without an upper half have a bucket. */
TEST(test_buckets_with_equal_lower_halves) {
    uint64_t parens[600 / 64 + 1], seed = 7;
    uint32_t values[600];
    assert_true(family_fill("bits", 8, 600, parens));
    for (size_t i = 0; i < 600; i++) /* 30 that collide, and three with one lower half */
        values[i] = i % 2 ? (uint32_t)(0x50050000 + random_below(&seed, 30)) * UINT32_C(0x0e8b2f51)
                          : (uint32_t)random_below(&seed, 3) << 16 | 7;
    check_width(parens, values, 4, values, 600);
}

/* Larger than an upper half, and elements enough for a table to pay nevertheless. */
TEST(test_large_keys_in_a_table) {
    const size_t n = 100000;
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 4;
    uint32_t *const values = allocate(n, sizeof *values);
    assert_true(family_fill("bits", 4, n, parens));
    for (size_t i = 0; i < n; i++)
        values[i] = random_below(&seed, 3) == 0 ? 99999 : (uint32_t)random_below(&seed, 3);
    check_width(parens, values, 4, values, n);
    free(parens);
    free(values);
}

/* What is right for keys below `bound`, and for any number of elements: a plain stack for each key, inside `right`. */
static void match_plainly(const uint64_t *parens, const uint32_t *values, size_t n, size_t bound, uint32_t *right) {
    uint32_t *const top = allocate(bound, sizeof *top);
    memset(top, 0xff, bound * sizeof *top);
    for (size_t i = 0; i < n; i++) {
        uint32_t *const own = &top[values[i]];
        right[i] = *own;
        if (pmi_bits_get(parens, i))
            *own = (uint32_t)i;
        else if (*own != PM_NONE)
            *own = right[*own];
    }
    free(top);
}

/* Matches on several threads, with the keys as they are and as large ones, `spread` apart. */
static void check_threads(const uint64_t *parens, const uint32_t *values, size_t n, size_t bound, uint32_t spread) {
    uint32_t *const right = allocate(n, sizeof *right), *const match = allocate(n, sizeof *match);
    uint32_t *const large = allocate(n, sizeof *large);
    key_arrays keys = keys_make(values, n);
    const void *const arrays[] = {large, keys.four, keys.two, keys.one};
    static const size_t widths[] = {4, 4, 2, 1};
    for (size_t i = 0; i < n; i++)
        large[i] = values[i] * spread;
    match_plainly(parens, values, n, bound, right);
    for (unsigned threads = 2; threads <= 5; threads += 3) {
        fault_allocator memory = {0};
        pm_context *const context =
            context_of(&(pm_options){.threads = threads, .allocator = fault_allocator_functions(&memory)});
        for (size_t a = 0; a < (bound <= 256 ? 4 : bound <= 65536 ? 3 : 2); a++) {
            memset(match, 0x5a, n * sizeof *match);
            assert_ok(pm_match_keys(context, parens, arrays[a], widths[a], n, match));
            assert_memory_equal(match, right, n * sizeof *match);
        }
        context_close(context, &memory);
    }
    free(right);
    free(match);
    free(large);
    keys_free(&keys);
}

/* So many elements that threads have slices, whose ends leave opens and find empty stacks. */
TEST(test_slices_of_threads) {
    static const size_t sizes[] = {100000, (size_t)1 << 17, 131073};
    static const uint32_t bounds[] = {1, 3, 200, 3000};
    uint64_t *const parens = allocate(pmi_bits_words(131073), sizeof *parens), seed = 8;
    uint32_t *const values = allocate(131073, sizeof *values);
    for (size_t f = 0; family_names[f]; f++) {
        const size_t n = sizes[f % COUNT_OF(sizes)];
        const uint32_t bound = bounds[f % COUNT_OF(bounds)];
        assert_true(family_fill(family_names[f], f, n, parens));
        for (size_t i = 0; i < n; i++)
            values[i] = (uint32_t)random_below(&seed, bound);
        check_threads(parens, values, n, bound, 70001);
    }
    free(parens);
    free(values);
}

/* Hashed keys of slices, in as many elements as pay for several tables: some keys are in one slice alone, some in both;
 * in the end there are more than one table has places for, although each slice has fewer. */
TEST(test_slices_with_hashed_keys) {
    static const uint32_t bounds[] = {50, 40000, 65536, 80000};
    const size_t n = (size_t)1 << 20;
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 9;
    uint32_t *const values = allocate(n, sizeof *values);
    assert_true(family_fill("bits", 7, n, parens));
    for (size_t b = 0; b < COUNT_OF(bounds); b++) {
        for (size_t i = 0; i < n; i++)
            values[i] = (uint32_t)(random_below(&seed, bounds[b] / 2) + (i < n / 2 ? 0 : bounds[b] / 8 * 3));
        check_threads(parens, values, n, bounds[b], 65537);
    }
    free(parens);
    free(values);
}

/* The largest key of all is on its stack for the first time in a late slice, and first taken off there. Key 0, whose
 * place is a table's first, is in none. */
TEST(test_slices_with_the_largest_key) {
    const size_t n = (size_t)3 << 19; /* of three slices */
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 10;
    uint32_t *const values = allocate(n, sizeof *values);
    assert_true(family_fill("bits", 7, n, parens));
    for (size_t i = 0; i < n; i++)
        values[i] = 1 + (uint32_t)random_below(&seed, 50);
    for (size_t i = n / 5 * 4; i < n; i += 100)
        values[i] = 65535; /* which becomes UINT32_MAX */
    parens[n / 5 * 4 / 64] &= ~(UINT64_C(1) << n / 5 * 4 % 64);
    check_threads(parens, values, n, 65536, 65537);
    free(parens);
    free(values);
}

/* More keys in one slice of a thread than a table has places, and fewer in the others. */
TEST(test_slices_with_too_many_hashed_keys) {
    const size_t n = (size_t)1 << 20, bound = 200000;
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 11;
    uint32_t *const values = allocate(n, sizeof *values);
    assert_true(family_fill("bits", 9, n, parens));
    for (size_t part = 0; part < 2; part++) { /* the first slices, or the last */
        for (size_t i = 0; i < n; i++)
            values[i] = (uint32_t)random_below(&seed, (i < n / 2) == (part == 0) ? bound : 100);
        check_threads(parens, values, n, bound, 20011);
    }
    free(parens);
    free(values);
}

/* Few hashed keys: what slices leave finds its places in the first one's table, and no other memory is asked for. */
TEST(test_slices_with_hashed_keys_in_one_block) {
    const size_t n = (size_t)1 << 20;
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 9;
    uint32_t *const keys = allocate(n, sizeof *keys), *const match = allocate(n, sizeof *match);
    assert_true(family_fill("bits", 7, n, parens));
    for (size_t i = 0; i < n; i++)
        keys[i] = (uint32_t)random_below(&seed, 50) * 65537 * 31;
    fault_allocator memory = {0};
    pm_context *const context =
        context_of(&(pm_options){.threads = 2, .allocator = fault_allocator_functions(&memory)});
    const size_t calls = memory.calls;
    assert_ok(pm_match_keys(context, parens, keys, sizeof *keys, n, match));
    assert_int_equal(memory.calls - calls, 1);
    context_close(context, &memory);
    free(match);
    free(keys);
    free(parens);
}

/* One element for each upper half of a key, too many for a table: the stacks of one half are empty for the next. */
TEST(test_nothing_is_left_of_a_bucket) {
    enum {
        N = 1 << 16
    };
    uint64_t *const parens = allocate(N / 64, sizeof *parens);
    uint32_t *const keys = allocate(N, sizeof *keys), *const match = allocate(N, sizeof *match);
    for (uint32_t i = 0; i < N; i++)
        keys[i] = i << 16 | 7;
    for (size_t w = 0; w < N / 64; w++)
        parens[w] = UINT64_C(0x5555555555555555);
    assert_ok(pm_match_keys(NULL, parens, keys, sizeof *keys, N, match));
    for (size_t i = 0; i < N; i++)
        assert_int_equal(match[i], PM_NONE);
    free(match);
    free(keys);
    free(parens);
}

/* Keys that have places, hashed ones, and those in buckets, in arrays and memory that end where nothing may be read. */
TEST(test_nothing_behind_arrays_is_read) {
    enum {
        N = 4096
    };
    guarded_memory parens = guarded_allocate(N / 8), keys = guarded_allocate(N * 4), match = guarded_allocate(N * 4);
    uint64_t *const bits = (uint64_t *)(void *)(parens.end - N / 8), seed = 13;
    uint32_t *const own = (uint32_t *)(void *)(match.end - N * 4), values[N];
    guarded_blocks blocks = {.block = {NULL}};
    pm_context *const context = context_of(&(pm_options){.threads = 1, .allocator = guarded_allocator(&blocks)});
    assert_true(family_fill("bits", 3, N, bits));
    for (int kind = 0; kind < 4; kind++) {
        for (size_t i = 0; i < N; i++) /* few places, many places, hashed, colliding: by the multiplier's inverse */
            values[i] = kind == 3 ? (uint32_t)(0x50050000 + random_below(&seed, 30)) * UINT32_C(0x0e8b2f51)
                                  : (uint32_t)random_below(&seed, kind == 0 ? 200 : 2000) * (kind == 2 ? 70001 : 1);
        key_arrays arrays = keys_make(values, N);
        const void *const of_width[] = {NULL, arrays.one, arrays.two, NULL, arrays.four};
        for (size_t width = kind < 1 ? 1 : kind < 2 ? 2 : 4; width <= 4; width *= 2) {
            void *const put = memcpy(keys.end - N * width, of_width[width], N * width);
            assert_ok(pm_match_keys(context, bits, put, width, N, own));
        }
        keys_free(&arrays);
    }
    pm_context_destroy(context);
    guarded_free(&parens);
    guarded_free(&keys);
    guarded_free(&match);
}

/* Matches on a number of threads, in a limited amount of memory. */
static void check_memory(const uint64_t *parens, const void *keys, size_t width, size_t n, unsigned threads,
                         size_t promised) {
    uint32_t *const match = allocate(n, sizeof *match);
    fault_allocator memory = {0};
    pm_context *const context =
        context_of(&(pm_options){.threads = threads, .allocator = fault_allocator_functions(&memory)});
    const size_t before = memory.peak_bytes = memory.live_bytes;
    assert_ok(pm_match_keys(context, parens, keys, width, n, match));
    assert_true(memory.peak_bytes - before <= promised);
    context_close(context, &memory);
    free(match);
}

TEST(test_memory) {
    const size_t n = (size_t)1 << 22, few = 600;
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 12;
    uint16_t *const keys = allocate(n, sizeof *keys);
    uint32_t *const collide = allocate(few, sizeof *collide);
    assert_true(family_fill("bits", 7, n, parens));
    for (size_t i = 0; i < n; i++)
        keys[i] = (uint16_t)random_below(&seed, 65536);
    keys[0] = UINT16_MAX;
    for (size_t i = 0; i < few; i++) /* the inverse of the multiplier, as above */
        collide[i] = (uint32_t)(0x50050000 + random_below(&seed, 30)) * UINT32_C(0x0e8b2f51);
    check_memory(parens, collide, sizeof *collide, few, 1, (512 << 10) + 4 * few);
    check_memory(parens, keys, sizeof *keys, n, 1, 512 << 10);
    for (unsigned threads = 2; threads <= 4; threads++) /* as many slices as memory is promised for */
        check_memory(parens, keys, sizeof *keys, n / 4 * threads, threads, n / 4 * threads / 8 * 9);
    free(parens);
    free(keys);
    free(collide);
}

/* Keys in the order of their sizes: of a small table, a larger one, one for each element, and of a hash table, where
 * they have one place, by the inverse of the multiplier. */
static uint32_t key_of_rank(uint32_t rank) {
    return rank < 1000   ? rank
           : rank < 1100 ? 60000 + rank
           : rank < 1200 ? 65536 + rank
                         : (UINT32_C(0x50050000) + rank) * UINT32_C(0x0e8b2f51);
}

/* Matches on one thread, with each allocation failing first. */
static void check_failing(const uint64_t *parens, const void *keys, size_t width, size_t n, const uint32_t *right) {
    uint32_t *const match = allocate(n, sizeof *match);
    fault_allocator memory = {0};
    pm_context *const context =
        context_of(&(pm_options){.threads = 1, .allocator = fault_allocator_functions(&memory)});
    pm_status status = PM_OUT_OF_MEMORY;
    for (size_t fail = 1; status == PM_OUT_OF_MEMORY; fail++) {
        memset(match, 0x5a, n * sizeof *match);
        memory.fail_at = memory.calls + fail;
        status = pm_match_keys(context, parens, keys, width, n, match);
    }
    assert_ok(status);
    assert_memory_equal(match, right, n * sizeof *match);
    context_close(context, &memory);
    free(match);
}

/* Keys that become larger while they are matched: stacks move to a larger table, to a hash table, and into buckets. */
TEST(test_growing_keys) {
    enum {
        PART = 8192,
        PARTS = 5,
        N = PARTS * PART - 100
    };
    static const uint32_t ranks[][PARTS] = {
        /* below these */
        {1, 1, 3, 200, 200},      {2, 1000, 2, 1000, 1100}, {5, 1100, 3, 1200, 5},      {3, 200, 1000, 1100, 1210},
        {1000, 1100, 1216, 2, 2}, {1100, 3, 3, 1100, 1300}, {1000, 1200, 9, 1300, 1300}};
    uint64_t *const parens = allocate(N / 64 + 1, sizeof *parens), seed = 14;
    uint32_t *const values = allocate(N, sizeof *values), *const right = allocate(N, sizeof *right);
    for (size_t c = 0; c < COUNT_OF(ranks); c++) {
        assert_true(family_fill("bits", c, N, parens));
        for (size_t i = 0; i < N; i++) /* few of a part's keys are as large */
            values[i] = (uint32_t)random_below(&seed, random_below(&seed, 100) > 0 ? 1 : ranks[c][i / PART]);
        match_plainly(parens, values, N, 1300, right);
        for (size_t i = 0; i < N; i++)
            values[i] = key_of_rank(values[i]);
        key_arrays keys = keys_make(values, N);
        check_failing(parens, keys.four, 4, N, right);
        check_memory(parens, keys.four, 4, N, 1, (768 << 10) + 4 * N);
        if (c < 2)
            check_failing(parens, keys.two, 2, N, right);
        keys_free(&keys);
    }
    free(parens);
    free(values);
    free(right);
}

TEST(test_arguments) {
    const uint64_t parens = 5;
    const uint32_t keys[3] = {1, 1, 1};
    uint32_t match[3];
    assert_ok(pm_match_keys(NULL, NULL, NULL, 1, 0, NULL));
    assert_ok(pm_match_keys(NULL, &parens, keys, 4, 3, match));
    static const size_t wrong_widths[] = {0, 3, 5, 8};
    for (size_t w = 0; w < COUNT_OF(wrong_widths); w++) {
        assert_invalid(pm_match_keys(NULL, &parens, keys, wrong_widths[w], 3, match));
        assert_invalid(pm_match_keys(NULL, NULL, NULL, wrong_widths[w], 0, NULL));
    }
    assert_invalid(pm_match_keys(NULL, NULL, keys, 4, 3, match));
    assert_invalid(pm_match_keys(NULL, &parens, NULL, 4, 3, match));
    assert_invalid(pm_match_keys(NULL, &parens, keys, 4, 3, NULL));
    assert_int_equal(pm_match_keys(NULL, &parens, keys, 4, (size_t)1 << 32, match), PM_TOO_LARGE);
}

TEST(test_no_memory) {
    const uint64_t parens = 5;
    const uint32_t keys[3] = {UINT32_MAX, 1, 1};
    uint32_t match[3];
    for (size_t width = 1; width <= 4; width *= 2) {
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        memory.fail_at = memory.calls + 1;
        assert_int_equal(pm_match_keys(context, &parens, keys, width, 3, match), PM_OUT_OF_MEMORY);
        assert_ok(pm_match_keys(context, &parens, keys, width, 3, match));
        context_close(context, &memory);
    }
}

/* Keys that collide need a second block, of several threads' slices as well. */
TEST(test_no_memory_for_buckets) {
    const size_t n = (size_t)1 << 16;
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens), seed = 5;
    uint32_t *const values = allocate(n, sizeof *values), *const match = allocate(n, sizeof *match);
    assert_true(family_fill("bits", 6, n, parens));
    for (size_t i = 0; i < n; i++) /* the inverse of the multiplier, as above */
        values[i] = (uint32_t)(0x50050000 + random_below(&seed, 30)) * UINT32_C(0x0e8b2f51);
    fault_allocator memory = {0};
    pm_context *const context = context_with(&memory);
    memory.fail_at = memory.calls + 2;
    assert_int_equal(pm_match_keys(context, parens, values, 4, n, match), PM_OUT_OF_MEMORY);
    context_close(context, &memory);
    free(parens);
    free(values);
    free(match);
}
