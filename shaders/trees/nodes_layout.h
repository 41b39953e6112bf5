/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on for the nodes of a sequence: of each open, in order, its parent and where its subtree
 * ends, by number of node, found from the match. As shaders/shared/layout.h, nothing but macros.
 *
 * Words
 *   rank   of a position: the opens before it.
 *   block  8192 elements, a word of 32 for each invocation of a workgroup.
 */
#ifndef PM_SHADERS_TREES_NODES_LAYOUT_H
#define PM_SHADERS_TREES_NODES_LAYOUT_H

#define PM_NODES_WORKGROUP 256
#define PM_NODES_BLOCK 8192u

/* Parameters of every stage; a workgroup works on a block, the first one on block `first`. */
#define PM_NODES_PARAMETERS(ADDRESS, UINT)                                                                             \
    ADDRESS(pm_words, parens)     /* n bits; not written */                                                            \
    ADDRESS(pm_words, match)      /* of block first's first element and those after it; not written */                 \
    ADDRESS(pm_words, word_rank)  /* of each word's first element */                                                   \
    ADDRESS(pm_words, block_rank) /* of each block's first element; before that, its opens */                          \
    ADDRESS(pm_words, count)      /* one word: how many nodes there are */                                             \
    ADDRESS(pm_words, parents)    /* of each node, or PM_NO_ELEMENT */                                                 \
    ADDRESS(pm_words, ends)       /* of each node, or PM_NO_ELEMENT where nobody closes it */                          \
    UINT(n)                       /* elements */                                                                       \
    UINT(nodes)                   /* opens that count, the first ones */                                               \
    UINT(blocks)                  /* that n elements touch */                                                          \
    UINT(first)

#endif
