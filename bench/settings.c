/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of pm_bench. */
#include "bench/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/load.h"
#include "bench/machine.h"
#include "bench/suites/find_inputs.h"
#include "bench/suites/pieces.h"
#include "bench/suites/suite.h"
#include "bench/suites/texts.h"
#include "inputs/families.h"
#include "inputs/scenes.h"

const char settings_help[] =
    "usage: pm_bench [option]...\n"
    "Times parenmatch and what the memory allows; prints one JSON object a line.\n"
    "\n"
    "Options marked * may be repeated.\n"
    "  --suite NAME      * a suite (default: all)\n"
    "  --family NAME     * a family of inputs, as in inputs/families.h; for the suites structure and\n"
    "                      text, one of bench/suites/texts.h; for the suite word, either; for the suite boxes,\n"
    "                      a scene as in inputs/scenes.h; for the suite find, one of bench/suites/find_inputs.h\n"
    "                      (default: the suite's)\n"
    "  --n N             * elements, as a number or as 2^K (default: the suite's)\n"
    "  --most N            limits the suite's own sizes to N elements (default 2^24)\n"
    "  --backend NAME    * a backend (default: all but gpu); of the suite find auto, auto/leftmost, omp,\n"
    "                      dict, an engine or a peer; of the suite bp an index, such as bp, or one of\n"
    "                      its lines, such as find_close/bp/many\n"
    "  --simd NAME         backends with this instruction set only\n"
    "  --threads N         threads of the backends that have threads, and of their floor (default 1)\n"
    "  --repetitions R     samples of each case (default: as many as --seconds allows, 5 at least)\n"
    "  --seconds S         time for each case (default 0.2); a search takes ten times as long\n"
    "  --pin CPU           run on this CPU; N threads on this and the N - 1 that follow it\n"
    "  --load N            start N processes that keep cores busy, and compare with the same call while they\n"
    "                      stand still, instead of the floor; and compare the floor in this way\n"
    "  --profile PATH      a profile of 'parenmatch tune', for auto to use\n"
    "  --seed N            of the random families (default 1)\n"
    "  --list              print the suites, backends, floors and families, and exit\n"
    "  --help              print this, and exit\n"
    "\n"
    "Exit status: 0 every timed output was verified, 1 one was wrong, 2 usage, no memory or no device.\n";

/* N or 2^K, no more than the library takes. */
static bool parse_size(const char *text, size_t *size) {
    const bool power = strncmp(text, "2^", 2) == 0;
    uint64_t number;
    const bool parsed = power ? parse_number(text + 2, 31, &number) : parse_number(text, UINT32_MAX, &number);
    *size = parsed ? (size_t)(power ? UINT64_C(1) << number : number) : 0;
    return parsed;
}

static bool take_size(const struct option_known *option, const char *value) {
    return parse_size(value, option->to);
}

static bool take_sizes(const struct option_known *option, const char *value) {
    struct size_list *const list = option->to;
    return list->count < NAMES_MOST && parse_size(value, &list->sizes[list->count++]);
}

static bool take_seconds(const struct option_known *option, const char *value) {
    double *const seconds = option->to;
    char *end;
    *seconds = strtod(value, &end);
    return end != value && *end == '\0' && *seconds >= 0 && *seconds <= 86400; /* a day; not NaN either */
}

static bool take_family(const struct option_known *option, const char *value) {
    uint64_t word;
    uint8_t kind;
    pm_box box;
    const bool made = family_fill(value, 0, 1, &word) || text_is_made(value) || find_input_is_named(value) ||
                      scene_fill(value, 0, 1, &kind, &box) || piece_is_family(value);
    return made && take_name(option, value);
}

bool settings_parse(int argc, char **argv, const struct option_known *own, struct settings *settings) {
    unsigned pin = UINT_MAX;
    *settings = (struct settings){
        .most = (size_t)1 << 24, .threads = 1, .sampling = {.repetitions = 0, .seconds = 0.2}, .seed = 1};
    const struct option_known known[] = {
        {.name = "suite", .take = take_name, .to = &settings->suites},
        {.name = "family", .take = take_family, .to = &settings->families},
        {.name = "n", .take = take_sizes, .to = &settings->sizes},
        {.name = "most", .take = take_size, .to = &settings->most},
        {.name = "backend", .take = take_name, .to = &settings->backends},
        {.name = "simd", .take = take_text, .to = &settings->simd},
        {.name = "threads", .take = take_number, .to = &settings->threads, .least = 1, .most = threads_most()},
        {.name = "repetitions",
         .take = take_number,
         .to = &settings->sampling.repetitions,
         .least = 1,
         .most = REPETITIONS_MOST},
        {.name = "seconds", .take = take_seconds, .to = &settings->sampling.seconds},
        {.name = "pin", .take = take_number, .to = &pin, .most = INT_MAX},
        {.name = "load", .take = take_number, .to = &settings->load, .most = LOAD_MOST},
        {.name = "profile", .take = take_text, .to = &settings->profile},
        {.name = "seed", .take = take_large_number, .to = &settings->seed, .most = UINT64_MAX},
        {.name = "list", .take = take_flag, .to = &settings->list},
        {.name = "help", .take = take_flag, .to = &settings->help},
        own ? *own : (struct option_known){0},
    };
    const bool parsed = options_parse(argc, argv, known, sizeof known / sizeof *known - (own ? 0 : 1));
    settings->pin = pin == UINT_MAX ? -1 : (int)pin;
    return parsed;
}
