/* SPDX-License-Identifier: Apache-2.0 */
/* The broadword backend against the plain stack: every implementation that this CPU runs, forced in turn. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "broadword/match/match.h"
#include "core/context/context.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

#define CANARY UINT32_C(0xa5a5a5a5)
#define MARGIN 32 /* canaries on both sides of the results */

/* Contexts that force one implementation each. */
static pm_context *contexts[16];
static const pmi_simd_target *targets[16];
static size_t context_count;

static int create_contexts(void **state) {
    (void)state;
    for (size_t i = 0; pm_simd_at(i); i++) {
        if (!pm_simd_at(i)->supported)
            continue;
        const pm_options options = {.simd = pm_simd_at(i)->name};
        assert_ok(pm_context_create(&options, &contexts[context_count]));
        targets[context_count++] = pmi_simd_at(i);
    }
    return 0;
}

static int destroy_contexts(void **state) {
    (void)state;
    for (size_t c = 0; c < context_count; c++)
        pm_context_destroy(contexts[c]);
    return 0;
}

/* Where two results first differ; n if they do not. */
static size_t first_difference(const uint32_t *a, const uint32_t *b, size_t n) {
    size_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* Matches with one implementation, even where the public function would take the plain stack instead. */
static pm_status match_with(size_t c, const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    const pm_allocator allocator = pm_context_allocator(contexts[c]);
    pm_bic sum = {0, 0};
    const pm_status status =
        n > 0 ? pmi_broadword_match(targets[c]->engine, &allocator, parens, n, match, &sum) : PM_OK;
    if (total)
        *total = sum;
    return status;
}

static void assert_same(const uint32_t *match, const uint32_t *expected, size_t n, const char *what, size_t c) {
    if (memcmp(match, expected, n * sizeof *match) != 0)
        fail_msg("%s: %s, n = %zu: wrong from element %zu on", targets[c]->name, what, n,
                 first_difference(match, expected, n));
}

/* Matches with every implementation, `offset` elements past a cache line's beginning. */
static void check(const uint64_t *parens, size_t n, size_t offset, const char *what) {
    uint32_t *expected = malloc((n + 1) * sizeof *expected);
    uint32_t *room = allocate_aligned(64, (n + 2 * MARGIN + offset) * sizeof *room);
    assert_true(expected && room);
    pm_bic total, expected_total;
    assert_ok(pm_match_seq(NULL, parens, n, expected, &expected_total));
    uint32_t *match = room + MARGIN + offset;
    for (size_t c = 0; c < context_count; c++) {
        memset(room, 0xa5, (n + 2 * MARGIN + offset) * sizeof *room);
        assert_ok(match_with(c, parens, n, match, &total));
        assert_same(match, expected, n, what, c);
        assert_memory_equal(&total, &expected_total, sizeof total);
        for (size_t i = 0; i < MARGIN; i++) {
            assert_int_equal(match[n + i], CANARY);
            assert_int_equal(room[offset + i], CANARY);
        }
    }
    free(expected);
    free_aligned(room);
}

TEST(test_every_string_to_16) {
    for (size_t n = 0; n <= 16; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++) {
            const uint64_t parens = bits | UINT64_MAX << n; /* junk past n */
            uint32_t expected[17], match[17];
            pm_match_seq(NULL, &parens, n, expected, NULL);
            expected[n] = CANARY;
            for (size_t c = 0; c < context_count; c++) {
                match[n] = CANARY;
                assert_ok(match_with(c, &parens, n, match, NULL));
                assert_same(match, expected, n + 1, "string", c);
            }
        }
}

/* Every 16 elements after, and every 16 elements before, a few others: all states of a group and its neighbours. */
TEST(test_every_16_in_context) {
    const uint64_t around[] = {0, UINT64_MAX, UINT64_C(0xffffffff00000000), UINT64_C(0x00000000ffffffff)};
    for (size_t a = 0; a < COUNT_OF(around); a++)
        for (uint64_t bits = 0; bits < 1 << 16; bits += 7) {
            const unsigned at = (unsigned)(bits % 4) * 16;
            const uint64_t middle = (around[a] & ~(UINT64_C(0xffff) << at)) | bits << at;
            const uint64_t parens[3] = {~around[a], middle, around[3 - a]};
            uint32_t expected[192], match[192];
            pm_match_seq(NULL, parens, 192, expected, NULL);
            for (size_t c = 0; c < context_count; c++) {
                assert_ok(pm_match_broadword(contexts[c], parens, 192, match, NULL));
                assert_same(match, expected, 192, "three words", c);
            }
        }
}

/* A deep stack, then every block of four runs, then closes that show what it left behind. */
TEST(test_every_block_of_four_runs) {
    for (unsigned a = 0; a <= 64; a++)
        for (unsigned b = a; b <= 64; b++)
            for (unsigned c = b; c <= 64; c += 3) {
                const uint64_t block = pmi_bits_low(a) ^ pmi_bits_low(b) ^ pmi_bits_low(c);
                const uint64_t parens[8] = {UINT64_MAX, UINT64_MAX, block, 0, UINT64_MAX, UINT64_MAX, ~block, 0};
                uint32_t expected[512], match[512];
                pm_match_seq(NULL, parens, 512, expected, NULL);
                for (size_t e = 0; e < context_count; e++) {
                    pm_match_broadword(contexts[e], parens, 512, match, NULL);
                    assert_same(match, expected, 512, "four runs", e);
                }
            }
}

TEST(test_random_runs) {
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        uint64_t parens[12];
        for (size_t w = 0; w < 12; w++) {
            parens[w] = UINT64_MAX << random_below(&seed, 64);
            if (random_below(&seed, 2))
                parens[w] ^= UINT64_MAX << random_below(&seed, 64);
            if (random_below(&seed, 4) == 0)
                parens[w] ^= UINT64_C(1) << random_below(&seed, 64);
            if (random_below(&seed, 2))
                parens[w] = ~parens[w];
        }
        check(parens, 12 * 64 - random_below(&seed, 64), random_below(&seed, 16), "runs");
    }
}

TEST(test_families) {
    static const size_t sizes[] = {1,    2,    31,   63,   64,   65,   127,  128,   129,   191,   192,   511,   513,
                                   1023, 1025, 2047, 2048, 2049, 2111, 4095, 16383, 16385, 17000, 33333, 70000, 99999};
    uint64_t *parens = allocate(100000 / 8 + 8, 1);
    for (size_t f = 0; family_names[f]; f++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            assert_true(family_fill(family_names[f], s, sizes[s], parens));
            check(parens, sizes[s], (f + s) % 17, family_names[f]);
        }
    free(parens);
}

/* Past the size from which results are streamed past the caches. */
TEST(test_large) {
    const size_t n = 1500007;
    const char *const names[] = {"random", "deep", "twist:.5", "word:fffffffffffffffe"};
    uint64_t *parens = allocate(n / 8 + 8, 1);
    for (size_t f = 0; f < COUNT_OF(names); f++) {
        assert_true(family_fill(names[f], f, n, parens));
        check(parens, n, 3 * f, names[f]);
    }
    free(parens);
}

/* The stack grows and shrinks by many times what the engine keeps at hand, densely and sparsely filled. */
static size_t fill_swings(uint64_t *parens, size_t capacity, uint64_t *seed) {
    size_t n = 0;
    while (n + 60000 < capacity) {
        static const unsigned odds[] = {256, 255, 230, 140, 128, 116, 26, 1, 0};
        const size_t count = random_below(seed, 2) ? random_below(seed, 500) : random_below(seed, 60000);
        n = elements_append(parens, n, count, odds[random_below(seed, COUNT_OF(odds))], seed);
    }
    return n;
}

TEST(test_swings) {
    const size_t capacity = 400000;
    uint64_t seed = 5, *parens = malloc(capacity / 8 + 8);
    assert_non_null(parens);
    for (int round = 0; round < 6; round++)
        check(parens, fill_swings(parens, capacity, &seed), random_below(&seed, 16), "swings");
    free(parens);
}

/* A block of `survivors` opens, and pairs wherever there is room between them. */
static uint64_t block_with_survivors(unsigned survivors, uint64_t *seed) {
    uint64_t block = 0;
    for (unsigned i = 0, pairs = (64 - survivors) / 2; i < 64;) {
        const bool pair = pairs > 0 && (survivors == 0 || random_below(seed, 2));
        block |= UINT64_C(1) << i;
        i += pair ? 2 : 1;
        pairs -= pair;
        survivors -= !pair;
    }
    return block;
}

/* Deep stacks of which blocks hold few entries or many, taken off by closes alone, all at once or with a break. */
TEST(test_runs_of_closes) {
    static const unsigned most[] = {2, 4, 16, 30, 32, 64};
    enum {
        OPEN = 2000,
        BLOCKS = 4 * OPEN
    };
    uint64_t seed = 9, *parens = allocate(BLOCKS, sizeof *parens);
    for (size_t m = 0; m < COUNT_OF(most); m++)
        for (int round = 0; round < 6; round++) {
            size_t depth = 0, n = 0;
            while (n < OPEN) {
                const unsigned survivors = 2 * (unsigned)random_below(&seed, most[m] / 2 + 1);
                parens[n++] = block_with_survivors(survivors, &seed);
                depth += survivors;
            }
            for (size_t blocks = depth / 64 + 2; blocks > 0; blocks--)
                parens[n++] = random_below(&seed, 200) < (unsigned)round ? random_next(&seed) : 0;
            check(parens, 64 * n - random_below(&seed, 64), random_below(&seed, 16), "runs of closes");
        }
    free(parens);
}

/* Ranges one after another, each with the stack that the one before left, are the whole. */
TEST(test_ranges) {
    const size_t capacity = 400000;
    uint64_t seed = 6, *parens = malloc(capacity / 8 + 8);
    uint32_t *expected = malloc(capacity * sizeof *expected), *room = allocate_aligned(64, capacity * 4 + 64);
    pm_survivors *survivors = malloc((capacity / 64 + 2) * sizeof *survivors);
    void *scratch = allocate_aligned(PM_SCRATCH_ALIGN, PM_SCRATCH_SIZE);
    assert_true(parens && expected && room && survivors && scratch);
    for (int round = 0; round < 4; round++) {
        const size_t n = fill_swings(parens, capacity, &seed);
        const unsigned offset = (unsigned)random_below(&seed, 16);
        const pmi_grid grid = {.parens = parens, .n = n, .match = room + offset, .lead = offset};
        pm_bic total;
        pm_match_seq(NULL, parens, n, expected, &total);
        for (size_t c = 0; c < context_count; c++) {
            memset(room, 0xa5, capacity * 4 + 64);
            pmi_far_stack stack = {.survivors = survivors};
            uint64_t close = 0;
            for (size_t block = 0; block < pmi_grid_blocks(&grid);) {
                const size_t most = random_below(&seed, 2) ? 3 : 1500;
                const size_t left = pmi_grid_blocks(&grid) - block, count = 1 + random_below(&seed, most);
                const pmi_range range = {.first = block,
                                         .last = block + (count < left ? count : left),
                                         .streaming = random_below(&seed, 2),
                                         .keep = count < left};
                close += targets[c]->engine->match_range(&grid, &range, &stack, scratch, PM_SCRATCH_SIZE);
                block = range.last;
            }
            assert_same(grid.match, expected, n, "ranges", c);
            assert_int_equal(close, total.close);
            assert_int_equal(stack.depth, total.open);
            assert_int_equal(grid.match[n], CANARY);
        }
    }
    free(parens);
    free(expected);
    free_aligned(room);
    free(survivors);
    free_aligned(scratch);
}

/* `size` bytes that end where memory ends: one byte more, or one before the page they begin in, is a crash. */
typedef struct fenced {
    unsigned char *mapping, *data;
    size_t length;
} fenced;

static fenced fence(size_t size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page;
    const size_t length = (pages + 2) * page;
    unsigned char *mapping = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(mapping != MAP_FAILED);
    assert_int_equal(mprotect(mapping + page, pages * page, PROT_READ | PROT_WRITE), 0);
    return (fenced){mapping, mapping + (pages + 1) * page - size, length};
}

TEST(test_nothing_touched_outside) {
    uint64_t seed = 7;
    for (size_t n = 1; n < 3000; n += n < 200 ? 1 : 97) {
        const size_t words = (n + 63) / 64;
        fenced in = fence(words * 8), out = fence(n * 4);
        uint64_t *parens = (uint64_t *)(void *)in.data;
        uint32_t *match = (uint32_t *)(void *)out.data, expected[3000];
        for (size_t w = 0; w < words; w++)
            parens[w] = random_next(&seed);
        pm_match_seq(NULL, parens, n, expected, NULL);
        for (size_t c = 0; c < context_count; c++) {
            assert_ok(match_with(c, parens, n, match, NULL));
            assert_same(match, expected, n, "fenced", c);
        }
        munmap(in.mapping, in.length);
        munmap(out.mapping, out.length);
    }
    /* And at the beginning: arrays that start with a page. */
    const size_t n = 4096 * 16;
    fenced in = fence(n / 8), out = fence(n * 4);
    uint64_t *parens = (uint64_t *)(void *)in.data;
    uint32_t *match = (uint32_t *)(void *)out.data;
    assert_true(family_fill("bits", 1, n, parens));
    for (size_t c = 0; c < context_count; c++) {
        assert_ok(match_with(c, parens, n, match, NULL));
        assert_ok(pm_match_verify(NULL, parens, n, match, NULL));
    }
    munmap(in.mapping, in.length);
    munmap(out.mapping, out.length);
}

/* An allocator that counts, and fails when told to. */
typedef struct ledger {
    size_t blocks, bytes, most_bytes, calls;
    bool fail;
} ledger;

static void *ledger_alloc(size_t size, void *user) {
    ledger *l = user;
    l->calls++;
    size_t *block = l->fail ? NULL : malloc(size + 2 * sizeof(size_t));
    if (!block)
        return NULL;
    *block = size;
    l->blocks++;
    l->bytes += size;
    l->most_bytes = l->bytes > l->most_bytes ? l->bytes : l->most_bytes;
    return block + 2;
}

static void ledger_free(void *block, void *user) {
    ledger *l = user;
    size_t *begin = (size_t *)block - 2;
    l->blocks--;
    l->bytes -= *begin;
    free(begin);
}

/* Results made 64 wide, at every alignment and about every length of a vector; nothing outside is touched. */
TEST(test_widening) {
    enum {
        MOST = 80
    };
    uint32_t from[MOST];
    alignas(64) uint64_t to[MOST + 16];
    const pmi_widening by = {1000, UINT64_C(5) << 32, UINT64_C(0xffffffff00000000)};
    for (uint32_t k = 0; k < MOST; k++)
        from[k] = k % 7 == 0 ? PM_NONE : k % 3 == 0 ? 1000 + k : 970 + k;
    for (size_t c = 0; c < context_count; c++)
        for (size_t begin = 1; begin < 9; begin++)
            for (size_t n = 0; n + begin < MOST; n++)
                for (int past_caches = 0; past_caches < 2; past_caches++) {
                    memset(to, 0x5a, sizeof to);
                    targets[c]->engine->widen(&by, from + begin, n, past_caches, to + begin);
                    for (size_t k = 0; k < MOST + 16; k++) {
                        const bool inside = k >= begin && k < begin + n;
                        const uint64_t moved = !inside                                 ? UINT64_C(0x5a5a5a5a5a5a5a5a)
                                               : from[k] < 1000 || from[k] > INT32_MAX ? by.far + from[k]
                                                                                       : by.near + from[k];
                        assert_true(to[k] == moved);
                    }
                }
}

TEST(test_memory) {
    const size_t n = 1 << 20;
    uint64_t *parens = malloc(n / 8);
    uint32_t *match = malloc(n * sizeof *match);
    assert_true(parens && match);
    assert_true(family_fill("comb:40", 1, n, parens));
    for (size_t c = 0; c < context_count; c++) {
        ledger l = {0};
        const pm_options options = {.allocator = {ledger_alloc, ledger_free, &l}, .simd = targets[c]->name};
        pm_context *context = context_of(&options);
        const size_t calls = l.calls, blocks = l.blocks, bytes = l.bytes;

        assert_ok(pm_match_broadword(context, parens, 2048, match, NULL));
        assert_int_equal(l.calls, calls); /* small problems allocate nothing */

        assert_ok(pm_match_broadword(context, parens, n, match, NULL));
        assert_true(l.calls > calls);
        assert_int_equal(l.blocks, blocks);
        assert_true(l.most_bytes - bytes <= n / 8 + (1 << 20));

        l.fail = true;
        assert_int_equal(pm_match_broadword(context, parens, n, match, NULL), PM_OUT_OF_MEMORY);
        assert_int_equal(l.blocks, blocks);
        pm_context_destroy(context);
        assert_int_equal(l.blocks, 0);
    }
    free(parens);
    free(match);
}

TEST(test_arguments) {
    uint64_t parens = 5;
    uint32_t match[3];
    pm_bic total = {7, 7};
    assert_ok(pm_match_broadword(NULL, NULL, 0, NULL, &total));
    assert_int_equal(total.close + total.open, 0);
    assert_invalid(pm_match_broadword(NULL, NULL, 3, match, NULL));
    assert_invalid(pm_match_broadword(NULL, &parens, 3, NULL, NULL));
    assert_int_equal(pm_match_broadword(NULL, &parens, (size_t)UINT32_MAX + 1, match, NULL), PM_TOO_LARGE);
}

/* The public function, about the sizes at which it changes its way. */
TEST(test_public_function) {
    uint64_t seed = 8, parens[40];
    uint32_t expected[2560], match[2560];
    for (size_t n = 1; n < 2560; n += n < 600 ? 1 : 61) {
        for (size_t w = 0; w < 40; w++)
            parens[w] = random_next(&seed);
        pm_bic expected_total, total;
        pm_match_seq(NULL, parens, n, expected, &expected_total);
        for (size_t c = 0; c <= context_count; c++) { /* the last is NULL */
            assert_ok(pm_match_broadword(contexts[c], parens, n, match, &total));
            assert_memory_equal(match, expected, n * sizeof *match);
            assert_memory_equal(&total, &expected_total, sizeof total);
        }
    }
}

/* Returns how many SIMD targets the library was compiled for. */
static size_t simd_count(void) {
    size_t count = 0;
    while (pm_simd_at(count))
        count++;
    return count;
}

TEST(test_list_of_implementations) {
    const size_t count = simd_count();
    assert_true(count > 0 && pm_simd_at(count - 1)->supported); /* the last works everywhere */
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(pm_simd_at(i)->name) > 0 && strlen(pm_simd_at(i)->description) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(pm_simd_at(i)->name, pm_simd_at(j)->name);
        const pm_options options = {.simd = pm_simd_at(i)->name};
        pm_context *context;
        assert_int_equal(pm_context_create(&options, &context), pm_simd_at(i)->supported ? PM_OK : PM_UNSUPPORTED);
        pm_context_destroy(context);
    }
    assert_null(pm_simd_at(count));

    const pm_options unknown = {.simd = "mmx"};
    pm_context *context;
    assert_invalid(pm_context_create(&unknown, &context));
    assert_null(context);

    /* Options from before there was a choice. */
    const pm_options old = {.struct_size = offsetof(pm_options, simd), .simd = "mmx"};
    assert_ok(pm_context_create(&old, &context));
    pm_context_destroy(context);
}

int main(void) {
    return tests_run_between(create_contexts, destroy_contexts);
}
