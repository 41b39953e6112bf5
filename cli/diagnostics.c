/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics in words, and printed with the source line. */
#include "cli/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/utf8.h"

#define TOKEN_SHOWN 64u /* room for a token as it is shown */
#define TOKEN_BYTES 40u /* maximum of its bytes that are shown */

byte_text byte_show(char byte) {
    byte_text shown = {{byte}};
    const unsigned char value = (unsigned char)byte;
    if (value < 0x20 || value >= 0x7f)
        snprintf(shown.text, sizeof shown.text, "\\x%02x", value);
    return shown;
}

/* Puts it in words, such as "unmatched ')'", without the place. */
static void say(shown_diagnostic *shown, const char *what, const char *partner_what) {
    char *const text = shown->message;
    switch (shown->fault) {
    case PM_FAULT_UNMATCHED_CLOSE:
        snprintf(text, MESSAGE_ROOM, "unmatched '%s'", what);
        break;
    case PM_FAULT_UNMATCHED_OPEN:
        snprintf(text, MESSAGE_ROOM, "'%s' is never closed", what);
        break;
    case PM_FAULT_KIND_MISMATCH:
        snprintf(text, MESSAGE_ROOM, "'%s' closes '%s'", what, partner_what);
        snprintf(shown->partner_message, MESSAGE_ROOM, "'%s' is here", partner_what);
        break;
    case PM_FAULT_UNTERMINATED:
        if (*what)
            snprintf(text, MESSAGE_ROOM, "'%s' is never ended", what);
        else
            snprintf(text, MESSAGE_ROOM, "unterminated string or comment");
        break;
    case PM_FAULT_MISPLACED:
    case PM_FAULT_TRAILING:
    case PM_FAULT_BAD_BYTE:
        snprintf(text, MESSAGE_ROOM, "'%s' may not stand here", what);
        break;
    }
}

/* A bracket that begins or ends lines is placed by their indentation, others by the tokens around them. */
static bool is_placed_by_lines(const pm_repair *repair) {
    return repair->new_line || repair->at.column == 1 || repair->byte == '}';
}

void repair_describe(const pm_repair *repair, char message[MESSAGE_ROOM]) {
    const bool before = repair->new_line || repair->at.column == 1, by_lines = is_placed_by_lines(repair);
    const byte_text shown = byte_show(repair->byte);
    const char *const byte = shown.text;
    switch (repair->kind) {
    case PM_REPAIR_INSERT:
        snprintf(message, MESSAGE_ROOM, "%s'%s' is %smissing %s line %" PRIu64, by_lines ? "by its indentation " : "",
                 byte, by_lines ? "" : "probably ", before ? "before" : "in", repair->at.line);
        break;
    case PM_REPAIR_REMOVE:
        snprintf(message, MESSAGE_ROOM, "'%s' is probably one too many", byte);
        break;
    case PM_REPAIR_REPLACE:
        snprintf(message, MESSAGE_ROOM, "'%s' should probably stand here", byte);
        break;
    }
}

const char *repair_name(pm_repair_kind kind) {
    static const char *const names[] = {
        [PM_REPAIR_INSERT] = "insert", [PM_REPAIR_REMOVE] = "remove", [PM_REPAIR_REPLACE] = "replace"};
    return names[kind];
}

void repair_print(FILE *to, const char *name, const pm_repair *repair) {
    char message[MESSAGE_ROOM];
    repair_describe(repair, message);
    fprintf(to, "%s:%" PRIu64 ":%" PRIu64 ": note: %s\n", name, repair->at.line, repair->at.column, message);
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

/* What is printed before and behind what is to be seen; empty without colours. */
typedef struct paint {
    const char *begin, *end;
} paint;

static paint paint_of(bool colored, const char *begin) {
    return colored ? (paint){begin, "\033[0m"} : (paint){"", ""};
}

/* The source line and a caret under the place, in gcc's manner. A caret stands under its character wherever a character
 * takes one column. */
static void print_line(FILE *to, const text_source *source, pm_place place, paint caret) {
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
    fprintf(to, "%s^%s\n", caret.begin, caret.end);
}

static void print_at(FILE *to, bool colored, const text_source *source, pm_place place, bool error, const char *text) {
    const paint bold = paint_of(colored, "\033[1m"), severity = paint_of(colored, error ? "\033[1;31m" : "\033[1;36m");
    fprintf(to, "%s%s:%" PRIu64 ":%" PRIu64 ":%s %s%s:%s %s\n", bold.begin, source->name, place.line, place.column,
            bold.end, severity.begin, error ? "error" : "note", severity.end, text);
    print_line(to, source, place, severity);
}

static void print(diagnostic_printer *printer, const text_source *source, const shown_diagnostic *shown) {
    if (printer->format != FORMAT_GCC) {
        diagnostic_print_for_programs(printer, source, shown);
        return;
    }
    print_at(printer->to, printer->colored, source, shown->at, true, shown->message);
    if (shown->fault == PM_FAULT_KIND_MISMATCH)
        print_at(printer->to, printer->colored, source, shown->partner, false, shown->partner_message);
    if (shown->elsewhere)
        print_at(printer->to, printer->colored, source, shown->repair->at, false, shown->repair_message);
}

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

/* A bracket is a byte, and its text may no longer be at hand. */
static void describe_bracket(const pm_diagnostic *diagnostic, shown_diagnostic *shown) {
    const bool cut = diagnostic->fault == PM_FAULT_UNTERMINATED; /* what begins there may be longer than a byte */
    shown->key = "byte";
    shown->bytes = &diagnostic->byte;
    shown->partner_bytes = &diagnostic->partner_byte;
    say(shown, cut ? "" : byte_show(diagnostic->byte).text, byte_show(diagnostic->partner_byte).text);
}

static void describe_delimiter(const pm_diagnostic *diagnostic, const char *text, shown_diagnostic *shown) {
    char what[TOKEN_SHOWN], partner_what[TOKEN_SHOWN];
    shown->key = "text";
    shown->bytes = text + diagnostic->at.offset;
    shown->partner_bytes = text + diagnostic->partner.offset;
    show_token(what, shown->bytes, shown->length);
    show_token(partner_what, shown->partner_bytes, shown->partner_length);
    say(shown, what, partner_what);
}

void diagnostic_describe(const pm_diagnostic *diagnostic, const char *text, shown_diagnostic *shown) {
    *shown = (shown_diagnostic){.fault = diagnostic->fault,
                                .at = diagnostic->at,
                                .partner = diagnostic->partner,
                                .length = (size_t)diagnostic->length,
                                .partner_length = (size_t)diagnostic->partner_length};
    if (text)
        describe_delimiter(diagnostic, text, shown);
    else
        describe_bracket(diagnostic, shown);
    if (diagnostic->has_repair) {
        shown->repair = &diagnostic->repair;
        repair_describe(&diagnostic->repair, shown->repair_message);
        const uint64_t line = diagnostic->repair.at.line;
        shown->elsewhere = line != shown->at.line && line != shown->partner.line;
    }
}

void diagnostic_print(diagnostic_printer *printer, const text_source *source, const pm_diagnostic *diagnostic) {
    shown_diagnostic shown;
    diagnostic_describe(diagnostic, printer->delimited ? source->text : NULL, &shown);
    if (printer->records)
        shown.record = diagnostic->record + 1;
    if (printer->records && printer->format == FORMAT_GCC)
        fprintf(printer->to, "%s:%" PRIu64 ":%" PRIu64 ": error: record %" PRIu64 ": %s\n", source->name, shown.at.line,
                shown.at.column, shown.record, shown.message);
    else
        print(printer, source, &shown);
}

void rules_error_print(const text_source *source, const pm_language_error *error) {
    print_at(stderr, false, source, error->at, true, error->what);
}
