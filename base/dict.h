/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dictionary of patterns (pm_dict).
 *
 * Bytes are told apart only as far as patterns tell them apart: every byte has a class, class 0 is of the bytes that
 * are in no pattern (unless every byte is in one), and with PM_DICT_IGNORE_CASE a letter's two cases are of one class.
 * The more often patterns have a byte the lower is its class, so that the classes that matter are neighbours in memory.
 *
 * The patterns that begin at a given place of a text are prefixes of one another, so the longest of them stands for
 * all: the others are reached by pmi_dict_pattern.shorter. Every search therefore answers with the longest pattern at a
 * place. There are two machines that find it:
 *
 *   nodes  The trie of the patterns, without failure links: PFAC (Lin, Liu, Chien, Chang, "Accelerating pattern
 *          matching using a novel parallel algorithm on GPUs"). It starts at each place of the text and reads forwards,
 *          until no edge goes on. Rows are compact: node i has its child by class c in nodes[nodes[i].base + c], if the
 *          parent of that one is i. So rows lie in each other's gaps (Aho, Sethi and Ullman's row displacement; Aoe's
 *          double array).
 *
 *   rows   The automaton of Aho and Corasick, all transitions spelled out, of the patterns written backwards. It reads
 *          the text backwards, once, so that it comes to a pattern's occurrence at its beginning: hits come ordered by
 *          start, from the last to the first, without being sorted. A state is the place of its row, state + c is where
 *          its transition by class c stands, and at state + classes is its answer. States with an answer are negative,
 *          so that of several at once it takes one comparison to see that none has any; the start is state 0.
 *          Before it may be asked about the place i, it must have read the longest - 1 bytes behind place i, or have
 *          begun at the text's end.
 */
#ifndef PM_BASE_DICT_H
#define PM_BASE_DICT_H

#include "parenmatch.h"

/* Most bytes that all patterns have together, so that what is made of them can be numbered. */
#define PM_DICT_BYTES_MAX ((size_t)INT32_MAX - 1)

typedef struct pmi_dict_pattern {
    uint32_t begin, length; /* its bytes, as they were given: bytes[begin] ... */
    uint32_t shorter;       /* the longest other pattern that it begins with; PM_NONE: it begins with no other */
    uint32_t nested;        /* how many patterns it begins with, itself included */
    uint32_t least;         /* of these the one that comes first in the dictionary */
} pmi_dict_pattern;

typedef struct pmi_dict_node {
    uint32_t base;    /* where its row begins */
    uint32_t parent;  /* PM_NONE: of the root, and of what is no node */
    uint32_t longest; /* the longest pattern on the way from the root to here, both included; PM_NONE: none */
} pmi_dict_node;

#define PM_PREFIX_MAX 3u

/*
 * What the patterns begin with, in eight buckets; where a pattern has ended, any byte may follow. Where the bits of all
 * bytes, low[p][byte p % 16] & high[p][byte p / 16], have one in common, a pattern may begin; where they have not, none
 * does.
 */
typedef struct pmi_dict_prefixes {
    unsigned length; /* 1 ... PM_PREFIX_MAX bytes; 0: there are too many patterns, or none */
    uint8_t low[PM_PREFIX_MAX][16], high[PM_PREFIX_MAX][16];
    uint8_t six[PM_PREFIX_MAX][64]; /* the same by a byte's lowest six bits: of four bytes that share them, any */
    double share;                   /* of a text's places that may be expected to be candidates */
} pmi_dict_prefixes;

/* Where a pattern may begin that is a whole word's beginning, or not: prefixes as above. Where the bits have one of
 * `words` in common, a pattern begins only if the byte before is not part of a word. */
typedef struct pmi_dict_starts {
    pmi_dict_prefixes prefixes; /* of length 0 only without patterns */
    uint8_t words;              /* the buckets of patterns that begin words */
} pmi_dict_starts;

#define PM_KEY_BYTES 8u
#define PM_KEYS 256u

/* A pattern, or what several have in common. */
typedef struct pmi_dict_key {
    uint64_t bytes, mask; /* a text's bytes there, those that count: else none of them begins there */
    uint32_t pattern;     /* that begins there then; PM_NONE: ask the trie */
} pmi_dict_key;

/* The patterns whose first bytes lead to one slot. Where both keys fit, the first one is meant. */
typedef struct pmi_dict_slot {
    pmi_dict_key ways[2];
} pmi_dict_slot;

/* For dictionaries that have prefixes. */
typedef struct pmi_dict_keys {
    uint64_t mask;   /* of 8 bytes of text, what the slot depends on, */
    uint64_t factor; /* and how */
    bool one_way;    /* no slot has patterns in its second way */
    bool exact;      /* the trie is never asked */
    pmi_dict_slot slots[PM_KEYS];
} pmi_dict_keys;

/* The slot that 8 bytes lead to. */
static inline unsigned pmi_dict_key_slot(const pmi_dict_keys *keys, uint64_t bytes) {
    return (unsigned)((bytes & keys->mask) * keys->factor >> 56);
}

static inline bool pmi_dict_key_fits(const pmi_dict_key *key, uint64_t bytes) {
    return ((bytes ^ key->bytes) & key->mask) == 0;
}

struct pm_dict {
    pm_allocator allocator;
    unsigned flags;
    uint64_t serial; /* no other dictionary of this process has it, or had it; not 0 */

    uint32_t count; /* of patterns */
    uint32_t shortest, longest;
    uint32_t nested_max; /* patterns that begin at one place, at most */
    pmi_dict_pattern *patterns;
    unsigned char *bytes; /* of all patterns, one after another */
    size_t bytes_size;

    uint8_t class_of[256];
    unsigned classes; /* 1 ... 256 */

    pmi_dict_prefixes prefixes;
    pmi_dict_keys keys;

    pmi_dict_node *nodes; /* the root first; no row goes past the last one */
    size_t node_room;

    int32_t *row_block;  /* of `states` rows, those of states with an answer first, the last of which comes first */
    const int32_t *rows; /* the row of state 0 */
    size_t states;
};

/* Cells of a row: the transitions and the answer, a pattern or PM_NONE. */
static inline size_t pmi_dict_row_size(const struct pm_dict *dict) {
    return (size_t)dict->classes + 1;
}

/* The longest pattern that begins where the n bytes do; PM_NONE: none does. By the trie. */
static inline uint32_t pmi_dict_longest_at(const struct pm_dict *dict, const unsigned char *text, size_t n) {
    const pmi_dict_node *const nodes = dict->nodes;
    uint32_t node = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t child = nodes[node].base + dict->class_of[text[i]];
        if (nodes[child].parent != node)
            break;
        node = child;
    }
    return nodes[node].longest;
}

#endif
