/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delimiters of a text from host to host. Chunks of the text are uploaded. If letters are bytes, they do not depend on
 * the next chunk, and each chunk is reduced when it arrives. Then tokens are marked and counted. Now the host knows how
 * much memory the tokens need; the remaining stages follow, and the arrays that are wanted are downloaded.
 */
#include "base/sizes.h"
#include "gpu/device/executor.h"
#include "gpu/device/transfer.h"

/* A call: its arguments, and what it uses. */
typedef struct scan {
    const pmi_dfa *machine;
    const unsigned char *text;
    uint32_t n;
    const pmi_gpu_tokens *arrays;
    pm_text_summary *summary;
    size_t chunk_bytes;
    const pmi_device *device;
    pmi_staging_ring *ring;
    pmi_delimiters_runner *runner;
    pmi_tokenizer_task task;
    uint32_t tokens; /* of the text */
} scan;

/* The tables are before the text, which is aligned to 16. */
static uint64_t tables_bytes(const scan *p) {
    return ((uint64_t)p->runner->tokenizer.table_words * 4 + 15) / 16 * 16;
}

/* ---- Kernels and buffers ---- */

static pm_status kernels_make(const scan *p) {
    pmi_delimiters_runner *const runner = p->runner;
    const pmi_dfa *const machine = p->machine;
    if (!runner->indirect_created) {
        const pm_status status = pmi_indirect_create(p->device, &runner->indirect);
        if (status != PM_OK)
            return status;
        runner->indirect_created = true;
    }
    if (runner->tokenizer_created && pmi_tokenizer_suits(&runner->tokenizer, machine)) {
        pmi_tokenizer_follow(&runner->tokenizer, machine);
        return PM_OK;
    }
    if (runner->tokenizer_created)
        pmi_tokenizer_destroy(p->device, &runner->tokenizer);
    const pm_status status = pmi_tokenizer_create(p->device, machine, &runner->tokenizer);
    runner->tokenizer_created = status == PM_OK;
    return status;
}

/* Bytes of a chunk of the text: whole groups. */
static uint32_t chunk_bytes(const scan *p) {
    const uint32_t unit = pmi_tokenizer_group_bytes(p->n);
    const uint64_t chunk = pmi_min(p->chunk_bytes, UINT32_C(1) << 30) / unit * unit;
    return chunk > 0 ? (uint32_t)chunk : unit;
}

/* Bytes of the text, which is read in units of 16. */
static uint64_t text_bytes(const scan *p) {
    return ((uint64_t)p->n + 15) / 16 * 16;
}

/* Bytes of staging of a chunk, which are enough for the tables, too. */
static uint64_t staging_bytes(const scan *p) {
    const uint64_t chunk = pmi_min(text_bytes(p), chunk_bytes(p));
    return chunk > tables_bytes(p) ? chunk : tables_bytes(p);
}

static pm_status text_reserve(const scan *p) {
    const pmi_device *const device = p->device;
    pmi_delimiters_runner *const r = p->runner;
    pm_status status =
        pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, tables_bytes(p) + text_bytes(p), &r->given);
    if (status == PM_OK)
        status =
            pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_tokenizer_scratch_bytes(&r->tokenizer, p->n), &r->scratch);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, PM_STRUCTURE_RESULT_WORDS * 4, &r->result);
    return status;
}

/* The buffers exist even if there are no tokens. */
static pm_status tokens_reserve(const scan *p) {
    const pmi_device *const device = p->device;
    pmi_delimiters_runner *const r = p->runner;
    const uint64_t words = (uint64_t)p->tokens * 4 + 4;
    const struct {
        pmi_buffer *buffer;
        uint64_t bytes;
    } wanted[] = {{&r->matching, pmi_tokenizer_matching_bytes(&r->tokenizer, p->tokens) + 4},
                  {&r->dispatches, pmi_levels_plans_bytes(device, p->tokens)},
                  {&r->parens, (uint64_t)p->tokens / 32 * 4 + 4},
                  {&r->positions, words},
                  {&r->kinds, words},
                  {&r->match, words},
                  {&r->lengths, p->arrays->lengths ? words : 4}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const pm_status status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, wanted[k].bytes, wanted[k].buffer);
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

static void task_make(scan *p) {
    const pmi_delimiters_runner *const r = p->runner;
    p->task = (pmi_tokenizer_task){.n = p->n,
                                   .capacity = p->tokens,
                                   .text = r->given.address + tables_bytes(p),
                                   .tables = r->given.address,
                                   .scratch = r->scratch.address,
                                   .matching = r->matching.address,
                                   .result = r->result.address,
                                   .parens = r->parens.address,
                                   .positions = r->positions.address,
                                   .kinds = r->kinds.address,
                                   .lengths = p->arrays->lengths ? r->lengths.address : 0,
                                   .match = r->match.address};
}

/* ---- Uploads ---- */

static pm_status chunk_upload(const scan *p, uint32_t begin, uint32_t bytes) {
    const uint32_t unit = pmi_tokenizer_group_bytes(p->n);
    pmi_staging_chunk *chunk;
    const pm_status status =
        pmi_staging_chunk_begin(p->device, p->ring, p->runner->given.mapped ? 0 : staging_bytes(p), &chunk);
    if (status != PM_OK)
        return status;
    pmi_transfer_record_upload(p->device, p->ring, chunk, 0, p->text + begin,
                               (pmi_buffer_range){&p->runner->given, tables_bytes(p) + begin, bytes});
    if (p->runner->tokenizer.of_bytes)
        pmi_tokenizer_record_reduce(p->device, chunk->commands, &p->runner->tokenizer,
                                    pmi_tokenizer_parameters_make(&p->runner->tokenizer, &p->task), begin / unit,
                                    bytes / unit + (bytes % unit != 0));
    return pmi_staging_chunk_submit(p->device, chunk);
}

/* ---- On the device ---- */

static pm_status count_tokens(scan *p) {
    pmi_staging_chunk *chunk;
    pm_status status = pmi_staging_chunk_begin(p->device, p->ring, 0, &chunk);
    if (status != PM_OK)
        return status;
    pmi_shader_barrier(p->device, chunk->commands);
    if (p->runner->tokenizer.of_bytes)
        pmi_tokenizer_record_marks(p->device, chunk->commands, &p->runner->tokenizer, &p->task);
    else
        pmi_tokenizer_record_all_marks(p->device, chunk->commands, &p->runner->tokenizer, &p->task);
    pmi_transfer_record_barrier(p->device, chunk->commands);
    status = pmi_staging_chunk_submit(p->device, chunk);
    if (status == PM_OK)
        status = pmi_staging_ring_finish(p->device, p->ring, false);
    if (status != PM_OK)
        return status;
    p->tokens = ((const uint32_t *)p->runner->result.mapped)[PM_STRUCTURE_RESULT_COUNT];
    return p->tokens <= PM_TOKENIZER_TOKENS_MAX ? PM_OK : PM_TOO_LARGE;
}

/* PM_TOO_LARGE: names are too long, or too similar. PM_UNSUPPORTED: no DFA can follow the text. */
static pm_status find_structure(scan *p) {
    const pmi_delimiters_runner *const r = p->runner;
    const pmi_plans plans = {.buffer = r->dispatches.handle, .address = r->dispatches.address};
    pmi_staging_chunk *chunk;
    pm_status status = pmi_staging_chunk_begin(p->device, p->ring, 0, &chunk);
    if (status != PM_OK)
        return status;
    pmi_tokenizer_record_structure(p->device, chunk->commands, &r->tokenizer, &r->indirect, &p->task, plans);
    pmi_transfer_record_barrier(p->device, chunk->commands);
    status = pmi_staging_chunk_submit(p->device, chunk);
    if (status != PM_OK || !r->tokenizer.late)
        return status;
    status = pmi_staging_ring_finish(p->device, p->ring, false);
    if (status != PM_OK)
        return status;
    const uint32_t *const result = r->result.mapped;
    if (result[PM_STRUCTURE_RESULT_COUNT] != PM_STRUCTURE_NONE)
        return PM_OK;
    return result[PM_STRUCTURE_RESULT_FAULT] == PM_STRUCTURE_IS_LONG ? PM_TOO_LARGE : PM_UNSUPPORTED;
}

/* ---- Downloads ---- */

/* Bits past the last token are 0. */
static void parens_end(uint64_t *parens, uint64_t count) {
    if (parens && count % 64 != 0)
        parens[count / 64] &= (UINT64_C(1) << count % 64) - 1;
}

static pm_status arrays_download(const scan *p) {
    const pmi_gpu_tokens *const to = p->arrays;
    const pmi_delimiters_runner *const r = p->runner;
    const uint64_t count = pmi_min(p->tokens, to->capacity);
    const struct {
        const pmi_buffer *from;
        void *to;
        uint64_t bytes;
    } wanted[] = {{&r->parens, to->parens, (count + 31) / 32 * 4},
                  {&r->positions, to->positions, count * 4},
                  {&r->lengths, to->lengths, count * 4},
                  {&r->kinds, to->kinds, count * 4},
                  {&r->match, to->match, count * 4}};
    pm_status status = PM_OK;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted && status == PM_OK; k++)
        if (wanted[k].to)
            status = pmi_transfer_download(p->device, p->ring, (pmi_buffer_range){wanted[k].from, 0, wanted[k].bytes},
                                           wanted[k].to, staging_bytes(p));
    if (status == PM_OK)
        status = pmi_staging_ring_finish(p->device, p->ring, true);
    if (status == PM_OK)
        parens_end(to->parens, count);
    return status;
}

static void summary_read(const uint32_t *result, pm_text_summary *summary) {
    const bool faulty = result[PM_STRUCTURE_RESULT_FAULT] != PM_STRUCTURE_NONE;
    const bool pair = result[PM_STRUCTURE_RESULT_PARTNER] != PM_STRUCTURE_NONE;
    *summary = (pm_text_summary){
        .tokens = result[PM_STRUCTURE_RESULT_COUNT],
        .unmatched = {.close = result[PM_STRUCTURE_RESULT_CLOSE], .open = result[PM_STRUCTURE_RESULT_OPEN]},
        .mismatched = result[PM_STRUCTURE_RESULT_MISMATCHED],
        .unterminated = result[PM_STRUCTURE_RESULT_UNTERMINATED] != PM_STRUCTURE_NONE,
        .faulty = faulty,
        .fault = faulty ? (pm_fault)result[PM_STRUCTURE_RESULT_FAULT] : PM_FAULT_UNMATCHED_CLOSE,
        .at = faulty ? result[PM_STRUCTURE_RESULT_AT] : 0,
        .partner = pair ? result[PM_STRUCTURE_RESULT_PARTNER] : 0};
}

/* ---- All steps ---- */

static pm_status text_upload(const scan *p) {
    const uint32_t n = p->n, chunk = chunk_bytes(p);
    const pmi_tokenizer *const tokenizer = &p->runner->tokenizer;
    const pmi_buffer_range tables = {&p->runner->given, 0, (uint64_t)tokenizer->table_words * 4};
    pm_status status = pmi_transfer_upload(p->device, p->ring, tokenizer->tables, tables, staging_bytes(p));
    for (uint64_t begin = 0; begin < n && status == PM_OK; begin += chunk)
        status = chunk_upload(p, (uint32_t)begin, pmi_min32(chunk, n - begin));
    return status;
}

static pm_status delimiters_scan(pmi_gpu *gpu, void *arguments) {
    scan *const p = arguments;
    pmi_executor *const first = &gpu->executors[0];
    p->chunk_bytes = first->chunk_bytes;
    p->device = &first->device;
    p->ring = &first->ring;
    p->runner = &first->delimiters;
    pm_status status = kernels_make(p);
    if (status == PM_OK)
        status = text_reserve(p);
    if (status != PM_OK)
        return status;
    task_make(p);
    status = text_upload(p);
    if (status == PM_OK)
        status = count_tokens(p);
    if (status == PM_OK)
        status = tokens_reserve(p);
    if (status != PM_OK)
        return status;
    task_make(p);
    status = find_structure(p);
    if (status == PM_OK)
        status = arrays_download(p);
    if (status == PM_OK)
        summary_read(p->runner->result.mapped, p->summary);
    return status;
}

pm_status pmi_gpu_delimiters(pmi_gpu *gpu, const pmi_dfa *machine, const char *text, uint32_t n,
                             const pmi_gpu_tokens *arrays, pm_text_summary *summary) {
    scan call = {.machine = machine, .text = (const unsigned char *)text, .n = n, .arrays = arrays, .summary = summary};
    return pmi_gpu_run(gpu, &(pmi_gpu_call){.run = delimiters_scan, .arguments = &call});
}

void pmi_delimiters_runner_clear(const pmi_device *device, pmi_delimiters_runner *r) {
    pmi_buffer *const buffers[] = {&r->given,  &r->result,    &r->scratch, &r->matching, &r->dispatches,
                                   &r->parens, &r->positions, &r->lengths, &r->kinds,    &r->match};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_tokenizer_destroy(device, &r->tokenizer);
    pmi_indirect_destroy(device, &r->indirect);
    *r = (pmi_delimiters_runner){0};
}
