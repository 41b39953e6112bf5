/* SPDX-License-Identifier: Apache-2.0 */
/* The progress bar: one line, drawn again ten times a second. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress_bar *bar) {
    const double now = progress_clock();
    *bar = (struct progress_bar){.wanted = isatty(STDERR_FILENO) != 0, .begun = now, .shown = now};
}

void progress_show(progress_bar *bar, const char *name, uint64_t done, uint64_t size) {
    const double patience = 1, interval = 0.1, now = progress_clock();
    if (!bar->wanted || now - bar->begun < patience || (bar->drawn && now - bar->shown < interval))
        return;
    static const char full[] = "########################";
    const int width = (int)sizeof full - 1;
    const int part = size ? (int)((double)done / (double)size * width) : 0;
    fprintf(stderr, "\r\033[K[%.*s%*s] %.0f MB", part, full, width - part, "", (double)done / 1e6);
    if (size)
        fprintf(stderr, " of %.0f MB", (double)size / 1e6);
    fprintf(stderr, "  %.40s", name);
    fflush(stderr);
    bar->drawn = true;
    bar->shown = now;
}

void progress_hide(progress_bar *bar) {
    if (bar->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    bar->drawn = false;
}
