/* SPDX-License-Identifier: Apache-2.0 */
/* One walk over all of the sequence, with nothing outside it. */
#include "cpu/trees/scan.h"

#include "base/memory.h"
#include "cpu/threads.h"

pm_status pmi_seq_scan(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes, pm_scan_mode scan) {
    if (nodes == 0)
        return PM_OK;
    uint32_t *const stack = pmi_memory_allocate(allocator, nodes, sizeof *stack);
    if (!stack)
        return PM_OUT_OF_MEMORY;
    pmi_scan_outside outside = {0};
    pmi_scan_walk(tree, scan, (pmi_node_range){0, tree->n, 0}, stack, &outside);
    pmi_memory_free(allocator, stack);
    return PM_OK;
}

pm_status pmi_seq_reduce(const pm_allocator *allocator, const pmi_value_tree *tree, size_t nodes) {
    const size_t value_words = pmi_divide_up(tree->monoid->size, sizeof(uint32_t));
    uint32_t *const block = pmi_memory_allocate(allocator, value_words + nodes, sizeof *block);
    if (!block)
        return PM_OUT_OF_MEMORY;
    pmi_product total = {.spare = (unsigned char *)block};
    pmi_reduce_walk(tree, (pmi_node_range){0, tree->n, 0}, block + value_words, &total);
    pmi_memory_free(allocator, block);
    return PM_OK;
}
