/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise */
#include "core/document/slab.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/context/context.h"

#if defined MADV_HUGEPAGE && defined MADV_FREE

#define HUGE_PAGE ((size_t)2 << 20)
#define HUGE_SLAB ((size_t)32 << 20)   /* bytes */
#define SMALL_SLAB ((size_t)256 << 10) /* of common pages */
#define LARGEST (SMALL_SLAB / 2)
#define SPARES 4 /* slabs */

#ifndef PM_SLAB_SLACK                       /* tests have less */
#define PM_SLAB_SLACK ((size_t)48)          /* bytes that a block is larger than asked for, at least */
#define PM_SLAB_LOST ((size_t)128)          /* bytes of a block that may be unused */
#define PM_SLAB_GAP_MIN ((size_t)64 << 10)  /* bytes of a gap that is filled */
#define PM_SLAB_GAP_MAX ((size_t)256 << 10) /* longer ones are cut */
#endif

struct pmi_slab {
    size_t bytes;
    bool scattered;              /* its blocks go one here, one there */
    size_t page;                 /* bytes of a page */
    size_t users_of_all;         /* blocks, and runs of pages that are held */
    size_t idle_begin, idle_end; /* pages that nobody uses any more, to be given back with their neighbours */
    uint16_t users[];            /* of each page: the blocks in it, and who holds it */
};

/* What is before a block. */
typedef struct owner {
    _Alignas(uint64_t) uint32_t offset; /* in the slab */
    uint32_t room;                      /* bytes */
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
    madvise(slab, HUGE_SLAB, MADV_FREE);
    for (size_t k = 0; k < SPARES; k++) {
        pmi_slab *nothing = NULL;
        if (atomic_compare_exchange_strong(&spares[k], &nothing, slab))
            return;
    }
    munmap(slab, HUGE_SLAB);
}

/* Before the library is unloaded. */
__attribute__((destructor)) static void release_spares(void) {
    for (pmi_slab *spare = take_spare(); spare; spare = take_spare())
        munmap(spare, HUGE_SLAB);
}

/* Returns memory that begins and ends with huge pages; NULL if there is none. */
static void *map_huge(void) {
    char *const mapped = mmap(NULL, HUGE_SLAB + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    const size_t before = -(uintptr_t)mapped % HUGE_PAGE;
    if (before > 0)
        munmap(mapped, before);
    munmap(mapped + before + HUGE_SLAB, HUGE_PAGE - before);
    madvise(mapped + before, HUGE_SLAB, MADV_HUGEPAGE);
    return mapped + before;
}

static void *map_small(void) {
    void *const mapped = mmap(NULL, SMALL_SLAB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    madvise(mapped, SMALL_SLAB, MADV_NOHUGEPAGE);
    return mapped;
}

static void leave(pmi_slab *slab) {
    if (--slab->users_of_all > 0)
        return;
    if (slab->bytes == HUGE_SLAB)
        keep_spare(slab);
    else
        munmap(slab, slab->bytes);
}

static void give_pages_back(pmi_slab *slab, size_t begin, size_t end) {
    if (begin < end)
        madvise((char *)slab + begin * slab->page, (end - begin) * slab->page, MADV_DONTNEED);
}

static void give_idle_back(pmi_slab *slab) {
    give_pages_back(slab, slab->idle_begin, slab->idle_end);
    slab->idle_begin = slab->idle_end = 0;
}

/* Gives a page back, together with those next to it that come before and behind it. */
static void note_idle(pmi_slab *slab, size_t page) {
    if (page != slab->idle_end || page == slab->idle_begin) {
        give_pages_back(slab, slab->idle_begin, slab->idle_end);
        slab->idle_begin = page;
    }
    slab->idle_end = page + 1;
}

/* ---- Gaps ---- */

static size_t length_of(const pmi_slab_gap *gap) {
    return gap->slab ? gap->end - gap->begin : 0;
}

static bool is_long(const pmi_slab_gap *gap) {
    return length_of(gap) * gap->slab->page >= PM_SLAB_GAP_MAX;
}

static void forget(pmi_slab_gap *gap) {
    if (!gap->slab)
        return;
    for (size_t p = gap->begin; p < gap->end; p++)
        gap->slab->users[p] = 0;
    give_pages_back(gap->slab, gap->begin, gap->end);
    leave(gap->slab);
    gap->slab = NULL;
}

/* Holds those next to a gap, too, that have been given back. */
static void widen(pmi_slab_gap *gap) {
    pmi_slab *const slab = gap->slab;
    const size_t pages = slab->bytes / slab->page;
    if (slab->users[gap->begin - 1] > 0 && (gap->end == pages || slab->users[gap->end] > 0))
        return;
    give_idle_back(slab); /* as long as nobody has them */
    while (slab->users[gap->begin - 1] == 0 && !is_long(gap))
        slab->users[--gap->begin] = 1;
    while (gap->end < pages && slab->users[gap->end] == 0 && !is_long(gap))
        slab->users[gap->end++] = 1;
}

/* Holds a page that nobody uses: in the gap beside it, or instead of the shortest one. */
static void keep_page(pmi_slab_room *room, pmi_slab *slab, size_t page) {
    pmi_slab_gap *shortest = room->gap;
    slab->users[page] = 1;
    for (pmi_slab_gap *gap = room->gap; gap < room->gap + PM_SLAB_GAPS; gap++) {
        if (gap->slab == slab && !is_long(gap) && (page == gap->end || page + 1 == gap->begin)) {
            gap->end += page == gap->end;
            gap->begin -= page + 1 == gap->begin;
            widen(gap);
            return;
        }
        if (length_of(gap) < length_of(shortest))
            shortest = gap;
    }
    forget(shortest);
    *shortest = (pmi_slab_gap){slab, page, page + 1};
    widen(shortest);
    slab->users_of_all++;
}

static void release_page(pmi_slab *slab, size_t page, pmi_slab_room *room) {
    if (--slab->users[page] > 0)
        return;
    if (room)
        keep_page(room, slab, page);
    else
        note_idle(slab, page);
}

/* ---- Blocks ---- */

/* All of a new slab is a place. */
static bool open_slab(pmi_slab_room *room, bool huge) {
    pmi_slab *const spare = huge ? take_spare() : NULL;
    pmi_slab *const slab = spare ? spare : huge ? map_huge() : map_small();
    if (!slab)
        return false;
    const size_t bytes = huge ? HUGE_SLAB : SMALL_SLAB;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = bytes / page;
    const size_t head = (offsetof(pmi_slab, users) + pages * sizeof *slab->users + page - 1) / page;
    *slab = (pmi_slab){.bytes = bytes, .scattered = room->scattered, .page = page, .users_of_all = 1};
    for (size_t p = 0; p < pages; p++)
        slab->users[p] = 1;
    room->place = slab;
    room->used = head * page;
    room->end = bytes;
    return true;
}

/* The pages from the one on that is being filled are held no more. */
static void close_place(pmi_slab_room *room, bool keep) {
    pmi_slab *const slab = room->place;
    if (!slab)
        return;
    for (size_t p = room->used / slab->page; p < room->end / slab->page; p++)
        release_page(slab, p, keep ? room : NULL);
    give_idle_back(slab);
    room->place = NULL;
    leave(slab);
}

/* Fills the longest gap next if it is long enough for some blocks. */
static bool open_gap(pmi_slab_room *room, size_t bytes) {
    const size_t least = bytes > PM_SLAB_GAP_MIN ? bytes : PM_SLAB_GAP_MIN;
    pmi_slab_gap *longest = room->gap;
    for (pmi_slab_gap *gap = room->gap + 1; gap < room->gap + PM_SLAB_GAPS; gap++)
        longest = length_of(gap) > length_of(longest) ? gap : longest;
    if (!longest->slab || length_of(longest) * longest->slab->page < least)
        return false;
    room->place = longest->slab;
    room->used = longest->begin * room->place->page;
    room->end = longest->end * room->place->page;
    longest->slab = NULL;
    return true;
}

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slab_room *room, size_t bytes, bool many) {
    if (!pmi_allocator_is_default(allocator))
        return NULL;
    const size_t inner = (bytes + PM_SLAB_SLACK + sizeof(owner) - 1) / sizeof(owner) * sizeof(owner);
    const size_t whole = sizeof(owner) + inner;
    if (whole > LARGEST)
        return NULL;
    if (!room->place || whole > room->end - room->used) {
        close_place(room, !many);
        if (!open_gap(room, whole) && !open_slab(room, many))
            return NULL;
    }
    pmi_slab *const from = room->place;
    owner *const block = (owner *)(void *)((char *)from + room->used);
    *block = (owner){(uint32_t)room->used, (uint32_t)inner};
    const size_t first = room->used / from->page, last = (room->used + whole - 1) / from->page;
    room->used += whole;
    const size_t filling = room->used / from->page;
    for (size_t p = first; p <= last; p++)
        if (p >= filling) /* else it is held no more */
            from->users[p]++;
    from->users_of_all++;
    return block + 1;
}

void pmi_slab_close(pmi_slab_room *room) {
    close_place(room, false);
    for (pmi_slab_gap *gap = room->gap; gap < room->gap + PM_SLAB_GAPS; gap++)
        forget(gap);
}

size_t pmi_slab_bytes(const void *block) {
    return ((const owner *)block - 1)->room + sizeof(owner);
}

bool pmi_slab_fits(const void *block, size_t bytes) {
    const size_t room = ((const owner *)block - 1)->room;
    return bytes <= room && room - bytes <= PM_SLAB_LOST;
}

void pmi_slab_free(void *block, pmi_slab_room *room) {
    owner *const head = (owner *)block - 1;
    const size_t begin = head->offset, end = begin + sizeof(owner) + head->room;
    pmi_slab *const slab = (pmi_slab *)(void *)((char *)head - begin);
    for (size_t p = begin / slab->page; p <= (end - 1) / slab->page; p++)
        release_page(slab, p, slab->scattered ? NULL : room);
    leave(slab);
}

#else

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slab_room *room, size_t bytes, bool many) {
    (void)allocator, (void)room, (void)bytes, (void)many;
    return NULL;
}

void pmi_slab_close(pmi_slab_room *room) {
    (void)room;
}

size_t pmi_slab_bytes(const void *block) {
    (void)block;
    return 0;
}

bool pmi_slab_fits(const void *block, size_t bytes) {
    (void)block, (void)bytes;
    return false;
}

void pmi_slab_free(void *block, pmi_slab_room *room) {
    (void)block, (void)room;
}

#endif
