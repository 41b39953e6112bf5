/* SPDX-License-Identifier: Apache-2.0 */
/* The plan: goes through all slices with a stack that has one layer for each slice with opens on it. */
#include "mpi/plan.h"

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Notes a piece if this rank has to do with it. */
static void note_piece(pm_mpi_plan *plan, int rank, const pm_mpi_layer *layer, int needer, uint64_t opens, bool kept) {
    if (layer->rank == rank)
        plan->sends[plan->send_count++] = (pm_mpi_piece){needer, kept, layer->skip, opens};
    if (needer == rank)
        plan->needs[plan->need_count++] = (pm_mpi_piece){layer->rank, kept, layer->skip, opens};
}

/*
 * What a slice needs of the stack before it, and what it closes of that. It looks at every open that it closes, and at
 * the one below, the parent of what follows its last unmatched close. Each step but two takes a layer off for good, so
 * that all slices together take no more steps than there are slices, three times over.
 */
static void take_pieces(pm_mpi_plan *plan, int rank, int needer, const pm_mpi_slice *slice, uint64_t depth, int used) {
    uint64_t needed = slice->n > 0 ? least(slice->bic.close + 1, depth) : 0;
    uint64_t closed = least(slice->bic.close, depth);
    while (needed > 0) {
        pm_mpi_layer *const layer = &plan->layers[--used];
        const uint64_t here = least(needed, layer->opens), closed_here = least(closed, here);
        note_piece(plan, rank, layer, needer, here, closed_here < here);
        needed -= here;
        closed -= closed_here;
        layer->opens -= closed_here;
        layer->skip += closed_here;
    }
}

void pm_mpi_plan_make(pm_mpi_plan *plan, const pm_mpi_slice *slices, int ranks, int rank) {
    plan->send_count = plan->need_count = 0;
    plan->first = 0;
    plan->total = (pm_bic){0, 0};
    int used = 0; /* layers, none of them empty */
    for (int r = 0; r < ranks; r++) {
        if (r == rank)
            plan->before = plan->total;
        plan->first += r < rank ? slices[r].n : 0;
        take_pieces(plan, rank, r, &slices[r], plan->total.open, used);
        while (used > 0 && plan->layers[used - 1].opens == 0)
            used--;
        if (slices[r].bic.open > 0)
            plan->layers[used++] = (pm_mpi_layer){r, 0, slices[r].bic.open};
        plan->total = pm_bic_multiply(plan->total, slices[r].bic);
    }
}
