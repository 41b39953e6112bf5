/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixture of tests of parenmatch_vulkan.h: a program with a Vulkan device of its own, under the validation layer
 * where that is installed, with allocators that count, and a matcher; and matches recorded with it.
 */
#ifndef PM_TESTS_SUPPORT_VULKAN_FIXTURE_H
#define PM_TESTS_SUPPORT_VULKAN_FIXTURE_H

#include "parenmatch_vulkan.h"
#include "tests/support/block.h"
#include "tests/support/gpu_fixture.h"

/* What the driver has got from the program's allocation callbacks. */
typedef struct device_objects {
    size_t calls, live;
} device_objects;

/* ---- Recorded matches ---- */

enum {
    RECORDED_MAX = 1 << 11 /* matches between two runs */
};

typedef struct recorded_match {
    const char *what;
    uint32_t n;         /* most elements */
    uint32_t length;    /* elements */
    uint64_t given_sum; /* of what is only read */
    size_t at;          /* the index of its first buffer */
} recorded_match;

/* Records many matches in one command buffer, each in buffers of its own. */
typedef struct recorder {
    const pm_vk_context *matcher;
    block block;
    bool recording;
    size_t count;
    size_t scratch_owner; /* the match whose scratch was used last */
    recorded_match matches[RECORDED_MAX];
} recorder;

/* How a match is recorded. All zero: directly, its results in one piece. */
typedef struct record_how {
    uint64_t range_elements;
    bool counted; /* by a number on the device: */
    uint32_t count;
    uint32_t junk;        /* what scratch holds before */
    bool scratch_of_last; /* a barrier first, and then the scratch of the match recorded last, which was larger */
} record_how;

/* `words` is the size of the block. */
void recorder_open(recorder *r, const pm_vk_context *of, size_t words);
void recorder_close(recorder *r);

/* Records the match of n elements, or of how.count of them; runs what there is before if there is no room. `what` stays
 * until then. */
void recorder_add(recorder *r, const char *what, const uint64_t *parens, uint32_t n, record_how how);

/* Runs what is recorded and compares it with the sequential stack. */
void recorder_run(recorder *r);

/* ---- The program ---- */

extern gpu_host host;
extern device_objects objects;
extern pm_vk_context *matcher;
extern recorder matches; /* of the matcher */

/* What the matcher was made of, with further flags. */
pm_vk_context_info matcher_info(uint32_t flags);

/*
 * Runs all tests on the device that the program's arguments ask for; returns its exit code: 77 without a device.
 * open_more() and close_more(), where not NULL, make and unmake what else the tests need.
 *   PROGRAM KERNELS [PATTERN]   KERNELS: workgroup, subgroup, or one of these with -graphics after it;
 *                               PATTERN: of the names of the tests to run
 */
int vulkan_tests_main(int argc, char **argv, void (*open_more)(void), void (*close_more)(void));

#endif
