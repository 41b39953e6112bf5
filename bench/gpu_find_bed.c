/* SPDX-License-Identifier: Apache-2.0 */
/* The one device that is open, with all that lies on it. */
#include "bench/gpu_find_bed.h"

#include <stdlib.h>
#include <string.h>

#include "bench/stop.h"
#include "gpu/pfac.h"

enum {
    STAGING_BYTES = 1 << 26,
    WARM_UP_SUBMISSIONS = 3,
    READINGS_MOST = (GPU_FIND_STAGES + 1) * GPU_FIND_REPETITIONS
};

static const uint32_t floor_words[] = {
#include "shaders/spv/floor_read.inc"
};

static struct gpu_find_bed {
    pm_device device;
    pm_slots slots;
    VkQueryPool clock;
    pm_pfac pfac;
    pm_kernel floor;
    pm_pfac_dicts dicts;
    const pm_pfac_dict *dict;
    pm_buffer staging, text, scratch, hits, total;
    pm_pfac_parameters parameters;
    uint32_t n, hit_count;
} bed;

static void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

/* ---- Commands ---- */

static pm_slot *commands_begin(void) {
    pm_slot *slot;
    must(pm_slot_begin(&bed.device, &bed.slots, &slot), "recording");
    bed.device.vk->CmdResetQueryPool(slot->commands, bed.clock, 0, READINGS_MOST);
    return slot;
}

static void commands_run(pm_slot *slot) {
    pm_device_barrier(&bed.device, slot->commands,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                      VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_READ_BIT);
    must(pm_slot_submit(&bed.device, slot), "submitting");
    must(pm_slots_land(&bed.device, &bed.slots, false), "waiting");
}

static void clock_read(const pm_slot *slot, unsigned reading) {
    bed.device.vk->CmdWriteTimestamp(slot->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, bed.clock, reading);
}

/* ---- What is timed ---- */

static void record_stage(const pm_slot *slot, unsigned stage) {
    if (stage == GPU_FIND_SEARCH)
        pm_pfac_record_search(&bed.device, slot->commands, &bed.pfac, bed.dict, bed.parameters);
    else if (stage == GPU_FIND_SCAN)
        pm_pfac_record_scan(&bed.device, slot->commands, &bed.pfac, bed.parameters);
    else
        pm_pfac_record_write(&bed.device, slot->commands, &bed.pfac, bed.dict, bed.parameters, 0, bed.hit_count);
    pm_pfac_record_barrier(&bed.device, slot->commands);
}

static void record_floor(const pm_slot *slot) {
    const pm_floor_read_parameters p = {.from = bed.text.address, .to = bed.total.address, .count = bed.n / 16};
    pm_kernel_dispatch(&bed.device, slot->commands, &bed.floor, &p, sizeof p,
                       (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    pm_pfac_record_barrier(&bed.device, slot->commands);
}

/* ---- Times ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of what passed from reading `from` to reading `to` of each repetition. */
static double passed_us(const uint64_t *readings, unsigned per_rep, unsigned from, unsigned to, unsigned repetitions) {
    double us[GPU_FIND_REPETITIONS];
    for (unsigned r = 0; r < repetitions; r++)
        us[r] = (double)(readings[r * per_rep + to] - readings[r * per_rep + from]) * bed.device.tick_ns * 1e-3;
    qsort(us, repetitions, sizeof *us, compare);
    return us[repetitions / 2];
}

static void readings_get(uint64_t *readings, unsigned count) {
    must(pm_vk_status(bed.device.vk->GetQueryPoolResults(bed.device.handle, bed.clock, 0, count,
                                                         count * sizeof *readings, readings, sizeof *readings,
                                                         VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT)),
         "reading the clock");
}

/* A submission of repetitions: of the stages, with a reading behind each or one behind all; or of the floor. */
static void submission(bool floor, bool each, unsigned repetitions, uint64_t *readings) {
    const unsigned per_rep = each ? GPU_FIND_STAGES + 1 : 2;
    pm_slot *const slot = commands_begin();
    for (unsigned r = 0; r < repetitions; r++) {
        clock_read(slot, r * per_rep);
        if (floor)
            record_floor(slot);
        for (unsigned stage = 0; stage < GPU_FIND_STAGES && !floor; stage++) {
            record_stage(slot, stage);
            if (each)
                clock_read(slot, r * per_rep + stage + 1);
        }
        if (!each)
            clock_read(slot, r * per_rep + 1);
    }
    commands_run(slot);
    readings_get(readings, per_rep * repetitions);
}

static void settled(bool floor, bool each, unsigned repetitions, uint64_t *readings) {
    for (unsigned k = 0; k <= WARM_UP_SUBMISSIONS; k++)
        submission(floor, each, repetitions, readings);
}

void gpu_find_bed_time_stages(unsigned repetitions, double us[GPU_FIND_STAGES]) {
    uint64_t readings[READINGS_MOST];
    settled(false, true, repetitions, readings);
    for (unsigned stage = 0; stage < GPU_FIND_STAGES; stage++)
        us[stage] = passed_us(readings, GPU_FIND_STAGES + 1, stage, stage + 1, repetitions);
}

double gpu_find_bed_time(unsigned repetitions) {
    uint64_t readings[READINGS_MOST];
    settled(false, false, repetitions, readings);
    return passed_us(readings, 2, 0, 1, repetitions);
}

double gpu_find_bed_time_floor(unsigned repetitions) {
    uint64_t readings[READINGS_MOST];
    settled(true, false, repetitions, readings);
    return passed_us(readings, 2, 0, 1, repetitions);
}

/* ---- Texts, dictionaries, hits ---- */

static void copy(const pm_buffer *from, uint64_t from_offset, const pm_buffer *to, uint64_t to_offset, uint64_t size) {
    const VkBufferCopy region = {.srcOffset = from_offset, .dstOffset = to_offset, .size = size};
    pm_slot *const slot = commands_begin();
    bed.device.vk->CmdCopyBuffer(slot->commands, from->handle, to->handle, 1, &region);
    commands_run(slot);
}

static uint64_t piece_of(uint64_t left) {
    return left < STAGING_BYTES ? left : STAGING_BYTES;
}

void gpu_find_bed_load(const char *text, uint32_t n) {
    must(pm_buffer_reserve(&bed.device, PM_MEMORY_DEVICE, (uint64_t)n + PM_PFAC_TEXT_BEYOND, &bed.text), "the text");
    for (uint64_t done = 0; done < n; done += piece_of(n - done)) {
        memcpy(bed.staging.mapped, text + done, piece_of(n - done));
        copy(&bed.staging, 0, &bed.text, done, piece_of(n - done));
    }
    bed.n = n;
}

uint32_t gpu_find_bed_prepare(const pm_dict *dict) {
    must(pm_pfac_dicts_get(&bed.device, &bed.slots, &bed.dicts, dict, &bed.dict), "the dictionary");
    if (bed.n > pm_pfac_places_most(&bed.device, bed.dict))
        stop("the text", "too long for a search at one go");
    must(pm_buffer_reserve(&bed.device, PM_MEMORY_DEVICE, pm_pfac_scratch_bytes(bed.dict, bed.n), &bed.scratch),
         "scratch");
    pm_pfac_text text = {.text = bed.text.address,
                         .n = bed.n,
                         .places = bed.n,
                         .scratch = bed.scratch.address,
                         .total = bed.total.address};
    bed.parameters = pm_pfac_parameters_make(bed.dict, &text);
    pm_slot *const slot = commands_begin();
    record_stage(slot, GPU_FIND_SEARCH);
    record_stage(slot, GPU_FIND_SCAN);
    commands_run(slot);
    bed.hit_count = *(const uint32_t *)bed.total.mapped;
    must(pm_buffer_reserve(&bed.device, PM_MEMORY_DEVICE, ((uint64_t)bed.hit_count + 1) * sizeof(pm_hit), &bed.hits),
         "hits");
    text.hits = bed.hits.address;
    bed.parameters = pm_pfac_parameters_make(bed.dict, &text);
    return bed.hit_count;
}

const pm_hit *gpu_find_bed_hits(void) {
    static pm_hit *hits;
    free(hits);
    const uint64_t bytes = (uint64_t)bed.hit_count * sizeof *hits;
    hits = malloc(bytes + 1);
    if (!hits)
        stop("hits", "no memory");
    pm_slot *const slot = commands_begin();
    for (unsigned stage = 0; stage < GPU_FIND_STAGES; stage++)
        record_stage(slot, stage);
    commands_run(slot);
    for (uint64_t done = 0; done < bytes; done += piece_of(bytes - done)) {
        copy(&bed.hits, done, &bed.staging, 0, piece_of(bytes - done));
        memcpy((char *)hits + done, bed.staging.mapped, piece_of(bytes - done));
    }
    return hits;
}

/* ---- Opening and closing ---- */

pm_status gpu_find_bed_open(const pm_gpu_settings *settings) {
    pm_device *const device = &bed.device;
    const pm_status status = pm_device_open(settings, device);
    if (status != PM_OK)
        return status;
    if (device->tick_ns <= 0) {
        pm_device_close(device);
        return PM_NO_DEVICE;
    }
    const VkQueryPoolCreateInfo clock = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = READINGS_MOST};
    must(pm_slots_create(device, settings, &bed.slots), "commands");
    must(pm_vk_status(device->vk->CreateQueryPool(device->handle, &clock, NULL, &bed.clock)), "the clock");
    must(pm_pfac_create(device, &bed.pfac), "kernels");
    must(pm_kernel_create(device, (pm_shader){floor_words, sizeof floor_words}, 0, &bed.floor), "kernels");
    must(pm_buffer_create(device, PM_MEMORY_DOWNLOAD, STAGING_BYTES, &bed.staging), "memory");
    must(pm_buffer_create(device, PM_MEMORY_DOWNLOAD, 16, &bed.total), "memory");
    return PM_OK;
}

void gpu_find_bed_close(void) {
    pm_device *const device = &bed.device;
    pm_buffer *const buffers[] = {&bed.staging, &bed.text, &bed.scratch, &bed.hits, &bed.total};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pm_buffer_destroy(device, buffers[b]);
    pm_pfac_dicts_clear(device, &bed.dicts);
    pm_kernel_destroy(device, &bed.floor);
    pm_pfac_destroy(device, &bed.pfac);
    device->vk->DestroyQueryPool(device->handle, bed.clock, NULL);
    pm_slots_destroy(device, &bed.slots);
    pm_device_close(device);
}

const char *gpu_find_bed_name(void) {
    return bed.device.name;
}
