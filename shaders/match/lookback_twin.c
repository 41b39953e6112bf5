/* SPDX-License-Identifier: Apache-2.0 */
/* One partition after the other, each finding the stack before it along the links of those before it. */
#include "shaders/twins.h"

#include <stdbool.h>

/* An address of the host. */
static uint32_t *at(uint64_t address) {
    return (uint32_t *)(uintptr_t)address;
}

static bool is_open(const pmi_lookback_parameters *p, uint32_t i) {
    return at(p->parens)[i / 32] >> i % 32 & 1;
}

void pmi_lookback_clear_twin(const pmi_lookback_parameters *p) {
    for (uint32_t k = 0; k < p->partitions; k++)
        at(p->states)[k] = 0;
    at(p->begun)[0] = at(p->summary)[0] = at(p->summary)[1] = 0;
}

/* A place on the stack before a partition: a partition, or none, and how many opens of its slice are above. */
typedef struct place {
    uint32_t partition, above;
} place;

static const place bottom = {PM_NO_ELEMENT, 0};

/* One open further down, or from above all that a partition left to the first that is there. */
static place place_settle(const pmi_lookback_parameters *p, place at_place) {
    while (at_place.partition != PM_NO_ELEMENT &&
           at_place.above >= PM_LOOKBACK_OPEN(at(p->states)[at_place.partition])) {
        const uint32_t *const link = at(p->links) + 2 * (uint64_t)at_place.partition;
        at_place.above -= PM_LOOKBACK_OPEN(at(p->states)[at_place.partition]);
        at_place = link[0] == PM_NO_ELEMENT ? bottom : (place){link[0], link[1] + at_place.above};
    }
    return at_place.partition == PM_NO_ELEMENT ? bottom : at_place;
}

static uint32_t place_open(const pmi_lookback_parameters *p, place here, uint32_t elements) {
    return here.partition == PM_NO_ELEMENT ? PM_NO_ELEMENT
                                           : at(p->slices)[(uint64_t)here.partition * elements + here.above];
}

static void partition_match(const pmi_lookback_parameters *p, uint32_t k, uint32_t elements) {
    uint32_t *const match = at(p->match), *const slice = at(p->slices) + (uint64_t)k * elements;
    uint32_t *const summary = at(p->summary);
    const uint32_t begin = k * elements, end = p->n - begin < elements ? p->n : begin + elements;
    place under = k > 0 ? place_settle(p, (place){k - 1, 0}) : bottom;
    uint32_t depth = 0, pops = 0, top = PM_NO_ELEMENT;
    for (uint32_t i = begin; i < end; i++) {
        match[i] = depth > 0 ? top : place_open(p, under, elements);
        if (is_open(p, i)) {
            top = i;
            depth++;
            summary[1]++;
        } else if (depth > 0) {
            top = match[top];
            depth--;
            summary[1]--;
        } else {
            summary[under.partition != PM_NO_ELEMENT ? 1 : 0] += under.partition != PM_NO_ELEMENT ? UINT32_MAX : 1;
            pops++;
            under = place_settle(p, (place){under.partition, under.above + 1});
        }
    }
    if (k + 1 == p->partitions)
        return;
    for (uint32_t above = 0; above < depth; above++, top = match[top])
        slice[above] = top;
    at(p->links)[2 * (uint64_t)k] = under.partition;
    at(p->links)[2 * (uint64_t)k + 1] = under.above;
    at(p->states)[k] = PM_LOOKBACK_PACK(pops, depth) | PM_LOOKBACK_LINKED;
}

void pmi_lookback_match_twin(const pmi_lookback_parameters *p, uint32_t elements) {
    for (uint32_t k = 0; k < p->partitions; k++)
        partition_match(p, k, elements);
    at(p->begun)[0] = p->partitions;
}
