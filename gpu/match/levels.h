/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline `levels`: any n, any depth. Sizes and recording only; it allocates, submits and waits for nothing.
 *
 * Three stages, in this order: reduce, in any ranges of superblocks that together are all; scan; match, in any ranges
 * of tiles, in any order, each to an address of its own, so that the output need not be one buffer.
 *
 * A slice of a longer sequence needs the stack that the slices before it leave. A fourth stage, stack, writes what a
 * slice leaves. A slice can be matched before its incoming stack is known; a fifth stage, far, lists the tiles that
 * must then be matched again.
 */
#ifndef PM_GPU_MATCH_LEVELS_H
#define PM_GPU_MATCH_LEVELS_H

#include "gpu/device/kernel.h"
#include "shaders/shared/parameters.h"

typedef struct pmi_levels {
    pmi_kernel reduce, scan, match;
    pmi_kernel match_short;           /* of whole sequences whose length the host knows */
    pmi_kernel far, match_far, stack; /* of slices */
    bool indirect, sliced;
} pmi_levels;

/* Create kernels for known lengths, for lengths on the device, and for slices. After a failure they need no destroying.
 */
pm_status pmi_levels_create(const pmi_device *device, pmi_levels *levels);
pm_status pmi_levels_create_indirect(const pmi_device *device, pmi_levels *levels);
pm_status pmi_levels_create_sliced(const pmi_device *device, pmi_levels *levels);

/* Creates a kernel of the match stage for whole sequences, from other SPIR-V. */
pm_status pmi_levels_match_create(const pmi_device *device, pmi_shader subgroup, pmi_shader workgroup,
                                  pmi_kernel *kernel);

/* The shaders for whole sequences. */
typedef enum pmi_levels_shader {
    PM_LEVELS_REDUCE,
    PM_LEVELS_SCAN,
    PM_LEVELS_MATCH,
    PM_LEVELS_MATCH_SHORT,
    PM_LEVELS_SHADERS
} pmi_levels_shader;

/* Creates a kernel again, from other SPIR-V, to compare both. The SPIR-V is for subgroups or for workgroups, as the
 * device needs. A failure does not change *levels. Nothing that uses the former kernel may be in flight. */
pm_status pmi_levels_replace_shader(const pmi_device *device, pmi_levels *levels, pmi_levels_shader which,
                                    pmi_shader shader);

/* Zeros are allowed. */
void pmi_levels_destroy(const pmi_device *device, pmi_levels *levels);

/* Tiles, and superblocks, that n elements touch. */
static inline uint32_t pmi_levels_tiles(uint32_t n) {
    return n / PM_TILE + (n % PM_TILE != 0);
}

static inline uint32_t pmi_levels_superblocks(uint32_t n) {
    return n / PM_SUPERBLOCK + (n % PM_SUPERBLOCK != 0);
}

/* Short sequences need no scan: the match stage scans by itself. */
static inline bool pmi_levels_is_short(const pmi_device *device, const pmi_levels *levels, uint32_t n) {
    return !levels->indirect && !levels->sliced && n > 0 && pmi_levels_superblocks(n) <= device->can.short_superblocks;
}

/* Bytes of scratch for n > 0 elements: less than n / 6 and 8 KiB. */
uint64_t pmi_levels_scratch_bytes(uint32_t n);

/*
 * The parameters for n elements; if n is 0, only scan uses them, for the summary.
 * parens   address of n bits, aligned to 16 bytes; no word without one of them is read
 * scratch  address of pmi_levels_scratch_bytes(n) bytes, aligned to 16
 * summary  address of 8 bytes, aligned to 4; scan, or the match of a short sequence's first tile, writes the unmatched
 *          closes and the unmatched opens there
 */
pmi_levels_parameters pmi_levels_parameters_make(uint32_t n, uint64_t parens, uint64_t scratch, uint64_t summary);

/* The parameters for a part: n elements of `all`, from a superblock on. Results of reduce are where those of the whole
 * are, so that all parts share them. Scan and far write the part's own levels to the address `levels`, of
 * pmi_levels_array_bytes(n) bytes, aligned to 4. */
uint64_t pmi_levels_array_bytes(uint32_t n);
pmi_levels_parameters pmi_levels_parameters_part(const pmi_levels_parameters *all, uint32_t first_superblock,
                                                 uint32_t n, uint64_t levels);

/* The dispatches of a stage on this device, for any length up to n; ranges as below. */
pmi_plan_task pmi_levels_reduce_task(const pmi_device *device, uint32_t n, uint32_t first_superblock,
                                     uint32_t superblocks);
pmi_plan_task pmi_levels_match_task(const pmi_device *device, uint32_t n, uint32_t first_tile, uint32_t tiles);

/* The dispatches of a stage on the whole sequence. */
pmi_plan_task pmi_levels_reduce_all(const pmi_device *device, uint32_t n);
pmi_plan_task pmi_levels_match_all(const pmi_device *device, uint32_t n);

/* Record dispatches without barriers between them; scan records none for a short sequence. They read and write in
 * shaders (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT). pmi_shader_barrier() must come between the stages. */
void pmi_levels_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                              pmi_levels_parameters parameters, uint32_t first_superblock, uint32_t superblocks);
void pmi_levels_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                            pmi_levels_parameters parameters);
/* Also for a short sequence. */
void pmi_levels_record_scan_of_any(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                                   pmi_levels_parameters parameters);
/* match: address for the match of the first tile's first element. Nothing is written past n. */
void pmi_levels_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                             pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);
/* With another kernel of this stage. */
void pmi_levels_record_match_with(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                  pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles,
                                  uint64_t match);

/*
 * For slices, whose parameters have origin, incoming and incoming_count, too.
 * _far        lists the tiles that look further back than the slice begins; after scan
 * _match_far  matches all tiles that are listed, and maybe others; after _far and a barrier
 * _stack      writes entries first ... first + count - 1 of the stack after the slice, its top first, to an address,
 *             aligned to 4: indices in the whole sequence, PM_NO_ELEMENT below the last; after scan, without the parens
 */
void pmi_levels_record_far(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                           pmi_levels_parameters parameters);
void pmi_levels_record_match_far(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                                 pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match);
void pmi_levels_record_stack(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                             pmi_levels_parameters parameters, uint32_t first, uint32_t count, uint64_t to);

/*
 * ---- Lengths that only the device knows ----
 *
 * The device computes what the host would for a known length (shaders/match/plan.h): the plan of each dispatch, which
 * is its number of workgroups and their work. First all tasks are planned; then the stages are dispatched by these
 * plans.
 */

typedef struct pmi_indirect {
    pmi_kernel plan;
    pmi_levels levels; /* kernels that read plans */
} pmi_indirect;

/* After a failure it needs no destroying. */
pm_status pmi_indirect_create(const pmi_device *device, pmi_indirect *indirect);

/* Zeros are allowed. */
void pmi_indirect_destroy(const pmi_device *device, pmi_indirect *indirect);

/* Plans in a buffer, aligned to 4 bytes: the tasks', one after the other. */
typedef struct pmi_plans {
    VkBuffer buffer; /* of indirect dispatches */
    VkDeviceSize offset;
    uint64_t address; /* of the offset */
} pmi_plans;

pmi_plans pmi_plans_at(const pmi_device *device, VkBuffer buffer, VkDeviceSize offset);

static inline pmi_plans pmi_plans_after(pmi_plans plans, uint64_t bytes) {
    plans.offset += bytes;
    plans.address += bytes;
    return plans;
}

/* Bytes of a task's plans. */
static inline uint64_t pmi_indirect_bytes(pmi_plan_task task) {
    return (uint64_t)(task.dispatches + task.dispatches_last) * sizeof(pmi_plan);
}

/* Bytes of the plans of reduce and match of a whole sequence of at most n elements. */
uint64_t pmi_levels_plans_bytes(const pmi_device *device, uint32_t n);

/* Records the planning of a task for at most n elements. `length` is the address of their number. Returns where the
 * next task's plans begin. pmi_indirect_record_barrier() must follow. */
pmi_plans pmi_indirect_record_plan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                   uint64_t length, uint32_t n, pmi_plan_task task, pmi_plans plans);
void pmi_indirect_record_barrier(const pmi_device *device, VkCommandBuffer commands);

/* Records the dispatches of a kernel by a task's plans. Stores the address of each plan in *plan, which is a part of
 * the parameters. Returns where the next task's plans begin. */
pmi_plans pmi_indirect_dispatch(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans);

/* Records one dispatch of one workgroup, which does the work of all plans of a task and gets the first one's address. A
 * task without plans needs no dispatch. */
void pmi_indirect_dispatch_once(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                const void *parameters, uint32_t bytes, uint64_t *plan, pmi_plan_task task,
                                pmi_plans plans);

/* Record the stages by plans, with those parameters that do not depend on the length. */
pmi_plans pmi_indirect_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                     pmi_levels_parameters parameters, pmi_plan_task task, pmi_plans plans);
/* plans: any task's. */
void pmi_indirect_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                              pmi_levels_parameters parameters, pmi_plans plans);
pmi_plans pmi_indirect_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_indirect *indirect,
                                    pmi_levels_parameters parameters, pmi_plan_task task, uint64_t match,
                                    pmi_plans plans);

#endif
