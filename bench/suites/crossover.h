/* SPDX-License-Identifier: Apache-2.0 */
/* Where the data may be, in the memory of the host or of a device, and the backends that match there. */
#ifndef PM_BENCH_SUITES_CROSSOVER_H
#define PM_BENCH_SUITES_CROSSOVER_H

#include "bench/settings.h"

#define CONTESTANTS_MOST 6u

/* One family at one length. */
struct contest {
    const char *family;
    size_t n;
    bool ran[CONTESTANTS_MOST]; /* others cannot match such lengths, or are much too slow */
    struct distribution time[CONTESTANTS_MOST];
    size_t chosen;                   /* by the library */
    struct distribution chosen_time; /* of the call that chooses, if there is one */
    bool verified;
};

struct place {
    const char *name;
    unsigned threads;
    const char *names[CONTESTANTS_MOST];
    const struct settings *settings;
    /* Times all, and reports each, and fills in the rest of the contest; false without memory. */
    bool (*measure)(struct contest *contest);
    /* Times two alone: what the first takes / what the second takes; negative without memory. */
    double (*compare)(const char *family, size_t n, size_t a, size_t b);
    size_t (*chosen)(size_t n);
    struct contest before[NAMES_MOST]; /* of each family, at the length before; n = 0: none yet */
};

/* The places. Opened for the settings, which must stay; NULL: not here, or, after a line on standard error, no memory.
 */
struct place *crossover_host_open(const struct settings *settings);
void crossover_host_close(void);
#ifdef PM_BENCH_GPU
struct place *crossover_device_open(const struct settings *settings);
void crossover_device_close(void);
#else
static inline struct place *crossover_device_open(const struct settings *settings) {
    return (void)settings, NULL;
}

static inline void crossover_device_close(void) {}
#endif

#endif
