/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A match_run: a call's way through one executor. The whole sequence goes up and is reduced, in chunks; one scan; then
 * any chunks of the match come down. Elements of a chunk begin with a multiple of its length.
 */
#ifndef PM_GPU_MATCH_MATCH_RUN_H
#define PM_GPU_MATCH_MATCH_RUN_H

#include "gpu/device/executor.h"

typedef struct pmi_match_run {
    pmi_executor *executor;
    const pmi_pipeline *pipeline;
    pmi_sequence sequence;
    const uint64_t *parens;   /* NULL: there already */
    uint32_t *match;          /* NULL: stays there */
    size_t chunk;             /* bytes, of the sequence as of its match */
    pmi_staging_chunk *whole; /* of a sequence that is one chunk: takes all steps, in one submission; else NULL */
} pmi_match_run;

/* Elements begin ... begin + 8 * chunk - 1, or fewer at the end, go up and are reduced. */
pm_status pmi_match_run_reduce(const pmi_match_run *match_run, size_t begin);

pm_status pmi_match_run_scan(const pmi_match_run *match_run);

/* The match of elements begin ... begin + chunk / 4 - 1, or of fewer at the end, comes down. */
pm_status pmi_match_run_match(const pmi_match_run *match_run, size_t begin);

#endif
