/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer inside strings and comments: how they are entered, read and left. */
#include <string.h>

#include "core/lexer/parts.h"

/* ---- Entering and leaving ---- */

void pmi_lexer_region_enter(pmi_lexer *lexer, const pmi_region *region) {
    lexer->state = region->flags & PM_REGION_NOTHING                  ? PM_LEXER_CODE
                   : (region->flags & PM_REGION_LONG) && region->open ? PM_LEXER_LONG
                                                                      : PM_LEXER_REGION;
    if (lexer->state == PM_LEXER_LONG)
        lexer->raw_length = 0;
    if (region->flags & PM_REGION_NOTHING && lexer->language->code & PM_CODE_RUBY)
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND); /* a variable such as $/ */
    if (region->flags & PM_REGION_OUTSIDE)
        lexer->unclear |= pmi_stack_top(&lexer->templates) || lexer->heredoc_count > 0;
    lexer->region = region;
    lexer->escape = PM_LEXER_UNESCAPED;
    lexer->previous = 0;
    lexer->matched = 0;
    lexer->depth = 0;
    lexer->in_class = false;
}

void pmi_lexer_region_enter_flagged(pmi_lexer *lexer, unsigned flag) {
    const unsigned r = lexer->flagged[pmi_bits_lowest(flag)];
    if (r > 0)
        pmi_lexer_region_enter(lexer, &lexer->language->regions[r - 1]);
}

void pmi_lexer_region_leave(pmi_lexer *lexer) {
    const unsigned flags = lexer->region->flags;
    lexer->state = PM_LEXER_CODE;
    if (flags & PM_REGION_BRACKET || (flags & (PM_REGION_LONG | PM_REGION_COMMENT)) == PM_REGION_LONG)
        lexer->verdict = PM_LEXER_COUNTED;
    if (flags & (PM_REGION_COMMENT | PM_REGION_OUTSIDE))
        pmi_lexer_history_push_blank(&lexer->history, false);
    else
        pmi_lexer_history_push(&lexer->history, PM_LEXER_OPERAND);
}

/* ---- Inside ---- */

unsigned char pmi_lexer_region_closer(const pmi_lexer *lexer, uint64_t k) {
    const unsigned flags = lexer->region->flags;
    if (k > 0 && (flags & PM_REGION_HASHED))
        return k <= lexer->raw_length ? '#' : 0;
    if (k > 0 && (flags & PM_REGION_DELIMITED))
        return k <= lexer->raw_length ? lexer->raw_delimiter[k - 1] : k == lexer->raw_length + 1 ? '"' : 0;
    if (k > 0 && (flags & PM_REGION_LONG))
        return k <= lexer->raw_length ? '=' : k == lexer->raw_length + 1 ? ']' : 0;
    return (unsigned char)lexer->region->close[k];
}

static bool closing_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == pmi_lexer_region_closer(lexer, lexer->matched)) {
        lexer->matched++;
        if (pmi_lexer_region_closer(lexer, lexer->matched) != 0)
            return true;
        if (lexer->region->flags & PM_REGION_DOUBLED)
            lexer->state = PM_LEXER_CLOSED;
        else if (lexer->region->flags & PM_REGION_LEAVES)
            pmi_lexer_region_enter_flagged(lexer, PM_REGION_OUTSIDE);
        else
            pmi_lexer_region_leave(lexer);
    } else {
        lexer->matched =
            byte == pmi_lexer_region_closer(lexer, 0); /* which stands nowhere else in a closer that mismatches */
    }
    return true;
}

/* Behind a closer: another one, and Nix has more, mean that the region goes on. Behind """ a quote belongs to it. */
bool pmi_lexer_closed_byte(pmi_lexer *lexer, unsigned char byte) {
    const char *const close = lexer->region->close;
    if (close[1] && close[2] && byte == (unsigned char)close[0])
        return true;
    lexer->matched = 0;
    lexer->state = PM_LEXER_REGION;
    if (byte == (unsigned char)close[0] || (close[1] && !close[2] && (byte == '$' || byte == '\\')))
        return true;
    pmi_lexer_region_leave(lexer);
    return false;
}

/* The byte behind Fortran's & in a string. Blanks may follow, then the line's end, empty lines and comments. */
static bool ampersand_byte(pmi_lexer *lexer, unsigned char byte) {
    const bool blank = byte == ' ' || byte == '\t', line = lexer->escape == PM_LEXER_ESCAPE_LINE;
    if (lexer->escape == PM_LEXER_ESCAPE_COMMENT) {
        if (byte == '\n')
            lexer->escape = PM_LEXER_ESCAPE_LINE;
        return true;
    }
    if (blank || (line && pmi_byte_is_space(byte)))
        return true;
    const bool returned = lexer->escape == PM_LEXER_ESCAPE_RETURN;
    lexer->escape = byte == '\n'                         ? PM_LEXER_ESCAPE_LINE
                    : line && byte == '!'                ? PM_LEXER_ESCAPE_COMMENT
                    : byte == '\r' && !line && !returned ? PM_LEXER_ESCAPE_RETURN
                                                         : PM_LEXER_UNESCAPED;
    return lexer->escape != PM_LEXER_UNESCAPED;
}

/* The byte behind a backslash. Where it protects line ends alone, backslashes in a row are as good as one. */
static bool escaped_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned flags = lexer->region->flags;
    const bool returned = lexer->escape == PM_LEXER_ESCAPE_RETURN;
    if (flags & PM_REGION_AMPERSAND)
        return ampersand_byte(lexer, byte);
    if ((flags & PM_REGION_GAPS) && pmi_byte_is_space(byte))
        return true;
    if (lexer->escape == PM_LEXER_ESCAPE_LINE) {
        lexer->escape = pmi_byte_is_space(byte) ? PM_LEXER_ESCAPE_LINE : PM_LEXER_UNESCAPED;
        return lexer->escape != PM_LEXER_UNESCAPED;
    }
    if ((flags & PM_REGION_ZAPS) && byte == 'z') {
        lexer->escape = PM_LEXER_ESCAPE_LINE;
        return true;
    }
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
        pmi_lexer_region_leave(lexer);
    else if (second == open[0] || second == close[0])
        lexer->previous = byte;
    return true;
}

static bool regex_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == '[' || byte == ']')
        lexer->in_class = byte == '[';
    return lexer->in_class || closing_byte(lexer, byte);
}

static unsigned char close_of(unsigned char open) {
    return open == '(' ? ')' : '}';
}

bool pmi_lexer_template_push(pmi_lexer *lexer, unsigned char open, bool counted) {
    const pmi_lexer_template *const below = pmi_stack_top(&lexer->templates);
    const bool known = !below || below->exit > 0;
    const uint64_t around = below ? below->exit : 0; /* before the push, behind which *below may not be read */
    pmi_lexer_template *entry = pmi_stack_push(&lexer->templates);
    if (!entry) {
        lexer->out_of_memory = true;
        return false;
    }
    *entry = (pmi_lexer_template){.start = lexer->start,
                                  .braces = lexer->braces,
                                  .region = lexer->region,
                                  .depth = lexer->depth,
                                  .raw_length = lexer->raw_length,
                                  .first = lexer->first,
                                  .opener = lexer->opener,
                                  .closer = lexer->closer,
                                  .code_close = close_of(open),
                                  .in_class = lexer->in_class,
                                  .counted = counted};
    const uint64_t length = pmi_lexer_literal_exit_length(entry);
    entry->exit = known && length > 0 ? around + length : 0;
    lexer->braces = !counted;
    lexer->mixed &= below != NULL;
    lexer->raw_length = 0;
    lexer->state = PM_LEXER_CODE;
    return true;
}

bool pmi_lexer_code_begin(pmi_lexer *lexer, unsigned char open, bool counted) {
    if (!pmi_lexer_template_push(lexer, open, counted))
        return true;
    pmi_lexer_history_push(&lexer->history, '{');
    return false;
}

/* May code begin in a region? Behind the first byte of `code` it does at one of the others, which are brackets and so
 * the first of that code, or something behind a {. Returns true if it does; *taken is what the reader then returns. */
static bool template_code(pmi_lexer *lexer, unsigned char byte, bool *taken) {
    const char *const code = lexer->region->code;
    const unsigned char previous = lexer->previous;
    lexer->previous = 0;
    if (code[0] == ' ') {
        if (previous != '{' && byte == '{') {
            lexer->previous = byte;
            return false;
        }
        if (previous != '{' || byte == '{')
            return false;
        *taken = pmi_lexer_code_begin(lexer, '{', false);
        return true;
    }
    if (previous == (unsigned char)code[0] && byte && strchr(code + 1, byte)) {
        *taken = pmi_lexer_code_begin(lexer, byte == '(' ? '(' : '{', byte == '(' || byte == '{');
        return true;
    }
    lexer->previous = byte == (unsigned char)code[0] ? byte : 0;
    return false;
}

void pmi_lexer_template_pop(pmi_lexer *lexer) {
    const pmi_lexer_template *const innermost = pmi_stack_top(&lexer->templates);
    pmi_lexer_region_enter(lexer, innermost->region);
    lexer->start = innermost->start;
    lexer->braces = innermost->braces;
    lexer->depth = innermost->depth;
    lexer->raw_length = innermost->raw_length;
    lexer->first = innermost->first;
    lexer->opener = innermost->opener;
    lexer->closer = innermost->closer;
    lexer->in_class = innermost->in_class;
    if (!innermost->counted)
        lexer->verdict = PM_LEXER_UNCOUNTED;
    pmi_stack_pop(&lexer->templates);
}

bool pmi_lexer_template_counts(pmi_lexer *lexer, unsigned char byte) {
    const unsigned char close = ((const pmi_lexer_template *)pmi_stack_top(&lexer->templates))->code_close;
    const bool closes = byte == close;
    if (!closes && byte != (close == ')' ? '(' : '{'))
        return false;
    lexer->braces += closes ? UINT64_MAX : 1;
    if (lexer->braces == 0)
        pmi_lexer_template_pop(lexer);
    return true;
}

bool pmi_lexer_template_brace(pmi_lexer *lexer, unsigned char byte) {
    if (!pmi_lexer_template_counts(lexer, byte))
        return false;
    pmi_lexer_history_push(&lexer->history, byte);
    return true;
}

void pmi_lexer_paired_byte(pmi_lexer *lexer, unsigned char byte) {
    if (byte == lexer->closer && lexer->depth == 0 && lexer->parts > 0)
        pmi_lexer_perl_part_end(lexer);
    else if (byte == lexer->closer && lexer->depth == 0)
        pmi_lexer_region_leave(lexer);
    else if (byte == lexer->closer)
        lexer->depth--;
    else if (lexer->opener && byte == lexer->opener)
        lexer->depth++;
}

bool pmi_lexer_region_byte(pmi_lexer *lexer, unsigned char byte) {
    const unsigned flags = lexer->region->flags;
    bool taken;
    if (flags & PM_REGION_JSX)
        return pmi_lexer_jsx_byte(lexer, byte);
    if (lexer->escape == PM_LEXER_ESCAPE && (flags & PM_REGION_TEMPLATE) && lexer->region->code[0] == '\\' && byte &&
        strchr(lexer->region->code + 1, byte)) {
        lexer->escape = PM_LEXER_UNESCAPED;
        return pmi_lexer_code_begin(lexer, byte, true);
    }
    if (lexer->escape != PM_LEXER_UNESCAPED && escaped_byte(lexer, byte))
        return true;
    if (flags & PM_REGION_HEREDOC)
        return pmi_lexer_heredoc_line(lexer, byte);
    if (byte == '\n' && (flags & PM_REGION_LINE)) {
        pmi_lexer_region_leave(lexer);
        return false;
    }
    if (byte == (flags & PM_REGION_AMPERSAND ? '&' : '\\') && (flags & (PM_REGION_ESCAPES | PM_REGION_CONTINUED))) {
        lexer->escape = PM_LEXER_ESCAPE;
        lexer->previous = 0;
        lexer->matched = 0;
        return true;
    }
    if (flags & PM_REGION_NESTS)
        return nested_byte(lexer, byte);
    if ((flags & PM_REGION_TEMPLATE) && template_code(lexer, byte, &taken))
        return taken;
    if (flags & PM_REGION_REGEX)
        return regex_byte(lexer, byte);
    if (flags & PM_REGION_PAIRED)
        pmi_lexer_paired_byte(lexer, byte);
    else if (lexer->region->close)
        closing_byte(lexer, byte);
    return true;
}

/* ---- Byte by byte ---- */

/* Does the loop of pmi_lexer_bytes_end() know all that means something in a region of that sort? */
static bool known_by_bytes(const pmi_region *region, unsigned char close, unsigned char open) {
    const unsigned known = PM_REGION_ESCAPES | PM_REGION_TEMPLATE | PM_REGION_REGEX | PM_REGION_PAIRED;
    const unsigned char code = region->code ? (unsigned char)region->code[0] : 0;
    return region->flags & PM_REGION_ESCAPES && !(region->flags & ~known) && code != close && code != open &&
           code != ' ';
}

size_t pmi_lexer_bytes_end(pmi_lexer *lexer, const unsigned char *text, size_t i, size_t to, pmi_bytes_end *ended) {
    const pmi_region *const region = lexer->region;
    const bool paired = region->flags & PM_REGION_PAIRED;
    const unsigned char close = paired ? lexer->closer : (unsigned char)region->close[0];
    const unsigned char open = paired && lexer->opener ? lexer->opener : close;
    const unsigned char code = region->code ? (unsigned char)region->code[0] : close;
    const bool known = known_by_bytes(region, close, open);
    *ended = PM_BYTES_OTHER;
    for (; i < to; i++) {
        const unsigned char byte = text[i];
        if (byte != close && byte != open && byte != code && byte != '\\' && byte != '\n' && byte != '[' && byte != ']')
            continue;
        if (!known || to - i < 2)
            break;
        if (byte == '\\') {
            i++;
        } else if (region->code && byte == code) {
            if (text[i + 1] && strchr(region->code + 1, text[i + 1])) {
                *ended = PM_BYTES_CODE;
                break;
            }
        } else if (byte == close && lexer->depth == 0 && !lexer->in_class) {
            *ended = PM_BYTES_CLOSED;
            break;
        } else if (paired) {
            lexer->depth += byte == lexer->opener;
            lexer->depth -= byte == close;
        } else if (byte == '[' || byte == ']') {
            lexer->in_class = byte == '[';
        }
    }
    return i;
}
