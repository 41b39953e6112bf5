/* SPDX-License-Identifier: Apache-2.0 */
/* Making the trie of a dictionary: patterns are divided by the first byte, each part by the second, and so on. */
#include <string.h>

#include "core/context/context.h"
#include "core/find/dict_compile.h"

#define FEW 16u /* patterns that are sorted by insertion */

/* The patterns that go through a node: order[first] ... order[end - 1]. */
typedef struct pattern_range {
    uint32_t first, end;
} pattern_range;

typedef struct trie_builder {
    const struct pm_dict *dict;
    bool backwards;
    pmi_trie *trie;
    pattern_range *ranges; /* of each node */
    uint32_t *order;       /* the patterns */
    uint32_t *scratch;     /* as many */
} trie_builder;

static uint8_t label_at(const trie_builder *builder, uint32_t pattern, uint32_t depth) {
    const pmi_dict_pattern *const p = &builder->dict->patterns[pattern];
    const uint32_t i = builder->backwards ? p->length - 1 - depth : depth;
    return builder->dict->class_of[builder->dict->bytes[p->begin + i]];
}

static void sort_few(const trie_builder *builder, pattern_range range, uint32_t depth) {
    uint32_t *const order = builder->order;
    for (uint32_t i = range.first + 1; i < range.end; i++) {
        const uint32_t pattern = order[i];
        const uint8_t label = label_at(builder, pattern, depth);
        uint32_t k = i;
        for (; k > range.first && label_at(builder, order[k - 1], depth) > label; k--)
            order[k] = order[k - 1];
        order[k] = pattern;
    }
}

static void sort_many(const trie_builder *builder, pattern_range range, uint32_t depth) {
    uint32_t *const order = builder->order;
    uint32_t begin[257] = {0};
    for (uint32_t i = range.first; i < range.end; i++)
        begin[label_at(builder, order[i], depth) + 1]++;
    for (unsigned label = 0; label < 256; label++)
        begin[label + 1] += begin[label];
    for (uint32_t i = range.first; i < range.end; i++)
        builder->scratch[begin[label_at(builder, order[i], depth)]++] = order[i];
    memcpy(order + range.first, builder->scratch, (range.end - range.first) * sizeof *order);
}

/* Takes the pattern that ends at this depth, if there is one, out of the range; false if there are two. */
static bool take_ending(const trie_builder *builder, pattern_range *range, uint32_t depth, uint32_t *ending) {
    uint32_t *const order = builder->order;
    *ending = PM_NONE;
    for (uint32_t i = range->first; i < range->end; i++) {
        const uint32_t pattern = order[i];
        if (builder->dict->patterns[pattern].length != depth)
            continue;
        if (*ending != PM_NONE)
            return false;
        *ending = pattern;
        order[i] = order[range->first];
        order[range->first++] = pattern;
    }
    return true;
}

/* Appends a child for each class that patterns of the range go on with. */
static void append_children(const trie_builder *builder, pattern_range range, uint32_t depth) {
    pmi_trie *const trie = builder->trie;
    if (range.end - range.first > 1)
        (range.end - range.first <= FEW ? sort_few : sort_many)(builder, range, depth);
    for (uint32_t i = range.first; i < range.end; i++) {
        const uint8_t label = label_at(builder, builder->order[i], depth);
        if (i == range.first || label != trie->label[trie->nodes - 1]) {
            builder->ranges[trie->nodes].first = i;
            trie->label[trie->nodes++] = label;
        }
        builder->ranges[trie->nodes - 1].end = i + 1;
    }
}

static pm_status make(const trie_builder *builder) {
    pmi_trie *const trie = builder->trie;
    for (uint32_t i = 0; i < builder->dict->count; i++)
        builder->order[i] = i;
    trie->nodes = 1;
    trie->label[0] = 0;
    builder->ranges[0] = (pattern_range){0, builder->dict->count};
    uint32_t depth = 0, level_end = 1;
    for (uint32_t k = 0; k < trie->nodes; k++) {
        if (k == level_end) { /* all nodes of this depth are there, and none below them */
            depth++;
            level_end = trie->nodes;
        }
        trie->first_child[k] = trie->nodes;
        if (!take_ending(builder, &builder->ranges[k], depth, &trie->pattern[k]))
            return PM_INVALID_ARGUMENT;
        append_children(builder, builder->ranges[k], depth);
    }
    trie->first_child[trie->nodes] = trie->nodes;
    return PM_OK;
}

pm_status pmi_trie_make(const struct pm_dict *dict, bool backwards, pmi_trie *trie) {
    const pm_allocator *const memory = &dict->allocator;
    const size_t max_nodes = dict->bytes_size + 1;
    *trie = (pmi_trie){.first_child = pmi_memory_allocate(memory, max_nodes + 1, sizeof *trie->first_child),
                       .pattern = pmi_memory_allocate(memory, max_nodes, sizeof *trie->pattern),
                       .label = pmi_memory_allocate(memory, max_nodes, sizeof *trie->label)};
    const trie_builder builder = {.dict = dict,
                                  .backwards = backwards,
                                  .trie = trie,
                                  .ranges = pmi_memory_allocate(memory, max_nodes, sizeof *builder.ranges),
                                  .order = pmi_memory_allocate(memory, dict->count, sizeof *builder.order),
                                  .scratch = pmi_memory_allocate(memory, dict->count, sizeof *builder.scratch)};
    const bool enough =
        trie->first_child && trie->pattern && trie->label && builder.ranges && builder.order && builder.scratch;
    const pm_status status = enough ? make(&builder) : PM_OUT_OF_MEMORY;
    pmi_memory_free(memory, builder.ranges);
    pmi_memory_free(memory, builder.order);
    pmi_memory_free(memory, builder.scratch);
    if (status != PM_OK)
        pmi_trie_clear(memory, trie);
    return status;
}

void pmi_trie_clear(const pm_allocator *allocator, pmi_trie *trie) {
    pmi_memory_free(allocator, trie->first_child);
    pmi_memory_free(allocator, trie->pattern);
    pmi_memory_free(allocator, trie->label);
}
