/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a JSON text from host to host. The text is uploaded; tokens and brackets are marked and counted. Now the
 * host knows how much memory the brackets need; the remaining stages follow, and the index of a right text is
 * downloaded.
 */
#include "base/sizes.h"
#include "gpu/device/executor.h"
#include "gpu/device/transfer.h"

/* A call: its arguments, and what it uses. */
typedef struct reading {
    const unsigned char *text;
    uint32_t n;
    pmi_gpu_json *json;
    uint64_t piece; /* bytes that are copied at a time */
    const pmi_device *device;
    pmi_staging_ring *ring;
    pmi_index_runner *runner;
    pmi_index_task task;
} reading;

/* ---- Kernels and buffers ---- */

static pm_status kernels_make(const reading *p) {
    pmi_index_runner *const runner = p->runner;
    pm_status status = PM_OK;
    if (!runner->indirect_created)
        status = pmi_indirect_create(p->device, &runner->indirect);
    runner->indirect_created = status == PM_OK;
    if (status == PM_OK && !runner->index_created) {
        status = pmi_index_create(p->device, &runner->index);
        runner->index_created = status == PM_OK;
    }
    return status;
}

/* The text is read in units of 16. */
static uint64_t text_bytes(uint32_t n) {
    return ((uint64_t)n + 15) / 16 * 16;
}

static pm_status text_reserve(const reading *p) {
    const pmi_device *const device = p->device;
    pmi_index_runner *const r = p->runner;
    const uint64_t words = pmi_index_words(p->n);
    pm_status status = pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, text_bytes(p->n), &r->text);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, PM_INDEX_RESULT_WORDS * 4, &r->result);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_index_scratch_bytes(p->n), &r->scratch);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, words * 8, &r->tokens);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, words * 8, &r->brackets);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, words * 4, &r->before);
    return status;
}

/* The buffers exist even if there are no brackets. */
static pm_status brackets_reserve(const reading *p, uint32_t brackets) {
    const pmi_device *const device = p->device;
    pmi_index_runner *const r = p->runner;
    pm_status status =
        pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_index_matching_bytes(brackets) + 16, &r->matching);
    if (status == PM_OK)
        status =
            pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_levels_plans_bytes(device, brackets) + 4, &r->dispatches);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, (uint64_t)brackets * 4 + 4, &r->partners);
    return status;
}

static void task_make(reading *p, uint32_t brackets) {
    const pmi_index_runner *const r = p->runner;
    p->task = (pmi_index_task){.n = p->n,
                               .capacity = brackets,
                               .text = r->text.address,
                               .scratch = r->scratch.address,
                               .matching = r->matching.address,
                               .result = r->result.address,
                               .tokens = r->tokens.address,
                               .brackets = r->brackets.address,
                               .before = r->before.address,
                               .partners = r->partners.address};
}

/* ---- On the device ---- */

/* Runs stages first ... end - 1, and waits for them. */
static pm_status run(const reading *p, pmi_index_stage first, pmi_index_stage end) {
    pmi_staging_chunk *chunk;
    pm_status status = pmi_staging_chunk_begin(p->device, p->ring, 0, &chunk);
    if (status != PM_OK)
        return status;
    const pmi_index_runner *const r = p->runner;
    const pmi_index_recording recording = {.device = p->device,
                                           .commands = chunk->commands,
                                           .index = &r->index,
                                           .indirect = &r->indirect,
                                           .plans = {.buffer = r->dispatches.handle, .address = r->dispatches.address}};
    pmi_shader_barrier(p->device, chunk->commands);
    pmi_index_record(&recording, &p->task, first, end);
    pmi_transfer_record_barrier(p->device, chunk->commands);
    status = pmi_staging_chunk_submit(p->device, chunk);
    return status == PM_OK ? pmi_staging_ring_finish(p->device, p->ring, false) : status;
}

static uint32_t result_of(const reading *p, uint32_t word) {
    return ((const uint32_t *)p->runner->result.mapped)[word];
}

static pm_status download(const reading *p, uint32_t *partners, uint32_t brackets) {
    const pmi_index_runner *const r = p->runner;
    const uint64_t words = pmi_index_words(p->n);
    const struct {
        const pmi_buffer *from;
        void *to;
        uint64_t bytes;
    } wanted[] = {{&r->tokens, p->json->tokens, words * 8},
                  {&r->brackets, p->json->brackets, words * 8},
                  {&r->before, p->json->before, words * 4},
                  {&r->partners, partners, (uint64_t)brackets * 4}};
    pm_status status = PM_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted && status == PM_OK; k++)
        if (wanted[k].bytes > 0)
            status = pmi_transfer_download(p->device, p->ring, (pmi_buffer_range){wanted[k].from, 0, wanted[k].bytes},
                                           wanted[k].to, p->piece);
    return status == PM_OK ? pmi_staging_ring_finish(p->device, p->ring, true) : status;
}

/* Matches the brackets, of which the device has counted `count`, and brings the index of a right text to the host. */
static pm_status finish_index(reading *p, uint32_t count) {
    pm_status status = brackets_reserve(p, count);
    if (status != PM_OK)
        return status;
    task_make(p, count);
    status = run(p, PM_INDEX_CLEAR, PM_INDEX_STAGES);
    if (status != PM_OK)
        return status;
    if (result_of(p, PM_INDEX_RESULT_VERDICT) != PM_INDEX_RIGHT)
        return PM_CORRUPT;
    uint32_t *const partners = p->json->partners(p->json->user, count);
    p->json->token_count = result_of(p, PM_INDEX_RESULT_TOKENS);
    return partners ? download(p, partners, count) : PM_OUT_OF_MEMORY;
}

static pm_status index_make(pmi_gpu *gpu, void *arguments) {
    reading *const p = arguments;
    pmi_executor *const first = &gpu->executors[0];
    p->piece = pmi_min(pmi_min(first->chunk_bytes, UINT32_C(1) << 30), text_bytes(p->n)) / 4 * 4;
    p->device = &first->device;
    p->ring = &first->ring;
    p->runner = &first->index;
    pm_status status = kernels_make(p);
    if (status == PM_OK)
        status = text_reserve(p);
    if (status == PM_OK)
        status =
            pmi_transfer_upload(p->device, p->ring, p->text, (pmi_buffer_range){&p->runner->text, 0, p->n}, p->piece);
    if (status != PM_OK)
        return status;
    task_make(p, 0);
    status = run(p, PM_INDEX_REDUCE, PM_INDEX_CLEAR);
    return status == PM_OK ? finish_index(p, result_of(p, PM_INDEX_RESULT_BRACKETS)) : status;
}

pm_status pmi_gpu_json_index(pmi_gpu *gpu, const char *text, uint32_t n, pmi_gpu_json *json) {
    reading call = {.text = (const unsigned char *)text, .n = n, .json = json};
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = index_make, .arguments = &call});
}

void pmi_index_runner_clear(const pmi_device *device, pmi_index_runner *r) {
    pmi_buffer *const buffers[] = {&r->text,   &r->result,   &r->scratch, &r->matching, &r->dispatches,
                                   &r->tokens, &r->brackets, &r->before,  &r->partners};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_index_destroy(device, &r->index);
    pmi_indirect_destroy(device, &r->indirect);
    *r = (pmi_index_runner){0};
}
