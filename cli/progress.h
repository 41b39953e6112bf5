/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on standard error, if that is a terminal and the work takes more than a second. */
#ifndef PM_CLI_PROGRESS_H
#define PM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress_bar {
    bool wanted;
    bool drawn;
    double begun, shown; /* seconds of progress_clock() */
} progress_bar;

/* Returns the seconds since some fixed time. */
double progress_clock(void);

/* Starts the bar, which is not shown yet. */
void progress_begin(progress_bar *bar);

/* Shows that `done` bytes of `size` (0: unknown) of the text `name` are read. */
void progress_show(progress_bar *bar, const char *name, uint64_t done, uint64_t size);

/* Removes the bar from the screen; to be called before anything else is printed. */
void progress_hide(progress_bar *bar);

#endif
