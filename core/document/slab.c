/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise */
#include "core/document/slab.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/context/context.h"

#if defined MADV_HUGEPAGE && defined MADV_FREE

#define HUGE_PAGE ((size_t)2 << 20)
#define SLAB_BYTES ((size_t)32 << 20)
#define SPARES 4 /* slabs */

struct pmi_slab {
    size_t used;
    size_t page;                 /* bytes of a page */
    size_t blocks;               /* in use; an open slab is one more */
    size_t idle_begin, idle_end; /* pages that no block is in any more, to be given back with their neighbours */
    uint16_t users[];            /* blocks in each page */
};

/* What is before a block. */
typedef struct owner {
    _Alignas(uint64_t) pmi_slab *slab;
} owner;

/* Slabs that nobody uses, for any thread to take. */
static _Atomic(pmi_slab *) spares[SPARES];

static pmi_slab *take_spare(void) {
    pmi_slab *spare = NULL;
    for (size_t k = 0; k < SPARES && !spare; k++)
        spare = atomic_exchange(&spares[k], NULL);
    return spare;
}

/* Keeps a slab without its content: the system may take the pages as long as nothing is written to them. */
static void keep_spare(pmi_slab *slab) {
    madvise(slab, SLAB_BYTES, MADV_FREE);
    for (size_t k = 0; k < SPARES; k++) {
        pmi_slab *nothing = NULL;
        if (atomic_compare_exchange_strong(&spares[k], &nothing, slab))
            return;
    }
    munmap(slab, SLAB_BYTES);
}

/* Before the library is unloaded. */
__attribute__((destructor)) static void release_spares(void) {
    for (pmi_slab *spare = take_spare(); spare; spare = take_spare())
        munmap(spare, SLAB_BYTES);
}

/* Returns memory that begins and ends with huge pages; NULL if there is none. */
static void *map_pages(void) {
    char *const mapped = mmap(NULL, SLAB_BYTES + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    const size_t before = -(uintptr_t)mapped % HUGE_PAGE;
    if (before > 0)
        munmap(mapped, before);
    munmap(mapped + before + SLAB_BYTES, HUGE_PAGE - before);
    madvise(mapped + before, SLAB_BYTES, MADV_HUGEPAGE);
    return mapped + before;
}

static pmi_slab *open_slab(void) {
    pmi_slab *const spare = take_spare(), *const slab = spare ? spare : map_pages();
    if (!slab)
        return NULL;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t head = offsetof(pmi_slab, users) + SLAB_BYTES / page * sizeof *slab->users;
    memset(slab, 0, head);
    slab->page = page;
    slab->blocks = 1;
    slab->used = (head + sizeof(owner) - 1) / sizeof(owner) * sizeof(owner);
    for (size_t p = 0; p <= (slab->used - 1) / slab->page; p++)
        slab->users[p] = 1;
    return slab;
}

static void leave(pmi_slab *slab) {
    if (--slab->blocks == 0)
        keep_spare(slab);
}

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slab **slab, size_t bytes) {
    if (!pmi_allocator_is_default(allocator))
        return NULL;
    const size_t whole = sizeof(owner) + (bytes + sizeof(owner) - 1) / sizeof(owner) * sizeof(owner);
    if (!*slab || whole > SLAB_BYTES - (*slab)->used) {
        pmi_slab_close(*slab);
        *slab = open_slab();
    }
    if (!*slab || whole > SLAB_BYTES - (*slab)->used)
        return NULL;
    pmi_slab *const from = *slab;
    owner *const block = (owner *)(void *)((char *)from + from->used);
    block->slab = from;
    for (size_t p = from->used / from->page; p <= (from->used + whole - 1) / from->page; p++)
        from->users[p]++;
    from->used += whole;
    from->blocks++;
    return block + 1;
}

void pmi_slab_close(pmi_slab *slab) {
    if (!slab)
        return;
    const size_t kept = (slab->used + slab->page - 1) / slab->page * slab->page;
    if (kept < SLAB_BYTES)
        madvise((char *)slab + kept, SLAB_BYTES - kept, MADV_DONTNEED);
    leave(slab);
}

/* Gives a page back, together with those next to it that come before and behind it. */
static void note_idle(pmi_slab *slab, size_t page) {
    if (page == slab->idle_end && page > slab->idle_begin) {
        slab->idle_end++;
        return;
    }
    if (slab->idle_begin < slab->idle_end)
        madvise((char *)slab + slab->idle_begin * slab->page, (slab->idle_end - slab->idle_begin) * slab->page,
                MADV_DONTNEED);
    slab->idle_begin = page;
    slab->idle_end = page + 1;
}

void pmi_slab_free(void *block, size_t bytes) {
    owner *const head = (owner *)block - 1;
    pmi_slab *const slab = head->slab;
    const size_t begin = (size_t)((char *)head - (char *)slab), end = begin + sizeof(owner) + bytes;
    for (size_t p = begin / slab->page; p <= (end - 1) / slab->page; p++)
        if (--slab->users[p] == 0)
            note_idle(slab, p);
    leave(slab);
}

#else

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slab **slab, size_t bytes) {
    (void)allocator, (void)slab, (void)bytes;
    return NULL;
}

void pmi_slab_close(pmi_slab *slab) {
    (void)slab;
}

void pmi_slab_free(void *block, size_t bytes) {
    (void)block, (void)bytes;
}

#endif
