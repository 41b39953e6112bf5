/* SPDX-License-Identifier: Apache-2.0 */
/* The floor of what reads as many bytes as it writes, and some more: copying, and reading. */
#ifndef PM_BENCH_SUITES_MOVING_H
#define PM_BENCH_SUITES_MOVING_H

#include "bench/floors.h"
#include "bench/report.h"
#include "bench/settings.h"

struct moving {
    struct floor_job copy, read;
};

/* Copies `copied` bytes and reads `read` more on so many threads. Blocks are aligned to 64 bytes. */
struct moving moving_make(void *to, const void *from, size_t copied, const void *more, size_t read, unsigned threads);

/* Times the subject beside both, and reports `result` with the times and whether *right, which `check` sees to. */
enum outcome moving_compare(struct moving *moving, struct action subject, void (*check)(void *user), const bool *right,
                            const struct settings *settings, struct result result);

#endif
