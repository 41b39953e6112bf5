/* SPDX-License-Identifier: Apache-2.0 */
/* What a context holds, and the parts of it that more than one feature needs. */
#ifndef PM_CORE_CONTEXT_CONTEXT_H
#define PM_CORE_CONTEXT_CONTEXT_H

#include "base/memory.h"
#include "broadword/simd.h"
#include "core/choose/select.h"
#include "parenmatch.h"

/* Longest pm_options.device, with its end: sixteen UUIDs of 32 digits and hyphens, separated by commas. */
#define PM_DEVICE_NAME_SIZE 1024

/* What a call made of something that does not change, for later calls. */
typedef struct pmi_kept {
    const void *of; /* NULL: nothing is kept */
    void *made;
    void (*destroy)(void *made);
} pmi_kept;

struct pm_context {
    pm_allocator allocator;           /* both functions set */
    const pmi_simd_target *simd;      /* its functions are used by all features */
    unsigned threads;                 /* at most; 0: as many as OpenMP gives */
    char device[PM_DEVICE_NAME_SIZE]; /* of the GPU backend; "": the best */
    bool allow_cpu_device;
    char *pipeline_cache;       /* of the allocator; NULL: none */
    unsigned pipeline;          /* of the GPU backend; their count: by n */
    struct pmi_gpu *gpu;        /* NULL: not opened yet */
    bool profiled;              /* the profile is this machine's */
    bool profile_refused;       /* there is a profile, but not for this */
    bool gpu_given_up;          /* a call of pm_match_auto() or pm_box_auto() has failed on it */
    double gpu_missed_ns;       /* time that calls of pm_match_auto() would have saved with the device open */
    double box_missed_ns;       /* time that calls of pm_box_auto() would have saved with its kernels made */
    size_t box_too_large;       /* length of a scene that did not fit the device; 0: all have fitted so far */
    pmi_profile profile;        /* if not profiled: the shipped figures of the CPU, and no device */
    pmi_thread_backoff backoff; /* of pm_match_auto()'s teams */
    pmi_kept kept;              /* the delimiters of the language that was read last */
};

/* Returns the SIMD target whose functions a context uses; for NULL the best one of this CPU. */
const pmi_simd_target *pmi_simd_of(const pm_context *context);

/* Returns what the context keeps of `of`; NULL: nothing, which is what a context that is NULL keeps. */
void *pmi_context_kept(const pm_context *context, const void *of);

/* Keeps what was made of `of` != NULL until the context keeps something else or is destroyed, and then destroys it. */
void pmi_context_keep(pm_context *context, const void *of, void *made, void (*destroy)(void *made));

/* Is it what a context has whose options name none? Its blocks come from malloc(). */
bool pmi_allocator_is_default(const pm_allocator *allocator);

/* ---- The device ---- */

/* Opens the context's device, if no call has done so yet. Fails as pm_match_gpu() does. */
pm_status pmi_context_gpu_open(pm_context *context);

/* Closes the device, if it is open. */
void pmi_context_gpu_close(pm_context *context);

/* Return the open device's key (its UUID and its driver's version) and its kind; "" if no device is open. */
const char *pmi_context_gpu_key(const pm_context *context);
const char *pmi_context_gpu_kind(const pm_context *context);

/* Is a device open, and has it made the kernels of pm_box_gpu()? */
bool pmi_context_gpu_has_boxes(const pm_context *context);

/* Returns the profile if it describes the open device, or any device while none is open; else NULL. */
const pmi_profile *pmi_context_device_profile(const pm_context *context);

#endif
