/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk. Two things are known at every element: the context, which is the result of the innermost open clip, and
 * what has been covered since the innermost open blend began. Clips and blends have a stack each, of indices alone: an
 * open clip's result is in `out` already, and an open blend's place in `out` holds what it had covered when a blend
 * inside it began. The innermost open node is the later of the two tops.
 */
#include "cpu/box_walk.h"

/* On the stacks, elements are named by their index plus 1, and this is none of them. */
#define NOBODY 0u

void pm_outside_find_context(const pm_scene *scene, pm_outside *outside) {
    pm_portion stack = outside->stack;
    while (stack.count > 0) {
        const uint32_t node = pm_portion_top(outside->slices, stack);
        if (outside->lowest_clip[stack.slice] > stack.count) {
            stack = outside->slices[stack.slice].rest; /* over many blends at once */
        } else if (scene->kinds[node] == PM_CLIP) {
            outside->context = scene->out[node];
            return;
        } else {
            stack.count--;
        }
    }
    outside->context = pm_box_everything;
}

/* An end that finds no node of its slice open. What it closes is a node outside, or nothing. */
static pm_box close_outside(const pm_scene *scene, pm_outside *outside, size_t end, pm_reach covered) {
    if (outside->stack.count == 0)
        return pm_box_empty;
    const uint32_t node = pm_portion_top(outside->slices, outside->stack);
    outside->stack = pm_portion_pop(outside->slices, outside->stack);
    outside->ends[outside->end_count++] = (uint32_t)end;
    if (scene->kinds[node] == PM_BLEND)
        return pm_reach_box(covered);
    pm_outside_find_context(scene, outside);
    return scene->out[node];
}

/* The next clip that the slice leaves open, by its name. */
static uint32_t next_left_open(const pm_scene *scene, pm_outside *outside) {
    while (outside->survivor_count > 0) {
        const uint32_t node = outside->survivors[--outside->survivor_count];
        if (scene->kinds[node] == PM_CLIP)
            return node + 1;
    }
    return NOBODY;
}

bool pm_box_walk(const pm_scene *scene, size_t begin, size_t end, uint32_t *stack, pm_outside *outside) {
    const uint8_t *const kinds = scene->kinds;
    const pm_box *const boxes = scene->boxes;
    pm_box *const out = scene->out;
    uint32_t *clips = stack, *blends = stack + (end - begin); /* growing towards each other */
    uint32_t clip = NOBODY, blend = NOBODY;                   /* the innermost */
    uint32_t left_open = next_left_open(scene, outside);
    pm_reach context = pm_reach_of(&outside->context), covered = pm_reach_nowhere;
    for (size_t i = begin; i < end; i++) {
        switch (kinds[i]) {
        case PM_LEAF: /* which seldom comes alone: a loop of its own is a quarter faster */
            do {
                const pm_reach box = pm_reach_intersect(context, pm_reach_of(&boxes[i]));
                pm_reach_store(box, &out[i]);
                covered = pm_reach_unite(covered, box);
            } while (++i < end && kinds[i] == PM_LEAF);
            i--;
            break;
        case PM_CLIP:
            if (i + 1 == left_open) {
                left_open = next_left_open(scene, outside);
                context = pm_reach_of(&out[i]);
            } else {
                context = pm_reach_context(pm_reach_intersect(context, pm_reach_of(&boxes[i])));
                pm_reach_store_context(context, &out[i]);
            }
            *clips++ = clip;
            clip = (uint32_t)i + 1;
            break;
        case PM_BLEND:
            pm_reach_store(covered, blend != NOBODY ? &out[blend - 1] : &outside->covered);
            covered = pm_reach_nowhere;
            *--blends = blend;
            blend = (uint32_t)i + 1;
            break;
        case PM_END:
            if (clip > blend) {
                out[i] = out[clip - 1];
                clip = *--clips;
                context = pm_reach_of(clip != NOBODY ? &out[clip - 1] : &outside->context);
            } else if (blend != NOBODY) {
                pm_reach_store(covered, &out[blend - 1]);
                out[i] = out[blend - 1];
                blend = *blends++;
                covered = pm_reach_unite(covered, pm_reach_of(blend != NOBODY ? &out[blend - 1] : &outside->covered));
            } else {
                out[i] = close_outside(scene, outside, i, covered);
                context = pm_reach_of(&outside->context);
            }
            break;
        default:
            return false;
        }
    }
    while (blend != NOBODY) { /* they go on past the slice, or end at n */
        pm_reach_store(covered, &out[blend - 1]);
        blend = *blends++;
        covered = pm_reach_unite(covered, pm_reach_of(blend != NOBODY ? &out[blend - 1] : &outside->covered));
    }
    pm_reach_store(covered, &outside->covered);
    return true;
}
