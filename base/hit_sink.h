/* SPDX-License-Identifier: Apache-2.0 */
/* From events to hits: which of the patterns at a place are wanted, in order, into what room there is. */
#ifndef PM_BASE_HIT_SINK_H
#define PM_BASE_HIT_SINK_H

#include "base/find_engine.h"

typedef struct pmi_hit_sink {
    const struct pm_dict *dict;
    pm_find_kind kind;
    pm_hit *hits;
    size_t capacity;    /* maximum of hits stored */
    size_t stored;      /* hits stored so far */
    uint64_t found;     /* hits, stored or not */
    uint64_t free_from; /* leftmost kinds: where the last hit ended */

    /* Takes hits whenever there is no room for more; capacity is at least dict->nested_max. NULL: none. */
    pm_find_report report;
    void *user;
} pmi_hit_sink;

/* Reports what is stored. */
void pmi_hit_sink_flush(pmi_hit_sink *sink);

/* Adds the hits of events whose offsets are from place `base` of the text. */
void pmi_hit_sink_add(pmi_hit_sink *sink, uint64_t base, const pmi_event *events, size_t count);

/* Is what an event comes to independent of other events? */
static inline bool pmi_hits_independent(pm_find_kind kind) {
    return kind == PM_FIND_ALL || kind == PM_FIND_LONGEST;
}

/* The hits that events come to, where these are independent. */
uint64_t pmi_hits_count(const struct pm_dict *dict, pm_find_kind kind, const pmi_event *events, size_t count);

#endif
