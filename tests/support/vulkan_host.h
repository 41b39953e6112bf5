/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a Vulkan device of its own, for the tests of parenmatch_vulkan.h: its device, under the validation
 * layer where that is installed, its allocators, which count, and a matcher.
 */
#ifndef PM_TESTS_SUPPORT_VULKAN_HOST_H
#define PM_TESTS_SUPPORT_VULKAN_HOST_H

#include "tests/support/gpu_check.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/vulkan_fixture.h"

/* What the driver has got from the program's allocation callbacks. */
typedef struct device_objects {
    size_t calls, live;
} device_objects;

extern gpu_stages host; /* device, queue and commands */
extern device_objects objects;
extern pm_vk_context *matcher;
extern bed matches; /* of the matcher */

/* What the matcher was made of. */
pm_vk_context_info matcher_info(void);

/*
 * Runs all tests on the device that the program's arguments ask for; returns its exit code: 77 where there is none.
 * open_more() and close_more(), where not NULL, make and unmake what else the tests need.
 *   PROGRAM KERNELS [PATTERN]   KERNELS: workgroup, subgroup, or one of these with -graphics after it;
 *                               PATTERN: of the names of the tests to run
 */
int host_run(int argc, char **argv, pm_status (*open_more)(void), void (*close_more)(void));

#endif
