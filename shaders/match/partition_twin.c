/* SPDX-License-Identifier: Apache-2.0 */
/* Said as plainly as can be: no trees, no words, one element after the other. */
#include "shaders/twins.h"

#include <stdbool.h>

/* An address of the host. */
static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

static uint32_t elements_of(const pmi_partition_parameters *p) {
    const uint32_t *const length = at(p->length);
    return length && *length < p->most ? *length : p->most;
}

static bool is_open(const pmi_partition_parameters *p, uint32_t i) {
    const uint32_t *const parens = at(p->parens);
    return parens[i / 32] >> i % 32 & 1;
}

/* What the elements first ... first + count - 1 leave on the stack, the last one first, goes to `slice`; returns the
 * bicyclic element, with the unmatched closes in the low half. */
static uint32_t slice_make(const pmi_partition_parameters *p, uint32_t first, uint32_t count, uint32_t *slice) {
    uint32_t pending = 0, opens = 0;
    for (uint32_t i = first + count; i-- > first;) {
        if (!is_open(p, i))
            pending++;
        else if (pending > 0)
            pending--;
        else
            slice[opens++] = i;
    }
    return pending | opens << 16;
}

void pmi_partition_reduce_twin(const pmi_partition_parameters *p, uint32_t elements) {
    uint32_t *const bics = at(p->bics), *const slices = at(p->slices);
    for (uint32_t k = 0; k + 1 < p->partitions; k++)
        bics[k] = slice_make(p, k * elements, elements, slices + (uint64_t)k * elements);
}

/* The open that is under `pops` others on the stack before partition `before`. */
static uint32_t open_find(const pmi_partition_parameters *p, uint32_t elements, uint32_t before, uint32_t pops) {
    const uint32_t *const bics = at(p->bics), *const slices = at(p->slices);
    for (uint32_t k = before; k-- > 0;) {
        const uint32_t close = bics[k] & 0xffff, open = bics[k] >> 16;
        if (open > pops)
            return slices[(uint64_t)k * elements + pops];
        pops = pops - open + close;
    }
    return PM_NO_ELEMENT;
}

/* The stack of a partition is kept in the matches of its own opens: each is the open under it. */
void pmi_partition_match_twin(const pmi_partition_parameters *p, uint32_t elements) {
    uint32_t *const match = at(p->match), *const summary = at(p->summary);
    const uint32_t n = elements_of(p);
    summary[0] = summary[1] = 0;
    for (uint32_t k = 0; k < p->partitions; k++) {
        const uint32_t begin = k * elements, end = n - begin < elements ? n : begin + elements;
        uint32_t depth = 0, pops = 0, top = open_find(p, elements, k, 0);
        for (uint32_t i = begin; i < end; i++) {
            match[i] = top;
            if (is_open(p, i)) {
                depth++;
                summary[1]++;
                top = i;
                continue;
            }
            if (summary[1] > 0)
                summary[1]--;
            else
                summary[0]++;
            if (depth > 0)
                depth--;
            else
                pops++;
            top = depth > 0 ? match[top] : open_find(p, elements, k, pops);
        }
    }
}
