/* SPDX-License-Identifier: Apache-2.0 */
/* States and their opens. Opens that no state holds any more are found again when there is no free one. */
#include "core/repair/beam.h"

#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"

#define BLOCK_OPENS 4096u
#define OPENS_MAX ((size_t)1 << 17) /* 3,000 deep, if no two states share one */
#define STEP_OPENS (32u * PM_BEAM)  /* maximum that a step takes */
#define EQUAL_RANGE 10.0            /* of more than two states with equal stacks, above the cheapest */
#define TOO_DEAR 50.0               /* above the cheapest state */

struct pmi_open_block {
    struct pmi_open_block *next;
    pmi_open opens[BLOCK_OPENS];
};

pm_status pmi_beam_create(pmi_beam *beam, const pm_allocator *allocator, size_t equal_max) {
    *beam = (pmi_beam){.allocator = allocator, .equal_max = equal_max};
    beam->now = pmi_memory_allocate(allocator, 2 * PM_BEAM, sizeof *beam->now);
    if (!beam->now)
        return PM_OUT_OF_MEMORY;
    beam->next = beam->now + PM_BEAM;
    beam->now[0] = (pmi_state){0};
    beam->count = 1;
    return PM_OK;
}

void pmi_beam_destroy(pmi_beam *beam) {
    pmi_memory_free(beam->allocator, beam->now < beam->next ? beam->now : beam->next);
    for (struct pmi_open_block *block = beam->blocks, *next; block; block = next) {
        next = block->next;
        pmi_memory_free(beam->allocator, block);
    }
    *beam = (pmi_beam){0};
}

/* ---- Opens ---- */

static void mark(pmi_open *open) {
    for (; open && !open->marked; open = open->below) {
        open->marked = true;
        mark(open->start);
        mark(open->end);
    }
}

/* Finds the opens that no state holds. */
static void collect(pmi_beam *beam) {
    for (size_t s = 0; s < beam->count; s++) {
        mark(beam->now[s].top);
        mark(beam->now[s].group);
    }
    beam->free = NULL;
    beam->free_count = 0;
    for (struct pmi_open_block *block = beam->blocks; block; block = block->next)
        for (size_t k = 0; k < BLOCK_OPENS; k++) {
            pmi_open *const open = &block->opens[k];
            if (!open->marked) {
                open->below = beam->free;
                beam->free = open;
                beam->free_count++;
            }
            open->marked = false;
        }
}

static bool add_block(pmi_beam *beam) {
    struct pmi_open_block *const block = pmi_memory_allocate(beam->allocator, 1, sizeof *block);
    if (!block)
        return false;
    memset(block, 0, sizeof *block);
    block->next = beam->blocks;
    beam->blocks = block;
    beam->open_count += BLOCK_OPENS;
    for (size_t k = 0; k < BLOCK_OPENS; k++) {
        block->opens[k].below = beam->free;
        beam->free = &block->opens[k];
    }
    beam->free_count += BLOCK_OPENS;
    return true;
}

/* Collecting takes time for all opens. So a quarter of them is to be free afterwards. */
pm_status pmi_beam_prepare(pmi_beam *beam) {
    if (beam->free_count >= STEP_OPENS)
        return PM_OK;
    collect(beam);
    while (beam->free_count < STEP_OPENS || 4 * beam->free_count < beam->open_count) {
        if (beam->open_count >= OPENS_MAX)
            return PM_TOO_LARGE;
        if (!add_block(beam))
            return PM_OUT_OF_MEMORY;
    }
    return PM_OK;
}

pmi_open *pmi_beam_open(pmi_beam *beam, pmi_open *below, pmi_open made) {
    pmi_open *const open = beam->free;
    beam->free = open->below;
    beam->free_count--;
    *open = made;
    open->below = below;
    open->kinds = pmi_hash_add(below ? below->kinds : 1, made.kind + 1u);
    open->identity = pmi_hash_add(below ? below->identity : 1, (uint64_t)made.at << 8 | made.kind);
    if (made.start) /* groups differ by what their branches leave open, too */
        open->identity = pmi_hash_add(open->identity, made.start->identity);
    if (made.end)
        open->identity = pmi_hash_add(open->identity, made.end->identity + 1);
    return open;
}

/* ---- States ---- */

static bool same_stacks(const pmi_state *a, const pmi_state *b) {
    const bool tops = a->top == b->top || (a->top && b->top && a->top->identity == b->top->identity);
    return tops && (a->group == b->group || (a->group && b->group && a->group->identity == b->group->identity));
}

/* Takes the place of the dearest of equal states, if there are enough, or of all, if there is no room. */
static pmi_state *place(pmi_beam *beam, const pmi_state *state) {
    pmi_state *same = NULL, *dearest = NULL;
    double cheapest = state->cost; /* of the equal ones */
    size_t equal = 0;
    for (size_t s = 0; s < beam->next_count; s++) {
        pmi_state *const other = &beam->next[s];
        if (!dearest || other->cost > dearest->cost)
            dearest = other;
        if (!same_stacks(other, state))
            continue;
        equal++;
        if (!same || other->cost > same->cost)
            same = other;
        cheapest = other->cost < cheapest ? other->cost : cheapest;
    }
    beam->dearest = dearest && dearest->cost > state->cost ? dearest->cost : state->cost;
    const double dear = same && same->cost > state->cost ? same->cost : state->cost;
    const bool enough = equal >= beam->equal_max || (equal >= 2 && dear > cheapest + EQUAL_RANGE);
    pmi_state *const victim = enough ? same : beam->next_count == PM_BEAM ? dearest : NULL;
    if (!victim)
        return &beam->next[beam->next_count++];
    return victim->cost > state->cost ? victim : NULL;
}

bool pmi_beam_wants(const pmi_beam *beam, double cost) {
    return beam->next_count == 0 ||
           (cost <= beam->best + TOO_DEAR && (beam->next_count < PM_BEAM || cost < beam->dearest));
}

void pmi_beam_offer(pmi_beam *beam, const pmi_state *state) {
    if (!pmi_beam_wants(beam, state->cost))
        return;
    pmi_state *const to = place(beam, state);
    if (!to)
        return;
    *to = *state;
    if (beam->next_count == 1 || state->cost < beam->best)
        beam->best = state->cost;
}

void pmi_beam_step(pmi_beam *beam) {
    pmi_state *const offered = beam->next;
    beam->next = beam->now;
    beam->now = offered;
    beam->count = beam->next_count;
    beam->next_count = 0;
}
