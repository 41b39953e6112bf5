/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of sizes: what there is room for of what is left, and how many parts a whole has. */
#ifndef PM_BASE_SIZES_H
#define PM_BASE_SIZES_H

#include <stdint.h>

/* The lesser of two. */
static inline uint64_t pmi_min(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The same, where it is known to fit 32 bits. */
static inline uint32_t pmi_min32(uint64_t a, uint64_t b) {
    return (uint32_t)pmi_min(a, b);
}

/* How many parts, of which the last may be smaller. */
static inline uint64_t pmi_divide_up(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}
static inline uint32_t pmi_divide_up32(uint32_t a, uint32_t b) {
    return (uint32_t)pmi_divide_up(a, b);
}

#endif
