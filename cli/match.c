/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch match: the match of every bracket of a text. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "cli/profile_path.h"
#include "cli/progress.h"
#include "cli/source.h"
#include "cli/utf8.h"

static const char match_help[] =
    "Usage: parenmatch match [OPTION]... FILE\n"
    "Print the match of every bracket of a text: for a close its open, for an open its parent.\n"
    "Bytes that are not brackets are skipped. Each line is\n"
    "INDEX<TAB>BYTE OFFSET<TAB>CHARACTER<TAB>MATCH, where MATCH is an INDEX, or - without a match.\n"
    "\n"
    "  -b, --brackets PAIRS   the brackets ('()[]{}' by default)\n"
    "      --raw              print only the matches, as little-endian 32-bit numbers (4294967295: none)\n"
    "      --json             print JSON, one object a line\n"
    "      --backend NAME     seq, broadword, omp, gpu or auto (the default)\n"
    "      --device NAME      the GPU: an index or a UUID, or several separated by commas (see 'parenmatch devices')\n"
    "      --threads N        the threads of omp, or that copy for gpu; by default all\n"
    "      --explain          print on standard error which backend auto chooses, and why\n"
    "      --pipeline NAME    the algorithm of gpu (see 'parenmatch pipelines')\n"
    "      --simd NAME        the vector instructions of broadword and omp (see 'parenmatch simd'); by default the "
    "best\n"
    "      --help             print this\n"
    "\n"
    "FILE - is standard input.\n"
    "Exit code: 0, or 2 for wrong usage or a file that cannot be read.";

typedef pm_status match_function(pm_context *, const uint64_t *, size_t, uint32_t *, pm_bic *);

/* What auto has chosen from may have a use for any of the options. */
static const machine_backend backends[] = {
    {.name = "auto", .device = true, .pipeline = true, .simd = true, .threads = true},
    {.name = "seq"},
    {.name = "broadword", .simd = true},
    {.name = "omp", .simd = true, .threads = true},
    {.name = "gpu", .device = true, .pipeline = true, .threads = true}};
static match_function *const functions[] = {pm_match_auto, pm_match_seq, pm_match_broadword, pm_match_omp,
                                            pm_match_gpu};
static const machine_command machine = {
    .name = "match", .backends = backends, .count = sizeof backends / sizeof *backends, .several_devices = true};

typedef struct match_command {
    pm_alphabet alphabet;
    machine_options machine;
    match_function *backend; /* NULL: as suits the file */
    bool explain;
    pm_context *context;
    enum match_format {
        LINES,
        RAW,
        JSON
    } format;
    const char *path;
} match_command;

/* ---- Printing */

enum {
    DECIMAL_MAX = 20
}; /* digits of 2^64 - 1 */

/* Writes a number and returns where it ends. printf would take most of the program's time. */
static char *put_decimal(char *at, uint64_t number) {
    char digits[DECIMAL_MAX];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

static void print_line(uint64_t index, uint64_t offset, char byte, uint64_t match) {
    char line[3 * DECIMAL_MAX + 16], *end = put_decimal(line, index);
    *end++ = '\t';
    end = put_decimal(end, offset);
    *end++ = '\t';
    const byte_text shown = byte_show(byte);
    const size_t length = strlen(shown.text);
    memcpy(end, shown.text, length);
    end += length;
    *end++ = '\t';
    if (match == PM_BP_NONE)
        *end++ = '-';
    else
        end = put_decimal(end, match);
    *end++ = '\n';
    fwrite(line, 1, (size_t)(end - line), stdout);
}

static void print_json(uint64_t index, uint64_t offset, char byte, uint64_t match) {
    printf("{\"index\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"character\":", index, offset);
    json_print_string(&byte, 1);
    if (match == PM_BP_NONE)
        puts(",\"match\":null}");
    else
        printf(",\"match\":%" PRIu64 "}\n", match);
}

/* Little-endian on every machine. */
static void print_raw(uint64_t match) {
    const uint32_t value = match == PM_BP_NONE ? PM_NONE : (uint32_t)match;
    const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 24)};
    fwrite(bytes, 1, sizeof bytes, stdout);
}

/* ---- Matching */

enum {
    PIECE = 1 << 16
}; /* bytes of text between matching and printing: small enough for the cache */

/* The brackets of a piece of text. */
typedef struct brackets {
    uint64_t parens[PIECE / 64], offsets[PIECE], match[PIECE];
    size_t count;
    uint64_t first; /* index of the first of them in the whole text */
} brackets;

static bool find_brackets(const match_command *command, const char *piece, size_t n, brackets *found) {
    found->first += found->count;
    return pm_text_brackets(NULL, NULL, &command->alphabet, piece, n, PIECE, found->parens, found->offsets, NULL,
                            &found->count) == PM_OK;
}

static void print_brackets(const match_command *command, const char *piece, uint64_t piece_offset,
                           const brackets *found) {
    for (size_t i = 0; i < found->count; i++) {
        const uint64_t index = found->first + i, offset = piece_offset + found->offsets[i], match = found->match[i];
        const char byte = piece[found->offsets[i]];
        switch (command->format) {
        case LINES:
            print_line(index, offset, byte, match);
            break;
        case RAW:
            print_raw(match);
            break;
        case JSON:
            print_json(index, offset, byte, match);
            break;
        }
    }
}

/* A text that arrives in pieces, of any length. */
static int match_pieces(const match_command *command, text_source *source, brackets *found) {
    pm_stream *stream;
    pm_status status = pm_stream_create(command->context, &stream);
    const char *text;
    size_t n = 0;
    bool readable = true;
    while (status == PM_OK && !output_failed() && (readable = source_next(source, &text, &n)) && n > 0)
        for (size_t done = 0, piece; status == PM_OK && done < n; done += piece) {
            piece = n - done < PIECE ? n - done : PIECE;
            find_brackets(command, text + done, piece, found);
            if (command->format == RAW && found->first + found->count > UINT32_MAX)
                status = PM_TOO_LARGE;
            else
                status = pm_stream_push(stream, found->parens, found->count, found->match);
            if (status == PM_OK)
                print_brackets(command, text + done, source->begun - n + done, found);
        }
    pm_stream_destroy(stream);
    if (status != PM_OK)
        return complain("%s: %s", source->name, pm_status_string(status));
    return readable ? EXIT_FINE : EXIT_TROUBLE;
}

static void explain_time(const char *name, double ns) {
    if (ns > 0)
        fprintf(stderr, ", %s %.4g us", name, ns / 1e3);
}

/* Prints what auto chooses for `count` brackets. */
static void explain_choice(pm_context *context, size_t count) {
    pm_match_choice choice = {.struct_size = sizeof choice};
    if (pm_match_explain(context, count, &choice) != PM_OK)
        return; /* too many: matching will say so */
    fprintf(stderr, "parenmatch: %zu brackets: %s, instructions %s, threads %u: %s\n", count, choice.backend,
            choice.simd, choice.threads, choice.reason);
    fprintf(stderr, "parenmatch: predicted: seq %.4g us", choice.seq_ns / 1e3);
    explain_time("broadword", choice.broadword_ns);
    explain_time("omp", choice.omp_ns);
    explain_time("gpu", choice.gpu_ns);
    explain_time("gpu with resident data", choice.gpu_resident_ns);
    putc('\n', stderr);
}

/* A text that is at hand, by a backend; `parens` and `match` hold `count` elements. */
static pm_status match_whole(const match_command *command, const text_source *source, brackets *found, size_t count,
                             uint64_t *parens, uint32_t *match) {
    pm_status status = pm_text_brackets(NULL, NULL, &command->alphabet, source->text, source->length, count, parens,
                                        NULL, NULL, &count);
    if (status == PM_OK && command->explain)
        explain_choice(command->context, count);
    if (status == PM_OK)
        status = command->backend(command->context, parens, count, match, NULL);
    for (size_t done = 0, piece; status == PM_OK && done < source->length && !output_failed(); done += piece) {
        piece = source->length - done < PIECE ? source->length - done : PIECE;
        find_brackets(command, source->text + done, piece, found);
        for (size_t i = 0; i < found->count; i++) {
            const uint32_t value = match[found->first + i];
            found->match[i] = value == PM_NONE ? PM_BP_NONE : value;
        }
        print_brackets(command, source->text + done, done, found);
    }
    return status;
}

static int match_loaded(const match_command *command, text_source *source, brackets *found) {
    size_t count = 0;
    if (!source_load(source))
        return EXIT_TROUBLE;
    pm_status status =
        pm_text_brackets(NULL, NULL, &command->alphabet, source->text, source->length, 0, NULL, NULL, NULL, &count);
    uint64_t *parens = malloc((count / 64 + 1) * sizeof *parens);
    uint32_t *match = malloc((count + 1) * sizeof *match);
    if (status == PM_OK)
        status = parens && match ? match_whole(command, source, found, count, parens, match) : PM_OUT_OF_MEMORY;
    free(parens);
    free(match);
    return status == PM_OK ? EXIT_FINE : machine_complain(&command->machine, source->name, status);
}

/* Is the text to be matched whole, though no engine is asked for? A file that 32-bit indices can count is, and so is a
 * pipe where threads or a device are asked for, which pieces have no use for. */
static bool is_whole(const match_command *command, const text_source *source) {
    return source_is_mapped(source) ? source->length <= UINT32_MAX : machine_option_given(&command->machine) != NULL;
}

/* The engine asked for, or the best one, matches the text whole; anything else is matched in pieces. */
static int match_file(match_command *command) {
    text_source source;
    if (!source_open(&source, command->path))
        return EXIT_TROUBLE;
    int code = EXIT_TROUBLE;
    brackets *found = malloc(sizeof *found);
    if (!found) {
        complain("%s", pm_status_string(PM_OUT_OF_MEMORY));
    } else {
        found->count = 0;
        found->first = 0;
        if (!command->backend && is_whole(command, &source))
            command->backend = pm_match_auto;
        code = command->backend ? match_loaded(command, &source, found) : match_pieces(command, &source, found);
    }
    free(found);
    source_close(&source);
    return code;
}

static bool choose_format(match_command *command, enum match_format format) {
    if (command->format != LINES && command->format != format)
        return !complain_usage("match", "--raw and --json exclude each other");
    command->format = format;
    return true;
}

/* Do the options make sense together? */
static bool options_agree(const match_command *command) {
    if (command->explain && command->machine.backend != 0)
        return !complain_usage("match", "--explain describes the choice of --backend auto, not of another backend");
    return machine_options_agree(&machine, &command->machine);
}

/* Reads the options; returns false, with *code set, when there is nothing more to do. */
static bool read_options(match_command *command, int *code, int argc, char **argv) {
    enum {
        OPTION_RAW = 256,
        OPTION_JSON,
        OPTION_EXPLAIN,
        OPTION_HELP
    };
    static const struct option options[] = {
        {"brackets", required_argument, NULL, 'b'},
        {"raw", no_argument, NULL, OPTION_RAW},
        {"json", no_argument, NULL, OPTION_JSON},
        {"explain", no_argument, NULL, OPTION_EXPLAIN},
        MACHINE_LONG_BACKEND,
        MACHINE_LONG_DEVICE,
        MACHINE_LONG_PIPELINE,
        MACHINE_LONG_SIMD,
        MACHINE_LONG_THREADS,
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    *code = EXIT_TROUBLE;
    for (int option; (option = getopt_long(argc, argv, "b:", options, NULL)) != -1;) {
        if (machine_is_option(option)) {
            if (!machine_option_take(&machine, &command->machine, option))
                return false;
            continue;
        }
        switch (option) {
        case 'b':
            if (!read_alphabet("match", optarg, &command->alphabet))
                return false;
            break;
        case OPTION_RAW:
        case OPTION_JSON:
            if (!choose_format(command, option == OPTION_RAW ? RAW : JSON))
                return false;
            break;
        case OPTION_EXPLAIN:
            command->explain = true;
            break;
        case OPTION_HELP:
            puts(match_help);
            *code = EXIT_FINE;
            return false;
        default:
            return !point_to_help("match");
        }
    }
    if (optind != argc - 1) {
        complain_usage("match", optind == argc ? "no file given" : "more than one file given");
        return false;
    }
    command->path = argv[optind];
    if (!options_agree(command))
        return false;
    if (command->explain || command->machine.backend_name) /* of a pipe as well */
        command->backend = functions[command->machine.backend];
    return true;
}

int command_match(int argc, char **argv) {
    match_command command = {.format = LINES};
    int code;
    pm_alphabet_from_pairs("()[]{}", 6, &command.alphabet);
    if (!read_options(&command, &code, argc, argv))
        return code;
    code = EXIT_TROUBLE;
    char *const profile = profile_path();
    const bool ready = machine_context_create(&command.machine, profile, &command.context);
    free(profile);
    if (!ready)
        return EXIT_TROUBLE;
    const bool checked = command.machine.backend == 0; /* auto might do without */
    if (!checked || machine_device_is_there(&command.machine, command.context, source_name(command.path)))
        code = match_file(&command);
    pm_context_destroy(command.context);
    return code;
}
