/* SPDX-License-Identifier: Apache-2.0 */
/* Texts are put together from records, all balanced; those of markup are as they occur in such files, with prose. */
#include "bench/suites/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "inputs/families.h"

#define RECORD_MOST 1024 /* bytes */

/* Writes one record; returns its bytes. */
typedef size_t record_writer(uint64_t *seed, char *to);

/* ---- Records with brackets of a byte ---- */

static size_t write_json(uint64_t *seed, char *to) {
    static const char *const notes[] = {"plain", "with \\\"quotes\\\"", "a [list] of {things}", "back\\\\",
                                        "\\u00e9t\\u00e9"};
    const uint64_t number = random_next(seed);
    int n = snprintf(to, RECORD_MOST,
                     "  {\n    \"id\": %" PRIu64 ",\n    \"name\": \"item %" PRIu64 "\",\n    \"note\": \"%s\",\n"
                     "    \"tags\": [",
                     number % 1000000, number % 1000, notes[number % 5]);
    const uint64_t tags = random_below(seed, 6);
    for (uint64_t t = 0; t < tags; t++)
        n += snprintf(to + n, RECORD_MOST - (size_t)n, "%s\"tag%" PRIu64 "\"", t ? ", " : "", random_below(seed, 100));
    n += snprintf(to + n, RECORD_MOST - (size_t)n,
                  "],\n    \"place\": {\n      \"position\": [%" PRIu64 ".%" PRIu64 ", -%" PRIu64 "],\n"
                  "      \"open\": true\n    },\n    \"links\": []\n  },\n",
                  number % 180, number % 997, number % 90);
    return (size_t)n;
}

/* JSON without blanks and line ends, in strings as well. */
static size_t write_minified(uint64_t *seed, char *to) {
    const size_t n = write_json(seed, to);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (to[i] != ' ' && to[i] != '\n')
            to[kept++] = to[i];
    return kept;
}

/* JSON Lines: minified records, each a line. */
static size_t write_lines(uint64_t *seed, char *to) {
    const size_t n = write_minified(seed, to);
    to[n - 1] = '\n'; /* for the comma */
    return n;
}

/* C, a function in a line of some 100 bytes. */
static size_t write_code(uint64_t *seed, char *to) {
    static const char *const bodies[] = {"return g(a[1], \"s{\") + 1;", "if (a > 'x') { f(b); } /* done :) */",
                                         "for (int i = 0; i < n; i++) { s += a[i]; }", "return (struct p){1, {2, 3}};"};
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST, "static int f%" PRIu64 "(int n, const char *a) { %s %s }\n",
                            number % 100000, bodies[number % 4], bodies[number / 4 % 4]);
}

/* C headers, joined: a function in a line, and after every 512th or so another header, whose brackets cross branches.
 */
static size_t write_headers(uint64_t *seed, char *to) {
    const size_t n = write_code(seed, to);
    if (random_below(seed, 512) > 0)
        return n;
    return n + (size_t)snprintf(to + n, RECORD_MOST - n,
                                "#endif\n#ifndef H%" PRIu64 "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                                "int g(int n, const char *a);\n#ifdef __cplusplus\n}\n#endif\n",
                                random_below(seed, 100000));
}

/* A random balanced string over three kinds. */
static size_t write_soup(uint64_t *seed, char *to) {
    static const char opens[] = "([{", closes[] = ")]}";
    size_t stack[RECORD_MOST], depth = 0;
    for (size_t i = 0; i < RECORD_MOST; i++) {
        const bool open = depth == 0 || (depth < RECORD_MOST - i && random_below(seed, 2));
        if (open)
            stack[depth++] = (size_t)random_below(seed, 3);
        to[i] = open ? opens[stack[depth - 1]] : closes[stack[--depth]];
    }
    return RECORD_MOST;
}

/* ---- Records whose delimiters are longer ---- */

static const char *prose(uint64_t *seed) {
    static const char *const lines[] = {
        "It was about this time that the ships were seen from the wall, and nobody could say whose they were.",
        "A few words.",
        "What follows is less certain; two of the three accounts that we have leave it out, and the third is late.",
        "They went on until evening &amp; then rested.",
    };
    return lines[random_below(seed, sizeof lines / sizeof *lines)];
}

static size_t write_xml(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(
        to, RECORD_MOST,
        "  <item id=\"%" PRIu64 "\" class='a > b'>\n    <title>Item %" PRIu64 "</title>\n"
        "    <link href=\"https://example.org/%" PRIu64 "\"/>\n    <!-- as of <date> -->\n"
        "    <text xml:lang=\"en\">%s <em>%s</em></text>\n    <![CDATA[ if (a < b) ]]>\n  </item>\n",
        number % 1000000, number % 1000, number % 997, prose(seed), prose(seed));
}

static size_t write_html(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST,
                            "<div class=\"entry\" id=e%" PRIu64 ">\n<h2><a href=\"/e/%" PRIu64 "\">Entry</a></h2>\n"
                            "<p>%s<br>\n<IMG src=\"%" PRIu64 ".png\" alt=\"<none>\">\n<ul><li>%s<li><b>%s</b></ul>\n"
                            "<script>if (a < b) { write(\"</div>\"); }</script>\n</div>\n",
                            number % 1000000, number % 1000, prose(seed), number % 997, prose(seed), prose(seed));
}

static size_t write_latex(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST,
                            "\\section{Of item %" PRIu64 "} %% {not counted\n%s\n\\begin{equation}\\label{e%" PRIu64
                            "}\n"
                            "  \\left( x_{%" PRIu64 "} + \\frac{a}{b} \\right)^{2} \\{ 1 \\}\n\\end{equation}\n"
                            "%s \\emph{%s} as \\verb|{| does.\n\n",
                            number % 1000, prose(seed), number % 997, number % 90, prose(seed), prose(seed));
}

static size_t write_sql(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(
        to, RECORD_MOST,
        "-- %s\nCREATE PROCEDURE p%" PRIu64 "(a INT) BEGIN\n"
        "  INSERT INTO t (id, note) VALUES (%" PRIu64 ", 'it''s the end'), (%" PRIu64 ", \"begin\");\n"
        "  UPDATE t SET state = CASE WHEN (a > %" PRIu64 ") THEN 1 ELSE 2 END /* of case */;\nEND;\n",
        prose(seed), number % 1000000, number % 1000, number % 997, number % 90);
}

static size_t write_pascal(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(
        to, RECORD_MOST,
        "{ %s }\nprocedure P%" PRIu64 "(var a: array of integer);\nbegin\n  repeat\n"
        "    if a[%" PRIu64 "] > 0 then begin WriteLn('the end'); Dec(a[%" PRIu64 "]) end;\n"
        "    case a[0] of 1: Halt; else Friend := Extend; end // of case\n  until a[0] = 0;\nend;\n\n",
        prose(seed), number % 1000000, number % 1000, number % 997);
}

static size_t write_jinja(uint64_t *seed, char *to) {
    const uint64_t number = random_next(seed);
    return (size_t)snprintf(to, RECORD_MOST,
                            "{%%- for item in items[%" PRIu64
                            "] %%}\n<p class=\"{{ item.class|default('}}') }}\">%s</p>\n"
                            "{%% if item.n > %" PRIu64 " -%%}\n  {{ item.text }} {# {%% if %%} #}\n{%% else %%}\n  %s\n"
                            "{%% endif %%}\n{%% endfor %%}\n",
                            number % 1000, prose(seed), number % 997, prose(seed));
}

/* ---- Texts ---- */

static bool room_create(const char *name, size_t n, struct text *text) {
    text->bytes = buffer_create(n);
    if (!text->bytes)
        fprintf(stderr, "pm_bench: no memory for %zu bytes of text '%s'\n", n, name);
    return text->bytes != NULL;
}

typedef struct text_recipe {
    const char *name, *language;
    record_writer *write;
    const char *begin, *end; /* around the records, so that brackets balance */
} text_recipe;

static void append(struct text *text, const char *bytes) {
    const size_t n = strlen(bytes);
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
}

static bool text_write(const text_recipe *recipe, uint64_t seed, size_t n, struct text *text) {
    if (!room_create(recipe->name, n + 2 * RECORD_MOST, text))
        return false;
    append(text, recipe->begin);
    while (text->n < n)
        text->n += recipe->write(&seed, text->bytes + text->n);
    append(text, recipe->end);
    return true;
}

static bool text_nest(const char *name, uint64_t seed, size_t n, struct text *text) {
    if (!room_create(name, n, text))
        return false;
    text->n = n / 2 * 2;
    for (size_t i = 0; i < n / 2; i++) {
        const size_t kind = (size_t)random_below(&seed, 3);
        text->bytes[i] = "([{"[kind];
        text->bytes[text->n - 1 - i] = ")]}"[kind];
    }
    text->language = pm_language_by_name("text");
    return true;
}

static bool text_read(const char *path, size_t n, struct text *text) {
    FILE *file = fopen(path, "rb");
    size_t length = 0;
    if (!file) {
        fprintf(stderr, "pm_bench: %s cannot be read\n", path);
        return false;
    }
    const bool room = room_create(path, n, text);
    if (room)
        length = fread(text->bytes, 1, n, file);
    fclose(file);
    if (length == 0)
        return false;
    for (text->n = length; length > 0 && text->n + length <= n; text->n += length)
        memcpy(text->bytes + text->n, text->bytes, length);
    text->language = pm_language_by_path(path);
    return true;
}

/* Records of a JSON list end in commas. */
static const text_recipe made[] = {
    {"json", "json", write_json, "[", "null]"},
    {"minified", "json", write_minified, "[", "null]"},
    {"lines", "json", write_lines, "", ""},
    {"code", "c", write_code, "", ""},
    {"code-lines", "c", write_code, "", ""},
    {"headers", "c", write_headers, "#ifndef H\n", "#endif\n"},
    {"soup", "text", write_soup, "", ""},
    {"xml", "xml", write_xml, "<?xml version=\"1.0\"?>\n<items>\n", "</items>\n"},
    {"html", "html", write_html, "<!DOCTYPE html>\n<main>\n", "</main>\n"},
    {"latex", "latex", write_latex, "\\begin{document}\n", "\\end{document}\n"},
    {"sql", "sql", write_sql, "", ""},
    {"pascal", "pascal", write_pascal, "unit made;\n", "end.\n"},
    {"jinja", "jinja", write_jinja, "{% block made %}\n", "{% endblock %}\n"},
};

static const char nested[] = "nested"; /* not of records */

bool text_is_made(const char *name) {
    for (size_t t = 0; t < sizeof made / sizeof *made; t++)
        if (strcmp(name, made[t].name) == 0)
            return true;
    return strcmp(name, nested) == 0;
}

bool text_create(const char *name, uint64_t seed, size_t n, struct text *text) {
    static const char file_prefix[] = "file:";
    *text = (struct text){0};
    for (size_t t = 0; t < sizeof made / sizeof *made; t++)
        if (strcmp(name, made[t].name) == 0) {
            text->language = pm_language_by_name(made[t].language);
            return text_write(&made[t], seed, n, text);
        }
    if (strcmp(name, nested) == 0)
        return text_nest(name, seed, n, text);
    if (strncmp(name, file_prefix, strlen(file_prefix)) == 0)
        return text_read(name + strlen(file_prefix), n, text);
    fprintf(stderr, "pm_bench: no text '%s'\n", name);
    return false;
}
