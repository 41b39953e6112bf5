/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of slices of a scene in parallel, in the steps of matching, and one more:
 *
 *   reduce  every slice to what it does to the stack, from its kinds alone, and the clips that it leaves open to what
 *           they leave of the plane, block by block;
 *   scan    both: for the stack before each slice, and for what lies below each slice's survivors;
 *   match   every slice, for which contexts in other slices' nodes are found again, a block of these at a time: all is
 *           final but blends that end in another slice than they begin in;
 *   unite   for those what the slice of their begin, the slices between and the slice of their end have of them.
 *
 * Union does not distribute over intersection, so nothing can be united before everything has been clipped.
 */
#include "cpu/boxes/boxes.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "cpu/boxes/walk.h"
#include "cpu/threads.h"

#define THREAD_MIN_ELEMENTS ((size_t)1 << 14) /* threads start four times, which takes some microseconds each */

/* Enough slices that a thread which is held up holds up few others. Shorter ones would leave nodes open that cost more
 * than that. */
#define SLICES_OF_A_THREAD ((size_t)8)
#define SLICE_ELEMENTS_MIN ((size_t)1 << 15)

/* What is known of a slice in addition to its effect on the stack and what it leaves open. */
typedef struct box_slice {
    pm_box covered;        /* the union of its leaves' results */
    pm_box after;          /* the union of the slices' after it */
    uint32_t never_closed; /* its survivors, from the lowest, that are never closed */
    size_t cut_count;
    size_t cut_begin; /* among the places for cut blends: those that it ends, with room for one more */
    bool valid;
} box_slice;

typedef struct box_job {
    const pmi_slice_plan *plan;
    const pmi_scene *scene;
    size_t slices;
    pmi_slice_effect *effect; /* of each slice, */
    pmi_open_slice *left;     /* of each slice, */
    box_slice *slice;         /* of each slice */
    pmi_open open;
    pm_box *steps;     /* of all slices */
    uint32_t *indices; /* n: the survivors of all slices, with no room between them, as pages are dear */
    pmi_cut_blend *cut;
    pm_box *copies; /* the survivors' boxes where results take their place, otherwise NULL */
    atomic_size_t survivors;
    uint32_t *stacks; /* plan->slice_size for each thread */
} box_job;

/*
 * An estimate from runs of deep scenes: every node that a slice leaves open costs as much as one and a half to two
 * elements more, as its box is read three times and a blend's result is put together by a slice that closes it. So two
 * threads make up for as many as half of all elements, which all of one chain are, and three for any.
 */
static size_t survivors_worthwhile(size_t n, unsigned threads) {
    return (threads - 1) * (n / 2 + n / 50);
}

static size_t slice_size(size_t n, unsigned threads) {
    const size_t many = pmi_divide_up(n, threads * SLICES_OF_A_THREAD), few = pmi_slice_size(n, threads);
    return many > SLICE_ELEMENTS_MIN ? many : pmi_min(few, SLICE_ELEMENTS_MIN);
}

pmi_slice_plan pmi_box_plan_make(size_t n, unsigned most) {
    const unsigned threads = pmi_threads_paying(n, THREAD_MIN_ELEMENTS, most);
    return (pmi_slice_plan){threads, slice_size(n, threads), threads > 1 ? survivors_worthwhile(n, threads) : 0};
}

static size_t slice_begin(const box_job *job, size_t s) {
    return pmi_min(s * job->plan->slice_size, job->scene->n);
}

static uint32_t *stack_of(const box_job *job, unsigned thread) {
    return job->stacks + thread * job->plan->slice_size;
}

/* ---- Reduce */

static bool too_many_survivors(box_job *job) {
    return atomic_load_explicit(&job->survivors, memory_order_relaxed) > job->plan->survivors_max;
}

static void reduce_slice(size_t s, unsigned thread, void *user) {
    box_job *job = user;
    const size_t begin = slice_begin(job, s), end = slice_begin(job, s + 1);
    pmi_slice_effect *const effect = &job->effect[s];
    if (too_many_survivors(job)) { /* one thread will do it all, and tell whether it is valid */
        job->slice[s].valid = true;
        return;
    }
    job->slice[s].valid = pmi_box_reduce(job->scene->kinds, begin, end, stack_of(job, thread), effect);
    if (!job->slice[s].valid)
        return;
    uint32_t *const kept = job->indices + atomic_fetch_add(&job->survivors, effect->open);
    memcpy(kept, effect->survivors, effect->open * sizeof *kept);
    effect->survivors = kept;
    pmi_open_slice *const left = &job->left[s];
    left->clips = effect->open > 0 && memchr(job->scene->kinds + begin, PM_CLIP, end - begin);
    left->steps = job->steps + s * pmi_open_steps(job->plan->slice_size);
    pmi_open_find_steps(job->scene, effect, left);
}

static bool all_valid(const box_job *job) {
    for (size_t s = 0; s < job->slices; s++)
        if (!job->slice[s].valid)
            return false;
    return true;
}

/* ---- Scan */

/* What the slice that this one rests on adds to the context. */
static void intersect_rest(size_t s, unsigned thread, void *user) {
    (void)thread;
    box_job *const job = user;
    job->left[s].below = pmi_open_product(&job->open, job->effect[s].rest);
}

static void intersect_slices(box_job *job) {
    for (size_t s = 0; s < job->slices; s++) {
        const pmi_portion rest = job->effect[s].rest;
        if (rest.count > 0)
            job->left[s].below = pmi_box_intersect(job->left[rest.slice].below, job->left[s].below);
    }
}

/* Room for the blends that each slice closes and another begins: as many as nodes, and one more. Returns for how many
 * in all. */
static size_t divide_cut(box_job *job) {
    size_t room = 0, depth = 0;
    for (size_t s = 0; s < job->slices; s++) {
        const size_t closed = job->effect[s].close < depth ? (size_t)job->effect[s].close : depth;
        job->slice[s].cut_begin = room;
        room += closed + 1;
        depth += job->effect[s].open - closed;
    }
    return room;
}

/* ---- Match */

/* Where results take the place of boxes, other slices read a survivor's box when its slice has written its result. */
static void copy_boxes(size_t s, unsigned thread, void *user) {
    (void)thread;
    box_job *const job = user;
    const pmi_slice_effect *const effect = &job->effect[s];
    pm_box *const copies = job->copies + (effect->survivors - job->indices);
    for (size_t k = 0; k < effect->open; k++)
        copies[k] = job->scene->boxes[effect->survivors[k]];
}

static void match_slice(size_t s, unsigned thread, void *user) {
    const box_job *job = user;
    const size_t begin = slice_begin(job, s);
    pmi_open_block block;
    pmi_outside outside = {
        .open = &job->open, .stack = job->effect[s].before, .block = &block, .cut = job->cut + job->slice[s].cut_begin};
    pmi_outside_look(&outside);
    pmi_box_walk(job->scene, begin, slice_begin(job, s + 1), stack_of(job, thread), &outside);
    job->slice[s].cut_count = outside.cut_count;
    job->slice[s].covered = outside.covered;
}

/* ---- Unite */

/* Of each slice: what comes after it, and which survivors nobody closes. */
static void scan_unclosed(box_job *job, pmi_portion last) {
    pm_box after = pmi_box_empty;
    for (size_t s = job->slices; s-- > 0;) {
        job->slice[s].after = after;
        job->slice[s].never_closed = 0;
        after = pmi_box_unite(after, job->slice[s].covered);
    }
    for (; last.count > 0; last = job->effect[last.slice].rest)
        job->slice[last.slice].never_closed = last.count;
}

/* The blends that end in this slice and begin in another, */
static void unite_cut(const box_job *job, size_t s) {
    pm_box *const out = job->scene->out;
    const pmi_cut_blend *cut = job->cut + job->slice[s].cut_begin, *const last = cut + job->slice[s].cut_count;
    pmi_extent between = pmi_extent_nowhere;
    size_t reached = s; /* the slices from this one on, and before s, are in `between` */
    while (cut < last) {
        for (const size_t next = cut->begin / job->plan->slice_size + 1; reached > next;)
            between = pmi_extent_unite(between, pmi_extent_of(&job->slice[--reached].covered));
        for (const size_t begin = slice_begin(job, reached - 1); cut < last && cut->begin >= begin; cut++) {
            const pmi_extent first = pmi_extent_unite(between, pmi_extent_of(&out[cut->begin]));
            const pmi_extent all = pmi_extent_unite(first, pmi_extent_of(&out[cut->end]));
            pmi_extent_store_if_other(all, &out[cut->begin]);
            pmi_extent_store_if_other(all, &out[cut->end]);
        }
    }
}

/* and the nodes that begin in this slice and never end. Nobody asks which are blends: what comes after a clip lies
 * within its result. */
static void unite_never_closed(const box_job *job, size_t s) {
    pm_box *const out = job->scene->out;
    const pmi_extent after = pmi_extent_unite(pmi_extent_nowhere, pmi_extent_of(&job->slice[s].after));
    for (uint32_t rank = 1; rank <= job->slice[s].never_closed; rank++) {
        const uint32_t node = pmi_survivor_at(&job->effect[s], rank);
        pmi_extent_store_if_other(pmi_extent_unite(after, pmi_extent_of(&out[node])), &out[node]);
    }
}

static void unite_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    unite_cut(user, s);
    unite_never_closed(user, s);
}

/* ---- All of it */

static pm_status match_and_unite(box_job *job, pmi_portion last) {
    const unsigned threads = job->plan->threads;
    if (job->copies)
        pmi_threads_run(threads, job->slices, copy_boxes, job);
    pmi_threads_run(threads, job->slices, match_slice, job);
    scan_unclosed(job, last);
    pmi_threads_run(threads, job->slices, unite_slice, job);
    return PM_OK;
}

static pm_status run_job(const pm_allocator *allocator, box_job *job) {
    const unsigned threads = job->plan->threads;
    pmi_threads_run(threads, job->slices, reduce_slice, job);
    if (!all_valid(job))
        return PM_INVALID_ARGUMENT;
    if (too_many_survivors(job)) {
        pmi_outside nothing = {.context = pmi_box_everything};
        return pmi_box_walk(job->scene, 0, job->scene->n, job->indices, &nothing) ? PM_OK : PM_INVALID_ARGUMENT;
    }
    const pmi_portion last = pmi_slice_stack_scan(job->effect, job->slices);
    pmi_threads_run(threads, job->slices, intersect_rest, job);
    intersect_slices(job);
    const size_t copies = job->scene->out == job->scene->boxes ? job->survivors : 0, cut = divide_cut(job);
    void *const block = pmi_memory_allocate_with(allocator, cut * sizeof *job->cut, copies, sizeof *job->copies);
    if (!block)
        return PM_OUT_OF_MEMORY;
    job->open.copies = job->copies = copies > 0 ? block : NULL;
    job->cut = (pmi_cut_blend *)((pm_box *)block + copies);
    const pm_status status = match_and_unite(job, last);
    pmi_memory_free(allocator, block);
    return status;
}

pm_status pmi_omp_boxes(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_scene *scene) {
    box_job job = {.plan = plan, .scene = scene, .slices = pmi_divide_up(scene->n, plan->slice_size)};
    const size_t steps = job.slices * pmi_open_steps(plan->slice_size);
    const size_t of_slices =
        job.slices * (sizeof *job.effect + sizeof *job.left + sizeof *job.slice) + steps * sizeof *job.steps;
    const size_t indices = scene->n + job.slices + plan->threads * plan->slice_size;
    void *const block = pmi_memory_allocate_with(allocator, of_slices, indices, sizeof *job.indices);
    if (!block)
        return PM_OUT_OF_MEMORY;
    job.effect = block;
    job.left = (pmi_open_slice *)(job.effect + job.slices);
    job.slice = (box_slice *)(job.left + job.slices);
    job.steps = (pm_box *)(job.slice + job.slices);
    job.indices = (uint32_t *)(job.steps + steps);
    job.stacks = job.indices + scene->n + job.slices;
    job.open = (pmi_open){.scene = scene, .effect = job.effect, .slice = job.left, .survivors = job.indices};
    const pm_status status = run_job(allocator, &job);
    pmi_memory_free(allocator, block);
    return status;
}
