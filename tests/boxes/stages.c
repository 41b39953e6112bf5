/* SPDX-License-Identifier: Apache-2.0 */
/* The buffers of a scene, and the twins of its stages. */
#include "tests/boxes/stages.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/boxes/twin.h"
#include "shaders/twins.h"
#include "tests/support/unit.h"

/* The buffers of a scene, by their index. */
enum {
    KINDS,
    BOXES,
    RESULTS,
    SCRATCH,
    DISPATCHES,
    BUFFERS
};

typedef struct box_task {
    const box_stages *stages;
    const uint8_t *kinds;
    const pm_box *boxes;
    uint32_t n;
    const char *what;
    pm_box *expected;
    uint32_t lacks; /* as in pmi_boxes_scene */
} box_task;

void box_stages_open(const gpu_host *host, bool in_order, box_stages *stages) {
    *stages = (box_stages){.host = host, .in_order = in_order};
    assert_ok(pmi_boxes_create(&host->device, &stages->boxes));
}

void box_stages_close(box_stages *stages) {
    pmi_boxes_destroy(&stages->host->device, &stages->boxes);
}

static pmi_boxes_scene scene_at(const box_task *t, const block *b, block_side side) {
    pmi_boxes_scene scene = {.n = t->n,
                             .lacks = t->lacks,
                             .kinds = block_address(b, side, KINDS),
                             .boxes = block_address(b, side, BOXES),
                             .results = block_address(b, side, RESULTS),
                             .scratch = block_address(b, side, SCRATCH)};
    if (t->stages->in_order && side == BLOCK_DEVICE)
        scene.dispatches = (pmi_plans){.buffer = b->memory.handle, .offset = 4 * b->buffers[DISPATCHES].first};
    if (t->stages->in_order)
        scene.dispatches.address = block_address(b, side, DISPATCHES);
    return scene;
}

static void make(const void *task, block *b) {
    const box_task *const t = task;
    const pmi_device *const device = &t->stages->host->device;
    const size_t words[BUFFERS] = {[KINDS] = (t->n + 3) / 4,
                                   [BOXES] = (size_t)t->n * 4,
                                   [RESULTS] = (size_t)t->n * 4,
                                   [SCRATCH] = (size_t)pmi_boxes_scratch_bytes(&t->stages->boxes, t->n) / 4,
                                   [DISPATCHES] =
                                       t->stages->in_order ? (size_t)pmi_boxes_dispatches_bytes(device, t->n) / 4 : 0};
    block_open_with(b, device, words, BUFFERS);
    memcpy(block_words(b, KINDS), t->kinds, t->n);
    memcpy(block_words(b, BOXES), t->boxes, t->n * sizeof *t->boxes);
}

static bool goes_by_slices(const box_task *t) {
    return pmi_boxes_slices_take(&t->stages->boxes.slices, t->n);
}

static void twin_of_slices(const box_task *t, const pmi_boxes_scene *scene, unsigned stage) {
    static void (*const twins[PM_BOXES_STAGES])(const pmi_boxes_slices_parameters *, uint32_t) = {
        NULL, pmi_boxes_slices_reduce_twin, pmi_boxes_slices_match_twin, pmi_boxes_slices_fix_twin};
    static void (*const of_blends[PM_BOXES_STAGES])(const pmi_boxes_slices_parameters *, uint32_t) = {
        NULL, pmi_boxes_slices_blends_reduce_twin, pmi_boxes_slices_blends_match_twin, NULL};
    const pmi_boxes_slices *const slices = &t->stages->boxes.slices;
    const pmi_boxes_slices_parameters parameters = pmi_boxes_slices_parameters_make(slices, scene);
    if (!pmi_boxes_slices_has_stage(slices, scene, (pmi_boxes_stage)stage))
        return;
    void (*const of_stage)(const pmi_boxes_slices_parameters *, uint32_t) =
        pmi_boxes_slices_have_no_clips(slices, scene) ? of_blends[stage] : twins[stage];
    if (of_stage)
        of_stage(&parameters, pmi_boxes_slice_of(slices, scene));
}

static void twin(const box_task *t, const block *b, unsigned stage) {
    const pmi_boxes_scene scene = scene_at(t, b, BLOCK_HOST);
    const box_stages *const stages = t->stages;
    if (goes_by_slices(t)) {
        twin_of_slices(t, &scene, stage);
        return;
    }
    static void (*const twins[PM_BOXES_STAGES])(const pmi_boxes_parameters *) = {
        pmi_boxes_reduce_twin, pmi_boxes_scan_twin, pmi_boxes_match_twin, pmi_boxes_fix_twin};
    /* The scan's twin leaves bases where match looks for them. */
    const pmi_boxes_stage as = stage == PM_BOXES_SCAN ? PM_BOXES_MATCH : (pmi_boxes_stage)stage;
    const pmi_boxes_parameters parameters = pmi_boxes_parameters_make(&stages->boxes, &scene, as);
    twins[stage](&parameters);
    if (stage == PM_BOXES_SCAN && pmi_boxes_has_order(&stages->boxes, &scene)) {
        const pmi_boxes_order_parameters of_order =
            pmi_boxes_order_parameters_make(&stages->host->device, &stages->boxes, &scene);
        pmi_boxes_order_twin(&of_order);
    }
}

/* Ranges of odd lengths, as a caller might choose them. */
static void record(const box_task *t, const block *b, pmi_boxes_stage stage) {
    const pmi_boxes_scene scene = scene_at(t, b, BLOCK_DEVICE);
    const pmi_device *const device = &t->stages->host->device;
    const pmi_boxes *const boxes = &t->stages->boxes;
    const VkCommandBuffer commands = t->stages->host->commands;
    const uint32_t tiles = pmi_boxes_tiles(t->n), some = tiles / 3;
    const bool whole = stage == PM_BOXES_SCAN || stage == PM_BOXES_FIX;
    if (!whole && some > 0)
        pmi_boxes_record(device, commands, boxes, &scene, stage, 0, some);
    pmi_boxes_record(device, commands, boxes, &scene, stage, whole ? 0 : some, whole ? tiles : tiles - some);
    pmi_shader_barrier(device, commands);
}

static void run(const void *task, const block *b, unsigned from) {
    const box_task *const t = task;
    for (unsigned stage = 0; stage < from; stage++)
        twin(t, b, stage);
    if (from == PM_BOXES_STAGES)
        return;
    gpu_commands_begin(t->stages->host);
    for (unsigned stage = from; stage < PM_BOXES_STAGES; stage++)
        record(t, b, (pmi_boxes_stage)stage);
    gpu_commands_run(t->stages->host);
}

static void print_wrong(const box_task *t, const block *b) {
    const pm_box *const out = (const pm_box *)block_words(b, RESULTS), *const expected = t->expected;
    uint32_t i = 0;
    while (i < t->n && memcmp(&out[i], &expected[i], sizeof *out) == 0)
        i++;
    if (i < t->n)
        print_error("%s, n = %u: element %u is {%g %g %g %g} instead of {%g %g %g %g}\n", t->what, t->n, i,
                    (double)out[i].x0, (double)out[i].y0, (double)out[i].x1, (double)out[i].y1, (double)expected[i].x0,
                    (double)expected[i].y0, (double)expected[i].x1, (double)expected[i].y1);
}

/* What a stage leaves that a later one reads: the dispatches, and all of the scratch but links, the bases before the
 * last, and of short scenes the tree of unions but the tiles' own. */
static bool same(const void *task, const block *a, const block *b) {
    const box_task *const t = task;
    if (!block_same(a, b, RESULTS))
        print_wrong(t, b);
    if (!block_same(a, b, RESULTS) || !block_same(a, b, DISPATCHES))
        return false;
    if (goes_by_slices(t))
        return block_same(a, b, SCRATCH);
    const pmi_boxes_scene scene = scene_at(t, a, BLOCK_HOST);
    const pmi_boxes_parameters p = pmi_boxes_parameters_make(&t->stages->boxes, &scene, PM_BOXES_MATCH);
    const uint32_t links_begin = p.link_from_part < p.link_to_part ? p.link_from_part : p.link_to_part;
    const uint32_t bases_end = p.tile_closers_part;
    const unsigned char *const of_a = (const unsigned char *)block_words(a, SCRATCH);
    const unsigned char *const of_b = (const unsigned char *)block_words(b, SCRATCH);
    const size_t begin = (size_t)links_begin * 16, end = (size_t)bases_end * 16, all = a->buffers[SCRATCH].words * 4;
    const bool is_short = p.tiles <= PM_BOXES_SHORT;
    const size_t tree_begin = (size_t)p.tree_covered_part * 16, leaves_begin = tree_begin + (size_t)p.leaves * 16;
    const size_t skipped_end = is_short ? leaves_begin : tree_begin, last = is_short ? (size_t)p.tiles : p.leaves;
    const size_t tree_end = leaves_begin + p.leaves * 16;
    return memcmp(of_a, of_b, begin) == 0 && memcmp(of_a + end, of_b + end, tree_begin - end) == 0 &&
           memcmp(of_a + skipped_end, of_b + skipped_end, leaves_begin + last * 16 - skipped_end) == 0 &&
           memcmp(of_a + tree_end, of_b + tree_end, all - tree_end) == 0 &&
           memcmp(of_a + (size_t)p.base_from_part * 16, of_b + (size_t)p.base_from_part * 16, (size_t)p.tiles * 16) ==
               0;
}

static void check(const void *task, const block *b) {
    const box_task *const t = task;
    if (memcmp(block_words(b, RESULTS), t->expected, t->n * sizeof *t->expected) != 0) {
        print_wrong(t, b);
        fail_msg("%s, n = %u: the results are wrong", t->what, t->n);
    }
}

static box_task task_make(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                          const char *what) {
    const box_task t = {stages, kinds, boxes, n, what, allocate(n, sizeof *t.expected), 0};
    assert_ok(pm_box_seq(NULL, kinds, boxes, n, t.expected));
    return t;
}

static uint32_t lacks_of(const uint8_t *kinds, uint32_t n) {
    uint32_t lacks = PM_BOXES_NO_CLIPS | PM_BOXES_NO_BLENDS;
    for (uint32_t i = 0; i < n; i++)
        lacks &= ~((kinds[i] & 3) == 1 ? (uint32_t)PM_BOXES_NO_CLIPS : (kinds[i] & 3) == 2 ? PM_BOXES_NO_BLENDS : 0);
    return lacks;
}

/* With nothing promised, and then, of short scenes, that there are no clips, or no blends, if that is so. */
static void each_way(box_task *t, void (*check_way)(const box_task *)) {
    check_way(t);
    t->lacks = goes_by_slices(t) ? lacks_of(t->kinds, t->n) : 0;
    if (t->lacks)
        check_way(t);
    free(t->expected);
}

static void check_stages(const box_task *t) {
    static const char *const names[] = {"reduce", "scan", "match", "fix"};
    static const staged of_boxes = {
        .names = names, .count = PM_BOXES_STAGES, .make = make, .run = run, .check = check, .same = same};
    staged_check(&of_boxes, t, t->what, t->n);
}

static void check_results(const box_task *t) {
    block b;
    make(t, &b);
    run(t, &b, 0);
    check(t, &b);
    block_check(&b);
    block_close(&b);
}

void box_stages_check(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                      const char *what) {
    box_task t = task_make(stages, kinds, boxes, n, what);
    each_way(&t, check_stages);
}

void box_stages_check_results(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                              const char *what) {
    box_task t = task_make(stages, kinds, boxes, n, what);
    each_way(&t, check_results);
}
