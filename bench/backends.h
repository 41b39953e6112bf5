/* SPDX-License-Identifier: Apache-2.0 */
/* What the suites time: every backend with every instruction set that can be chosen for it. */
#ifndef PM_BENCH_BACKENDS_H
#define PM_BENCH_BACKENDS_H

#include "bench/settings.h"
#include "parenmatch.h"

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

struct backend {
    const char *name;
    const char *simd;      /* "none" if it cannot be chosen */
    unsigned threads_most; /* that it can use; 0: any number */
    match_function *match;
    bool device; /* needs one; runs only if it is named */
};

/* The backends, by index; false past the last. */
bool backend_at(size_t index, struct backend *backend);

/* Is the backend asked for? */
bool backend_wanted(const struct backend *backend, const struct settings *settings);

/* The threads it uses when `threads` may be used. */
unsigned backend_threads(const struct backend *backend, unsigned threads);

/* Creates a context that makes the backend use its instruction set and at most `threads` threads. */
pm_status backend_context_create(const struct backend *backend, unsigned threads, const struct settings *settings,
                                 pm_context **context);

/* Matches one element. A backend that needs a device opens it, and fails if there is no device. */
pm_status backend_try(const struct backend *backend, pm_context *context);

#endif
