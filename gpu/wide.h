/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `wide`: any n, any depth. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Three stages, in this order: reduce, on any ranges of superblocks that together are all; scan; match, on any ranges
 * of tiles, in any order, each to an address of its own, so that the output need not be one buffer.
 *
 * Of a slice of a longer sequence the match needs what is on the stack before it, which is what the slices before it
 * have left there; a fourth stage, stack, tells what one leaves. One can be matched before that is known, too: then a
 * fifth, far, lists what is to be matched again.
 */
#ifndef PM_GPU_WIDE_H
#define PM_GPU_WIDE_H

#include "gpu/kernel.h"
#include "shaders/parameters.h"

typedef struct pm_wide {
    pm_kernel reduce, scan, match;
    pm_kernel match_short;           /* of whole sequences whose length the host knows */
    pm_kernel far, match_far, stack; /* of slices */
    bool planned, sliced;
} pm_wide;

/* On failure it needs no destroying. _planned: for gpu/planned.h. _sliced: for slices. */
pm_status pm_wide_create(const pm_device *device, pm_wide *wide);
pm_status pm_wide_create_planned(const pm_device *device, pm_wide *wide);
pm_status pm_wide_create_sliced(const pm_device *device, pm_wide *wide);

/* The shaders of a whole sequence, as wide_NAME_subgroup and wide_NAME_workgroup in shaders/compile.sh. */
typedef enum pm_wide_shader {
    PM_WIDE_REDUCE,
    PM_WIDE_SCAN,
    PM_WIDE_MATCH,
    PM_WIDE_MATCH_SHORT,
    PM_WIDE_SHADERS
} pm_wide_shader;

/* For comparing kernels: makes one of a _create()d pipeline again, from other SPIR-V, which is for subgroups or for
 * workgroups as the device has them. On failure *wide is as before. Nothing that uses the former one may be pending. */
pm_status pm_wide_exchange(const pm_device *device, pm_wide *wide, pm_wide_shader which, pm_shader shader);

/* One that is all zeros is fine. */
void pm_wide_destroy(const pm_device *device, pm_wide *wide);

/* Tiles, and superblocks, that n elements touch. */
static inline uint32_t pm_wide_tiles(uint32_t n) {
    return n / PM_TILE + (n % PM_TILE != 0);
}

static inline uint32_t pm_wide_superblocks(uint32_t n) {
    return n / PM_SUPERBLOCK + (n % PM_SUPERBLOCK != 0);
}

/* Short sequences need no scan: the match stage does it by itself. */
static inline bool pm_wide_is_short(const pm_device *device, const pm_wide *wide, uint32_t n) {
    return !wide->planned && !wide->sliced && n > 0 && pm_wide_superblocks(n) <= device->can.short_superblocks;
}

/* Bytes of scratch for n > 0 elements: less than n / 7 and 8 KiB. */
uint64_t pm_wide_scratch_bytes(uint32_t n);

/*
 * The parameters for n elements; where that is 0 only the summary is used, by scan.
 * parens   address of n bits, aligned to 16 bytes; no word without one of them is read
 * scratch  address of pm_wide_scratch_bytes(n) bytes, aligned to 16
 * summary  address of 8 bytes, which receive the unmatched closes and the unmatched opens, from scan, or of a short
 *          sequence from the match of its first tile; aligned to 4
 */
pm_wide_parameters pm_wide_parameters_make(uint32_t n, uint64_t parens, uint64_t scratch, uint64_t summary);

/* The parameters of a part of what `all` is of: n elements from a superblock on. What reduce writes of it is written to
 * the place that it has in the whole, so that it serves every part which has it; what scan and far write, levels of
 * that part alone, to the address `levels`, of pm_wide_levels_bytes(n) bytes, aligned to 4. */
uint64_t pm_wide_levels_bytes(uint32_t n);
pm_wide_parameters pm_wide_parameters_part(const pm_wide_parameters *all, uint32_t first_superblock, uint32_t n,
                                           uint64_t levels);

/* How the stages are cut into dispatches on this device, for any length up to n; ranges as below. */
pm_plan_task pm_wide_reduce_task(const pm_device *device, uint32_t n, uint32_t first_superblock, uint32_t superblocks);
pm_plan_task pm_wide_match_task(const pm_device *device, uint32_t n, uint32_t first_tile, uint32_t tiles);

/* Each records dispatches alone (scan of a short sequence none), which read and write in shaders
 * (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT), and which touch different memory. Between the stages pm_wide_record_barrier()
 * is needed. */
void pm_wide_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                           pm_wide_parameters parameters, uint32_t first_superblock, uint32_t superblocks);
void pm_wide_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                         pm_wide_parameters parameters);
/* match: address for the match of the first tile's first element and those after it; nothing is written past n. */
void pm_wide_record_match(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);
void pm_wide_record_barrier(const pm_device *device, VkCommandBuffer commands);

/*
 * Of slices, whose parameters have origin, incoming and incoming_count as well.
 * _far        lists what looks further back than the slice begins, after scan
 * _match_far  the match of all tiles that do, and perhaps of others, after _far and a barrier
 * _stack      entries first ... first + count - 1 of the stack after the slice, its top first, to this address, aligned
 * to 4 bytes: indices in the whole sequence, PM_NO_ELEMENT below all. After scan; it reads nothing of the parens.
 */
void pm_wide_record_far(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                        pm_wide_parameters parameters);
void pm_wide_record_match_far(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                              pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);
void pm_wide_record_stack(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first, uint32_t count, uint64_t to);

#endif
