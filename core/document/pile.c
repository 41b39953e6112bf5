/* SPDX-License-Identifier: Apache-2.0 */
/* What is around a part of a document's text: rows of parts on both sides. */
#include "core/document/document.h"

void pmi_document_pile_push(pmi_document_pile *pile, const pmi_document_node *node, uint64_t base) {
    uint64_t closed = node->count[1 - pile->side];
    closed = closed < pile->total ? closed : pile->total;
    pile->total -= closed;
    while (closed > 0) {
        uint32_t *const count = &pile->part[pile->parts - 1].count;
        const uint32_t here = closed < *count ? (uint32_t)closed : *count;
        *count -= here;
        closed -= here;
        pile->parts -= *count == 0;
    }
    const uint32_t count = node->count[pile->side];
    if (count == 0)
        return;
    pile->part[pile->parts].node = node;
    pile->part[pile->parts].base = base;
    pile->part[pile->parts++].count = count;
    pile->total += count;
}

void pmi_document_pile_kinds(const pmi_document_pile *pile, size_t n, uint64_t *kinds) {
    memset(kinds, 0, pmi_kinds_words(n) * sizeof *kinds);
    for (unsigned p = pile->parts; n > 0; p--) {
        const uint32_t count = pile->part[p - 1].count, here = n < count ? (uint32_t)n : count;
        n -= here;
        pmi_document_row_copy(pile->part[p - 1].node, pile->side, count - here, here, kinds, n);
    }
}

const pmi_document_node *pmi_document_pile_leaf(const pmi_document_pile *pile, uint64_t back, uint32_t *rank,
                                                uint64_t *base) {
    unsigned p = pile->parts - 1;
    for (; back >= pile->part[p].count; p--)
        back -= pile->part[p].count;
    *rank = pile->part[p].count - 1 - (uint32_t)back;
    *base = pile->part[p].base;
    return pmi_document_row_leaf(pile->part[p].node, pile->side, rank, base);
}

unsigned pmi_document_pile_kind(const pmi_document_pile *pile, uint64_t back) {
    uint32_t rank;
    uint64_t base;
    const pmi_document_node *const leaf = pmi_document_pile_leaf(pile, back, &rank, &base);
    return pmi_kinds_at(pmi_document_leaf_row(leaf, pile->side), rank);
}

bool pmi_document_pile_find(pm_document *document, const pmi_document_pile *pile, uint64_t back, uint64_t *offset) {
    uint32_t rank, at;
    const pmi_document_node *const leaf = pmi_document_pile_leaf(pile, back, &rank, offset);
    if (!pmi_document_leaf_find(document, leaf, pile->side, rank, &at))
        return false;
    *offset += at;
    return true;
}
