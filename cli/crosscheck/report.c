/* SPDX-License-Identifier: Apache-2.0 */
/* How many inputs a way was compared on, and where it differs: for people, and for programs. */
#include "cli/crosscheck/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"

/* A way in words, "omp avx2, 5 threads", or "omp avx2, all threads". */
static void way_name(const crosscheck_way *way, size_t room, char *name) {
    char threads[32] = "";
    if (way->by_threads && way->threads > 0)
        snprintf(threads, sizeof threads, ", %u threads", way->threads);
    else if (way->by_threads)
        snprintf(threads, sizeof threads, ", all threads");
    const char *const kind = way->simd ? way->simd : way->pipeline ? way->pipeline : "";
    snprintf(name, room, "%s%s%s%s", way->backend, *kind ? " " : "", kind, threads);
}

void crosscheck_print_line(const crosscheck_way *way) {
    char name[80];
    way_name(way, sizeof name, name);
    if (way->presence != PM_OK) {
        printf("%-26s %s\n", name, pm_status_string(way->presence));
        return;
    }
    printf("%-26s %8" PRIu64 " inputs %12" PRIu64 " elements", name, way->inputs, way->elements);
    if (way->refused > 0)
        printf(", %" PRIu64 " inputs too large", way->refused);
    if (way->difference)
        printf("\n  differs: %s\n  %s\n", way->difference, way->reproduction);
    else
        puts(", all agree");
}

static void print_member(const char *key, const char *value) {
    printf(",\"%s\":", key);
    if (value)
        json_print_string(value, strlen(value));
    else
        fputs("null", stdout);
}

void crosscheck_print_json(const crosscheck_way *way) {
    printf("{\"backend\":\"%s\"", way->backend);
    print_member("simd", way->simd);
    print_member("pipeline", way->pipeline);
    if (way->by_threads)
        printf(",\"threads\":%u", way->threads);
    else
        fputs(",\"threads\":null", stdout);
    print_member("status", pm_status_name(way->presence));
    printf(",\"inputs\":%" PRIu64 ",\"elements\":%" PRIu64 ",\"too_large\":%" PRIu64, way->inputs, way->elements,
           way->refused);
    print_member("difference", way->difference);
    print_member("reproduction", way->reproduction);
    puts("}");
}
