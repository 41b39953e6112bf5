/* SPDX-License-Identifier: Apache-2.0 */
/* What a lexer is inside of, and the bytes that lead out of it: the next step, and all of them. */
#include <string.h>

#include "core/lexer/parts.h"

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

/* Is what was read of a heredoc's line the word that ends it? */
static bool line_is_word(const pmi_lexer *lexer) {
    return lexer->previous != LINE_BEGINS && lexer->heredoc_hash == lexer->heredocs[0].hash;
}

/* The line that ends a heredoc; a line that is cut off is ended first, unless it is that one. */
static unsigned close_heredoc(const pmi_lexer *lexer, unsigned char *bytes) {
    const pmi_heredoc *const heredoc = &lexer->heredocs[0];
    unsigned length = 0;
    if (lexer->previous != LINE_BEGINS)
        bytes[length++] = '\n';
    if (line_is_word(lexer))
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

/* ---- All the way out ---- */

static void add_bytes(pmi_region_exit *exit, const void *bytes, size_t length, uint64_t times) {
    if (length == 0 || times == 0)
        return;
    exit->pieces[exit->count].bytes = bytes;
    exit->pieces[exit->count].length = length;
    exit->pieces[exit->count++].times = times;
}

static void add(pmi_region_exit *exit, const char *bytes, uint64_t times) {
    add_bytes(exit, bytes, strlen(bytes), times);
}

/* ---- Elements of JSX ---- */

/* Out of a tag with as many type arguments, behind that byte, and out of the elements around it. The > of a => closes
 * no type argument, so a byte comes between. */
static void add_tag(pmi_region_exit *exit, uint64_t arguments, unsigned char previous, uint64_t depth) {
    if (arguments > 0 && previous == '=')
        add(exit, "a", 1);
    add(exit, ">", arguments);
    add(exit, arguments == 0 && previous == '/' ? ">" : "/>", 1);
    add(exit, "</>", depth);
}

static void add_jsx(pmi_region_exit *exit, const pmi_lexer *lexer) {
    switch ((pmi_jsx)lexer->opener) {
    case PM_JSX_TEXT:
        add(exit, "</>", lexer->depth);
        break;
    case PM_JSX_ARROW:
        add(exit, "</>", 1);
        break;
    case PM_JSX_FIRST: /* none has begun */
        add(exit, " ", 1);
        break;
    case PM_JSX_NAME:
    case PM_JSX_WORD:
        add(exit, "/>", 1);
        break;
    case PM_JSX_LESS:
    case PM_JSX_CLOSING:
        add(exit, lexer->opener == PM_JSX_LESS ? "/>" : ">", 1);
        add(exit, "</>", lexer->depth - 1);
        break;
    case PM_JSX_TAG:
        add_tag(exit, lexer->raw_length, lexer->previous, lexer->depth);
        break;
    case PM_JSX_DOUBLE:
    case PM_JSX_SINGLE:
        add(exit, lexer->opener == PM_JSX_DOUBLE ? "\"" : "'", 1);
        add_tag(exit, lexer->raw_length, 0, lexer->depth);
        break;
    case PM_JSX_COMMENT:
        add(exit, lexer->previous == '*' ? "/" : "*/", 1);
        add_tag(exit, lexer->raw_length, 0, lexer->depth);
        break;
    case PM_JSX_LINE:
        exit->newline = true;
        add(exit, "\n", 1);
        add_tag(exit, lexer->raw_length, 0, lexer->depth);
        break;
    }
}

/* ---- YAML ---- */

static void add_yaml(pmi_region_exit *exit, const pmi_yaml *yaml, bool brackets_follow) {
    switch (yaml->state) {
    case PM_YAML_DOUBLE:
        add(exit, "\"", 1);
        break;
    case PM_YAML_DOUBLE_ESCAPE:
        add(exit, "\\\"", 1);
        break;
    case PM_YAML_SINGLE:
        add(exit, "'", 1);
        break;
    case PM_YAML_COMMENT:
    case PM_YAML_HEADER:
        add(exit, "\n", brackets_follow);
        break;
    default:
        break;
    }
}

/* ---- Other regions ---- */

/* Adds the bytes that were not matched. Returns how many of `matched` are left. */
static uint64_t add_rest(pmi_region_exit *exit, const void *bytes, size_t length, uint64_t matched) {
    if (matched < length)
        add_bytes(exit, (const unsigned char *)bytes + matched, length - (size_t)matched, 1);
    return matched < length ? 0 : matched - length;
}

static void add_equal(pmi_region_exit *exit, const char *byte, uint64_t times, uint64_t *matched) {
    const uint64_t gone = *matched < times ? *matched : times;
    add(exit, byte, times - gone);
    *matched -= gone;
}

/* What closes the region, without the bytes that were matched: as pmi_lexer_region_closer() has it. */
static void add_closers(pmi_region_exit *exit, const pmi_lexer *lexer, uint64_t matched) {
    const pmi_region *const region = lexer->region;
    if (!(region->flags & (PM_REGION_HASHED | PM_REGION_DELIMITED | PM_REGION_LONG))) {
        add_rest(exit, region->close, strlen(region->close), matched);
        return;
    }
    matched = add_rest(exit, region->close, 1, matched);
    if (region->flags & PM_REGION_HASHED) {
        add_equal(exit, "#", lexer->raw_length, &matched);
    } else if (region->flags & PM_REGION_DELIMITED) {
        matched = add_rest(exit, lexer->raw_delimiter, (size_t)lexer->raw_length, matched);
        add_rest(exit, "\"", 1, matched);
    } else {
        add_equal(exit, "=", lexer->raw_length, &matched);
        add_rest(exit, "]", 1, matched);
    }
}

/* A comment that a newline ends. */
static void add_line(pmi_region_exit *exit, const pmi_lexer *lexer) {
    if (lexer->escape != PM_LEXER_UNESCAPED)
        add(exit, " ", 1);
    add(exit, "\n", 1);
    exit->newline = true;
}

/* What comes before the closers: what a backslash protects, the rest of a class, or of a { that might begin code. */
static void add_before(pmi_region_exit *exit, const pmi_lexer *lexer) {
    const unsigned flags = lexer->region->flags;
    if (lexer->escape == PM_LEXER_ESCAPE_COMMENT) {
        add(exit, "\n", 1);
        exit->newline = true;
    } else if (lexer->escape == PM_LEXER_ESCAPE || (lexer->escape != PM_LEXER_UNESCAPED && flags & PM_REGION_COMMENT)) {
        add(exit, flags & PM_REGION_COMMENT ? " " : "\\", 1);
    }
    if ((flags & PM_REGION_NESTS) && lexer->previous)
        add(exit, " ", 1);
    if ((flags & PM_REGION_REGEX) && lexer->in_class)
        add(exit, "]", 1);
    if ((flags & PM_REGION_TEMPLATE) && lexer->region->code[0] == ' ' && lexer->previous == '{')
        add(exit, "}", 1);
}

/* The line that ends a heredoc behind which code follows. False: that is not known. */
static bool add_heredoc(pmi_region_exit *exit, const pmi_lexer *lexer) {
    const pmi_heredoc *const heredoc = &lexer->heredocs[0];
    if (lexer->heredoc_count > 1 || heredoc->length > PM_HEREDOC_WORD)
        return false;
    add(exit, "\n", lexer->previous != LINE_BEGINS);
    if (line_is_word(lexer))
        return true;
    add_bytes(exit, heredoc->word, heredoc->length, 1);
    add(exit, "\n", 1);
    return true;
}

/* Nothing ends %\ \. */
static bool protects_closer(unsigned flags, unsigned char closer) {
    return flags & PM_REGION_ESCAPES && closer == '\\';
}

static void begin(pmi_region_exit *exit, const pmi_region *region) {
    const unsigned flags = region->flags;
    exit->count = 0;
    exit->newline = false;
    exit->bracket = flags & PM_REGION_BRACKET || (flags & (PM_REGION_LONG | PM_REGION_COMMENT)) == PM_REGION_LONG;
}

static bool is_line_comment(const pmi_region *region) {
    return (region->flags & PM_REGION_COMMENT) && (region->flags & PM_REGION_LINE);
}

/* A region that must end on a line of its own. */
static void add_line_end(pmi_region_exit *exit, const pmi_region *region) {
    if (!(region->flags & PM_REGION_START))
        return;
    add(exit, "\n", 1);
    exit->newline = true;
}

bool pmi_lexer_region_exit(const pmi_lexer *lexer, bool brackets_follow, pmi_region_exit *exit) {
    const pmi_region *const region = lexer->region;
    const unsigned flags = region->flags;
    begin(exit, region);
    if (flags & PM_REGION_YAML) {
        add_yaml(exit, &lexer->yaml, brackets_follow);
        return true;
    }
    if (!brackets_follow && (is_line_comment(region) || flags & PM_REGION_REST))
        return true;
    if (flags & PM_REGION_HEREDOC)
        return add_heredoc(exit, lexer);
    if (flags & PM_REGION_OUTSIDE) {
        add(exit, lexer->matched ? "?php " : "<?php ", 1);
        return lexer->matched <= 1;
    }
    if (flags & PM_REGION_JSX) {
        add_jsx(exit, lexer);
        return true;
    }
    if (is_line_comment(region)) {
        add_line(exit, lexer);
        return true;
    }
    if (flags & PM_REGION_PAIRED ? lexer->parts > 0 || protects_closer(flags, lexer->closer) : !region->close)
        return false;
    add_before(exit, lexer);
    if (flags & PM_REGION_NESTS)
        add(exit, region->close, lexer->depth + 1);
    else if (flags & PM_REGION_PAIRED)
        add_bytes(exit, &lexer->closer, 1, lexer->depth + 1);
    else
        add_closers(exit, lexer, lexer->matched);
    add_line_end(exit, region);
    return true;
}

/* ---- What may begin a region ---- */

/* Does an open go on with that byte? */
static bool open_goes_on(const pmi_lexer *lexer, unsigned char next) {
    for (uint32_t rest = lexer->opened_by[lexer->opening[0]]; rest != 0; rest &= rest - 1) {
        const char *const open = lexer->language->regions[pmi_bits_lowest(rest)].open;
        if (strlen(open) > lexer->opening_length && memcmp(open, lexer->opening, lexer->opening_length) == 0 &&
            (unsigned char)open[lexer->opening_length] == next)
            return true;
    }
    return false;
}

/* A quote, which can be doubled. */
static bool is_quote(const pmi_region *region) {
    return region->close && strlen(region->open) == 1 && strcmp(region->open, region->close) == 0 &&
           !(region->flags & PM_REGION_REGEX);
}

/* Is it code, if brackets follow: no region, or an empty string that would go on with a third quote? */
static bool opening_is_code(const pmi_lexer *lexer) {
    if (open_goes_on(lexer, ')') || open_goes_on(lexer, ']') || open_goes_on(lexer, '}') || lexer->opening_length > 2)
        return false;
    const pmi_region *const first = lexer->opening_length == 2 ? pmi_lexer_region_begun(lexer, 1) : NULL;
    return !first || (is_quote(first) && lexer->opening[1] == (unsigned char)first->close[0]);
}

bool pmi_lexer_opening_exit(const pmi_lexer *lexer, bool brackets_follow, pmi_region_exit *exit) {
    const pmi_region *const region = pmi_lexer_region_begun(lexer, lexer->opening_length);
    const unsigned others = PM_REGION_OUTSIDE | PM_REGION_NOT | PM_REGION_NOTHING | PM_REGION_LONG | PM_REGION_PAIRED |
                            PM_REGION_HASHED | PM_REGION_DELIMITED;
    if (!region) {
        *exit = (pmi_region_exit){.count = 0};
        return !brackets_follow || opening_is_code(lexer);
    }
    if (region->flags & others || !region->close)
        return false;
    begin(exit, region);
    if (is_line_comment(region) && !brackets_follow)
        return true;
    if (is_quote(region)) {
        add(exit, region->close, 1);
        return lexer->opening_length == 1;
    }
    if (open_goes_on(lexer, ' '))
        return false;
    add(exit, " ", 1);
    if (!brackets_follow && (region->flags & PM_REGION_REST))
        return true;
    exit->newline = is_line_comment(region);
    add(exit, exit->newline ? "\n" : region->close, 1);
    add_line_end(exit, region);
    return true;
}

/* ---- Literals ---- */

void pmi_lexer_literal_exit(const pmi_lexer_template *literal, pmi_region_exit *exit) {
    const unsigned flags = literal->region->flags;
    exit->count = 0;
    if (flags & PM_REGION_JSX) {
        if (literal->opener == PM_JSX_TAG)
            add_tag(exit, literal->raw_length, 0, literal->depth);
        else
            add(exit, "</>", literal->depth);
        return;
    }
    if ((flags & PM_REGION_REGEX) && literal->in_class)
        add(exit, "]", 1);
    if (flags & PM_REGION_PAIRED)
        add_bytes(exit, &literal->closer, 1, literal->depth + 1);
    else
        add(exit, literal->region->close, 1);
}

uint64_t pmi_lexer_literal_exit_length(const pmi_lexer_template *literal) {
    const unsigned flags = literal->region->flags;
    uint64_t length = !literal->counted;
    pmi_region_exit exit;
    if (!(flags & (PM_REGION_JSX | PM_REGION_REGEX | PM_REGION_PAIRED))) /* as a rule */
        return length + strlen(literal->region->close);
    if (flags & PM_REGION_PAIRED && protects_closer(flags, literal->closer))
        return 0;
    pmi_lexer_literal_exit(literal, &exit);
    for (unsigned k = 0; k < exit.count; k++)
        length += exit.pieces[k].length * exit.pieces[k].times;
    return length;
}
