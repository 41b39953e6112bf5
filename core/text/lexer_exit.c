/* SPDX-License-Identifier: Apache-2.0 */
/* How strings and comments end, as a whole; lexer_close.c knows the next step of it. */
#include "core/text/lexer_parts.h"

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
    if (flags & (PM_REGION_HEREDOC | PM_REGION_OUTSIDE))
        return false;
    if (!brackets_follow && (is_line_comment(region) || flags & PM_REGION_REST))
        return true;
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
    uint64_t length = !literal->counted;
    pmi_region_exit exit;
    if (literal->region->flags & PM_REGION_PAIRED && protects_closer(literal->region->flags, literal->closer))
        return 0;
    pmi_lexer_literal_exit(literal, &exit);
    for (unsigned k = 0; k < exit.count; k++)
        length += exit.pieces[k].length * exit.pieces[k].times;
    return length;
}
