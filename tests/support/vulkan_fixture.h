/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches recorded through parenmatch_vulkan.h, many of them in one command buffer, each in buffers of its own that lie
 * in one block of memory with canaries all around; then run, and held against the sequential stack.
 */
#ifndef PM_TESTS_SUPPORT_VULKAN_FIXTURE_H
#define PM_TESTS_SUPPORT_VULKAN_FIXTURE_H

#include "parenmatch_vulkan.h"
#include "tests/support/match_stages.h"

enum {
    BED_MATCHES = 1 << 11 /* most between two runs */
};

typedef enum bed_role {
    BED_PARENS,
    BED_SCRATCH,
    BED_SUMMARY,
    BED_MATCH,
    BED_COUNT,
    BED_DISPATCHES,
    BED_ROLES
} bed_role;

/* A match that has been recorded, in 32-bit words of the block. */
typedef struct bed_match {
    const char *what;
    uint32_t n;         /* most elements */
    uint32_t length;    /* elements */
    uint64_t given_sum; /* of what is only read */
    size_t first[BED_ROLES], words[BED_ROLES];
} bed_match;

typedef struct bed {
    const gpu_stages *host; /* device and commands */
    const pm_vk_context *matcher;
    pmi_buffer block;
    size_t words_used;
    bool recording;
    size_t count;
    size_t scratch_owner; /* the match whose scratch was used last */
    bed_match matches[BED_MATCHES];
} bed;

/* How a match is recorded. All zero: directly, its results in one piece. */
typedef struct bed_how {
    uint64_t range_elements;
    bool counted; /* by a number on the device: */
    uint32_t count;
    uint32_t junk;        /* what scratch holds before */
    bool scratch_of_last; /* a barrier first, and then the scratch of the match recorded last, which was larger */
} bed_how;

/* Whatever fails fails the test. `words` is the size of the block. */
void bed_open(bed *b, const gpu_stages *host, const pm_vk_context *matcher, size_t words);
void bed_close(bed *b);

/* Records the match of n elements, or of how.count of them; runs what there is before if there is no room. `what` stays
 * until then. */
void bed_add(bed *b, const char *what, const uint64_t *parens, uint32_t n, bed_how how);

/* Runs what is recorded and checks results and canaries. */
void bed_run(bed *b);

#endif
