/* SPDX-License-Identifier: Apache-2.0 */
/* The plan: goes through all slices with a stack that has one layer for each slice with opens on it. */
#include "mpi/ranks.h"

/* Notes a piece if this rank has to do with it. */
static void note_piece(pmi_mpi_plan *plan, int rank, const pmi_slice_layer *piece, int needer, bool kept) {
    if (piece->slice == rank)
        plan->sends[plan->send_count++] = (pmi_mpi_piece){needer, kept, piece->skip, piece->opens};
    if (needer == rank)
        plan->needs[plan->need_count++] = (pmi_mpi_piece){piece->slice, kept, piece->skip, piece->opens};
}

/*
 * What a slice needs of the stack before it. If that is more than it closes, it is one open more, which is kept. Each
 * step but two is for a layer that is then taken off for good, so that all slices together take no more steps than
 * there are slices, three times over.
 */
static void note_pieces(pmi_mpi_plan *plan, int rank, int needer, const pmi_mpi_slice *slice, int used) {
    uint64_t wanted = slice->n > 0 ? pmi_slice_wanted(plan->total, slice->bic) : 0;
    const bool one_more = wanted > slice->bic.close;
    while (wanted > 0) {
        const pmi_slice_layer piece = pmi_slice_layers_next(plan->layers, &used, &wanted);
        note_piece(plan, rank, &piece, needer, one_more && wanted == 0);
    }
}

void pmi_mpi_plan_make(pmi_mpi_plan *plan, const pmi_mpi_slice *slices, int ranks, int rank) {
    plan->send_count = plan->need_count = 0;
    plan->first = 0;
    plan->total = (pm_bic){0, 0};
    int used = 0; /* layers, none of them empty */
    for (int r = 0; r < ranks; r++) {
        if (r == rank)
            plan->before = plan->total;
        plan->first += r < rank ? slices[r].n : 0;
        note_pieces(plan, rank, r, &slices[r], used);
        used = pmi_slice_layers_close(plan->layers, used, slices[r].bic.close);
        if (slices[r].bic.open > 0)
            plan->layers[used++] = (pmi_slice_layer){r, 0, slices[r].bic.open};
        plan->total = pmi_bic_multiply(plan->total, slices[r].bic);
    }
}
