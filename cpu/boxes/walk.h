/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a slice of a scene with a stack of the slice's own, given what lies below that stack. */
#ifndef PM_CPU_BOXES_WALK_H
#define PM_CPU_BOXES_WALK_H

#include "cpu/boxes/open_nodes.h"

/* A blend that begins in one slice and ends in another. */
typedef struct pmi_cut_blend {
    uint32_t begin, end;
} pmi_cut_blend;

/* What a slice has to do with the rest of the scene. Where there is no rest: zeros, but for the context. */
typedef struct pmi_outside {
    const pmi_open *open;  /* the nodes that slices leave open */
    pmi_portion stack;     /* those open before the slice that it has not closed when it last looked, */
    pmi_open_block *block; /* what it saw at the top, */
    uint32_t rank;         /* and which of the block is topmost now; 0: there is none */
    pm_box context;        /* inside the topmost; everything if there is none */
    pmi_cut_blend *cut;    /* receives the blends among those that it closes, with room for one more, */
    size_t cut_count;      /* their number, */
    pm_box covered;        /* and the union of the results of the slice's leaves */
} pmi_outside;

/* Finds all else, given `open` and the stack. */
void pmi_outside_look(pmi_outside *outside);

/*
 * Writes the results of elements begin ... end - 1; false for a kind that is none. `stack` has room for end - begin
 * indices.
 *
 * Of a blend that goes on past the slice, `out` receives the union of what the slice has of it: at the blend, where it
 * begins in the slice, or at its end, where it ends in the slice. A blend that is not closed before n begins in the
 * last slice or goes on past the one that it begins in.
 */
bool pmi_box_walk(const pmi_scene *scene, size_t begin, size_t end, uint32_t *stack, pmi_outside *outside);

/* The same, whatever the processor has. */
bool pmi_box_walk_plain(const pmi_scene *scene, size_t begin, size_t end, uint32_t *stack, pmi_outside *outside);

#endif
