/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on: sizes, and the parameters (push constants) of each pipeline. Read by both, so it holds
 * nothing but macros; an address has 64 bits on both sides.
 *
 * Words
 *   level       of a position: opens minus closes before it, plus the number of closes in the whole sequence. This is
 *               the opens before it and the closes from it on, so it lies in 0 ... n and fits 32 bits for every n.
 *   key         the level at which an element looks for its match; an open's key is the level after it. The match of
 *               an element at level k is the last open before it with key k.
 *   survivors   of a slice: its opens that are still open at its end.
 *   tile        1024 elements, 32 words of 32 bits: what 32 lanes match at a time.
 *   superblock  32 tiles.
 */
#ifndef PM_SHADERS_SHARED_LAYOUT_H
#define PM_SHADERS_SHARED_LAYOUT_H

#define PM_LANES 32u             /* lanes that work together; also elements in a word, and children in the tree */
#define PM_TILE 1024u            /* elements */
#define PM_TILE_WORDS 32u        /* 32-bit words */
#define PM_SUPERBLOCK_TILES 32u  /* tiles */
#define PM_SUPERBLOCK 32768u     /* elements */
#define PM_LISTED 256u           /* of a superblock's survivors the lowest ones, at most, which scan lists */
#define PM_SHORT_SUPERBLOCKS 32u /* up to this number the match stage scans by itself */
/* Entries that a workgroup of the stage stack publishes: no more than any stack in a workgroup's memory has. */
#define PM_STACK 512u
#define PM_TOTALS_WORKGROUP 128u /* invocations; each does a sequence */
#define PM_TREE_LEVELS 4u        /* of minima of 32: 2^32 elements are 131072, 4096, 128, 4 nodes */
#define PM_REDUCE_SUPERBLOCKS 8u /* most superblocks that a workgroup reduces */
#define PM_NO_TILE 0xffffffffu
#define PM_NO_ELEMENT 0xffffffffu /* PM_NONE */

/* A tile's record: in .x the level of its start, relative to its superblock's, the position of its lowest survivor (0
 * if it has none), and whether its survivors are one run of elements; in .y its least level, its end's included,
 * relative as well. */
#define PM_TILE_PACK(start, lowest, run) ((start)*2048 + (lowest)*2 + (run))
#define PM_TILE_START(x) ((x) >> 11)
#define PM_TILE_LOWEST(x) (((x) >> 1) & 1023)
#define PM_TILE_RUN(x) ((x)&1)

/* Where in superblock_base the list of a superblock begins: PM_LISTED words for its lowest survivors, the lowest first,
 * each counted from the superblock's first element. */
#define PM_LIST(superblocks, superblock) ((superblocks) + (superblock)*PM_LISTED)

/* Teams that make one list, so that few superblocks are listed as fast as the first workgroup scans them. */
#define PM_LIST_TEAMS(superblocks) ((superblocks) <= 1024u ? 8u : (superblocks) <= 4096u ? 2u : 1u)

/* Specialization constants. */
#define PM_CONSTANT_WORKGROUP 0 /* invocations of a workgroup, where the shader leaves them open */
#define PM_CONSTANT_PLANNED 1   /* 1: the PLANNED parameters are not given, but in a plan on the device */
#define PM_CONSTANT_STACK 2     /* entries of the stack of a workgroup of match: PM_TILE, or half of that */
#define PM_CONSTANT_WORDS 3     /* of a partition */
#define PM_CONSTANT_BEFORE 4    /* leaves of the tree over the partitions before */
#define PM_CONSTANT_PLANES 5    /* words of a partition whose levels are kept; 1: none */
#define PM_CONSTANT_STATES 6    /* of the machine that reads a text */
#define PM_CONSTANT_SLICE 8     /* elements of a slice of a scene */
#define PM_CONSTANT_ORDERED 9   /* 1: tiles of a scene are taken in the order that its scan made */
#define PM_CONSTANT_SLICES 10   /* slices of a scene, at most: PM_BOXES_SLICES_FEW, or as many as one has elements */
#define PM_CONSTANT_PART 7      /* what of a sequence `levels` is given: */

#define PM_PART_WHOLE 0 /* all of it; `origin` and `incoming` do not count */
#define PM_PART_SLICE 1 /* a slice */

/* Words of the list of what looks further back than a slice begins (shaders/match/levels_far.glsl); tiles of a quad. */
#define PM_FAR_COUNT 0
#define PM_FAR_BEGIN 1
#define PM_FAR_QUAD 4u

/*
 * Parameters of levels: ADDRESS(type, name), UINT(name), and PLANNED(name), numbers that depend on the sequence's
 * length. Types are of shaders/match/levels.glsl. In every stage a workgroup works on per_group consecutive superblocks
 * or tiles, of `count` that begin with `first`. In the stack stage first and count are entries, per_group is PM_STACK
 * of them, and match is where they go. For totals first and count are sequences, and match is where totals go.
 */
#define PM_LEVELS_PARAMETERS(ADDRESS, UINT, PLANNED)                                                                   \
    ADDRESS(pm_words, parens)           /* n bits; aligned to 16 bytes; not written */                                 \
    ADDRESS(pm_words, survivors)        /* a bit for each element of each superblock */                                \
    ADDRESS(pm_delimiters, tile_record) /* of each tile of each superblock: see PM_TILE_PACK */                        \
    ADDRESS(pm_delimiters,                                                                                             \
            superblock_sum)            /* of each superblock: its end's level and its least, relative to its start */  \
    ADDRESS(pm_words, superblock_base) /* of each superblock: the level of its start; then their lists, see PM_LIST */ \
    ADDRESS(pm_words, tree)            /* least levels of superblocks, of 32 of them, of 1024 ... */                   \
    ADDRESS(pm_words, summary)         /* unmatched closes, unmatched opens */                                         \
    ADDRESS(pm_words, match)           /* of tile match_tile's first element and those after it */                     \
    ADDRESS(pm_words, incoming)        /* of a slice: the stack before it, its top first; of a batch: its offsets */   \
    ADDRESS(pmi_plans, plan)           /* of this dispatch, if that is on the device */                                \
    PLANNED(n)                         /* elements */                                                                  \
    PLANNED(superblocks)               /* that n elements touch */                                                     \
    PLANNED(first)                                                                                                     \
    PLANNED(count)                                                                                                     \
    PLANNED(per_group)                                                                                                 \
    UINT(origin)         /* of a slice: its first element's index in the whole sequence */                             \
    UINT(incoming_count) /* entries of incoming; below them the stack is empty */                                      \
    UINT(match_tile)                                                                                                   \
    UINT(tree_levels)                                                                                                  \
    UINT(tree_1) /* where the tree's levels begin; the first begins at 0 */                                            \
    UINT(tree_2)                                                                                                       \
    UINT(tree_3)

/* Parameters of plan, after which comes the pmi_plan_task. */
#define PM_PLANNER_PARAMETERS(ADDRESS, UINT)                                                                           \
    ADDRESS(pm_words, length) /* elements, if they are not more than n */                                              \
    ADDRESS(pmi_plans, plans) /* of the task's dispatches */                                                           \
    UINT(n)

/* Most words of a partition, if it is the only one: bicyclic elements of its halves must fit two times 16 bits. If
 * there are others, its own must. */
#define PM_PARTITION_WORDS_ALONE 2048u
#define PM_PARTITION_WORDS_MANY 1024u

/*
 * Parameters of simple, work-efficient and direct. A partition's slice is the indices of its survivors, the last one
 * first; the last partition has neither bicyclic element nor slice there.
 */
#define PM_PARTITION_PARAMETERS(ADDRESS, UINT)                                                                         \
    ADDRESS(pm_words, parens)  /* n bits; not written */                                                               \
    ADDRESS(pm_words, bics)    /* of each partition: unmatched closes, and 2^16 times the unmatched opens */           \
    ADDRESS(pm_words, slices)  /* of each partition, as long as itself */                                              \
    ADDRESS(pm_words, summary) /* unmatched closes, unmatched opens */                                                 \
    ADDRESS(pm_words, match)   /* of partition first's first element and those after it */                             \
    ADDRESS(pm_words,                                                                                                  \
            length)  /* of a single partition: its number of elements, if less than `most`; 0: is not given */         \
    UINT(most)       /* elements, or their maximum */                                                                  \
    UINT(partitions) /* that these touch */                                                                            \
    UINT(first)      /* partition of the first workgroup */                                                            \
    UINT(leaves)     /* of the tree: a partition's words, or fewer if that is all there are */                         \
    UINT(shares)     /* workgroups that a partition is shared by */                                                    \
    UINT(share)      /* elements of each of them */

/*
 * Parameters of lookback. Slices are as above. A partition's state is PM_LOOKBACK_REDUCED once its slice is there, with
 * unmatched closes, and 2^15 times unmatched opens; and PM_LOOKBACK_LINKED as well once its link is. The link says
 * what lies under the slice on the stack: a partition (or PM_NO_ELEMENT), and how many of its slice are gone. The last
 * partition has none of these.
 */
#define PM_LOOKBACK_WORDS 512u /* most words of a partition */
#define PM_LOOKBACK_REDUCED 0x40000000u
#define PM_LOOKBACK_LINKED 0x80000000u
#define PM_LOOKBACK_PACK(close, open) (PM_LOOKBACK_REDUCED | (close) | (open) << 15)
#define PM_LOOKBACK_CLOSE(state) ((state)&0x7fffu)
#define PM_LOOKBACK_OPEN(state) ((state) >> 15 & 0x7fffu)
#define PM_LOOKBACK_PARAMETERS(ADDRESS, UINT)                                                                          \
    ADDRESS(pm_words, parens)  /* n bits; not written */                                                               \
    ADDRESS(pm_words, begun)   /* one word: how many partitions workgroups have taken */                               \
    ADDRESS(pm_words, states)  /* of each partition */                                                                 \
    ADDRESS(pm_words, links)   /* of each partition, two words */                                                      \
    ADDRESS(pm_words, slices)  /* of each partition, as long as itself */                                              \
    ADDRESS(pm_words, summary) /* unmatched closes, unmatched opens */                                                 \
    ADDRESS(pm_words, match)   /* of partition first's first element and those after it */                             \
    UINT(n)                    /* elements */                                                                          \
    UINT(partitions)           /* that n elements touch */                                                             \
    UINT(first)                                                                                                        \
    UINT(leaves)   /* of the tree: a partition's words, or fewer if that is all there are */                           \
    UINT(patience) /* how often a state is looked at before the partition is reduced by whoever waits for it */        \
    UINT(stall)    /* for tests: of as many partitions, one keeps its state to itself; 0: none */                      \
    UINT(late)     /* for tests: 1: such a partition publishes its state at last, when it has nothing else left to do */

/* Parameters of verify: the match lies in chunks of 2^chunk_shift elements, whose addresses are in a table. */
#define PM_VERIFY_PARAMETERS(ADDRESS, UINT)                                                                            \
    ADDRESS(pm_words, parens)                                                                                          \
    ADDRESS(pmi_chunks, chunks)                                                                                        \
    ADDRESS(pm_words, wrong) /* [0] the number of wrong elements, [1] the least of them; begins as 0, 2^32 - 1 */      \
    UINT(n)                                                                                                            \
    UINT(chunk_shift)                                                                                                  \
    UINT(first) /* elements first ... first + count - 1 are checked */                                                 \
    UINT(count)

/* Parameters of floor: `count` times four words are written, PM_FLOOR_FOURS of them by a workgroup. Where it reads,
 * from the bits of `count` elements, or from `count` words. */
#define PM_FLOOR_WORKGROUP 256
#define PM_FLOOR_FOURS 1024
#define PM_FLOOR_PARAMETERS(ADDRESS, UINT)                                                                             \
    ADDRESS(pmi_fours, to)                                                                                             \
    ADDRESS(pmi_fours, from)                                                                                           \
    UINT(count)

/* Parameters of floor_read: what is read in the same way. */
#define PM_FLOOR_READ_PARAMETERS(ADDRESS, UINT)                                                                        \
    ADDRESS(pmi_fours, from)                                                                                           \
    ADDRESS(pm_words, to) /* a word */                                                                                 \
    UINT(count)

#endif
