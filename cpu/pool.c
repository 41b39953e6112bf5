/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs stand in a few places that are never freed, so that a thread which comes late reads nothing that is gone. */
#define _POSIX_C_SOURCE 200809L /* sched_yield, semaphores */
#include "cpu/pool.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/sizes.h"
#ifdef _WIN32
#include "base/windows/system.h"
#endif

enum {
    JOBS = 16 /* at a time; further callers work alone, as there are no more cores then */
};

/* A thread without work looks for some during this time, and then sleeps: to wake it takes some ten microseconds. */
#define SPIN_NS 1e5
/* A thread that has worked this long offers its core to others before its next item. On a shared core it would soon be
 * interrupted anyway, and then perhaps within an item that others wait for. */
#define WORK_NS 1.5e6
/* An offer of the core that takes longer than this was accepted. */
#define YIELD_NS 2e4

/* A job's state: how many threads may still join, times ROOM; whether its caller sleeps; how many others work on it. */
#define ROOM (UINT64_C(1) << 32)
#define ASLEEP (UINT64_C(1) << 31)

typedef struct pool_job {
    _Alignas(64) atomic_bool taken; /* by a caller */
    _Atomic uint64_t state;
    size_t items;
    unsigned threads;
    void (*work)(size_t item, unsigned thread, void *user);
    void *user;
    sem_t done;                      /* wakes the caller */
    _Alignas(64) atomic_size_t next; /* the first item that nobody has taken */
} pool_job;

static struct {
    pool_job jobs[JOBS];
    _Alignas(64) atomic_uint posted; /* jobs so far */
    _Alignas(64) atomic_uint asleep; /* threads that a post to `wake` is owed to */
    sem_t wake;
    pthread_mutex_t growth;
    unsigned threads;
} pool = {.growth = PTHREAD_MUTEX_INITIALIZER};

static void semaphore_wait(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0)
        continue; /* a signal came */
}

/* ---- Sleeping ---- */

/* Returns how long the core was given to others. */
static double core_yield(void) {
    const double before = pmi_clock_ns();
    sched_yield();
    return pmi_clock_ns() - before;
}

/* Takes at most `most` sleepers off the count, and returns how many. */
static unsigned sleepers_take(unsigned most) {
    unsigned asleep = atomic_load(&pool.asleep), taken;
    do
        taken = asleep < most ? asleep : most;
    while (!atomic_compare_exchange_weak(&pool.asleep, &asleep, asleep - taken));
    return taken;
}

static void threads_wake(unsigned count) {
    for (unsigned k = sleepers_take(count); k > 0; k--)
        sem_post(&pool.wake);
}

/* Returns when a job has been posted since there were `seen`, perhaps earlier. */
static void job_await(unsigned seen) {
    const double begin = pmi_clock_ns();
    while (atomic_load(&pool.posted) == seen && pmi_clock_ns() - begin < SPIN_NS && core_yield() < YIELD_NS)
        continue;
    if (atomic_load(&pool.posted) != seen)
        return;
    atomic_fetch_add(&pool.asleep, 1);
    if (atomic_load(&pool.posted) == seen || sleepers_take(1) == 0) /* or a post is on its way */
        semaphore_wait(&pool.wake);
}

/* ---- Working ---- */

/* Joins a job under the number *thread, unless enough threads have. */
static bool job_join(pool_job *job, unsigned *thread) {
    uint64_t state = atomic_load(&job->state);
    do
        if (state < ROOM)
            return false;
    while (!atomic_compare_exchange_weak(&job->state, &state, state - ROOM + 1));
    *thread = job->threads - (unsigned)(state / ROOM);
    return true;
}

static bool item_take(pool_job *job, size_t *item) {
    *item = atomic_fetch_add(&job->next, 1);
    return *item < job->items;
}

/* No more threads need join: the items are taken. */
static void job_close(pool_job *job) {
    atomic_fetch_and(&job->state, ROOM - 1);
}

static void job_leave(pool_job *job) {
    job_close(job);
    if (atomic_fetch_sub(&job->state, 1) == (ASLEEP | 1))
        sem_post(&job->done);
}

static void jobs_help(double *since) {
    unsigned thread;
    for (pool_job *job = pool.jobs; job < pool.jobs + JOBS; job++) {
        if (!job_join(job, &thread))
            continue;
        for (size_t item; item_take(job, &item);) {
            job->work(item, thread, job->user);
            if (pmi_clock_ns() - *since < WORK_NS)
                continue;
            core_yield();
            *since = pmi_clock_ns();
        }
        job_leave(job);
    }
}

static void *thread_main(void *unused) {
    for (double since = pmi_clock_ns();;) {
        const unsigned seen = atomic_load(&pool.posted);
        jobs_help(&since);
        job_await(seen);
        since = pmi_clock_ns();
    }
    return unused;
}

/* ---- Callers ---- */

static void pool_open(void) {
    sem_init(&pool.wake, 0, 0);
    for (size_t k = 0; k < JOBS; k++)
        sem_init(&pool.jobs[k].done, 0, 0);
#ifdef _WIN32
    pmi_windows_stay_loaded(); /* elsewhere the linker is told */
#endif
}

/* Starts threads until there are `wanted`, or until the system refuses one. */
static void pool_grow(unsigned wanted) {
    static pthread_once_t opened = PTHREAD_ONCE_INIT;
    pthread_t thread;
    pthread_once(&opened, pool_open);
    pthread_mutex_lock(&pool.growth);
    while (pool.threads < wanted && pthread_create(&thread, NULL, thread_main, NULL) == 0) {
        pthread_detach(thread);
        pool.threads++;
    }
    pthread_mutex_unlock(&pool.growth);
}

static pool_job *job_claim(void) {
    for (pool_job *job = pool.jobs; job < pool.jobs + JOBS; job++)
        if (!atomic_load(&job->taken) && !atomic_exchange(&job->taken, true))
            return job;
    return NULL;
}

static void job_post(pool_job *job) {
    const unsigned helpers = (unsigned)pmi_min(job->threads, job->items) - 1;
    atomic_store(&job->next, 0);
    atomic_store(&job->state, helpers * ROOM);
    atomic_fetch_add(&pool.posted, 1);
    threads_wake(helpers);
}

/* Waits for those who still work. */
static void job_finish(pool_job *job) {
    const double begin = pmi_clock_ns();
    job_close(job);
    while (atomic_load(&job->state) > 0 && pmi_clock_ns() - begin < SPIN_NS)
        sched_yield();
    if (atomic_fetch_or(&job->state, ASLEEP) > 0)
        semaphore_wait(&job->done);
    atomic_store(&job->taken, false);
}

void pmi_pool_run(unsigned threads, size_t items, void (*work)(size_t item, unsigned thread, void *user), void *user) {
    pool_grow(threads - 1);
    pool_job *const job = job_claim();
    if (!job) {
        for (size_t item = 0; item < items; item++)
            work(item, 0, user);
        return;
    }
    job->items = items;
    job->threads = (unsigned)pmi_min(threads, items);
    job->work = work;
    job->user = user;
    job_post(job);
    for (size_t item; item_take(job, &item);)
        work(item, 0, user);
    job_finish(job);
}
