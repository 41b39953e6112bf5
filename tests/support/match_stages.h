/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of a pipeline one by one: twins in C up to a stage, the device from there on. */
#ifndef PM_TESTS_SUPPORT_MATCH_STAGES_H
#define PM_TESTS_SUPPORT_MATCH_STAGES_H

#include "gpu/match/pipeline.h"
#include "tests/support/block.h"
#include "tests/support/gpu_fixture.h"

typedef struct match_stages {
    gpu_host host;
    pmi_pipeline_id id;
    pmi_pipeline pipeline;
    pmi_kernel verify;
} match_stages;

/* Opens a device by gpu_tests_settings(settings), and its pipeline. */
pm_status match_stages_open(pmi_gpu_settings settings, match_stages *stages);
void match_stages_close(match_stages *stages);

/* Checks every stage for n > 0 elements. */
void match_stages_check(const match_stages *stages, const uint64_t *parens, uint32_t n, const char *what);

/* The buffers of a match, by their index. */
enum {
    MATCH_PARENS,
    MATCH_SCRATCH,
    MATCH_SUMMARY,
    MATCH_RESULT,
    MATCH_BUFFERS
};

/* Makes a block of such buffers and matches n > 0 elements on the device. */
void match_stages_run(const match_stages *stages, const uint64_t *parens, uint32_t n, block *b);

/* Runs the inductive check on the device; returns the number of wrong elements and the first. */
size_t match_stages_verify(const match_stages *stages, const block *b, uint32_t n, uint32_t *first);

#endif
