/* SPDX-License-Identifier: Apache-2.0 */
/* The check of many files by several threads, and of folders. */
#include "cli/check/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static void print_stats(const check_command *command) {
    const double seconds = progress_clock() - command->progress.begun;
    const double megabytes = (double)command->bytes / 1e6;
    (void)fflush(stdout); /* so that they follow the diagnostics */
    fprintf(stderr,
            "%" PRIu64 " files, %.1f MB in %.2f s (%.0f MB/s), %" PRIu64 " brackets, depth %" PRIu64 ", %" PRIu64
            " errors in %" PRIu64 " files\n",
            command->files, megabytes, seconds, seconds > 0 ? megabytes / seconds : 0, command->brackets,
            command->max_depth, command->faults, command->unbalanced);
    if (command->skipped > 0 || command->binaries > 0)
        fprintf(stderr, "skipped: %" PRIu64 " folders and %" PRIu64 " binary files\n", command->skipped,
                command->binaries);
}

static void print_summary(const check_command *command) {
    if (command->options.format == FORMAT_JSON)
        printf("{\"records\":%" PRIu64 ",\"bad\":%" PRIu64 "}\n", command->records, command->bad_records);
    else
        printf("%" PRIu64 " record%s, %" PRIu64 " bad\n", command->records, command->records == 1 ? "" : "s",
               command->bad_records);
}

/* ---- Several threads ---- */

static void run_job(check_job *job, void *worker) {
    check_command *const command = worker;
    command->job = job;
    command->printer.to = job->out;
    command->printer.continued = true; /* print_output() knows better */
    check_file(command, job->path, job->named);
}

static void print_output(const char *text, size_t n, void *user) {
    check_command *const command = user;
    progress_hide(&command->progress);
    if (n == 0)
        return;
    const size_t comma = command->printer.format == FORMAT_SARIF && !command->printer.continued;
    command->printer.continued = true;
    fwrite(text + comma, 1, n - comma, stdout);
}

static void show_progress(void *user) {
    check_command *const command = user;
    progress_show(&command->progress, "", check_bytes_read(), 0);
}

static unsigned count_threads(const check_command *command) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t wanted = command->threads > 0 ? command->threads : processors > 0 ? (uint64_t)processors : 1;
    return wanted < JOBS_MAX ? (unsigned)wanted : JOBS_MAX;
}

/* Returns a copy for each thread; NULL if there is no memory. */
static check_command *create_workers(const check_command *command, unsigned threads) {
    check_command *const workers = malloc(threads * sizeof *workers);
    for (unsigned k = 0; workers && k < threads; k++) {
        workers[k] = *command;
        workers[k].progress = (progress_bar){0};
        workers[k].context = NULL;
    }
    return workers;
}

/* Adds up what the threads have found. */
static void collect_workers(check_command *command, check_command *workers, unsigned threads) {
    for (unsigned k = 0; k < threads; k++) {
        const check_command *const worker = &workers[k];
        command->files += worker->files;
        command->unbalanced += worker->unbalanced;
        command->bytes += worker->bytes;
        command->brackets += worker->brackets;
        command->records += worker->records;
        command->bad_records += worker->bad_records;
        command->faults += worker->faults;
        command->binaries += worker->binaries;
        command->max_depth = worker->max_depth > command->max_depth ? worker->max_depth : command->max_depth;
        command->code = worker->code > command->code ? worker->code : command->code;
        pm_context_destroy(worker->context);
    }
    free(workers);
}

/* ---- The files, in order ---- */

/* What is printed from here on follows the output of all files before. */
static void settle(check_command *command) {
    if (command->queue)
        jobs_drain(command->queue);
    progress_hide(&command->progress);
}

static bool has_mode(const char *path, mode_t mode) {
    struct stat about;
    return stat(path, &about) == 0 && (about.st_mode & S_IFMT) == mode;
}

/* Only regular files wait for a thread; what a pipe holds is checked, and printed, as it comes. */
static bool visit(const char *path, bool named, void *user) {
    check_command *const command = user;
    const bool regular = command->queue && has_mode(path, S_IFREG) && strcmp(path, "-") != 0;
    if (!regular || !jobs_add(command->queue, path, named)) {
        settle(command);
        check_file(command, path, named);
    }
    return !(command->queue ? jobs_stopped(command->queue) : output_failed());
}

static void trouble(const char *path, int error, void *user) {
    check_command *const command = user;
    settle(command);
    command->code = complain_of_file(path, error);
}

static void check_path(check_command *command, const char *path) {
    const bool is_standard_input = strcmp(path, "-") == 0;
    if (!command->recursive && !is_standard_input && has_mode(path, S_IFDIR)) {
        settle(command);
        command->code = complain("%s: is a directory (use --recursive)", path);
    } else if (!command->recursive || is_standard_input) {
        visit(path, true, command);
    } else {
        const file_tree_visitor visitor = {.visit = visit, .trouble = trouble, .user = command};
        file_tree_found found;
        file_tree_visit(path, &command->tree, &visitor, &found);
        command->skipped += found.skipped;
        if (!found.is_folder || found.files > 0)
            return;
        settle(command);
        complain("%s: no file whose name indicates a language (see 'parenmatch languages')%s", path,
                 command->tree.everything ? "" : ", or all are ignored (see --no-ignore)");
    }
}

static void check_all(check_command *command, char *const *paths, int count) {
    for (int i = 0; i < count && !output_failed(); i++)
        check_path(command, paths[i]);
}

/* As check_all(), by several threads. */
static void check_by_threads(check_command *command, unsigned threads, char *const *paths, int count) {
    check_command *const workers = create_workers(command, threads);
    const jobs_calls calls = {.run = run_job,
                              .print = print_output,
                              .wait = show_progress,
                              .user = command,
                              .workers = workers,
                              .worker_size = sizeof *workers};
    command->queue = workers ? jobs_create(threads, &calls) : NULL;
    check_all(command, paths, count);
    if (command->queue && !jobs_destroy(command->queue))
        command->code = EXIT_TROUBLE;
    command->queue = NULL;
    if (workers)
        collect_workers(command, workers, threads);
}

void check_paths(check_command *command, char *const *paths, int count) {
    const unsigned threads = command->device || command->complete ? 1 : count_threads(command);
    progress_begin(&command->progress);
    command->printer = check_printer(&command->options);
    command->printer.records = command->separator != PM_RECORDS_NONE;
    if (!command->options.quiet)
        diagnostics_begin(&command->printer);
    if (threads == 1 || (count == 1 && !command->recursive))
        check_all(command, paths, count);
    else
        check_by_threads(command, threads, paths, count);
    progress_hide(&command->progress);
    if (!command->options.quiet)
        diagnostics_end(&command->printer, command->code);
    if (command->summary)
        print_summary(command);
    if (command->stats)
        print_stats(command);
}
