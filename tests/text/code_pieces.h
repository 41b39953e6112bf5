/* SPDX-License-Identifier: Apache-2.0 */
/* Texts made of what begins, ends and nests strings, comments and code in one language or another. */
#ifndef PM_TESTS_TEXT_CODE_PIECES_H
#define PM_TESTS_TEXT_CODE_PIECES_H

#include <string.h>

#include "inputs/families.h"

#define MAKE_CODE_BYTES 200u /* at most, in a call of make_code() */

static const char *const code[] = {"f(a[1], {2});",
                                   "// (",
                                   "/* ( */",
                                   "\"(\"",
                                   "'('",
                                   "'a' 'b",
                                   "R\"x(]\")x\"",
                                   "#!(",
                                   "#if 0\n(\n#endif",
                                   "#define A(",
                                   "r#\"(\"#",
                                   "{",
                                   "}",
                                   "\\",
                                   "`${(",
                                   "}`",
                                   "<<E\n(\nE\n",
                                   "#",
                                   " \"\"\"(\"\"\" ",
                                   "R",
                                   "'",
                                   "\"",
                                   "/",
                                   "*",
                                   "a",
                                   " ",
                                   "\n",
                                   "--[[(]]",
                                   "%w(a)",
                                   "case a in (b) ;; esac"};

/* Appends a record of a few pieces, most of them harmless. Returns its length. */
static inline size_t make_code(char *text, uint64_t *seed) {
    const size_t pieces = random_below(seed, 9), kinds = random_below(seed, 3) ? 5 : COUNT_OF(code);
    size_t n = 0;
    for (size_t k = 0; k < pieces; k++) {
        const char *const piece = code[random_below(seed, kinds)];
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

#define MAKE_LINE_BYTES 120u /* at most */

/* Stores a line. Most end in code; others end in strings or comments, or begin as only a text may. Returns its length.
 */
static inline size_t make_line(char *line, uint64_t *seed) {
    enum {
        GOOD = 10 /* of the pieces */
    };
    static const char *const pieces[] = {"x",          "f(1) ",
                                         "[2]",        "{a} ",
                                         " ",          "= ",
                                         "(x, y)",     "\"#{x}${(y)}\\((z))\" ",
                                         "`a${[b]}` ", "x = <b>{c}</b> ",
                                         "\"(",        "'(",
                                         "`(",         "\"\"\"",
                                         "'''",        "{-",
                                         "-}",         "(*",
                                         "*)",         "/*",
                                         "*/",         "--[[",
                                         "]]",         "[=[",
                                         "\\",         "# (",
                                         "// (",       "-- (",
                                         "; (",        "% (",
                                         "dnl (",      "=begin (",
                                         "<<A",        "A",
                                         "${",         "#{",
                                         "/(/",        "/ 2",
                                         "#| ",        "|#",
                                         "#!(",        "\xef\xbb\xbf#!(",
                                         "q{(",        "__END__ (",
                                         "\"x\\",      "R\"(",
                                         "r#\"(",      "f\"{",
                                         "{|",         "|}",
                                         "?(",         "'('",
                                         "x'",         "'",
                                         "\r",         "<a>",
                                         "\\\\",       "#if (",
                                         "`ifdef (",   "#else",
                                         "`${",        "}`",
                                         "\"#{",       "\"${(",
                                         "\"\\(",      ")}\"",
                                         "$\"{",       "$@\"{",
                                         "}\"",        "<",
                                         "= <T",       "<T> ",
                                         "<const",     "=> ",
                                         "<b>{",       "}</b>",
                                         "%w(",        "? ",
                                         "++",         "return",
                                         "x = ",       "def ",
                                         "'''${",      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    const bool any = random_below(seed, 80) == 0;
    size_t n = 0;
    for (size_t k = random_below(seed, 4); k > 0; k--) {
        const char *const piece = pieces[random_below(seed, any ? COUNT_OF(pieces) : GOOD)];
        memcpy(line + n, piece, strlen(piece));
        n += strlen(piece);
    }
    line[n] = '\n';
    return n + 1;
}

#define LINE_OF_WORDS "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

/* Two lines of which the second one says what the first one ends with, or the first one what the second one begins
 * with: read as one text they may look good. With another separator than newlines, \v stands for these. */
static const char *const line_pairs[] = {"\"a#{(b)\n(c)}(\"\n",
                                         "\"a${(b)\n(c)}(\"\n",
                                         "\"a$(b\n(c))(\"\n",
                                         "\"a\\((b)\n(c))(\"\n",
                                         "\"\"\"a${b\n}(\"\"\"\n",
                                         "s\"\"\"a${b\n}(\"\"\"\n",
                                         "$\"a{b\n}(\"\n",
                                         "$@\"a{b\n}(\"\n",
                                         "`a${b\n}(`\n",
                                         "`a${" LINE_OF_WORDS "\n" LINE_OF_WORDS "}(`\n",
                                         "\"#{b\nc}(\"\n",
                                         "`a${`b`\n+ `c${(d)}`}(`\n",
                                         "`a${b + `c${d\n}`}(`\n",
                                         "\"a#{b + \"c#{d\n}\"}\"\n",
                                         "\"a${b + \"c${d}\" +\n\"c${d}\"}\"\n",
                                         "= <b>{(c)\n(d)}</b>\n",
                                         "= <b c={(d)\n(e)}/>\n",
                                         "= <\n",
                                         "= <T\n, x\n",
                                         "= <T\n= x\n",
                                         "= <T>\n(x)\n",
                                         "x\n/(/\n",
                                         "x++\n  /(/\n",
                                         "return\n/(/\n",
                                         "x.\n/(/ 2\n",
                                         "def\n%w[(]\n",
                                         "x\n%w[(]\n",
                                         "x\n?( \n",
                                         "x\n<b>(</b>\n",
                                         "x = <<A\n(\nA\n",
                                         "// \\\n(\n",
                                         "\\\n#if (\n",
                                         "\\\r\n#error (\n",
                                         "\\ \n#error (\n",
                                         "#if a \\\n(\n",
                                         "R\"\n(\")\n",
                                         "'\\\n('\n",
                                         "x\n // (\v/(/\n",
                                         "x\n# (\v/(/\n",
                                         "x\n/* ( */ /(/\n",
                                         "x\n // (\v<b>(</b>\n",
                                         "x\n // (\v/ (a/ )\n",
                                         "x\n# (\v/ (a/ )\n",
                                         "case a in\nb) c;; esac\n",
                                         "case\nin a) b;; esac )\n",
                                         "case a in b) c;;\nesac; d )\n",
                                         "a $((b\nc <<E\v(\vE\n",
                                         "y\n(a)(b)\n",
                                         "q\n#(#)\n",
                                         "s {a}\n{(}\n",
                                         "print\nF<<E (\v(\vE\n",
                                         "- |\n  [a\n",
                                         "a\n [b\n",
                                         "a\n  b [\v c\n",
                                         "k: [a,\nb]\n"};

#define MAKE_PAIR_BYTES 1200u /* at most */

/* The same of delimiters. */
static const char *const delimited_pairs[] = {"<!-- x\ny -->\n",
                                              "<![CDATA[x\n]]>\n",
                                              "<?x\n?>\n",
                                              "<a b=\"x\n\"></a>\n",
                                              "<a\n></a>\n",
                                              "<a>\n</a>\n",
                                              "</a>\n<a>\n",
                                              "<a></b>\n<b></a>\n",
                                              "<script>x\n</script>\n",
                                              "<li>x\n</li>\n",
                                              "<p>x\n<p>y</p>\n",
                                              "{{ x\n}}\n",
                                              "{% if a %}\n{% endif %}\n",
                                              "{% x\n%}\n",
                                              "$x\n$\n",
                                              "\\begin{a}\n\\end{a}\n",
                                              "begin\nend\n",
                                              "end\nif\n",
                                              "'x\n'\n",
                                              "/* x\n*/\n"};

/* Stores two lines among others, behind `pad` < 64 bytes. Returns the length. */
static inline size_t make_pair(char *text, const char *line, const char *pair, size_t pad) {
    enum {
        LINES = 24
    };
    size_t n = 0;
    for (size_t k = 0; k < LINES; k++) {
        if (k == LINES / 2) {
            memset(text + n, 'x', pad);
            n += pad;
            memcpy(text + n, pair, strlen(pair));
            n += strlen(pair);
        }
        memcpy(text + n, line, strlen(line));
        n += strlen(line);
    }
    return n;
}

#define LINE_OF_CODE "f(a, \"b\", [c]); x = {d};\n"

/* The same in languages with delimiters: most lines hold only what closes all that it opens. */
static inline size_t make_delimited_line(char *line, uint64_t *seed) {
    enum {
        GOOD = 14
    };
    static const char *const pieces[] = {"x ",
                                         "(y) ",
                                         "begin end ",
                                         "<a>b</a> ",
                                         "\\begin{x}\\end{x} ",
                                         "$x$ ",
                                         "case a end ",
                                         "'(' ",
                                         "{% if a %}{% endif %} ",
                                         "{{ a }} ",
                                         "<br/>",
                                         "/* ( */ ",
                                         "{#if a}{/if} ",
                                         "<p>",
                                         "end",
                                         "begin ",
                                         " if",
                                         "loop",
                                         "-- (",
                                         "------",
                                         "--",
                                         "/*",
                                         "*/",
                                         "(*",
                                         "*)",
                                         "{",
                                         "}",
                                         "'",
                                         "\"",
                                         "<!--",
                                         "-->",
                                         "<",
                                         "</",
                                         "a>",
                                         "\xef\xbb\xbf",
                                         "%",
                                         "\\",
                                         "\\begin{",
                                         "$$",
                                         "{%",
                                         "%}",
                                         "{%-",
                                         "{{",
                                         "end;",
                                         "record",
                                         "<script>",
                                         "</script>",
                                         "\\verb|",
                                         "create procedure a as ",
                                         "$a$"};
    const bool any = random_below(seed, 20) == 0;
    size_t n = random_below(seed, 60) == 0 ? 3 + random_below(seed, 2) * 4 : 0;
    memcpy(line,
           "\xef\xbb\xbf"
           "end ",
           n);
    for (size_t k = random_below(seed, 3); k > 0; k--) {
        const char *const piece = pieces[random_below(seed, any ? COUNT_OF(pieces) : GOOD)];
        memcpy(line + n, piece, strlen(piece));
        n += strlen(piece);
    }
    if (random_below(seed, 50) > 0)
        line[n++] = '\n';
    return n;
}

#endif
