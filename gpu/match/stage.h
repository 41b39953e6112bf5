/* SPDX-License-Identifier: Apache-2.0 */
/* What every pipeline's stages are called, and what they are given. */
#ifndef PM_GPU_MATCH_STAGE_H
#define PM_GPU_MATCH_STAGE_H

#include <stdint.h>

/* In this order. Reduce may be recorded for any ranges of elements that together are all, as they come; scan once;
 * match for ranges in order. A pipeline need not have all of them; lookback's scan only clears. */
typedef enum pm_stage {
    PM_STAGE_REDUCE,
    PM_STAGE_SCAN,
    PM_STAGE_MATCH,
    PM_STAGES
} pm_stage;

/* A sequence on a device, by addresses. */
typedef struct pmi_sequence {
    uint32_t n;       /* > 0 elements */
    uint64_t parens;  /* n bits, aligned to 16 bytes; no 32-bit word without one of them is read */
    uint64_t scratch; /* as many bytes as the pipeline says; aligned to 16 bytes; whatever they hold */
    uint64_t summary; /* 8 bytes, which receive the unmatched closes and the unmatched opens; aligned to 4 bytes */
} pmi_sequence;

#endif
