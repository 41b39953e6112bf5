/* SPDX-License-Identifier: Apache-2.0 */
/* The element-indexed form: the forest's relations, and each close with the value of its open. */
#include "core/match/match.h"
#include "core/trees/forest.h"

/* The open of the node that an element stands for; none for an unmatched close. */
static uint32_t element_open(const pmi_forest *forest, size_t i) {
    const uint32_t match = forest->match[i]; /* read in any case, so that nothing need branch on a fair coin */
    return pmi_bits_get(forest->parens, i) ? (uint32_t)i : match;
}

/* `without_node` is the value of an unmatched close. */
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

pm_status pm_element_partner(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
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

pm_status pm_element_depth(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                           uint32_t *depth) {
    (void)context;
    return element_vector(parens, n, match, pmi_forest_depth, 0, depth);
}

pm_status pm_element_parent(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                            uint32_t *parent) {
    (void)context;
    return element_vector(parens, n, match, pmi_forest_parent, PM_NONE, parent);
}

pm_status pm_element_prev_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                  uint32_t *prev_sibling) {
    (void)context;
    return element_vector(parens, n, match, pmi_forest_prev_sibling, PM_NONE, prev_sibling);
}

pm_status pm_element_next_sibling(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                  uint32_t *next_sibling) {
    (void)context;
    return element_vector(parens, n, match, pmi_forest_next_sibling, PM_NONE, next_sibling);
}

pm_status pm_element_first_child(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                 uint32_t *first_child) {
    (void)context;
    return element_vector(parens, n, match, pmi_forest_first_child, PM_NONE, first_child);
}

pm_status pm_element_subtree_size(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                                  uint32_t *subtree_size) {
    (void)context;
    return element_vector(parens, n, match, pmi_forest_subtree_size, 0, subtree_size);
}
