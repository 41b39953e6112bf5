/* SPDX-License-Identifier: Apache-2.0 */
/* Formatting diagnostics as text, with the source line, and as JSON. */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/utf8.h"

#define TOKEN_SHOWN 64u   /* room for a token as it is shown */
#define TOKEN_BYTES 40u   /* maximum of its bytes that are shown */
#define MESSAGE_ROOM 192u /* for two tokens, and words between them */

byte_text byte_show(char byte) {
    byte_text shown = {{byte}};
    const unsigned char value = (unsigned char)byte;
    if (value < 0x20 || value >= 0x7f)
        snprintf(shown.text, sizeof shown.text, "\\x%02x", value);
    return shown;
}

/* A diagnostic as text: of a bracket or of a token of any length. */
typedef struct shown_diagnostic {
    pm_fault fault;
    pm_place at, partner;
    char what[TOKEN_SHOWN], partner_what[TOKEN_SHOWN];
} shown_diagnostic;

/* "unmatched ')'" and the like, without the place. */
static void message(char *text, size_t size, const shown_diagnostic *diagnostic) {
    const char *const what = diagnostic->what;
    switch (diagnostic->fault) {
    case PM_FAULT_UNMATCHED_CLOSE:
        snprintf(text, size, "unmatched '%s'", what);
        break;
    case PM_FAULT_UNMATCHED_OPEN:
        snprintf(text, size, "'%s' is never closed", what);
        break;
    case PM_FAULT_KIND_MISMATCH:
        snprintf(text, size, "'%s' closes '%s'", what, diagnostic->partner_what);
        break;
    case PM_FAULT_UNTERMINATED:
        if (*what)
            snprintf(text, size, "'%s' is never ended", what);
        else
            snprintf(text, size, "unterminated string or comment");
        break;
    }
}

/* What a character of a source line takes on the screen, or stands for it: tabs stay, other controls become '?'. */
static size_t print_character(FILE *to, const char *text, size_t length) {
    const size_t size = utf8_character(text, length);
    if (size == 0)
        fputs(UTF8_REPLACEMENT, to);
    else if (size == 1 && *text != '\t' && ((unsigned char)*text < 0x20 || *text == 0x7f))
        putc('?', to);
    else
        fwrite(text, 1, size, to);
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
static void print_line(FILE *to, const text_source *source, pm_place place) {
    excerpt line = source_line(source, place.offset, place.column);
    if (!line.text)
        return;
    excerpt_trim(&line);
    fprintf(to, "%5" PRIu64 " | %s", place.line, line.cut_before ? "..." : "");
    for (size_t i = 0; i < line.length;)
        i += print_character(to, line.text + i, line.length - i);
    fprintf(to, "%s\n      | %s", line.cut_behind ? "..." : "", line.cut_before ? "   " : "");
    for (size_t i = 0; i < line.mark;) {
        const size_t size = utf8_character(line.text + i, line.mark - i);
        if (utf8_mark(line.text + i, line.mark - i) == 0)
            putc(line.text[i] == '\t' ? '\t' : ' ', to);
        i += size ? size : 1;
    }
    fputs("^\n", to);
}

static void print_at(FILE *to, const text_source *source, pm_place place, const char *severity, const char *text) {
    fprintf(to, "%s:%" PRIu64 ":%" PRIu64 ": %s: %s\n", source->name, place.line, place.column, severity, text);
    print_line(to, source, place);
}

static void print(const text_source *source, const shown_diagnostic *diagnostic) {
    char text[MESSAGE_ROOM];
    message(text, sizeof text, diagnostic);
    print_at(stdout, source, diagnostic->at, "error", text);
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH) {
        snprintf(text, sizeof text, "'%s' is here", diagnostic->partner_what);
        print_at(stdout, source, diagnostic->partner, "note", text);
    }
}

static void print_place_json(pm_place place) {
    printf("\"line\":%" PRIu64 ",\"column\":%" PRIu64 ",\"offset\":%" PRIu64, place.line, place.column, place.offset);
}

/* What stands at the places is `key`: n bytes, and those of the partner. */
static void print_json(const text_source *source, const shown_diagnostic *diagnostic, const char *key,
                       const char *bytes, size_t n, const char *partner_bytes, size_t partner_n) {
    static const char *const faults[] = {[PM_FAULT_UNMATCHED_CLOSE] = "unmatched-close",
                                         [PM_FAULT_UNMATCHED_OPEN] = "unmatched-open",
                                         [PM_FAULT_KIND_MISMATCH] = "kind-mismatch",
                                         [PM_FAULT_UNTERMINATED] = "unterminated"};
    char text[MESSAGE_ROOM];
    message(text, sizeof text, diagnostic);
    fputs("{\"file\":", stdout);
    json_print_string(source->name, strlen(source->name));
    putchar(',');
    print_place_json(diagnostic->at);
    printf(",\"%s\":", key);
    json_print_string(bytes, n);
    printf(",\"fault\":\"%s\",\"message\":", faults[diagnostic->fault]);
    json_print_string(text, strlen(text));
    if (diagnostic->fault == PM_FAULT_KIND_MISMATCH) {
        fputs(",\"partner\":{", stdout);
        print_place_json(diagnostic->partner);
        printf(",\"%s\":", key);
        json_print_string(partner_bytes, partner_n);
        putchar('}');
    }
    puts("}");
}

/* ---- Brackets ---- */

static shown_diagnostic show_bracket(const pm_diagnostic *diagnostic) {
    shown_diagnostic shown = {.fault = diagnostic->fault, .at = diagnostic->at, .partner = diagnostic->partner};
    if (diagnostic->fault != PM_FAULT_UNTERMINATED)
        snprintf(shown.what, sizeof shown.what, "%s", byte_show(diagnostic->byte).text);
    snprintf(shown.partner_what, sizeof shown.partner_what, "%s", byte_show(diagnostic->partner_byte).text);
    return shown;
}

void diagnostic_print(const text_source *source, const pm_diagnostic *diagnostic) {
    const shown_diagnostic shown = show_bracket(diagnostic);
    print(source, &shown);
}

void diagnostic_print_json(const text_source *source, const pm_diagnostic *diagnostic) {
    const shown_diagnostic shown = show_bracket(diagnostic);
    print_json(source, &shown, "byte", &diagnostic->byte, 1, &diagnostic->partner_byte, 1);
}

/* ---- Tokens, of a text that is all at hand ---- */

/* The bytes of a token, as far as they are shown, in characters that can be printed. */
static void show_token(char *shown, const char *bytes, uint64_t length) {
    const size_t n = length < TOKEN_BYTES ? (size_t)length : TOKEN_BYTES;
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        const size_t size = utf8_character(bytes + i, n - i);
        if (size == 0 || (size == 1 && ((unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7f))) {
            shown[to++] = size == 0 ? '?' : ' ';
            i++;
            continue;
        }
        memcpy(shown + to, bytes + i, size);
        to += size;
        i += size;
    }
    memcpy(shown + to, "...", 3);
    shown[length > n ? to + 3 : to] = '\0';
}

static shown_diagnostic show_structure(const text_source *source, const pm_delimiters_diagnostic *diagnostic) {
    shown_diagnostic shown = {.fault = diagnostic->fault, .at = diagnostic->at, .partner = diagnostic->partner};
    show_token(shown.what, source->text + diagnostic->at.offset, diagnostic->length);
    show_token(shown.partner_what, source->text + diagnostic->partner.offset, diagnostic->partner_length);
    return shown;
}

void structure_diagnostic_print(const text_source *source, const pm_delimiters_diagnostic *diagnostic) {
    const shown_diagnostic shown = show_structure(source, diagnostic);
    print(source, &shown);
}

void structure_diagnostic_print_json(const text_source *source, const pm_delimiters_diagnostic *diagnostic) {
    const shown_diagnostic shown = show_structure(source, diagnostic);
    print_json(source, &shown, "text", source->text + diagnostic->at.offset, (size_t)diagnostic->length,
               source->text + diagnostic->partner.offset, (size_t)diagnostic->partner_length);
}

void rules_error_print(const text_source *source, const pm_delimiters_error *error) {
    print_at(stderr, source, error->at, "error", error->what);
}
