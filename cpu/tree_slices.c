/* SPDX-License-Identifier: Apache-2.0 */
/* Counting and reducing slices of a packed sequence, bit by bit: what is done with the nodes costs more. */
#include "cpu/tree_slices.h"

/* Opens among the elements begin ... end - 1. */
static uint32_t count_opens(const uint64_t *parens, size_t begin, size_t end) {
    uint32_t count = 0;
    while (begin < end) {
        const unsigned skipped = begin % PM_WORD_BITS;
        const size_t left = end - begin, here = pm_least(left, PM_WORD_BITS - skipped);
        count += pm_bits_count(parens[begin / PM_WORD_BITS] >> skipped & pm_bits_low((unsigned)here));
        begin += here;
    }
    return count;
}

static void count_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const pm_tree_slices *slices = user;
    const size_t begin = s * slices->slice_size, end = pm_least(begin + slices->slice_size, slices->tree->n);
    slices->first[s] = count_opens(slices->tree->parens, begin, end);
}

void pm_tree_slices_count(pm_tree_slices *slices) {
    pm_team_run(slices->threads, slices->count, count_slice, slices);
    uint32_t before = 0;
    for (size_t s = 0; s < slices->count; s++) {
        const uint32_t nodes = slices->first[s];
        slices->first[s] = before;
        before += nodes;
    }
    slices->first[slices->count] = before;
}

/* From the last element to the first, counting the closes that still look for their opens: an open that nobody looks
 * for survives. */
static void reduce_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const pm_tree_slices *slices = user;
    const pm_node_range range = pm_tree_slice_range(slices, s);
    uint32_t *const survivors = slices->survivors + range.first;
    uint32_t node = slices->first[s + 1], open = 0;
    uint64_t pending = 0;
    for (size_t i = range.end; i-- > range.begin;) {
        if (!pm_bits_get(slices->tree->parens, i)) {
            pending++;
            continue;
        }
        node--;
        if (pending > 0)
            pending--;
        else
            survivors[open++] = node;
    }
    slices->effect[s] = (pm_slice_effect){.close = pending, .open = open, .survivors = survivors};
}

void pm_tree_slices_scan(pm_tree_slices *slices) {
    pm_team_run(slices->threads, slices->count, reduce_slice, slices);
    slices->last = pm_slice_stack_scan(slices->effect, slices->count);
}
