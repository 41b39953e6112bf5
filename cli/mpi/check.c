/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parenmatch-mpi check: the check of one file by all ranks together, each reading its slice. What is printed, by the
 * first rank, and the exit code, on every rank, are those of `parenmatch check`.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/mpi/slice.h"

static const char check_help[] =
    "Usage: mpirun -n RANKS parenmatch-mpi check [OPTION]... FILE...\n"
    "Check that the brackets of files are balanced and match in kind. Strings and comments are skipped.\n"
    "For json, java, go, python and text the ranks read slices of a file at the same time. For other\n"
    "languages the first rank reads the whole file.\n"
    "\n"
    "  -l, --lang NAME       the language of all files (see 'parenmatch languages');\n"
    "                        by default each file's name decides, else it is text\n"
    "  -b, --brackets PAIRS  use these brackets instead of the language's: at most four pairs such as '()[]{}<>'\n"
    "  -m, --max-errors N    print at most N diagnostics a file (20 by default; 0: all)\n"
    "  -q, --quiet           print no diagnostics, only set the exit code\n"
    "      --format FORMAT   print diagnostics as gcc (the default), json, sarif or github\n"
    "      --json            the same as --format json\n"
    "      --color WHEN      colour diagnostics always, never (the default) or auto (on a terminal)\n"
    "      --help            print this\n"
    "\n"
    "Files must be regular files that all ranks can read.\n"
    "Exit code, on every rank: 0 if all files are balanced, 1 if not, 2 for wrong usage or a file that cannot be read.";

typedef struct check_command {
    MPI_Comm comm;
    int rank;
    const pm_language *language; /* NULL: by file name */
    check_options options;
    diagnostic_printer printer;
    int code;
} check_command;

static void print_faults(check_command *command, const text_source *source, const merged_text *merged) {
    for (size_t k = 0; k < merged->shown.count; k++)
        diagnostic_print(&command->printer, source, &merged->shown.faults[k]);
    check_print_rest(&command->options, command->printer.to, source, merged->faults - merged->shown.count, 0);
}

/* Checks an open file. False, after a complaint of the first rank, if it could not be read. */
static bool check_slices(check_command *command, const text_source *source, const pm_language *language,
                         const char *path, MPI_File file, uint64_t size, uint64_t *faults) {
    const pm_alphabet *const asked = check_alphabet(&command->options);
    const pm_alphabet *const alphabet = asked ? asked : pm_language_alphabet(language);
    const slice_rule *const rule = slice_rule_of(language);
    const size_t most = command->options.quiet             ? 0
                        : command->options.max_errors == 0 ? SIZE_MAX
                                                           : (size_t)command->options.max_errors;
    text_slice slice = {0};
    merged_text merged = {0};
    const bool read = slice_place(&slice, command->comm, file, size, rule) &&
                      slice_everywhere(command->comm, slice_read(&slice, file, language, alphabet, rule, most));
    const bool fine = read && merge_slices(&slice, command->comm, rule, alphabet, most, &merged);
    if (!fine && command->rank == 0)
        complain("%s: %s", path, pm_status_string(read ? PM_OUT_OF_MEMORY : PM_IO));
    if (fine && command->rank == 0)
        print_faults(command, source, &merged);
    *faults = merged.faults;
    merge_free(&merged);
    slice_free(&slice);
    return fine;
}

typedef struct printer {
    const check_options *options;
    diagnostic_printer *printer;
    const text_source *source;
    uint64_t printed;
} printer;

static bool print_fault(const pm_diagnostic *diagnostic, void *user) {
    printer *const to = user;
    if (to->options->max_errors != 0 && to->printed == to->options->max_errors)
        return false;
    to->printed++;
    diagnostic_print(to->printer, to->source, diagnostic);
    return true;
}

/* Checks a whole text, on the first rank, and prints the diagnostics. Complains and returns false on failure. */
static bool check_text(check_command *command, text_source *source, const pm_language *language, uint64_t *faults) {
    const check_options *const options = &command->options;
    printer to = {.options = options, .printer = &command->printer, .source = source};
    pm_check_summary found;
    pm_check *check;
    if (!source_load(source))
        return false;
    pm_status status = pm_check_create(NULL, language, NULL, options->quiet ? NULL : print_fault, &to, &check);
    if (status == PM_OK)
        status = pm_check_text(check, source->text, source->length, &found);
    pm_check_destroy(check);
    if (status != PM_OK) {
        complain("%s: %s", source->name, pm_status_string(status));
        return false;
    }
    *faults = found.unmatched.close + found.unmatched.open + found.mismatched + found.unterminated;
    check_print_rest(options, command->printer.to, source, *faults - to.printed, 0);
    return true;
}

/* Checks delimiters. As check_slices(). */
static bool check_delimiters(check_command *command, text_source *source, const pm_language *language,
                             uint64_t *faults) {
    const bool fine =
        slice_everywhere(command->comm, command->rank > 0 || check_text(command, source, language, faults));
    MPI_Bcast(faults, 1, MPI_UINT64_T, 0, command->comm);
    return fine;
}

/* Opens a regular file, which can be read from any offset; complains if it is not one. */
static bool is_regular(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0)
        complain("%s: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        complain("%s: not a regular file", path);
    else
        return true;
    return false;
}

typedef enum readiness {
    TROUBLE, /* which has been complained about */
    SKIPPED,
    READY
} readiness;

/* Opens a file on the first rank, unless it is not text: as `parenmatch check`, except that UTF-16 is not converted. */
static readiness open_text(const check_command *command, text_source *source, const char *path) {
    const bool described = command->language || check_alphabet(&command->options);
    text_encoding encoding;
    if (!is_regular(path) || !source_open(source, path) || !source_encoding(source, &encoding))
        return TROUBLE;
    if (encoding == TEXT_BYTES || (encoding == TEXT_BINARY && described))
        return READY;
    if (encoding != TEXT_BINARY) {
        complain("%s: UTF-16 or UTF-32, which %s does not read; convert it to UTF-8", path, program_name);
        return TROUBLE;
    }
    complain_binary(path);
    return SKIPPED;
}

/* Opens a file on all ranks; the first one has its text at hand for what it prints. */
static void check_file(check_command *command, const char *path) {
    text_source source = {.descriptor = -1};
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset size = 0;
    uint64_t faults = 0;
    int ready = command->rank > 0 ? TROUBLE : (int)open_text(command, &source, path);
    MPI_Bcast(&ready, 1, MPI_INT, 0, command->comm);
    bool fine = ready != TROUBLE;
    const pm_language *const language = check_language(&command->options, command->language, path, NULL);
    command->printer.delimited = language_has_delimiters(language);
    if (ready != READY) {
        /* It has been said why. */
    } else if (language_has_delimiters(language)) {
        fine = check_delimiters(command, &source, language, &faults);
    } else {
        const int opened = MPI_File_open(command->comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        const bool sized = opened == MPI_SUCCESS && MPI_File_get_size(file, &size) == MPI_SUCCESS;
        fine = slice_everywhere(command->comm, sized);
        MPI_Bcast(&size, 1, MPI_OFFSET, 0, command->comm); /* of a file that grows, too, there is one size */
        if (!fine && command->rank == 0)
            complain("%s: some ranks cannot open it", path);
        if (fine)
            fine = check_slices(command, &source, language, path, file, (uint64_t)size, &faults);
        if (opened == MPI_SUCCESS)
            MPI_File_close(&file);
    }
    if (command->rank == 0 && source.text)
        source_close(&source);
    if (!fine)
        command->code = EXIT_TROUBLE;
    else if (faults > 0 && command->code == EXIT_FINE)
        command->code = EXIT_UNBALANCED;
}

static check_option take_option(void *user, int option) {
    check_command *const command = user;
    if (option != 'l')
        return CHECK_OTHER;
    command->language = language_named("check", optarg);
    return command->language ? CHECK_TAKEN : CHECK_WRONG;
}

int command_mpi_check(MPI_Comm comm, int argc, char **argv) {
    check_command command = {.comm = comm, .options = CHECK_OPTIONS_DEFAULT};
    static const struct option options[] = {CHECK_LONG_OPTIONS, {NULL, 0, NULL, 0}};
    const check_own own = {.help = check_help, .letters = CHECK_LETTERS, .options = options, .take = take_option};
    command.options.color = COLOR_NEVER; /* launchers give ranks terminals of their own, whatever theirs is */
    MPI_Comm_rank(comm, &command.rank);
    if (!check_options_read(&command.options, &own, &command, argc, argv, &command.code))
        return command.code;
    if (command.language && language_has_delimiters(command.language) && check_alphabet(&command.options))
        return complain_delimiters_have_no_brackets();
    command.printer = check_printer(&command.options);
    if (!command.options.quiet)
        diagnostics_begin(&command.printer);
    for (int i = optind; i < argc; i++)
        check_file(&command, argv[i]);
    if (!command.options.quiet)
        diagnostics_end(&command.printer, command.code);
    return command.code;
}
