/* SPDX-License-Identifier: Apache-2.0 */
/* The streaming form: the answer does not depend on how a sequence is cut, memory keeps its bound, failures stick. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stack.h"
#include "broadword/match/match.h"
#include "core/context/context.h"
#include "core/match/stream_chunk.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

#define CANARY UINT64_C(0xa5a5a5a5a5a5a5a5)

/* A sequence and what is right for it. */
typedef struct sequence {
    size_t n;
    uint64_t *parens, *match;
    pm_bic total;
} sequence;

/* Of given parentheses, which it owns from then on. */
static sequence sequence_of(uint64_t *parens, size_t n) {
    sequence made = {.n = n, .parens = parens};
    made.match = allocate(n, sizeof *made.match);
    uint32_t *match = allocate(n, sizeof *match);
    assert_ok(pm_match_seq(NULL, made.parens, n, match, &made.total));
    for (size_t i = 0; i < n; i++)
        made.match[i] = match[i] == PM_NONE ? PM_BP_NONE : match[i];
    free(match);
    return made;
}

static sequence sequence_make(const char *family, uint64_t seed, size_t n) {
    uint64_t *parens = allocate(pmi_bits_words(n), sizeof *parens);
    assert_true(family_fill(family, seed, n, parens));
    return sequence_of(parens, n);
}

static void sequence_free(sequence *made) {
    free(made->match);
    free(made->parens);
}

/* The words of elements begin ... begin + n - 1, moved to bit 0; the bits past them are whatever follows, inverted. */
static uint64_t *chunk_words(const sequence *whole, size_t begin, size_t n) {
    uint64_t *words = allocate(pmi_bits_words(n), sizeof *words);
    for (size_t w = 0; w < pmi_bits_words(n); w++) {
        const size_t first = begin + 64 * w;
        words[w] = whole->parens[first / 64] >> first % 64;
        if (first % 64 != 0 && first / 64 + 1 < pmi_bits_words(whole->n))
            words[w] |= whole->parens[first / 64 + 1] << (64 - first % 64);
    }
    if (n % 64 != 0)
        words[n / 64] ^= ~pmi_bits_low(n % 64);
    return words;
}

/* What is wanted of a push: results of 64 bits, of 32 bits, or none. */
typedef enum form {
    WIDE = 'w',
    NARROW = 'n',
    ACCOUNT = 'a'
} form;

static void push_wide(pm_stream *stream, const uint64_t *words, size_t n, const uint64_t *expected) {
    uint64_t *match = allocate(n + 1, sizeof *match);
    match[n] = CANARY;
    assert_ok(pm_stream_push(stream, words, n, match));
    if (n > 0)
        assert_memory_equal(match, expected, n * sizeof *match);
    assert_int_equal(match[n], CANARY);
    free(match);
}

static void push_narrow(pm_stream *stream, const uint64_t *words, size_t n, const uint64_t *expected) {
    uint32_t *match = allocate(n + 1, sizeof *match), *narrow = allocate(n, sizeof *narrow);
    match[n] = (uint32_t)CANARY;
    for (size_t i = 0; i < n; i++)
        narrow[i] = expected[i] == PM_BP_NONE ? PM_NONE : (uint32_t)expected[i];
    assert_ok(pm_stream_push_u32(stream, words, n, match));
    if (n > 0)
        assert_memory_equal(match, narrow, n * sizeof *match);
    assert_int_equal(match[n], (uint32_t)CANARY);
    free(narrow);
    free(match);
}

/* Pushes one chunk and checks its matches, if wanted. */
static void push_chunk(pm_stream *stream, const sequence *whole, size_t begin, size_t n, form wanted) {
    uint64_t *words = chunk_words(whole, begin, n);
    switch (wanted) {
    case WIDE:
        push_wide(stream, words, n, whole->match + begin);
        break;
    case NARROW:
        push_narrow(stream, words, n, whole->match + begin);
        break;
    case ACCOUNT:
        assert_ok(pm_stream_push(stream, words, n, NULL));
        break;
    }
    free(words);
}

static void finish(pm_stream *stream, pm_bic expected) {
    pm_bic total = {CANARY, CANARY};
    assert_ok(pm_stream_finish(stream, &total));
    assert_int_equal(total.close, expected.close);
    assert_int_equal(total.open, expected.open);
}

/* Ways to cut: `length` elements a chunk, or for 0 a random number of them, up to `at_most`. */
typedef struct cutting {
    size_t length, at_most;
    const char *forms; /* what is wanted of the chunks, in turn */
} cutting;

static void push_in_chunks(pm_stream *stream, const sequence *whole, cutting cut, uint64_t seed) {
    size_t chunk = 0;
    for (size_t begin = 0, n; begin < whole->n; begin += n) {
        n = cut.length ? cut.length : random_below(&seed, cut.at_most + 1); /* may well be 0 */
        if (n > whole->n - begin)
            n = whole->n - begin;
        push_chunk(stream, whole, begin, n, (form)cut.forms[chunk++ % strlen(cut.forms)]);
    }
}

/* One stream for everything, so it is also reused after every kind of sequence. */
static void check_cuttings_with(const char *simd, const cutting *cuts, size_t count, const size_t *sizes,
                                size_t size_count) {
    fault_allocator faults = {0};
    pm_context *context;
    pm_stream *stream;
    const pm_options options = {.allocator = fault_allocator_functions(&faults), .simd = simd};
    assert_ok(pm_context_create(&options, &context));
    assert_ok(pm_stream_create(context, &stream));
    const size_t live_bytes = faults.live_bytes;
    for (const char *const *name = family_names; *name; name++)
        for (size_t s = 0; s < size_count; s++) {
            sequence whole = sequence_make(*name, s, sizes[s]);
            for (size_t c = 0; c < count; c++) {
                push_in_chunks(stream, &whole, cuts[c], c);
                finish(stream, whole.total);
                assert_int_equal(faults.live_bytes, live_bytes);
            }
            sequence_free(&whole);
        }
    pm_stream_destroy(stream);
    context_close(context, &faults);
}

static void check_cuttings(const cutting *cuts, size_t count, const size_t *sizes, size_t size_count) {
    for (size_t i = 0; pm_simd_at(i); i++)
        if (pm_simd_at(i)->supported)
            check_cuttings_with(pm_simd_at(i)->name, cuts, count, sizes, size_count);
}

TEST(test_every_kind_of_chunk) {
    static const cutting cuts[] = {{SIZE_MAX, 0, "w"}, {SIZE_MAX, 0, "n"}, {SIZE_MAX, 0, "a"}, {1, 0, "w"},
                                   {2, 0, "nw"},       {63, 0, "w"},       {64, 0, "wn"},      {65, 0, "w"},
                                   {127, 0, "wwa"},    {128, 0, "wn"},     {0, 3, "n"},        {0, 64, "w"},
                                   {0, 65, "an"},      {0, 200, "w"},      {0, 2000, "wwnna"}, {1000, 0, "aw"}};
    static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 1000, 4096, 5003};
    check_cuttings_with(NULL, cuts, COUNT_OF(cuts), sizes, COUNT_OF(sizes));
}

/* Elements enough for an engine, and a few more or less. */
TEST(test_short_chunks_of_engines) {
    static const cutting cuts[] = {{SIZE_MAX, 0, "w"}, {SIZE_MAX, 0, "n"}, {129, 0, "w"},   {191, 0, "wn"},
                                   {193, 0, "nw"},     {256, 0, "aw"},     {320, 0, "n"},   {0, 500, "nwa"},
                                   {640, 0, "wn"},     {0, 1000, "wn"},    {1000, 0, "awn"}};
    static const size_t sizes[] = {192, 257, 2001};
    check_cuttings(cuts, COUNT_OF(cuts), sizes, COUNT_OF(sizes));
}

/* Calls of an engine that does what the portable one does. */
static unsigned spied;

static uint64_t spy_match_range(const pmi_grid *grid, const pmi_range *range, pmi_far_stack *stack, void *scratch,
                                size_t scratch_size) {
    spied++;
    return pmi_simd_by_name("portable")->engine->match_range(grid, range, stack, scratch, scratch_size);
}

/* The engine is the context's: for long pushes that want matches, and for these alone. */
TEST(test_engine_of_the_context) {
    const pmi_engine spy = {.match_range = spy_match_range,
                            .reduce_blocks = pmi_simd_by_name("portable")->engine->reduce_blocks,
                            .widen = pmi_simd_by_name("portable")->engine->widen};
    pm_context *context;
    pm_stream *stream;
    assert_ok(pm_context_create(NULL, &context));
    pmi_simd_target simd = *context->simd;
    simd.engine = &spy;
    context->simd = &simd;
    assert_ok(pm_stream_create(context, &stream));
    sequence whole = sequence_make("bits", 0, 4096);
    push_chunk(stream, &whole, 0, 1024, ACCOUNT);
    push_chunk(stream, &whole, 1024, 64, WIDE);
    assert_int_equal(spied, 0);
    push_chunk(stream, &whole, 1088, 1472, WIDE);
    assert_int_equal(spied, 1);
    push_chunk(stream, &whole, 2560, 1536, NARROW);
    assert_int_equal(spied, 2);
    finish(stream, whole.total);
    sequence_free(&whole);
    pm_stream_destroy(stream);
    pm_context_destroy(context);
}

/* What one chunk of an engine takes. */
#define CHUNK ((size_t)PM_CHUNK_WORDS * PM_WORD_BITS)

TEST(test_long_chunks_of_engines) {
    static const cutting cuts[] = {{SIZE_MAX, 0, "w"},   {SIZE_MAX, 0, "n"},   {CHUNK - 1, 0, "w"},
                                   {CHUNK, 0, "nw"},     {CHUNK + 1, 0, "n"},  {CHUNK / 2, 0, "w"},
                                   {CHUNK + 64, 0, "w"}, {0, 2 * CHUNK, "wna"}};
    static const size_t sizes[] = {CHUNK, 3 * CHUNK - 63};
    check_cuttings(cuts, COUNT_OF(cuts), sizes, COUNT_OF(sizes));
}

/* So many results at once that they go past the caches, wherever they lie. */
TEST(test_long_pushes) {
    static const char *const families[] = {"random", "deep", "twist:.25"};
    const size_t n = 400000;
    assert_true(pmi_results_should_stream((n - 5) * sizeof(uint64_t)) || sysconf(_SC_LEVEL2_CACHE_SIZE) > 1 << 22);
    for (size_t i = 0; pm_simd_at(i); i++) {
        pm_context *context;
        pm_stream *stream;
        const pm_options options = {.simd = pm_simd_at(i)->name};
        if (!pm_simd_at(i)->supported)
            continue;
        assert_ok(pm_context_create(&options, &context));
        assert_ok(pm_stream_create(context, &stream));
        for (size_t f = 0; f < COUNT_OF(families); f++) {
            sequence whole = sequence_make(families[f], i, n);
            push_chunk(stream, &whole, 0, 5, WIDE);
            push_chunk(stream, &whole, 5, n - 5, WIDE);
            finish(stream, whole.total);
            sequence_free(&whole);
        }
        pm_stream_destroy(stream);
        pm_context_destroy(context);
    }
}

/* Deep enough for several chunks of the stack beneath. */
TEST(test_deep_sequences) {
    static const cutting cuts[] = {{64, 0, "w"}, {SIZE_MAX, 0, "n"}, {0, 5000, "wnwa"}};
    static const size_t sizes[] = {100007};
    check_cuttings(cuts, COUNT_OF(cuts), sizes, COUNT_OF(sizes));
}

/* Groups with one or two opens left each, far more of them than an engine's chunk borrows, and then what closes many.
 */
TEST(test_sparse_deep_sequences) {
    static const char *const forms[] = {"w", "n", "awn"};
    const size_t groups = 3 * PM_CHUNK_ENTRIES, closing = 128, words = 2 * (groups + closing);
    for (size_t i = 0; pm_simd_at(i); i++) {
        if (!pm_simd_at(i)->supported)
            continue;
        const pm_options options = {.simd = pm_simd_at(i)->name};
        pm_context *context;
        pm_stream *stream;
        uint64_t seed = i, *parens = allocate(words, sizeof *parens);
        for (size_t w = 0; w < words; w++) {
            const bool left_open = w % (groups + closing) < groups;
            /* an open in place of a random pair's close, or mostly closes, here and there with an open between */
            parens[w] = left_open ? UINT64_C(0x5555555555555555) | UINT64_C(2) << 2 * random_below(&seed, 32)
                                  : random_next(&seed) & random_next(&seed) & random_next(&seed);
        }
        sequence whole = sequence_of(parens, words * PM_WORD_BITS - 13);
        assert_ok(pm_context_create(&options, &context));
        assert_ok(pm_stream_create(context, &stream));
        for (size_t f = 0; f < COUNT_OF(forms); f++) {
            push_in_chunks(stream, &whole, (cutting){SIZE_MAX, 0, forms[f]}, 0);
            finish(stream, whole.total);
            push_in_chunks(stream, &whole, (cutting){0, 3 * CHUNK, forms[f]}, f);
            finish(stream, whole.total);
            push_in_chunks(stream, &whole, (cutting){300, 0, forms[f]}, 0);
            finish(stream, whole.total);
        }
        pm_stream_destroy(stream);
        pm_context_destroy(context);
        sequence_free(&whole);
    }
}

/* Every way to cut a short sequence in three, its words seen at every shift. */
TEST(test_every_cut_in_three) {
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    sequence whole = sequence_make("bits", 3, 140);
    for (size_t first = 0; first <= whole.n; first++)
        for (size_t second = first; second <= whole.n; second++) {
            push_chunk(stream, &whole, 0, first, WIDE);
            push_chunk(stream, &whole, first, second - first, NARROW);
            push_chunk(stream, &whole, second, whole.n - second, WIDE);
            finish(stream, whole.total);
        }
    sequence_free(&whole);
    pm_stream_destroy(stream);
}

/* The survivors of a sequence's first `end` elements, lowest first, in words that begin where a slice's would that
 * begins `shift` elements after a multiple of 64. */
static size_t words_of_survivors(const sequence *whole, size_t end, unsigned shift, pm_open_word *words) {
    size_t count = 0;
    for (size_t i = 0; i < end; i++) { /* open and not matched by a close before `end` */
        bool left = pmi_bits_get(whole->parens, i);
        for (size_t k = i + 1; k < end && left; k++)
            left = pmi_bits_get(whole->parens, k) || whole->match[k] != i;
        if (!left)
            continue;
        const uint64_t first = i < shift ? 0 : (i - shift) / 64 * 64 + shift;
        if (count == 0 || words[count - 1].first != first)
            words[count++] = (pm_open_word){first, 0};
        words[count - 1].opens |= UINT64_C(1) << (i - first);
    }
    return count;
}

/* A stream that begins in the middle goes on as if all before had been pushed, at any offset. */
TEST(test_skipping) {
    static const size_t cuts[] = {0, 1, 63, 64, 200, 320, 511};
    static const uint64_t offsets[] = {0, UINT64_C(1) << 32, (UINT64_C(1) << 40) + 17};
    const size_t n = 1200;
    pm_open_word words[16];
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    for (const char *const *name = family_names; *name; name++)
        for (size_t c = 0; c < COUNT_OF(cuts) * COUNT_OF(offsets); c++) {
            const size_t cut = cuts[c / COUNT_OF(offsets)];
            const uint64_t offset = offsets[c % COUNT_OF(offsets)];
            sequence whole = sequence_make(*name, c, n);
            const size_t count = words_of_survivors(&whole, cut, (unsigned)(c * 13 % 64), words);
            uint64_t opens = 0;
            for (size_t k = 0; k < count; k++) {
                words[k].first += offset;
                opens += pmi_bits_count(words[k].opens);
            }
            for (size_t i = 0; i < n; i++)
                whole.match[i] += whole.match[i] == PM_BP_NONE ? 0 : offset;
            for (size_t k = 0; k < count; k++) /* a word at a time */
                assert_ok(pm_stream_skip(stream, k + 1 < count ? words[k + 1].first : cut + offset, words + k, 1));
            assert_ok(pm_stream_skip(stream, cut + offset, NULL, 0));
            push_chunk(stream, &whole, cut, n - cut, WIDE);
            pm_bic before = {0, opens}, total = {0, 0};
            uint32_t *const match = allocate(n, sizeof *match);
            uint64_t *const rest = chunk_words(&whole, cut, n - cut);
            assert_ok(pm_match_seq(NULL, rest, n - cut, match, &total));
            finish(stream, pmi_bic_multiply(before, total));
            free(rest);
            free(match);
            sequence_free(&whole);
        }
    pm_stream_destroy(stream);
}

/* Pushes of any lengths between skips to any place, with any opens: unlike those that a sequence leaves, they may have
 * odd numbers of elements between them. A plain stack of indices says what is right. */
TEST(test_skipping_with_any_opens) {
    enum {
        ROUNDS = 300,
        STEPS = 12,
        WORDS = 5,
        PUSH_MAX = 900
    };
    static const uint64_t regular[] = {0x15, 0x7, 0x39, UINT64_MAX}; /* of the last three a word is one entry */
    uint64_t seed = 1, *const stack = allocate(STEPS * (PUSH_MAX + WORDS * 64), sizeof *stack);
    uint64_t parens[PUSH_MAX / 64 + 1], match[PUSH_MAX];
    uint32_t match_32[PUSH_MAX];
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t depth = 0;
        uint64_t position = 0, closes = 0;
        for (size_t step = 0; step < STEPS; step++) {
            if (random_below(&seed, 2)) { /* skip */
                pm_open_word given[WORDS];
                const size_t count = random_below(&seed, WORDS + 1);
                uint64_t end = position;
                for (size_t k = 0; k < count; k++) {
                    const uint64_t some = (random_next(&seed) & random_next(&seed)) | 1, apart = random_below(&seed, 2);
                    const uint64_t opens =
                        random_below(&seed, 3) ? some : regular[random_below(&seed, COUNT_OF(regular))];
                    const uint64_t first = end + apart * random_below(&seed, 100);
                    given[k] = (pm_open_word){apart ? first : (first + 63) / 64 * 64, opens};
                    if (end % 64 > 0 && random_below(&seed, 4) == 0) /* the rest of a word that has begun */
                        given[k] = (pm_open_word){end / 64 * 64, opens << end % 64 | UINT64_C(1) << 63};
                    for (unsigned i = 0; i < 64; i++)
                        if (given[k].opens >> i & 1)
                            stack[depth++] = given[k].first + i;
                    end = stack[depth - 1] + 1;
                }
                const uint64_t to = end + random_below(&seed, 2) * random_below(&seed, 70);
                position = random_below(&seed, 2) ? to : (to + 63) / 64 * 64;
                assert_ok(pm_stream_skip(stream, position, given, count));
                continue;
            }
            const size_t n = random_below(&seed, 4) ? random_below(&seed, PUSH_MAX) : random_below(&seed, 3);
            const unsigned bias = (unsigned)random_below(&seed, 3); /* mostly closes, either, mostly opens */
            for (size_t w = 0; w < COUNT_OF(parens); w++) {
                const uint64_t a = random_next(&seed), b = random_next(&seed);
                parens[w] = bias == 0 ? a & b : bias == 1 ? a : a | b;
            }
            const bool narrow = random_below(&seed, 2);
            assert_ok(narrow ? pm_stream_push_u32(stream, parens, n, match_32)
                             : pm_stream_push(stream, parens, n, match));
            for (size_t i = 0; i < n; i++) {
                const uint64_t expected = depth > 0 ? stack[depth - 1] : PM_BP_NONE;
                assert_true(narrow ? match_32[i] == (uint32_t)expected : match[i] == expected);
                if (pmi_bits_get(parens, i))
                    stack[depth++] = position + i;
                else if (depth > 0)
                    depth--;
                else
                    closes++;
            }
            position += n;
        }
        finish(stream, (pm_bic){closes, depth});
    }
    pm_stream_destroy(stream);
    free(stack);
}

TEST(test_skipping_bad_arguments) {
    const pm_open_word words[] = {{100, 5}, {102, 2}}, twice[] = {{100, 5}, {102, 1}}, far = {UINT64_MAX - 63, 1};
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    assert_invalid(pm_stream_skip(NULL, 0, NULL, 0));
    assert_invalid(pm_stream_skip(stream, 1000, NULL, 1));
    assert_invalid(pm_stream_skip(stream, 1000, twice, 2));
    assert_invalid(pm_stream_skip(stream, UINT64_MAX, &far, 1));
    assert_invalid(pm_stream_skip(stream, 103, words, 2));
    assert_ok(pm_stream_skip(stream, 104, words, 2));
    assert_invalid(pm_stream_skip(stream, 103, NULL, 0));
    assert_invalid(pm_stream_skip(stream, 200, words, 1));
    finish(stream, (pm_bic){0, 3});
    pm_stream_destroy(stream);
}

/* Indices have 64 bits, and PM_BP_NONE is not an index: past that a push appends nothing. */
TEST(test_where_64_bits_end) {
    enum {
        LEFT = 300
    };
    const uint64_t parens[LEFT / 64 + 1] = {0}, before = UINT64_MAX - LEFT;
    uint64_t match[LEFT];
    uint32_t narrow;
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    assert_ok(pm_stream_skip(stream, before, &(pm_open_word){before - 64, 1}, 1));
    assert_int_equal(pm_stream_push(stream, parens, LEFT + 1, match), PM_TOO_LARGE);
    assert_int_equal(pm_stream_push(stream, parens, SIZE_MAX, NULL), PM_TOO_LARGE);
    assert_int_equal(pm_stream_push_u32(stream, parens, SIZE_MAX, NULL), PM_TOO_LARGE);
    assert_ok(pm_stream_push(stream, parens, LEFT - 1, match));
    assert_true(match[0] == before - 64 && match[1] == PM_BP_NONE);
    assert_ok(pm_stream_push(stream, (const uint64_t[]){1}, 1, match)); /* element 2^64 - 2 */
    assert_int_equal(pm_stream_push(stream, parens, 1, match), PM_TOO_LARGE);
    assert_int_equal(pm_stream_push_u32(stream, parens, 1, &narrow), PM_TOO_LARGE);
    assert_ok(pm_stream_push(stream, parens, 0, match));
    finish(stream, (pm_bic){LEFT - 2, 1});
    pm_stream_destroy(stream);
}

TEST(test_nothing_pushed) {
    const pm_bic nothing = {0, 0};
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    finish(stream, nothing);
    finish(stream, nothing);
    assert_ok(pm_stream_push(stream, NULL, 0, NULL));
    finish(stream, nothing);
    assert_ok(pm_stream_finish(stream, NULL));
    pm_stream_destroy(stream);
}

TEST(test_bad_arguments) {
    const uint64_t open = 1;
    uint64_t match;
    pm_stream *stream;
    assert_invalid(pm_stream_create(NULL, NULL));
    assert_invalid(pm_stream_push(NULL, &open, 1, &match));
    assert_invalid(pm_stream_finish(NULL, NULL));
    uint32_t match_32;
    assert_invalid(pm_stream_push_u32(NULL, &open, 1, &match_32));
    pm_stream_destroy(NULL);
    assert_ok(pm_stream_create(NULL, &stream));
    assert_invalid(pm_stream_push_u32(stream, NULL, 1, &match_32));
    assert_ok(pm_stream_push_u32(stream, NULL, 0, NULL));
    assert_invalid(pm_stream_push(stream, NULL, 1, &match));
    assert_ok(pm_stream_push(stream, &open, 1, &match)); /* a bad argument is no lasting failure */
    assert_true(match == PM_BP_NONE);
    finish(stream, (pm_bic){0, 1});
    pm_stream_destroy(stream);
}

/* A stream on its own counted memory, for the bounds. */
typedef struct counted_stream {
    fault_allocator faults;
    pm_context *context;
    pm_stream *stream;
    size_t at_rest; /* bytes of context and stream with nothing pushed */
} counted_stream;

static void counted_stream_open(counted_stream *counted, size_t fail_at) {
    *counted = (counted_stream){.faults = {.fail_at = fail_at}};
    assert_ok(fault_allocator_context(&counted->faults, &counted->context));
    assert_ok(pm_stream_create(counted->context, &counted->stream));
    counted->at_rest = counted->faults.live_bytes;
}

static void counted_stream_close(counted_stream *counted) {
    pm_stream_destroy(counted->stream);
    pm_context_destroy(counted->context);
    assert_true(fault_allocator_is_settled(&counted->faults));
}

/* The header's bound for `groups` 64s with an open in them. */
static size_t memory_bound(size_t groups) {
    const size_t block = 16384, groups_of_block = block / 16 - 1; /* the room of one entry links the blocks */
    return (groups / groups_of_block + 2) * block;
}

static void push_alike(pm_stream *stream, uint64_t word, size_t n) {
    uint64_t words[64];
    for (size_t w = 0; w < COUNT_OF(words); w++)
        words[w] = word;
    for (size_t pushed; n > 0; n -= pushed) {
        pushed = n < 64 * COUNT_OF(words) ? n : 64 * COUNT_OF(words);
        assert_ok(pm_stream_push(stream, words, pushed, NULL));
    }
}

static void check_bound(const counted_stream *counted, size_t groups) {
    assert_true(counted->faults.live_bytes - counted->at_rest <= memory_bound(groups));
}

TEST(test_memory_of_opens) {
    const size_t groups = 20000;
    counted_stream counted;
    counted_stream_open(&counted, 0);
    for (size_t i = 0; i < groups; i++) {
        push_alike(counted.stream, UINT64_MAX, 64);
        check_bound(&counted, i + 1);
    }
    assert_true(counted.faults.live_bytes > groups * 16); /* and it is used, so the bound says something */
    push_alike(counted.stream, 0, 64 * (groups - 10));
    check_bound(&counted, 10);
    finish(counted.stream, (pm_bic){0, 640});
    assert_int_equal(counted.faults.live_bytes, counted.at_rest);
    counted_stream_close(&counted);
}

/* Two opens left of each 64 cost as much as 64 do; none left costs nothing, however long the sequence. */
TEST(test_memory_of_sparse_opens) {
    const size_t groups = 5000;
    counted_stream counted;
    counted_stream_open(&counted, 0);
    for (size_t i = 0; i < groups; i++)
        push_alike(counted.stream, UINT64_C(0xaaaaaaaaaaaaaaab),
                   64); /* an open, then pairs; its own close is cut off */
    check_bound(&counted, groups);
    assert_ok(pm_stream_finish(counted.stream, NULL));
    assert_int_equal(counted.faults.live_bytes, counted.at_rest);

    counted.faults.peak_bytes = counted.faults.live_bytes;
    for (size_t i = 0; i < groups; i++) {
        push_alike(counted.stream, UINT64_MAX, 100);
        push_alike(counted.stream, 0, 101);
    }
    assert_true(counted.faults.peak_bytes - counted.at_rest <= memory_bound(2));
    finish(counted.stream, (pm_bic){groups, 0});
    counted_stream_close(&counted);
}

TEST(test_memory_of_a_saw) {
    const size_t tooth = 200000;
    counted_stream counted;
    counted_stream_open(&counted, 0);
    for (int teeth = 0; teeth < 5; teeth++) {
        push_alike(counted.stream, UINT64_MAX, tooth);
        push_alike(counted.stream, 0, tooth);
        check_bound(&counted, 0);
    }
    assert_true(counted.faults.peak_bytes - counted.at_rest <= memory_bound(tooth / 64 + 1));
    finish(counted.stream, (pm_bic){0, 0});
    assert_int_equal(counted.faults.live_bytes, counted.at_rest);
    counted_stream_close(&counted);
}

/* Matching needs no more than accounting, whatever it borrows. */
TEST(test_memory_of_matching) {
    sequence whole = sequence_make("saw:100000", 0, 400000);
    counted_stream counted;
    counted_stream_open(&counted, 0);
    assert_true(counted.at_rest <= 208 * 1024);
    push_in_chunks(counted.stream, &whole, (cutting){30000, 0, "wn"}, 0);
    assert_true(counted.faults.peak_bytes - counted.at_rest <= memory_bound(100000 / 64 + 1));
    check_bound(&counted, 0);
    finish(counted.stream, whole.total);
    assert_int_equal(counted.faults.live_bytes, counted.at_rest);
    counted_stream_close(&counted);
    sequence_free(&whole);
}

/* A stream may go with work unfinished. */
TEST(test_destroyed_in_the_middle) {
    counted_stream counted;
    counted_stream_open(&counted, 0);
    push_alike(counted.stream, UINT64_MAX, 1000000);
    counted_stream_close(&counted);
}

/* The form of 32 bits goes up to where its indices end, and says so without harm; all else goes on from there. */
TEST(test_where_32_bits_end) {
    const size_t n = 3 * CHUNK + 7, narrow = 2 * CHUNK + 500;
    const uint64_t before = PM_NONE - narrow;
    uint32_t *const match = allocate(n, sizeof *match);
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    push_alike(stream, 0, before);
    for (unsigned round = 0; round < 2; round++) { /* the second time the stream goes on, and all is too large */
        sequence whole = sequence_make("saw:9000", 0, n);
        const uint64_t first = round == 0 ? before : before + n + whole.total.open;
        for (size_t i = 0; i < n; i++)
            if (whole.match[i] != PM_BP_NONE)
                whole.match[i] += first;
        if (round == 0) {
            assert_int_equal(pm_stream_push_u32(stream, whole.parens, narrow + 1, match), PM_TOO_LARGE);
            assert_int_equal(pm_stream_push_u32(stream, whole.parens, SIZE_MAX, match), PM_TOO_LARGE);
            push_chunk(stream, &whole, 0, 600, NARROW);
            push_chunk(stream, &whole, 600, narrow - 600, NARROW);
        } else {
            push_chunk(stream, &whole, 0, 300, ACCOUNT);
            push_chunk(stream, &whole, 300, narrow - 300, WIDE);
        }
        assert_int_equal(pm_stream_push_u32(stream, whole.parens, 1, match), PM_TOO_LARGE);
        assert_ok(pm_stream_push_u32(stream, whole.parens, 0, match));
        push_chunk(stream, &whole, narrow, n - narrow, WIDE);
        push_alike(stream, 0, whole.total.open);
        sequence_free(&whole);
    }
    assert_ok(pm_stream_push_u32(stream, (const uint64_t[]){1}, 1, NULL)); /* no index, nothing too large */
    finish(stream, (pm_bic){before, 1});
    pm_stream_destroy(stream);
    free(match);
}

/* Whichever allocation fails: that push and all later ones say so, until finish; then the stream is as new. */
TEST(test_out_of_memory_sticks) {
    sequence whole = sequence_make("opens", 0, 300000);
    uint64_t *match = allocate(whole.n, sizeof *match);
    uint32_t match_32;
    size_t failures = 0;
    for (size_t fail_at = 3;; fail_at++) { /* after those of context and stream */
        counted_stream counted;
        counted_stream_open(&counted, fail_at);
        assert_ok(pm_stream_push(counted.stream, whole.parens, 64, NULL)); /* a group not put away yet */
        const pm_status status = pm_stream_push(counted.stream, whole.parens + 1, whole.n - 64, match);
        if (status == PM_OK) {
            assert_true(counted.faults.calls < fail_at);
            counted_stream_close(&counted);
            break;
        }
        failures++;
        assert_int_equal(status, PM_OUT_OF_MEMORY);
        assert_int_equal(pm_stream_push(counted.stream, whole.parens, 1, match), PM_OUT_OF_MEMORY);
        assert_int_equal(pm_stream_push(counted.stream, whole.parens, 1, NULL), PM_OUT_OF_MEMORY);
        assert_int_equal(pm_stream_push(counted.stream, NULL, 0, NULL), PM_OUT_OF_MEMORY);
        assert_int_equal(pm_stream_push_u32(counted.stream, whole.parens, 1, &match_32), PM_OUT_OF_MEMORY);
        assert_int_equal(pm_stream_push_u32(counted.stream, NULL, 0, NULL), PM_OUT_OF_MEMORY);
        assert_int_equal(pm_stream_finish(counted.stream, NULL), PM_OUT_OF_MEMORY);
        assert_int_equal(counted.faults.live_bytes, counted.at_rest);
        assert_ok(pm_stream_finish(counted.stream, NULL));
        push_chunk(counted.stream, &whole, 0, whole.n, WIDE);
        finish(counted.stream, whole.total);
        counted_stream_close(&counted);
    }
    const size_t block = (PM_STACK_CHUNK_BYTES - sizeof(pmi_stack_chunk)) / 16; /* entries */
    assert_int_equal(failures, (whole.n / 64 + block - 1) / block);             /* one for every block of the stack */
    free(match);
    sequence_free(&whole);
}

/* More entries below a chunk than it borrows, of which closes take just as many opens as were borrowed: the parent of
 * what follows in the same word lies one deeper. */
TEST(test_parent_behind_what_is_borrowed) {
    enum {
        ENTRIES = PM_CHUNK_ENTRIES + 100,      /* words of which two stay open */
        CLOSES = 2 * PM_CHUNK_ENTRIES / 64 - 1 /* words */
    };
    const size_t words = ENTRIES + CLOSES + 20, first = (size_t)ENTRIES * 64;
    uint64_t *const parens = allocate(words, sizeof *parens);
    for (size_t w = 0; w < words; w++)
        parens[w] = w < ENTRIES ? 3 | UINT64_C(0x5555555555555555) << 2 : w == ENTRIES ? 3 : 0;
    for (size_t w = ENTRIES + CLOSES + 1; w < words; w++) /* 60 + 64 * CLOSES closes are done */
        parens[w] = ~UINT64_C(0) << 4;
    sequence whole = sequence_of(parens, words * 64);
    pm_stream *stream;
    assert_ok(pm_stream_create(NULL, &stream));
    for (unsigned narrow = 0; narrow < 2; narrow++) {
        push_chunk(stream, &whole, 0, first, ACCOUNT);
        push_chunk(stream, &whole, first, whole.n - first, narrow ? NARROW : WIDE);
        finish(stream, whole.total);
    }
    pm_stream_destroy(stream);
    sequence_free(&whole);
}

/* ---- Open elements and saved states ---- */

/* The opens, innermost first, against a plain stack; states at random places, from which all goes on as before. */
TEST(test_saved_states) {
    enum {
        N = 40000,
        STATES = 10
    };
    uint64_t *const parens = allocate(N / 64 + 1, sizeof *parens), *const match = allocate(N, sizeof *match);
    uint64_t *const whole = allocate(N, sizeof *whole), *const stack = allocate(N, sizeof *stack);
    uint64_t *const opens = allocate(N, sizeof *opens);
    for (uint64_t seed = 0; seed < 12; seed++) {
        uint64_t random = seed, count;
        const unsigned bias = 3 + (unsigned)(seed % 4); /* in 8: opens */
        memset(parens, 0, (N / 64 + 1) * sizeof *parens);
        for (size_t i = 0; i < N; i++)
            parens[i / 64] |= (uint64_t)(random_below(&random, 8) < bias) << i % 64;
        pm_stream *stream;
        pm_stream_state *states[STATES], *other;
        size_t at[STATES];
        pm_bic total, expected;
        assert_ok(pm_stream_create(NULL, &stream));
        assert_ok(pm_stream_push(stream, parens, N, whole));
        assert_ok(pm_stream_finish(stream, &expected));
        size_t position = 0, depth = 0;
        for (size_t k = 0; k < STATES; k++) {
            assert_ok(pm_stream_save(stream, &states[k]));
            at[k] = position;
            assert_ok(pm_stream_open(stream, opens, N, &count));
            assert_int_equal(count, depth);
            for (size_t d = 0; d < depth; d++)
                assert_int_equal(opens[d], stack[depth - 1 - d]);
            const size_t length =
                64 * random_below(&random, N / 64 / STATES); /* words, so that pushing goes on there */
            assert_ok(pm_stream_push(stream, parens + position / 64, length, k % 2 ? match : NULL));
            for (size_t i = position; i < position + length; i++) {
                if (parens[i / 64] >> i % 64 & 1)
                    stack[depth++] = i;
                else
                    depth -= depth > 0;
            }
            position += length;
        }
        for (int visit = 0; visit < 30; visit++) {
            const size_t k = random_below(&random, STATES);
            if (visit % 4 == 0)
                assert_ok(pm_stream_finish(stream, NULL));
            assert_ok(pm_stream_restore(stream, states[k]));
            assert_ok(pm_stream_push(stream, parens + at[k] / 64, N - at[k], match));
            assert_memory_equal(match, whole + at[k], (N - at[k]) * sizeof *match);
            if (visit % 3 == 0) {
                assert_ok(pm_stream_save(stream, &other));
                assert_ok(pm_stream_restore(stream, states[random_below(&random, STATES)]));
                assert_ok(pm_stream_restore(stream, other));
                pm_stream_state_destroy(other);
            }
            assert_ok(pm_stream_finish(stream, &total));
            assert_int_equal(total.open, expected.open);
            assert_int_equal(total.close, expected.close);
        }
        assert_invalid(pm_stream_restore(stream, NULL));
        assert_invalid(pm_stream_save(NULL, &other));
        assert_invalid(pm_stream_save(stream, NULL));
        assert_invalid(pm_stream_open(NULL, opens, N, &count));
        assert_invalid(pm_stream_open(stream, NULL, 1, &count));
        pm_stream_destroy(stream);
        for (size_t k = 0; k < STATES; k++)
            pm_stream_state_destroy(states[k]);
    }
    free(parens);
    free(match);
    free(whole);
    free(stack);
    free(opens);
}
