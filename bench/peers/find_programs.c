/* SPDX-License-Identifier: Apache-2.0 */
/* grep and ripgrep. Each search is a process; the time includes its start and its reading of the patterns. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/peers/find_peers.h"

/* Files that are gone when the program ends, and what it is called with. */
struct made {
    char text[64], patterns[64];
    char *arguments[16];
};

static bool write_all(int file, const char *bytes, size_t n) {
    for (size_t done = 0; done < n;) {
        const ssize_t written = write(file, bytes + done, n - done);
        if (written < 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

/* Makes a new file; `path` is empty if it cannot. */
static int file_make(char path[64]) {
    strcpy(path, P_tmpdir "/pm_bench_XXXXXX");
    const int file = mkstemp(path);
    if (file < 0)
        *path = '\0';
    return file;
}

static bool text_write(struct made *made, const struct find_input *input, size_t n) {
    const int file = file_make(made->text);
    const bool written = file >= 0 && write_all(file, input->text, n);
    close(file);
    return written;
}

static bool patterns_write(struct made *made, const struct find_input *input) {
    const int file = file_make(made->patterns);
    bool written = file >= 0;
    for (size_t i = 0; written && i < input->count; i++)
        written = write_all(file, input->patterns[i], input->lengths[i]) && write_all(file, "\n", 1);
    close(file);
    return written;
}

static void destroy(void *user) {
    struct made *const made = user;
    if (made) {
        unlink(made->text);
        unlink(made->patterns);
    }
    free(made);
}

/* The arguments, up to NULL, then those for the patterns and the text. */
static void *create(const struct find_input *input, size_t n, const char *const *arguments) {
    struct made *const made = calloc(1, sizeof *made);
    size_t count = 0;
    if (!made || !text_write(made, input, n) || !patterns_write(made, input)) {
        destroy(made);
        return NULL;
    }
    for (; arguments[count]; count++)
        made->arguments[count] = (char *)(uintptr_t)arguments[count]; /* which nobody changes */
    made->arguments[count++] = made->patterns;
    made->arguments[count] = made->text;
    return made;
}

/* Newlines up to the end. */
static uint64_t lines_read(int file) {
    static char piece[1 << 16];
    uint64_t lines = 0;
    for (ssize_t got; (got = read(file, piece, sizeof piece)) > 0;)
        for (const char *at = piece, *const end = piece + got; (at = memchr(at, '\n', (size_t)(end - at))); at++)
            lines++;
    return lines;
}

static uint64_t count(void *user, const char *text, size_t n) {
    struct made *const made = user;
    static char locale[] = "LC_ALL=C"; /* bytes */
    char *const environment[] = {locale, NULL};
    int ends[2];
    pid_t process;
    posix_spawn_file_actions_t actions;
    (void)text; /* which is in a file */
    (void)n;
    if (pipe(ends) != 0)
        return UINT64_MAX;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawn(&process, made->arguments[0], &actions, NULL, made->arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    const uint64_t lines = failed ? 0 : lines_read(ends[0]);
    int status = -1;
    close(ends[0]);
    if (failed || waitpid(process, &status, 0) != process || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return UINT64_MAX;
    return lines;
}

#ifdef PM_BENCH_GREP
static void *grep_create(const struct find_input *input, size_t n) {
    static const char *const arguments[] = {PM_BENCH_GREP, "-F", "-a", "-o", "-b", "-f", NULL};
    return create(input, n, arguments);
}

const struct find_peer find_grep = {"grep", PM_FIND_LEFTMOST_LONGEST, 0, 0, grep_create, count, destroy};
#endif

#ifdef PM_BENCH_RIPGREP
static void *ripgrep_create(const struct find_input *input, size_t n) {
    static const char *const arguments[] = {PM_BENCH_RIPGREP,  "--no-config", "-F", "-a", "-o", "-b", "-N", "-j1",
                                            "--encoding=none", "-f",          NULL};
    return create(input, n, arguments);
}

const struct find_peer find_ripgrep = {"rg", PM_FIND_LEFTMOST_FIRST, 0, 0, ripgrep_create, count, destroy};
#endif
