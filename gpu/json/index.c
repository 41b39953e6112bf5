/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that make the index of a JSON text, and their workgroups. */
#include "gpu/json/index.h"

#include "base/sizes.h"
#include "shaders/spv/json.h"

/* Shared memory of the largest kernel, write, and a little for the compiler. */
#define WORKGROUP_BYTES (2 * PM_INDEX_LANES * 8 + 2048 * 4 + PM_INDEX_TILE / 8 + 64)

#define TEXT_WORDS 8u /* in a row of masks */

_Static_assert(sizeof(pmi_index_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(2 * PM_INDEX_LANES * 16 <= WORKGROUP_BYTES, "count has less");

/* ---- Creating ---- */

pm_status pmi_index_create(const pmi_device *device, pmi_index *index) {
    const pmi_shader shaders[PM_INDEX_STAGES] = {
        [PM_INDEX_REDUCE] = PM_SHADER(spv_json_reduce), [PM_INDEX_SCAN] = PM_SHADER(spv_json_scan),
        [PM_INDEX_MARK] = PM_SHADER(spv_json_mark),     [PM_INDEX_COUNT] = PM_SHADER(spv_json_count),
        [PM_INDEX_CLEAR] = PM_SHADER(spv_json_clear),   [PM_INDEX_WRITE] = PM_SHADER(spv_json_write),
        [PM_INDEX_GAPS] = PM_SHADER(spv_json_gaps),     [PM_INDEX_CHECK] = PM_SHADER(spv_json_check),
        [PM_INDEX_TELL] = PM_SHADER(spv_json_tell)};
    *index = (pmi_index){0};
    if (device->can.workgroup_invocations < PM_INDEX_LANES || device->can.workgroup_bytes < WORKGROUP_BYTES)
        return PM_UNSUPPORTED;
    pm_status status = PM_OK;
    for (unsigned k = 0; k < PM_INDEX_STAGES && status == PM_OK; k++)
        if (shaders[k].words)
            status = pmi_kernel_create(device, shaders[k], 0, &index->kernels[k]);
    if (status != PM_OK)
        pmi_index_destroy(device, index);
    return status;
}

void pmi_index_destroy(const pmi_device *device, pmi_index *index) {
    for (unsigned k = 0; k < PM_INDEX_STAGES; k++)
        pmi_kernel_destroy(device, &index->kernels[k]);
}

/* ---- Sizes ---- */

static uint32_t tiles_of(uint32_t n) {
    return pmi_divide_up32(n, PM_INDEX_TILE);
}

uint64_t pmi_index_words(uint32_t n) {
    return pmi_divide_up(n, TEXT_WORDS * PM_INDEX_LANE_BYTES) * TEXT_WORDS;
}

static uint64_t aligned(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

uint64_t pmi_index_scratch_bytes(uint32_t n) {
    return ((uint64_t)tiles_of(n) + 1) * 16 + (uint64_t)PM_INDEX_FOUND_WORDS * 4;
}

/* Lays out what brackets need; returns its end. `levels` receives where the scratch of the match is. */
static uint64_t matching_lay_out(uint32_t capacity, uint64_t address, pmi_index_parameters *p, uint64_t *levels) {
    p->list = address;
    p->parens = aligned(p->list + (uint64_t)capacity * 8);
    p->match = aligned(p->parens + pmi_divide_up(capacity, 32) * 4);
    *levels = aligned(p->match + (uint64_t)capacity * 4);
    return *levels + pmi_levels_scratch_bytes(capacity);
}

uint64_t pmi_index_matching_bytes(uint32_t capacity) {
    pmi_index_parameters parameters;
    uint64_t levels;
    return capacity > 0 ? matching_lay_out(capacity, 0, &parameters, &levels) : 0;
}

static pmi_index_parameters parameters_make(const pmi_index_task *task, uint64_t *levels) {
    pmi_index_parameters p = {.text = task->text,
                              .tiles = task->scratch,
                              .tokens = task->tokens,
                              .brackets = task->brackets,
                              .before_words = task->before,
                              .partners = task->partners,
                              .positions = task->positions,
                              .found = task->scratch + ((uint64_t)tiles_of(task->n) + 1) * 16,
                              .result = task->result,
                              .n = task->n,
                              .capacity = task->capacity,
                              .token_capacity = task->token_capacity};
    matching_lay_out(task->capacity, task->matching, &p, levels);
    return p;
}

/* ---- Recording ---- */

static void record_tiles(const pmi_index_recording *r, const pmi_kernel *kernel, pmi_index_parameters p) {
    pmi_kernel_dispatch_parts(r->device, r->commands, kernel, &p, sizeof p, &p.first, 0, tiles_of(p.n),
                              r->device->can.dispatch_tiles / (PM_INDEX_TILE / PM_TILE));
}

static void record_workgroups(const pmi_index_recording *r, const pmi_kernel *kernel, pmi_index_parameters p,
                              uint32_t count) {
    pmi_kernel_dispatch(r->device, r->commands, kernel, &p, sizeof p, count);
}

/* Where the match's plans begin. */
static pmi_plans match_plans(const pmi_index_recording *r, uint32_t capacity) {
    return pmi_plans_after(r->plans, pmi_indirect_bytes(pmi_levels_reduce_all(r->device, capacity)));
}

static void record_match(const pmi_index_recording *r, const pmi_index_parameters *p, uint64_t scratch) {
    const uint32_t n = p->capacity;
    const uint64_t count = p->result + UINT64_C(4) * PM_INDEX_RESULT_BRACKETS;
    const uint64_t summary = p->result + UINT64_C(4) * PM_INDEX_RESULT_CLOSE;
    const pmi_levels_parameters parameters = pmi_levels_parameters_make(n, p->parens, scratch, summary);
    const pmi_plan_task reduce = pmi_levels_reduce_all(r->device, n), match = pmi_levels_match_all(r->device, n);
    const pmi_plans of_match = match_plans(r, n);
    pmi_indirect_record_plan(r->device, r->commands, r->indirect, count, n, reduce, r->plans);
    pmi_indirect_record_plan(r->device, r->commands, r->indirect, count, n, match, of_match);
    pmi_indirect_record_barrier(r->device, r->commands);
    pmi_indirect_record_reduce(r->device, r->commands, r->indirect, parameters, reduce, r->plans);
    pmi_shader_barrier(r->device, r->commands);
    pmi_indirect_record_scan(r->device, r->commands, r->indirect, parameters, r->plans);
    pmi_shader_barrier(r->device, r->commands);
    pmi_indirect_record_match(r->device, r->commands, r->indirect, parameters, match, p->match, of_match);
}

void pmi_index_record_stage(const pmi_index_recording *r, const pmi_index_task *task, pmi_index_stage stage) {
    uint64_t levels;
    pmi_index_parameters p = parameters_make(task, &levels);
    const pmi_kernel *const kernel = &r->index->kernels[stage];
    switch (stage) {
    case PM_INDEX_REDUCE:
    case PM_INDEX_MARK:
    case PM_INDEX_WRITE:
        record_tiles(r, kernel, p);
        break;
    case PM_INDEX_CLEAR:
        record_workgroups(r, kernel, p, tiles_of(p.n) / PM_INDEX_LANES + 1);
        break;
    case PM_INDEX_MATCH:
        if (p.capacity > 0)
            record_match(r, &p, levels);
        break;
    case PM_INDEX_CHECK:
        if (p.capacity > 0)
            pmi_indirect_dispatch(r->device, r->commands, kernel, &p, sizeof p, &p.plan,
                                  pmi_levels_match_all(r->device, p.capacity), match_plans(r, p.capacity));
        break;
    default:
        record_workgroups(r, kernel, p, 1);
    }
}

void pmi_index_record(const pmi_index_recording *recording, const pmi_index_task *task, pmi_index_stage first,
                      pmi_index_stage end) {
    for (unsigned stage = first; stage < end; stage++) {
        if (stage > first)
            pmi_shader_barrier(recording->device, recording->commands);
        pmi_index_record_stage(recording, task, (pmi_index_stage)stage);
    }
}
