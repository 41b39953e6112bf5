/* SPDX-License-Identifier: Apache-2.0 */
/* Rules: those of languages, by hand-written texts, and one's own, right and wrong. */
#include <stdio.h>
#include <string.h>

#include "parenmatch.h"
#include "tests/delimiters/rules_fixture.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

static void assert_rules(const char *language, const char *text, const char *expected) {
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name(language)));
    assert_tokens(pairs, text, expected);
    pm_language_destroy(pairs);
}

/* How many faults a check finds in a text. */
static uint64_t faults_in(const char *language, const char *text) {
    pm_check_summary found;
    assert_ok(check_text_in(NULL, pm_language_by_name(language), text, strlen(text), NULL, NULL, &found));
    return found.unmatched.open + found.unmatched.close + found.mismatched + found.unterminated;
}

TEST(test_xml) {
    assert_rules("xml", "<a><b/><c d='>' e = \"/>\"></c></a>", "0(<a> 1(<c d='>' e = \"/>\"> 1)</c> 0)</a>");
    assert_rules("xml", "<A></a>", "0(<A> 1)</a>");
    assert_rules("xml", "<!-- <a> --><![CDATA[<b>]]><?c <d> ?><e>", "0(<e>");
    assert_rules("xml", "<!DOCTYPE a [ <!ENTITY b \"<c>\"> <!-- don't --> ]><a\n>", "0(<a\n>");
    assert_rules("xml", "a < b <> </> <1> <a-b:c.d>", "0(<a-b:c.d>");
    assert_rules("xml", "<a", "");
    assert_rules("xml", "<a b='>", "");
}

TEST(test_html) {
    assert_rules("html", "<DIV><br><p><Img a=b></div>", "0(<DIV> 1(<p> 1) 0)</div>");
    assert_rules("html", "<script>if (a<b) '</div>' </scripts></SCRIPT ><i>", "0(<script> 0)</SCRIPT > 1(<i>");
    assert_rules("html", "<!doctype html><b don't><b/></b>", "0(<b don't> 0)</b>");
    assert_rules("html", "<style><a>", "0(<style>");
    assert_rules("html", "<frameset><frame src=a><FRAME></frameset>", "0(<frameset> 0)</frameset>");
    assert_rules("html", "<form{% if x %} a=\">\"{% endif %}></form><li{{a}}></li>",
                 "0(<form{% if x %} a=\">\"{% endif %}> 0)</form> 1(<li{{a}}> 1)</li>");
}

TEST(test_vue) {
    assert_rules("vue", "<template><A-b :c=\"d > 1\" @e='f(\">\")'>don't {{ g <h ? '}}<i>' : j }}<br></A-b></template>",
                 "0(<template> 1(<A-b :c=\"d > 1\" @e='f(\">\")'> 1)</A-b> 0)</template>");
    assert_rules("vue", "<script setup lang=\"ts\">a<b>(c)</script><style scoped>d>e{}</style><F/><f></F>",
                 "0(<script setup lang=\"ts\"> 0)</script> 1(<style scoped> 1)</style> 2(<f> 3)</F>");
}

TEST(test_svelte) {
    assert_rules("svelte", "{#if a > {b: '}'}.b}<A on:c={() => d > {e}} f=\"{g}\" {...h}>don't {i <j}</A>{:else}{/if}",
                 "0({#if a > {b: '}'}.b} 1(<A on:c={() => d > {e}} f=\"{g}\" {...h}> 1)</A> 0){/if}");
    assert_rules("svelte", "{#each k as l}{@html `<m>}${n}`}{/* don't } */}{/if /'/}<p><ul><li>a<li>b</ul>",
                 "0({#each k as l} 1){/if /'/} 2(<p> 2) 3(<ul> 4(<li> 4) 4(<li> 4) 3)</ul>");
    assert_rules("svelte", "<a>{b <c>", "0(<a>");
    assert_rules("svelte", "<a b={c>", "");
}

TEST(test_nested_wrong) {
    static const char *const rules[] = {
        "nested {{ }", "nested { }}",          "nested { {",        "nested { }\nnested [ ]",
        "nested {",    "pair { }\nnested { ]", "nested \"\\x00\" }"};
    for (size_t r = 0; r < COUNT_OF(rules); r++) {
        pm_language *made = NULL;
        assert_int_equal(pm_language_create_rules(NULL, rules[r], strlen(rules[r]), &made, NULL), PM_CORRUPT);
    }
}

/* Closes that HTML lets one leave out are tokens without bytes. */
TEST(test_html_implied) {
    assert_rules("html", "<ul><li>a<LI>b<ul><li>c</ul></ul>",
                 "0(<ul> 1(<li> 1) 1(<LI> 0(<ul> 1(<li> 1) 0)</ul> 1) 0)</ul>");
    assert_rules("html", "<table><tr><td><td><p><tr><th><tbody></table>",
                 "0(<table> 1(<tr> 2(<td> 2) 2(<td> 3(<p> 3) 2) 1) 1(<tr> 4(<th> 4) 1) 5(<tbody> 5) 0)</table>");
    assert_rules("html", "<dl><dt><dt><dd><p><dt></dl>",
                 "0(<dl> 1(<dt> 1) 1(<dt> 1) 2(<dd> 3(<p> 3) 2) 1(<dt> 1) 0)</dl>");
    assert_rules("html", "<p>a<hr><p>b<hr/></p>", "0(<p> 0) 0(<p> 0) 0)</p>");
    assert_rules("html", "<html><body><p><b></p></b>", "0(<p> 1(<b> 0)</p> 1)</b>"); /* b does not make way */
    assert_rules("html", "<div><li></ul>", "0(<div> 1(<li> 2)</ul>");                /* there is no ul */
    assert_rules("html", "<select><option><optgroup><option></select><option>",
                 "0(<select> 1(<option> 1) 2(<optgroup> 1(<option> 1) 2) 0)</select> 1(<option> 1)");
}

TEST(test_latex) {
    assert_rules("latex", "\\begin{a}{\\{\\\\}% }\n\\end{a}", "5(\\begin{a} 0({ 0)} 5)\\end{a}");
    assert_rules("latex", "\\verb|{|{\\verb*!}!}\\verbatim{", "0({ 0)} 0({");
    assert_rules("latex", "\\verb|{\n{", "0({");
    assert_rules("latex", "\\href{a%20b}{c}\\url{%}{", "0({ 0)} 0({");
    assert_rules("latex", "\\begin{verbatim}{\\end{x}\\end{verbatim}\\begin{#1}",
                 "5(\\begin{verbatim} 5)\\end{verbatim} 0({ 0)}");
    assert_rules("latex", "\\be{\\begin{a}}\\end{a}{\\end{a}}{\\end{a}\\[\\begin{b}\\]}",
                 "0({ 5(\\begin{a} 5) 0)} 5)\\end{a} 0({ 0)} 0({ 1(\\[ 6(\\begin{b} 1)\\] 1) 0)}");
    assert_rules("latex", "\\left(\\right)\\leftarrow\\[\\\\[\\]", "3(\\left 3)\\right 1(\\[ 1)\\]");
    assert_rules("latex", "\\ifa\\begin{a}\\else\\begin{b}\\fi\\ifa\\end{a}\\else\\end{b}\\fi",
                 "5(\\begin{a} 5)\\end{a}");
    assert_rules("latex", "\\begin{a}\\else\\begin{b}\\fill\\end{b}\\fi\\end{a}", "5(\\begin{a} 5)\\end{a}");
    assert_rules("latex", "\\else\\end{b}\\file\\fi1{", "0({");
}

TEST(test_latex_branches) {
    assert_rules("latex", "\\ifa\\begin{a}\\else\\begin{b}\\ifnum1<2 x\\else y\\fi\\end{b}\\fi{", "5(\\begin{a} 0({");
    assert_rules("latex", "\\else\\end{b}$\\iff$\\ifthenelse{a}\\fi{\\else\\end{b}\\ifff\\fi\\fi{", "0({ 0({");
    assert_rules("latex", "\\sfcode`\\)=0 `\\[{", "0({");
    assert_int_equal(faults_in("latex", "\\documentclass{a}\\input{b}\\end{document}"), 0);
    assert_int_equal(faults_in("latex", "\\end{documents}\\end{a}"), 2);
    assert_int_equal(faults_in("latex", "\\begin{document}"), 1);
}

/* \let's names are skipped, and nothing behind them. */
TEST(test_latex_names) {
    assert_rules("latex", "\\let\\a\\endgroup\\let \\b@c = \\[\\let\\[\\]{", "0({");
    assert_rules("latex", "\\let\\a={\\let\\b}\\let\\c%{\n\\]\\let\\d{", "0({ 0)} 1)\\] 0({");
    assert_rules("latex", "\\let\\[\\]\\[\\let\\a\\%{%}\n", "1(\\[ 0({");
    assert_rules("latex", "\\letter{}\\let\\\\\\[\\]", "0({ 0)} 1)\\]");
    static const char *const cut[] = {"\\let",     "\\let\\",     "\\let\\a",
                                      "\\let\\a=", "\\let\\a=\\", "\\let\\a=\\begingroup"};
    for (size_t k = 0; k < COUNT_OF(cut); k++)
        assert_rules("latex", cut[k], "");
}

TEST(test_sql) {
    assert_rules("sql", "BEGIN Select 'it''s end' -- end\n/* end */ \"end\" Case end, end_ End;",
                 "1(BEGIN 1(Case 1)end 1)End");
    assert_rules("sql", "begin  transaction; begin ; if a then end\n if; case end\tcase", "1(case 1)end\tcase");
    assert_rules("sql", "loop case end end loop; endloop beginwork", "2(loop 1(case 1)end 2)end loop");
    assert_rules("sql", "where case when (x) then 1 END = 2", "1(case 0(( 0)) 1)END");
    assert_rules("sql", "( loop.last Loop  join row END, )", "0(( 0))");
    assert_rules("sql", "e'\\'(' E'(' like'\\' (", "0((");
    assert_rules("sql", "\\echo \"(\n(", "0((");
}

static uint64_t sql_faults(const char *text) {
    return faults_in("sql", text);
}

/* An END may end a transaction, or name an option. */
TEST(test_sql_ends) {
    assert_int_equal(sql_faults("begin; (a); End;"), 0);
    assert_int_equal(sql_faults("BEGIN WORK; END; begin \\; end; begin read only; end; begin transaction; end"), 0);
    assert_int_equal(sql_faults("begin; begin case end end; end;"), 0);
    assert_int_equal(sql_faults("f(start = a, END = b, end\n=c)"), 0);
    assert_int_equal(sql_faults("(case when (x) then 1 END = 2)"), 0);
    assert_int_equal(sql_faults("create or replace package a is procedure b; end a;"), 0);
    assert_int_equal(sql_faults("Create Package Body a is procedure b is begin (c); end; begin d; end a;"), 0);
    assert_int_equal(sql_faults("package body a is procedure b is begin null; end; end; end;"), 1);
    assert_int_equal(sql_faults("(partition a start (1) END (2))"), 0);
    assert_int_equal(sql_faults("end;"), 1);
    assert_int_equal(sql_faults("begin; end; end;"), 1);
    assert_int_equal(sql_faults("begin; (end)"), 2);
    assert_int_equal(sql_faults("begin; end case"), 1);
    assert_int_equal(sql_faults("(end + 1)"), 2);
    assert_int_equal(sql_faults("('begin;') end"), 1);
    pm_check_summary found;
    assert_ok(check_text_in(NULL, pm_language_by_name("sql"), "begin; end;", 11, NULL, NULL, &found));
    assert_int_equal(found.brackets, 1);
}

/* A word is found that another pattern begins with, whatever follows it there. */
TEST(test_zeros) {
    pm_language *const language = pairs_of("word a b\npair \"a\\x00\\x00\" x\n");
    assert_tokens(language, "a b", "0(a 0)b");
    pm_language_destroy(language);
}

/* A row of dashes is a comment, whatever ends with its first one: a region, a tag, a token. */
TEST(test_rows) {
    static const struct {
        const char *rules, *head;
    } cases[] = {{"line --\npair ( )\nstring '", "'-'"},
                 {"line --\npair ( )\nskip < -", "<"},
                 {"line --\npair ( )\ndelimited \\v", "\\v-a"},
                 {"line --\npair ( )\nrenames \\let", "\\let\\a\\"},
                 {"line --\npair ( )\nnothing +-", "+"},
                 {"line --\npair ( )\nstatement <% - end if", "<% a "},
                 {"line -- -+\npair ( )", ""},
                 {"line --\npair ( )\nnested { -", "{"}};
    enum {
        ROW = 80,
        LENGTH = 4096
    };
    char text[LENGTH];
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        pm_language *const language = pairs_of(cases[c].rules);
        const size_t head = strlen(cases[c].head);
        for (size_t at = 1000; at < 1100; at++) {
            pm_check_summary found;
            memset(text, ' ', sizeof text);
            memcpy(text + at, cases[c].head, head);
            memset(text + at + head, '-', ROW);
            memcpy(text + at + head + ROW, "(\n)", 3);
            assert_ok(check_text_in(NULL, language, text, sizeof text, NULL, NULL, &found));
            assert_int_equal(found.unmatched.open, 0);
            assert_int_equal(found.unmatched.close, 1);
        }
        pm_language_destroy(language);
    }
}

TEST(test_mysql) {
    assert_rules("mysql", "delimiter $$\nbegin '\\'(' \"\\\"(\" `(\\` # (\n end $$ e'(\\'(", "1(begin 1)end");
}

TEST(test_sql_dollars) {
    assert_rules("sql", "as $$ begin $a$ $ $$ ( $1 $a$ ) $b$ $A$ $a$ )", "0(( 0))");
    assert_rules("sql", "a$b$ ( $_1$ ) $_1 $$ $_1$ $", "0((");
    assert_rules("sql", "( $a$ ) $a", "0((");
    pm_language *const pairs = pairs_of("tagged $\n");
    pm_check_summary summary;
    assert_ok(check_text_in(NULL, pairs, "$a$ $a", 6, NULL, NULL, &summary));
    assert_int_equal(summary.unterminated, 1);
    pm_language_destroy(pairs);
}

TEST(test_pascal) {
    assert_rules("pascal",
                 "unit u; type t = class(b) end; c = class of t; begin { end } (* end *) // end\n"
                 "x := 'end'; repeat until y end; End.",
                 "3(unit 3(= class 0(( 0)) 3)end 3(begin 2(repeat 2)until 3)end 3)End.");
}

TEST(test_pascal_records) {
    assert_rules("pascal", "a = record case Byte of 1: (b: byte); end; case x of 1: y end",
                 "3(record 0(( 0)) 3)end 3(case 3)end");
    assert_rules("pascal", "record case t: x of 1: (case y of 2: (r: record end)); end;",
                 "3(record 0(( 0(( 3(record 3)end 0)) 0)) 3)end");
    assert_rules("pascal", "case record end end", "3(case 3(record 3)end 3)end");
}

/* Of conditional compilation what is behind an {$else is not read, whatever conditions are in it. */
TEST(test_pascal_branches) {
    assert_rules("pascal", "{$ifdef a} begin {$else} begin begin {$ENDIF} end", "3(begin 3)end");
    assert_rules("pascal", "{$IF a}(b{$ELSEIF c}(d{$IF e}({$ELSE}){$IFEND}({$endif f});", "0(( 0))");
    assert_rules("pascal", "{$ifdef a} ( {$else} {$ifdef b}{$endif} ) )", "0((");
    assert_rules("pascal", "{$ifdef a}{$ifdef b}({$else}({$endif}){$else}){$endif}{ {$else }begin", "0(( 0)) 3(begin");
}

TEST(test_pascal_types) {
    assert_rules("pascal", "a=class;b = class( c (d) ) ;e =\nclass of f;g = packed object end;",
                 "0(( 0(( 0)) 0)) 3(= packed object 3)end");
    assert_rules("pascal", "i = interface ['g'] end; j = interface; interface procedure of object; class var x",
                 "3(= interface 1([ 1)] 3)end");
    assert_rules("pascal", "unit u; begin end.", "3(unit 3(begin 3)end. 3)");
    assert_rules("pascal", "unit u; begin begin end.", "3(unit 3(begin 3(begin 3)end.");
    assert_rules("pascal", "= classes class (", "0((");
    assert_rules("pascal", "library u; exports a; end.", "3(library 3)end.");
    assert_rules("pascal", "unit u; procedure p; library; begin end; end.", "3(unit 3(library 3(begin 3)end 3)end. 3)");
    assert_rules("pascal", "asm jmp @end; @@begin: @end: end", "3(asm 3)end");
    assert_rules("pascal", "p = objcprotocol external name 'q'; record &END: x; end", "3(record 3)end");
}

TEST(test_jinja) {
    assert_rules("jinja",
                 "{%- if a == '%}' %}{{ '}}\\'}}' }}{% else %}{%  for b in c -%}{#{%if%}#}{% endfor %}{%endif%}}}",
                 "0({%- if a == '%}' %} 1({%  for b in c -%} 1){% endfor %} 0){%endif%}");
    assert_rules("jinja", "{% set a = 1 %}{%set b%}{% if c %}{% endset %}", "0({%set b%} 1({% if c %} 0){% endset %}");
    assert_rules("jinja", "{% trans 'Go' %}{% trans a='b' %}{% block b \"x\" %}{% block c%}{%trans\n\"x\"%}",
                 "0({% trans a='b' %} 1({% block c%}");
    assert_rules("jinja", "{% raw %}{% if %}{{{% endraw %}{% set a = 1 %}", "0({% raw %} 0){% endraw %}");
}

TEST(test_rules) {
    const pm_language *const xml = pm_language_by_name("xml");
    assert_non_null(xml);
    assert_null(pm_language_alphabet(xml));
    assert_null(pm_language_rules(pm_language_by_name("c")));
    assert_null(pm_language_rules(NULL));
    assert_null(pm_language_by_name("klingon"));
    assert_ptr_equal(pm_language_by_name("tex"), pm_language_by_name("latex"));
    assert_ptr_equal(pm_language_by_path("a.b/c.SVG"), xml);
    assert_ptr_equal(pm_language_by_path("a.xml/c"), pm_language_at(0));
    assert_ptr_equal(pm_language_by_path("/.xml"), pm_language_at(0));
    size_t delimited = 0;
    for (size_t i = 0; i < pm_language_count(); i++) {
        const pm_language *const language = pm_language_at(i);
        assert_ptr_equal(pm_language_by_name(pm_language_name(language)), language);
        assert_non_null(pm_language_description(language));
        assert_non_null(pm_language_endings(language));
        assert_true(!pm_language_alphabet(language) == !!pm_language_rules(language));
        if (pm_language_rules(language)) {
            pm_language_destroy(pairs_of(pm_language_rules(language)));
            delimited++;
        }
    }
    assert_true(delimited >= 6);
    pm_language_destroy(NULL);
}

/* Kinds of pairs that share a pattern are one, whatever the order. */
TEST(test_shared_kinds) {
    pm_language *pairs = pairs_of("pair a x\npair b y\npair c z\npair b x\n");
    assert_tokens(pairs, "abczyx", "1(a 1(b 0(c 0)z 1)y 1)x");
    pm_language_destroy(pairs);
    pairs = pairs_of("pair a x\npair b y\npair c z\npair a z\nelement < </ >\n");
    assert_tokens(pairs, "abczyx<a>", "0(a 1(b 0(c 0)z 1)y 0)x 2(<a>");
    pm_language_destroy(pairs);
}

/* The same name in two families is two. */
TEST(test_two_families) {
    pm_language *const pairs = pairs_of("element < </ >\nelement [ [/ ]\n");
    assert_tokens(pairs, "<a>[a][/b]</a>[/a]", "0(<a> 1([a] 2)[/b] 0)</a> 1)[/a]");
    pm_language_destroy(pairs);
}

TEST(test_words) {
    pm_language *pairs =
        pairs_of("# a comment\r\n\r\nignore-case\r\npair \"\\x2a \\\"\" \"\\n\\t\\\\\"\r\nstring \" \\\r\n");
    assert_tokens(pairs, "* \"\n\t\\\"* \"\\\"\"", "0(* \" 0)\n\t\\");
    pm_language_destroy(pairs);
    pairs = pairs_of("ignore-case\nword begin end\nelement <tag: </tag: e>\n");
    assert_tokens(pairs, "Begin <TAG:oNE></Tag:On E>END", "0(Begin 1(<TAG:oNE> 1)</Tag:On E> 0)END");
    pm_language_destroy(pairs);
}

/* Patterns of several words: the longest first, any blanks between; then their first word alone. */
TEST(test_spaced) {
    pm_language *pairs = pairs_of("word a z\nnothing \"a b\"\nword \"a b c\" z\nword \"a +\" y\npair ab x\n");
    assert_tokens(pairs, "a b  a\nb\r\n c a bc ab a+", "0(a\nb\r\n c 0(a 2(ab 1(a+");
    pm_language_destroy(pairs);
    pairs = pairs_of("ignore-case\nword \"A  Bc\" z\nword \"a \" y\nword \"\\x20b\" y\n");
    assert_tokens(pairs, "a bc A\nBC abc a  b b", "1(a  0(A\nBC 1(a  1( b 1( b"); /* "a " is longer than a word alone */
    pm_language_destroy(pairs);
    pairs = pairs_of("nothing \"x y\"\npair xx ]\npair [ x\n"); /* x is found for the sake of x y, but x closes */
    assert_tokens(pairs, "[x x y xx [ x", "1([ 1)x 0(xx 1([ 1)x");
    pm_language_destroy(pairs);
}

static void assert_wrong(const char *rules, uint64_t line, uint64_t column, const char *what) {
    pm_language *pairs;
    pm_language_error error;
    assert_int_equal(pm_language_create_rules(NULL, rules, strlen(rules), &pairs, &error), PM_CORRUPT);
    assert_null(pairs);
    assert_int_equal(error.at.line, line);
    assert_int_equal(error.at.column, column);
    assert_non_null(strstr(error.what, what));
    assert_int_equal(pm_language_create_rules(NULL, rules, strlen(rules), &pairs, NULL), PM_CORRUPT);
}

TEST(test_wrong_rules) {
    assert_wrong("\n  pears a b", 2, 3, "no such directive");
    assert_wrong("\xef\xbb\xbfpears a b", 1, 4, "no such directive");
    assert_wrong("pair a b\n\xef\xbb\xbfpair c d", 2, 1, "no such directive");
    assert_wrong("\xef\xbbpair a b", 1, 1, "no such directive");
    assert_wrong("pair a", 1, 1, "too few words");
    assert_wrong("pair a b c", 1, 10, "one word too many");
    assert_wrong("pair a a", 1, 8, "the same");
    assert_wrong("ignore-case\npair a A", 2, 8, "the same");
    assert_wrong("pair a b\nskip a b", 2, 6, "a meaning already");
    assert_wrong("branch a b", 1, 1, "too few words");
    assert_wrong("branch a b c b", 1, 14, "the same");
    assert_wrong("pair a b\npair b c", 2, 6, "another meaning");
    assert_wrong("pair a b\nword a c", 2, 6, "another meaning");
    assert_wrong("pair a b\nignore-case", 2, 1, "before all patterns");
    assert_wrong("void br", 1, 1, "behind element");
    assert_wrong("element < </ >\nvoid a\nvoid b", 3, 1, "already");
    assert_wrong("string ' ab", 1, 10, "one byte");
    assert_wrong("escaped a b cd", 1, 13, "one byte");
    assert_wrong("implied a", 1, 1, "behind element");
    assert_wrong("assigned a", 1, 1, "behind element");
    assert_wrong("pair a b\nunclosed b", 2, 10, "makes this pattern an open");
    assert_wrong("pair a b\nloose b", 2, 7, "makes this pattern an open");
    assert_wrong("pair a b\nloose a\nloose a", 3, 1, "already");
    assert_wrong("pair a b\nbodyless ; c", 2, 12, "makes this pattern an open");
    assert_wrong("pair a b\nnothing c\nlone a c", 3, 6, "makes this pattern a close");
    assert_wrong("pair a b\nlone b c", 2, 8, "no 'nothing' statement above");
    assert_wrong("pair a b\nnothing c\nlone b c\nlone b c", 4, 1, "already");
    assert_wrong("stray a\nstray b", 2, 1, "already");
    assert_wrong("pair a b\nspare a c", 2, 7, "makes this pattern a close");
    assert_wrong("pair a b\nspare b c\nspare b c", 3, 1, "already");
    assert_wrong("pair a b\nnothing-in b a", 2, 12, "makes this pattern an open");
    assert_wrong("line \"a", 1, 6, "not closed");
    assert_wrong("line \"a\"b", 1, 9, "blank");
    assert_wrong("line \"\"", 1, 6, "empty");
    assert_wrong("line \"\\q\"", 1, 7, "backslash");
    assert_wrong("line \"\\x4g\"", 1, 7, "hexadecimal");
    assert_wrong("line \"\\", 1, 7, "backslash");
}

/* Delphi's comments end at the first }, Free Pascal's nest: what has fewer faults is reported. */
TEST(test_pascal_comments) {
    static const char *const balanced[] = {"{ { } begin end", "{ { } ) }", "(* (* *) ) *)",
                                           "{$define a := { ( } ( } begin end", "begin { ' { } '} end"};
    for (size_t k = 0; k < COUNT_OF(balanced); k++)
        assert_int_equal(faults_in("pascal", balanced[k]), 0);
    assert_int_equal(faults_in("pascal", "{ { } ( } begin ("), 2);
    assert_int_equal(faults_in("pascal", "{ ( { )"), 1);
    assert_wrong("skip a b\nstring c\nmay-nest c d", 3, 10, "no 'skip BEGIN END' above");
    assert_wrong("sigil & ab", 1, 9, "one byte");
    assert_wrong("line a\nmay-nest a", 2, 10, "no 'skip BEGIN END' above");
}

/* A word may begin behind a byte order mark. */
TEST(test_pascal_marked) {
    assert_rules("pascal", "\xef\xbb\xbfunit a; end.", "3(unit 3)end.");
    assert_rules("pascal",
                 "\xef\xbb\xbf"
                 "begin end",
                 "3(begin 3)end");
    assert_rules("pascal",
                 "\xef\xbb"
                 "begin \xef\xbb\xbf"
                 "begin (",
                 "0((");
}

/* A list of 4,096 bytes in parentheses may stand before what makes a class bodyless; a longer one is not looked at. */
TEST(test_longest_list) {
    static char text[5000];
    pm_language *const pairs = pairs_of(pm_language_rules(pm_language_by_name("pascal")));
    for (size_t list = 4095; list <= 4098; list++) {
        const int length = snprintf(text, sizeof text, "a = class(%*s;", (int)list - 1, ")");
        uint64_t parens[1];
        size_t count;
        assert_ok(scan_tokens(NULL, pairs, text, (size_t)length, 64, parens, NULL, NULL, NULL, &count));
        assert_int_equal(count, list <= 4096 ? 2 : 3);
    }
    pm_language_destroy(pairs);
}

/* ---- Rules in blocks of memory behind which nothing may be touched ---- */

static guarded_memory guarded[64];

static void *allocate_guarded(size_t size, void *user) {
    size_t *const count = user;
    assert_true(*count < COUNT_OF(guarded));
    guarded[*count] = guarded_allocate(size);
    return guarded[(*count)++].end - (size + 7) / 8 * 8;
}

static void keep(void *block, void *user) {
    (void)block;
    (void)user;
}

/* Words that stand for several, and fill what there is room for. */
TEST(test_room_for_words) {
    char rules[4096] = "";
    size_t used = 0, count = 0;
    for (unsigned k = 0; k < 40; k++)
        used += (size_t)snprintf(rules + used, sizeof rules - used, "nothing \"a%u\\x20b\"\n", k);
    const pm_options options = {.allocator = {allocate_guarded, keep, &count}};
    pm_context *const context = context_of(&options);
    pm_language *pairs;
    assert_ok(pm_language_create_rules(context, rules, used, &pairs, NULL));
    pm_language_destroy(pairs);
    pm_context_destroy(context);
    while (count > 0)
        guarded_free(&guarded[--count]);
}

TEST(test_limits) {
    pm_language *pairs;
    static char long_rules[65537];
    memset(long_rules, ' ', sizeof long_rules);
    assert_int_equal(pm_language_create_rules(NULL, long_rules, sizeof long_rules, &pairs, NULL), PM_TOO_LARGE);
    assert_invalid(pm_language_create_rules(NULL, NULL, 1, &pairs, NULL));
    assert_invalid(pm_language_create_rules(NULL, "", 0, NULL, NULL));
    size_t used = (size_t)snprintf(long_rules, sizeof long_rules, "nothing");
    for (unsigned i = 0; i < 1024; i++)
        used += (size_t)snprintf(long_rules + used, sizeof long_rules - used, " %u;", i);
    pm_language_destroy(pairs_of(long_rules));
    snprintf(long_rules + used, sizeof long_rules - used, "\nnothing 1024");
    assert_wrong(long_rules, 2, 9, "more than 1024");
    used -= strlen(" 1023;");
    snprintf(long_rules + used, sizeof long_rules - used,
             "\nnothing \"a b\""); /* and so \"a\", which is one too many */
    assert_wrong(long_rules, 2, 9, "more than 1024");
    used = (size_t)snprintf(long_rules, sizeof long_rules, "element < </ >");
    for (unsigned i = 0; i < 64; i++)
        used += (size_t)snprintf(long_rules + used, sizeof long_rules - used, "\nimplied %u", i);
    pm_language_destroy(pairs_of(long_rules));
    snprintf(long_rules + used, sizeof long_rules - used, "\nimplied 64");
    assert_wrong(long_rules, 66, 9, "more than 64");
}
