/* SPDX-License-Identifier: Apache-2.0 */
/* pm_bench_gpu: the suites asked for, one after another. A suite is a line in the table and a file. */
#include "bench/gpu/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shaders/shared/layout.h"

static const struct gpu_suite *const suites[] = {&gpu_suite_match, &gpu_suite_resident, &gpu_suite_boxes,
                                                 &gpu_suite_scan,  &gpu_suite_find,     &gpu_suite_structure,
                                                 &gpu_suite_worst, &gpu_suite_batch,    &gpu_suite_json};

#define SUITES (sizeof suites / sizeof *suites)

static const char help[] =
    "usage: pm_bench_gpu [option]...\n"
    "Times a device and what its memory allows, by its own clock, and verifies what it timed. Prints a table a suite,\n"
    "columns separated by tabs: times in microseconds, speeds in 10^9 items a second.\n"
    "\n"
    "Options marked * may be repeated.\n"
    "  --suite NAME      * a suite (default: all; see --list)\n"
    "  --from K --to K     sizes: 2^K elements, or bytes of text, 2^32 standing for 2^32 - 1 (default 20 to 28,\n"
    "                      or what the suite can do)\n"
    "  --step K            every K-th size, down from the largest (default 4)\n"
    "  --family NAME     * an input (default: the suite's; see --list)\n"
    "  --repetitions R     of which the median counts (default 20, at most 100)\n"
    "  --device NAME       as pm_options.device; several names are for --suite resident and --host alone\n"
    "  --cpu               a CPU device will do\n"
    "  --queue NAME        compute (default) or graphics\n"
    "  --teams NAME        any (default), subgroup or workgroup\n"
    "  --stack N           entries of the stack of a workgroup of levels: 1024, 512, or 0 (default): 512 for the\n"
    "                      graphics queue alone\n"
    "  --threads N         that copy between host and device, at most (default: as many as OpenMP gives)\n"
    "  --list              print the suites with their inputs, and exit\n"
    "  --help              print this, and exit\n"
    "\n"
    "Of the suite match:\n"
    "  --pipeline NAME     that one alone, as pm_pipeline_at() names it (default: each, up to its limit)\n"
    "  --host              pm_match_gpu() alone, from host memory to host memory; the floor is the download\n"
    "\n"
    "Of the suites match and boxes:\n"
    "  --spirv FOLDER    * also with the shaders there: levels_*.spv, or boxes_*.spv of reduce, match, fix,\n"
    "                      slices_direct and slices_match; at most 16 folders, taken in turn for each input; one\n"
    "                      that is WRONG is timed all the same\n"
    "\n"
    "Of the suite worst:\n"
    "  --seconds S         of the search from each family (default 5); one input more is measured to its end\n"
    "\n"
    "Of the suite scan:\n"
    "  --scan NAME         that one alone\n"
    "  --tile N --piece N  nodes of a tile, blocks of a piece, as in gpu/device/settings.h\n"
    "\n"
    "Exit status: 0 every result was verified, 1 one was wrong, 2 usage, no memory or no device.\n";

enum {
    UNSET = 99 /* a size that the command line does not name */
};

struct gpu_options gpu_options = {.from = UNSET, .to = UNSET, .step = 4, .repetitions = 20, .seconds = 5};

static bool wrong; /* has any result been? */

/* ---- The command line ---- */

static bool suite_exists(const char *name) {
    for (size_t s = 0; s < SUITES; s++)
        if (strcmp(suites[s]->name, name) == 0)
            return true;
    return false;
}

/* Stops the program where the command line is wrong. */
static void options_read(int argc, char **argv) {
    pmi_gpu_settings *const settings = &gpu_options.settings;
    unsigned queue = 0, stack = 0, teams = PM_TEAM_ANY, tile = 0, piece = 0;
    const struct option_known known[] = {
        {.name = "suite", .take = take_name, .to = &gpu_options.suites},
        {.name = "family", .take = take_name, .to = &gpu_options.families},
        {.name = "spirv", .take = take_name, .to = &gpu_options.spirv, .most = GPU_VARIANTS_MOST},
        {.name = "pipeline", .take = take_text, .to = &gpu_options.pipeline},
        {.name = "scan", .take = take_text, .to = &gpu_options.scan},
        {.name = "device", .take = take_text, .to = &settings->device},
        {.name = "from", .take = take_number, .to = &gpu_options.from, .most = 32},
        {.name = "to", .take = take_number, .to = &gpu_options.to, .most = 32},
        {.name = "step", .take = take_number, .to = &gpu_options.step, .least = 1, .most = 32},
        {.name = "repetitions",
         .take = take_number,
         .to = &gpu_options.repetitions,
         .least = 1,
         .most = GPU_REPETITIONS_MOST},
        {.name = "threads", .take = take_number, .to = &gpu_options.threads, .most = 1024},
        {.name = "seconds", .take = take_number, .to = &gpu_options.seconds, .most = 3600},
        {.name = "tile", .take = take_number, .to = &tile, .most = 256},
        {.name = "piece", .take = take_number, .to = &piece, .most = 1 << 20},
        {.name = "queue", .take = take_word, .to = &queue, .words = {"compute", "graphics"}},
        {.name = "stack", .take = take_word, .to = &stack, .words = {"0", "512", "1024"}},
        {.name = "teams",
         .take = take_word,
         .to = &teams,
         .words = {[PM_TEAM_ANY] = "any", [PM_TEAM_SUBGROUP] = "subgroup", [PM_TEAM_WORKGROUP] = "workgroup"}},
        {.name = "cpu", .take = take_flag, .to = &settings->allow_cpu_device},
        {.name = "host", .take = take_flag, .to = &gpu_options.host},
        {.name = "list", .take = take_flag, .to = &gpu_options.list},
        {.name = "help", .take = take_flag, .to = &gpu_options.help},
    };
    if (!options_parse(argc, argv, known, sizeof known / sizeof *known))
        exit(OUTCOME_FAILED);
    for (size_t i = 0; i < gpu_options.suites.count; i++)
        if (!suite_exists(gpu_options.suites.names[i]))
            stop(gpu_options.suites.names[i], "no such suite (see --list)");
    settings->graphics_queue = queue == 1;
    settings->match_stack = (const size_t[]){0, PM_TILE / 2, PM_TILE}[stack];
    settings->team_kind = (pmi_team_kind)teams;
    settings->tile_nodes = tile;
    settings->piece_blocks = piece;
}

static void list_everything(void) {
    puts("suites, with the inputs that each takes by default");
    for (size_t s = 0; s < SUITES; s++) {
        printf("  %-10s%s\n%12s", suites[s]->name, suites[s]->description, "");
        for (const char *const *family = suites[s]->families; *family; family++)
            printf("%s%s", *family, family[1] ? ", " : "\n");
    }
}

/* ---- Tables ---- */

/* Lines that say what made the table: the command as typed, without the folder of the program, the date, and the
 * library's version; and the device. */
static void table_begin(int argc, char *const *argv, const gpu_timing *timing, const char *columns) {
    const char *const slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const time_t now = time(NULL);
    const struct tm *const utc = gmtime(&now);
    char date[32] = "";
    printf("#");
    for (int a = 0; a < argc; a++)
        printf(" %s", a == 0 && slash ? slash + 1 : argv[a]);
    if (utc)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", utc);
    printf("\n# %s, version %s\n", date, pm_version_string());
    if (timing)
        printf("# %s, queue family %u, teams are %ss\n", timing->device.name, timing->device.queue_family,
               timing->device.can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup");
    puts(columns);
}

const char *gpu_verdict_word(enum gpu_verdict verdict) {
    static const char *const words[] = {"WRONG", "verified", ""};
    wrong |= verdict == GPU_WRONG;
    return words[verdict];
}

void gpu_row(const gpu_times *times, double n, enum gpu_verdict verdict, const char *format, ...) {
    va_list first;
    va_start(first, format);
    vprintf(format, first);
    va_end(first);
    for (unsigned stage = 0; stage < times->stages; stage++)
        if (isnan(times->stage_us[stage]))
            putchar('\t');
        else
            printf("\t%.1f", times->stage_us[stage]);
    printf("\t%.1f\t%.1f\t%.2f\t%.3f", times->all_us, times->floor_us, n / times->all_us * 1e-3,
           times->floor_us / times->all_us);
    if (times->host_us > 0)
        printf("\t%.1f\t%.2f", times->host_us, n / times->host_us * 1e-3);
    printf("\t%s\n", gpu_verdict_word(verdict));
    fflush(stdout);
}

/* ---- For the suites ---- */

enum {
    PATH_MOST = 1024,
    WORDS_MOST = 1 << 20
};

uint32_t *gpu_variant_read(const pmi_device *device, const char *folder, const char *name, size_t *bytes) {
    const char *const kind = device->can.team_kind == PM_TEAM_SUBGROUP ? "subgroup" : "workgroup";
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s/%s_%s.spv", folder, name, kind);
    FILE *const file = fopen(path, "rb");
    if (!file)
        return NULL;
    uint32_t *const words = must_allocate(WORDS_MOST * sizeof *words);
    const size_t count = fread(words, sizeof *words, WORDS_MOST, file);
    if (count == 0 || count == WORDS_MOST || ferror(file))
        stop(path, "not read");
    fclose(file);
    *bytes = count * sizeof *words;
    return words;
}

pm_context *gpu_context_create(const char *device) {
    const pm_options asked = {.struct_size = sizeof asked,
                              .threads = gpu_options.threads,
                              .device = device,
                              .allow_cpu_device = gpu_options.settings.allow_cpu_device};
    pm_context *context;
    must(pm_context_create(&asked, &context), "pm_context_create");
    return context;
}

/* ---- The suites ---- */

static uint32_t elements(unsigned log) {
    return log < 32 ? UINT32_C(1) << log : UINT32_MAX;
}

static void families_run(const struct gpu_suite *suite, uint32_t n) {
    if (suite->begin)
        suite->begin(n);
    for (size_t f = 0; f < gpu_options.families.count; f++)
        suite->run(gpu_options.families.names[f], n);
    for (size_t f = 0; gpu_options.families.count == 0 && suite->families[f]; f++)
        suite->run(suite->families[f], n);
}

static void suite_run(const struct gpu_suite *suite, int argc, char *const *argv) {
    const unsigned to = gpu_options.to != UNSET ? gpu_options.to : suite->log_most < 28 ? suite->log_most : 28;
    const unsigned from = gpu_options.from != UNSET ? gpu_options.from : suite->log_from;
    if (from < suite->log_least || to > suite->log_most || from > to) {
        char sizes[64];
        snprintf(sizes, sizeof sizes, "from 2^%u to 2^%u is possible here", suite->log_least, suite->log_most);
        stop("sizes", sizes);
    }
    table_begin(argc, argv, suite->open(elements(to)), suite->columns);
    families_run(suite, elements(to));
    for (unsigned log = to; log >= from + gpu_options.step;)
        families_run(suite, elements(log -= gpu_options.step));
    suite->close();
}

int main(int argc, char **argv) {
    options_read(argc, argv);
    if (gpu_options.help)
        fputs(help, stdout);
    else if (gpu_options.list)
        list_everything();
    if (gpu_options.help || gpu_options.list)
        return OUTCOME_VERIFIED;
    for (size_t s = 0; s < SUITES; s++)
        if (name_list_wants(&gpu_options.suites, suites[s]->name))
            suite_run(suites[s], argc, argv);
    return wrong ? OUTCOME_WRONG : OUTCOME_VERIFIED;
}
