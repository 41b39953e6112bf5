/* SPDX-License-Identifier: Apache-2.0 */
/* The command check: what it is asked for, and what it has found. */
#ifndef PM_CLI_CHECK_COMMAND_H
#define PM_CLI_CHECK_COMMAND_H

#include "cli/check.h"
#include "cli/check/jobs.h"
#include "cli/progress.h"

enum {
    JOBS_MAX = 1024 /* threads at most */
};

/* With several threads each has a copy, with counts of its own. */
typedef struct check_command {
    const pm_language *language; /* of all files; NULL: by file name */
    pm_language *rules;          /* it, if it is made from a file of rules; else NULL */
    machine_options machine;
    pm_context *device; /* that checks delimiters; NULL: the CPU does */
    check_options options;
    file_tree_options tree;
    const char *tree_option; /* an option that is given and needs a folder; NULL: none */
    char *exclude;           /* lines of --exclude; NULL: none */
    uint64_t threads;        /* of --jobs; 0: as many as there are processors */
    int separator;           /* of records; PM_RECORDS_NONE: each file is one text */
    bool recursive, stats, complete, summary;
    bool all; /* also faults that only follow from a mistake */

    pm_context *context; /* of this thread's files; NULL: not made yet */
    jobs *queue;         /* NULL: files are checked by the calling thread */
    check_job *job;      /* of the queue; NULL: this thread prints at once */
    diagnostic_printer printer;
    const text_source *source; /* being checked */
    uint64_t printed;          /* diagnostics of it */
    bool explained;            /* ... which name the mistakes behind all its faults */
    uint64_t withheld;         /* ... that are mistakes, too, but more than are to be printed */
    uint64_t next_record;      /* of it, of which no fault is printed yet */
    progress_bar progress;
    int code;

    uint64_t files, unbalanced, bytes, brackets, faults, max_depth, records, bad_records;
    uint64_t binaries, skipped; /* files; folders */
} check_command;

/* Checks a file and prints its diagnostics; named: by the user. */
void check_file(check_command *command, const char *path, bool named);

/* Complains and returns false unless a step of a check was successful. */
bool check_succeeds(const text_source *source, pm_status status);

/* Prints a text and what completes it. Complains and returns false if that fails. */
bool check_complete(check_command *command, const pm_language *language, text_source *source, pm_check_summary *found);

/* Checks files, and with --recursive those of folders, and prints the statistics. */
void check_paths(check_command *command, char *const *paths, int count);

/* Returns the bytes that all threads have read so far. */
uint64_t check_bytes_read(void);

#endif
