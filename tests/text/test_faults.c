/* SPDX-License-Identifier: Apache-2.0 */
/* Faulty texts of each language: what is reported, and where. */
#include <stdlib.h>
#include <string.h>

#include "parenmatch.h"
#include "tests/support/unit.h"
#include "tests/text/reported.h"

#define TEXT_MAX 512u

/* Each place that is reported has a ^ before it, which is no part of the text. */
static const struct {
    const char *language, *marked;
} faults[] = {
    {"text", "(^]"},
    {"c", "f() ^{\n  g((1); // )\n^}\n"},
    {"c", "f() {\n  g(1)^); /* ( */\n^}\n"},
    {"c++", "auto a = R\"x(()x\"; f^("},
    {"json", "^{\"a\": [1, \"]\"^}"},
    {"json", "^[1, ^\"2]"},
    {"java", "class A { void f() { g(\"}\"); }\n}^}"},
    {"javascript", "f(/[)]/, `)${g(1)}`^];"},
    {"javascript", "const a = () => ^{ b(`)`);"},
    {"typescript", "f<T>^(a: T[^) {}"},
    {"tsx", "f(<A b='('>( don't</A>^];"},
    {"go", "func f() ^{ g(`}`)"},
    {"rust", "fn f<'a>() { '{' ^) ^}"},
    {"python", "f(a, \"\"\")\"\"\"^]"},
    {"lisp", "^(a #\\) \"(\" ^("},
    {"clojure", "(a \\( [1^))"},
    {"emacs-lisp", "^(a ?\\( ^[1"},
    {"csharp", "class A { string a = $\"{f(1)}}}\"; ^]"},
    {"kotlin", "fun f() ^{ \"${g(1)}{\""},
    {"swift", "f(\"\\(g(1))(\"^]"},
    {"scala", "def f = { s\"${g(1)}{\" ^) ^}"},
    {"dart", "f() ^{ '${g(1)}}'; "},
    {"d", "f(`)` /+ ( /+ +/ ) +/ ^]"},
    {"zig", "f(\n\\\\ )\n^]"},
    {"php", ") <?php f(1^]; ?> ("},
    {"php", "<?php f^(<<<A\n)\nA;\n"},
    {"perl", "f(q{)}, qw(a b), s/)//^];"},
    {"perl", "sub f ^{ $x =~ m{\\}}; $#{a}; <<A\n}\nA\n"},
    {"ruby", "f(%w(a (b)), /[)]/, \"#{g(1)}(\"^]"},
    {"ruby", "f ^{ <<A\n}\nA\n"},
    {"elixir", "f(~s{)}, ?), \"#{g(1)}(\"^]"},
    {"shell", "case a in b) c^) ;; d) ^( e ;; esac"},
    {"shell", "f() ^{ echo \")\" $(g)\ncat <<A\n}\nA\n"},
    {"lua", "f([[)]], \"(\" --[=[ ) ]=]\n^]"},
    {"cmake", "f(\"(\" [=[)]=] #[[ ) ]]\n^]"},
    {"julia", "f(\"$(g(1))(\", ')'^]"},
    {"r", "f(\"(\", r\"())\", `)` # )\n^]"},
    {"haskell", "f (a', ')', {- ( {- -} -} \"(\"^]"},
    {"ocaml", "f (a', ')', (* ( (* *) *) {|)|}^]"},
    {"fsharp", "f (a, ')', @\")\" (* ) *)^]"},
    {"nix", "^{ a = ''${b}}''; c = (1; ^}"},
    {"erlang", "f($), \")\", '(' % )\n^]"},
    {"css", "a { b: url(\")\"); /* } */ ^]"},
    {"toml", "a = [\"]\", ']' # ]\n^}"},
    {"jsonc", "[1, // ]\n\"]\" ^}"},
    {"protobuf", "message A ^{ string b = 1; // }\n"},
    {"yaml", "a: [b, 'c]', \"]\" # ]\n  ^}\nb: [d] e]\n"},
    {"yaml", "a:\n  - b: \"c\"^]\nd: [e]^]\n"},
    {"yaml", "a: ^{b: c\nd: \"}\"\n# }\n"},
    {"glsl", "#if A\nf(\n#else\ng(\n#endif\n1^];"},
    {"wgsl", "fn f() ^{ /* } /* */ } */"},
    {"assembly", "mov (1, ')' # )\n^]"},
    {"verilog", "f(1 `ifdef A ^] `endif );"},
    {"vhdl", "a <= f(')', \")\" -- )\n^]"},
    {"ada", "F (')', \")\" -- )\n^]"},
    {"fortran", "#ifdef A\nf(\"(&\n & (\", &\n#else\ng( &\n#endif\n1^]"},
    {"forth", ": a ( b ) [ \\ (\n ;\n^( c"},
    {"coq", "f (a', (* ( (* *) *) \"\\\"^]"},
    {"m4", "f(`a', dnl )\nC )\n^]"},
    {"fortran", "f(')', \")\" ! )\n^]"},
};

TEST(test_faults) {
    for (size_t t = 0; t < COUNT_OF(faults); t++) {
        char text[TEXT_MAX];
        reported expected, found = {0};
        pm_check *check;
        const size_t n = read_marked(faults[t].marked, '^', 0, text, &expected);
        assert_ok(pm_check_create(NULL, pm_language_by_name(faults[t].language), NULL, collect, &found, &check));
        for (size_t cut = 0; cut <= n; cut++) {
            found.count = 0;
            assert_ok(pm_check_push(check, text, cut));
            assert_ok(pm_check_push(check, text + cut, n - cut));
            assert_ok(pm_check_finish(check, NULL));
            sort_reported(&found);
            if (found.count != expected.count || memcmp(found.at, expected.at, found.count * sizeof *found.at) != 0)
                fail_msg("%s, cut at %zu, %zu reported, the first at %zu: %s", faults[t].language, cut, found.count,
                         found.count ? (size_t)found.at[0] : 0, faults[t].marked);
        }
        pm_check_destroy(check);
    }
}

/* Every language with brackets of a byte has a faulty text. */
TEST(test_every_language) {
    for (size_t k = 0; pm_language_alphabet(pm_language_at(k)); k++) {
        bool any = false;
        const pm_language *const language = pm_language_at(k);
        for (size_t t = 0; t < COUNT_OF(faults); t++)
            any |= strcmp(faults[t].language, pm_language_name(language)) == 0;
        if (!any)
            fail_msg("no faulty text of %s", pm_language_name(language));
    }
}
