/* SPDX-License-Identifier: Apache-2.0 */
/* Many sequences in one call against a call for each: every SIMD target, on one thread and several. */
#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"
#include "cpu/match/match.h"
#include "inputs/families.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

#define CANARY UINT32_C(0xa5a5a5a5)

/* A batch that grows, with what is right. The last word has junk past the end. */
typedef struct batch {
    uint64_t *parens, *offsets;
    size_t count, room, sequence_room;
    uint32_t *match;
    pm_bic *totals;
} batch;

static batch batch_make(size_t room, size_t sequence_room, uint64_t first) {
    batch made = {.room = room, .sequence_room = sequence_room};
    made.parens = allocate(room / 64 + 1, sizeof *made.parens);
    memset(made.parens, 0x5a, (room / 64 + 1) * sizeof *made.parens);
    made.offsets = allocate(sequence_room + 1, sizeof *made.offsets);
    made.match = allocate(room, sizeof *made.match);
    made.totals = allocate(sequence_room, sizeof *made.totals);
    made.offsets[0] = first;
    for (uint64_t i = 0; i < first; i++)
        made.match[i] = CANARY;
    return made;
}

static void batch_free(batch *made) {
    free(made->parens);
    free(made->offsets);
    free(made->match);
    free(made->totals);
}

/* Appends a sequence that begins at a word's lowest bit, as pm_match_seq() takes it. */
static void batch_append(batch *to, const uint64_t *parens, size_t n) {
    const uint64_t first = to->offsets[to->count];
    assert_true(to->count < to->sequence_room && n <= to->room - first);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bit = UINT64_C(1) << (first + i) % 64, word = (first + i) / 64;
        to->parens[word] = pmi_bits_get(parens, i) ? to->parens[word] | bit : to->parens[word] & ~bit;
    }
    assert_ok(pm_match_seq(NULL, parens, n, to->match + first, &to->totals[to->count]));
    to->offsets[++to->count] = first + n;
}

/* ---- Every way of matching a batch ---- */

typedef pm_status batch_function(pm_context *context, const uint64_t *parens, const uint64_t *offsets, size_t count,
                                 uint32_t *match, pm_bic *totals);

static batch_function *const functions[] = {pm_match_batch_seq, pm_match_batch_broadword, pm_match_batch_omp,
                                            pm_match_batch_auto};

static void assert_batch(const batch *right, const uint32_t *match, const pm_bic *totals, const char *what) {
    const uint64_t end = right->offsets[right->count];
    for (uint64_t i = 0; i < end; i++)
        if (match[i] != right->match[i])
            fail_msg("%s: element %llu: %u, not %u", what, (unsigned long long)i, match[i], right->match[i]);
    for (size_t s = 0; totals && s < right->count; s++)
        if (memcmp(&totals[s], &right->totals[s], sizeof totals[s]) != 0)
            fail_msg("%s: total of sequence %zu", what, s);
}

/* So that nothing stays of what another call stored. */
static void spoil(const batch *right, uint32_t *match, pm_bic *totals) {
    memset(match, 0xa5, right->offsets[right->count] * sizeof *match);
    if (totals)
        memset(totals, 0xa5, right->count * sizeof *totals);
}

/* Matches with every target, on `threads` threads, even where the public function would take the plain stack. */
static void check_engines(const batch *right, uint32_t *match, pm_bic *totals, unsigned threads) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    for (size_t t = 0; pm_simd_at(t); t++) {
        if (!pm_simd_at(t)->supported)
            continue;
        spoil(right, match, totals);
        const pmi_batch given = {right->parens, right->offsets, right->count, match, totals};
        assert_ok(pmi_omp_match_batch(pmi_simd_at(t)->engine, &allocator, threads, &given));
        assert_batch(right, match, totals, pm_simd_at(t)->name);
    }
}

static void check_functions(const batch *right, uint32_t *match, pm_bic *totals) {
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        spoil(right, match, totals);
        assert_ok(functions[f](NULL, right->parens, right->offsets, right->count, match, totals));
        assert_batch(right, match, totals, "public function");
    }
}

/* Results lie at the beginning and the end of a block of their own, so that sanitizers see what is written outside. */
static void check(const batch *right, unsigned threads) {
    uint32_t *const match = allocate(right->offsets[right->count], sizeof *match);
    pm_bic *const totals = allocate(right->count, sizeof *totals);
    check_functions(right, match, totals);
    check_functions(right, match, NULL);
    check_engines(right, match, totals, 1);
    check_engines(right, match, totals, threads);
    free(match);
    free(totals);
}

/* ---- Tests ---- */

/* Cuts n elements after each whose bit is set. */
static void append_cut(batch *to, uint64_t parens, uint64_t cuts, size_t n) {
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = begin + 1;
        while (end < n && !(cuts >> (end - 1) & 1))
            end++;
        const uint64_t sequence = parens >> begin;
        batch_append(to, &sequence, end - begin);
    }
}

TEST(test_every_cut_sequence_to_10_in_one_batch) {
    batch all = batch_make((size_t)8 << 20, (size_t)6 << 20, 5);
    for (size_t n = 1; n <= 10; n++)
        for (uint64_t parens = 0; parens < UINT64_C(1) << n; parens++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << (n - 1); cuts++)
                append_cut(&all, parens, cuts, n);
    check(&all, 2);
    batch_free(&all);
}

TEST(test_every_cut_sequence_to_6_by_itself) {
    for (size_t n = 0; n <= 6; n++)
        for (uint64_t bits = 0; bits < UINT64_C(1) << n; bits++)
            for (uint64_t cuts = 0; cuts < UINT64_C(1) << n; cuts++) {
                batch one = batch_make(n + 3, n + 2, bits % 3);
                batch_append(&one, &bits, 0);
                append_cut(&one, bits, cuts, n);
                batch_append(&one, &bits, 0);
                check(&one, 2);
                batch_free(&one);
            }
}

/* Sequences of any family, and now and then an empty one. */
static void append_family(batch *to, const char *family, size_t n, uint64_t *seed) {
    uint64_t *const parens = allocate(pmi_bits_words(n), sizeof *parens);
    if (n > 0)
        assert_true(family_fill(family, random_next(seed), n, parens));
    batch_append(to, parens, n);
    free(parens);
}

TEST(test_lengths_around_words_blocks_and_groups) {
    static const size_t lengths[] = {0,   1,   2,    8,    15,   16,   17,   63,   64,   65,   127,   128,  129,
                                     511, 513, 1000, 4095, 4096, 4097, 8191, 8192, 8193, 8256, 16383, 16385};
    uint64_t seed = 7;
    for (size_t f = 0; family_names[f]; f++) {
        batch mixed = batch_make(500000, 100, random_below(&seed, 130));
        for (int round = 0; round < 2; round++)
            for (size_t k = 0; k < COUNT_OF(lengths); k++)
                append_family(&mixed, family_names[f], lengths[round ? random_below(&seed, COUNT_OF(lengths)) : k],
                              &seed);
        check(&mixed, 3);
        batch_free(&mixed);
    }
}

/* Batches of one length each, whose groups end everywhere; enough of them for several threads to have items. */
TEST(test_equal_lengths) {
    static const size_t lengths[] = {1, 3, 8, 31, 64, 100, 1000, 2731, 5000};
    static const char *const families[] = {"bits", "opens", "closes", "coin:9"};
    uint64_t seed = 9;
    for (size_t k = 0; k < COUNT_OF(lengths); k++)
        for (size_t f = 0; f < COUNT_OF(families); f++) {
            const size_t count = 70000 / lengths[k];
            batch equal = batch_make(70100, count, k);
            for (size_t s = 0; s < count; s++)
                append_family(&equal, families[f], lengths[k], &seed);
            check(&equal, 2);
            batch_free(&equal);
        }
}

/* Sequences that several threads share, among short ones; results that go past the caches. */
TEST(test_long_ones_among_short_ones) {
    uint64_t seed = 11;
    batch mixed = batch_make(1800000, 3000, 77);
    for (size_t k = 0; k < 900; k++)
        append_family(&mixed, k % 300 == 150 ? "twist:.5" : "bits",
                      k % 300 == 150 ? 300000 + k : random_below(&seed, 1200), &seed);
    check(&mixed, 2);
    check(&mixed, 5);
    batch_free(&mixed);
}

/* Results that go past the caches, of sequences that end everywhere in cache lines, alone and in groups. */
TEST(test_past_the_caches) {
    static const size_t lengths[] = {0,   1,    15,   64,   399,  400,  401,  767,  768,
                                     769, 1000, 2047, 2048, 2049, 2731, 4097, 8191, 8193};
    uint64_t seed = 17;
    for (size_t f = 0; family_names[f]; f += 3) {
        batch mixed = batch_make(1200000, 600, random_below(&seed, 130));
        for (size_t k = 0; k < 450; k++)
            append_family(&mixed, family_names[f], lengths[random_below(&seed, COUNT_OF(lengths))], &seed);
        check(&mixed, 2);
        batch_free(&mixed);
    }
}

TEST(test_many_empty_ones) {
    const size_t count = 100000;
    batch empty = batch_make(10, count + 1, 3);
    for (size_t s = 0; s < count; s++)
        batch_append(&empty, &(uint64_t){0}, 0);
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        pm_bic *const totals = allocate(count, sizeof *totals);
        memset(totals, 0xa5, count * sizeof *totals);
        assert_ok(functions[f](NULL, NULL, empty.offsets, count, NULL, totals));
        assert_memory_equal(totals, empty.totals, count * sizeof *totals);
        free(totals);
    }
    batch_append(&empty, &(uint64_t){1}, 5);
    check(&empty, 2);
    batch_free(&empty);
}

TEST(test_nothing_outside_is_written) {
    const uint64_t offsets[] = {3, 3, 70, 400, 901}, parens[15] = {0x5a5a, 7, UINT64_MAX};
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        uint32_t match[902];
        memset(match, 0xa5, sizeof match);
        assert_ok(functions[f](NULL, parens, offsets, 4, match, NULL));
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(match[i], CANARY);
        assert_int_equal(match[901], CANARY);
    }
}

/* Of a list of offsets only the part that is given counts: short sequences follow, of which a group would have room. */
TEST(test_sequences_behind_the_last) {
    const uint64_t offsets[] = {0, 300, 600, 700, 710}, parens[12] = {0x5a5a, 7, UINT64_MAX};
    const pm_allocator allocator = pm_context_allocator(NULL);
    for (size_t t = 0; pm_simd_at(t); t++) {
        uint32_t match[710];
        pm_bic totals[4];
        memset(match, 0xa5, sizeof match);
        memset(totals, 0xa5, sizeof totals);
        const pmi_batch given = {parens, offsets, 2, match, totals};
        if (!pm_simd_at(t)->supported)
            continue;
        assert_ok(pmi_omp_match_batch(pmi_simd_at(t)->engine, &allocator, 1, &given));
        for (size_t i = 600; i < 710; i++)
            assert_int_equal(match[i], CANARY);
        assert_memory_equal(&totals[2], match + 600, sizeof totals[2]);
    }
}

/* A sequence that several threads share begins within the first word of the bits. */
TEST(test_long_one_within_the_first_word) {
    uint64_t seed = 12;
    batch longest = batch_make(300100, 2, 5);
    append_family(&longest, "bits", 300000, &seed);
    append_family(&longest, "bits", 90, &seed);
    check(&longest, 2);
    batch_free(&longest);
}

TEST(test_arguments) {
    const uint64_t parens[] = {5, 6}, good[] = {0, 4, 4, 9}, descending[] = {0, 4, 3, 9}, below[] = {9, 9, 9, 0},
                   longest[] = {0, 2, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 2},
                   too_long[] = {0, 2, (UINT64_C(1) << 32) + 2, (UINT64_C(1) << 32) + 2};
    uint32_t match[9];
    for (size_t f = 0; f < COUNT_OF(functions); f++) {
        batch_function *const call = functions[f];
        assert_ok(call(NULL, NULL, NULL, 0, NULL, NULL));
        assert_ok(call(NULL, parens, good, 3, match, NULL));
        assert_invalid(call(NULL, parens, NULL, 3, match, NULL));
        assert_invalid(call(NULL, NULL, good, 3, match, NULL));
        assert_invalid(call(NULL, parens, good, 3, NULL, NULL));
        assert_invalid(call(NULL, parens, descending, 3, match, NULL));
        assert_invalid(call(NULL, parens, below, 3, match, NULL));
        assert_int_equal(call(NULL, parens, too_long, 3, match, NULL), PM_TOO_LARGE);
        assert_invalid(call(NULL, NULL, longest, 3, match, NULL)); /* as long as may be; no array */
    }
}

/* An engine that writes to all of its memory. */
static uint64_t match_range_untidily(const pmi_grid *grid, const pmi_range *range, pmi_far_stack *stack, void *scratch,
                                     size_t scratch_size) {
    assert_int_equal((uintptr_t)scratch % PM_SCRATCH_ALIGN, 0);
    memset(scratch, 0x3c, scratch_size);
    memset(stack->survivors, 0x3c, grid->n > PM_RANGE_SHORT ? pmi_grid_blocks(grid) * sizeof *stack->survivors : 0);
    return pmi_simd_of(NULL)->engine->match_range(grid, range, stack, scratch, scratch_size);
}

/* One thread takes no more memory than promised, and an engine's is its own. */
TEST(test_memory_of_one_thread) {
    static const size_t lengths[] = {1, 300, 767, 768, 769, 2047, 2048, 2049, 8192, 100000, 1000000};
    pmi_engine engine = *pmi_simd_of(NULL)->engine;
    engine.match_range = match_range_untidily;
    uint64_t seed = 14;
    for (size_t k = 0; k < COUNT_OF(lengths); k++)
        for (size_t count = 1; count <= 40 && lengths[k] * count <= 1000000; count += 39) {
            batch equal = batch_make(1000003, count, 3);
            for (size_t s = 0; s < count; s++)
                append_family(&equal, "bits", lengths[k], &seed);
            uint32_t *const match = allocate(equal.room, sizeof *match);
            fault_allocator memory = {0};
            const pm_allocator allocator = fault_allocator_functions(&memory);
            const pmi_batch given = {equal.parens, equal.offsets, count, match, NULL};
            memset(match, 0xa5, equal.room * sizeof *match);
            assert_ok(pmi_omp_match_batch(&engine, &allocator, 1, &given));
            assert_batch(&equal, match, NULL, "in the memory promised");
            assert_true(memory.peak_bytes <= (256 << 10) + lengths[k] / 4);
            assert_true(fault_allocator_is_settled(&memory));
            free(match);
            batch_free(&equal);
        }
}

/* Each allocation of a call fails in turn: the call says so, and gives back what it has. */
TEST(test_no_memory) {
    uint64_t seed = 13;
    batch mixed = batch_make(700000, 20, 1);
    append_family(&mixed, "bits", 77, &seed);
    append_family(&mixed, "bits", 600000, &seed);
    append_family(&mixed, "bits", 7000, &seed);
    uint32_t *const match = allocate(mixed.room, sizeof *match);
    memset(match, 0xa5, mixed.room * sizeof *match);
    for (size_t f = 1; f < COUNT_OF(functions); f++) {
        pm_status status = PM_OUT_OF_MEMORY;
        for (size_t fail = 1; status != PM_OK; fail++) {
            fault_allocator memory = {0};
            pm_context *const context = context_with(&memory);
            memory.fail_at = memory.calls + fail;
            status = functions[f](context, mixed.parens, mixed.offsets, mixed.count, match, NULL);
            assert_true(status == PM_OK ? memory.calls < memory.fail_at : status == PM_OUT_OF_MEMORY);
            context_close(context, &memory);
        }
        assert_batch(&mixed, match, NULL, "at last");
    }
    free(match);
    batch_free(&mixed);
}

/* Totals of tiny sequences, up to the last bit of an array behind which nothing may be read. */
TEST(test_totals_at_the_end_of_memory) {
    enum {
        WORDS = 10
    };
    guarded_memory memory = guarded_allocate(8 * WORDS);
    uint64_t *const parens = (uint64_t *)(void *)(memory.end - 8 * WORDS), seed = 15;
    for (unsigned round = 0; round < 300; round++) {
        uint64_t offsets[64 * WORDS + 1];
        uint32_t match[64 * WORDS];
        pm_bic totals[64 * WORDS], right[64 * WORDS];
        const uint64_t n = 64 * WORDS - random_below(&seed, 64);
        size_t count = 0;
        for (offsets[0] = random_below(&seed, 100); offsets[count] < n; count++) {
            const uint64_t end = offsets[count] + 1 + random_below(&seed, 1 + round % 16);
            offsets[count + 1] = end < n ? end : n;
        }
        for (size_t w = 0; w < WORDS; w++)
            parens[w] = random_next(&seed);
        assert_ok(pm_match_batch_seq(NULL, parens, offsets, count, match, right));
        assert_ok(pm_match_batch_broadword(NULL, parens, offsets, count, match, totals));
        assert_memory_equal(totals, right, count * sizeof *totals);
    }
    guarded_free(&memory);
}
