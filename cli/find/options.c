/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the options of find: each function takes those of one subject. */
#include "cli/find/find.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char find_help[] =
    "Usage: parenmatch find [OPTION]... PATTERN FILE...\n"
    "       parenmatch find [OPTION]... -e PATTERN... -f FILE... FILE...\n"
    "Print the lines of files in which a pattern begins. Patterns are bytes, not regular expressions.\n"
    "\n"
    "  -e, --pattern PATTERN     a pattern; may be given several times\n"
    "  -f, --file FILE           read patterns from a file, one a line; may be given several times\n"
    "  -i, --ignore-case         treat the letters A to Z as a to z\n"
    "  -o, --only-matching       print the occurrences instead of lines\n"
    "  -c, --count               print the number of lines with an occurrence\n"
    "  -l, --files-with-matches  print the names of files with an occurrence\n"
    "  -q, --quiet               print nothing, only set the exit code\n"
    "      --json                print the occurrences as JSON, one object a line\n"
    "  -n, --line-number         print line numbers before lines\n"
    "  -b, --byte-offset         print byte offsets before lines, or with -o before occurrences\n"
    "  -H, --with-filename       print file names before lines (the default for several files)\n"
    "  -h, --no-filename         print no file names\n"
    "  -k, --kind KIND           where occurrences overlap, print leftmost-longest (the default),\n"
    "                            leftmost-first (in the order given), the longest of each start, or all\n"
    "      --backend NAME        gpu or auto (the default: the CPU)\n"
    "      --engine ENGINE       the algorithm: bytes, prefixes, gathered, interleaved, automaton or trie;\n"
    "                            by default the best for the patterns\n"
    "      --device NAME         the GPU: an index or a UUID (see 'parenmatch devices')\n"
    "      --simd NAME           the vector instructions of auto (see 'parenmatch simd'); by default the best\n"
    "      --threads N           the threads of auto, or that copy for gpu; by default all\n"
    "      --help                print this\n"
    "\n"
    "FILE - is standard input.\n"
    "Exit code: 0 if something was found, 1 if not, 2 for wrong usage or a file that cannot be read.";

/* What getopt_long() returns for those without a letter. */
enum {
    JSON = 256,
    ENGINE,
    HELP
};

/* What became of an option. */
typedef enum taken {
    TAKEN,
    WRONG, /* its value, which has been complained about */
    OTHER  /* it belongs to another function */
} taken;

static taken take_pattern(find_request *request, int option) {
    switch (option) {
    case 'e':
        return patterns_add(&request->patterns, optarg) ? TAKEN : WRONG;
    case 'f':
        return patterns_add_file(&request->patterns, optarg) ? TAKEN : WRONG;
    case 'i':
        request->ignore_case = true;
        return TAKEN;
    default:
        return OTHER;
    }
}

/* What is printed. */
static taken take_form(find_request *request, int option) {
    bool *const wanted = option == 'o'    ? &request->alone
                         : option == 'c'  ? &request->count
                         : option == 'l'  ? &request->names_only
                         : option == 'q'  ? &request->quiet
                         : option == JSON ? &request->json
                         : option == 'n'  ? &request->line_numbers
                         : option == 'b'  ? &request->byte_offsets
                                          : NULL;
    if (wanted)
        *wanted = true;
    else if (option == 'H' || option == 'h')
        request->file_names = option == 'H';
    else
        return OTHER;
    return TAKEN;
}

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

enum {
    BACKEND_AUTO,
    BACKEND_GPU
};
static const machine_backend backends[] = {[BACKEND_AUTO] = {.name = "auto", .simd = true, .threads = true},
                                           [BACKEND_GPU] = {.name = "gpu", .device = true, .threads = true}};
static const machine_command machine = {
    .name = "find", .backends = backends, .count = sizeof backends / sizeof *backends};

/* How it is searched. */
static taken take_search(find_request *request, int option) {
    switch (option) {
    case 'k':
        return read_kind(optarg, &request->search.kind) ? TAKEN : WRONG;
    case ENGINE:
        request->search.engine = optarg;
        return TAKEN;
    default:
        if (!machine_is_option(option))
            return OTHER;
        return machine_option_take(&machine, &request->machine, option) ? TAKEN : WRONG;
    }
}

/* Do the options make sense together? As with grep, -q goes before all others, and -o goes with -c and -l. */
static bool options_agree(const find_request *request) {
    if (!machine_options_agree(&machine, &request->machine))
        return false;
    if (request->search.engine && request->machine.backend == BACKEND_GPU)
        return !complain_usage("find", "--engine works with --backend auto, not with gpu");
    if (request->quiet)
        return true;
    if (request->count && request->names_only)
        return !complain_usage("find", "--count and --files-with-matches exclude each other");
    const char *const beside_json = request->alone        ? "--only-matching"
                                    : request->count      ? "--count"
                                    : request->names_only ? "--files-with-matches"
                                                          : NULL;
    if (request->json && beside_json)
        return !complain_usage("find", "--json and %s exclude each other", beside_json);
    return true;
}

/* The first argument is the pattern if no option gives any. */
static bool read_arguments(find_request *request, int argc, char **argv) {
    const bool listed = request->patterns.count > 0 || request->patterns.file_count > 0;
    if (!listed && optind < argc && !patterns_add(&request->patterns, argv[optind++]))
        return false;
    if (optind == argc)
        complain_usage("find", listed ? "no file given" : "no pattern or no file given");
    return optind < argc;
}

bool find_options_read(find_request *request, int *code, int argc, char **argv) {
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
                                            MACHINE_LONG_BACKEND,
                                            MACHINE_LONG_DEVICE,
                                            MACHINE_LONG_SIMD,
                                            MACHINE_LONG_THREADS,
                                            {"help", no_argument, NULL, HELP},
                                            {NULL, 0, NULL, 0}};
    *code = EXIT_TROUBLE;
    for (int option; (option = getopt_long(argc, argv, "e:f:ioclqnbHhk:", options, NULL)) != -1;) {
        if (option == HELP) {
            puts(find_help);
            *code = EXIT_FINE;
            return false;
        }
        taken became = take_pattern(request, option);
        if (became == OTHER)
            became = take_form(request, option);
        if (became == OTHER)
            became = take_search(request, option);
        if (became == OTHER)
            point_to_help("find");
        if (became != TAKEN)
            return false;
    }
    request->search.backend = request->machine.backend == BACKEND_GPU ? "gpu" : NULL;
    return options_agree(request) && read_arguments(request, argc, argv);
}
