/* SPDX-License-Identifier: Apache-2.0 */
/* What the program's files share: the commands, exit codes, and messages. */
#ifndef PM_CLI_CLI_H
#define PM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "parenmatch.h"

/* How printf() reads its format, for the attribute: MinGW has two. */
#ifdef __MINGW_PRINTF_FORMAT
#define PRINTF_FORMAT __MINGW_PRINTF_FORMAT
#else
#define PRINTF_FORMAT printf
#endif

/* Exit codes. */
enum {
    EXIT_FINE = 0,          /* all balanced; done */
    EXIT_UNBALANCED = 1,    /* check found something */
    EXIT_DIFFERENT = 1,     /* so did crosscheck */
    EXIT_NOTHING_FOUND = 1, /* find, json and tree did not */
    EXIT_TROUBLE = 2        /* usage, or input or output failed */
};

/* A command gets its own name as argv[0] and returns an exit code. */
int command_boxes(int argc, char **argv);
int command_check(int argc, char **argv);
int command_crosscheck(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_find(int argc, char **argv);
int command_fix(int argc, char **argv);
int command_json(int argc, char **argv);
int command_match(int argc, char **argv);
int command_lsp(int argc, char **argv);
int command_languages(int argc, char **argv);
int command_pipelines(int argc, char **argv);
int command_simd(int argc, char **argv);
int command_tree(int argc, char **argv);
int command_tune(int argc, char **argv);

/* The program's name, for messages. */
extern const char program_name[];

/* Must be called first. Opens standard input, output and error if they are closed, such that using them fails; else a
 * file opened later would take their place. If anything other than main() ends the program, as OpenMP's runtime does
 * when it gets no threads, the exit code will be EXIT_TROUBLE. */
void begin_program(void);

/* Calls a command; messages about wrong options begin with the program's name and the command's. */
int run_command(int (*command)(int argc, char **argv), int argc, char **argv);

/* "parenmatch: ..." on standard error, printf-like, a newline added. Returns EXIT_TROUBLE. */
int complain(const char *format, ...) __attribute__((format(PRINTF_FORMAT, 1, 2)));

/* Complains of a file that cannot be read, for a reason of errno.h. Returns EXIT_TROUBLE. */
int complain_of_file(const char *path, int reason);

/* Has the messages of this thread printed to a file instead; NULL: to standard error again. */
void messages_to(FILE *to);

/* Prints "Try 'parenmatch COMMAND --help'." on standard error. Returns EXIT_TROUBLE. */
int point_to_help(const char *command);

/* Prints "parenmatch COMMAND: ..." on standard error, printf-like, then calls point_to_help(). Returns EXIT_TROUBLE. */
int complain_usage(const char *command, const char *format, ...) __attribute__((format(PRINTF_FORMAT, 2, 3)));

/* Reads an option's value such as "()[]{}"; complains and returns false if it is invalid. */
bool read_alphabet(const char *command, const char *pairs, pm_alphabet *alphabet);

/* Reads an option's value as a decimal number; complains and returns false if it is invalid. */
bool read_number(const char *command, const char *option, const char *value, uint64_t *number);

/* Has printing failed? */
bool output_failed(void);

/* Flushes standard output. Returns the code, or EXIT_TROUBLE if anything could not be written, as on a full disk. */
int finish_output(int code);

#endif
