/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the index of a JSON text on a device, by the shaders of shaders/json/layout.h: the masks that a pm_json has,
 * the partners of brackets, and whether the text is one value. Sizes and recording only; it allocates, submits and
 * waits for nothing.
 *
 * Quotes and backslashes: the text's quoting is reduced to two bits for each tile and for each of two cases, and
 * scanned (reduce, scan). Then every 64 bytes know whether they begin inside a string, and give masks of tokens and
 * brackets (mark), which are counted (count). Brackets are listed with what is in the gaps between them (clear, write,
 * gaps) and matched by `levels`. Then it is known whether containers are right (check, tell).
 */
#ifndef PM_GPU_JSON_INDEX_H
#define PM_GPU_JSON_INDEX_H

#include "gpu/device/memory.h"
#include "gpu/match/levels.h"

/* In this order, with pmi_shader_barrier() between them. After count the device knows the numbers of tokens and
 * brackets. Match is several dispatches. */
typedef enum pmi_index_stage {
    PM_INDEX_REDUCE,
    PM_INDEX_SCAN,
    PM_INDEX_MARK,
    PM_INDEX_COUNT,
    PM_INDEX_CLEAR,
    PM_INDEX_WRITE,
    PM_INDEX_GAPS,
    PM_INDEX_MATCH,
    PM_INDEX_CHECK,
    PM_INDEX_TELL,
    PM_INDEX_STAGES
} pmi_index_stage;

typedef struct pmi_index {
    pmi_kernel kernels[PM_INDEX_STAGES];
} pmi_index;

/* PM_UNSUPPORTED if workgroups of the device are too small. After a failure it needs no destroying. */
pm_status pmi_index_create(const pmi_device *device, pmi_index *index);

/* Zeros are allowed. */
void pmi_index_destroy(const pmi_device *device, pmi_index *index);

/* Inputs and outputs; addresses are the device's. */
typedef struct pmi_index_task {
    uint32_t n;              /* bytes of text */
    uint32_t capacity;       /* brackets, at most */
    uint32_t token_capacity; /* tokens of which positions are written, at most */
    uint64_t text;           /* n bytes, read in whole 16; aligned to 16 */
    uint64_t scratch;        /* pmi_index_scratch_bytes() bytes, aligned to 16 */
    uint64_t matching;       /* pmi_index_matching_bytes() bytes, aligned to 16 */
    uint64_t result;         /* receives PM_INDEX_RESULT_WORDS words; aligned to 4 */
    uint64_t tokens;         /* pmi_index_words() words of 64 bits; aligned to 8 */
    uint64_t brackets;       /* as many */
    uint64_t before;         /* as many of 32 bits; aligned to 4 */
    uint64_t partners;       /* 32 bits a bracket; aligned to 4 */
    uint64_t positions;      /* 32 bits a token; aligned to 4 */
} pmi_index_task;

/* Words of masks: one for 64 bytes, in whole eights. */
uint64_t pmi_index_words(uint32_t n);

/* Bytes of scratch for n bytes of text, and of what `capacity` brackets need in addition. */
uint64_t pmi_index_scratch_bytes(uint32_t n);
uint64_t pmi_index_matching_bytes(uint32_t capacity);

/* Kernels, and what they are recorded with. */
typedef struct pmi_index_recording {
    const pmi_device *device;
    VkCommandBuffer commands;
    const pmi_index *index;
    const pmi_indirect *indirect;
    pmi_plans plans;
} pmi_index_recording;

/* Records a stage, which reads and writes in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). */
void pmi_index_record_stage(const pmi_index_recording *recording, const pmi_index_task *task, pmi_index_stage stage);

/* Records stages first ... end - 1, with the barriers between them. */
void pmi_index_record(const pmi_index_recording *recording, const pmi_index_task *task, pmi_index_stage first,
                      pmi_index_stage end);

/* ---- From host to host ---- */

typedef struct pmi_index_runner {
    bool indirect_created, index_created;
    pmi_indirect indirect;
    pmi_index index;
    pmi_buffer text;
    pmi_buffer result; /* in host memory */
    pmi_buffer scratch, matching, dispatches;
    pmi_buffer tokens, brackets, before, partners;
} pmi_index_runner;

/* Sets the runner to zeros, which are allowed. The device must be idle. */
void pmi_index_runner_clear(const pmi_device *device, pmi_index_runner *runner);

#endif
