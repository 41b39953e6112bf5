/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a text of the host's, found on a device: the text goes up, what is wanted comes down. */
#ifndef PM_GPU_DELIMITERS_RUN_H
#define PM_GPU_DELIMITERS_RUN_H

#include "gpu/delimiters/tokenizer.h"
#include "gpu/device/staging_ring.h"

/* All zeros: not needed yet. */
typedef struct pmi_structure_runner {
    bool planned_created, tokenizer_created;
    pmi_indirect planned;
    pmi_tokenizer tokenizer;
    pmi_buffer given;  /* the tables, and then the text */
    pmi_buffer result; /* the host's */
    pmi_buffer scratch, matching, dispatches;
    pmi_buffer parens, positions, lengths, kinds, match;
} pmi_structure_runner;

typedef struct pmi_structure_request {
    const pmi_dfa *machine;
    const unsigned char *text;
    uint32_t n;                  /* > 0 */
    pm_delimiters_arrays arrays; /* where to */
    size_t slot_bytes;           /* that go through a slot at a time */
} pmi_structure_request;

/* As pm_delimiters_scan_gpu(). The device must be idle, and no slot in flight; what comes down has landed when all
 * slots have. */
pm_status pmi_structure_run_on_device(const pmi_device *device, pmi_staging_ring *slots, pmi_structure_runner *runner,
                                      const pmi_structure_request *request, pm_delimiters_summary *summary);

/* The device must be idle. One that is all zeros is fine; afterwards it is. */
void pmi_structure_runner_clear(const pmi_device *device, pmi_structure_runner *runner);

#endif
