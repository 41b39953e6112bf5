/* SPDX-License-Identifier: Apache-2.0 */
/* Searching a text of the host's on a device: chunks of it go up, and of each its hits come down. */
#ifndef PM_GPU_PFAC_RUN_H
#define PM_GPU_PFAC_RUN_H

#include "gpu/pfac.h"

/* What belongs to a slot. */
typedef struct pm_pfac_side {
    pm_buffer text, scratch; /* near the device */
    pm_buffer hits;          /* the host's: their number, and 16 bytes from its beginning they themselves */
    pm_pfac_parameters parameters;
    uint32_t room;  /* hits that were asked for at once */
    bool delivered; /* the last chunk's hits have been taken */
} pm_pfac_side;

/* All zeros: not needed yet. */
typedef struct pm_pfac_runner {
    bool created;
    pm_pfac pfac;
    pm_pfac_dicts dicts;
    pm_pfac_side side[PM_SLOTS];
} pm_pfac_runner;

typedef struct pm_pfac_request {
    const struct pm_dict *dict; /* with a pattern at least */
    const unsigned char *text;
    uint64_t n; /* > 0 */
    pm_hit *hits;
    uint64_t capacity;
    size_t slot_bytes; /* of text, or of hits, that go through a slot at a time */
} pm_pfac_request;

/* As pm_find_gpu(). The device must be idle, and no slot in flight; it is so afterwards unless it is lost. */
pm_status pm_pfac_run(const pm_device *device, pm_slots *slots, pm_pfac_runner *runner, const pm_pfac_request *request,
                      uint64_t *found);

/* The device must be idle. One that is all zeros is fine; afterwards it is. */
void pm_pfac_runner_clear(const pm_device *device, pm_pfac_runner *runner);

#endif
