/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite json: from bytes to the structural index of pm_json, in memory that is reused (read) and in new memory
 * (create), and simdjson's stage 1 and tree, where it is present. The floor is reading the text, on one thread. An
 * element is a byte here, so GB/s are 1 / ns_per_element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/peers/json_peers.h"
#include "bench/suites/suite.h"
#include "bench/suites/texts.h"

#define SLACK 64u /* bytes that simdjson may read behind a text */

struct json_job {
    struct text text; /* one value, with SLACK bytes behind it */
    pm_context *context;
    pm_json *json;
    void *peer;
    bool held;
};

/* ---- What is timed ---- */

static void run_read(void *user, size_t calls) {
    struct json_job *job = user;
    for (size_t c = 0; c < calls; c++)
        job->held &= pm_json_read(job->json, job->text.bytes, job->text.n, NULL) == PM_OK;
}

static void run_create(void *user, size_t calls) {
    struct json_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        pm_json *json;
        job->held &= pm_json_create(job->context, job->text.bytes, job->text.n, NULL, &json) == PM_OK;
        pm_json_destroy(json);
    }
}

#ifdef PM_BENCH_SIMDJSON
static void run_stage1(void *user, size_t calls) {
    struct json_job *job = user;
    for (size_t c = 0; c < calls; c++)
        job->held &= json_simdjson_stage1(job->peer, job->text.bytes, job->text.n);
}

static void run_dom(void *user, size_t calls) {
    struct json_job *job = user;
    for (size_t c = 0; c < calls; c++)
        job->held &= json_simdjson_dom(job->peer, job->text.bytes, job->text.n);
}
#endif

static const struct {
    const char *name;
    void (*run)(void *user, size_t calls);
    bool peer;
} jobs[] = {{"read", run_read, false},
            {"create", run_create, false},
#ifdef PM_BENCH_SIMDJSON
            {"simdjson-stage1", run_stage1, true},
            {"simdjson-dom", run_dom, true}
#endif
};

#define JOBS (sizeof jobs / sizeof *jobs)

bool suite_json_knows(const char *name) {
    for (size_t j = 0; j < JOBS; j++)
        if (strcmp(name, jobs[j].name) == 0)
            return true;
    return false;
}

/* ---- A text ---- */

/* Puts SLACK blanks behind the text. A text that is made here is one value; a file is, unless it is repeated. */
static bool text_pad(struct text *text) {
    char *const bytes = realloc(text->bytes, text->n + SLACK);
    if (!bytes)
        return false;
    text->bytes = bytes;
    memset(bytes + text->n, ' ', SLACK);
    return true;
}

static bool job_create(struct json_job *job, const char *kind, const struct settings *settings, size_t n) {
    const pm_options options = {.simd = settings->simd};
    *job = (struct json_job){.held = true};
    if (!text_create(kind, settings->seed, n, &job->text) || !text_pad(&job->text) ||
        pm_context_create(&options, &job->context) != PM_OK)
        return false;
    const pm_status status = pm_json_create(job->context, job->text.bytes, job->text.n, NULL, &job->json);
    if (status != PM_OK)
        fprintf(stderr, "pm_bench: '%s': %s\n", kind, pm_status_string(status));
#ifdef PM_BENCH_SIMDJSON
    job->peer = json_simdjson_create(job->text.n);
    return status == PM_OK && job->peer;
#else
    return status == PM_OK;
#endif
}

static void job_destroy(struct json_job *job) {
#ifdef PM_BENCH_SIMDJSON
    json_simdjson_destroy(job->peer);
#endif
    pm_json_destroy(job->json);
    pm_context_destroy(job->context);
    free(job->text.bytes);
}

static enum outcome time_text(const struct suite *suite, const struct settings *settings, const char *kind, size_t n) {
    struct json_job job;
    if (!job_create(&job, kind, settings, n)) {
        job_destroy(&job);
        return OUTCOME_FAILED;
    }
    struct floor_job read = floor_job_make("read", NULL, job.text.bytes, job.text.n, 1);
    struct pair_turn turns[JOBS];
    unsigned count = 0, which[JOBS];
    for (unsigned j = 0; j < JOBS; j++)
        if (name_list_wants(&settings->backends, jobs[j].name)) {
            which[count] = j;
            turns[count++] = (struct pair_turn){.subject = {jobs[j].run, &job}};
        }
    timing_pairs_interleaved(settings->sampling, floor_action(&read), turns, count);
    enum outcome outcome = OUTCOME_VERIFIED;
    for (unsigned k = 0; k < count; k++) {
        struct result result = {.suite = suite->name,
                                .backend = jobs[which[k]].name,
                                .simd = pm_context_simd(job.context),
                                .kind = kind,
                                .floor = read.floor->name,
                                .n = job.text.n,
                                .threads = 1,
                                .times = turns[k].times,
                                .verified = job.held};
#ifdef PM_BENCH_SIMDJSON
        if (jobs[which[k]].peer)
            result.simd = json_simdjson_simd();
#endif
        outcome = outcome_worse(outcome, report_result(&result));
    }
    job_destroy(&job);
    return outcome;
}

const struct suite suite_json = {.name = "json",
                                 .description =
                                     "the structural index of JSON texts; the floor is reading; elements are bytes",
                                 .families = {2, {"json", "minified"}},
                                 .sizes = {2, {1u << 20, 1u << 26}},
                                 .time_case = time_text};
