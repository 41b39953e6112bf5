/* SPDX-License-Identifier: Apache-2.0 */
/* parenmatch crosscheck: options, and printing the result of each way. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/crosscheck/crosscheck.h"
#include "cli/machine_options.h"
#include "cli/utf8.h"

static const char crosscheck_help[] =
    "Usage: parenmatch crosscheck [OPTION]...\n"
    "Run all backends of this machine on the same inputs and compare every result with that of one thread: matches,\n"
    "boxes of scenes, and scans of trees. Print a line for each backend; if one differs, print a command that\n"
    "reproduces the difference on the smallest input found.\n"
    "\n"
    "      --seconds S        run for S seconds (10 by default)\n"
    "      --seed N           make other inputs\n"
    "      --backend NAME     check only seq, broadword, omp, auto, stream, gpu, boxes-omp, boxes-gpu, scans-omp\n"
    "                         or scans-gpu\n"
    "      --device NAME      check only gpu, boxes-gpu and scans-gpu, on this device (see 'parenmatch devices')\n"
    "      --simd NAME        check only these vector instructions (see 'parenmatch simd')\n"
    "      --pipeline NAME    check only this algorithm of gpu (see 'parenmatch pipelines')\n"
    "      --threads N        check only omp, boxes-omp and scans-omp, with N threads (0: all)\n"
    "      --string STRING    check only this input, such as '(()' or '(1000)7': a number repeats what is before it\n"
    "      --family NAME      check only this family of inputs, with --n elements\n"
    "      --n N              see --family\n"
    "      --json             print JSON, one object a line\n"
    "      --help             print this\n"
    "\n"
    "Exit code: 0 if all agree, 1 if one differs, 2 for wrong usage or trouble.";

typedef struct crosscheck_command {
    crosscheck_choice choice;
    uint64_t seconds, seed, n;
    const char *string, *family; /* NULL: inputs of all kinds */
    bool has_seconds, has_n, json;
} crosscheck_command;

/* Reads an option's number up to `max`. */
static bool read_up_to(const char *option, uint64_t max, uint64_t *number) {
    if (!read_number("crosscheck", option, optarg, number))
        return false;
    if (*number <= max)
        return true;
    complain_usage("crosscheck", "%s is at most %" PRIu64, option, max);
    return false;
}

/* Do the options make sense together? */
static bool options_agree(const crosscheck_command *command) {
    if (command->string && command->family)
        return !complain_usage("crosscheck", "--string and --family exclude each other");
    if (command->family && !crosscheck_is_family(command->family))
        return !complain_usage("crosscheck", "no such family: '%s'", command->family);
    if (command->has_n != (command->family != NULL))
        return !complain_usage("crosscheck", "--family and --n need each other");
    if (command->has_seconds && (command->string || command->family))
        return !complain_usage("crosscheck", "--seconds has no effect with %s, which names one input",
                               command->string ? "--string" : "--family");
    return true;
}

static const machine_command machine = {.name = "crosscheck", .several_devices = true};

enum {
    OPTION_BACKEND = 256,
    OPTION_FAMILY,
    OPTION_HELP,
    OPTION_JSON,
    OPTION_N,
    OPTION_SECONDS,
    OPTION_SEED,
    OPTION_STRING
};

/* Takes an option of this command; returns false if it is wrong. */
static bool take_option(crosscheck_command *command, int option) {
    switch (option) {
    case OPTION_BACKEND:
        command->choice.backend = optarg;
        return crosscheck_is_backend(optarg) || !complain_usage("crosscheck", "no such backend: '%s'", optarg);
    case OPTION_FAMILY:
        command->family = optarg;
        return true;
    case OPTION_JSON:
        command->json = true;
        return true;
    case OPTION_N:
        return command->has_n = read_up_to("--n", UINT32_MAX, &command->n);
    case OPTION_SECONDS:
        return command->has_seconds = read_up_to("--seconds", UINT32_MAX, &command->seconds);
    case OPTION_SEED:
        return read_number("crosscheck", "--seed", optarg, &command->seed);
    case OPTION_STRING:
        command->string = optarg;
        return true;
    default:
        return !point_to_help("crosscheck");
    }
}

/* Reads the options; returns false, with *code set, when there is nothing more to do. */
static bool read_options(crosscheck_command *command, int *code, int argc, char **argv) {
    static const struct option options[] = {
        {"backend", required_argument, NULL, OPTION_BACKEND},
        {"family", required_argument, NULL, OPTION_FAMILY},
        {"help", no_argument, NULL, OPTION_HELP},
        {"json", no_argument, NULL, OPTION_JSON},
        {"n", required_argument, NULL, OPTION_N},
        {"seconds", required_argument, NULL, OPTION_SECONDS},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"string", required_argument, NULL, OPTION_STRING},
        MACHINE_LONG_DEVICE,
        MACHINE_LONG_PIPELINE,
        MACHINE_LONG_SIMD,
        MACHINE_LONG_THREADS,
        {NULL, 0, NULL, 0},
    };
    *code = EXIT_TROUBLE;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == OPTION_HELP) {
            puts(crosscheck_help);
            *code = EXIT_FINE;
            return false;
        }
        if (!(machine_is_option(option) ? machine_option_take(&machine, &command->choice.machine, option)
                                        : take_option(command, option)))
            return false;
    }
    return optind == argc ? options_agree(command) : !complain_usage("crosscheck", "takes no file");
}

static pm_status check(const crosscheck_command *command, crosscheck_ways *all) {
    if (command->string)
        return crosscheck_string(all, command->string, command->seed);
    if (command->family)
        return crosscheck_family(all, command->family, command->n, command->seed);
    return crosscheck_seconds(all, command->seconds, command->seed);
}

/* ---- Printing */

/* A way in words, "omp avx2, 5 threads", or "omp avx2, all threads". */
static void way_name(const crosscheck_way *way, size_t room, char *name) {
    char threads[32] = "";
    if (way->by_threads && way->threads > 0)
        snprintf(threads, sizeof threads, ", %u threads", way->threads);
    else if (way->by_threads)
        snprintf(threads, sizeof threads, ", all threads");
    const char *const kind = way->simd ? way->simd : way->pipeline ? way->pipeline : "";
    snprintf(name, room, "%s%s%s%s", way->backend, *kind ? " " : "", kind, threads);
}

static void print_line(const crosscheck_way *way) {
    char name[80];
    way_name(way, sizeof name, name);
    if (way->presence != PM_OK) {
        printf("%-26s %s\n", name, pm_status_string(way->presence));
        return;
    }
    printf("%-26s %8" PRIu64 " inputs %12" PRIu64 " elements", name, way->inputs, way->elements);
    if (way->refused > 0)
        printf(", %" PRIu64 " inputs too large", way->refused);
    if (way->difference)
        printf("\n  differs: %s\n  %s\n", way->difference, way->reproduction);
    else
        puts(", all agree");
}

static void print_member(const char *key, const char *value) {
    printf(",\"%s\":", key);
    if (value)
        json_print_string(value, strlen(value));
    else
        fputs("null", stdout);
}

static void print_json(const crosscheck_way *way) {
    printf("{\"backend\":\"%s\"", way->backend);
    print_member("simd", way->simd);
    print_member("pipeline", way->pipeline);
    if (way->by_threads)
        printf(",\"threads\":%u", way->threads);
    else
        fputs(",\"threads\":null", stdout);
    print_member("status", pm_status_name(way->presence));
    printf(",\"inputs\":%" PRIu64 ",\"elements\":%" PRIu64 ",\"too_large\":%" PRIu64, way->inputs, way->elements,
           way->refused);
    print_member("difference", way->difference);
    print_member("reproduction", way->reproduction);
    puts("}");
}

static int report(const crosscheck_command *command, const crosscheck_ways *all) {
    int code = EXIT_FINE;
    for (size_t i = 0; i < all->count; i++) {
        (command->json ? print_json : print_line)(&all->ways[i]);
        if (all->ways[i].difference)
            code = EXIT_DIFFERENT;
    }
    return code;
}

static int check_ways(const crosscheck_command *command, crosscheck_ways *all) {
    if (all->count == 0)
        return complain_usage("crosscheck", "no backend takes all of these options");
    if (all->present == 0)
        return machine_complain(&command->choice.machine, all->ways[0].backend, all->ways[0].presence);
    const pm_status status = check(command, all);
    if (status == PM_INVALID_ARGUMENT && command->string)
        return complain_usage("crosscheck", "invalid parentheses '%s' for --string: write '(()' or '(1000)7'",
                              command->string);
    return status == PM_OK ? report(command, all) : complain("%s", pm_status_string(status));
}

int command_crosscheck(int argc, char **argv) {
    crosscheck_command command = {.seconds = 10, .seed = 1};
    crosscheck_ways all;
    int code;
    if (!read_options(&command, &code, argc, argv))
        return code;
    const pm_status status = crosscheck_ways_open(&command.choice, &all);
    code = status == PM_OK ? check_ways(&command, &all) : complain("%s", pm_status_string(status));
    crosscheck_ways_close(&all);
    return code;
}
