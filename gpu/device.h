/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing a device, what it can do, and the one queue on it that is used. */
#ifndef PM_GPU_DEVICE_H
#define PM_GPU_DEVICE_H

#include "gpu/instance.h"

/* What the pipelines adapt to. */
typedef struct pm_capabilities {
    pm_team_kind team_kind;         /* PM_TEAM_SUBGROUP or PM_TEAM_WORKGROUP */
    uint32_t workgroup_teams;       /* most teams of a workgroup; 1 for PM_TEAM_WORKGROUP */
    uint32_t dispatch_workgroups;   /* most workgroups of a dispatch */
    uint32_t dispatch_tiles;        /* most tiles of a dispatch, so that none trips a watchdog on a slow device */
    uint32_t reduce_superblocks;    /* of a workgroup; 0: by n */
    uint32_t match_tiles;           /* of a workgroup; 0: by n */
    uint32_t workgroup_invocations; /* most of a workgroup */
    uint32_t workgroup_bytes;       /* most memory of a workgroup */
    uint32_t partition_invocations; /* of a workgroup with a partition; 0: as the pipeline says */
    uint32_t lookback_stall;        /* as in pm_gpu_settings */
    bool lookback_late;             /* likewise */
    uint64_t allocation_bytes;      /* most bytes of an allocation */
    double tick_ns;                 /* of a timestamp; 0: the queue has none */
} pm_capabilities;

typedef struct pm_device {
    pm_instance instance;
    const pm_vk *vk; /* the instance's, filled up with the device's functions */
    VkPhysicalDevice physical;
    VkDevice handle;
    uint32_t queue_family;
    VkQueue queue;
    VkPipelineLayout layout; /* of every pipeline: no descriptors, PM_PUSH_BYTES of push constants */
    VkPhysicalDeviceMemoryProperties memory;
    pm_capabilities can;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
} pm_device;

#define PM_PUSH_BYTES 128u /* what every device has */

/* Opens the device that the settings ask for. *device stays where it is until it is closed; on failure
 * it needs no closing. PM_NO_DEVICE; PM_OUT_OF_MEMORY. */
pm_status pm_device_open(const pm_gpu_settings *settings, pm_device *device);

/* All work must have ended. Closing what is not open is fine. */
void pm_device_close(pm_device *device);

/* Records a memory barrier. */
void pm_device_barrier(const pm_device *device, VkCommandBuffer commands, VkPipelineStageFlags after,
                       VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used);

#endif
