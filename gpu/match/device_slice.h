/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slice of a sequence that one executor has, and its match, which both stay there. After each reduction the top of
 * the stack that the slice leaves is copied to host memory, from where other slices get it. If a slice needs more than
 * these entries, its executor reduces the sequence before the slice itself: it has those bits, too. This takes a tenth
 * of the time of matching as many elements; copying the bits for each match would take ten times longer.
 * Many sequences are one such slice, which is the whole of what they are together.
 */
#ifndef PM_GPU_MATCH_DEVICE_SLICE_H
#define PM_GPU_MATCH_DEVICE_SLICE_H

#include "gpu/device/commands.h"
#include "gpu/device/executor.h"

#define PM_SLICE_RANGES 16u /* buffers of a match, at most */

typedef struct pmi_device_slice {
    pmi_executor *executor;
    uint32_t origin;            /* index of its first element, a multiple of PM_SUPERBLOCK */
    uint32_t n;                 /* elements; 0: the executor has no slice, or sequences that are all empty */
    const pmi_pipeline *whole;  /* of a short or many sequences on one device: does all stages at once; else NULL */
    uint32_t ahead;             /* elements that are matched before the incoming stack is known, a multiple of a tile */
    pmi_buffer parens, scratch; /* from the beginning of the sequence to the end of the slice */
    pmi_buffer summary;
    pmi_buffer match[PM_SLICE_RANGES]; /* executor->range_elements in each */
    uint32_t stack_count;              /* entries of the stack that the slice leaves, which are copied to the host */
    pmi_buffer stack;                  /* these, the top first */
    pmi_buffer incoming;               /* entries of the stack before the slice */
    pmi_reusable_commands reducing, matching; /* the same for each match */
    pmi_reusable_commands completing;
    bool of_batch;              /* many sequences: */
    uint32_t count;             /* of them */
    pmi_buffer offsets, totals; /* theirs; the second is all zeros until totals are read */
    bool has_totals;            /* of the last match */
} pmi_device_slice;

/* A part of the stack that a slice leaves: entries skip ... skip + count - 1 from its top. */
typedef struct pmi_device_slice_piece {
    const pmi_device_slice *from;
    uint32_t skip, count;
} pmi_device_slice_piece;

/* Creates the buffers for a slice of a sequence of `all` elements. It must be closed after a failure, too, when the
 * executor is idle. */
pm_status pmi_device_slice_open(pmi_executor *executor, uint32_t origin, uint32_t n, uint64_t all, uint32_t ahead,
                                pmi_device_slice *slice);
/* The same for at most `count` sequences of n > 0 elements in all. */
pm_status pmi_device_slice_open_batch(pmi_executor *executor, uint32_t n, uint32_t count, pmi_device_slice *slice);
void pmi_device_slice_close(pmi_device_slice *slice);

/* Bytes of a chunk that is uploaded, and of all chunks. */
uint64_t pmi_device_slice_load_unit(const pmi_device_slice *slice);
uint64_t pmi_device_slice_load_bytes(const pmi_device_slice *slice);

/* Uploads a chunk of the sequence. Complete when the ring has been finished. */
pm_status pmi_device_slice_load(pmi_device_slice *slice, const uint64_t *parens, uint64_t begin, uint64_t bytes);

/* Uploads the offsets of many sequences, before the sequences themselves. offsets NULL: all are empty. */
pm_status pmi_device_slice_load_offsets(pmi_device_slice *slice, const uint64_t *offsets, uint32_t count);

/* Starts the reduction, and the copy of the stack that the slice leaves; or all of the match of a short or many
 * sequences. */
pm_status pmi_device_slice_reduce(pmi_device_slice *slice);

/* Starts the match of the first `ahead` elements, as if the slice were a whole sequence. */
pm_status pmi_device_slice_match(pmi_device_slice *slice);

/* Waits for the reduction. Returns the slice's bicyclic element. */
pm_status pmi_device_slice_reduced(pmi_device_slice *slice, pm_bic *bic);

/* Starts the match of the rest, and again of the tiles that look further back than the slice begins. The pieces are the
 * stack before the slice, its top first, with `count` entries together; the host has all of them. */
pm_status pmi_device_slice_complete(pmi_device_slice *slice, const pmi_device_slice_piece *pieces, unsigned piece_count,
                                    uint32_t count);

/* Starts the match of the whole slice. It needs only those entries of the stack that elements from `first` on have
 * left, the beginning of an earlier slice. */
pm_status pmi_device_slice_complete_from(pmi_device_slice *slice, uint32_t first);

/* Waits for everything that was started. */
pm_status pmi_device_slice_finish(pmi_device_slice *slice);

/* Downloads elements begin ... begin + count - 1 of the match. Complete when the ring has been finished. */
pm_status pmi_device_slice_read(pmi_device_slice *slice, uint32_t begin, uint32_t count, uint32_t *match);

/* Downloads the totals of sequences begin ... begin + count - 1 to pmi_batch_totals_halves(totals, count). The first
 * call after a match computes all of them. Complete when the ring has been finished. */
pm_status pmi_device_slice_read_totals(pmi_device_slice *slice, uint32_t begin, uint32_t count, pm_bic *totals);

#endif
