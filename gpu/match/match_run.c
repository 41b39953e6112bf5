/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a match_run: records what a chunk needs into a slot's commands, and has it copied. */
#include "gpu/match/match_run.h"

#include "base/sizes.h"
#include "gpu/device/transfer.h"

static void record_barrier(const pmi_device *device, VkCommandBuffer commands) {
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static pm_status step_begin(const pmi_match_run *p, pmi_staging_chunk **s) {
    *s = p->whole;
    return p->whole ? PM_OK : pmi_staging_chunk_begin(&p->executor->device, &p->executor->slots, 0, s);
}

static pm_status step_submit(const pmi_match_run *p, pmi_staging_chunk *s) {
    return p->whole ? PM_OK : pmi_staging_chunk_submit(&p->executor->device, s);
}

pm_status pmi_match_run_reduce(const pmi_match_run *p, size_t begin) {
    const size_t rest = p->sequence.n - begin, count = pmi_min(p->chunk * 8, rest);
    pmi_staging_chunk *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    if (p->parens) {
        const pmi_buffer_range to = {&p->executor->parens, begin / 8, pmi_divide_up(count, 32) * 4};
        pmi_transfer_record_upload(&p->executor->device, &p->executor->slots, s, 0, p->parens + begin / 64, to);
    }
    pmi_pipeline_record(&p->executor->device, s->commands, p->pipeline, PM_STAGE_REDUCE, &p->sequence, (uint32_t)begin,
                        (uint32_t)count, 0);
    return step_submit(p, s);
}

pm_status pmi_match_run_scan(const pmi_match_run *p) {
    const pmi_device *const device = &p->executor->device;
    if (!pmi_pipeline_has_stage(device, p->pipeline, PM_STAGE_SCAN, p->sequence.n))
        return PM_OK;
    pmi_staging_chunk *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    record_barrier(device, s->commands);
    pmi_pipeline_record(device, s->commands, p->pipeline, PM_STAGE_SCAN, &p->sequence, 0, p->sequence.n, 0);
    return step_submit(p, s);
}

pm_status pmi_match_run_match(const pmi_match_run *p, size_t begin) {
    const pmi_device *const device = &p->executor->device;
    const size_t count = pmi_min(p->chunk / sizeof *p->match, p->sequence.n - begin);
    pmi_staging_chunk *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    record_barrier(device, s->commands);
    pmi_pipeline_record(device, s->commands, p->pipeline, PM_STAGE_MATCH, &p->sequence, (uint32_t)begin,
                        (uint32_t)count, s->output.address);
    if (p->match)
        pmi_transfer_record_download(device, s, (pmi_buffer_range){&s->output, 0, count * sizeof *p->match},
                                     p->match + begin);
    return step_submit(p, s);
}
