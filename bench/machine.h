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

/*
 * Binds thread t of a team of `count` to the CPU first + t; false where that cannot be. An OpenMP runtime reads where
 * its threads belong when the program is loaded and never again, so for more than one thread the program begins anew,
 * with its arguments, and finds everything as it should be when it comes here again. Call it before anything is
 * printed.
 */
bool machine_pin(int first, unsigned count, char **argv);

#endif
