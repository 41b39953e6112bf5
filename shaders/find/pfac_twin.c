/* SPDX-License-Identifier: Apache-2.0 */
/* Said as plainly as can be: no lanes, no filters, no queue, one place after the other. */
#include "shaders/twins.h"

#define NONE 0xffffffffu

typedef struct node {
    uint32_t base, parent;
} node;

typedef struct node_end {
    uint32_t longest, hits;
} node_end;

typedef struct chain {
    uint32_t begin, length;
} chain;

/* An address of the host. */
static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static uint32_t tiles_of(const pmi_pfac_parameters *p) {
    return p->places / PM_PFAC_TILE + (p->places % PM_PFAC_TILE != 0);
}

/* The end of the way down the trie from a place. */
static node_end walk(const pmi_pfac_parameters *p, uint32_t place) {
    const node *const nodes = at(p->nodes);
    const unsigned char *const text = at(p->text);
    const unsigned char *const class_of =
        (const unsigned char *)((const uint32_t *)at(p->filters) + PM_PFAC_LONG_WORDS + PM_PFAC_SHORT_WORDS);
    uint32_t here = 0;
    for (uint32_t i = place; i < p->n; i++) {
        const uint32_t child = (nodes[here].base & ~PM_PFAC_PATTERN_ENDS) + class_of[text[i]];
        if (nodes[child].parent != here)
            break;
        here = child;
    }
    return ((const node_end *)at(p->nodes))[p->ends + here];
}

/* ---- search ---- */

static uint32_t tile_search(const pmi_pfac_parameters *p, uint32_t tile) {
    uint32_t bits[PM_PFAC_TILE_WORDS] = {0}, hits = 0;
    for (uint32_t k = 0; k < PM_PFAC_TILE && tile * PM_PFAC_TILE + k < p->places; k++) {
        const node_end end = walk(p, tile * PM_PFAC_TILE + k);
        if (end.longest != NONE)
            bits[k / 32] |= UINT32_C(1) << k % 32;
        hits += end.hits;
    }
    uint32_t *const begins = (uint32_t *)at(p->begins) + (uint64_t)tile * PM_PFAC_TILE_WORDS;
    for (uint32_t w = 0; w < PM_PFAC_TILE_WORDS && hits > 0; w++)
        begins[w] = bits[w];
    return hits;
}

void pmi_pfac_search_twin(const pmi_pfac_parameters *p) {
    uint32_t *const tile_hits = at(p->tile_hits), *const group_hits = at(p->group_hits);
    for (uint32_t group = 0; group < p->groups; group++)
        group_hits[group] = 0;
    for (uint32_t tile = 0; tile < tiles_of(p); tile++) {
        tile_hits[tile] = tile_search(p, tile);
        group_hits[tile / p->group_tiles] += tile_hits[tile];
    }
}

/* ---- scan ---- */

void pmi_pfac_scan_twin(const pmi_pfac_parameters *p) {
    uint32_t *const group_hits = at(p->group_hits), *const total = at(p->total), before = 0;
    for (uint32_t group = 0; group < p->groups; group++) {
        const uint32_t own = group_hits[group];
        group_hits[group] = before;
        before += own;
    }
    group_hits[p->groups] = *total = before;
}

/* ---- write ---- */

/* The hits of a place, hit_index being the number of the first; returns that of the next place's first. */
static uint32_t place_write(const pmi_pfac_parameters *p, uint32_t place, uint32_t hit_index) {
    const chain *const patterns = at(p->patterns);
    const uint32_t *const chains = at(p->chains);
    const uint64_t start = ((uint64_t)p->start_high << 32 | p->start_low) + place;
    const node_end end = walk(p, place);
    for (uint32_t k = 0; k < end.hits; k++, hit_index++) {
        if (hit_index < p->hit_first || hit_index - p->hit_first >= p->hit_room)
            continue;
        uint32_t *const hit = (uint32_t *)at(p->hits) + (uint64_t)(hit_index - p->hit_first) * 4;
        const uint32_t pattern = chains[patterns[end.longest].begin + k];
        hit[0] = (uint32_t)start;
        hit[1] = (uint32_t)(start >> 32);
        hit[2] = patterns[pattern].length;
        hit[3] = pattern;
    }
    return hit_index;
}

void pmi_pfac_write_twin(const pmi_pfac_parameters *p) {
    const uint32_t *const tile_hits = at(p->tile_hits), *const begins = at(p->begins);
    uint32_t hit_index = 0;
    for (uint32_t tile = 0; tile < tiles_of(p); tile++)
        for (uint32_t k = 0; k < PM_PFAC_TILE && tile_hits[tile] > 0; k++) {
            const uint32_t place = tile * PM_PFAC_TILE + k;
            if (begins[place / 32] >> place % 32 & 1)
                hit_index = place_write(p, place, hit_index);
        }
}
