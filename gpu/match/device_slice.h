/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A share: the slice of a sequence that one executor has, and its match, both of which stay there. Of the stack that
 * the slice leaves the top goes out to memory of the host, unasked; what slices before it have left comes in from
 * there, if no more is needed. If more is, nothing comes in: the executor has the bits of what is before its slice as
 * well, and reduces as much of them as is needed itself. That takes a tenth of the time of matching as many elements,
 * and bits that cross at each match would take ten times that time.
 */
#ifndef PM_GPU_MATCH_DEVICE_SLICE_H
#define PM_GPU_MATCH_DEVICE_SLICE_H

#include "gpu/device/executor.h"
#include "gpu/device/reusable_commands.h"

#define PM_SHARE_RANGES 16u /* most buffers of a match */

typedef struct pmi_device_slice {
    pmi_executor *executor;
    uint32_t origin;            /* index of its first element, a multiple of PM_SUPERBLOCK */
    uint32_t n;                 /* elements; 0: there is nothing on the executor, and nothing to be done */
    uint32_t ahead;             /* elements that are matched before it is known what comes in, a multiple of a tile */
    pmi_buffer parens, scratch; /* of all from the sequence's beginning to the slice's end */
    pmi_buffer summary;
    pmi_buffer match[PM_SHARE_RANGES];        /* executor->range_elements in each */
    uint32_t told;                            /* entries of the stack that the slice leaves, which it tells */
    pmi_buffer stack;                         /* they, the top first */
    pmi_buffer incoming;                      /* entries that come in */
    pmi_reusable_commands reducing, matching; /* the same at each match */
    pmi_reusable_commands completing;
} pmi_device_slice;

/* A part of the stack that a share has left: entries skip ... skip + count - 1 from its top. */
typedef struct pmi_device_slice_piece {
    const pmi_device_slice *from;
    uint32_t skip, count;
} pmi_device_slice_piece;

/* Room for a slice of a sequence of `all` elements, of which so many are matched ahead. On failure, too, it is to be
 * closed; the executor must be idle by then. */
pm_status pmi_device_slice_open(pmi_executor *executor, uint32_t origin, uint32_t n, uint64_t all, uint32_t ahead,
                                pmi_device_slice *share);
void pmi_device_slice_close(pmi_device_slice *share);

/* Bytes of a chunk that is loaded, and of all that is. */
uint64_t pmi_device_slice_load_unit(const pmi_device_slice *share);
uint64_t pmi_device_slice_load_bytes(const pmi_device_slice *share);

/* Brings a chunk there, from the whole sequence. Has landed when the slots have. */
pm_status pmi_device_slice_load(pmi_device_slice *share, const uint64_t *parens, uint64_t begin, uint64_t bytes);

/* Begins to reduce the slice and to tell the top of the stack that it leaves. */
pm_status pmi_device_slice_reduce(pmi_device_slice *share);

/* Begins to match what is matched ahead as if there were nothing before the slice. */
pm_status pmi_device_slice_match(pmi_device_slice *share);

/* Waits for the reduction; the slice's bicyclic element. */
pm_status pmi_device_slice_reduced(pmi_device_slice *share, pm_bic *bic);

/* Begins to match the rest, and again what has been matched ahead and looks further back than the slice begins, with
 * pieces of the stack before it, its top first, which have been told; together they have `count` entries. */
pm_status pmi_device_slice_complete(pmi_device_slice *share, const pmi_device_slice_piece *pieces, unsigned piece_count,
                                    uint32_t count);

/* Begins to match all of it, by itself, where no more of the stack before it is needed than what is left there by
 * elements from `first` on, the beginning of a slice before it. */
pm_status pmi_device_slice_complete_from(pmi_device_slice *share, uint32_t first);

/* Waits for all that has been begun. */
pm_status pmi_device_slice_finish(pmi_device_slice *share);

/* Elements begin ... begin + count - 1 of the slice's match. Has landed when the slots have. */
pm_status pmi_device_slice_read(pmi_device_slice *share, uint32_t begin, uint32_t count, uint32_t *match);

#endif
