/* SPDX-License-Identifier: Apache-2.0 */
/* The lesser of two numbers: what is left, of what there is room for. */
#ifndef PM_GPU_LEAST_H
#define PM_GPU_LEAST_H

#include <stdint.h>

static inline uint64_t pm_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

#endif
