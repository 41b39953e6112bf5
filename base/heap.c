/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of parts with heads (Knuth's boundary tags), free ones in lists by size. */
#include "base/heap.h"

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESSES_ARE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESSES_ARE_WATCHED 1
#endif
#endif

#ifdef ADDRESSES_ARE_WATCHED
#include <sanitizer/asan_interface.h>
#define OPEN_MEMORY(at, n) ASAN_UNPOISON_MEMORY_REGION(at, n)
#define SHUT_MEMORY(at, n) ASAN_POISON_MEMORY_REGION(at, n)
#define SEES_ALL __attribute__((no_sanitize_address))
#else
#define OPEN_MEMORY(at, n) ((void)0)
#define SHUT_MEMORY(at, n) ((void)0)
#define SEES_ALL
#endif

#define UNIT ((size_t)16)
#define HEAD ((size_t)8)    /* before what is given out */
#define LEAST (2 * UNIT)    /* head, links and the size once more at the end of a free part */
#ifndef PM_HEAP_BLOCK_LEAST /* tests have smaller ones */
#define PM_HEAP_BLOCK_LEAST ((size_t)16 << 10)
#define PM_HEAP_BLOCK_MOST ((size_t)16 << 20) /* unless one object is larger */
#endif
#define SIZE_MOST (SIZE_MAX / 4 < UINT64_C(1) << 40 ? SIZE_MAX / 4 : (size_t)(UINT64_C(1) << 40))

/* The size, a multiple of UNIT, and these: */
#define USED 1u
#define BEHIND_FREE 2u /* the part before is free, and its size is right before this head */
#define FIRST 4u       /* of its block */

struct pmi_heap_part {
    uint64_t head;
    pmi_heap_part *next, *previous; /* in its list, if it is free */
};

struct pmi_heap_block {
    size_t bytes;
    pmi_heap_block *next, *previous;
};

/* Parts begin HEAD bytes before a multiple of UNIT; behind the last one is a head alone, which is used. */
#define FIRST_PART ((sizeof(pmi_heap_block) + HEAD + UNIT - 1) / UNIT * UNIT - HEAD)
#define FRAME (FIRST_PART + HEAD)

static inline SEES_ALL pmi_heap_part *part_at(void *base, size_t offset) {
    void *const at = (unsigned char *)base + offset;
    return at;
}

static inline SEES_ALL size_t size_of(const pmi_heap_part *part) {
    return (size_t)(part->head & ~(uint64_t)(UNIT - 1));
}

/* The word with the size of the free part before one. */
static inline SEES_ALL uint64_t *size_before(pmi_heap_part *part) {
    void *const at = (unsigned char *)part - HEAD;
    return at;
}

/* ---- Lists ---- */

/* Lists of parts below 16 units have one size each, eight lists each doubling of others. */
static inline unsigned bin_of(size_t size) {
    const size_t units = size / UNIT;
    if (units < 16)
        return (unsigned)units;
    const unsigned power = 63 - (unsigned)__builtin_clzll(units);
    return 16 + (power - 4) * 8 + ((unsigned)(units >> (power - 3)) & 7);
}

static SEES_ALL void put(pmi_heap *heap, pmi_heap_part *part, size_t size) {
    const unsigned bin = bin_of(size);
    pmi_heap_part *const behind = part_at(part, size);
    part->head = size | (part->head & FIRST); /* what is before is used: free neighbours are one part */
    part->previous = NULL;
    part->next = heap->bins[bin];
    if (part->next)
        part->next->previous = part;
    heap->bins[bin] = part;
    heap->filled[bin / 64] |= UINT64_C(1) << bin % 64;
    behind->head |= BEHIND_FREE;
    *size_before(behind) = size;
}

static SEES_ALL void take(pmi_heap *heap, pmi_heap_part *part) {
    const unsigned bin = bin_of(size_of(part));
    if (part->next)
        part->next->previous = part->previous;
    if (part->previous)
        part->previous->next = part->next;
    else
        heap->bins[bin] = part->next;
    if (!heap->bins[bin])
        heap->filled[bin / 64] &= ~(UINT64_C(1) << bin % 64);
}

/* Returns a free part of that size at least; NULL if no list has one. Of its own list only the first is tried. */
static SEES_ALL pmi_heap_part *find(const pmi_heap *heap, size_t size) {
    const unsigned bin = bin_of(size);
    if (heap->bins[bin] && size_of(heap->bins[bin]) >= size)
        return heap->bins[bin];
    for (unsigned w = (bin + 1) / 64; w < PM_HEAP_BINS / 64; w++) {
        const uint64_t ahead = w == (bin + 1) / 64 ? UINT64_MAX << (bin + 1) % 64 : UINT64_MAX;
        const uint64_t filled = heap->filled[w] & ahead;
        if (filled)
            return heap->bins[w * 64 + (unsigned)__builtin_ctzll(filled)];
    }
    return NULL;
}

/* ---- Blocks ---- */

static SEES_ALL bool is_empty(pmi_heap_block *block) {
    const pmi_heap_part *const first = part_at(block, FIRST_PART);
    return !(first->head & USED) && size_of(first) == block->bytes - FRAME;
}

/* Room for a part of that size. */
static SEES_ALL bool add_block(pmi_heap *heap, size_t size) {
    const size_t bytes = size + FRAME;
    pmi_heap_block *const block = pmi_memory_allocate(&heap->allocator, bytes, 1);
    if (!block)
        return false;
    *block = (pmi_heap_block){.bytes = bytes, .next = heap->blocks};
    if (heap->blocks)
        heap->blocks->previous = block;
    heap->blocks = block;
    heap->bytes += bytes;
    pmi_heap_part *const part = part_at(block, FIRST_PART);
    part->head = FIRST;
    part_at(part, size)->head = USED;
    put(heap, part, size);
    SHUT_MEMORY((unsigned char *)block + FIRST_PART, size + HEAD);
    return true;
}

static SEES_ALL void free_block(pmi_heap *heap, pmi_heap_block *block) {
    if (block->next)
        block->next->previous = block->previous;
    if (block->previous)
        block->previous->next = block->next;
    else
        heap->blocks = block->next;
    heap->bytes -= block->bytes;
    OPEN_MEMORY(block, block->bytes);
    pmi_memory_free(&heap->allocator, block);
}

/* A part has become free that is a whole block. One such block is kept: the next object may need it. */
static SEES_ALL void note_empty(pmi_heap *heap, pmi_heap_part *part) {
    pmi_heap_block *const block = (void *)((unsigned char *)part - FIRST_PART);
    if (heap->spare && heap->spare != block && is_empty(heap->spare)) {
        take(heap, part);
        free_block(heap, block);
    } else {
        heap->spare = block;
    }
}

/* ---- Objects ---- */

static size_t size_for(size_t bytes) {
    const size_t size = (bytes + HEAD + UNIT - 1) / UNIT * UNIT;
    return size > LEAST ? size : LEAST;
}

bool pmi_heap_reserve(pmi_heap *heap, size_t bytes) {
    return bytes <= SIZE_MOST && add_block(heap, size_for(bytes > PM_HEAP_BLOCK_LEAST ? bytes : PM_HEAP_BLOCK_LEAST));
}

SEES_ALL void *pmi_heap_allocate(pmi_heap *heap, size_t head, size_t count, size_t size) {
    const size_t bytes = pmi_memory_bytes(head, count, size);
    if (bytes > SIZE_MOST)
        return NULL;
    const size_t needed = size_for(bytes);
    pmi_heap_part *part = find(heap, needed);
    if (!part) {
        const size_t usual = heap->bytes / 8 < PM_HEAP_BLOCK_MOST ? heap->bytes / 8 : PM_HEAP_BLOCK_MOST;
        if (!pmi_heap_reserve(heap, usual > bytes ? usual : bytes))
            return NULL;
        part = find(heap, needed);
    }
    take(heap, part);
    const size_t found = size_of(part);
    const bool divided = found - needed >= LEAST;
    const size_t given = divided ? needed : found;
    pmi_heap_part *const behind = part_at(part, given);
    part->head = given | USED | (part->head & FIRST);
    if (divided) {
        behind->head = 0;
        put(heap, behind, found - given);
    } else {
        behind->head &= ~(uint64_t)BEHIND_FREE;
    }
    unsigned char *const object = (unsigned char *)part + HEAD;
    OPEN_MEMORY(object, bytes);
    return object;
}

SEES_ALL void pmi_heap_free(pmi_heap *heap, void *object) {
    if (!object)
        return;
    pmi_heap_part *part = (void *)((unsigned char *)object - HEAD);
    size_t size = size_of(part);
    SHUT_MEMORY(object, size - HEAD);
    pmi_heap_part *const behind = part_at(part, size);
    if (!(behind->head & USED)) {
        take(heap, behind);
        size += size_of(behind);
    }
    if (part->head & BEHIND_FREE) {
        const size_t before = (size_t)*size_before(part);
        part = (void *)((unsigned char *)part - before);
        take(heap, part);
        size += before;
    }
    put(heap, part, size);
    if (part->head & FIRST && size_of(part_at(part, size)) == 0)
        note_empty(heap, part);
}

void pmi_heap_clear(pmi_heap *heap) {
    while (heap->blocks)
        free_block(heap, heap->blocks);
    *heap = (pmi_heap){.allocator = heap->allocator};
}
