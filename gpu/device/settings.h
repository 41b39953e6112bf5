/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the GPU backend, and its pipelines by name. Zeros are the defaults. */
#ifndef PM_GPU_DEVICE_SETTINGS_H
#define PM_GPU_DEVICE_SETTINGS_H

#include <stdbool.h>

#include "parenmatch.h"

/* X(ID, name, description). The first one works for every length, on every device. */
#define PM_PIPELINE_LIST(X)                                                                                            \
    X(LEVELS, "levels", "any length: tiles of 1024, a range-min tree, the stack by level")                             \
    X(DIRECT, "direct", "65536 elements or less at once: every workgroup reduces the whole sequence itself")           \
    X(SIMPLE, "simple", "one element an invocation, two dispatches (Levien's section 6)")                              \
    X(WORK_EFFICIENT, "work-efficient", "several elements an invocation, two dispatches (Levien's section 7)")         \
    X(LOOKBACK, "lookback", "one pass, looking back over partitions (Levien's stack monoid revisited)")

typedef enum pmi_pipeline_id {
#define PM_PIPELINE_ENUM(id, name, description) PM_PIPELINE_##id,
    PM_PIPELINE_LIST(PM_PIPELINE_ENUM)
#undef PM_PIPELINE_ENUM
    PM_PIPELINES
} pmi_pipeline_id;

/* False if no pipeline has the name. */
bool pmi_pipeline_by_name(const char *name, pmi_pipeline_id *id);

/* How 32 lanes work together: see shaders/shared/lanes.glsl. */
typedef enum pmi_team_kind {
    PM_TEAM_ANY = 0, /* a subgroup where the device can, else a workgroup */
    PM_TEAM_SUBGROUP,
    PM_TEAM_WORKGROUP
} pmi_team_kind;

/* How data gets to the device and back. */
typedef enum pmi_transfer {
    PM_TRANSFER_ANY = 0, /* mapped on kinds of devices that share the host's memory, else staged */
    PM_TRANSFER_STAGED,  /* through buffers in host memory, which the device copies */
    PM_TRANSFER_MAPPED   /* the host reads and writes the device's buffers, if a type of memory allows that */
} pmi_transfer;

/* Copies memory as memcpy() does, with at most `threads` threads; 0: as many as there are. */
typedef void pmi_gpu_copy(void *to, const void *from, size_t bytes, unsigned threads);

/* Receives a message of the validation layer. */
typedef void pmi_gpu_message(const char *text, void *user);

typedef struct pmi_gpu_settings {
    const char *loader;         /* NULL: PM_VK_LOADER */
    const char *device;         /* as pm_options.device */
    bool allow_cpu_device;      /* as pm_options.allow_cpu_device */
    const char *pipeline_cache; /* as pm_options.pipeline_cache; must outlive what is opened */
    pmi_team_kind team_kind;    /* PM_NO_DEVICE if the device cannot */
    pmi_transfer transfer;
    pmi_gpu_copy *copy; /* between the caller's memory and what the device sees; NULL: memcpy() */
    unsigned copy_threads;
    bool graphics_queue;          /* takes a queue that also draws, if there is one, and kernels that suit it */
    size_t chunk_bytes;           /* of a chunk that is uploaded or downloaded, at most; 0: 16 MiB */
    uint32_t range_elements;      /* of a buffer of a match that stays on the device, a multiple of a tile; 0: 2^28 */
    uint32_t slice_elements;      /* of such a sequence on a device, at least, if it is divided; 0: 2^26 */
    uint32_t ahead_elements;      /* of its slices, matched before the incoming stack is known; 0: by the devices */
    size_t dispatch_tiles;        /* of a dispatch, at most; 0: by the kind of device */
    size_t workgroup_superblocks; /* that a workgroup reduces, at most PM_REDUCE_SUPERBLOCKS; 0: by n */
    size_t workgroup_tiles;       /* that a workgroup matches, or fetches the stack for, by PM_STACK; 0: by n */
    size_t match_stack;           /* entries of its stack, PM_TILE or half of that; 0: by graphics_queue */
    bool scan_always;             /* even if the match stage could scan by itself */
    bool pipeline_by_n;           /* the fastest for n elements, see gpu/match/pipeline.c */
    pmi_pipeline_id pipeline;     /* unless by n */
    size_t lookback_stall;        /* for tests: of this many partitions of lookback, one does not publish its state */
    bool lookback_late;           /* for tests: such a partition publishes it in the end */
    size_t block_tiles;           /* of a block of boxes, a power of two of at least 32; 0: as many as fit */
    size_t piece_blocks;          /* of the match, for scans of trees: blocks of 8192 elements at a time; 0: 2048 */
    size_t tile_nodes;            /* of a tile of a tree, a power of two of at least 32; 0: as many as fit */
    size_t workgroup_invocations; /* of pipelines with partitions, a power of two of at least 64; 0: the pipeline's */
    /* Not NULL: enables the validation layer, if it is installed, and receives its messages. */
    pmi_gpu_message *message;
    void *message_user;
} pmi_gpu_settings;

#endif
