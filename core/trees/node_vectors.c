/* SPDX-License-Identifier: Apache-2.0 */
/* The node-indexed form: the forest's relations between nodes numbered by rank, which is preorder. */
#include "core/match/match.h"
#include "core/trees/forest.h"

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

size_t pm_node_count(const uint64_t *parens, size_t n) {
    if (!parens)
        return 0;
    size_t count = 0;
    for (size_t w = 0; w < n / PM_WORD_BITS; w++)
        count += pmi_bits_count(parens[w]);
    if (n % PM_WORD_BITS != 0)
        count += pmi_bits_count(parens[n / PM_WORD_BITS] & pmi_bits_low(n % PM_WORD_BITS));
    return count;
}

pm_status pm_node_position(pm_context *context, const uint64_t *parens, size_t n, uint32_t *position) {
    (void)context;
    const pm_status status = pmi_arguments_check(n, parens && position);
    if (status != PM_OK)
        return status;
    size_t nodes = 0;
    for (size_t open = pmi_bits_next(parens, n, 0); open < n; open = pmi_bits_next(parens, n, open + 1))
        position[nodes++] = (uint32_t)open;
    return PM_OK;
}

pm_status pm_node_depth(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match, uint32_t *depth) {
    return node_vector(context, parens, n, match, pmi_forest_depth, depth);
}

pm_status pm_node_parent(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                         uint32_t *parent) {
    return node_vector(context, parens, n, match, pmi_forest_parent, parent);
}

pm_status pm_node_prev_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                               uint32_t *prev_sibling) {
    return node_vector(context, parens, n, match, pmi_forest_prev_sibling, prev_sibling);
}

pm_status pm_node_next_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                               uint32_t *next_sibling) {
    return node_vector(context, parens, n, match, pmi_forest_next_sibling, next_sibling);
}

pm_status pm_node_first_child(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                              uint32_t *first_child) {
    return node_vector(context, parens, n, match, pmi_forest_first_child, first_child);
}

pm_status pm_node_subtree_size(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                               uint32_t *subtree_size) {
    return node_vector(context, parens, n, match, pmi_forest_subtree_size, subtree_size);
}
