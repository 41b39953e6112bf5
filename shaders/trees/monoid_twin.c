/* SPDX-License-Identifier: Apache-2.0 */
/* What include/parenmatch/monoid/{down,up}.glsl do, in the order of the nodes instead of by doubling. */
#include "shaders/twins.h"

#include <stdbool.h>
#include <string.h>

/* What every stage is given. */
typedef struct twin {
    const pmi_monoid_parameters *p;
    const pm_monoid *monoid;
    uint32_t tile_nodes, nodes, tiles;
} twin;

static uint32_t *words_at(uint64_t address) {
    return (uint32_t *)(uintptr_t)address;
}

static unsigned char *value_at(const twin *t, uint64_t address, uint64_t index) {
    return (unsigned char *)(uintptr_t)address + index * t->monoid->size;
}

static void copy(const twin *t, void *to, const void *from) {
    memcpy(to, from, t->monoid->size);
}

/* to = a times b; to may be either. */
static void combine(const twin *t, void *to, const void *a, const void *b) {
    unsigned char product[PM_MONOID_VALUE_MAX];
    t->monoid->combine(product, a, b, t->monoid->user);
    copy(t, to, product);
}

static uint32_t end_of(const twin *t, uint32_t node) {
    const uint32_t end = words_at(t->p->ends)[node];
    return end < t->nodes ? end : t->nodes;
}

static bool is_survivor(const twin *t, uint32_t node) {
    return t->nodes > t->tile_nodes && (words_at(t->p->survivors)[node / 32] >> node % 32 & 1) != 0;
}

static bool is_in_tile_of(const twin *t, uint32_t node, uint32_t other) {
    return other != PM_MONOID_NOTHING && other / t->tile_nodes == node / t->tile_nodes;
}

/* ---- Down ---- */

static void chains(const twin *t) {
    for (uint32_t tile = 0; tile < t->tiles; tile++) {
        words_at(t->p->heads)[tile] = PM_MONOID_NOTHING;
        for (uint32_t k = 0; k < t->tile_nodes / 32; k++)
            words_at(t->p->survivors)[tile * (t->tile_nodes / 32) + k] = 0;
    }
    for (uint32_t node = 0; node < t->nodes; node++) {
        const uint32_t tile = node / t->tile_nodes, parent = words_at(t->p->parents)[node];
        if (end_of(t, node) <= (tile + 1) * t->tile_nodes)
            continue;
        words_at(t->p->survivors)[node / 32] |= UINT32_C(1) << node % 32;
        if (is_in_tile_of(t, node, parent)) {
            combine(t, value_at(t, t->p->results, node), value_at(t, t->p->results, parent),
                    value_at(t, t->p->values, node));
        } else {
            copy(t, value_at(t, t->p->results, node), value_at(t, t->p->values, node));
            words_at(t->p->heads)[tile] = parent;
        }
    }
}

static uint32_t link_of(const twin *t, uint32_t tile) {
    if (t->p->shift > 0)
        return words_at(t->p->links_from)[tile];
    const uint32_t holder = words_at(t->p->heads)[tile] / t->tile_nodes;
    return words_at(t->p->heads)[holder] == PM_MONOID_NOTHING ? PM_MONOID_NOTHING : holder;
}

static const unsigned char *base_of(const twin *t, uint32_t tile) {
    return t->p->shift > 0 ? value_at(t, t->p->bases_from, tile)
                           : value_at(t, t->p->results, words_at(t->p->heads)[tile]);
}

static void jump(const twin *t) {
    for (uint32_t tile = 0; tile < t->tiles; tile++) {
        if (words_at(t->p->heads)[tile] == PM_MONOID_NOTHING)
            continue;
        unsigned char *const base = value_at(t, t->p->bases_to, tile);
        copy(t, base, base_of(t, tile));
        uint32_t link = link_of(t, tile);
        for (uint32_t hop = 1; hop < PM_MONOID_HOPS && link != PM_MONOID_NOTHING; hop++, link = link_of(t, link))
            combine(t, base, base_of(t, link), base);
        words_at(t->p->links_to)[tile] = link;
    }
}

/* From the last to the first, so that a parent's is there when it is wanted. */
static void survivors(const twin *t) {
    for (uint32_t node = t->nodes; node-- > 0;) {
        if (!is_survivor(t, node))
            continue;
        const uint32_t tile = node / t->tile_nodes, from = t->p->exclusive ? words_at(t->p->parents)[node] : node;
        const bool has_base = words_at(t->p->heads)[tile] != PM_MONOID_NOTHING;
        unsigned char *const result = value_at(t, t->p->results, node);
        const unsigned char *const base = value_at(t, t->p->bases_from, tile);
        if (is_in_tile_of(t, node, from) && has_base)
            combine(t, result, base, value_at(t, t->p->results, from));
        else if (is_in_tile_of(t, node, from))
            copy(t, result, value_at(t, t->p->results, from));
        else
            copy(t, result, has_base ? base : t->monoid->identity);
    }
}

static void rest(const twin *t) {
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (is_survivor(t, node))
            continue;
        const uint32_t parent = words_at(t->p->parents)[node];
        unsigned char *const result = value_at(t, t->p->results, node);
        if (parent == PM_MONOID_NOTHING)
            copy(t, result, t->p->exclusive ? t->monoid->identity : value_at(t, t->p->values, node));
        else if (!t->p->exclusive)
            combine(t, result, value_at(t, t->p->results, parent), value_at(t, t->p->values, node));
        else if (words_at(t->p->parents)[parent] == PM_MONOID_NOTHING)
            copy(t, result, value_at(t, t->p->values, parent));
        else
            combine(t, result, value_at(t, t->p->results, parent), value_at(t, t->p->values, parent));
    }
}

/* ---- Up ---- */

/* Where the products of blocks of 2^shift nodes are; where shift is 0, the values. */
static uint64_t products_of(const twin *t, uint32_t shift) {
    uint64_t begin = 0;
    for (uint32_t below = PM_MONOID_BLOCK_SHIFT; below < shift; below++)
        begin += t->nodes >> below;
    return t->p->products + begin * t->monoid->size;
}

/* Each from the given ones. */
static void products(const twin *t) {
    const uint64_t from = t->p->shift == 0 ? t->p->values : products_of(t, t->p->shift);
    uint32_t shift = t->p->shift;
    for (uint32_t size = 2; size <= t->tile_nodes * PM_MONOID_GIVEN; size *= 2) {
        shift++;
        for (uint32_t block = 0; shift >= PM_MONOID_BLOCK_SHIFT && block < t->nodes >> shift; block++) {
            unsigned char *const product = value_at(t, products_of(t, shift), block);
            copy(t, product, value_at(t, from, (uint64_t)block * size));
            for (uint32_t k = 1; k < size; k++)
                combine(t, product, product, value_at(t, from, (uint64_t)block * size + k));
        }
    }
}

static void ranges(const twin *t) {
    for (uint32_t node = 0; node < t->nodes; node++) {
        unsigned char *const result = value_at(t, t->p->results, node);
        const uint32_t end = end_of(t, node);
        copy(t, result, value_at(t, t->p->values, node));
        for (uint32_t next = node + 1; next < end; next++)
            combine(t, result, result, value_at(t, t->p->values, next));
    }
}

void pmi_monoid_twin(const pmi_monoid_parameters *p, const pm_monoid *monoid, uint32_t tile_nodes, uint32_t stage) {
    static void (*const stages[PM_MONOID_STAGES])(const twin *t) = {
        [PM_MONOID_CHAINS] = chains, [PM_MONOID_JUMP] = jump,         [PM_MONOID_SURVIVORS] = survivors,
        [PM_MONOID_REST] = rest,     [PM_MONOID_PRODUCTS] = products, [PM_MONOID_RANGES] = ranges};
    const uint32_t nodes = *words_at(p->count);
    stages[stage](&(twin){p, monoid, tile_nodes, nodes, nodes / tile_nodes + (nodes % tile_nodes != 0)});
}
