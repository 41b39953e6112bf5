/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching with vector instructions: the engines, and the kernels that they are made of, one implementation for each
 * instruction set that an engine of matching has, of the same name.
 */
#ifndef PM_BROADWORD_FIND_H
#define PM_BROADWORD_FIND_H

#include "core/find_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PM_CANDIDATES_MORE 16u

/* One implementation. */
typedef struct pm_finder {
    const char *name; /* of the engine of matching with the same instructions */

    /*
     * Where in 64 * words bytes of text some begin that have the prefix of a pattern, and some other places, in order.
     * Reads prefixes->length - 1 bytes behind the last word. Returns the number of places; there is room for
     * PM_CANDIDATES_MORE beside one a byte.
     */
    size_t (*candidates)(const pm_dict_prefixes *prefixes, const unsigned char *text, size_t words, uint32_t *places);

    /*
     * The automaton on many lanes at a time: `lanes` of `length` bytes each, a multiple of 4, side by side from place
     * `first` on. pm_gather_reach() bytes behind the last one are read too. Returns how many events there are; needs
     * two of room for each place, as engines do. NULL: gathering is not among the instructions.
     */
    size_t (*gather)(const pm_search *search, size_t first, size_t length, pm_event *events);
    unsigned lanes;
    bool (*gathers_fast)(void); /* faster than the automaton on four lanes without vectors */
} pm_finder;

/* Bytes behind a lane that are read before it: all that a pattern which begins in it can reach, in steps of four. */
static inline size_t pm_gather_reach(const struct pm_dict *dict) {
    return ((size_t)dict->longest - 1 + 3) / 4 * 4;
}

/* The implementation for the engine of that name. */
const pm_finder *pm_finder_for(const char *engine);

extern const pm_find_engine pm_find_bytes;    /* patterns of one byte each */
extern const pm_find_engine pm_find_prefixes; /* few patterns: where their first bytes are, the trie looks further */
extern const pm_find_engine pm_find_gathered; /* the automaton on many lanes */

#ifdef __cplusplus
}
#endif

#endif
