/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many sequences, by an engine. The stack of a concatenation has each sequence's own stack on top, for a pop takes the
 * same open from both, as long as the own one has any. So neighbours are matched in groups, as if they were one
 * sequence, and what matches before its own sequence's start matches nothing. Some engines empty the stack at each
 * start instead, and store results that count from there: no second pass, no groups. Totals come from the bits alone.
 *
 * Threads take items, which are neighbours of about the same work. A sequence that would keep one thread busy after the
 * others are done is left to all of them together (omp.c).
 */
#include "cpu/match/match.h"

#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"
#include "cpu/threads.h"

/* Elements of a group at most: what is written of them before they are done stays in the nearest caches. */
#define GROUP_ELEMENTS ((size_t)1 << 12)

/* A sequence of as many elements is matched by itself: beginning again takes less than a second pass over them. Past
 * the caches that is later, for its first and last block, often cut short, go through the caches. */
#define ALONE_MIN 400u
#define ALONE_STREAMING_MIN 768u

/* A sequence takes as much time as this many elements, in addition to those it has. */
#define SEQUENCE_COST 16u

/* Threads start and end once; an engine matches this many elements meanwhile. */
#define THREAD_MIN_ELEMENTS ((size_t)1 << 15)

/* Shorter sequences are not worth several threads. */
#define SHARED_MIN ((uint64_t)1 << 18)

/* A thread's memory. */
typedef struct batch_room {
    unsigned char *scratch; /* of the engine */
    pm_survivors *survivors;
    uint64_t *bits; /* of a group or a sequence, from the lowest bit of a word on */
    uint32_t *results, *starts;
} batch_room;

typedef struct batch_job {
    const pmi_engine *engine;
    const pmi_batch *batch;
    size_t items;
    uint64_t longest; /* longer sequences are left out */
    bool streaming;
    size_t scratch_size, group_room, blocks; /* of a room: bytes; results and starts; survivors and words of bits */
    unsigned char *memory;                   /* of the threads, room_size bytes each */
    size_t room_size;
} batch_job;

/* ---- Memory ---- */

static void size_rooms(batch_job *job, uint64_t elements) {
    const size_t group = job->engine->match_sequences ? 0 : pmi_min(elements, GROUP_ELEMENTS);
    const size_t most = group > job->longest ? group : job->longest;
    job->scratch_size = elements <= PM_RANGE_SHORT ? PM_SCRATCH_SIZE_SHORT : PM_SCRATCH_SIZE;
    job->group_room = pmi_scratch_aligned((group + PM_STARTS_SPARE) * sizeof(uint32_t));
    job->blocks = pmi_bits_words(most) + 1; /* cut at cache lines there may be one more */
    job->room_size = pmi_scratch_aligned(job->scratch_size + 2 * job->group_room +
                                         job->blocks * (sizeof(pm_survivors) + sizeof(uint64_t)));
}

static batch_room room_of(const batch_job *job, unsigned thread) {
    unsigned char *const memory = job->memory + thread * job->room_size;
    unsigned char *const results = memory + pmi_scratch_aligned(job->scratch_size), *const starts =
                                                                                        results + job->group_room;
    unsigned char *const bits = starts + job->group_room, *const survivors = bits + job->blocks * sizeof(uint64_t);
    return (batch_room){.scratch = memory,
                        .survivors = (pm_survivors *)(void *)survivors,
                        .bits = (uint64_t *)(void *)bits,
                        .results = (uint32_t *)(void *)results,
                        .starts = (uint32_t *)(void *)starts};
}

/* The elements from `first` on, from the lowest bit of a word on: where they are, or copied. */
static const uint64_t *aligned_bits(const pmi_batch *batch, uint64_t first, uint64_t end, uint64_t *copy) {
    if (first % PM_WORD_BITS == 0)
        return batch->parens + first / PM_WORD_BITS;
    pmi_bits_align(batch->parens, end, first, copy);
    return copy;
}

/* ---- Totals ---- */

/* What each of the sequences does to a stack. Each has whole words of its own in `words`, of which the last may be
 * filled up with opens: they come off again. */
typedef struct totals_job {
    const pmi_batch *batch;
    size_t first; /* the sequences from here on have words */
    size_t words;
    uint64_t word[PM_REDUCE_BLOCKS];
} totals_job;

static void store_totals(const pmi_engine *engine, totals_job *job, size_t end) {
    pmi_block_bic bics[PM_REDUCE_BLOCKS];
    const pmi_grid grid = {.parens = job->word, .n = job->words * PM_WORD_BITS};
    if (job->words > 0)
        engine->reduce_blocks(&grid, 0, job->words, bics);
    const pmi_block_bic *bic = bics;
    for (; job->first < end; job->first++) {
        const uint64_t length = pmi_batch_length(job->batch, job->first);
        pm_bic total = {0, 0};
        for (size_t words = pmi_bits_words(length); words > 0; words--, bic++)
            total = pmi_bic_multiply(total, (pm_bic){bic->close, bic->open});
        total.open -= -length % PM_WORD_BITS;
        job->batch->totals[job->first] = total;
    }
    job->words = 0;
}

/* What eight elements do to a stack: the closes that reach below it, and opens minus closes. */
typedef struct byte_total {
    int8_t close, excess;
} byte_total;

#define STEP(x, i) ((x) >> (i)&1 ? 1 : -1)
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define EXCESS_4(x) (STEP(x, 0) + STEP(x, 1) + STEP(x, 2) + STEP(x, 3))
#define CLOSE_2(x) (STEP(x, 0) > 0 ? 0 : STEP(x, 1) > 0 ? 1 : 2)
#define CLOSE_4(x) MOST(CLOSE_2(x), CLOSE_2((x) >> 2) - STEP(x, 0) - STEP(x, 1))
#define TOTAL(x)                                                                                                       \
    { MOST(CLOSE_4(x), CLOSE_4((x) >> 4) - EXCESS_4(x)), EXCESS_4(x) + EXCESS_4((x) >> 4) }
#define TOTALS_4(x) TOTAL(x), TOTAL((x) + 1), TOTAL((x) + 2), TOTAL((x) + 3)
#define TOTALS_16(x) TOTALS_4(x), TOTALS_4((x) + 4), TOTALS_4((x) + 8), TOTALS_4((x) + 12)
#define TOTALS_64(x) TOTALS_16(x), TOTALS_16((x) + 16), TOTALS_16((x) + 32), TOTALS_16((x) + 48)
static const byte_total byte_totals[256] = {TOTALS_64(0), TOTALS_64(64), TOTALS_64(128), TOTALS_64(192)};

#define TINY 16u    /* the total of a sequence of at most as many elements is that of two bytes */
#define TINY_RUN 8u /* so many of them in a row are summed by themselves */

/* The end of the run of tiny sequences that begins at `first`. */
static size_t tiny_end(const pmi_batch *batch, size_t first, size_t end) {
    size_t s = first;
    while (s < end && pmi_batch_length(batch, s) <= TINY)
        s++;
    return s;
}

/* TINY elements from the i-th of n on, and more; from what no element has anything. */
static inline uint32_t tiny_bits(const uint64_t *bits, uint64_t i, uint64_t n) {
    uint32_t some;
    if (__builtin_expect(i + 8 * sizeof some > pmi_bits_words(n) * PM_WORD_BITS, 0))
        return i < n ? (uint32_t)pmi_bits_from(bits, n, i) : 0;
    memcpy(&some, (const unsigned char *)bits + i / 8, sizeof some);
    return some >> i % 8;
}

_Static_assert(TINY + 7 <= 32, "four bytes hold a tiny sequence");

static void sum_tiny(const pmi_batch *batch, size_t first, size_t end, const uint64_t *bits, uint64_t base, size_t n) {
    uint64_t begin = batch->offsets[first] - base;
    for (size_t s = first; s < end; s++) {
        const uint64_t next = batch->offsets[s + 1] - base;
        const unsigned length = (unsigned)(next - begin);
        const uint32_t word = tiny_bits(bits, begin, n) | UINT32_MAX << length; /* filled up with opens */
        const byte_total a = byte_totals[word & 0xff], b = byte_totals[word >> 8 & 0xff];
        const int more = b.close - a.excess - a.close;
        const int close = a.close + (more & -(more > 0)); /* without a branch, which nothing could foretell */
        batch->totals[s] = (pm_bic){(uint64_t)close, (uint64_t)(close + a.excess + b.excess - (int)(TINY - length))};
        begin = next;
    }
}

/* Totals of sequences of at most PM_SEQUENCE_SHORT elements; bits[0] has element `base`. */
static void sum_group(const pmi_engine *engine, const pmi_batch *batch, size_t first, size_t end, const uint64_t *bits,
                      uint64_t base) {
    totals_job job;
    job.batch = batch;
    job.first = first;
    job.words = 0;
    const uint64_t n = batch->offsets[end] - base;
    for (size_t s = first, tiny = first; s < end; s++) {
        if (s >= tiny)
            tiny = tiny_end(batch, s, end);
        if (tiny - s >= TINY_RUN) {
            store_totals(engine, &job, s);
            sum_tiny(batch, s, tiny, bits, base, n);
            job.first = tiny;
            s = tiny - 1;
            continue;
        }
        const uint64_t length = pmi_batch_length(batch, s), words = pmi_bits_words(length);
        if (job.words + words > PM_REDUCE_BLOCKS)
            store_totals(engine, &job, s);
        for (uint64_t i = batch->offsets[s] - base, w = 0; w < words; w++, i += PM_WORD_BITS)
            job.word[job.words++] = pmi_bits_from(bits, n, i);
        if (length % PM_WORD_BITS != 0)
            job.word[job.words - 1] |= ~pmi_bits_low(length % PM_WORD_BITS);
    }
    store_totals(engine, &job, end);
}

/* ---- Matching ---- */

static pm_bic match_range(const batch_job *job, const batch_room *room, const pmi_grid *grid, bool streaming) {
    pmi_far_stack stack = {.survivors = room->survivors, .used = 0, .depth = 0};
    const pmi_range range = {.last = pmi_grid_blocks(grid), .streaming = streaming, .pending = true};
    const uint64_t close = job->engine->match_range(grid, &range, &stack, room->scratch, job->scratch_size);
    return (pm_bic){close, stack.depth};
}

/* Matches one sequence, straight to its place. */
static void match_alone(const batch_job *job, const batch_room *room, size_t s) {
    const pmi_batch *const batch = job->batch;
    const uint64_t first = batch->offsets[s], end = batch->offsets[s + 1];
    pm_bic total = {0, 0};
    if (end > first) {
        const uint64_t *const bits = aligned_bits(batch, first, end, room->bits);
        const pmi_grid grid = pmi_grid_make(bits, end - first, batch->match + first);
        total = match_range(job, room, &grid,
                            job->streaming && pmi_grid_should_stream(&grid, SIZE_MAX / sizeof *grid.match));
    }
    if (batch->totals)
        batch->totals[s] = total;
}

/* Matches several sequences as if they were one. */
static void match_group(const batch_job *job, const batch_room *room, size_t begin, size_t end) {
    const pmi_batch *const batch = job->batch;
    const uint64_t first = batch->offsets[begin], n = batch->offsets[end] - first;
    const uint64_t *bits = NULL;
    if (n > 0) {
        bits = aligned_bits(batch, first, first + n, room->bits);
        match_range(job, room, &(pmi_grid){.parens = bits, .n = n, .match = room->results}, false);
        const pmi_sequences sequences = {batch->offsets + begin, end - begin, room->starts};
        job->engine->localise(&sequences, room->results, job->streaming, batch->match + first);
    }
    if (batch->totals)
        sum_group(job->engine, batch, begin, end, bits, first);
}

/* Matches sequences of at most PM_SEQUENCE_SHORT elements in one pass, straight to their places. */
static void match_short(const batch_job *job, const batch_room *room, size_t begin, size_t end) {
    const pmi_batch *const batch = job->batch;
    const pmi_sequences sequences = {batch->offsets + begin, end - begin, NULL};
    if (batch->offsets[end] > batch->offsets[begin])
        job->engine->match_sequences(batch->parens, &sequences, job->streaming, room->scratch, job->scratch_size,
                                     batch->match);
    if (batch->totals)
        sum_group(job->engine, batch, begin, end, batch->parens, 0);
}

/* The end of the sequences from `begin` on that match_short() takes: `begin` if the engine cannot. */
static size_t short_end(const batch_job *job, size_t begin, size_t end) {
    size_t s = begin;
    while (job->engine->match_sequences && s < end && pmi_batch_length(job->batch, s) <= PM_SEQUENCE_SHORT)
        s++;
    return s;
}

/* The end of a group: short sequences that have few enough elements together, or one of any length. */
static size_t group_end(const batch_job *job, size_t begin, size_t end) {
    const pmi_batch *const batch = job->batch;
    const uint64_t alone = job->streaming ? ALONE_STREAMING_MIN : ALONE_MIN;
    const uint64_t most = batch->offsets[begin] + GROUP_ELEMENTS;
    size_t s = begin;
    while (s < end && pmi_batch_length(batch, s) < alone && batch->offsets[s + 1] <= most)
        s++;
    return s > begin ? s : begin + 1;
}

/* ---- The division of the work ---- */

static uint64_t work_before(const pmi_batch *batch, size_t s) {
    return batch->offsets[s] - batch->offsets[0] + (uint64_t)s * SEQUENCE_COST;
}

/* The first sequence of an item, or the end of the last. */
static size_t item_begin(const batch_job *job, size_t item) {
    const size_t count = job->batch->count;
    const uint64_t work = pmi_divide_up(work_before(job->batch, count), job->items) * item;
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (work_before(job->batch, middle) < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void match_item(size_t item, unsigned thread, void *user) {
    const batch_job *const job = user;
    const batch_room room = room_of(job, thread);
    const size_t last = item_begin(job, item + 1);
    for (size_t s = item_begin(job, item), end; s < last; s = end) {
        const size_t after_short = short_end(job, s, last);
        end = after_short > s ? after_short : group_end(job, s, last);
        if (after_short > s)
            match_short(job, &room, s, end);
        else if (end > s + 1)
            match_group(job, &room, s, end);
        else if (pmi_batch_length(job->batch, s) <= job->longest)
            match_alone(job, &room, s);
    }
    if (job->streaming) /* once for an item: to wait after each sequence would take as long as to match it */
        job->engine->finish_stores();
}

/* Matches a sequence on all threads. */
static pm_status match_shared(const batch_job *job, const pm_allocator *allocator, unsigned threads, size_t s) {
    const pmi_batch *const batch = job->batch;
    const uint64_t first = batch->offsets[s], n = pmi_batch_length(batch, s);
    const bool within_word = first % PM_WORD_BITS != 0;
    uint64_t *const copy = within_word ? pmi_memory_allocate(allocator, pmi_bits_words(n), sizeof *copy) : NULL;
    if (within_word && !copy)
        return PM_OUT_OF_MEMORY;
    const pmi_omp_plan plan = pmi_omp_plan_make(n, threads);
    pm_bic total;
    const pm_status status = pmi_omp_match(job->engine, allocator, &plan, aligned_bits(batch, first, first + n, copy),
                                           n, batch->match + first, &total);
    if (status == PM_OK && batch->totals)
        batch->totals[s] = total;
    pmi_memory_free(allocator, copy);
    return status;
}

/* ---- All of it ---- */

static uint64_t longest_up_to(const pmi_batch *batch, uint64_t limit, bool *longer) {
    uint64_t longest = 0;
    *longer = false;
    for (size_t s = 0; s < batch->count; s++) {
        const uint64_t length = pmi_batch_length(batch, s);
        if (length > limit)
            *longer = true;
        else if (length > longest)
            longest = length;
    }
    return longest;
}

pm_status pmi_omp_match_batch(const pmi_engine *engine, const pm_allocator *allocator, unsigned threads,
                              const pmi_batch *batch) {
    const uint64_t work = work_before(batch, batch->count), elements = batch->offsets[batch->count] - batch->offsets[0];
    threads = pmi_threads_paying(work, THREAD_MIN_ELEMENTS, threads);
    batch_job job = {.engine = engine, .batch = batch, .items = threads > 1 ? threads * PM_SLICES_PER_THREAD : 1};
    const uint64_t share = elements / job.items;
    bool longer;
    job.longest = longest_up_to(batch, threads == 1 ? UINT64_MAX : share > SHARED_MIN ? share : SHARED_MIN, &longer);
    job.streaming = pmi_results_should_stream(elements / threads * sizeof *batch->match);
    size_rooms(&job, elements);
    void *const block = pmi_memory_allocate_with(allocator, PM_SCRATCH_ALIGN, threads, job.room_size);
    if (!block)
        return PM_OUT_OF_MEMORY;
    job.memory = (unsigned char *)block + -(uintptr_t)block % PM_SCRATCH_ALIGN;
    pmi_threads_run(threads, job.items, match_item, &job);
    pmi_memory_free(allocator, block);
    pm_status status = PM_OK;
    for (size_t s = 0; longer && status == PM_OK && s < batch->count; s++)
        if (pmi_batch_length(batch, s) > job.longest)
            status = match_shared(&job, allocator, threads, s);
    return status;
}
