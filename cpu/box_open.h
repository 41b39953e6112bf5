/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes that slices of a scene leave open, and what their clips leave of the plane, for the slices that close them.
 *
 * A slice's survivors come in blocks. Known of each block is what the slice's clips below it leave. What the nodes in
 * it leave is found out of their own boxes again by the slice that closes them, a block at a time: to keep it for all
 * takes longer.
 *
 * A product of clips here has no NaNs, and is zeros only where it is stored for others: once a box is empty, with a NaN
 * or without, so is all that is intersected with it. So nothing but one minimum waits for the one before.
 */
#ifndef PM_CPU_BOX_OPEN_H
#define PM_CPU_BOX_OPEN_H

#include "cpu/box_scene.h"
#include "cpu/slice_stack.h"

#define PM_OPEN_BLOCK 64u

/* What is known of the nodes that a slice leaves open. */
typedef struct pm_open_slice {
    bool clips;    /* whether any may be clips */
    pm_box below;  /* the context of the lowest */
    pm_box all;    /* what all of its clips leave, */
    pm_box *steps; /* and those below each block; nothing is there if there are no clips */
} pm_open_slice;

typedef struct pm_open {
    const pm_scene *scene;
    const pm_slice_effect *effect; /* of each slice, */
    const pm_open_slice *slice;    /* likewise */
    const pm_box *copies;          /* the boxes of all survivors, if results take the place of boxes; otherwise NULL */
    const uint32_t *survivors;     /* which they are the boxes of, slice by slice as in `effect` */
} pm_open;

/* Steps of so many survivors. */
static inline size_t pm_open_steps(size_t survivors) {
    return survivors / PM_OPEN_BLOCK + (survivors % PM_OPEN_BLOCK != 0);
}

/* What is on top of a stack: up to a block of one slice's survivors. */
typedef struct pm_open_block {
    const uint32_t *above;               /* the survivor of rank r in the block, from 1, is above[-r] */
    pm_reach context[PM_OPEN_BLOCK + 1]; /* inside that of rank r; 0: below all */
    pm_lanes clip[PM_OPEN_BLOCK + 1];    /* -1 in all lanes if it is a clip, 0 if it is a blend */
} pm_open_block;

/* The least that a node of this kind is as a factor of products: a NaN is not greater than that of a clip, and a blend
 * takes nothing away, whatever its box is. */
static inline pm_reach pm_open_least(uint8_t kind) {
    static const float least[4] = {-INFINITY, -INFINITY, INFINITY, -INFINITY};
    return (pm_reach){least[kind], least[kind], least[kind], least[kind]};
}

/* Fills in `all` and `steps`, given the survivors and which kinds they are of. */
void pm_open_find_steps(const pm_scene *scene, const pm_slice_effect *effect, pm_open_slice *slice);

/* What the lowest so many survivors of one slice leave, apart from what is below them. */
pm_box pm_open_product(const pm_open *open, pm_portion lowest);

/* Looks at the top of a stack that is not empty. Returns how many survivors there are in the block. */
static inline __attribute__((always_inline)) uint32_t pm_open_look(const pm_open *open, pm_portion stack,
                                                                   pm_open_block *block) {
    const pm_slice_effect *const effect = &open->effect[stack.slice];
    const pm_open_slice *const slice = &open->slice[stack.slice];
    const pm_scene *const scene = open->scene;
    const uint32_t below = (stack.count - 1) / PM_OPEN_BLOCK * PM_OPEN_BLOCK, count = stack.count - below;
    const uint32_t *const above = effect->survivors + effect->open - below;
    const pm_box *const copies = open->copies ? open->copies + (above - open->survivors) : NULL;
    pm_reach context = pm_reach_of(&slice->below);
    block->above = above;
    block->context[0] = context;
    if (!slice->clips) {
        for (uint32_t rank = 1; rank <= count; rank++) {
            block->context[rank] = context;
            block->clip[rank] = (pm_lanes){0};
        }
        return count;
    }
    context = pm_reach_least(context, pm_reach_of(&slice->steps[below / PM_OPEN_BLOCK]));
    block->context[0] = context;
    for (uint32_t rank = 1; rank <= count; rank++) {
        const uint32_t node = *(above - rank);
        const pm_reach least = pm_open_least(scene->kinds[node]);
        const pm_reach own = pm_reach_of(copies ? copies - rank : &scene->boxes[node]);
        context = pm_reach_least(context, pm_reach_greatest(own, least));
        block->context[rank] = context;
        block->clip[rank] = (pm_lanes)least >> 31; /* the sign */
    }
    if (below > 0 && !copies) /* the next look's, from memory meanwhile */
        for (uint32_t rank = 0; rank < PM_OPEN_BLOCK; rank++)
            __builtin_prefetch(&scene->boxes[above[rank]]);
    return count;
}

#endif
