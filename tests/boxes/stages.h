/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of boxes one by one: twins in C up to a stage, the device from there on. */
#ifndef PM_TESTS_BOXES_STAGES_H
#define PM_TESTS_BOXES_STAGES_H

#include "gpu/boxes/boxes.h"
#include "tests/support/block.h"
#include "tests/support/gpu_fixture.h"

typedef struct box_stages {
    const gpu_host *host;
    pmi_boxes boxes;
    bool in_order; /* scenes have dispatches */
} box_stages;

void box_stages_open(const gpu_host *host, bool in_order, box_stages *stages);
void box_stages_close(box_stages *stages);

/* Checks every stage; results are those of the sequential stack. Short scenes without clips, or without blends, are
 * also checked with that promised. */
void box_stages_check(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                      const char *what);

/* Checks the results of the device alone, for large scenes. */
void box_stages_check_results(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                              const char *what);

#endif
