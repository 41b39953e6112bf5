/* SPDX-License-Identifier: Apache-2.0 */
/* From the public functions on monoids and trees to their backends: checks once, then hands on. */
#include "core/check_arguments.h"
#include "core/context.h"
#include "cpu/scan_omp.h"
#include "cpu/scan_seq.h"

static pm_status check(const pm_value_tree *tree) {
    const pm_monoid *const monoid = tree->monoid;
    const bool usable = monoid && monoid->size > 0 && monoid->identity && monoid->combine;
    return pm_arguments_check(tree->n, usable && tree->parens && tree->values && tree->out);
}

static pm_status check_scan(const pm_value_tree *tree, pm_scan scan) {
    const bool known = scan == PM_SCAN_INCLUSIVE || scan == PM_SCAN_EXCLUSIVE;
    return tree->n == 0 || known ? check(tree) : PM_INVALID_ARGUMENT;
}

pm_status pm_tree_scan_down_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                pm_scan scan, const void *values, void *out) {
    const pm_value_tree tree = {parens, n, monoid, values, out};
    const pm_status status = check_scan(&tree, scan);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    return pm_scan_sequential(&allocator, &tree, pm_node_count(parens, n), scan);
}

pm_status pm_tree_scan_down_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                pm_scan scan, const void *values, void *out) {
    const pm_value_tree tree = {parens, n, monoid, values, out};
    const pm_status status = check_scan(&tree, scan);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_scan_plan plan = pm_scan_plan_make(n, context ? context->threads : 0);
    const size_t nodes = pm_node_count(parens, n);
    return plan.threads > 1 ? pm_scan_parallel(&allocator, &plan, &tree, nodes, scan)
                            : pm_scan_sequential(&allocator, &tree, nodes, scan);
}

pm_status pm_tree_scan_down(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                            pm_scan scan, const void *values, void *out) {
    return pm_tree_scan_down_omp(context, parens, n, monoid, scan, values, out);
}

pm_status pm_tree_reduce_up_seq(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                const void *values, void *out) {
    const pm_value_tree tree = {parens, n, monoid, values, out};
    const pm_status status = check(&tree);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    return pm_reduce_sequential(&allocator, &tree, pm_node_count(parens, n));
}

pm_status pm_tree_reduce_up_omp(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                                const void *values, void *out) {
    const pm_value_tree tree = {parens, n, monoid, values, out};
    const pm_status status = check(&tree);
    if (status != PM_OK || n == 0)
        return status;
    const pm_allocator allocator = pm_context_allocator(context);
    const pm_scan_plan plan = pm_scan_plan_make(n, context ? context->threads : 0);
    const size_t nodes = pm_node_count(parens, n);
    return plan.threads > 1 ? pm_reduce_parallel(&allocator, &plan, &tree, nodes)
                            : pm_reduce_sequential(&allocator, &tree, nodes);
}

pm_status pm_tree_reduce_up(pm_context *context, const uint64_t *parens, size_t n, const pm_monoid *monoid,
                            const void *values, void *out) {
    return pm_tree_reduce_up_omp(context, parens, n, monoid, values, out);
}
