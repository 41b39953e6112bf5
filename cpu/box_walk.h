/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a slice of a scene with a stack of the slice's own, given what lies below that stack. */
#ifndef PM_CPU_BOX_WALK_H
#define PM_CPU_BOX_WALK_H

#include "core/reach.h"
#include "cpu/slice_stack.h"

typedef struct pm_scene {
    const uint8_t *kinds;
    const pm_box *boxes;
    size_t n;
    pm_box *out;
} pm_scene;

/* What a slice has to do with the rest of the scene. Where there is no rest: zeros, but for the context. */
typedef struct pm_outside {
    const pm_slice_effect *slices; /* of the scene */
    const uint32_t *lowest_clip;   /* of each slice's survivors, counted from 1 at the lowest; PM_NONE: there is none */
    pm_portion stack;              /* the nodes open before the slice that it has not closed yet */
    pm_box context;                /* the result of the topmost clip among them; everything if there is none */
    const uint32_t *survivors;     /* the slice's that are still ahead, the next one last, */
    size_t survivor_count;         /* and their number */
    uint32_t *ends;                /* receives the slice's ends that close a node open before it, */
    size_t end_count;              /* their number, */
    pm_box covered;                /* and the union of the results of the slice's leaves */
} pm_outside;

/* Finds the context, given the stack. */
void pm_outside_find_context(const pm_scene *scene, pm_outside *outside);

/*
 * Writes the results of elements begin ... end - 1; false for a kind that is none. `stack` has room for end - begin
 * indices.
 *
 * The results of clips that a slice leaves open are in `out` already, in every slice, and stay as they are. Of a blend
 * that goes on past the slice, `out` receives the union of what the slice has of it: at the blend, where it begins in
 * the slice, or at its end, where it ends in the slice. A blend that is not closed before n begins in the last slice or
 * goes on past the one that it begins in.
 */
bool pm_box_walk(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside);

/* The same, whatever the processor has. */
bool pm_box_walk_plain(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside);

#endif
