/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on where the index of a JSON text is made. Read by both, so it holds nothing but macros;
 * an address has 64 bits on both sides.
 *
 * Words
 *   word      64 bytes of text, what a lane looks at; their masks are pairs of 32 bits.
 *   tile      16384 bytes, what a workgroup looks at.
 *   quoting   of a stretch of text, two bits for each of two cases, that a backslash protects its first byte or not:
 *             does one protect the byte behind it, and is its number of quotes odd?
 *   order     of a stretch of text: which order the last token leaves, for each order before it.
 *   gap       what is between a bracket and the one before it.
 */
#ifndef PM_SHADERS_JSON_LAYOUT_H
#define PM_SHADERS_JSON_LAYOUT_H

#define PM_INDEX_LANES 256u     /* invocations of a workgroup */
#define PM_INDEX_LANE_BYTES 64u /* of a tile, that a lane reads */
#define PM_INDEX_TILE 16384u    /* bytes */
#define PM_INDEX_ROW 8u         /* tiles of a lane at a time, where a workgroup goes over all */

/* Quoting of nothing, and the two cases. */
#define PM_INDEX_QUOTING_NOTHING 4u
#define PM_INDEX_PROTECTED 1u
#define PM_INDEX_ODD 2u /* of a state: inside a string */

/* What the last token was: that is what may follow. As an order also: a string alone, which is a key or a value; and no
 * token. */
#define PM_INDEX_AFTER_COLON 0u /* or at the beginning */
#define PM_INDEX_AFTER_OPEN 1u
#define PM_INDEX_AFTER_COMMA 2u
#define PM_INDEX_AFTER_KEY 3u
#define PM_INDEX_AFTER_VALUE 4u
#define PM_INDEX_STRING 5u
#define PM_INDEX_NOTHING 6u

/* Of a bracket, and of what is behind the last bracket of a tile. */
#define PM_INDEX_OPEN 1u
#define PM_INDEX_OBJECT 2u
#define PM_INDEX_MEMBER 4u   /* in the gap before it is a colon */
#define PM_INDEX_ELEMENT 8u  /* in the gap before it is an element of an array */
#define PM_INDEX_FIRST 16u   /* it is the text's first token */
#define PM_INDEX_LAST 32u    /* it is the text's last token */
#define PM_INDEX_BRACKET 64u /* of a tile: it has a bracket */

/* Of a tile, words: its quoting, then the state before it, then what is behind its last bracket; its tokens, then those
 * before it; its brackets, then those before it; its order, then what is before it. Behind the last tile: of all. */
#define PM_INDEX_TILE_QUOTING 0
#define PM_INDEX_TILE_TOKENS 1
#define PM_INDEX_TILE_BRACKETS 2
#define PM_INDEX_TILE_ORDER 3

/* What is found on the way, words. */
#define PM_INDEX_FOUND_WRONG 0u  /* not 0: something is wrong */
#define PM_INDEX_FOUND_INSIDE 1u /* not 0: the text ends inside a string */
#define PM_INDEX_FOUND_ORDER 2u  /* at the end of the text */
#define PM_INDEX_FOUND_WORDS 4u

/* The result, words: as pm_vk_json_result. */
#define PM_INDEX_RESULT_TOKENS 0u
#define PM_INDEX_RESULT_BRACKETS 1u
#define PM_INDEX_RESULT_VERDICT 2u
#define PM_INDEX_RESULT_CLOSE 3u /* the match's summary */
#define PM_INDEX_RESULT_OPEN 4u
#define PM_INDEX_RESULT_WORDS 5u

/* pm_vk_json_verdict. */
#define PM_INDEX_RIGHT 0u
#define PM_INDEX_WRONG 1u
#define PM_INDEX_NO_ROOM 2u

/* Parameters of all its shaders. */
#define PM_INDEX_PARAMETERS(ADDRESS, UINT)                                                                             \
    ADDRESS(pmi_text, text)         /* n bytes, read in whole 16; aligned to them */                                   \
    ADDRESS(pmi_tiles, tiles)       /* of each tile */                                                                 \
    ADDRESS(pmi_masks, tokens)      /* a bit for each byte, in whole 512 */                                            \
    ADDRESS(pmi_masks, brackets)    /* a bit for each byte, in whole 512 */                                            \
    ADDRESS(pm_words, before_words) /* brackets before each word, in whole 8 */                                        \
    ADDRESS(pmi_masks, list)        /* of each bracket where it is and what it is */                                   \
    ADDRESS(pm_words, parens)       /* of brackets, a bit each */                                                      \
    ADDRESS(pm_words, match)        /* of brackets */                                                                  \
    ADDRESS(pm_words, partners)     /* of each bracket, where its partner is */                                        \
    ADDRESS(pm_words, positions)    /* of tokens, if token_capacity is not 0 */                                        \
    ADDRESS(pm_words, found)                                                                                           \
    ADDRESS(pm_words, result)                                                                                          \
    ADDRESS(pmi_plans, plan) /* of the check's dispatch */                                                             \
    UINT(n)                                                                                                            \
    UINT(capacity) /* brackets */                                                                                      \
    UINT(token_capacity)                                                                                               \
    UINT(first) /* tile of the first workgroup */

#endif
