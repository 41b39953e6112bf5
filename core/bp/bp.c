/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on a long sequence: they create the index and pass each query to its implementation. */
#include "core/bp/bp.h"

bool pmi_bp_set_queries(struct pm_bp *bp, const pm_context *context) {
    const pmi_bp_kind kind = pmi_bp_kind_of(bp);
    bp->queries = pmi_simd_of(context)->bp->queries[kind][bp->view.wide];
    return kind != PM_BP_NEAR_DEEP || bp->view.wide || pmi_bp_add_stretches(bp);
}

/* One after the other. */
static void find_close_many(const struct pm_bp *bp, const uint64_t *i, size_t count, uint64_t *close) {
    for (size_t q = 0; q < count; q++)
        close[q] = bp->queries.find_close(bp, i[q]);
}

static void find_open_many(const struct pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    for (size_t q = 0; q < count; q++)
        open[q] = bp->queries.find_open(bp, i[q]);
}

static void use_pioneers(struct pm_bp *bp, const pm_context *context) {
    const pmi_bp_kernel *const kernel = pmi_simd_of(context)->bp;
    bp->queries.find_close = bp->view.wide ? kernel->wide_pioneers.find_close : kernel->narrow_pioneers.find_close;
    bp->queries.find_open = bp->view.wide ? kernel->wide_pioneers.find_open : kernel->narrow_pioneers.find_open;
    bp->queries.find_close_many = find_close_many;
    bp->queries.find_open_many = find_open_many;
}

pm_status pmi_bp_create_wide(pm_context *context, const pm_bp_options *options, const uint64_t *parens, uint64_t n,
                             bool wide, pm_bp **bp) {
    const pm_allocator allocator = pm_context_allocator(context);
    const bool pioneers = options && options->structure == PM_BP_PIONEERS;
    pm_bp *const created = pmi_bp_allocate(&allocator, parens, n, wide);
    if (!created)
        return PM_OUT_OF_MEMORY;
    pmi_bp_fill_all_lines(context, created);
    if (!pmi_bp_finish(created) || !pmi_bp_set_queries(created, context) ||
        (pioneers && !pmi_bp_add_pioneers(created))) {
        pm_bp_destroy(created);
        return PM_OUT_OF_MEMORY;
    }
    if (pioneers)
        use_pioneers(created, context);
    *bp = created;
    return PM_OK;
}

/* Settings of another size are those of another version. */
static pm_status check_options(const pm_bp_options *options) {
    if (options->struct_size != 0 && options->struct_size != sizeof *options)
        return options->struct_size > sizeof *options ? PM_UNSUPPORTED : PM_INVALID_ARGUMENT;
    return (unsigned)options->structure <= PM_BP_PIONEERS ? PM_OK : PM_INVALID_ARGUMENT;
}

pm_status pm_bp_create_with(pm_context *context, const pm_bp_options *options, const uint64_t *parens, uint64_t n,
                            pm_bp **bp) {
    if (!bp)
        return PM_INVALID_ARGUMENT;
    *bp = NULL;
    if (n > PM_BP_N_MAX)
        return PM_TOO_LARGE;
    if (n > 0 && !parens)
        return PM_INVALID_ARGUMENT;
    const pm_status status = options ? check_options(options) : PM_OK;
    if (status != PM_OK)
        return status;
    return pmi_bp_create_wide(context, options, parens, n, n > PM_BP_NARROW_MAX, bp);
}

pm_status pm_bp_create(pm_context *context, const uint64_t *parens, uint64_t n, pm_bp **bp) {
    return pm_bp_create_with(context, NULL, parens, n, bp);
}

void pm_bp_destroy(pm_bp *bp) {
    if (!bp)
        return;
    const pm_allocator allocator = bp->allocator; /* outlives the block it frees */
    for (size_t b = 0; b < sizeof bp->blocks / sizeof *bp->blocks; b++)
        pmi_memory_free(&allocator, bp->blocks[b]);
    pmi_memory_free(&allocator, bp);
}

size_t pm_bp_size_in_bytes(const pm_bp *bp) {
    return bp->size;
}

uint64_t pm_bp_length(const pm_bp *bp) {
    return bp->view.n;
}

pm_status pm_bp_view_fill(const pm_bp *bp, uint32_t layout, pm_bp_view *view) {
    if (!bp || !view)
        return PM_INVALID_ARGUMENT;
    if (layout != PM_BP_VIEW_LAYOUT || bp->batch)
        return PM_UNSUPPORTED;
    *view = bp->view;
    return PM_OK;
}

/* The word of close k is the last that begins with at most k closes before it. */
uint64_t pm_bp_select_close(const pm_bp *bp, uint64_t k) {
    const uint64_t n = bp->view.n;
    if (k >= pm_bp_rank_close(bp, n))
        return PM_BP_NONE;
    uint64_t low = 0, high = (n - 1) / PM_WORD_BITS;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (pm_bp_rank_close(bp, middle * PM_WORD_BITS) <= k)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t closes = ~bp->view.parens[low];
    for (uint64_t left = k - pm_bp_rank_close(bp, low * PM_WORD_BITS); left > 0; left--)
        closes &= closes - 1;
    return low * PM_WORD_BITS + pmi_bits_lowest(closes);
}

void pm_bp_find_close_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *close) {
    bp->queries.find_close_many(bp, i, count, close);
}

void pm_bp_find_open_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    bp->queries.find_open_many(bp, i, count, open);
}

void pm_bp_enclose_many(const pm_bp *bp, const uint64_t *i, size_t count, uint64_t *open) {
    bp->queries.enclose_many(bp, i, count, open);
}
