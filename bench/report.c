/* SPDX-License-Identifier: Apache-2.0 */
/* JSON, one object a line, each line out at once. */
#include "bench/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/floors.h"
#include "bench/machine.h"
#include "parenmatch.h"

/* Text inside a JSON string. */
static void print_escaped(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
}

/* Each field ends with a comma. The caller writes the brace before the first one, and the last field. */
static void field_text(const char *name, const char *value) {
    printf("\"%s\":\"", name);
    print_escaped(value);
    printf("\",");
}

static void field_number(const char *name, double value) {
    if (isfinite(value))
        printf("\"%s\":%.5g,", name, value);
    else
        printf("\"%s\":null,", name);
}

static void field_count(const char *name, unsigned long long value) {
    printf("\"%s\":%llu,", name, value);
}

/* The command as typed, without the directory of the program. */
static void field_command(int argc, char *const *argv) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    printf("\"command\":\"");
    for (int a = 0; a < argc; a++) {
        if (a > 0)
            putchar(' ');
        print_escaped(a == 0 && slash ? slash + 1 : argv[a]);
    }
    printf("\",");
}

void report_run(int argc, char *const *argv) {
    struct machine machine;
    machine_describe(&machine);
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);

    putchar('{');
    field_text("suite", "run");
    field_command(argc, argv);
    field_text("date", date);
    field_text("cpu", machine.cpu);
    printf("\"cores\":%ld,", machine.cores);
    field_number("load", machine.load < 0 ? (double)NAN : machine.load);
    field_text("huge_pages", machine.huge_pages);
    field_text("floor_simd", floor_loops_best()->simd);
#ifdef __clang__
    field_text("compiler", __VERSION__); /* which names clang itself */
#else
    field_text("compiler", "gcc " __VERSION__);
#endif
    printf("\"version\":\"%s\"}\n", pm_version_string());
    fflush(stdout);
}

enum outcome report_result(const struct result *result) {
    const struct pair_times *times = &result->times;
    const double elements = result->n > 0 ? (double)result->n : (double)NAN; /* no time per element without elements */
    putchar('{');
    field_text("suite", result->suite);
    field_text("backend", result->backend);
    field_text("simd", result->simd);
    field_text("kind", result->kind);
    field_count("n", result->n);
    if (result->length > 0) {
        field_count("length", result->length);
        field_number("index_bits", result->index_bits);
    }
    field_count("threads", result->threads);
    field_number("ns_per_element", times->subject.median / elements);
    field_number("min", times->subject.min / elements);
    field_number("median", times->subject.median / elements);
    field_number("spread", times->subject.spread);
    field_number("ns_per_call", times->subject.median);
    field_text("floor", result->floor);
    field_number("floor_ns", times->floor.median / elements);
    field_number("floor_spread", times->floor.spread);
    field_number("share", times->floor.median / times->subject.median);
    field_number("share_spread", times->share_spread);
    field_count("repetitions", times->repetitions);
    printf("\"verified\":%s}\n", result->verified ? "true" : "false");
    fflush(stdout);
    return result->verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}

void report_regret(const struct regret *regret) {
    putchar('{');
    field_text("suite", "regret");
    field_text("place", regret->place);
    field_text("kind", regret->kind);
    field_count("n", regret->n);
    field_count("threads", regret->threads);
    field_text("chosen", regret->chosen);
    field_text("best", regret->best);
    field_number("chosen_ns", regret->chosen_ns);
    field_number("best_ns", regret->best_ns);
    field_number("regret_least", regret->chosen_least / regret->best_least);
    printf("\"regret\":%.4g}\n", regret->chosen_ns / regret->best_ns);
    fflush(stdout);
}

void report_crossing(const struct crossing *crossing) {
    putchar('{');
    field_text("suite", "crossing");
    field_text("place", crossing->place);
    field_text("kind", crossing->kind);
    field_count("threads", crossing->threads);
    field_text("from", crossing->from);
    field_text("to", crossing->to);
    field_count("chosen", crossing->chosen);
    printf("\"n\":%.4g}\n", crossing->n);
    fflush(stdout);
}
