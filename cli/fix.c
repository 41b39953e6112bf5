/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch fix: shows the repair of files that lack a bracket, or have one too many, or writes it. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/fix/fix.h"

static const char fix_help[] =
    "Usage: parenmatch fix [OPTION]... FILE...\n"
    "Show how to repair brackets that do not match, as a unified diff. A place is chosen by indentation and by the\n"
    "habits of the text. If no repair is certain, it reports the likely place and leaves the file alone.\n"
    "\n"
    "  -l, --lang NAME       the language of all files (see 'parenmatch languages')\n"
    "  -b, --brackets PAIRS  use these brackets instead of the language's: at most four pairs\n"
    "  -w, --write           write the repaired files\n"
    "      --help            print this\n"
    "\n"
    "Exit code: 0 if nothing is wrong, or all repairs are written; 1 if not; 2 for wrong usage or a file that "
    "cannot\n"
    "be read or written.";

typedef struct fix_command {
    const pm_language *language; /* NULL: by file name */
    pm_alphabet brackets;
    bool has_brackets, write;
    int code;
} fix_command;

static void raise_code(fix_command *command, int code) {
    command->code = code > command->code ? code : command->code;
}

static bool write_repaired(const char *path, const text_source *source, const pm_repair *repairs, size_t count) {
    size_t length = 0;
    (void)pm_text_repair_apply(source->text, source->length, repairs, count, 0, NULL, &length);
    char *const repaired = malloc(length + 1);
    if (!repaired)
        return !complain("%s: %s", path, pm_status_string(PM_OUT_OF_MEMORY));
    (void)pm_text_repair_apply(source->text, source->length, repairs, count, length, repaired, &length);
    const bool written = fix_write(path, repaired, length);
    free(repaired);
    return written;
}

static const pm_language *language_of(const fix_command *command, const char *path, const text_source *source) {
    return command->language ? command->language : pm_language_by_content(path, source->text, source->length);
}

/* Keeps the place of a string or comment that the end of the text cuts off. */
static bool keep_unterminated(const pm_diagnostic *diagnostic, void *user) {
    if (diagnostic->fault == PM_FAULT_UNTERMINATED)
        *(pm_place *)user = diagnostic->at;
    return true;
}

static void fix_text(fix_command *command, const char *path, const text_source *source) {
    const pm_language *const language = language_of(command, path, source);
    const pm_alphabet *const alphabet = command->has_brackets ? &command->brackets : NULL;
    pm_repair repairs[PM_REPAIRS_MAX];
    pm_check *check = NULL;
    pm_check_summary found = {0};
    pm_place cut_off = {0};
    size_t count = 0;
    pm_status status = pm_check_create(NULL, language, alphabet, keep_unterminated, &cut_off, &check);
    if (status == PM_OK)
        status = pm_check_push(check, source->text, source->length);
    if (status == PM_OK)
        status = pm_check_finish(check, &found);
    pm_check_destroy(check);
    const bool faulty = found.unmatched.close + found.unmatched.open + found.mismatched > 0;
    if (status == PM_OK && faulty && found.unterminated == 0)
        status =
            pm_text_repair(NULL, language, alphabet, source->text, source->length, PM_REPAIRS_MAX, repairs, &count);
    if (status != PM_OK) {
        raise_code(command, complain("%s: %s", source->name, pm_status_string(status)));
        return;
    }
    if (found.unterminated > 0) { /* it may hold the brackets that are missing */
        fprintf(stderr,
                "%s:%" PRIu64 ":%" PRIu64 ": note: the string or comment that begins here is to be ended first\n",
                source->name, cut_off.line, cut_off.column);
        raise_code(command, EXIT_UNBALANCED);
        return;
    }
    if (!faulty)
        return;
    if (count == 0)
        fprintf(stderr, "%s: note: no repair found\n", source->name);
    if (count == 0 || !repairs[0].certain) {
        for (size_t k = 0; k < count; k++)
            repair_print(stderr, source->name, &repairs[k]);
        raise_code(command, EXIT_UNBALANCED);
        return;
    }
    fix_print_diff(source->name, source->text, source->length, repairs, count);
    if (!command->write)
        raise_code(command, EXIT_UNBALANCED);
    else if (!write_repaired(path, source, repairs, count))
        raise_code(command, EXIT_TROUBLE);
}

static void fix_file(fix_command *command, const char *path) {
    text_source source;
    text_encoding encoding;
    if (!source_open(&source, path)) {
        raise_code(command, EXIT_TROUBLE);
        return;
    }
    if (!source_encoding(&source, &encoding) || !source_load(&source))
        raise_code(command, EXIT_TROUBLE);
    else if (encoding != TEXT_BYTES)
        raise_code(command, complain("%s: binary, UTF-16 or UTF-32, which fix leaves alone", source.name));
    else if (language_has_delimiters(language_of(command, path, &source)))
        raise_code(command, complain("%s: fix repairs brackets, not delimiters", source.name));
    else
        fix_text(command, path, &source);
    source_close(&source);
}

/* Takes an option; returns false if it is wrong. */
static bool take_option(fix_command *command, int option) {
    switch (option) {
    case 'l':
        command->language = language_named("fix", optarg);
        return command->language;
    case 'b':
        command->has_brackets = true;
        return read_alphabet("fix", optarg, &command->brackets);
    case 'w':
        command->write = true;
        return true;
    default:
        return !point_to_help("fix");
    }
}

int command_fix(int argc, char **argv) {
    enum {
        HELP = 256
    };
    static const struct option options[] = {{"lang", required_argument, NULL, 'l'},
                                            {"brackets", required_argument, NULL, 'b'},
                                            {"write", no_argument, NULL, 'w'},
                                            {"help", no_argument, NULL, HELP},
                                            {NULL, 0, NULL, 0}};
    fix_command command = {.code = EXIT_FINE};
    for (int option; (option = getopt_long(argc, argv, "l:b:w", options, NULL)) != -1;) {
        if (option == HELP) {
            puts(fix_help);
            return EXIT_FINE;
        }
        if (!take_option(&command, option))
            return EXIT_TROUBLE;
    }
    if (optind == argc)
        return complain_usage("fix", "no file given");
    for (int k = optind; k < argc; k++) {
        if (command.write && strcmp(argv[k], "-") == 0)
            return complain_usage("fix", "--write cannot write standard input");
        fix_file(&command, argv[k]);
    }
    return command.code;
}
