/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of tests on a device, and what they compare a match on it with. */
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

/* The teams that a program's first argument asks for: "subgroup", "workgroup"; anything else, or none: any. */
pmi_team_kind gpu_tests_teams(int argc, char **argv);

/* One that gpu_tests_open() opens. */
typedef struct gpu_tests_device {
    pmi_gpu_settings settings;
    pmi_gpu **gpu;
} gpu_tests_device;

/* gpu_tests_main() where there is no more to be opened than these. */
int gpu_tests_with(int argc, char **argv, const gpu_tests_device *devices, size_t count);

/* ---- A device alone ---- */

/* A device with a command buffer. */
typedef struct gpu_host {
    pmi_device device;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
} gpu_host;

/* Opens a device by gpu_tests_settings(settings). */
pm_status gpu_host_open(pmi_gpu_settings settings, gpu_host *host);
void gpu_host_close(gpu_host *host);

/* Commands are recorded to host->commands between the two. gpu_commands_run() waits until they have ended; then the
 * host sees what shaders have written. */
void gpu_commands_begin(const gpu_host *host);
void gpu_commands_run(const gpu_host *host);

/* Records a barrier between shaders that read and write the same memory. */
void gpu_commands_barrier(const gpu_host *host);

/* ---- Matches ---- */

/* n elements of a family; to be freed. */
uint64_t *family_make(const char *name, uint64_t seed, size_t n);

/* n elements in words of all densities, so that levels wander far up and down; to be freed. */
uint64_t *wandering_make(uint64_t *seed, size_t n);

/* Fails unless the match is that of the reference implementation, with nothing written outside it. */
void check_match(pmi_gpu *tested, const uint64_t *parens, size_t n, const char *what);
void check_family(pmi_gpu *tested, const char *family, uint64_t seed, size_t n);

#endif
