/* SPDX-License-Identifier: Apache-2.0 */
/* The machine, as Linux describes it; elsewhere less is known and pinning is refused. */
#include "bench/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

#include "cpu/threads.h"

#define PARTS_OF_A_THREAD 8u /* so that others take what a thread leaves that is held up */
#define HUGE_PAGE ((size_t)2 << 20)

/* ---- The end ---- */

void stop(const char *what, const char *why) {
    fprintf(stderr, "pm_bench: %s: %s\n", what, why);
    exit(2);
}

void must(pm_status status, const char *what) {
    if (status != PM_OK)
        stop(what, pm_status_string(status));
}

/* ---- Memory ---- */

void *must_allocate(size_t bytes) {
    void *const memory = malloc(bytes + 1); /* not NULL for no bytes */
    if (!memory)
        stop("memory", "there is not enough");
    return memory;
}

void *buffer_create(size_t size) {
    const size_t whole = (size / HUGE_PAGE + 1) * HUGE_PAGE;
    void *buffer = aligned_alloc(HUGE_PAGE, whole);
    if (!buffer)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(buffer, whole, MADV_HUGEPAGE); /* advice: refusing it is no failure */
#endif
    memset(buffer, 0xff, whole);
    return buffer;
}

/* ---- Threads ---- */

unsigned threads_most(void) {
    return pmi_threads_available(1024);
}

struct parts {
    unsigned count;
    void (*work)(unsigned part, unsigned parts, void *user);
    void *user;
};

static void part_work(size_t part, unsigned thread, void *user) {
    const struct parts *const parts = user;
    (void)thread;
    parts->work((unsigned)part, parts->count, parts->user);
}

void threads_run(unsigned threads, void (*work)(unsigned part, unsigned parts, void *user), void *user) {
    struct parts parts = {threads > 1 ? threads * PARTS_OF_A_THREAD : 1, work, user};
    pmi_threads_run(threads, parts.count, part_work, &parts);
}

/* ---- Its description ---- */

static void copy_text(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from);
}

/* The first "model name" of /proc/cpuinfo, or else the architecture. */
static void find_cpu(char *cpu, size_t size) {
    struct utsname system;
    copy_text(cpu, size, uname(&system) == 0 ? system.machine : "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", strlen("model name")) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        copy_text(cpu, size, colon + 1 + strspn(colon + 1, " "));
        break;
    }
    fclose(file);
}

/* The policy is the word in brackets: "always [madvise] never". */
static void find_huge_pages(char *policy, size_t size) {
    copy_text(policy, size, "unknown");
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!file)
        return;
    char line[64] = "";
    char *open = fgets(line, sizeof line, file) ? strchr(line, '[') : NULL;
    char *close = open ? strchr(open, ']') : NULL;
    if (close) {
        *close = '\0';
        copy_text(policy, size, open + 1);
    }
    fclose(file);
}

void machine_describe(struct machine *machine) {
    find_cpu(machine->cpu, sizeof machine->cpu);
    find_huge_pages(machine->huge_pages, sizeof machine->huge_pages);
    machine->cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&machine->load, 1) != 1)
        machine->load = -1;
}

/* ---- CPUs ---- */

#ifdef __linux__

/* The process, and what it starts, on these CPUs only; false if it may not run on each of them. */
static bool restrict_to(int first, unsigned count) {
    cpu_set_t wanted, granted;
    CPU_ZERO(&wanted);
    for (unsigned c = 0; c < count; c++) {
        if ((size_t)first + c >= CPU_SETSIZE)
            return false;
        CPU_SET((size_t)first + c, &wanted);
    }
    return sched_setaffinity(0, sizeof wanted, &wanted) == 0 && sched_getaffinity(0, sizeof granted, &granted) == 0 &&
           CPU_EQUAL(&wanted, &granted);
}

bool machine_pin(int first, unsigned count) {
    return restrict_to(first, count);
}

#else

bool machine_pin(int first, unsigned count) {
    (void)first, (void)count;
    return false;
}

#endif
