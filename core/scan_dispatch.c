/* SPDX-License-Identifier: Apache-2.0 */
/* From the public functions on monoids and trees to their backends: checks once, then hands on. */
#include "core/check_arguments.h"
#include "core/context.h"
#include "core/dispatch.h"
#include "cpu/scan_omp.h"
#include "cpu/scan_seq.h"
#include "gpu/run.h"

static pm_status check(const pm_value_tree *tree) {
    const pm_monoid *const monoid = tree->monoid;
    const bool usable = monoid && monoid->size > 0 && monoid->identity && monoid->combine;
    return pm_arguments_check(tree->n, usable && tree->parens && tree->values && tree->out);
}

static bool is_scan(pm_scan scan) {
    return scan == PM_SCAN_INCLUSIVE || scan == PM_SCAN_EXCLUSIVE;
}

static pm_status check_scan(const pm_value_tree *tree, pm_scan scan) {
    return tree->n == 0 || is_scan(scan) ? check(tree) : PM_INVALID_ARGUMENT;
}

/* On one thread, or on as many as pay. */
static pm_slice_plan make_plan(const pm_context *context, size_t n, bool team) {
    return team ? pm_scan_plan_make(n, context ? context->threads : 0) : (pm_slice_plan){.threads = 1};
}

static pm_status scan_down(const pm_context *context, const pm_value_tree *tree, pm_scan scan, bool team) {
    const pm_status status = check_scan(tree, scan);
    if (status != PM_OK || tree->n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_slice_plan plan = make_plan(context, tree->n, team);
    const size_t nodes = pm_node_count(tree->parens, tree->n);
    return plan.threads > 1 ? pm_scan_parallel(&allocator, &plan, tree, nodes, scan)
                            : pm_scan_sequential(&allocator, tree, nodes, scan);
}

static pm_status reduce_up(const pm_context *context, const pm_value_tree *tree, bool team) {
    const pm_status status = check(tree);
    if (status != PM_OK || tree->n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_slice_plan plan = make_plan(context, tree->n, team);
    const size_t nodes = pm_node_count(tree->parens, tree->n);
    return plan.threads > 1 ? pm_reduce_parallel(&allocator, &plan, tree, nodes)
                            : pm_reduce_sequential(&allocator, tree, nodes);
}

pm_status pm_tree_scan_down_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                pm_scan scan, const void *values, void *out) {
    return scan_down(context, &(pm_value_tree){parens, n, monoid, values, out}, scan, false);
}

pm_status pm_tree_scan_down_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                pm_scan scan, const void *values, void *out) {
    return scan_down(context, &(pm_value_tree){parens, n, monoid, values, out}, scan, true);
}

pm_status pm_tree_scan_down(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                            pm_scan scan, const void *values, void *out) {
    return pm_tree_scan_down_omp(context, parens, n, monoid, scan, values, out);
}

pm_status pm_tree_reduce_up_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                const void *values, void *out) {
    return reduce_up(context, &(pm_value_tree){parens, n, monoid, values, out}, false);
}

pm_status pm_tree_reduce_up_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                const void *values, void *out) {
    return reduce_up(context, &(pm_value_tree){parens, n, monoid, values, out}, true);
}

pm_status pm_tree_reduce_up(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                            const void *values, void *out) {
    return pm_tree_reduce_up_omp(context, parens, n, monoid, values, out);
}

/* ---- On a device */

static pm_status scan_gpu(pm_context *context, pm_gpu_tree tree) {
    pm_status status = context ? pm_arguments_check(tree.n, tree.parens && tree.monoid && tree.values && tree.out)
                               : PM_INVALID_ARGUMENT;
    if (status != PM_OK || tree.n == 0)
        return status;
    tree.nodes = pm_node_count(tree.parens, tree.n);
    status = pm_context_gpu_open(context);
    return status == PM_OK ? pm_gpu_tree_scan(context->gpu, &tree) : status;
}

pm_status pm_tree_scan_down_gpu(pm_context *context, const uint64_t *parens, size_t n, const pm_gpu_monoid *monoid,
                                pm_scan scan, const void *values, void *out) {
    if (n > 0 && !is_scan(scan))
        return PM_INVALID_ARGUMENT;
    return scan_gpu(context, (pm_gpu_tree){.parens = parens,
                                           .n = n,
                                           .monoid = monoid,
                                           .exclusive = scan == PM_SCAN_EXCLUSIVE,
                                           .values = values,
                                           .out = out});
}

pm_status pm_tree_reduce_up_gpu(pm_context *context, const uint64_t *parens, size_t n, const pm_gpu_monoid *monoid,
                                const void *values, void *out) {
    return scan_gpu(
        context, (pm_gpu_tree){.parens = parens, .n = n, .monoid = monoid, .up = true, .values = values, .out = out});
}
