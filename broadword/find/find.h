/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching with vector instructions: the engines, and the kernels that they are made of, one implementation for each
 * instruction set that an engine of matching has, of the same name.
 */
#ifndef PM_BROADWORD_FIND_FIND_H
#define PM_BROADWORD_FIND_FIND_H

#include "base/find_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_CANDIDATES_MORE 16u

/* The functions of searches for one SIMD target. */
typedef struct pmi_finder {
    /*
     * Where in 64 * words bytes of text some begin that have the prefix of a pattern, and some other places, in order.
     * Reads prefixes->length - 1 bytes behind the last word. Returns the number of places; there is room for
     * PM_CANDIDATES_MORE in addition to one a byte.
     */
    size_t (*candidates)(const pmi_dict_prefixes *prefixes, const unsigned char *text, size_t words, uint32_t *places);

    /*
     * masks[w]: the places of text[64w] ... text[64w + 63] where patterns may begin, and some others. in_word: is the
     * byte before the text part of a word? Reads prefixes.length - 1 bytes behind the last word.
     */
    void (*starts)(const pmi_dict_starts *starts, const unsigned char *text, size_t words, bool in_word,
                   uint64_t *masks);

    /*
     * The automaton on many lanes at a time: `lanes` of `length` bytes each, a multiple of 4, side by side from place
     * `first` on. pmi_gather_reach() bytes behind the last one are read too. Returns how many events there are; needs
     * two of room for each place, as engines do. NULL: gathering is not among the instructions.
     */
    size_t (*gather)(const pmi_search *search, size_t first, size_t length, pmi_event *events);
    unsigned lanes;
    bool (*gathers_fast)(void); /* faster than the automaton on four lanes without vectors */
} pmi_finder;

/* Bytes behind a lane that are read before it: all that a pattern which begins in it can reach, in steps of four. */
static inline size_t pmi_gather_reach(const struct pm_dict *dict) {
    return ((size_t)dict->longest - 1 + 3) / 4 * 4;
}

extern const pmi_find_engine pmi_find_bytes;    /* patterns of one byte each */
extern const pmi_find_engine pmi_find_prefixes; /* few patterns: where their first bytes are, the trie looks further */
extern const pmi_find_engine pmi_find_gathered; /* the automaton on many lanes */

#ifdef __cplusplus
}
#endif

#endif
