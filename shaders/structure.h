/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on where the structure of a text is found: from bytes to tokens, and what is wrong with
 * them. Read by both, so it holds nothing but macros; an address has 64 bits on both sides.
 *
 * Words
 *   letter    of a place: its byte.
 *   state     of the machine that reads letters (core/machine.h), before a place.
 *   function  of a stretch of text: the state behind it for each state before it.
 *   tile      16384 places, what a workgroup looks at at a time.
 *   group     some tiles, what a workgroup works on.
 */
#ifndef PM_SHADERS_STRUCTURE_H
#define PM_SHADERS_STRUCTURE_H

#define PM_STRUCTURE_LANES 256u      /* invocations of a workgroup */
#define PM_STRUCTURE_LANE_BYTES 64u  /* of a tile, that a lane reads */
#define PM_STRUCTURE_TILE 16384u     /* places */
#define PM_STRUCTURE_TILE_WORDS 512u /* a bit for each */
#define PM_STRUCTURE_GROUP_TILES 8u  /* of a group, at most */
#define PM_STRUCTURE_STATES 6u       /* at most */

/*
 * A function is a word: from bit FIELD * s on it has FIELD * t, where the state s leads to t. So a state, kept as FIELD
 * times its number, is what a word is shifted by to get the next; what stands above its lowest bits does not matter
 * until then (Vognsen's and Langdale's "shift-based" automata). The row of a letter is its function, and above it two
 * bits of what it means in state 0.
 */
#define PM_STRUCTURE_FIELD 5u
#define PM_STRUCTURE_FIELD_MASK 31u
#define PM_STRUCTURE_TOKEN 0x40000000u
#define PM_STRUCTURE_REGION 0x80000000u

/* The tables: rows of all letters; of each what it is as a token, 2 * kind + open, and its length. */
#define PM_STRUCTURE_LETTERS 256u
#define PM_STRUCTURE_TABLE_TOKENS 256u /* word at which they begin */
#define PM_STRUCTURE_TABLE_WORDS 768u

/* What is found on the way, words. */
#define PM_STRUCTURE_FOUND_STATE 0u      /* at the end of the text */
#define PM_STRUCTURE_FOUND_REGION 1u     /* the place at which the last region begins, and 1; 0: there is none */
#define PM_STRUCTURE_FOUND_WRONG 2u      /* the first token that is a close and closes nothing, or another kind */
#define PM_STRUCTURE_FOUND_TOP 3u        /* the last token that is an open and in no other, and 1; 0: there is none */
#define PM_STRUCTURE_FOUND_MISMATCHED 4u /* pairs of two kinds */
#define PM_STRUCTURE_FOUND_WORDS 8u

/* The result, words: as pm_vk_structure_result. */
#define PM_STRUCTURE_RESULT_COUNT 0u
#define PM_STRUCTURE_RESULT_CLOSE 1u /* the match's summary */
#define PM_STRUCTURE_RESULT_OPEN 2u
#define PM_STRUCTURE_RESULT_MISMATCHED 3u
#define PM_STRUCTURE_RESULT_UNTERMINATED 4u
#define PM_STRUCTURE_RESULT_FAULT 5u
#define PM_STRUCTURE_RESULT_TOKEN 6u
#define PM_STRUCTURE_RESULT_AT 7u
#define PM_STRUCTURE_RESULT_PARTNER 8u
#define PM_STRUCTURE_RESULT_WORDS 9u

/* pm_fault, and that there is none. */
#define PM_STRUCTURE_UNMATCHED_CLOSE 0u
#define PM_STRUCTURE_UNMATCHED_OPEN 1u
#define PM_STRUCTURE_KIND_MISMATCH 2u
#define PM_STRUCTURE_UNTERMINATED 3u
#define PM_STRUCTURE_NONE 0xffffffffu

/* Parameters of all its shaders. */
#define PM_STRUCTURE_PARAMETERS(ADDRESS, UINT)                                                                         \
    ADDRESS(pm_text, text) /* n bytes, read in whole 16; aligned to them */                                            \
    ADDRESS(pm_input, tables)                                                                                          \
    ADDRESS(pm_words, functions) /* of each group; after the scan the state before it */                               \
    ADDRESS(pm_marks, begins)    /* a bit for each place of each tile: a token begins */                               \
    ADDRESS(pm_words, counts)    /* tokens of each group; then before each, and at the end all */                      \
    ADDRESS(pm_words, found)                                                                                           \
    ADDRESS(pm_words, result)                                                                                          \
    ADDRESS(pm_words, parens) /* of tokens 0 ... capacity - 1, like those that follow */                               \
    ADDRESS(pm_words, positions)                                                                                       \
    ADDRESS(pm_words, kinds)                                                                                           \
    ADDRESS(pm_words, lengths) /* with PM_STRUCTURE_LENGTHS */                                                         \
    ADDRESS(pm_words, match)                                                                                           \
    ADDRESS(pm_plans, plan) /* of the check's dispatch */                                                              \
    UINT(n)                                                                                                            \
    UINT(capacity)                                                                                                     \
    UINT(group_tiles)                                                                                                  \
    UINT(first) /* group of the first workgroup */                                                                     \
    UINT(flags) /* pm_machine.unterminated, and PM_STRUCTURE_LENGTHS */

#define PM_STRUCTURE_LENGTHS 0x80000000u /* lengths are wanted */

#endif
