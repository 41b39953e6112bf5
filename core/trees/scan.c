/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on monoids and trees: they check their arguments and call a backend. */
#include "cpu/trees/scan.h"
#include "base/arguments.h"
#include "core/context/context.h"
#include "gpu/gpu.h"

static pm_status check(const pmi_value_tree *tree) {
    const pm_monoid *const monoid = tree->monoid;
    const bool usable = monoid && monoid->size > 0 && monoid->identity && monoid->combine;
    return pmi_arguments_check(tree->n, usable && tree->parens && tree->values && tree->out);
}

static bool is_scan(pm_scan_mode scan) {
    return scan == PM_SCAN_INCLUSIVE || scan == PM_SCAN_EXCLUSIVE;
}

/* Scans down, or reduces up without a mode, on one thread or on as many as pay. */
static pm_status run(const pm_context *context, const pmi_value_tree *tree, const pm_scan_mode *scan, bool team) {
    if (scan && tree->n > 0 && !is_scan(*scan))
        return PM_INVALID_ARGUMENT;
    const pm_status status = check(tree);
    if (status != PM_OK || tree->n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const unsigned threads = context ? context->threads : 0;
    const pmi_slice_plan plan = team ? pmi_scan_plan_make(tree->n, threads) : (pmi_slice_plan){.threads = 1};
    const size_t nodes = pm_forest_count(tree->parens, tree->n);
    if (plan.threads > 1)
        return scan ? pmi_omp_scan(&allocator, &plan, tree, nodes, *scan)
                    : pmi_omp_reduce(&allocator, &plan, tree, nodes);
    return scan ? pmi_seq_scan(&allocator, tree, nodes, *scan) : pmi_seq_reduce(&allocator, tree, nodes);
}

pm_status pm_tree_scan_down_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                pm_scan_mode scan, const void *values, void *out) {
    return run(context, &(pmi_value_tree){parens, n, monoid, values, out}, &scan, false);
}

pm_status pm_tree_scan_down_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                pm_scan_mode scan, const void *values, void *out) {
    return run(context, &(pmi_value_tree){parens, n, monoid, values, out}, &scan, true);
}

pm_status pm_tree_scan_down_auto(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                 pm_scan_mode scan, const void *values, void *out) {
    return pm_tree_scan_down_omp(context, parens, n, monoid, scan, values, out);
}

pm_status pm_tree_reduce_up_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                const void *values, void *out) {
    return run(context, &(pmi_value_tree){parens, n, monoid, values, out}, NULL, false);
}

pm_status pm_tree_reduce_up_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                const void *values, void *out) {
    return run(context, &(pmi_value_tree){parens, n, monoid, values, out}, NULL, true);
}

pm_status pm_tree_reduce_up_auto(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                 const void *values, void *out) {
    return pm_tree_reduce_up_omp(context, parens, n, monoid, values, out);
}

/* ---- On a device */

static pm_status scan_gpu(pm_context *context, pmi_gpu_tree tree) {
    pm_status status = context ? pmi_arguments_check(tree.n, tree.parens && tree.monoid && tree.values && tree.out)
                               : PM_INVALID_ARGUMENT;
    if (status != PM_OK || tree.n == 0)
        return status;
    tree.nodes = pm_forest_count(tree.parens, tree.n);
    status = pmi_context_gpu_open(context);
    return status == PM_OK ? pmi_gpu_scan(context->gpu, &tree) : status;
}

pm_status pm_tree_scan_down_gpu(pm_context *context, const uint64_t *parens, size_t n, const pm_gpu_monoid *monoid,
                                pm_scan_mode scan, const void *values, void *out) {
    if (n > 0 && !is_scan(scan))
        return PM_INVALID_ARGUMENT;
    return scan_gpu(context, (pmi_gpu_tree){.parens = parens,
                                            .n = n,
                                            .monoid = monoid,
                                            .exclusive = scan == PM_SCAN_EXCLUSIVE,
                                            .values = values,
                                            .out = out});
}

pm_status pm_tree_reduce_up_gpu(pm_context *context, const uint64_t *parens, size_t n, const pm_gpu_monoid *monoid,
                                const void *values, void *out) {
    return scan_gpu(
        context, (pmi_gpu_tree){.parens = parens, .n = n, .monoid = monoid, .up = true, .values = values, .out = out});
}
