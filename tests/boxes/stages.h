/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stages of boxes one by one, on buffers that host and device both see: twins in C up to a stage, the device from
 * there on. Everything has canaries around it.
 */
#ifndef PM_TESTS_BOXES_STAGES_H
#define PM_TESTS_BOXES_STAGES_H

#include "gpu/boxes/boxes.h"
#include "tests/support/match_stages.h"

typedef struct box_stages {
    const gpu_stages *host; /* device and commands */
    pmi_boxes boxes;
    bool in_order; /* scenes have dispatches */
} box_stages;

void box_stages_open(const gpu_stages *host, bool in_order, box_stages *stages);
void box_stages_close(box_stages *stages);

/* Twins alone, then the device from each stage on: all buffers are the same, the results are those of the sequential
 * stack, and nothing is written around them. Names the first stage that is wrong. */
void box_stages_check(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                      const char *what);

/* The device alone: for scenes that are large. */
void box_stages_check_results(const box_stages *stages, const uint8_t *kinds, const pm_box *boxes, uint32_t n,
                              const char *what);

#endif
