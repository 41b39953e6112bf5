/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the boxes of a scene, and the dispatches of their stages. */
#include "gpu/boxes/boxes.h"

enum {
    JUMP_INVOCATIONS = 128, /* of a workgroup in shaders/boxes/jump.comp */
    FIX_FEW_BLOCKS = 4      /* with at most this number of blocks, a team fixes one tile: this gives more teams */
};

_Static_assert(sizeof(pmi_boxes_parameters) <= PM_PUSH_BYTES, "parameters fit");

/* ---- Sizes ---- */

/* Leaves of the trees: a power of two, and a multiple of a block. */
static uint32_t leaves_of(const pmi_boxes *boxes, uint32_t tiles) {
    uint32_t leaves = pmi_boxes_block(boxes, tiles);
    while (leaves < tiles)
        leaves *= 2;
    return leaves;
}

/* Takes `count` times `bytes` of scratch at *end, which moves. Offsets are in units of 16 bytes. */
static uint32_t part_take(uint32_t *end, uint64_t count, uint64_t bytes) {
    const uint32_t begin = *end;
    *end += (uint32_t)((count * bytes + 15) / 16);
    return begin;
}

/* Lays out the scratch; returns its end in units of 16 bytes. */
static uint32_t scratch_lay_out(const pmi_boxes *boxes, uint32_t n, pmi_boxes_parameters *p) {
    const uint32_t tiles = pmi_boxes_tiles(n), leaves = leaves_of(boxes, tiles);
    uint32_t end = 0;
    p->n = n;
    p->tiles = tiles;
    p->leaves = leaves;
    p->blocks = leaves / pmi_boxes_block(boxes, tiles);
    p->per_team = p->blocks <= FIX_FEW_BLOCKS ? 1 : PM_BOXES_TEAM_TILES;
    p->tile_survivors_part = part_take(&end, tiles, 4 * PM_BOXES_TILE_WORDS);
    p->tile_clips_part = part_take(&end, tiles, 4 * PM_BOXES_TILE_WORDS);
    p->tile_record_part = part_take(&end, tiles, 8);
    p->block_record_part = part_take(&end, p->blocks, 8);
    p->scene_has_part = part_take(&end, 1, 16);
    p->tile_start_part = part_take(&end, tiles, 4);
    p->tree_least_part = part_take(&end, leaves, 2 * 4);
    p->link_from_part = part_take(&end, tiles, 4);
    p->link_to_part = part_take(&end, tiles, 4);
    p->base_from_part = part_take(&end, tiles, 16);
    p->base_to_part = part_take(&end, tiles, 16);
    p->tile_closers_part = part_take(&end, tiles, 4 * PM_BOXES_TILE_WORDS);
    p->tree_covered_part = part_take(&end, leaves, 2 * 16);
    /* The first is no longer needed when the second is written. */
    const uint64_t word_clipped = (uint64_t)tiles * PM_BOXES_TILE_WORDS * 16, blend_closed = (uint64_t)n * 4;
    p->word_clipped_part = end;
    p->blend_closed_part = part_take(&end, word_clipped > blend_closed ? word_clipped : blend_closed, 1);
    return end;
}

uint64_t pmi_boxes_scratch_bytes(const pmi_boxes *boxes, uint32_t n) {
    const uint32_t short_n = pmi_boxes_slices_max(&boxes->slices, n);
    const uint64_t of_short = short_n > 0 ? pmi_boxes_slices_scratch_bytes(&boxes->slices, short_n) : 0;
    if (short_n == n)
        return of_short;
    pmi_boxes_parameters parameters = {0};
    const uint64_t of_tiles = (uint64_t)scratch_lay_out(boxes, n, &parameters) * 16;
    return of_tiles > of_short ? of_tiles : of_short;
}

/* The maximum number of tiles of a dispatch on this device. */
static uint32_t tiles_most(const pmi_device *device) {
    return pmi_min32((uint64_t)device->can.dispatch_tiles * (PM_TILE / PM_BOXES_TILE), UINT32_MAX);
}

/* Tiles of a dispatch whose tiles are in an order. */
static uint32_t piece_of(const pmi_device *device, uint32_t tiles) {
    return pmi_min32(pmi_kernel_workgroups_max(device, tiles_most(device)), tiles);
}

/* Dispatches for tiles that are in an order. */
static uint32_t pieces_of(const pmi_device *device, uint32_t tiles) {
    const uint32_t piece = piece_of(device, tiles);
    return tiles / piece + (tiles % piece != 0);
}

uint64_t pmi_boxes_dispatches_bytes(const pmi_device *device, uint32_t n) {
    return (uint64_t)PM_BOXES_SORTS * pieces_of(device, pmi_boxes_tiles(n)) * sizeof(VkDispatchIndirectCommand);
}

bool pmi_boxes_has_order(const pmi_boxes *boxes, const pmi_boxes_scene *scene) {
    const uint32_t tiles = pmi_boxes_tiles(scene->n);
    return scene->dispatches.address && !pmi_boxes_slices_take(&boxes->slices, scene->n) && tiles > boxes->unordered &&
           leaves_of(boxes, tiles) > pmi_boxes_block(boxes, tiles);
}

pmi_boxes_order_parameters pmi_boxes_order_parameters_make(const pmi_device *device, const pmi_boxes *boxes,
                                                           const pmi_boxes_scene *scene) {
    pmi_boxes_parameters p = {0};
    scratch_lay_out(boxes, scene->n, &p);
    return (pmi_boxes_order_parameters){.dispatches = scene->dispatches.address,
                                        .scratch = scene->scratch,
                                        .tile_record_part = p.tile_record_part,
                                        .block_record_part = p.block_record_part,
                                        .tile_order_part = p.tree_covered_part, /* in place of its inner nodes */
                                        .tiles = p.tiles,
                                        .blocks = p.blocks,
                                        .piece = piece_of(device, p.tiles)};
}

/* A jump reads what the one before has written. */
static void links_swap(pmi_boxes_parameters *p) {
    const uint32_t link = p->link_from_part, base = p->base_from_part;
    p->link_from_part = p->link_to_part;
    p->base_from_part = p->base_to_part;
    p->link_to_part = link;
    p->base_to_part = base;
}

/* Jumps until all bases are complete. A list of links has at most one link for each block. */
static uint32_t jumps_of(const pmi_boxes_parameters *p) {
    uint32_t jumps = 0;
    for (uint64_t reached = 1; reached < p->blocks; reached *= PM_BOXES_HOPS)
        jumps++;
    return jumps;
}

pmi_boxes_parameters pmi_boxes_parameters_make(const pmi_boxes *boxes, const pmi_boxes_scene *scene,
                                               pmi_boxes_stage stage) {
    pmi_boxes_parameters parameters = {
        .kinds = scene->kinds, .boxes = scene->boxes, .results = scene->results, .scratch = scene->scratch};
    scratch_lay_out(boxes, scene->n, &parameters);
    if (stage > PM_BOXES_SCAN)
        for (uint32_t jump = 0; jump <= jumps_of(&parameters); jump++)
            links_swap(&parameters);
    return parameters;
}

/* ---- Recording ---- */

/* Dispatches for `count` units from `first` on, per_group of them in a workgroup. */
static void record_units(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                         pmi_boxes_parameters parameters, uint32_t first, uint32_t count, uint32_t per_group,
                         uint32_t most) {
    const uint64_t groups_most = pmi_min(most / per_group > 0 ? most / per_group : 1, device->can.dispatch_workgroups);
    while (count > 0) {
        const uint64_t units = groups_most * per_group;
        parameters.first = first;
        parameters.count = units < count ? (uint32_t)units : count;
        pmi_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters,
                            parameters.count / per_group + (parameters.count % per_group != 0));
        first += parameters.count;
        count -= parameters.count;
    }
}

static void record_tiles(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                         const pmi_boxes_parameters *parameters, uint32_t first, uint32_t count, uint32_t per_group) {
    record_units(device, commands, kernel, *parameters, first, count, per_group, tiles_most(device));
}

/* Dispatches for blocks, one in a workgroup, and a barrier. */
static void record_blocks(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                          const pmi_boxes_parameters *parameters, uint32_t count) {
    record_units(device, commands, kernel, *parameters, 0, count, 1, UINT32_MAX);
    pmi_shader_barrier(device, commands);
}

/* Needs the number of sparse tiles of each block. The barrier is also for the dispatches of match. */
static void record_order(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                         const pmi_boxes_scene *scene) {
    pmi_boxes_order_parameters p = pmi_boxes_order_parameters_make(device, boxes, scene);
    pmi_kernel_dispatch_parts(device, commands, &boxes->order, &p, sizeof p, &p.first, 0, p.blocks, UINT32_MAX);
    pmi_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

static void record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                        const pmi_boxes_scene *scene, pmi_boxes_parameters *p) {
    if (p->blocks == 1) {
        record_units(device, commands, p->leaves < boxes->block ? &boxes->scan_few : &boxes->scan, *p, 0, 1, 1, 1);
        return;
    }
    const bool are_few = p->blocks <= PM_BOXES_FEW_BLOCKS;
    if (!are_few)
        record_blocks(device, commands, &boxes->sum, p, p->blocks);
    record_blocks(device, commands, &boxes->levels, p, p->blocks);
    if (!are_few)
        record_blocks(device, commands, &boxes->top, p, 1);
    const uint32_t linked = p->tiles / boxes->block + (p->tiles % boxes->block != 0);
    record_units(device, commands, &boxes->links, *p, 0, linked, 1, UINT32_MAX);
    if (pmi_boxes_has_order(boxes, scene))
        record_order(device, commands, boxes, scene);
    else
        pmi_shader_barrier(device, commands);
    for (uint32_t jump = 0; jump < jumps_of(p); jump++) {
        if (jump > 0)
            pmi_shader_barrier(device, commands);
        links_swap(p);
        record_units(device, commands, &boxes->jump, *p, 0, p->tiles, JUMP_INVOCATIONS, UINT32_MAX);
    }
}

/* One kernel matches all tiles, or one the sparse tiles and one the others. The scan has written how many workgroups
 * each dispatch has. */
static void record_match_in_order(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                                  const pmi_boxes_scene *scene, pmi_boxes_parameters p, uint32_t first,
                                  uint32_t count) {
    const pmi_kernel *const kernels[PM_BOXES_SORTS] = {&boxes->match, &boxes->match_others, &boxes->match_sparse};
    const uint32_t piece = piece_of(device, p.tiles), pieces = pieces_of(device, p.tiles);
    for (uint32_t sort = 0; sort < PM_BOXES_SORTS; sort++)
        for (uint32_t k = first / piece + (first % piece != 0); k < pieces && k * piece - first < count; k++) {
            p.first = k * piece;
            pmi_kernel_dispatch_indirect(device, commands, kernels[sort], &p, sizeof p, scene->dispatches.buffer,
                                         scene->dispatches.offset +
                                             (sort * pieces + k) * sizeof(VkDispatchIndirectCommand));
        }
}

static void record_fix(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                       const pmi_boxes_parameters *p) {
    const uint32_t per_group = boxes->fix_teams * p->per_team;
    if (p->tiles <= PM_BOXES_SHORT) {
        record_tiles(device, commands, &boxes->fix_short, p, 0, p->tiles, per_group);
        return;
    }
    record_blocks(device, commands, &boxes->unions, p, p->blocks);
    if (p->blocks > PM_BOXES_FEW_BLOCKS)
        record_blocks(device, commands, &boxes->unions_top, p, 1);
    record_tiles(device, commands, &boxes->fix, p, 0, p->tiles, per_group);
}

void pmi_boxes_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                      const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count) {
    if (pmi_boxes_slices_take(&boxes->slices, scene->n)) {
        pmi_boxes_slices_record(device, commands, &boxes->slices, scene, stage, first, count);
        return;
    }
    pmi_boxes_parameters parameters = pmi_boxes_parameters_make(boxes, scene, stage);
    if (stage == PM_BOXES_REDUCE && !pmi_boxes_scan_reduces(boxes, scene->n))
        record_tiles(device, commands, &boxes->reduce, &parameters, first, count,
                     boxes->reduce_teams * PM_BOXES_TEAM_TILES);
    else if (stage == PM_BOXES_SCAN)
        record_scan(device, commands, boxes, scene, &parameters);
    else if (stage == PM_BOXES_MATCH && pmi_boxes_has_order(boxes, scene))
        record_match_in_order(device, commands, boxes, scene, parameters, first, count);
    else if (stage == PM_BOXES_MATCH)
        record_tiles(device, commands, &boxes->match, &parameters, first, count, 1);
    else if (stage == PM_BOXES_FIX)
        record_fix(device, commands, boxes, &parameters);
}

bool pmi_boxes_has_stage(const pmi_boxes *boxes, const pmi_boxes_scene *scene, pmi_boxes_stage stage) {
    return pmi_boxes_slices_take(&boxes->slices, scene->n)
               ? pmi_boxes_slices_has_stage(&boxes->slices, scene, stage)
               : stage != PM_BOXES_REDUCE || !pmi_boxes_scan_reduces(boxes, scene->n);
}

void pmi_boxes_record_all(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                          const pmi_boxes_scene *scene) {
    bool is_first = true;
    for (unsigned stage = 0; stage < PM_BOXES_STAGES; stage++) {
        if (!pmi_boxes_has_stage(boxes, scene, (pmi_boxes_stage)stage))
            continue;
        if (!is_first)
            pmi_shader_barrier(device, commands);
        pmi_boxes_record(device, commands, boxes, scene, (pmi_boxes_stage)stage, 0, pmi_boxes_tiles(scene->n));
        is_first = false;
    }
}
