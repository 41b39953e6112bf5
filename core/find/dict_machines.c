/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two machines of a dictionary: compact rows of the patterns' trie, for PFAC, and the automaton of Aho and
 * Corasick, of the trie of the patterns written backwards.
 */
#include <string.h>

#include "base/slice.h"
#include "core/context/context.h"
#include "core/find/dict_compile.h"

/* ---- The trie: patterns are divided by the first byte, each part by the second, and so on ---- */

/* In breadth-first order: children of a node follow each other, ordered by class, and those of a later node are behind
 * them. */
typedef struct pattern_trie {
    uint32_t nodes;
    uint32_t *first_child; /* node k has the children first_child[k] ... first_child[k + 1] - 1 */
    uint32_t *pattern;     /* that ends at node k; PM_NONE: none */
    uint8_t *label;        /* the class that leads to node k; nothing for the root */
} pattern_trie;

#define FEW 16u /* patterns that are sorted by insertion */

/* The patterns that go through a node: order[first] ... order[end - 1]. */
typedef struct pattern_range {
    uint32_t first, end;
} pattern_range;

typedef struct trie_builder {
    const struct pm_dict *dict;
    bool backwards;
    pattern_trie *trie;
    pattern_range *ranges; /* of each node */
    uint32_t *order;       /* the patterns */
    uint32_t *scratch;     /* as many */
    pm_dict_fault *fault;
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

/* Takes the pattern that ends at this depth, if there is one, out of the range; false, with both noted, if there are
 * two.
 */
static bool take_ending(const trie_builder *builder, pattern_range *range, uint32_t depth, uint32_t *ending) {
    uint32_t *const order = builder->order;
    *ending = PM_NONE;
    for (uint32_t i = range->first; i < range->end; i++) {
        const uint32_t pattern = order[i];
        if (builder->dict->patterns[pattern].length != depth)
            continue;
        if (*ending != PM_NONE) {
            const bool later = pattern > *ending;
            *builder->fault =
                (pm_dict_fault){"equal to an earlier pattern", later ? pattern : *ending, later ? *ending : pattern};
            return false;
        }
        *ending = pattern;
        order[i] = order[range->first];
        order[range->first++] = pattern;
    }
    return true;
}

/* Appends a child for each class that patterns of the range go on with. */
static void append_children(const trie_builder *builder, pattern_range range, uint32_t depth) {
    pattern_trie *const trie = builder->trie;
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
    pattern_trie *const trie = builder->trie;
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

static void trie_clear(const pm_allocator *allocator, pattern_trie *trie) {
    pmi_memory_free(allocator, trie->first_child);
    pmi_memory_free(allocator, trie->pattern);
    pmi_memory_free(allocator, trie->label);
}

/* PM_INVALID_ARGUMENT: two patterns are equal. On failure there is nothing to clear. */
static pm_status trie_make(const struct pm_dict *dict, bool backwards, pattern_trie *trie, pm_dict_fault *fault) {
    const pm_allocator *const memory = &dict->allocator;
    const size_t max_nodes = dict->bytes_size + 1;
    *trie = (pattern_trie){.first_child = pmi_memory_allocate(memory, max_nodes + 1, sizeof *trie->first_child),
                           .pattern = pmi_memory_allocate(memory, max_nodes, sizeof *trie->pattern),
                           .label = pmi_memory_allocate(memory, max_nodes, sizeof *trie->label)};
    const trie_builder builder = {.dict = dict,
                                  .backwards = backwards,
                                  .trie = trie,
                                  .ranges = pmi_memory_allocate(memory, max_nodes, sizeof *builder.ranges),
                                  .order = pmi_memory_allocate(memory, dict->count, sizeof *builder.order),
                                  .scratch = pmi_memory_allocate(memory, dict->count, sizeof *builder.scratch),
                                  .fault = fault};
    const bool enough =
        trie->first_child && trie->pattern && trie->label && builder.ranges && builder.order && builder.scratch;
    const pm_status status = enough ? make(&builder) : PM_OUT_OF_MEMORY;
    pmi_memory_free(memory, builder.ranges);
    pmi_memory_free(memory, builder.order);
    pmi_memory_free(memory, builder.scratch);
    if (status != PM_OK)
        trie_clear(memory, trie);
    return status;
}

/* ---- Compact rows: each is placed where its children fit into gaps between others ---- */

#define TRIES 32u /* gaps that are looked at for a row of several children */

typedef struct node_builder {
    struct pm_dict *dict;
    const pattern_trie *trie;
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
    const pattern_trie *const trie = builder->trie;
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
static void note_nested(struct pm_dict *dict, const pattern_trie *trie, const uint32_t *place) {
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
        if (pattern->nested > dict->nested_max)
            dict->nested_max = pattern->nested;
    }
}

static pm_status make_nodes(struct pm_dict *dict, const pattern_trie *trie) {
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

/*
 * The automaton of Aho and Corasick (Aho, Corasick, "Efficient string matching: an aid to bibliographic search"), every
 * transition spelled out: a state's row is that of its failure state except for the state's own children.
 */

typedef struct row_builder {
    struct pm_dict *dict;
    const pattern_trie *trie;
    uint32_t *failure; /* of each node: the node of its longest proper suffix that has one */
    uint32_t *answer;  /* of each node: the longest pattern that is a suffix of it */
    int32_t *state;    /* of each node */
} row_builder;

/* Returns the child of a node by a class; 0, which is no node's child, if it has no such child. */
static uint32_t child_by(const pattern_trie *trie, uint32_t node, uint8_t label) {
    const uint32_t first = trie->first_child[node];
    const uint8_t *const found = memchr(trie->label + first, label, trie->first_child[node + 1] - first);
    return found ? (uint32_t)(found - trie->label) : 0;
}

static void find_failures(const row_builder *builder) {
    const pattern_trie *const trie = builder->trie;
    builder->failure[0] = 0;
    builder->answer[0] = PM_NONE;
    for (uint32_t k = 0; k < trie->nodes; k++)
        for (uint32_t child = trie->first_child[k]; child < trie->first_child[k + 1]; child++) {
            uint32_t shorter = k, goes_on = 0;
            while (shorter != 0 && goes_on == 0) {
                shorter = builder->failure[shorter];
                goes_on = child_by(trie, shorter, trie->label[child]);
            }
            builder->failure[child] = goes_on;
            builder->answer[child] = trie->pattern[child] != PM_NONE ? trie->pattern[child] : builder->answer[goes_on];
        }
}

/* Numbers states in breadth-first order, those with an answer downwards: what is entered most often is neighbours. */
static pm_status number_states(const row_builder *builder, size_t *answering) {
    const size_t row_size = pmi_dict_row_size(builder->dict);
    size_t with = 0, without = 0;
    if (builder->trie->nodes > INT32_MAX / row_size)
        return PM_TOO_LARGE;
    for (uint32_t k = 0; k < builder->trie->nodes; k++)
        builder->state[k] =
            builder->answer[k] != PM_NONE ? -(int32_t)(++with * row_size) : (int32_t)(without++ * row_size);
    *answering = with;
    return PM_OK;
}

static void fill_rows(const row_builder *builder, int32_t *rows) {
    const pattern_trie *const trie = builder->trie;
    const unsigned classes = builder->dict->classes;
    memset(rows, 0, classes * sizeof *rows); /* at the start, what nothing begins with leads to the start */
    for (uint32_t k = 0; k < trie->nodes; k++) {
        int32_t *const row = rows + builder->state[k];
        if (k > 0)
            memcpy(row, rows + builder->state[builder->failure[k]], classes * sizeof *row);
        for (uint32_t child = trie->first_child[k]; child < trie->first_child[k + 1]; child++)
            row[trie->label[child]] = builder->state[child];
        memcpy(&row[classes], &builder->answer[k], sizeof *row);
    }
}

static pm_status make_rows(struct pm_dict *dict, const pattern_trie *backwards) {
    const pm_allocator *const memory = &dict->allocator;
    const size_t nodes = backwards->nodes, row_size = pmi_dict_row_size(dict);
    const row_builder builder = {.dict = dict,
                                 .trie = backwards,
                                 .failure = pmi_memory_allocate(memory, nodes, sizeof *builder.failure),
                                 .answer = pmi_memory_allocate(memory, nodes, sizeof *builder.answer),
                                 .state = pmi_memory_allocate(memory, nodes, sizeof *builder.state)};
    pm_status status = PM_OUT_OF_MEMORY;
    size_t answering = 0;
    if (builder.failure && builder.answer && builder.state) {
        find_failures(&builder);
        status = number_states(&builder, &answering);
    }
    if (status == PM_OK) {
        dict->states = nodes;
        dict->row_block = pmi_memory_allocate(memory, nodes, row_size * sizeof *dict->row_block);
        if (!dict->row_block)
            status = PM_OUT_OF_MEMORY;
    }
    if (status == PM_OK) {
        int32_t *const rows = dict->row_block + answering * row_size;
        fill_rows(&builder, rows);
        dict->rows = rows;
    }
    pmi_memory_free(memory, builder.failure);
    pmi_memory_free(memory, builder.answer);
    pmi_memory_free(memory, builder.state);
    return status;
}

pm_status pmi_dict_make_machines(struct pm_dict *dict, pm_dict_fault *fault) {
    pm_status status = PM_OK;
    for (unsigned backwards = 0; backwards < 2 && status == PM_OK; backwards++) {
        pattern_trie trie;
        status = trie_make(dict, backwards, &trie, fault);
        if (status != PM_OK)
            break;
        status = (backwards ? make_rows : make_nodes)(dict, &trie);
        trie_clear(&dict->allocator, &trie);
    }
    if (status == PM_TOO_LARGE)
        fault->reason = "an automaton of 2^31 cells or more";
    return status;
}
