/* SPDX-License-Identifier: Apache-2.0 */
/* Who works: OpenMP says how many threads, the pool has them. And a copy in pieces. */
#include "cpu/threads.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cpu/pool.h"

/* The pool's threads do not survive fork(), and a child that uses the pool waits for them for ever. */
static atomic_bool pool_used, pool_lost;

static void pool_after_fork(void) {
    if (atomic_load(&pool_used))
        atomic_store(&pool_lost, true);
}

#ifdef _WIN32 /* without fork(); MinGW's macro would leave pool_after_fork() unused */
#undef pthread_atfork
#define pthread_atfork(before, parent, child) ((void)(child), 0)
#endif

/* Returns false if the pool must not be used. */
static bool pool_begin(void) {
    if (!atomic_exchange(&pool_used, true) && pthread_atfork(NULL, NULL, pool_after_fork) != 0)
        atomic_store(&pool_lost, true);
    return !atomic_load(&pool_lost);
}
#endif

unsigned pmi_threads_available(unsigned most) {
#ifdef _OPENMP
    if (atomic_load(&pool_lost) || omp_get_active_level() >= omp_get_max_active_levels())
        return 1; /* the latter: inside the caller's own parallel region, which may have none within */
    const unsigned given = (unsigned)omp_get_max_threads(), limit = (unsigned)omp_get_thread_limit();
    const unsigned wanted = most > 0 ? most : given;
    return wanted < limit ? wanted : limit;
#else
    (void)most;
    return 1;
#endif
}

void pmi_threads_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user),
                     void *user) {
#ifdef _OPENMP
    if (threads > 1 && items > 1 && pool_begin()) {
        pmi_pool_run(threads, items, work, user);
        return;
    }
#else
    (void)threads;
#endif
    for (size_t item = 0; item < items; item++)
        work(item, 0, user);
}

/* ---- A copy in pieces ---- */

enum {
    PIECE = 1 << 18, /* bytes: some ten microseconds of copying, many times what it costs to wake a thread */
    /* Threads, unless a number is asked for: more than can have memory busy only wait for each other. 64 of them took
     * four times as long as 16. */
    THREADS_MAX = 16
};

typedef struct copy {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
} copy;

static void piece_copy(size_t item, unsigned thread, void *user) {
    const copy *const all = user;
    const size_t begin = item * PIECE, rest = all->bytes - begin;
    (void)thread;
    memcpy(all->to + begin, all->from + begin, rest < PIECE ? rest : PIECE);
}

void pmi_threads_copy(void *to, const void *from, size_t bytes, unsigned threads) {
    const size_t pieces = bytes / PIECE + (bytes % PIECE != 0);
    if (pieces < 2) {
        memcpy(to, from, bytes);
        return;
    }
    const unsigned given = pmi_threads_available(threads);
    const unsigned most = threads == 0 && given > THREADS_MAX ? THREADS_MAX : given;
    pmi_threads_run(pieces < most ? (unsigned)pieces : most, pieces, piece_copy, &(copy){to, from, bytes});
}
