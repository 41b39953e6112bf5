/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_gpu_boxes: what each stage of boxes takes on a device, the scene being there already, by the device's own
 * clock, and what all of them take together; beside the floor: reading kinds and boxes and writing as many boxes. Every
 * result is held against that of several threads of the host.
 *
 * See bench/gpu/options.h for the options; `family` is a name of inputs/scenes.h.
 *
 * Prints a table, its columns parted by tabulators: times in microseconds, speed in 10^9 elements a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/table.h"
#include "bench/gpu/timing.h"
#include "bench/gpu/variant.h"
#include "gpu/boxes/boxes.h"
#include "inputs/scenes.h"
#include "shaders/spv/boxes.h"

/* What hurts which stage. */
static const char *const families[] = {"mixed:0:random",
                                       "mixed:33:random",
                                       "mixed:90:random",
                                       "wide",
                                       "cards",
                                       "mixed:0:deep",
                                       "mixed:50:deep",
                                       "clips:0:random",
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

static gpu_options options;

static struct bench {
    gpu_timing timing;
    pmi_boxes boxes; /* what is being timed: the library's, or a variant */
    pmi_boxes variants[1 + GPU_VARIANTS_MOST];
    bool wrong; /* whether any has been */
    pmi_kernel floor;
    pmi_buffer kinds, given, results, scratch, dispatches;
    uint8_t *host_kinds; /* and what is on the host */
    pm_box *host_boxes, *expected, *found;
} bench;

/* ---- What is timed ---- */

static void record_stage(unsigned stage, const void *of) {
    const pmi_boxes_scene *const scene = of;
    if (stage == PM_BOXES_REDUCE && pmi_boxes_scan_reduces(&bench.boxes, scene->n))
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

static bool results_are_right(const pmi_boxes_scene *scene) {
    const size_t bytes = (size_t)scene->n * sizeof *bench.found;
    gpu_timing_begin(&bench.timing);
    for (unsigned stage = 0; stage < PM_BOXES_STAGES; stage++)
        record_stage(stage, scene);
    gpu_timing_run(&bench.timing);
    gpu_timing_download(&bench.timing, &bench.results, bytes, bench.found);
    return memcmp(bench.found, bench.expected, bytes) == 0;
}

static void run_variant(const char *family, const char *variant, const pmi_boxes_scene *scene, double floor) {
    const bool right = results_are_right(scene);
    bench.wrong |= !right;
    double us[PM_BOXES_STAGES];
    const double all = gpu_timing_all_us(&bench.timing, options.reps, record_stage, PM_BOXES_STAGES, scene);
    gpu_timing_stages_us(&bench.timing, options.reps, record_stage, PM_BOXES_STAGES, scene, us);
    printf("%s%s%s\t%u\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.3f\t%s\n", family, *variant ? " " : "", variant,
           scene->n, us[0], us[1], us[2], us[3], all, floor, scene->n / all * 1e-3, floor / all,
           right ? "verified" : "WRONG");
    fflush(stdout);
}

static void run_family(const char *family, const pmi_boxes_scene *scene, double floor) {
    if (!scene_fill(family, 1, scene->n, bench.host_kinds, bench.host_boxes))
        stop(family, "no such family");
    gpu_timing_upload(&bench.timing, bench.host_kinds, (scene->n + 3) / 4 * 4, &bench.kinds);
    gpu_timing_upload(&bench.timing, bench.host_boxes, (uint64_t)scene->n * sizeof(pm_box), &bench.given);
    must(pm_box_omp(NULL, bench.host_kinds, bench.host_boxes, scene->n, bench.expected), "boxes on the host");
    for (unsigned v = 0; v <= options.variants; v++) {
        bench.boxes = bench.variants[v];
        run_variant(family, v == 0 ? "" : options.spirv[v - 1], scene, floor);
    }
}

/* ---- Setting up ---- */

static void buffer_make(uint64_t size, pmi_buffer *buffer) {
    must(pmi_buffer_create(&bench.timing.device, PM_MEMORY_DEVICE, size, buffer), "memory of the device");
}

static void *host_make(size_t count, size_t size) {
    void *const made = malloc(count * size);
    if (!made)
        stop("memory", "none");
    return made;
}

/* The library's pipelines with the shaders of a folder in place of its own, where there are such. */
static void variant_create(const char *folder, pmi_boxes *boxes) {
    const pmi_device *const device = &bench.timing.device;
    must(pmi_boxes_create(device, boxes), "kernels");
    const struct {
        const char *name;
        pmi_kernel *kernel;
        uint32_t teams, ordered; /* the latter: PM_CONSTANT_ORDERED */
    } kernels[] = {{"boxes_reduce", &boxes->reduce, boxes->reduce_teams, 0},
                   {"boxes_match", &boxes->match, 1, 0},
                   {"boxes_match", &boxes->match_others, 1, 1},
                   {"boxes_match_sparse", &boxes->match_sparse, 1, 0},
                   {"boxes_fix", &boxes->fix, boxes->fix_teams, 0}};
    for (size_t k = 0; folder && k < sizeof kernels / sizeof *kernels; k++) {
        size_t bytes;
        uint32_t *const words = gpu_variant_read(device, folder, kernels[k].name, &bytes);
        if (!words)
            continue;
        const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
        pmi_kernel_destroy(device, kernels[k].kernel);
        const pmi_constant ordered = {PM_CONSTANT_ORDERED, kernels[k].ordered};
        must(pmi_kernel_create_with(device, (pmi_shader){words, bytes}, subgroups ? kernels[k].teams : 0, &ordered, 1,
                                    kernels[k].kernel),
             kernels[k].name);
        free(words);
    }
}

static void bench_open(uint32_t n) {
    pmi_device *const device = &bench.timing.device;
    gpu_timing_open(&options.settings, &bench.timing);
    for (unsigned v = 0; v <= options.variants; v++)
        variant_create(v == 0 ? NULL : options.spirv[v - 1], &bench.variants[v]);
    bench.boxes = bench.variants[0];
    must(pmi_kernel_create(device, (pmi_shader){spv_boxes_floor, sizeof spv_boxes_floor}, 0, &bench.floor), "kernels");
    buffer_make((n + 3) / 4 * 4, &bench.kinds);
    buffer_make((uint64_t)n * sizeof(pm_box), &bench.given);
    buffer_make((uint64_t)n * sizeof(pm_box), &bench.results);
    buffer_make(pmi_boxes_scratch_bytes(&bench.boxes, n), &bench.scratch);
    buffer_make(pmi_boxes_dispatches_bytes(device, n), &bench.dispatches);
    bench.host_kinds = host_make((n + 3) / 4, 4);
    bench.host_boxes = host_make(n, sizeof(pm_box));
    bench.expected = host_make(n, sizeof(pm_box));
    bench.found = host_make(n, sizeof(pm_box));
}

static void bench_close(void) {
    pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.kinds, &bench.given, &bench.results, &bench.scratch, &bench.dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_kernel_destroy(device, &bench.floor);
    for (unsigned v = 0; v <= options.variants; v++)
        pmi_boxes_destroy(device, &bench.variants[v]);
    gpu_timing_close(&bench.timing);
    free(bench.host_kinds);
    free(bench.host_boxes);
    free(bench.expected);
    free(bench.found);
}

int main(int argc, char **argv) {
    options = options_read(argc, argv, 0, 27); /* boxes of more do not fit a buffer of 4 GiB */
    bench_open(UINT32_C(1) << options.to);
    gpu_table_begin(argc, argv, &bench.timing.device);
    printf(
        "family\tn\treduce_us\tscan_us\tmatch_us\tfix_us\tall_us\tfloor_us\tGelements_s\tshare_of_floor\tverified\n");
    for (unsigned log = options.to;; log -= options.step) {
        const pmi_boxes_scene scene = {
            .n = UINT32_C(1) << log,
            .kinds = bench.kinds.address,
            .boxes = bench.given.address,
            .results = bench.results.address,
            .scratch = bench.scratch.address,
            .dispatches = {.buffer = bench.dispatches.handle, .address = bench.dispatches.address}};
        const double floor = gpu_timing_all_us(&bench.timing, options.reps, record_floor, 1, &scene);
        for (const char *const *family = options_families(&options, families); *family; family++)
            run_family(*family, &scene, floor);
        if (log < options.from + options.step)
            break;
    }
    bench_close();
    return bench.wrong ? 1 : 0;
}
