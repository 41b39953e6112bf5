/* SPDX-License-Identifier: Apache-2.0 */
/* Printing hits: they come ordered, so lines are counted from the last one on. */
#define _GNU_SOURCE /* memrchr */
#include "cli/find/find.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/utf8.h"

void hits_begin(hit_printer *printer, const text_source *source) {
    printer->source = source;
    printer->line = 0;
    printer->begin = printer->end = 0;
    printer->lines = 0;
}

static uint64_t count_newlines(const char *text, size_t n) {
    uint64_t count = 0;
    for (const char *const end = text + n; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        count++;
    return count;
}

/* Goes to the line of an offset, which is no earlier one. Returns whether it is another than before. */
static bool go_to_line(hit_printer *printer, size_t offset) {
    if (offset < printer->end)
        return false;
    const char *const text = printer->source->text;
    const char *const before = memrchr(text + printer->end, '\n', offset - printer->end);
    const size_t begin = before ? (size_t)(before + 1 - text) : printer->end;
    if (printer->line_numbers)
        printer->line += 1 + count_newlines(text + printer->end, begin - printer->end);
    const char *const newline = memchr(text + offset, '\n', printer->source->length - offset);
    printer->begin = begin;
    printer->end = newline ? (size_t)(newline + 1 - text) : printer->source->length;
    printer->lines++;
    return true;
}

/* What grep prints before a line or a part of it. */
static void print_prefix(const hit_printer *printer, uint64_t offset) {
    if (printer->file_names)
        printf("%s:", printer->source->name);
    if (printer->line_numbers)
        printf("%" PRIu64 ":", printer->line);
    if (printer->byte_offsets)
        printf("%" PRIu64 ":", offset);
}

static void print_bytes(const hit_printer *printer, size_t begin, size_t end) {
    fwrite(printer->source->text + begin, 1, end - begin, stdout);
    if (printer->source->text[end - 1] != '\n')
        putchar('\n');
}

static void print_json(const hit_printer *printer, const pm_hit *hit) {
    size_t length;
    const char *const pattern = pm_dict_pattern_at(printer->dict, hit->pattern, &length);
    putchar('{');
    json_write_file(stdout, printer->source->name);
    printf(",\"offset\":%" PRIu64 ",\"line\":%" PRIu64 ",\"column\":%" PRIu64 ",\"length\":%u,\"pattern\":", hit->start,
           printer->line, hit->start - printer->begin + 1, (unsigned)hit->length);
    json_print_string(pattern, length);
    puts("}");
}

bool hits_print(const pm_hit *hits, size_t count, void *user) {
    hit_printer *const printer = user;
    if (output_failed())
        return false;
    for (size_t h = 0; h < count; h++) {
        const size_t start = (size_t)hits[h].start;
        const bool another_line = go_to_line(printer, start);
        switch (printer->form) {
        case HITS_AS_LINES:
            if (another_line) {
                print_prefix(printer, printer->begin);
                print_bytes(printer, printer->begin, printer->end);
            }
            break;
        case HITS_ALONE:
            print_prefix(printer, start);
            fwrite(printer->source->text + start, 1, hits[h].length, stdout);
            putchar('\n');
            break;
        case HITS_AS_JSON:
            print_json(printer, &hits[h]);
            break;
        case HITS_COUNTED:
            break;
        case HITS_NOTICED:
            return false;
        }
    }
    return true;
}
