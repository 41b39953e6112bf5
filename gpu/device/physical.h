/* SPDX-License-Identifier: Apache-2.0 */
/* What a physical device is, has and can do; nothing is opened here. */
#ifndef PM_GPU_DEVICE_PHYSICAL_H
#define PM_GPU_DEVICE_PHYSICAL_H

#include "gpu/device/settings.h"
#include "gpu/device/vulkan.h"

typedef struct pmi_physical {
    VkPhysicalDevice handle;
    bool size_control_by_extension; /* to be enabled even where version 1.3 has it: its user may ask for less */
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceMaintenance3Properties allocation;
    VkPhysicalDeviceSubgroupSizeControlProperties size_control;
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control_features;
} pmi_physical;

/* What the pipelines adapt to. */
typedef struct pmi_capabilities {
    VkPhysicalDeviceType type;
    pmi_team_kind team_kind;        /* PM_TEAM_SUBGROUP or PM_TEAM_WORKGROUP */
    uint32_t workgroup_teams;       /* most teams of a workgroup; 1 for PM_TEAM_WORKGROUP */
    uint32_t dispatch_workgroups;   /* most workgroups of a dispatch */
    uint32_t dispatch_tiles;        /* most tiles of a dispatch, so that none trips a watchdog on a slow device */
    uint32_t reduce_superblocks;    /* of a workgroup; 0: by n */
    uint32_t match_tiles;           /* of a workgroup; 0: by n */
    uint32_t match_stack;           /* entries of the stack of a workgroup of match: PM_TILE, or half of that */
    uint32_t short_superblocks;     /* up to so many the match stage scans by itself */
    uint32_t workgroup_invocations; /* most of a workgroup */
    uint32_t workgroup_bytes;       /* most memory of a workgroup */
    uint32_t partition_invocations; /* of a workgroup with a partition; 0: as the pipeline says */
    pmi_transfer transfer;          /* PM_TRANSFER_STAGED or PM_TRANSFER_MAPPED */
    uint32_t lookback_stall;        /* as in pmi_gpu_settings */
    bool lookback_late;             /* likewise */
    uint32_t block_tiles;           /* of a block of boxes; 0: as many as can be */
    uint32_t piece_blocks;          /* as in pmi_gpu_settings */
    uint32_t tile_nodes;            /* likewise */
    uint64_t allocation_bytes;      /* most bytes of an allocation */
} pmi_capabilities;

/* Reads what the device is and has; false if it lacks what is needed. */
bool pmi_physical_read(const pmi_vk *vk, VkPhysicalDevice device, pmi_physical *physical);

/* The greater the better: discrete, integrated, virtual, anything else, a CPU. */
int pmi_physical_rank(const pmi_physical *physical);

/* "discrete" and so on, of pm_device_info. */
const char *pmi_physical_kind(VkPhysicalDeviceType type);

/* A subgroup can be a team: it has 32 invocations, all of them always, and all operations of shaders/shared/lanes.glsl.
 */
bool pmi_physical_subgroup_is_team(const pmi_physical *physical);

/* What it can do as the settings want it used. */
pmi_capabilities pmi_physical_capabilities(const pmi_physical *physical, const pmi_gpu_settings *settings);

#endif
