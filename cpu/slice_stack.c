/* SPDX-License-Identifier: Apache-2.0 */
/* The scan: each portion is passed over once, by the slice whose closes take the last of it away. */
#include "cpu/slice_stack.h"

static pmi_portion pop_several(const pmi_slice_effect *slices, pmi_portion stack, uint64_t count) {
    while (stack.count > 0 && count >= stack.count) {
        count -= stack.count;
        stack = slices[stack.slice].rest;
    }
    if (stack.count > 0)
        stack.count -= (uint32_t)count;
    return stack;
}

pmi_portion pmi_slice_stack_scan(pmi_slice_effect *slices, size_t count) {
    pmi_portion stack = {0, 0};
    for (size_t s = 0; s < count; s++) {
        slices[s].before = stack;
        slices[s].rest = pop_several(slices, stack, slices[s].close);
        stack = slices[s].open > 0 ? (pmi_portion){(uint32_t)s, slices[s].open} : slices[s].rest;
    }
    return stack;
}
