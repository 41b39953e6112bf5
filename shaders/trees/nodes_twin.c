/* SPDX-License-Identifier: Apache-2.0 */
/* What shaders/nodes_*.comp do, without what they do it with. */
#include "shaders/twins.h"

#include <stdbool.h>

static uint32_t *words_at(uint64_t address) {
    return (uint32_t *)(uintptr_t)address;
}

static bool is_open(const pmi_nodes_parameters *p, uint32_t element) {
    return words_at(p->parens)[element / 32] >> element % 32 & 1;
}

void pmi_nodes_count_twin(const pmi_nodes_parameters *p) {
    for (uint32_t block = 0; block < p->blocks; block++)
        words_at(p->block_rank)[block] = 0;
    for (uint32_t element = 0; element < p->n; element++)
        words_at(p->block_rank)[element / PM_NODES_BLOCK] += is_open(p, element);
    for (uint32_t node = 0; node < p->nodes; node++)
        words_at(p->ends)[node] = PM_NO_ELEMENT;
}

void pmi_nodes_scan_twin(const pmi_nodes_parameters *p) {
    uint32_t rank = 0;
    for (uint32_t block = 0; block < p->blocks; block++) {
        const uint32_t opens = words_at(p->block_rank)[block];
        words_at(p->block_rank)[block] = rank;
        rank += opens;
    }
    *words_at(p->count) = rank < p->nodes ? rank : p->nodes;
}

void pmi_nodes_rank_twin(const pmi_nodes_parameters *p) {
    uint32_t rank = 0;
    for (uint32_t element = 0; element < p->n; element++) {
        if (element % PM_NODES_BLOCK == 0)
            rank = words_at(p->block_rank)[element / PM_NODES_BLOCK];
        if (element % 32 == 0)
            words_at(p->word_rank)[element / 32] = rank;
        rank += is_open(p, element);
    }
}

static uint32_t rank_of(const pmi_nodes_parameters *p, uint32_t element) {
    uint32_t rank = words_at(p->word_rank)[element / 32];
    for (uint32_t before = element / 32 * 32; before < element; before++)
        rank += is_open(p, before);
    return rank;
}

void pmi_nodes_link_twin(const pmi_nodes_parameters *p) {
    for (uint32_t element = 0; element < p->n; element++) {
        const uint32_t match = words_at(p->match)[element], rank = rank_of(p, element);
        const uint32_t of_match = match == PM_NO_ELEMENT ? PM_NO_ELEMENT : rank_of(p, match);
        if (is_open(p, element) && rank < p->nodes)
            words_at(p->parents)[rank] = of_match;
        else if (!is_open(p, element) && of_match < p->nodes)
            words_at(p->ends)[of_match] = rank;
    }
}
