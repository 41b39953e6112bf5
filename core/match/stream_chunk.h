/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk of a stream, matched by an engine. The entries of the far stack that the chunk can reach are put before it,
 * as blocks without results, and so everything has an index of 32 bits; those of entries are translated afterwards. To
 * do:
 *
 *   load    the chunk, whose first element begins an entry of the stream
 *   match   it: borrow entries from the far stack, top first, until the chunk has all it can reach; match; translate
 *   return  the survivors to the far stack, entries borrowed and entries of the chunk alike
 */
#ifndef PM_CORE_MATCH_STREAM_CHUNK_H
#define PM_CORE_MATCH_STREAM_CHUNK_H

#include "base/engine.h"
#include "base/stack.h"

/*
 * An entry of a stream's far stack: 64 consecutive elements that have opens on it.
 *
 * Opens leave the stack from the top only, so the opens left of an entry are its lowest unmatched ones. The entry's
 * parentheses and a count determine them, which suits an engine; a mask of them suits who goes element by element. An
 * entry takes 16 bytes in either form. A mask has as many bits as there are opens on the stack; parentheses have that
 * many opens only if all of them are unmatched and left, and then they are the mask, too.
 *
 * What lies between two unmatched opens of a sequence is balanced, so it has even length. Opens given to
 * pm_stream_skip() may be at any distances; where one is odd, they are cut into entries of the same 64 elements.
 */
typedef struct pmi_stream_entry {
    uint64_t place; /* index of its first element, a multiple of 64, plus its opens on the stack minus 1 */
    uint64_t bits;  /* its parentheses, or the mask of those opens */
} pmi_stream_entry;

/* An entry of count > 0 opens on the stack. */
static inline pmi_stream_entry pmi_stream_entry_make(uint64_t base, unsigned count, uint64_t bits) {
    return (pmi_stream_entry){base + (count - 1), bits};
}

static inline uint64_t pmi_stream_entry_base(pmi_stream_entry entry) {
    return entry.place - entry.place % PM_WORD_BITS;
}

static inline unsigned pmi_stream_entry_count(pmi_stream_entry entry) {
    return (unsigned)(entry.place % PM_WORD_BITS) + 1;
}

static inline bool pmi_stream_entry_is_mask(pmi_stream_entry entry) {
    return pmi_bits_count(entry.bits) == pmi_stream_entry_count(entry);
}

/* Bit i: is the sum of i and of the number of opens up to i odd? It changes from one open to the next exactly if an odd
 * number of elements lies between them. */
static inline uint64_t pmi_stream_entry_odd_sums(uint64_t opens) {
    const uint64_t odd_place = UINT64_C(0xaaaaaaaaaaaaaaaa);
    return pmi_bits_parities(opens) ^ odd_place;
}

/* Those of the opens, a mask that is not 0, that one entry can hold: the lowest ones, up to the first odd distance. */
static inline uint64_t pmi_stream_entry_first_opens(uint64_t opens) {
    const uint64_t odd = opens & pmi_stream_entry_odd_sums(opens), even = opens ^ odd;
    if (odd == 0 || even == 0)
        return opens;
    const unsigned lowest_odd = pmi_bits_lowest(odd), lowest_even = pmi_bits_lowest(even);
    return opens & pmi_bits_low(lowest_odd > lowest_even ? lowest_odd : lowest_even);
}

/* Parentheses whose lowest unmatched opens are the entry's; a mask's are made up: ()()() between two of its opens.
 * There, element i is an open exactly if its sum is odd or even as that before the lowest open. */
static inline uint64_t pmi_stream_entry_parens(pmi_stream_entry entry) {
    if (!pmi_stream_entry_is_mask(entry))
        return entry.bits;
    const unsigned lowest = pmi_bits_lowest(entry.bits);
    const uint64_t odd_sum = pmi_stream_entry_odd_sums(entry.bits) ^ (lowest % 2 != 0 ? UINT64_MAX : 0);
    return entry.bits | ~(odd_sum | pmi_bits_low(lowest));
}

/* ---- Chunks ---- */

#define PM_CHUNK_WORDS 192u    /* of a chunk at most: an engine keeps the opens of this many at hand */
#define PM_CHUNK_ENTRIES 1024u /* borrowed at most */
#define PM_CHUNK_BLOCKS (PM_CHUNK_ENTRIES + PM_CHUNK_WORDS)

typedef struct pmi_stream_chunk {
    const pmi_engine *engine;
    size_t length;                /* elements */
    uint64_t needed;              /* opens below it that it reaches */
    bool is_near[PM_CHUNK_WORDS]; /* does a word reach nothing below the chunk? */
    size_t borrowed;              /* entries; they come right before the chunk, in blocks up to PM_CHUNK_ENTRIES - 1 */
    uint64_t borrowed_opens;
    bool shares_bases; /* have two of them the same 64 elements? */
    pmi_far_stack far; /* after the match, what is left of entries and chunk */
    uint64_t parens[PM_CHUNK_BLOCKS];
    uint64_t base[PM_CHUNK_BLOCKS]; /* index in the stream of each block's first element */
    pm_survivors survivors[PM_CHUNK_BLOCKS];
    uint32_t results[PM_CHUNK_WORDS * PM_WORD_BITS];
    unsigned char scratch[PM_SCRATCH_ALIGN + PM_SCRATCH_SIZE];
} pmi_stream_chunk;

/* Loads elements i ... n - 1, or as many as a chunk takes. Element i has index `position` in the stream. */
void pmi_stream_chunk_load(pmi_stream_chunk *chunk, const uint64_t *parens, size_t n, size_t i, uint64_t position);

/*
 * Borrows the entries and matches the chunk. If many entries have few opens each, and it cannot have all that it
 * may reach, the chunk is cut shorter. The results are of 64 bits or of 32; one of the two is NULL. Those of 64 bits
 * may go past the caches. Returns the closes that met an empty stack.
 */
uint64_t pmi_stream_chunk_match(pmi_stream_chunk *chunk, pmi_stack *below, bool past_caches, uint64_t *match,
                                uint32_t *match_32);

/* Entry k of the chunk->far.used ones left on the stack, lowest first. */
pmi_stream_entry pmi_stream_chunk_survivor(const pmi_stream_chunk *chunk, size_t k);

#endif
