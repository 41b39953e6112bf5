/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a scene that is on a device. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Four stages, in this order, with pmi_shader_barrier() between them: reduce, in any ranges of tiles that together are
 * all; scan; match, in any ranges; fix. A stage may have several dispatches, with barriers between them. Short scenes
 * have other shaders and another scratch (gpu/boxes/slices.h).
 */
#ifndef PM_GPU_BOXES_BOXES_H
#define PM_GPU_BOXES_BOXES_H

#include "gpu/boxes/slices.h"
#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_boxes {
    pmi_kernel reduce, sum, levels, links, order, scan, match, match_others, match_sparse, unions, scan_few, fix,
        fix_short;                    /* of teams */
    pmi_kernel top, jump, unions_top; /* of invocations */
    uint32_t block, few;              /* tiles, powers of two */
    uint32_t reduce_teams, fix_teams; /* of a workgroup */
    pmi_boxes_slices slices;          /* for short scenes */
} pmi_boxes;

/* After a failure it needs no destroying. */
pm_status pmi_boxes_create(const pmi_device *device, pmi_boxes *boxes);

/* Zeros are allowed. */
void pmi_boxes_destroy(const pmi_device *device, pmi_boxes *boxes);

/* Tiles that n elements touch. */
static inline uint32_t pmi_boxes_tiles(uint32_t n) {
    return n / PM_BOXES_TILE + (n % PM_BOXES_TILE != 0);
}

/* Tiles of a block: fewer if a block of fewer teams can also reduce all tiles. */
static inline uint32_t pmi_boxes_block(const pmi_boxes *boxes, uint32_t tiles) {
    return tiles <= boxes->few / PM_LANES * PM_BOXES_TEAM_TILES ? boxes->few : boxes->block;
}

/* Short scenes need no reduce: the scan reduces them. */
static inline bool pmi_boxes_scan_reduces(const pmi_boxes *boxes, uint32_t n) {
    return pmi_boxes_slices_take(&boxes->slices, n) ||
           pmi_boxes_tiles(n) <= boxes->block / PM_LANES * PM_BOXES_TEAM_TILES;
}

/* Bytes of scratch for at most n > 0 elements. */
uint64_t pmi_boxes_scratch_bytes(const pmi_boxes *boxes, uint32_t n);

/* Bytes of dispatches for at most n > 0 elements. */
uint64_t pmi_boxes_dispatches_bytes(const pmi_device *device, uint32_t n);

/* Does match take tiles in an order, and by dispatches, that the scan writes? */
bool pmi_boxes_has_order(const pmi_boxes *boxes, const pmi_boxes_scene *scene);
pmi_boxes_order_parameters pmi_boxes_order_parameters_make(const pmi_device *device, const pmi_boxes *boxes,
                                                           const pmi_boxes_scene *scene);

/* The parameters of a stage, except first and count, for a scene without slices. */
pmi_boxes_parameters pmi_boxes_parameters_make(const pmi_boxes *boxes, const pmi_boxes_scene *scene,
                                               pmi_boxes_stage stage);

/* Records a stage for tiles first ... first + count - 1; scan and fix are for all tiles. Its dispatches read and write
 * in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). If the scene has dispatches, ranges of match may record more or
 * fewer tiles than their own; together they record all. */
void pmi_boxes_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                      const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count);

/* Records all stages, with the barriers between them. */
void pmi_boxes_record_all(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                          const pmi_boxes_scene *scene);

#endif
