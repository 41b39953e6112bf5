/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/edit.h: a sequence of up to 2^40 elements that changes, and the queries of bp.h on it.
 *
 * An edit of a few elements takes about a tenth of a microsecond, at any place of any sequence. A query takes two to
 * five times as long as one of bp.h, whose index must be built again after each edit. Unbalanced sequences are legal.
 * Every query has an answer for every argument: PM_BP_NONE if there is nothing to find.
 *
 * Elements may have kinds of up to 4 bits, such as "round" or "square", which the queries ignore.
 *
 * Sources: Navarro and Sadakane, "Fully functional static and dynamic succinct trees"; for snapshots Driscoll, Sarnak,
 * Sleator and Tarjan, "Making data structures persistent".
 *
 * Stability: experimental.
 */
#ifndef PARENMATCH_EDIT_H
#define PARENMATCH_EDIT_H

#include "parenmatch/bp.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A sequence that changes. One thread at a time may use it, except that queries and reads may run on any number of
 * threads while no other function does. Snapshots count as sequences of their own.
 *
 * It takes about 0.2 bits an element in addition to the sequence when it is new, and at most 0.6 after edits. A bit of
 * kinds costs the same as a parenthesis. The memory comes from the context's allocator. If sequences that share
 * snapshots are used on several threads, the allocator must allow calls from these at once, as malloc() does.
 */
typedef struct pm_edit pm_edit;

/** Settings of a sequence. Zero-initialise the struct and set what you need. */
typedef struct pm_edit_options {
    size_t struct_size; /**< sizeof(pm_edit_options) as the caller knows it; 0: the library's own size. */
    unsigned kind_bits; /**< Bits of each element's kind, at most 4; 0: no kinds. */
} pm_edit_options;

/**
 * Makes a sequence.
 *
 * @param context  NULL for the defaults. It need not outlive the sequence, but what its allocator refers to must.
 * @param parens   n bits, copied.
 * @param n        elements, at most 2^40; more is PM_TOO_LARGE.
 * @param edit     receives the sequence, to be given to pm_edit_destroy(); NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_edit_create(pm_context *context, const uint64_t *parens, uint64_t n, pm_edit **edit);

/**
 * Makes a sequence with settings.
 *
 * @param options  NULL for the defaults. Other parameters as pm_edit_create().
 * @param kinds    n kinds, of which the lowest options->kind_bits bits are copied; NULL: all are 0.
 * @return as pm_edit_create(); PM_INVALID_ARGUMENT also for more than 4 bits, or for kinds without bits; PM_UNSUPPORTED
 *         for settings of a later version.
 */
PM_API pm_status pm_edit_create_with(pm_context *context, const pm_edit_options *options, const uint64_t *parens,
                                     const uint8_t *kinds, uint64_t n, pm_edit **edit);

/**
 * Takes a snapshot: a second sequence with the same elements and settings. This takes constant time. The two share
 * memory until one of them is edited, which then copies what it changes. So one thread may edit the sequence while
 * others query snapshots of it. A snapshot may be edited, and snapshots may be taken of it.
 *
 * @param edit      unchanged. The call counts as a query of it.
 * @param snapshot  receives the snapshot, to be given to pm_edit_destroy() in any order; NULL after a failure.
 * @return PM_OK; PM_INVALID_ARGUMENT for NULL; PM_OUT_OF_MEMORY.
 */
PM_API pm_status pm_edit_snapshot(const pm_edit *edit, pm_edit **snapshot);

/** Destroys a sequence or a snapshot; NULL is allowed. */
PM_API void pm_edit_destroy(pm_edit *edit);

/** Returns the number of elements. */
PM_API uint64_t pm_edit_length(const pm_edit *edit);

/** Returns the bytes of the sequence, those that snapshots share with it included. It counts node by node. */
PM_API size_t pm_edit_size_in_bytes(const pm_edit *edit);

/**
 * Replaces elements at, ..., at + removed - 1 by others. What is behind them moves. The kinds of new elements are 0.
 *
 * @param at        0 to the length, which appends.
 * @param removed   elements to remove; may be 0.
 * @param parens    `inserted` bits.
 * @param inserted  elements to insert; may be 0.
 * @return PM_OK; PM_INVALID_ARGUMENT if at + removed is past the length, or for NULL; PM_TOO_LARGE if more than 2^40
 *         elements would result; PM_OUT_OF_MEMORY. After a failure the sequence is as before.
 */
PM_API pm_status pm_edit_replace(pm_edit *edit, uint64_t at, uint64_t removed, const uint64_t *parens,
                                 uint64_t inserted);

/**
 * Replaces elements as pm_edit_replace(), with kinds.
 *
 * @param kinds  `inserted` kinds; NULL: all are 0. PM_INVALID_ARGUMENT if the sequence has no kinds.
 */
PM_API pm_status pm_edit_replace_with(pm_edit *edit, uint64_t at, uint64_t removed, const uint64_t *parens,
                                      const uint8_t *kinds, uint64_t inserted);

/**
 * Reads elements at, ..., at + n - 1.
 *
 * @param parens  receives n bits; bits past these in the last word are unspecified.
 * @return PM_OK; PM_INVALID_ARGUMENT if at + n is past the length, or for NULL.
 */
PM_API pm_status pm_edit_read(const pm_edit *edit, uint64_t at, uint64_t n, uint64_t *parens);

/** Reads the kinds of elements at, ..., at + n - 1 as pm_edit_read(); of a sequence without kinds they are 0. */
PM_API pm_status pm_edit_read_kinds(const pm_edit *edit, uint64_t at, uint64_t n, uint8_t *kinds);

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

/** Returns the number of opens among elements 0 ... i - 1; for i >= n, of all opens. */
PM_API uint64_t pm_edit_rank_open(const pm_edit *edit, uint64_t i);
/** Returns the number of closes among elements 0 ... i - 1; for i >= n, of all closes. */
PM_API uint64_t pm_edit_rank_close(const pm_edit *edit, uint64_t i);
/** Returns the position of open k, counted from 0; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_edit_select_open(const pm_edit *edit, uint64_t k);
/** Returns the position of close k, counted from 0; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_edit_select_close(const pm_edit *edit, uint64_t k);
/** Returns the excess at i: opens minus closes among elements 0 ... i; for i >= n, among all. It may be negative. */
PM_API int64_t pm_edit_excess(const pm_edit *edit, uint64_t i);
/** Returns the close that matches the open at i; PM_BP_NONE if it is unmatched, or if no open is at i. */
PM_API uint64_t pm_edit_find_close(const pm_edit *edit, uint64_t i);
/** Returns the open that matches the close at i; PM_BP_NONE if it is unmatched, or if no close is at i. */
PM_API uint64_t pm_edit_find_open(const pm_edit *edit, uint64_t i);
/**
 * Returns the match of i: of an open its parent, the nearest open that encloses it; of a close its open. PM_BP_NONE if
 * the stack is empty there, or if i >= n.
 */
PM_API uint64_t pm_edit_enclose(const pm_edit *edit, uint64_t i);
/** Returns unmatched close k, counted from 0 at the beginning; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_edit_select_unmatched_close(const pm_edit *edit, uint64_t k);
/** Returns unmatched open k, counted from 0 at the end, that is the top of the stack; PM_BP_NONE if at most k exist. */
PM_API uint64_t pm_edit_select_unmatched_open(const pm_edit *edit, uint64_t k);

/* ---- Queries: the tree ------------------------------------------------------------------------------------------- */
/*
 * The sequence as an ordered forest: every open is a node, named by its position. The subtree of a node without a close
 * extends to n. The nodes without a parent, the roots, are siblings of one another, across any unmatched closes between
 * them. If `node` is not an open, the answer is PM_BP_NONE, also for depth and rank; pm_edit_subtree_size() and
 * pm_edit_degree() return 0, pm_edit_is_leaf() and pm_edit_is_ancestor() return false.
 * Source: Navarro and Sadakane, "Fully functional static and dynamic succinct trees".
 */

/** Returns the parent; PM_BP_NONE for a root. */
PM_API uint64_t pm_edit_parent(const pm_edit *edit, uint64_t node);
/** Returns the number of ancestors: 0 for a root. */
PM_API uint64_t pm_edit_depth(const pm_edit *edit, uint64_t node);
/** Returns true for a node without children. */
PM_API bool pm_edit_is_leaf(const pm_edit *edit, uint64_t node);
/** Returns the first child; PM_BP_NONE for a leaf. */
PM_API uint64_t pm_edit_first_child(const pm_edit *edit, uint64_t node);
/** Returns the last child; PM_BP_NONE for a leaf. */
PM_API uint64_t pm_edit_last_child(const pm_edit *edit, uint64_t node);
/** Returns the next sibling; PM_BP_NONE for a last child. */
PM_API uint64_t pm_edit_next_sibling(const pm_edit *edit, uint64_t node);
/** Returns the previous sibling; PM_BP_NONE for a first child. */
PM_API uint64_t pm_edit_prev_sibling(const pm_edit *edit, uint64_t node);
/** Returns the number of nodes in the subtree, including the node itself. */
PM_API uint64_t pm_edit_subtree_size(const pm_edit *edit, uint64_t node);
/** Returns the number of children. The time is proportional to the leaves of about 2800 elements in which a child
 * begins. */
PM_API uint64_t pm_edit_degree(const pm_edit *edit, uint64_t node);
/** Returns child k, counted from 0; PM_BP_NONE if there are at most k. Time as pm_edit_degree(), up to that child. */
PM_API uint64_t pm_edit_child(const pm_edit *edit, uint64_t node, uint64_t k);
/** Returns the ancestor `distance` steps up, 0 being the node itself; PM_BP_NONE if there are fewer. */
PM_API uint64_t pm_edit_level_ancestor(const pm_edit *edit, uint64_t node, uint64_t distance);
/** Returns true if `ancestor` is an ancestor of `node`, or the node itself. */
PM_API bool pm_edit_is_ancestor(const pm_edit *edit, uint64_t ancestor, uint64_t node);
/** Returns the lowest common ancestor, which may be one of the two; PM_BP_NONE for nodes below different roots. */
PM_API uint64_t pm_edit_lca(const pm_edit *edit, uint64_t a, uint64_t b);
/** Returns the number of nodes before the node in preorder. */
PM_API uint64_t pm_edit_preorder_rank(const pm_edit *edit, uint64_t node);
/** Returns node k in preorder, counted from 0; PM_BP_NONE if there are at most k. */
PM_API uint64_t pm_edit_preorder_select(const pm_edit *edit, uint64_t k);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_EDIT_H */
