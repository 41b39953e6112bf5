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
#define SIZES (PM_SLAB_SIZES + PM_SLAB_NODE_SIZES)

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
    size_t size;           /* of a block, as an index */
    size_t bytes;          /* of a block */
    size_t end;            /* of the last block; an offset */
    size_t touched;        /* pages from this offset on are not in memory */
    size_t populated;      /* pages before this offset were asked for at once */
};

/* What is before a block. */
typedef struct owner {
    _Alignas(uint64_t) char *holder;
} owner;

/* A node that nobody uses. Its holder is the link that leads to it, and one byte more, which says so. */
struct pmi_slab_discarded {
    owner owner;
    struct pmi_slab_discarded *next;
};

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

/* Where many blocks follow, what an old slab has of pages is kept until pmi_slab_trim(). */
static pmi_slab_unit *open_unit(const pm_allocator *allocator, pmi_slabs *slabs, size_t size, size_t bytes, bool many) {
    const uint32_t all = (UINT32_C(1) << PM_SLAB_UNITS) - 1;
    pmi_slab *slab = slabs->first;
    while (slab && slab->used == all)
        slab = slab->next;
    if (!slab && !(slab = open_slab(allocator, slabs)))
        return NULL;
    const unsigned k = (unsigned)__builtin_ctz(~slab->used);
    pmi_slab_unit *const unit = (pmi_slab_unit *)(void *)(slab->units + (size_t)k * PM_SLAB_UNIT);
    const bool may_have_pages = many || (slabs->filling && slab->old);
    if (!may_have_pages && slab->old)
        madvise(unit, PM_SLAB_UNIT, MADV_DONTNEED);
    madvise(unit, PM_SLAB_UNIT, many ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    slab->used |= UINT32_C(1) << k;
    *unit = (pmi_slab_unit){.slabs = slabs,
                            .slab = slab,
                            .before = slabs->last[size],
                            .huge = many,
                            .size = size,
                            .bytes = bytes,
                            .end = FIRST,
                            .touched = may_have_pages ? PM_SLAB_UNIT : FIRST};
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
    unit->populated = end;
}

/* ---- Blocks ---- */

static pmi_slab_unit *unit_of(const void *block) {
    const char *const address = block;
    return (pmi_slab_unit *)(uintptr_t)(address - (uintptr_t)address % PM_SLAB_UNIT);
}

/* Asks for the next pages of a unit at once, which takes a third of the time of faults, if the system can do it. */
static void populate(pmi_slab_unit *unit) {
    const size_t end = (unit->end / PM_SLAB_POPULATE + 1) * PM_SLAB_POPULATE;
    const size_t rest = PM_SLAB_UNIT - unit->populated, wanted = end - unit->populated;
#ifdef MADV_POPULATE_WRITE
    madvise((char *)unit + unit->populated, wanted < rest ? wanted : rest, MADV_POPULATE_WRITE);
#endif
    unit->populated += wanted < rest ? wanted : rest;
    unit->touched = unit->populated > unit->touched ? unit->populated : unit->touched;
}

/* Returns a block of a size; NULL: there are no slabs. */
static owner *allocate(const pm_allocator *allocator, pmi_slabs *slabs, size_t size, size_t bytes, bool many) {
    if (!pmi_allocator_is_default(allocator))
        return NULL;
    pmi_slab_unit *unit = slabs->last[size];
    if (!unit || PM_SLAB_UNIT - unit->end < bytes)
        unit = open_unit(allocator, slabs, size, bytes, many);
    if (!unit)
        return NULL;
    owner *const block = (owner *)(void *)((char *)unit + unit->end);
    unit->end += bytes;
    if (slabs->filling && !unit->huge && unit->end > unit->populated)
        populate(unit);
    unit->touched = unit->end > unit->touched ? unit->end : unit->touched;
    return block;
}

/* Of how many sizes of large blocks is one used? */
static size_t coarseness(const pmi_slabs *slabs) {
    return slabs->large < PM_SLAB_FEW ? 4 : slabs->large < (size_t)4 * PM_SLAB_FEW ? 2 : 1;
}

static bool is_large(size_t size) {
    return size >= PM_SLAB_COARSE && size < PM_SLAB_SIZES;
}

/* The size of a block for so many bytes. Many new blocks have one size, and the one that fits. */
static size_t size_for(const pmi_slabs *slabs, size_t bytes, bool many) {
    const size_t size = (sizeof(owner) + bytes + PM_SLAB_STEP - 1) / PM_SLAB_STEP, coarse = coarseness(slabs);
    const size_t coarse_size = (size + coarse - 1) / coarse * coarse;
    return is_large(size) && !many && coarse_size < PM_SLAB_SIZES ? coarse_size : size;
}

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes, bool many, void *holder) {
    const size_t size = size_for(slabs, bytes, many);
    owner *const block = size < PM_SLAB_SIZES ? allocate(allocator, slabs, size, size * PM_SLAB_STEP, many) : NULL;
    if (!block)
        return NULL;
    slabs->large += is_large(size);
    block->holder = holder;
    return block + 1;
}

void pmi_slab_hold(void *block, void *holder) {
    ((owner *)block - 1)->holder = holder;
}

/* The node behind a discarded one, if any, is held by that one's link. */
static void hold_next(struct pmi_slab_discarded *node) {
    if (node->next)
        node->next->owner.holder = (char *)&node->next + 1;
}

static void list_discarded(pmi_slabs *slabs, struct pmi_slab_discarded *node) {
    node->next = slabs->discarded;
    hold_next(node);
    slabs->discarded = node;
    node->owner.holder = (char *)&slabs->discarded + 1;
}

/* NULL: there is none. */
static struct pmi_slab_discarded *take_discarded(pmi_slabs *slabs) {
    struct pmi_slab_discarded *const node = slabs->discarded;
    if (!node)
        return NULL;
    slabs->discarded = node->next;
    if (node->next)
        node->next->owner.holder = (char *)&slabs->discarded + 1;
    return node;
}

void pmi_slab_trim(pmi_slabs *slabs) {
    if (!slabs->filling)
        return;
    slabs->filling = false;
    for (size_t size = 0; size < SIZES; size++)
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
    for (size_t size = 0; size < SIZES; size++) {
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
    for (struct pmi_slab_discarded *node = take_discarded(from); node; node = take_discarded(from))
        list_discarded(to, node);
    to->large += from->large;
    *from = (pmi_slabs){.first = NULL};
}

size_t pmi_slab_bytes(const void *block) {
    return unit_of(block)->bytes;
}

size_t pmi_slab_lost(const pmi_slabs *slabs) {
    return PM_SLAB_LOST + (coarseness(slabs) - 1) * PM_SLAB_STEP;
}

bool pmi_slab_fits(const void *block, size_t bytes, size_t lost) {
    const size_t room = pmi_slab_bytes(block) - sizeof(owner);
    return bytes <= room && room - bytes <= lost;
}

/* A block was moved: what leads to it does so again. */
static void lead_to(const pmi_slabs *slabs, size_t size, owner *block) {
    const bool discarded = (uintptr_t)block->holder & 1;
    void *const to = discarded ? block : block + 1;
    memcpy(block->holder - discarded, &to, sizeof to);
    if (discarded)
        hold_next((struct pmi_slab_discarded *)block);
    else if (size >= PM_SLAB_SIZES)
        slabs->node_moved(to);
}

void pmi_slab_free(const pm_allocator *allocator, void *block) {
    owner *const hole = (owner *)block - 1;
    const pmi_slab_unit *const here = unit_of(hole);
    if (here->slabs->given_up)
        return;
    pmi_slab_unit *const last = here->slabs->last[here->size];
    here->slabs->large -= is_large(here->size);
    last->end -= last->bytes;
    const owner *const moves = (const owner *)(const void *)((const char *)last + last->end);
    if (moves != hole) {
        memcpy(hole, moves, last->bytes);
        lead_to(here->slabs, here->size, hole);
    }
    if (last->end == FIRST)
        close_unit(allocator, last);
    else if (!here->slabs->filling && last->touched - last->end > PM_SLAB_KEEP)
        trim(last);
}

/* ---- Nodes ---- */

void *pmi_slab_allocate_node(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes) {
    const size_t steps = (sizeof(owner) + bytes + PM_SLAB_NODE_STEP - 1) / PM_SLAB_NODE_STEP;
    if (steps >= PM_SLAB_NODE_SIZES)
        return NULL;
    const size_t size = PM_SLAB_SIZES + steps;
    if (slabs->discarded && unit_of(slabs->discarded)->size == size)
        return &take_discarded(slabs)->owner + 1;
    owner *const block = allocate(allocator, slabs, size, steps * PM_SLAB_NODE_STEP, false);
    return block ? block + 1 : NULL;
}

void pmi_slab_discard(void *node) {
    pmi_slabs *const slabs = unit_of(node)->slabs;
    if (!slabs->given_up)
        list_discarded(slabs, (struct pmi_slab_discarded *)(void *)((owner *)node - 1));
}

void pmi_slab_sweep(const pm_allocator *allocator, pmi_slabs *slabs) {
    for (struct pmi_slab_discarded *node = take_discarded(slabs); node; node = take_discarded(slabs))
        pmi_slab_free(allocator, &node->owner + 1);
}

void pmi_slab_give_up(pmi_slabs *slabs) {
    slabs->given_up = true;
}

void pmi_slab_close(const pm_allocator *allocator, pmi_slabs *slabs) {
    while (slabs->first)
        close_slab(allocator, slabs, slabs->first);
}

#else

void *pmi_slab_allocate(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes, bool many, void *holder) {
    (void)allocator, (void)slabs, (void)bytes, (void)many, (void)holder;
    return NULL;
}

void *pmi_slab_allocate_node(const pm_allocator *allocator, pmi_slabs *slabs, size_t bytes) {
    (void)allocator, (void)slabs, (void)bytes;
    return NULL;
}

void pmi_slab_hold(void *block, void *holder) {
    (void)block, (void)holder;
}

void pmi_slab_discard(void *node) {
    (void)node;
}

void pmi_slab_sweep(const pm_allocator *allocator, pmi_slabs *slabs) {
    (void)allocator, (void)slabs;
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

size_t pmi_slab_lost(const pmi_slabs *slabs) {
    (void)slabs;
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
