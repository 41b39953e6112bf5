/* SPDX-License-Identifier: Apache-2.0 */
/* The Vulkan instance, its physical devices, and an open device: the library's own, or a caller's. */
#ifndef PM_GPU_DEVICE_DEVICE_H
#define PM_GPU_DEVICE_DEVICE_H

#include "gpu/device/settings.h"
#include "gpu/device/vulkan.h"

/* ---- The instance ---- */

typedef struct pmi_instance {
    void *library;
    pmi_vk vk;
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger; /* null: no validation */
    pmi_gpu_message *message;
    void *message_user;
    bool keepable; /* made by the default loader */
} pmi_instance;

/* Opens the loader and creates an instance of Vulkan 1.2 or later, with the validation layer if that is asked for and
 * installed. *instance must not move until it is closed; after a failure it needs no closing. */
pm_status pmi_instance_open(const pmi_gpu_settings *settings, pmi_instance *instance);

/* Closes an instance. The second of a process stays open, with the loader and the driver: see instance.c. */
void pmi_instance_close(pmi_instance *instance);

/* ---- The physical device ---- */

typedef struct pmi_physical {
    VkPhysicalDevice handle;
    bool size_control_by_extension; /* is enabled even with version 1.3, because its user may ask for less */
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceMaintenance3Properties allocation;
    VkPhysicalDeviceSubgroupSizeControlProperties size_control;
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control_features;
} pmi_physical;

/* Limits and settings that the pipelines adapt to. */
typedef struct pmi_capabilities {
    VkPhysicalDeviceType type;
    pmi_team_kind team_kind;        /* PM_TEAM_SUBGROUP or PM_TEAM_WORKGROUP */
    uint32_t workgroup_teams;       /* maximum teams of a workgroup; 1 for PM_TEAM_WORKGROUP */
    uint32_t dispatch_workgroups;   /* maximum of a dispatch */
    uint32_t dispatch_tiles;        /* maximum of a dispatch, for the watchdogs of slow devices */
    uint32_t reduce_superblocks;    /* of a workgroup; 0: by n */
    uint32_t match_tiles;           /* of a workgroup; 0: by n */
    uint32_t match_stack;           /* entries of the stack of a workgroup of match: PM_TILE, or half of that */
    uint32_t short_superblocks;     /* maximum that the match stage scans by itself */
    uint32_t workgroup_invocations; /* maximum of a workgroup */
    uint32_t workgroup_bytes;       /* maximum shared memory of a workgroup */
    uint32_t partition_invocations; /* of a workgroup with a partition; 0: as the pipeline says */
    pmi_transfer transfer;          /* PM_TRANSFER_STAGED or PM_TRANSFER_MAPPED */
    uint32_t lookback_stall;        /* as in pmi_gpu_settings, like the next ones */
    bool lookback_late;
    uint32_t block_tiles, piece_blocks, tile_nodes;
    uint64_t allocation_bytes; /* maximum of an allocation */
} pmi_capabilities;

/* Reads properties and features. False if the device lacks what is needed. */
bool pmi_physical_read(const pmi_vk *vk, VkPhysicalDevice device, pmi_physical *physical);

/* Larger is better: discrete, integrated, virtual, anything else, a CPU. */
int pmi_physical_rank(const pmi_physical *physical);

/* pm_device_info.kind. */
const char *pmi_physical_kind(VkPhysicalDeviceType type);

/* Can a subgroup be a team? It must have exactly 32 invocations and all operations of shaders/shared/lanes.glsl. */
bool pmi_physical_subgroup_is_team(const pmi_physical *physical);

/* The device's limits, as far as the settings want them used. */
pmi_capabilities pmi_physical_capabilities(const pmi_physical *physical, const pmi_gpu_settings *settings);

/* ---- The device ---- */

#define PM_DEVICE_KEY_CHARACTERS (2 * VK_UUID_SIZE + 1 + 8)

typedef struct pmi_device {
    pmi_instance instance; /* for a caller's device only the functions */
    const pmi_vk *vk;      /* the instance's, with the device's functions */
    VkPhysicalDevice physical;
    VkDevice handle;
    bool adopted; /* a caller's, without queue, memory and name */
    uint32_t queue_family;
    VkQueue queue;
    double tick_ns;          /* of a timestamp; 0: the queue has none */
    VkPipelineLayout layout; /* of every pipeline: no descriptors, PM_PUSH_BYTES of push constants */
    VkPhysicalDeviceMemoryProperties memory;
    VkPipelineCache cache;                  /* null: none */
    const VkAllocationCallbacks *callbacks; /* own_callbacks; NULL: none */
    VkAllocationCallbacks own_callbacks;
    pmi_capabilities can;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    char key[PM_DEVICE_KEY_CHARACTERS + 1]; /* UUID and driver version, in hexadecimal */
} pmi_device;

#define PM_PUSH_BYTES 128u /* every device has them */

/* Opens the device that the settings ask for. *device must not move until it is closed; after a failure it needs no
 * closing. PM_NO_DEVICE; PM_OUT_OF_MEMORY. */
pm_status pmi_device_open(const pmi_gpu_settings *settings, pmi_device *device);

/*
 * Uses a caller's device, which stays the caller's. vk holds the functions of its instance; callbacks, which may be
 * NULL, are copied. *device must not move until it is closed; after a failure it needs no closing.
 */
pm_status pmi_device_adopt(const pmi_vk *vk, const pmi_physical *physical, VkDevice handle,
                           const pmi_gpu_settings *settings, const VkAllocationCallbacks *callbacks,
                           VkPipelineCache cache, pmi_device *device);

/* All work must have ended. Zeros are allowed. */
void pmi_device_close(pmi_device *device);

/* Records a memory barrier. */
void pmi_device_barrier(const pmi_device *device, VkCommandBuffer commands, VkPipelineStageFlags after,
                        VkAccessFlags written, VkPipelineStageFlags before, VkAccessFlags used);

/* Records a memory barrier between shaders: later ones see what earlier ones have written. */
void pmi_shader_barrier(const pmi_device *device, VkCommandBuffer commands);

#endif
