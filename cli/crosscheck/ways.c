/* SPDX-License-Identifier: Apache-2.0 */
/* The table of ways: each backend with each of the settings that matter to it. */
#include "cli/crosscheck/crosscheck.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    match_function *match;
    crosscheck_tree_test *tree;
    bool by_simd, by_threads, by_pipeline, by_device; /* do these matter to it? */
} backends[] = {
    {.name = "seq", .match = pm_match_seq},
    {.name = "broadword", .match = pm_match_broadword, .by_simd = true},
    {.name = "omp", .match = pm_match_omp, .by_simd = true, .by_threads = true},
    {.name = "auto", .match = pm_match_auto},
    {.name = "stream", .by_simd = true},
    {.name = "gpu", .match = pm_match_gpu, .by_pipeline = true, .by_device = true},
    {.name = "boxes-omp", .tree = crosscheck_boxes_omp, .by_threads = true},
    {.name = "boxes-gpu", .tree = crosscheck_boxes_gpu, .by_device = true},
    {.name = "scans-omp", .tree = crosscheck_scans_omp, .by_threads = true},
    {.name = "scans-gpu", .tree = crosscheck_scans_gpu, .by_device = true},
};

/* More than there may be processors, too: how a sequence is cut depends on the number alone. */
static const unsigned threads_tried[] = {2, 5};

bool crosscheck_is_backend(const char *name) {
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (strcmp(name, backends[i].name) == 0)
            return true;
    return false;
}

/* The context, and whether the way can be had here: a device is opened by the first match alone. */
static void way_open(crosscheck_way *way) {
    const pm_options options = {.struct_size = sizeof options,
                                .simd = way->simd,
                                .device = way->device,
                                .pipeline = way->pipeline,
                                .threads = way->threads};
    const bool on_device =
        way->match == pm_match_gpu || way->tree == crosscheck_boxes_gpu || way->tree == crosscheck_scans_gpu;
    way->presence = pm_context_create(&options, &way->context);
    if (way->presence != PM_OK || !on_device)
        return;
    const uint64_t parens = 1;
    uint32_t match;
    const pm_status status = pm_match_gpu(way->context, &parens, 1, &match, NULL);
    if (status == PM_NO_DEVICE || status == PM_UNSUPPORTED)
        way->presence = status;
}

static pm_status way_add(crosscheck_ways *all, crosscheck_way way) {
    crosscheck_way *const ways = realloc(all->ways, (all->count + 1) * sizeof *ways);
    if (!ways)
        return PM_OUT_OF_MEMORY;
    way_open(&way);
    all->ways = ways;
    all->ways[all->count++] = way;
    all->present += way.presence == PM_OK;
    return way.presence == PM_OUT_OF_MEMORY ? PM_OUT_OF_MEMORY : PM_OK;
}

static bool is_chosen(const char *choice, const char *name) {
    return !choice || strcmp(choice, name) == 0;
}

static pm_status add_by_threads(crosscheck_ways *all, crosscheck_way way, const machine_options *choice) {
    if (choice->threads_given) {
        way.threads = choice->threads;
        return way_add(all, way);
    }
    pm_status status = PM_OK;
    for (size_t i = 0; i < sizeof threads_tried / sizeof *threads_tried && status == PM_OK; i++) {
        way.threads = threads_tried[i];
        status = way_add(all, way);
    }
    return status;
}

static pm_status add_by_simd(crosscheck_ways *all, crosscheck_way way, const machine_options *choice) {
    pm_status status = PM_OK;
    for (size_t i = 0; pm_simd_at(i) && status == PM_OK; i++)
        if (is_chosen(choice->simd, pm_simd_at(i)->name)) {
            way.simd = pm_simd_at(i)->name;
            status = way.by_threads ? add_by_threads(all, way, choice) : way_add(all, way);
        }
    return status;
}

/* Each pipeline, and the choice among them by n. */
static pm_status add_by_pipeline(crosscheck_ways *all, crosscheck_way way, const char *choice) {
    pm_status status = choice ? PM_OK : way_add(all, way);
    for (size_t i = 0; pm_pipeline_at(i) && status == PM_OK; i++)
        if (is_chosen(choice, pm_pipeline_at(i)->name)) {
            way.pipeline = pm_pipeline_at(i)->name;
            way.limited = i > 0; /* the first takes everything */
            status = way_add(all, way);
        }
    return status;
}

pm_status crosscheck_ways_open(const crosscheck_choice *choice, crosscheck_ways *all) {
    const machine_options *const machine = &choice->machine;
    pm_status status = PM_OK;
    *all = (crosscheck_ways){0};
    for (size_t i = 0; i < sizeof backends / sizeof *backends && status == PM_OK; i++) {
        const crosscheck_way way = {.backend = backends[i].name,
                                    .match = backends[i].match,
                                    .tree = backends[i].tree,
                                    .device = machine->device,
                                    .by_threads = backends[i].by_threads};
        if (!is_chosen(choice->backend, way.backend) || (machine->simd && !backends[i].by_simd) ||
            (machine->threads_given && !backends[i].by_threads) || (machine->pipeline && !backends[i].by_pipeline) ||
            (machine->device && !backends[i].by_device))
            continue;
        if (backends[i].by_simd)
            status = add_by_simd(all, way, machine);
        else if (backends[i].by_pipeline)
            status = add_by_pipeline(all, way, machine->pipeline);
        else if (backends[i].by_threads)
            status = add_by_threads(all, way, machine);
        else
            status = way_add(all, way);
    }
    return status;
}

void crosscheck_ways_close(crosscheck_ways *all) {
    for (size_t i = 0; i < all->count; i++) {
        pm_context_destroy(all->ways[i].context);
        free(all->ways[i].difference);
        free(all->ways[i].reproduction);
    }
    free(all->ways);
}
