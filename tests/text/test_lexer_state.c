/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a lexer is saved behind every byte of a text; a lexer that loads it reads the rest as the first one. */
#include <string.h>

#include "core/context/context.h"
#include "core/lexer/state.h"
#include "core/text/bracket_masks.h"
#include "tests/support/unit.h"

static const struct {
    const char *language, *text;
} texts[] = {
    {"c",
     "f(1'000) /* ( */ R\"ab(x)a\")ab\" '(' \"\\\"(\" // (\\\n)\n#error '(\n(\n # if 0\n(\n#endif\n u8R\"()\"(\")\""},
    {"tsx", "(<A<{b: 1}> c=\"(\" d={e(<f/>)} /* ( */ g // (\n h='('>( {`${<i>({j}</i>}`} <></>'</A>) / (1) + <T>(x) + "
            "<TK>(</TK>"
            "+ <T extends (U)>(x) + <T,>() + <é>(</é> + (<a>}</a>)"},
    {"json", "{\"a\\\"[\": [1, \"\\\\\", {}]}"},
    {"javascript", "#!(\n`a${ {b: `${(1)}`} }(` = /[/(]\\/(/.x(a / b) `${`${{`${[}]}`}}`}`"},
    {"rust", "'a: '(' r##\"(\"#(\"## b'\\'' /* /* ( */ ( */ r#fn(x) 'é'(\"(\")"},
    {"lua", "--[==[ (]] ]=] ]==] [=[ ( ]=] (x[[a(]]) --( \n a[b[1]]"},
    {"cmake", "#[=[ ( ]] ]=] f([[ ( ]] \"(\\\"\" \\( ${a}) # (\n()"},
    {"shell",
     "case x in (a) b;; c) d (e) f;; esac; cat <<A <<-'B C'\n(\nA\n(\n\tB C\n(\n) $(a \"$(b)\" ')') # (\n((x))"},
    {"ruby",
     "%w(a (b) c) x = <<~A + <<B\n(\n  A\n(\nB\n \"#{ [\"}\"] }(\" /(#{x})[(]/ ?( a / b\n=begin\n(\n=end\n%q{(}"},
    {"ruby", /* literals that are open at once and differ little */
     "\"#{ %(( #{ %(#{(1)} ( ) ) } (x)) ) (y) }( #{ %( #{ %[ #{(1)} [(] ] } ( ) ) } [ \" (z)"},
    {"php", "( <?php (\"{$a[(1)]}(\" <<<A\n(\n  A; <<<'B'\n(\nB; // ( ?> ( <?= (1) # (\n /* ( */ ?>("},
    {"elixir", "~s(a (b) #{(c)}) ~S|(| ?( \"#{\"#{1}(\"}\" ~w[(]a '''\n(#{[]}\n''' # (\n(x)"},
    {"erlang", "$( \"(\" '(' % (\n(x) $\\("},
    {"emacs-lisp", "(?( ?\\( ?\\C-( ?\\^( \"(\" a?b ; (\n[x])"},
    {"lisp", "(#\\( |(| #| #| ( |# ( |# \"(\" ; (\n)"},
    {"csharp", "@\"(\"\"(\" $\"{(1)}{{(\" $@\"{a}(\" '(' #region (\n\"\"\"( \"\"\" (x)"},
    {"python", "'''(''' f\"(\" r'\\'(' b\"\"\"(\"\"\" '' # (\n(x)"},
    {"swift", "\"\\((1) + \"\\(a)\")(\" /* /* ( */ ( */ \"\"\"\n(\\(b)\n\"\"\" (x)"},
    {"nix", "''( ''${ ${(a)} ''' '' \"${ {} }(\" # (\n/* ( */ (x)"},
    {"ocaml", "(* ( (* ) *) *) 'a' '(' x' {|(|} \"(\" (x)"},
    {"haskell", "{- ( {- -} ( -} '(' x' -- (\n--> (a) \"(\""},
    {"r", "r\"(a)b)\" R\"--( )- )--\" `(` 'x(' %(% # (\n(x)"},
    {"scala", "s\"${ (1) }(\" \"\"\"( \"\"\" '(' '\\'' /* /* ( */ */ (x)"},
    {"toml", "'''( ''' \"\"\"( \\\"\"\"\" '(' # (\n[x]"},
    {"perl", "s{(}{(}; tr/(/)/; $( m[(]x; qw(a (b)); <<A; # (\n(\nA\n$x{a} / (b) =~ s{a} # (\n {(}g; (x)"},
    {"yaml", "a: [b, \"(\\\"[\", '[''[', {c: d}] # [\ne: |\n  [\n  {\nf: [x]\n- g[: {h}\n"},
    {"css", "url(//a) /* ( */ \"(\\\n(\" '(' // (\n{}"},
};

static void lexer_of(pmi_lexer *lexer, const pm_language *language) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    pmi_lexer_init(lexer, language, pm_language_alphabet(language), &allocator);
}

static uint64_t read_byte(pmi_lexer *lexer, pmi_directives *directives, const char *byte) {
    uint64_t bracket;
    directives->base = lexer->position;
    directives->count = 0;
    assert_ok(pmi_lexer_scan(lexer, (const unsigned char *)byte, 1, &bracket));
    return bracket | directives->count << 1;
}

/* The lexer has read the text before `at`. */
static void check_rest(const pmi_lexer *lexer, const char *text, size_t at, const uint64_t *expected) {
    unsigned char state[512], again[512];
    static pmi_directives directives;
    pmi_lexer loaded;
    char byte[2];
    uint64_t offset[2];
    lexer_of(&loaded, lexer->language);
    loaded.directives = &directives;
    const size_t length = pmi_lexer_save(lexer, state, sizeof state);
    assert_true(length <= sizeof state);
    assert_true(pmi_lexer_load(&loaded, state));
    assert_int_equal(pmi_lexer_save(&loaded, again, sizeof again), length);
    assert_memory_equal(state, again, length);
    assert_int_equal(pmi_lexer_inside(lexer, &offset[0], &byte[0]), pmi_lexer_inside(&loaded, &offset[1], &byte[1]));
    for (size_t i = at; text[i]; i++)
        if (read_byte(&loaded, &directives, text + i) != expected[i])
            fail_msg("%s, cut at %zu: byte %zu of %s", pm_language_name(lexer->language), at, i, text);
    pmi_lexer_clear(&loaded);
}

TEST(test_every_cut) {
    static pmi_directives directives;
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        const pm_language *const language = pm_language_by_name(texts[t].language);
        assert_non_null(language);
        const char *const text = texts[t].text;
        uint64_t expected[256];
        pmi_lexer lexer;
        lexer_of(&lexer, language);
        lexer.directives = &directives;
        for (size_t i = 0; text[i]; i++)
            expected[i] = read_byte(&lexer, &directives, text + i);
        pmi_lexer_clear(&lexer);
        for (size_t i = 0; text[i]; i++) {
            check_rest(&lexer, text, i, expected);
            read_byte(&lexer, &directives, text + i);
        }
        pmi_lexer_clear(&lexer);
    }
}

/* States that read on alike are the same bytes, whatever was read before. */
TEST(test_equal_states) {
    static const struct {
        const char *language, *one, *other;
    } pairs[] = {
        {"c", "R\"ab(x)ab\" /* a */ int aaaaaaaaaaaaaaaa;", "'\\'' // b\n int aaaaaaaaaaaaaaaa;"},
        {"json", "{\"a\\\"b\": ", "\"\" "},
        {"json", "\"abc", "[\"x\", \""},
        {"rust", "r##\"a\"## aaaaaaaaaaaaaaaa \"x", "aaaaaaaaaaaaaaaa \"y"},
        {"javascript", "`${ {} }` aaaaaaaaaaaaaaaaa", "/[x]/ aaaaaaaaaaaaaaaaa"},
    };
    for (size_t p = 0; p < COUNT_OF(pairs); p++) {
        unsigned char bytes[2][512];
        size_t length[2];
        for (unsigned k = 0; k < 2; k++) {
            static pmi_directives directives;
            const char *const text = k == 0 ? pairs[p].one : pairs[p].other;
            pmi_lexer lexer;
            lexer_of(&lexer, pm_language_by_name(pairs[p].language));
            lexer.directives = &directives;
            for (size_t i = 0; text[i]; i++)
                read_byte(&lexer, &directives, text + i);
            length[k] = pmi_lexer_save(&lexer, bytes[k], sizeof bytes[k]);
            pmi_lexer_clear(&lexer);
        }
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(bytes[0], bytes[1], length[0]);
    }
}

/* A comment was opened in a word, or by single bytes: the state inside it is the same. */
TEST(test_state_inside_comment) {
    static const char *const names[] = {"c", "java", "go"};
    static unsigned char text[128];
    const pm_allocator allocator = pm_context_allocator(NULL);
    memset(text, ' ', sizeof text);
    memcpy(text + 20, "{ /* a comment", 14);
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        const pm_language *const language = pm_language_by_name(names[k]);
        unsigned char states[2][256];
        size_t lengths[2];
        for (unsigned by_words = 0; by_words < 2; by_words++) {
            pmi_bracket_reader reader;
            pmi_directives directives = {.count = 0};
            uint64_t brackets[2];
            pmi_bracket_reader_init(&reader, pmi_simd_of(NULL)->classifier, language, pm_language_alphabet(language),
                                    &allocator);
            pmi_lexer_clear(&reader.lexer);
            reader.lexer.directives = &directives;
            if (by_words)
                assert_ok(pmi_bracket_reader_words(&reader, text, 2, brackets));
            for (size_t i = 0; !by_words && i < sizeof text; i++)
                assert_ok(pmi_lexer_scan(&reader.lexer, text + i, 1, brackets));
            lengths[by_words] = pmi_lexer_save(&reader.lexer, states[by_words], sizeof states[by_words]);
        }
        assert_int_equal(lengths[0], lengths[1]);
        assert_memory_equal(states[0], states[1], lengths[0]);
    }
}
