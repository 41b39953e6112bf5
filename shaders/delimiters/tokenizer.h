/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C and GLSL must agree on where the structure of a text is found: from bytes to tokens, and what is wrong with
 * them. Read by both, so it holds nothing but macros; an address has 64 bits on both sides.
 *
 * Words
 *   letter    of a place: what begins there (base/dfa.h), a byte: that of the text, or one that is found first.
 *   state     of the machine that reads letters, before a place.
 *   function  of a stretch of text: the state behind it for each state before it.
 *   tile      16384 places, what a workgroup looks at at a time.
 *   group     some tiles, what a workgroup works on.
 *   start     a place in code at which a region or a token begins that is told late, a tag at its end, one of two words
 * at the second: it is the last start before that.
 */
#ifndef PM_SHADERS_DELIMITERS_TOKENIZER_H
#define PM_SHADERS_DELIMITERS_TOKENIZER_H

#define PM_STRUCTURE_LANES 256u      /* invocations of a workgroup */
#define PM_STRUCTURE_LANE_BYTES 64u  /* of a tile, that a lane reads */
#define PM_STRUCTURE_TILE 16384u     /* places */
#define PM_STRUCTURE_TILE_WORDS 512u /* a bit for each */
#define PM_STRUCTURE_GROUP_TILES 8u  /* of a group, at most */
#define PM_STRUCTURE_PART 4096u      /* places of a tile whose letters a workgroup finds at a time */

/*
 * Functions come in two forms. With up to PM_STRUCTURE_FEW states a function is a word: from bit FIELD * s on it has
 * FIELD * t, where the state s leads to t. So a state, kept as FIELD times its number, is what a word is shifted by to
 * get the next; what stands above its lowest bits does not matter until then (Vognsen's and Langdale's "shift-based"
 * automata). With up to PM_STRUCTURE_MANY it is eight words, a byte a state, and states are their numbers.
 * The row of a letter is its function, and in it two bits of what it means: in state 0, above all else in the word; or
 * in each state, above the state's byte.
 */
#define PM_STRUCTURE_FEW 6u
#define PM_STRUCTURE_MANY 32u
#define PM_STRUCTURE_MANY_WORDS 8u
#define PM_STRUCTURE_FIELD 5u
#define PM_STRUCTURE_STATE_MASK 31u
#define PM_STRUCTURE_FEW_SHIFT 30u
#define PM_STRUCTURE_MANY_SHIFT 6u
#define PM_STRUCTURE_UNKNOWN 32u /* of such a byte: no machine can tell what begins there */
#define PM_STRUCTURE_TOKEN 1u
#define PM_STRUCTURE_START 2u

/*
 * The tables, words: of each letter what it begins, 2 * kind + open, or PM_STRUCTURE_TAG + open, and two lengths: its
 * own, and above that the one from where it reports a token late to that one's end; rows of all letters. If letters are
 * not the text's bytes, behind them: for each byte the node that it leads to, 0 for none; for each byte two words: the
 * bytes, without their upper three bits, that may come second in a word which begins with it, and the letter that there
 * is without looking further; nodes, of two words: the byte that leads there, and above it the first of its choices;
 * its first child, and above that its sibling; choices, of two words: the letter, the length, and the condition, which
 * is base/dfa.h's; where in the tables other bytes are, four a word, and how many; those bytes. Nodes and choices
 * are named by the words at which they stand.
 */
#define PM_STRUCTURE_LETTERS 256u
#define PM_STRUCTURE_TAG 0x80000000u
#define PM_STRUCTURE_OWN_LENGTH(y) ((y)&0xffffu)
#define PM_STRUCTURE_LATE_LENGTH(y) ((y) >> 16)
#define PM_STRUCTURE_TABLE_ROWS 512u  /* word at which rows begin */
#define PM_STRUCTURE_TABLE_BYTES 768u /* words for bytes */
#define PM_STRUCTURE_TABLE_ROOT(row_words) (PM_STRUCTURE_TABLE_ROWS + PM_STRUCTURE_LETTERS * (row_words))
#define PM_STRUCTURE_NODE_BYTE(x) ((x)&0xffu)
#define PM_STRUCTURE_NODE_CHOICE(x) ((x) >> 8)
#define PM_STRUCTURE_NODE_CHILD(y) ((y)&0xffffu)
#define PM_STRUCTURE_NODE_SIBLING(y) ((y) >> 16)
#define PM_STRUCTURE_CHOICE_LETTER(x) ((x)&0xffu)
#define PM_STRUCTURE_CHOICE_LENGTH(x) ((x) >> 8 & 0xffffu)
#define PM_STRUCTURE_CHOICE_CONDITION(x) ((x) >> 24)
#define PM_STRUCTURE_CHOICE_SECOND(y) ((y)&0xffffu)
#define PM_STRUCTURE_CHOICE_SECOND_LENGTH(y) ((y) >> 16)
#define PM_STRUCTURE_IF_ANYTHING 0u
#define PM_STRUCTURE_IF_WORD 1u
#define PM_STRUCTURE_IF_NAME 2u
#define PM_STRUCTURE_IF_FAR 3u
#define PM_STRUCTURE_IF_TWO 4u
#define PM_STRUCTURE_IF_APART 5u
#define PM_STRUCTURE_IF_TAGGED 6u
#define PM_STRUCTURE_BLANKS_MOST 255u

/* What is found on the way, words. */
#define PM_STRUCTURE_FOUND_STATE 0u      /* at the end of the text */
#define PM_STRUCTURE_FOUND_START 1u      /* the last start, and 1; 0: no start */
#define PM_STRUCTURE_FOUND_WRONG 2u      /* the first token that is a close and closes nothing, or another kind */
#define PM_STRUCTURE_FOUND_TOP 3u        /* the last token that is an open and in no other, and 1; 0: no such token */
#define PM_STRUCTURE_FOUND_MISMATCHED 4u /* pairs of two kinds */
#define PM_STRUCTURE_FOUND_LONG 5u       /* not 0: names are too long, or too many are too alike */
#define PM_STRUCTURE_FOUND_UNKNOWN 6u    /* not 0: something in code cannot be told */
#define PM_STRUCTURE_FOUND_WORDS 8u

/* The result, words: as pm_vk_delimiters_result. */
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

/* pm_fault, and a value for no fault. */
#define PM_STRUCTURE_UNMATCHED_CLOSE 0u
#define PM_STRUCTURE_UNMATCHED_OPEN 1u
#define PM_STRUCTURE_KIND_MISMATCH 2u
#define PM_STRUCTURE_UNTERMINATED 3u
#define PM_STRUCTURE_NONE 0xffffffffu
/* In place of a fault where the count is PM_STRUCTURE_NONE. */
#define PM_STRUCTURE_IS_LONG 4u
#define PM_STRUCTURE_IS_UNKNOWN 5u

/* Parameters of all its shaders. */
#define PM_STRUCTURE_PARAMETERS(ADDRESS, UINT)                                                                         \
    ADDRESS(pmi_text, text) /* n bytes, read in whole 16; aligned to them */                                           \
    ADDRESS(pmi_input, tables)                                                                                         \
    ADDRESS(pm_words, functions) /* of each group, after the scan the state before it; and of all lanes */             \
    ADDRESS(pmi_marks, begins) /* a bit for each place of each tile: a token is told; if some are late, for starts */  \
    ADDRESS(pm_words, counts)  /* tokens of each group; then before each, and at the end all; if some are late, the    \
                                  last start of each group, and 1, or 0 */                                             \
    ADDRESS(pm_words, found)                                                                                           \
    ADDRESS(pm_words, result)                                                                                          \
    ADDRESS(pm_words, parens) /* of tokens 0 ... capacity - 1, like those that follow */                               \
    ADDRESS(pm_words, positions)                                                                                       \
    ADDRESS(pm_words, kinds)                                                                                           \
    ADDRESS(pm_words, lengths) /* if wants_lengths is not 0 */                                                         \
    ADDRESS(pm_words, match)                                                                                           \
    ADDRESS(pmi_plans, plan) /* of the check's dispatch */                                                             \
    UINT(n)                                                                                                            \
    UINT(capacity)                                                                                                     \
    UINT(group_tiles)                                                                                                  \
    UINT(first)        /* group of the first workgroup */                                                              \
    UINT(unterminated) /* as pmi_dfa.unterminated */                                                                   \
    UINT(wants_lengths)

/* Parameters of letters, which finds what the others read. */
#define PM_STRUCTURE_LETTERS_PARAMETERS(ADDRESS, UINT)                                                                 \
    ADDRESS(pmi_text, text) /* n bytes, read in whole 16; aligned to them */                                           \
    ADDRESS(pmi_input, tables)                                                                                         \
    ADDRESS(pm_words, letters) /* n bytes, written in whole words */                                                   \
    UINT(n)                                                                                                            \
    UINT(root)  /* where in the tables is what belongs to bytes */                                                     \
    UINT(fold)  /* 1: the letters of ASCII are small ones */                                                           \
    UINT(first) /* tile of the first workgroup */

/*
 * Names of tags get numbers in the order in which they come. Each is entered in a hash table with two slots for each
 * token, which has the token that has the name first; those tokens are counted, by tiles of PM_TILE tokens, and
 * numbered.
 */
#define PM_STRUCTURE_NAME_MOST 1024u  /* bytes of a name */
#define PM_STRUCTURE_PROBE_MOST 4096u /* slots that a name looks at */

/* Parameters of the shaders that do so. */
#define PM_STRUCTURE_NAMES_PARAMETERS(ADDRESS, UINT)                                                                   \
    ADDRESS(pmi_text, text) /* n bytes, read in whole 4 */                                                             \
    ADDRESS(pmi_text, letters)                                                                                         \
    ADDRESS(pmi_text, tables)                                                                                          \
    ADDRESS(pmi_text, positions)                                                                                       \
    ADDRESS(pm_words, kinds) /* of a tag first its slot */                                                             \
    ADDRESS(pmi_tag_numbers,                                                                                           \
            names) /* of each token: a hash, then the number if it has the name first; bytes, 0: none */               \
    ADDRESS(pmi_staging_ring, slots) /* tokens */                                                                      \
    ADDRESS(pm_words, firsts)        /* of each tile, names that it has first; then before each, and at the end all */ \
    ADDRESS(pm_words, found)                                                                                           \
    ADDRESS(pmi_plans, plan)                                                                                           \
    UINT(n)                                                                                                            \
    UINT(fold)      /* 1: the letters of ASCII are small ones */                                                       \
    UINT(name_ends) /* two bytes that end a name, as blanks do */                                                      \
    UINT(kinds_before)

#endif
