/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a stage is cut into dispatches, and those into workgroups. Read by C, which plans for a length that it knows, and
 * by GLSL, which plans for one that is only on the device: so it keeps to what both languages have.
 */
#ifndef PM_SHADERS_MATCH_PLAN_H
#define PM_SHADERS_MATCH_PLAN_H

#include "shaders/shared/layout.h"

#ifdef __STDC__
#include <stdint.h>
#define PM_PLAN_FUNCTION static inline
typedef struct pmi_plan_task pmi_plan_task;
typedef struct pmi_plan pmi_plan;
#else
#define PM_PLAN_FUNCTION
#define uint32_t uint
#endif

/* A stage's work on consecutive units (tiles or superblocks), for a sequence of any length up to some. */
struct pmi_plan_task {
    uint32_t unit;            /* elements */
    uint32_t first;           /* units first ... first + count - 1, of which those count that the sequence touches */
    uint32_t count;           /* units */
    uint32_t workgroups;      /* there are to be that many before one takes more than the least */
    uint32_t per_group_least; /* units of a workgroup */
    uint32_t per_group_most;  /* units of a workgroup */
    uint32_t per_group_last;  /* of the last eighth, if a workgroup takes more; 0: there is no last eighth */
    uint32_t dispatch_units;  /* most of a dispatch */
    uint32_t dispatch_workgroups; /* most of a dispatch */
    uint32_t dispatches;          /* first these, */
    uint32_t dispatches_last;     /* then these for the last eighth */
};

/* A dispatch; it begins like VkDispatchIndirectCommand. A workgroup works on per_group consecutive units, of `count`
 * that begin with `first`. */
struct pmi_plan {
    uint32_t workgroups, workgroups_y, workgroups_z; /* 0: nothing is left for this one */
    uint32_t n;                                      /* elements of the sequence */
    uint32_t superblocks;                            /* that n elements touch */
    uint32_t first;
    uint32_t count;
    uint32_t per_group;
};

PM_PLAN_FUNCTION uint32_t pmi_plan_min(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* How many pieces of `by` > 0 hold x. */
PM_PLAN_FUNCTION uint32_t pmi_plan_pieces(uint32_t x, uint32_t by) {
    return x / by + (x % by != 0u ? 1u : 0u);
}

/* What is left of x after the first y. */
PM_PLAN_FUNCTION uint32_t pmi_plan_after(uint32_t x, uint32_t y) {
    return x > y ? x - y : 0u;
}

/* Most units of a dispatch whose workgroups take per_group each. */
PM_PLAN_FUNCTION uint32_t pmi_plan_dispatch_units(pmi_plan_task task, uint32_t per_group) {
    return task.dispatch_workgroups < task.dispatch_units / per_group ? task.dispatch_workgroups * per_group
                                                                      : task.dispatch_units;
}

/* Units for the task of a sequence of n elements, and how many of them a workgroup takes. */
PM_PLAN_FUNCTION uint32_t pmi_plan_units(pmi_plan_task task, uint32_t n) {
    return pmi_plan_min(pmi_plan_after(pmi_plan_pieces(n, task.unit), task.first), task.count);
}

PM_PLAN_FUNCTION uint32_t pmi_plan_per_group(pmi_plan_task task, uint32_t units) {
    const uint32_t most = pmi_plan_min(units / task.workgroups, task.per_group_most);
    return most > task.per_group_least ? most : task.per_group_least;
}

/* Units of the last eighth. */
PM_PLAN_FUNCTION uint32_t pmi_plan_last_units(pmi_plan_task task, uint32_t units) {
    return task.per_group_last != 0u && pmi_plan_per_group(task, units) > task.per_group_last ? units / 8u : 0u;
}

/* Dispatch `index` of a task, for n elements. */
PM_PLAN_FUNCTION pmi_plan pmi_plan_make(pmi_plan_task task, uint32_t n, uint32_t index) {
    const uint32_t units = pmi_plan_units(task, n), last_units = pmi_plan_last_units(task, units);
    pmi_plan plan;
    uint32_t begin, end; /* of the dispatch and those after it, in units of the task */
    if (index < task.dispatches) {
        plan.per_group = pmi_plan_per_group(task, units);
        end = units - last_units;
        begin = index * pmi_plan_dispatch_units(task, plan.per_group);
    } else {
        plan.per_group = task.per_group_last;
        end = units;
        begin = units - last_units + (index - task.dispatches) * pmi_plan_dispatch_units(task, plan.per_group);
    }
    plan.count = pmi_plan_min(pmi_plan_after(end, begin), pmi_plan_dispatch_units(task, plan.per_group));
    plan.first = task.first + begin;
    plan.workgroups = pmi_plan_pieces(plan.count, plan.per_group);
    plan.workgroups_y = 1u;
    plan.workgroups_z = 1u;
    plan.n = n;
    plan.superblocks = pmi_plan_pieces(n, PM_SUPERBLOCK);
    return plan;
}

#ifndef __STDC__
#undef uint32_t
#endif

#endif
