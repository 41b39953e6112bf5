/* SPDX-License-Identifier: Apache-2.0 */
/* The brackets of a text read in bulk, by every implementation, are those that the lexer alone finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broadword/simd.h"
#include "broadword/text/operand_words.h"
#include "core/text/bracket_masks.h"
#include "inputs/families.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

enum {
    TEXT_MAX = 3 * PM_CHUNK_BYTES
};

#define BLANKS_8(blank) blank blank blank blank blank blank blank blank
#define BLANKS(blank) BLANKS_8(BLANKS_8(blank)) BLANKS_8(blank) /* more than a word */
#define BLANKS_BYTES 100u                                       /* and no piece has more bytes */

/* Bytes that matter to a language, and how to open and close what it skips; soups are made of them. */
static const struct soup {
    const char *language;
    const char *pieces[20];
} soups[] = {
    {"text", {"(", ")", "[", "]", "{", "}", "a", "\"", "\n", "aaaaaaaaaaaaaaaaaaaa"}},
    {"json", {"[", "]", "{", "}", "\"", "\\", "\\\"", "\"a\":", "a", "\n", "\"aaaaaaaaaaaaaaaaaaaaaaaaa\""}},
    {"json", {"[", "\"", "\\"}},
    {"json", {"[[[]]]{{}}[{[[{{[]}}]]}]", "\n\"\\\"\"", "}"}},
    {"json", {"{\"a\": [1, 2, {}]}", "\"\\\\\\\"\"", "                                             "}},
    {"c", {"(", ")", "\"", "'", "\\", "/*", "*/", "//", "\n", "1'0", "#error ", "a", "    ", "{", "}"}},
    {"c",
     {"(", ")", "'\"'", "\"'\"", "'\\''", "#if 0\n", "#define ", "*", "/", "//", "/*", "*/", "\n", " ", "x", "\\"}},
    {"c#", {"(", ")", "@\"", "$\"", "\"\"\"", "\"", "'\"'", "{", "}", "//", "/*", "*/", "\n", "#error ", "a", "\\"}},
    {"rust", {"(", ")", "'\"'", "'a'", "'ab", "'", "\"", "/*", "*/", "//", "\n", "#", "r", " ", "'\\''", "x"}},
    {"c++", {"(", ")", "\"", "R\"x(", ")x\"", "\\\n", "/*", "*/", "//", "\n", "1'0", "'", "a", "u8R\"(", "\r"}},
    {"java", {"(", ")", "\"\"\"", "\"", "\\", "/*", "*/", "//", "\n", "'", "a"}},
    {"javascript", {"(", ")", "`", "${", "}", "{", "\"", "\\", "/*", "*/", "//", "\n", "/", "a", "return ", "["}},
    {"javascript",
     {"(", ")", "<", "<b>", "= ", "if ", "/[/(]/", " / a", "default ", "`(`", "'(//'", "//", "\n", "a", " ", "in"}},
    {"javascript",
     {"= /", "aaaaaaaaaaaaaaaaaaaaaaaaa", "[", "]", "/", "/ b", "\\", "\\/", "(", ")", "\n", ", /(", "/)",
      "instanceof ", "x"}},
    {"javascript", {"= /(", "aaaaaaaaaaaaaaaaaaaaaaaaa", "[(", "]", "/", "/ b /", "\\/", "\\\\", "(/a/", ")", ";\n"}},
    {"javascript",
     {"= /aaaaaaaaa", "/                                                                  / b(/ c;\n", " "}},
    {"typescript",
     {"`", "`a${", "${", "}", "}`", "{", "$", "\\", "(", ")", "'}'", "/}/", "\n", "aaaaaaaaaaaaaaa", "`${a}`"}},
    {"javascript",
     {"`${", "}`", "{", "}", "$", "= <a b={", "</a>", "<a>", "(", ")", "`", "\"", "aaaaaaaaa", "//", "\n"}},
    {"tsx", {"= <a b={", "</a>", "<a>", "<a ", "/>", ">", "{", "}", "`${", "}`", "'", "\"", "(", ")", "return ", "\n"}},
    {"tsx", {"= <a/{", "}>", "{", "}", "<a>", "</a>", "(", ")", "aaaaaaaaaaaaaaaa", "/>"}},
    {"tsx",
     {"= <a b=\"", "\"", "'", " c='", "{a}", "{", "}", "/", " ", "=", ">", "</a>", "<a ", "*", "aaaaaaaaaaaa", "("}},
    {"tsx",
     {"return <", "return\n    <", "a.return <", "T", "T,", "const ", "extends ", ">", "a", "          ", "{a}", "{(",
      "}", "/>", "\"", "\xc3\xa9"}},
    {"tsx",
     {"= <a b={", "{f(\"(\")}", "{'(' + \"\\\"\"}", "'\n", "\\", "{/[/(}]/}", "/>", ">", "</a>", "{", "}", "//", "/*",
      "*/", "\n", "aaaaaaaaaaaaaaa"}},
    {"javascript",
     {"`${", "}`", "`", "\\", "$", "{", "}", "\"\\\n", "'", "/*/", "*/", "//(", "\n", "= /(/", "(", "`${a(\"}\")}"}},
    {"javascript", {"<", "/", ">", "a", "= ", "{", "}", " ", "=", "const ", "extends ", "T", "/*", "*/", "(", "\n"}},
    {"tsx",
     {"= <a<b", "= <a ", "<", ">", "=>", "=", "/", "/>", "*", " ", "{", "}", "</a>", "\"", "(",
      "aaaaaaaaaaaaaaaaaaaa"}},
    {"javascript",
     {"= <a", "= <", "</", ">", "/>", "<b", "aaaaaaaaaaaaaaaaaaaaaaaaaaa", " ", "{", "}", "(", "'>'", "\n"}},
    {"javascript", {"#!(", "#", "!", "this.#a(", "#a", ")", "'", "`", "/", "\n", "aaaaaaaaaaaaaaaaaa", " in "}},
    {"c++", {"1'0", ".5'", "L'(", "'a'", "'\\''", "'", "\n", "\n#if ", "\"", "(", ")", "a", ",", " ", "/**/"}},
    {"rust", {"'r", "#", "\"", "r#\"", "\"#", "'a", "'", "/**/", "(", ")", "\n", "aaaaaaaaaaaaaaaaaaa", " "}},
    {"typescript", {"/", "/[", "]", "/ ", "\n", "\"", "\\", "(", ")", "+", "++", "<", ".", "a", ", ", "return "}},
    {"java", {"\"", "\"\"", "\"\"\"", "'", "\n", "(", ")", "\\", "a", "//", "\"a\""}},
    {"go", {"\"", "'", "\\", "\n", "\\\n", "(", ")", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "//", "`", "\r\n"}},
    {"rust", {"a#", "r#", "br", "#", "\"", "'a", "r", "(", ")", "aaaaaaaaaaaaaaaa", "\n", "\\"}},
    {"rust", {"r", "#", "########", "##############", "\"", "(", "\n", "aaaaaaaaaaaaaaaaaaaaaa"}},
    {"typescript", {"(", ")", "/", "`$`", "\"/*\"", "'\\''", "/**/", "//*", ".", "case ", "++", "\n", "a", "]", ";"}},
    {"c",
     {"(", ")", "#if ", "0", "\n#ifdef X\n", "\n # else\n", "\n#endif", "\\\r\n", "\\\n", "\n", "/**/", "a#if", "//",
      " ", "\n#elif a", "'#'"}},
    {"c#",
     {"(", ")", "\n#if ", "0 ", "\n#endregion '\n", "\n#else", "\n#endif\n", "/*", "*/", "// ", "\"", "\t", "a",
      "@\""}},
    {"c#",
     {"$\"", "\"", "{", "}", "{{", "(", "[", "\\", "\n", "$@\"", "@$\"", "@\"", "aaaaaaaaaaaaaaaaaaa", "\"\"", "'{'",
      "//"}},
    {"c#",
     {"$\"a{b}\"", "{", "}", "$", "@", "\"", "\"\"\"", "(", ")", "\n", "\\", "\\\n", "aaaaaaaaa", "/*", "*/", "$\"{"}},
    {"c#",
     {"\n#end", "\n # ", "#region", "$\"{", "$", "}\"", "a", "\n", "(", ")", "\n#if ", "\n#endif", " ", "\\",
      "aaaaaaaaaaaaa", "@\""}},
    {"c++", {"(", "//", "\\\r\n", "\\\n", "\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", " ", "\\", "/*", "*/"}},
    {"c", {"\\", "#if A", BLANKS(" "), BLANKS("\n"), BLANKS(" ") "\n", "\"a", "("}},
    {"go", {"(", ")", "`", "\"", "\\", "/*", "*/", "//", "\n", "'", "a"}},
    {"rust", {"(", ")", "r#\"", "\"#", "\"", "\\", "/*", "*/", "//", "\n", "'", "a", "r##\"", "##", "'a"}},
    {"python", {"(", ")", "\"\"\"", "'''", "\"", "'", "\\", "#", "\n", "a"}},
    {"lisp", {"(", ")", "#|", "|#", "|", "\"", "\\", ";", "\n", "a", "#\\(", "#;"}},
    {"clojure", {"(", ")", "\"", "\\", ";", "\n", "a", "#!"}},
    {"shell", {"case ", "esac", " in ", ";;", "(", ")", "[", "\"", "'", "${x}", "$(", "}", " # ", "\n", "\\"}},
    {"shell", {"case x in ", "esac\n", "<<A\n", "A\n", "c", "(", ")", "]", ";", "& ", "$", "{", "}", "  ", "\""}},
    {"shell", {"<<<", "<", "<<A", "<<A\n", "\nA\n", "$'", "'", "((", "))", "(", "\\", "#", "aa", "\n", " "}},
    {"shell", {"# ", "#\n", "\n", "\n  ", "a", "(", ")", "# c\n", "[", "]"}},
    {"shell", {"# ", "\n", "(", ")", "<<A #\n", "\nA\n", "case x", " in\n", "esac\n", "a) ", "# c\n", "#", ";;\n"}},
    {"shell", {"\"${a}", "\"$(b c)", "\"", "$(", "${a#b", ")", "}", "case", "esac", " in ", "(", ";", "&", "]", " "}},
    {"shell",
     {"\"${a:-\"b\"}", "$(b \"c\" d)", "\"", "$(", "${a", ")", "}", "case", "esac", " in ", "(", ";", "$", "\\", " "}},
    {"yaml", {"a: ", "- ", "\n", "  ", "[", "]", "{", "}", ", ", "\"", "'", "# ", "|", "a", "---\n"}},
    {"yaml", {"- ", "a: ", "b\n", "  ", "    ", "|\n", "[", "]", ":\n", "? ", "-", "...\n", " #", "\n", "c"}},
    {"yaml", {"{", "[", "]", "}", ", ", ": ", "a", "b: ", "- ", "\n", " #", "\"c\":", " ", "d:e", "[f, ", "}, "}},
    {"toml", {"[", "]", "\"", "'", "\"\"\"", "\'\'\'", "\\", "#", "\n", "a"}},
    {"cmake", {"(", ")", "\\", "\\(", "\\\"", "\"", "[[", "[=[", "]]", "]=]", "#", "#[[", "\n", "a", "\\\n"}},
    {"lua", {"(", ")", "[", "]", "[[", "[=[", "]=]", "--", "\"", "'", "\\", "\n", "a", "--[["}},
    {"lua",
     {"(\"a\\n\", ", "\"\\\\\")", "\"\\z\n(\"", "\"\\\n)\"", "--a\n", "--[[a]]", "--(\n", "f(\"b", "'\\'' ", "\n",
      "\""}},
    {"swift",
     {"f(\"\\(a[1])b\") ", "\"\\n\" ", "\"\\\\\"", "\"\"", "//(\n", "/*[*/", "/*a/*)*/*/", "\"\"\"(\"\"\"", "g]", "\\",
      "\"", "#"}},
    {"kotlin",
     {"f(\"\\n$b ${c[0]}\") ", "\"\\$(\"", "\"\\\\\"", "\"\"", "//(\n", "/*[*/", "/*/*)*/*/", "\"\"\"(\"\"\"", "g]",
      "\\\"", "'\\''"}},
    {"haskell",
     {"(\"a\\n\") ", "\"\\  \\(\"", "--(\n", "-->(\n", "{-[-}", "{-{-)-}-}", "{--(-}", "'\\'' ", "a' ", "\"\\\\\"",
      "\n", "---\n", "':(", "'[ "}},
    {"fortran",
     {"f('a', x(1)) ", "'(''' ", "\"b&\n &)\"", "\"b & ! c\n", "!(\n", "! it's\n", "&\n", "'&\n\n !'\n &", "#if 0\n",
      "\n#if a\n", "\n#else !(\n", "\n#endif\n", "(", "\"", "\n"}},
    {"fortran", {"a\\\n", "\n", "#(\n", " ", "(", "[", "'", "!", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
    {"julia",
     {"f(\"a\\n\", ", "\"\\$(\"", "\"$(b[1])\"", "raw\"(\\\"", "b\"\"\"(\"\"\"", "\"\"\"($(", "#(\n", "#=[=#", "a' ",
      "'\\'' ", "'(' ", "r\"", ")", "`$(", "\"", "\n"}},
    {"css",
     {"/*[*/", "//(\n", "a//(\n", " //{\n", "/*/(*/", "\"a\\\"(\" ", "'\\\n(' ", "url(//x)", "(//", "\\", "{a:b}", "/",
      "*", "'", "\n", "a/**/b"}},
    {"assembly",
     {";(\n", "a;(\n", " ;[\n", "!(\n", " !(\n", "a !(\n", "|[\n", "# (\n", "a# (\n", "@ (\n", "/*[*/", "'(", "f(1)\n",
      "\n", "  ", "'a'", "''", "'\\'", ":'"}},
    {"assembly", {"@\t[\n", "@", "\\\n", "|[", "(!", "! ", ")", ";(", " ; ", "\n", "a", "(", "#if ", "  "}},
    {"fsharp", {"``a(", "`", "``", "\n", "(", ")", "(*", "*)", "'('", "'a", "\"", "@\"", "//", "$\"{", "}"}},
    {"ocaml", {"(", ")", "(*", "*)", "{|", "|}", "\"", "'", "'a'", "\\", "\n", "a'", " ", "'\\''"}},
    {"vhdl", {"(", ")", "--", "/*", "*/", "\"", "'", "'('", "\n", "a", " ", "-"}},
    {"ruby", {"/", "%w[", "%q(", "%#", "%", "#{", "}", "\\", "[", "]", ") ", "if ", ".a", "\n", "= "}},
    {"ruby", {"(", ")", "\"", "'", "#", "#{", "}", "{", "\\", "\n", "%w(", "<<A\n", "A\n", "=begin", "_"}},
    {"emacs-lisp", {"(", ")", "\"", "?", "\\", "C-", ";", "\n", "a", " "}},
    {"ruby", {"?(", "?\\", " ? ", "$'", "$/", "/ ", "x /", "%w[", "]", "\n", "(", ")", "\"", "aaaaaaaaaaaaaaaaaaaa"}},
    {"ruby",
     {"<<A", "<<~'B'", "\nA\n", "\n  B\n", "\n", "(", ")", "# (", "\"", "#{", "}", "/", "aaaaaaaaaaaaaaaaa", "A",
      "\n=be"}},
    {"ruby", {".if ", "/(/ ", " / ", "if/)/", "- /[/", "--/", "x", "\n", "; ", "(", "aaaaaaaaaaaaaaaaaaaaaaaaa", ".."}},
    {"php",
     {"<?php ", "<<<A\n", "<<<'B'\n", "\nA", "\n  B;", "\n", "(", ")", "// (", "?>", "\"", "{$", "}", "# ",
      "aaaaaaaaaaaaaaa"}},
    {"php", {"<?php ", "<<<A.<<<B\n", "\nA", "B", ";", "\n", "(", ")", "a"}},
    {"perl", {"(", "$", "\t", "    ", ";", "$)", ")", "\\@", "$;", "sub a", ",", "\n", "|"}},
    {"fsharp",
     {"(*)", "(*", "*)", "(", ")", "@\"", "$\"", "\"", "{", "}", "{{", "\"\"\"", "//", "\n", "'('", "\\", "a"}},
    {"nix", {"''", "'''", "''${", "${", "}", "{", "\"", "\\", "$", "#", "\n", "/*", "*/", "(", ")", "a"}},
    {"scala", {"s\"\"\"", "\"\"\"", "\"", "${", "}", "(", "'('", "'a", "`", "\n", "/*", "*/", "\\", "s", "a"}},
    {"coq", {"(*)", "(*", "*)", "(", ")", "\"", "*", "\n", "a"}},
    {"erlang", {"$(", "$", "$ ", "$\\", "$\\^(", "(", ")", "\"", "'", "\\", "%", "\n", "a"}},
    {"d", {"r\"", "\"", "`", "/+", "+/", "/*", "*/", "//", "\n", "(", ")", "'", "\\", "a", "xr"}},
    {"ada", {"'('", "'", "''", "a'", "\"", "--", "\n", "(", ")", "a"}},
    {"forth", {"\\ ", "( ", ")", "\" ", "\"", "\n", "("}},
    {"elixir", {"?(", "?\\", "~r/", "~s(", ")", "(", "\"", "#{", "}", "'", "\n", "# (", "aaaaaaaaaaaaaaaaa", "a?"}},
};

/* gap: names and blanks between two pieces, of fewer bytes; 0: none. */
static size_t make_soup(const struct soup *soup, uint64_t *seed, unsigned char *text, size_t n, size_t gap) {
    size_t pieces = 0;
    while (soup->pieces[pieces])
        pieces++;
    for (size_t i = 0; i < n;) {
        const char *piece = soup->pieces[random_below(seed, pieces)];
        for (; *piece && i < n; piece++)
            text[i++] = (unsigned char)*piece;
        for (size_t rest = gap > 0 ? random_below(seed, gap) : 0; rest > 0 && i < n; rest--)
            text[i++] = random_below(seed, 8) ? 'a' : ' ';
    }
    return n;
}

/* What a reader says of a text. */
typedef struct reading {
    bool brackets[TEXT_MAX];
    uint64_t inside; /* where the string or comment began that the end is in */
    char byte;
    size_t directive_count;
    struct {
        uint64_t at;
        pmi_directive directive;
    } directives[TEXT_MAX / 4 + 1];
} reading;

/* Where a lexer notes directives. */
static pmi_directives noted;

static void begin_to_note(pmi_lexer *lexer) {
    lexer->directives = &noted;
    noted.base = lexer->position;
    noted.count = 0;
}

static void note_directives(reading *found) {
    for (size_t k = 0; k < noted.count; k++, found->directive_count++) {
        found->directives[found->directive_count].at = noted.base + (noted.list[k] >> 3);
        found->directives[found->directive_count].directive = (pmi_directive)(noted.list[k] & 7);
    }
}

static bool same_directives(const reading *a, const reading *b) {
    bool same = a->directive_count == b->directive_count;
    for (size_t k = 0; same && k < a->directive_count; k++)
        same = a->directives[k].at == b->directives[k].at && a->directives[k].directive == b->directives[k].directive;
    return same;
}

static void note_brackets(reading *found, size_t from, size_t n, uint64_t brackets) {
    for (size_t i = 0; i < n; i++)
        found->brackets[from + i] = brackets >> i & 1;
}

static void note_end(reading *found, const pmi_lexer *lexer) {
    found->inside = UINT64_MAX;
    found->byte = 0;
    pmi_lexer_inside(lexer, &found->inside, &found->byte);
}

/* n <= 64 bytes, by the lexer alone. */
static void lex_piece(pmi_lexer *lexer, const unsigned char *text, size_t from, size_t n, reading *found) {
    uint64_t brackets;
    begin_to_note(lexer);
    assert_ok(pmi_lexer_scan(lexer, text + from, n, &brackets));
    note_brackets(found, from, n, brackets);
    note_directives(found);
}

/* The same by a reader, by masks perhaps. */
static void read_piece(pmi_bracket_reader *reader, const unsigned char *text, size_t from, size_t n, reading *found) {
    uint64_t brackets;
    begin_to_note(&reader->lexer);
    assert_ok(pmi_bracket_reader_piece(reader, text + from, n, &brackets));
    note_brackets(found, from, n, brackets);
    note_directives(found);
}

static void read_by_lexer(pmi_lexer *lexer, const unsigned char *text, size_t n, reading *found) {
    found->directive_count = 0;
    for (size_t from = 0; from < n; from += 64)
        lex_piece(lexer, text, from, n - from < 64 ? n - from : 64, found);
    note_end(found, lexer);
    pmi_lexer_clear(lexer);
}

/* A first piece of less than a word, then words in bulk, as many as fit, a rest; and the same again, `bulk` words at
 * once at most. */
static void read_in_bulk(pmi_bracket_reader *reader, const unsigned char *text, size_t n, size_t first, size_t bulk,
                         reading *found) {
    uint64_t brackets[PM_CHUNK_WORDS];
    found->directive_count = 0;
    for (size_t from = 0; from < n;) {
        const size_t length = n - from < first ? n - from : first;
        read_piece(reader, text, from, length, found);
        from += length;
        const size_t words = (n - from) / 64 < bulk ? (n - from) / 64 : bulk;
        begin_to_note(&reader->lexer);
        assert_ok(pmi_bracket_reader_words(reader, text + from, words, brackets));
        note_directives(found);
        for (size_t w = 0; w < words; w++, from += 64)
            note_brackets(found, from, 64, brackets[w]);
        if (first == 0 && words == 0)
            first = 1;
    }
    note_end(found, &reader->lexer);
    pmi_lexer_clear(&reader->lexer);
}

/* Asserts that packed brackets are unpacked to what was picked. */
static void assert_unpacked(const pmi_classifier *classifier, const pm_alphabet *alphabet, const unsigned char *packed,
                            const unsigned char *picked, size_t count) {
    static uint8_t kinds[PM_PACK_WORDS * 64 + PM_PICK_SLACK];
    static uint64_t opens[PM_PACK_WORDS + 1];
    classifier->unpack(packed, count, opens, kinds);
    for (size_t k = 0; k < count; k++) {
        const uint8_t role = alphabet->role[picked[k]];
        assert_int_equal(pmi_bits_get(opens, k), pmi_role_is_open(role));
        assert_int_equal(kinds[k], pmi_role_kind(role));
    }
}

/* Asserts what was packed of some words besides their brackets, against what the functions for it say. */
static void assert_packed(const pmi_bracket_reader *reader, const pm_alphabet *alphabet, const unsigned char *text,
                          size_t words, size_t count, const pmi_unquoted_found *found) {
    const bool records = reader->separator >= 0;
    static unsigned char picked[PM_PACK_WORDS * 64 + PM_PICK_SLACK];
    static uint8_t roles[2][PM_PACK_WORDS * 64 + PM_PICK_SLACK];
    static uint16_t numbers[2][PM_PACK_WORDS * 64 + PM_PICK_SLACK];
    const pmi_classifier *const classifier = reader->classifier;
    uint64_t newlines[PM_PACK_WORDS];
    uint16_t before[PM_PACK_WORDS], lines_before[PM_PACK_WORDS + 1];
    size_t rise[2];
    classifier->find('\n', text, words, newlines, lines_before);
    assert_memory_equal(found->newlines, newlines, words * sizeof *newlines);
    assert_memory_equal(found->lines_before, lines_before, (words + 1) * sizeof *lines_before);
    assert_int_equal(classifier->pick(text, found->brackets, words, picked, before), count);
    assert_memory_equal(found->before, before, words * sizeof *before);
    if (!records)
        assert_unpacked(classifier, alphabet, found->packed, picked, count);
    const size_t left = classifier->cancel(alphabet->role, picked, count, records, roles[0], numbers[0], &rise[0]);
    assert_int_equal(classifier->cancel_packed(found->packed, count, records, roles[1], numbers[1], &rise[1]), left);
    assert_int_equal(rise[1], rise[0]);
    if (left == SIZE_MAX)
        return;
    assert_memory_equal(roles[1], roles[0], left);
    assert_memory_equal(numbers[1], numbers[0], left * sizeof *numbers[0]);
}

/* A first piece of less than a word, then the rest packed, with room for few brackets at a time. */
static void read_packed(pmi_bracket_reader *reader, const pm_alphabet *alphabet, const unsigned char *text, size_t n,
                        size_t first, size_t room, reading *found) {
    static unsigned char packed[PM_PACK_WORDS * 64 + PM_PICK_SLACK];
    uint64_t brackets[PM_PACK_WORDS], newlines[PM_PACK_WORDS];
    uint16_t before[PM_PACK_WORDS], lines_before[PM_PACK_WORDS + 1];
    pmi_unquoted_found some = {
        .brackets = brackets, .newlines = newlines, .before = before, .lines_before = lines_before, .packed = packed};
    size_t from = n < first ? n : first;
    found->directive_count = 0;
    read_piece(reader, text, 0, from, found);
    while (n - from >= 64) {
        const size_t left = (n - from) / 64, most = left < PM_PACK_WORDS ? left : PM_PACK_WORDS;
        size_t words = most;
        const size_t count = pmi_bracket_reader_pack(reader, text + from, &words, room, &some);
        assert_true(count <= room && words > 0 && (words == most || count + PM_UNQUOTED_ROOM > room));
        assert_packed(reader, alphabet, text + from, words, count, &some);
        for (size_t w = 0; w < words; w++, from += 64)
            note_brackets(found, from, 64, brackets[w]);
    }
    read_piece(reader, text, from, n - from, found);
    note_end(found, &reader->lexer);
    pmi_lexer_clear(&reader->lexer);
}

static void assert_same_reading(const reading *a, const reading *b, const pmi_simd_target *simd, const char *language,
                                const unsigned char *text, size_t n) {
    if (memcmp(a->brackets, b->brackets, n) != 0 || a->inside != b->inside || a->byte != b->byte ||
        !same_directives(a, b))
        fail_msg("%s, %s: %.*s", simd->name, language, (int)n, (const char *)text);
}

/* Makes a reader by the next instructions that this CPU has, from the *at-th on; returns them, or NULL: none is left.
 */
static const pmi_simd_target *next_reader(size_t *at, pmi_bracket_reader *reader, const pm_language *language,
                                          const pm_alphabet *alphabet) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    for (const pmi_simd_target *simd; (simd = pmi_simd_at(*at)) != NULL;) {
        ++*at;
        if (simd->supported()) {
            pmi_bracket_reader_init(reader, simd->classifier, language, alphabet, &allocator);
            return simd;
        }
    }
    return NULL;
}

static void assert_bulk(const char *name, const pm_alphabet *alphabet, const unsigned char *text, size_t n,
                        uint64_t *seed) {
    static reading expected, found;
    const pm_allocator allocator = pm_context_allocator(NULL);
    const pm_language *language = pm_language_by_name(name);
    pmi_lexer lexer;
    if (!alphabet)
        alphabet = pm_language_alphabet(language);
    pmi_lexer_init(&lexer, language, alphabet, &allocator);
    read_by_lexer(&lexer, text, n, &expected);
    pmi_bracket_reader reader;
    size_t at = 0;
    for (const pmi_simd_target *simd; (simd = next_reader(&at, &reader, language, alphabet)) != NULL;) {
        for (size_t k = 0; k < 4; k++) {
            const size_t first = k == 0 ? 0 : random_below(seed, 64);
            const size_t bulk = k < 2 ? PM_CHUNK_WORDS : 1 + random_below(seed, 5);
            read_in_bulk(&reader, text, n, first, bulk, &found);
            assert_same_reading(&expected, &found, simd, name, text, n);
            if (!reader.packs)
                continue;
            read_packed(&reader, alphabet, text, n, first, PM_UNQUOTED_ROOM + random_below(seed, 6000), &found);
            assert_same_reading(&expected, &found, simd, name, text, n);
        }
    }
}

TEST(test_soups) {
    guarded_memory memory = guarded_allocate(TEXT_MAX);
    uint64_t seed = 1;
    for (size_t s = 0; s < COUNT_OF(soups); s++)
        for (unsigned round = 0; round < 90; round++) {
            const size_t n = random_below(&seed, round < 50 ? 600 : TEXT_MAX + 1);
            unsigned char *text = memory.end - n; /* nothing may be read past it */
            make_soup(&soups[s], &seed, text, n, round < 60 ? 0 : round < 80 ? 70 : 400);
            pm_alphabet alphabet = *pm_language_alphabet(pm_language_by_name(soups[s].language));
            if (round % 6 == 5) /* a byte that the language knows in another way is a bracket, too */
                alphabet.role[(unsigned char)"\n a=/'\"<.#,"[round / 6 % 11]] = PM_ROLE(PM_ROLE_OPEN, 0);
            if (round % 6 == 4) /* or one of its brackets is none */
                alphabet.role[(unsigned char)"([{}])"[round / 6 % 6]] = PM_ROLE_NEUTRAL;
            assert_bulk(soups[s].language, &alphabet, text, n, &seed);
        }
    guarded_free(&memory);
}

/* A few pieces again and again, and seldom another one: so much begins and ends that bytes are read one by one. */
TEST(test_crowded_soups) {
    unsigned char pattern[4 * BLANKS_BYTES], text[20 * PM_WORD_BITS];
    uint64_t seed = 9;
    for (size_t s = 0; s < COUNT_OF(soups); s++)
        for (unsigned round = 0; round < 25; round++) {
            size_t pieces = 0, n = 0, length = 0;
            while (soups[s].pieces[pieces])
                pieces++;
            for (size_t k = 1 + random_below(&seed, 4); k > 0; k--) {
                const char *const piece = soups[s].pieces[random_below(&seed, pieces)];
                memcpy(pattern + length, piece, strlen(piece));
                length += strlen(piece);
            }
            while (n < sizeof text) {
                const size_t rest = sizeof text - n, taken = rest < length ? rest : length;
                memcpy(text + n, pattern, taken);
                n += random_below(&seed, 20) ? taken : random_below(&seed, taken) + 1;
            }
            assert_bulk(soups[s].language, NULL, text, n, &seed);
        }
}

/* Reads a text in pieces of less than a word. */
static void read_in_pieces(pmi_bracket_reader *reader, const unsigned char *text, size_t n, uint64_t *seed,
                           reading *found) {
    found->directive_count = 0;
    for (size_t from = 0, length; from < n; from += length) {
        length = 1 + random_below(seed, n - from < 63 ? n - from : 63);
        read_piece(reader, text, from, length, found);
    }
    note_end(found, &reader->lexer);
    pmi_lexer_clear(&reader->lexer);
}

/* Pieces that end behind backslashes, or have nothing else. */
TEST(test_pieces_of_backslashes) {
    static reading expected, found;
    const pm_language *language = pm_language_by_name("json");
    const pm_alphabet *const alphabet = pm_language_alphabet(language);
    unsigned char text[200];
    uint64_t seed = 9;
    for (unsigned round = 0; round < 500; round++) {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = random_below(&seed, 12) ? '\\' : (unsigned char)"\"[]"[random_below(&seed, 3)];
        pmi_bracket_reader reader;
        size_t at = 0;
        for (const pmi_simd_target *simd; (simd = next_reader(&at, &reader, language, alphabet)) != NULL;) {
            read_by_lexer(&reader.lexer, text, sizeof text, &expected);
            read_in_pieces(&reader, text, sizeof text, &seed, &found);
            assert_same_reading(&expected, &found, simd, "json", text, sizeof text);
        }
    }
}

/* A separator is packed with the brackets, as it stands among those of masks, in a quotation or not. */
TEST(test_marked_separators) {
    static const char bytes[] = "[]{}\"\\\n\n,()<>a";
    static reading expected, found;
    static const int separators[] = {'\n', 0, 0x1e};
    const pm_language *const language = pm_language_by_name("json");
    pm_alphabet alphabet = *pm_language_alphabet(language);
    unsigned char text[64 * 100];
    uint64_t seed = 5;
    for (unsigned round = 0; round < 100; round++) {
        const int separator = separators[round % COUNT_OF(separators)];
        if (round == 50) /* more kinds */
            for (unsigned k = 0; k < 4; k++)
                alphabet.role[(unsigned char)"()<>"[k]] = PM_ROLE(k % 2 ? PM_ROLE_CLOSE : PM_ROLE_OPEN, 2 + k / 2);
        const size_t n = 64 * random_below(&seed, 101), some = 2 + random_below(&seed, sizeof bytes - 2);
        for (size_t i = 0; i < n; i++) {
            text[i] = (unsigned char)bytes[random_below(&seed, some)];
            text[i] = text[i] == '\n' && random_below(&seed, 2) ? (unsigned char)separator : text[i];
        }
        pmi_bracket_reader reader;
        size_t at = 0;
        for (const pmi_simd_target *simd; (simd = next_reader(&at, &reader, language, &alphabet)) != NULL;) {
            assert_true(pmi_bracket_reader_mark(&reader, (unsigned char)separator, true));
            if (!reader.packs)
                continue;
            alphabet.role[separator] = PM_ROLE(PM_ROLE_NEUTRAL, 4);
            read_in_bulk(&reader, text, n, 0, PM_CHUNK_WORDS, &expected);
            read_packed(&reader, &alphabet, text, n, 0, PM_UNQUOTED_ROOM + random_below(&seed, 6000), &found);
            assert_same_reading(&expected, &found, simd, "json", text, n);
            alphabet.role[separator] = PM_ROLE_NEUTRAL;
        }
    }
}

/* Every cut of some texts, so that bulk begins at every byte of them. */
TEST(test_every_cut) {
    static reading expected, found;
    const pm_allocator allocator = pm_context_allocator(NULL);
    unsigned char text[64 * 6];
    uint64_t seed = 2;
    for (size_t s = 0; s < COUNT_OF(soups); s++) {
        const pm_language *language = pm_language_by_name(soups[s].language);
        pmi_lexer lexer;
        make_soup(&soups[s], &seed, text, sizeof text, 0);
        pmi_lexer_init(&lexer, language, pm_language_alphabet(language), &allocator);
        read_by_lexer(&lexer, text, sizeof text, &expected);
        pmi_bracket_reader reader;
        size_t at = 0;
        for (const pmi_simd_target *simd;
             (simd = next_reader(&at, &reader, language, pm_language_alphabet(language))) != NULL;) {
            for (size_t first = 0; first < 64; first++)
                for (size_t bulk = 1; bulk <= 5; bulk++) {
                    read_in_bulk(&reader, text, sizeof text, first, bulk, &found);
                    assert_same_reading(&expected, &found, simd, soups[s].language, text, sizeof text);
                }
        }
    }
}

/* An operand, such as a regular expression or an element, follows some words, and not names that end as they do. */
TEST(test_words_before_operands) {
#define LISTED_WORD(word) word,
    static const char *const words[] = {PM_OPERAND_WORDS_2(LISTED_WORD) PM_OPERAND_WORDS_3(LISTED_WORD)
                                            PM_OPERAND_WORDS_4(LISTED_WORD) PM_OPERAND_WORDS_5(LISTED_WORD)
                                                PM_OPERAND_WORDS_6(LISTED_WORD) PM_OPERAND_WORDS_7(LISTED_WORD)
                                                    PM_OPERAND_WORDS_10(LISTED_WORD) "default"};
#undef LISTED_WORD
    static const char *const operands[] = {"/[(/]/ (", "<b>(</b>", "<T,>(x)", "<T extends U>(x)", "<T>(x)", "<b >("};
    char text[64 * 3 + 1];
    uint64_t seed = 7;
    for (size_t w = 0; w < COUNT_OF(words); w++)
        for (size_t k = 0; k < COUNT_OF(operands) * 3; k++)
            for (size_t before = 40; before < 70; before += 7) {
                const char *const prefix = (const char *const[]){"", "a", "a."}[k % 3];
                snprintf(text, sizeof text, "%*s%s%s %s%130s", (int)before, ";", prefix, words[w], operands[k / 3], "");
                assert_bulk(k % 2 ? "tsx" : "javascript", NULL, (unsigned char *)text, strlen(text), &seed);
            }
}

/* In an element a dollar ends a word of a template literal; behind that an element goes on across the end of another
 * word. */
TEST(test_elements_behind_dollars) {
    static const char begin[] = "a = <b>";
    static const char *const texts[] = {"{`$` + <b>", "{`$`}", "<b c={`$`} ", "{`$` + `${<b>"};
    unsigned char text[64 * 3 + 6]; /* masks read three words, and the lexer the rest */
    uint64_t seed = 6;
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        for (size_t end = 160; end <= 192; end++) {
            const size_t dollar = (size_t)(strchr(texts[t], '$') - texts[t]);
            memset(text, ' ', sizeof text);
            memcpy(text, begin, strlen(begin));
            memcpy(text + 127 - dollar, texts[t], strlen(texts[t]));
            memcpy(text + end, "{(}){(", 6);
            assert_bulk("tsx", NULL, text, sizeof text, &seed);
        }
}

/* Strings and comments in long brackets, which end in their word, in another one, or with fewer equals signs. */
TEST(test_long_brackets) {
    static const char *const texts[] = {"[[", "#[[", "--[[", "[=[", "#[==[", "[=", "[]["};
    static const char *const ends[] = {"]]", "]=]", "]=]==]", "]", "]]]", ""};
    unsigned char text[64 * 5];
    uint64_t seed = 8;
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        for (size_t e = 0; e < COUNT_OF(ends); e++)
            for (size_t before = 100; before < 130; before++)
                for (size_t between = 0; between < 140; between += 1 + random_below(&seed, 40)) {
                    const size_t at = before + strlen(texts[t]);
                    memset(text, ')', sizeof text);
                    memcpy(text + before, texts[t], strlen(texts[t]));
                    memset(text + at, random_below(&seed, 2) ? '(' : '\n', between);
                    memcpy(text + at + between, ends[e], strlen(ends[e]));
                    memcpy(text + sizeof text - 12, "[[a]]#[[b]]\n", 12);
                    assert_bulk(random_below(&seed, 2) ? "cmake" : "lua", NULL, text, sizeof text, &seed);
                }
}

/* Hashes in a row, longer than masks look back, before a quote that they make a raw string's or not. */
TEST(test_runs_of_hashes) {
    static const char *const words[] = {"r", "br", "a", "ar", "'r", "\"r", ""};
    static const char behind[] = "\"(\"(\"#(";
    unsigned char text[64 * 5];
    uint64_t seed = 4;
    for (size_t w = 0; w < COUNT_OF(words); w++)
        for (size_t before = 40; before < 66; before++)
            for (size_t hashes = 1; hashes < 200; hashes += 1 + random_below(&seed, 20)) {
                const size_t at = before + strlen(words[w]);
                memset(text, ' ', sizeof text);
                memcpy(text + before, words[w], strlen(words[w]));
                memset(text + at, '#', hashes);
                memcpy(text + at + hashes, behind, strlen(behind));
                assert_bulk("rust", NULL, text, sizeof text, &seed);
            }
}

/* Alphabets of any bytes, those that the language has a use for included. */
TEST(test_any_alphabet) {
    unsigned char text[1000];
    uint64_t seed = 3;
    for (unsigned round = 0; round < 200; round++) {
        pm_alphabet alphabet = {{0}};
        const size_t pairs = random_below(&seed, round % 2 ? 40 : 5);
        for (size_t k = 0; k < 2 * pairs; k++)
            alphabet.role[random_below(&seed, 256)] = PM_ROLE(k % 2 ? PM_ROLE_OPEN : PM_ROLE_CLOSE, k / 2);
        alphabet.role[(unsigned char)"\"\\\n/"[round % 4]] = PM_ROLE(PM_ROLE_OPEN, 0);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = random_below(&seed, 4) ? (unsigned char)random_next(&seed)
                                             : (unsigned char)"\"\\\n/"[random_below(&seed, 4)];
        assert_bulk(soups[round % (COUNT_OF(soups))].language, &alphabet, text, sizeof text, &seed);
    }
}

/* The best implementation, through the public function: capacities around the ends of chunks. */
TEST(test_text_brackets) {
    enum {
        N = 2 * PM_CHUNK_BYTES + 100
    };
    static char text[N];
    static uint64_t parens[N / 64 + 2], positions[N + 1];
    static uint8_t kinds[N + 1];
    uint64_t seed = 4;
    for (unsigned round = 0; round < 40; round++) {
        size_t brackets = 0, count;
        for (size_t i = 0; i < N; i++) {
            text[i] = "()[]{}a\n"[random_below(&seed, round % 2 ? 8 : 6)];
            brackets += text[i] > '\n' && text[i] != 'a';
        }
        const size_t capacities[] = {
            0, 1, brackets - 1, brackets, brackets + 1, N, PM_CHUNK_BYTES, random_below(&seed, brackets)};
        const size_t capacity = capacities[round % 8], stored = capacity < brackets ? capacity : brackets;
        memset(parens, 0xa5, sizeof parens);
        memset(positions, 0xa5, sizeof positions);
        memset(kinds, 0xa5, sizeof kinds);
        assert_ok(pm_text_brackets(NULL, pm_language_at(0), NULL, text, N, capacity, parens, positions, kinds, &count));
        assert_int_equal(count, brackets);
        size_t k = 0;
        for (size_t i = 0; i < N && k < stored; i++) {
            if (!strchr("()[]{}", text[i]))
                continue;
            assert_int_equal(positions[k], i);
            assert_int_equal(parens[k / 64] >> k % 64 & 1, strchr("([{", text[i]) != NULL);
            assert_int_equal(kinds[k], text[i] == '(' || text[i] == ')' ? 0 : text[i] == '[' || text[i] == ']' ? 1 : 2);
            k++;
        }
        if (stored % 64)
            assert_true(parens[stored / 64] >> stored % 64 == 0);
        assert_true(parens[(stored + 63) / 64] == UINT64_C(0xa5a5a5a5a5a5a5a5));
        assert_true(positions[stored] == UINT64_C(0xa5a5a5a5a5a5a5a5));
        assert_int_equal(kinds[stored], 0xa5);
    }
}

/* Every length and place of a copy writes its bytes and no others. */
TEST(test_copy) {
    enum {
        N = 200,
        ROOM = N + 2 * 64
    };
    static unsigned char text[ROOM], copied[ROOM], expected[ROOM];
    for (size_t i = 0; i < ROOM; i++)
        text[i] = (unsigned char)(i + 1);
    for (size_t k = 0; pmi_simd_at(k); k++) {
        if (!pmi_simd_at(k)->supported())
            continue;
        for (size_t n = 0; n <= N; n++)
            for (size_t from = 0; from < 64; from++) {
                const size_t to = (from * 7 + n) % 64;
                memset(copied, 0, ROOM);
                memset(expected, 0, ROOM);
                memcpy(expected + to, text + from, n);
                pmi_simd_at(k)->classifier->copy(text + from, n, copied + to);
                assert_memory_equal(copied, expected, ROOM);
            }
    }
}
