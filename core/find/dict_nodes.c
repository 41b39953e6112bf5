/* SPDX-License-Identifier: Apache-2.0 */
/* The trie of PFAC in compact rows: each row is placed where its children fit into gaps between others. */
#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"
#include "core/find/dict_compile.h"

#define TRIES 32u /* gaps that are looked at for a row of several children */

typedef struct node_builder {
    struct pm_dict *dict;
    const pmi_trie *trie;
    uint32_t *place;  /* of each node of the trie */
    uint64_t *taken;  /* a bit for each place */
    size_t first_gap; /* no place before it is free */
    size_t end;       /* places from here on are all free */
} node_builder;

static bool is_taken(const node_builder *builder, size_t place) {
    return pmi_bits_get(builder->taken, place);
}

/* Makes room for a row that begins at `base`. */
static pm_status reach(node_builder *builder, size_t base) {
    struct pm_dict *const dict = builder->dict;
    const size_t needed = base + dict->classes;
    if (needed <= dict->node_room)
        return PM_OK;
    const size_t room = pmi_bits_words(needed + needed / 4) * PM_WORD_BITS;
    if (room > PM_NONE)
        return PM_TOO_LARGE;
    pmi_dict_node *const nodes = pmi_memory_allocate(&dict->allocator, room, sizeof *nodes);
    uint64_t *const taken = pmi_memory_allocate(&dict->allocator, room / PM_WORD_BITS, sizeof *taken);
    if (!nodes || !taken) {
        pmi_memory_free(&dict->allocator, nodes);
        pmi_memory_free(&dict->allocator, taken);
        return PM_OUT_OF_MEMORY;
    }
    const size_t words = dict->node_room / PM_WORD_BITS;
    if (dict->node_room > 0) {
        memcpy(nodes, dict->nodes, dict->node_room * sizeof *nodes);
        memcpy(taken, builder->taken, words * sizeof *taken);
    }
    memset(taken + words, 0, (room / PM_WORD_BITS - words) * sizeof *taken);
    for (size_t i = dict->node_room; i < room; i++)
        nodes[i] = (pmi_dict_node){.base = 0, .parent = PM_NONE, .longest = PM_NONE};
    pmi_memory_free(&dict->allocator, dict->nodes);
    pmi_memory_free(&dict->allocator, builder->taken);
    dict->nodes = nodes;
    dict->node_room = room;
    builder->taken = taken;
    return PM_OK;
}

/* The first free place from `place` on; builder->end at the latest. */
static size_t next_gap(const node_builder *builder, size_t place) {
    for (; place < builder->end; place = (place / PM_WORD_BITS + 1) * PM_WORD_BITS) {
        const uint64_t free_places = ~builder->taken[place / PM_WORD_BITS] & ~pmi_bits_low(place % PM_WORD_BITS);
        if (free_places != 0)
            return place / PM_WORD_BITS * PM_WORD_BITS + pmi_bits_lowest(free_places);
    }
    return place < builder->end ? place : builder->end;
}

static bool fits(const node_builder *builder, size_t base, const uint8_t *labels, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (base + labels[i] < builder->end && is_taken(builder, base + labels[i]))
            return false;
    return true;
}

/* Where a row of these children can begin. */
static size_t find_base(const node_builder *builder, const uint8_t *labels, size_t count) {
    size_t gap = next_gap(builder, builder->first_gap > labels[0] ? builder->first_gap : labels[0]);
    for (unsigned tries = 0; tries < TRIES && gap < builder->end; tries++) {
        if (fits(builder, gap - labels[0], labels, count))
            return gap - labels[0];
        gap = next_gap(builder, gap + 1);
    }
    return builder->end > labels[0] ? builder->end - labels[0] : 0;
}

static void take(node_builder *builder, size_t place, uint32_t parent, uint32_t longest) {
    builder->taken[place / PM_WORD_BITS] |= UINT64_C(1) << place % PM_WORD_BITS;
    builder->dict->nodes[place].parent = parent;
    builder->dict->nodes[place].longest = longest;
    if (builder->end <= place)
        builder->end = place + 1;
}

static pm_status place_children(node_builder *builder, uint32_t k) {
    const pmi_trie *const trie = builder->trie;
    const uint32_t first = trie->first_child[k], count = trie->first_child[k + 1] - first;
    if (count == 0)
        return PM_OK; /* its row begins at 0, and has nobody whose parent it is */
    const uint8_t *const labels = trie->label + first;
    const size_t base = find_base(builder, labels, count);
    const pm_status status = reach(builder, base);
    if (status != PM_OK)
        return status;
    const uint32_t parent = builder->place[k];
    builder->dict->nodes[parent].base = (uint32_t)base;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t pattern = trie->pattern[first + i];
        const uint32_t longest = pattern != PM_NONE ? pattern : builder->dict->nodes[parent].longest;
        take(builder, base + labels[i], parent, longest);
        builder->place[first + i] = (uint32_t)(base + labels[i]);
    }
    builder->first_gap = next_gap(builder, builder->first_gap);
    return PM_OK;
}

/* What patterns begin with: `longest` of a node that a pattern ends at is that pattern, of its parent the one before.
 */
static void note_nested(struct pm_dict *dict, const pmi_trie *trie, const uint32_t *place) {
    for (uint32_t k = 1; k < trie->nodes; k++) {
        if (trie->pattern[k] == PM_NONE)
            continue;
        const uint32_t shorter = dict->nodes[dict->nodes[place[k]].parent].longest;
        pmi_dict_pattern *const pattern = &dict->patterns[trie->pattern[k]];
        pattern->shorter = shorter;
        pattern->nested = 1;
        pattern->least = trie->pattern[k];
        if (shorter != PM_NONE) {
            pattern->nested += dict->patterns[shorter].nested;
            if (dict->patterns[shorter].least < pattern->least)
                pattern->least = dict->patterns[shorter].least;
        }
        if (pattern->nested > dict->nested_most)
            dict->nested_most = pattern->nested;
    }
}

pm_status pmi_dict_make_nodes(struct pm_dict *dict, const pmi_trie *trie) {
    const pm_allocator *const memory = &dict->allocator;
    node_builder builder = {
        .dict = dict, .trie = trie, .place = pmi_memory_allocate(memory, trie->nodes, sizeof *builder.place)};
    pm_status status = builder.place ? reach(&builder, trie->nodes) : PM_OUT_OF_MEMORY;
    if (status == PM_OK) {
        builder.place[0] = 0;
        take(&builder, 0, PM_NONE, PM_NONE);
    }
    for (uint32_t k = 0; k < trie->nodes && status == PM_OK; k++)
        status = place_children(&builder, k);
    if (status == PM_OK)
        note_nested(dict, trie, builder.place);
    pmi_memory_free(memory, builder.taken);
    pmi_memory_free(memory, builder.place);
    return status;
}
