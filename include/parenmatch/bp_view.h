/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/bp_view.h: ranks, excesses and elements of an indexed sequence, compiled inline into the program:
 *
 *     pm_bp_view view;
 *     if (pm_bp_view_of(bp, &view) != PM_OK)
 *         ... // the library's index has another layout than this header knows: call pm_bp_* instead
 *     rank = pm_bp_view_rank_open(&view, i);
 *
 * The answers are those of pm_bp_*. Such a query takes a few nanoseconds, of which a call into a library is a third or
 * more. Searches for partners, and opens by number, take longer and remain calls.
 *
 * Opens are counted with the instructions that the program is compiled for. On x86 that is a whole block at once with
 * AVX-512 (-march=icelake-server, znver4 and later) or AVX2 (-march=x86-64-v3), otherwise the instruction that counts
 * the ones of a word (-mpopcnt, -march=x86-64-v2; always present on 64-bit ARM). Without any of these the library is
 * called, which chooses at run time. A program compiled for less than its processor has may do the same by hand: with
 * AVX-512 pm_bp_rank_open() is faster than these queries are without it.
 *
 * Sources: Vigna, "Broadword implementation of rank/select queries" (counting from the nearer of two known positions,
 * and without an instruction for it); the index is that of pm_bp_create().
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_BP_VIEW_H
#define PARENMATCH_BP_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "parenmatch.h"

/* What is compiled into C++ programs is C, and so are its casts. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* ---- The layout -------------------------------------------------------------------------------------------------- */

/**
 * What all below is true of. It grows when the arrays below change, or how they are to be read; so a program that was
 * compiled with this header and meets a library with another layout learns it from pm_bp_view_of().
 */
#define PM_BP_VIEW_LAYOUT 1u

#define PM_BP_BLOCK 512u                                   /**< Elements of a block: 64 bytes of the sequence. */
#define PM_BP_LINE_BLOCKS 16u                              /**< Blocks of a superblock. */
#define PM_BP_SUPERBLOCK (PM_BP_BLOCK * PM_BP_LINE_BLOCKS) /**< Elements of a superblock: a line of the index. */

/** The levels, opens minus closes, of a superblock's blocks, relative to that before the superblock. */
typedef struct pm_bp_line {
    int16_t end[PM_BP_LINE_BLOCKS]; /**< After each block. */
    int16_t min[PM_BP_LINE_BLOCKS]; /**< The minimum of it, its beginning and end included. */
} pm_bp_line;

/**
 * Where an index has what these queries read. It is filled by pm_bp_view_of() and not to be written by others; it may
 * be copied. All pointers are borrowed: they are good, as the index is, until pm_bp_destroy().
 */
struct pm_bp_view {
    uint32_t layout;         /**< PM_BP_VIEW_LAYOUT. */
    uint32_t wide;           /**< 1 if levels are int64_t, 0 if they are int32_t. */
    const uint64_t *parens;  /**< The sequence. */
    uint64_t n;              /**< Its elements, */
    uint64_t whole;          /**< and those of its whole blocks. What comes behind is asked of the library. */
    const pm_bp_line *lines; /**< Of each superblock. */
    const void *levels;      /**< Before each superblock, from the sequence's beginning. */
    const pm_bp *bp;         /**< The index. */
};

/**
 * A view of an index, of any structure. It takes no memory but its own, and some nanoseconds.
 *
 * @param bp    the index; the view is good as long as it is.
 * @param view  receives the view, which any number of threads may use at once.
 * @return PM_UNSUPPORTED if the library has another layout than this header; PM_INVALID_ARGUMENT for NULL.
 */
static inline pm_status pm_bp_view_of(const pm_bp *bp, pm_bp_view *view) {
    return pm_bp_view_fill(bp, PM_BP_VIEW_LAYOUT, view);
}

/* ---- How it is read ---------------------------------------------------------------------------------------------- */
/*
 * For the queries below, and for those of the library. Whether levels are wide is an argument, because the library
 * knows it when it is compiled. Where the elements are is one as well: i is element `at` of `words`, and both are as
 * far from the beginning of their block.
 */

/** For what is only worth its while where it is inlined; and a condition that seldom holds. */
#ifdef __GNUC__
#define PM_BP_VIEW_INLINE static inline __attribute__((always_inline))
#define PM_BP_VIEW_SELDOM(condition) __builtin_expect(condition, 0) /**< See PM_BP_VIEW_INLINE. */
#else
#define PM_BP_VIEW_INLINE static inline          /**< See above. */
#define PM_BP_VIEW_SELDOM(condition) (condition) /**< See above. */
#endif

/** The level before a superblock. */
PM_BP_VIEW_INLINE int64_t pm_bp_view_level(const pm_bp_view *view, bool wide, uint64_t superblock) {
    return PM_BP_VIEW_SELDOM(wide) ? ((const int64_t *)view->levels)[superblock]
                                   : ((const int32_t *)view->levels)[superblock];
}

/** What ranks and levels come of: the level before an element where a block ends or begins, and opens from there on. */
typedef struct pm_bp_view_count {
    int64_t level;    /**< Before element `at`. */
    uint64_t at;      /**< Which is that. */
    uint64_t between; /**< Opens between that and what is asked for; less than 0, modulo 2^64, if it is behind. */
} pm_bp_view_count;

/** The opens before what is asked for. */
PM_BP_VIEW_INLINE uint64_t pm_bp_view_opens_of(pm_bp_view_count count) {
    return ((uint64_t)count.level + count.at) / 2 + count.between;
}

/** The level before it, which is element i. */
PM_BP_VIEW_INLINE int64_t pm_bp_view_level_of(pm_bp_view_count count, uint64_t i) {
    return (int64_t)((uint64_t)count.level + 2 * count.between + count.at - i);
}

/** The end of i's block, which has `behind` opens from what is asked for on. */
PM_BP_VIEW_INLINE pm_bp_view_count pm_bp_view_before_end(const pm_bp_view *view, bool wide, uint64_t i,
                                                         uint64_t behind) {
    /* Lines are twice as long as what is looked for in them, which saves a step on the way to it. */
    const int16_t *const ends = (const int16_t *)view->lines + i / PM_BP_SUPERBLOCK * PM_BP_LINE_BLOCKS;
    const int64_t level = pm_bp_view_level(view, wide, i / PM_BP_SUPERBLOCK) + ends[i / PM_BP_BLOCK];
    const pm_bp_view_count count = {level, (i | (PM_BP_BLOCK - 1)) + 1, 0 - behind};
    return count;
}

/** The nearer end of i's block; `between`: the number of opens between it and what is asked for. */
PM_BP_VIEW_INLINE pm_bp_view_count pm_bp_view_from_nearer(const pm_bp_view *view, bool wide, uint64_t i,
                                                          uint64_t between) {
    const uint64_t upper = i / (PM_BP_BLOCK / 2) % 2;                             /* is it in the upper half? */
    const uint64_t ends = (i % PM_BP_SUPERBLOCK + PM_BP_BLOCK / 2) / PM_BP_BLOCK; /* of blocks, up to the nearer */
    const pm_bp_line *const line = &view->lines[i / PM_BP_SUPERBLOCK];
    const int64_t in_line = line->end[(ends - 1) % PM_BP_LINE_BLOCKS] & -(int)(ends != 0);
    const int64_t level = pm_bp_view_level(view, wide, i / PM_BP_SUPERBLOCK) + in_line;
    const uint64_t nearer = (i + PM_BP_BLOCK / 2) / PM_BP_BLOCK * PM_BP_BLOCK;
    const pm_bp_view_count count = {level, nearer, upper ? 0 - between : between};
    return count;
}

#ifdef __GNUC__
/**
 * Counts the opens before i, or `with` it, from the nearer end of its block, with an instruction that counts the ones
 * of a word. What lies between is in one half of the block: some of its words, and a part of one.
 */
PM_BP_VIEW_INLINE pm_bp_view_count pm_bp_view_count_opens(const pm_bp_view *view, bool wide, bool with,
                                                          const uint64_t *words, uint64_t at, uint64_t i) {
    static const uint64_t beside[9] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const uint64_t upper = i / (PM_BP_BLOCK / 2) % 2;
    const uint64_t word = i / 64 % 4; /* of the half */
    const uint64_t *const half = words + at / (PM_BP_BLOCK / 2) * 4, *const others = half + upper;
    const uint64_t *const counted =
        beside + 3 + 3 * upper - word; /* those below the word; in the upper half those above */
    const uint64_t part = half[word] & ((UINT64_MAX << i % 64 << with) ^ (upper - 1));
    const int between = __builtin_popcountll(part) + __builtin_popcountll(others[0] & counted[0]) +
                        __builtin_popcountll(others[1] & counted[1]) + __builtin_popcountll(others[2] & counted[2]);
    return pm_bp_view_from_nearer(view, wide, i, (uint64_t)between);
}
#endif

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

/** How opens are counted: AVX-512, AVX2, an instruction for one word, or by the library (PM_BP_VIEW_BY_CALLS). */
#if !defined(__GNUC__)
#define PM_BP_VIEW_BY_CALLS 1
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VBMI__) && defined(__AVX512VPOPCNTDQ__)
#define PM_BP_VIEW_BY_AVX512 1
#elif defined(__AVX2__)
#define PM_BP_VIEW_BY_AVX2 1
#elif defined(__POPCNT__) || defined(__aarch64__) || defined(__riscv_zbb)
#define PM_BP_VIEW_BY_POPCOUNT 1
#else
#define PM_BP_VIEW_BY_CALLS 1
#endif

#if defined(PM_BP_VIEW_BY_AVX512) || defined(PM_BP_VIEW_BY_AVX2)
#include "parenmatch/bp_view_x86.h"
#endif

#if !defined(PM_BP_VIEW_BY_CALLS)
/** Counts the opens before i, an element of a whole block, or `with` it. */
PM_BP_VIEW_INLINE pm_bp_view_count pm_bp_view_count_in_whole(const pm_bp_view *view, bool with, uint64_t i) {
    const bool wide = view->wide != 0;
#if defined(PM_BP_VIEW_BY_AVX512)
    return pm_bp_view_count_avx512(view, wide, with, view->parens, i, i);
#elif defined(PM_BP_VIEW_BY_AVX2)
    return pm_bp_view_count_avx2(view, wide, with, view->parens, i, i);
#else
    return pm_bp_view_count_opens(view, wide, with, view->parens, i, i);
#endif
}
#endif

/** pm_bp_rank_open(): opens among elements 0 ... i - 1, and so all opens for i >= n. Constant time. */
static inline uint64_t pm_bp_view_rank_open(const pm_bp_view *view, uint64_t i) {
#if !defined(PM_BP_VIEW_BY_CALLS)
    if (i < view->whole)
        return pm_bp_view_opens_of(pm_bp_view_count_in_whole(view, false, i));
#endif
    return pm_bp_rank_open(view->bp, i);
}

/**
 * pm_bp_excess(): opens minus closes among elements 0 ... i, and so among all for i >= n. Negative where closes
 * prevail. Constant time.
 */
static inline int64_t pm_bp_view_excess(const pm_bp_view *view, uint64_t i) {
#if !defined(PM_BP_VIEW_BY_CALLS)
    if (i < view->whole)
        return pm_bp_view_level_of(pm_bp_view_count_in_whole(view, true, i), i + 1);
#endif
    return pm_bp_excess(view->bp, i);
}

/** Is there an open at i? False for i >= n. Constant time. */
static inline bool pm_bp_view_is_open(const pm_bp_view *view, uint64_t i) {
    return i < view->n && (view->parens[i / 64] >> i % 64 & 1) != 0;
}

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
