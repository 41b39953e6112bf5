/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a scene that is on a device. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Four stages, in this order, with pmi_shader_barrier() between them: reduce, on any ranges of tiles that
 * together are all; scan; match, on any ranges; fix. Each stage may be several dispatches, and barriers of its own
 * between them. Short scenes have other shaders, and another scratch (gpu/boxes/slices.h).
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

/* On failure it needs no destroying. */
pm_status pmi_boxes_create(const pmi_device *device, pmi_boxes *boxes);

/* One that is all zeros is fine. */
void pmi_boxes_destroy(const pmi_device *device, pmi_boxes *boxes);

/* Tiles that n elements touch. */
static inline uint32_t pmi_boxes_tiles(uint32_t n) {
    return n / PM_BOXES_TILE + (n % PM_BOXES_TILE != 0);
}

/* Tiles of a block: fewer where there are so few that one of fewer teams reduces them, too. */
static inline uint32_t pmi_boxes_block(const pmi_boxes *boxes, uint32_t tiles) {
    return tiles <= boxes->few / PM_LANES * PM_BOXES_TEAM_TILES ? boxes->few : boxes->block;
}

/* Short scenes need no reduce: the scan does it by itself. */
static inline bool pmi_boxes_scan_reduces(const pmi_boxes *boxes, uint32_t n) {
    return pmi_boxes_slices_take(&boxes->slices, n) ||
           pmi_boxes_tiles(n) <= boxes->block / PM_LANES * PM_BOXES_TEAM_TILES;
}

/* Bytes of scratch for n > 0 elements, which is enough for fewer, too. */
uint64_t pmi_boxes_scratch_bytes(const pmi_boxes *boxes, uint32_t n);

/* Bytes of dispatches for n > 0 elements, which is enough for fewer, too. */
uint64_t pmi_boxes_dispatches_bytes(const pmi_device *device, uint32_t n);

/* Whether match takes tiles in an order that the scan makes, and by dispatches that it tells. */
bool pmi_boxes_has_order(const pmi_boxes *boxes, const pmi_boxes_scene *scene);
pmi_boxes_order_parameters pmi_boxes_order_parameters_make(const pmi_device *device, const pmi_boxes *boxes,
                                                           const pmi_boxes_scene *scene);

/* The parameters of a stage but first and count, of a scene that does not go by slices. */
pmi_boxes_parameters pmi_boxes_parameters_make(const pmi_boxes *boxes, const pmi_boxes_scene *scene,
                                               pmi_boxes_stage stage);

/* Records a stage for tiles first ... first + count - 1 (scan and fix: for all tiles): dispatches, which read and write
 * in shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). Where the scene has dispatches, some ranges of match may record
 * less than others; all of them together do all tiles. */
void pmi_boxes_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                      const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count);

/* All of it, with the barriers between the stages. */
void pmi_boxes_record_all(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                          const pmi_boxes_scene *scene);

#endif
