/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on where texts are searched for many patterns. Read by both, so it holds nothing but
 * macros; an address has 64 bits on both sides.
 *
 * Words
 *   place   of a text: a byte of it, at which patterns may begin.
 *   tile    4096 places, what a workgroup looks at at a time.
 *   group   some tiles, what a workgroup works on.
 */
#ifndef PM_SHADERS_PFAC_H
#define PM_SHADERS_PFAC_H

#define PM_PFAC_LANES 256u      /* invocations of a workgroup */
#define PM_PFAC_LANE_PLACES 16u /* of a tile, that a lane looks at */
#define PM_PFAC_TILE 4096u      /* places */
#define PM_PFAC_TILE_WORDS 128u /* a bit for each */
#define PM_PFAC_GROUP_TILES 32u /* of a group, at most */
#define PM_PFAC_STEP_TILES 8u   /* whose hits a workgroup writes at a time: four words a lane */
#define PM_PFAC_TEXT_BEYOND 32u /* bytes behind a text that may be read, whatever they are */

/*
 * The filters: bits for what patterns begin with. Where a text's next four bytes, the first the lowest and all of them
 * with the bits of `fold`, have neither a bit of the one nor of the other, no pattern begins.
 *   long   of patterns of four bytes and more: by a hash of the first four.
 *   short  of shorter ones: a word by a hash of the first two, in it a bit by the third.
 * After them come the classes of all bytes, four a word, and the prefixes: a hash table of the nodes at depth 4, so
 * that the way down the trie can begin there. An entry has the classes that lead to a node, the first the lowest, the
 * node, 0 where there is no entry, and the node's base and longest pattern; what has another's place is in one of the
 * next. Before the table is the number of its entries less 1, all bits of which are set.
 */
#define PM_PFAC_LONG_WORDS 4096u
#define PM_PFAC_SHORT_WORDS 1024u
#define PM_PFAC_CLASS_WORDS 64u
#define PM_PFAC_PREFIX_MASK 5184u /* word behind them */
#define PM_PFAC_PREFIXES 5188u    /* word at which the table begins */
#define PM_PFAC_PREFIX_LENGTH 4u
#define PM_PFAC_PREFIX_HASH(classes) ((classes)*0x9e3779b1u >> 7)
#define PM_PFAC_LONG_BIT(bytes) ((bytes)*0x9e3779b1u >> 15)
#define PM_PFAC_SHORT_WORD(bytes) (((bytes)&0xffffu) * 0x9e3779b1u >> 22)
#define PM_PFAC_SHORT_BIT(bytes) ((bytes) >> 16 & 31u)

/* Parameters of all its shaders. */
#define PM_PFAC_PARAMETERS(ADDRESS, UINT)                                                                              \
    ADDRESS(pm_input, text)       /* n bytes; aligned to 16 */                                                         \
    ADDRESS(pm_nodes, nodes)      /* base, parent, longest pattern, hits: see core/dict.h */                           \
    ADDRESS(pm_input, filters)    /* long, short, classes, prefixes */                                                 \
    ADDRESS(pm_pairs, patterns)   /* where those that it begins with stand among the chains, and its length */         \
    ADDRESS(pm_input, chains)     /* of each pattern those that it begins with, itself too, ascending */               \
    ADDRESS(pm_words, begins)     /* a bit for each place of each tile: a pattern begins; of tiles with hits only */   \
    ADDRESS(pm_words, tile_hits)  /* hits that begin in each tile */                                                   \
    ADDRESS(pm_words, group_hits) /* in each group; after the scan before each, and at the end in all */               \
    ADDRESS(pm_words, total)      /* of all hits */                                                                    \
    ADDRESS(pm_fours, hits)       /* as pm_hit: from hit hit_first on, at most hit_room of them */                     \
    UINT(n)                                                                                                            \
    UINT(places)      /* the first so many bytes are searched, though patterns may go on up to n */                    \
    UINT(groups)      /* that these touch */                                                                           \
    UINT(group_tiles) /* at most PM_PFAC_GROUP_TILES */                                                                \
    UINT(first)       /* group of the first workgroup */                                                               \
    UINT(fold)                                                                                                         \
    UINT(shorts) /* 0: no pattern is shorter than four bytes */                                                        \
    UINT(hit_first)                                                                                                    \
    UINT(hit_room)                                                                                                     \
    UINT(start_low)  /* the number of the first place, */                                                              \
    UINT(start_high) /* and what of it is past 32 bits */

#endif
