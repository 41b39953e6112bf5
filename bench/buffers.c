/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: aligned to huge pages, advised, written once. */
#include "bench/buffers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

void *buffer_create(size_t size) {
    const size_t whole = (size / HUGE_PAGE + 1) * HUGE_PAGE;
    void *buffer = aligned_alloc(HUGE_PAGE, whole);
    if (!buffer)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(buffer, whole, MADV_HUGEPAGE); /* advice: refusing it is no failure */
#endif
    memset(buffer, 0xff, whole);
    return buffer;
}
