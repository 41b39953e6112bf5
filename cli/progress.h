/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on standard error, where that is a terminal and the work lasts over a second. */
#ifndef PM_CLI_PROGRESS_H
#define PM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress_bar {
    bool wanted;
    bool drawn;
    double begun, shown; /* seconds of progress_clock() */
} progress_bar;

/* Seconds from some fixed moment. */
double progress_clock(void);

void progress_begin(progress_bar *bar);

/* `done` bytes of `size` (0: not known) of the text `name`. */
void progress_show(progress_bar *bar, const char *name, uint64_t done, uint64_t size);

/* Takes the bar off the screen; to be called before anything else is printed. */
void progress_hide(progress_bar *bar);

#endif
