/* SPDX-License-Identifier: Apache-2.0 */
/* The checks that every function with 32-bit indices begins with. */
#ifndef PM_BASE_ARGUMENTS_H
#define PM_BASE_ARGUMENTS_H

#include "parenmatch.h"

/* Most elements that 32-bit indices can name: the last is 2^32 - 2, and PM_NONE names none. */
#define PM_N_MAX UINT32_MAX

/* n elements whose arrays are all there, or none at all. */
static inline pm_status pmi_arguments_check(size_t n, bool arrays_present) {
    if (n > PM_N_MAX)
        return PM_TOO_LARGE;
    return n == 0 || arrays_present ? PM_OK : PM_INVALID_ARGUMENT;
}

#endif
