/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a scene that is on a device. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Four stages, in this order, with pmi_shader_barrier() between them: reduce, in any ranges of tiles that together are
 * all; scan; match, in any ranges; fix. A stage may have several dispatches, with barriers between them. Short scenes
 * have other shaders and another scratch.
 */
#ifndef PM_GPU_BOXES_BOXES_H
#define PM_GPU_BOXES_BOXES_H

#include "base/sizes.h"
#include "gpu/match/levels.h"
#include "shaders/shared/parameters.h"

/* What a scene may be promised not to have. */
typedef enum pmi_boxes_lack {
    PM_BOXES_NO_CLIPS = 1,
    PM_BOXES_NO_BLENDS = 2
} pmi_boxes_lack;

/* A scene that is on a device, by addresses, all aligned to 16 bytes. */
typedef struct pmi_boxes_scene {
    uint32_t n;           /* > 0 elements, at most PM_BOXES_N_MAX */
    uint32_t lacks;       /* a sum of pmi_boxes_lack, or 0; if it is wrong, so are the results */
    uint64_t kinds;       /* n bytes; no 32-bit word without one of them is read */
    uint64_t boxes;       /* n boxes */
    uint64_t results;     /* n boxes, which do not overlap the others */
    uint64_t scratch;     /* pmi_boxes_scratch_bytes(); contents undefined before and after */
    pmi_plans dispatches; /* pmi_boxes_dispatches_bytes(); without a buffer one kernel matches all tiles */
} pmi_boxes_scene;

typedef enum pmi_boxes_stage {
    PM_BOXES_REDUCE,
    PM_BOXES_SCAN,
    PM_BOXES_MATCH,
    PM_BOXES_FIX,
    PM_BOXES_STAGES
} pmi_boxes_stage;

/*
 * ---- Slices of short scenes ----
 *
 * An invocation has one element, and each of three stages is one dispatch, because dispatches and waiting take most of
 * the time. Scan does the work of reduce. The shortest scenes have no scan: each workgroup of match looks at all kinds.
 * A scene of one slice has only match. There is nothing to fix without blends, and, of few slices, without clips.
 */

typedef struct pmi_boxes_slices {
    pmi_kernel reduce, match, fix;
    pmi_kernel reduce_blends, match_blends; /* without clips */
    pmi_kernel match_many, fix_many;        /* of more than PM_BOXES_SLICES_FEW slices */
    pmi_kernel match_direct;                /* of at most PM_BOXES_SLICES_DIRECT slices */
    pmi_kernel match_short, fix_short;      /* of as many, short ones */
    uint32_t slice, short_slice;            /* elements; 0: the device cannot have slices */
} pmi_boxes_slices;

/* After a failure it needs no destroying. */
pm_status pmi_boxes_slices_create(const pmi_device *device, pmi_boxes_slices *slices);

/* Zeros are allowed. */
void pmi_boxes_slices_destroy(const pmi_device *device, pmi_boxes_slices *slices);

/* The length of the longest scene of at most n elements that is divided into slices. */
static inline uint32_t pmi_boxes_slices_max(const pmi_boxes_slices *slices, uint32_t n) {
    return pmi_min32(n, pmi_min(slices->slice * slices->slice * PM_BOXES_OWN_SLICES, PM_BOXES_SLICE_N_MAX));
}

/* Is a scene of n elements divided into slices? */
static inline bool pmi_boxes_slices_take(const pmi_boxes_slices *slices, uint32_t n) {
    return n == pmi_boxes_slices_max(slices, n);
}

/* Bytes of scratch for n > 0 elements. */
uint64_t pmi_boxes_slices_scratch_bytes(const pmi_boxes_slices *slices, uint32_t n);

/* The length of the scene's slices. */
uint32_t pmi_boxes_slice_of(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene);

/* The parameters of a stage, except first. */
pmi_boxes_slices_parameters pmi_boxes_slices_parameters_make(const pmi_boxes_slices *slices,
                                                             const pmi_boxes_scene *scene);

/* As pmi_boxes_record(). Match is for the slices that begin in these tiles. */
void pmi_boxes_slices_record(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes_slices *slices,
                             const pmi_boxes_scene *scene, pmi_boxes_stage stage, uint32_t first, uint32_t count);

/* Is the scene one of blends alone that has kernels of its own? */
bool pmi_boxes_slices_have_no_clips(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene);

/* Does the stage record anything? */
bool pmi_boxes_slices_has_stage(const pmi_boxes_slices *slices, const pmi_boxes_scene *scene, pmi_boxes_stage stage);

/* ---- All scenes ---- */

typedef struct pmi_boxes {
    pmi_kernel reduce, sum, levels, links, order, scan, match, match_others, match_sparse, unions, scan_few, fix,
        fix_short;                    /* of teams */
    pmi_kernel top, jump, unions_top; /* of invocations */
    uint32_t block, few;              /* tiles, powers of two */
    uint32_t unordered; /* tiles: up to this number they are not sorted, since sorting takes longer than it saves */
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

/* Does the stage record anything? */
bool pmi_boxes_has_stage(const pmi_boxes *boxes, const pmi_boxes_scene *scene, pmi_boxes_stage stage);

/* Records all stages, with the barriers between them. */
void pmi_boxes_record_all(const pmi_device *device, VkCommandBuffer commands, const pmi_boxes *boxes,
                          const pmi_boxes_scene *scene);

#endif
