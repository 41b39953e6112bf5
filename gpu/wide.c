/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory `wide` needs, and how its stages are cut into workgroups and dispatches. */
#include "gpu/wide.h"

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

/* Teams of a workgroup, as far as the device has room for them: enough to hide memory's latency in reduce, all that
 * there can be for the one workgroup of scan. A workgroup of match is always one team. */
enum {
    REDUCE_TEAMS = 16,
    SCAN_TEAMS = 32
};

/* Work for a workgroup grows with n up to this, and only once there are that many workgroups, to fill wide devices. */
enum {
    REDUCE_WORKGROUPS = 1024,
    MATCH_WORKGROUPS = 8192,
    MATCH_TILES = 16,
    MATCH_TILES_LAST = 4,      /* of the workgroups that come last, so that the device's parts end together */
    MATCH_TILES_MOST = 1 << 20 /* of a dispatch, for which 32 bits are to be offset enough in the match */
};

static uint32_t least_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t clamp(uint32_t x, uint32_t low, uint32_t high) {
    return x < low ? low : least_of(x, high);
}

static pm_status stage_create(const pm_device *device, pm_shader subgroup, pm_shader workgroup, uint32_t teams,
                              pm_kernel *kernel) {
    return device->can.team_kind == PM_TEAM_SUBGROUP
               ? pm_kernel_create(device, subgroup, least_of(teams, device->can.workgroup_teams), kernel)
               : pm_kernel_create(device, workgroup, 0, kernel);
}

pm_status pm_wide_create(const pm_device *device, pm_wide *wide) {
    *wide = (pm_wide){0};
    pm_status status = PM_OK;
#define CREATE(stage, teams)                                                                                           \
    if (status == PM_OK)                                                                                               \
        status = stage_create(device, (pm_shader){stage##_subgroup, sizeof stage##_subgroup},                          \
                              (pm_shader){stage##_workgroup, sizeof stage##_workgroup}, teams, &wide->stage);
    CREATE(reduce, REDUCE_TEAMS)
    CREATE(scan, SCAN_TEAMS)
    CREATE(match, 1)
    CREATE(match_short, 1)
#undef CREATE
    if (status != PM_OK)
        pm_wide_destroy(device, wide);
    return status;
}

void pm_wide_destroy(const pm_device *device, pm_wide *wide) {
    pm_kernel_destroy(device, &wide->reduce);
    pm_kernel_destroy(device, &wide->scan);
    pm_kernel_destroy(device, &wide->match);
    pm_kernel_destroy(device, &wide->match_short);
}

/* Lays out the scratch from `address` on; returns its end. */
static uint64_t scratch_lay_out(uint32_t n, uint64_t address, pm_wide_parameters *p) {
    const uint32_t superblocks = pm_wide_superblocks(n);
    p->n = n;
    p->superblocks = superblocks;
    p->survivors = address;
    p->tile_record = p->survivors + (uint64_t)superblocks * PM_SUPERBLOCK / 8;
    p->superblock_sum = p->tile_record + (uint64_t)superblocks * PM_SUPERBLOCK_TILES * 8;
    p->superblock_base = p->superblock_sum + (uint64_t)superblocks * 8;
    p->tree = p->superblock_base + (uint64_t)superblocks * 4;

    uint32_t *const begins[PM_TREE_LEVELS] = {NULL, &p->tree_1, &p->tree_2, &p->tree_3};
    uint32_t nodes = superblocks, end = superblocks;
    for (p->tree_levels = 1; nodes > PM_LANES; p->tree_levels++) {
        nodes = nodes / PM_LANES + (nodes % PM_LANES != 0);
        *begins[p->tree_levels] = end;
        end += nodes;
    }
    return p->tree + (uint64_t)end * 4;
}

uint64_t pm_wide_scratch_bytes(uint32_t n) {
    pm_wide_parameters parameters = {0};
    return scratch_lay_out(n, 0, &parameters);
}

pm_wide_parameters pm_wide_parameters_make(uint32_t n, uint64_t parens, uint64_t scratch, uint64_t summary) {
    pm_wide_parameters parameters = {.parens = parens, .summary = summary};
    scratch_lay_out(n, scratch, &parameters);
    return parameters;
}

static uint64_t tiles_bytes(uint32_t tiles) {
    return (uint64_t)tiles * PM_TILE * sizeof(uint32_t);
}

/* Units first ... first + count - 1, per_group of them a workgroup, in as many dispatches as needed. */
static void record_range(const pm_device *device, VkCommandBuffer commands, const pm_kernel *kernel,
                         pm_wide_parameters parameters, uint32_t first, uint32_t count, uint32_t per_group,
                         uint32_t most_units) {
    const uint64_t most_by_workgroups = (uint64_t)per_group * device->can.dispatch_workgroups;
    uint32_t most = most_by_workgroups < most_units ? (uint32_t)most_by_workgroups : most_units;
    most = most < per_group ? per_group : most - most % per_group;
    parameters.per_group = per_group;
    for (uint32_t done = 0; done < count; done += parameters.count) {
        parameters.first = first + done;
        parameters.count = least_of(count - done, most);
        pm_kernel_dispatch(device, commands, kernel, &parameters, sizeof parameters,
                           parameters.count / per_group + (parameters.count % per_group != 0));
        parameters.match += tiles_bytes(parameters.count); /* of the match stage, where units are tiles */
    }
}

void pm_wide_record_reduce(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                           pm_wide_parameters parameters, uint32_t first_superblock, uint32_t superblocks) {
    const uint32_t asked =
        device->can.reduce_superblocks ? device->can.reduce_superblocks : superblocks / REDUCE_WORKGROUPS;
    const uint32_t per_group = clamp(asked, 1, PM_REDUCE_SUPERBLOCKS);
    record_range(device, commands, &wide->reduce, parameters, first_superblock, superblocks, per_group,
                 device->can.dispatch_tiles / PM_SUPERBLOCK_TILES);
}

void pm_wide_record_scan(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                         pm_wide_parameters parameters) {
    if (!pm_wide_is_short(device, parameters.n))
        pm_kernel_dispatch(device, commands, &wide->scan, &parameters, sizeof parameters, 1);
}

void pm_wide_record_match(const pm_device *device, VkCommandBuffer commands, const pm_wide *wide,
                          pm_wide_parameters parameters, uint32_t first_tile, uint32_t tiles, uint64_t match) {
    const uint32_t asked = device->can.match_tiles ? device->can.match_tiles : tiles / MATCH_WORKGROUPS;
    const uint32_t per_group = clamp(asked, 1, MATCH_TILES);
    const uint32_t last = per_group > MATCH_TILES_LAST ? tiles / 8 : 0;
    parameters.match = match;
    const pm_kernel *const kernel = pm_wide_is_short(device, parameters.n) ? &wide->match_short : &wide->match;
    const uint32_t most = least_of(device->can.dispatch_tiles, MATCH_TILES_MOST);
    record_range(device, commands, kernel, parameters, first_tile, tiles - last, per_group, most);
    parameters.match += tiles_bytes(tiles - last);
    record_range(device, commands, kernel, parameters, first_tile + tiles - last, last, MATCH_TILES_LAST, most);
}

void pm_wide_record_barrier(const pm_device *device, VkCommandBuffer commands) {
    pm_device_barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}
