/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_gpu_find: what each stage of a search for many patterns takes on a device, text and dictionary being there
 * already, by the device's own clock, and what all of them take together; beside the floor: reading the text. And
 * pm_find_gpu() from the host to the host. All hits are held against pm_find_seq().
 *
 * Prints a table, its columns parted by tabulators: times in microseconds, speed in 10^9 bytes of text a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/find_fixture.h"
#include "bench/gpu/table.h"
#include "bench/host_times.h"
#include "bench/stop.h"
#include "bench/suites/find_words.h"

enum {
    LEXICON = 60000,
    HOST_REPETITIONS = 7
};

static const char help[] =
    "usage: %s [KEY=VALUE]...\n"
    "Times each stage of a search for many patterns on a device, beside reading the text, and holds all hits against\n"
    "pm_find_seq().\n"
    "\n"
    "  mib=256    text, in MiB\n"
    "  reps=20    repetitions, of which the median counts\n"
    "  cpu=0      1: a CPU device will do\n"
    "  threads=0  that copy for pm_find_gpu(), at most; 0: as many as OpenMP gives\n";

static const char *const names[] = {"Helen",     "Achilles", "Ulysses", "Hector",    "Andromache",
                                    "Patroclus", "Ajax",     "Priam",   "Agamemnon", "Cassandra"};

static struct { unsigned mib, reps, cpu, threads; } options = {.mib = 256, .reps = 20};

static void option_read(const char *argument) {
    static const struct {
        const char *key;
        unsigned *value, least, most;
    } known[] = {{"mib=", &options.mib, 1, 3000},
                 {"reps=", &options.reps, 1, GPU_FIND_REPETITIONS},
                 {"cpu=", &options.cpu, 0, 1},
                 {"threads=", &options.threads, 0, 1024}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t length = strlen(known[k].key);
        if (strncmp(argument, known[k].key, length) != 0)
            continue;
        char *end;
        const unsigned long value = strtoul(argument + length, &end, 10);
        if (end == argument + length || *end != '\0' || value < known[k].least || value > known[k].most)
            stop(argument, "not a number that is possible here");
        *known[k].value = (unsigned)value;
        return;
    }
    stop(argument, "no such option");
}

/* ---- One set of patterns ---- */

/* The fastest of some calls, every one of them verified. */
static double host_us(pm_context *context, const pm_dict *dict, const char *text, size_t n, const pm_hit *expected,
                      size_t count) {
    pm_hit *const hits = malloc((count + 1) * sizeof *hits);
    double best = 0;
    if (!hits)
        stop("hits", "no memory");
    for (unsigned r = 0; r <= HOST_REPETITIONS; r++) {
        size_t found;
        memset(hits, 0, count * sizeof *hits);
        const double begin = host_clock_us();
        must(pm_find_gpu(context, dict, text, n, hits, count, &found), "pm_find_gpu");
        const double us = host_clock_us() - begin;
        if (found != count || memcmp(hits, expected, count * sizeof *hits) != 0)
            stop("pm_find_gpu", "the hits are wrong");
        if (r == 1 || us < best) /* the first call brings the dictionary there */
            best = us;
    }
    free(hits);
    return best;
}

static void run(pm_context *context, const char *what, const char *const *patterns, size_t patterns_count,
                const char *text, uint32_t n) {
    pm_dict *dict;
    size_t count;
    must(pm_dict_create(NULL, patterns, NULL, patterns_count, 0, &dict), "pm_dict_create");
    must(pm_find_auto(NULL, dict, text, n, NULL, 0, &count), "pm_find_auto");
    pm_hit *const expected = malloc((count + 1) * sizeof *expected);
    if (!expected)
        stop("hits", "no memory");
    must(pm_find_seq(NULL, dict, text, n, expected, count, &count), "pm_find_seq");
    if (gpu_find_bed_prepare(dict) != count || memcmp(gpu_find_bed_hits(), expected, count * sizeof *expected) != 0)
        stop(what, "the hits are wrong");
    double us[GPU_FIND_STAGES];
    const double all = gpu_find_bed_time(options.reps), floor = gpu_find_bed_time_floor(options.reps);
    gpu_find_bed_time_stages(options.reps, us);
    const double host = host_us(context, dict, text, n, expected, count);
    printf("%s\t%u\t%zu\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.3f\t%.1f\t%.2f\tverified\n", what, n, count,
           us[GPU_FIND_SEARCH], us[GPU_FIND_SCAN], us[GPU_FIND_WRITE], all, floor, n / all * 1e-3, floor / all, host,
           n / host * 1e-3);
    fflush(stdout);
    free(expected);
    pm_dict_destroy(dict);
}

static void run_words(pm_context *context, const find_words *words, size_t count, const char *text, uint32_t n) {
    const char **const picked = malloc(count * sizeof *picked);
    char what[32];
    if (!picked)
        stop("words", "no memory");
    snprintf(what, sizeof what, "%zu words", count);
    find_words_pick(words, count, picked, count);
    run(context, what, picked, count, text, n);
    free(picked);
}

int main(int argc, char **argv) {
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--help") == 0)
            return printf(help, argv[0]), EXIT_SUCCESS;
        option_read(argv[a]);
    }
    const pmi_gpu_settings settings = {.allow_cpu_device = options.cpu};
    const pm_options asked = {.struct_size = sizeof asked, .threads = options.threads, .allow_cpu_device = options.cpu};
    const uint32_t n = options.mib << 20;
    pm_context *context;
    must(gpu_find_bed_open(&settings), "opening the device");
    must(pm_context_create(&asked, &context), "pm_context_create");
    find_words words = find_words_make(1, LEXICON);
    char *const text = malloc(n);
    if (!text)
        stop("the text", "no memory");
    find_words_text(&words, 1, text, n);
    for (size_t i = 0; i + 64 < n; i += (size_t)1 << 18) { /* a name here and there */
        const char *const name = names[i >> 18 & 7];
        memcpy(text + i, name, strlen(name));
    }
    gpu_find_bed_load(text, n);
    gpu_table_begin(argc, argv, NULL);
    printf("# %s\n", gpu_find_bed_name());
    printf("patterns\tn\thits\tsearch_us\tscan_us\twrite_us\tall_us\tfloor_us\tGB_s\tshare_of_floor\thost_us\thost_GB_"
           "s\tverified\n");
    run(context, "10 names", names, sizeof names / sizeof *names, text, n);
    run_words(context, &words, 100, text, n);
    run_words(context, &words, 1000, text, n);
    run_words(context, &words, 10000, text, n);
    pm_context_destroy(context);
    gpu_find_bed_close();
    find_words_clear(&words);
    free(text);
    return 0;
}
