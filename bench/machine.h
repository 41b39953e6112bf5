/* SPDX-License-Identifier: Apache-2.0 */
/* The machine a run happens on: what it is, and where on it to run. */
#ifndef PM_BENCH_MACHINE_H
#define PM_BENCH_MACHINE_H

#include <stdbool.h>

struct machine {
    char cpu[128];       /* the processor's name */
    long cores;          /* on line */
    double load;         /* the load average of the last minute; negative where unknown */
    char huge_pages[16]; /* the system's policy: "always", "madvise", "never", or "unknown" */
};

void machine_describe(struct machine *machine);

/* Binds the process, and the threads it will start, to the CPUs first ... first + count - 1. */
bool machine_pin(int first, unsigned count);

#endif
