/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite find: each stage of a search for many patterns and all together, text and dictionary being on the device; the
 * floor is reading the text. And pm_find_gpu() from host to host. All hits are compared with those of pm_find_seq().
 * Sizes are bytes of text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "bench/suites/find_words.h"
#include "gpu/find/pfac.h"

enum {
    LEXICON = 60000,
    HOST_REPETITIONS = 7,
    NAMES = 10
};

enum stage {
    SEARCH,
    SCAN,
    WRITE,
    STAGES
};

/* Ten names, or that many words of the text's. */
static const char *const families[] = {"names", "words:100", "words:1000", "words:10000", NULL};

static const char *const names[NAMES] = {"Helen",     "Achilles", "Ulysses", "Hector",    "Andromache",
                                         "Patroclus", "Ajax",     "Priam",   "Agamemnon", "Cassandra"};

static struct bench {
    gpu_timing timing;
    pmi_staging_ring ring; /* which dictionaries are uploaded through */
    pmi_pfac pfac;
    pmi_pfac_dicts dicts;
    const pmi_pfac_dict *dict;
    pmi_buffer text, scratch, hits, total;
    pmi_pfac_parameters parameters;
    uint32_t hit_count;
    pm_context *context; /* from here on: on the host */
    find_words words;
    char *bytes;
} bench;

/* What pm_find_seq() finds. */
typedef struct expected {
    const pm_dict *dict;
    pm_hit *hits;
    size_t count;
} expected;

/* ---- On the device ---- */

static void record_stage(unsigned stage, const void *of) {
    const pmi_device *const device = &bench.timing.device;
    const VkCommandBuffer commands = bench.timing.commands;
    (void)of;
    if (stage == SEARCH)
        pmi_pfac_record_search(device, commands, &bench.pfac, bench.dict, bench.parameters);
    else if (stage == SCAN)
        pmi_pfac_record_scan(device, commands, &bench.pfac, bench.parameters);
    else
        pmi_pfac_record_write(device, commands, &bench.pfac, bench.dict, bench.parameters, 0, bench.hit_count);
    pmi_shader_barrier(device, commands);
}

/* Uploads the dictionary, finds how many hits there are, and makes room for them. */
static void prepare(const pm_dict *dict, uint32_t n) {
    const pmi_device *const device = &bench.timing.device;
    must(pmi_pfac_dicts_get(device, &bench.ring, &bench.dicts, dict, &bench.dict), "the dictionary");
    if (n > pmi_pfac_places_max(device, bench.dict))
        stop("the text", "too long for one search");
    gpu_timing_reserve(&bench.timing, pmi_pfac_scratch_bytes(bench.dict, n), &bench.scratch);
    pmi_pfac_text text = {.text = bench.text.address,
                          .n = n,
                          .places = n,
                          .scratch = bench.scratch.address,
                          .total = bench.total.address};
    bench.parameters = pmi_pfac_parameters_make(bench.dict, &text);
    gpu_timing_once(&bench.timing, record_stage, WRITE, NULL);
    bench.hit_count = *(const uint32_t *)bench.total.mapped;
    gpu_timing_reserve(&bench.timing, (uint64_t)bench.hit_count * sizeof(pm_hit), &bench.hits);
    text.hits = bench.hits.address;
    bench.parameters = pmi_pfac_parameters_make(bench.dict, &text);
}

static enum gpu_verdict verify(const expected *e) {
    const size_t bytes = e->count * sizeof(pm_hit);
    if (bench.hit_count != e->count)
        return GPU_WRONG;
    pm_hit *const hits = must_allocate(bytes);
    gpu_timing_once(&bench.timing, record_stage, STAGES, NULL);
    gpu_timing_download(&bench.timing, &bench.hits, bytes, hits);
    const bool right = memcmp(hits, e->hits, bytes) == 0;
    free(hits);
    return right ? GPU_VERIFIED : GPU_WRONG;
}

/* ---- From host to host ---- */

/* The time of the fastest call; all are verified. */
static double host_us(const expected *e, uint32_t n, enum gpu_verdict *verdict) {
    const size_t bytes = e->count * sizeof(pm_hit);
    pm_hit *const hits = must_allocate(bytes);
    double best = 0;
    for (unsigned r = 0; r <= HOST_REPETITIONS; r++) {
        size_t found;
        memset(hits, 0, bytes);
        const uint64_t begin = clock_now();
        must(pm_find_gpu(bench.context, e->dict, bench.bytes, n, hits, e->count, &found), "pm_find_gpu");
        const double us = (double)(clock_now() - begin) * 1e-3;
        if (found != e->count || memcmp(hits, e->hits, bytes) != 0)
            *verdict = GPU_WRONG;
        if (r == 1 || us < best) /* the first call uploads the dictionary */
            best = us;
    }
    free(hits);
    return best;
}

/* ---- A set of patterns ---- */

static pm_dict *dict_create(const char *family) {
    const size_t prefix = strlen("words:");
    const bool words = strncmp(family, "words:", prefix) == 0;
    const size_t count = words ? strtoul(family + prefix, NULL, 10) : NAMES;
    const char **const picked = must_allocate(count * sizeof *picked);
    pm_dict *dict;
    if (words && count > 0)
        find_words_pick(&bench.words, count, picked, count);
    else if (strcmp(family, "names") == 0)
        memcpy(picked, names, sizeof names);
    else
        stop(family, "no such family");
    must(pm_dict_create(NULL, picked, NULL, count, 0, &dict), "pm_dict_create");
    free(picked);
    return dict;
}

static void run(const char *family, uint32_t n) {
    pm_dict *const dict = dict_create(family);
    expected e = {.dict = dict};
    must(pm_find_auto(NULL, dict, bench.bytes, n, NULL, 0, &e.count), "pm_find_auto");
    e.hits = must_allocate(e.count * sizeof *e.hits);
    must(pm_find_seq(NULL, dict, bench.bytes, n, e.hits, e.count, &e.count), "pm_find_seq");
    prepare(dict, n);
    enum gpu_verdict verdict = verify(&e);
    gpu_times times = gpu_timing_take(&bench.timing, gpu_options.repetitions, record_stage, STAGES, NULL);
    times.floor_us = gpu_timing_read_us(&bench.timing, gpu_options.repetitions, &bench.text, n, &bench.total);
    times.host_us = host_us(&e, n, &verdict);
    gpu_row(&times, n, verdict, "%s\t%u\t%zu", family, n, e.count);
    free(e.hits);
    pm_dict_destroy(dict);
}

/* A text of words, with a name in it now and then. */
static void begin(uint32_t n) {
    find_words_text(&bench.words, 1, bench.bytes, n);
    for (size_t i = 0; i + 64 < n; i += (size_t)1 << 18) {
        const char *const name = names[i >> 18 & 7];
        memcpy(bench.bytes + i, name, strlen(name));
    }
    gpu_timing_upload(&bench.timing, bench.bytes, n, &bench.text);
}

static gpu_timing *bench_open(uint32_t n) {
    const pmi_device *const device = &bench.timing.device;
    gpu_timing_open(&gpu_options.settings, &bench.timing);
    must(pmi_staging_ring_create(device, &gpu_options.settings, &bench.ring), "commands");
    must(pmi_pfac_create(device, &bench.pfac), "kernels");
    must(pmi_buffer_create(device, PM_MEMORY_DOWNLOAD, 16, &bench.total), "memory of the host");
    gpu_timing_reserve(&bench.timing, (uint64_t)n + PM_PFAC_TEXT_BEYOND, &bench.text);
    bench.context = gpu_context_create(gpu_options.settings.device);
    bench.words = find_words_make(1, LEXICON);
    bench.bytes = must_allocate(n);
    return &bench.timing;
}

static void bench_close(void) {
    const pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.text, &bench.scratch, &bench.hits, &bench.total};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_pfac_dicts_clear(device, &bench.dicts);
    pmi_pfac_destroy(device, &bench.pfac);
    pmi_staging_ring_destroy(device, &bench.ring);
    gpu_timing_close(&bench.timing);
    pm_context_destroy(bench.context);
    find_words_clear(&bench.words);
    free(bench.bytes);
}

const struct gpu_suite gpu_suite_find = {
    .name = "find",
    .description = "searches for many patterns, stage by stage; the floor is reading the text",
    .columns = "patterns\tn\thits\tsearch_us\tscan_us\twrite_us\tall_us\tfloor_us\tGB_s\tshare_of_floor\thost_us\t"
               "host_GB_s\tverified",
    .families = families,
    .log_least = 10,
    .log_most = 31,
    .log_from = 28,
    .open = bench_open,
    .begin = begin,
    .run = run,
    .close = bench_close};
