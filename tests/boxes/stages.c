/* SPDX-License-Identifier: Apache-2.0 */
/* Laying out buffers with canaries around them, and running stages on them. */
#include "tests/boxes/stages.h"

#include <stdlib.h>
#include <string.h>

#include "shaders/boxes/slices_twin.h"
#include "shaders/boxes/twin.h"
#include "tests/support/unit.h"

enum {
    CANARY = 0x5ca1ab1e,
    GAP = 64, /* words before and after each buffer */
    BUFFERS = 5
};

/* A scene's buffers, in one allocation: kinds, boxes, results, scratch, dispatches. */
typedef struct buffers {
    pmi_buffer block;
    size_t first[BUFFERS], words[BUFFERS];
    pmi_boxes_scene of_device, of_host; /* the same with addresses of each */
} buffers;

void box_stages_open(const gpu_stages *host, bool in_order, box_stages *stages) {
    *stages = (box_stages){.host = host, .in_order = in_order};
    assert_ok(pmi_boxes_create(&host->device, &stages->boxes));
}

void box_stages_close(box_stages *stages) {
    pmi_boxes_destroy(&stages->host->device, &stages->boxes);
}

static pmi_boxes_scene scene_at(const buffers *b, uint32_t n, uint64_t address) {
    return (pmi_boxes_scene){.n = n,
                             .kinds = address + 4 * b->first[0],
                             .boxes = address + 4 * b->first[1],
                             .results = address + 4 * b->first[2],
                             .scratch = address + 4 * b->first[3]};
}

static uint32_t *buffer_of(const buffers *b, int k) {
    return (uint32_t *)b->block.mapped + b->first[k];
}

static void buffers_make(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n, buffers *b) {
    const size_t dispatches = (size_t)pmi_boxes_dispatches_bytes(&stages->host->device, n) / 4;
    const size_t words[BUFFERS] = {(n + 3) / 4, (size_t)n * 4, (size_t)n * 4,
                                   (size_t)pmi_boxes_scratch_bytes(&stages->boxes, n) / 4,
                                   stages->in_order ? dispatches : 0};
    size_t end = GAP;
    for (int k = 0; k < BUFFERS; k++) {
        b->first[k] = end;
        b->words[k] = words[k];
        end = (end + words[k] + GAP + 15) / 16 * 16;
    }
    assert_ok(pmi_buffer_create(&stages->host->device, PM_MEMORY_DOWNLOAD, end * 4, &b->block));
    for (size_t i = 0; i < end; i++)
        ((uint32_t *)b->block.mapped)[i] = CANARY;
    memcpy(buffer_of(b, 0), kinds, n);
    memcpy(buffer_of(b, 1), boxes, n * sizeof *boxes);
    b->of_host = scene_at(b, n, (uint64_t)(uintptr_t)b->block.mapped);
    b->of_device = scene_at(b, n, b->block.address);
    if (stages->in_order)
        b->of_device.dispatches = (pmi_plans){
            .buffer = b->block.handle, .offset = 4 * b->first[4], .address = b->block.address + 4 * b->first[4]};
    if (stages->in_order)
        b->of_host.dispatches.address = (uint64_t)(uintptr_t)buffer_of(b, 4);
}

static bool is_canary(const buffers *b, size_t word) {
    for (int k = 0; k < BUFFERS; k++)
        if (word >= b->first[k] && word < b->first[k] + b->words[k])
            return false;
    return true;
}

static size_t spilt(const buffers *b) {
    size_t found = 0;
    for (size_t i = 0; i < b->block.size / 4; i++)
        found += is_canary(b, i) && ((const uint32_t *)b->block.mapped)[i] != CANARY;
    return found;
}

static bool goes_by_slices(const box_stages *stages, const buffers *b) {
    return pmi_boxes_slices_take(&stages->boxes.slices, b->of_host.n);
}

static void twin_of_slices(const box_stages *stages, const buffers *b, unsigned stage) {
    static void (*const twins[PM_BOXES_STAGES])(const pmi_boxes_slices_parameters *, uint32_t) = {
        NULL, pmi_boxes_slices_reduce_twin, pmi_boxes_slices_match_twin, pmi_boxes_slices_fix_twin};
    const pmi_boxes_slices *const slices = &stages->boxes.slices;
    const pmi_boxes_slices_parameters parameters = pmi_boxes_slices_parameters_make(slices, &b->of_host);
    if (twins[stage])
        twins[stage](&parameters, slices->slice);
}

static void twin(const box_stages *stages, const buffers *b, unsigned stage) {
    if (goes_by_slices(stages, b)) {
        twin_of_slices(stages, b, stage);
        return;
    }
    static void (*const twins[PM_BOXES_STAGES])(const pmi_boxes_parameters *) = {
        pmi_boxes_reduce_twin, pmi_boxes_scan_twin, pmi_boxes_match_twin, pmi_boxes_fix_twin};
    /* The scan's twin leaves bases where match looks for them. */
    const pmi_boxes_stage as = stage == PM_BOXES_SCAN ? PM_BOXES_MATCH : (pmi_boxes_stage)stage;
    const pmi_boxes_parameters parameters = pmi_boxes_parameters_make(&stages->boxes, &b->of_host, as);
    twins[stage](&parameters);
    if (stage == PM_BOXES_SCAN && pmi_boxes_has_order(&stages->boxes, &b->of_host)) {
        const pmi_boxes_order_parameters of_order =
            pmi_boxes_order_parameters_make(&stages->host->device, &stages->boxes, &b->of_host);
        pmi_boxes_order_twin(&of_order);
    }
}

/* Ranges of odd lengths, as a caller might choose them. */
static void record(const box_stages *stages, const buffers *b, pmi_boxes_stage stage) {
    const pmi_device *const device = &stages->host->device;
    const VkCommandBuffer commands = stages->host->commands;
    const uint32_t tiles = pmi_boxes_tiles(b->of_device.n), some = tiles / 3;
    const bool whole = stage == PM_BOXES_SCAN || stage == PM_BOXES_FIX;
    if (!whole && some > 0)
        pmi_boxes_record(device, commands, &stages->boxes, &b->of_device, stage, 0, some);
    pmi_boxes_record(device, commands, &stages->boxes, &b->of_device, stage, whole ? 0 : some,
                     whole ? tiles : tiles - some);
    pmi_boxes_record_barrier(device, commands);
}

static void run(const box_stages *stages, const buffers *b, unsigned from) {
    for (unsigned stage = 0; stage < from; stage++)
        twin(stages, b, stage);
    if (from == PM_BOXES_STAGES)
        return;
    gpu_commands_begin(stages->host);
    for (unsigned stage = from; stage < PM_BOXES_STAGES; stage++)
        record(stages, b, (pmi_boxes_stage)stage);
    gpu_commands_run(stages->host);
}

/* What a stage leaves that a later one reads: the dispatches, and all of the scratch but links, the bases before the
 * last, and of short scenes the tree of unions but the tiles' own. */
static bool same_scratch(const box_stages *stages, const buffers *a, const buffers *b) {
    if (memcmp(buffer_of(a, 4), buffer_of(b, 4), a->words[4] * 4) != 0)
        return false;
    if (goes_by_slices(stages, a))
        return memcmp(buffer_of(a, 3), buffer_of(b, 3), a->words[3] * 4) == 0;
    const pmi_boxes_parameters p = pmi_boxes_parameters_make(&stages->boxes, &a->of_host, PM_BOXES_MATCH);
    const uint32_t links_begin = p.link_from_part < p.link_to_part ? p.link_from_part : p.link_to_part;
    const uint32_t bases_end = p.tile_closers_part;
    const unsigned char *const of_a = (const unsigned char *)buffer_of(a, 3);
    const unsigned char *const of_b = (const unsigned char *)buffer_of(b, 3);
    const size_t begin = (size_t)links_begin * 16, end = (size_t)bases_end * 16, all = a->words[3] * 4;
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

static void fail_at(const char *what, uint32_t n, const pm_box *out, const pm_box *expected, const char *stage) {
    uint32_t i = 0;
    while (i < n && memcmp(&out[i], &expected[i], sizeof *out) == 0)
        i++;
    if (i < n)
        fail_msg("%s, n = %u: %s is wrong: element %u is {%g %g %g %g} instead of {%g %g %g %g}", what, n, stage, i,
                 (double)out[i].x0, (double)out[i].y0, (double)out[i].x1, (double)out[i].y1, (double)expected[i].x0,
                 (double)expected[i].y0, (double)expected[i].x1, (double)expected[i].y1);
    fail_msg("%s, n = %u: %s is wrong", what, n, stage);
}

void box_stages_check(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                      const char *what) {
    static const char *const names[] = {"reduce", "scan", "match", "fix"};
    pm_box *const expected = allocate(n, sizeof *expected);
    assert_ok(pm_box_seq(NULL, kinds, boxes, n, expected));
    buffers plain, mixed;
    buffers_make(stages, kinds, boxes, n, &plain);
    run(stages, &plain, PM_BOXES_STAGES);
    if (memcmp(buffer_of(&plain, 2), expected, n * sizeof *expected) != 0)
        fail_at(what, n, (const pm_box *)buffer_of(&plain, 2), expected, "a twin");
    assert_int_equal(spilt(&plain), 0);
    for (unsigned from = PM_BOXES_STAGES; from-- > 0;) { /* so that the first to fail is the stage that is wrong */
        buffers_make(stages, kinds, boxes, n, &mixed);
        run(stages, &mixed, from);
        if (memcmp(buffer_of(&mixed, 2), expected, n * sizeof *expected) != 0 || !same_scratch(stages, &mixed, &plain))
            fail_at(what, n, (const pm_box *)buffer_of(&mixed, 2), expected, names[from]);
        if (spilt(&mixed) != 0)
            fail_msg("%s, n = %u: from %s on something wrote outside its buffers", what, n, names[from]);
        pmi_buffer_destroy(&stages->host->device, &mixed.block);
    }
    pmi_buffer_destroy(&stages->host->device, &plain.block);
    free(expected);
}

void box_stages_check_results(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                              const char *what) {
    pm_box *const expected = allocate(n, sizeof *expected);
    assert_ok(pm_box_seq(NULL, kinds, boxes, n, expected));
    buffers b;
    buffers_make(stages, kinds, boxes, n, &b);
    run(stages, &b, 0);
    if (memcmp(buffer_of(&b, 2), expected, n * sizeof *expected) != 0)
        fail_at(what, n, (const pm_box *)buffer_of(&b, 2), expected, "the device");
    if (spilt(&b) != 0)
        fail_msg("%s, n = %u: something wrote outside its buffers", what, n);
    pmi_buffer_destroy(&stages->host->device, &b.block);
    free(expected);
}
