/* SPDX-License-Identifier: Apache-2.0 */
/* Division of elements among threads. */
#ifndef PM_CPU_DIVISION_H
#define PM_CPU_DIVISION_H

#include <stddef.h>

#include "base/sizes.h"
#include "cpu/team.h"

#define PM_SLICES_OF_A_THREAD 4u /* so that a thread that was held up leaves its share to others */

/* The threads that n elements keep busy, each at least so many of them: at most `most`, or 0: as OpenMP gives. */
static inline unsigned pmi_threads_paying(size_t n, size_t least_each, unsigned most) {
    const size_t paying = n / least_each;
    return paying > 1 ? (unsigned)pmi_min(paying, pmi_team_threads(most)) : 1;
}

/* Elements of each slice but the last. */
static inline size_t pmi_slice_size(size_t n, unsigned threads) {
    return pmi_divide_up(n, (size_t)threads * PM_SLICES_OF_A_THREAD);
}

#endif
