/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suite records: what a check takes for each of many short records, next to the same lines as one text. A family is a
 * language, whose four lines follow each other at random, or language:k, with k lines a record. The texts are of at
 * least n bytes. Four ways to check are timed: `text` reads all as one text, the others as records, which `newline`
 * separates by newlines, if k = 1, `nul` by zeros, and `offsets` lists.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "bench/suites/record_lines.h"
#include "bench/suites/suite.h"
#include "inputs/families.h"
#include "parenmatch.h"

#define LINE_BYTES 64u  /* more than any has, with its newline */
#define LINES_MAX 1000u /* of a record */

enum job {
    JOB_TEXT,
    JOB_NEWLINE,
    JOB_NUL,
    JOB_OFFSETS,
    JOBS
};

static const char *const job_names[JOBS] = {"text", "newline", "nul", "offsets"};

bool suite_records_knows(const char *name) {
    for (size_t j = 0; j < JOBS; j++)
        if (strcmp(name, job_names[j]) == 0)
            return true;
    return false;
}

struct records {
    const pm_language *language;
    size_t lines; /* of a record */
    char *text, *separated;
    uint64_t *offsets;
    size_t n, count;
};

/* One way to check them. */
struct way {
    const struct records *records;
    enum job job;
    pm_check *check;
    pm_check_summary found;
    bool held;
};

static void way_run(void *user, size_t calls) {
    struct way *const way = user;
    const struct records *const records = way->records;
    for (size_t k = 0; k < calls; k++) {
        if (way->job == JOB_OFFSETS) {
            way->held &= pm_check_text_records(way->check, records->text, records->offsets, records->count,
                                               &way->found) == PM_OK;
        } else {
            const char *const text = way->job == JOB_NUL ? records->separated : records->text;
            way->held &= pm_check_push(way->check, text, records->n) == PM_OK &&
                         pm_check_finish(way->check, &way->found) == PM_OK;
        }
    }
}

/* All is good, and the records are as many as they should be. */
static void way_verify(void *user) {
    struct way *const way = user;
    const pm_check_summary *const found = &way->found;
    way->held &= found->unmatched.open + found->unmatched.close + found->mismatched + found->unterminated == 0;
    way->held &= way->job == JOB_TEXT || (found->records == way->records->count && found->bad_records == 0);
}

static bool way_create(struct way *way, const struct records *records, enum job job, pm_context *context) {
    *way = (struct way){.records = records, .job = job, .held = true};
    if (pm_check_create(context, records->language, NULL, NULL, NULL, &way->check) != PM_OK)
        return false;
    const int separator = job == JOB_NEWLINE ? PM_RECORDS_NEWLINE : job == JOB_NUL ? 0 : PM_RECORDS_NONE;
    return pm_check_set_records(way->check, separator) == PM_OK;
}

/* ---- Records ---- */

static void line_add(struct records *records, const char *line) {
    const size_t length = strlen(line);
    memcpy(records->text + records->n, line, length);
    records->n += length;
    records->text[records->n++] = '\n';
}

static bool records_fill(struct records *records, const struct record_lines *from, uint64_t state, size_t n) {
    const size_t most = n + records->lines * LINE_BYTES;
    records->text = malloc(most);
    records->separated = malloc(most);
    records->offsets = malloc((n + 2) * sizeof *records->offsets);
    if (!records->text || !records->separated || !records->offsets)
        return false;
    records->offsets[0] = 0;
    while (records->n < n) {
        for (size_t k = 0; k < records->lines; k++)
            line_add(records, from->lines[random_below(&state, RECORD_LINES)]);
        records->offsets[++records->count] = records->n;
    }
    memcpy(records->separated, records->text, records->n);
    for (size_t r = 1; r <= records->count; r++)
        records->separated[records->offsets[r] - 1] = '\0';
    return true;
}

static const char *language_at(size_t k) {
    return k < record_languages ? record_lines[k].language : NULL;
}

/* The lines of a language with that name; NULL: it has none. */
static const struct record_lines *lines_of(const char *name, size_t length) {
    for (size_t k = 0; k < record_languages; k++)
        if (strlen(record_lines[k].language) == length && memcmp(record_lines[k].language, name, length) == 0)
            return &record_lines[k];
    return NULL;
}

/* Splits a family into its language and lines a record. Returns NULL, after a line on standard error, if there is no
 * such family. */
static const struct record_lines *family_lines(const char *family, size_t *lines) {
    const char *const colon = strchr(family, ':');
    char *end = NULL;
    *lines = colon ? strtoul(colon + 1, &end, 10) : 1;
    const bool is_number = !end || *end == '\0';
    const struct record_lines *const found = lines_of(family, colon ? (size_t)(colon - family) : strlen(family));
    if (found && is_number && *lines > 0 && *lines <= LINES_MAX)
        return found;
    fprintf(stderr, "pm_bench: --suite records: no language with lines, or no number of them: '%s'\n", family);
    return NULL;
}

/* ---- Timing ---- */

static enum outcome report_way(const struct way *way, const struct turn *turn) {
    const struct records *const records = way->records;
    report_begin("records");
    report_text("backend", job_names[way->job]);
    report_text("language", pm_language_name(records->language));
    report_count("n", records->n);
    report_count("lines", records->lines);
    report_number("bytes_per_record", (double)records->n / (double)records->count);
    report_number("ns_per_record", turn->time.min / (double)records->count);
    report_number("gb_per_s", (double)records->n / turn->time.min);
    report_verified(way->held);
    return way->held ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

static enum outcome time_ways(const struct settings *settings, const struct records *records, pm_context *context) {
    struct way ways[JOBS];
    struct turn turns[JOBS];
    unsigned count = 0;
    enum outcome worst = OUTCOME_VERIFIED;
    for (enum job job = 0; job < JOBS; job++) {
        if ((job == JOB_NEWLINE && records->lines > 1) || !name_list_wants(&settings->backends, job_names[job]))
            continue;
        turns[count] = (struct turn){.action = {way_run, &ways[count]}, .check = way_verify};
        if (!way_create(&ways[count++], records, job, context))
            worst = OUTCOME_FAILED;
    }
    if (worst != OUTCOME_FAILED)
        timing_turns(settings->sampling, turns, count);
    for (unsigned k = 0; k < count; k++) {
        if (worst != OUTCOME_FAILED)
            worst = outcome_worse(worst, report_way(&ways[k], &turns[k]));
        pm_check_destroy(ways[k].check);
    }
    return worst;
}

static enum outcome time_family(const struct settings *settings, const char *family, size_t n) {
    const pm_options options = {.struct_size = sizeof options, .simd = settings->simd, .threads = 1};
    struct records records = {0};
    pm_context *context = NULL;
    enum outcome outcome = OUTCOME_FAILED;
    const struct record_lines *const lines = family_lines(family, &records.lines);
    records.language = lines ? pm_language_by_name(lines->language) : NULL;
    if (records.language && n > 0 && records_fill(&records, lines, settings->seed, n) &&
        pm_context_create(&options, &context) == PM_OK)
        outcome = time_ways(settings, &records, context);
    pm_context_destroy(context);
    free(records.text);
    free(records.separated);
    free(records.offsets);
    return outcome;
}

static enum outcome run(const struct suite *suite, const struct settings *settings) {
    (void)suite;
    return suite_run_families(settings, language_at, time_family);
}

const struct suite suite_records = {.name = "records",
                                    .description = "short records next to the same lines as one text",
                                    .sizes = {1, {1u << 19}},
                                    .run = run};
