/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pm_bench_gpu_structure: what each stage from a text to its structure takes on a device, the text being there already,
 * by the device's own clock, and what all of them take together; beside the floor: reading the text. And
 * pm_delimiters_scan_gpu() from the host to the host. Tokens, match and summary are held against those that the host
 * finds.
 *
 * See bench/gpu/options.h for the options; sizes are bytes of text, and `family` is one of bench/suites/texts.h.
 *
 * Prints a table, its columns parted by tabulators: times in microseconds, speed in 10^9 bytes of text a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/table.h"
#include "bench/gpu/timing.h"
#include "bench/host_times.h"
#include "bench/suites/texts.h"
#include "gpu/delimiters/tokenizer.h"
#include "shaders/spv/match.h"

enum {
    BLOCK = 1 << 24, /* bytes of text that are made, and then repeated */
    HOST_CALLS = 4
};

enum stage {
    LETTERS,
    REDUCE,
    SCAN,
    MARK,
    COUNT,
    CLEAR,
    WRITE,
    MATCH,
    NAMES, /* all stages of theirs */
    CHECK,
    TELL,
    STAGES
};

static const char *const families[] = {"json", "minified", "soup", "sql", "pascal", "xml", NULL};

/* Rules for a text, of languages what a device can follow; others have their own. */
static const struct {
    const char *family, *rules;
} subjects[] = {
    {"json", "pair [ ]\npair { }\nstring \" \\\n"},
    {"minified", "pair [ ]\npair { }\nstring \" \\\n"},
    {"soup", "pair ( )\npair [ ]\npair { }\n"},
    {"pascal", "ignore-case\nline //\nskip { }\nskip (* *)\nstring '\npair ( )\npair [ ]\nword repeat until\n"
               "word begin end\nword case end\nword record end\nword try end\nword class end\nword object end\n"},
};

#define SUBJECTS (sizeof subjects / sizeof *subjects)

static gpu_options options;

/* What the host finds. */
typedef struct expected {
    size_t count;
    uint64_t *parens, *positions;
    uint32_t *kinds, *match;
    pm_check_summary summary;
} expected;

static struct bench {
    gpu_timing timing;
    pmi_kernel floor;
    pmi_indirect planned;
    pmi_tokenizer tokenizer;
    pmi_buffer text, tables, scratch, matching, result, parens, positions, kinds, match, dispatches;
    char *bytes; /* of the host */
    pmi_tokenizer_task task;
    pmi_plans plans; /* of the check, as the match leaves them */
} bench;

static void *host_make(size_t count, size_t size) {
    void *const made = malloc(count * size + 1);
    if (!made)
        stop("memory", "none");
    return made;
}

/* ---- What is timed ---- */

static pmi_plans plans_begin(void) {
    return (pmi_plans){.buffer = bench.dispatches.handle, .address = bench.dispatches.address};
}

static void record_stage(unsigned stage, const void *of) {
    const pmi_device *const device = &bench.timing.device;
    const VkCommandBuffer commands = bench.timing.commands;
    const pmi_tokenizer *const tokenizer = &bench.tokenizer;
    const pmi_structure_parameters p = pmi_tokenizer_parameters_make(tokenizer, &bench.task);
    (void)of;
    switch ((enum stage)stage) {
    case LETTERS:
        pmi_tokenizer_record_letters(device, commands, tokenizer, &bench.task);
        break;
    case REDUCE:
        pmi_tokenizer_record_reduce(device, commands, tokenizer, p, 0, pmi_tokenizer_groups(p.n));
        break;
    case SCAN:
        pmi_tokenizer_record_scan(device, commands, tokenizer, p);
        break;
    case MARK:
        pmi_tokenizer_record_mark(device, commands, tokenizer, p);
        break;
    case COUNT:
        pmi_tokenizer_record_count(device, commands, tokenizer, p);
        break;
    case CLEAR:
        pmi_tokenizer_record_clear(device, commands, tokenizer, p);
        break;
    case WRITE:
        pmi_tokenizer_record_write(device, commands, tokenizer, p);
        break;
    case MATCH:
        bench.plans = pmi_tokenizer_record_match(device, commands, &bench.planned, &bench.task, plans_begin());
        break;
    case NAMES:
        for (unsigned k = 0; tokenizer->tags && k < PM_NAMES_STAGES; k++) {
            pmi_tokenizer_record_names(device, commands, tokenizer, &bench.task, (pmi_names_stage)k, bench.plans);
            gpu_timing_barrier(&bench.timing);
        }
        return;
    case CHECK:
        pmi_tokenizer_record_check(device, commands, tokenizer, p, bench.plans);
        break;
    default:
        pmi_tokenizer_record_tell(device, commands, tokenizer, p);
    }
    gpu_timing_barrier(&bench.timing);
}

static void record_floor(unsigned stage, const void *of) {
    const pmi_floor_read_parameters p = {
        .from = bench.text.address, .to = bench.result.address, .count = bench.task.n / 16};
    (void)stage, (void)of;
    pmi_kernel_dispatch(&bench.timing.device, bench.timing.commands, &bench.floor, &p, sizeof p,
                        (p.count + PM_FLOOR_FOURS - 1) / PM_FLOOR_FOURS);
    gpu_timing_barrier(&bench.timing);
}

/* ---- What is found ---- */

static void expect(const pm_delimiters *pairs, const char *text, size_t n, expected *e) {
    must(pm_delimiters_scan(NULL, pairs, text, n, 0, NULL, NULL, NULL, NULL, &e->count), "structure on the host");
    e->parens = host_make(e->count / 64 + 1, sizeof *e->parens);
    e->positions = host_make(e->count, sizeof *e->positions);
    e->kinds = host_make(e->count, sizeof *e->kinds);
    e->match = host_make(e->count, sizeof *e->match);
    must(pm_delimiters_scan(NULL, pairs, text, n, e->count, e->parens, e->positions, NULL, e->kinds, &e->count),
         "structure on the host");
    must(pm_match_omp(NULL, e->parens, e->count, e->match, NULL), "matching on the host");
    must(pm_delimiters_check(NULL, pairs, text, n, NULL, NULL, &e->summary), "checking on the host");
}

static void expected_free(expected *e) {
    free(e->parens);
    free(e->positions);
    free(e->kinds);
    free(e->match);
}

static bool same(const pmi_buffer *buffer, const void *wanted, size_t bytes) {
    void *const found = host_make(bytes, 1);
    gpu_timing_download(&bench.timing, buffer, bytes, found);
    const bool equal = memcmp(found, wanted, bytes) == 0;
    free(found);
    return equal;
}

static bool results_are_right(const expected *e) {
    uint32_t result[PM_STRUCTURE_RESULT_WORDS];
    uint32_t *const positions = host_make(e->count, sizeof *positions);
    gpu_timing_begin(&bench.timing);
    for (unsigned stage = 0; stage < STAGES; stage++)
        record_stage(stage, NULL);
    gpu_timing_run(&bench.timing);
    gpu_timing_download(&bench.timing, &bench.result, sizeof result, result);
    for (size_t k = 0; k < e->count; k++)
        positions[k] = (uint32_t)e->positions[k];
    const bool right = result[PM_STRUCTURE_RESULT_COUNT] == e->count &&
                       result[PM_STRUCTURE_RESULT_OPEN] == e->summary.unmatched.open &&
                       result[PM_STRUCTURE_RESULT_CLOSE] == e->summary.unmatched.close &&
                       result[PM_STRUCTURE_RESULT_MISMATCHED] == e->summary.mismatched &&
                       same(&bench.parens, e->parens, e->count / 32 * 4) &&
                       same(&bench.positions, positions, e->count * sizeof *positions) &&
                       same(&bench.kinds, e->kinds, e->count * sizeof *e->kinds) &&
                       same(&bench.match, e->match, e->count * sizeof *e->match);
    free(positions);
    return right;
}

/* ---- From the host to the host ---- */

/* The fastest of some calls, the last of which is verified. */
static double host_us(const pm_delimiters *pairs, const char *text, size_t n, const expected *e) {
    const pm_options asked = {
        .struct_size = sizeof asked, .threads = options.threads, .allow_cpu_device = options.settings.allow_cpu_device};
    pm_context *context;
    pm_delimiters_summary summary;
    pm_delimiters_arrays arrays = {.struct_size = sizeof arrays, .capacity = e->count};
    double best = 0;
    must(pm_context_create(&asked, &context), "pm_context_create");
    arrays.parens = host_make(e->count / 64 + 1, sizeof *arrays.parens);
    arrays.positions = host_make(e->count, sizeof *arrays.positions);
    arrays.kinds = host_make(e->count, sizeof *arrays.kinds);
    arrays.match = host_make(e->count, sizeof *arrays.match);
    for (unsigned call = 0; call < HOST_CALLS; call++) {
        const double begin = host_clock_us();
        must(pm_delimiters_scan_gpu(context, pairs, text, n, &arrays, &summary), "pm_delimiters_scan_gpu");
        const double us = host_clock_us() - begin;
        best = call == 1 || us < best ? us : best; /* the first one makes kernels and buffers */
    }
    if (summary.tokens != e->count || memcmp(arrays.match, e->match, e->count * sizeof *e->match) != 0 ||
        memcmp(arrays.kinds, e->kinds, e->count * sizeof *e->kinds) != 0)
        stop("pm_delimiters_scan_gpu", "what it finds is wrong");
    free(arrays.parens);
    free(arrays.positions);
    free(arrays.kinds);
    free(arrays.match);
    pm_context_destroy(context);
    return best;
}

/* ---- A text ---- */

static void buffer_reserve(uint64_t size, pmi_buffer *buffer) {
    must(pmi_buffer_reserve(&bench.timing.device, PM_MEMORY_DEVICE, size + 16, buffer), "memory of the device");
}

static void buffers_reserve(uint32_t n, uint32_t capacity) {
    buffer_reserve(pmi_tokenizer_scratch_bytes(&bench.tokenizer, n), &bench.scratch);
    buffer_reserve(pmi_tokenizer_matching_bytes(&bench.tokenizer, capacity), &bench.matching);
    buffer_reserve((uint64_t)capacity / 8, &bench.parens);
    buffer_reserve((uint64_t)capacity * 4, &bench.positions);
    buffer_reserve((uint64_t)capacity * 4, &bench.kinds);
    buffer_reserve((uint64_t)capacity * 4, &bench.match);
    buffer_reserve(pmi_tokenizer_plans_bytes(&bench.timing.device, capacity), &bench.dispatches);
    bench.task = (pmi_tokenizer_task){.n = n,
                                      .capacity = capacity,
                                      .text = bench.text.address,
                                      .tables = bench.tables.address,
                                      .scratch = bench.scratch.address,
                                      .matching = bench.matching.address,
                                      .result = bench.result.address,
                                      .parens = bench.parens.address,
                                      .positions = bench.positions.address,
                                      .kinds = bench.kinds.address,
                                      .match = bench.match.address};
}

/* A file's are its language's. */
static const char *rules_for(const char *family, const struct text *text) {
    for (size_t k = 0; k < SUBJECTS; k++)
        if (strcmp(subjects[k].family, family) == 0)
            return subjects[k].rules;
    return text->rules ? text->rules : subjects[0].rules;
}

static void text_make(const char *family, uint32_t n, const char **rules) {
    struct text text;
    if (!text_create(family, 1, n < BLOCK ? n : BLOCK, &text))
        stop(family, "no such text");
    for (size_t done = 0; done < n; done += text.n)
        memcpy(bench.bytes + done, text.bytes, text.n < n - done ? text.n : n - done);
    *rules = rules_for(family, &text);
    free(text.bytes);
}

static void run_text(const char *family, uint32_t n) {
    const char *rules;
    pm_delimiters *pairs;
    pmi_dfa *machine;
    const pm_allocator allocator = pm_context_allocator(NULL);
    expected e;
    text_make(family, n, &rules);
    must(pm_delimiters_create(NULL, rules, strlen(rules), &pairs, NULL), "rules");
    must(pmi_dfa_create(&allocator, pairs, &machine), "rules for a device");
    must(pmi_tokenizer_create(&bench.timing.device, machine, &bench.tokenizer), "kernels");
    gpu_timing_upload(&bench.timing, bench.bytes, n, &bench.text);
    gpu_timing_upload(&bench.timing, bench.tokenizer.tables, (uint64_t)bench.tokenizer.table_words * 4, &bench.tables);
    expect(pairs, bench.bytes, n, &e);
    buffers_reserve(n, (uint32_t)e.count);
    const bool right = results_are_right(&e);
    double us[STAGES];
    const double all = gpu_timing_all_us(&bench.timing, options.reps, record_stage, STAGES, NULL);
    const double floor = gpu_timing_all_us(&bench.timing, options.reps, record_floor, 1, NULL);
    gpu_timing_stages_us(&bench.timing, options.reps, record_stage, STAGES, NULL, us);
    const double host = host_us(pairs, bench.bytes, n, &e);
    printf("%s\t%u\t%zu\t%u", family, n, e.count, machine->states);
    for (unsigned stage = 0; stage < STAGES; stage++)
        printf("\t%.1f", us[stage]);
    printf("\t%.1f\t%.1f\t%.1f\t%.3f\t%.1f\t%.2f\t%s\n", all, floor, n / all * 1e-3, floor / all, host, n / host * 1e-3,
           right ? "verified" : "WRONG");
    fflush(stdout);
    expected_free(&e);
    pmi_tokenizer_destroy(&bench.timing.device, &bench.tokenizer);
    pmi_dfa_destroy(&allocator, machine);
    pm_delimiters_destroy(pairs);
}

/* ---- Setting up ---- */

static void bench_open(uint32_t n) {
    pmi_device *const device = &bench.timing.device;
    gpu_timing_open(&options.settings, &bench.timing);
    must(pmi_indirect_create(device, &bench.planned), "kernels");
    must(pmi_kernel_create(device, (pmi_shader){spv_match_floor_read, sizeof spv_match_floor_read}, 0, &bench.floor),
         "kernels");
    buffer_reserve(n, &bench.text);
    buffer_reserve(PM_TOKENIZER_TABLE_MOST * 4, &bench.tables);
    buffer_reserve(PM_STRUCTURE_RESULT_WORDS * 4, &bench.result);
    bench.bytes = host_make(n, 1);
}

static void bench_close(void) {
    pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.text,   &bench.tables,    &bench.scratch, &bench.matching, &bench.result,
                                   &bench.parens, &bench.positions, &bench.kinds,   &bench.match,    &bench.dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_kernel_destroy(device, &bench.floor);
    pmi_indirect_destroy(device, &bench.planned);
    gpu_timing_close(&bench.timing);
    free(bench.bytes);
}

int main(int argc, char **argv) {
    options = options_read(argc, argv, 0, 31);
    bench_open(UINT32_C(1) << options.to);
    gpu_table_begin(argc, argv, &bench.timing.device);
    printf("text\tn\ttokens\tstates\tletters_us\treduce_us\tscan_us\tmark_us\tcount_us\tclear_us\twrite_us"
           "\tmatch_us\tnames_us\tcheck_us\ttell_us\tall_us\tfloor_us\tGB_s\tshare_of_floor\thost_us\thost_GB_"
           "s\tverified\n");
    for (unsigned log = options.to;; log -= options.step) {
        for (const char *const *family = options_families(&options, families); *family; family++)
            run_text(*family, UINT32_C(1) << log);
        if (log < options.from + options.step)
            break;
    }
    bench_close();
    return 0;
}
