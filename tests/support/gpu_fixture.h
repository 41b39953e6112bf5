/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of tests on a device. */
#ifndef PM_TESTS_SUPPORT_GPU_FIXTURE_H
#define PM_TESTS_SUPPORT_GPU_FIXTURE_H

#include "gpu/device/device.h"
#include "gpu/gpu.h"
#include "tests/support/fault_allocator.h"

extern fault_allocator faults; /* the allocator of all that is opened */

/* The same settings, but a CPU will do, and the validation layer is listened to where that is installed. */
pmi_gpu_settings gpu_tests_settings(pmi_gpu_settings settings);

/* pmi_gpu_open() with those, and that allocator. */
pm_status gpu_tests_open(pmi_gpu_settings settings, pmi_gpu **gpu);

/*
 * A program's main. Opens what is tested, runs the tests, or those whose names are like the second argument, and closes
 * it; returns the exit code: 77 where opening gives PM_NO_DEVICE; not 0, too, if a block is left or the validation
 * layer had something to say.
 */
int gpu_tests_main(int argc, char **argv, pm_status (*open_all)(void), void (*close_all)(void));

/* A device that gpu_tests_open() has not opened, for what a program says before its tests. */
void gpu_tests_on(const pmi_device *device);

/* The teams that a program's first argument asks for: "subgroup", "workgroup"; anything else, or none: any. */
pmi_team_kind gpu_tests_teams(int argc, char **argv);

/* One that gpu_tests_open() opens. */
typedef struct gpu_tests_device {
    pmi_gpu_settings settings;
    pmi_gpu **gpu;
} gpu_tests_device;

/* gpu_tests_main() where there is no more to be opened than these. */
int gpu_tests_with(int argc, char **argv, const gpu_tests_device *devices, size_t count);

#endif
