/* SPDX-License-Identifier: Apache-2.0 */
/* The one device that is open, with all that lies on it. */
#include "bench/gpu/find_fixture.h"

#include <stdlib.h>

#include "bench/gpu/timing.h"
#include "gpu/find/pfac.h"
#include "shaders/spv/match.h"

_Static_assert(GPU_FIND_REPETITIONS <= REPETITIONS_MOST && (int)GPU_FIND_STAGES <= TIMED_STAGES_MOST,
               "what can be timed");

static struct gpu_find_bed {
    gpu_timing timing;
    pmi_staging_ring slots; /* that dictionaries go up through */
    pmi_pfac pfac;
    pmi_kernel floor;
    pmi_pfac_dicts dicts;
    const pmi_pfac_dict *dict;
    pmi_buffer text, scratch, hits, total;
    pmi_pfac_parameters parameters;
    uint32_t n, hit_count;
} bed;

/* ---- What is timed ---- */

static void record_stage(unsigned stage, const void *of) {
    const pmi_device *const device = &bed.timing.device;
    const VkCommandBuffer commands = bed.timing.commands;
    (void)of;
    if (stage == GPU_FIND_SEARCH)
        pmi_pfac_record_search(device, commands, &bed.pfac, bed.dict, bed.parameters);
    else if (stage == GPU_FIND_SCAN)
        pmi_pfac_record_scan(device, commands, &bed.pfac, bed.parameters);
    else
        pmi_pfac_record_write(device, commands, &bed.pfac, bed.dict, bed.parameters, 0, bed.hit_count);
    pmi_pfac_record_barrier(device, commands);
}

static void record_floor(unsigned stage, const void *of) {
    const pmi_floor_read_parameters p = {.from = bed.text.address, .to = bed.total.address, .count = bed.n / 16};
    (void)stage;
    (void)of;
    pmi_kernel_dispatch(&bed.timing.device, bed.timing.commands, &bed.floor, &p, sizeof p,
                        (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    pmi_pfac_record_barrier(&bed.timing.device, bed.timing.commands);
}

/* The first stages, waited for. */
static void run_stages(unsigned stages) {
    gpu_timing_begin(&bed.timing);
    for (unsigned stage = 0; stage < stages; stage++)
        record_stage(stage, NULL);
    gpu_timing_run(&bed.timing);
}

/* ---- Times ---- */

void gpu_find_bed_time_stages(unsigned repetitions, double us[GPU_FIND_STAGES]) {
    gpu_timing_stages_us(&bed.timing, repetitions, record_stage, GPU_FIND_STAGES, NULL, us);
}

double gpu_find_bed_time(unsigned repetitions) {
    return gpu_timing_all_us(&bed.timing, repetitions, record_stage, GPU_FIND_STAGES, NULL);
}

double gpu_find_bed_time_floor(unsigned repetitions) {
    return gpu_timing_all_us(&bed.timing, repetitions, record_floor, 1, NULL);
}

/* ---- Texts, dictionaries, hits ---- */

void gpu_find_bed_load(const char *text, uint32_t n) {
    must(pmi_buffer_reserve(&bed.timing.device, PM_MEMORY_DEVICE, (uint64_t)n + PM_PFAC_TEXT_BEYOND, &bed.text),
         "the text");
    gpu_timing_upload(&bed.timing, text, n, &bed.text);
    bed.n = n;
}

uint32_t gpu_find_bed_prepare(const pm_dict *dict) {
    must(pmi_pfac_dicts_get(&bed.timing.device, &bed.slots, &bed.dicts, dict, &bed.dict), "the dictionary");
    if (bed.n > pmi_pfac_places_max(&bed.timing.device, bed.dict))
        stop("the text", "too long for a search at one go");
    must(
        pmi_buffer_reserve(&bed.timing.device, PM_MEMORY_DEVICE, pmi_pfac_scratch_bytes(bed.dict, bed.n), &bed.scratch),
        "scratch");
    pmi_pfac_text text = {.text = bed.text.address,
                          .n = bed.n,
                          .places = bed.n,
                          .scratch = bed.scratch.address,
                          .total = bed.total.address};
    bed.parameters = pmi_pfac_parameters_make(bed.dict, &text);
    run_stages(GPU_FIND_WRITE);
    bed.hit_count = *(const uint32_t *)bed.total.mapped;
    must(pmi_buffer_reserve(&bed.timing.device, PM_MEMORY_DEVICE, ((uint64_t)bed.hit_count + 1) * sizeof(pm_hit),
                            &bed.hits),
         "hits");
    text.hits = bed.hits.address;
    bed.parameters = pmi_pfac_parameters_make(bed.dict, &text);
    return bed.hit_count;
}

const pm_hit *gpu_find_bed_hits(void) {
    static pm_hit *hits;
    free(hits);
    const uint64_t bytes = (uint64_t)bed.hit_count * sizeof *hits;
    hits = malloc(bytes + 1);
    if (!hits)
        stop("hits", "no memory");
    run_stages(GPU_FIND_STAGES);
    gpu_timing_download(&bed.timing, &bed.hits, bytes, hits);
    return hits;
}

/* ---- Opening and closing ---- */

pm_status gpu_find_bed_open(const pmi_gpu_settings *settings) {
    const pmi_device *const device = &bed.timing.device;
    const pm_status status = gpu_timing_try(settings, &bed.timing);
    if (status != PM_OK)
        return status;
    must(pmi_staging_ring_create(device, settings, &bed.slots), "commands");
    must(pmi_pfac_create(device, &bed.pfac), "kernels");
    must(pmi_kernel_create(device, (pmi_shader){spv_match_floor_read, sizeof spv_match_floor_read}, 0, &bed.floor),
         "kernels");
    must(pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, 16, &bed.total), "memory");
    return PM_OK;
}

void gpu_find_bed_close(void) {
    const pmi_device *const device = &bed.timing.device;
    pmi_buffer *const buffers[] = {&bed.text, &bed.scratch, &bed.hits, &bed.total};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_pfac_dicts_clear(device, &bed.dicts);
    pmi_kernel_destroy(device, &bed.floor);
    pmi_pfac_destroy(device, &bed.pfac);
    pmi_staging_ring_destroy(device, &bed.slots);
    gpu_timing_close(&bed.timing);
}

const char *gpu_find_bed_name(void) {
    return bed.timing.device.name;
}
