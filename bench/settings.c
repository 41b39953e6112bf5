/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of pm_bench. */
#include "bench/settings.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "bench/suites/find_inputs.h"
#include "bench/suites/texts.h"
#include "inputs/families.h"
#include "inputs/scenes.h"

const char settings_help[] =
    "usage: pm_bench [option]...\n"
    "Times parenmatch beside what the memory allows; prints one JSON object a line.\n"
    "\n"
    "Options marked * may be repeated.\n"
    "  --suite NAME      * a suite (default: all)\n"
    "  --family NAME     * a family of inputs, as in inputs/families.h; for the suites structure and\n"
    "                      text, one of bench/suites/texts.h; for the suite word, either; for the suite boxes,\n"
    "                      a scene as in inputs/scenes.h; for the suite find, one of bench/suites/find_inputs.h\n"
    "                      (default: the suite's)\n"
    "  --n N             * elements, as a number or as 2^K (default: the suite's)\n"
    "  --most N            no more elements than so many, of the suite's own (default 2^24)\n"
    "  --backend NAME    * a backend (default: all but gpu); of the suite find auto, auto/leftmost, omp,\n"
    "                      dict, an engine or a peer; of the suite bp an index, such as bp, or one of\n"
    "                      its lines, such as find_close/bp/many\n"
    "  --simd NAME         backends with this instruction set only\n"
    "  --threads N         threads of the backends that have threads, and of their floor (default 1)\n"
    "  --repetitions R     samples of each case (default: as many as --seconds allows, 5 at least)\n"
    "  --seconds S         time for each case (default 0.2); a search takes ten times as long\n"
    "  --pin CPU           run on this CPU; N threads on this and the N - 1 that follow it, one each\n"
    "  --profile PATH      what 'parenmatch tune' has kept, for auto to go by\n"
    "  --seed N            of the random families (default 1)\n"
    "  --list              print the suites, backends, floors and families, and exit\n"
    "  --help              print this, and exit\n"
    "\n"
    "Exit status: 0 every timed output was verified, 1 one was wrong, 2 usage, no memory or no device.\n";

static bool complain(const char *option, const char *value) {
    fprintf(stderr, "pm_bench: --%s: bad value '%s'\n", option, value);
    return false;
}

/* A decimal number, the whole text, at most `most`. */
static bool parse_number(const char *text, uint64_t most, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

/* N or 2^K, no more than the library takes. */
static bool parse_size(const char *text, size_t *size) {
    uint64_t number;
    if (strncmp(text, "2^", 2) != 0) {
        const bool parsed = parse_number(text, UINT32_MAX, &number);
        *size = (size_t)number;
        return parsed;
    }
    const bool parsed = parse_number(text + 2, 31, &number);
    *size = parsed ? (size_t)1 << number : 0;
    return parsed;
}

static bool parse_seconds(const char *text, double *seconds) {
    char *end;
    *seconds = strtod(text, &end);
    return end != text && *end == '\0' && *seconds >= 0 && *seconds <= 86400; /* a day; not NaN either */
}

static bool name_list_add(struct name_list *list, const char *name) {
    if (list->count == SETTINGS_MOST)
        return false;
    list->names[list->count++] = name;
    return true;
}

static bool size_list_add(struct size_list *list, const char *text) {
    return list->count < SETTINGS_MOST && parse_size(text, &list->sizes[list->count++]);
}

static bool family_add(struct name_list *list, const char *name) {
    uint64_t word;
    uint8_t kind;
    pm_box box;
    const bool made = family_fill(name, 0, 1, &word) || text_is_made(name) || find_input_is_named(name) ||
                      scene_fill(name, 0, 1, &kind, &box);
    return made && name_list_add(list, name);
}

bool name_list_wants(const struct name_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return list->count == 0;
}

enum {
    OPTION_SUITE,
    OPTION_FAMILY,
    OPTION_N,
    OPTION_MOST,
    OPTION_BACKEND,
    OPTION_SIMD,
    OPTION_THREADS,
    OPTION_REPETITIONS,
    OPTION_SECONDS,
    OPTION_PIN,
    OPTION_PROFILE,
    OPTION_SEED,
    OPTION_LIST,
    OPTION_HELP
};

static const struct option options[] = {{"suite", required_argument, NULL, OPTION_SUITE},
                                        {"family", required_argument, NULL, OPTION_FAMILY},
                                        {"n", required_argument, NULL, OPTION_N},
                                        {"most", required_argument, NULL, OPTION_MOST},
                                        {"backend", required_argument, NULL, OPTION_BACKEND},
                                        {"simd", required_argument, NULL, OPTION_SIMD},
                                        {"threads", required_argument, NULL, OPTION_THREADS},
                                        {"repetitions", required_argument, NULL, OPTION_REPETITIONS},
                                        {"seconds", required_argument, NULL, OPTION_SECONDS},
                                        {"pin", required_argument, NULL, OPTION_PIN},
                                        {"profile", required_argument, NULL, OPTION_PROFILE},
                                        {"seed", required_argument, NULL, OPTION_SEED},
                                        {"list", no_argument, NULL, OPTION_LIST},
                                        {"help", no_argument, NULL, OPTION_HELP},
                                        {NULL, 0, NULL, 0}};

/* Takes one option; false for a value that is wrong. */
static bool settings_take(struct settings *settings, int option, const char *value) {
    uint64_t number = 0;
    bool right = true;
    switch (option) {
    case OPTION_SUITE:
        return name_list_add(&settings->suites, value);
    case OPTION_FAMILY:
        return family_add(&settings->families, value);
    case OPTION_N:
        return size_list_add(&settings->sizes, value);
    case OPTION_MOST:
        return parse_size(value, &settings->most);
    case OPTION_BACKEND:
        return name_list_add(&settings->backends, value);
    case OPTION_SIMD:
        settings->simd = value;
        return true;
    case OPTION_THREADS:
        right = parse_number(value, threads_most(), &number) && number > 0;
        settings->threads = (unsigned)number;
        return right;
    case OPTION_REPETITIONS:
        right = parse_number(value, REPETITIONS_MOST, &number) && number > 0;
        settings->sampling.repetitions = (unsigned)number;
        return right;
    case OPTION_SECONDS:
        return parse_seconds(value, &settings->sampling.seconds);
    case OPTION_PIN:
        right = parse_number(value, INT_MAX, &number);
        settings->pin = (int)number;
        return right;
    case OPTION_PROFILE:
        settings->profile = value;
        return true;
    case OPTION_SEED:
        return parse_number(value, UINT64_MAX, &settings->seed);
    case OPTION_LIST:
        return settings->list = true;
    default:
        return settings->help = true;
    }
}

bool settings_parse(int argc, char **argv, struct settings *settings) {
    *settings = (struct settings){
        .most = (size_t)1 << 24, .threads = 1, .sampling = {.repetitions = 0, .seconds = 0.2}, .pin = -1, .seed = 1};
    int index = 0;
    for (int option; (option = getopt_long(argc, argv, "", options, &index)) != -1;) {
        if (option == '?')
            return false; /* getopt has said why */
        if (!settings_take(settings, option, optarg))
            return complain(options[index].name, optarg);
    }
    if (optind < argc) {
        fprintf(stderr, "pm_bench: unexpected argument '%s'\n", argv[optind]);
        return false;
    }
    return true;
}
