/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer in YAML (yaml.org/spec/1.2.2): brackets count where they open or close a flow collection, and so outside
 * plain scalars, quoted scalars, block scalars and comments. What is what depends on columns. */
#include "core/lexer/yaml/yaml.h"

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
    if (pmi_yaml_is_blank(byte) || (byte == ',' && yaml->flow > 0))
        return;
    if (yaml->key == 0)
        yaml->key = yaml->column;
    if (byte == '"' || byte == '\'') {
        lexer->start = at;
        lexer->first = byte;
        yaml->state = byte == '"' ? PM_YAML_DOUBLE : PM_YAML_SINGLE;
    } else if (pmi_yaml_is_bracket(byte)) {
        pmi_yaml_bracket(lexer, byte);
    } else if (byte == '#' && pmi_yaml_is_blank(yaml->newest)) {
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

/* A byte of a plain scalar, or behind another value. */
static void scalar_byte(pmi_lexer *lexer, unsigned char byte) {
    pmi_yaml *const yaml = &lexer->yaml;
    if (byte == '#' && pmi_yaml_is_blank(yaml->newest))
        yaml->state = PM_YAML_COMMENT;
    else if (pmi_yaml_is_blank(byte))
        pmi_yaml_sign_end(yaml);
    else if (yaml->flow > 0 && pmi_yaml_is_bracket(byte))
        pmi_yaml_bracket(lexer, byte);
    else if (yaml->state == PM_YAML_AFTER && (byte == ']' || byte == '}')) /* one too many */
        pmi_yaml_bracket(lexer, byte);
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
        if (!pmi_yaml_is_blank(byte))
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
        if (pmi_yaml_is_blank(byte))
            yaml->state = PM_YAML_VALUE;
        else if (yaml->flow > 0 && (pmi_yaml_is_bracket(byte) || byte == ','))
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
        if (!pmi_yaml_is_blank(byte))
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
            pmi_yaml_sign_end(yaml);
        newline(yaml);
    } else {
        byte_of_state(lexer, byte, at);
    }
    yaml->column++;
    yaml->repeats = pmi_yaml_repeats_of(yaml->newest, yaml->repeats, &byte, 1, yaml->column);
    yaml->newest = byte;
}

bool pmi_lexer_yaml_inside(const pmi_yaml *yaml, bool perhaps) {
    return yaml->state == PM_YAML_DOUBLE || yaml->state == PM_YAML_DOUBLE_ESCAPE || yaml->state == PM_YAML_SINGLE ||
           (perhaps && yaml->state == PM_YAML_SINGLE_END);
}
