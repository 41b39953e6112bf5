/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library and kernels made with parenmatch/monoid.glsl must agree on. Nothing but macros, which C and GLSL
 * share. A kernel says by the numbers of its specialization constants which edition of this file it was made with.
 *
 * Words
 *   tile       consecutive nodes, one for each invocation of a workgroup.
 *   survivors  of a tile: its nodes that hold nodes of later tiles. Each holds the next one, and the outermost has its
 *              parent, if any, in an earlier tile: the tile's head.
 *   base       of a tile: the product of the values on the path from the root to its head, that included.
 *   end        of a node: the number of the first node after it that it does not hold.
 *   product    of an aligned block of 16 consecutive nodes, of 32, of 64 ...
 */
#ifndef PARENMATCH_MONOID_LAYOUT_H
#define PARENMATCH_MONOID_LAYOUT_H

/* Specialization constants. */
#define PM_MONOID_STAGE 1701
#define PM_MONOID_TILE 1702 /* invocations of a workgroup: a power of two of at least 32 */

/* Stages: down goes by the first four, up by the last two. */
#define PM_MONOID_CHAINS 0    /* of survivors: the product from their tile's outermost on */
#define PM_MONOID_JUMP 1      /* from head to head: bases */
#define PM_MONOID_SURVIVORS 2 /* their results */
#define PM_MONOID_REST 3      /* all others' */
#define PM_MONOID_PRODUCTS 4  /* of blocks, from one size to those after it */
#define PM_MONOID_RANGES 5    /* results, from products */
#define PM_MONOID_STAGES 6

#define PM_MONOID_BLOCK_SHIFT 4 /* least blocks have 16 nodes */
#define PM_MONOID_HOPS 8u       /* of a jump */
#define PM_MONOID_GIVEN 4u      /* blocks that an invocation begins with, going up */
#define PM_MONOID_VALUE_MAX 256u
#define PM_MONOID_NOTHING 0xffffffffu

/* Parameters: ADDRESS(type, name), UINT(name). A dispatch begins with tile `first`; jump takes a tile for a node. */
#define PM_MONOID_PARAMETERS(ADDRESS, UINT)                                                                            \
    ADDRESS(pm_values, values)     /* of each node; not written */                                                     \
    ADDRESS(pm_values, results)    /* of each node */                                                                  \
    ADDRESS(pm_words, count)       /* how many nodes there are */                                                      \
    ADDRESS(pm_words, parents)     /* of each node, or PM_MONOID_NOTHING */                                            \
    ADDRESS(pm_words, ends)        /* of each node; any greater number stands for that of nodes */                     \
    ADDRESS(pm_words, survivors)   /* of each node, a bit; not used for one tile alone */                              \
    ADDRESS(pm_words, heads)       /* of each tile, or PM_MONOID_NOTHING */                                            \
    ADDRESS(pm_words, links_from)  /* of each tile: the one whose base is missing before its own; or nothing */        \
    ADDRESS(pm_words, links_to)    /* a jump reads the former and writes the latter */                                 \
    ADDRESS(pm_values, bases_from) /* of each tile, except what is linked */                                           \
    ADDRESS(pm_values, bases_to)   /* where a jump writes them */                                                      \
    ADDRESS(pm_values, products)   /* of each whole block of 16; then of each of 32 ... */                             \
    UINT(first)                                                                                                        \
    UINT(shift)     /* of products: blocks of 2^shift nodes are given; of jump: 0 for the first one */                 \
    UINT(exclusive) /* of down: 1 if a node's own value is no part of its result */

#endif
