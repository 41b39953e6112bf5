/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of a pipeline one by one, on buffers that host and device both see: twins in C up to a stage, the
 * device from there on. Everything has canaries around it.
 */
#ifndef PM_TESTS_SUPPORT_MATCH_STAGES_H
#define PM_TESTS_SUPPORT_MATCH_STAGES_H

#include "gpu/device/memory.h"
#include "gpu/match/pipeline.h"

typedef struct gpu_stages {
    pmi_device device;
    pmi_pipeline_id id;
    pmi_pipeline pipeline;
    pmi_kernel verify;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
} gpu_stages;

/* A sequence's buffers, in one allocation. */
typedef struct gpu_buffers {
    pmi_buffer buffer;
    uint32_t n;
    uint32_t *parens, *scratch, *summary, *match;
    size_t scratch_words;
    pmi_sequence of_device, of_host; /* the same with addresses of each */
    uint64_t match_of_device;
} gpu_buffers;

pm_status gpu_stages_open(const pmi_gpu_settings *settings, gpu_stages *stages);
void gpu_stages_close(gpu_stages *stages);

/* Commands are recorded to stages->commands between the two; gpu_commands_run() waits until they have ended, and then
 * the host sees what shaders have written. */
void gpu_commands_begin(const gpu_stages *stages);
void gpu_commands_run(const gpu_stages *stages);

/* Buffers for n > 0 elements of a sequence; all but it is filled with canaries. Whatever fails fails the test. */
void gpu_buffers_make(const gpu_stages *stages, const uint64_t *parens, uint32_t n, gpu_buffers *buffers);
void gpu_buffers_free(const gpu_stages *stages, gpu_buffers *buffers);

/* Twins for the stages before `from`, the device for the others. */
void gpu_stages_run(const gpu_stages *stages, const gpu_buffers *buffers, pm_stage from);

/* Twins alone, then the device from each stage on: all buffers are the same, and nothing is written around them. Names
 * the first stage that is wrong. */
void gpu_stages_check(const gpu_stages *stages, const uint64_t *parens, uint32_t n, const char *what);

/* The number of words around and between the buffers that are no canaries any more. */
size_t gpu_buffers_spilt(const gpu_buffers *buffers);

/* The inductive check on the device: the number of wrong elements, and the first. */
size_t gpu_stages_verify(const gpu_stages *stages, const gpu_buffers *buffers, uint32_t *first);

#endif
