/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about wrong arguments, and about files and output that fail; exit codes. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static bool finished; /* finish_output() has been called */

static void ended_by_others(void) {
    if (!finished)
        _exit(EXIT_TROUBLE);
}

void begin_program(void) {
    (void)atexit(ended_by_others); /* without, only the code is another */
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* the lowest that is free */
}

int run_command(int (*command)(int argc, char **argv), int argc, char **argv) {
    char name[64]; /* what getopt_long() says who it is */
    snprintf(name, sizeof name, "%s %s", program_name, argv[0]);
    argv[0] = name;
    return command(argc, argv);
}

/* Where this thread's messages go; NULL: to standard error. */
static _Thread_local FILE *message_file;

void messages_to(FILE *to) {
    message_file = to;
}

/* What is printed already comes before a message in between. */
static FILE *begin_message(void) {
    if (message_file)
        return message_file;
    (void)fflush(stdout);
    (void)output_failed(); /* keeps the reason */
    return stderr;
}

/* By the program, or where `command` is not NULL, by that. */
__attribute__((format(PRINTF_FORMAT, 2, 0))) static void complain_list(const char *command, const char *format,
                                                                       va_list arguments) {
    FILE *const to = begin_message();
    fprintf(to, "%s%s%s: ", program_name, command ? " " : "", command ? command : "");
    vfprintf(to, format, arguments);
    putc('\n', to);
}

int complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(NULL, format, arguments);
    va_end(arguments);
    return EXIT_TROUBLE;
}

int complain_of_file(const char *path, int reason) {
    return *path ? complain("%s: %s", path, strerror(reason)) : complain("a file name is empty");
}

int point_to_help(const char *command) {
    fprintf(stderr, "Try '%s %s --help'.\n", program_name, command);
    return EXIT_TROUBLE;
}

int complain_usage(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complain_list(command, format, arguments);
    va_end(arguments);
    return point_to_help(command);
}

bool read_alphabet(const char *command, const char *pairs, pm_alphabet *alphabet) {
    const pm_status status = pm_alphabet_from_pairs(pairs, strlen(pairs), alphabet);
    if (status == PM_OK && *pairs)
        return true;
    complain_usage(command, "invalid brackets '%s' for --brackets: give pairs of distinct bytes, such as '()[]{}'",
                   pairs);
    return false;
}

bool read_number(const char *command, const char *option, const char *value, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0)
        return true;
    complain_usage(command, "invalid number '%s' for %s", value, option);
    return false;
}

static atomic_int output_error; /* what errno was when it was noticed; 0: it was not */

bool output_failed(void) {
    if (ferror(stdout) && output_error == 0)
        output_error = errno;
    return ferror(stdout) != 0;
}

int finish_output(int code) {
    finished = true;
    if (fflush(stdout) == 0 && !output_failed())
        return code;
    return complain("standard output: %s", strerror(output_error != 0 ? output_error : errno));
}
