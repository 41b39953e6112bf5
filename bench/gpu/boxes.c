/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite boxes: each stage of boxes and all together, the scene being on the device; the floor is reading kinds and
 * boxes and writing as many boxes. Every result is compared with that of several threads of the host.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "gpu/boxes/boxes.h"
#include "inputs/scenes.h"
#include "shaders/spv/boxes.h"

/* Each of them is slow for some stage. */
static const char *const families[] = {"mixed:0:random",
                                       "mixed:33:random",
                                       "mixed:90:random",
                                       "wide",
                                       "cards",
                                       "mixed:0:deep",
                                       "mixed:50:deep",
                                       "clips:0:random",
                                       "clips:0:opens",
                                       "blends:0:random",
                                       "clips:33:random",
                                       "blends:33:random",
                                       "mixed:0:saw:64",
                                       "mixed:0:saw:1000",
                                       "mixed:0:saw:70000",
                                       "mixed:33:sparse:511",
                                       "mixed:33:opens",
                                       "blends:33:saw:70000",
                                       "kinds",
                                       NULL};

static struct bench {
    gpu_timing timing;
    pmi_boxes boxes;                           /* in use: one of the variants */
    pmi_boxes variants[1 + GPU_VARIANTS_MOST]; /* the library's, and those of gpu_options.spirv */
    pmi_kernel floor;
    pmi_boxes_scene scene; /* of the present size */
    double floor_us;
    pmi_buffer kinds, given, results, scratch, dispatches;
    uint8_t *host_kinds; /* from here on: on the host */
    pm_box *host_boxes, *expected, *found;
} bench;

/* ---- What is timed ---- */

static void record_stage(unsigned stage, const void *of) {
    const pmi_boxes_scene *const scene = of;
    if (!pmi_boxes_has_stage(&bench.boxes, scene, (pmi_boxes_stage)stage))
        return;
    pmi_boxes_record(&bench.timing.device, bench.timing.commands, &bench.boxes, scene, (pmi_boxes_stage)stage, 0,
                     pmi_boxes_tiles(scene->n));
    gpu_timing_barrier(&bench.timing);
}

static void record_floor(unsigned stage, const void *of) {
    const pmi_boxes_scene *const scene = of;
    const pmi_boxes_floor_parameters p = {
        .kinds = scene->kinds, .boxes = scene->boxes, .results = scene->results, .n = scene->n};
    (void)stage;
    pmi_kernel_dispatch(&bench.timing.device, bench.timing.commands, &bench.floor, &p, sizeof p,
                        (scene->n + PM_BOXES_FLOOR_ELEMENTS - 1) / PM_BOXES_FLOOR_ELEMENTS);
    gpu_timing_barrier(&bench.timing);
}

/* ---- Scenes ---- */

static enum gpu_verdict verify(const pmi_boxes_scene *scene) {
    const size_t bytes = (size_t)scene->n * sizeof *bench.found;
    gpu_timing_once(&bench.timing, record_stage, PM_BOXES_STAGES, scene);
    gpu_timing_download(&bench.timing, &bench.results, bytes, bench.found);
    return memcmp(bench.found, bench.expected, bytes) == 0 ? GPU_VERIFIED : GPU_WRONG;
}

static uint32_t lacks_of(const uint8_t *kinds, uint32_t n) {
    uint32_t lacks = PM_BOXES_NO_CLIPS | PM_BOXES_NO_BLENDS;
    for (uint32_t i = 0; i < n; i++)
        lacks &= ~((kinds[i] & 3) == 1 ? (uint32_t)PM_BOXES_NO_CLIPS : (kinds[i] & 3) == 2 ? PM_BOXES_NO_BLENDS : 0);
    return lacks;
}

static void run_variant(const char *family, const char *variant, const char *promised) {
    const uint32_t n = bench.scene.n;
    const enum gpu_verdict verdict = verify(&bench.scene);
    gpu_times times =
        gpu_timing_take(&bench.timing, gpu_options.repetitions, record_stage, PM_BOXES_STAGES, &bench.scene);
    times.floor_us = bench.floor_us;
    gpu_row(&times, n, verdict, "%s%s%s%s\t%u", family, promised, *variant ? " " : "", variant, n);
}

/* Short scenes without clips, or without blends, also with that promised: NAME no-clips, NAME no-blends. */
static void run(const char *family, uint32_t n) {
    if (!scene_fill(family, 1, n, bench.host_kinds, bench.host_boxes))
        stop(family, "no such family");
    gpu_timing_upload(&bench.timing, bench.host_kinds, (n + 3) / 4 * 4, &bench.kinds);
    gpu_timing_upload(&bench.timing, bench.host_boxes, (uint64_t)n * sizeof(pm_box), &bench.given);
    must(pm_box_omp(NULL, bench.host_kinds, bench.host_boxes, n, bench.expected), "boxes on the host");
    for (size_t v = 0; v <= gpu_options.spirv.count; v++) {
        const char *const variant = v == 0 ? "" : gpu_options.spirv.names[v - 1];
        bench.boxes = bench.variants[v];
        run_variant(family, variant, "");
        bench.scene.lacks = lacks_of(bench.host_kinds, n);
        if (bench.scene.lacks && pmi_boxes_slices_take(&bench.boxes.slices, n))
            run_variant(family, variant, bench.scene.lacks & PM_BOXES_NO_CLIPS ? " no-clips" : " no-blends");
        bench.scene.lacks = 0;
    }
}

static void begin(uint32_t n) {
    bench.scene =
        (pmi_boxes_scene){.n = n,
                          .kinds = bench.kinds.address,
                          .boxes = bench.given.address,
                          .results = bench.results.address,
                          .scratch = bench.scratch.address,
                          .dispatches = {.buffer = bench.dispatches.handle, .address = bench.dispatches.address}};
    bench.floor_us = gpu_timing_all_us(&bench.timing, gpu_options.repetitions, record_floor, 1, &bench.scene);
}

/* ---- Setting up ---- */

/* Makes the kernel again of the folder's shader of this name, if there is one. */
static void kernel_take(const char *folder, const char *name, uint32_t teams, const pmi_constant *constants,
                        uint32_t count, pmi_kernel *kernel) {
    const pmi_device *const device = &bench.timing.device;
    size_t bytes;
    uint32_t *const words = gpu_variant_read(device, folder, name, &bytes);
    if (!words)
        return;
    pmi_kernel_destroy(device, kernel);
    must(pmi_kernel_create_with(device, (pmi_shader){words, bytes}, teams, constants, count, kernel), name);
    free(words);
}

static void slices_kernel_take(const char *folder, const char *name, uint32_t slice, uint32_t slices,
                               pmi_kernel *kernel) {
    const bool subgroups = bench.timing.device.can.team_kind == PM_TEAM_SUBGROUP;
    const pmi_constant constants[] = {
        {PM_CONSTANT_SLICE, slice}, {PM_CONSTANT_SLICES, slices}, {PM_CONSTANT_WORKGROUP, slice}};
    if (slice > 0)
        kernel_take(folder, name, subgroups ? slice / PM_LANES : 0, constants, subgroups ? 2 : 3, kernel);
}

/* The library's pipelines, with shaders from the folder in place of its own, as far as there are some. */
static void variant_create(const char *folder, pmi_boxes *boxes) {
    must(pmi_boxes_create(&bench.timing.device, boxes), "kernels");
    if (!folder)
        return;
    const bool subgroups = bench.timing.device.can.team_kind == PM_TEAM_SUBGROUP;
    const pmi_constant as_they_come = {PM_CONSTANT_ORDERED, 0}, ordered = {PM_CONSTANT_ORDERED, 1};
    const uint32_t one = subgroups ? 1 : 0;
    kernel_take(folder, "boxes_reduce", subgroups ? boxes->reduce_teams : 0, &as_they_come, 1, &boxes->reduce);
    kernel_take(folder, "boxes_match", one, &as_they_come, 1, &boxes->match);
    kernel_take(folder, "boxes_match", one, &ordered, 1, &boxes->match_others);
    kernel_take(folder, "boxes_match_sparse", one, &as_they_come, 1, &boxes->match_sparse);
    kernel_take(folder, "boxes_fix", subgroups ? boxes->fix_teams : 0, &as_they_come, 1, &boxes->fix);
    pmi_boxes_slices *const slices = &boxes->slices;
    const uint32_t slice = slices->slice, many = slice * PM_BOXES_OWN_SLICES;
    slices_kernel_take(folder, "boxes_slices_direct", slice, PM_BOXES_SLICES_DIRECT, &slices->match_direct);
    slices_kernel_take(folder, "boxes_slices_direct", slices->short_slice, PM_BOXES_SLICES_DIRECT,
                       &slices->match_short);
    slices_kernel_take(folder, "boxes_slices_match", slice, PM_BOXES_SLICES_FEW, &slices->match);
    slices_kernel_take(folder, "boxes_slices_match", slice, many, &slices->match_many);
}

static gpu_timing *bench_open(uint32_t n) {
    const gpu_timing *const timing = &bench.timing;
    gpu_timing_open(&gpu_options.settings, &bench.timing);
    for (size_t v = 0; v <= gpu_options.spirv.count; v++)
        variant_create(v == 0 ? NULL : gpu_options.spirv.names[v - 1], &bench.variants[v]);
    bench.boxes = bench.variants[0];
    must(pmi_kernel_create(&timing->device, PM_SHADER(spv_boxes_floor), 0, &bench.floor), "kernels");
    gpu_timing_reserve(timing, (n + 3) / 4 * 4, &bench.kinds);
    gpu_timing_reserve(timing, (uint64_t)n * sizeof(pm_box), &bench.given);
    gpu_timing_reserve(timing, (uint64_t)n * sizeof(pm_box), &bench.results);
    gpu_timing_reserve(timing, pmi_boxes_scratch_bytes(&bench.boxes, n), &bench.scratch);
    gpu_timing_reserve(timing, pmi_boxes_dispatches_bytes(&timing->device, n), &bench.dispatches);
    bench.host_kinds = must_allocate((n + 3) / 4 * 4);
    bench.host_boxes = must_allocate(n * sizeof(pm_box));
    bench.expected = must_allocate(n * sizeof(pm_box));
    bench.found = must_allocate(n * sizeof(pm_box));
    return &bench.timing;
}

static void bench_close(void) {
    pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.kinds, &bench.given, &bench.results, &bench.scratch, &bench.dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_kernel_destroy(device, &bench.floor);
    for (size_t v = 0; v <= gpu_options.spirv.count; v++)
        pmi_boxes_destroy(device, &bench.variants[v]);
    gpu_timing_close(&bench.timing);
    free(bench.host_kinds);
    free(bench.host_boxes);
    free(bench.expected);
    free(bench.found);
}

const struct gpu_suite gpu_suite_boxes = {
    .name = "boxes",
    .description = "boxes of scenes, stage by stage; the floor is reading and writing them",
    .columns = "family\tn\treduce_us\tscan_us\tmatch_us\tfix_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\t"
               "verified",
    .families = families,
    .log_most = 27, /* boxes of more do not fit a buffer of 4 GiB */
    .log_from = 20,
    .open = bench_open,
    .begin = begin,
    .run = run,
    .close = bench_close};
