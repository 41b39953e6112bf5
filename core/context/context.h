/* SPDX-License-Identifier: Apache-2.0 */
/* What a context holds. */
#ifndef PM_CORE_CONTEXT_CONTEXT_H
#define PM_CORE_CONTEXT_CONTEXT_H

#include "base/memory.h"
#include "core/choose/profile.h"
#include "core/choose/thread_backoff.h"
#include "parenmatch.h"

/* Longest pm_options.device, with its end: sixteen UUIDs of 32 digits and hyphens, parted by commas. */
#define PM_DEVICE_NAME_SIZE 1024

struct pm_context {
    pm_allocator allocator;           /* both functions set */
    const struct pmi_engine *engine;  /* of the broadword backend; NULL: the best */
    unsigned threads;                 /* at most; 0: as many as OpenMP gives */
    char device[PM_DEVICE_NAME_SIZE]; /* of the GPU backend; "": the best */
    bool allow_cpu_device;
    char *pipeline_cache;    /* of the allocator; NULL: none */
    unsigned pipeline;       /* of the GPU backend; pm_pipeline_count(): by n */
    struct pmi_gpu *gpu;     /* NULL: not opened yet */
    bool profiled;           /* the profile is this machine's */
    bool profile_refused;    /* there is a profile, but not for this */
    bool gpu_given_up;       /* pm_match_auto() or pm_box_auto() has tried it in vain */
    double gpu_missed_ns;    /* that calls of pm_match_auto() would have saved if the device had been open */
    double box_missed_ns;    /* the same of pm_box_auto(), and of its kernels */
    size_t box_too_large;    /* so many elements of a scene did not fit the device; 0: all have, so far */
    pmi_profile profile;     /* if not profiled: the shipped figures of the CPU, and no device */
    pmi_thread_backoff pace; /* of pm_match_auto()'s teams */
};

/* The profile, if it tells of a device, and that is the one which is open or none is open yet; else NULL. */
const pmi_profile *pmi_context_device_profile(const pm_context *context);

#endif
