/* SPDX-License-Identifier: Apache-2.0 */
/* The program: finds the command, and answers --help and --version. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"check", command_check, "check that the brackets of files are balanced and match in kind"},
    {"fix", command_fix, "show how to repair brackets that do not match"},
    {"lsp", command_lsp, "serve an editor: diagnostics, pairs, folds and repairs"},
    {"match", command_match, "print the match of every bracket of a text"},
    {"find", command_find, "find many patterns in texts"},
    {"boxes", command_boxes, "print or draw the bounding boxes of a scene"},
    {"tree", command_tree, "answer queries on the tree of a text's brackets"},
    {"json", command_json, "print the value that a JSON Pointer names"},
    {"crosscheck", command_crosscheck, "compare the answers of all backends on many inputs"},
    {"tune", command_tune, "measure this machine for the choice between backends"},
    {"languages", command_languages, "list the languages that --lang takes"},
    {"devices", command_devices, "list the GPUs of this machine"},
    {"pipelines", command_pipelines, "list the GPU algorithms that --pipeline takes"},
    {"simd", command_simd, "list the vector instructions that --simd takes"},
};

static int help(void) {
    puts("Usage: parenmatch COMMAND [OPTION]... [FILE]...\n"
         "Match the brackets of texts, check them, query their trees, and search texts.\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    puts("\n'parenmatch COMMAND --help' lists the options of a command; the manual page is parenmatch(1).");
    return EXIT_FINE;
}

const char program_name[] = "parenmatch";

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    begin_program();
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return finish_output(help());
    if (strcmp(name, "--version") == 0) {
        printf("parenmatch %s\n", pm_version_string());
        return finish_output(EXIT_FINE);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return finish_output(run_command(commands[i].run, argc - 1, argv + 1));
    if (*name)
        return finish_output(complain("no such command: '%s'\nTry 'parenmatch --help'.", name));
    help();
    return finish_output(EXIT_TROUBLE);
}
