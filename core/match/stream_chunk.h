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
#include "core/match/stream_entry.h"

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
 * Borrows the entries and matches the chunk. If there are so many entries with so few opens that it cannot have all it
 * may reach, the chunk is cut shorter. The results are of 64 bits or of 32; one of both is NULL. Those of 64 bits may
 * go past the caches. Returns the closes that met an empty stack.
 */
uint64_t pmi_stream_chunk_match(pmi_stream_chunk *chunk, pmi_stack *below, bool past_caches, uint64_t *match,
                                uint32_t *match_32);

/* Entry k of the chunk->far.used ones left on the stack, lowest first. */
pmi_stream_entry pmi_stream_chunk_survivor(const pmi_stream_chunk *chunk, size_t k);

#endif
