/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A share: the slice of a sequence that one station has, and its match, both of which stay there. What the slice leaves
 * on the stack goes out to memory of the host, and what slices before it have left comes in from there.
 */
#ifndef PM_GPU_SHARE_H
#define PM_GPU_SHARE_H

#include "gpu/station.h"

#define PM_SHARE_RANGES 16u /* most buffers of a match */

typedef struct pm_share {
    pm_station *station;
    uint32_t origin; /* index of its first element */
    uint32_t n;      /* elements; 0: there is nothing on the station, and nothing to be done */
    pm_buffer parens, scratch, summary;
    pm_buffer match[PM_SHARE_RANGES]; /* station->range_elements in each */
    pm_buffer outgoing;               /* the top of the stack after the slice, its top first */
    pm_buffer incoming;               /* the top of the stack before it, likewise */
    uint32_t guess;                   /* entries that are written to `outgoing` before anybody asks */
    pm_slot *reducing;                /* until that is waited for */
    pm_slot *matching;                /* the last of the match */
} pm_share;

/* Room for a slice. `asked`: slices after it may need what it leaves on the stack. On failure, too, it is to be closed;
 * the station's slots must have landed by then. */
pm_status pm_share_open(pm_station *station, uint32_t origin, uint32_t n, bool asked, pm_share *share);
void pm_share_close(pm_share *share);

/* Brings the slice there, from the whole sequence; `origin` is a multiple of 64. Has landed when the slots have. */
pm_status pm_share_load(pm_share *share, const uint64_t *parens);

/* Begins to reduce the slice and to tell what it leaves on the stack. */
pm_status pm_share_reduce(pm_share *share);

/* Begins to match it as if there were nothing before it. */
pm_status pm_share_match(pm_share *share);

/* Waits for the reduction; the slice's bicyclic element. */
pm_status pm_share_reduced(pm_share *share, pm_bic *bic);

/* Waits for the match for some milliseconds, but no longer, by looking whether it is there: a thread that sleeps
 * meanwhile wakes up late. */
void pm_share_watch(const pm_share *share);

/* Has at least `count` entries, all of which are the slice's own, in `outgoing` once the slots have landed. */
pm_status pm_share_stack(pm_share *share, uint32_t count);

/* Room in `incoming` for `count` > 0 entries. */
pm_status pm_share_incoming_reserve(pm_share *share, uint32_t count);

/* Begins to match again what looks further back than the slice begins, with `count` entries of `incoming`. */
pm_status pm_share_match_far(pm_share *share, uint32_t count);

/* Elements begin ... begin + count - 1 of the slice's match. Has landed when the slots have. */
pm_status pm_share_read(pm_share *share, uint32_t begin, uint32_t count, uint32_t *match);

#endif
