/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory `wide` needs, and how its stages are cut into workgroups and dispatches. */
#include "gpu/wide.h"

#include "core/sizes.h"

/* Each shader for teams that are subgroups, and for teams that are workgroups. */
static const uint32_t reduce_subgroup[] = {
#include "shaders/spv/wide_reduce_subgroup.inc"
};
static const uint32_t reduce_workgroup[] = {
#include "shaders/spv/wide_reduce_workgroup.inc"
};
static const uint32_t scan_subgroup[] = {
#include "shaders/spv/wide_scan_subgroup.inc"
};
static const uint32_t scan_workgroup[] = {
#include "shaders/spv/wide_scan_workgroup.inc"
};
static const uint32_t match_subgroup[] = {
#include "shaders/spv/wide_match_subgroup.inc"
};
static const uint32_t match_workgroup[] = {
#include "shaders/spv/wide_match_workgroup.inc"
};
static const uint32_t match_short_subgroup[] = {
#include "shaders/spv/wide_match_short_subgroup.inc"
};
static const uint32_t match_short_workgroup[] = {
#include "shaders/spv/wide_match_short_workgroup.inc"
};
static const uint32_t match_far_subgroup[] = {
#include "shaders/spv/wide_match_far_subgroup.inc"
};
static const uint32_t match_far_workgroup[] = {
#include "shaders/spv/wide_match_far_workgroup.inc"
};
static const uint32_t far_subgroup[] = {
#include "shaders/spv/wide_far_subgroup.inc"
};
static const uint32_t far_workgroup[] = {
#include "shaders/spv/wide_far_workgroup.inc"
};
static const uint32_t stack_subgroup[] = {
#include "shaders/spv/wide_stack_subgroup.inc"
};
static const uint32_t stack_workgroup[] = {
#include "shaders/spv/wide_stack_workgroup.inc"
};

/* Teams of a workgroup, as far as the device has room for them: enough to hide memory's latency in reduce, all that
 * there can be for the one workgroup of scan. A workgroup of match is always one team. */
enum {
    REDUCE_TEAMS = 16,
    SCAN_TEAMS = 32,
    FAR_TEAMS = PM_REDUCE_SUPERBLOCKS
};

/* Work for a workgroup grows with n up to this, and only once there are that many workgroups, to fill wide devices. */
enum {
    REDUCE_WORKGROUPS = 1024,
    MATCH_WORKGROUPS = 8192,
    MATCH_TILES = 16,
    MATCH_TILES_LAST = 4, /* of the workgroups that come last, so that the device's parts end together */
    FAR_WORKGROUPS = 8192,
    STACK_WORKGROUPS = 8192,
    STACK_ROUNDS = 16
};

_Static_assert(sizeof(pm_wide_parameters) <= PM_PUSH_BYTES, "parameters fit");

static pm_status stage_create(const pm_device *device, pm_shader subgroup, pm_shader workgroup, uint32_t teams,
                              bool planned, uint32_t part, pm_kernel *kernel) {
    const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
    const pm_constant constants[] = {
        {PM_CONSTANT_PLANNED, planned}, {PM_CONSTANT_STACK, device->can.match_stack}, {PM_CONSTANT_PART, part}};
    return pm_kernel_create_with(device, subgroups ? subgroup : workgroup,
                                 subgroups ? pm_least32(teams, device->can.workgroup_teams) : 0, constants,
                                 sizeof constants / sizeof *constants, kernel);
}

/* The kernels of *wide, of which `planned` and `sliced` are set. */
static pm_status wide_create(const pm_device *device, pm_wide *wide) {
    const uint32_t part = wide->sliced ? PM_PART_SLICE : PM_PART_WHOLE;
    pm_status status = PM_OK;
#define CREATE(kernel, stage, teams, part)                                                                             \
    if (status == PM_OK)                                                                                               \
        status = stage_create(device, (pm_shader){stage##_subgroup, sizeof stage##_subgroup},                          \
                              (pm_shader){stage##_workgroup, sizeof stage##_workgroup}, teams, wide->planned, part,    \
                              &wide->kernel);
    CREATE(reduce, reduce, REDUCE_TEAMS, part)
    CREATE(scan, scan, SCAN_TEAMS, part)
    CREATE(match, match, 1, part)
    if (wide->sliced) {
        CREATE(far, far, FAR_TEAMS, part)
        CREATE(match_far, match_far, 1, part)
        CREATE(stack, stack, 1, part)
    } else if (!wide->planned) {
        CREATE(match_short, match_short, 1, part)
    }
#undef CREATE
    if (status != PM_OK)
        pm_wide_destroy(device, wide);
    return status;
}

pm_status pm_wide_exchange(const pm_device *device, pm_wide *wide, pm_wide_shader which, pm_shader shader) {
    const struct {
        pm_kernel *kernel;
        uint32_t teams;
    } of[PM_WIDE_SHADERS] = {[PM_WIDE_REDUCE] = {&wide->reduce, REDUCE_TEAMS},
                             [PM_WIDE_SCAN] = {&wide->scan, SCAN_TEAMS},
                             [PM_WIDE_MATCH] = {&wide->match, 1},
                             [PM_WIDE_MATCH_SHORT] = {&wide->match_short, 1}};
    pm_kernel made;
    const pm_status status = stage_create(device, shader, shader, of[which].teams, false, PM_PART_WHOLE, &made);
    if (status == PM_OK) {
        pm_kernel_destroy(device, of[which].kernel);
        *of[which].kernel = made;
    }
    return status;
}

pm_status pm_wide_create(const pm_device *device, pm_wide *wide) {
    *wide = (pm_wide){0};
    return wide_create(device, wide);
}

pm_status pm_wide_create_planned(const pm_device *device, pm_wide *wide) {
    *wide = (pm_wide){.planned = true};
    return wide_create(device, wide);
}

pm_status pm_wide_create_sliced(const pm_device *device, pm_wide *wide) {
    *wide = (pm_wide){.sliced = true};
    return wide_create(device, wide);
}

void pm_wide_destroy(const pm_device *device, pm_wide *wide) {
    pm_kernel_destroy(device, &wide->reduce);
    pm_kernel_destroy(device, &wide->scan);
    pm_kernel_destroy(device, &wide->match);
    pm_kernel_destroy(device, &wide->match_short);
    pm_kernel_destroy(device, &wide->far);
    pm_kernel_destroy(device, &wide->match_far);
    pm_kernel_destroy(device, &wide->stack);
}

/* Lays out what reduce writes, from `address` on; returns its end. */
static uint64_t reduction_lay_out(uint32_t n, uint64_t address, pm_wide_parameters *p) {
    const uint32_t superblocks = pm_wide_superblocks(n);
    p->n = n;
    p->superblocks = superblocks;
    p->survivors = address;
    p->tile_record = p->survivors + (uint64_t)superblocks * PM_SUPERBLOCK / 8;
    p->superblock_sum = p->tile_record + (uint64_t)superblocks * PM_SUPERBLOCK_TILES * 8;
    return p->superblock_sum + (uint64_t)superblocks * 8;
}

/* Likewise what scan and far write, once reduction_lay_out() has been; the last is the list of far. */
static uint64_t levels_lay_out(uint64_t address, pm_wide_parameters *p) {
    const uint32_t superblocks = p->superblocks;
    p->superblock_base = address;
    p->tree = p->superblock_base + (uint64_t)superblocks * 4;

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

uint64_t pm_wide_scratch_bytes(uint32_t n) {
    pm_wide_parameters parameters = {0};
    return levels_lay_out(reduction_lay_out(n, 0, &parameters), &parameters);
}

uint64_t pm_wide_levels_bytes(uint32_t n) {
    pm_wide_parameters parameters = {.superblocks = pm_wide_superblocks(n)};
    return levels_lay_out(0, &parameters);
}

pm_wide_parameters pm_wide_parameters_make(uint32_t n, uint64_t parens, uint64_t scratch, uint64_t summary) {
    pm_wide_parameters parameters = {.parens = parens, .summary = summary};
    levels_lay_out(reduction_lay_out(n, scratch, &parameters), &parameters);
    return parameters;
}

pm_wide_parameters pm_wide_parameters_part(const pm_wide_parameters *all, uint32_t first_superblock, uint32_t n,
                                           uint64_t levels) {
    const uint64_t s = first_superblock;
    pm_wide_parameters part = *all;
    part.n = n;
    part.superblocks = pm_wide_superblocks(n);
    part.parens += s * (PM_SUPERBLOCK / 8);
    part.survivors += s * (PM_SUPERBLOCK / 8);
    part.tile_record += s * PM_SUPERBLOCK_TILES * 8;
    part.superblock_sum += s * 8;
    part.origin += first_superblock * PM_SUPERBLOCK;
    levels_lay_out(levels, &part);
    return part;
}

/* Completes a task with what the device wants, and with as many dispatches as any length up to n can need. */
static pm_plan_task task_of_device(const pm_device *device, uint32_t n, uint32_t asked, pm_plan_task task) {
    if (asked) /* for tests: whatever n is */
        task.per_group_least = task.per_group_most = pm_least32(asked, task.per_group_most);
    task.dispatch_units = device->can.dispatch_tiles / (task.unit / PM_TILE);
    task.dispatch_units += task.dispatch_units == 0;
    task.dispatch_workgroups = device->can.dispatch_workgroups;
    const uint32_t units = pm_plan_units(task, n), last_units = pm_plan_last_units(task, units);
    task.dispatches = pm_plan_pieces(units, pm_plan_dispatch_units(task, pm_plan_per_group(task, units)));
    /* Where a shorter sequence has smaller workgroups, they are less than twice as many as should be. */
    const uint32_t small = pm_plan_pieces(2 * task.workgroups, task.dispatch_workgroups);
    task.dispatches = task.dispatches < small ? small : task.dispatches;
    if (last_units > 0)
        task.dispatches_last = pm_plan_pieces(last_units, pm_plan_dispatch_units(task, task.per_group_last));
    return task;
}

pm_plan_task pm_wide_reduce_task(const pm_device *device, uint32_t n, uint32_t first_superblock, uint32_t superblocks) {
    return task_of_device(device, n, device->can.reduce_superblocks,
                          (pm_plan_task){.unit = PM_SUPERBLOCK,
                                         .first = first_superblock,
                                         .count = superblocks,
                                         .workgroups = REDUCE_WORKGROUPS,
                                         .per_group_least = 1,
                                         .per_group_most = PM_REDUCE_SUPERBLOCKS});
}

pm_plan_task pm_wide_match_task(const pm_device *device, uint32_t n, uint32_t first_tile, uint32_t tiles) {
    return task_of_device(device, n, device->can.match_tiles,
                          (pm_plan_task){.unit = PM_TILE,
                                         .first = first_tile,
                                         .count = tiles,
                                         .workgroups = MATCH_WORKGROUPS,
                                         .per_group_least = 1,
                                         .per_group_most = MATCH_TILES,
                                         .per_group_last = MATCH_TILES_LAST});
}

static void record_task(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                        pm_wide_parameters parameters, pm_plan_task task) {
    for (uint32_t k = 0; k < task.dispatches + task.dispatches_last; k++) {
        const pm_plan plan = pm_plan_make(task, parameters.n, k);
        if (plan.workgroups == 0)
            continue;
        parameters.first = plan.first;
        parameters.count = plan.count;
        parameters.per_group = plan.per_group;
        pm_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters, plan.workgroups);
    }
}

void pm_wide_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                           pm_wide_parameters parameters, uint32_t first_superblock, uint32_t superblocks) {
    record_task(device, commands, &wide->reduce, parameters,
                pm_wide_reduce_task(device, parameters.n, first_superblock, superblocks));
}

void pm_wide_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                         pm_wide_parameters parameters) {
    if (!pm_wide_is_short(device, wide, parameters.n))
        pm_kernel_dispatch(device, commands, &wide->scan, &parameters, sizeof parameters, 1);
}

void pm_wide_record_match(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match) {
    parameters.match = match;
    parameters.match_tile = first_tile;
    const bool is_short = pm_wide_is_short(device, wide, parameters.n);
    record_task(device, commands, is_short ? &wide->match_short : &wide->match, parameters,
                pm_wide_match_task(device, parameters.n, first_tile, tiles));
}

void pm_wide_record_far(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                        pm_wide_parameters parameters) {
    record_task(device, commands, &wide->far, parameters,
                pm_wide_reduce_task(device, parameters.n, 0, parameters.superblocks));
}

void pm_wide_record_match_far(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                              pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match) {
    const uint32_t groups = pm_least32(FAR_WORKGROUPS, device->can.dispatch_workgroups);
    parameters.match = match;
    parameters.match_tile = first_tile;
    for (uint32_t done = 0; done < tiles; done += parameters.count) {
        parameters.first = first_tile + done;
        parameters.count = pm_least32(tiles - done, device->can.dispatch_tiles);
        const uint32_t quads = pm_plan_pieces(parameters.count, PM_FAR_QUAD) + 1; /* it may begin and end within one */
        pm_kernel_dispatch(device, commands, &wide->match_far, &parameters, sizeof parameters,
                           pm_least32(quads, groups));
    }
}

void pm_wide_record_stack(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first, uint32_t count, uint64_t to) {
    const uint32_t fair = device->can.match_tiles ? device->can.match_tiles : count / PM_STACK / STACK_WORKGROUPS;
    const uint32_t each = pm_least32(fair > 0 ? fair : 1, STACK_ROUNDS);
    const uint32_t unit = PM_STACK * each, most = pm_least32(device->can.dispatch_workgroups, UINT32_MAX / unit) * unit;
    parameters.per_group = each;
    for (uint32_t done = 0; done < count; done += parameters.count) {
        parameters.match = to + (uint64_t)done * sizeof(uint32_t);
        parameters.first = first + done;
        parameters.count = pm_least32(count - done, most);
        pm_kernel_dispatch(device, commands, &wide->stack, &parameters, sizeof parameters,
                           pm_plan_pieces(parameters.count, unit));
    }
}

void pm_wide_record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}
