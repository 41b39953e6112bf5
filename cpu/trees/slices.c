/* SPDX-License-Identifier: Apache-2.0 */
/* Counting and reducing slices of a packed sequence, word by word. */
#include "cpu/trees/slices.h"

/* Opens among the elements begin ... end - 1. */
static uint32_t count_opens(const uint64_t *parens, size_t begin, size_t end) {
    uint32_t count = 0;
    while (begin < end) {
        const unsigned skipped = begin % PM_WORD_BITS;
        const size_t left = end - begin, here = pmi_min(left, PM_WORD_BITS - skipped);
        count += pmi_bits_count(parens[begin / PM_WORD_BITS] >> skipped & pmi_bits_low((unsigned)here));
        begin += here;
    }
    return count;
}

static void count_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const pmi_tree_slices *slices = user;
    const size_t begin = s * slices->slice_size, end = pmi_min(begin + slices->slice_size, slices->tree->n);
    slices->first[s] = count_opens(slices->tree->parens, begin, end);
}

void pmi_tree_slices_count(pmi_tree_slices *slices) {
    pmi_threads_run(slices->threads, slices->count, count_slice, slices);
    uint32_t before = 0;
    for (size_t s = 0; s < slices->count; s++) {
        const uint32_t nodes = slices->first[s];
        slices->first[s] = before;
        before += nodes;
    }
    slices->first[slices->count] = before;
}

/* What has been found from the last element on: closes look for their opens, and an open that nobody looks for
 * survives. */
typedef struct looking_back {
    uint64_t pending; /* closes that still look */
    uint32_t *survivors;
    uint32_t open, node; /* the survivors' number, and the last node looked at */
} looking_back;

/* The `length` elements of a word before those looked at. Which opens survive is not to be guessed, so there is no
 * branch on it; and none survives where all are fewer than the closes that look for some. */
static void look_back(uint64_t word, unsigned length, looking_back *back) {
    const unsigned opens = pmi_bits_count(word);
    if (opens <= back->pending) {
        back->pending = back->pending + length - opens - opens;
        back->node -= opens;
        return;
    }
    while (word != 0) {
        const unsigned open = pmi_bits_highest(word);
        back->pending += length - 1 - open;
        const bool is_looked_for = back->pending > 0;
        back->survivors[back->open] = --back->node;
        back->open += !is_looked_for;
        back->pending -= is_looked_for;
        word ^= UINT64_C(1) << open;
        length = open;
    }
    back->pending += length;
}

static void reduce_slice(size_t s, unsigned thread, void *user) {
    (void)thread;
    const pmi_tree_slices *slices = user;
    const pmi_node_range range = pmi_tree_slice_range(slices, s);
    looking_back back = {.survivors = slices->survivors + range.first, .node = slices->first[s + 1]};
    for (size_t end = range.end; end > range.begin;) {
        const size_t word = (end - 1) / PM_WORD_BITS, first = word * PM_WORD_BITS;
        const size_t begin = first > range.begin ? first : range.begin;
        const unsigned length = (unsigned)(end - begin);
        look_back(slices->tree->parens[word] >> (begin - first) & pmi_bits_low(length), length, &back);
        end = begin;
    }
    slices->effect[s] = (pmi_slice_effect){.close = back.pending, .open = back.open, .survivors = back.survivors};
}

void pmi_tree_slices_scan(pmi_tree_slices *slices) {
    pmi_threads_run(slices->threads, slices->count, reduce_slice, slices);
    slices->last = pmi_slice_stack_scan(slices->effect, slices->count);
}
