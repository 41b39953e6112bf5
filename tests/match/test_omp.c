/* SPDX-License-Identifier: Apache-2.0 */
/* Matching with several threads against the plain stack: with slices, groups and portions so small that short sequences
 * have many of each, and with every engine that this CPU runs. */
#define _POSIX_C_SOURCE 200809L /* sigaction, nanosleep */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "broadword/match/match.h"
#include "broadword/simd.h"
#include "cpu/match/match.h"
#include "cpu/threads.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    MARGIN = 32,
    SEVERAL = 100000 /* elements that are many slices of the plans below */
};
#define CANARY UINT32_C(0xa5a5a5a5)

static const unsigned thread_counts[] = {1, 2, 3, 4, 7, 8, 16};

/* Blocks of a group, groups of a slice. */
static const size_t divisions[][2] = {{1, 1}, {1, 3}, {2, 1}, {5, 7}, {32, 2}, {PM_REDUCE_BLOCKS, 1}};

/* The division with as little room below as is allowed. */
static pmi_omp_plan plan_make(size_t division, unsigned threads) {
    const size_t group_blocks = divisions[division][0];
    return (pmi_omp_plan){threads, group_blocks, divisions[division][1], 64 * group_blocks + 1};
}

/* The next target that this CPU supports after the one that the last call gave; the tests take turns at them. */
static const pmi_simd_target *next_target(void) {
    static size_t index = 0;
    do
        index = pm_simd_at(index + 1) ? index + 1 : 0;
    while (!pm_simd_at(index)->supported);
    return pmi_simd_at(index);
}

/* What the plain stack says of a sequence, and room for what others say. */
typedef struct subject {
    const uint64_t *parens;
    size_t n;
    uint32_t *expected, *around, *match; /* MARGIN canaries on either side of match */
    pm_bic total;
} subject;

static subject subject_make(const uint64_t *parens, size_t n, size_t offset) {
    subject s = {.parens = parens, .n = n};
    s.expected = allocate(n, sizeof *s.expected);
    s.around = allocate_aligned(64, (n + 2 * MARGIN + offset) * sizeof *s.around);
    assert_non_null(s.around);
    s.match = s.around + MARGIN + offset;
    assert_ok(pm_match_seq(NULL, parens, n, s.expected, &s.total));
    return s;
}

static void subject_free(subject *s) {
    free(s->expected);
    free_aligned(s->around);
}

static void check_plan(subject *s, const pmi_simd_target *simd, const pmi_omp_plan *plan, const char *what) {
    fault_allocator faults = {0};
    const pm_allocator allocator = fault_allocator_functions(&faults);
    memset(s->match - MARGIN, 0xa5, (s->n + 2 * MARGIN) * sizeof *s->match);
    pm_bic total;
    assert_ok(pmi_omp_match(simd->engine, &allocator, plan, s->parens, s->n, s->match, &total));
    size_t wrong = 0;
    while (wrong < s->n && s->match[wrong] == s->expected[wrong])
        wrong++;
    if (wrong < s->n)
        fail_msg("%s: %s, n = %zu, %u threads, groups of %zu blocks, slices of %zu groups: wrong from element %zu on",
                 simd->name, what, s->n, plan->threads, plan->group_blocks, plan->slice_groups, wrong);
    assert_int_equal(total.close, s->total.close);
    assert_int_equal(total.open, s->total.open);
    for (size_t i = 0; i < MARGIN; i++) {
        assert_int_equal(s->match[s->n + i], CANARY);
        assert_int_equal(s->match[-1 - (ptrdiff_t)i], CANARY);
    }
    assert_true(fault_allocator_is_settled(&faults));
}

TEST(test_reduced_blocks) {
    enum {
        WORDS = 40
    };
    uint64_t seed = 1, parens[WORDS];
    for (int round = 0; round < 300; round++) {
        for (size_t w = 0; w < WORDS; w++)
            parens[w] = random_below(&seed, 2) ? random_next(&seed) : UINT64_MAX << random_below(&seed, 64);
        const size_t n = 64 * WORDS - random_below(&seed, 64);
        const unsigned lead = round % 2 ? (unsigned)random_below(&seed, 64) : 0;
        const pmi_grid grid = {.parens = parens, .n = n, .lead = lead};
        const size_t first = random_below(&seed, 3), count = pmi_grid_blocks(&grid) - first - random_below(&seed, 20);
        for (size_t e = 0; pm_simd_at(e); e++) {
            if (!pm_simd_at(e)->supported)
                continue;
            pmi_block_bic bics[WORDS + 3];
            memset(bics, 0xa5, sizeof bics);
            const pm_bic all = pmi_simd_at(e)->engine->reduce_blocks(&grid, first, count, bics);
            pm_bic product = {0, 0};
            for (size_t b = 0; b < count; b++) {
                pm_bic bic = {0, 0};
                for (size_t k = 0; k < 64; k++) {
                    const size_t i = 64 * (first + b) + k;
                    const bool open = i >= lead && i - lead < 64 * WORDS && pmi_bits_get(parens, i - lead);
                    bic = pmi_bic_multiply(bic, open ? (pm_bic){0, 1} : (pm_bic){1, 0});
                }
                assert_int_equal(bics[b].close, bic.close);
                assert_int_equal(bics[b].open, bic.open);
                product = pmi_bic_multiply(product, bic);
            }
            assert_int_equal(all.close, product.close);
            assert_int_equal(all.open, product.open);
            assert_int_equal(bics[count].close, 0xa5);
        }
    }
}

TEST(test_families) {
    static const size_t sizes[] = {1,    2,    63,   64,   65,   127,  128,  129,   191,   192,   193,  1023,
                                   1025, 2239, 2240, 2241, 4095, 4096, 4097, 16383, 16384, 16385, 40000};
    uint64_t *parens = allocate(40000 / 64 + 1, sizeof *parens);
    for (size_t f = 0, turn = 0; family_names[f]; f++)
        for (size_t z = 0; z < COUNT_OF(sizes); z++) {
            assert_true(family_fill(family_names[f], z, sizes[z], parens));
            subject s = subject_make(parens, sizes[z], (f + z) % 17);
            for (size_t d = 0; d < COUNT_OF(divisions); d++, turn++) {
                const pmi_omp_plan plan = plan_make(d, thread_counts[turn % COUNT_OF(thread_counts)]);
                check_plan(&s, next_target(), &plan, family_names[f]);
            }
            subject_free(&s);
        }
    free(parens);
}

/* The stack grows and shrinks across slices, densely and sparsely filled, to the bottom and past it. */
TEST(test_swings) {
    static const unsigned odds[] = {256, 255, 230, 140, 132, 128, 124, 116, 26, 1, 0};
    uint64_t seed = 5, *parens = allocate(SEVERAL / 64 + 1, sizeof *parens);
    for (int round = 0; round < 60; round++) {
        const size_t most = random_below(&seed, 2) ? 1000 : 30000;
        size_t n = 0;
        for (size_t count; n + (count = 1 + random_below(&seed, most)) < SEVERAL;)
            n = elements_append(parens, n, count, odds[random_below(&seed, COUNT_OF(odds))], &seed);
        subject s = subject_make(parens, n, random_below(&seed, 17));
        for (size_t d = 0; d < COUNT_OF(divisions); d++) {
            const pmi_omp_plan plan = plan_make(d, thread_counts[random_below(&seed, COUNT_OF(thread_counts))]);
            check_plan(&s, next_target(), &plan, "swings");
        }
        subject_free(&s);
    }
    free(parens);
}

/* Opens that lie sparsely, one in each block or few, and then closes for all of them: a portion of the stack holds as
 * few opens as it can. And many closes before: they find the stack empty. */
TEST(test_sparse_stack) {
    const size_t n = 3 * 32768 + 7;
    uint64_t *parens = allocate(n / 64 + 1, sizeof *parens);
    for (size_t apart = 1; apart <= 4; apart++) {
        memset(parens, 0, n / 8 + 1);
        for (size_t w = 100; w < 1024; w++)
            parens[w] = w % apart == 0 ? UINT64_C(0x00000001ffffffff) : UINT64_C(0x5555555555555555);
        subject s = subject_make(parens, n, apart);
        for (size_t d = 0; d < COUNT_OF(divisions); d++)
            for (size_t t = 0; t < COUNT_OF(thread_counts); t++) {
                const pmi_omp_plan plan = plan_make(d, thread_counts[t]);
                check_plan(&s, next_target(), &plan, "sparse");
            }
        subject_free(&s);
    }
    free(parens);
}

/* The division that the library itself makes, at sizes where it is worth a team, past the caches and not. */
TEST(test_plans) {
    static const char *const names[] = {"random", "deep", "twist:.25", "comb:40", "closes"};
    const size_t large = (size_t)1500007;
    uint64_t *parens = allocate(large / 64 + 1, sizeof *parens);
    for (size_t f = 0; f < COUNT_OF(names); f++)
        for (unsigned threads = 1; threads <= 4; threads++) {
            const size_t n = threads % 2 ? large : 300001;
            assert_true(family_fill(names[f], f, n, parens));
            pmi_omp_plan plan = pmi_omp_plan_make(n, threads);
            assert_in_range(plan.threads, 1, threads);
            plan.threads = threads;
            subject s = subject_make(parens, n, 3 * f);
            check_plan(&s, next_target(), &plan, names[f]);
            subject_free(&s);
        }
    free(parens);
    for (unsigned bits = 0; bits < 32; bits++) {
        const pmi_omp_plan plan = pmi_omp_plan_make((size_t)1 << bits, 5);
        assert_in_range(plan.threads, 1, 5);
        assert_true(plan.slice_groups > 0);
        assert_true(plan.group_blocks > 0 && plan.group_blocks <= PM_REDUCE_BLOCKS);
        assert_true(plan.below_room > 64 * plan.group_blocks);
    }
    assert_int_equal(pmi_omp_plan_make(1, 16).threads, 1);
}

/* With any number of threads: no more than was asked for, and, with OpenMP, no fewer where it pays. */
TEST(test_public_function) {
    const size_t n = (size_t)1 << 20;
    uint64_t *parens = allocate(n / 64, sizeof *parens);
    assert_true(family_fill("comb:40", 1, n, parens));
    subject s = subject_make(parens, n, 0);
    for (size_t e = 0; pm_simd_at(e); e++)
        for (size_t t = 0; pm_simd_at(e)->supported && t <= COUNT_OF(thread_counts); t++) {
            const unsigned threads = t < COUNT_OF(thread_counts) ? thread_counts[t] : 0;
            fault_allocator faults = {0};
            const pm_options options = {.struct_size = sizeof options,
                                        .allocator = fault_allocator_functions(&faults),
                                        .simd = pm_simd_at(e)->name,
                                        .threads = threads};
            pm_context *context = context_of(&options);
            const size_t bytes = faults.live_bytes, calls = faults.calls;
            pm_bic total;
            memset(s.match, 0xa5, n * sizeof *s.match);
            assert_ok(pm_match_omp(context, parens, n, s.match, &total));
            assert_memory_equal(s.match, s.expected, n * sizeof *s.match);
            assert_memory_equal(&total, &s.total, sizeof total);
            const size_t counted = threads > 0 ? threads : pmi_threads_available(0);
            assert_true(faults.peak_bytes - bytes <= n / 8 + (counted << 20));
            assert_int_equal(faults.live_bytes, bytes);

            /* Every allocation that it makes may fail, and then it is as if it had not been called. */
            const size_t needed = faults.calls - calls;
            assert_true(needed > 0);
            for (size_t k = 1; k <= needed; k++) {
                faults.fail_at = faults.calls + k;
                total = (pm_bic){7, 7};
                assert_int_equal(pm_match_omp(context, parens, n, s.match, &total), PM_OUT_OF_MEMORY);
                assert_int_equal(total.close, 7);
                assert_int_equal(faults.live_bytes, bytes);
            }
            context_close(context, &faults);
        }
    subject_free(&s);
    free(parens);
}

static void count_item(size_t item, unsigned thread, void *user) {
    unsigned *counts = user;
    counts[item] += thread < 5 ? 1 : 100;
}

TEST(test_team) {
    unsigned counts[100] = {0};
    pmi_threads_run(5, 100, count_item, counts);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(counts[i], 1);
    assert_true(pmi_threads_available(0) >= 1);
    assert_int_equal(pmi_threads_available(1), 1);
#ifdef _OPENMP
    assert_int_equal(pmi_threads_available(3), 3);
#else
    assert_int_equal(pmi_threads_available(3), 1);
#endif
}

/* ---- A thread that the system does not run */

static struct {
    pthread_t thread; /* of the pool */
    atomic_bool known, stopped, goes_on;
} helper;

static void millisecond(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void helper_meet(size_t item, unsigned thread, void *user) {
    (void)item, (void)user;
    if (thread == 1 && !atomic_load(&helper.known)) {
        helper.thread = pthread_self();
        atomic_store(&helper.known, true);
    }
    millisecond();
}

/* A signal's handler, which holds the thread up. */
static void helper_stop(int signal) {
    (void)signal;
    for (atomic_store(&helper.stopped, true); !atomic_load(&helper.goes_on);)
        millisecond();
}

/* Others do its work, and do not wait for it: neither in the next job, nor in one of many threads. */
TEST(test_stopped_thread) {
    unsigned counts[100] = {0};
    if (pmi_threads_available(2) < 2)
        skip();
    for (int attempt = 0; attempt < 1000 && !atomic_load(&helper.known); attempt++)
        pmi_threads_run(2, 8, helper_meet, NULL);
    assert_true(atomic_load(&helper.known));
    assert_int_equal(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = helper_stop}, NULL), 0);
    assert_int_equal(pthread_kill(helper.thread, SIGUSR1), 0);
    while (!atomic_load(&helper.stopped))
        millisecond();
    alarm(60); /* ends the program if a call waits for it */
    for (unsigned threads = 2; threads <= 5; threads++)
        pmi_threads_run(threads, COUNT_OF(counts), count_item, counts);
    alarm(0);
    atomic_store(&helper.goes_on, true);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        assert_int_equal(counts[i], 4);
}

/* One sequence for all, and for each caller its own results. */
enum {
    CALLERS = 3,
    SHARED = 1 << 18
};
static struct {
    uint64_t parens[SHARED / 64];
    uint32_t match[CALLERS][SHARED];
    pm_status status[CALLERS];
} shared;

static void call_once(size_t caller) {
    memset(shared.match[caller], 0xa5, sizeof shared.match[caller]);
    shared.status[caller] = pm_match_omp(NULL, shared.parens, SHARED, shared.match[caller], NULL);
}

static void check_shared(const subject *s) {
    for (size_t c = 0; c < CALLERS; c++) {
        assert_ok(shared.status[c]);
        assert_memory_equal(shared.match[c], s->expected, sizeof shared.match[c]);
    }
}

static void *call_from_thread(void *argument) {
    const size_t *caller = argument;
    for (int round = 0; round < 5; round++)
        call_once(*caller);
    return NULL;
}

/* Called by several threads at once, and from inside teams of OpenMP, which may or may not have teams within. */
TEST(test_callers) {
    assert_true(family_fill("twist:.5", 1, SHARED, shared.parens));
    subject s = subject_make(shared.parens, SHARED, 0);
    pthread_t threads[CALLERS];
    size_t callers[CALLERS];
    for (size_t c = 0; c < CALLERS; c++) {
        callers[c] = c;
        assert_int_equal(pthread_create(&threads[c], NULL, call_from_thread, &callers[c]), 0);
    }
    for (size_t c = 0; c < CALLERS; c++)
        assert_int_equal(pthread_join(threads[c], NULL), 0);
    check_shared(&s);
#ifdef _OPENMP
    for (int levels = 1; levels <= 2; levels++) {
        omp_set_max_active_levels(levels);
#pragma omp parallel for num_threads(CALLERS) schedule(static, 1)
        for (size_t c = 0; c < CALLERS; c++) {
            if (omp_in_parallel() && levels == 1 && pmi_threads_available(4) != 1)
                shared.status[c] = PM_INVALID_ARGUMENT;
            call_once(c);
        }
        check_shared(&s);
    }
#endif
    subject_free(&s);
}
