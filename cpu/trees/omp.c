/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans of slices of a sequence in parallel: reduce every slice to what it does to the stack, scan these effects, and
 * then match every slice.
 *
 * Down: before slices are matched, the nodes that they leave open get their results, in three steps: what the survivors
 * that a slice rests on multiply to; that, over the slices; each slice's own survivors.
 *
 * Up: after slices are matched, the nodes that end in another slice are put together from what the slice of their
 * beginning, the slices between and the slice of their end have of them.
 */
#include "cpu/trees/scan.h"

#include "base/memory.h"
#include "cpu/trees/slices.h"

#define THREAD_MIN_ELEMENTS ((size_t)1 << 14) /* threads start five times */

/* The products that a slice needs. */
enum {
    BELOW, /* down: the path to its lowest survivor, without that */
    TOTAL, /* up: all of it */
    AFTER, /* all slices after it */
    BETWEEN,
    HERE, /* its beginning, up to some element */
    WHOLE,
    PRODUCTS
};

typedef struct scan_job {
    const pmi_value_tree *tree;
    pm_scan_mode scan;
    pmi_tree_slices slices;
    pmi_product *products;  /* PRODUCTS of each slice */
    uint32_t *never_closed; /* of each slice: its survivors, from the lowest, that are never closed */
    uint32_t *stack;        /* room for as many nodes as there are */
} scan_job;

/* A node that a slice leaves open costs about as much as three that it does not. */
pmi_slice_plan pmi_scan_plan_make(size_t n, unsigned most) {
    const unsigned threads = pmi_threads_paying(n, THREAD_MIN_ELEMENTS, most);
    return (pmi_slice_plan){threads, pmi_slice_size(n, threads), (threads - 1) * (n / 6)};
}

static pmi_product *product_of(const scan_job *job, size_t s, unsigned which) {
    return &job->products[s * PRODUCTS + which];
}

static void append(const scan_job *job, pmi_product *product, const pmi_product *factor) {
    if (factor->some)
        pmi_product_append(product, job->tree->monoid, factor->value);
}

static void prepend(const scan_job *job, pmi_product *product, const pmi_product *factor) {
    if (factor->some)
        pmi_product_prepend(product, job->tree->monoid, factor->value);
}

/* ---- Down */

static void multiply_rest(size_t s, unsigned thread, void *user) {
    (void)thread;
    const scan_job *job = user;
    const pmi_portion rest = job->slices.effect[s].rest;
    for (uint32_t rank = 1; rank <= rest.count; rank++) {
        const uint32_t node = pmi_survivor_at(&job->slices.effect[rest.slice], rank);
        pmi_product_append(product_of(job, s, BELOW), job->tree->monoid, pmi_value_of(job->tree, node));
    }
}

static void multiply_slices(const scan_job *job) {
    for (size_t s = 0; s < job->slices.count; s++)
        if (job->slices.effect[s].rest.count > 0)
            prepend(job, product_of(job, s, BELOW), product_of(job, job->slices.effect[s].rest.slice, BELOW));
}

/* The result of a slice's lowest survivor. */
static void scan_lowest(const scan_job *job, const pmi_product *below, uint32_t node) {
    const pm_monoid *const monoid = job->tree->monoid;
    void *const result = pmi_result_of(job->tree, node);
    if (!below->some)
        pmi_scan_root(job->tree, job->scan, node);
    else if (job->scan == PM_SCAN_INCLUSIVE)
        monoid->combine(result, below->value, pmi_value_of(job->tree, node), monoid->user);
    else
        memcpy(result, below->value, monoid->size);
}

static void scan_survivors(size_t s, unsigned thread, void *user) {
    (void)thread;
    const scan_job *job = user;
    const pmi_slice_effect *const effect = &job->slices.effect[s];
    const pmi_product *const below = product_of(job, s, BELOW);
    if (effect->open > 0)
        scan_lowest(job, below, pmi_survivor_at(effect, 1));
    for (uint32_t rank = 2; rank <= effect->open; rank++)
        pmi_scan_child(job->tree, job->scan, pmi_survivor_at(effect, rank), pmi_survivor_at(effect, rank - 1),
                       rank == 2 && !below->some);
}

static void scan_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const scan_job *job = user;
    const pmi_slice_effect *const effect = &job->slices.effect[s];
    pmi_scan_outside outside = {.slices = job->slices.effect,
                                .stack = effect->before,
                                .survivors = effect->survivors,
                                .survivor_count = effect->open};
    const pmi_node_range range = pmi_tree_slice_range(&job->slices, s);
    pmi_scan_walk(job->tree, job->scan, range, job->stack + range.first, &outside);
}

static void scan_together(scan_job *job) {
    const unsigned threads = job->slices.threads;
    pmi_threads_run(threads, job->slices.count, multiply_rest, job);
    multiply_slices(job);
    pmi_threads_run(threads, job->slices.count, scan_survivors, job);
    pmi_threads_run(threads, job->slices.count, scan_slice, job);
}

static void scan_alone(scan_job *job) {
    pmi_scan_outside nothing = {0};
    pmi_scan_walk(job->tree, job->scan, (pmi_node_range){0, job->tree->n, 0}, job->stack, &nothing);
}

/* ---- Up */

static void reduce_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const scan_job *job = user;
    const pmi_node_range range = pmi_tree_slice_range(&job->slices, s);
    pmi_reduce_walk(job->tree, range, job->stack + range.first, product_of(job, s, TOTAL));
}

/* Of each slice: what comes after it, and which survivors nobody closes. */
static void scan_unclosed(const scan_job *job) {
    for (size_t s = job->slices.count; s-- > 0;) {
        job->never_closed[s] = 0;
        if (s + 1 < job->slices.count) {
            append(job, product_of(job, s, AFTER), product_of(job, s + 1, TOTAL));
            append(job, product_of(job, s, AFTER), product_of(job, s + 1, AFTER));
        }
    }
    const pmi_slice_effect *const effect = job->slices.effect;
    for (pmi_portion stack = job->slices.last; stack.count > 0; stack = effect[stack.slice].rest)
        job->never_closed[stack.slice] = stack.count;
}

/* A node's result is its own so far, times what follows in other slices. */
static void complete(const scan_job *job, uint32_t node, pmi_product *whole, const pmi_product *next,
                     const pmi_product *last) {
    whole->some = false;
    pmi_product_append(whole, job->tree->monoid, pmi_result_of(job->tree, node));
    append(job, whole, next);
    append(job, whole, last);
    memcpy(pmi_result_of(job->tree, node), whole->value, job->tree->monoid->size);
}

/* On the way through a slice: what is left of the stack before it, and the slice's own nodes that are open. */
typedef struct completing {
    const scan_job *job;
    size_t slice;
    pmi_portion stack;
    size_t
        reached; /* the slices from this one on, and before the slice, are in BETWEEN; the trees so far are in HERE */
    size_t depth;
    uint32_t root, node; /* of the slice: of the open ones the outermost, and the next */
} completing;

static void complete_top(completing *at) {
    const scan_job *const job = at->job;
    const pmi_slice_effect *const effect = job->slices.effect;
    pmi_product *const between = product_of(job, at->slice, BETWEEN);
    while (at->reached > at->stack.slice + (size_t)1)
        prepend(job, between, product_of(job, --at->reached, TOTAL));
    complete(job, pmi_portion_top(effect, at->stack), product_of(job, at->slice, WHOLE), between,
             product_of(job, at->slice, HERE));
    at->stack = pmi_portion_pop(effect, at->stack);
}

/* Closes nodes: the slice's own first, whose outermost makes the tree whole; then those on the stack. */
static void complete_closed(completing *at, size_t closes) {
    if (closes < at->depth) {
        at->depth -= closes;
        return;
    }
    closes -= at->depth;
    if (at->depth > 0)
        pmi_product_append(product_of(at->job, at->slice, HERE), at->job->tree->monoid,
                           pmi_result_of(at->job->tree, at->root));
    at->depth = 0;
    for (; closes > 0 && at->stack.count > 0; closes--)
        complete_top(at);
}

/* The `length` next elements, a word. Where more nodes are open than it closes, none of them is the outermost. */
static void complete_word(completing *at, uint64_t word, unsigned length) {
    const unsigned opens = pmi_bits_count(word);
    if (at->depth > length - opens) {
        at->depth = at->depth + opens + opens - length;
        at->node += opens;
        return;
    }
    unsigned seen = 0;
    for (; word != 0; word &= word - 1) {
        const unsigned open = pmi_bits_lowest(word);
        complete_closed(at, open - seen);
        if (at->depth++ == 0)
            at->root = at->node;
        at->node++;
        seen = open + 1;
    }
    complete_closed(at, length - seen);
}

/* The nodes that end in this slice and begin in another, */
static void complete_ended(const scan_job *job, size_t s) {
    const pmi_node_range range = pmi_tree_slice_range(&job->slices, s);
    const pmi_portion rest = job->slices.effect[s].rest;
    completing at = {.job = job, .slice = s, .stack = job->slices.effect[s].before, .reached = s, .node = range.first};
    for (size_t begin = range.begin;
         begin < range.end && (at.stack.slice != rest.slice || at.stack.count != rest.count);) {
        const unsigned skipped = begin % PM_WORD_BITS;
        const unsigned length = (unsigned)pmi_min(range.end - begin, PM_WORD_BITS - skipped);
        complete_word(&at, job->tree->parens[begin / PM_WORD_BITS] >> skipped & pmi_bits_low(length), length);
        begin += length;
    }
}

/* and those that begin in this slice and never end. */
static void complete_never_closed(const scan_job *job, size_t s) {
    const pmi_product nothing = {.some = false};
    for (uint32_t rank = 1; rank <= job->never_closed[s]; rank++)
        complete(job, pmi_survivor_at(&job->slices.effect[s], rank), product_of(job, s, WHOLE),
                 product_of(job, s, AFTER), &nothing);
}

static void complete_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    complete_ended(user, s);
    complete_never_closed(user, s);
}

static void reduce_together(scan_job *job) {
    const unsigned threads = job->slices.threads;
    pmi_threads_run(threads, job->slices.count, reduce_slice, job);
    scan_unclosed(job);
    pmi_threads_run(threads, job->slices.count, complete_slice, job);
}

static void reduce_alone(scan_job *job) {
    pmi_product total = {.spare = product_of(job, 0, TOTAL)->spare};
    pmi_reduce_walk(job->tree, (pmi_node_range){0, job->tree->n, 0}, job->stack, &total);
}

/* ---- Memory, and the choice between slices and one thread */

static bool too_many_survivors(const scan_job *job, size_t most) {
    size_t open = 0;
    for (size_t s = 0; s < job->slices.count; s++)
        open += job->slices.effect[s].open;
    return open > most;
}

/* One block for everything: values first, which may need any alignment. */
static void *job_allocate(scan_job *job, const pm_allocator *allocator, size_t nodes) {
    const size_t slices = job->slices.count, value_size = job->tree->monoid->size;
    const size_t of_a_slice = PRODUCTS * sizeof *job->products + sizeof *job->slices.effect + 2 * sizeof(uint32_t);
    const size_t rest = slices * of_a_slice + (1 + 2 * nodes) * sizeof(uint32_t);
    const size_t values = 2 * PRODUCTS * slices, align = sizeof(max_align_t);
    const size_t units = pmi_divide_up(pmi_memory_bytes(0, values, value_size), align);
    unsigned char *const block = pmi_memory_allocate_with(allocator, rest, units, align);
    if (!block)
        return NULL;
    job->slices.effect = (pmi_slice_effect *)(void *)(block + units * align);
    job->products = (pmi_product *)(job->slices.effect + slices);
    job->slices.first = (uint32_t *)(job->products + PRODUCTS * slices);
    job->never_closed = job->slices.first + slices + 1;
    job->slices.survivors = job->never_closed + slices;
    job->stack = job->slices.survivors + nodes;
    for (size_t p = 0; p < PRODUCTS * slices; p++)
        job->products[p] = (pmi_product){block + 2 * p * value_size, block + (2 * p + 1) * value_size, false};
    return block;
}

static pm_status run_job(scan_job *job, const pm_allocator *allocator, const pmi_slice_plan *plan, size_t nodes,
                         void (*together)(scan_job *job), void (*alone)(scan_job *job)) {
    job->slices.tree = job->tree;
    job->slices.threads = plan->threads;
    job->slices.slice_size = plan->slice_size;
    job->slices.count = pmi_divide_up(job->tree->n, plan->slice_size);
    void *const block = job_allocate(job, allocator, nodes);
    if (!block)
        return PM_OUT_OF_MEMORY;
    pmi_tree_slices_count(&job->slices);
    pmi_tree_slices_scan(&job->slices);
    if (too_many_survivors(job, plan->survivors_max))
        alone(job);
    else
        together(job);
    pmi_memory_free(allocator, block);
    return PM_OK;
}

pm_status pmi_omp_scan(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_value_tree *tree,
                       size_t nodes, pm_scan_mode scan) {
    scan_job job = {.tree = tree, .scan = scan};
    return run_job(&job, allocator, plan, nodes, scan_together, scan_alone);
}

pm_status pmi_omp_reduce(const pm_allocator *allocator, const pmi_slice_plan *plan, const pmi_value_tree *tree,
                         size_t nodes) {
    scan_job job = {.tree = tree};
    return run_job(&job, allocator, plan, nodes, reduce_together, reduce_alone);
}
