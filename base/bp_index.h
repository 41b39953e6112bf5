/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a sequence for queries (pm_bp).
 *
 * P(k), the excess before element k, is opens minus closes among the elements before it. Every query on matching is a
 * search for an excess. Forwards from s it finds the first element j >= s with P(j + 1) = P(s) - fall; backwards from t
 * the last element j < t with P(j) = P(t) - fall. The close of an open at i is forwards from i + 1 by 1. The open of a
 * close at i, or the parent of an open at i, is backwards from i by 1, and the d-th ancestor backwards by d.
 *
 * The excess changes by one at each element, so a stretch holds the wanted excess if its minimum excess, both ends
 * included, is at most that. A search reads the rest of the block, by vector instructions; the minimum excesses of the
 * superblock's other blocks, by one comparison; those of superblocks, by a range-min tree in which a node has 32
 * children; and goes down again.
 *
 *   block       512 elements: a cache line of the sequence
 *   superblock  16 blocks: a cache line of the index (pm_bp_line)
 *
 * Ranks and excesses are in parenmatch/bp_view.h, for other programs as well. Elements that the last superblock lacks
 * are opens to the index: no search finds anything among these.
 */
#ifndef PM_BASE_BP_INDEX_H
#define PM_BASE_BP_INDEX_H

#include "base/slice.h"
#include "parenmatch/bp_view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_BP_BLOCK_WORDS (PM_BP_BLOCK / PM_WORD_BITS)
#define PM_BP_SUPERBLOCK_WORDS (PM_BP_SUPERBLOCK / PM_WORD_BITS)
#define PM_BP_FAN_OUT 32u
#define PM_BP_TREE_HEIGHT 7u                 /* 32^7 superblocks are 2^48 elements */
#define PM_BP_HINT_OPENS 4096u               /* opens from one hint to the next */
#define PM_BP_N_MAX (UINT64_C(1) << 48)      /* elements */
#define PM_BP_BLOCKS_MAX 12u                 /* of memory: two, eight for pioneers, one for a batch, for stretches */
#define PM_BP_NEAR_MAX (UINT64_C(1) << 25)   /* elements of a sequence that is mostly in the caches: 4 MiB */
#define PM_BP_STRETCH 4096u                  /* half a superblock */
#define PM_BP_NARROW_MAX (UINT64_C(1) << 30) /* elements whose excesses are kept in 32 bits */

/*
 * Pioneers (Jacobson), the other way to find partners. Of the far opens of a word whose closes are in one other word,
 * the outermost is an opening pioneer and its close a closing pioneer: at most two for each word. The partner of a far
 * parenthesis is in the word of its pioneer's partner, as many far parentheses from that as the parenthesis is from the
 * pioneer. An element without a partner counts as if it had one in a word of its own.
 */
typedef struct pmi_bp_pioneers {
    const uint64_t *of_superblock; /* pioneers before each superblock, */
    const uint16_t *of_word;       /* and, in the superblock, before each word and at the sequence's end */
    const uint8_t *bit;            /* of each pioneer its place in its word, */
    const void *partner;           /* and its partner, as wide as hints; all ones: none */
} pmi_bp_pioneers;

/* The number of pioneers before a word. */
static inline uint64_t pmi_bp_first_pioneer(const pmi_bp_pioneers *pioneers, uint64_t word) {
    return pioneers->of_superblock[word / PM_BP_SUPERBLOCK_WORDS] + pioneers->of_word[word];
}

struct pm_bp;

/* A query with one argument; PM_BP_NONE where there is no answer. */
typedef uint64_t pmi_bp_query(const struct pm_bp *bp, uint64_t argument);

/* The same query for each of count arguments. */
typedef void pmi_bp_query_many(const struct pm_bp *bp, const uint64_t *arguments, size_t count, uint64_t *answers);

/* The queries, as one implementation with one width of excesses answers them. Every argument is allowed. */
typedef struct pmi_bp_queries {
    pmi_bp_query *find_close, *find_open, *enclose, *rank_open, *select_open;
    pmi_bp_query_many *find_close_many, *find_open_many, *enclose_many;

    /* P(k), k <= n. */
    int64_t (*excess)(const struct pm_bp *bp, uint64_t k);

    /* The searches above, 0 < fall <= n: s <= n, t <= n. */
    uint64_t (*search_forwards)(const struct pm_bp *bp, uint64_t s, uint64_t fall);
    uint64_t (*search_backwards)(const struct pm_bp *bp, uint64_t t, uint64_t fall);

    /* The minimum of P(first) ... P(last), first <= last <= n. */
    int64_t (*min)(const struct pm_bp *bp, uint64_t first, uint64_t last);

    /*
     * For an excess that is the minimum of P(first) ... P(last): the number of k among first ... last with P(k) =
     * excess, but no more than `most`; *kth receives the last of them if there are `most`.
     */
    uint64_t (*count_min)(const struct pm_bp *bp, uint64_t first, uint64_t last, int64_t excess, uint64_t most,
                          uint64_t *kth);
} pmi_bp_queries;

/*
 * The sequences of a batch: the elements offsets[s] ... offsets[s + 1] - 1 of the array, and as one more those before
 * offsets[0].
 */
typedef struct pmi_bp_batch {
    pmi_bp_queries whole; /* of the array, as if it were one sequence */
    const uint64_t *offsets;
    size_t count;
    unsigned shift;         /* log2 of the elements of a stretch */
    const uint64_t *behind; /* of each stretch the first offset behind its beginning, but at most `count` */
} pmi_bp_batch;

/* What the time of a query depends on: whether the sequence is in the caches, and whether most partners are near one
 * another. */
typedef enum pmi_bp_kind {
    PM_BP_NEAR_FLAT,
    PM_BP_NEAR_DEEP, /* needs pm_bp.far_close and far_open */
    PM_BP_FAR_FLAT,
    PM_BP_FAR_DEEP,
    PM_BP_KINDS
} pmi_bp_kind;

/* The functions of pm_bp for one SIMD target. */
typedef struct pmi_bp_kernel {
    pmi_bp_queries queries[PM_BP_KINDS][2]; /* narrow and wide */
    struct {
        pmi_bp_query *find_close, *find_open;
    } narrow_pioneers, wide_pioneers; /* the same queries, by pioneers */

    /* Fills the lines of `count` whole superblocks. */
    void (*summarise)(const uint64_t *words, size_t count, pm_bp_line *lines);
} pmi_bp_kernel;

/* An index: where its parts are. Excesses are int32_t in a narrow one and int64_t in a wide one; hints are as wide. */
struct pm_bp {
    pmi_bp_queries queries;    /* first, as every query goes through them */
    const pmi_bp_batch *batch; /* NULL: one sequence */
    pm_bp_view view; /* the sequence, n, lines and excesses, these before each superblock and after the last */
    uint64_t opens;
    uint64_t windows; /* bytes of the sequence from which on 64 elements follow */

    uint64_t tail_block; /* the block that n cuts short, UINT64_MAX if n cuts no block, and its elements, then opens: */
    uint64_t tail[PM_BP_BLOCK_WORDS];

    uint64_t superblocks;
    const void *hints; /* for select: of opens h * PM_BP_HINT_OPENS ...; and, at the end, of the last superblock */

    /* Minimum excesses: of each superblock, then of each node that has PM_BP_FAN_OUT of these as children ... until a
     * row has no more than that. No row where there is only one superblock. Up to PM_BP_FAN_OUT - 1 entries past a
     * row's last one may be read, and are not looked at. */
    unsigned rows;
    uint64_t row_length[PM_BP_TREE_HEIGHT];
    const void *min[PM_BP_TREE_HEIGHT];

    /* For stretches of PM_BP_STRETCH elements of a deep sequence in the caches: the first superblock behind theirs that
     * may have a partner of what these leave open, or `superblocks`; and the last before theirs that may. Not saved.
     */
    const uint16_t *far_close, *far_open;

    pmi_bp_pioneers opening, closing; /* NULLs in an index without pioneers */

    size_t size;            /* bytes of the index's arrays */
    bool saved, differs;    /* building compares with the arrays instead of filling them; did it find another? */
    pm_allocator allocator; /* what the following came from */
    void *blocks[PM_BP_BLOCKS_MAX]; /* NULL: none; the arrays are the caller's */
};

/*
 * A hint for PM_BP_HINT_OPENS opens: the superblock of the first, and how many of them it has; the others are in the
 * next one. The form is such that a sum gives the superblock of an open. The highest bit is one if there are more
 * superblocks than two.
 */
static inline uint64_t pmi_bp_hint(uint64_t superblock, uint64_t first, bool more, bool wide) {
    const uint64_t highest = UINT64_C(1) << (wide ? 63 : 31);
    return (more ? highest : 0) | (superblock * PM_BP_HINT_OPENS + PM_BP_HINT_OPENS - first);
}

/* The superblock of open k by its hint, if that is of two. */
static inline uint64_t pmi_bp_hint_superblock(uint64_t hint, uint64_t k) {
    return (hint + k % PM_BP_HINT_OPENS) / PM_BP_HINT_OPENS;
}

/* The words of a block. */
static inline const uint64_t *pmi_bp_block(const struct pm_bp *bp, uint64_t block) {
    return block == bp->tail_block ? bp->tail : bp->view.parens + block * PM_BP_BLOCK_WORDS;
}

#ifdef __cplusplus
}
#endif

#endif
