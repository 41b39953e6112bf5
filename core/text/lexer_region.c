/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer inside strings and comments: how they are entered, read and left. */
#include "core/text/lexer_parts.h"

/* ---- Entering and leaving ---- */

void pmi_lexer_region_enter(pmi_lexer *lexer, const pmi_region *region) {
    lexer->state = region->flags & PM_REGION_NOTHING ? PM_LEXER_CODE : PM_LEXER_REGION;
    lexer->region = region;
    lexer->escape = PM_LEXER_UNESCAPED;
    lexer->previous = 0;
    lexer->matched = 0;
    lexer->depth = 0;
    lexer->in_class = false;
}

/* Enters the region that has that flag. */
void pmi_lexer_region_enter_flagged(pmi_lexer *lexer, unsigned flag) {
    for (size_t r = 0; r < lexer->language->region_count; r++)
        if (lexer->language->regions[r].flags & flag)
            pmi_lexer_region_enter(lexer, &lexer->language->regions[r]);
}

static void region_leave(pmi_lexer *lexer) {
    lexer->state = PM_LEXER_CODE;
    if (lexer->region->flags & PM_REGION_COMMENT)
        pmi_lexer_history_push_blank(&lexer->history, false);
    else
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
}

/* ---- Inside ---- */

/* Byte k of what closes the region, 0 past its end. */
static unsigned char region_closer(const pmi_lexer *lexer, uint64_t k) {
    const unsigned flags = lexer->region->flags;
    if (k > 0 && (flags & PM_REGION_HASHED))
        return k <= lexer->raw_length ? '#' : 0;
    if (k > 0 && (flags & PM_REGION_DELIMITED))
        return k <= lexer->raw_length ? lexer->raw_delimiter[k - 1] : k == lexer->raw_length + 1 ? '"' : 0;
    return (unsigned char)lexer->region->close[k];
}

static bool closing_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == region_closer(lexer, lexer->matched)) {
        lexer->matched++;
        if (region_closer(lexer, lexer->matched) == 0)
            region_leave(lexer);
    } else {
        lexer->matched = byte == region_closer(lexer, 0); /* which stands nowhere else in a closer that mismatches */
    }
    return true;
}

/* The byte behind a backslash. Where it protects line ends alone, backslashes in a row are as good as one. */
static bool escaped_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned flags = lexer->region->flags;
    const bool returned = lexer->escape == PM_LEXER_ESCAPE_RETURN;
    lexer->escape = PM_LEXER_UNESCAPED;
    if (returned)
        return byte == '\n';
    if (byte == '\n')
        return !(flags & PM_REGION_LINE) || (flags & PM_REGION_CONTINUED);
    if (byte == '\r' && (flags & PM_REGION_CONTINUED)) {
        lexer->escape = PM_LEXER_ESCAPE_RETURN;
        return true;
    }
    return flags & PM_REGION_ESCAPES;
}

static bool nested_byte(pmi_lexer *lexer, unsigned char byte) {
    const char *open = lexer->region->open, *close = lexer->region->close;
    const char first = (char)lexer->previous, second = (char)byte;
    lexer->previous = 0;
    if (first == open[0] && second == open[1])
        lexer->depth++;
    else if (first == close[0] && second == close[1] && lexer->depth > 0)
        lexer->depth--;
    else if (first == close[0] && second == close[1])
        region_leave(lexer);
    else if (second == open[0] || second == close[0])
        lexer->previous = byte;
    return true;
}

static bool regex_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '[' || byte == ']')
        lexer->in_class = byte == '[';
    return lexer->in_class || closing_byte(lexer, byte);
}

/* Code begins at the { of ${, which so is the first of its braces. */
static bool template_byte(pmi_lexer *lexer, unsigned char byte) {
    if (lexer->previous == '$' && byte == '{') {
        pmi_lexer_template *entry = pmi_stack_push(&lexer->templates);
        if (!entry) {
            lexer->out_of_memory = true;
            return true;
        }
        *entry = (pmi_lexer_template){lexer->start, lexer->braces};
        lexer->braces = 0;
        lexer->state = PM_LEXER_CODE;
        return false;
    }
    lexer->previous = byte == '$' ? byte : 0;
    return closing_byte(lexer, byte);
}

/* A brace of code inside a template literal. */
void pmi_lexer_template_brace(pmi_lexer *lexer, unsigned char byte) {
    pmi_lexer_history_push(&lexer->history, byte);
    lexer->braces += byte == '{' ? 1 : UINT64_MAX;
    if (lexer->braces > 0)
        return;
    const pmi_lexer_template *entry = pmi_stack_top(&lexer->templates);
    lexer->start = entry->start;
    lexer->braces = entry->braces;
    pmi_stack_pop(&lexer->templates);
    pmi_lexer_region_enter_flagged(lexer, PM_REGION_TEMPLATE);
}

bool pmi_lexer_region_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned flags = lexer->region->flags;
    if (lexer->escape != PM_LEXER_UNESCAPED && escaped_byte(lexer, byte))
        return true;
    if (byte == '\n' && (flags & PM_REGION_LINE)) {
        region_leave(lexer);
        return false;
    }
    if (byte == '\\' && (flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))) {
        lexer->escape = PM_LEXER_ESCAPE;
        lexer->previous = 0;
        lexer->matched = 0;
        return true;
    }
    if (flags & PM_REGION_NESTS)
        return nested_byte(lexer, byte);
    if (flags & PM_REGION_REGEX)
        return regex_byte(lexer, byte);
    if (flags & PM_REGION_TEMPLATE)
        return template_byte(lexer, byte);
    return closing_byte(lexer, byte);
}
