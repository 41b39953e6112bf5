/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/bp.h: an index that answers single queries on a sequence of up to 2^48 elements, each in nanoseconds.
 *
 * The index is built without matching the whole sequence. Unbalanced sequences are legal, and every query has an answer
 * for every argument: PM_BP_NONE if there is nothing to find.
 *
 * Names are those of the literature and of sdsl-lite's bp_support. Two things differ from the latter: ranks count what
 * comes before i, without i (there: with it), and selects count from 0 (there: from 1).
 *
 * parenmatch/bp_view.h answers the shortest queries inline.
 *
 * Sources: Jacobson, "Space-efficient static trees and graphs"; Munro and Raman, "Succinct representation of balanced
 * parentheses and static trees"; Navarro and Sadakane, "Fully functional static and dynamic succinct trees" (the
 * range-min tree); Vigna, "Broadword implementation of parenthesis queries" (inside words).
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_BP_H
#define PARENMATCH_BP_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * An index. Queries take no lock and change nothing, so any number of threads may make them at once. They use the
 * vector instructions of the context that the index was made with (pm_options.simd).
 */
typedef struct pm_bp pm_bp;

/**
 * Builds an index, with several threads where that pays (pm_options.threads). It takes 0.075 bits an element if half of
 * the elements are opens (0.086 beyond 2^30 elements) and 0.079 if all are (0.095); 0.008 more for a deep sequence of
 * at most 2^25 elements; and less than 1 KiB.
 *
 * @param context  NULL for the defaults. It may be used for other things, but must outlive the index.
 * @param parens   n bits; borrowed: they must stay in place, unchanged, until pm_bp_destroy().
 * @param n        elements, at most 2^48; more is PM_TOO_LARGE.
 * @param bp       receives the index, to be given to pm_bp_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_bp_create(pm_context *context, const uint64_t *parens, uint64_t n, pm_bp **bp);

/** How pm_bp_find_close() and pm_bp_find_open() find partners. Other queries are the same for both. */
typedef enum pm_bp_structure {
    PM_BP_LEVELS = 0,  /**< By excess, in the range-min tree: the smallest index, and in general the fastest. */
    PM_BP_PIONEERS = 1 /**< By pioneers, in a constant number of steps at any distance. The index takes up to about 4
                            bits an element more, and 3 while it is built. Source: Jacobson, with the far parentheses of
                            Vigna's "Broadword implementation of parenthesis queries". */
} pm_bp_structure;

/** Settings of an index. Zero-initialise the struct and set what you need. */
typedef struct pm_bp_options {
    size_t struct_size;        /**< sizeof(pm_bp_options) as the caller knows it; 0: the library's own size. */
    pm_bp_structure structure; /**< PM_BP_LEVELS by default. */
} pm_bp_options;

/**
 * Builds an index with settings.
 *
 * @param options  NULL for the defaults. Other parameters as pm_bp_create().
 * @return as pm_bp_create(); PM_INVALID_ARGUMENT for an unknown structure; PM_UNSUPPORTED for settings of a later
 *         version.
 */
PM_API pm_status pm_bp_create_with(pm_context *context, const pm_bp_options *options, const uint64_t *parens,
                                   uint64_t n, pm_bp **bp);

/**
 * Builds one index over many sequences that lie one after another, as pm_match_batch_auto() takes them. Elements keep
 * their positions in the whole array, and no answer leaves the sequence of its argument:
 *
 * - What has no partner, parent, sibling or ancestor in its own sequence has none. The roots are the roots of all
 *   sequences, and a node without a close extends to the end of its sequence. pm_bp_lca() of nodes of two sequences is
 *   PM_BP_NONE.
 * - pm_bp_excess() counts from the beginning of the sequence of i; for i >= pm_bp_length() as for the last element.
 * - Ranks, selects and preorder numbers go through all sequences: subtract the rank of the sequence's first element.
 * - pm_bp_select_unmatched_close() and pm_bp_select_unmatched_open() are PM_BP_NONE: ask
 *   pm_bp_select_unmatched_close_in() and pm_bp_select_unmatched_open_in().
 * - pm_bp_view_of() and pm_bp_save() are PM_UNSUPPORTED.
 *
 * The index takes about 1 byte a sequence more than that of one long sequence. A query takes a binary search among the
 * offsets near its element in addition.
 *
 * @param options  NULL for the defaults.
 * @param parens   the elements up to element offsets[count] - 1, at most 2^48; more is PM_TOO_LARGE. Borrowed until
 *                 pm_bp_destroy().
 * @param offsets  count + 1 offsets, ascending. Sequence s is the elements offsets[s] ... offsets[s + 1] - 1; it may be
 *                 empty. Those before offsets[0] are one more, without a number. Borrowed until pm_bp_destroy().
 *                 With 0 sequences it is not read, may be NULL, and the index is of 0 elements.
 * @param count    sequences. Other parameters as pm_bp_create().
 * @return as pm_bp_create_with(); PM_INVALID_ARGUMENT for a descending offset.
 */
PM_API pm_status pm_bp_create_batch(pm_context *context, const pm_bp_options *options, const uint64_t *parens,
                                    const uint64_t *offsets, size_t count, pm_bp **bp);

/** Destroys an index; NULL is allowed. */
PM_API void pm_bp_destroy(pm_bp *bp);

/** Returns the bytes of the index's arrays, without the sequence and without the 1 KiB or less of every index. */
PM_API size_t pm_bp_size_in_bytes(const pm_bp *bp);

/** Returns the length n of the sequence. */
PM_API uint64_t pm_bp_length(const pm_bp *bp);

/** What the inline queries of parenmatch/bp_view.h read; defined there. */
typedef struct pm_bp_view pm_bp_view;

/**
 * Fills a view of the index. Call pm_bp_view_of() of parenmatch/bp_view.h instead, which calls this.
 *
 * @param layout  PM_BP_VIEW_LAYOUT, as the caller was compiled with it.
 * @param view    receives the view; unchanged after a failure.
 * @return PM_OK; PM_UNSUPPORTED if the library has another layout; PM_INVALID_ARGUMENT for NULL.
 */
PM_API pm_status pm_bp_view_fill(const pm_bp *bp, uint32_t layout, pm_bp_view *view);

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

/** Returns the number of opens among elements 0 ... i - 1; for i >= n, of all opens. */
PM_API uint64_t pm_bp_rank_open(const pm_bp *bp, uint64_t i);
/** Returns the number of closes among elements 0 ... i - 1; for i >= n, of all closes. */
PM_API uint64_t pm_bp_rank_close(const pm_bp *bp, uint64_t i);
/** Returns the position of open k, counted from 0; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_bp_select_open(const pm_bp *bp, uint64_t k);
/**
 * Returns the position of close k, counted from 0; PM_BP_NONE if there are at most k. This is a binary search by ranks,
 * because the index has hints only for pm_bp_select_open().
 */
PM_API uint64_t pm_bp_select_close(const pm_bp *bp, uint64_t k);
/** Returns the excess at i: opens minus closes among elements 0 ... i; for i >= n, among all. It may be negative. */
PM_API int64_t pm_bp_excess(const pm_bp *bp, uint64_t i);
/** Returns the close that matches the open at i; PM_BP_NONE if it is unmatched, or if no open is at i. */
PM_API uint64_t pm_bp_find_close(const pm_bp *bp, uint64_t i);
/** Returns the open that matches the close at i; PM_BP_NONE if it is unmatched, or if no close is at i. */
PM_API uint64_t pm_bp_find_open(const pm_bp *bp, uint64_t i);
/**
 * Returns the match of i: of an open its parent, the nearest open that encloses it; of a close its open. PM_BP_NONE if
 * the stack is empty there, or if i >= n.
 */
PM_API uint64_t pm_bp_enclose(const pm_bp *bp, uint64_t i);
/** Returns unmatched close k, counted from 0 at the beginning; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_bp_select_unmatched_close(const pm_bp *bp, uint64_t k);
/** Returns unmatched open k, counted from 0 at the end, that is the top of the stack; PM_BP_NONE if at most k exist. */
PM_API uint64_t pm_bp_select_unmatched_open(const pm_bp *bp, uint64_t k);

/** Returns the sequence of a batch that element i belongs to, 0 for an index of one; PM_BP_NONE if it is in none. */
PM_API uint64_t pm_bp_sequence_of(const pm_bp *bp, uint64_t i);
/**
 * Returns unmatched close k of one sequence of a batch, counted from 0 at its beginning; PM_BP_NONE if there are at
 * most k, or no such sequence. An index of one sequence has sequence 0.
 */
PM_API uint64_t pm_bp_select_unmatched_close_in(const pm_bp *bp, uint64_t sequence, uint64_t k);
/** Returns unmatched open k of one sequence, counted from 0 at its end; as pm_bp_select_unmatched_close_in(). */
PM_API uint64_t pm_bp_select_unmatched_open_in(const pm_bp *bp, uint64_t sequence, uint64_t k);

/**
 * Answers pm_bp_find_close() for each of `count` elements in any order. It is faster than single calls if the sequence
 * does not fit the caches, because the queries wait for memory together.
 *
 * @param i      count elements.
 * @param close  receives count answers; may be the array `i`.
 */
PM_API void pm_bp_find_close_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *close);
/** Answers pm_bp_find_open() for each of `count` elements, as pm_bp_find_close_many(); `open` may be the array `i`. */
PM_API void pm_bp_find_open_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open);
/** Answers pm_bp_enclose() for each of `count` elements, as pm_bp_find_close_many(); `open` may be the array `i`. */
PM_API void pm_bp_enclose_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open);

/* ---- Queries: the tree ------------------------------------------------------------------------------------------- */
/*
 * The sequence as an ordered forest: every open is a node, named by its position. The subtree of a node without a close
 * extends to n. The nodes without a parent, the roots, are siblings of one another, across any unmatched closes between
 * them. If `node` is not an open, the answer is PM_BP_NONE, also for depth and rank; pm_bp_subtree_size() and
 * pm_bp_degree() return 0, pm_bp_is_leaf() and pm_bp_is_ancestor() return false.
 * Source: Navarro and Sadakane, "Fully functional static and dynamic succinct trees".
 */

/** Returns the parent; PM_BP_NONE for a root. */
PM_API uint64_t pm_bp_parent(const pm_bp *bp, uint64_t node);
/** Returns the number of ancestors: 0 for a root. */
PM_API uint64_t pm_bp_depth(const pm_bp *bp, uint64_t node);
/** Returns true for a node without children. */
PM_API bool pm_bp_is_leaf(const pm_bp *bp, uint64_t node);
/** Returns the first child; PM_BP_NONE for a leaf. */
PM_API uint64_t pm_bp_first_child(const pm_bp *bp, uint64_t node);
/** Returns the last child; PM_BP_NONE for a leaf. */
PM_API uint64_t pm_bp_last_child(const pm_bp *bp, uint64_t node);
/** Returns the next sibling; PM_BP_NONE for a last child. */
PM_API uint64_t pm_bp_next_sibling(const pm_bp *bp, uint64_t node);
/** Returns the previous sibling; PM_BP_NONE for a first child. */
PM_API uint64_t pm_bp_prev_sibling(const pm_bp *bp, uint64_t node);
/** Returns the number of nodes in the subtree, including the node itself. */
PM_API uint64_t pm_bp_subtree_size(const pm_bp *bp, uint64_t node);
/** Returns the number of children. The time is proportional to the blocks of 512 elements in which a child begins. */
PM_API uint64_t pm_bp_degree(const pm_bp *bp, uint64_t node);
/** Returns child k, counted from 0; PM_BP_NONE if there are at most k. Time as pm_bp_degree(), up to that child. */
PM_API uint64_t pm_bp_child(const pm_bp *bp, uint64_t node, uint64_t k);
/** Returns the ancestor `distance` steps up, 0 being the node itself; PM_BP_NONE if there are fewer. */
PM_API uint64_t pm_bp_level_ancestor(const pm_bp *bp, uint64_t node, uint64_t distance);
/** Returns true if `ancestor` is an ancestor of `node`, or the node itself. */
PM_API bool pm_bp_is_ancestor(const pm_bp *bp, uint64_t ancestor, uint64_t node);
/** Returns the lowest common ancestor, which may be one of the two; PM_BP_NONE for nodes below different roots. */
PM_API uint64_t pm_bp_lca(const pm_bp *bp, uint64_t a, uint64_t b);
/** Returns the number of nodes before the node in preorder. */
PM_API uint64_t pm_bp_preorder_rank(const pm_bp *bp, uint64_t node);
/** Returns node k in preorder, counted from 0; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_bp_preorder_select(const pm_bp *bp, uint64_t k);

/* ---- Saved indices ----------------------------------------------------------------------------------------------- */
/*
 * A saved index has a version and the byte order of its machine. One of another version or of the other byte order is
 * PM_UNSUPPORTED. An index that is damaged, forged, cut short, or of another sequence is PM_CORRUPT. Every byte is
 * compared with what pm_bp_create() makes of the sequence, so an index that is accepted answers as a new one does. The
 * comparison takes 1.1 times as long as pm_bp_create(), with as many threads, and no memory: on one thread 8.7 GB/s of
 * the sequence with AVX-512, 6.0 with AVX2, 0.8 without vectors.
 */

/** The 8 bytes that a saved index begins with. */
#define PM_BP_MAGIC "PMBPIDX\n"

/**
 * Writes the index to a file, without its pioneers, if it has any. A regular file of this name is replaced atomically,
 * by way of a temporary file next to it.
 *
 * @return PM_OK; PM_IO, also if the path is a link or another thing that is not a regular file, which is left alone;
 *         PM_OUT_OF_MEMORY for a copy of the path; PM_INVALID_ARGUMENT for NULL.
 */
PM_API pm_status pm_bp_save(const pm_bp *bp, const char *path);

/**
 * Reads an index from a file into memory. It also reads the sequence, to compare the two.
 *
 * @param path       a file that pm_bp_save() wrote; a pipe is read to its end.
 * @param parens, n  the sequence that was indexed, borrowed as by pm_bp_create().
 * @param bp         receives the index, to be given to pm_bp_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_IO; PM_CORRUPT; PM_UNSUPPORTED; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_bp_load(pm_context *context, const char *path, const uint64_t *parens, uint64_t n, pm_bp **bp);

/**
 * Flag of pm_bp_map(): the caller vouches for the bytes. Only their header is checked, which takes 3 µs. In
 * addition 64 lines of the index are read to estimate how deep the sequence is, and, of a deep sequence of at most 2^25
 * elements, the excesses. Queries on other bytes than pm_bp_save() wrote may read any memory or never end.
 */
#define PM_BP_TRUSTED 1u

/**
 * Makes an index of saved bytes in place, such as in a mapped file.
 *
 * @param bytes  all that pm_bp_save() wrote, at an address divisible by 8; borrowed until pm_bp_destroy().
 * @param size   of these, in bytes.
 * @param flags  PM_BP_TRUSTED or 0.
 * @return as pm_bp_load(), without PM_IO.
 */
PM_API pm_status pm_bp_map(pm_context *context, const void *bytes, size_t size, const uint64_t *parens, uint64_t n,
                           unsigned flags, pm_bp **bp);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_BP_H */
