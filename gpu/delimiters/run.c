/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks of the text go up, each reduced as it comes if its letters are bytes, which do not depend on what follows;
 * once all are there, tokens are marked and counted. The host then knows how much memory they need, which the rest is
 * done in; and chunks of what is wanted come down.
 */
#include "gpu/delimiters/run.h"

#include "base/sizes.h"
#include "gpu/device/transfer.h"

/* A call on its way. */
typedef struct match_run {
    const pmi_device *device;
    pmi_staging_ring *slots;
    pmi_structure_runner *runner;
    const pmi_structure_request *request;
    pmi_tokenizer_task task;
    uint32_t tokens; /* of the text */
} match_run;

/* Before the text, which is aligned to 16. */
static uint64_t tables_bytes(const match_run *p) {
    return ((uint64_t)p->runner->tokenizer.table_words * 4 + 15) / 16 * 16;
}

/* ---- What a call needs ---- */

static pm_status kernels_make(const match_run *p) {
    pmi_structure_runner *const runner = p->runner;
    const pmi_dfa *const machine = p->request->machine;
    if (!runner->planned_created) {
        const pm_status status = pmi_indirect_create(p->device, &runner->planned);
        if (status != PM_OK)
            return status;
        runner->planned_created = true;
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

/* Bytes that go through a slot at a time: whole groups. */
static uint32_t chunk_bytes(const match_run *p) {
    const uint32_t unit = pmi_tokenizer_group_bytes(p->request->n);
    const uint64_t chunk = pmi_min(p->request->slot_bytes, UINT32_C(1) << 30) / unit * unit;
    return chunk > 0 ? (uint32_t)chunk : unit;
}

/* The text's bytes, as it is read: in whole 16. */
static uint64_t text_bytes(const match_run *p) {
    return ((uint64_t)p->request->n + 15) / 16 * 16;
}

/* Bytes of staging of a chunk, which the tables fit as well. */
static uint64_t staging_bytes(const match_run *p) {
    const uint64_t chunk = pmi_min(text_bytes(p), chunk_bytes(p));
    return chunk > tables_bytes(p) ? chunk : tables_bytes(p);
}

static pm_status text_reserve(const match_run *p) {
    const pmi_device *const device = p->device;
    pmi_structure_runner *const r = p->runner;
    pm_status status =
        pmi_buffer_reserve_for_host(device, PM_MEMORY_DEVICE_UPLOAD, tables_bytes(p) + text_bytes(p), &r->given);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, pmi_tokenizer_scratch_bytes(&r->tokenizer, p->request->n),
                                    &r->scratch);
    if (status == PM_OK)
        status = pmi_buffer_reserve(device, PM_MEMORY_DOWNLOAD, PM_STRUCTURE_RESULT_WORDS * 4, &r->result);
    return status;
}

/* Where there are no tokens there are buffers all the same. */
static pm_status tokens_reserve(const match_run *p) {
    const pmi_device *const device = p->device;
    pmi_structure_runner *const r = p->runner;
    const uint64_t words = (uint64_t)p->tokens * 4 + 4;
    const struct {
        pmi_buffer *buffer;
        uint64_t bytes;
    } wanted[] = {{&r->matching, pmi_tokenizer_matching_bytes(&r->tokenizer, p->tokens) + 4},
                  {&r->dispatches, pmi_tokenizer_plans_bytes(device, p->tokens)},
                  {&r->parens, (uint64_t)p->tokens / 32 * 4 + 4},
                  {&r->positions, words},
                  {&r->kinds, words},
                  {&r->match, words},
                  {&r->lengths, p->request->arrays.lengths ? words : 4}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const pm_status status = pmi_buffer_reserve(device, PM_MEMORY_DEVICE, wanted[k].bytes, wanted[k].buffer);
        if (status != PM_OK)
            return status;
    }
    return PM_OK;
}

static void task_make(match_run *p) {
    const pmi_structure_runner *const r = p->runner;
    p->task = (pmi_tokenizer_task){.n = p->request->n,
                                   .capacity = p->tokens,
                                   .text = r->given.address + tables_bytes(p),
                                   .tables = r->given.address,
                                   .scratch = r->scratch.address,
                                   .matching = r->matching.address,
                                   .result = r->result.address,
                                   .parens = r->parens.address,
                                   .positions = r->positions.address,
                                   .kinds = r->kinds.address,
                                   .lengths = p->request->arrays.lengths ? r->lengths.address : 0,
                                   .match = r->match.address};
}

/* ---- Up ---- */

static pm_status send_chunk(const match_run *p, uint32_t begin, uint32_t bytes) {
    const uint32_t unit = pmi_tokenizer_group_bytes(p->request->n);
    pmi_staging_chunk *slot;
    const pm_status status =
        pmi_staging_chunk_begin(p->device, p->slots, p->runner->given.mapped ? 0 : staging_bytes(p), &slot);
    if (status != PM_OK)
        return status;
    pmi_transfer_record_upload(p->device, p->slots, slot, 0, p->request->text + begin,
                               (pmi_buffer_range){&p->runner->given, tables_bytes(p) + begin, bytes});
    if (p->runner->tokenizer.of_bytes)
        pmi_tokenizer_record_reduce(p->device, slot->commands, &p->runner->tokenizer,
                                    pmi_tokenizer_parameters_make(&p->runner->tokenizer, &p->task), begin / unit,
                                    bytes / unit + (bytes % unit != 0));
    return pmi_staging_chunk_submit(p->device, slot);
}

/* ---- On the device ---- */

/* What shaders have written is seen by the host, and by copies. */
static void record_barrier_behind(const match_run *p, const pmi_staging_chunk *slot) {
    pmi_device_barrier(p->device, slot->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
}

static pm_status count_tokens(match_run *p) {
    pmi_staging_chunk *slot;
    pm_status status = pmi_staging_chunk_begin(p->device, p->slots, 0, &slot);
    if (status != PM_OK)
        return status;
    pmi_tokenizer_record_barrier(p->device, slot->commands);
    if (p->runner->tokenizer.of_bytes)
        pmi_tokenizer_record_marks(p->device, slot->commands, &p->runner->tokenizer, &p->task);
    else
        pmi_tokenizer_record_all_marks(p->device, slot->commands, &p->runner->tokenizer, &p->task);
    record_barrier_behind(p, slot);
    status = pmi_staging_chunk_submit(p->device, slot);
    if (status == PM_OK)
        status = pmi_staging_ring_finish(p->device, p->slots, false);
    if (status != PM_OK)
        return status;
    p->tokens = ((const uint32_t *)p->runner->result.mapped)[PM_STRUCTURE_RESULT_COUNT];
    return p->tokens <= PM_TOKENIZER_TOKENS_MAX ? PM_OK : PM_TOO_LARGE;
}

/* PM_TOO_LARGE: names are too long, or too alike. PM_UNSUPPORTED: the text does what no machine can follow. */
static pm_status find_structure(match_run *p) {
    const pmi_structure_runner *const r = p->runner;
    const pmi_plans plans = {.buffer = r->dispatches.handle, .address = r->dispatches.address};
    pmi_staging_chunk *slot;
    pm_status status = pmi_staging_chunk_begin(p->device, p->slots, 0, &slot);
    if (status != PM_OK)
        return status;
    pmi_tokenizer_record_structure(p->device, slot->commands, &r->tokenizer, &r->planned, &p->task, plans);
    record_barrier_behind(p, slot);
    status = pmi_staging_chunk_submit(p->device, slot);
    if (status != PM_OK || !r->tokenizer.late)
        return status;
    status = pmi_staging_ring_finish(p->device, p->slots, false);
    if (status != PM_OK)
        return status;
    const uint32_t *const result = r->result.mapped;
    if (result[PM_STRUCTURE_RESULT_COUNT] != PM_STRUCTURE_NONE)
        return PM_OK;
    return result[PM_STRUCTURE_RESULT_FAULT] == PM_STRUCTURE_IS_LONG ? PM_TOO_LARGE : PM_UNSUPPORTED;
}

/* ---- Down ---- */

/* Bits past the last token are 0. */
static void parens_end(uint64_t *parens, uint64_t count) {
    if (parens && count % 64 != 0)
        parens[count / 64] &= (UINT64_C(1) << count % 64) - 1;
}

static pm_status bring_arrays(const match_run *p) {
    const pm_delimiters_arrays *const to = &p->request->arrays;
    const pmi_structure_runner *const r = p->runner;
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
            status = pmi_transfer_download(p->device, p->slots, (pmi_buffer_range){wanted[k].from, 0, wanted[k].bytes},
                                           wanted[k].to, staging_bytes(p));
    if (status == PM_OK)
        status = pmi_staging_ring_finish(p->device, p->slots, true);
    if (status == PM_OK)
        parens_end(to->parens, count);
    return status;
}

static void summary_read(const uint32_t *result, pm_delimiters_summary *summary) {
    const bool faulty = result[PM_STRUCTURE_RESULT_FAULT] != PM_STRUCTURE_NONE;
    const bool pair = result[PM_STRUCTURE_RESULT_PARTNER] != PM_STRUCTURE_NONE;
    *summary = (pm_delimiters_summary){
        .tokens = result[PM_STRUCTURE_RESULT_COUNT],
        .unmatched = {.close = result[PM_STRUCTURE_RESULT_CLOSE], .open = result[PM_STRUCTURE_RESULT_OPEN]},
        .mismatched = result[PM_STRUCTURE_RESULT_MISMATCHED],
        .unterminated = result[PM_STRUCTURE_RESULT_UNTERMINATED] != PM_STRUCTURE_NONE,
        .faulty = faulty,
        .fault = faulty ? (pm_fault)result[PM_STRUCTURE_RESULT_FAULT] : PM_FAULT_UNMATCHED_CLOSE,
        .at = faulty ? result[PM_STRUCTURE_RESULT_AT] : 0,
        .partner = pair ? result[PM_STRUCTURE_RESULT_PARTNER] : 0};
}

/* ---- The whole way ---- */

static pm_status send_text(const match_run *p) {
    const uint32_t n = p->request->n, chunk = chunk_bytes(p);
    const pmi_tokenizer *const tokenizer = &p->runner->tokenizer;
    const pmi_buffer_range tables = {&p->runner->given, 0, (uint64_t)tokenizer->table_words * 4};
    pm_status status = pmi_transfer_upload(p->device, p->slots, tokenizer->tables, tables, staging_bytes(p));
    for (uint64_t begin = 0; begin < n && status == PM_OK; begin += chunk)
        status = send_chunk(p, (uint32_t)begin, pmi_min32(chunk, n - begin));
    return status;
}

static pm_status go(match_run *p, pm_delimiters_summary *summary) {
    pm_status status = kernels_make(p);
    if (status == PM_OK)
        status = text_reserve(p);
    if (status != PM_OK)
        return status;
    task_make(p);
    status = send_text(p);
    if (status == PM_OK)
        status = count_tokens(p);
    if (status == PM_OK)
        status = tokens_reserve(p);
    if (status != PM_OK)
        return status;
    task_make(p);
    status = find_structure(p);
    if (status == PM_OK)
        status = bring_arrays(p);
    if (status == PM_OK)
        summary_read(p->runner->result.mapped, summary);
    return status;
}

pm_status pmi_structure_run_on_device(const pmi_device *device, pmi_staging_ring *slots, pmi_structure_runner *runner,
                                      const pmi_structure_request *request, pm_delimiters_summary *summary) {
    match_run p = {.device = device, .slots = slots, .runner = runner, .request = request};
    return go(&p, summary);
}

void pmi_structure_runner_clear(const pmi_device *device, pmi_structure_runner *r) {
    pmi_buffer *const buffers[] = {&r->given,  &r->result,    &r->scratch, &r->matching, &r->dispatches,
                                   &r->parens, &r->positions, &r->lengths, &r->kinds,    &r->match};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_tokenizer_destroy(device, &r->tokenizer);
    pmi_indirect_destroy(device, &r->planned);
    *r = (pmi_structure_runner){0};
}
