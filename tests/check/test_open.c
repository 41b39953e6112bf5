/* SPDX-License-Identifier: Apache-2.0 */
/* What a text leaves open, its suffix and saved states, against texts that are read from scratch: every prefix, every
 * language, every cut. */
#include <stdio.h>
#include <string.h>

#include "core/check/suffix.h"
#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"
#include "tests/text/place.h"

enum {
    SUFFIX_MAX = 4000
};

static pm_check *check_of(const pm_language *language) {
    pm_check *check;
    assert_ok(pm_check_create(NULL, language, NULL, NULL, NULL, &check));
    return check;
}

/* The totals of a text and what is behind it. */
static pm_check_summary totals(const pm_language *language, const char *text, size_t n, const char *more, size_t m) {
    pm_check *const check = check_of(language);
    pm_check_summary found;
    assert_ok(pm_check_push(check, text, n));
    assert_ok(pm_check_push(check, more, m));
    assert_ok(pm_check_finish(check, &found));
    pm_check_destroy(check);
    return found;
}

/* ---- The suffix ---- */

static size_t unsupported; /* suffixes that there are not */

static void say(const pm_language *language, const char *text, size_t n, const char *suffix, size_t m) {
    print_message("%s: <%.*s> + <%.*s>\n", pm_language_name(language), (int)n, text, (int)m, suffix);
}

/* The suffix that a check gives completes the text: nothing is open, and no fault is new. */
static void verify_suffix(const pm_language *language, pm_check *check, const char *text, size_t n, bool strict) {
    char suffix[SUFFIX_MAX], part[8];
    size_t length, again;
    const pm_check_summary before = totals(language, text, n, "", 0);
    const pm_status status = pm_check_suffix(check, suffix, sizeof suffix, &length);
    if (status == PM_UNSUPPORTED) {
        unsupported++;
        if (strict && before.unmatched.close + before.mismatched == 0) {
            say(language, text, n, "none", 4);
            fail();
        }
        return;
    }
    assert_ok(status);
    assert_true(length <= sizeof suffix);
    const pm_check_summary after = totals(language, text, n, suffix, length);
    if (after.unmatched.open != 0 || after.unterminated != 0 || after.unmatched.close != before.unmatched.close ||
        after.mismatched != before.mismatched) {
        say(language, text, n, suffix, length);
        fail();
    }
    assert_ok(pm_check_suffix(check, part, sizeof part, &again));
    assert_int_equal(again, length);
    assert_memory_equal(part, suffix, length < sizeof part ? length : sizeof part);
}

/* ---- What is open ---- */

/* The opens of a text by a plain stack over its tokens; the outermost first. A close that the text leaves out at its
 * end is one. */
static size_t opens_by_definition(const pm_language *language, const char *text, size_t n, uint64_t *opens) {
    uint64_t *const parens = allocate(n + 8, sizeof *parens), *const positions = allocate(n + 8, sizeof *positions);
    size_t count, depth = 0;
    const pm_text_arrays arrays = {
        .struct_size = sizeof arrays, .capacity = n + 8, .parens = parens, .positions = positions};
    assert_ok(pm_text_scan(NULL, language, text, n, &arrays, &count));
    assert_true(count <= n + 8);
    for (size_t k = 0; k < count; k++) {
        if (parens[k / 64] >> k % 64 & 1)
            opens[depth++] = positions[k];
        else
            depth -= depth > 0;
    }
    free(parens);
    free(positions);
    return depth;
}

static void verify_open(const pm_language *language, pm_check *check, const char *text, size_t n) {
    uint64_t *const expected = allocate(n + 8, sizeof *expected), count;
    pm_open_bracket *const opens = allocate(n + 8, sizeof *opens);
    pm_open_end end;
    const size_t depth = opens_by_definition(language, text, n, expected);
    for (size_t capacity = 0; capacity <= depth + 1; capacity += capacity < 2 ? 1 : depth) {
        const uint64_t untouched = opens[capacity].at.offset = UINT64_MAX - capacity;
        assert_ok(pm_check_open(check, opens, capacity, &count, &end));
        assert_int_equal(opens[capacity].at.offset, untouched);
        assert_int_equal(count, depth);
        assert_int_equal(end.offset, n);
        assert_true(end.inside == PM_IN_CODE ? end.begin == 0 : end.begin <= n);
        for (size_t k = 0; k < depth && k < capacity; k++) {
            const pm_place place = place_of(text, expected[depth - 1 - k]);
            assert_int_equal(opens[k].at.offset, place.offset);
            assert_int_equal(opens[k].at.line, place.line);
            assert_int_equal(opens[k].at.column, place.column);
            assert_int_equal(opens[k].byte, text[place.offset]);
            assert_true(opens[k].length >= 1 && place.offset + opens[k].length <= n);
        }
    }
    free(expected);
    free(opens);
}

/* A comment of a line goes on whatever looks like comments in it, also where masks read its words. */
TEST(test_long_comments_of_a_line) {
    static char text[4096] = "a //";
    uint64_t seed = 1;
    for (size_t i = 4; i < sizeof text; i++)
        text[i] = "/*/* "[random_next(&seed) % 5];
    for (size_t step = 64; step <= 1024; step *= 2) {
        pm_check *const check = check_of(pm_language_by_name("c"));
        for (size_t n = 0; n < sizeof text; n += step) {
            pm_open_end end;
            assert_ok(pm_check_push(check, text + n, step));
            assert_ok(pm_check_open(check, NULL, 0, NULL, &end));
            assert_int_equal(end.inside, PM_IN_COMMENT);
            assert_int_equal(end.begin, 2);
        }
        pm_check_destroy(check);
    }
}

/* ---- Every prefix ---- */

static bool has_branches(const char *text, size_t n) {
    for (size_t i = 0; i + 1 < n; i++)
        if ((text[i] == 'i' && text[i + 1] == 'f') || (text[i] == 'e' && text[i + 1] == 'l'))
            return true;
    return false;
}

static void try_prefixes(const pm_language *language, const char *text, size_t n, size_t step, bool strict) {
    pm_check *const check = check_of(language);
    pm_check_summary found;
    const bool branches = has_branches(text, n);
    for (size_t length = 0;; length += step) {
        verify_suffix(language, check, text, length, strict);
        if (!branches)
            verify_open(language, check, text, length);
        if (step > n - length)
            break;
        assert_ok(pm_check_push(check, text + length, step));
    }
    assert_ok(pm_check_finish(check, &found)); /* nothing that was asked changed it */
    const pm_check_summary whole = totals(language, text, n / step * step, "", 0);
    assert_memory_equal(&found, &whole, sizeof whole);
    pm_check_destroy(check);
}

static const struct {
    const char *languages, *text;
} specimens[] = {
    {"text", "a(b[c]{d(e\n)}f"},
    {"json", "{\"a\": [1, \"b\\\"\\\\\", {\"c\\u0041]}\": [[]]}, \"[\\n\"]}"},
    {"c c++",
     "int f(void) { /* a ( ** */ char *s = \"x\\\"(\\\n)\", c = '\\''; // y ( \\\n ( \n return (a[1 / 2]); }\n"},
    {"c++", "auto s = R\"x( ) ( )x\", t = 1'000 + f({'('}); #error it's (\n{ }\n#define A (\\\n 1)\n"},
    {"java", "class A { String s = \"\"\" \" ( \"\" \"\"\" + \"(\" + '\\''; int[] a = { 1 }; /* ( */ }\n"},
    {"javascript typescript", "f(`a${ [1, `b${ {c: 1} }`] }$`, /[/(]\\/ (/, a / b, 'x\\'(', [ // (\n /* * ( */ ]);\n"},
    {"javascript tsx",
     "f(<A b=\"(\" c={d(<e/>)} /* ( */ g='('>it's ( {h[<i>{1}</i>]} <></> ' </A>, [1]); `${<u>{2}</u>}`\n"},
    {"tsx", "f(<A<B<(c) => d>> /* ( **/ e // (\n>( <b>{[1]}</b></A>, <T>(x) => [a < b, c > d])\n"},
    {"go", "func f() { a := `(` + \"(\\\"\" + '('; /* ( */ g([]int{1}) // (\n }\n"},
    {"rust", "fn f<'a>(x: &'a str) { /* a /* ( */ ( */ let s = r##\"(\"# \"##; let c = '('; [r#a, b\"(\"] }\n"},
    {"python", "f('''a ' ('' ''', \"b\\\"(\", [\"\"\"(\"\" \"\"\", {'c': \"\"}]) # (\n(\n)"},
    {"lisp", "(a #| b #| ( |# ( |# \"(\\\"\" |x(| #\\( #;(b) '(c)) ; (\n()"},
    {"clojure", "(defn f [x] {\\( \"(\\\"\"} #\"(\") ; (\n[]"},
    {"emacs-lisp", "(setq a ?( b ?\\C-( c [?\\[ ? ] \"(\" d) ; (\n()"},
    {"csharp", "f($\"a {b(\"(\")} {{ {c}\", @\"\"\"(\" , '(', $@\"x{[1]}\"\"\"); // (\n{ \"\"\" ( \"\"\" }\n"},
    {"kotlin", "f(\"a ${ b(\"(\") } $c\", \"\"\" ${ [1] } ( \"\" \"\"\"\"\", `(`) /* /* ( */ */ { '(' }\n"},
    {"swift", "f(\"a \\( b(\"(\") ) (\", #\" ( \"#, \"\"\" \\([1]) ( \"\"\") { /* /* ( */ */ } // (\n"},
    {"scala", "f(s\"a ${ b(\"(\") }\", \"\"\" ( \"\"\", '(', `(`) { /* /* ( */ */ } // (\n"},
    {"dart", "f(\"a ${ b('(') }\", r'(', '''( ''', r\"\"\"( \"\"\") { /* /* ( */ */ } // (\n"},
    {"d", "f(\"(\", `(`, r\"(\", '(') { /+ /+ ( +/ +/ /* ( */ } // (\n"},
    {"zig", "f(\"(\", '(') {\n \\\\ (\n } // (\n"},
    {"php", "a ( <?php f(\"a {$b['(']} (\", '(', <<<EOT\n ( \nEOT); { /* ( */ # ( ?> ( <?php } // (\n ?> ("},
    {"ruby", "f(\"a #{ b(\"(\") }\", '(', %w(a (b) c), /[(\\/]#{1}/, ?(, `(`, <<EOT, [1])\n ( \nEOT\n{ } # "
             "(\n=begin\n(\n=end\n()"},
    {"perl",
     "f(\"(\", '(', qw(a (b)), $x =~ s{a(}{b(}, m/\\(/, $$, $#{a}, <<EOT, [1]);\n ( \nEOT\n{ } # (\n=pod\n(\n=cut\n()"},
    {"shell", "f() { a=\"$(b \"(\" ${c}) (\" '(' $'\\'('; case x in (a) b;; c|[d]) e;; esac; cat <<EOT <<'E'\n ( "
              "\nEOT\n ( \nE\n} # (\n( )"},
    {"lua", "f(\"(\", '(', [[ ( ]], [==[ ( ]] ]==], {a[1]}) -- (\n--[[ ( ]] --[=[ ( ]=] ()"},
    {"cmake", "f(\"(\" [[ ( ]] [=[ ( ]=] ) # (\n#[[ ( ]] g(${a})\n"},
    {"julia", "f(\"a $(b(\"(\")) (\", r\"(\", \"\"\" ( \"\"\", `(`, '(', a') #= #= ( =# =# [1] # (\n()"},
    {"r", "f(\"(\", '(', `(`, a %in% b, r\"(()\" )\", x[[1]]) # (\n{ }"},
    {"haskell", "f (\"(\", '(', a') {- {- ( -} -} [1] -- (\n{ x = 1 }"},
    {"ocaml", "f (\"(\") '(' (* (* ( *) *) {|(|} [|1|] {x = a'}"},
    {"fsharp", "f (\"(\") '(' (* (* ( *) *) @\"(\"\"\" $\"a {b(1)}\" (*) [1] // (\n\"\"\" ( \"\"\""},
    {"nix", "{ a = \"${ b [ \"(\" ] } (\"; c = '' ${ d } ( ''$ ''' ( ''; } # (\n/* ( */ [ ]"},
    {"elixir", "f(\"a #{ b(\"(\") }\", ~w(a b), ~r/(/, ?(, '(', [1], %{a: 1}) # (\n\"\"\" ( \"\"\""},
    {"erlang", "g([$\\^(]), f(\"(\", '(', $(, [1], {a}) % (\n()"},
    {"css", "a { b: url(\"(\"); c: '(' } /* ( */ // (\n[d] { }"},
    {"toml", "a = [\"(]\", '(]', \"\"\" (] \"\"\", ''' ] ''', {b = 1}] # (\n[c]"},
    {"yaml", "a: [b, \"c]\\\"\", 'd]''', {e: f}] # [\ng: |\n  [ h\ni: {j: [k]}\n"},
    {"jsonc", "{\"a\": [1, /* [ */ \"[\"]} // [\n[]"},
    {"protobuf", "message A { B c = 1 [d = \"(\"]; /* ( */ } // (\n"},
    {"glsl", "void f() { a[1] = (2); /* ( */ } // ( \\\n (\n"},
    {"assembly", "f: mov (%eax), [b] /* ( */ ; (\n # (\n .ascii \"(\"\n ()"},
    {"wgsl", "fn f() { /* /* ( */ */ a[1] = (2); } // (\n"},
    {"verilog", "module f(a); /* ( */ `define X (1)\n b = \"(\"; c[1] = {d}; // (\n endmodule"},
    {"vhdl", "f('(', \"(\", a'b) -- (\n /* ( */ ()"},
    {"ada", "f ('(', \"(\", a'(b)); -- (\n()"},
    {"forth", ": a ( b -- ) \\ (\n .\" x ( y\" [ (\n ) ;"},
    {"coq", "f (a', [1]) (* ( (* ( *) *) \"\\\" {| x := \"(\"\"(\" |}"},
    {"m4", "f(`a', [1]) dnl (\nC (\n ldr [r0] # (\n/* ( */ ()"},
    {"fortran", "call f('(', \"(& \n ! ' (\n&(\", a(1)) ! (\n#if !(b\n()\n#endif\n()"},
    {"xml", "<?xml v=\"1\"?><a b='>'><!-- <c> --><d e=\">\"/><f>x<![CDATA[<g>]]></f>\n<h\n></h></a>"},
    {"html", "<html><p>a<ul><li>b<li c=\"<d>\">e<br></ul><script>if (a < b) \"<x>\"</script><!-- <y> --></html>"},
    {"vue",
     "<template><a :b=\"c('<d>')\">{{ '</a>' }}<br><!-- <e> --></a></template><script>if (a < b) '<x>'</script>"},
    {"svelte",
     "<a b={c({d: 1})} e='<f>'>{g({h: 1})}<br><!-- <i> --></a> {#if j}<k/>{/if}<style>a { b: '<c>' }</style>"},
    {"latex", "\\begin{a} {b $c$ \\[ d \\] % {\n \\verb|{| \\begin{verbatim} { \\end{verbatim}} \\end{a}"},
    {"sql", "select (a, '(''', \"(\") -- (\n from (b /* ( */); $x$ ( $x$ begin case c when 1 then 2 end; end"},
    {"mysql", "select (a, '(\\'', \"(\\\"\", `(`) # (\n -- (\n/* ( */ begin case c when 1 then 2 end; end"},
    {"pascal",
     "procedure f; begin { begin } if a then begin b('begin'); (* begin *) repeat c until d end // begin\n end;"},
    {"jinja", "{% if a %}{{ b | c(\"}}\") }}{% for d in e %}{# {% if %} #}{% endfor %}{% endif %}"},
};

static const pm_language *next_language(const char **names) {
    char name[32];
    const size_t length = strcspn(*names, " ");
    if (length == 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, *names);
    *names += length + ((*names)[length] == ' ');
    const pm_language *const language = pm_language_by_name(name);
    if (!language)
        print_message("no language %s\n", name);
    assert_non_null(language);
    return language;
}

TEST(test_specimens) {
    for (size_t k = 0; k < COUNT_OF(specimens); k++) {
        const char *names = specimens[k].languages;
        for (const pm_language *language; (language = next_language(&names)) != NULL;) {
            const char *const text = specimens[k].text;
            try_prefixes(language, text, strlen(text), 1, true);
            try_prefixes(language, text, strlen(text), 7, true);
        }
    }
}

/* Every language has a specimen. */
TEST(test_all_languages) {
    for (size_t index = 0; index < pm_language_count(); index++) {
        const pm_language *const wanted = pm_language_at(index);
        bool found = false;
        for (size_t k = 0; k < COUNT_OF(specimens) && !found; k++) {
            const char *names = specimens[k].languages;
            for (const pm_language *language; (language = next_language(&names)) != NULL;)
                found |= language == wanted;
        }
        if (!found)
            print_message("no specimen of %s\n", pm_language_name(wanted));
        assert_true(found);
    }
}

/* ---- Texts at random ---- */

static size_t random_text(uint64_t *seed, char *text, size_t n) {
    static const char *const parts[] = {
        "(",     ")", "[",  "]",  "{",   "}",      "\"",   "'",  "`",  "/",  "*",   "\\",   "\n",        "#", "-",
        "$",     "%", "<",  ">",  "a",   "r",      "=",    "|",  "?",  ";",  " ",   "+",    "~",         "@", "EOT",
        "<<EOT", "q", "{-", "(*", "if ", "begin ", "end ", "/*", "*/", "${", "<a>", "</a>", "case x in "};
    size_t length = 0;
    while (length + 12 < n) {
        const char *const part = parts[random_below(seed, COUNT_OF(parts))];
        memcpy(text + length, part, strlen(part));
        length += strlen(part);
    }
    return length;
}

/* Most texts at random have faults of their own; what completes them brings no other. */
TEST(test_random_texts) {
    for (size_t index = 0; index < pm_language_count(); index++) {
        const pm_language *const language = pm_language_at(index);
        const bool slow = !pm_language_alphabet(language);
        uint64_t seed = index;
        for (int round = 0; round < (slow ? 1 : 30); round++) {
            char text[200];
            const size_t n = random_text(&seed, text, slow ? 40 : 30 + 5 * (size_t)round);
            try_prefixes(language, text, n, 1, false);
        }
    }
}

/* What is derived from the stacks is what reading it finds; where that gives up, or more bytes, it completes the text.
 */
static void compare_with_reading(const pm_language *language, pm_check *check, const char *text, size_t n) {
    char derived[SUFFIX_MAX], read[SUFFIX_MAX];
    pmi_suffix made = {derived, sizeof derived, 0}, right = {read, sizeof read, 0};
    if (!pmi_check_suffix_derive(check, true, &made))
        return;
    const pm_status status = pmi_check_suffix_read(check, false, &right);
    assert_true(made.length <= sizeof derived);
    if (status == PM_OK && made.length >= right.length) {
        if (made.length != right.length || memcmp(derived, read, made.length) != 0) {
            say(language, text, n, derived, made.length);
            fail();
        }
        return;
    }
    assert_true(status == PM_OK || status == PM_UNSUPPORTED);
    verify_suffix(language, check, text, n, true);
}

/* A few tokens that are repeated, as nested as they may be, and typed on. */
TEST(test_suffixes_of_repeated_tokens) {
    static const char *const tokens[] = {
        "{",          "(",   "[",      "}",   ")",        "]",   "\"",         "'",      "`",       "\\",
        "/*",         "*/",  "//",     "\n",  " ",        "x",   "$",          "#",      "${",      "#{",
        "$(",         "$\"", "@\"",    "\\(", "\"\"\"",   "''",  "<div>",      "<a b=",  "</",      "=>",
        "<T",         "%w(", "~s(",    "s{",  "q(",       "m{",  "case x in ", "esac\n", "<<E\n",   "\nE\n",
        "(*",         "{-",  "#|",     "/+",  "--[[",     "[=[", "r#\"",       "R\"x(",  "#if 0\n", "\n#if A\n",
        "\n#endif\n", "{$",  "<?php ", "?>",  "=begin\n", "- ",  ": ",         "/"};
    enum {
        ROUNDS = 14,
        N = 160,
        TYPED = 24
    };
    for (size_t index = 0; index < pm_language_count(); index++) {
        const pm_language *const language = pm_language_at(index);
        uint64_t seed = index;
        for (unsigned round = 0; round < ROUNDS && pm_language_alphabet(language); round++) {
            char text[N], piece[64] = "";
            for (size_t k = 1 + random_below(&seed, 4); k > 0; k--)
                strcat(piece, tokens[random_below(&seed, COUNT_OF(tokens))]);
            for (size_t i = 0, length = strlen(piece); i < N; i++)
                text[i] = piece[i % length];
            pm_check *const check = check_of(language);
            assert_ok(pm_check_push(check, text, N - TYPED));
            for (size_t n = N - TYPED; n < N; n++) {
                compare_with_reading(language, check, text, n);
                assert_ok(pm_check_push(check, text + n, 1));
            }
            pm_check_destroy(check);
        }
    }
}

/* Opens, and strings, nested deep, and long enough for several words and chunks. */
TEST(test_deep_texts) {
    enum {
        N = 70000
    };
    char *const text = allocate(N, 1), *const suffix = allocate(N, 1);
    uint64_t seed = 5;
    for (size_t i = 0; i < N; i++)
        text[i] = "[{[{\"\"x\n"[random_below(&seed, 8)];
    const pm_language *const json = pm_language_by_name("json");
    for (size_t step = 9000; step <= 13000; step += 1999) {
        pm_check *const check = check_of(json);
        for (size_t n = 0; n + step <= N; n += step) {
            size_t length;
            assert_ok(pm_check_suffix(check, suffix, N, &length));
            const pm_check_summary after = totals(json, text, n, suffix, length);
            assert_true(length <= N);
            assert_int_equal(after.unmatched.open + after.unmatched.close + after.mismatched + after.unterminated, 0);
            assert_ok(pm_check_push(check, text + n, step));
        }
        pm_check_destroy(check);
    }
    free(suffix);
    free(text);
}

/* ---- Saved states ---- */

/* Saves at the end of every piece, goes to the states at random, and goes on from there. */
static void try_states(const pm_language *language, const char *text, size_t n, size_t step, uint64_t seed) {
    enum {
        STATES_MAX = 300
    };
    pm_check_state *states[STATES_MAX];
    size_t at[STATES_MAX], count = 0;
    pm_check *const check = check_of(language);
    const pm_check_summary whole = totals(language, text, n, "", 0);
    for (size_t i = 0; i <= n && count < STATES_MAX; i += step) {
        assert_ok(pm_check_save(check, &states[count]));
        at[count++] = i;
        const size_t left = n - i;
        assert_ok(pm_check_push(check, text + i, left < step ? left : step));
    }
    const size_t visits = 2 * count < 60 ? 2 * count : 60;
    for (size_t visit = 0; visit < visits; visit++) {
        pm_check_summary found;
        const size_t k = random_below(&seed, count);
        assert_ok(pm_check_restore(check, states[k]));
        assert_ok(pm_check_push(check, "([{)", random_below(&seed, 5))); /* elsewhere first */
        if (random_below(&seed, 4) == 0)
            assert_ok(pm_check_finish(check, NULL));
        assert_ok(pm_check_restore(check, states[k]));
        assert_ok(pm_check_push(check, text + at[k], n - at[k]));
        if (random_below(&seed, 2)) {
            pm_check_state *state;
            assert_ok(pm_check_save(check, &state));
            assert_ok(pm_check_restore(check, states[random_below(&seed, count)]));
            assert_ok(pm_check_restore(check, state));
            pm_check_state_destroy(state);
        }
        assert_ok(pm_check_finish(check, &found));
        assert_memory_equal(&found, &whole, sizeof whole);
    }
    for (size_t k = 0; k < count; k += 2)
        pm_check_state_destroy(states[k]);
    pm_check_destroy(check);
    for (size_t k = 1; k < count; k += 2)
        pm_check_state_destroy(states[k]);
}

TEST(test_states) {
    for (size_t k = 0; k < COUNT_OF(specimens); k++) {
        const char *names = specimens[k].languages;
        for (const pm_language *language; (language = next_language(&names)) != NULL;)
            for (size_t step = 1; step <= 65; step += step < 3 ? 1 : 31)
                try_states(language, specimens[k].text, strlen(specimens[k].text), step, k + step);
    }
    for (uint64_t seed = 0; seed < 20; seed++) {
        static const char branches[] = "#if A\n(\n#elif B\n[{\n#else\n{\n#if 0\n((\n#endif\n(\n#endif\n}])\n";
        try_states(pm_language_by_name("c"), branches, sizeof branches - 1, 1, seed);
    }
}

/* Deep texts: stacks of several chunks, which states share. The second half closes what the first one opened. */
TEST(test_deep_states) {
    enum {
        N = 120000
    };
    char *const text = allocate(N, 1);
    uint64_t seed = 3;
    for (size_t i = 0; i < N / 2; i++)
        text[i] = "[{[{[{x\n"[random_below(&seed, 8)];
    for (size_t i = N / 2, k = N / 2; i < N; i++) {
        while (k > 0 && text[k - 1] != '[' && text[k - 1] != '{')
            k--;
        text[i] = k == 0 ? 'x' : text[--k] == '[' ? ']' : '}';
    }
    static const size_t steps[] = {500, 4096, 4507,
                                   8514}; /* 4096: whole words, so that chunks begin where states are */
    for (size_t k = 0; k < COUNT_OF(steps); k++)
        try_states(pm_language_by_name("json"), text, N, steps[k], steps[k]);
    free(text);
}

/* ---- Refusals and failures ---- */

TEST(test_arguments) {
    pm_check *const check = check_of(pm_language_by_name("json")), *const other = check_of(pm_language_by_name("json"));
    pm_check_state *saved;
    size_t length;
    assert_invalid(pm_check_open(NULL, NULL, 0, NULL, NULL));
    assert_invalid(pm_check_open(check, NULL, 1, NULL, NULL));
    assert_ok(pm_check_open(check, NULL, 0, NULL, NULL));
    assert_invalid(pm_check_suffix(NULL, NULL, 0, &length));
    assert_invalid(pm_check_suffix(check, NULL, 0, NULL));
    assert_invalid(pm_check_suffix(check, NULL, 1, &length));
    assert_ok(pm_check_suffix(check, NULL, 0, &length)); /* the length alone */
    assert_invalid(pm_check_save(check, NULL));
    assert_invalid(pm_check_save(NULL, &saved));
    assert_null(saved);
    assert_ok(pm_check_save(check, &saved));
    assert_invalid(pm_check_restore(other, saved));
    assert_invalid(pm_check_restore(NULL, saved));
    assert_invalid(pm_check_restore(check, NULL));
    pm_check_state_destroy(saved);
    pm_check_state_destroy(NULL);
    pm_check_destroy(check);
    pm_check_destroy(other);
}

static void expect_suffix(const char *language, const char *text, const char *expected) {
    pm_check *const check = check_of(pm_language_by_name(language));
    char suffix[100];
    size_t length;
    assert_ok(pm_check_push(check, text, strlen(text)));
    assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(suffix, expected, length);
    pm_check_destroy(check);
}

TEST(test_suffixes) {
    expect_suffix("json", "{\"a\": [1, \"b\\", "\\\"]}");
    expect_suffix("json", "[]", "");
    expect_suffix("c", "f(a[1 /* b *", "/])");
    expect_suffix("c", "f(a // b", "\n)");
    expect_suffix("c", "f(\"a\\", "\\\")");
    expect_suffix("c", "f(); // b", "");
    expect_suffix("c", "f(); // b \\", "");
    expect_suffix("c", "f( // b \\", " \n)");
    expect_suffix("c", "{\n#if 0\n(", "\n#endif\n}");
    expect_suffix("perl", "f(<<A);\n b", "\nA\n");
    expect_suffix("perl", "{ f(<<A);\nA", "\n}");
    expect_suffix("shell", "(cat <<A\nb\n", "A\n)");
    expect_suffix("shell", "{ cat <<A <<B\nb", "\nA\nB\n}");
    expect_suffix("php", "<?php { ?>a", "<?php }");
    expect_suffix("php", "<?php { ?>a<", "?php }");
    expect_suffix("c", "#if 0\n(", "\n#endif\n");
    expect_suffix("c", "#if A\n(\n#endif\n{ // b", "\n})");
    expect_suffix("c", "#if A\n(\n#else\n[\n#endif\n]\n{", "}");
    expect_suffix("c", "#if A\n(\n#else\n", "\n#endif\n)");
    expect_suffix("c", "#if A\n{\n#endif\n#if A\n}\n#endif\nf(\"a", "\")");
    expect_suffix("c", "{\n#if A\n{\n#endif\n#if A\n}\n#endif\n(", ")}");
    expect_suffix("c", "#if A\n{\n#else\n(\n#endif\n#if A\n}\n#else\n)\n#endif\n[", "]");
    expect_suffix("c", "{\n#if A\n(\n#elif B\n( \"", "\"\n#endif\n)}");
    expect_suffix("c", "{\n#if A\n(\n#if B\n#elif C\n", ")}");
    expect_suffix("c", "(\n#if A\n{\n#else\n{[\n", "]\n#endif\n})");
    expect_suffix("c", "#if A\n(\n#else\n#if 0\n[", "\n#endif\n\n#endif\n)");
    expect_suffix("csharp", "#if A\n(\n#elif", "\n\n#endif\n)");
    expect_suffix("javascript", "f(`a ${[1, \"b", "\"]}`)");
    expect_suffix("csharp", "f($\"a {b(c", ")}\")");
    expect_suffix("python", "f('''a", "''')");
    expect_suffix("shell", "f() {\ncat <<EOT\na", "\nEOT\n}");
    expect_suffix("shell", "(case x in a", "))");
    expect_suffix("xml", "<a><b c=\"d", "\"></b></a>");
    expect_suffix("xml", "<abc><de></d", "e></abc>");
    expect_suffix("pascal", "begin if a then begin", " end end");
    expect_suffix("pascal", "begin {$else} {$if", "{$endif{$endif end");
}

/* A directive in the code of a C# string, which masks read: the suffix is not that of the counts. The first 64 bytes
 * are a chunk of their own. */
TEST(test_suffix_of_a_directive_in_code) {
    static const char text[] =
        "[$@\"a{a{{}@a@a////a#if X\n#region "
        "\"\n//////{a//a{@a{b'{{//)@a{{{@a/@a//b'{a//{b')\"\"\"//'\n#endif\n//@aab'()([@a$@b'{//{//b'//{@a//)//";
    pm_check *const check = check_of(pm_language_by_name("csharp"));
    char suffix[16];
    size_t length;
    assert_ok(pm_check_push(check, text, 64));
    assert_ok(pm_check_push(check, text + 64, sizeof text - 1 - 64));
    assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
    assert_int_equal(length, 5);
    assert_memory_equal(suffix, "\n}}\"]", length);
    pm_check_destroy(check);
}

static void expect_no_suffix(const pm_language *language, const pm_alphabet *alphabet, const char *text) {
    pm_check *check;
    char suffix[100];
    size_t length = 7;
    assert_ok(pm_check_create(NULL, language, alphabet, NULL, NULL, &check));
    assert_ok(pm_check_push(check, text, strlen(text)));
    assert_int_equal(pm_check_suffix(check, suffix, sizeof suffix, &length), PM_UNSUPPORTED);
    assert_int_equal(length, 0);
    pm_check_destroy(check);
}

/* Where strings nest no code and no branches are open, a suffix is made without memory. */
/* What ends literals in one another, made without reading it: whatever room there is for it. */
TEST(test_suffixes_of_nested_literals) {
    static const char *const levels[] = {"`${", "`a${f(", "`${{[", "`$ {${({a:", "`${x}${`b${c}`+`${\"`\"+["};
    static const char *const closes[] = {"}`", ")}`", "]}}`", "})}`", "]}`}`"};
    static const char *const ends[][2] = {{"", ""},      {"`$", "`"}, {"`\\", "\\`"},
                                          {"\"a", "\""}, {"[", "]"},  {"// x", "\n"}};
    enum {
        LEVELS = 300, /* more than a chunk of the stack holds */
        MOST = 8000
    };
    uint64_t seed = 17;
    char *const text = allocate(MOST, 1), *const right = allocate(MOST, 1), *const suffix = allocate(MOST, 1);
    for (unsigned round = 0; round < 60; round++) {
        const unsigned depth = 1 + (unsigned)random_below(&seed, LEVELS), end = round % 6;
        const char *of[LEVELS];
        size_t n = 0, length = strlen(ends[end][1]), given;
        memcpy(right, ends[end][1], length);
        for (unsigned k = 0; k < depth; k++) {
            const size_t level = random_below(&seed, 5);
            memcpy(text + n, levels[level], strlen(levels[level]));
            n += strlen(levels[level]);
            of[k] = closes[level];
        }
        memcpy(text + n, ends[end][0], strlen(ends[end][0]));
        n += strlen(ends[end][0]);
        for (unsigned k = depth; k-- > 0; length += strlen(of[k]))
            memcpy(right + length, of[k], strlen(of[k]));
        pm_check *const check = check_of(pm_language_by_name("javascript"));
        assert_ok(pm_check_push(check, text, n));
        for (size_t room = 0; room <= length + 1; room += 1 + length / 50) {
            memset(suffix, '-', length + 1);
            assert_ok(pm_check_suffix(check, suffix, room, &given));
            assert_int_equal(given, length);
            assert_memory_equal(suffix, right, room < length ? room : length);
            assert_int_equal(suffix[room < length ? room : length], '-');
        }
        pm_check_destroy(check);
    }
    free(text);
    free(right);
    free(suffix);
}

TEST(test_suffixes_without_memory) {
    static const char *const cases[][2] = {{"json", "{\"a\": [1, \"b\\"},
                                           {"json", "[{"},
                                           {"c", "f(a[1 /* b *"},
                                           {"c", "f(a // b"},
                                           {"python", "f(\"\"\"a"},
                                           {"java", "{ \"a"},
                                           {"emacs-lisp", "(a \"b"},
                                           {"css", "[{a: b"},
                                           {"c", "#if A\n{\n#endif\n#if A\n}\n#endif\nf(\"a"},
                                           {"c", "{\n#if A\n{\n#endif\n#if A\n}\n#endif\n("},
                                           {"c", "#if A\n(((((((((((((((((((((((((((\n#endif\n[ //"}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        pm_check *check;
        char suffix[100];
        size_t length;
        assert_ok(pm_check_create(context, pm_language_by_name(cases[k][0]), NULL, NULL, NULL, &check));
        assert_ok(pm_check_push(check, cases[k][1], strlen(cases[k][1])));
        memory.fail_at = memory.calls + 1;
        assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
        assert_int_equal(memory.calls + 1, memory.fail_at);
        pm_check_destroy(check);
        context_close(context, &memory);
    }
}

/* What would lead out is not known: a heredoc's word that is too long to be kept; of two branches that leave different
 * brackets open, one that stays open. */
TEST(test_no_suffixes) {
    expect_no_suffix(pm_language_by_name("shell"), NULL, "(\ncat <<a123456789b123456789c123456789d\nx");
    expect_no_suffix(pm_language_by_name("c"), NULL, "#if A\n(\n#else\n[\n#endif\n");
    expect_no_suffix(pm_language_by_name("c"), NULL, "#if A\n#else\n(\n#endif");
    expect_no_suffix(pm_language_by_name("php"), NULL, "<?php \"<<<E\n{$<<<'");  /* nothing ends the string's code */
    expect_no_suffix(pm_language_by_name("javascript"), NULL, "`${ <a> } </a>"); /* a brace that is text, and a close */
}

/* Alphabets with a close that begins a comment in code, and with an open that has no close. */
/* What a branch has given up, and another branch may close. */
TEST(test_no_suffixes_without_strayed_opens) {
    static const char *const ends[] = {"#if B\n)\n", "#if B\n)\n#if C\n[\n", "#if B\n#if C\n)\n#else\n)\n#endif\n",
                                       "#if B\n#else\n)\n", "#if B\n#if C\n[)\n#endif\n)"};
    char text[100];
    for (size_t k = 0; k < COUNT_OF(ends); k++) {
        strcpy(text, "#if A\n(\n#else\n{\n#endif\n");
        expect_no_suffix(pm_language_by_name("c"), NULL, strcat(text, ends[k]));
    }
}

TEST(test_suffixes_of_alphabets) {
    const pm_language *const c = pm_language_by_name("c");
    pm_alphabet alphabet;
    for (size_t first = 0; first < 2; first++) {
        assert_ok(pm_alphabet_from_pairs(first ? "(/[]" : "[](/", 4, &alphabet));
        expect_no_suffix(c, &alphabet, "[(");
        assert_ok(pm_alphabet_from_pairs("()[]", 4, &alphabet));
        alphabet.role[first ? ')' : ']'] = PM_ROLE_NEUTRAL;
        expect_no_suffix(c, &alphabet, "([");
    }
}

/* Comments nested to a depth, and raw strings with long delimiters: each asks for many bytes, one or two at a time. */
static void try_deep_regions(int depth) {
    static const struct {
        const char *language, *before, *open, *after;
    } cases[] = {{"rust", "f(", "/*", ""},      {"swift", "f(", "/*", ""},      {"d", "f(", "/+", ""},
                 {"haskell", "f (", "{-", ""},  {"ocaml", "f (", "(*", ""},     {"lisp", "(f ", "#|", ""},
                 {"julia", "f(", "#=", ""},     {"rust", "f(r", "#", "\"[a"},   {"swift", "f(", "#", "\"[a"},
                 {"lua", "f([", "=", "[ ( ]="}, {"cmake", "f([", "=", "[ ( ]="}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        char text[332];
        strcpy(text, cases[k].before);
        for (int d = 0; d < depth; d++)
            strcat(text, cases[k].open);
        strcat(text, cases[k].after);
        const pm_language *const language = pm_language_by_name(cases[k].language);
        pm_check *const check = check_of(language);
        assert_ok(pm_check_push(check, text, strlen(text)));
        verify_suffix(language, check, text, strlen(text), true);
        pm_check_destroy(check);
    }
}

/* As deep as a suffix may take steps for other reasons, and deeper. */
TEST(test_suffixes_of_deep_regions) {
    try_deep_regions(60);
    try_deep_regions(150);
}

/* Branches that leave different brackets open, nested deeper than a suffix takes steps for other reasons. */
TEST(test_suffixes_of_uneven_branches) {
    static const char *const pieces[] = {"#if A\n(\n#else\n", "#if A\n(\n#elif B\n", "#if A\n{(\n#else\n"};
    const pm_language *const c = pm_language_by_name("c");
    for (size_t k = 0; k < COUNT_OF(pieces); k++) {
        char text[4000] = "";
        for (unsigned depth = 0; depth < 150; depth++)
            strcat(text, pieces[k]);
        pm_check *const check = check_of(c);
        assert_ok(pm_check_push(check, text, strlen(text)));
        verify_suffix(c, check, text, strlen(text), true);
        pm_check_destroy(check);
    }
}

/* Faults that a text has stay; more opens than a suffix takes steps for other reasons. */
TEST(test_suffixes_after_faults) {
    char deep[80] = "`${", closes[80] = "";
    for (int k = 0; k < 70; k++) {
        strcat(deep, "(");
        strcat(closes, ")");
    }
    strcat(closes, "}`");
    expect_suffix("javascript", deep, closes);
    expect_suffix("javascript", "f)(`a${[", "]}`)");
    expect_suffix("jinja", "{%- if a %}b", "{% endif %}");
}

/* Nothing is stored behind the room for a suffix. */
TEST(test_short_suffixes) {
    static const char *const texts[][3] = {
        {"c", "f([{", "}])"}, {"javascript", "`${f([", "])}`"}, {"xml", "<a>", "</a>"}};
    for (size_t k = 0; k < COUNT_OF(texts); k++) {
        const size_t n = strlen(texts[k][2]);
        for (size_t capacity = 0; capacity <= n; capacity++) {
            pm_check *const check = check_of(pm_language_by_name(texts[k][0]));
            char suffix[16];
            size_t length;
            memset(suffix, '#', sizeof suffix);
            assert_ok(pm_check_push(check, texts[k][1], strlen(texts[k][1])));
            assert_ok(pm_check_suffix(check, suffix, capacity, &length));
            assert_int_equal(length, n);
            assert_memory_equal(suffix, texts[k][2], capacity);
            assert_int_equal(suffix[capacity], '#');
            pm_check_destroy(check);
        }
    }
}

/* The opens of a language with delimiters, innermost first, and no more of them than there is room for. */
TEST(test_open_tags) {
    static const char text[] = "<a>\n<bc>d\n\n  <e f=''>";
    static const struct {
        size_t offset, line, column, length;
    } expected[] = {{13, 4, 3, 8}, {4, 2, 1, 4}, {0, 1, 1, 3}};
    pm_check *const check = check_of(pm_language_by_name("xml"));
    assert_ok(pm_check_push(check, text, sizeof text - 1));
    for (size_t capacity = 0; capacity <= 4; capacity++) {
        pm_open_bracket opens[5];
        uint64_t count;
        memset(opens, 0, sizeof opens);
        assert_ok(pm_check_open(check, opens, capacity, &count, NULL));
        assert_int_equal(count, 3);
        for (size_t k = 0; k < 5; k++) {
            const bool stored = k < capacity && k < 3;
            assert_int_equal(opens[k].at.offset, stored ? expected[k].offset : 0);
            assert_int_equal(opens[k].at.line, stored ? expected[k].line : 0);
            assert_int_equal(opens[k].at.column, stored ? expected[k].column : 0);
            assert_int_equal(opens[k].length, stored ? expected[k].length : 0);
        }
    }
    pm_check_destroy(check);
}

/* In records their places are those in the whole text. */
TEST(test_open_tags_of_a_record) {
    pm_check *const check = check_of(pm_language_by_name("xml"));
    pm_open_bracket opens[3];
    pm_open_end end;
    uint64_t count;
    memset(opens, 0, sizeof opens);
    assert_ok(pm_check_set_records(check, PM_RECORDS_NEWLINE));
    assert_ok(pm_check_push(check, "<a>\n <bc><d><e", 15));
    assert_ok(pm_check_open(check, opens, 3, &count, &end));
    assert_int_equal(count, 2);
    assert_int_equal(opens[0].at.offset, 9);
    assert_int_equal(opens[0].at.line, 2);
    assert_int_equal(opens[0].at.column, 6);
    assert_int_equal(opens[1].at.offset, 5);
    assert_int_equal(opens[1].at.line, 2);
    assert_int_equal(opens[1].at.column, 2);
    assert_int_equal(opens[2].at.offset + opens[2].at.line + opens[2].at.column, 0);
    assert_int_equal(end.offset, 15);
    assert_int_equal(end.begin, 12);
    pm_check_destroy(check);
}

/* Opens of branches: those of the first reading, and no more than there is room for. */
TEST(test_opens_of_branches) {
    static const char text[] = "(\n#if A\n[\n#else\n{\n{\n#endif\n{\n";
    static const uint64_t expected[] = {27, 8, 0};
    pm_check *const check = check_of(pm_language_by_name("c"));
    assert_ok(pm_check_push(check, text, sizeof text - 1));
    for (size_t capacity = 0; capacity <= 4; capacity++) {
        pm_open_bracket opens[5];
        uint64_t count;
        memset(opens, 0x5a, sizeof opens);
        const pm_open_bracket untouched = opens[4];
        assert_ok(pm_check_open(check, opens, capacity, &count, NULL));
        assert_int_equal(count, 3);
        for (size_t k = 0; k < 5; k++)
            if (k < capacity && k < 3)
                assert_int_equal(opens[k].at.offset, expected[k]);
            else
                assert_memory_equal(&opens[k], &untouched, sizeof untouched);
    }
    pm_check_destroy(check);
}

/* Behind branches of which the first opens more, all opens of the first reading are counted, however the text was cut
 * and whatever has come since. */
TEST(test_count_of_opens_behind_branches) {
    static const char text[] = "(\n#if A\n[[[\n#endif\n{\n#if B\n()\n#endif\n{           \n              \n(";
    const size_t steps[] = {1, 7, sizeof text - 1};
    _Static_assert(sizeof text - 1 > 64, "a word that is read at once");
    for (size_t s = 0; s < COUNT_OF(steps); s++) {
        pm_check *const check = check_of(pm_language_by_name("c"));
        for (size_t i = 0; i < sizeof text - 1; i += steps[s])
            assert_ok(pm_check_push(check, text + i, sizeof text - 1 - i < steps[s] ? sizeof text - 1 - i : steps[s]));
        pm_open_bracket opens[9];
        uint64_t count;
        assert_ok(pm_check_open(check, opens, 9, &count, NULL));
        assert_int_equal(count, 7);
        assert_int_equal(opens[6].at.offset, 0);
        pm_check_destroy(check);
    }
}

/* In a skipped branch what was open before it is, even after a group that has nothing but skipped branches. */
TEST(test_opens_in_a_skipped_branch) {
    static const char text[] = "(\n#if 0\n[\n#if A\n{\n#else\n#endif\n";
    pm_check *const check = check_of(pm_language_by_name("c"));
    pm_open_bracket opens[2];
    uint64_t count;
    assert_ok(pm_check_push(check, text, sizeof text - 1));
    assert_ok(pm_check_open(check, opens, 2, &count, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(opens[0].at.offset, 0);
    pm_check_destroy(check);
}

/* What was open when a state was saved is open again, and not what has been opened since. */
TEST(test_kinds_of_a_state) {
    char text[4][512]; /* whole words, of which the check knows more */
    for (size_t k = 0; k < 4; k++)
        memset(text[k], "{}[]"[k], sizeof text[k]);
    for (size_t wrong = 0; wrong < 2; wrong++) {
        pm_check *const check = check_of(pm_language_by_name("json"));
        pm_check_state *saved;
        pm_check_summary found;
        assert_ok(pm_check_push(check, text[wrong ? 0 : 2], sizeof *text));
        assert_ok(pm_check_save(check, &saved));
        assert_ok(pm_check_push(check, text[wrong ? 1 : 3], sizeof *text));
        assert_ok(pm_check_push(check, text[2], sizeof *text));
        assert_ok(pm_check_restore(check, saved));
        assert_ok(pm_check_push(check, text[3], sizeof *text));
        assert_ok(pm_check_finish(check, &found));
        assert_int_equal(found.mismatched, wrong ? sizeof *text : 0);
        pm_check_state_destroy(saved);
        pm_check_destroy(check);
    }
}

/* A check that had no memory has no state to save, and does not say what is open. */
TEST(test_save_after_a_failure) {
    fault_allocator memory = {0};
    pm_context *context;
    pm_check *check;
    pm_check_state *saved;
    pm_status status = PM_OK;
    char opens[4096];
    memset(opens, '[', sizeof opens);
    assert_ok(fault_allocator_context(&memory, &context));
    assert_ok(pm_check_create(context, pm_language_by_name("json"), NULL, NULL, NULL, &check));
    memory.fail_at = memory.calls + 1;
    for (int k = 0; k < 1000 && status == PM_OK; k++)
        status = pm_check_push(check, opens, sizeof opens);
    assert_int_equal(status, PM_OUT_OF_MEMORY);
    memory.fail_at = 0;
    for (int again = 0; again < 2; again++)
        assert_int_equal(pm_check_open(check, NULL, 0, NULL, NULL), PM_OUT_OF_MEMORY);
    assert_int_equal(pm_check_save(check, &saved), PM_OUT_OF_MEMORY);
    assert_null(saved);
    pm_check_destroy(check);
    pm_context_destroy(context);
    assert_true(fault_allocator_is_settled(&memory));
}

/* Every allocation fails once; nothing changes by that. */
static void try_failures(const char *name, const char *text) {
    static const char unfinished[] = "(((((";
    fault_allocator memory = {0};
    pm_context *context;
    pm_check *check;
    const pm_language *const language = pm_language_by_name(name);
    assert_ok(fault_allocator_context(&memory, &context));
    assert_ok(pm_check_create(context, language, NULL, NULL, NULL, &check));
    assert_ok(pm_check_push(check, text, strlen(text)));
    const pm_check_summary whole = totals(language, text, strlen(text), unfinished, sizeof unfinished - 1);
    char right[100];
    size_t right_length;
    assert_ok(pm_check_suffix(check, right, sizeof right, &right_length));
    for (size_t failures = 1, failed = 1; failed > 0; failures++) {
        pm_check_state *state;
        char suffix[100];
        size_t length;
        memory.fail_at = memory.calls + failures;
        const pm_status made = pm_check_suffix(check, suffix, sizeof suffix, &length);
        failed = made == PM_OUT_OF_MEMORY;
        assert_int_equal(made, failed ? PM_OUT_OF_MEMORY : PM_OK);
        assert_int_equal(length, failed ? 0 : right_length);
        assert_memory_equal(suffix, right, length);
        memory.fail_at = memory.calls + failures;
        failed += pm_check_open(check, NULL, 0, NULL, NULL) == PM_OUT_OF_MEMORY;
        memory.fail_at = memory.calls + failures;
        const pm_status status = pm_check_save(check, &state);
        failed += status == PM_OUT_OF_MEMORY;
        memory.fail_at = 0;
        if (status != PM_OK) {
            assert_null(state);
            assert_ok(pm_check_save(check, &state));
        }
        if (failures % 2)
            assert_ok(pm_check_finish(check, NULL)); /* gives its memory back, so that restoring asks for some */
        memory.fail_at = memory.calls + failures;
        const pm_status restored = pm_check_restore(check, state);
        failed += restored == PM_OUT_OF_MEMORY;
        memory.fail_at = 0;
        if (restored != PM_OK)
            assert_ok(pm_check_restore(check, state));
        pm_check_state_destroy(state);
    }
    pm_check_summary found;
    assert_ok(pm_check_push(check, unfinished, sizeof unfinished - 1));
    assert_ok(pm_check_finish(check, &found));
    assert_memory_equal(&found, &whole, sizeof whole);
    pm_check_destroy(check);
    pm_context_destroy(context);
    if (!fault_allocator_is_settled(&memory))
        print_message("%s\n", name);
    assert_true(fault_allocator_is_settled(&memory));
}

TEST(test_failing_allocations) {
    try_failures("json", "{\"a\": [1");
    try_failures("javascript", "f(`a${ [`b${ {");
    try_failures("c", "(\n#if A\n{\n#else\n{[\n");
    try_failures("xml", "<a><b c=\"d");
}

/* A suffix that begins the code in a string needs memory for it, the first time. Without it the status is
 * PM_OUT_OF_MEMORY, not PM_UNSUPPORTED. */
TEST(test_failing_allocations_of_reading_a_suffix) {
    static const struct {
        const char *language, *text, *suffix;
        size_t allocations; /* the saved state, of the first with its brackets, a page of them, and the string's code */
    } cases[] = {{"csharp", "(\n#if A\n((((((((((((((((((((\n#endif\n$\"a {", "}\")))))))))))))))))))))", 4},
                 {"fsharp", "$\"{ ) $\"a {", "}\"}\"", 2}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        fault_allocator memory = {0};
        pm_context *const context = context_with(&memory);
        pm_check *check;
        char suffix[100];
        size_t length, failures = 0;
        pm_status status;
        assert_ok(pm_check_create(context, pm_language_by_name(cases[k].language), NULL, NULL, NULL, &check));
        assert_ok(pm_check_push(check, cases[k].text, strlen(cases[k].text)));
        do {
            memory.fail_at = memory.calls + ++failures;
            status = pm_check_suffix(check, suffix, sizeof suffix, &length);
            assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
        } while (status != PM_OK);
        assert_int_equal(failures, cases[k].allocations + 1);
        assert_int_equal(length, strlen(cases[k].suffix));
        assert_memory_equal(suffix, cases[k].suffix, length);
        pm_check_destroy(check);
        context_close(context, &memory);
    }
}
