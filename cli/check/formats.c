/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics for programs: JSON, an object a line; SARIF 2.1.0 (OASIS); commands of GitHub's workflows. */
#include <inttypes.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/utf8.h"

static const struct {
    const char *name, *description;
} faults[] = {[PM_FAULT_UNMATCHED_CLOSE] = {"unmatched-close", "A close without an open."},
              [PM_FAULT_UNMATCHED_OPEN] = {"unmatched-open", "An open that is never closed."},
              [PM_FAULT_KIND_MISMATCH] = {"kind-mismatch", "A close of another kind than its open."},
              [PM_FAULT_UNTERMINATED] = {"unterminated", "A string or comment that the end of the file cuts off."},
              [PM_FAULT_MISPLACED] = {"misplaced", "A token where JSON allows none such."},
              [PM_FAULT_TRAILING] = {"trailing", "Something behind a whole JSON value."},
              [PM_FAULT_BAD_BYTE] = {"bad-byte", "A byte that JSON does not allow there."}};

const char *fault_name(pm_fault fault) {
    return faults[fault].name;
}

/* ---- JSON */

static void json_place(FILE *to, pm_place place, const char *key, const char *bytes, size_t length) {
    fprintf(to, "\"line\":%" PRIu64 ",\"column\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"%s\":", place.line, place.column,
            place.offset, key);
    json_write_string(to, bytes, length);
}

static void json_repair(FILE *to, const shown_diagnostic *shown) {
    const pm_repair *const repair = shown->repair;
    fprintf(to, ",\"repair\":{\"kind\":\"%s\",", repair_name(repair->kind));
    json_place(to, repair->at, "byte", &repair->byte, 1);
    fprintf(to, ",\"new_line\":%s,\"certain\":%s,\"message\":", repair->new_line ? "true" : "false",
            repair->certain ? "true" : "false");
    json_write_string(to, shown->repair_message, strlen(shown->repair_message));
    putc('}', to);
}

static void json_print(FILE *to, const text_source *source, const shown_diagnostic *shown) {
    putc('{', to);
    json_write_file(to, source->name);
    putc(',', to);
    if (shown->record > 0)
        fprintf(to, "\"record\":%" PRIu64 ",", shown->record);
    json_place(to, shown->at, shown->key, shown->bytes, shown->length);
    fprintf(to, ",\"fault\":\"%s\",\"message\":", fault_name(shown->fault));
    json_write_string(to, shown->message, strlen(shown->message));
    if (shown->fault == PM_FAULT_KIND_MISMATCH) {
        fputs(",\"partner\":{", to);
        json_place(to, shown->partner, shown->key, shown->partner_bytes, shown->partner_length);
        putc('}', to);
    }
    if (shown->repair)
        json_repair(to, shown);
    fputs("}\n", to);
}

/* ---- Columns in characters, which SARIF and GitHub count */

enum {
    COLUMN_COUNTED = 1 << 16 /* bytes of a line before the place; farther on the column is left out */
};

/* From 1; 0: not known. */
static uint64_t character_column(const text_source *source, pm_place place) {
    const uint64_t before = place.column - 1, begin = place.offset - before;
    if (before > COLUMN_COUNTED || begin < source->offset || place.offset > source->offset + source->length)
        return 0;
    const char *const line = source->text + (begin - source->offset);
    const size_t mark = begin == 0 ? utf8_mark(line, (size_t)before) : 0; /* is no part of the text */
    return utf8_count(line + mark, (size_t)before - mark) + 1;
}

/* ---- SARIF */

/* A message's braces are doubled, as they would else hold the number of an argument. */
static void sarif_message(FILE *to, const char *text) {
    char doubled[2 * MESSAGE_ROOM];
    size_t length = 0;
    for (; *text; text++) {
        doubled[length++] = *text;
        if (*text == '{' || *text == '}')
            doubled[length++] = *text;
    }
    fputs("\"message\":{\"text\":", to);
    json_write_string(to, doubled, length);
    putc('}', to);
}

/* The name as a reference of RFC 3986: a path that begins at the root is a URI of its own. */
static void sarif_uri(FILE *to, const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    fputs(*name == '/' ? "\"file://" : "\"", to);
    for (; *name; name++)
        fprintf(to, strchr(plain, *name) ? "%c" : "%%%02X", (unsigned)(unsigned char)*name);
    putc('"', to);
}

/* Bytes of a token up to the end of its line, in which its region ends. */
static size_t first_line(const char *bytes, size_t length) {
    const char *const newline = length > 0 ? memchr(bytes, '\n', length) : NULL;
    return newline ? (size_t)(newline - bytes) : length;
}

static void sarif_location(FILE *to, const text_source *source, pm_place place, const char *bytes, size_t length) {
    const uint64_t column = character_column(source, place);
    fputs("\"physicalLocation\":{\"artifactLocation\":{\"uri\":", to);
    sarif_uri(to, source->name);
    fprintf(to, "},\"region\":{\"startLine\":%" PRIu64, place.line);
    if (column > 0)
        fprintf(to, ",\"startColumn\":%" PRIu64 ",\"endColumn\":%" PRIu64, column,
                column + utf8_count(bytes, first_line(bytes, length)));
    fputs("}}", to);
}

static void sarif_begin(FILE *to) {
    fprintf(to,
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
            "\"tool\":{\"driver\":{\"name\":\"%s\",\"version\":\"%s\",\"rules\":[",
            program_name, pm_version_string());
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        fprintf(to, "%s\n{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"}}", f > 0 ? "," : "", faults[f].name,
                faults[f].description);
    fputs("]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[\n", to);
}

static void sarif_end(FILE *to, int exit_code) {
    fprintf(to, "],\n\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d}]\n}]}\n",
            exit_code == EXIT_TROUBLE ? "false" : "true", exit_code);
}

static void sarif_related(FILE *to, const text_source *source, pm_place place, const char *bytes, size_t length,
                          const char *message) {
    putc('{', to);
    sarif_location(to, source, place, bytes, length);
    putc(',', to);
    sarif_message(to, message);
    putc('}', to);
}

/* The other bracket of a pair, and where the mistake probably is. */
static void sarif_related_all(FILE *to, const text_source *source, const shown_diagnostic *shown) {
    const bool pair = shown->fault == PM_FAULT_KIND_MISMATCH;
    if (!pair && !shown->elsewhere)
        return;
    fputs(",\"relatedLocations\":[", to);
    if (pair)
        sarif_related(to, source, shown->partner, shown->partner_bytes, shown->partner_length, shown->partner_message);
    if (pair && shown->elsewhere)
        putc(',', to);
    if (shown->elsewhere)
        sarif_related(to, source, shown->repair->at, &shown->repair->byte, shown->repair->kind != PM_REPAIR_INSERT,
                      shown->repair_message);
    putc(']', to);
}

static void sarif_print(FILE *to, const text_source *source, const shown_diagnostic *shown) {
    fprintf(to, "{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"error\",", faults[shown->fault].name,
            (int)shown->fault);
    sarif_message(to, shown->message);
    fputs(",\"locations\":[{", to);
    sarif_location(to, source, shown->at, shown->bytes, shown->length);
    fputs("}]", to);
    sarif_related_all(to, source, shown);
    fputs("}\n", to);
}

/* ---- GitHub */

/* Characters that would end what they stand in. */
static void github_escape(FILE *to, const char *text, const char *special) {
    for (; *text; text++)
        fprintf(to, strchr(special, *text) ? "%%%02X" : "%c", (unsigned)(unsigned char)*text);
}

/* "line 3, column 4", in characters; the line alone if the column is not known. */
static void github_place(FILE *to, const text_source *source, pm_place place) {
    const uint64_t column = character_column(source, place);
    fprintf(to, "line %" PRIu64, place.line);
    if (column > 0)
        fprintf(to, ", column %" PRIu64, column);
}

static void github_repair(FILE *to, const text_source *source, const shown_diagnostic *shown) {
    fputs("; ", to);
    github_escape(to, shown->repair_message, "%\r\n");
    if (shown->repair->kind != PM_REPAIR_INSERT) {
        fputs(" (", to);
        github_place(to, source, shown->repair->at);
        putc(')', to);
    }
}

static void github_print(FILE *to, const text_source *source, const shown_diagnostic *shown) {
    const uint64_t column = character_column(source, shown->at);
    fputs("::error file=", to);
    github_escape(to, source->name, "%\r\n:,");
    fprintf(to, ",line=%" PRIu64, shown->at.line);
    if (column > 0)
        fprintf(to, ",col=%" PRIu64, column);
    fputs("::", to);
    github_escape(to, shown->message, "%\r\n");
    if (shown->fault == PM_FAULT_KIND_MISMATCH) {
        fputs(" of ", to);
        github_place(to, source, shown->partner);
    }
    if (shown->elsewhere)
        github_repair(to, source, shown);
    putc('\n', to);
}

/* ---- Any of them */

void diagnostics_begin(const diagnostic_printer *printer) {
    if (printer->format == FORMAT_SARIF)
        sarif_begin(printer->to);
}

void diagnostics_end(const diagnostic_printer *printer, int exit_code) {
    if (printer->format == FORMAT_SARIF)
        sarif_end(printer->to, exit_code);
}

void diagnostic_print_for_programs(diagnostic_printer *printer, const text_source *source,
                                   const shown_diagnostic *shown) {
    if (printer->format == FORMAT_SARIF) {
        if (printer->continued)
            putc(',', printer->to);
        sarif_print(printer->to, source, shown);
        printer->continued = true;
    } else if (printer->format == FORMAT_GITHUB) {
        github_print(printer->to, source, shown);
    } else {
        json_print(printer->to, source, shown);
    }
}
