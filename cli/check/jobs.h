/* SPDX-License-Identifier: Apache-2.0 */
/* Files checked by several threads at once, whose output appears in the order in which they were given. */
#ifndef PM_CLI_CHECK_JOBS_H
#define PM_CLI_CHECK_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct jobs jobs;

/* One file. */
typedef struct check_job {
    char *path;
    bool named;
    FILE *out, *messages; /* of the thread that runs it */

    /* The rest is the queue's own. */
    jobs *queue;
    char *out_text, *message_text;
    size_t out_size, message_size;
    bool failed, done;
} check_job;

typedef struct jobs_calls {
    void (*run)(check_job *job, void *worker);             /* by any thread */
    void (*print)(const char *text, size_t n, void *user); /* in order; prints on standard output */
    void (*wait)(void *user);                              /* by the thread that waits, ten times a second */
    void *user;
    void *workers; /* an array: run() gets an element that no other thread has */
    size_t worker_size;
} jobs_calls;

/* Creates a queue; its threads start when there is work. NULL if there is no memory. All other functions but the two at
 * the end are for the thread that created it. */
jobs *jobs_create(unsigned threads, const jobs_calls *calls);

/* Adds a file, and prints the output of those that are done. Waits while there are very many. Returns false, with
 * nothing done, if there is no memory or no thread. */
bool jobs_add(jobs *queue, const char *path, bool named);

/* Waits for all files and prints their output. */
void jobs_drain(jobs *queue);

/* Waits for all files, prints their output and destroys the queue. Returns false if something could not be checked for
 * lack of memory. */
bool jobs_destroy(jobs *queue);

/* For run(), between two things that it prints: long output is not kept but printed, once it is this file's turn. */
void job_printed(check_job *job);

/* Is output wanted no longer, because printing has failed? */
bool jobs_stopped(const jobs *queue);

#endif
