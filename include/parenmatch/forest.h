/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch/forest.h: depth, parent and sibling vectors of a sequence, and sequences from such vectors.
 *
 * Every open is a node of an ordered forest. Its parent is its match; nodes without a parent are the roots. The subtree
 * of an open without a close extends to n. Siblings are nodes with one parent, in order; the roots are siblings of one
 * another.
 *
 * Stability: stable.
 */
#ifndef PARENMATCH_FOREST_H
#define PARENMATCH_FOREST_H

#include "parenmatch/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- From a sequence to vectors ---------------------------------------------------------------------------------- */
/*
 * These functions take a sequence of at most 2^32 - 1 elements (PM_TOO_LARGE) and its match, from any pm_match_*
 * function except pm_match_masks(). They take O(n) time. A `match` that cannot belong to the sequence is
 * PM_INVALID_ARGUMENT if the call notices it; otherwise the values are unspecified, but nothing is read or written out
 * of bounds. pm_match_verify() always notices.
 */

/** How a vector is indexed and how it names nodes. */
typedef enum pm_forest_index {
    /**
     * One entry for each of the n elements; a node is named by the index of its open. A close has the value of its
     * open. An unmatched close has PM_NONE, or 0 as depth and subtree size. Takes no memory.
     */
    PM_FOREST_BY_ELEMENT = 0,
    /**
     * One entry for each of the pm_forest_count() nodes; node k is open k, counted from 0, so nodes are numbered in
     * preorder. These are the vectors of array languages. Takes 4 bytes for every 64 elements (PM_OUT_OF_MEMORY).
     */
    PM_FOREST_BY_NODE = 1
} pm_forest_index;

/** Returns the number of nodes, that is of opens among the n elements; 0 if parens is NULL. */
PM_API size_t pm_forest_count(const uint64_t *parens, size_t n);

/**
 * Writes the position of each node. Takes no memory.
 *
 * @param position  receives pm_forest_count() entries: entry k is the element index of open k.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE.
 */
PM_API pm_status pm_forest_position(pm_context *context, const uint64_t *parens, size_t n, uint32_t *position);

/**
 * Writes each element's partner: of an open its close, of a close its open; PM_NONE if unmatched. Takes no memory.
 *
 * @param match    the sequence's match, n entries.
 * @param partner  receives n entries.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE.
 */
PM_API pm_status pm_forest_partner(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                   uint32_t *partner);

/**
 * Writes the depth vector: the number of ancestors of each node (0 for a root).
 *
 * @param context  NULL for the defaults.
 * @param by       how `depth` is indexed; another value is PM_INVALID_ARGUMENT.
 * @param parens   n bits in (n + 63) / 64 words.
 * @param n        elements.
 * @param match    the sequence's match, n entries.
 * @param depth    receives n or pm_forest_count() entries.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE; PM_OUT_OF_MEMORY, by node only.
 */
PM_API pm_status pm_forest_depth(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                                 const uint32_t *match, uint32_t *depth);

/** Writes the parent vector, with PM_NONE for a root. Parameters as pm_forest_depth(). */
PM_API pm_status pm_forest_parent(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                                  const uint32_t *match, uint32_t *parent);

/** Writes each node's previous sibling, with PM_NONE for a first child. Parameters as pm_forest_depth(). */
PM_API pm_status pm_forest_prev_sibling(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                                        const uint32_t *match, uint32_t *prev_sibling);

/** Writes each node's next sibling, with PM_NONE for a last child. Parameters as pm_forest_depth(). */
PM_API pm_status pm_forest_next_sibling(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                                        const uint32_t *match, uint32_t *next_sibling);

/** Writes each node's first child, with PM_NONE for a leaf. Parameters as pm_forest_depth(). */
PM_API pm_status pm_forest_first_child(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                                       const uint32_t *match, uint32_t *first_child);

/** Writes the number of nodes in each node's subtree, including the node itself. Parameters as pm_forest_depth(). */
PM_API pm_status pm_forest_subtree_size(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,
                                        const uint32_t *match, uint32_t *subtree_size);

/* ---- From a vector to a sequence --------------------------------------------------------------------------------- */

/**
 * Writes the balanced sequence of a depth vector in preorder.
 *
 * @param depth   of `nodes` nodes: depth[0] = 0 and depth[k + 1] <= depth[k] + 1, else PM_INVALID_ARGUMENT;
 *                pm_depth_verify() reports where.
 * @param nodes   at most 2^31 - 1 (PM_TOO_LARGE).
 * @param parens  receives 2 * nodes bits in (2 * nodes + 63) / 64 words; bits past the end are 0.
 * @return PM_OK; PM_INVALID_ARGUMENT; PM_TOO_LARGE.
 */
PM_API pm_status pm_parens_from_depth(pm_context *context, const uint32_t *depth, size_t nodes, uint64_t *parens);

/**
 * Checks that a depth vector is one that pm_parens_from_depth() accepts: PM_OK if it is, PM_CORRUPT if not. Runs on one
 * thread and takes no memory.
 *
 * @param depth, nodes  as pm_parens_from_depth(); more nodes are PM_TOO_LARGE.
 * @param wrong         receives, with PM_CORRUPT, the index of the first wrong entry: the smallest k with
 *                      depth[k] > depth[k - 1] + 1, or 0 if depth[0] > 0. Otherwise unchanged; may be NULL.
 */
PM_API pm_status pm_depth_verify(pm_context *context, const uint32_t *depth, size_t nodes, size_t *wrong);

/**
 * Writes the balanced sequence of a parent vector. The parent of a root is PM_NONE, or the root itself as in APL. Takes
 * O(nodes) time at any depth.
 *
 * @param parent  of `nodes` nodes. A parent that is not a node, or a cycle, is PM_INVALID_ARGUMENT; pm_parent_verify()
 *                reports where. Children, and roots, are placed in the order of their numbers.
 * @param nodes   at most 2^31 - 1 (PM_TOO_LARGE).
 * @param parens  as pm_parens_from_depth().
 * @param order   receives `nodes` numbers: order[k] is the node that became open k. This takes 8 bytes a node
 *                (PM_OUT_OF_MEMORY). NULL: no order; then the vector must be in preorder (order[k] = k), else
 *                PM_INVALID_ARGUMENT.
 */
PM_API pm_status pm_parens_from_parent(pm_context *context, const uint32_t *parent, size_t nodes, uint64_t *parens,
                                       uint32_t *order);

/**
 * Checks that a parent vector is one that pm_parens_from_parent() accepts: PM_OK if it is, PM_CORRUPT if not. Runs on
 * one thread in O(nodes) time.
 *
 * @param parent, nodes  as pm_parens_from_parent(); more nodes are PM_TOO_LARGE.
 * @param in_preorder    the vector must be in preorder, as without an order. Takes no memory then, else 4 bytes a node
 *                       (PM_OUT_OF_MEMORY).
 * @param wrong          receives, with PM_CORRUPT, the index of the first wrong entry: the smallest node whose parent
 *                       is not a node, or which is itself on a cycle. In preorder the parent must be PM_NONE, the node
 *                       itself, the node before it, or an ancestor of that one. Otherwise unchanged; may be NULL.
 */
PM_API pm_status pm_parent_verify(pm_context *context, const uint32_t *parent, size_t nodes, bool in_preorder,
                                  size_t *wrong);

#ifdef __cplusplus
}
#endif

#endif /* PARENMATCH_FOREST_H */
