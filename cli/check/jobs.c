/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of files: those at the front are done or being checked, those behind wait. What a file prints is kept until
 * all before it is printed. */
#include "cli/check/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

enum {
    ROOM = 256,            /* files in the ring: a long one does not hold up the others soon */
    OUTPUT_KEPT = 1 << 20, /* bytes of a file's output */
    TICK = 100000000       /* ns between two calls of wait() */
};

typedef struct worker {
    pthread_t thread;
    jobs *queue;
    void *state;
} worker;

struct jobs {
    jobs_calls calls;
    pthread_mutex_t mutex;
    pthread_cond_t work;  /* there is a file to check, or no more will come */
    pthread_cond_t moved; /* a file is done, or another is the first */
    check_job ring[ROOM];
    uint64_t first, next, end; /* the first not printed, the first not begun, behind the last */
    bool closed, failed;
    atomic_bool stopped;
    unsigned threads, started;
    worker workers[];
};

static check_job *job_at(jobs *queue, uint64_t index) {
    return &queue->ring[index % ROOM];
}

/* ---- The threads ---- */

/* Opens what the job prints to, again if it has been printed. */
static bool open_output(check_job *job) {
    job->out = open_memstream(&job->out_text, &job->out_size);
    return job->out != NULL;
}

static void run(const worker *self, check_job *job) {
    job->messages = open_memstream(&job->message_text, &job->message_size);
    if (job->messages && open_output(job)) {
        messages_to(job->messages);
        self->queue->calls.run(job, self->state);
        messages_to(NULL);
    } else {
        job->failed = true;
    }
    /* Only now are the texts and sizes right. */
    job->failed |= job->out && fclose(job->out) != 0;
    job->failed |= job->messages && fclose(job->messages) != 0;
}

static void *run_worker(void *argument) {
    worker *const self = argument;
    jobs *const queue = self->queue;
    pthread_mutex_lock(&queue->mutex);
    for (;;) {
        while (queue->next == queue->end && !queue->closed)
            pthread_cond_wait(&queue->work, &queue->mutex);
        if (queue->next == queue->end)
            break;
        check_job *const taken = job_at(queue, queue->next++);
        pthread_mutex_unlock(&queue->mutex);
        run(self, taken);
        pthread_mutex_lock(&queue->mutex);
        taken->done = true;
        pthread_cond_broadcast(&queue->moved);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

/* Starts one more thread, up to the limit. Returns false if no thread runs. */
static bool start_worker(jobs *queue) {
    worker *const next = &queue->workers[queue->started];
    if (queue->started < queue->threads) {
        *next =
            (worker){.queue = queue, .state = (char *)queue->calls.workers + queue->started * queue->calls.worker_size};
        if (pthread_create(&next->thread, NULL, run_worker, next) == 0)
            queue->started++;
        else
            queue->threads = queue->started; /* no more of them */
    }
    return queue->started > 0;
}

/* ---- Printing ---- */

static void print_output(jobs *queue, check_job *job) {
    queue->calls.print(job->out_text, job->out_size, queue->calls.user);
    if (output_failed())
        atomic_store(&queue->stopped, true);
    free(job->out_text);
    job->out_text = NULL;
    job->out_size = 0;
}

void job_printed(check_job *job) {
    jobs *const queue = job->queue;
    const off_t size = ftello(job->out);
    if (size < OUTPUT_KEPT)
        return;
    pthread_mutex_lock(&queue->mutex);
    while (job != job_at(queue, queue->first))
        pthread_cond_wait(&queue->moved, &queue->mutex);
    job->failed |= fclose(job->out) != 0;
    print_output(queue, job); /* nobody else prints: the first file is not done */
    pthread_mutex_unlock(&queue->mutex);
    if (!open_output(job)) { /* what follows is lost, and said to be */
        job->failed = true;
        job->out = fopen("/dev/null", "w");
    }
}

/* Waits for the first file, prints what it has to say, and takes it out of the ring. */
static void retire_first(jobs *queue) {
    check_job *const first = job_at(queue, queue->first);
    pthread_mutex_lock(&queue->mutex);
    while (!first->done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&queue->moved, &queue->mutex, &until) == ETIMEDOUT)
            queue->calls.wait(queue->calls.user);
    }
    pthread_mutex_unlock(&queue->mutex);
    print_output(queue, first);
    if (first->message_size > 0) {
        (void)fflush(stdout);
        fwrite(first->message_text, 1, first->message_size, stderr);
    }
    queue->failed |= first->failed;
    if (first->failed)
        complain("%s: %s", first->path, pm_status_string(PM_OUT_OF_MEMORY));
    free(first->message_text);
    free(first->path);
    pthread_mutex_lock(&queue->mutex);
    *first = (check_job){.queue = queue};
    queue->first++;
    pthread_cond_broadcast(&queue->moved);
    pthread_mutex_unlock(&queue->mutex);
}

static bool first_is_done(jobs *queue) {
    pthread_mutex_lock(&queue->mutex);
    const bool done = queue->first < queue->end && job_at(queue, queue->first)->done;
    pthread_mutex_unlock(&queue->mutex);
    return done;
}

/* ---- From outside ---- */

jobs *jobs_create(unsigned threads, const jobs_calls *calls) {
    jobs *const queue = calloc(1, sizeof *queue + threads * sizeof *queue->workers);
    if (!queue)
        return NULL;
    queue->calls = *calls;
    queue->threads = threads;
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->work, NULL);
    pthread_cond_init(&queue->moved, NULL);
    return queue;
}

bool jobs_add(jobs *queue, const char *path, bool named) {
    while (first_is_done(queue) || queue->end - queue->first == ROOM)
        retire_first(queue);
    char *const copy = strdup(path);
    if (!copy || !start_worker(queue)) {
        free(copy);
        return false;
    }
    pthread_mutex_lock(&queue->mutex);
    *job_at(queue, queue->end++) = (check_job){.path = copy, .named = named, .queue = queue};
    pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->mutex);
    return true;
}

void jobs_drain(jobs *queue) {
    while (queue->first < queue->end)
        retire_first(queue);
}

bool jobs_destroy(jobs *queue) {
    jobs_drain(queue);
    pthread_mutex_lock(&queue->mutex);
    queue->closed = true;
    pthread_cond_broadcast(&queue->work);
    pthread_mutex_unlock(&queue->mutex);
    for (unsigned k = 0; k < queue->started; k++)
        pthread_join(queue->workers[k].thread, NULL);
    pthread_cond_destroy(&queue->moved);
    pthread_cond_destroy(&queue->work);
    pthread_mutex_destroy(&queue->mutex);
    const bool fine = !queue->failed;
    free(queue);
    return fine;
}

bool jobs_stopped(const jobs *queue) {
    return atomic_load(&queue->stopped);
}
