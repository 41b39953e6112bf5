/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in YAML (yaml.org/spec/1.2.2): brackets count where they open or close a flow collection, and so outside
 * plain scalars, quoted scalars, block scalars and comments. What is what depends on columns. */
#include <string.h>

#include "core/text/lexer_parts.h"

static bool is_blank(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == 0;
}

/* A bracket where it counts. */
static void bracket(pmi_lexer *lexer, unsigned char byte) {
    pmi_yaml *const yaml = &lexer->yaml;
    const bool open = byte == '[' || byte == '{';
    lexer->verdict = PM_LEXER_COUNTED;
    yaml->flow += open ? 1 : yaml->flow > 0 ? UINT64_MAX : 0;
    yaml->state = open ? PM_YAML_VALUE : PM_YAML_AFTER;
}

static bool is_bracket(unsigned char byte) {
    return byte == '[' || byte == ']' || byte == '{' || byte == '}';
}

static void newline(pmi_yaml *yaml) {
    yaml->column = 0; /* of the newline, for the byte behind it */
    yaml->key = 0;
    switch (yaml->state) {
    case PM_YAML_DOUBLE:
    case PM_YAML_SINGLE:
        return;
    case PM_YAML_DOUBLE_ESCAPE:
        yaml->state = PM_YAML_DOUBLE;
        return;
    case PM_YAML_HEADER:
    case PM_YAML_BLOCK:
    case PM_YAML_BLOCK_BLANK:
        yaml->state = PM_YAML_BLOCK_BLANK;
        return;
    default:
        yaml->continues = yaml->state == PM_YAML_PLAIN || (yaml->state == PM_YAML_LINE && yaml->continues);
        yaml->state = yaml->flow > 0 ? yaml->state == PM_YAML_AFTER ? PM_YAML_AFTER : PM_YAML_VALUE : PM_YAML_LINE;
    }
}

/* The first byte of a value, or a sign before one. */
static void value_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    pmi_yaml *const yaml = &lexer->yaml;
    if (is_blank(byte) || (byte == ',' && yaml->flow > 0))
        return;
    if (yaml->key == 0)
        yaml->key = yaml->column;
    if (byte == '"' || byte == '\'') {
        lexer->start = at;
        lexer->first = byte;
        yaml->state = byte == '"' ? PM_YAML_DOUBLE : PM_YAML_SINGLE;
    } else if (is_bracket(byte)) {
        bracket(lexer, byte);
    } else if (byte == '#' && is_blank(yaml->newest)) {
        yaml->state = PM_YAML_COMMENT;
    } else if ((byte == '|' || byte == '>') && yaml->flow == 0) {
        yaml->state = PM_YAML_HEADER;
    } else {
        yaml->state = byte == '&' || byte == '*' || byte == '!' ? PM_YAML_PROPERTY : PM_YAML_PLAIN;
    }
}

/* A byte of a line's beginning that is not blank: what stands farther in than its key goes a plain scalar on. */
static void line_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    pmi_yaml *const yaml = &lexer->yaml;
    const bool continues = yaml->continues && yaml->column > yaml->indent && byte != '#';
    yaml->continues = false;
    yaml->state = continues ? PM_YAML_PLAIN : PM_YAML_VALUE;
    if (!continues)
        value_byte(lexer, byte, at);
}

/* Behind a plain scalar's byte comes a blank: was it a dash, a question mark, a colon, and so no part of one? */
static void sign_end(pmi_yaml *yaml) {
    const unsigned char sign = yaml->newest;
    const bool alone = yaml->key + 1 == yaml->column;
    const bool begins_document =
        (sign == '-' || sign == '.') && yaml->before == sign && yaml->key == 1 && yaml->column == 4;
    if (sign == ':') {
        if (yaml->flow == 0 && yaml->key > 0)
            yaml->indent = yaml->key;
        yaml->state = PM_YAML_VALUE;
    } else if (begins_document) {
        yaml->indent = 0;
        yaml->state = PM_YAML_VALUE;
    } else if (alone && yaml->flow == 0 && (sign == '-' || sign == '?')) {
        yaml->indent = yaml->key;
        yaml->key = 0;
        yaml->state = PM_YAML_VALUE;
    }
}

/* A byte of a plain scalar, or behind another value. */
static void scalar_byte(pmi_lexer *lexer, unsigned char byte) {
    pmi_yaml *const yaml = &lexer->yaml;
    if (byte == '#' && is_blank(yaml->newest))
        yaml->state = PM_YAML_COMMENT;
    else if (is_blank(byte))
        sign_end(yaml);
    else if (yaml->flow > 0 && is_bracket(byte))
        bracket(lexer, byte);
    else if (yaml->state == PM_YAML_AFTER && (byte == ']' || byte == '}')) /* one too many */
        bracket(lexer, byte);
    else if (yaml->flow > 0 && (byte == ',' || (byte == ':' && yaml->state == PM_YAML_AFTER)))
        yaml->state = PM_YAML_VALUE;
    else if (yaml->state == PM_YAML_AFTER && byte != ':')
        yaml->state = PM_YAML_PLAIN;
}

/* The first byte of a block scalar's line that is not blank: is the line farther in than the scalar's key? One of a
 * whole document ends at --- and ..., too. */
static void block_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    pmi_yaml *const yaml = &lexer->yaml;
    yaml->state = PM_YAML_BLOCK;
    if (yaml->column > yaml->indent && (yaml->column > 1 || (byte != '-' && byte != '.')))
        return;
    yaml->continues = false;
    line_byte(lexer, byte, at);
}

static void byte_of_state(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    pmi_yaml *const yaml = &lexer->yaml;
    switch (yaml->state) {
    case PM_YAML_LINE:
        if (!is_blank(byte))
            line_byte(lexer, byte, at);
        break;
    case PM_YAML_VALUE:
        value_byte(lexer, byte, at);
        break;
    case PM_YAML_SINGLE_END:
        yaml->state = byte == '\'' ? PM_YAML_SINGLE : PM_YAML_AFTER;
        if (byte != '\'')
            scalar_byte(lexer, byte);
        break;
    case PM_YAML_PLAIN:
    case PM_YAML_AFTER:
        scalar_byte(lexer, byte);
        break;
    case PM_YAML_PROPERTY:
        if (is_blank(byte))
            yaml->state = PM_YAML_VALUE;
        else if (yaml->flow > 0 && (is_bracket(byte) || byte == ','))
            scalar_byte(lexer, byte);
        break;
    case PM_YAML_DOUBLE:
        yaml->state = byte == '"' ? PM_YAML_AFTER : byte == '\\' ? PM_YAML_DOUBLE_ESCAPE : PM_YAML_DOUBLE;
        break;
    case PM_YAML_DOUBLE_ESCAPE:
        yaml->state = PM_YAML_DOUBLE;
        break;
    case PM_YAML_SINGLE:
        if (byte == '\'')
            yaml->state = PM_YAML_SINGLE_END;
        break;
    case PM_YAML_BLOCK_BLANK:
        if (!is_blank(byte))
            block_byte(lexer, byte, at);
        break;
    case PM_YAML_COMMENT:
    case PM_YAML_HEADER:
    case PM_YAML_BLOCK:
        break;
    }
}

void pmi_lexer_yaml_byte(pmi_lexer *lexer, unsigned char byte, uint64_t at) {
    pmi_yaml *const yaml = &lexer->yaml;
    if (byte == '\n') {
        if (yaml->state == PM_YAML_SINGLE_END)
            yaml->state = PM_YAML_AFTER;
        if (yaml->state == PM_YAML_PLAIN || yaml->state == PM_YAML_AFTER)
            sign_end(yaml);
        newline(yaml);
    } else {
        byte_of_state(lexer, byte, at);
    }
    yaml->column++;
    yaml->before = yaml->newest;
    yaml->newest = byte;
}

/* ---- Runs of bytes that change no state ---- */

/* Sorts of bytes, a bit each. */
enum {
    ENDS_DOUBLE = 1, /* matters inside "" */
    ENDS_SINGLE = 2,
    ENDS_PLAIN = 4, /* matters in a plain scalar, itself or for the byte behind it */
    ENDS_FLOW = 8   /* the same inside a flow collection */
};

static const uint8_t ends[256] = {
    ['\n'] = ENDS_DOUBLE | ENDS_SINGLE | ENDS_PLAIN | ENDS_FLOW,
    ['"'] = ENDS_DOUBLE,
    ['\\'] = ENDS_DOUBLE,
    ['\''] = ENDS_SINGLE,
    ['#'] = ENDS_PLAIN | ENDS_FLOW,
    [':'] = ENDS_PLAIN | ENDS_FLOW,
    ['-'] = ENDS_PLAIN | ENDS_FLOW,
    ['.'] = ENDS_PLAIN | ENDS_FLOW,
    ['?'] = ENDS_PLAIN | ENDS_FLOW,
    ['['] = ENDS_FLOW,
    [']'] = ENDS_FLOW,
    ['{'] = ENDS_FLOW,
    ['}'] = ENDS_FLOW,
    [','] = ENDS_FLOW,
};

static size_t behind_blanks(const unsigned char *text, size_t i, size_t end) {
    while (i < end && is_blank(text[i]) && text[i] != '\n')
        i++;
    return i;
}

static size_t behind_bytes(const unsigned char *text, size_t i, size_t end, unsigned sort) {
    while (i < end && !(ends[text[i]] & sort))
        i++;
    return i;
}

static size_t line_end(const unsigned char *text, size_t i, size_t end) {
    const unsigned char *const newline = memchr(text + i, '\n', end - i);
    return newline ? (size_t)(newline - text) : end;
}

/* Returns the first byte from i < end on that may change the state. */
static size_t run_end(const pmi_yaml *yaml, const unsigned char *text, size_t i, size_t end) {
    const unsigned plain = yaml->flow > 0 ? ENDS_FLOW : ENDS_PLAIN;
    switch (yaml->state) {
    case PM_YAML_LINE:
    case PM_YAML_VALUE:
    case PM_YAML_BLOCK_BLANK:
        return behind_blanks(text, i, end);
    case PM_YAML_PLAIN: /* a blank matters behind a sign */
        return ends[yaml->newest] & plain ? i : behind_bytes(text, i, end, plain);
    case PM_YAML_DOUBLE:
        return behind_bytes(text, i, end, ENDS_DOUBLE);
    case PM_YAML_SINGLE:
        return behind_bytes(text, i, end, ENDS_SINGLE);
    case PM_YAML_COMMENT:
    case PM_YAML_HEADER:
    case PM_YAML_BLOCK:
        return line_end(text, i, end);
    default:
        return i;
    }
}

static void pass_over(pmi_yaml *yaml, const unsigned char *run, size_t length) {
    yaml->column += length;
    yaml->before = length > 1 ? run[length - 2] : yaml->newest;
    yaml->newest = run[length - 1];
}

void pmi_lexer_yaml_range(pmi_lexer *lexer, const unsigned char *text, size_t from, size_t to, uint64_t *outside) {
    const uint64_t position = lexer->position - from; /* of the piece */
    for (size_t i = from; i < to; i++) {
        const size_t end = run_end(&lexer->yaml, text, i, to);
        if (end > i)
            pass_over(&lexer->yaml, text + i, end - i);
        i = end;
        if (i == to)
            break;
        pmi_lexer_yaml_byte(lexer, text[i], position + i);
        if (lexer->verdict == PM_LEXER_COUNTED)
            outside[i / PM_WORD_BITS] |= UINT64_C(1) << i % PM_WORD_BITS;
        lexer->verdict = PM_LEXER_AS_READ;
    }
    lexer->position = position + to;
}

bool pmi_lexer_yaml_inside(const pmi_yaml *yaml, bool perhaps) {
    return yaml->state == PM_YAML_DOUBLE || yaml->state == PM_YAML_DOUBLE_ESCAPE || yaml->state == PM_YAML_SINGLE ||
           (perhaps && yaml->state == PM_YAML_SINGLE_END);
}
