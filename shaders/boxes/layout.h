/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on for the boxes of scenes. As shaders/shared/layout.h, nothing but macros.
 *
 * Words
 *   height      of a position: nodes opened before it minus ends, so it may be negative; of a node: that of its
 * position. The stack before a position of height h holds nodes of heights below h, the innermost at h - 1. chunk 8
 * elements, what a lane walks through. word        of 32 elements. tile        256 elements, 32 chunks: what a team of
 * 32 lanes works on. block of tiles, one for each invocation of a workgroup of the scan. survivors   of a slice: its
 * nodes that are still open at its end; their heights are consecutive, from its least on. reach       of a box: see
 * shaders/boxes/extent.glsl. base of a slice: the intersection of the clips whose heights are below its least.
 */
#ifndef PM_SHADERS_BOXES_LAYOUT_H
#define PM_SHADERS_BOXES_LAYOUT_H

#define PM_BOXES_CHUNK 8u
#define PM_BOXES_TILE 256u
#define PM_BOXES_TILE_WORDS 8u   /* words of a bit for each element */
#define PM_BOXES_BLOCK_BYTES 28u /* of a workgroup's memory for each tile of a block; and once: */
#define PM_BOXES_BLOCK_MORE 1024u
#define PM_BOXES_FEW_BLOCKS 16u    /* up to so many blocks there is no sum before levels, and no top before links */
#define PM_BOXES_SHORT 256u        /* up to so many tiles fix does without the tree of unions */
#define PM_BOXES_TEAM_TILES 4u     /* of which each lane of a team has a word */
#define PM_BOXES_MARKS 31u         /* nodes and ends of a sparse tile: so that a lane has one, and one lane none */
#define PM_BOXES_HOPS 8u           /* along links, of a jump */
#define PM_BOXES_TOP 128u          /* invocations for what lies above blocks */
#define PM_BOXES_N_MAX 0x7fffffffu /* heights fit 32 bits with a sign */
#define PM_NO_LINK 0xffffffffu

/* What a tile's record has in .y: its least height, relative to its start, and which nodes are in it. */
#define PM_BOXES_HAS_CLIPS 1
#define PM_BOXES_HAS_BLENDS 2
#define PM_BOXES_SPARSE 4 /* some of its elements are nodes or ends, but no more than PM_BOXES_MARKS */
#define PM_BOXES_PACK(least, has) ((least)*8 + (has))
#define PM_BOXES_LEAST(y) ((y) >> 3)
#define PM_BOXES_HAS(y) ((y)&3)
#define PM_BOXES_IS_SPARSE(y) ((y) >> 2 & 1)
/* A block's: how many of its tiles are sparse, and which nodes are in it. */
#define PM_BOXES_BLOCK_PACK(sparse, has) ((sparse)*4 + (has))
#define PM_BOXES_BLOCK_SPARSE(y) ((y) >> 2)

/*
 * Parameters of every stage: ADDRESS(type, name), PART(type, name), a part of the scratch that begins so many times 16
 * bytes after its start, and UINT(name).
 */
#define PM_BOXES_PARAMETERS(ADDRESS, PART, UINT)                                                                       \
    ADDRESS(pm_words, kinds)      /* a byte an element, of which two bits count; aligned to 16 bytes; not written */   \
    ADDRESS(pmi_extents, boxes)   /* not written */                                                                    \
    ADDRESS(pmi_extents, results) /* boxes; after match, what is known in the tile of nodes that tiles cut */          \
    ADDRESS(pmi_address, scratch)                                                                                      \
    PART(pm_words, tile_survivors)   /* of each tile, a bit an element */                                              \
    PART(pm_words, tile_clips)       /* likewise, those of the survivors that are clips */                             \
    PART(pm_delimiters, tile_record) /* of each tile: what it changes the height by, and PM_BOXES_PACK */              \
    PART(pmi_extents, word_clipped) /* of each word of each tile: that of the clips up to it which survive the tile */ \
    PART(pm_delimiters, block_record) /* of each block: what it changes the height by, and PM_BOXES_BLOCK_PACK */      \
    PART(pmi_numbers, scene_has)      /* which nodes are in the scene */                                               \
    PART(pmi_numbers, tile_start)     /* of each tile: the height of its start */                                      \
    PART(pmi_numbers, tree_least)     /* a binary tree over tiles: their least heights; node 1 is the root */          \
    PART(pm_words, link_from)         /* of each tile: where its base has more: that of another tile; or PM_NO_LINK */ \
    PART(pm_words, link_to)           /* a jump reads the former and writes the latter */                              \
    PART(pmi_extents, base_from)      /* of each tile: its base, but for what is linked */                             \
    PART(pmi_extents, base_to)        /* likewise */                                                                   \
    PART(pm_words, tile_closers)      /* of each tile, a bit an element: ends of blends of tiles before */             \
    PART(pm_words, blend_closed)      /* of each element: if it is a closer, the blend */                              \
    PART(pmi_extents, tree_covered)   /* a binary tree over tiles: unions of their leaves */                           \
    UINT(n)                                                                                                            \
    UINT(tiles)    /* that n elements touch */                                                                         \
    UINT(leaves)   /* of each tree: a power of two, and of blocks */                                                   \
    UINT(block)    /* tiles of a block, a power of two */                                                              \
    UINT(blocks)   /* that n elements touch */                                                                         \
    UINT(per_team) /* tiles that a team fixes: 1, or PM_BOXES_TEAM_TILES */                                            \
    UINT(first)    /* tile, or block, of the first workgroup */                                                        \
    UINT(count)    /* tiles, or blocks, of this dispatch, where the host knows */

/*
 * The order of tiles in match, where the device finds how many are sparse: first those that are not, then, from the end
 * on, those that are. It is where the tree of unions is made after match, below its leaves. Where less than one in
 * PM_BOXES_SPARSE_SHARE is sparse, looking tiles up takes longer than these save, and match takes all alike, as they
 * come.
 */
#define PM_BOXES_SPARSE_SHARE 8u
/* What the dispatches are for, in their order, the pieces of each together. */
#define PM_BOXES_OF_ALIKE 0u
#define PM_BOXES_OF_OTHERS 1u
#define PM_BOXES_OF_SPARSE 2u
#define PM_BOXES_SORTS 3u
#define PM_BOXES_ORDER_PARAMETERS(ADDRESS, PART, UINT)                                                                 \
    ADDRESS(pm_words, dispatches) /* three words each; of `piece` tiles, or less */                                    \
    ADDRESS(pmi_address, scratch)                                                                                      \
    PART(pm_delimiters, tile_record)                                                                                   \
    PART(pm_delimiters, block_record)                                                                                  \
    PART(pm_words, tile_order)                                                                                         \
    UINT(tiles)                                                                                                        \
    UINT(blocks)                                                                                                       \
    UINT(piece)                                                                                                        \
    UINT(first) /* block of the first workgroup */

/*
 * Short scenes go by slices instead, an element for each invocation of a workgroup: 32 words of 32 elements at most, as
 * many as the device has room for. Clipped of a survivor is what the clips among the survivors of its slice up to it
 * leave.
 */
#define PM_BOXES_SLICES_DIRECT 32u /* up to so many there is no first stage */
#define PM_BOXES_SLICES_FEW 128u   /* up to so many, every team of match and fix looks at all slices by itself; more: */
#define PM_BOXES_LANE_SLICES 4u /* each lane at so many; more slices are looked at by a workgroup's teams together, */
#define PM_BOXES_OWN_SLICES 2u  /* each invocation at so many */
#define PM_BOXES_SLICE_N_MAX 524288u /* elements */
#define PM_BOXES_SLICE_BYTES                                                                                           \
    64u /* of a workgroup's memory for each element; where teams are no subgroups, more; and once: */
#define PM_BOXES_SLICE_EXCHANGE_BYTES 8u
#define PM_BOXES_SLICE_MORE 12288u
#define PM_BOXES_SLICE_CLIP 0x80000000u /* with the number of a survivor that is a clip */
#define PM_BOXES_OPEN 0xfffffffeu       /* in place of a blend: of one that nobody closes */
#define PM_BOXES_SLICES_PARAMETERS(ADDRESS, PART, UINT)                                                                \
    ADDRESS(pm_words, kinds)                                                                                           \
    ADDRESS(pmi_extents, boxes)                                                                                        \
    ADDRESS(pmi_extents, results) /* boxes; after match, what is known in the slice of nodes that slices cut */        \
    ADDRESS(pmi_address, scratch)                                                                                      \
    PART(pm_delimiters, slice_record) /* of each slice: what it changes the height by, and PM_BOXES_PACK */            \
    PART(pm_words, slice_survivors)   /* of each slice: the elements that survive it, and PM_BOXES_SLICE_CLIP */       \
    PART(pmi_extents, slice_clipped)  /* of each slice: of each of its survivors */                                    \
    PART(pm_words, blend_closed)      /* of each element: an end's blend of an earlier slice, PM_BOXES_OPEN or none */ \
    PART(pmi_extents, slice_covered)  /* of each slice: the union of its leaves */                                     \
    UINT(n)                                                                                                            \
    UINT(slices) /* that n elements touch */                                                                           \
    UINT(first)  /* slice of the first workgroup */

/* Parameters of its floor: a workgroup copies so many elements. */
#define PM_BOXES_FLOOR_WORKGROUP 256
#define PM_BOXES_FLOOR_ELEMENTS 1024
#define PM_BOXES_FLOOR_PARAMETERS(ADDRESS, UINT)                                                                       \
    ADDRESS(pm_words, kinds)                                                                                           \
    ADDRESS(pmi_extents, boxes)                                                                                        \
    ADDRESS(pmi_extents, results)                                                                                      \
    UINT(n)

#endif
