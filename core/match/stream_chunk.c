/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks of a stream: the opens below that they need, and results translated from block indices to stream indices. */
#include "core/match/stream_chunk.h"

/* The index, among blocks, of the chunk's first element. */
#define CHUNK_ORIGIN (PM_CHUNK_ENTRIES * PM_WORD_BITS)

_Static_assert(PM_CHUNK_ENTRIES > PM_WORD_BITS, "entries enough for any word to get what it can reach");

/* Opens below the chunk that its first words can reach. */
typedef struct reach {
    size_t words;
    uint64_t opens;
} reach;

/*
 * As many words as surely need no more than `opens`: for each, all its closes less the height it begins at, and a
 * parent. That is at most 63 too many, and quickly found.
 */
static reach chunk_reach(const pmi_stream_chunk *chunk, uint64_t opens) {
    const size_t words = pmi_bits_words(chunk->length);
    reach found = {0, 0};
    int64_t height = 0;
    for (; found.words < words; found.words++) {
        const int64_t closes = PM_WORD_BITS - pmi_bits_count(chunk->parens[PM_CHUNK_ENTRIES + found.words]);
        const int64_t needed = closes - height + 1;
        if (needed > (int64_t)opens)
            break;
        if (needed > (int64_t)found.opens)
            found.opens = (uint64_t)needed;
        height += PM_WORD_BITS - 2 * closes;
    }
    return found;
}

/* What the chunk as a whole reaches below it, each close and the parent of what follows the last, and which words reach
 * none of that: those with fewer far closes than opens of the chunk before them. */
static void chunk_reduce(pmi_stream_chunk *chunk) {
    const size_t words = pmi_bits_words(chunk->length);
    const pmi_grid grid = {.parens = chunk->parens + PM_CHUNK_ENTRIES, .n = words * PM_WORD_BITS};
    pmi_block_bic bics[PM_CHUNK_WORDS];
    chunk->needed = chunk->engine->reduce_blocks(&grid, 0, words, bics).close + 1;
    uint32_t depth = 0;
    for (size_t w = 0; w < words; w++) {
        chunk->is_near[w] = bics[w].close < depth;
        depth = (chunk->is_near[w] ? depth - bics[w].close : 0) + bics[w].open;
    }
}

void pmi_stream_chunk_load(pmi_stream_chunk *chunk, const uint64_t *parens, size_t n, size_t i, uint64_t position) {
    const size_t max = PM_CHUNK_WORDS * PM_WORD_BITS;
    chunk->length = n - i < max ? n - i : max;
    for (size_t w = 0; w < pmi_bits_words(chunk->length); w++) {
        chunk->parens[PM_CHUNK_ENTRIES + w] = pmi_bits_from(parens, n, i + w * PM_WORD_BITS);
        chunk->base[PM_CHUNK_ENTRIES + w] = position + w * PM_WORD_BITS;
    }
    if (chunk->length % PM_WORD_BITS != 0) /* what is past the end reaches nothing */
        chunk->parens[PM_CHUNK_ENTRIES + chunk->length / PM_WORD_BITS] |= ~pmi_bits_low(chunk->length % PM_WORD_BITS);
    chunk_reduce(chunk);
    chunk->borrowed = 0;
    chunk->borrowed_opens = 0;
    chunk->shares_bases = false;
}

/* Does it need more entries, and has room for one? */
static bool chunk_wants(const pmi_stream_chunk *chunk) {
    return chunk->borrowed_opens < chunk->needed && chunk->borrowed < PM_CHUNK_ENTRIES;
}

/* Puts an entry beneath all those borrowed before. */
static void chunk_borrow(pmi_stream_chunk *chunk, pmi_stream_entry entry) {
    const uint32_t block = PM_CHUNK_ENTRIES - (uint32_t)++chunk->borrowed;
    chunk->parens[block] = pmi_stream_entry_parens(entry);
    chunk->base[block] = pmi_stream_entry_base(entry);
    chunk->shares_bases = chunk->shares_bases || (chunk->borrowed > 1 && chunk->base[block] == chunk->base[block + 1]);
    chunk->survivors[block] = (pm_survivors){block, pmi_stream_entry_count(entry)};
    chunk->borrowed_opens += pmi_stream_entry_count(entry);
}

/* What to add to an index among blocks for the index in the stream; also for "none". It never falls with the block,
 * except between two of the same base. */
static uint64_t chunk_shift(const pmi_stream_chunk *chunk, uint32_t index) {
    const uint32_t block = index / PM_WORD_BITS;
    return index == PM_NONE ? PM_BP_NONE - PM_NONE : chunk->base[block] - (uint64_t)block * PM_WORD_BITS;
}

/* What a word of results asks for: nothing but `near`, one distance for what is far, or more than one. */
typedef enum word_kind {
    WORD_NEAR,
    WORD_FAR,
    WORD_MIXED
} word_kind;

/*
 * Results in the chunk move together. What is below gets lower and lower, and "none" at last; so if the first and the
 * last of these move alike, all do.
 */
static word_kind word_far(const pmi_stream_chunk *chunk, const uint32_t *from, size_t n, uint64_t *far) {
    uint32_t combined = 0; /* its highest bit: is any below the chunk, or "none"? */
    for (size_t k = 0; k < n; k++)
        combined |= from[k] - CHUNK_ORIGIN;
    if (combined >> 31 == 0)
        return WORD_NEAR;
    size_t first = 0, last = n - 1;
    while ((from[first] - CHUNK_ORIGIN) >> 31 == 0)
        first++;
    while ((from[last] - CHUNK_ORIGIN) >> 31 == 0)
        last--;
    *far = chunk_shift(chunk, from[first]);
    return *far == chunk_shift(chunk, from[last]) ? WORD_FAR : WORD_MIXED;
}

/* Have all results that are not in the chunk one distance, and which? Where nothing was borrowed they are "none"; else
 * entries next to each other have one, if nothing is missing below them. */
static bool chunk_far(const pmi_stream_chunk *chunk, uint64_t *far) {
    if (chunk->borrowed == 0) {
        *far = chunk_shift(chunk, PM_NONE);
        return true;
    }
    const uint32_t lowest = CHUNK_ORIGIN - (uint32_t)chunk->borrowed * PM_WORD_BITS;
    *far = chunk_shift(chunk, lowest);
    return chunk->borrowed_opens >= chunk->needed && chunk_shift(chunk, CHUNK_ORIGIN - 1) == *far;
}

/* The results, from indices among blocks: all at once, or as many words as have one distance for what is far. */
static void chunk_widen(const pmi_stream_chunk *chunk, bool past_caches, uint64_t *match) {
    pmi_widening by = {.origin = CHUNK_ORIGIN, .near = chunk_shift(chunk, CHUNK_ORIGIN)};
    if (chunk_far(chunk, &by.far)) {
        chunk->engine->widen(&by, chunk->results, chunk->length, past_caches, match);
        return;
    }
    bool far_known = false;
    size_t begin = 0; /* of what is to be widened together */
    for (size_t i = 0, n; i < chunk->length; i += n) {
        uint64_t far = 0;
        n = chunk->length - i < PM_WORD_BITS ? chunk->length - i : PM_WORD_BITS;
        const word_kind kind =
            chunk->is_near[i / PM_WORD_BITS] ? WORD_NEAR : word_far(chunk, chunk->results + i, n, &far);
        if (kind == WORD_MIXED || (kind == WORD_FAR && far_known && far != by.far)) {
            chunk->engine->widen(&by, chunk->results + begin, i - begin, past_caches, match + begin);
            begin = i;
            far_known = false;
        }
        if (kind == WORD_FAR) {
            by.far = far;
            far_known = true;
        } else if (kind == WORD_MIXED) {
            for (size_t k = i; k < i + n; k++)
                match[k] = chunk->results[k] + chunk_shift(chunk, chunk->results[k]);
            begin = i + n;
        }
    }
    chunk->engine->widen(&by, chunk->results + begin, chunk->length - begin, past_caches, match + begin);
}

/* What to add to a result of 32 bits that is below the chunk: those count from the chunk's own index in the stream. */
static uint32_t chunk_shift_32(const pmi_stream_chunk *chunk, uint32_t result) {
    const uint32_t blocks = CHUNK_ORIGIN - (uint32_t)chunk->base[PM_CHUNK_ENTRIES];
    return (uint32_t)chunk_shift(chunk, result + blocks) + blocks;
}

/* The same in place, for 32 bits: elements of the chunk are right already, so is "none", and the rest comes before. */
static void word_settle(const pmi_stream_chunk *chunk, uint32_t *match) {
    const uint32_t base = (uint32_t)chunk->base[PM_CHUNK_ENTRIES];
    uint32_t combined = 0; /* its highest bit: is any below the chunk? Perhaps: "none" may set it, too */
    for (size_t k = 0; k < PM_WORD_BITS; k++)
        combined |= match[k] - base;
    if (combined >> 31 == 0)
        return;
    size_t first = 0, last = PM_WORD_BITS - 1;
    while (first < PM_WORD_BITS && match[first] >= base)
        first++;
    if (first == PM_WORD_BITS)
        return;
    while (match[last] >= base)
        last--;
    const uint32_t far = chunk_shift_32(chunk, match[first]);
    if (far == chunk_shift_32(chunk, match[last])) {
        for (size_t k = 0; k < PM_WORD_BITS; k++)
            match[k] += -(uint32_t)(match[k] < base) & far;
    } else {
        for (size_t k = first; k <= last; k++)
            match[k] += match[k] < base ? chunk_shift_32(chunk, match[k]) : 0;
    }
}

static void chunk_settle(const pmi_stream_chunk *chunk, uint32_t *match) {
    size_t i = 0;
    for (; i + PM_WORD_BITS <= chunk->length; i += PM_WORD_BITS)
        if (!chunk->is_near[i / PM_WORD_BITS])
            word_settle(chunk, match + i);
    for (; i < chunk->length; i++)
        match[i] += match[i] < (uint32_t)chunk->base[PM_CHUNK_ENTRIES] ? chunk_shift_32(chunk, match[i]) : 0;
}

/* The results one by one, from indices among blocks: what else is done to them relies on increasing bases. */
static void chunk_translate(const pmi_stream_chunk *chunk, uint64_t *match, uint32_t *match_32) {
    for (size_t i = 0; i < chunk->length; i++) {
        const uint64_t result = chunk->results[i] + chunk_shift(chunk, chunk->results[i]);
        if (match)
            match[i] = result;
        else
            match_32[i] = (uint32_t)result;
    }
}

uint64_t pmi_stream_chunk_match(pmi_stream_chunk *chunk, pmi_stack *below, bool past_caches, uint64_t *match,
                                uint32_t *match_32) {
    const pmi_stream_entry *top = pmi_stack_top(below);
    for (; top && chunk_wants(chunk); top = pmi_stack_top(below)) {
        chunk_borrow(chunk, *top);
        pmi_stack_pop(below);
    }
    if (top && chunk->borrowed_opens < chunk->needed)
        chunk->length = chunk_reach(chunk, chunk->borrowed_opens).words * PM_WORD_BITS;
    const bool in_place = match_32 && !chunk->shares_bases;
    const pmi_grid grid = {.parens = chunk->parens,
                           .n = CHUNK_ORIGIN + chunk->length,
                           .match = in_place ? match_32 : chunk->results,
                           .before = PM_CHUNK_ENTRIES,
                           .origin = in_place ? (uint32_t)chunk->base[PM_CHUNK_ENTRIES] : CHUNK_ORIGIN};
    const pmi_range range = {.first = PM_CHUNK_ENTRIES, .last = pmi_grid_blocks(&grid), .keep = true};
    chunk->far.survivors = chunk->survivors + (PM_CHUNK_ENTRIES - chunk->borrowed);
    chunk->far.used = chunk->borrowed;
    chunk->far.depth = chunk->borrowed_opens;
    unsigned char *const scratch = chunk->scratch + -(uintptr_t)chunk->scratch % PM_SCRATCH_ALIGN;
    const uint64_t close = chunk->engine->match_range(&grid, &range, &chunk->far, scratch, PM_SCRATCH_SIZE);
    if (chunk->shares_bases)
        chunk_translate(chunk, match, match_32);
    else if (match)
        chunk_widen(chunk, past_caches, match);
    else if (chunk->borrowed > 0)
        chunk_settle(chunk, match_32);
    return close;
}

pmi_stream_entry pmi_stream_chunk_survivor(const pmi_stream_chunk *chunk, size_t k) {
    const pm_survivors left = chunk->far.survivors[k];
    return pmi_stream_entry_make(chunk->base[left.block], left.count, chunk->parens[left.block]);
}
