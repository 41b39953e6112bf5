/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a slice of a scene with a stack of the slice's own, given what lies below that stack. */
#ifndef PM_CPU_BOXES_WALK_H
#define PM_CPU_BOXES_WALK_H

#include "cpu/boxes/boxes.h"

/* ---- Open nodes (open_nodes.c) ----
 *
 * The nodes that slices of a scene leave open, and what their clips leave of the plane, for the slices that close them.
 *
 * A slice's survivors come in blocks. Known of each block is what the slice's clips below it leave. What the nodes in
 * it leave is found out of their own boxes again by the slice that closes them, a block at a time: to keep it for all
 * takes longer.
 *
 * A product of clips here has no NaNs, and is zeros only where it is stored for others: once a box is empty, with a NaN
 * or without, so is all that is intersected with it. So nothing but one minimum waits for the one before.
 */
#define PM_OPEN_BLOCK 64u

/* What is known of the nodes that a slice leaves open. */
typedef struct pmi_open_slice {
    bool clips;    /* whether any may be clips */
    pm_box below;  /* the context of the lowest */
    pm_box all;    /* what all of its clips leave, */
    pm_box *steps; /* and those below each block; nothing is there if there are no clips */
} pmi_open_slice;

typedef struct pmi_open {
    const pmi_scene *scene;
    const pmi_slice_effect *effect; /* of each slice, */
    const pmi_open_slice *slice;    /* of each slice */
    const pm_box *copies;           /* the boxes of all survivors, if results take the place of boxes; otherwise NULL */
    const uint32_t *survivors;      /* which they are the boxes of, slice by slice as in `effect` */
} pmi_open;

/* Steps of a number of survivors. */
static inline size_t pmi_open_steps(size_t survivors) {
    return survivors / PM_OPEN_BLOCK + (survivors % PM_OPEN_BLOCK != 0);
}

/* What is on top of a stack: up to a block of one slice's survivors. */
typedef struct pmi_open_block {
    const uint32_t *above;                 /* the survivor of rank r in the block, from 1, is above[-r] */
    pmi_extent context[PM_OPEN_BLOCK + 1]; /* inside that of rank r; 0: below all */
    pmi_lanes clip[PM_OPEN_BLOCK + 1];     /* -1 in all lanes if it is a clip, 0 if it is a blend */
} pmi_open_block;

/* The least that a node of this kind is as a factor of products: a NaN is not greater than that of a clip, and a blend
 * takes nothing away, whatever its box is. */
static inline pmi_extent pmi_open_min(uint8_t kind) {
    static const float least[4] = {-INFINITY, -INFINITY, INFINITY, -INFINITY};
    return (pmi_extent){least[kind], least[kind], least[kind], least[kind]};
}

/* Fills in `all` and `steps`, given the survivors and which kinds they are of. */
void pmi_open_find_steps(const pmi_scene *scene, const pmi_slice_effect *effect, pmi_open_slice *slice);

/* What the lowest survivors of one slice leave, apart from what is below them. */
pm_box pmi_open_product(const pmi_open *open, pmi_portion lowest);

/* Looks at the top of a stack that is not empty. Returns how many survivors there are in the block. */
static inline __attribute__((always_inline)) uint32_t pmi_open_look(const pmi_open *open, pmi_portion stack,
                                                                    pmi_open_block *block) {
    const pmi_slice_effect *const effect = &open->effect[stack.slice];
    const pmi_open_slice *const slice = &open->slice[stack.slice];
    const pmi_scene *const scene = open->scene;
    const uint32_t below = (stack.count - 1) / PM_OPEN_BLOCK * PM_OPEN_BLOCK, count = stack.count - below;
    const uint32_t *const above = effect->survivors + effect->open - below;
    const pm_box *const copies = open->copies ? open->copies + (above - open->survivors) : NULL;
    pmi_extent context = pmi_extent_of(&slice->below);
    block->above = above;
    block->context[0] = context;
    if (!slice->clips) {
        for (uint32_t rank = 1; rank <= count; rank++) {
            block->context[rank] = context;
            block->clip[rank] = (pmi_lanes){0};
        }
        return count;
    }
    context = pmi_extent_min(context, pmi_extent_of(&slice->steps[below / PM_OPEN_BLOCK]));
    block->context[0] = context;
    for (uint32_t rank = 1; rank <= count; rank++) {
        const uint32_t node = *(above - rank);
        const pmi_extent least = pmi_open_min(scene->kinds[node]);
        const pmi_extent own = pmi_extent_of(copies ? copies - rank : &scene->boxes[node]);
        context = pmi_extent_min(context, pmi_extent_greatest(own, least));
        block->context[rank] = context;
        block->clip[rank] = (pmi_lanes)least >> 31; /* the sign */
    }
    if (below > 0 && !copies) /* the next look's, from memory meanwhile */
        for (uint32_t rank = 0; rank < PM_OPEN_BLOCK; rank++)
            __builtin_prefetch(&scene->boxes[above[rank]]);
    return count;
}

/* ---- The walk (walk.c) ---- */

/* A blend that begins in one slice and ends in another. */
typedef struct pmi_cut_blend {
    uint32_t begin, end;
} pmi_cut_blend;

/* What a slice has to do with the rest of the scene. Where there is no rest: zeros, except the context. */
typedef struct pmi_outside {
    const pmi_open *open;  /* the nodes that slices leave open */
    pmi_portion stack;     /* those open before the slice that it has not closed when it last looked, */
    pmi_open_block *block; /* what it saw at the top, */
    uint32_t rank;         /* and which of the block is topmost now; 0: it has none open */
    pm_box context;        /* inside the topmost; everything if no clip is open */
    pmi_cut_blend *cut;    /* receives the blends among those that it closes, with room for one more, */
    size_t cut_count;      /* their number, */
    pm_box covered;        /* and the union of the results of the slice's leaves */
} pmi_outside;

/* Finds all else, given `open` and the stack. */
void pmi_outside_look(pmi_outside *outside);

/*
 * Writes the results of elements begin ... end - 1; false for an invalid kind. `stack` has room for end - begin
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
