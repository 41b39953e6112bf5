/* SPDX-License-Identifier: Apache-2.0 */
/* Several threads, as many as OpenMP would give a parallel region. In a build without OpenMP the caller works alone. */
#ifndef PM_CPU_THREADS_H
#define PM_CPU_THREADS_H

#include <stddef.h>

#include "base/sizes.h"

#define PM_SLICES_PER_THREAD 4u /* so that other threads take what one that is held up leaves */

/* Returns the number of threads that a pool would have now, at most `most` (0: as many as OpenMP gives). */
unsigned pmi_threads_available(unsigned most);

/*
 * Calls work(item, thread, user) for item = 0 ... items - 1, on at most `threads` threads, and returns when all have
 * returned. `thread` < threads is the number of the calling thread. Items are given out in order, as threads become
 * free.
 */
void pmi_threads_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user),
                     void *user);

/* Copies as memcpy() does, by at most `threads` threads (0: as many as OpenMP gives), and short blocks by fewer. One
 * thread alone does not keep up with a fast bus. */
void pmi_threads_copy(void *to, const void *from, size_t bytes, unsigned threads);

/* Returns how many threads n elements keep busy with at least `min_each` elements each: at most `most` (0: as many as
 * OpenMP gives). */
static inline unsigned pmi_threads_paying(size_t n, size_t min_each, unsigned most) {
    const size_t paying = n / min_each;
    return paying > 1 ? (unsigned)pmi_min(paying, pmi_threads_available(most)) : 1;
}

/* Returns the elements of each slice but the last. */
static inline size_t pmi_slice_size(size_t n, unsigned threads) {
    return pmi_divide_up(n, (size_t)threads * PM_SLICES_PER_THREAD);
}

#endif
