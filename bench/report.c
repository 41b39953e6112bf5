/* SPDX-License-Identifier: Apache-2.0 */
/* JSON, one object a line, each line out at once. */
#include "bench/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/floors.h"
#include "bench/load.h"
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

/* ---- Fields, each after a comma: a line begins with its suite ---- */

void report_begin(const char *suite) {
    printf("{\"suite\":\"%s\"", suite);
}

void report_text(const char *name, const char *value) {
    printf(",\"%s\":\"", name);
    print_escaped(value);
    putchar('"');
}

void report_number(const char *name, double value) {
    if (isfinite(value))
        printf(",\"%s\":%.5g", name, value);
    else
        printf(",\"%s\":null", name);
}

void report_count(const char *name, unsigned long long value) {
    printf(",\"%s\":%llu", name, value);
}

void report_end(void) {
    puts("}");
    fflush(stdout);
}

void report_verified(bool verified) {
    printf(",\"verified\":%s", verified ? "true" : "false");
    report_end();
}

/* The command as typed, without the directory of the program. */
static void field_command(int argc, char *const *argv) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    printf(",\"command\":\"");
    for (int a = 0; a < argc; a++) {
        if (a > 0)
            putchar(' ');
        print_escaped(a == 0 && slash ? slash + 1 : argv[a]);
    }
    putchar('"');
}

/* ---- Lines ---- */

void report_run(int argc, char *const *argv) {
    struct machine machine;
    machine_describe(&machine);
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);

    report_begin("run");
    field_command(argc, argv);
    report_text("date", date);
    report_text("cpu", machine.cpu);
    report_count("cores", (unsigned long long)machine.cores);
    report_number("load", machine.load < 0 ? (double)NAN : machine.load);
    report_text("huge_pages", machine.huge_pages);
    report_text("floor_simd", floor_loops_best()->simd);
#ifdef __clang__
    report_text("compiler", __VERSION__); /* which names clang itself */
#else
    report_text("compiler", "gcc " __VERSION__);
#endif
    report_text("version", pm_version_string());
    report_end();
}

enum outcome report_result(const struct result *result) {
    const struct pair_times *times = &result->times;
    const double elements = result->n > 0 ? (double)result->n : (double)NAN; /* no time per element without elements */
    report_begin(result->suite);
    report_text("backend", result->backend);
    report_text("simd", result->simd);
    report_text("kind", result->kind);
    report_count("n", result->n);
    if (result->length > 0) {
        report_count("length", result->length);
        report_number("index_bits", result->index_bits);
    }
    report_count("threads", result->threads);
    report_number("ns_per_element", times->subject.median / elements);
    report_number("min", times->subject.min / elements);
    report_number("median", times->subject.median / elements);
    report_number("spread", times->subject.spread);
    report_number("ns_per_call", times->subject.median);
    report_text("floor", load_exists() ? "quiet" : result->floor);
    report_number("floor_ns", times->floor.median / elements);
    report_number("floor_spread", times->floor.spread);
    report_number("share", times->floor.median / times->subject.median);
    report_number("share_spread", times->share_spread);
    if (load_exists()) {
        report_text("load_floor", result->floor);
        report_number("load_floor_share", times->load_share);
    }
    report_count("repetitions", times->repetitions);
    report_verified(result->verified);
    return result->verified ? OUTCOME_VERIFIED : OUTCOME_WRONG;
}
