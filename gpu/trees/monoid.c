/* SPDX-License-Identifier: Apache-2.0 */
/* A monoid's tiles, their memory, and the dispatches of the stages. */
#include "gpu/trees/scan.h"

#include "base/sizes.h"
#include "parenmatch/monoid/layout.h"

_Static_assert(sizeof(pmi_monoid_parameters) <= PM_PUSH_BYTES, "parameters fit");
_Static_assert(PM_MONOID_VALUE_MAX == PM_GPU_VALUE_MAX, "one limit");

enum {
    TILE_MAX = 128,
    TILE_MIN = 32,
    TILE_BYTES = 4, /* of shared memory for each node, in addition to its value */
    TILE_MORE = 64  /* for each workgroup */
};

/* ---- Code ---- */

/* Decorations of SPIR-V say which specialization constants a file has, and how arrays are laid out. Source: The Khronos
 * Group, "SPIR-V Specification", section 2.3 and 3.20. */
enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    OP_DECORATE = 71,
    DECORATION_SPEC_ID = 1,
    DECORATION_ARRAY_STRIDE = 6
};

typedef struct decorations {
    bool stage, tile, stride;
} decorations;

static void decoration_read(uint32_t decoration, uint32_t value, size_t value_size, decorations *seen) {
    seen->stage |= decoration == DECORATION_SPEC_ID && value == PM_MONOID_STAGE;
    seen->tile |= decoration == DECORATION_SPEC_ID && value == PM_MONOID_TILE;
    seen->stride |= decoration == DECORATION_ARRAY_STRIDE && value == value_size;
}

/* Is it SPIR-V that was made with this edition of parenmatch/monoid.glsl, with an array of values of this size? */
static bool code_is_fine(const pm_gpu_monoid *monoid) {
    const uint32_t *const words = monoid->words;
    if (monoid->size == 0 || monoid->size % 4 != 0 || monoid->size > PM_MONOID_VALUE_MAX || !words ||
        monoid->word_count < HEADER_WORDS || words[0] != MAGIC)
        return false;
    decorations seen = {0};
    for (size_t at = HEADER_WORDS, length; at < monoid->word_count; at += length) {
        length = words[at] >> 16;
        if (length == 0 || length > monoid->word_count - at)
            return false;
        if ((words[at] & 0xffff) == OP_DECORATE && length == 4)
            decoration_read(words[at + 2], words[at + 3], monoid->size, &seen);
    }
    return seen.stage && seen.tile && seen.stride;
}

static uint64_t aligned(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/* ---- Creating ---- */

static uint32_t tile_of(const pmi_device *device, uint32_t value_size) {
    const uint32_t bytes = device->can.workgroup_bytes - TILE_MORE;
    uint32_t tile = device->can.tile_nodes ? device->can.tile_nodes : TILE_MAX;
    while (tile > TILE_MIN && (tile > device->can.workgroup_invocations || tile * (value_size + TILE_BYTES) > bytes))
        tile /= 2;
    return tile;
}

pm_status pmi_monoid_kernels_create(const pmi_device *device, const pm_gpu_monoid *monoid,
                                    pmi_monoid_kernels *kernels) {
    *kernels = (pmi_monoid_kernels){0};
    if (!code_is_fine(monoid))
        return PM_INVALID_ARGUMENT;
    kernels->value_size = (uint32_t)monoid->size;
    kernels->tile = tile_of(device, kernels->value_size);
    const pmi_shader shader = {monoid->words, monoid->word_count * sizeof *monoid->words};
    pm_status status = PM_OK;
    for (uint32_t stage = 0; stage < PM_MONOID_STAGES && status == PM_OK; stage++) {
        const pmi_constant constants[] = {{PM_MONOID_STAGE, stage}, {PM_MONOID_TILE, kernels->tile}};
        status = pmi_kernel_create_with(device, shader, 0, constants, 2, &kernels->stages[stage]);
    }
    if (status != PM_OK)
        pmi_monoid_kernels_destroy(device, kernels);
    return status;
}

void pmi_monoid_kernels_destroy(const pmi_device *device, pmi_monoid_kernels *kernels) {
    for (uint32_t stage = 0; stage < PM_MONOID_STAGES; stage++)
        pmi_kernel_destroy(device, &kernels->stages[stage]);
}

/* ---- Memory ---- */

/* Products of blocks of 16, 32, 64 ... nodes. */
static uint64_t products_count(uint32_t nodes) {
    uint64_t count = 0;
    for (uint32_t blocks = nodes >> PM_MONOID_BLOCK_SHIFT; blocks > 0; blocks /= 2)
        count += blocks;
    return count;
}

static uint64_t down_lay_out(const pmi_monoid_kernels *kernels, uint32_t nodes, uint64_t at, pmi_monoid_parameters *p) {
    const uint64_t tiles = pmi_divide_up(nodes, kernels->tile);
    const uint64_t numbers = aligned(tiles * sizeof(uint32_t)), values = aligned(tiles * kernels->value_size);
    p->bases_from = at;
    p->bases_to = p->bases_from + values;
    p->heads = p->bases_to + values;
    p->survivors = p->heads + numbers;
    p->links_from = p->survivors + aligned(tiles * kernels->tile / 8);
    p->links_to = p->links_from + numbers;
    return p->links_to + numbers;
}

uint64_t pmi_monoid_scratch_bytes(const pmi_monoid_kernels *kernels, uint32_t nodes) {
    pmi_monoid_parameters parameters;
    const uint64_t down = down_lay_out(kernels, nodes, 0, &parameters);
    const uint64_t up = aligned(products_count(nodes) * kernels->value_size);
    return down > up ? down : up;
}

static pmi_monoid_parameters parameters_make(const pmi_monoid_kernels *kernels, const pmi_monoid_task *task) {
    pmi_monoid_parameters parameters = {.values = task->values,
                                        .results = task->results,
                                        .count = task->count,
                                        .parents = task->parents,
                                        .ends = task->ends,
                                        .products = task->scratch,
                                        .exclusive = task->exclusive};
    down_lay_out(kernels, task->nodes, task->scratch, &parameters);
    return parameters;
}

/* ---- Recording ---- */

static void record_tiles(const pmi_device *device, VkCommandBuffer commands, const pmi_monoid_kernels *kernels,
                         uint32_t stage, pmi_monoid_parameters parameters, uint32_t tiles) {
    pmi_kernel_dispatch_parts(device, commands, &kernels->stages[stage], &parameters, sizeof parameters,
                              &parameters.first, 0, tiles, device->can.dispatch_tiles);
}

/* Jumps until all bases are complete. */
static uint32_t jumps_of(uint32_t tiles) {
    uint32_t jumps = 0;
    for (uint64_t reached = 1; reached < tiles; reached *= PM_MONOID_HOPS)
        jumps++;
    return jumps;
}

/* Chains, jumps, survivors and rest; for one tile only rest. */
static uint32_t down_steps(uint32_t tiles) {
    return tiles > 1 ? jumps_of(tiles) + 3 : 1;
}

static void record_down(const pmi_device *device, VkCommandBuffer commands, const pmi_monoid_kernels *kernels,
                        const pmi_monoid_task *task, uint32_t step) {
    const uint32_t tiles = pmi_divide_up32(task->nodes, kernels->tile), steps = down_steps(tiles), jump = step - 1;
    pmi_monoid_parameters p = parameters_make(kernels, task);
    const uint64_t bases[2] = {p.bases_from, p.bases_to}, links[2] = {p.links_from, p.links_to};
    if (step == steps - 1) {
        record_tiles(device, commands, kernels, PM_MONOID_REST, p, tiles);
    } else if (step == 0) {
        record_tiles(device, commands, kernels, PM_MONOID_CHAINS, p, tiles);
    } else {
        p.bases_from = bases[jump % 2];
        p.bases_to = bases[(jump + 1) % 2];
        p.links_from = links[jump % 2];
        p.links_to = links[(jump + 1) % 2];
        p.shift = jump;
        if (step == steps - 2)
            record_tiles(device, commands, kernels, PM_MONOID_SURVIVORS, p, tiles);
        else
            record_tiles(device, commands, kernels, PM_MONOID_JUMP, p, pmi_divide_up32(tiles, kernels->tile));
    }
}

/* Blocks that a workgroup reduces to one, going up: nodes in the first step, then its results ... */
static uint32_t given_most(const pmi_monoid_kernels *kernels) {
    return kernels->tile * PM_MONOID_GIVEN;
}

/* Products, as long as a step has left at least two blocks; ranges. */
static uint32_t up_steps(const pmi_monoid_kernels *kernels, uint32_t nodes) {
    uint32_t steps = 1;
    for (uint32_t given = nodes; given >> (steps == 1 ? PM_MONOID_BLOCK_SHIFT : 1) > 0; given /= given_most(kernels))
        steps++;
    return steps;
}

static void record_up(const pmi_device *device, VkCommandBuffer commands, const pmi_monoid_kernels *kernels,
                      const pmi_monoid_task *task, uint32_t step) {
    pmi_monoid_parameters p = parameters_make(kernels, task);
    if (step + 1 == up_steps(kernels, task->nodes)) {
        record_tiles(device, commands, kernels, PM_MONOID_RANGES, p, pmi_divide_up32(task->nodes, kernels->tile));
        return;
    }
    uint32_t given = task->nodes;
    for (uint32_t before = 0; before < step; before++) {
        given /= given_most(kernels);
        for (uint32_t size = given_most(kernels); size > 1; size /= 2)
            p.shift++;
    }
    record_tiles(device, commands, kernels, PM_MONOID_PRODUCTS, p, pmi_divide_up32(given, given_most(kernels)));
}

uint32_t pmi_monoid_steps(const pmi_monoid_kernels *kernels, const pmi_monoid_task *task) {
    return task->up ? up_steps(kernels, task->nodes) : down_steps(pmi_divide_up32(task->nodes, kernels->tile));
}

void pmi_monoid_record_step(const pmi_device *device, VkCommandBuffer commands, const pmi_monoid_kernels *kernels,
                            const pmi_monoid_task *task, uint32_t step) {
    (task->up ? record_up : record_down)(device, commands, kernels, task, step);
}
