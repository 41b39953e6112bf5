/* SPDX-License-Identifier: Apache-2.0 */
/* The signal of a mapped file that is cut short, and what it does. */
#include "cli/mapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    GUARDED_MAX = 1088 /* mappings at once: one a thread */
};

/* A mapping whose missing pages become zeros. Any thread may read it, so that the signal's handler looks for it here.
 */
struct guarded_mapping {
    atomic_uintptr_t begin, end; /* 0: free */
    atomic_bool taken, cut;
};
static struct guarded_mapping guarded[GUARDED_MAX];
static uintptr_t page_size;

/* The last file that is mapped without a guard. */
static const char *volatile mapped_name;

/* Maps zeros from the page of an address on, and returns true, if the address is in a guarded mapping. */
static bool guard_fill(uintptr_t address) {
    for (size_t k = 0; k < GUARDED_MAX; k++) {
        const uintptr_t begin = atomic_load(&guarded[k].begin), end = atomic_load(&guarded[k].end);
        if (begin == 0 || address < begin || address >= end)
            continue;
        const uintptr_t page = address - address % page_size;
        atomic_store(&guarded[k].cut, true);
        /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
        return mmap((void *)page, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    }
    return false;
}

/* Without a guard the program ends, with a message instead of a core. */
static void file_cut_short(int signal_number, siginfo_t *about, void *context) {
    (void)signal_number, (void)context;
    const int kept = errno;
    if (guard_fill((uintptr_t)about->si_addr)) {
        errno = kept;
        return;
    }
    const char *const name = mapped_name ? mapped_name : "?";
    const char *const words[] = {program_name, ": ", name, ": the file was cut short while it was read\n"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        (void)!write(STDERR_FILENO, words[k], strlen(words[k]));
    _exit(EXIT_TROUBLE);
}

static void handle_signal(void) {
    struct sigaction action = {.sa_sigaction = file_cut_short, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, NULL);
}

guarded_mapping *mapping_begin(const void *text, size_t length, const char *name, bool guard) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, handle_signal);
    for (size_t k = 0; guard && k < GUARDED_MAX; k++) {
        if (atomic_exchange(&guarded[k].taken, true))
            continue;
        atomic_store(&guarded[k].cut, false);
        atomic_store(&guarded[k].end, (uintptr_t)text + length);
        atomic_store(&guarded[k].begin, (uintptr_t)text);
        return &guarded[k];
    }
    mapped_name = name;
    return NULL;
}

bool mapping_is_cut(const guarded_mapping *mapping) {
    return atomic_load(&mapping->cut);
}

bool mapping_end(guarded_mapping *mapping) {
    const bool cut = mapping_is_cut(mapping);
    atomic_store(&mapping->begin, 0);
    atomic_store(&mapping->taken, false);
    return cut;
}
