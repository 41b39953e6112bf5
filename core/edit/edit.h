/* SPDX-License-Identifier: Apache-2.0 */
/* What the files behind pm_edit share. */
#ifndef PM_CORE_EDIT_EDIT_H
#define PM_CORE_EDIT_EDIT_H

#include "base/edit_tree.h"
#include "core/context/context.h"

/*
 * Replaces elements by rebuilding the leaves and nodes around them, including the leaves of positions `first` and
 * `last`. Returns false if there is no memory; then nothing has changed.
 */
bool pmi_edit_rebuild(struct pm_edit *edit, uint64_t at, uint64_t removed, const pmi_edit_source *source,
                      uint64_t inserted, uint64_t first, uint64_t last);

/* Returns the node at that height (0: the leaf) with the element at `at`, or the last one for what is behind; *begin
 * and *end receive the positions of its elements. */
void *pmi_edit_block_at(const struct pm_edit *edit, unsigned height, uint64_t at, uint64_t *begin, uint64_t *end);

/* Copies bits of one plane; at + n must not be past the length. */
void pmi_edit_copy(const struct pm_edit *edit, unsigned plane, uint64_t at, uint64_t n, uint64_t *to, uint64_t to_bit);

/* Returns the tree of an empty sequence; NULL if there is no memory. */
pmi_edit_node *pmi_edit_empty_tree(const pm_allocator *allocator, unsigned planes);

/* One tree more refers to a node or leaf, or one tree fewer; the last to do so gives it back. Height 0 is a leaf. */
void pmi_edit_refer(void *block);
void pmi_edit_release(const pm_allocator *allocator, void *block, unsigned height);

/* Returns the bytes of a leaf. */
static inline size_t pmi_edit_leaf_size(unsigned planes) {
    return sizeof(pmi_edit_leaf) + planes * PM_EDIT_LEAF_WORDS * sizeof(uint64_t);
}

#endif
