/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite structure: each stage from a text to its delimiters and their match, and all together, the text being on the
 * device; the floor is reading the text. And pm_text_scan_gpu() from host to host. Tokens, match and summary are
 * compared with those that the host finds. Sizes are bytes of text; an input is one of bench/suites/texts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "bench/suites/texts.h"
#include "gpu/delimiters/tokenizer.h"

enum {
    BLOCK = 1 << 24, /* bytes of text before it repeats */
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
    NAMES, /* all stages of tag names */
    CHECK,
    TELL,
    STAGES
};

static const char *const families[] = {"json", "minified", "soup", "sql", "pascal", "xml", NULL};

/* Rules for some texts, as far as a device can follow those of their languages; other texts have their own. */
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

/* What the host finds. */
typedef struct expected {
    size_t count;
    uint64_t *parens, *positions;
    uint32_t *kinds, *match;
    pm_check_summary summary;
} expected;

static struct bench {
    gpu_timing timing;
    pmi_indirect planned;
    pmi_tokenizer tokenizer;
    pmi_buffer text, tables, scratch, matching, result, parens, positions, kinds, match, dispatches;
    char *bytes; /* of the host */
    pmi_tokenizer_task task;
    pmi_plans plans; /* of the check, as the match leaves them */
} bench;

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
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_SCAN, p);
        break;
    case MARK:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_MARK, p);
        break;
    case COUNT:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_COUNT, p);
        break;
    case CLEAR:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_CLEAR, p);
        break;
    case WRITE:
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_WRITE, p);
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
        pmi_tokenizer_record_stage(device, commands, tokenizer, PM_TOKENIZER_TELL, p);
    }
    gpu_timing_barrier(&bench.timing);
}

/* ---- What is found ---- */

static void expect(const pm_language *pairs, const char *text, size_t n, expected *e) {
    pm_text_arrays arrays = {.struct_size = sizeof arrays};
    pm_check *check;
    must(pm_text_scan(NULL, pairs, text, n, NULL, &e->count), "structure on the host");
    e->parens = must_allocate((e->count / 64 + 1) * sizeof *e->parens);
    e->positions = must_allocate(e->count * sizeof *e->positions);
    e->kinds = must_allocate(e->count * sizeof *e->kinds);
    e->match = must_allocate(e->count * sizeof *e->match);
    arrays.capacity = e->count;
    arrays.parens = e->parens;
    arrays.positions = e->positions;
    arrays.kinds = e->kinds;
    must(pm_text_scan(NULL, pairs, text, n, &arrays, &e->count), "structure on the host");
    must(pm_match_omp(NULL, e->parens, e->count, e->match, NULL), "matching on the host");
    must(pm_check_create(NULL, pairs, NULL, NULL, NULL, &check), "checking on the host");
    must(pm_check_text(check, text, n, &e->summary), "checking on the host");
    pm_check_destroy(check);
}

static void expected_free(expected *e) {
    free(e->parens);
    free(e->positions);
    free(e->kinds);
    free(e->match);
}

static bool results_are_right(const expected *e) {
    uint32_t result[PM_STRUCTURE_RESULT_WORDS];
    uint32_t *const positions = must_allocate(e->count * sizeof *positions);
    gpu_timing_once(&bench.timing, record_stage, STAGES, NULL);
    gpu_timing_download(&bench.timing, &bench.result, sizeof result, result);
    for (size_t k = 0; k < e->count; k++)
        positions[k] = (uint32_t)e->positions[k];
    const bool right = result[PM_STRUCTURE_RESULT_COUNT] == e->count &&
                       result[PM_STRUCTURE_RESULT_OPEN] == e->summary.unmatched.open &&
                       result[PM_STRUCTURE_RESULT_CLOSE] == e->summary.unmatched.close &&
                       result[PM_STRUCTURE_RESULT_MISMATCHED] == e->summary.mismatched &&
                       gpu_timing_holds(&bench.timing, &bench.parens, e->parens, e->count / 32 * 4) &&
                       gpu_timing_holds(&bench.timing, &bench.positions, positions, e->count * sizeof *positions) &&
                       gpu_timing_holds(&bench.timing, &bench.kinds, e->kinds, e->count * sizeof *e->kinds) &&
                       gpu_timing_holds(&bench.timing, &bench.match, e->match, e->count * sizeof *e->match);
    free(positions);
    return right;
}

/* ---- From the host to the host ---- */

/* The time of the fastest call; the result of the last one is verified. */
static double host_us(const pm_language *pairs, const char *text, size_t n, const expected *e,
                      enum gpu_verdict *verdict) {
    pm_context *const context = gpu_context_create(gpu_options.settings.device);
    pm_text_summary summary;
    pm_text_arrays arrays = {.struct_size = sizeof arrays, .capacity = e->count};
    double best = 0;
    arrays.parens = must_allocate((e->count / 64 + 1) * sizeof *arrays.parens);
    arrays.positions = must_allocate(e->count * sizeof *arrays.positions);
    arrays.kinds = must_allocate(e->count * sizeof *arrays.kinds);
    arrays.match = must_allocate(e->count * sizeof *arrays.match);
    for (unsigned call = 0; call < HOST_CALLS; call++) {
        const uint64_t begin = clock_now();
        must(pm_text_scan_gpu(context, pairs, text, n, &arrays, &summary), "pm_text_scan_gpu");
        const double us = (double)(clock_now() - begin) * 1e-3;
        best = call == 1 || us < best ? us : best; /* the first one makes kernels and buffers */
    }
    if (summary.tokens != e->count || memcmp(arrays.match, e->match, e->count * sizeof *e->match) != 0 ||
        memcmp(arrays.kinds, e->kinds, e->count * sizeof *e->kinds) != 0)
        *verdict = GPU_WRONG;
    free(arrays.parens);
    free(arrays.positions);
    free(arrays.kinds);
    free(arrays.match);
    pm_context_destroy(context);
    return best;
}

/* ---- A text ---- */

static void buffers_reserve(uint32_t n, uint32_t capacity) {
    gpu_timing_reserve(&bench.timing, pmi_tokenizer_scratch_bytes(&bench.tokenizer, n), &bench.scratch);
    gpu_timing_reserve(&bench.timing, pmi_tokenizer_matching_bytes(&bench.tokenizer, capacity), &bench.matching);
    gpu_timing_reserve(&bench.timing, (uint64_t)capacity / 8, &bench.parens);
    gpu_timing_reserve(&bench.timing, (uint64_t)capacity * 4, &bench.positions);
    gpu_timing_reserve(&bench.timing, (uint64_t)capacity * 4, &bench.kinds);
    gpu_timing_reserve(&bench.timing, (uint64_t)capacity * 4, &bench.match);
    gpu_timing_reserve(&bench.timing, pmi_levels_plans_bytes(&bench.timing.device, capacity), &bench.dispatches);
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

/* The rules of a text; a file has those of its language. */
static const char *rules_for(const char *family, const struct text *text) {
    for (size_t k = 0; k < SUBJECTS; k++)
        if (strcmp(subjects[k].family, family) == 0)
            return subjects[k].rules;
    const char *const rules = pm_language_rules(text->language);
    return rules ? rules : subjects[0].rules;
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

static void run(const char *family, uint32_t n) {
    const char *rules;
    pm_language *pairs;
    pmi_dfa *machine;
    const pm_allocator allocator = pm_context_allocator(NULL);
    expected e;
    text_make(family, n, &rules);
    must(pm_language_create_rules(NULL, rules, strlen(rules), &pairs, NULL), "rules");
    must(pmi_dfa_create(&allocator, pairs, &machine), "rules for a device");
    must(pmi_tokenizer_create(&bench.timing.device, machine, &bench.tokenizer), "kernels");
    gpu_timing_upload(&bench.timing, bench.bytes, n, &bench.text);
    gpu_timing_upload(&bench.timing, bench.tokenizer.tables, (uint64_t)bench.tokenizer.table_words * 4, &bench.tables);
    expect(pairs, bench.bytes, n, &e);
    buffers_reserve(n, (uint32_t)e.count);
    enum gpu_verdict verdict = results_are_right(&e) ? GPU_VERIFIED : GPU_WRONG;
    gpu_times times = gpu_timing_take(&bench.timing, gpu_options.repetitions, record_stage, STAGES, NULL);
    times.floor_us = gpu_timing_read_us(&bench.timing, gpu_options.repetitions, &bench.text, n, &bench.result);
    times.host_us = host_us(pairs, bench.bytes, n, &e, &verdict);
    gpu_row(&times, n, verdict, "%s\t%u\t%zu\t%u", family, n, e.count, machine->states);
    expected_free(&e);
    pmi_tokenizer_destroy(&bench.timing.device, &bench.tokenizer);
    pmi_dfa_destroy(&allocator, machine);
    pm_language_destroy(pairs);
}

/* ---- Setting up ---- */

static gpu_timing *bench_open(uint32_t n) {
    gpu_timing_open(&gpu_options.settings, &bench.timing);
    must(pmi_indirect_create(&bench.timing.device, &bench.planned), "kernels");
    gpu_timing_reserve(&bench.timing, n, &bench.text);
    gpu_timing_reserve(&bench.timing, PM_TOKENIZER_TABLE_MAX * 4, &bench.tables);
    gpu_timing_reserve(&bench.timing, PM_STRUCTURE_RESULT_WORDS * 4, &bench.result);
    bench.bytes = must_allocate(n);
    return &bench.timing;
}

static void bench_close(void) {
    pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.text,   &bench.tables,    &bench.scratch, &bench.matching, &bench.result,
                                   &bench.parens, &bench.positions, &bench.kinds,   &bench.match,    &bench.dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_indirect_destroy(device, &bench.planned);
    gpu_timing_close(&bench.timing);
    free(bench.bytes);
}

const struct gpu_suite gpu_suite_structure = {
    .name = "structure",
    .description = "delimiters of texts and their match, stage by stage; the floor is reading the text",
    .columns = "text\tn\ttokens\tstates\tletters_us\treduce_us\tscan_us\tmark_us\tcount_us\tclear_us\twrite_us\t"
               "match_us\tnames_us\tcheck_us\ttell_us\tall_us\tfloor_us\tGB_s\tshare_of_floor\thost_us\thost_GB_s\t"
               "verified",
    .families = families,
    .log_most = 31,
    .log_from = 20,
    .open = bench_open,
    .run = run,
    .close = bench_close};
