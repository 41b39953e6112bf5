/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a scene's boxes, and the teams of their workgroups. */
#include "gpu/boxes/boxes.h"

#include "shaders/spv/boxes.h"

/* Teams of a workgroup, at most. A workgroup of match is always one team. */
enum {
    REDUCE_TEAMS = 8,
    FIX_TEAMS = 4,
    BLOCK_TEAMS = 32, /* a power of two */
    FEW_TEAMS = 8     /* a power of two, of the scan that reduces by itself */
};

enum {
    UNORDERED = 4096 /* tiles, on an H100 */
};

/* Does the device allow a workgroup of `block_teams` teams, and have the shared memory? */
static bool block_fits(const pmi_device *device, uint32_t block_teams) {
    const uint32_t bytes = block_teams * PM_LANES * PM_BOXES_BLOCK_BYTES + PM_BOXES_BLOCK_MORE;
    return block_teams <= device->can.workgroup_teams && bytes <= device->can.workgroup_bytes;
}

static uint32_t block_teams_of(const pmi_device *device) {
    const uint32_t asked = device->can.block_tiles / PM_LANES;
    uint32_t block_teams = BLOCK_TEAMS;
    while (!block_fits(device, block_teams) || (asked > 0 && block_teams > asked))
        block_teams /= 2;
    return block_teams;
}

/* constant: or NULL. */
static pm_status team_kernel_create(const pmi_device *device, pmi_shader subgroup, pmi_shader workgroup, uint32_t teams,
                                    const pmi_constant *constant, pmi_kernel *kernel) {
    const bool subgroups = device->can.team_kind == PM_TEAM_SUBGROUP;
    return pmi_kernel_create_with(device, subgroups ? subgroup : workgroup, subgroups ? teams : 0, constant,
                                  constant != NULL, kernel);
}

pm_status pmi_boxes_create(const pmi_device *device, pmi_boxes *boxes) {
    const uint32_t block_teams = block_teams_of(device), few_teams = pmi_min32(FEW_TEAMS, block_teams);
    *boxes = (pmi_boxes){.block = block_teams * PM_LANES,
                         .few = few_teams * PM_LANES,
                         .unordered = device->can.block_tiles > 0 ? 0 : UNORDERED,
                         .reduce_teams = pmi_min32(REDUCE_TEAMS, device->can.workgroup_teams),
                         .fix_teams = pmi_min32(FIX_TEAMS, device->can.workgroup_teams)};
    const pmi_constant ordered = {PM_CONSTANT_ORDERED, 1};
    pm_status status = PM_OK;
#define CREATE_OF_TEAMS(stage, teams)                                                                                  \
    if (status == PM_OK)                                                                                               \
        status = team_kernel_create(device, PM_SHADER(spv_boxes_##stage##_subgroup),                                   \
                                    PM_SHADER(spv_boxes_##stage##_workgroup), teams, NULL, &boxes->stage);
#define CREATE(stage)                                                                                                  \
    if (status == PM_OK)                                                                                               \
        status = pmi_kernel_create(device, PM_SHADER(spv_boxes_##stage), 0, &boxes->stage);
    CREATE_OF_TEAMS(reduce, boxes->reduce_teams)
    CREATE_OF_TEAMS(sum, block_teams)
    CREATE_OF_TEAMS(levels, block_teams)
    CREATE_OF_TEAMS(order, block_teams)
    CREATE_OF_TEAMS(links, block_teams)
    CREATE_OF_TEAMS(scan, block_teams)
    if (status == PM_OK)
        status = team_kernel_create(device, PM_SHADER(spv_boxes_scan_subgroup), PM_SHADER(spv_boxes_scan_workgroup),
                                    few_teams, NULL, &boxes->scan_few);
    CREATE_OF_TEAMS(match, 1)
    CREATE_OF_TEAMS(match_sparse, 1)
    if (status == PM_OK)
        status = team_kernel_create(device, PM_SHADER(spv_boxes_match_subgroup), PM_SHADER(spv_boxes_match_workgroup),
                                    1, &ordered, &boxes->match_others);
    CREATE_OF_TEAMS(unions, block_teams)
    CREATE_OF_TEAMS(fix, boxes->fix_teams)
    CREATE_OF_TEAMS(fix_short, boxes->fix_teams)
    CREATE(top)
    CREATE(jump)
    CREATE(unions_top)
#undef CREATE_OF_TEAMS
#undef CREATE
    if (status == PM_OK)
        status = pmi_boxes_slices_create(device, &boxes->slices);
    if (status != PM_OK)
        pmi_boxes_destroy(device, boxes);
    return status;
}

void pmi_boxes_destroy(const pmi_device *device, pmi_boxes *boxes) {
    pmi_kernel *const kernels[] = {&boxes->reduce,     &boxes->sum,      &boxes->levels,       &boxes->links,
                                   &boxes->scan,       &boxes->match,    &boxes->unions,       &boxes->fix,
                                   &boxes->fix_short,  &boxes->scan_few, &boxes->top,          &boxes->jump,
                                   &boxes->unions_top, &boxes->order,    &boxes->match_sparse, &boxes->match_others};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        pmi_kernel_destroy(device, kernels[k]);
    pmi_boxes_slices_destroy(device, &boxes->slices);
}
