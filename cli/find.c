/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch find: where in these files is any of many patterns? */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/find_patterns.h"
#include "cli/find_print.h"
#include "cli/source.h"

static const char find_help[] =
    "Usage: parenmatch find [OPTION]... PATTERN FILE...\n"
    "       parenmatch find [OPTION]... -e PATTERN... -f FILE... FILE...\n"
    "Print the lines of these files in which any of the patterns begins. Patterns are bytes, not expressions.\n"
    "\n"
    "  -e, --pattern PATTERN     a pattern; may be given several times\n"
    "  -f, --file FILE           patterns from a file, one a line; likewise\n"
    "  -i, --ignore-case         the letters A to Z are the same as a to z\n"
    "  -o, --only-matching       print what was found instead of lines\n"
    "  -c, --count               print how many lines have any of them instead\n"
    "  -l, --files-with-matches  print the names of files that have any of them instead\n"
    "  -q, --quiet               print nothing; only the exit code tells\n"
    "      --json                print what was found as JSON, one object a line\n"
    "  -n, --line-number         print line numbers before lines\n"
    "  -b, --byte-offset         print offsets in bytes before lines, or with -o before what was found\n"
    "  -H, --with-filename       print file names before lines, as where there are several files\n"
    "  -h, --no-filename         do not\n"
    "  -k, --kind KIND           what is found where occurrences overlap: leftmost-longest (default) or "
    "leftmost-first\n"
    "                            (as they are given), from left to right; longest of each start; all\n"
    "      --backend NAME        gpu, or auto (the default): where to search\n"
    "      --engine ENGINE       how to search: bytes, prefixes, gathered, interleaved, automaton or trie;\n"
    "                            by default the best for the patterns\n"
    "      --simd NAME           vector instructions to use (see 'parenmatch simd')\n"
    "      --threads N           threads to use, at most\n"
    "      --help                print this\n"
    "\n"
    "FILE - is standard input. Exit code: 0 something was found, 1 nothing, 2 wrong usage or trouble with a file.";

enum {
    PIECE = 16 << 20 /* of a text that is searched before it is asked whether that is enough */
};

typedef struct find_command {
    pattern_list patterns;
    pm_options context_options;
    pm_find_options options;
    hit_printer printer;
    bool ignore_case, names_only, count;
    int file_names; /* -1: where there are several files */
    pm_context *context;
    pm_dict *dict;
    pm_find_stream *stream;
    int code;
} find_command;

static bool read_kind(const char *name, pm_find_kind *kind) {
    static const char *const names[] = {"all", "longest", "leftmost-longest", "leftmost-first"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0) {
            *kind = (pm_find_kind)k;
            return true;
        }
    complain_usage("find", "no such kind: '%s'", name);
    return false;
}

static bool read_backend(const char *name, const char **backend) {
    const bool gpu = strcmp(name, "gpu") == 0;
    if (gpu || strcmp(name, "auto") == 0) {
        *backend = gpu ? "gpu" : NULL;
        return true;
    }
    complain_usage("find", "no such backend: '%s'", name);
    return false;
}

/* ---- A file ---- */

/* Searches a text that is at hand, as far as need be. */
static pm_status search(find_command *command, const text_source *source, uint64_t *found) {
    const hit_printer *const printer = &command->printer;
    pm_status status = PM_OK;
    for (size_t begin = 0, n; status == PM_OK && begin < source->length; begin += n) {
        n = source->length - begin < PIECE ? source->length - begin : PIECE;
        status = pm_find_stream_push(command->stream, source->text + begin, n);
        if ((printer->form == HITS_NOTICED && printer->lines > 0) || output_failed())
            break;
    }
    const pm_status finished = pm_find_stream_finish(command->stream, found);
    return status == PM_OK ? finished : status;
}

static void find_in_file(find_command *command, const char *path) {
    text_source source;
    if (!source_open(&source, path)) {
        command->code = EXIT_TROUBLE;
        return;
    }
    uint64_t found = 0;
    if (!source_load(&source)) {
        command->code = EXIT_TROUBLE;
    } else {
        hits_begin(&command->printer, &source);
        const pm_status status = search(command, &source, &found);
        if (status != PM_OK)
            command->code = complain("%s: %s", source.name, pm_status_string(status));
        else if (command->names_only && found > 0)
            puts(source.name);
        else if (command->count && command->printer.file_names)
            printf("%s:%" PRIu64 "\n", source.name, command->printer.lines);
        else if (command->count)
            printf("%" PRIu64 "\n", command->printer.lines);
    }
    if (found > 0 && command->code == EXIT_NOTHING_FOUND)
        command->code = EXIT_FINE;
    source_close(&source);
}

/* ---- The command ---- */

/* Reads the options; returns false, with the command's code set, when there is nothing more to do. */
static bool read_options(find_command *command, int argc, char **argv) {
    enum {
        JSON = 256,
        BACKEND,
        ENGINE,
        SIMD,
        THREADS,
        HELP
    };
    static const struct option options[] = {{"pattern", required_argument, NULL, 'e'},
                                            {"file", required_argument, NULL, 'f'},
                                            {"ignore-case", no_argument, NULL, 'i'},
                                            {"only-matching", no_argument, NULL, 'o'},
                                            {"count", no_argument, NULL, 'c'},
                                            {"files-with-matches", no_argument, NULL, 'l'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"json", no_argument, NULL, JSON},
                                            {"line-number", no_argument, NULL, 'n'},
                                            {"byte-offset", no_argument, NULL, 'b'},
                                            {"with-filename", no_argument, NULL, 'H'},
                                            {"no-filename", no_argument, NULL, 'h'},
                                            {"kind", required_argument, NULL, 'k'},
                                            {"engine", required_argument, NULL, ENGINE},
                                            {"simd", required_argument, NULL, SIMD},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"backend", required_argument, NULL, BACKEND},
                                            {"help", no_argument, NULL, HELP},
                                            {NULL, 0, NULL, 0}};
    hit_printer *const printer = &command->printer;
    uint64_t threads;
    command->code = EXIT_TROUBLE;
    for (int option; (option = getopt_long(argc, argv, "e:f:ioclqnbHhk:", options, NULL)) != -1;) {
        switch (option) {
        case 'e':
            if (!patterns_add(&command->patterns, optarg))
                return false;
            break;
        case 'f':
            if (!patterns_add_file(&command->patterns, optarg))
                return false;
            break;
        case 'i':
            command->ignore_case = true;
            break;
        case 'o':
            printer->form = HITS_ALONE;
            break;
        case 'c':
            command->count = true;
            break;
        case 'l':
            command->names_only = true;
            break;
        case 'q':
            printer->form = HITS_NOTICED;
            break;
        case JSON:
            printer->form = HITS_AS_JSON;
            break;
        case 'n':
            printer->line_numbers = true;
            break;
        case 'b':
            printer->byte_offsets = true;
            break;
        case 'H':
        case 'h':
            command->file_names = option == 'H';
            break;
        case 'k':
            if (!read_kind(optarg, &command->options.kind))
                return false;
            break;
        case BACKEND:
            if (!read_backend(optarg, &command->options.backend))
                return false;
            break;
        case ENGINE:
            command->options.engine = optarg;
            break;
        case SIMD:
            command->context_options.simd = optarg;
            break;
        case THREADS:
            if (!read_number("find", "--threads", optarg, &threads))
                return false;
            command->context_options.threads = threads < UINT16_MAX ? (unsigned)threads : UINT16_MAX;
            break;
        case HELP:
            puts(find_help);
            command->code = EXIT_FINE;
            return false;
        default:
            fputs("Try 'parenmatch find --help'.\n", stderr);
            return false;
        }
    }
    const bool listed = command->patterns.count > 0 || command->patterns.file_count > 0;
    if (!listed && optind < argc && !patterns_add(&command->patterns, argv[optind++]))
        return false;
    if (command->options.backend && command->options.engine) {
        complain_usage("find", "--engine is of the CPU, and --backend names another");
        return false;
    }
    if (optind == argc) {
        complain_usage("find", listed ? "no file given" : "a pattern and a file are wanted");
        return false;
    }
    return true;
}

/* What options come to together. */
static void settle_form(find_command *command, int files) {
    hit_printer *const printer = &command->printer;
    printer->file_names = command->file_names == -1 ? files > 1 : command->file_names == 1;
    command->count &= printer->form != HITS_NOTICED;
    command->names_only &= printer->form != HITS_NOTICED;
    if (command->names_only) {
        command->count = false;
        printer->form = HITS_NOTICED;
    } else if (command->count) {
        printer->form = HITS_COUNTED;
    }
    printer->line_numbers |= printer->form == HITS_AS_JSON;
}

static bool prepare(find_command *command) {
    if (!patterns_make_distinct(&command->patterns, command->ignore_case))
        return false;
    const pattern_list *const list = &command->patterns;
    pm_status status = pm_context_create(&command->context_options, &command->context);
    if (status == PM_INVALID_ARGUMENT || status == PM_UNSUPPORTED) {
        complain_usage("find", "vector instructions '%s': %s (see 'parenmatch simd')", command->context_options.simd,
                       status == PM_UNSUPPORTED ? "this CPU lacks them" : "there are none");
        return false;
    }
    if (status == PM_OK)
        status = pm_dict_create(command->context, list->patterns, list->lengths, list->count,
                                command->ignore_case ? PM_DICT_IGNORE_CASE : 0, &command->dict);
    if (status != PM_OK) {
        complain("patterns: %s", pm_status_string(status));
        return false;
    }
    status = pm_find_stream_create(command->context, command->dict, &command->options, hits_print, &command->printer,
                                   &command->stream);
    if (status == PM_INVALID_ARGUMENT || status == PM_UNSUPPORTED)
        complain_usage("find", "engine '%s': %s", command->options.engine,
                       status == PM_UNSUPPORTED ? "not for these patterns, or this CPU" : "there is none");
    else if (status != PM_OK)
        complain("%s", pm_status_string(status));
    command->printer.dict = command->dict;
    return status == PM_OK;
}

int command_find(int argc, char **argv) {
    find_command command = {.options = {.kind = PM_FIND_LEFTMOST_LONGEST}, .file_names = -1};
    if (read_options(&command, argc, argv) && prepare(&command)) {
        settle_form(&command, argc - optind);
        command.code = EXIT_NOTHING_FOUND;
        const bool first_is_enough = command.printer.form == HITS_NOTICED && !command.names_only;
        for (int i = optind; i < argc && !(first_is_enough && command.code == EXIT_FINE); i++)
            find_in_file(&command, argv[i]);
    }
    pm_find_stream_destroy(command.stream);
    pm_dict_destroy(command.dict);
    pm_context_destroy(command.context);
    patterns_clear(&command.patterns);
    return command.code;
}
