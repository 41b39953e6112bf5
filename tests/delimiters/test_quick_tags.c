/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags among other delimiters: what a check counts, which keeps what tags with short names do, against a stack over the
 * tokens of the same text, which are found without that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/support/unit.h"

enum {
    TEXT = 6000,
    STRINGS = 8,
    NAMES = 48 /* more than are kept */
};

/* How tags are written: @ stands for a name. What opens may close nothing, and the other way round. */
typedef struct tag_style {
    const char *language; /* or rules */
    const char *tags[STRINGS];
    const char *others[STRINGS]; /* between tags; without a name */
} tag_style;

static const tag_style styles[] = {
    {"latex",
     {"\\begin{@}", "\\end{@}", "\\begin{@ }", "\\end{@}", "\\begin{@", "\\end{@}"},
     {"{", "}", "\\\\", " text ", "% \\begin{a}\n", "\\verb|}|", "\\[", "\\]"}},
    {"vue",
     {"<@>", "</@>", "<@/>", "<@ a='>'>", "</@ >", "<@ :a=\"b > c\" d>", "<@\n"},
     {"{{ a > b }}", " text ", "<!-- <a> -->", "<br>", "< ", "<script>a<b></script>"}},
    {"svelte",
     {"<@>", "</@>", "<@/>", "<@ a={b > '}'}>", "{#@}", "{/@}", "{#@ a}"},
     {"{a}", " text ", "<p>", "</p>", "<li>", "<hr>", "<!-- <a> -->"}},
    {"jinja",
     {"{% @ %}", "{% end@ %}", "{%-@ a -%}", "{% @ '%}{% if b %}' %}", "{{ @ }}", "{% @",
      "{% @ %a = 'b\\'%}{% if c %}' + \"%}{% if d %}\\\\\" + '\"' + "
      "ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc %}",
      "{% @ a + '%}{% if b %}' + \"%}\" + ccccccccccccccccccccccccccccccccccccccccccccccccccccccccc + '%}' %}"},
     {"{% if a %}", "{% endif %}", "{% else %}", "{# {% if %} #}", " text ", "{% set a = 1 %}",
      "{% raw %}{{ {% endraw %}", "{% for\na %}"}},
    {"jinja",
     {"{% @ %}", "{% end@ %}", "{% @ a = 'b' %}", "{% @ 'a' %}", "{% @ a('b') %}", "{% end@ = 'a' %}",
      "{% @ a == b %}"},
     {"{{ a }}", "{{ 'a' ~ \"b\" }}", "{# = #}", " = 'a' ", "{% set a %}", "{% endset %}"}},
    {"ignore-case\npair ( )\nloose (\nelement [ [/ ]]\nvoid Ab\nraw abc\n",
     {"[@]]", "[/@]]", "[@ a]]", "[@ a='b'] ]]", "[/@\n]]"},
     {"(", ")", " text ", "[", "[]]", "[AB]]", "[aBc]](]][/ABC]]"}},
    {"pair ( )\nloose (\nunclosed (\nelement < </ >\n", {"<@>", "</@>", "<@ a>"}, {"(", ")", " text "}},
};

static void random_name(uint64_t *seed, char *name) {
    static const char letters[] = "abcABC-*";
    const uint64_t ordinal = random_below(seed, NAMES);
    size_t n = 1 + ordinal % 19; /* up to 16 bytes are kept */
    uint64_t state = ordinal * 2 + 1;
    for (size_t k = 0; k < n; k++) /* long ones begin alike */
        name[k] = letters[n > 8 && k < 8 ? k : k == 0 ? random_below(&state, 6) : random_below(&state, 8)];
    name[n] = '\0';
    if (random_below(seed, 8) == 0)
        strcpy(name, (const char *[]){"if", "for", "block", "set", "trans", "a", "b", "Ab", "p", "li", "ul",
                                      "td"}[random_below(seed, 12)]);
}

/* Writes a tag with a name in the place of its @. Returns its length. */
static size_t put_tag(char *text, const char *tag, const char *name) {
    const size_t before = strcspn(tag, "@"), behind = tag[before] ? strlen(tag + before + 1) : 0;
    const size_t length = tag[before] ? strlen(name) : 0;
    memcpy(text, tag, before);
    memcpy(text + before, name, length);
    memcpy(text + before + length, tag + before + (length > 0), behind);
    return before + length + behind;
}

static size_t count_of(const char *const *strings) {
    size_t count = 0;
    while (count < STRINGS && strings[count])
        count++;
    return count;
}

static size_t random_text(uint64_t *seed, const tag_style *style, char *text, size_t most) {
    const size_t tags = count_of(style->tags), others = count_of(style->others);
    size_t n = 0;
    while (n < most) {
        char name[24];
        random_name(seed, name);
        n += put_tag(text + n,
                     random_below(seed, 3) == 0 ? style->others[random_below(seed, others)]
                                                : style->tags[random_below(seed, random_below(seed, 4) ? 2 : tags)],
                     name);
    }
    return n;
}

/* Adds where an open is that nothing closes, and how long it is, to a sum. */
static bool add_open(const pm_diagnostic *diagnostic, void *user) {
    if (diagnostic->fault == PM_FAULT_UNMATCHED_OPEN)
        *(uint64_t *)user += diagnostic->at.offset * TEXT + diagnostic->length;
    return true;
}

/* *opens: the sum of those that are left open. */
static pm_check_summary summary_of_tokens(const pm_language *language, const char *text, size_t n, uint64_t *opens) {
    static uint64_t parens[TEXT / 64 + 1], positions[TEXT];
    static uint32_t lengths[TEXT], kinds[TEXT], open[TEXT];
    pm_check_summary found = {.bytes = n};
    size_t count, depth = 0;
    assert_ok(scan_tokens(NULL, language, text, n, TEXT, parens, positions, lengths, kinds, &count));
    found.brackets = count;
    for (size_t k = 0; k < count; k++) {
        if (parens[k / 64] >> k % 64 & 1) {
            open[depth++] = (uint32_t)k;
            found.max_depth = depth > found.max_depth ? depth : found.max_depth;
        } else if (depth == 0) {
            found.unmatched.close++;
        } else {
            found.mismatched += kinds[open[--depth]] != kinds[k];
        }
    }
    found.unmatched.open = depth;
    for (*opens = 0; depth-- > 0;)
        *opens += positions[open[depth]] * TEXT + lengths[open[depth]];
    return found;
}

static void assert_same(const pm_language *language, const char *text, size_t n) {
    uint64_t expected_opens, opens = 0;
    const pm_check_summary expected = summary_of_tokens(language, text, n, &expected_opens);
    pm_check_summary found;
    assert_ok(check_text_in(NULL, language, text, n, add_open, &opens, &found));
    assert_int_equal(opens, expected_opens);
    assert_int_equal(found.brackets, expected.brackets);
    assert_int_equal(found.max_depth, expected.max_depth);
    assert_int_equal(found.unmatched.open, expected.unmatched.open);
    assert_int_equal(found.unmatched.close, expected.unmatched.close);
    assert_int_equal(found.mismatched, expected.mismatched);
}

TEST(test_tags_of_many_names) {
    uint64_t seed = 1;
    for (size_t s = 0; s < COUNT_OF(styles); s++) {
        const tag_style *const style = &styles[s];
        const pm_language *const known = pm_language_by_name(style->language);
        pm_language *const made = known ? NULL : pairs_of(style->language);
        for (unsigned k = 0; k < 400; k++) {
            char *const text = malloc(TEXT);
            const size_t n = random_text(&seed, style, text, 1 + random_below(&seed, k % 4 ? 300 : TEXT - 200));
            char *const exact = realloc(text, n); /* behind which nothing may be read */
            assert_true(exact != NULL);
            assert_same(known ? known : made, exact, n);
            free(exact);
        }
        pm_language_destroy(made);
    }
}

/* A name that ends in zeros is not the one without them, which is padded by zeros where it is kept. */
TEST(test_names_that_end_in_zeros) {
    static const char text[] = "[abc\0][abc][b](([/abc][/abc\0][a\0][/a][a][/a\0][/a] and what follows, up to the end";
    pm_language *const made = pairs_of("pair ( )\nelement [ [/ ]\nraw abc\n");
    assert_same(made, text, sizeof text - 1);
    assert_same(pm_language_by_name("vue"), "<a\0><a></a\0></a> and what follows", 34);
    pm_language_destroy(made);
}

/* Environments that close in a loose pair, about as deep in it as is looked at. */
TEST(test_loose_pairs) {
    static const char begin[] = "\\begin{a}{\\end{a}\\begin{a}\\end{a}}{", close[] = "\\end{a}\\end{b}}\\end{a}";
    const pm_language *const latex = pm_language_by_name("latex");
    static char text[TEXT];
    for (size_t depth = 0; depth < 140; depth += depth < 60 || depth > 66 ? 7 : 1) {
        pm_check_summary counted, found;
        size_t n = 0;
        for (size_t part = 0; part < 3; part++) {
            n += put_tag(text + n, begin, "");
            for (size_t k = 0; k < depth; k++)
                n += put_tag(text + n, "\\begin{b}", "");
            n += put_tag(text + n, close, "");
        }
        memset(text + n, ' ', 300);
        assert_same(latex, text, n + 300);
        assert_ok(check_text_in(NULL, latex, text, n + 300, add_open, &(uint64_t){0}, &found));
        assert_ok(check_text_in(NULL, latex, text, n + 300, NULL, NULL, &counted));
        assert_memory_equal(&counted, &found, sizeof found);
    }
}

/* Dollars that begin a string of SQL, or nothing, at most places. */
TEST(test_tagged_strings) {
    static const char *const pieces[] = {"$", "$a$", "$$", "$1", "$b", "(", ")", "a", ",", "$a$(", "$$)", "' '"};
    const pm_language *const sql = pm_language_by_name("sql");
    static char text[TEXT];
    for (uint64_t round = 1; round < 300; round++) {
        uint64_t seed = round;
        const size_t kinds = 1 + random_below(&seed, COUNT_OF(pieces)), most = 1 + random_below(&seed, TEXT - 10);
        size_t n = 0;
        while (n < most)
            n += put_tag(text + n, pieces[random_below(&seed, random_below(&seed, 9) ? kinds : COUNT_OF(pieces))], "");
        assert_same(sql, text, n);
    }
}

/* Nothing but tags: windows in which something begins at most places. */
TEST(test_tags_side_by_side) {
    static const char *const repeated[][2] = {{"latex", "\\begin{a}\\end{a}"},
                                              {"latex", "\\begin{a}\\begin{b}\\end{b}\\end{a}"},
                                              {"vue", "<a></a>"},
                                              {"vue", "<a><b/></a><c></c>"},
                                              {"jinja", "{%if%}{%endif%}"},
                                              {"jinja", "{{a}}"}};
    static char text[TEXT];
    for (size_t r = 0; r < COUNT_OF(repeated); r++) {
        const size_t length = strlen(repeated[r][1]), n = TEXT / length * length;
        pm_check_summary found;
        for (size_t i = 0; i < n; i++)
            text[i] = repeated[r][1][i % length];
        assert_same(pm_language_by_name(repeated[r][0]), text, n);
        assert_ok(check_text_in(NULL, pm_language_by_name(repeated[r][0]), text, n, NULL, NULL, &found));
        assert_int_equal(found.unmatched.open + found.unmatched.close + found.mismatched, 0);
    }
}
