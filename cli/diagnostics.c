/* SPDX-License-Identifier: Apache-2.0 */
/* How a diagnostic looks. */
#include "cli/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "cli/utf8.h"

byte_text byte_show(char byte) {
    byte_text shown = {{byte}};
    const unsigned char value = (unsigned char)byte;
    if (value < 0x20 || value >= 0x7f)
        snprintf(shown.text, sizeof shown.text, "\\x%02x", value);
    return shown;
}

/* "unmatched ')'" and the like, without the place. */
static void message(char *text, size_t size, const pm_diagnostic *diagnostic) {
    const byte_text byte = byte_show(diagnostic->byte), partner = byte_show(diagnostic->partner_byte);
    switch (diagnostic->fault) {
    case PM_FAULT_UNMATCHED_CLOSE:
        snprintf(text, size, "unmatched '%s'", byte.text);
        break;
    case PM_FAULT_UNMATCHED_OPEN:
        snprintf(text, size, "'%s' is never closed", byte.text);
        break;
    case PM_FAULT_KIND_MISMATCH:
        snprintf(text, size, "'%s' closes '%s'", byte.text, partner.text);
        break;
    case PM_FAULT_UNTERMINATED:
        snprintf(text, size, "unterminated string or comment");
        break;
    }
}

/* What a character of a source line takes on the screen, or stands for it: tabs stay, other controls become '?'. */
static size_t print_character(const char *text, size_t length) {
    const size_t size = utf8_character(text, length);
    if (size == 0)
        fputs(UTF8_REPLACEMENT, stdout);
    else if (size == 1 && *text != '\t' && ((unsigned char)*text < 0x20 || *text == 0x7f))
        putchar('?');
    else
        fwrite(text, 1, size, stdout);
    return size ? size : 1;
}

/* The excerpt begins and ends between characters, even where it was cut. */
static void excerpt_trim(excerpt *line) {
    while (line->cut_before && line->mark > 0 && ((unsigned char)*line->text & 0xc0) == 0x80) {
        line->text++;
        line->length--;
        line->mark--;
    }
    while (line->cut_behind && line->length > line->mark + 1 &&
           ((unsigned char)line->text[line->length - 1] & 0xc0) == 0x80)
        line->length--;
    if (line->cut_behind && line->length > line->mark + 1 && (unsigned char)line->text[line->length - 1] >= 0xc0)
        line->length--;
    if (!line->cut_behind && line->length > line->mark + 1 && line->text[line->length - 1] == '\r')
        line->length--;
}

/* The source line and a caret under the place, in gcc's manner. A caret stands under its character wherever a character
 * takes one column. */
static void print_line(const text_source *source, pm_place place) {
    excerpt line = source_line(source, place.offset, place.column);
    if (!line.text)
        return;
    excerpt_trim(&line);
    printf("%5" PRIu64 " | %s", place.line, line.cut_before ? "..." : "");
    for (size_t i = 0; i < line.length;)
        i += print_character(line.text + i, line.length - i);
    printf("%s\n      | %s", line.cut_behind ? "..." : "", line.cut_before ? "   " : "");
    for (size_t i = 0; i < line.mark;) {
        const size_t size = utf8_character(line.text + i, line.mark - i);
        putchar(line.text[i] == '\t' ? '\t' : ' ');
        i += size ? size : 1;
    }
    puts("^");
}

static void print_at(const text_source *source, pm_place place, const char *severity, const char *text) {
    printf("%s:%" PRIu64 ":%" PRIu64 ": %s: %s\n", source->name, place.line, place.column, severity, text);
    print_line(source, place);
}

void diagnostic_print(const text_source *source, const pm_diagnostic *diagnostic) {
    char text[64];
    message(text, sizeof text, diagnostic);
    print_at(source, diagnostic->at, "error", text);
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH) {
        snprintf(text, sizeof text, "'%s' is here", byte_show(diagnostic->partner_byte).text);
        print_at(source, diagnostic->partner, "note", text);
    }
}

static void print_place_json(pm_place place, char byte) {
    printf("\"line\":%" PRIu64 ",\"column\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"byte\":", place.line, place.column,
           place.offset);
    json_print_string(&byte, 1);
}

void diagnostic_print_json(const text_source *source, const pm_diagnostic *diagnostic) {
    static const char *const faults[] = {[PM_FAULT_UNMATCHED_CLOSE] = "unmatched-close",
                                         [PM_FAULT_UNMATCHED_OPEN] = "unmatched-open",
                                         [PM_FAULT_KIND_MISMATCH] = "kind-mismatch",
                                         [PM_FAULT_UNTERMINATED] = "unterminated"};
    char text[64];
    message(text, sizeof text, diagnostic);
    fputs("{\"file\":", stdout);
    json_print_string(source->name, strlen(source->name));
    putchar(',');
    print_place_json(diagnostic->at, diagnostic->byte);
    printf(",\"fault\":\"%s\",\"message\":", faults[diagnostic->fault]);
    json_print_string(text, strlen(text));
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH) {
        fputs(",\"partner\":{", stdout);
        print_place_json(diagnostic->partner, diagnostic->partner_byte);
        putchar('}');
    }
    puts("}");
}
