/* SPDX-License-Identifier: Apache-2.0 */
/* The processes count, which leaves memory and caches to others. */
#include "bench/load.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "bench/machine.h"

#define SETTLING_NS 30000000L /* some of the scheduler's time slices */

static struct {
    pid_t processes[LOAD_MOST];
    unsigned count;
    bool running;
} load;

/* Counts until the parent is gone. */
static void be_busy(pid_t parent) {
    while (getppid() == parent)
        for (volatile unsigned count = 1u << 20; count > 0;)
            count = count - 1;
    _exit(0);
}

static void load_signal(int signal) {
    for (unsigned k = 0; k < load.count; k++)
        kill(load.processes[k], signal);
}

static void load_end(void) {
    load_signal(SIGKILL);
}

void load_start(unsigned processes) {
    const pid_t parent = getpid();
    for (; load.count < processes; load.count++) {
        const pid_t process = fork();
        if (process == 0)
            be_busy(parent);
        if (process < 0)
            stop("--load", "a process cannot be started");
        load.processes[load.count] = process;
    }
    atexit(load_end);
    load_signal(SIGSTOP);
}

bool load_exists(void) {
    return load.count > 0;
}

void load_set(bool running) {
    if (load.running == running)
        return;
    load.running = running;
    load_signal(running ? SIGCONT : SIGSTOP);
    nanosleep(&(struct timespec){.tv_nsec = SETTLING_NS}, NULL);
}
