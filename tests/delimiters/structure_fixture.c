/* SPDX-License-Identifier: Apache-2.0 */
/* Making texts, and asking the oracle. */
#include "tests/delimiters/structure_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/support/unit.h"

const structure_rules structure_sets[] = {
    {"json",
     "pair [ ]\npair { }\nstring \" \\\n",
     {"[", "]", "{", "}", "\"", "\"", "\\", "\\\"", "1, ", "\"key\": ", "text", " ", "\n"}},
    {"brackets", "pair ( )\n", {"(", ")"}},
    {"nothing", "", {"(", ")", "a"}},
    {"lines",
     "pair ( )\npair [ ]\npair < ]\nline ; %\nstring '\nskip { }\nnothing ~ .\n",
     {"(", ")", "[", "]", "<", ";", "%", "\n", "\n", "'", "{", "}", "~", "."}},
    {"quoted", "pair ( )\nskip-quoted ! > #\n", {"(", ")", "!", "!", ">", "#", "\"", "'", "a"}},
    {"case", "ignore-case\npair a B\nskip x Y\n", {"a", "A", "b", "B", "x", "X", "y", "Y", " "}},
    {"shell",
     "word if fi\nword case esac\nword do done\npair { }\nline #\nstring '\nstring \" \\\n",
     {"if", "fi", " ", "\n", "do", "done", "case", "esac", "{", "}", "#", "'", "\"", "\\", "_x", "if;"}},
    {"comments",
     "pair ( )\npair [ ]\npair { }\nline //\nskip /* */\nstring \" \\\nstring ' \\\n",
     {"(", ")", "{", "}", "/", "*", "/*", "*/", "//", "\n", "\"", "'", "\\", "[", "]", "x"}},
    {"overlaps",
     "ignore-case\npair ab bA\npair aa b\nnothing aba \"a.b\"\nskip a+ +a ++\nline .\nword bba abb\n",
     {"a", "b", "A", "B", "ab", "+", "+", ".", "\n", "a.", " "}},
    {"xml", NULL, {"<a>", "</a>", "<", ">", "</", "/>", "a", " ", "=", "\"", "'", "<!", "--", "[CDATA[", "]]>", "?"}},
    {"elements",
     "ignore-case\npair a~ ~b\nelement { {- ;. ..\nskip {{ }}\nline #\n",
     {"{a", "{-A", ";.", "..", ";", ".", "{", "}", " a", "=", "\"", "'", "a~", "~b", "#", "\n"}},
    {"ends",
     "pair ( >\npair [ )>\nword x y\nelement < </ > )>\n",
     {"<a", "</a", ">", ")>", "(", "[", " x", " y ", "=", "\"", "'", ")", "<", "/"}},
    {"quotations",
     "pair begin end\nskip-quoted <! ]> ]]\nskip <!-- -->\n",
     {"begin", "end", "<!", "]>", "]", "<!--", "-->", "-", "\"", "'", "be", "gin", "<"}},
    {"sql",
     NULL,
     {"begin", "end", " ", ";", "case", " ", "loop", "$$ ", "end  case", "\n", "e'", "\\", "'", "end\tif", "--", "$ "}},
    {"words",
     "ignore-case\nword a b\nword \"c a\" \"d  b\"\nnothing \"d c\" \"a ;\"\nline # \"; x\"\npair \"; y\" z\n",
     {"a", "b", " ", " ", "c", "d", "\t", "A", "B", "; ", ";", "C ", "\n", "#", "y", "z"}},
    /* No name follows a $: that would be unknown. */
    {"tagged",
     "tagged $\npair ( )\npair $( $)\nword x y\n",
     {"$$ ", "(", ")", "$ ", "$(", "$)", " ", "1", "x", "y", ";"}},
    {"some sql",
     "ignore-case\nline --\nskip /* */\nstring '\nstring \"\nstring `\npair ( )\nword begin end\nword case end\n"
     "nothing \"begin;\" \"end;if\"\n",
     {"begin", "end", " ", ";", "case", "begin;", "end;if", "--", "\n", "/*", "*/", "'", "\"", "(", ")", "x"}},
    {"pascal",
     "ignore-case\nline //\nskip { }\nskip (* *)\nstring '\npair ( )\npair [ ]\nword repeat until\nword begin end\n"
     "word case end\nword record end\n",
     {"begin", "end", " ", ";", "record", "repeat", "until", "case", "//", "\n", "(*", "*)", "'", "{", "}", "."}},
    {NULL, NULL, {NULL}},
};

/* Copies rules without the lines `lone`, `stray` and `spare`, which concern the check alone and no tokens. */
static void copy_of_tokens(char *copy, const char *rules) {
    while (*rules) {
        const size_t line = strcspn(rules, "\n"), length = line + (rules[line] == '\n');
        if (strncmp(rules, "lone ", 5) != 0 && strncmp(rules, "spare ", 6) != 0 && strncmp(rules, "stray ", 6) != 0) {
            memcpy(copy, rules, length);
            copy += length;
        }
        rules += length;
    }
    *copy = '\0';
}

pm_language *structure_pairs(const structure_rules *set) {
    const char *const rules = set->rules ? set->rules : pm_language_rules(pm_language_by_name(set->name));
    char *const copy = allocate(strlen(rules) + 1, 1);
    copy_of_tokens(copy, rules);
    pm_language *const pairs = pairs_of(copy);
    free(copy);
    return pairs;
}

void structure_text(const structure_rules *set, uint64_t seed, char *text, size_t n) {
    size_t count = 0;
    while (count < sizeof set->pieces / sizeof *set->pieces && set->pieces[count])
        count++;
    for (size_t at = 0; at < n;) {
        const size_t most = 1 + random_below(&seed, count);
        const char *const piece = set->pieces[random_below(&seed, most)];
        const size_t length = strlen(piece) < n - at ? strlen(piece) : n - at;
        memcpy(text + at, piece, length);
        at += length;
    }
}

static bool take(const pm_diagnostic *diagnostic, void *user) {
    structure_expected *const expected = user;
    if (!expected->faulty)
        expected->first = *diagnostic;
    expected->faulty = true;
    if (diagnostic->fault == PM_FAULT_UNTERMINATED)
        expected->cut = diagnostic->at.offset;
    return true;
}

void structure_expect(const pm_language *pairs, const char *text, size_t n, structure_expected *e) {
    *e = (structure_expected){.cut = UINT64_MAX};
    assert_ok(scan_tokens(NULL, pairs, text, n, 0, NULL, NULL, NULL, NULL, &e->count));
    uint64_t *const positions = allocate(e->count, sizeof *positions);
    e->parens = allocate(e->count / 64 + 1, sizeof *e->parens);
    e->positions = allocate(e->count, sizeof *e->positions);
    e->lengths = allocate(e->count, sizeof *e->lengths);
    e->kinds = allocate(e->count, sizeof *e->kinds);
    e->match = allocate(e->count, sizeof *e->match);
    assert_ok(scan_tokens(NULL, pairs, text, n, e->count, e->parens, positions, e->lengths, e->kinds, &e->count));
    for (size_t k = 0; k < e->count; k++)
        e->positions[k] = (uint32_t)positions[k];
    free(positions);
    assert_ok(pm_match_seq(NULL, e->parens, e->count, e->match, NULL));
    assert_ok(check_text_in(NULL, pairs, text, n, take, e, &e->summary));
}

void structure_expected_clear(structure_expected *e) {
    free(e->parens);
    free(e->positions);
    free(e->lengths);
    free(e->kinds);
    free(e->match);
}
