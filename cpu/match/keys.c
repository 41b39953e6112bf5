/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stack for each key. All of them lie inside `match`, as the plain stack does (seq.c): an open's match is the next
 * open down, so a table with each key's top is all there is in addition. Nothing branches on an element, and stacks of
 * different keys do not wait for each other. One thread reads the keys once: their sizes are looked at a word ahead,
 * and the table grows with them. Past the caches a pass of its own would take a tenth of the time.
 *
 * Keys that are too large for a table are hashed into one. If that becomes too full, or many collide, the elements are
 * taken in buckets of one upper half each, which a stable sort by counting gathers. So the time is proportional to n,
 * whatever the keys are.
 *
 * Threads match slices, each with stacks that are empty at first. Then one thread goes through the elements that found
 * their stack empty there. They alone depend on earlier slices: an open has the top of its key's stack before the slice
 * as its parent, and a close takes it off. What a slice leaves on a stack lies above that.
 */
#include "cpu/match/match.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"
#include "cpu/threads.h"

#define HALF_BITS 16u
#define HALVES ((size_t)1 << HALF_BITS)
#define LOWER_HALF (HALVES - 1)

/* Stacks of more keys than this have tops and next ones down outside the nearest cache: they are asked for early. */
#define NEAR_KEYS ((size_t)512)
#define AHEAD ((size_t)128) /* elements */

/* Past the caches, results and keys of many stacks are asked for so much earlier: processors do that, but too late. */
#define RESULTS_AHEAD ((size_t)512) /* elements */
#define KEYS_AHEAD ((size_t)4096)   /* bytes */

/* A table is made for the keys of this many elements or more, so that it seldom has to grow. */
#define KNOWN_AHEAD ((size_t)1 << 12)

/* With so few keys most of the time passes waiting for the element before of the same key. */
#define FEW_KEYS ((size_t)32)

/* Threads start and end once; one matches this many elements meanwhile. */
#define THREAD_MIN_ELEMENTS ((size_t)1 << 14)

/* Loops get constants in place of arguments. Compilers would leave so many of them as one loop with branches. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef struct keyed {
    const uint64_t *parens;
    const void *keys;
    size_t width; /* bytes of a key */
    size_t n;
    uint32_t *match;
    uint64_t *empty; /* bit i: element i found its stack empty; NULL: not wanted */
} keyed;

/* A hashed key and its stack, side by side so that they come into the cache together. */
typedef struct hashed_stack {
    uint32_t key, top;
} hashed_stack;

/* A stack at each place. The place of a key is the key itself, or where it is hashed to. One of the two is NULL. */
typedef struct key_stacks {
    size_t places;     /* of hashed keys a power of 2 */
    uint32_t key_bits; /* the bits that keys may have without a look at their size */
    uint32_t *top;     /* PM_NONE where a stack is empty */
    hashed_stack *hashed;
} key_stacks;

/* Key i, of `width` bytes; a constant width leaves one load. */
static inline uint32_t key_at(const void *keys, size_t width, size_t i) {
    return width == 1   ? ((const uint8_t *)keys)[i]
           : width == 2 ? ((const uint16_t *)keys)[i]
                        : ((const uint32_t *)keys)[i];
}

/* By arithmetic, because compilers make a branch of a conditional here, which half of all elements mispredict. */
static inline uint32_t select(bool first, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & -(uint32_t)first);
}

/* Returns whether the stack was empty. An empty stack's "next one down" is read from the element itself, which has just
 * got PM_NONE: the smaller index, for every open lies before. Where keys are few a branch is better than to wait for
 * that index. */
static ALWAYS_INLINE bool match_one(uint32_t *match, size_t i, bool open, uint32_t *top, bool few) {
    const uint32_t before = *top, self = (uint32_t)i;
    match[i] = before;
    if (few && __builtin_expect(before != PM_NONE, 1)) {
        *top = select(open, self, match[before]);
        return false;
    }
    uint32_t from = before < self ? before : self;
    __asm__("" : "+r"(from)); /* else compilers make a branch here, too */
    *top = select(open, self, match[from]);
    return before == PM_NONE;
}

/* ---- The places of keys ---- */

#define PROBES_MOST 16u

/* Places of hashed keys: HALVES at most, and so many more than elements that few keys want the same. */
static size_t hashed_places(size_t n) {
    size_t places = PROBES_MOST;
    while (places < HALVES && places / 4 < n)
        places *= 2;
    return places;
}

/* Where a key is among places, a power of 2, unless others were there before. */
static inline uint32_t first_place_of(uint32_t key, size_t places) {
    return (uint32_t)((uint64_t)(key * UINT32_C(0x9e3779b1)) * places >> 32);
}

/* The place of a key, `places` if all are taken. Unused places hold 0, and key 0 has place 0. *used counts places that
 * become used. */
static inline uint32_t place_of(const key_stacks *stacks, uint32_t key, size_t *used) {
    hashed_stack *const hashed = stacks->hashed;
    const uint32_t places = (uint32_t)stacks->places;
    uint32_t place = first_place_of(key, places);
    for (unsigned probe = 0; probe < PROBES_MOST; probe++, place = (place + 1) & (places - 1)) {
        if (hashed[place].key == key)
            return place;
        if (hashed[place].key == 0 && place != 0) {
            hashed[place].key = key;
            ++*used;
            return place;
        }
    }
    return places;
}

/* The top of a key's stack, NULL if the key has no place. */
static inline uint32_t *top_of(const key_stacks *stacks, uint32_t key) {
    if (!stacks->hashed)
        return &stacks->top[key];
    size_t used = 0;
    const uint32_t place = place_of(stacks, key, &used);
    return place == stacks->places ? NULL : &stacks->hashed[place].top;
}

static void clear_stacks(const key_stacks *stacks) {
    if (!stacks->hashed)
        memset(stacks->top, 0xff, stacks->places * sizeof *stacks->top);
    for (size_t place = 0; stacks->hashed && place < stacks->places; place++)
        stacks->hashed[place] = (hashed_stack){0, PM_NONE};
}

/* ---- A slice ---- */

/* How many stacks there are. */
typedef enum crowd {
    FEW,
    SEVERAL,
    MANY
} crowd;

/* Matches at most a word's elements, whose keys are places. Next ones down of MANY stacks are asked for `ahead`
 * elements before. Constants in place of the last four leave a loop without what is not wanted. */
static ALWAYS_INLINE void match_word(const keyed *all, uint32_t *top, size_t first, size_t last, size_t ahead,
                                     size_t width, bool wants_empty, crowd keys, bool few) {
    uint32_t *const match = all->match;
    uint64_t bits = all->parens[first / PM_WORD_BITS], empty = 0;
    for (size_t i = first; i < last; i++, bits >>= 1) {
        if (keys == MANY) {
            const uint32_t soon = top[key_at(all->keys, width, i + ahead)];
            __builtin_prefetch(&match[pmi_min(soon, i)]);
        }
        const bool was_empty = match_one(match, i, bits & 1, &top[key_at(all->keys, width, i)], few);
        if (wants_empty)
            empty |= (uint64_t)was_empty << (i - first);
    }
    if (wants_empty)
        all->empty[first / PM_WORD_BITS] = empty;
}

/* Do elements have their neighbours' keys? Looks at two pairs of a word. */
static inline bool has_runs(const keyed *all, size_t first, size_t width) {
    return key_at(all->keys, width, first) == key_at(all->keys, width, first + 1) &&
           key_at(all->keys, width, first + PM_WORD_BITS / 2) == key_at(all->keys, width, first + PM_WORD_BITS / 2 + 1);
}

/* The bits of all keys of a word's elements before `end`. Compilers make vectors of the first loop. */
static ALWAYS_INLINE uint32_t word_key_bits(const keyed *all, size_t first, size_t end, size_t width) {
    uint32_t bits = 0;
    if (first + PM_WORD_BITS > end) {
        for (size_t i = first; i < end; i++)
            bits |= key_at(all->keys, width, i);
        return bits;
    }
    const unsigned char *const keys = (const unsigned char *)all->keys + first * width;
    for (size_t at = 0; at < PM_WORD_BITS * width; at += sizeof bits) {
        uint32_t some;
        memcpy(&some, keys + at, sizeof some);
        bits |= some;
    }
    bits |= width < 4 ? bits >> 16 : 0;
    bits |= width < 2 ? bits >> 8 : 0;
    return bits & UINT32_MAX >> (32 - 8 * width);
}

/* Asks for what a later word's elements take. Asking is not reading: there need not be as many. */
static ALWAYS_INLINE void expect_word(const keyed *all, size_t first, size_t width) {
    const uintptr_t results = (uintptr_t)all->match + (first + RESULTS_AHEAD) * sizeof *all->match;
    const uintptr_t keys = (uintptr_t)all->keys + first * width + KEYS_AHEAD;
    for (size_t line = 0; line < PM_WORD_BITS * sizeof *all->match; line += 64)
        __builtin_prefetch((const void *)(results + line), 1);
    for (size_t line = 0; line < PM_WORD_BITS * width; line += 64)
        __builtin_prefetch((const void *)(keys + line));
}

/* Matches the elements from `begin`, which begins a word, to `end`, or to a word before keys that may have no place.
 * Returns where it ends. The first KNOWN_AHEAD keys have places. */
static ALWAYS_INLINE size_t match_in_table(const keyed *all, const key_stacks *stacks, size_t begin, size_t end,
                                           size_t width, bool wants_empty, crowd keys) {
    for (size_t first = begin; first < end; first += PM_WORD_BITS) {
        const size_t last = pmi_min(first + PM_WORD_BITS, end), ahead = last + AHEAD <= end ? AHEAD : 0;
        if (!wants_empty && (word_key_bits(all, first + AHEAD, end, width) & ~stacks->key_bits) != 0)
            return first;
        if (keys == MANY)
            expect_word(all, first, width);
        if (keys == FEW || (last == first + PM_WORD_BITS && has_runs(all, first, width)))
            match_word(all, stacks->top, first, last, ahead, width, wants_empty, keys, true);
        else
            match_word(all, stacks->top, first, last, ahead, width, wants_empty, keys, false);
    }
    return end;
}

/* Finds the places of hashed keys, and asks for the next ones down that their elements will want. Returns false if a
 * key has no place. */
static bool find_places(const keyed *all, const key_stacks *stacks, size_t begin, size_t end, size_t *used,
                        uint32_t *places) {
    const uint32_t *const keys = all->keys;
    for (size_t i = begin; i < end; i++) {
        const uint32_t place = place_of(stacks, keys[i], used);
        if (place == stacks->places)
            return false;
        __builtin_prefetch(&all->match[pmi_min(stacks->hashed[place].top, i)]);
        places[i - begin] = place;
    }
    return true;
}

/* Matches at most a word's elements, whose places are given. A constant in place of `few` leaves one loop. */
static ALWAYS_INLINE void match_places(const keyed *all, const key_stacks *stacks, size_t begin, size_t end,
                                       const uint32_t *places, bool few) {
    hashed_stack *const hashed = stacks->hashed;
    uint64_t bits = all->parens[begin / PM_WORD_BITS], empty = 0;
    for (size_t i = begin; i < end; i++, bits >>= 1)
        empty |= (uint64_t)match_one(all->match, i, bits & 1, &hashed[places[i - begin]].top, few) << (i - begin);
    if (all->empty)
        all->empty[begin / PM_WORD_BITS] = empty;
}

/* The same as match_in_table() for hashed keys: a loop that finds places goes ahead, so that what it foretells wrongly
 * does not hold stacks up. Returns false if a key has no place; what was matched before does no harm. */
static bool match_by_hash(const keyed *all, const key_stacks *stacks, size_t begin, size_t end) {
    uint32_t places[AHEAD];
    size_t used = 0;
    for (size_t first = begin, last; first < end; first = last) {
        last = pmi_min(first + AHEAD, end);
        if (!find_places(all, stacks, first, last, &used, places))
            return false;
        for (size_t i = first; i < last; i += PM_WORD_BITS) {
            const size_t word_end = pmi_min(i + PM_WORD_BITS, last);
            if (used <= FEW_KEYS || (word_end == i + PM_WORD_BITS && has_runs(all, i, sizeof(uint32_t))))
                match_places(all, stacks, i, word_end, places + (i - first), true);
            else
                match_places(all, stacks, i, word_end, places + (i - first), false);
        }
    }
    return true;
}

static ALWAYS_INLINE size_t match_of_width(const keyed *all, const key_stacks *stacks, size_t begin, size_t end,
                                           size_t width, bool wants_empty) {
    return stacks->places <= FEW_KEYS    ? match_in_table(all, stacks, begin, end, width, wants_empty, FEW)
           : stacks->places <= NEAR_KEYS ? match_in_table(all, stacks, begin, end, width, wants_empty, SEVERAL)
                                         : match_in_table(all, stacks, begin, end, width, wants_empty, MANY);
}

static size_t match_by_place(const keyed *all, const key_stacks *stacks, size_t begin, size_t end) {
    if (all->width == 1)
        return all->empty ? match_of_width(all, stacks, begin, end, 1, true)
                          : match_of_width(all, stacks, begin, end, 1, false);
    if (all->width == 2)
        return all->empty ? match_of_width(all, stacks, begin, end, 2, true)
                          : match_of_width(all, stacks, begin, end, 2, false);
    return all->empty ? match_of_width(all, stacks, begin, end, 4, true)
                      : match_of_width(all, stacks, begin, end, 4, false);
}

/* Matches as match_in_table() does, with either kind of table. *done is false if a hashed key has no place. */
static size_t match_range(const keyed *all, const key_stacks *stacks, size_t begin, size_t end, bool *done) {
    *done = !stacks->hashed || match_by_hash(all, stacks, begin, end);
    return stacks->hashed ? end : match_by_place(all, stacks, begin, end);
}

/* Puts what is left on `upper` stacks onto others. Returns false if one of their keys has no place there. */
static bool push_stacks(const key_stacks *stacks, const key_stacks *upper) {
    for (size_t place = 0; place < upper->places; place++) {
        const uint32_t left = upper->hashed ? upper->hashed[place].top : upper->top[place];
        const uint32_t key = upper->hashed ? upper->hashed[place].key : (uint32_t)place;
        if (left == PM_NONE)
            continue;
        uint32_t *const top = top_of(stacks, key);
        if (!top)
            return false;
        *top = left;
    }
    return true;
}

/* ---- How large keys are ---- */

/* Are there too many places for a table if this is the largest key? */
static inline bool needs_hashing(uint32_t largest, size_t n) {
    return largest >= HALVES && largest >= n;
}

/* The bits of the keys from `begin` to `end`. */
static uint32_t key_bits_of(const keyed *all, size_t begin, size_t end) {
    uint32_t bits = 0;
    for (size_t first = begin; first < end; first += PM_WORD_BITS)
        bits |= all->width == 1   ? word_key_bits(all, first, end, 1)
                : all->width == 2 ? word_key_bits(all, first, end, 2)
                                  : word_key_bits(all, first, end, 4);
    return bits;
}

/* The largest key from `begin` to `end`, or in its place a larger number that wants no other table: it is found
 * faster. */
static uint32_t bound_of(const keyed *all, size_t begin, size_t end) {
    const uint32_t bits = key_bits_of(all, begin, end);
    if (bits < HALVES)
        return bits;
    const uint32_t *const keys = all->keys;
    uint32_t largest = 0;
    for (size_t i = begin; i < end && !needs_hashing(largest, all->n); i++)
        largest = keys[i] > largest ? keys[i] : largest;
    return largest;
}

/* ---- One thread ---- */

/* Returns empty stacks for keys up to `bound`, with NULL for both tables if there is no memory. A bound of at most half
 * a key is that of the keys seen so far: all that have no more bits get a place. A larger one is that of all keys. */
static key_stacks stacks_create(const pm_allocator *allocator, uint32_t bound, size_t n) {
    key_stacks stacks = {.places = (size_t)bound + 1, .key_bits = UINT32_MAX};
    if (needs_hashing(bound, n)) {
        stacks.places = hashed_places(n);
        stacks.hashed = pmi_memory_allocate(allocator, stacks.places, sizeof *stacks.hashed);
    } else {
        if (bound < HALVES) {
            stacks.key_bits = (uint32_t)pmi_bits_low(pmi_bits_highest(bound | 1) + 1);
            stacks.places = (size_t)stacks.key_bits + 1;
        }
        stacks.top = pmi_memory_allocate(allocator, stacks.places, sizeof *stacks.top);
    }
    if (stacks.hashed || stacks.top)
        clear_stacks(&stacks);
    return stacks;
}

static void stacks_free(const pm_allocator *allocator, const key_stacks *stacks) {
    pmi_memory_free(allocator, stacks->top);
    pmi_memory_free(allocator, stacks->hashed);
}

/* Makes room for keys up to `bound`. *done becomes false if a key has no place. */
static pm_status stacks_grow(const pm_allocator *allocator, uint32_t bound, size_t n, key_stacks *stacks, bool *done) {
    const key_stacks grown = stacks_create(allocator, bound, n);
    if (!grown.hashed && !grown.top)
        return PM_OUT_OF_MEMORY;
    *done = push_stacks(&grown, stacks);
    stacks_free(allocator, stacks);
    *stacks = grown;
    return PM_OK;
}

/* Matches from first to last, with a table that grows with the keys. *done is false if a key has no place. */
static pm_status match_alone(const pm_allocator *allocator, const keyed *all, bool *done) {
    key_stacks stacks = {.places = 0};
    pm_status status = PM_OK;
    uint32_t bound = 0;
    *done = true;
    for (size_t at = 0; at < all->n && status == PM_OK && *done;) {
        bound |= key_bits_of(all, at, pmi_min(at + KNOWN_AHEAD, all->n));
        if (bound >= HALVES) /* then the largest key of all decides between two kinds of table */
            bound = bound_of(all, at, all->n);
        status = stacks_grow(allocator, bound, all->n, &stacks, done);
        if (status == PM_OK && *done)
            at = match_range(all, &stacks, at, all->n, done);
    }
    stacks_free(allocator, &stacks);
    return status;
}

/* ---- Slices ---- */

typedef struct keys_job {
    keyed all;
    size_t places, slices, slice_size; /* slices of whole words */
    bool hashed;
    uint32_t *memory;            /* of the slices' stacks */
    atomic_uint_least32_t bound; /* of the keys */
    atomic_bool failed;          /* a key of a slice has no place */
} keys_job;

static size_t stacks_size(const keys_job *job) {
    return job->places * (job->hashed ? 2 : 1);
}

static key_stacks stacks_of(const keys_job *job, size_t slice) {
    uint32_t *const memory = job->memory + slice * stacks_size(job);
    return (key_stacks){.places = job->places,
                        .key_bits = UINT32_MAX,
                        .top = job->hashed ? NULL : memory,
                        .hashed = job->hashed ? (hashed_stack *)(void *)memory : NULL};
}

static size_t slice_end(const keys_job *job, size_t slice) {
    return pmi_min((slice + 1) * job->slice_size, job->all.n);
}

static void match_slice_item(size_t slice, unsigned thread, void *user) {
    (void)thread;
    keys_job *const job = user;
    const key_stacks own = stacks_of(job, slice);
    bool done;
    clear_stacks(&own);
    match_range(&job->all, &own, slice * job->slice_size, slice_end(job, slice), &done);
    if (!done)
        job->failed = true;
}

/* Matches the elements of a slice that found their stack empty, with the stacks before the slice. */
static bool match_rest(const keyed *all, const key_stacks *before, size_t begin, size_t end) {
    for (size_t w = begin / PM_WORD_BITS; w < pmi_bits_words(end); w++)
        for (uint64_t empty = all->empty[w]; empty != 0; empty &= empty - 1) {
            const size_t i = w * PM_WORD_BITS + pmi_bits_lowest(empty);
            uint32_t *const top = top_of(before, key_at(all->keys, all->width, i));
            if (!top)
                return false;
            all->match[i] = *top;
            if (*top != PM_NONE && !pmi_bits_get(all->parens, i))
                *top = all->match[*top];
        }
    return true;
}

/* Returns false if a key has no place. */
static bool match_slices(keys_job *job, unsigned threads) {
    pmi_threads_run(threads, job->slices, match_slice_item, job);
    if (job->failed)
        return false;
    const key_stacks stacks = stacks_of(job, 0);
    for (size_t s = 1; s < job->slices; s++) {
        const key_stacks slice = stacks_of(job, s);
        if (!match_rest(&job->all, &stacks, s * job->slice_size, slice_end(job, s)) || !push_stacks(&stacks, &slice))
            return false;
    }
    return true;
}

static void bound_item(size_t slice, unsigned thread, void *user) {
    (void)thread;
    keys_job *const job = user;
    const uint32_t bound = bound_of(&job->all, slice * job->slice_size, slice_end(job, slice));
    uint_least32_t largest = job->bound;
    while (bound > largest && !atomic_compare_exchange_weak(&job->bound, &largest, bound))
        ;
}

/* Divides the elements among at most `slices` slices. */
static void divide(keys_job *job, size_t slices) {
    job->slice_size = pmi_divide_up(pmi_bits_words(job->all.n), slices) * PM_WORD_BITS;
    job->slices = pmi_divide_up(job->all.n, job->slice_size);
}

/* Chooses the places, for the largest key, and as many slices as keep the stacks of all of them shorter than n / 4. */
static void plan_slices(keys_job *job, unsigned threads) {
    const size_t slices = (size_t)threads * PM_SLICES_PER_THREAD;
    divide(job, slices);
    pmi_threads_run(threads, job->slices, bound_item, job);
    job->hashed = needs_hashing(job->bound, job->all.n);
    job->places = job->hashed ? hashed_places(job->all.n) : (size_t)job->bound + 1;
    const size_t most = job->all.n / 4 / stacks_size(job);
    divide(job, most > 0 ? pmi_min(most, slices) : 1);
}

/* *done is false if a key has no place. */
static pm_status match_on_threads(const pm_allocator *allocator, unsigned threads, const keyed *all, bool *done) {
    keys_job job = {.all = *all};
    plan_slices(&job, threads);
    const size_t tops = job.slices * stacks_size(&job), empty = job.slices > 1 ? pmi_bits_words(all->n) : 0;
    uint64_t *const memory = pmi_memory_allocate_with(allocator, empty * sizeof *memory, tops, sizeof *job.memory);
    if (!memory)
        return PM_OUT_OF_MEMORY;
    job.all.empty = empty > 0 ? memory : NULL;
    job.memory = (uint32_t *)(void *)(memory + empty);
    *done = match_slices(&job, threads);
    pmi_memory_free(allocator, memory);
    return PM_OK;
}

/* ---- Many large keys ---- */

/* Gathers the elements of each upper half in order. end[h] becomes the end of bucket h. */
static void gather_buckets(const uint32_t *keys, size_t n, uint32_t *end, uint32_t *order) {
    memset(end, 0, HALVES * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[keys[i] >> HALF_BITS]++;
    uint32_t begin = 0;
    for (size_t h = 0; h < HALVES; h++) {
        const uint32_t count = end[h];
        end[h] = begin;
        begin += count;
    }
    for (size_t i = 0; i < n; i++)
        order[end[keys[i] >> HALF_BITS]++] = (uint32_t)i;
}

/* Matches the elements of one bucket, then empties their stacks. */
static void match_bucket(const keyed *all, uint32_t *top, const uint32_t *order, size_t count) {
    const uint32_t *const keys = all->keys;
    for (size_t k = 0; k < count; k++)
        match_one(all->match, order[k], pmi_bits_get(all->parens, order[k]), &top[keys[order[k]] & LOWER_HALF], false);
    for (size_t k = 0; k < count; k++)
        top[keys[order[k]] & LOWER_HALF] = PM_NONE;
}

static pm_status match_in_buckets(const pm_allocator *allocator, const keyed *all) {
    uint32_t *const top = pmi_memory_allocate_with(allocator, 2 * HALVES * sizeof *top, all->n, sizeof *top);
    if (!top)
        return PM_OUT_OF_MEMORY;
    uint32_t *const end = top + HALVES, *const order = end + HALVES;
    memset(top, 0xff, HALVES * sizeof *top);
    gather_buckets(all->keys, all->n, end, order);
    uint32_t begin = 0;
    for (size_t h = 0; h < HALVES; h++) {
        match_bucket(all, top, order + begin, end[h] - begin);
        begin = end[h];
    }
    pmi_memory_free(allocator, top);
    return PM_OK;
}

/* ---- All of it ---- */

pm_status pmi_omp_match_keys(const pm_allocator *allocator, unsigned threads, const uint64_t *parens, const void *keys,
                             size_t width, size_t n, uint32_t *match) {
    const keyed all = {.parens = parens, .keys = keys, .width = width, .n = n, .match = match};
    threads = pmi_threads_paying(n, THREAD_MIN_ELEMENTS, threads);
    bool done = true;
    const pm_status status =
        threads > 1 ? match_on_threads(allocator, threads, &all, &done) : match_alone(allocator, &all, &done);
    return status == PM_OK && !done ? match_in_buckets(allocator, &all) : status;
}
