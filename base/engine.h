/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine matches a range of 64-element blocks, given the stack before them, and returns the stack after them.
 *
 * The stack is passed as survivors: the number of opens that each block still has on it. A block's opens leave the
 * stack from the top only, so the number says which are left, and the sequence says where they are. That takes 8 bytes
 * for 64 elements, whatever the depth, and popping is a subtraction. Inside a range the engine keeps the top of the
 * stack as indices, in a window of fixed size that it spills and refills.
 *
 * The three steps are: reduce (blocks to what they do to a stack), scan (which opens are left before a range), match
 * (the range, with that stack). Several ranges may be matched at once, each with its own stack and scratch memory.
 */
#ifndef PM_BASE_ENGINE_H
#define PM_BASE_ENGINE_H

#include "base/slice.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A sequence and its results, cut into blocks of 64. Block b holds the elements i with (i + lead) / 64 == b, where
 * `lead` < 64 shifts the cuts so that they fall on cache lines of `match`; block 0 and the last may be cut short.
 *
 * The first blocks may be there for the stack alone: `before` whole ones that have no results, so that lead is 0. A
 * sequence that is part of a longer one has an `origin`. Indices are modulo 2^32.
 */
typedef struct pmi_grid {
    const uint64_t *parens;
    size_t n;
    uint32_t *match;
    unsigned lead;
    size_t before;   /* blocks without results: match[0] is of the first element after them */
    uint32_t origin; /* index of the element that match[0] is of */
} pmi_grid;

/* The grid whose cuts fall on cache lines, where counting from the first line's beginning still fits 32 bits. */
pmi_grid pmi_grid_make(const uint64_t *parens, size_t n, uint32_t *match);

/* Should results go past the caches if each thread writes `elements` of them? Yes if they do not fit the core's own
 * cache: ordinary stores first read every line that they overwrite. No if the grid's cuts are not on cache lines. */
bool pmi_grid_should_stream(const pmi_grid *grid, size_t elements);

/* The same for a number of bytes of results, wherever they lie. */
bool pmi_results_should_stream(size_t bytes);

/* Blocks of a grid. */
static inline size_t pmi_grid_blocks(const pmi_grid *grid) {
    return pmi_bits_words(grid->n + grid->lead);
}

/* Opens of one block that are on the stack: its lowest `count` unmatched ones, count > 0. */
typedef struct pm_survivors {
    uint32_t block;
    uint32_t count;
} pm_survivors;

/* A stack of survivors, bottom first. */
typedef struct pmi_far_stack {
    pm_survivors *survivors; /* room for those it begins with and as many as the range has blocks */
    size_t used;
    uint64_t depth; /* opens: the sum of the counts */
} pmi_far_stack;

/* How a range is to be matched. */
typedef struct pmi_range {
    size_t first, last; /* blocks first ... last - 1 */
    bool streaming;     /* results go past the caches: for output that would not fit them; needs an aligned grid */
    bool keep;          /* the stack after the range is wanted, not only its depth */
    bool pending;       /* results past the caches may still be on their way: the caller ends with finish_stores */
} pmi_range;

/* Scratch memory of a range: its alignment, and bytes enough for any range. */
#define PM_SCRATCH_ALIGN 64u
#define PM_SCRATCH_SIZE 131072u

/* Bytes enough for PM_RANGE_SHORT elements that start with an empty stack; such a range needs no room for survivors. */
#define PM_SCRATCH_SIZE_SHORT 13312u
#define PM_RANGE_SHORT 2048u

/*
 * Matches the range. `stack` is the stack before it (an empty one before block 0), and afterwards the stack after it:
 * only its depth, if !range->keep. Returns how many closes of the range found the stack empty.
 */
typedef uint64_t pmi_range_match(const pmi_grid *grid, const pmi_range *range, pmi_far_stack *stack, void *scratch,
                                 size_t scratch_size);

/* What a block does to a stack: its unmatched closes and opens. Elements past the sequence count as they come. */
typedef struct pmi_block_bic {
    uint8_t close, open;
} pmi_block_bic;

#define PM_REDUCE_BLOCKS 256u /* most blocks that are reduced at once: their elements fit 16 bits */

/* Reduces `count` > 0 blocks of the grid from `first` on, each to bics[0 ... count - 1]. Returns what they do together.
 */
typedef pm_bic pmi_blocks_reduce(const pmi_grid *grid, size_t first, size_t count, pmi_block_bic *bics);

/* Matches n <= 64 elements, n > 0, without a stack in memory. Elements past n in the word may be anything. */
typedef pm_bic pmi_block_match(uint64_t parens, size_t n, uint32_t *match);

/* The opens that each of `count` blocks leaves on the stack if pending[k] closes come after it; 64 stands for more,
 * too. */
typedef void pmi_blocks_survivors(const uint64_t *parens, const uint64_t *pending, size_t count, uint64_t *opens);

/* How results of 32 bits become 64 wide: each moves by one of two distances. */
typedef struct pmi_widening {
    uint32_t origin; /* those from here on, less than 2^31 of them, */
    uint64_t near;   /* move by this much, */
    uint64_t far;    /* and all others, PM_NONE among them, by this */
} pmi_widening;

/* One result. */
static inline uint64_t pmi_widen(const pmi_widening *by, uint32_t result) {
    return result + ((result - by->origin) >> 31 == 0 ? by->near : by->far);
}

/* Widens n results. For `past_caches` see pmi_results_should_stream(). */
typedef void pmi_results_widen(const pmi_widening *by, const uint32_t *from, size_t n, bool past_caches, uint64_t *to);

/* Sequences one after another, matched as if they were one. */
typedef struct pmi_sequences {
    const uint64_t *offsets; /* count + 1 of them; the first is the index of the first result */
    size_t count;
    uint32_t *starts; /* scratch: an entry for each element, and PM_STARTS_SPARE more */
} pmi_sequences;

#define PM_STARTS_SPARE 16u /* entries that may be written past the last: a vector */

/* Makes each of fewer than 2^31 results count from the start of its own sequence: PM_NONE if it is before that. For
 * `past_caches` see pmi_results_should_stream(); such results may be on their way until finish_stores. */
typedef void pmi_results_localise(const pmi_sequences *sequences, const uint32_t *from, bool past_caches, uint32_t *to);

#define PM_SEQUENCE_SHORT 8192u /* a sequence of at most this many elements fits the memory of any window */

/* Matches sequences of at most PM_SEQUENCE_SHORT elements each, with at least one element in all. Stores match[i] for
 * element i of `parens`, counted from the start of its sequence. `starts` is not used. Results past the caches may be
 * on their way until finish_stores. PM_SCRATCH_SIZE_SHORT suffices for PM_RANGE_SHORT elements in all. */
typedef void pmi_sequences_match(const uint64_t *parens, const pmi_sequences *sequences, bool past_caches,
                                 void *scratch, size_t scratch_size, uint32_t *match);

/* Waits until what this thread stored past the caches is there for other threads. */
typedef void pmi_stores_finish(void);

/* The functions of matching for one SIMD target. */
typedef struct pmi_engine {
    pmi_range_match *match_range;
    pmi_blocks_reduce *reduce_blocks;
    pmi_blocks_survivors *survivors;
    pmi_results_widen *widen;
    pmi_results_localise *localise;
    pmi_stores_finish *finish_stores;
    pmi_sequences_match *match_sequences; /* NULL: match_range and localise do it */
    pmi_block_match *match_block;         /* NULL: a range does it as well */
    size_t worthwhile_block;              /* elements from which on match_block is faster than the plain stack */
    size_t worthwhile_range;              /* the same for match_range, where match_block does not apply */
} pmi_engine;

/* For fewer elements no engine is: they take so little time that asking for one shows. */
#define PM_WORTHWHILE_MIN 20u

/* Is the engine faster than the plain stack for n elements? */
static inline bool pmi_engine_worthwhile(const pmi_engine *engine, size_t n) {
    return n >= (engine->match_block && n <= PM_WORD_BITS ? engine->worthwhile_block : engine->worthwhile_range);
}

#ifdef __cplusplus
}
#endif

#endif
