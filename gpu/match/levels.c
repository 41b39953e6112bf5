/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of `levels`, and the workgroups and dispatches of its stages. */
#include "gpu/match/levels.h"

#include "base/sizes.h"
#include "shaders/spv/match.h"

/* Teams of a workgroup, at most: in reduce enough to hide the latency of memory, in scan, which is one workgroup, as
 * many as possible. A workgroup of match is always one team. */
enum {
    REDUCE_TEAMS = 16,
    SCAN_TEAMS = 32,
    FAR_TEAMS = PM_REDUCE_SUPERBLOCKS
};

/* Once there are as many workgroups as fill large devices, the work of each grows with n, up to these limits. */
enum {
    REDUCE_WORKGROUPS = 1024,
    MATCH_WORKGROUPS = 8192,
    MATCH_TILES = 16,
    MATCH_TILES_LAST = 4, /* of the last workgroups, so that all parts of the device end at the same time */
    FAR_WORKGROUPS = 8192,
    STACK_WORKGROUPS = 8192,
    STACK_ROUNDS = 16
};

_Static_assert(sizeof(pmi_levels_parameters) <= PM_PUSH_BYTES, "parameters fit");

static pm_status stage_create(const pmi_device *device, pmi_shader subgroup, pmi_shader workgroup, uint32_t teams,
                              bool indirect, uint32_t part, pmi_kernel *kernel) {
    const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
    const pmi_constant constants[] = {
        {PM_CONSTANT_PLANNED, indirect}, {PM_CONSTANT_STACK, device->can.match_stack}, {PM_CONSTANT_PART, part}};
    return pmi_kernel_create_with(device, subgroups ? subgroup : workgroup,
                                  subgroups ? pmi_min32(teams, device->can.workgroup_teams) : 0, constants,
                                  sizeof constants / sizeof *constants, kernel);
}

pm_status pmi_levels_match_create(const pmi_device *device, pmi_shader subgroup, pmi_shader workgroup,
                                  pmi_kernel *kernel) {
    return stage_create(device, subgroup, workgroup, 1, false, PM_PART_WHOLE, kernel);
}

static pm_status levels_create(const pmi_device *device, pmi_levels *levels) {
    const uint32_t part = levels->sliced ? PM_PART_SLICE : PM_PART_WHOLE;
    pm_status status = PM_OK;
#define CREATE(kernel, stage, teams, part)                                                                             \
    if (status == PM_OK)                                                                                               \
        status = stage_create(device, PM_SHADER(spv_match_levels_##stage##_subgroup),                                  \
                              PM_SHADER(spv_match_levels_##stage##_workgroup), teams, levels->indirect, part,          \
                              &levels->kernel);
    CREATE(reduce, reduce, REDUCE_TEAMS, part)
    CREATE(scan, scan, SCAN_TEAMS, part)
    CREATE(match, match, 1, part)
    if (levels->sliced) {
        CREATE(far, far, FAR_TEAMS, part)
        CREATE(match_far, match_far, 1, part)
        CREATE(stack, stack, 1, part)
    } else if (!levels->indirect) {
        CREATE(match_short, match_short, 1, part)
    }
#undef CREATE
    if (status != PM_OK)
        pmi_levels_destroy(device, levels);
    return status;
}

pm_status pmi_levels_replace_shader(const pmi_device *device, pmi_levels *levels, pmi_levels_shader which,
                                    pmi_shader shader) {
    const struct {
        pmi_kernel *kernel;
        uint32_t teams;
    } of[PM_LEVELS_SHADERS] = {[PM_LEVELS_REDUCE] = {&levels->reduce, REDUCE_TEAMS},
                               [PM_LEVELS_SCAN] = {&levels->scan, SCAN_TEAMS},
                               [PM_LEVELS_MATCH] = {&levels->match, 1},
                               [PM_LEVELS_MATCH_SHORT] = {&levels->match_short, 1}};
    pmi_kernel made;
    const pm_status status = stage_create(device, shader, shader, of[which].teams, false, PM_PART_WHOLE, &made);
    if (status == PM_OK) {
        pmi_kernel_destroy(device, of[which].kernel);
        *of[which].kernel = made;
    }
    return status;
}

pm_status pmi_levels_create(const pmi_device *device, pmi_levels *levels) {
    *levels = (pmi_levels){0};
    return levels_create(device, levels);
}

pm_status pmi_levels_create_indirect(const pmi_device *device, pmi_levels *levels) {
    *levels = (pmi_levels){.indirect = true};
    return levels_create(device, levels);
}

pm_status pmi_levels_create_sliced(const pmi_device *device, pmi_levels *levels) {
    *levels = (pmi_levels){.sliced = true};
    return levels_create(device, levels);
}

void pmi_levels_destroy(const pmi_device *device, pmi_levels *levels) {
    pmi_kernel_destroy(device, &levels->reduce);
    pmi_kernel_destroy(device, &levels->scan);
    pmi_kernel_destroy(device, &levels->match);
    pmi_kernel_destroy(device, &levels->match_short);
    pmi_kernel_destroy(device, &levels->far);
    pmi_kernel_destroy(device, &levels->match_far);
    pmi_kernel_destroy(device, &levels->stack);
}

/* Lays out what reduce writes, from `address` on; returns its end. */
static uint64_t reduction_lay_out(uint32_t n, uint64_t address, pmi_levels_parameters *p) {
    const uint32_t superblocks = pmi_levels_superblocks(n);
    p->n = n;
    p->superblocks = superblocks;
    p->survivors = address;
    p->tile_record = p->survivors + (uint64_t)superblocks * PM_SUPERBLOCK / 8;
    p->superblock_sum = p->tile_record + (uint64_t)superblocks * PM_SUPERBLOCK_TILES * 8;
    return p->superblock_sum + (uint64_t)superblocks * 8;
}

/* Lays out what scan and far write, from `address` on, after reduction_lay_out(); returns its end. */
static uint64_t levels_lay_out(uint64_t address, pmi_levels_parameters *p) {
    const uint32_t superblocks = p->superblocks;
    p->superblock_base = address;
    p->tree = p->superblock_base + (uint64_t)PM_LIST(superblocks, superblocks) * 4;

    uint32_t *const begins[PM_TREE_LEVELS] = {NULL, &p->tree_1, &p->tree_2, &p->tree_3};
    uint32_t nodes = superblocks, highest = 0;
    for (p->tree_levels = 1; nodes > PM_LANES; p->tree_levels++) {
        highest += nodes;
        nodes = nodes / PM_LANES + (nodes % PM_LANES != 0);
        *begins[p->tree_levels] = highest;
    }
    const uint64_t list = highest + PM_LANES, quads = (uint64_t)superblocks * (PM_SUPERBLOCK_TILES / PM_FAR_QUAD);
    return p->tree + (list + PM_FAR_BEGIN + quads) * 4;
}

uint64_t pmi_levels_scratch_bytes(uint32_t n) {
    pmi_levels_parameters parameters = {0};
    return levels_lay_out(reduction_lay_out(n, 0, &parameters), &parameters);
}

uint64_t pmi_levels_array_bytes(uint32_t n) {
    pmi_levels_parameters parameters = {.superblocks = pmi_levels_superblocks(n)};
    return levels_lay_out(0, &parameters);
}

pmi_levels_parameters pmi_levels_parameters_make(uint32_t n, uint64_t parens, uint64_t scratch, uint64_t summary) {
    pmi_levels_parameters parameters = {.parens = parens, .summary = summary};
    levels_lay_out(reduction_lay_out(n, scratch, &parameters), &parameters);
    return parameters;
}

pmi_levels_parameters pmi_levels_parameters_part(const pmi_levels_parameters *all, uint32_t first_superblock,
                                                 uint32_t n, uint64_t levels) {
    const uint64_t s = first_superblock;
    pmi_levels_parameters part = *all;
    part.n = n;
    part.superblocks = pmi_levels_superblocks(n);
    part.parens += s * (PM_SUPERBLOCK / 8);
    part.survivors += s * (PM_SUPERBLOCK / 8);
    part.tile_record += s * PM_SUPERBLOCK_TILES * 8;
    part.superblock_sum += s * 8;
    part.origin += first_superblock * PM_SUPERBLOCK;
    levels_lay_out(levels, &part);
    return part;
}

/* Completes a task with the device's limits, and with as many dispatches as any length up to n can need. */
static pmi_plan_task task_of_device(const pmi_device *device, uint32_t n, uint32_t asked, pmi_plan_task task) {
    if (asked) /* for tests: whatever n is */
        task.per_group_least = task.per_group_most = pmi_min32(asked, task.per_group_most);
    task.dispatch_units = device->can.dispatch_tiles / (task.unit / PM_TILE);
    task.dispatch_units += task.dispatch_units == 0;
    task.dispatch_workgroups = device->can.dispatch_workgroups;
    const uint32_t units = pmi_plan_units(task, n), last_units = pmi_plan_last_units(task, units);
    task.dispatches = pmi_plan_pieces(units, pmi_plan_dispatch_units(task, pmi_plan_per_group(task, units)));
    /* A shorter sequence may have smaller workgroups, but less than twice as many. */
    const uint32_t small = pmi_plan_pieces(2 * task.workgroups, task.dispatch_workgroups);
    task.dispatches = task.dispatches < small ? small : task.dispatches;
    if (last_units > 0)
        task.dispatches_last = pmi_plan_pieces(last_units, pmi_plan_dispatch_units(task, task.per_group_last));
    return task;
}

pmi_plan_task pmi_levels_reduce_task(const pmi_device *device, uint32_t n, uint32_t first_superblock,
                                     uint32_t superblocks) {
    return task_of_device(device, n, device->can.reduce_superblocks,
                          (pmi_plan_task){.unit = PM_SUPERBLOCK,
                                          .first = first_superblock,
                                          .count = superblocks,
                                          .workgroups = REDUCE_WORKGROUPS,
                                          .per_group_least = 1,
                                          .per_group_most = PM_REDUCE_SUPERBLOCKS});
}

pmi_plan_task pmi_levels_match_task(const pmi_device *device, uint32_t n, uint32_t first_tile, uint32_t tiles) {
    return task_of_device(device, n, device->can.match_tiles,
                          (pmi_plan_task){.unit = PM_TILE,
                                          .first = first_tile,
                                          .count = tiles,
                                          .workgroups = MATCH_WORKGROUPS,
                                          .per_group_least = 1,
                                          .per_group_most = MATCH_TILES,
                                          .per_group_last = MATCH_TILES_LAST});
}

pmi_plan_task pmi_levels_reduce_all(const pmi_device *device, uint32_t n) {
    return pmi_levels_reduce_task(device, n, 0, pmi_levels_superblocks(n));
}

pmi_plan_task pmi_levels_match_all(const pmi_device *device, uint32_t n) {
    return pmi_levels_match_task(device, n, 0, pmi_levels_tiles(n));
}

uint64_t pmi_levels_plans_bytes(const pmi_device *device, uint32_t n) {
    return pmi_indirect_bytes(pmi_levels_reduce_all(device, n)) + pmi_indirect_bytes(pmi_levels_match_all(device, n));
}

static void record_task(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                        pmi_levels_parameters parameters, pmi_plan_task task) {
    for (uint32_t k = 0; k < task.dispatches + task.dispatches_last; k++) {
        const pmi_plan plan = pmi_plan_make(task, parameters.n, k);
        if (plan.workgroups == 0)
            continue;
        parameters.first = plan.first;
        parameters.count = plan.count;
        parameters.per_group = plan.per_group;
        pmi_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters, plan.workgroups);
    }
}

void pmi_levels_record_reduce(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                              pmi_levels_parameters parameters, uint32_t first_superblock, uint32_t superblocks) {
    record_task(device, commands, &levels->reduce, parameters,
                pmi_levels_reduce_task(device, parameters.n, first_superblock, superblocks));
}

void pmi_levels_record_scan_of_any(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                                   pmi_levels_parameters parameters) {
    const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
    const uint32_t teams = subgroups ? pmi_min32(SCAN_TEAMS, device->can.workgroup_teams) : 1;
    const uint32_t list_teams = parameters.superblocks * PM_LIST_TEAMS(parameters.superblocks);
    const uint32_t of_lists = pmi_plan_pieces(list_teams, teams); /* workgroups; one more scans */
    pmi_kernel_dispatch(device, commands, &levels->scan, &parameters, sizeof parameters,
                        1 + pmi_min32(of_lists, device->can.dispatch_workgroups - 1));
}

void pmi_levels_record_scan(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                            pmi_levels_parameters parameters) {
    if (!pmi_levels_is_short(device, levels, parameters.n))
        pmi_levels_record_scan_of_any(device, commands, levels, parameters);
}

void pmi_levels_record_match_with(const pmi_device *device, VkCommandBuffer commands, const pmi_kernel *kernel,
                                  pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles,
                                  uint64_t match) {
    parameters.match = match;
    parameters.match_tile = first_tile;
    record_task(device, commands, kernel, parameters, pmi_levels_match_task(device, parameters.n, first_tile, tiles));
}

void pmi_levels_record_match(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                             pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match) {
    const bool is_short = pmi_levels_is_short(device, levels, parameters.n);
    pmi_levels_record_match_with(device, commands, is_short ? &levels->match_short : &levels->match, parameters,
                                 first_tile, tiles, match);
}

void pmi_levels_record_far(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                           pmi_levels_parameters parameters) {
    record_task(device, commands, &levels->far, parameters,
                pmi_levels_reduce_task(device, parameters.n, 0, parameters.superblocks));
}

void pmi_levels_record_match_far(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                                 pmi_levels_parameters parameters, uint32_t first_tile, uint32_t tiles,
                                 uint64_t match) {
    const uint32_t groups = pmi_min32(FAR_WORKGROUPS, device->can.dispatch_workgroups);
    parameters.match = match;
    parameters.match_tile = first_tile;
    for (uint32_t done = 0; done < tiles; done += parameters.count) {
        parameters.first = first_tile + done;
        parameters.count = pmi_min32(tiles - done, device->can.dispatch_tiles);
        const uint32_t quads = pmi_plan_pieces(parameters.count, PM_FAR_QUAD) + 1; /* it may begin and end within one */
        pmi_kernel_dispatch(device, commands, &levels->match_far, &parameters, sizeof parameters,
                            pmi_min32(quads, groups));
    }
}

void pmi_levels_record_stack(const pmi_device *device, VkCommandBuffer commands, const pmi_levels *levels,
                             pmi_levels_parameters parameters, uint32_t first, uint32_t count, uint64_t to) {
    const uint32_t fair = device->can.match_tiles ? device->can.match_tiles : count / PM_STACK / STACK_WORKGROUPS;
    const uint32_t each = pmi_min32(fair > 0 ? fair : 1, STACK_ROUNDS);
    const uint32_t unit = PM_STACK * each, most = pmi_min32(device->can.dispatch_workgroups, UINT32_MAX / unit) * unit;
    parameters.per_group = each;
    for (uint32_t done = 0; done < count; done += parameters.count) {
        parameters.match = to + (uint64_t)done * sizeof(uint32_t);
        parameters.first = first + done;
        parameters.count = pmi_min32(count - done, most);
        pmi_kernel_dispatch(device, commands, &levels->stack, &parameters, sizeof parameters,
                            pmi_plan_pieces(parameters.count, unit));
    }
}
