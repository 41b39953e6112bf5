/* SPDX-License-Identifier: Apache-2.0 */
/* The language of a text whose name leaves a choice: what it begins with decides. */
#include <string.h>

#include "base/ascii.h"
#include "core/text/language.h"

/* The text from its first byte that is neither a blank nor of a byte order mark. */
static const char *behind_blanks(const char *text, size_t *n) {
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    const char *const end = text + *n;
    if (*n >= sizeof mark && memcmp(text, mark, sizeof mark) == 0)
        text += sizeof mark;
    while (text < end && pmi_byte_is_space((unsigned char)*text))
        text++;
    *n = (size_t)(end - text);
    return text;
}

#define SIGNS_WITHIN ((size_t)8192) /* bytes that a language's signs are looked for in */

/* OpenCL begins with a comment, a directive or a word; Lisp with a parenthesis, a semicolon, or a # and a sign. */
static bool is_opencl(const char *text, size_t n) {
    if (n < 2)
        return false;
    if (text[0] == '#')
        return text[1] == ' ' || pmi_byte_is_letter((unsigned char)text[1]);
    return (text[0] == '/' && (text[1] == '/' || text[1] == '*')) || text[0] == '_' ||
           pmi_byte_is_letter((unsigned char)text[0]);
}

/* Translations of Qt. */
static bool is_markup(const char *text, size_t n) {
    return n > 1 && text[0] == '<' && (text[1] == '?' || text[1] == '!');
}

/* Forth begins with a comment or a definition; F# has no operator there. */
static bool is_forth(const char *text, size_t n) {
    return n > 1 && strchr("\\(:", text[0]) && (pmi_byte_is_space((unsigned char)text[1]));
}

/* A word, or a comment as scripts have: neither Scheme nor Clojure begins so. Recipes of BitBake do. */
static bool is_recipe(const char *text, size_t n) {
    return n > 1 && (text[0] == '#' ? text[1] == '#' || pmi_byte_is_space((unsigned char)text[1])
                                    : pmi_byte_is_letter((unsigned char)text[0]));
}

/* Scripts of the linker's; Scala has no such comments. */
static bool is_commented(const char *text, size_t n) {
    return n > 1 && text[0] == '#' && is_recipe(text, n);
}

/* States of Salt, which are YAML made by Jinja. */
static bool is_salt(const char *text, size_t n) {
    return is_recipe(text, n) || (n > 1 && text[0] == '{' && strchr("%{#", text[1]) && text[1]);
}

/* Prolog, whose strings, atoms and comments Erlang has: it begins with a directive or a comment. */
static bool is_prolog(const char *text, size_t n) {
    return n > 1 && ((text[0] == ':' && text[1] == '-') || (text[0] == '/' && text[1] == '*') ||
                     (text[0] == '%' && (text[1] == '%' || pmi_byte_is_space((unsigned char)text[1]))));
}

static bool is_m4(const char *text, size_t n) {
    return n > 3 && memcmp(text, "dnl", 3) == 0 && pmi_byte_is_space((unsigned char)text[3]);
}

static bool is_glsl(const char *text, size_t n) {
    static const char first[] = "#version";
    return n > sizeof first && memcmp(text, first, sizeof first - 1) == 0;
}

/* Coq's commands begin with a capital, behind comments; no keyword of Verilog does, and what its (* *) holds are
 * attributes of what follows. */
static bool is_coq(const char *text, size_t n) {
    const char *const end = text + n;
    unsigned depth = 0;
    bool comments = false;
    for (; text < end; text++) {
        const bool more = end - text > 1;
        if (more && text[0] == '(' && text[1] == '*') {
            depth++, text++;
            comments = true;
        } else if (more && depth > 0 && text[0] == '*' && text[1] == ')') {
            depth--, text++;
        } else if (depth == 0 && !pmi_byte_is_space((unsigned char)*text)) {
            return *text >= 'A' && *text <= 'Z';
        }
    }
    return comments;
}

/* Is the text a script whose first line names an interpreter like this? */
static bool is_script_of(const char *text, size_t n, const char *interpreter) {
    const size_t length = strlen(interpreter);
    const char *const newline = n > 2 && text[0] == '#' && text[1] == '!' ? memchr(text, '\n', n) : NULL;
    for (const char *at = text + 2; newline && (size_t)(newline - at) >= length; at++)
        if (memcmp(at, interpreter, length) == 0 && strchr("/ !", at[-1]))
            return true;
    return false;
}

static bool is_perl(const char *text, size_t n) {
    return is_script_of(text, n, "perl") || is_script_of(text, n, "@PERL"); /* to be filled in */
}

static bool is_php(const char *text, size_t n) {
    return is_script_of(text, n, "php");
}

static bool is_python(const char *text, size_t n) {
    return is_script_of(text, n, "python");
}

static bool is_gforth(const char *text, size_t n) {
    return is_script_of(text, n, "gforth");
}

/* Returns the first place of some bytes; NULL if they do not occur. */
static const char *find_bytes(const char *text, const char *end, const char *bytes) {
    const size_t length = strlen(bytes);
    while ((size_t)(end - text) >= length) {
        text = memchr(text, bytes[0], (size_t)(end - text) - length + 1);
        if (!text || memcmp(text, bytes, length) == 0)
            return text;
        text++;
    }
    return NULL;
}

/* Does a line choose a delimiter of statements, such as // or $$? In PostgreSQL's options a quote follows. */
static bool chooses_delimiter(const char *text, const char *end, const char *word) {
    for (const char *at = text; (at = find_bytes(at, end, word)); at++) {
        const char *const chosen = at + strlen(word);
        if ((at == text || at[-1] == '\n') && chosen < end && strchr(";/$|", *chosen) && *chosen)
            return true;
    }
    return false;
}

/* What MySQL's scripts and dumps begin with, and no others: one sign are its comments. */
static bool is_mysql(const char *text, size_t n) {
    const char *const end = text + (n < SIGNS_WITHIN ? n : SIGNS_WITHIN);
    return (n > 1 && text[0] == '#' && text[1] == ' ') || find_bytes(text, end, "\n# ") ||
           find_bytes(text, end, "ENGINE=") || find_bytes(text, end, "/*!40") ||
           chooses_delimiter(text, end, "DELIMITER ") || chooses_delimiter(text, end, "delimiter ");
}

static const struct {
    const char *ending, *language;
    bool (*begins)(const char *text, size_t n);
} choices[] = {
    {"cl", "c", is_opencl},        {"ts", "xml", is_markup},    {"fs", "forth", is_forth},   {"fs", "glsl", is_glsl},
    {"v", "coq", is_coq},          {"asm", "m4", is_m4},        {"sql", "mysql", is_mysql},  {"sh", "perl", is_perl},
    {"sh", "php", is_php},         {"sh", "python", is_python}, {"fs", "forth", is_gforth},  {"bb", "shell", is_recipe},
    {"sc", "shell", is_commented}, {"sls", "jinja", is_salt},   {"pl", "erlang", is_prolog},
};

const pm_language *pm_language_by_content(const char *path, const char *text, size_t n) {
    const char *const ending = path ? pmi_path_ending(path) : "";
    for (size_t k = 0; text && k < sizeof choices / sizeof *choices; k++) {
        size_t left = n;
        const char *const begin = behind_blanks(text, &left);
        const pm_language *const language = pm_language_by_name(choices[k].language);
        if (language && pmi_list_contains(choices[k].ending, ending, true) && choices[k].begins(begin, left))
            return language;
    }
    return pm_language_by_path(path);
}
