/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of tests of what pm_gpu_open() opens. */
#ifndef PM_TESTS_GPU_TESTS_H
#define PM_TESTS_GPU_TESTS_H

#include "gpu/run.h"
#include "tests/fault_allocator.h"

extern fault_allocator faults; /* the allocator of all that is opened */

/* pm_gpu_open() with that allocator, on a CPU if need be, and under the validation layer where that is installed. */
pm_status gpu_tests_open(pm_gpu_settings settings, pm_gpu **gpu);

/*
 * A program's main. Opens what is tested, runs the tests, or those whose names are like the second argument, and closes
 * it; returns the exit code: 77 where opening gives PM_NO_DEVICE; not 0, too, if a block is left or the validation
 * layer had something to say.
 */
int gpu_tests_main(int argc, char **argv, pm_status (*open_all)(void), int (*tests_run)(void), void (*close_all)(void));

#endif
