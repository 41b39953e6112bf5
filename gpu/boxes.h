/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a scene that is on a device. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Four stages, in this order, with pm_boxes_record_barrier() between them: reduce, on any ranges of tiles that together
 * are all; scan; match, on any ranges; fix. Each stage may be several dispatches, and barriers of its own between them.
 * Short scenes have other shaders, and another scratch (gpu/boxes_slices.h).
 */
#ifndef PM_GPU_BOXES_H
#define PM_GPU_BOXES_H

#include "gpu/boxes_slices.h"
#include "gpu/kernel.h"
#include "shaders/parameters.h"

typedef struct pm_boxes {
    pm_kernel reduce, sum, levels, links, order, scan, match, match_others, match_sparse, unions, scan_few, fix,
        fix_short;                    /* of teams */
    pm_kernel top, jump, unions_top;  /* of invocations */
    uint32_t block, few;              /* tiles, powers of two */
    uint32_t reduce_teams, fix_teams; /* of a workgroup */
    pm_boxes_slices slices;           /* for short scenes */
} pm_boxes;

/* On failure it needs no destroying. */
pm_status pm_boxes_create(const pm_device *device, pm_boxes *boxes);

/* One that is all zeros is fine. */
void pm_boxes_destroy(const pm_device *device, pm_boxes *boxes);

/* Tiles that n elements touch. */
static inline uint32_t pm_boxes_tiles(uint32_t n) {
    return n / PM_BOXES_TILE + (n % PM_BOXES_TILE != 0);
}

/* Tiles of a block: fewer where there are so few that one of fewer teams reduces them, too. */
static inline uint32_t pm_boxes_block(const pm_boxes *boxes, uint32_t tiles) {
    return tiles <= boxes->few / PM_LANES * PM_BOXES_TEAM_TILES ? boxes->few : boxes->block;
}

/* Short scenes need no reduce: the scan does it by itself. */
static inline bool pm_boxes_scan_reduces(const pm_boxes *boxes, uint32_t n) {
    return pm_boxes_slices_take(&boxes->slices, n) ||
           pm_boxes_tiles(n) <= boxes->block / PM_LANES * PM_BOXES_TEAM_TILES;
}

/* Bytes of scratch for n > 0 elements, which is enough for fewer, too. */
uint64_t pm_boxes_scratch_bytes(const pm_boxes *boxes, uint32_t n);

/* Bytes of dispatches for n > 0 elements, which is enough for fewer, too. */
uint64_t pm_boxes_dispatches_bytes(const pm_device *device, uint32_t n);

/* Whether match takes tiles in an order that the scan makes, and by dispatches that it tells. */
bool pm_boxes_has_order(const pm_boxes *boxes, const pm_boxes_scene *scene);
pm_boxes_order_parameters pm_boxes_order_parameters_make(const pm_device *device, const pm_boxes *boxes,
                                                         const pm_boxes_scene *scene);

/* The parameters of a stage but first and count, of a scene that does not go by slices. */
pm_boxes_parameters pm_boxes_parameters_make(const pm_boxes *boxes, const pm_boxes_scene *scene, pm_boxes_stage stage);

/* Records a stage for tiles first ... first + count - 1 (scan and fix: for all tiles): dispatches, which read and write
 * in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). Where the scene has dispatches, some ranges of match may record
 * less than others; all of them together do all tiles. */
void pm_boxes_record(const pm_device *device, VkCommandBuffer commands, const pm_boxes *boxes,
                     const pm_boxes_scene *scene, pm_boxes_stage stage, uint32_t first, uint32_t count);
void pm_boxes_record_barrier(const pm_device *device, VkCommandBuffer commands);

/* All of it, with the barriers between the stages. */
void pm_boxes_record_all(const pm_device *device, VkCommandBuffer commands, const pm_boxes *boxes,
                         const pm_boxes_scene *scene);

#endif
