/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch check: checks that the brackets of files are balanced and match in kind. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "cli/progress.h"
#include "cli/source.h"

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
    "      --threads N       the threads that copy for gpu; by default all (the CPU checks with one thread)\n"
    "  -r, --recursive       also check the files below a directory whose names tell their language\n"
    "  -m, --max-errors N    print at most N diagnostics a file (20 by default; 0: all)\n"
    "  -q, --quiet           print no diagnostics, only set the exit code\n"
    "      --json            print diagnostics as JSON, one object a line\n"
    "      --stats           print a summary with the speed on standard error\n"
    "      --help            print this\n"
    "\n"
    "FILE - is standard input.\n"
    "Exit code: 0 if all files are balanced, 1 if not, 2 for wrong usage or a file that cannot be read.";

typedef struct check_command {
    const pm_language *language; /* NULL: by file name */
    pm_delimiters *pairs;        /* delimiters instead of brackets, of all files; NULL: none */
    const char *path_rules;      /* the library's rules for the last file's name; NULL: none */
    pm_delimiters *path_pairs;   /* delimiters by these rules */
    machine_options machine;
    pm_context *device; /* that checks delimiters; NULL: the CPU does */
    check_options options;
    bool recursive, stats;

    const text_source *source; /* being checked */
    uint64_t printed;          /* diagnostics of it */
    progress_bar progress;
    int code;

    uint64_t files, unbalanced, bytes, brackets, faults, max_depth;
} check_command;

/* Is there one more diagnostic to print of this file? */
static bool print_begin(check_command *command) {
    if (command->options.max_errors != 0 && command->printed == command->options.max_errors)
        return false;
    progress_hide(&command->progress);
    command->printed++;
    return true;
}

static bool print_diagnostic(const pm_diagnostic *diagnostic, void *user) {
    check_command *command = user;
    const bool wanted = print_begin(command);
    if (wanted)
        (command->options.json ? diagnostic_print_json : diagnostic_print)(command->source, diagnostic);
    return wanted;
}

static bool print_structure_diagnostic(const pm_delimiters_diagnostic *diagnostic, void *user) {
    check_command *command = user;
    const bool wanted = print_begin(command);
    if (wanted)
        (command->options.json ? structure_diagnostic_print_json : structure_diagnostic_print)(command->source,
                                                                                               diagnostic);
    return wanted;
}

/* Feeds the whole text to the check. */
static bool read_all(check_command *command, text_source *source, pm_check *check) {
    for (;;) {
        const char *piece;
        size_t n;
        if (!source_next(source, &piece, &n))
            return false;
        if (n == 0)
            return true;
        const pm_status status = pm_check_push(check, piece, n);
        if (status != PM_OK) {
            complain("%s: %s", source->name, pm_status_string(status));
            return false;
        }
        if (output_failed())
            return false;
        progress_show(&command->progress, source->name, source->begun, source->size);
    }
}

static uint64_t faults_of(const pm_check_summary *found) {
    return found->unmatched.close + found->unmatched.open + found->mismatched + found->unterminated;
}

static void count(check_command *command, const text_source *source, const pm_check_summary *found) {
    const uint64_t faults = faults_of(found);
    check_print_rest(&command->options, source, command->printed, faults);
    command->files++;
    command->bytes += found->bytes;
    command->brackets += found->brackets;
    command->faults += faults;
    if (found->max_depth > command->max_depth)
        command->max_depth = found->max_depth;
    if (faults == 0)
        return;
    command->unbalanced++;
    if (command->code == EXIT_FINE)
        command->code = EXIT_UNBALANCED;
}

/* Checks brackets, piece by piece. */
static bool check_brackets(check_command *command, text_source *source, pm_check_summary *found) {
    const pm_language *language = command->language ? command->language : pm_language_by_path(source->name);
    pm_check *check = NULL;
    const pm_status status = pm_check_create(NULL, language, check_alphabet(&command->options),
                                             command->options.quiet ? NULL : print_diagnostic, command, &check);
    if (status != PM_OK)
        complain("%s: %s", source->name, pm_status_string(status));
    const bool checked = status == PM_OK && read_all(command, source, check) && pm_check_finish(check, found) == PM_OK;
    pm_check_destroy(check);
    return checked;
}

/* Checks delimiters of any length, the whole text at once. A device counts the faults; the CPU
 * reports each with its line and column. */
static bool check_structure(check_command *command, const pm_delimiters *pairs, text_source *source,
                            pm_check_summary *found) {
    if (!source_load(source))
        return false;
    if (command->device) {
        if (!check_on_device(&command->machine, command->device, pairs, source, command->stats, found))
            return false;
        if (command->options.quiet || faults_of(found) == 0)
            return true;
    }
    const pm_status status =
        pm_delimiters_check(NULL, pairs, source->text, source->length,
                            command->options.quiet ? NULL : print_structure_diagnostic, command, found);
    if (status != PM_OK)
        complain("%s: %s", source->name, pm_status_string(status));
    return status == PM_OK;
}

/* Stores the delimiters to check a file by; NULL if its brackets are to be checked. Complains and returns false if
 * there is no memory. */
static bool choose_delimiters(check_command *command, const char *path, const pm_delimiters **pairs) {
    const char *const rules = pm_rules_by_path(path);
    *pairs = command->pairs;
    if (command->pairs || command->language || check_alphabet(&command->options) || !rules)
        return true;
    if (rules != command->path_rules) {
        pm_delimiters_destroy(command->path_pairs);
        command->path_rules = NULL;
        if (!delimiters_of_rules(path, rules, &command->path_pairs))
            return false;
        command->path_rules = rules;
    }
    *pairs = command->path_pairs;
    return true;
}

static bool check_source(check_command *command, text_source *source, const char *path, pm_check_summary *found) {
    const pm_delimiters *pairs;
    if (!choose_delimiters(command, path, &pairs))
        return false;
    if (pairs)
        return check_structure(command, pairs, source, found);
    if (command->device)
        return check_refuse(source, "a device checks delimiters by rules (--pairs, xml, sql), not brackets");
    return check_brackets(command, source, found);
}

static void check_file(const char *path, void *user) {
    check_command *command = user;
    text_source source;
    if (!source_open(&source, path)) {
        command->code = EXIT_TROUBLE;
        return;
    }
    command->source = &source;
    command->printed = 0;
    pm_check_summary found;
    if (check_source(command, &source, path, &found))
        count(command, &source, &found);
    else
        command->code = EXIT_TROUBLE;
    source_close(&source);
}

static void print_stats(const check_command *command) {
    const double seconds = progress_clock() - command->progress.begun;
    const double megabytes = (double)command->bytes / 1e6;
    fprintf(stderr,
            "%" PRIu64 " files, %.1f MB in %.2f s (%.0f MB/s), %" PRIu64 " brackets, depth %" PRIu64 ", %" PRIu64
            " errors in %" PRIu64 " files\n",
            command->files, megabytes, seconds, seconds > 0 ? megabytes / seconds : 0, command->brackets,
            command->max_depth, command->faults, command->unbalanced);
}

enum {
    PAIRS = CHECK_OWN,
    STATS
};

enum {
    BACKEND_AUTO,
    BACKEND_GPU
};
static const machine_backend backends[] = {
    [BACKEND_AUTO] = {.name = "auto"}, [BACKEND_GPU] = {.name = "gpu", .device = true, .threads = true}};
static const machine_command machine = {
    .name = "check", .backends = backends, .count = sizeof backends / sizeof *backends};

static check_option take_option(void *user, int option) {
    check_command *const command = user;
    switch (option) {
    case 'l':
        pm_delimiters_destroy(command->pairs);
        command->pairs = NULL;
        command->language = pm_language_by_name(optarg);
        return command->language || delimiters_of_language("check", optarg, &command->pairs) ? CHECK_TAKEN
                                                                                             : CHECK_WRONG;
    case PAIRS:
        pm_delimiters_destroy(command->pairs);
        return delimiters_of_file(optarg, &command->pairs) ? CHECK_TAKEN : CHECK_WRONG;
    case 'r':
        command->recursive = true;
        return CHECK_TAKEN;
    case STATS:
        command->stats = true;
        return CHECK_TAKEN;
    default:
        if (!machine_is_option(option))
            return CHECK_OTHER;
        return machine_option_take(&machine, &command->machine, option) ? CHECK_TAKEN : CHECK_WRONG;
    }
}

/* Reads the options; returns false, with the command's code set, when there is nothing more to do. */
static bool read_options(check_command *command, int argc, char **argv) {
    static const struct option options[] = {CHECK_LONG_OPTIONS,
                                            {"pairs", required_argument, NULL, PAIRS},
                                            MACHINE_LONG_BACKEND,
                                            MACHINE_LONG_DEVICE,
                                            MACHINE_LONG_THREADS,
                                            {"recursive", no_argument, NULL, 'r'},
                                            {"stats", no_argument, NULL, STATS},
                                            {NULL, 0, NULL, 0}};
    const check_own own = {.help = check_help, .letters = CHECK_LETTERS "r", .options = options, .take = take_option};
    if (!check_options_read(&command->options, &own, command, argc, argv, &command->code))
        return false;
    if (command->pairs && check_alphabet(&command->options)) {
        command->code = complain_delimiters_have_no_brackets();
        return false;
    }
    const bool ready =
        machine_options_agree(&machine, &command->machine) &&
        (command->machine.backend != BACKEND_GPU || machine_context_create(&command->machine, NULL, &command->device));
    if (!ready)
        command->code = EXIT_TROUBLE;
    return ready;
}

static void check_files(check_command *command, char *const *paths, int count) {
    progress_begin(&command->progress);
    for (int i = 0; i < count; i++)
        if (!command->recursive || strcmp(paths[i], "-") == 0)
            check_file(paths[i], command);
        else if (!file_tree_visit(paths[i], check_file, command))
            command->code = EXIT_TROUBLE;
    progress_hide(&command->progress);
    if (command->stats)
        print_stats(command);
}

int command_check(int argc, char **argv) {
    check_command command = {.options = CHECK_OPTIONS_DEFAULT};
    if (read_options(&command, argc, argv))
        check_files(&command, argv + optind, argc - optind);
    pm_context_destroy(command.device);
    pm_delimiters_destroy(command.pairs);
    pm_delimiters_destroy(command.path_pairs);
    return command.code;
}
