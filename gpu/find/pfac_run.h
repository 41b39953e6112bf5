/* SPDX-License-Identifier: Apache-2.0 */
/* Searching a text of the host's on a device: chunks of it go up, and of each its hits come down. */
#ifndef PM_GPU_FIND_PFAC_RUN_H
#define PM_GPU_FIND_PFAC_RUN_H

#include "gpu/find/pfac.h"

/* What belongs to a slot. */
typedef struct pmi_pfac_side {
    pmi_buffer text, scratch; /* near the device */
    pmi_buffer hits;          /* the host's: their number, and 16 bytes from its beginning they themselves */
    pmi_pfac_parameters parameters;
    uint32_t room;  /* hits that were asked for at once */
    bool delivered; /* the last chunk's hits have been taken */
} pmi_pfac_side;

/* All zeros: not needed yet. */
typedef struct pmi_pfac_runner {
    bool created;
    pmi_pfac pfac;
    pmi_pfac_dicts dicts;
    pmi_pfac_side side[PM_SLOTS];
} pmi_pfac_runner;

typedef struct pmi_pfac_request {
    const struct pm_dict *dict; /* with a pattern at least */
    const unsigned char *text;
    uint64_t n; /* > 0 */
    pm_hit *hits;
    uint64_t capacity;
    size_t slot_bytes; /* of text, or of hits, that go through a slot at a time */
} pmi_pfac_request;

/* As pm_find_gpu(). The device must be idle, and no slot in flight; it is so afterwards unless it is lost. */
pm_status pmi_pfac_run(const pmi_device *device, pmi_staging_ring *slots, pmi_pfac_runner *runner,
                       const pmi_pfac_request *request, uint64_t *found);

/* The device must be idle. One that is all zeros is fine; afterwards it is. */
void pmi_pfac_runner_clear(const pmi_device *device, pmi_pfac_runner *runner);

#endif
