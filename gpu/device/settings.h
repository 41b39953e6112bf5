/* SPDX-License-Identifier: Apache-2.0 */
/* What the GPU backend can be told when it is opened. All zero are the defaults. */
#ifndef PM_GPU_DEVICE_SETTINGS_H
#define PM_GPU_DEVICE_SETTINGS_H

#include "gpu/match/pipeline_list.h"
#include "parenmatch.h"

/* How 32 lanes work together: see shaders/shared/lanes.glsl. */
typedef enum pmi_team_kind {
    PM_TEAM_ANY = 0, /* a subgroup where the device can, else a workgroup */
    PM_TEAM_SUBGROUP,
    PM_TEAM_WORKGROUP
} pmi_team_kind;

/* How a sequence gets to the device, and its match to the host. */
typedef enum pmi_transfer {
    PM_TRANSFER_ANY = 0, /* mapped where the kind of device says that its memory is the host's, else staged */
    PM_TRANSFER_STAGED,  /* by way of buffers of the host's, which the device copies */
    PM_TRANSFER_MAPPED   /* the host reads and writes the device's buffers, where a type of memory allows that */
} pmi_transfer;

/* Copies memory as memcpy() does, with at most so many threads; 0: as many as there are. */
typedef void pmi_gpu_copy(void *to, const void *from, size_t bytes, unsigned threads);

/* Receives a message of the validation layer. */
typedef void pmi_gpu_message(const char *text, void *user);

typedef struct pmi_gpu_settings {
    const char *loader;         /* NULL: PM_VK_LOADER */
    const char *device;         /* as pm_options.device */
    bool allow_cpu_device;      /* as pm_options.allow_cpu_device */
    const char *pipeline_cache; /* as pm_options.pipeline_cache; stays until what is opened is closed */
    pmi_team_kind team_kind;    /* PM_NO_DEVICE where the device cannot */
    pmi_transfer transfer;      /* between the host and the device */
    pmi_gpu_copy *copy;         /* between the caller's memory and what the device sees; NULL: one thread does it */
    unsigned copy_threads;
    bool graphics_queue;     /* takes a queue that also draws, if there is one, and kernels that suit it */
    size_t slot_bytes;       /* of host memory for a chunk on its way to or from the device; 0: 16 MiB */
    uint32_t range_elements; /* of a buffer of a match that stays on the device, a multiple of a tile; 0: 2^28 */
    uint32_t slice_elements; /* of such a sequence that a device has at least, where others have some; 0: 2^26 */
    uint32_t ahead_elements; /* of its slices, matched before what comes in is known, likewise; 0: by the devices */
    size_t dispatch_tiles;   /* most tiles a dispatch works on; 0: by the kind of device */
    size_t workgroup_superblocks; /* that a workgroup reduces, at most PM_REDUCE_SUPERBLOCKS; 0: by n */
    size_t workgroup_tiles;       /* that a workgroup matches, or fetches the stack for, by PM_STACK; 0: by n */
    size_t match_stack;           /* entries of its stack, PM_TILE or half of that; 0: by graphics_queue */
    bool scan_always;             /* even where the match stage could scan by itself */
    bool pipeline_by_n;           /* the fastest for n elements, as gpu/match/pipeline_choice.c has it */
    pmi_pipeline_id pipeline;     /* unless by n */
    size_t lookback_stall;        /* for tests: every so many partitions of lookback, one does not tell its state */
    bool lookback_late;           /* for tests: such a partition tells it at last */
    size_t block_tiles;           /* of a block of boxes, a power of two of at least 32; 0: as many as can be */
    size_t piece_blocks;          /* of the match, for scans of trees: blocks of 8192 elements at a time; 0: 2048 */
    size_t tile_nodes;            /* of a tile of a tree, a power of two of at least 32; 0: as many as can be */
    size_t workgroup_invocations; /* of pipelines with partitions, a power of two of at least 64; 0: as they say */
    pmi_gpu_message
        *message; /* not NULL: asks for the validation layer, where it is installed, and gets its messages */
    void *message_user;
} pmi_gpu_settings;

#endif
