/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A passage: a call's way through one station. The whole sequence goes up and is reduced, in chunks; one scan; then any
 * chunks of the match come down. Elements of a chunk begin with a multiple of its length.
 */
#ifndef PM_GPU_PASSAGE_H
#define PM_GPU_PASSAGE_H

#include "gpu/station.h"

typedef struct pm_passage {
    pm_station *station;
    const pm_pipeline *pipeline;
    pm_sequence sequence;
    const uint64_t *parens; /* NULL: there already */
    uint32_t *match;        /* NULL: stays there */
    size_t chunk;           /* bytes, of the sequence as of its match */
    pm_slot *whole;         /* of a sequence that is one chunk: takes all steps, in one submission; else NULL */
} pm_passage;

/* Elements begin ... begin + 8 * chunk - 1, or fewer at the end, go up and are reduced. */
pm_status pm_passage_reduce(const pm_passage *passage, size_t begin);

pm_status pm_passage_scan(const pm_passage *passage);

/* The match of elements begin ... begin + chunk / 4 - 1, or of fewer at the end, comes down. */
pm_status pm_passage_match(const pm_passage *passage, size_t begin);

#endif
