/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the command, and answers --help and --version. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"check", command_check, "are the brackets of these files balanced and of matching kinds?"},
    {"match", command_match, "print the match of every bracket of a text"},
    {"find", command_find, "find many patterns in texts"},
    {"boxes", command_boxes, "print or draw the bounding boxes of a scene"},
    {"tree", command_tree, "answer queries on the tree of a text's brackets"},
    {"crosscheck", command_crosscheck, "do all ways to match give the same answer?"},
    {"tune", command_tune, "measure this machine, so that match chooses by it"},
    {"languages", command_languages, "list the languages that check and tree know"},
    {"pipelines", command_pipelines, "list the ways in which match can use a GPU"},
    {"simd", command_simd, "list the vector instructions that match can use"},
};

static int help(void) {
    puts("Usage: parenmatch COMMAND [OPTION]... [FILE]...\n"
         "What is on top of the stack at every parenthesis of a sequence.\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    puts("\n`parenmatch COMMAND --help` tells a command's options; so does the manual page, parenmatch(1).");
    return EXIT_FINE;
}

__attribute__((format(printf, 1, 0))) static int complain_list(const char *format, va_list arguments) {
    fputs("parenmatch: ", stderr);
    vfprintf(stderr, format, arguments);
    putc('\n', stderr);
    return EXIT_TROUBLE;
}

int complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int code = complain_list(format, arguments);
    va_end(arguments);
    return code;
}

int complain_usage(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int code = complain_list(format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try 'parenmatch %s --help'.\n", command);
    return code;
}

bool read_alphabet(const char *command, const char *pairs, pm_alphabet *alphabet) {
    const pm_status status = pm_alphabet_from_pairs(pairs, strlen(pairs), alphabet);
    if (status == PM_OK && *pairs)
        return true;
    complain_usage(command, "--brackets wants pairs of distinct bytes, such as '()[]{}', not '%s'", pairs);
    return false;
}

bool read_number(const char *command, const char *option, const char *value, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0)
        return true;
    complain_usage(command, "%s wants a number, not '%s'", option, value);
    return false;
}

/* What was printed counts only once it has arrived: a full disk is trouble, too. */
static int finish_output(int code) {
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("standard output: %s", strerror(errno));
    return code;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return finish_output(help());
    if (strcmp(name, "--version") == 0) {
        printf("parenmatch %s\n", pm_version_string());
        return finish_output(EXIT_FINE);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return finish_output(commands[i].run(argc - 1, argv + 1));
    if (*name)
        return complain("no such command: '%s'\nTry 'parenmatch --help'.", name);
    help();
    return EXIT_TROUBLE;
}
