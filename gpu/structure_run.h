/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a text of the host's, found on a device: the text goes up, what is wanted comes down. */
#ifndef PM_GPU_STRUCTURE_RUN_H
#define PM_GPU_STRUCTURE_RUN_H

#include "gpu/slots.h"
#include "gpu/tokenizer.h"

/* All zeros: not needed yet. */
typedef struct pm_structure_runner {
    bool planned_created, tokenizer_created;
    pm_planned planned;
    pm_tokenizer tokenizer;
    pm_buffer given;  /* the tables, and then the text */
    pm_buffer result; /* the host's */
    pm_buffer scratch, matching, dispatches;
    pm_buffer parens, positions, lengths, kinds, match;
} pm_structure_runner;

typedef struct pm_structure_request {
    const pm_machine *machine;
    const unsigned char *text;
    uint32_t n;                 /* > 0 */
    pm_structure_arrays arrays; /* where to */
    size_t slot_bytes;          /* that go through a slot at a time */
} pm_structure_request;

/* As pm_structure_gpu(). The device must be idle, and no slot in flight; what comes down has landed when all slots
 * have. */
pm_status pm_structure_run_there(const pm_device *device, pm_slots *slots, pm_structure_runner *runner,
                                 const pm_structure_request *request, pm_structure_summary *summary);

/* The device must be idle. One that is all zeros is fine; afterwards it is. */
void pm_structure_runner_clear(const pm_device *device, pm_structure_runner *runner);

#endif
