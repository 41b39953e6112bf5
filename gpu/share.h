/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A share: the slice of a sequence that one station has, and its match, both of which stay there. What the slice leaves
 * on the stack goes out to memory of the host, and what slices before it have left comes in from there: in one of two
 * forms, by how much it is. Entries are opens, 4 bytes each, some of which are told unasked. All of a stack goes as the
 * records of the slice's tiles, a hundredth of a byte an element, and where these do not say it all as a mask of its
 * survivors, a bit an element; they become entries where they are needed.
 */
#ifndef PM_GPU_SHARE_H
#define PM_GPU_SHARE_H

#include "gpu/recorded.h"
#include "gpu/station.h"

#define PM_SHARE_RANGES 16u /* most buffers of a match */

/* The form in which a share has told of its stack. */
typedef enum pm_share_form {
    PM_SHARE_GUESSED, /* entries, as many as were told unasked */
    PM_SHARE_ENTRIES,
    PM_SHARE_RECORDS, /* of tiles, which say it all */
    PM_SHARE_MASKS    /* likewise, and of survivors */
} pm_share_form;

typedef struct pm_share {
    pm_station *station;
    uint32_t origin; /* index of its first element */
    uint32_t n;      /* elements; 0: there is nothing on the station, and nothing to be done */
    pm_buffer parens, scratch, summary;
    pm_buffer match[PM_SHARE_RANGES]; /* station->range_elements in each */
    uint32_t guess;                   /* entries that are told before anybody asks */
    pm_buffer guessed, entries;       /* that are told, the stack's top first: `guess` of them; what was asked for */
    pm_buffer told;                   /* the slice's scratch, or what of it was asked for, at its place */
    pm_buffer given, received;        /* what comes in, on its way and there */
    pm_buffer incoming;               /* and its entries, where it was none */
    pm_share_form form;
    pm_recorded reducing, matching; /* the same at each match */
    pm_recorded telling, completing;
} pm_share;

/* A part of the stack that a share has left: entries skip ... skip + count - 1 from its top. */
typedef struct pm_share_piece {
    const pm_share *from;
    uint32_t skip, count;
} pm_share_piece;

/* Room for a slice of a sequence of `all` elements. On failure, too, it is to be closed; the station must be idle by
 * then. */
pm_status pm_share_open(pm_station *station, uint32_t origin, uint32_t n, uint64_t all, pm_share *share);
void pm_share_close(pm_share *share);

/* Brings the slice there, from the whole sequence; `origin` is a multiple of 64. Has landed when the slots have. */
pm_status pm_share_load(pm_share *share, const uint64_t *parens);

/* Begins to reduce the slice and to tell the top of the stack that it leaves. */
pm_status pm_share_reduce(pm_share *share);

/* Begins to match it as if there were nothing before it. */
pm_status pm_share_match(pm_share *share);

/* Waits for the reduction; the slice's bicyclic element. */
pm_status pm_share_reduced(pm_share *share, pm_bic *bic);

/* Begins to tell at least the first `count` entries, all of which are the slice's own; goes on where masks are needed;
 * waits until all is told. One of several shares does so while the others do. */
pm_status pm_share_tell(pm_share *share, uint32_t count);
pm_status pm_share_tell_masks(pm_share *share);
pm_status pm_share_told(pm_share *share);

/* Begins to match again what looks further back than the slice begins, with pieces of the stack before it, its top
 * first, which have been told; together they have `count` > 0 entries. */
pm_status pm_share_complete(pm_share *share, const pm_share_piece *pieces, unsigned piece_count, uint32_t count);

/* Waits for all that has been begun. */
pm_status pm_share_land(pm_share *share);

/* Elements begin ... begin + count - 1 of the slice's match. Has landed when the slots have. */
pm_status pm_share_read(pm_share *share, uint32_t begin, uint32_t count, uint32_t *match);

#endif
