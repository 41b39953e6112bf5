/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sequence that changes (pm_edit): a B+-tree over packed bits.
 *
 * A leaf has up to PM_EDIT_LEAF elements, a node up to 32 children. For each child a node keeps the elements and the
 * excess before it and the minimum excess in it, both ends included, all relative to the node's own beginning. So a
 * step of a search is one comparison of 32 numbers, and an edit changes the numbers of one node on each level.
 *
 * Edits that stay inside a leaf change it in place. All others build new leaves and nodes for a short window around the
 * edit and then exchange the root (core/edit/restructure.c), so a failure leaves the tree as it was. Leaves and nodes
 * count the trees that refer to them. One that several refer to is never changed, which makes snapshots.
 *
 * Sources: Navarro and Sadakane, "Fully functional static and dynamic succinct trees", for the minimum excesses;
 * Driscoll, Sarnak, Sleator and Tarjan, "Making data structures persistent", for copying paths.
 */
#ifndef PM_BASE_EDIT_TREE_H
#define PM_BASE_EDIT_TREE_H

#include "base/bp_index.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_EDIT_LEAF_BLOCKS 6u
#define PM_EDIT_LEAF_WORDS (PM_EDIT_LEAF_BLOCKS * PM_BP_BLOCK_WORDS)
#ifndef PM_EDIT_LEAF                                     /* tests have small leaves and nodes, and so high trees */
#define PM_EDIT_LEAF (PM_EDIT_LEAF_WORDS * PM_WORD_BITS) /* elements, at most */
#define PM_EDIT_FAN_OUT PM_BP_FAN_OUT                    /* children, at most */
#define PM_EDIT_HEIGHT_MAX 12u                           /* as nodes and leaves are half full, or the only ones */
#endif
#define PM_EDIT_LEAF_ROOM (PM_EDIT_LEAF / 16u) /* what rebuilt leaves leave free */
#define PM_EDIT_FAN_OUT_ROOM (PM_EDIT_FAN_OUT / 16u)
#define PM_EDIT_WINDOW 4u /* leaves or nodes that are rebuilt together, from which one more or one fewer may result */
#define PM_EDIT_N_MAX (UINT64_C(1) << 40)
#define PM_EDIT_KIND_BITS_MAX 4u
#define PM_EDIT_FAR (INT64_C(1) << 62) /* of children that a node lacks: more than any position or excess */

/* The head of a leaf. Behind it are planes of PM_EDIT_LEAF_WORDS words: the parentheses, then the bits of kinds.
 * Parentheses past the leaf's length are opens, so that no search finds anything there. The length is in the parent. */
typedef struct pmi_edit_leaf {
    uint32_t references; /* atomic; first, as in a node */
    uint32_t skipped;    /* second, as in a node: 0 */
} pmi_edit_leaf;

/* The numbers of the children begin at a cache line, as an edit reads and writes all of them. */
#define PM_EDIT_LINE 64u
typedef struct pmi_edit_node {
    uint32_t references; /* atomic */
    uint32_t skipped;    /* bytes from the beginning of the allocated memory to the node */
    uint32_t count;      /* of children, > 0 */
    uint32_t unused[9];
    int64_t length, excess;
    int64_t begin[PM_BP_FAN_OUT], before[PM_BP_FAN_OUT], min[PM_BP_FAN_OUT]; /* min: relative to the node */
    void *child[PM_BP_FAN_OUT];
} pmi_edit_node;

/* Elements to be inserted. */
typedef struct pmi_edit_source {
    const uint64_t *parens;
    const uint8_t *kinds; /* NULL: all 0 */
} pmi_edit_source;

/* The queries, as in pmi_bp_queries. */
typedef struct pmi_edit_queries {
    uint64_t (*find_close)(const struct pm_edit *edit, uint64_t i);
    uint64_t (*find_open)(const struct pm_edit *edit, uint64_t i);
    uint64_t (*enclose)(const struct pm_edit *edit, uint64_t i);
    uint64_t (*rank_open)(const struct pm_edit *edit, uint64_t i);
    uint64_t (*select_open)(const struct pm_edit *edit, uint64_t k);
    uint64_t (*select_close)(const struct pm_edit *edit, uint64_t k);
    int64_t (*excess)(const struct pm_edit *edit, uint64_t k);
    uint64_t (*search_forwards)(const struct pm_edit *edit, uint64_t s, uint64_t fall);
    uint64_t (*search_backwards)(const struct pm_edit *edit, uint64_t t, uint64_t fall);
    int64_t (*min)(const struct pm_edit *edit, uint64_t first, uint64_t last);
    uint64_t (*count_min)(const struct pm_edit *edit, uint64_t first, uint64_t last, int64_t excess, uint64_t most,
                          uint64_t *kth);
} pmi_edit_queries;

/* The functions of pm_edit for one SIMD target. */
typedef struct pmi_edit_kernel {
    pmi_edit_queries queries;

    /*
     * Replaces elements if that concerns one leaf and leaves the tree's nodes as they are. Otherwise changes nothing,
     * returns false, and sets *first and *last to the positions that the rebuilt window must include.
     */
    bool (*replace_in_leaf)(struct pm_edit *edit, uint64_t at, uint64_t removed, const pmi_edit_source *source,
                            uint64_t inserted, uint64_t *first, uint64_t *last);

    /* Returns the excess of a leaf's `length` elements; *min receives the minimum excess, both ends included. */
    int (*summarise)(const uint64_t *words, unsigned length, int *min);
} pmi_edit_kernel;

struct pm_edit {
    pmi_edit_queries queries; /* first, as every query goes through them */
    pmi_edit_node *root;
    unsigned height; /* of the root: 1 if its children are leaves */
    unsigned planes;
    const pmi_edit_kernel *kernel;
    pm_allocator allocator;
};

/* The bytes allocated for a node. */
#define PM_EDIT_NODE_SIZE (sizeof(pmi_edit_node) + PM_EDIT_LINE - sizeof(uint64_t))

/* How many trees refer to a node or leaf? With 1 it is this tree alone, and what others did with it has happened. */
static inline uint32_t pmi_edit_references(const void *block) {
    return __atomic_load_n((const uint32_t *)block, __ATOMIC_ACQUIRE);
}

/* Of child c the length and the excess. */
static inline int64_t pmi_edit_child_length(const pmi_edit_node *node, unsigned c) {
    return (c + 1 < node->count ? node->begin[c + 1] : node->length) - node->begin[c];
}
static inline int64_t pmi_edit_child_excess(const pmi_edit_node *node, unsigned c) {
    return (c + 1 < node->count ? node->before[c + 1] : node->excess) - node->before[c];
}

/* The planes of a leaf. */
static inline uint64_t *pmi_edit_words(pmi_edit_leaf *leaf) {
    return (uint64_t *)(void *)(leaf + 1);
}
static inline const uint64_t *pmi_edit_read_words(const void *leaf) {
    return (const uint64_t *)(const void *)((const pmi_edit_leaf *)leaf + 1);
}

/* Writes n <= 64 bits that lie in one word. */
static inline void pmi_bits_put(uint64_t *word, unsigned at, uint64_t bits, unsigned n) {
    const uint64_t mask = pmi_bits_low(n) << at;
    *word = (*word & ~mask) | (bits << at & mask);
}

/* Copies n bits; neither reads past the last word of the source nor changes other bits. The two must not overlap. */
static inline void pmi_bits_write(uint64_t *to, uint64_t at, const uint64_t *from, uint64_t first, uint64_t n) {
    const unsigned bit = (unsigned)(at % PM_WORD_BITS), room = PM_WORD_BITS - bit;
    const unsigned head = bit == 0 ? 0 : n < room ? (unsigned)n : room;
    to += at / PM_WORD_BITS;
    if (head > 0)
        pmi_bits_put(to++, bit, pmi_bits_from(from, first + n, first), head);
    const uint64_t begin = first + head, words = (n - head) / PM_WORD_BITS;
    const unsigned shift = (unsigned)(begin % PM_WORD_BITS), tail = (unsigned)((n - head) % PM_WORD_BITS);
    const uint64_t *const source = from + begin / PM_WORD_BITS;
    for (uint64_t w = 0; w < words; w++)
        to[w] = shift == 0 ? source[w] : source[w] >> shift | source[w + 1] << (PM_WORD_BITS - shift);
    if (tail > 0)
        pmi_bits_put(to + words, 0,
                     pmi_bits_from(source, shift + words * PM_WORD_BITS + tail, shift + words * PM_WORD_BITS), tail);
}

/* Writes one bit of each of n <= 64 kinds into a word. */
static inline uint64_t pmi_edit_kind_bits(const uint8_t *kinds, unsigned n, unsigned bit) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < n; i++)
        bits |= (uint64_t)(kinds[i] >> bit & 1) << i;
    return bits;
}

/* Writes bits of plane p of elements first ... first + n - 1 of a source. */
static inline void pmi_edit_source_copy(const pmi_edit_source *source, unsigned plane, uint64_t first, uint64_t n,
                                        uint64_t *to, uint64_t at) {
    if (plane == 0) {
        pmi_bits_write(to, at, source->parens, first, n);
        return;
    }
    for (uint64_t done = 0; done < n; done += PM_WORD_BITS) {
        const unsigned left = n - done < PM_WORD_BITS ? (unsigned)(n - done) : PM_WORD_BITS;
        const uint8_t *const kinds = source->kinds ? source->kinds + first + done : NULL;
        const uint64_t bits[2] = {kinds ? pmi_edit_kind_bits(kinds, left, plane - 1) : 0, 0};
        pmi_bits_write(to, at + done, bits, 0, left);
    }
}

#ifdef __cplusplus
}
#endif

#endif
