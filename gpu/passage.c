/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a passage: records what a chunk needs into a slot's commands, and has it copied. */
#include "gpu/passage.h"

#include "core/sizes.h"

static void record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static pm_status step_begin(const pm_passage *p, pm_slot **s) {
    *s = p->whole;
    return p->whole ? PM_OK : pm_slot_begin(&p->station->device, &p->station->slots, s);
}

static pm_status step_submit(const pm_passage *p, pm_slot *s) {
    return p->whole ? PM_OK : pm_slot_submit(&p->station->device, s);
}

/* Bytes of the sequence to their place on the device. What the host writes before a submission, the device sees. */
static void upload(const pm_passage *p, pm_slot *s, size_t begin, size_t bytes) {
    const pm_station *const station = p->station;
    const unsigned char *const from = (const unsigned char *)p->parens + begin;
    if (station->parens.mapped) {
        pm_slots_copy(&station->slots, (unsigned char *)station->parens.mapped + begin, from, bytes);
        return;
    }
    const VkBufferCopy copy = {.dstOffset = begin, .size = bytes};
    pm_slots_copy(&station->slots, s->staging.mapped, from, bytes);
    station->device.vk->CmdCopyBuffer(s->commands, s->staging.handle, station->parens.handle, 1, &copy);
    pm_device_barrier(&station->device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

pm_status pm_passage_reduce(const pm_passage *p, size_t begin) {
    const size_t rest = p->sequence.n - begin, count = pm_least(p->chunk * 8, rest);
    pm_slot *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    if (p->parens)
        upload(p, s, begin / 8, (count / 32 + (count % 32 != 0)) * 4);
    pm_pipeline_record(&p->station->device, s->commands, p->pipeline, PM_STAGE_REDUCE, &p->sequence, (uint32_t)begin,
                       (uint32_t)count, 0);
    return step_submit(p, s);
}

pm_status pm_passage_scan(const pm_passage *p) {
    const pm_device *const device = &p->station->device;
    if (!pm_pipeline_has_stage(device, p->pipeline, PM_STAGE_SCAN, p->sequence.n))
        return PM_OK;
    pm_slot *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    record_barrier(device, s->commands);
    pm_pipeline_record(device, s->commands, p->pipeline, PM_STAGE_SCAN, &p->sequence, 0, p->sequence.n, 0);
    return step_submit(p, s);
}

/* A chunk of the match, which shaders have written, to where the host sees it; and the summary, in the last of them. */
static void download(const pm_device *device, pm_slot *s, size_t bytes) {
    if (s->output.mapped) {
        pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        return;
    }
    const VkBufferCopy copy = {.size = bytes};
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT); /* the match; the summary */
    device->vk->CmdCopyBuffer(s->commands, s->output.handle, s->staging.handle, 1, &copy);
    pm_device_barrier(device, s->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

pm_status pm_passage_match(const pm_passage *p, size_t begin) {
    const pm_device *const device = &p->station->device;
    const size_t count = pm_least(p->chunk / sizeof *p->match, p->sequence.n - begin);
    pm_slot *s;
    const pm_status status = step_begin(p, &s);
    if (status != PM_OK)
        return status;
    record_barrier(device, s->commands);
    pm_pipeline_record(device, s->commands, p->pipeline, PM_STAGE_MATCH, &p->sequence, (uint32_t)begin, (uint32_t)count,
                       s->output.address);
    if (p->match) {
        s->to = p->match + begin;
        s->bytes = count * sizeof *p->match;
        download(device, s, s->bytes);
    }
    return step_submit(p, s);
}
