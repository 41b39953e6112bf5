/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* madvise */
#include "core/document/slab.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "core/context/context.h"

#if defined MADV_HUGEPAGE && defined MADV_FREE

#define SLAB_BYTES ((size_t)PM_SLAB_UNIT * PM_SLAB_UNITS)
#define SPARES 4 /* slabs */

struct pmi_slab {
    pmi_slab *next;
    char *units;
    uint32_t used; /* bit k: unit k has blocks */
    bool old;      /* units without blocks may have pages */
};

struct pmi_slab_unit {
    pmi_slabs *slabs;
    pmi_slab *slab;
    pmi_slab_unit *before; /* of the same size */
    bool huge;             /* its pages are, if the system has them */
    size_t size;           /* of a block, in steps */
    size_t end;            /* of the last block; an offset */
    size_t touched;        /* pages from this offset on are not in memory */
};

/* What is before a block. */
typedef struct owner {
    _Alignas(uint64_t) void **holder;
} owner;

/* Where the first block of a unit is: what it gives begins with a cache line. */
#define LINE 64
#define FIRST ((sizeof(pmi_slab_unit) + sizeof(owner) + LINE - 1) / LINE * LINE - sizeof(owner))

_Static_assert(PM_SLAB_UNITS < 32, "units have bits");
_Static_assert(PM_SLAB_LARGEST + FIRST <= PM_SLAB_UNIT, "a unit has room for each size");

/* ---- Slabs ---- */

/* Addresses of slabs that nobody uses, for any thread to take. */
static _Atomic(char *) spares[SPARES];

static char *take_spare(void) {
    char *spare = NULL;
    for (size_t k = 0; k < SPARES && !spare; k++)
        spare = atomic_exchange(&spares[k], NULL);
    return spare;
}

/* Keeps the addresses without content: the system may take the pages as long as nothing is written to them. */
static void keep_spare(char *units) {
    madvise(units, SLAB_BYTES, MADV_FREE);
    for (size_t k = 0; k < SPARES; k++) {
        char *nothing = NULL;
        if (atomic_compare_exchange_strong(&spares[k], &nothing, units))
            return;
    }
    munmap(units, SLAB_BYTES);
}

/* Before the library is unloaded. */
__attribute__((destructor)) static void release_spares(void) {
    for (char *spare = take_spare(); spare; spare = take_spare())
        munmap(spare, SLAB_BYTES);
}

/* Returns memory that begins and ends with units; NULL if there is none. */
static char *map_units(void) {
    char *const mapped =
        mmap(NULL, SLAB_BYTES + PM_SLAB_UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    const size_t before = -(uintptr_t)mapped % PM_SLAB_UNIT;
    if (before > 0)
        munmap(mapped, before);
    munmap(mapped + before + SLAB_BYTES, PM_SLAB_UNIT - before);
    return mapped + before;
}

static pmi_slab *open_slab(const pm_allocator *allocator, pmi_slabs *slabs) {
    pmi_slab *const slab = pmi_memory_allocate(allocator, 1, sizeof *slab);
    if (!slab)
        return NULL;
    char *const spare = take_spare();
    *slab = (pmi_slab){.next = slabs->first, .units = spare ? spare : map_units(), .old = spare};
    if (!slab->units) {
        pmi_memory_free(allocator, slab);
        return NULL;
    }
    slabs->first = slab;
    return slab;
}

static void close_slab(const pm_allocator *allocator, pmi_slabs *slabs, pmi_slab *slab) {
    pmi_slab **link = &slabs->first;
    while (*link != slab)
        link = &(*link)->next;
    *link = slab->next;
    keep_spare(slab->units);
    pmi_memory_free(allocator, slab);
}

/* ---- Units ---- */

static pmi_slab_unit *open_unit(const pm_allocator *allocator, pmi_slabs *slabs, size_t size, bool many) {
    const uint32_t all = (UINT32_C(1) << PM_SLAB_UNITS) - 1;
    pmi_slab *slab = slabs->first;
    while (slab && slab->used == all)
        slab = slab->next;
    if (!slab && !(slab = open_slab(allocator, slabs)))
        return NULL;
    const unsigned k = (unsigned)__builtin_ctz(~slab->used);
    pmi_slab_unit *const unit = (pmi_slab_unit *)(void *)(slab->units + (size_t)k * PM_SLAB_UNIT);
    if (!many && slab->old)
        madvise(unit, PM_SLAB_UNIT, MADV_DONTNEED);
    madvise(unit, PM_SLAB_UNIT, many ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    slab->used |= UINT32_C(1) << k;
    *unit = (pmi_slab_unit){.slabs = slabs,
                            .slab = slab,
                            .before = slabs->last[size],
                            .huge = many,
                            .size = size,
                            .end = FIRST,
                            .touched = many ? PM_SLAB_UNIT : FIRST};
    slabs->last[size] = unit;
    return unit;
}

/* Gives back the last unit of a size, which has no block. */
static void close_unit(const pm_allocator *allocator, pmi_slab_unit *unit) {
    pmi_slabs *const slabs = unit->slabs;
    pmi_slab *const slab = unit->slab;
    slabs->last[unit->size] = unit->before;
    slab->used &= ~(UINT32_C(1) << (size_t)((char *)unit - slab->units) / PM_SLAB_UNIT);
    madvise(unit, PM_SLAB_UNIT, MADV_DONTNEED);
    if (slab->used == 0)
        close_slab(allocator, slabs, slab);
}

/* Gives back the pages behind the last block of a unit. */
static void trim(pmi_slab_unit *unit) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), end = (unit->end + page - 1) / page * page;
    if (end < unit->touched) {
        if (unit->huge) /* or the system may fill again what is given back of a huge page */
            madvise(unit, PM_SLAB_UNIT, MADV_NOHUGEPAGE);
        unit->huge = false;
        madvise((char *)unit + end, PM_SLAB_UNIT - end, MADV_DONTNEED);
    }
    unit->touched = unit->end;
}

/* ---- Blocks ---- */

static pmi_slab_unit *unit_of(const void *block) {
    const char *const address = block;
    return (pmi_slab_unit *)(uintptr_t)(address - (uintptr_t)address % PM_SLAB_UNIT);
}

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes, bool many, void **holder) {
    const size_t size = (sizeof(owner) + bytes + PM_SLAB_STEP - 1) / PM_SLAB_STEP;
    if (size >= PM_SLAB_SIZES || !pmi_allocator_is_default(allocator))
        return NULL;
    pmi_slab_unit *unit = slabs->last[size];
    if (!unit || PM_SLAB_UNIT - unit->end < size * PM_SLAB_STEP)
        unit = open_unit(allocator, slabs, size, many);
    if (!unit)
        return NULL;
    slabs->filling = many;
    owner *const block = (owner *)(void *)((char *)unit + unit->end);
    unit->end += size * PM_SLAB_STEP;
    unit->touched = unit->end > unit->touched ? unit->end : unit->touched;
    block->holder = holder;
    return block + 1;
}

void pmi_slab_trim(pmi_slabs *slabs) {
    if (!slabs->filling)
        return;
    slabs->filling = false;
    for (size_t size = 0; size < PM_SLAB_SIZES; size++)
        if (slabs->last[size])
            trim(slabs->last[size]);
    for (pmi_slab *slab = slabs->first; slab; slab = slab->next) {
        for (unsigned k = 0; slab->old && k < PM_SLAB_UNITS; k++)
            if (!(slab->used >> k & 1))
                madvise(slab->units + (size_t)k * PM_SLAB_UNIT, PM_SLAB_UNIT, MADV_DONTNEED);
        slab->old = false;
    }
}

void pmi_slab_merge(pmi_slabs *to, pmi_slabs *from) {
    pmi_slab_trim(to); /* what is not last of its size any more is not given back later */
    pmi_slab_trim(from);
    for (size_t size = 0; size < PM_SLAB_SIZES; size++) {
        pmi_slab_unit **link = &from->last[size];
        for (; *link; link = &(*link)->before)
            (*link)->slabs = to;
        *link = to->last[size];
        to->last[size] = from->last[size];
    }
    pmi_slab **link = &from->first;
    while (*link)
        link = &(*link)->next;
    *link = to->first;
    to->first = from->first;
    *from = (pmi_slabs){.first = NULL};
}

size_t pmi_slab_bytes(const void *block) {
    return unit_of(block)->size * PM_SLAB_STEP;
}

bool pmi_slab_fits(const void *block, size_t bytes, size_t lost) {
    const size_t room = pmi_slab_bytes(block) - sizeof(owner);
    return bytes <= room && room - bytes <= lost;
}

void pmi_slab_free(const pm_allocator *allocator, void *block) {
    owner *const hole = (owner *)block - 1;
    const pmi_slab_unit *const here = unit_of(hole);
    if (here->slabs->given_up)
        return;
    pmi_slab_unit *const last = here->slabs->last[here->size];
    last->end -= last->size * PM_SLAB_STEP;
    const owner *const moves = (const owner *)(const void *)((const char *)last + last->end);
    if (moves != hole) {
        memcpy(hole, moves, last->size * PM_SLAB_STEP);
        *hole->holder = hole + 1;
    }
    if (last->end == FIRST)
        close_unit(allocator, last);
    else if (!here->slabs->filling && last->touched - last->end > PM_SLAB_KEEP)
        trim(last);
}

void pmi_slab_give_up(pmi_slabs *slabs) {
    slabs->given_up = true;
}

void pmi_slab_close(const pm_allocator *allocator, pmi_slabs *slabs) {
    while (slabs->first)
        close_slab(allocator, slabs, slabs->first);
}

#else

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes, bool many, void **holder) {
    (void)allocator, (void)slabs, (void)bytes, (void)many, (void)holder;
    return NULL;
}

void pmi_slab_trim(pmi_slabs *slabs) {
    (void)slabs;
}

void pmi_slab_merge(pmi_slabs *to, pmi_slabs *from) {
    (void)to, (void)from;
}

size_t pmi_slab_bytes(const void *block) {
    (void)block;
    return 0;
}

bool pmi_slab_fits(const void *block, size_t bytes, size_t lost) {
    (void)block, (void)bytes, (void)lost;
    return false;
}

void pmi_slab_free(const pm_allocator *allocator, void *block) {
    (void)allocator, (void)block;
}

void pmi_slab_give_up(pmi_slabs *slabs) {
    (void)slabs;
}

void pmi_slab_close(const pm_allocator *allocator, pmi_slabs *slabs) {
    (void)allocator, (void)slabs;
}

#endif
