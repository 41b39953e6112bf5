/* SPDX-License-Identifier: Apache-2.0 */
/* What is open in a text with delimiters that comes byte by byte and is taken back, against a check that gets each text
 * at once. */
#include <string.h>
#include <time.h>

#include "inputs/families.h"
#include "parenmatch/open.h"
#include "tests/support/unit.h"

#define ASKED 5u
#define SUFFIX_MAX 256u
#define PIECE_MAX 40u

/* Of each language whole pieces, NULL, and then parts of others. */
static const struct {
    const char *language; /* its name, or its rules */
    const char *pieces[64];
} samples[] = {
    {"xml",
     {"<a>",
      "</a>",
      "<b x='1>'>",
      "</b>",
      "<br/>",
      "<c d=\"<\" />",
      "<!-- x > - -- y -->",
      "<![CDATA[ <a> ]] ]]>",
      "\n",
      "text",
      "<a\n b>",
      "</a >",
      "<?pi x?y ?>",
      "<!DOCTYPE a [<!ENTITY b 'c>'>]>",
      "<a-longer.name v=\"w\">",
      "</a-longer.name>",
      "<a-name-longer-than-is-kept x>",
      "</a-name-longer-than-is-kept>",
      NULL,
      "< ",
      "<",
      ">",
      "\"",
      "'",
      "]]>",
      "<!",
      "<!-",
      "<![",
      "</",
      "/",
      "["}},
    {"html",
     {"<ul>",
      "</ul>",
      "<li>",
      "</LI>",
      "<p>",
      "<div class='a>b'>",
      "</div>",
      "<br>",
      "<img src=x />",
      "<table><tr><td>",
      "</table>",
      "<script>if (a<b) '</div>'</script>",
      "<!-- <p> -->",
      "<!doctype html>",
      "\n",
      "text",
      "<body>",
      "<a-longer.name v=\"w\">",
      "</A-longer.name>",
      "<option>",
      NULL,
      "<script>",
      "</scr",
      "</script",
      "<",
      "</",
      ">",
      "\"",
      "'",
      "=",
      "<!-",
      "--",
      "{",
      "/",
      "<x{",
      "</u"}},
    {"latex",
     {"\\begin{a}",
      "\\end{a}",
      "{",
      "}",
      "\\[",
      "\\]",
      "\\left(",
      "\\right)",
      "\\begingroup",
      "\\endgroup",
      "% {\n",
      "\\verb|{|",
      "\\url{a%b}",
      "\\let\\x\\endgroup ",
      "\\begin{verbatim}{\\end{verbatim}",
      "\n",
      "text",
      "\\else\\begin{q}\\iff\\ifx\\fi\\fi",
      NULL,
      "\\",
      "\\begin{",
      "\\end{",
      "\\verb",
      "\\let",
      "%",
      "\\else\\end{",
      "\\fi",
      "ll",
      "\\if",
      "`",
      "\\begin{verbatim}",
      "="}},
    {"sql", {"begin ",  "end ",   "case ", "end case ", "END  LOOP ", "loop ",   "begin ;", "begin transaction ",
             "end if ", "end = ", "(",     ")",         "'it''s'",    "-- x'\n", "/* ( */", "$a$ begin $a$",
             "$$",      "e'\\''", "\n",    "text ",     NULL,         "begin",   "end",     "=",
             ";",       "   ",    "'",     "\"",        "e'",         "$a",      "$",       "-",
             "/*",      "*/",     "x",     "case",      "loop"}},
    {"pascal",
     {"begin ",
      "end ",
      "case ",
      "record ",
      "repeat ",
      "until ",
      "= class ",
      "= class(a) ",
      "= class; ",
      "= class of ",
      "(",
      ")",
      "[",
      "]",
      "{ begin }",
      "(* ( *)",
      "// [\n",
      "'it''s'",
      "{$else begin {$if x} {$endif} {$endif}",
      "unit ",
      "end.",
      "&begin ",
      "\n",
      "text ",
      NULL,
      "begin",
      "end",
      "= class",
      "= class(",
      "=",
      ";",
      "   ",
      "{$else",
      "{$endif",
      "{",
      "}",
      "(*",
      "*)",
      "'",
      ".",
      "x",
      ":=",
      "of"}},
    {"jinja",
     {"{% if x %}",
      "{% endif %}",
      "{%- for a in b -%}",
      "{% endfor %}",
      "{{ '}}' }}",
      "{# {% if %} #}",
      "{% raw %}{% if %}{% endraw %}",
      "{% set a = 1 %}",
      "{% set a %}",
      "{% endset %}",
      "{% trans 'x' %}",
      "{% trans %}",
      "{% endtrans %}",
      "\n",
      "text",
      NULL,
      "{%",
      "%}",
      "{{",
      "}}",
      "{#",
      "#}",
      "{% raw %}",
      "{% endraw",
      "'",
      "\"",
      "\\",
      "{",
      "%",
      "}",
      " ",
      "if",
      "end"}},
    {"svelte",
     {"{#if x}",
      "{/if}",
      "{#each a as b}",
      "{/each}",
      "<p>",
      "</p>",
      "<a b={'}'}>",
      "</a>",
      "{`${x}`}",
      "{ /* } */ 1 }",
      "<script>let a = '}'</script>",
      "\n",
      "text",
      NULL,
      "{",
      "}",
      "{#",
      "{/",
      "`",
      "${",
      "/*",
      "*/",
      "<script>",
      "</script",
      "'",
      "<",
      ">",
      "/"}},
    {"ignore-case\n"
     "line #\n"
     "skip /* */\n"
     "nested { }\n"
     "pair ( )\n"
     "pair << >>\n"
     "word do done\n"
     "word if fi\n"
     "word if \"end if\"\n"
     "word while \"end while\"\n"
     "nothing \"do ;\" \"end now\"\n"
     "string \" \\\n"
     "string '\n"
     "escaped x' ' \\\n"
     "tagged $\n"
     "unclosed while\n"
     "loose (\n"
     "bodyless ; do\n"
     "lone done \"do ;\"\n"
     "spare fi =\n",
     {"do ", "done ", "DO ", "if ", "fi ",  "end if",  "while ", "end while", "do ;",  "end now",  "(",
      ")",   "<<",    ">>",  "\n",  "fi =", "fi  ",    ";",      " ",         "x ",    "do (a) ;", NULL,
      "do",  "done",  "DO",  "if",  "fi",   "end  if", "end   ", "while",     "do  ;", "<",        ">",
      "/*",  "*/",    "#x",  "{",   "}",    "\"",      "'",      "\\",        "`",     "x'",       "$a$",
      "$$",  "$",     "=",   "x",   "/",    "*",       "do ("}},
    {"statement [[ ]] end a b c\n"
     "raw raw\n"
     "element <: </: :> /:>\n"
     "void br\n"
     "raw pre\n"
     "implied p p q\n"
     "implied li li\n"
     "optional body\n"
     "skip-quoted <? ?>\n"
     "pair ( )\n"
     "pair begin end\n"
     "word case esac\n"
     "nothing-in case begin\n",
     {"[[ a ]]", "[[ enda ]]", "[[b]]",   "[[endb]]", "[[- c x]]", "[[raw]]", "[[endraw]]", "<:x:>",
      "</:x:>",  "<:x/:>",     "<:br:>",  "<:pre:>",  "</:pre:>",  "<:p:>",   "</:p:>",     "<:q:>",
      "<:li:>",  "<:ul:>",     "</:ul:>", "<:body:>", "</:body:>", "(",       ")",          "begin ",
      "end ",    "case ",      "esac ",   " ",        "\n",        "x ",      NULL,         "[[ endc",
      "[[",      "]]",         "</:pr",   "<? \"",    "?>",        "\"",      "'",          "="}},
    {"ignore-case\n"
     "element < </ > />\n"
     "implied p p q\n"
     "implied li li\n"
     "optional body\n"
     "pair ( )\n"
     "word begin end\n"
     "word do done\n"
     "unclosed do\n"
     "nothing \"begin ;\"\n"
     "lone end \"begin ;\"\n"
     "stray </x>\n"
     "spare end = ;\n"
     "branch {$else {$if {$endif}\n"
     "sigil &\n"
     "string '\n",
     {"<p>",   "</p>",   "<q>",     "</q>",    "<li>",
      "</li>", "<ul>",   "</ul>",   "<body>",  "(",
      ")",     "begin ", "end ",    "end =",   "end  ;",
      "do ",   "done ",  "begin ;", "</x>",    "{$else ( {$if x} {$endif} {$endif}",
      "'it'",  "\n",     "x ",      "&end ",   "<z/>",
      NULL,    "end",    "begin",   "=",       ";",
      "  ",    "<",      "</",      "</u",     ">",
      "/",     "'",      "{$else",  "{$endif", "}",
      "<p",    "&"}},
    {"ignore-case\n" /* other patterns begin as tags do */
     "element < </ > />\n"
     "void br\n"
     "raw script\n"
     "implied p p div\n"
     "pair <ab> ab>\n"
     "skip <a! !>\n",
     {"<x>",      "</x>",      "<abc>", "</abc>", "<div>",    "</div>", "<br>", "<p>", "</p>", "<a-b>", "</a-b>",
      "<script>", "</script>", "ab>",   "<ab>",   "<a! b !>", "x ",     NULL,   "<",   "</",   "<a",    "<d",
      "di",       "</d",       ">",     "/",      "-",        "b",      " ",    "\"",  "=",    "<sc",   "</a-"}},
    {"element < </ > />\n" /* what tags open depends on more than their names */
     "assigned a\n"
     "quoted b\n"
     "pair ( )\n",
     {"<a>", "</a>", "<a x=1>", "<b>", "</b>", "<b x 'y'>", "<b x='y '>", "<c>", "</c>", "(", ")",  NULL,
      "<a",  "<a ",  "<b",      "<b ", " ",    "=",         "'",          "x",   ">",    "/", "'y "}},
    {"element < </ > />\n" /* statements begin as elements do */
     "statement <% %> end if for\n"
     "pair ( )\n",
     {"<a>", "</a>", "<% if x %>", "<% endif %>", "<%for y%>", "<%- endfor %>", "<b/>", "(",
      ")",   "x ",   NULL,         "<",           "<%",        "<% if",         "%",    "%>",
      ">",   "</",   "\"",         "'",           "/"}},
    {"element < </ > />\n" /* elements begin as others do, of which there are those whose names begin with the rest */
     "element <: </: :> /:>\n"
     "pair ( )\n",
     {"<a>", "</a>", "<:a:>", "</:a:>", "<:>", "</:>", "<:(>", "</:(>", "<:a/:>", "<b/>", "(",  ")", "x ",
      NULL,  "<",    "<:",    "</",     "</:", ":",    ">",    ":>",    "/",      " ",    "\"", "a"}},
    {"statement <%%% %%%> end a b\n" /* whether a quote near a byte of an end begins a string is not known at once */
     "statement [## ##] end a c\n",
     {"<%%% a %%%>",
      "<%%% enda %%%>",
      "[## c ##]",
      "[## endc ##]",
      "<%%% b x%y\" %\"",
      "[## c x##\"#\" '",
      "%y\"",
      "##\"",
      " ",
      NULL,
      "<%%%",
      "[##",
      "\"",
      "'",
      "%",
      "#",
      "x",
      "\\",
      "%%%>",
      "##]"}},
    {"ignore-case\n" /* the same, with strings */
     "statement <%% %%> e a b\n"
     "raw raw\n"
     "string \" \\\n"
     "pair << >>\n",
     {"<%%a%%>", "<%%ea%%>", "<<", ">>", NULL, "<%%", "\"", " ", "%", ">"}},
};
#define SAMPLES (sizeof samples / sizeof *samples)
#define PIECES (sizeof samples->pieces / sizeof *samples->pieces)

/* Stores pieces of a language, at most n bytes; of all of them, or whole ones alone. */
static size_t make_text(uint64_t *seed, size_t sample, char *text, size_t most) {
    const char *const *const pieces = samples[sample].pieces;
    size_t whole = 0, all = PIECES, n = 0;
    while (pieces[whole])
        whole++;
    while (!pieces[all - 1])
        all--;
    const bool any = random_below(seed, 2) > 0;
    while (n + PIECE_MAX < most) {
        const size_t k = random_below(seed, any ? all : whole);
        const char *const piece = pieces[k == whole ? 0 : k];
        assert_true(strlen(piece) <= PIECE_MAX);
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

static bool is_made_of_rules(size_t sample) {
    return strchr(samples[sample].language, '\n') != NULL;
}

static pm_check *check_make(size_t sample) {
    static pm_language *made[SAMPLES]; /* kept to the end */
    const char *const text = samples[sample].language;
    pm_check *check;
    pm_language_error wrong;
    if (is_made_of_rules(sample) && !made[sample] &&
        pm_language_create_rules(NULL, text, strlen(text), &made[sample], &wrong) != PM_OK)
        fail_msg("rules of sample %zu, line %u: %s", sample, (unsigned)wrong.at.line, wrong.what);
    const pm_language *const language = is_made_of_rules(sample) ? made[sample] : pm_language_by_name(text);
    assert_ok(pm_check_create(NULL, language, NULL, NULL, NULL, &check));
    return check;
}

typedef struct answer {
    pm_open_bracket opens[ASKED];
    uint64_t count;
    pm_open_end end;
    pm_status status; /* of the suffix */
    size_t length;
    char suffix[SUFFIX_MAX];
} answer;

static answer ask(pm_check *check) {
    answer given;
    memset(&given, 0, sizeof given);
    assert_ok(pm_check_open(check, given.opens, ASKED, &given.count, &given.end));
    given.status = pm_check_suffix(check, given.suffix, sizeof given.suffix, &given.length);
    return given;
}

/* A text that has no fault except what is open has none with its suffix. */
static void expect_complete(size_t sample, const char *text, size_t n, const pm_check_summary *found,
                            const answer *given) {
    pm_check_summary after;
    if (given->status != PM_OK || given->length > SUFFIX_MAX || found->unmatched.close + found->mismatched > 0)
        return;
    pm_check *const check = check_make(sample);
    assert_ok(pm_check_push(check, text, n));
    assert_ok(pm_check_push(check, given->suffix, given->length));
    assert_ok(pm_check_finish(check, &after));
    if (after.unmatched.open + after.unmatched.close + after.mismatched + after.unterminated > 0)
        fail_msg("%s <%.*s> is not completed by <%.*s>", samples[sample].language, (int)n, text, (int)given->length,
                 given->suffix);
    pm_check_destroy(check);
}

/* `check` answers as one does that was given the first n bytes of text at once, and what that finds bears it out. */
static void compare(pm_check *check, size_t sample, const char *text, size_t n) {
    pm_check *const once = check_make(sample);
    pm_check_summary found;
    assert_ok(pm_check_push(once, text, n));
    const answer given = ask(check), right = ask(once);
    if (memcmp(&given, &right, sizeof given) != 0)
        fail_msg("%s <%.*s>: %llu open, suffix <%.255s>, not %llu, <%.255s>", samples[sample].language, (int)n, text,
                 (unsigned long long)given.count, given.suffix, (unsigned long long)right.count, right.suffix);
    assert_ok(pm_check_finish(once, &found));
    if (strcmp(samples[sample].language, "pascal") != 0) { /* which has a second reading */
        assert_int_equal(found.unmatched.open, given.count);
        expect_complete(sample, text, n, &found, &given);
    }
    pm_check_destroy(once);
}

TEST(test_texts_that_come_byte_by_byte) {
    uint64_t seed = 5;
    for (unsigned round = 0; round < 12 * SAMPLES; round++) {
        char text[600];
        const size_t sample = round % SAMPLES, n = make_text(&seed, sample, text, 60 + random_below(&seed, 400));
        pm_check *const check = check_make(sample);
        for (size_t i = 0; i < n; i++) {
            assert_ok(pm_check_push(check, text + i, 1));
            compare(check, sample, text, i + 1);
        }
        pm_check_destroy(check);
    }
}

static void compare_typed(size_t sample, const char *text) {
    pm_check *const check = check_make(sample);
    for (size_t i = 0; text[i]; i++) {
        assert_ok(pm_check_push(check, text + i, 1));
        compare(check, sample, text, i + 1);
    }
    pm_check_destroy(check);
}

/* A backslash in a string of a statement protects the next byte, and only that. */
TEST(test_escapes_in_statements) {
    static const char *const texts[] = {"{{ 'a\\b' c", "{% if 'a\\' b' c", "{{ \\' a' \"\\\\\" d", "{{'\\a\"'b\\'"};
    for (size_t sample = 0; sample < SAMPLES; sample++)
        for (size_t t = 0; t < COUNT_OF(texts) && strcmp(samples[sample].language, "jinja") == 0; t++)
            compare_typed(sample, texts[t]);
}

/* Whether a quote begins a string is not known near a byte of a long end. */
TEST(test_quotes_near_an_end) {
    static const char *const texts[] = {"<%%% x%\" \"", "<%%% a %%\" \"", "<%%% a x%y\" \"", "<%%% a %'x' 'y",
                                        "<%%%\" \""};
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        for (size_t sample = SAMPLES - 2; sample < SAMPLES; sample++)
            compare_typed(sample, texts[t]);
}

/* From a saved state the text goes on in another way, again and again. */
TEST(test_texts_that_are_taken_back) {
    uint64_t seed = 7;
    for (unsigned round = 0; round < 12 * SAMPLES; round++) {
        char text[600];
        const size_t sample = round % SAMPLES, n = make_text(&seed, sample, text, 100 + random_below(&seed, 500)),
                     middle = random_below(&seed, n);
        pm_check *const check = check_make(sample);
        pm_check_state *saved;
        assert_ok(pm_check_push(check, text, middle));
        compare(check, sample, text, middle);
        assert_ok(pm_check_save(check, &saved));
        for (unsigned way = 0; way < 3; way++) {
            for (size_t i = middle; i < n; i += 3) {
                const size_t end = i + 3 < n ? i + 3 : n;
                assert_ok(pm_check_push(check, text + i, end - i));
                compare(check, sample, text, end);
            }
            assert_ok(pm_check_restore(check, saved));
            compare(check, sample, text, middle);
            for (size_t i = middle; i < n; i++)
                text[i] = random_below(&seed, 3) ? text[i] : text[random_below(&seed, n)];
        }
        if (round % 2 == 0) { /* a text of its own, of which the state knows nothing */
            assert_ok(pm_check_finish(check, NULL));
            assert_ok(pm_check_push(check, "<x>", 3));
            compare(check, sample, "<x>", 3);
            assert_ok(pm_check_restore(check, saved));
            compare(check, sample, text, middle);
        }
        pm_check_state_destroy(saved);
        pm_check_destroy(check);
    }
}

/* Long texts, and many names. */
TEST(test_long_texts) {
    enum {
        MOST = 20000
    };
    uint64_t seed = 9;
    char *const text = allocate(MOST + 400 * 10, 1);
    for (size_t sample = 0; sample < SAMPLES; sample++) {
        size_t n = make_text(&seed, sample, text, MOST);
        pm_check *const check = check_make(sample);
        for (size_t i = 0; i < 400 && sample < 2; i++, n += 8) {
            static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
            memcpy(text + n, "<n-00xy>", 8);
            text[n + 3] = digits[i / 36];
            text[n + 4] = digits[i % 36];
        }
        for (size_t i = 0; i < n;) {
            const size_t more = 1 + random_below(&seed, i < n / 2 ? 6000 : 200), end = i + more < n ? i + more : n;
            assert_ok(pm_check_push(check, text + i, end - i));
            compare(check, sample, text, end);
            i = end;
        }
        pm_check_destroy(check);
    }
    free(text);
}

/* A name that is too long to try what may stand between its close and others. */
TEST(test_long_names) {
    static const char rest[] = "><s]]b><sc ='x' <t/></sc></s]]b><ul><li>";
    char text[400] = "<";
    memset(text + 1, 'a', 300);
    memcpy(text + 301, rest, sizeof rest);
    for (size_t sample = 0; sample < 2; sample++)
        compare_typed(sample, text);
}

/* CPU seconds that questions take while the piece is typed behind `first` and many of its kind. */
static double typing_takes(const char *language, const char *first, const char *piece, unsigned before) {
    enum {
        TYPED = 500
    };
    const size_t length = strlen(piece);
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, first, strlen(first)));
    for (unsigned k = 0; k < before; k++)
        assert_ok(pm_check_push(check, piece, length));
    (void)ask(check);
    const clock_t begin = clock();
    for (unsigned k = 0; k < TYPED; k++)
        for (size_t i = 0; i < length; i++) {
            assert_ok(pm_check_push(check, piece + i, 1));
            (void)ask(check);
        }
    const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    pm_check_destroy(check);
    return took;
}

/* A long tag or region that is not ended: what is asked after each further byte does not read it again. */
TEST(test_long_cuts) {
    static const char *const texts[][3] = {
        {"svelte", "", "<a b={"},        {"html", "", "<aaaaaaaa"},        {"html", "", "<aaaaaaaa\""},
        {"svelte", "", "<aaaaaaaa\""},   {"jinja", "", "\\\"{{"},          {"svelte", "{'", "a b { } c "},
        {"svelte", "{{`", "\"} {'b\n "}, {"svelte", "{/*", "a \" b } * "}, {"svelte", "<a b={{`", "{ '}' \\`"}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const double few = typing_takes(texts[t][0], texts[t][1], texts[t][2], 1),
                     many = typing_takes(texts[t][0], texts[t][1], texts[t][2], 50000);
        if (many > 20 * few + 0.1)
            fail_msg("%s <%s%s>: %g s, and %g s behind many", texts[t][0], texts[t][1], texts[t][2], few, many);
    }
}

/* Opens, and what is typed behind them. */
typedef struct typed {
    const char *language, *open, *piece;
} typed;

static void type_pieces(size_t n, void *user) {
    const typed *const text = user;
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name(text->language), NULL, NULL, NULL, &check));
    for (unsigned k = 0; k < 6; k++)
        assert_ok(pm_check_push(check, text->open, strlen(text->open)));
    for (size_t i = 0; i < n; i++) {
        assert_ok(pm_check_push(check, text->piece + i % strlen(text->piece), 1));
        (void)ask(check);
    }
    pm_check_destroy(check);
}

/* What completes a text that ends in the first bytes of a word or tag is tried once, not behind each text that ends so;
 * in a statement not behind each of its bytes. */
TEST(test_words_that_begin) {
    static const typed texts[][2] = {
        {{"latex", "\\begin{a}", "bb "}, {"latex", "\\begin{a}", "\\b "}},
        {{"sql", "begin ", "x x "}, {"sql", "begin ", "b l "}},
        {{"sql", "begin ", "x x "}, {"sql", "begin ", "begin\n           end;\n"}},
        {{"jinja", "{% if a %}", "a "}, {"jinja", "{% if a %}", "{ "}},
        {{"jinja", "{% if a %}", "a "}, {"jinja", "{% if a %}", "{%x%}"}},
        {{"jinja", "{% if a %}", "a "}, {"jinja", "{% if a %}", "{% if aaaaaaaaaaaaaaa == 'aaa' %}{% endif %}"}},
    };
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        typed other = texts[t][0], begun = texts[t][1];
        if (!takes_at_most(2, (timed_work){type_pieces, 20000, &begun}, (timed_work){type_pieces, 20000, &other}))
            fail_msg("%s <%s> takes longer than <%s>", begun.language, begun.piece, other.piece);
    }
}

/* Behind a long name the closes of all that is open are not tried each time. */
TEST(test_deep_texts_behind_a_long_name) {
    char first[400] = "<";
    memset(first + 1, 'a', 300);
    memcpy(first + 301, ">", 2);
    const double few = typing_takes("html", first, "<b>", 1), many = typing_takes("html", first, "<b>", 20000);
    if (many > 50 * few + 0.1)
        fail_msg("%g s, and %g s behind many", few, many);
}

/* CPU seconds that questions take each time that a text returns to a state in which it was asked, and which `more` was
 * typed to many times before. */
static double returning_takes(const char *language, const char *begin, char more, unsigned before) {
    enum {
        TIMES = 3000
    };
    pm_check *check;
    pm_check_state *saved;
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, begin, strlen(begin)));
    for (unsigned k = 0; k < before; k++) {
        (void)ask(check);
        assert_ok(pm_check_push(check, &more, 1));
    }
    const answer then = ask(check);
    assert_ok(pm_check_save(check, &saved));
    const clock_t from = clock();
    for (unsigned k = 0; k < TIMES; k++) {
        assert_ok(pm_check_push(check, &more, 1));
        (void)ask(check);
        assert_ok(pm_check_restore(check, saved));
        const answer now = ask(check);
        assert_memory_equal(&now, &then, sizeof now);
    }
    const double took = (double)(clock() - from) / CLOCKS_PER_SEC;
    pm_check_state_destroy(saved);
    pm_check_destroy(check);
    return took;
}

/* Nor is it read again when a saved state returns. */
TEST(test_long_cuts_that_return) {
    static const struct {
        const char *language, *begin;
        char more;
    } texts[] = {{"xml", "<a><!-- ", 'b'}, {"html", "<a b ", 'c'}, {"pascal", "begin { ", 'b'}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        const double few = returning_takes(texts[t].language, texts[t].begin, texts[t].more, 1),
                     many = returning_takes(texts[t].language, texts[t].begin, texts[t].more, 1000000);
        if (many > 20 * few + 0.02)
            fail_msg("%s <%s>: %g s, and %g s behind many", texts[t].language, texts[t].begin, few, many);
    }
}

/* Many opens: what is asked after each further byte does not read them. */
TEST(test_deep_texts) {
    enum {
        DEPTH = 100000,
        MORE = 2000
    };
    static const struct {
        const char *language, *open, *more, *suffix; /* suffix: its first bytes */
        size_t length;                               /* bytes of it for each open */
    } texts[] = {{"xml", "<a>", "<b>\n</b>", "</a></a>", 4},
                 {"html", "<b>", "<ul><li>\n</ul>", "</b></b>", 4},
                 {"latex", "\\begin{a}", "{\n}", "\\end{a}\\", 7},
                 {"sql", "begin ", "(\n)", " end end", 4},
                 {"pascal", "begin ", "(\n)", " end end", 4}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        pm_check *check;
        assert_ok(pm_check_create(NULL, pm_language_by_name(texts[t].language), NULL, NULL, NULL, &check));
        for (unsigned k = 0; k < DEPTH; k++)
            assert_ok(pm_check_push(check, texts[t].open, strlen(texts[t].open)));
        for (unsigned k = 0; k < MORE; k++) {
            char suffix[8];
            size_t length;
            uint64_t count;
            assert_ok(pm_check_push(check, texts[t].more, strlen(texts[t].more)));
            assert_ok(pm_check_open(check, NULL, 0, &count, NULL));
            assert_int_equal(count, DEPTH);
            assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
            assert_int_equal(length, texts[t].length * DEPTH);
            assert_memory_equal(suffix, texts[t].suffix, sizeof suffix);
        }
        pm_check_destroy(check);
    }
}
