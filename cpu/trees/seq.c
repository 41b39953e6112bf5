/* SPDX-License-Identifier: Apache-2.0 */
/* One walk over all of the sequence, with nothing outside it. */
#include "cpu/trees/seq.h"

#include "cpu/division.h"

pm_status pmi_seq_scan(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes, pm_scan_mode scan) {
    uint32_t *const stack = allocator->alloc((nodes + 1) * sizeof *stack, allocator->user);
    if (!stack)
        return PM_OUT_OF_MEMORY;
    pmi_scan_outside outside = {0};
    pmi_scan_walk(tree, scan, (pmi_node_range){0, tree->n, 0}, stack, &outside);
    allocator->free(stack, allocator->user);
    return PM_OK;
}

pm_status pmi_seq_reduce(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes) {
    const size_t stack_size = nodes * sizeof(uint32_t), value_size = tree->monoid->size;
    if (value_size > SIZE_MAX - stack_size - sizeof(uint32_t))
        return PM_OUT_OF_MEMORY;
    const size_t stack_begin = pmi_divide_up(value_size, sizeof(uint32_t)) * sizeof(uint32_t);
    unsigned char *const block = allocator->alloc(stack_begin + stack_size, allocator->user);
    if (!block)
        return PM_OUT_OF_MEMORY;
    pmi_product total = {.spare = block};
    pmi_reduce_walk(tree, (pmi_node_range){0, tree->n, 0}, (uint32_t *)(void *)(block + stack_begin), &total);
    allocator->free(block, allocator->user);
    return PM_OK;
}
