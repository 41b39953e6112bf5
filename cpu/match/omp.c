/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches slices of a sequence in parallel, in three steps:
 *
 *   reduce  every slice, group by group of blocks, to what it does to a stack, its bicyclic element;
 *   scan    these elements, for the depth of the stack before each slice;
 *   match   every slice with an engine, given the stack before it.
 *
 * That stack is never put together. A thread looks back from its slice over the bicyclic elements, and where a group
 * has opens that the closes after it leave on the stack, over the group's blocks. It does so only as far as the closes
 * of its own slice reach, which the reduction has told, and in portions of bounded size: it matches as many groups as
 * the opens at hand suffice for, and looks back further. So the reduction keeps 4 bytes a group, results are written
 * once, and the memory of a thread is what its own slice may push, and one portion.
 */
#include "cpu/match/match.h"

#include <string.h>

#include "base/memory.h"
#include "base/sizes.h"
#include "cpu/threads.h"

/* ---- The division of the work */

/* Threads start and end twice, which takes some microseconds; an engine matches this many elements meanwhile. */
#define THREAD_MIN_ELEMENTS ((size_t)1 << 16)

/* Others wait for a thread that is held up within a slice, so slices are short; but a thread looks back over them. */
#define SLICES_OF_A_THREAD 64u
#define SLICE_GROUPS_MIN 16u
#define BELOW_ROOM (2u * 64u * PM_REDUCE_BLOCKS)

unsigned pmi_omp_threads(size_t n, unsigned most) {
    return pmi_threads_paying(n, THREAD_MIN_ELEMENTS, most);
}

pmi_omp_plan pmi_omp_plan_make(size_t n, unsigned most) {
    const unsigned threads = pmi_omp_threads(n, most);
    const size_t groups = pmi_divide_up(pmi_bits_words(n), PM_REDUCE_BLOCKS);
    const size_t few = pmi_divide_up(groups, threads), many = pmi_divide_up(few, SLICES_OF_A_THREAD);
    const size_t slice_groups = many < SLICE_GROUPS_MIN ? pmi_min(few, SLICE_GROUPS_MIN) : many;
    return (pmi_omp_plan){threads, PM_REDUCE_BLOCKS, slice_groups, BELOW_ROOM};
}

/* A group's bicyclic element. */
typedef struct group_bic {
    uint16_t close, open;
} group_bic;

typedef struct slice {
    pm_bic bic;      /* what it does to a stack */
    uint64_t before; /* opens on the stack before it */
    pm_bic result;   /* its closes that found the stack empty, and the opens on the stack after it */
} slice;

typedef struct omp_job {
    const pmi_engine *engine;
    const pmi_omp_plan *plan;
    pmi_grid grid;
    bool streaming;
    size_t blocks, groups, slices; /* of the sequence */
    group_bic *group;
    slice *slice;
    unsigned char *memory; /* of the threads, thread_size bytes each */
    size_t thread_size;
} omp_job;

/* The first block of a group, or the end of the last. */
static size_t group_begin(const omp_job *job, size_t group) {
    return pmi_min(group * job->plan->group_blocks, job->blocks);
}

/* The first group of a slice, or the end of the last. */
static size_t slice_begin(const omp_job *job, size_t s) {
    return pmi_min(s * job->plan->slice_groups, job->groups);
}

/* ---- Reduce */

static group_bic reduce_group(const omp_job *job, size_t group) {
    pmi_block_bic blocks[PM_REDUCE_BLOCKS];
    const size_t first = group_begin(job, group), count = group_begin(job, group + 1) - first;
    const pm_bic bic = job->engine->reduce_blocks(&job->grid, first, count, blocks);
    return (group_bic){(uint16_t)bic.close, (uint16_t)bic.open};
}

static pm_bic multiply_group(pm_bic product, group_bic group) {
    return pmi_bic_multiply(product, (pm_bic){group.close, group.open});
}

static void reduce_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const omp_job *job = user;
    pm_bic product = {0, 0};
    for (size_t g = slice_begin(job, s); g < slice_begin(job, s + 1); g++) {
        job->group[g] = reduce_group(job, g);
        product = multiply_group(product, job->group[g]);
    }
    job->slice[s].bic = product;
}

/* ---- Scan */

static void scan_slices(omp_job *job) {
    pm_bic product = {0, 0};
    for (size_t s = 0; s < job->slices; s++) {
        job->slice[s].before = product.open;
        product = pmi_bic_multiply(product, job->slice[s].bic);
    }
}

/* ---- Match */

/*
 * The stack as a thread has it: its top portion in `far`, and where to look for the rest. Looking back goes from a
 * group to the one before, and within a group, once its blocks are reduced, from block to block.
 */
typedef struct slice_stack {
    pmi_far_stack far;
    pm_survivors *room; /* for plan->below_room entries of blocks before the slice, then for the slice's own */
    uint64_t left;      /* opens on the stack that are not in `far` yet */
    uint64_t pending;   /* closes after the place where looking back has got to, that look for their opens */
    size_t group;       /* groups before that place, */
    size_t block;       /* and in the group that follows, blocks before it */
    pmi_block_bic blocks[PM_REDUCE_BLOCKS]; /* of that group */
} slice_stack;

/* Looks back over something. Returns how many of its opens are on the stack. */
static uint64_t look_back(slice_stack *stack, uint64_t close, uint64_t open) {
    const uint64_t met = open < stack->pending ? open : stack->pending;
    stack->pending = stack->pending - met + close;
    return open - met;
}

/* Looks back over blocks of the group at hand, until the stack is as deep as wanted, its room full, or the group done.
 */
static void look_back_in_group(const omp_job *job, uint64_t depth, slice_stack *stack) {
    pmi_far_stack *const far = &stack->far;
    const size_t first = group_begin(job, stack->group);
    while (stack->block > 0 && far->depth < depth && far->survivors > stack->room) {
        const pmi_block_bic bic = stack->blocks[--stack->block];
        const uint64_t survive = look_back(stack, bic.close, bic.open);
        if (survive == 0)
            continue;
        *--far->survivors = (pm_survivors){(uint32_t)(first + stack->block), (uint32_t)survive};
        far->used++;
        far->depth += survive;
        stack->left -= survive;
    }
}

/* Looks back over a slice or a group that leaves nothing on the stack, or reduces a group's blocks. */
static void look_back_to_group(const omp_job *job, slice_stack *stack) {
    const size_t slice_groups = job->plan->slice_groups;
    if (stack->group % slice_groups == 0) {
        const pm_bic bic = job->slice[stack->group / slice_groups - 1].bic;
        if (bic.open <= stack->pending) {
            look_back(stack, bic.close, bic.open);
            stack->group -= slice_groups;
            return;
        }
    }
    const group_bic bic = job->group[--stack->group];
    if (bic.open <= stack->pending) {
        look_back(stack, bic.close, bic.open);
    } else {
        stack->block = job->plan->group_blocks;
        job->engine->reduce_blocks(&job->grid, group_begin(job, stack->group), stack->block, stack->blocks);
    }
}

/* Moves the stack to where there is all the room below: the slice's own entries then have room whatever happens. */
static void make_room_below(const omp_job *job, size_t slice_first, slice_stack *stack) {
    pmi_far_stack *const far = &stack->far;
    size_t below = 0;
    while (below < far->used && far->survivors[below].block < slice_first)
        below++;
    pm_survivors *const moved = stack->room + (job->plan->below_room - below);
    memmove(moved, far->survivors, far->used * sizeof *moved);
    far->survivors = moved;
}

/* Makes the stack as deep as wanted, or as there is room or opens for. */
static void deepen(const omp_job *job, size_t slice_first, uint64_t depth, slice_stack *stack) {
    make_room_below(job, slice_first, stack);
    while (stack->left > 0 && stack->far.depth < depth && stack->far.survivors > stack->room) {
        if (stack->block == 0)
            look_back_to_group(job, stack);
        look_back_in_group(job, depth, stack);
    }
}

/* The groups from `begin` on that the stack suffices for: after their closes one open is left, for what asks for it. */
static size_t sufficient_end(const omp_job *job, size_t begin, size_t end, const slice_stack *stack) {
    if (stack->left == 0)
        return end;
    pm_bic product = {0, 0};
    for (size_t g = begin; g < end; g++) {
        product = multiply_group(product, job->group[g]);
        if (product.close >= stack->far.depth)
            return g;
    }
    return end;
}

/* The depth that suffices for all groups. */
static uint64_t sufficient_depth(const omp_job *job, size_t begin, size_t end) {
    pm_bic product = {0, 0};
    for (size_t g = begin; g < end; g++)
        product = multiply_group(product, job->group[g]);
    return product.close + 1;
}

static void match_slice(size_t s, unsigned thread, void *user) {
    const omp_job *job = user;
    void *const scratch = job->memory + thread * job->thread_size;
    const size_t begin = slice_begin(job, s), end = slice_begin(job, s + 1), first = group_begin(job, begin);
    slice_stack stack;
    stack.room = (pm_survivors *)(void *)((unsigned char *)scratch + PM_SCRATCH_SIZE);
    stack.far = (pmi_far_stack){.survivors = stack.room + job->plan->below_room, .used = 0, .depth = 0};
    stack.left = job->slice[s].before;
    stack.pending = 0;
    stack.group = begin;
    stack.block = 0;

    uint64_t close = 0;
    for (size_t g = begin, next; g < end; g = next) {
        next = sufficient_end(job, g, end, &stack);
        if (next == g) {
            deepen(job, first, sufficient_depth(job, g, end), &stack);
            next = sufficient_end(job, g, end, &stack);
        }
        const pmi_range range = {.first = group_begin(job, g),
                                 .last = group_begin(job, next),
                                 .streaming = job->streaming,
                                 .keep = next < end};
        close += job->engine->match_range(&job->grid, &range, &stack.far, scratch, PM_SCRATCH_SIZE);
    }
    job->slice[s].result = (pm_bic){close, stack.far.depth + stack.left};
}

/* ---- All of it */

static pm_bic run_job(omp_job *job) {
    const unsigned threads = job->plan->threads;
    pmi_threads_run(threads, job->slices, reduce_slice, job);
    scan_slices(job);
    pmi_threads_run(threads, job->slices, match_slice, job);
    pm_bic total = {0, job->slice[job->slices - 1].result.open};
    for (size_t s = 0; s < job->slices; s++)
        total.close += job->slice[s].result.close;
    return total;
}

pm_status pmi_omp_match(const pmi_engine *engine, const pm_allocator *allocator, const pmi_omp_plan *plan,
                        const uint64_t *parens, size_t n, uint32_t *match, pm_bic *total) {
    omp_job job = {.engine = engine, .plan = plan, .grid = pmi_grid_make(parens, n, match)};
    job.streaming = pmi_grid_should_stream(&job.grid, n / plan->threads);
    job.blocks = pmi_grid_blocks(&job.grid);
    job.groups = pmi_divide_up(job.blocks, plan->group_blocks);
    job.slices = pmi_divide_up(job.groups, plan->slice_groups);
    const size_t slice_blocks = pmi_min(plan->slice_groups * plan->group_blocks, job.blocks);
    job.thread_size = pmi_scratch_aligned(PM_SCRATCH_SIZE + (plan->below_room + slice_blocks) * sizeof(pm_survivors));

    const size_t threads_size = plan->threads * job.thread_size;
    const size_t slices_size = pmi_scratch_aligned(job.slices * sizeof *job.slice);
    void *block = pmi_memory_allocate_with(allocator, PM_SCRATCH_ALIGN + threads_size + slices_size, job.groups,
                                           sizeof *job.group);
    if (!block)
        return PM_OUT_OF_MEMORY;
    job.memory = (unsigned char *)block + -(uintptr_t)block % PM_SCRATCH_ALIGN;
    job.slice = (slice *)(void *)(job.memory + threads_size);
    job.group = (group_bic *)(void *)(job.memory + threads_size + slices_size);
    *total = run_job(&job);
    pmi_memory_free(allocator, block);
    return PM_OK;
}
