/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends that find no node of their slice open, and the leaves between them. Which of these ends close a blend nobody can
 * guess, so both results are there, and one is chosen.
 */
#ifndef PM_CPU_BOX_OUTSIDE_H
#define PM_CPU_BOX_OUTSIDE_H

#include "cpu/box_leaves.h"

static inline __attribute__((always_inline)) void pm_outside_look_here(pm_outside *outside) {
    outside->rank = outside->stack.count > 0 ? pm_open_look(outside->open, outside->stack, outside->block) : 0;
}

/* Below the block that was looked at. */
static inline __attribute__((always_inline)) void pm_outside_look_below(pm_outside *outside) {
    const pm_portion stack = outside->stack;
    const uint32_t below = (stack.count - 1) / PM_OPEN_BLOCK * PM_OPEN_BLOCK;
    outside->stack = below > 0 ? (pm_portion){stack.slice, below} : outside->open->effect[stack.slice].rest;
    pm_outside_look_here(outside);
}

static inline void pm_outside_keep_context(pm_outside *outside) {
    outside->context = outside->rank > 0 ? outside->block->context[outside->rank] : pm_box_everything;
}

/* Ends from element i on, as many as come and as there are nodes in the block; returns the index after them. */
static inline size_t pm_outside_ends(const pm_scene *scene, pm_outside *outside, size_t i, size_t end,
                                     pm_reach covered) {
    const uint8_t *const kinds = scene->kinds;
    pm_box *const out = scene->out;
    const pm_open_block *const block = outside->block;
    pm_box united;
    pm_reach_store(covered, &united);
    pm_lanes blend, clip;
    memcpy(&blend, &united, sizeof blend);
    pm_cut_blend *cut = outside->cut + outside->cut_count;
    uint32_t rank = outside->rank;
    for (; rank > 0 && i < end && kinds[i] == PM_END; rank--, i++) {
        const pm_lanes is_clip = block->clip[rank];
        memcpy(&clip, &block->context[rank], sizeof clip);
        const pm_lanes result = (is_clip & clip) | (~is_clip & blend);
        memcpy(&out[i], &result, sizeof result);
        *cut = (pm_cut_blend){*(block->above - rank), (uint32_t)i};
        cut += is_clip[0] + 1;
    }
    outside->rank = rank;
    outside->cut_count = (size_t)(cut - outside->cut);
    return i;
}

/*
 * From an end at element i over the leaves and ends after it, until a node begins, the last node outside is closed, or
 * until `end`; returns the index after them.
 */
static inline __attribute__((always_inline)) size_t pm_outside_close(const pm_scene *scene, pm_outside *outside,
                                                                     size_t i, size_t end, pm_reach *covered,
                                                                     pm_leaves_in_fours *leaves_in_fours) {
    if (outside->rank == 0) {
        scene->out[i] = pm_box_empty;
        return i + 1;
    }
    pm_reach all = *covered;
    do {
        i = pm_outside_ends(scene, outside, i, end, all);
        if (outside->rank == 0)
            pm_outside_look_below(outside);
        pm_outside_keep_context(outside);
        const pm_reach context = pm_reach_of(&outside->context);
        if (leaves_in_fours && pm_four_are_leaves(scene->kinds, i, end))
            i = leaves_in_fours(scene, i, end, context, &all);
        for (; i < end && scene->kinds[i] == PM_LEAF; i++)
            all = pm_leaf(context, &scene->boxes[i], all, &scene->out[i]);
    } while (i < end && scene->kinds[i] == PM_END && outside->rank > 0);
    *covered = all;
    return i;
}

#endif
