/* SPDX-License-Identifier: Apache-2.0 */
/* What a lexer is inside of, and the bytes that lead out of it. */
#include <string.h>

#include "core/text/lexer_parts.h"

#define LINE_BEGINS 1u /* in lexer->previous: nothing of a heredoc's line was read */

static unsigned put(unsigned char *bytes, const char *text) {
    const size_t length = strlen(text);
    memcpy(bytes, text, length);
    return (unsigned)length;
}

static unsigned put_byte(unsigned char *bytes, unsigned char byte) {
    bytes[0] = byte;
    return 1;
}

/* ---- Inside of what ---- */

static pm_inside inside_region(const pmi_region *region) {
    return region->flags & (PM_REGION_COMMENT | PM_REGION_OUTSIDE) ? PM_IN_COMMENT : PM_IN_STRING;
}

static pm_inside inside_yaml(const pmi_yaml *yaml) {
    switch (yaml->state) {
    case PM_YAML_COMMENT:
        return PM_IN_COMMENT;
    case PM_YAML_DOUBLE:
    case PM_YAML_DOUBLE_ESCAPE:
    case PM_YAML_SINGLE:
    case PM_YAML_BLOCK:
    case PM_YAML_BLOCK_BLANK:
        return PM_IN_STRING;
    default:
        return PM_IN_CODE;
    }
}

pm_inside pmi_lexer_inside_of(const pmi_lexer *lexer) {
    const pmi_region *begun;
    switch (lexer->state) {
    case PM_LEXER_REGION:
        return lexer->region->flags & PM_REGION_YAML ? inside_yaml(&lexer->yaml) : inside_region(lexer->region);
    case PM_LEXER_OPENING_REGION:
        begun = pmi_lexer_region_begun(lexer, lexer->opening_length);
        return begun ? inside_region(begun) : PM_IN_CODE;
    case PM_LEXER_LONG:
        return lexer->region ? PM_IN_COMMENT : PM_IN_CODE;
    case PM_LEXER_RAW_DELIMITER:
    case PM_LEXER_SECOND_PART:
    case PM_LEXER_SECOND_COMMENT:
        return PM_IN_STRING;
    default:
        return PM_IN_CODE;
    }
}

/* ---- Out of regions ---- */

/* The line that ends a heredoc; a line that is cut off is ended first, unless it is that one. */
static unsigned close_heredoc(const pmi_lexer *lexer, unsigned char *bytes) {
    const pmi_heredoc *const heredoc = &lexer->heredocs[0];
    unsigned length = 0;
    if (lexer->previous != LINE_BEGINS)
        bytes[length++] = '\n';
    if (lexer->previous != LINE_BEGINS && lexer->heredoc_hash == heredoc->hash)
        return length;
    if (heredoc->length > PM_HEREDOC_WORD)
        return 0;
    memcpy(bytes + length, heredoc->word, heredoc->length);
    length += heredoc->length;
    bytes[length++] = '\n';
    return length;
}

static unsigned close_yaml(const pmi_yaml *yaml, bool brackets_follow, unsigned char *bytes) {
    switch (yaml->state) {
    case PM_YAML_DOUBLE:
        return put(bytes, "\"");
    case PM_YAML_DOUBLE_ESCAPE:
        return put(bytes, "\\");
    case PM_YAML_SINGLE:
        return put(bytes, "'");
    case PM_YAML_COMMENT:
    case PM_YAML_HEADER:
        return brackets_follow ? put(bytes, "\n") : 0;
    default:
        return 0;
    }
}

/* The next byte of what closes a region; and if that needs a line of its own and is the last, the line's end. */
static unsigned close_plainly(const pmi_lexer *lexer, unsigned char *bytes) {
    bytes[0] = pmi_lexer_region_closer(lexer, lexer->matched);
    if (!(lexer->region->flags & PM_REGION_START) || pmi_lexer_region_closer(lexer, lexer->matched + 1) != 0)
        return 1;
    bytes[1] = '\n';
    return 2;
}

static unsigned close_region(const pmi_lexer *lexer, bool brackets_follow, unsigned char *bytes) {
    const pmi_region *const region = lexer->region;
    const unsigned flags = region->flags;
    const bool comment = flags & PM_REGION_COMMENT;
    if (flags & PM_REGION_YAML)
        return close_yaml(&lexer->yaml, brackets_follow, bytes);
    if (flags & PM_REGION_JSX)
        return put(bytes, pmi_lexer_jsx_closer(lexer));
    if (!brackets_follow && (flags & PM_REGION_REST || (comment && (flags & PM_REGION_LINE))))
        return 0;
    if (flags & PM_REGION_HEREDOC)
        return close_heredoc(lexer, bytes);
    if (lexer->escape == PM_LEXER_ESCAPE_COMMENT)
        return put(bytes, "\n");
    if (lexer->escape == PM_LEXER_ESCAPE || (lexer->escape != PM_LEXER_UNESCAPED && comment))
        return put(bytes, comment ? " " : "\\");
    if (flags & PM_REGION_OUTSIDE)
        return put(bytes, lexer->matched ? "?php " : "<?php ");
    if (comment && (flags & PM_REGION_LINE))
        return put(bytes, "\n");
    if ((flags & PM_REGION_NESTS) && lexer->previous)
        return put(bytes, " ");
    if (flags & PM_REGION_NESTS)
        return put(bytes, region->close);
    if ((flags & PM_REGION_REGEX) && lexer->in_class)
        return put(bytes, "]");
    if ((flags & PM_REGION_TEMPLATE) && region->code[0] == ' ' && lexer->previous == '{')
        return put(bytes, "}");
    if (flags & PM_REGION_PAIRED)
        return put_byte(bytes, lexer->closer);
    return region->close ? close_plainly(lexer, bytes) : 0;
}

/* Behind what may begin a region. A quote can be doubled; other regions must have begun before they can end. */
static unsigned close_begun(const pmi_lexer *lexer, bool brackets_follow, unsigned char *bytes) {
    const pmi_region *const begun = pmi_lexer_region_begun(lexer, lexer->opening_length);
    if (!begun || (!brackets_follow && (begun->flags & PM_REGION_COMMENT) && (begun->flags & PM_REGION_LINE)))
        return 0;
    const bool quote = begun->close && strlen(begun->open) == 1 && strcmp(begun->open, begun->close) == 0;
    return put(bytes, quote && !(begun->flags & PM_REGION_REGEX) ? begun->close : " ");
}

/* ---- Out of any state ---- */

unsigned pmi_lexer_closing(const pmi_lexer *lexer, bool brackets_follow, unsigned char bytes[PM_LEXER_CLOSING]) {
    switch (lexer->state) {
    case PM_LEXER_REGION:
        return close_region(lexer, brackets_follow, bytes);
    case PM_LEXER_OPENING_REGION:
        return close_begun(lexer, brackets_follow, bytes);
    case PM_LEXER_DIRECTIVE:
    case PM_LEXER_CONDITION:
    case PM_LEXER_CONDITION_ZERO:
        return brackets_follow ? put(bytes, "\n") : 0;
    case PM_LEXER_LONG:
        return brackets_follow && lexer->region ? put(bytes, "\n") : 0;
    case PM_LEXER_PROTECTED:
    case PM_LEXER_CHARACTER:
    case PM_LEXER_CHARACTER_ESCAPE:
    case PM_LEXER_PAIRED:
        return put(bytes, " ");
    case PM_LEXER_CHARACTER_MODIFIER:
        return put(bytes, lexer->language->code & PM_CODE_DOLLAR ? " " : "");
    case PM_LEXER_RAW_DELIMITER:
        return put(bytes, "(");
    case PM_LEXER_QUOTE:
        return put(bytes, "a");
    case PM_LEXER_VARIABLE:
        return put(bytes, "_");
    case PM_LEXER_SECOND_PART:
        return put(bytes, "{}");
    case PM_LEXER_SECOND_COMMENT:
        return put(bytes, "\n");
    default:
        return 0;
    }
}
