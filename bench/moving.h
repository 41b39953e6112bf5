/* SPDX-License-Identifier: Apache-2.0 */
/* The floor of what reads as many bytes as it writes, and some more: copying, and reading. */
#ifndef PM_BENCH_MOVING_H
#define PM_BENCH_MOVING_H

#include "bench/floors.h"

#define MOVING_NAME "copy" /* as results call it */

struct moving {
    struct floor_job copy, read;
};

/* Copies `copied` bytes and reads `read` more on so many threads. Blocks are aligned to 64 bytes. */
struct moving moving_make(void *to, const void *from, size_t copied, const void *more, size_t read, unsigned threads);

/* Both as one thing to time; valid as long as the argument is. */
struct action moving_action(struct moving *moving);

#endif
