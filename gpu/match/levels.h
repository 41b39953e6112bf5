/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `levels`: any n, any depth. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Three stages, in this order: reduce, on any ranges of superblocks that together are all; scan; match, on any ranges
 * of tiles, in any order, each to an address of its own, so that the output need not be one buffer.
 *
 * Of a slice of a longer sequence the match needs what is on the stack before it, which is what the slices before it
 * have left there; a fourth stage, stack, tells what one leaves. One can be matched before that is known, too: then a
 * fifth, far, lists what is to be matched again.
 */
#ifndef PM_GPU_MATCH_LEVELS_H
#define PM_GPU_MATCH_LEVELS_H

#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_levels {
    pmi_kernel reduce, scan, match;
    pmi_kernel match_short;           /* of whole sequences whose length the host knows */
    pmi_kernel far, match_far, stack; /* of slices */
    bool planned, sliced;
} pmi_levels;

/* On failure it needs no destroying. _planned: for gpu/match/indirect.h. _sliced: for slices. */
pm_status pmi_levels_create(const pmi_device *device, pmi_levels *levels);
pm_status pmi_levels_create_planned(const pmi_device *device, pmi_levels *levels);
pm_status pmi_levels_create_sliced(const pmi_device *device, pmi_levels *levels);

/* The shaders of a whole sequence, as wide_NAME_subgroup and wide_NAME_workgroup in shaders/compile.sh. */
typedef enum pmi_levels_shader {
    PM_LEVELS_REDUCE,
    PM_LEVELS_SCAN,
    PM_LEVELS_MATCH,
    PM_LEVELS_MATCH_SHORT,
    PM_LEVELS_SHADERS
} pmi_levels_shader;

/* For comparing kernels: makes one of a _create()d pipeline again, from other SPIR-V, which is for subgroups or for
 * workgroups as the device has them. On failure *levels is as before. Nothing that uses the former one may be pending.
 */
pm_status pmi_levels_replace_shader(const pmi_device *device, pmi_levels *levels, pmi_levels_shader which,
                                    pmi_shader shader);

/* One that is all zeros is fine. */
void pmi_levels_destroy(const pmi_device *device, pmi_levels *levels);

/* Tiles, and superblocks, that n elements touch. */
static inline uint32_t pmi_levels_tiles(uint32_t n) {
    return n / PM_TILE + (n % PM_TILE != 0);
}

static inline uint32_t pmi_levels_superblocks(uint32_t n) {
    return n / PM_SUPERBLOCK + (n % PM_SUPERBLOCK != 0);
}

/* Short sequences need no scan: the match stage does it by itself. */
static inline bool pmi_levels_is_short(const pmi_device *device, const pmi_levels *levels, uint32_t n) {
    return !levels->planned && !levels->sliced && n > 0 && pmi_levels_superblocks(n) <= device->can.short_superblocks;
}

/* Bytes of scratch for n > 0 elements: less than n / 7 and 8 KiB. */
uint64_t pmi_levels_scratch_bytes(uint32_t n);

/*
 * The parameters for n elements; where that is 0 only the summary is used, by scan.
 * parens   address of n bits, aligned to 16 bytes; no word without one of them is read
 * scratch  address of pmi_levels_scratch_bytes(n) bytes, aligned to 16
 * summary  address of 8 bytes, which receive the unmatched closes and the unmatched opens, from scan, or of a short
 *          sequence from the match of its first tile; aligned to 4
 */
pmi_levels_parameters pmi_levels_parameters_make(uint32_t n, uint64_t parens, uint64_t scratch, uint64_t summary);

/* The parameters of a part of what `all` is of: n elements from a superblock on. What reduce writes of it is written to
 * the place that it has in the whole, so that it serves every part which has it; what scan and far write, levels of
 * that part alone, to the address `levels`, of pmi_levels_array_bytes(n) bytes, aligned to 4. */
uint64_t pmi_levels_array_bytes(uint32_t n);
pmi_levels_parameters pmi_levels_parameters_part(const pmi_levels_parameters *all, uint32_t first_superblock,
                                                 uint32_t n, uint64_t levels);

/* How the stages are cut into dispatches on this device, for any length up to n; ranges as below. */
pmi_plan_task pmi_levels_reduce_task(const pmi_device *device, uint32_t n, uint32_t first_superblock,
                                     uint32_t superblocks);
pmi_plan_task pmi_levels_match_task(const pmi_device *device, uint32_t n, uint32_t first_tile, uint32_t tiles);

/* Each records dispatches alone (scan of a short sequence none), which read and write in shaders
 * (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT), and which touch different memory. Between the stages
 * pmi_levels_record_barrier() is needed. */
void pmi_levels_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                              pmi_levels_parameters parameters, uint32_t first_superblock, uint32_t superblocks);
void pmi_levels_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                            pmi_levels_parameters parameters);
/* match: address for the match of the first tile's first element and those after it; nothing is written past n. */
void pmi_levels_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                             pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);
void pmi_levels_record_barrier(const pmi_device *device, VkCommandBuffer commands);

/*
 * Of slices, whose parameters have origin, incoming and incoming_count as well.
 * _far        lists what looks further back than the slice begins, after scan
 * _match_far  the match of all tiles that do, and perhaps of others, after _far and a barrier
 * _stack      entries first ... first + count - 1 of the stack after the slice, its top first, to this address, aligned
 * to 4 bytes: indices in the whole sequence, PM_NO_ELEMENT below all. After scan; it reads nothing of the parens.
 */
void pmi_levels_record_far(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                           pmi_levels_parameters parameters);
void pmi_levels_record_match_far(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                                 pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);
void pmi_levels_record_stack(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                             pmi_levels_parameters parameters, uint32_t first, uint32_t count, uint64_t to);

#endif
