/* SPDX-License-Identifier: Apache-2.0 */
/* The relations of a forest as vectors in two forms: one value for each element, and one for each node. */
#include "core/match/match.h"
#include "core/trees/forest.h"

/* ---- By element ---- */

/* Returns the open of an element's node; PM_NONE for an unmatched close. */
static uint32_t element_open(const pmi_forest *forest, size_t i) {
    const uint32_t match = forest->match[i]; /* read in any case, so that nothing need branch on a fair coin */
    return pmi_bits_get(forest->parens, i) ? (uint32_t)i : match;
}

/* Stores a relation of each element's node: an open's own, and a close's that of its open. `without_node` is the value
 * of an unmatched close. */
static pm_status element_vector(const uint64_t *parens, size_t n, const uint32_t *match, pmi_forest_relation *relation,
                                uint32_t without_node, uint32_t *out) {
    const pm_status status = pmi_match_check(parens, n, match, out);
    if (status != PM_OK)
        return status;
    const pmi_forest forest = {parens, n, match, NULL};
    relation(&forest, out);
    for (size_t i = 0; i < n; i++) {
        const uint32_t open = element_open(&forest, i);
        out[i] = open == PM_NONE ? without_node : out[open];
    }
    return PM_OK;
}

pm_status pm_forest_partner(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                            uint32_t *partner) {
    (void)context;
    const pm_status status = pmi_match_check(parens, n, match, partner);
    if (status != PM_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        const bool open = pmi_bits_get(parens, i);
        partner[i] = open ? PM_NONE : match[i];
        if (!open && match[i] != PM_NONE)
            partner[match[i]] = (uint32_t)i;
    }
    return PM_OK;
}

/* ---- By node ---- */

/* Stores a relation between the nodes, numbered in preorder. */
static pm_status node_vector(const pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                             pmi_forest_relation *relation, uint32_t *out) {
    const pm_status status = pmi_match_check(parens, n, match, out);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    pmi_rank rank;
    if (!pmi_rank_create(&rank, &allocator, parens, n))
        return PM_OUT_OF_MEMORY;
    const pmi_forest forest = {parens, n, match, &rank};
    relation(&forest, out);
    pmi_rank_destroy(&rank, &allocator);
    return PM_OK;
}

size_t pm_forest_count(const uint64_t *parens, size_t n) {
    if (!parens)
        return 0;
    size_t count = 0;
    for (size_t w = 0; w < n / PM_WORD_BITS; w++)
        count += pmi_bits_count(parens[w]);
    if (n % PM_WORD_BITS != 0)
        count += pmi_bits_count(parens[n / PM_WORD_BITS] & pmi_bits_low(n % PM_WORD_BITS));
    return count;
}

pm_status pm_forest_position(pm_context *context, const uint64_t *parens, size_t n, uint32_t *position) {
    (void)context;
    const pm_status status = pmi_arguments_check(n, parens && position);
    if (status != PM_OK)
        return status;
    size_t nodes = 0;
    for (size_t open = pmi_bits_next(parens, n, 0); open < n; open = pmi_bits_next(parens, n, open + 1))
        position[nodes++] = (uint32_t)open;
    return PM_OK;
}

/* ---- Both ---- */

#define VECTOR(relation, without_node)                                                                                 \
    pm_status pm_forest_##relation(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,          \
                                   const uint32_t *match, uint32_t *relation) {                                        \
        switch (by) {                                                                                                  \
        case PM_FOREST_BY_ELEMENT:                                                                                     \
            return element_vector(parens, n, match, pmi_forest_##relation, without_node, relation);                    \
        case PM_FOREST_BY_NODE:                                                                                        \
            return node_vector(context, parens, n, match, pmi_forest_##relation, relation);                            \
        default:                                                                                                       \
            return PM_INVALID_ARGUMENT;                                                                                \
        }                                                                                                              \
    }

VECTOR(depth, 0)
VECTOR(parent, PM_NONE)
VECTOR(prev_sibling, PM_NONE)
VECTOR(next_sibling, PM_NONE)
VECTOR(first_child, PM_NONE)
VECTOR(subtree_size, 0)
