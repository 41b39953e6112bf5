/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a match_run: records what a chunk needs into a slot's commands, and has it copied. */
#include "gpu/match/match_run.h"

#include "base/sizes.h"

static void record_barrier(const pmi_device *device, VkCommandBuffer commands) {
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static pm_status step_begin(const pmi_match_run *p, pmi_staging_chunk **s) {
    *s = p->whole;
    return p->whole ? PM_OK : pmi_staging_chunk_begin(&p->executor->device, &p->executor->slots, s);
}

static pm_status step_submit(const pmi_match_run *p, pmi_staging_chunk *s) {
    return p->whole ? PM_OK : pmi_staging_chunk_submit(&p->executor->device, s);
}

/* Bytes of the sequence to their place on the device. What the host writes before a submission, the device sees. */
static void upload(const pmi_match_run *p, pmi_staging_chunk *s, size_t begin, size_t bytes) {
    const pmi_executor *const executor = p->executor;
    const unsigned char *const from = (const unsigned char *)p->parens + begin;
    if (executor->parens.mapped) {
        pmi_staging_ring_copy(&executor->slots, (unsigned char *)executor->parens.mapped + begin, from, bytes);
        return;
    }
    const VkBufferCopy copy = {.dstOffset = begin, .size = bytes};
    pmi_staging_ring_copy(&executor->slots, s->staging.mapped, from, bytes);
    executor->device.vk->CmdCopyBuffer(s->commands, s->staging.handle, executor->parens.handle, 1, &copy);
    pmi_device_barrier(&executor->device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

pm_status pmi_match_run_reduce(const pmi_match_run *p, size_t begin) {
    const size_t rest = p->sequence.n - begin, count = pmi_min(p->chunk * 8, rest);
    pmi_staging_chunk *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    if (p->parens)
        upload(p, s, begin / 8, (count / 32 + (count % 32 != 0)) * 4);
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

/* A chunk of the match, which shaders have written, to where the host sees it; and the summary, in the last of them. */
static void download(const pmi_device *device, pmi_staging_chunk *s, size_t bytes) {
    if (s->output.mapped) {
        pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        return;
    }
    const VkBufferCopy copy = {.size = bytes};
    pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT); /* the match; the summary */
    device->vk->CmdCopyBuffer(s->commands, s->output.handle, s->staging.handle, 1, &copy);
    pmi_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
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
    if (p->match) {
        s->to = p->match + begin;
        s->bytes = count * sizeof *p->match;
        download(device, s, s->bytes);
    }
    return step_submit(p, s);
}
