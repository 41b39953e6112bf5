/* SPDX-License-Identifier: Apache-2.0 */
/* What the program's files share: the commands, exit codes, and how errors are told. */
#ifndef PM_CLI_CLI_H
#define PM_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parenmatch.h"

/* Exit codes. */
enum {
    EXIT_FINE = 0,          /* all balanced; done */
    EXIT_UNBALANCED = 1,    /* check found something */
    EXIT_DIFFERENT = 1,     /* so did crosscheck */
    EXIT_NOTHING_FOUND = 1, /* find and tree did not */
    EXIT_TROUBLE = 2        /* usage, or input or output failed */
};

/* A command gets its own name as argv[0] and returns an exit code. */
int command_boxes(int argc, char **argv);
int command_check(int argc, char **argv);
int command_crosscheck(int argc, char **argv);
int command_devices(int argc, char **argv);
int command_find(int argc, char **argv);
int command_match(int argc, char **argv);
int command_languages(int argc, char **argv);
int command_pipelines(int argc, char **argv);
int command_simd(int argc, char **argv);
int command_tree(int argc, char **argv);
int command_tune(int argc, char **argv);

/* The program's name, for messages. */
extern const char program_name[];

/* Called first. A file that is opened later must not become standard input, output or error because these were closed:
 * they are opened so that using them fails. And where something else than main() ends the program, as OpenMP's runtime
 * does when it gets no threads, the exit code is EXIT_TROUBLE. */
void begin_program(void);

/* Calls a command; messages about wrong options begin with the program's name and the command's. */
int run_command(int (*command)(int argc, char **argv), int argc, char **argv);

/* "parenmatch: ..." on standard error, printf-like, a newline added. Returns EXIT_TROUBLE. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says where help on a command is to be had. Returns EXIT_TROUBLE. */
int point_to_help(const char *command);

/* "parenmatch COMMAND: ..." about a wrong use of a command, as getopt_long() says what is wrong, and point_to_help().
 */
int complain_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads "()[]{}" as an option's value; complains and returns false if it is none. */
bool read_alphabet(const char *command, const char *pairs, pm_alphabet *alphabet);

/* Reads a decimal number as an option's value; complains and returns false if it is none. */
bool read_number(const char *command, const char *option, const char *value, uint64_t *number);

/* Has printing failed, so that more of it is in vain? */
bool output_failed(void);

/* What was printed counts only once it has arrived: a full disk is trouble, too. Returns the code, or EXIT_TROUBLE. */
int finish_output(int code);

#endif
