/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch check: checks that the brackets of files are balanced and match in kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check/command.h"
#include "cli/cli.h"

static const char check_help[] =
    "Usage: parenmatch check [OPTION]... FILE...\n"
    "Check that the brackets of files are balanced and match in kind. Strings and comments are skipped.\n"
    "\n"
    "  -l, --lang NAME       the language of all files (see 'parenmatch languages');\n"
    "                        by default each file's name decides, else it is text\n"
    "  -b, --brackets PAIRS  use these brackets instead of the language's: at most four pairs such as '()[]{}<>'\n"
    "      --pairs FILE      check delimiters instead of brackets, by the rules in FILE (see parenmatch(1))\n"
    "      --backend NAME    gpu, for delimiters whose rules it supports, or auto (the default: the CPU)\n"
    "      --device NAME     the GPU: an index or a UUID (see 'parenmatch devices')\n"
    "      --threads N       the threads that copy for gpu; by default all\n"
    "  -j, --jobs N          check N files at a time; by default as many as there are processors\n"
    "  -r, --recursive       also check the files below a directory whose names indicate a language, except\n"
    "                        binary files, what .gitignore files name, and directories named .*, __pycache__,\n"
    "                        bower_components, build, dist, node_modules and target\n"
    "      --exclude GLOB    skip what a line GLOB of a .gitignore file would; may be given several times\n"
    "      --no-ignore       check what .gitignore files name, and all directories but .git\n"
    "  -m, --max-errors N    print at most N diagnostics a file (20 by default; 0: all)\n"
    "      --all             print every fault, also those that probably follow from a mistake that is named\n"
    "  -q, --quiet           print no diagnostics, only set the exit code\n"
    "      --format FORMAT   print diagnostics as gcc does (the default), or as json, sarif or github\n"
    "      --json            the same as --format json: one object a line\n"
    "      --color WHEN      colour diagnostics always, never or auto (the default: on a terminal)\n"
    "      --records[=SEP]   each file is records: lines, or what SEP ends: newline, nul, or rs (RFC 7464);\n"
    "                        print the first fault of each bad record in a line; -m limits how many\n"
    "      --summary         with --records, print how many records there are, and how many are bad\n"
    "      --complete        print each text, and behind it what closes all that it leaves open\n"
    "      --stats           print a summary with the speed on standard error\n"
    "      --help            print this\n"
    "\n"
    "FILE - is standard input.\n"
    "Exit code: 0 if all files are balanced, 1 if not, 2 for wrong usage or a file that cannot be read.";

enum {
    ALL = CHECK_OWN,
    EXCLUDE,
    COMPLETE,
    NO_IGNORE,
    PAIRS,
    RECORDS,
    STATS,
    SUMMARY
};

enum {
    BACKEND_AUTO,
    BACKEND_GPU
};
static const machine_backend backends[] = {
    [BACKEND_AUTO] = {.name = "auto"}, [BACKEND_GPU] = {.name = "gpu", .device = true, .threads = true}};
static const machine_command machine = {
    .name = "check", .backends = backends, .count = sizeof backends / sizeof *backends};

/* Adds a line to those of --exclude. Complains and returns false if there is no memory. */
static bool add_exclude(check_command *command, const char *glob) {
    const size_t before = command->exclude ? strlen(command->exclude) : 0, length = strlen(glob);
    char *const lines = realloc(command->exclude, before + length + 2);
    if (!lines)
        return !complain("%s", pm_status_string(PM_OUT_OF_MEMORY));
    command->exclude = lines;
    memcpy(lines + before, glob, length);
    memcpy(lines + before + length, "\n", 2);
    return true;
}

static check_option take_tree_option(check_command *command, int option) {
    switch (option) {
    case 'r':
        command->recursive = true;
        return CHECK_TAKEN;
    case EXCLUDE:
        command->tree_option = "--exclude";
        return add_exclude(command, optarg) ? CHECK_TAKEN : CHECK_WRONG;
    case NO_IGNORE:
        command->tree_option = "--no-ignore";
        command->tree.everything = true;
        return CHECK_TAKEN;
    default:
        return CHECK_OTHER;
    }
}

/* Reads what --records is given, NULL for nothing. Complains and returns false if that is no separator. */
static bool read_separator(check_command *command, const char *name) {
    static const struct {
        const char *name;
        int separator;
    } known[] = {{"newline", PM_RECORDS_NEWLINE}, {"nul", PM_RECORDS_NUL}, {"rs", PM_RECORDS_RS}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (!name || strcmp(name, known[k].name) == 0) {
            command->separator = known[k].separator;
            return true;
        }
    return !complain_usage("check", "invalid value '%s' for --records (newline, nul or rs)", name);
}

static check_option take_option(void *user, int option) {
    check_command *const command = user;
    switch (option) {
    case 'l':
        command->language = language_named("check", optarg);
        return command->language ? CHECK_TAKEN : CHECK_WRONG;
    case PAIRS:
        pm_language_destroy(command->rules);
        command->language = command->rules = language_of_rules(optarg);
        return command->language ? CHECK_TAKEN : CHECK_WRONG;
    case ALL:
        command->all = true;
        return CHECK_TAKEN;
    case 'j':
        return read_number("check", "--jobs", optarg, &command->threads) ? CHECK_TAKEN : CHECK_WRONG;
    case COMPLETE:
        command->complete = command->options.quiet = true;
        return CHECK_TAKEN;
    case RECORDS:
        return read_separator(command, optarg) ? CHECK_TAKEN : CHECK_WRONG;
    case STATS:
        command->stats = true;
        return CHECK_TAKEN;
    case SUMMARY:
        command->summary = true;
        return CHECK_TAKEN;
    default:
        if (!machine_is_option(option))
            return take_tree_option(command, option);
        return machine_option_take(&machine, &command->machine, option) ? CHECK_TAKEN : CHECK_WRONG;
    }
}

/* Do the options make sense together? Complains and returns false if not. */
static bool options_agree(const check_command *command) {
    if (command->language && language_has_delimiters(command->language) && check_alphabet(&command->options))
        return !complain_delimiters_have_no_brackets();
    if (command->tree_option && !command->recursive)
        return !complain_usage("check", "%s has no effect without --recursive", command->tree_option);
    if (command->complete && (command->recursive || command->machine.backend == BACKEND_GPU))
        return !complain_usage("check", "--complete takes files, and works on the CPU");
    if (command->separator != PM_RECORDS_NONE && (command->complete || command->machine.backend == BACKEND_GPU))
        return !complain_usage("check", "--records works on the CPU, and without --complete");
    if (command->summary && command->separator == PM_RECORDS_NONE)
        return !complain_usage("check", "--summary has no effect without --records");
    if (command->summary && command->options.format != FORMAT_GCC && command->options.format != FORMAT_JSON)
        return !complain_usage("check", "--summary works with --format gcc or json");
    if (command->threads > 1 && command->machine.backend == BACKEND_GPU)
        return !complain_usage("check", "--jobs works with --backend auto, not with gpu");
    return machine_options_agree(&machine, &command->machine);
}

/* Creates what the options ask for. Complains and returns false if that fails. */
static bool prepare(check_command *command) {
    if (command->separator != PM_RECORDS_NONE && !command->options.has_max_errors)
        command->options.max_errors = 0;
    if (command->exclude) {
        command->tree.exclude = ignore_create(command->exclude, strlen(command->exclude));
        if (!command->tree.exclude)
            return !complain("%s", pm_status_string(PM_OUT_OF_MEMORY));
    }
    return command->machine.backend != BACKEND_GPU || machine_context_create(&command->machine, NULL, &command->device);
}

/* Reads the options; returns false, with the command's code set, when there is nothing more to do. */
static bool read_options(check_command *command, int argc, char **argv) {
    static const struct option options[] = {CHECK_LONG_OPTIONS,
                                            {"pairs", required_argument, NULL, PAIRS},
                                            MACHINE_LONG_BACKEND,
                                            MACHINE_LONG_DEVICE,
                                            MACHINE_LONG_THREADS,
                                            {"all", no_argument, NULL, ALL},
                                            {"complete", no_argument, NULL, COMPLETE},
                                            {"exclude", required_argument, NULL, EXCLUDE},
                                            {"jobs", required_argument, NULL, 'j'},
                                            {"no-ignore", no_argument, NULL, NO_IGNORE},
                                            {"records", optional_argument, NULL, RECORDS},
                                            {"recursive", no_argument, NULL, 'r'},
                                            {"stats", no_argument, NULL, STATS},
                                            {"summary", no_argument, NULL, SUMMARY},
                                            {NULL, 0, NULL, 0}};
    const check_own own = {.help = check_help, .letters = CHECK_LETTERS "j:r", .options = options, .take = take_option};
    if (!check_options_read(&command->options, &own, command, argc, argv, &command->code))
        return false;
    const bool ready = options_agree(command) && prepare(command);
    if (!ready)
        command->code = EXIT_TROUBLE;
    return ready;
}

int command_check(int argc, char **argv) {
    check_command command = {.options = CHECK_OPTIONS_DEFAULT, .separator = PM_RECORDS_NONE};
    if (read_options(&command, argc, argv))
        check_paths(&command, argv + optind, argc - optind);
    pm_context_destroy(command.device);
    pm_context_destroy(command.context);
    pm_language_destroy(command.rules);
    ignore_destroy(command.tree.exclude);
    free(command.exclude);
    return command.code;
}
