/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite json: each stage from a JSON text to its index, and all together, the text being on the device; the floor is
 * reading the text. And pm_json_read_gpu() from host to host. Two rows a text: without the positions of tokens, and
 * with them. Partners and positions are compared with those that the host finds. Sizes are bytes of text; an input is
 * one of bench/suites/texts.h that is JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bench.h"
#include "bench/suites/texts.h"
#include "gpu/json/index.h"

enum {
    HOST_CALLS = 4
};

static const char *const families[] = {"json", "minified", NULL};

/* What the host finds. */
typedef struct expected {
    pm_json *json;
    uint32_t *positions, *partners;
    size_t tokens, brackets;
} expected;

static struct bench {
    gpu_timing timing;
    pmi_indirect planned;
    pmi_index index;
    pmi_buffer text, scratch, matching, result, tokens, brackets, before, partners, positions, dispatches;
    pmi_index_task task;
} bench;

/* ---- What is timed ---- */

static void record_stage(unsigned stage, const void *of) {
    const pmi_index_recording recording = {
        .device = &bench.timing.device,
        .commands = bench.timing.commands,
        .index = &bench.index,
        .indirect = &bench.planned,
        .plans = {.buffer = bench.dispatches.handle, .address = bench.dispatches.address}};
    (void)of;
    pmi_index_record_stage(&recording, &bench.task, (pmi_index_stage)stage);
    gpu_timing_barrier(&bench.timing);
}

/* ---- What is found ---- */

static bool is_bracket(char byte) {
    return byte == '[' || byte == ']' || byte == '{' || byte == '}';
}

static void expect(const struct text *text, expected *e) {
    must(pm_json_create(NULL, text->bytes, text->n, NULL, &e->json), "the index on the host");
    e->tokens = (size_t)pm_json_token_count(e->json);
    e->brackets = 0;
    uint64_t *const offsets = must_allocate(e->tokens * sizeof *offsets);
    e->positions = must_allocate(e->tokens * sizeof *e->positions);
    e->partners = must_allocate(e->tokens * sizeof *e->partners);
    pm_json_tokens(e->json, 0, text->n, e->tokens, offsets);
    for (size_t k = 0; k < e->tokens; k++) {
        e->positions[k] = (uint32_t)offsets[k];
        if (is_bracket(text->bytes[offsets[k]]))
            e->partners[e->brackets++] = (uint32_t)pm_json_partner(e->json, offsets[k]);
    }
    free(offsets);
}

static void expected_free(expected *e) {
    pm_json_destroy(e->json);
    free(e->positions);
    free(e->partners);
}

static bool results_are_right(const expected *e) {
    uint32_t result[PM_INDEX_RESULT_WORDS];
    gpu_timing_once(&bench.timing, record_stage, PM_INDEX_STAGES, NULL);
    gpu_timing_download(&bench.timing, &bench.result, sizeof result, result);
    return result[PM_INDEX_RESULT_TOKENS] == e->tokens && result[PM_INDEX_RESULT_BRACKETS] == e->brackets &&
           result[PM_INDEX_RESULT_VERDICT] == PM_INDEX_RIGHT &&
           gpu_timing_holds(&bench.timing, &bench.partners, e->partners, e->brackets * sizeof *e->partners) &&
           (bench.task.token_capacity == 0 ||
            gpu_timing_holds(&bench.timing, &bench.positions, e->positions, e->tokens * sizeof *e->positions));
}

/* ---- From the host to the host ---- */

/* The time of the fastest call; the first one makes kernels and buffers. */
static double host_us(const struct text *text, const expected *e, enum gpu_verdict *verdict) {
    pm_context *const context = gpu_context_create(gpu_options.settings.device);
    pm_json *json;
    double best = 0;
    must(pm_json_create_gpu(context, text->bytes, text->n, NULL, &json), "pm_json_create_gpu");
    for (unsigned call = 0; call < HOST_CALLS; call++) {
        const uint64_t begin = clock_now();
        must(pm_json_read_gpu(context, json, text->bytes, text->n, NULL), "pm_json_read_gpu");
        const double us = (double)(clock_now() - begin) * 1e-3;
        best = call == 0 || us < best ? us : best;
    }
    size_t bracket = 0;
    for (size_t k = 0; k < e->tokens; k++)
        if (is_bracket(text->bytes[e->positions[k]]) &&
            pm_json_partner(json, e->positions[k]) != e->partners[bracket++])
            *verdict = GPU_WRONG;
    pm_json_destroy(json);
    pm_context_destroy(context);
    return best;
}

/* ---- A text ---- */

static void buffers_reserve(uint32_t n, uint32_t capacity, uint32_t token_capacity) {
    const uint64_t words = pmi_index_words(n);
    gpu_timing_reserve(&bench.timing, pmi_index_scratch_bytes(n), &bench.scratch);
    gpu_timing_reserve(&bench.timing, pmi_index_matching_bytes(capacity), &bench.matching);
    gpu_timing_reserve(&bench.timing, words * 8, &bench.tokens);
    gpu_timing_reserve(&bench.timing, words * 8, &bench.brackets);
    gpu_timing_reserve(&bench.timing, words * 4, &bench.before);
    gpu_timing_reserve(&bench.timing, (uint64_t)capacity * 4, &bench.partners);
    gpu_timing_reserve(&bench.timing, (uint64_t)token_capacity * 4, &bench.positions);
    gpu_timing_reserve(&bench.timing, pmi_levels_plans_bytes(&bench.timing.device, capacity), &bench.dispatches);
    bench.task = (pmi_index_task){.n = n,
                                  .capacity = capacity,
                                  .text = bench.text.address,
                                  .scratch = bench.scratch.address,
                                  .matching = bench.matching.address,
                                  .result = bench.result.address,
                                  .tokens = bench.tokens.address,
                                  .brackets = bench.brackets.address,
                                  .before = bench.before.address,
                                  .partners = bench.partners.address,
                                  .positions = bench.positions.address};
}

static void run(const char *family, uint32_t n) {
    struct text text;
    expected e;
    if (!text_create(family, 1, n, &text) || text.n > UINT32_MAX)
        stop(family, "no such text");
    gpu_timing_reserve(&bench.timing, (text.n + 15) / 16 * 16, &bench.text);
    gpu_timing_upload(&bench.timing, text.bytes, text.n, &bench.text);
    expect(&text, &e);
    buffers_reserve((uint32_t)text.n, (uint32_t)e.brackets, (uint32_t)e.tokens);
    for (unsigned positions = 0; positions < 2; positions++) {
        bench.task.token_capacity = positions ? (uint32_t)e.tokens : 0;
        enum gpu_verdict verdict = results_are_right(&e) ? GPU_VERIFIED : GPU_WRONG;
        gpu_times times = gpu_timing_take(&bench.timing, gpu_options.repetitions, record_stage, PM_INDEX_STAGES, NULL);
        times.floor_us =
            gpu_timing_read_us(&bench.timing, gpu_options.repetitions, &bench.text, (uint32_t)text.n, &bench.result);
        times.host_us = host_us(&text, &e, &verdict);
        gpu_row(&times, (double)text.n, verdict, "%s\t%zu\t%zu\t%zu\t%s", family, text.n, e.tokens, e.brackets,
                positions ? "yes" : "no");
    }
    expected_free(&e);
    free(text.bytes);
}

/* ---- Setting up ---- */

static gpu_timing *bench_open(uint32_t n) {
    (void)n;
    gpu_timing_open(&gpu_options.settings, &bench.timing);
    must(pmi_indirect_create(&bench.timing.device, &bench.planned), "kernels");
    must(pmi_index_create(&bench.timing.device, &bench.index), "kernels");
    gpu_timing_reserve(&bench.timing, PM_INDEX_RESULT_WORDS * 4, &bench.result);
    return &bench.timing;
}

static void bench_close(void) {
    pmi_device *const device = &bench.timing.device;
    pmi_buffer *const buffers[] = {&bench.text,      &bench.scratch,   &bench.matching, &bench.result,
                                   &bench.tokens,    &bench.brackets,  &bench.before,   &bench.partners,
                                   &bench.positions, &bench.dispatches};
    for (size_t b = 0; b < sizeof buffers / sizeof *buffers; b++)
        pmi_buffer_destroy(device, buffers[b]);
    pmi_index_destroy(device, &bench.index);
    pmi_indirect_destroy(device, &bench.planned);
    gpu_timing_close(&bench.timing);
}

const struct gpu_suite gpu_suite_json = {
    .name = "json",
    .description = "from JSON texts to their index, stage by stage; the floor is reading the text",
    .columns = "text\tn\ttokens\tbrackets\tpositions\treduce_us\tscan_us\tmark_us\tcount_us\tclear_us\twrite_us\t"
               "gaps_us\tmatch_us\tcheck_us\ttell_us\tall_us\tfloor_us\tGB_s\tshare_of_floor\thost_us\thost_GB_s\t"
               "verified",
    .families = families,
    .log_most = 31,
    .log_from = 20,
    .open = bench_open,
    .run = run,
    .close = bench_close};
