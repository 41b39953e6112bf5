/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of what callers pass: lengths, arrays, and structs that begin with their size. */
#ifndef PM_BASE_ARGUMENTS_H
#define PM_BASE_ARGUMENTS_H

#include "parenmatch.h"

/* The greatest number of elements that 32-bit indices can name: the last is 2^32 - 2, as PM_NONE is not an index. */
#define PM_N_MAX UINT32_MAX

/* Checks n elements whose arrays must be there unless n is 0. PM_TOO_LARGE, or PM_INVALID_ARGUMENT. */
static inline pm_status pmi_arguments_check(size_t n, bool arrays_present) {
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    return n == 0 || arrays_present ? PM_OK : PM_INVALID_ARGUMENT;
}

/*
 * Copies *from, a struct of a caller built with any version of the header, to *to; fields that the caller does not know
 * become zero.
 * known  the size of *to, which a struct that gives 0 as its size has
 * min    where the struct of the first release ended
 * PM_INVALID_ARGUMENT for a size below `min` or far above `known`; PM_UNSUPPORTED if a field unknown to this version is
 * not zero.
 */
pm_status pmi_options_read(const void *from, void *to, size_t known, size_t min);

/* Copies *from, of size `known`, to the caller's struct *to, as far as the caller knows it; its size stays.
 * PM_INVALID_ARGUMENT for a size below `min`. */
pm_status pmi_options_write(const void *from, void *to, size_t known, size_t min);

#endif
