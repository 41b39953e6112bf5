/* SPDX-License-Identifier: Apache-2.0 */
/* The unified difference of a text and its repairs, whose lines are known. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/fix/fix.h"

enum {
    CONTEXT = 3 /* lines */
};

typedef struct line_range {
    uint64_t first, end; /* lines from 0 */
} line_range;

/* The byte behind the line that begins at `at`. */
static size_t line_end(const char *text, size_t n, size_t at) {
    const char *const newline = memchr(text + at, '\n', n - at);
    return newline ? (size_t)(newline - text) + 1 : n;
}

static void print_line(char sign, const char *line, size_t length) {
    putchar(sign);
    fwrite(line, 1, length, stdout);
    if (length == 0 || line[length - 1] != '\n')
        puts("\n\\ No newline at end of file");
}

/* Prints a line, which may be long, with the repairs in it. */
static void print_repaired(const char *text, size_t at, size_t end, const pm_repair *repairs, size_t count) {
    putchar('+');
    for (size_t k = 0; k < count; k++) {
        const size_t place = (size_t)repairs[k].at.offset;
        fwrite(text + at, 1, place - at, stdout);
        if (repairs[k].kind != PM_REPAIR_REMOVE)
            putchar(repairs[k].byte);
        at = repairs[k].kind == PM_REPAIR_INSERT ? place : place + 1;
    }
    fwrite(text + at, 1, end - at, stdout);
    if (at == end || text[end - 1] != '\n')
        puts("\n\\ No newline at end of file");
}

/* The text's lines that begin at bytes at ... end, with the repairs there. */
static void print_changed(const char *text, size_t at, size_t end, const pm_repair *repairs, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (repairs[k].new_line) { /* its indentation is in another line */
            const char *const partner = text + repairs[k].partner.offset - (repairs[k].partner.column - 1);
            putchar('+');
            for (size_t i = 0; i + 1 < repairs[k].partner.column && (partner[i] == ' ' || partner[i] == '\t'); i++)
                putchar(partner[i]);
            printf("%c%s\n", repairs[k].byte, at > 1 && text[at - 2] == '\r' ? "\r" : "");
        }
    }
    if (repairs[0].new_line) {
        print_line(' ', text + at, end - at);
        return;
    }
    print_line('-', text + at, end - at);
    print_repaired(text, at, end, repairs, count);
}

/* The repairs from k on that share a line; a new line is alone. */
static size_t same_line(const pm_repair *repairs, size_t count, size_t k) {
    size_t end = k + 1;
    while (end < count && !repairs[k].new_line && !repairs[end].new_line && repairs[end].at.line == repairs[k].at.line)
        end++;
    return end;
}

/* Prints a hunk around the repairs first ... end - 1. */
static void print_hunk(const char *text, size_t n, const pm_repair *repairs, size_t first, size_t end, int64_t *added) {
    const uint64_t before = repairs[first].at.line - 1, begin = before > CONTEXT ? before - CONTEXT : 0;
    const uint64_t until = repairs[end - 1].at.line + CONTEXT;
    size_t at = (size_t)(repairs[first].at.offset - (repairs[first].at.column - 1)), stop;
    for (uint64_t line = before; line > begin; line--)
        for (at--; at > 0 && text[at - 1] != '\n';)
            at--;
    uint64_t lines = 0, new_lines = 0;
    for (stop = at; stop < n && begin + lines < until; lines++)
        stop = line_end(text, n, stop);
    for (size_t k = first; k < end; k++)
        new_lines += repairs[k].new_line;
    printf("@@ -%" PRIu64 ",%" PRIu64 " +%" PRIu64 ",%" PRIu64 " @@\n", begin + 1, lines, begin + 1 + (uint64_t)*added,
           lines + new_lines);
    *added += (int64_t)new_lines;
    size_t k = first;
    for (uint64_t line = begin + 1; at < stop; line++) {
        const size_t next = line_end(text, n, at);
        if (k < end && repairs[k].at.line == line) {
            const size_t last = same_line(repairs, end, k);
            print_changed(text, at, next, repairs + k, last - k);
            k = last;
        } else {
            print_line(' ', text + at, next - at);
        }
        at = next;
    }
}

void fix_print_diff(const char *name, const char *text, size_t n, const pm_repair *repairs, size_t count) {
    int64_t added = 0;
    printf("--- %s\n+++ %s\n", name, name);
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && repairs[end].at.line <= repairs[end - 1].at.line + 2 * CONTEXT)
            end++;
        print_hunk(text, n, repairs, first, end, &added);
    }
}
