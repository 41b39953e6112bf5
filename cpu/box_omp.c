/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of slices of a scene in parallel, in the steps of matching, and one more:
 *
 *   reduce  every slice to what it does to the stack, from its kinds alone;
 *   scan    these effects, for the stack before each slice; and intersect along them, for the results of all clips that
 *           slices leave open: down the survivors that a slice rests on, over the slices, down each slice's survivors;
 *   match   every slice, with its stack and what lies below that: all is final but blends that end in another slice;
 *   unite   for those what the slice of their begin, the slices between and the slice of their end have of them.
 *
 * Union does not distribute over intersection, so nothing can be united before everything has been clipped.
 */
#include "cpu/box_omp.h"

#include <stdatomic.h>

#include "cpu/box_reduce.h"
#include "cpu/division.h"

/* Teams are called and dismissed six times, which takes some microseconds each. */
#define TEAM_PAYS_ELEMENTS ((size_t)1 << 14) /* of each thread */

/* So many slices that a thread which is held up holds up few others, but none so short that the nodes which it leaves
 * open cost more than that. */
#define SLICES_OF_A_THREAD ((size_t)8)
#define SLICE_ELEMENTS_LEAST ((size_t)1 << 15)

/* What is known of a slice beside its effect on the stack. */
typedef struct box_slice {
    pm_box below;   /* the context of its lowest survivor; before the scan, what the slice that it rests on adds */
    pm_box covered; /* the union of its leaves' results */
    pm_box after;   /* the union of the slices' after it */
    uint32_t never_closed; /* its survivors, from the lowest, that are never closed */
    uint32_t end_count;
    uint32_t *ends; /* those of its ends that close nodes open before it: room for all that find no node in it */
    bool valid;
} box_slice;

typedef struct box_job {
    const pm_slice_plan *plan;
    const pm_scene *scene;
    size_t slices;
    pm_slice_effect *effect; /* of each slice, */
    box_slice *slice;        /* likewise, */
    uint32_t *lowest_clip;   /* likewise */
    /* n: the survivors of all slices, so many, and then the ends, with no room between them, as pages are dear. */
    uint32_t *indices;
    atomic_size_t survivors;
    uint32_t *stacks; /* plan->slice_size for each thread */
} box_job;

/*
 * An estimate from runs of deep scenes: slices cost up to a fifth more than the plain stack, and every node that a
 * slice leaves open as much as six to nine elements, as its clip is intersected three times, its box read and
 * written by two slices. Where so many are left open that the threads do not make up for it, as in one deep chain, one
 * thread does it.
 */
static size_t survivors_worthwhile(size_t n, unsigned threads) {
    return (threads - 1) * (n / 9) - n / 45;
}

static size_t slice_size(size_t n, unsigned threads) {
    const size_t many = pm_divide_up(n, threads * SLICES_OF_A_THREAD), few = pm_slice_size(n, threads);
    return many > SLICE_ELEMENTS_LEAST ? many : pm_least(few, SLICE_ELEMENTS_LEAST);
}

pm_slice_plan pm_box_plan_make(size_t n, unsigned most) {
    const unsigned threads = pm_threads_paying(n, TEAM_PAYS_ELEMENTS, most);
    return (pm_slice_plan){threads, slice_size(n, threads), threads > 1 ? survivors_worthwhile(n, threads) : 0};
}

static size_t slice_begin(const box_job *job, size_t s) {
    return pm_least(s * job->plan->slice_size, job->scene->n);
}

static bool is_clip(const box_job *job, uint32_t node) {
    return job->scene->kinds[node] == PM_CLIP;
}

static uint32_t *stack_of(const box_job *job, unsigned thread) {
    return job->stacks + thread * job->plan->slice_size;
}

/* ---- Reduce */

static bool too_many_survivors(box_job *job) {
    return atomic_load_explicit(&job->survivors, memory_order_relaxed) > job->plan->survivors_most;
}

static void reduce_slice(size_t s, unsigned thread, void *user) {
    box_job *job = user;
    pm_slice_effect *const effect = &job->effect[s];
    if (too_many_survivors(job)) { /* one thread will do it all, and tell whether it is valid */
        job->slice[s].valid = true;
        return;
    }
    job->slice[s].valid =
        pm_box_reduce(job->scene->kinds, slice_begin(job, s), slice_begin(job, s + 1), stack_of(job, thread), effect);
    uint32_t *const kept = job->indices + atomic_fetch_add(&job->survivors, effect->open);
    memcpy(kept, effect->survivors, effect->open * sizeof *kept);
    effect->survivors = kept;
    job->lowest_clip[s] = PM_NONE;
    for (uint32_t rank = 1; job->slice[s].valid && rank <= effect->open && job->lowest_clip[s] == PM_NONE; rank++)
        if (is_clip(job, pm_survivor_at(effect, rank)))
            job->lowest_clip[s] = rank;
}

static bool all_valid(const box_job *job) {
    for (size_t s = 0; s < job->slices; s++)
        if (!job->slice[s].valid)
            return false;
    return true;
}

/* A slice has no more survivors and ends together than elements. */
static void make_room_for_ends(box_job *job) {
    uint32_t *ends = job->indices + job->survivors;
    for (size_t s = 0; s < job->slices; s++) {
        job->slice[s].ends = ends;
        ends += job->effect[s].close;
    }
}

/* ---- Scan */

/* The context below a node. Blends are clips to everything: so there is no branch to be guessed. */
static pm_reach intersect_node(const box_job *job, pm_reach context, uint32_t node) {
    const pm_box *const box = is_clip(job, node) ? &job->scene->boxes[node] : &pm_box_everything;
    return pm_reach_context(pm_reach_intersect(context, pm_reach_of(box)));
}

/* What the slice that this one rests on adds to the context. */
static void intersect_rest(size_t s, unsigned thread, void *user) {
    (void)thread;
    const box_job *job = user;
    const pm_portion rest = job->effect[s].rest;
    pm_reach context = pm_reach_of(&pm_box_everything);
    for (uint32_t rank = job->lowest_clip[rest.slice]; rank <= rest.count; rank++)
        context = intersect_node(job, context, pm_survivor_at(&job->effect[rest.slice], rank));
    pm_reach_store_context(context, &job->slice[s].below);
}

static void intersect_slices(box_job *job) {
    for (size_t s = 0; s < job->slices; s++) {
        const pm_portion rest = job->effect[s].rest;
        if (rest.count > 0)
            job->slice[s].below = pm_box_intersect(job->slice[rest.slice].below, job->slice[s].below);
    }
}

/* A blend's place in `out` receives its context, until its slice is matched. */
static void intersect_survivors(size_t s, unsigned thread, void *user) {
    (void)thread;
    const box_job *job = user;
    pm_reach context = pm_reach_of(&job->slice[s].below);
    for (uint32_t rank = job->lowest_clip[s]; rank <= job->effect[s].open; rank++) {
        const uint32_t node = pm_survivor_at(&job->effect[s], rank);
        context = intersect_node(job, context, node);
        pm_reach_store_context(context, &job->scene->out[node]);
    }
}

/* ---- Match */

static void match_slice(size_t s, unsigned thread, void *user) {
    const box_job *job = user;
    const pm_slice_effect *const effect = &job->effect[s];
    const size_t begin = slice_begin(job, s);
    pm_outside outside = {.slices = job->effect,
                          .lowest_clip = job->lowest_clip,
                          .stack = effect->before,
                          .survivors = effect->survivors,
                          .survivor_count = effect->open,
                          .ends = job->slice[s].ends};
    pm_outside_find_context(job->scene, &outside);
    pm_box_walk(job->scene, begin, slice_begin(job, s + 1), stack_of(job, thread), &outside);
    job->slice[s].end_count = (uint32_t)outside.end_count;
    job->slice[s].covered = outside.covered;
}

/* ---- Unite */

/* Nobody asks which nodes are blends: all that is united with a clip's result lies within it. */

/* Of each slice: what comes after it, and which survivors nobody closes. */
static void scan_unclosed(box_job *job, pm_portion last) {
    pm_box after = pm_box_empty;
    for (size_t s = job->slices; s-- > 0;) {
        job->slice[s].after = after;
        job->slice[s].never_closed = 0;
        after = pm_box_unite(after, job->slice[s].covered);
    }
    for (; last.count > 0; last = job->effect[last.slice].rest)
        job->slice[last.slice].never_closed = last.count;
}

/* The nodes that end in this slice and begin in another, */
static void unite_ended(const box_job *job, size_t s) {
    const pm_scene *const scene = job->scene;
    const uint32_t *const ends = job->slice[s].ends;
    pm_portion stack = job->effect[s].before;
    pm_box between = pm_box_empty;
    size_t reached = s; /* the slices from this one on, and before s, are in `between` */
    for (size_t k = 0; k < job->slice[s].end_count; k++) {
        while (reached > stack.slice + (size_t)1)
            between = pm_box_unite(between, job->slice[--reached].covered);
        const uint32_t node = pm_portion_top(job->effect, stack);
        const pm_box all = pm_box_unite(pm_box_unite(scene->out[node], between), scene->out[ends[k]]);
        scene->out[node] = scene->out[ends[k]] = all;
        stack = pm_portion_pop(job->effect, stack);
    }
}

/* and those that begin in this slice and never end. */
static void unite_never_closed(const box_job *job, size_t s) {
    for (uint32_t rank = 1; rank <= job->slice[s].never_closed; rank++) {
        const uint32_t node = pm_survivor_at(&job->effect[s], rank);
        job->scene->out[node] = pm_box_unite(job->scene->out[node], job->slice[s].after);
    }
}

static void unite_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    unite_ended(user, s);
    unite_never_closed(user, s);
}

/* ---- All of it */

static pm_status run_job(box_job *job) {
    const unsigned threads = job->plan->threads;
    pm_team_run(threads, job->slices, reduce_slice, job);
    if (!all_valid(job))
        return PM_INVALID_ARGUMENT;
    if (too_many_survivors(job)) {
        pm_outside nothing = {.context = pm_box_everything};
        return pm_box_walk(job->scene, 0, job->scene->n, job->indices, &nothing) ? PM_OK : PM_INVALID_ARGUMENT;
    }
    make_room_for_ends(job);
    const pm_portion last = pm_slice_stack_scan(job->effect, job->slices);
    pm_team_run(threads, job->slices, intersect_rest, job);
    intersect_slices(job);
    pm_team_run(threads, job->slices, intersect_survivors, job);
    pm_team_run(threads, job->slices, match_slice, job);
    scan_unclosed(job, last);
    pm_team_run(threads, job->slices, unite_slice, job);
    return PM_OK;
}

pm_status pm_box_parallel(const pm_allocator *allocator, const pm_slice_plan *plan, const pm_scene *scene) {
    box_job job = {.plan = plan, .scene = scene, .slices = pm_divide_up(scene->n, plan->slice_size)};
    const size_t of_slices = job.slices * (sizeof *job.effect + sizeof *job.slice + sizeof *job.lowest_clip);
    const size_t indices = scene->n + plan->threads * plan->slice_size;
    if (indices > (SIZE_MAX - of_slices) / sizeof(uint32_t))
        return PM_OUT_OF_MEMORY;
    void *const block = allocator->alloc(of_slices + indices * sizeof(uint32_t), allocator->user);
    if (!block)
        return PM_OUT_OF_MEMORY;
    job.effect = block;
    job.slice = (box_slice *)(job.effect + job.slices);
    job.lowest_clip = (uint32_t *)(job.slice + job.slices);
    job.indices = job.lowest_clip + job.slices;
    job.stacks = job.indices + scene->n;
    const pm_status status = run_job(&job);
    allocator->free(block, allocator->user);
    return status;
}
