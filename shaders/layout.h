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
#ifndef PM_SHADERS_LAYOUT_H
#define PM_SHADERS_LAYOUT_H

#define PM_LANES 32u             /* lanes that work together; also elements in a word, and children in the tree */
#define PM_TILE 1024u            /* elements */
#define PM_TILE_WORDS 32u        /* 32-bit words */
#define PM_SUPERBLOCK_TILES 32u  /* tiles */
#define PM_SUPERBLOCK 32768u     /* elements */
#define PM_SHORT_SUPERBLOCKS 32u /* up to so many the match stage scans by itself */
#define PM_TREE_LEVELS 4u        /* of minima of 32: 2^32 elements are 131072, 4096, 128, 4 nodes */
#define PM_REDUCE_SUPERBLOCKS 8u /* most superblocks that a workgroup reduces */
#define PM_NO_TILE 0xffffffffu
#define PM_NO_ELEMENT 0xffffffffu /* PM_NONE */

/* A tile's record: in .x the level of its start, relative to its superblock's, the position of its lowest survivor (0 if
 * it has none), and whether its survivors are one run of elements; in .y its least level, its end's included, relative
 * likewise. */
#define PM_TILE_PACK(start, lowest, run) ((start)*2048 + (lowest)*2 + (run))
#define PM_TILE_START(x) ((x) >> 11)
#define PM_TILE_LOWEST(x) (((x) >> 1) & 1023)
#define PM_TILE_RUN(x) ((x)&1)

/* Specialization constants. */
#define PM_CONSTANT_WORKGROUP 0 /* invocations of a workgroup, where the shader leaves them open */
#define PM_CONSTANT_PLANNED 1   /* 1: the PLANNED parameters are not given, but in a plan on the device */
#define PM_CONSTANT_SORTED 2    /* words that a workgroup sorts at a time: PM_TILE_WORDS, or half of them */

/*
 * Parameters of wide: ADDRESS(type, name), UINT(name), and PLANNED(name), numbers that depend on the sequence's length.
 * Types are of shaders/wide.glsl. In every stage a workgroup works on per_group consecutive superblocks or tiles, of
 * `count` that begin with `first`.
 */
#define PM_WIDE_PARAMETERS(ADDRESS, UINT, PLANNED)                                                                     \
    ADDRESS(pm_words, parens)          /* n bits; aligned to 16 bytes; not written */                                  \
    ADDRESS(pm_words, survivors)       /* a bit for each element of each superblock */                                 \
    ADDRESS(pm_pairs, tile_record)     /* of each tile of each superblock: see PM_TILE_PACK */                         \
    ADDRESS(pm_pairs, superblock_sum)  /* of each superblock: its end's level and its least, relative to its start */  \
    ADDRESS(pm_words, superblock_base) /* of each superblock: the level of its start */                                \
    ADDRESS(pm_words, tree)            /* least levels of superblocks, of 32 of them, of 1024 ... */                   \
    ADDRESS(pm_words, summary)         /* unmatched closes, unmatched opens */                                         \
    ADDRESS(pm_words, match)           /* of tile match_tile's first element and those after it */                     \
    ADDRESS(pm_plans, plan)            /* of this dispatch, if that is on the device */                                \
    PLANNED(n)                         /* elements */                                                                  \
    PLANNED(superblocks)               /* that n elements touch */                                                     \
    PLANNED(first)                                                                                                     \
    PLANNED(count)                                                                                                     \
    PLANNED(per_group)                                                                                                 \
    UINT(match_tile)                                                                                                   \
    UINT(tree_levels)                                                                                                  \
    UINT(tree_1) /* where the tree's levels begin; the first begins at 0 */                                            \
    UINT(tree_2)                                                                                                       \
    UINT(tree_3)

/* Parameters of plan, after which comes the pm_plan_task. */
#define PM_PLANNER_PARAMETERS(ADDRESS, UINT)                                                                           \
    ADDRESS(pm_words, length) /* elements, if they are not more than n */                                              \
    ADDRESS(pm_plans, plans)  /* of the task's dispatches */                                                           \
    UINT(n)

/* Parameters of verify: the match lies in chunks of 2^chunk_shift elements, whose addresses are in a table. */
#define PM_VERIFY_PARAMETERS(ADDRESS, UINT)                                                                            \
    ADDRESS(pm_words, parens)                                                                                          \
    ADDRESS(pm_chunks, chunks)                                                                                         \
    ADDRESS(pm_words, wrong) /* [0] the number of wrong elements, [1] the least of them; begins as 0, 2^32 - 1 */      \
    UINT(n)                                                                                                            \
    UINT(chunk_shift)                                                                                                  \
    UINT(first) /* elements first ... first + count - 1 are checked */                                                 \
    UINT(count)

/* Parameters of floor: `count` times four words are written, PM_FLOOR_FOURS of them by a workgroup. */
#define PM_FLOOR_WORKGROUP 256
#define PM_FLOOR_FOURS 1024
#define PM_FLOOR_PARAMETERS(ADDRESS, UINT)                                                                             \
    ADDRESS(pm_fours, to)                                                                                              \
    UINT(count)

#endif
