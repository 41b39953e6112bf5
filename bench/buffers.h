/* SPDX-License-Identifier: Apache-2.0 */
/* Memory to time with. */
#ifndef PM_BENCH_BUFFERS_H
#define PM_BENCH_BUFFERS_H

#include <stddef.h>

/* At least `size` bytes on huge pages where the system grants them, written once, so that no page is touched for the
 * first time while the clock runs; to be given to free(). NULL when there is no memory. */
void *buffer_create(size_t size);

#endif
