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
#ifndef PM_SHADERS_FIND_PFAC_H
#define PM_SHADERS_FIND_PFAC_H

#define PM_PFAC_LANES 256u      /* invocations of a workgroup */
#define PM_PFAC_LANE_PLACES 16u /* of a tile, that a lane looks at */
#define PM_PFAC_TILE 4096u      /* places */
#define PM_PFAC_TILE_WORDS 128u /* a bit for each */
#define PM_PFAC_GROUP_TILES 32u /* of a group, at most */
#define PM_PFAC_STEP_TILES 8u   /* whose hits a workgroup writes at a time: four words a lane */
#define PM_PFAC_TEXT_BEYOND 32u /* bytes behind a text that may be read, whatever they are */

/* Bit of a node's base: a pattern ends there, or on the way there. */
#define PM_PFAC_PATTERN_ENDS 0x80000000u

/*
 * The filters: bits for what patterns begin with. Where a text's next four bytes, the first the lowest and all of them
 * with the bits of `fold`, have neither the bits of the one nor that of the other, no pattern begins.
 *   long   of patterns of four bytes and more: two bits of a word, by a hash of the first four. It takes both.
 *   short  of shorter ones: a word by a hash of the first two, in it a bit by the third.
 * After them come the classes of all bytes, four a word.
 */
#define PM_PFAC_LONG_WORDS 4096u
#define PM_PFAC_SHORT_WORDS 1024u
#define PM_PFAC_CLASS_WORDS 64u
#define PM_PFAC_LONG_HASH(bytes) ((bytes)*0x9e3779b1u)
#define PM_PFAC_LONG_WORD(hash) ((hash) >> 20)
#define PM_PFAC_LONG_BIT(hash) ((hash) >> 15 & 31u)
#define PM_PFAC_LONG_BIT_2(hash) ((hash) >> 10 & 31u)
#define PM_PFAC_SHORT_WORD(bytes) (((bytes)&0xffffu) * 0x9e3779b1u >> 22)
#define PM_PFAC_SHORT_BIT(bytes) ((bytes) >> 16 & 31u)

/* Parameters of all its shaders. */
#define PM_PFAC_PARAMETERS(ADDRESS, UINT)                                                                              \
    ADDRESS(pmi_input, text)         /* n bytes; aligned to 16 */                                                      \
    ADDRESS(pm_delimiters, nodes)    /* base and parent: see base/dict.h; then of each its longest pattern and hits */ \
    ADDRESS(pmi_input, filters)      /* long, short, classes */                                                        \
    ADDRESS(pm_delimiters, patterns) /* where those that it begins with stand among the chains, and its length */      \
    ADDRESS(pmi_input, chains)       /* of each pattern those that it begins with, itself too, ascending */            \
    ADDRESS(pm_words, begins)     /* a bit for each place of each tile: a pattern begins; of tiles with hits only */   \
    ADDRESS(pm_words, tile_hits)  /* hits that begin in each tile */                                                   \
    ADDRESS(pm_words, group_hits) /* in each group; after the scan before each, and at the end in all */               \
    ADDRESS(pm_words, total)      /* of all hits */                                                                    \
    ADDRESS(pmi_fours, hits)      /* as pm_hit: from hit hit_first on, at most hit_room of them */                     \
    UINT(n)                                                                                                            \
    UINT(places)      /* bytes searched, the first ones, though patterns may go on up to n */                          \
    UINT(groups)      /* that these touch */                                                                           \
    UINT(group_tiles) /* at most PM_PFAC_GROUP_TILES */                                                                \
    UINT(first)       /* group of the first workgroup */                                                               \
    UINT(fold)                                                                                                         \
    UINT(shorts) /* 0: no pattern is shorter than four bytes */                                                        \
    UINT(ends)   /* of nodes: the first one's longest pattern */                                                       \
    UINT(hit_first)                                                                                                    \
    UINT(hit_room)                                                                                                     \
    UINT(start_low)  /* the number of the first place, */                                                              \
    UINT(start_high) /* and what of it is past 32 bits */

#endif
