/* SPDX-License-Identifier: Apache-2.0 */
/* Options as KEY=VALUE. */
#include "bench/gpu/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/match_fixture.h"
#include "bench/stop.h"
#include "shaders/shared/layout.h"

static const char help[] =
    "usage: %s [KEY=VALUE]...\n"
    "Times a device, beside what its memory allows, and verifies what it timed.\n"
    "\n"
    "  from=20 to=%u     sizes: 2^from to 2^to elements, 2^32 standing for 2^32 - 1\n"
    "  step=4            every fourth of them, down from the largest\n"
    "  family=NAME,...   these inputs alone (see inputs/families.h, or for boxes inputs/scenes.h)\n"
    "  reps=20           repetitions, of which the median counts\n"
    "  device=NAME       as pm_options.device; pm_bench_devices must be given it. Several names are for that\n"
    "                    program and host=1 alone\n"
    "  cpu=0             1: a CPU device will do\n"
    "  queue=compute     or graphics\n"
    "  teams=any         or subgroup, workgroup\n"
    "  stack=0           entries of the stack of a workgroup of levels: 1024, 512, or 0: 512 for the graphics\n"
    "                    queue alone\n"
    "\n"
    "Of pm_bench_gpu:\n"
    "  pipeline=NAME     that one alone (see pm_pipeline_at()); else each of them, up to its limit\n"
    "  host=0            1: pm_match_gpu() alone, from host memory to host memory; the floor is bringing the\n"
    "                    match down\n"
    "  threads=0         that copy for pm_match_gpu(), at most; 0: as many as OpenMP gives\n"
    "\n"
    "Of pm_bench_gpu and pm_bench_gpu_boxes:\n"
    "  spirv=FOLDER      as well with the shaders that lie there as levels_*.spv, or as boxes_reduce_*.spv,\n"
    "                    boxes_match_*.spv and boxes_fix_*.spv (made by shaders/compile.sh WORDS FOLDER); up to\n"
    "                    16 folders, each family by one after the other; one that is WRONG is timed all the\n"
    "                    same, and the program's status is 1\n"
    "\n"
    "Of pm_bench_gpu_scan:\n"
    "  scan=NAME         that one alone\n"
    "  tile=0 piece=0    nodes of a tile, blocks of a piece, as in gpu/device/settings.h\n";

/* The value of an argument with this key; NULL if it has another. */
static const char *value_of(const char *argument, const char *key) {
    const size_t length = strlen(key);
    return strncmp(argument, key, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static unsigned number(const char *argument, const char *value, unsigned most) {
    char *end;
    const unsigned long parsed = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || parsed > most)
        stop(argument, "not a number that is possible here");
    return (unsigned)parsed;
}

/* Which of some words the value is. */
static unsigned choice(const char *argument, const char *value, const char *const *words) {
    for (unsigned k = 0; words[k]; k++)
        if (strcmp(value, words[k]) == 0)
            return k;
    stop(argument, "none of the values that it can have");
    return 0;
}

/* Parted by commas; as long as the program runs. */
static const char *const *names(const char *value) {
    size_t count = 1;
    for (const char *at = value; *at; at++)
        count += *at == ',';
    const char **const list = calloc(count + 1, sizeof *list);
    char *const copy = malloc(strlen(value) + 1);
    if (!list || !copy)
        stop("options", "no memory");
    strcpy(copy, value);
    size_t k = 0;
    for (char *at = copy; at; at = strchr(at, ',')) {
        if (k > 0)
            *at++ = '\0';
        list[k++] = at;
    }
    return list;
}

static void option_read(gpu_options *options, const char *argument) {
    static const char *const queues[] = {"compute", "graphics", NULL};
    static const char *const stacks[] = {"0", "512", "1024", NULL};
    static const char *const teams[] = {
        [PM_TEAM_ANY] = "any", [PM_TEAM_SUBGROUP] = "subgroup", [PM_TEAM_WORKGROUP] = "workgroup", NULL};
    const char *value;
    if ((value = value_of(argument, "from")))
        options->from = number(argument, value, 32);
    else if ((value = value_of(argument, "to")))
        options->to = number(argument, value, 32);
    else if ((value = value_of(argument, "step")))
        options->step = number(argument, value, 32);
    else if ((value = value_of(argument, "reps")))
        options->reps = number(argument, value, GPU_BED_REPETITIONS);
    else if ((value = value_of(argument, "family")))
        options->families = names(value);
    else if ((value = value_of(argument, "spirv"))) {
        if (options->variants == GPU_VARIANTS_MOST)
            stop(argument, "too many of them");
        options->spirv[options->variants++] = value;
    } else if ((value = value_of(argument, "scan")))
        options->scan = value;
    else if ((value = value_of(argument, "tile")))
        options->settings.tile_nodes = number(argument, value, 256);
    else if ((value = value_of(argument, "piece")))
        options->settings.piece_blocks = number(argument, value, 1 << 20);
    else if ((value = value_of(argument, "pipeline"))) {
        pmi_pipeline_id id;
        if (!pmi_pipeline_by_name(value, &id))
            stop(argument, "no such pipeline");
        options->pipeline = value;
    } else if ((value = value_of(argument, "cpu")))
        options->settings.allow_cpu_device = number(argument, value, 1);
    else if ((value = value_of(argument, "device")))
        options->settings.device = value;
    else if ((value = value_of(argument, "host")))
        options->host = number(argument, value, 1);
    else if ((value = value_of(argument, "threads")))
        options->threads = number(argument, value, 1024);
    else if ((value = value_of(argument, "queue")))
        options->settings.graphics_queue = choice(argument, value, queues) == 1;
    else if ((value = value_of(argument, "stack")))
        options->settings.match_stack = (size_t[]){0, PM_TILE / 2, PM_TILE}[choice(argument, value, stacks)];
    else if ((value = value_of(argument, "teams")))
        options->settings.team_kind = (pmi_team_kind)choice(argument, value, teams);
    else
        stop(argument, "no such option");
}

gpu_options options_read(int argc, char **argv, unsigned least, unsigned most) {
    gpu_options options = {.from = 20, .to = most < 28 ? most : 28, .step = 4, .reps = 20};
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--help") == 0) {
            printf(help, argv[0], options.to);
            exit(EXIT_SUCCESS);
        }
        option_read(&options, argv[a]);
    }
    if (options.step == 0 || options.reps == 0 || options.from > options.to)
        stop("options", "nothing to measure");
    if (options.from < least || options.to > most) {
        char sizes[64];
        snprintf(sizes, sizeof sizes, "from 2^%u to 2^%u is possible here", least, most);
        stop("sizes", sizes);
    }
    return options;
}
