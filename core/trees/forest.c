/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ordered forest that a sequence and its match are, and the relations between its nodes as vectors: one value for
 * each element, or one for each node in preorder. No relation needs a stack: the match has each open's parent, and the
 * elements next to an open determine its siblings and children.
 */
#include "core/match/match.h"

/* ---- Rank ---- */

/* The rank of an element, the number of opens before it: a directory with a count for each word, and the bits of the
 * word. */
typedef struct rank_directory {
    const uint64_t *parens;
    uint32_t *before; /* opens before each word */
} rank_directory;

/* Builds the directory of n <= 2^32 - 1 elements, which stay the caller's. Returns false if there is no memory. */
static bool rank_create(rank_directory *rank, const pm_allocator *allocator, const uint64_t *parens, size_t n) {
    *rank = (rank_directory){parens, pmi_memory_allocate(allocator, pmi_bits_words(n), sizeof *rank->before)};
    if (!rank->before)
        return false;
    uint32_t opens = 0; /* bits past n count in the last word alone, which nobody comes after */
    for (size_t w = 0; w < pmi_bits_words(n); w++) {
        rank->before[w] = opens;
        opens += pmi_bits_count(parens[w]);
    }
    return true;
}

/* Returns the number of opens before element i < n. */
static uint32_t rank_open(const rank_directory *rank, size_t i) {
    const uint64_t earlier = rank->parens[i / PM_WORD_BITS] & pmi_bits_low(i % PM_WORD_BITS);
    return rank->before[i / PM_WORD_BITS] + pmi_bits_count(earlier);
}

/* ---- Relations ---- */

typedef struct ordered_forest {
    const uint64_t *parens;
    size_t n;
    const uint32_t *match;      /* passed pmi_match_check() */
    const rank_directory *rank; /* numbers the nodes; NULL: a node's name is the index of its open */
} ordered_forest;

/* Writes to out[node] for each node, by its name, what the node relates to: a name, PM_NONE, or a count. */
typedef void forest_relation(const ordered_forest *forest, uint32_t *out);

/* Returns the name of the node that opens at an index; PM_NONE for PM_NONE. */
static uint32_t node_name(const ordered_forest *forest, uint32_t open) {
    return forest->rank && open != PM_NONE ? rank_open(forest->rank, open) : open;
}

/* Returns the first open at or after an index, or n; for loops over all opens in order. */
static size_t next_open(const ordered_forest *forest, size_t i) {
    return pmi_bits_next(forest->parens, forest->n, i);
}

static void find_parent(const ordered_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1))
        out[node_name(forest, (uint32_t)open)] = node_name(forest, forest->match[open]);
}

/* Parents come before their children. */
static void find_depth(const ordered_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1)) {
        const uint32_t parent = forest->match[open];
        out[node_name(forest, (uint32_t)open)] = parent == PM_NONE ? 0 : out[node_name(forest, parent)] + 1;
    }
}

/* A subtree is its root and its children's subtrees; children come after their parents, so backwards. */
static void find_subtree_size(const ordered_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1))
        out[node_name(forest, (uint32_t)open)] = 1;
    for (size_t i = forest->n; i-- > 0;)
        if (pmi_bits_get(forest->parens, i) && forest->match[i] != PM_NONE)
            out[node_name(forest, forest->match[i])] += out[node_name(forest, (uint32_t)i)];
}

static void find_first_child(const ordered_forest *forest, uint32_t *out) {
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1)) {
        const bool leaf = open + 1 == forest->n || !pmi_bits_get(forest->parens, open + 1);
        out[node_name(forest, (uint32_t)open)] = leaf ? PM_NONE : node_name(forest, (uint32_t)(open + 1));
    }
}

/*
 * The open of the previous sibling. Among roots that is the root before, over any unmatched closes between; this one
 * then takes its place in *last_root. Elsewhere the element before is the parent, or the close of the sibling.
 */
static uint32_t sibling_before(const ordered_forest *forest, size_t open, uint32_t *last_root) {
    if (forest->match[open] == PM_NONE) {
        const uint32_t before = *last_root;
        *last_root = (uint32_t)open;
        return before;
    }
    return pmi_bits_get(forest->parens, open - 1) ? PM_NONE : forest->match[open - 1];
}

static void find_prev_sibling(const ordered_forest *forest, uint32_t *out) {
    uint32_t last_root = PM_NONE;
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1))
        out[node_name(forest, (uint32_t)open)] = node_name(forest, sibling_before(forest, open, &last_root));
}

/* A node has no next sibling until one finds it to be its previous. */
static void find_next_sibling(const ordered_forest *forest, uint32_t *out) {
    uint32_t last_root = PM_NONE;
    for (size_t open = next_open(forest, 0); open < forest->n; open = next_open(forest, open + 1)) {
        const uint32_t node = node_name(forest, (uint32_t)open);
        const uint32_t before = sibling_before(forest, open, &last_root);
        out[node] = PM_NONE;
        if (before != PM_NONE)
            out[node_name(forest, before)] = node;
    }
}

/* ---- By element ---- */

/* Returns the open of an element's node; PM_NONE for an unmatched close. */
static uint32_t element_open(const ordered_forest *forest, size_t i) {
    const uint32_t match = forest->match[i]; /* read in any case, so that nothing need branch on a fair coin */
    return pmi_bits_get(forest->parens, i) ? (uint32_t)i : match;
}

/* Stores a relation of each element's node: an open's own, and a close's that of its open. `without_node` is the value
 * of an unmatched close. */
static pm_status element_vector(const uint64_t *parens, size_t n, const uint32_t *match, forest_relation *relation,
                                uint32_t without_node, uint32_t *out) {
    const pm_status status = pmi_match_check(parens, n, match, out);
    if (status != PM_OK)
        return status;
    const ordered_forest forest = {parens, n, match, NULL};
    relation(&forest, out);
    for (size_t i = 0; i < n; i++) {
        const uint32_t open = element_open(&forest, i);
        out[i] = open == PM_NONE ? without_node : out[open];
    }
    return PM_OK;
}

pm_status pm_forest_partner(pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
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

/* ---- By node ---- */

/* Stores a relation between the nodes, numbered in preorder. */
static pm_status node_vector(const pm_context *context, const uint64_t *parens, size_t n, const uint32_t *match,
                             forest_relation *relation, uint32_t *out) {
    const pm_status status = pmi_match_check(parens, n, match, out);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    rank_directory rank;
    if (!rank_create(&rank, &allocator, parens, n))
        return PM_OUT_OF_MEMORY;
    const ordered_forest forest = {parens, n, match, &rank};
    relation(&forest, out);
    pmi_memory_free(&allocator, rank.before);
    return PM_OK;
}

size_t pm_forest_count(const uint64_t *parens, size_t n) {
    if (!parens)
        return 0;
    size_t count = 0;
    for (size_t w = 0; w < n / PM_WORD_BITS; w++)
        count += pmi_bits_count(parens[w]);
    if (n % PM_WORD_BITS != 0)
        count += pmi_bits_count(parens[n / PM_WORD_BITS] & pmi_bits_low(n % PM_WORD_BITS));
    return count;
}

pm_status pm_forest_position(pm_context *context, const uint64_t *parens, size_t n, uint32_t *position) {
    (void)context;
    const pm_status status = pmi_arguments_check(n, parens && position);
    if (status != PM_OK)
        return status;
    size_t nodes = 0;
    for (size_t open = pmi_bits_next(parens, n, 0); open < n; open = pmi_bits_next(parens, n, open + 1))
        position[nodes++] = (uint32_t)open;
    return PM_OK;
}

/* ---- Both ---- */

#define VECTOR(relation, without_node)                                                                                 \
    pm_status pm_forest_##relation(pm_context *context, pm_forest_index by, const uint64_t *parens, size_t n,          \
                                   const uint32_t *match, uint32_t *relation) {                                        \
        switch (by) {                                                                                                  \
        case PM_FOREST_BY_ELEMENT:                                                                                     \
            return element_vector(parens, n, match, find_##relation, without_node, relation);                          \
        case PM_FOREST_BY_NODE:                                                                                        \
            return node_vector(context, parens, n, match, find_##relation, relation);                                  \
        default:                                                                                                       \
            return PM_INVALID_ARGUMENT;                                                                                \
        }                                                                                                              \
    }

VECTOR(depth, 0)
VECTOR(parent, PM_NONE)
VECTOR(prev_sibling, PM_NONE)
VECTOR(next_sibling, PM_NONE)
VECTOR(first_child, PM_NONE)
VECTOR(subtree_size, 0)
