/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite text: from bytes to brackets, and their check. Suite structure: from bytes to delimiters of any length by a
 * language's rules, and their check; of XML also what parsers take that are present. The floor is reading the text, on
 * one thread. An element is a byte here, so GB/s are 1 / ns_per_element.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "bench/peers/xml_peers.h"
#include "bench/suites/suite.h"
#include "bench/suites/texts.h"

/* A text and room for its tokens: brackets or, if the language has rules, delimiters. */
struct text_job {
    struct text text;
    pm_language *rules;    /* made once, from those of the language; NULL: it has brackets */
    pm_context *one, *all; /* of one thread, and of as many as are asked for */
    pm_check *check, *check_by_all;
    size_t count; /* of tokens */
    uint64_t *parens, *positions;
    uint8_t *kinds;
    uint32_t *lengths, *pair_kinds;
    pm_check_summary summary; /* of the first check */
    bool held;                /* has every call found the same? */
};

/* ---- What is timed ---- */

/* Writes at most `capacity` tokens; returns whether it could. */
static bool find_tokens(const struct text_job *job, size_t capacity, size_t *count) {
    const struct text *const text = &job->text;
    if (!job->rules)
        return pm_text_brackets(NULL, text->language, NULL, text->bytes, text->n, capacity, job->parens, job->positions,
                                job->kinds, count) == PM_OK;
    const pm_text_arrays arrays = {.struct_size = sizeof arrays,
                                   .capacity = capacity,
                                   .parens = job->parens,
                                   .positions = job->positions,
                                   .lengths = job->lengths,
                                   .kinds = job->pair_kinds};
    return pm_text_scan(NULL, job->rules, text->bytes, text->n, &arrays, count) == PM_OK;
}

static bool check_tokens(const struct text_job *job, pm_check *check, pm_check_summary *summary) {
    return pm_check_text(check, job->text.bytes, job->text.n, summary) == PM_OK;
}

static void run_find(void *user, size_t calls) {
    struct text_job *job = user;
    for (size_t c = 0; c < calls; c++) {
        size_t count = 0;
        job->held &= find_tokens(job, job->count, &count) && count == job->count;
    }
}

static void check_often(struct text_job *job, pm_check *check, size_t calls) {
    for (size_t c = 0; c < calls; c++) {
        pm_check_summary found = {0};
        job->held &= check_tokens(job, check, &found) && memcmp(&found, &job->summary, sizeof found) == 0;
    }
}

static void run_check(void *user, size_t calls) {
    struct text_job *job = user;
    check_often(job, job->check, calls);
}

static void run_check_by_all(void *user, size_t calls) {
    struct text_job *job = user;
    check_often(job, job->check_by_all, calls);
}

/* What wc -l counts, by a loop that compilers turn into vectors: sums of a byte each, of as many bytes as one holds. */
#define LINES_BYTES ((size_t)255)
static size_t count_lines(const char *text, size_t n) {
    size_t lines = 0;
    for (size_t i = 0; i < n;) {
        const size_t end = n - i < LINES_BYTES ? n : i + LINES_BYTES;
        uint8_t some = 0;
        for (; i < end; i++)
            some = (uint8_t)(some + (text[i] == '\n'));
        lines += some;
    }
    return lines;
}

static void run_lines(void *user, size_t calls) {
    struct text_job *job = user;
    const size_t lines = job->summary.lines - (job->text.n > 0 && job->text.bytes[job->text.n - 1] != '\n');
    for (size_t c = 0; c < calls; c++)
        job->held &= count_lines(job->text.bytes, job->text.n) == lines;
}

/* ---- A text ---- */

static bool create_checks(struct text_job *job, const pm_language *language, const struct settings *settings) {
    const pm_options one = {.struct_size = sizeof one, .simd = settings->simd, .threads = 1},
                     all = {.struct_size = sizeof all, .simd = settings->simd, .threads = settings->threads};
    return pm_context_create(&one, &job->one) == PM_OK && pm_context_create(&all, &job->all) == PM_OK &&
           pm_check_create(job->one, language, NULL, NULL, NULL, &job->check) == PM_OK &&
           pm_check_create(job->all, language, NULL, NULL, NULL, &job->check_by_all) == PM_OK;
}

static bool set_records(struct text_job *job, int separator) {
    return pm_check_set_records(job->check, separator) == PM_OK &&
           pm_check_set_records(job->check_by_all, separator) == PM_OK;
}

/* Is each line of the text a record? */
static bool is_in_lines(const char *kind) {
    static const char suffix[] = "lines";
    const size_t n = strlen(kind), length = strlen(suffix);
    return n >= length && strcmp(kind + n - length, suffix) == 0 && text_is_made(kind);
}

/* False, after a line on standard error, if the suite cannot read such a text. */
static bool job_prepare(struct text_job *job, bool by_rules, const char *kind, const struct settings *settings) {
    const struct text *const text = &job->text;
    const char *const rules = pm_language_rules(text->language);
    if (by_rules == (rules != NULL))
        return (!rules || pm_language_create_rules(NULL, rules, strlen(rules), &job->rules, NULL) == PM_OK) &&
               create_checks(job, rules ? job->rules : text->language, settings) &&
               (!is_in_lines(kind) || set_records(job, PM_RECORDS_NEWLINE));
    fprintf(stderr, by_rules ? "pm_bench: there are no rules for '%s'\n" : "pm_bench: '%s' has no brackets of a byte\n",
            kind);
    return false;
}

static bool job_create(struct text_job *job, bool by_rules, const char *kind, const struct settings *settings,
                       size_t n) {
    *job = (struct text_job){.held = false};
    if (!text_create(kind, settings->seed, n, &job->text) || !job_prepare(job, by_rules, kind, settings) ||
        !find_tokens(job, 0, &job->count) || !check_tokens(job, job->check, &job->summary))
        return false;
    job->parens = buffer_create((job->count / 64 + 1) * sizeof *job->parens);
    job->positions = buffer_create((job->count + 1) * sizeof *job->positions);
    job->kinds = buffer_create(job->count + 1);
    job->lengths = buffer_create((job->count + 1) * sizeof *job->lengths);
    job->pair_kinds = buffer_create((job->count + 1) * sizeof *job->pair_kinds);
    const pm_check_summary *const found = &job->summary;
    const bool good = found->unmatched.close + found->unmatched.open + found->mismatched + found->unterminated == 0 &&
                      found->brackets == job->count;
    job->held = good || !text_is_made(kind); /* what is made here is balanced */
    return job->parens && job->positions && job->kinds && job->lengths && job->pair_kinds;
}

static void job_destroy(struct text_job *job) {
    pm_check_destroy(job->check);
    pm_check_destroy(job->check_by_all);
    pm_context_destroy(job->one);
    pm_context_destroy(job->all);
    pm_language_destroy(job->rules);
    free(job->text.bytes);
    free(job->parens);
    free(job->positions);
    free(job->kinds);
    free(job->lengths);
    free(job->pair_kinds);
}

static enum outcome time_one(const struct suite *suite, const struct settings *settings, const char *kind,
                             struct text_job *job, const char *name, void (*run)(void *user, size_t calls),
                             unsigned threads) {
    struct floor_job read = floor_job_make("read", NULL, job->text.bytes, job->text.n, 1);
    struct result result = {.times =
                                timing_pairs(settings->sampling, floor_action(&read), (struct action){run, job}, NULL),
                            .suite = suite->name,
                            .backend = name,
                            .simd = settings->simd ? settings->simd : "none",
                            .kind = kind,
                            .floor = read.floor->name,
                            .n = job->text.n,
                            .threads = threads};
    result.verified = job->held;
    return report_result(&result);
}

/* ---- Parsers of XML ---- */

struct peer_job {
    const struct text *text;
    bool (*takes)(const char *text, size_t n);
    bool held;
};

static const struct {
    const char *name;
    bool (*takes)(const char *text, size_t n);
} xml_peers[] = {
#ifdef PM_BENCH_EXPAT
    {"expat", xml_expat_takes},
#endif
#ifdef PM_BENCH_LIBXML2
    {"libxml2", xml_libxml2_takes},
#endif
#ifdef PM_BENCH_PUGIXML
    {"pugixml", xml_pugixml_takes},
#endif
#ifdef PM_BENCH_RAPIDXML
    {"rapidxml", xml_rapidxml_takes},
#endif
    {NULL, NULL}};

static void run_peer(void *user, size_t calls) {
    struct peer_job *job = user;
    for (size_t c = 0; c < calls; c++)
        job->held &= job->takes(job->text->bytes, job->text->n);
}

/* Those that do not take the text are not timed: it is not one document, perhaps. */
static enum outcome time_xml_peers(const struct suite *suite, const struct settings *settings, const char *kind,
                                   const struct text *text) {
    enum outcome outcome = OUTCOME_VERIFIED;
    for (size_t p = 0; xml_peers[p].name; p++) {
        struct peer_job job = {text, xml_peers[p].takes, true};
        if (!job.takes(text->bytes, text->n)) {
            fprintf(stderr, "pm_bench: %s does not take '%s'\n", xml_peers[p].name, kind);
            continue;
        }
        struct floor_job read = floor_job_make("read", NULL, text->bytes, text->n, 1);
        struct result result = {
            .times = timing_pairs(settings->sampling, floor_action(&read), (struct action){run_peer, &job}, NULL),
            .suite = suite->name,
            .backend = xml_peers[p].name,
            .simd = "none",
            .kind = kind,
            .floor = read.floor->name,
            .n = text->n,
            .threads = 1};
        result.verified = job.held;
        outcome = outcome_worse(outcome, report_result(&result));
    }
    return outcome;
}

/* ---- The suites ---- */

static enum outcome time_text(const struct suite *suite, const struct settings *settings, const char *kind, size_t n) {
    const bool by_rules = suite == &suite_structure;
    struct text_job job;
    enum outcome outcome = OUTCOME_FAILED;
    if (job_create(&job, by_rules, kind, settings, n)) {
        outcome = time_one(suite, settings, kind, &job, by_rules ? "structure" : "brackets", run_find, 1);
        outcome = outcome_worse(outcome, time_one(suite, settings, kind, &job, "check", run_check, 1));
        outcome = outcome_worse(outcome, time_one(suite, settings, kind, &job, "newlines", run_lines, 1));
        if (by_rules && strcmp(pm_language_name(job.text.language), "xml") == 0)
            outcome = outcome_worse(outcome, time_xml_peers(suite, settings, kind, &job.text));
        if (settings->threads > 1)
            outcome = outcome_worse(
                outcome, time_one(suite, settings, kind, &job, "check", run_check_by_all, settings->threads));
    }
    job_destroy(&job);
    return outcome;
}

const struct suite suite_text = {.name = "text",
                                 .description =
                                     "brackets of texts, and the check; the floor is reading; elements are bytes",
                                 .families = {4, {"json", "minified", "lines", "soup"}},
                                 .sizes = {2, {1u << 20, 1u << 26}},
                                 .time_case = time_text};

const struct suite suite_structure = {
    .name = "structure",
    .description = "tokens by a language's rules, and their check; the floor is reading; elements are bytes",
    .families = {6, {"xml", "html", "latex", "sql", "pascal", "jinja"}},
    .sizes = {2, {1u << 20, 1u << 26}},
    .time_case = time_text};
