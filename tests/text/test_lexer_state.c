/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a lexer is saved behind every byte of a text; a lexer that loads it reads the rest as the first one. */
#include <string.h>

#include "core/context/context.h"
#include "core/lexer/state.h"
#include "core/text/bracket_masks.h"
#include "inputs/families.h"
#include "tests/support/unit.h"

#ifndef SEEDS
#define SEEDS 300u
#endif

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

/* ---- States apart from histories ---- */

static void reader_of(pmi_bracket_reader *reader, const pm_language *language, pmi_directives *directives) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    pmi_bracket_reader_init(reader, pmi_simd_of(NULL)->classifier, language, pm_language_alphabet(language),
                            &allocator);
    pmi_lexer_clear(&reader->lexer);
    reader->lexer.directives = directives;
}

/* Puts n bytes of a language's pieces there, with blanks between some: by `seed`, but how many blanks, by `blanks`. */
static size_t put_pieces(char *text, const pm_language *language, unsigned count, uint64_t *seed, uint64_t *blanks) {
    static const char *const usual[] = {"a", "b1", "return", "class", "print", "in", "(", ")", "{",   "}",
                                        "[", "]",  "\\",     "\"",    "'",     "/",  "=", ";", "<<A", "$",
                                        ".", ">",  "R",      "r",     "#",     "if", "%", "?"};
    static const char *const runs[] = {" ", "  ", "\t ", "                     "};
    static const char *const lines[] = {"\n", "\n  ", " \n", "\n                        ", "                    \n"};
    char *to = text;
    for (; count > 0; count--) {
        const uint64_t k = random_next(seed) % (COUNT_OF(usual) + 12 + language->region_count / 2);
        const pmi_region *const region =
            &language->regions[k % (language->region_count + (language->region_count == 0))];
        const char *piece = k < COUNT_OF(usual)        ? usual[k]
                            : k < COUNT_OF(usual) + 8  ? runs[random_next(blanks) % COUNT_OF(runs)]
                            : k < COUNT_OF(usual) + 12 ? lines[random_next(blanks) % COUNT_OF(lines)]
                            : random_next(seed) % 2    ? region->open
                                                       : region->close;
        piece = piece ? piece : "x";
        memcpy(to, piece, strlen(piece));
        to += strlen(piece);
    }
    return (size_t)(to - text);
}

/* Reads a text in words, or in bytes. */
static void read_text(pmi_bracket_reader *reader, const char *text, size_t n, bool in_words) {
    pmi_directives *const directives = reader->lexer.directives;
    for (size_t done = 0, length; done < n; done += length) {
        uint64_t brackets;
        length = in_words && n - done >= PM_WORD_BITS ? PM_WORD_BITS : 1;
        directives->base = reader->lexer.position;
        directives->count = 0;
        if (length == 1)
            assert_ok(pmi_lexer_scan(&reader->lexer, (const unsigned char *)text + done, 1, &brackets));
        else
            assert_ok(pmi_bracket_reader_words(reader, (const unsigned char *)text + done, 1, &brackets));
    }
}

static bool agree(const pmi_bracket_reader *a, const pmi_bracket_reader *b) {
    unsigned char states[2][512];
    const size_t length = pmi_lexer_save_apart(&a->lexer, states[0], sizeof states[0]);
    return length <= sizeof states[0] && pmi_lexer_save_apart(&b->lexer, states[1], sizeof states[1]) == length &&
           memcmp(states[0], states[1], length) == 0 &&
           pmi_lexer_histories_agree(&a->lexer.history, &b->lexer.history, pmi_bracket_reader_is_near(a));
}

/* Two texts that differ at first and in their blanks: where their states agree, what follows is read alike. */
TEST(test_agreeing_states) {
    static char text[2][4096], rest[1024];
    static pmi_directives directives;
    unsigned agreed = 0, differed = 0;
    for (size_t k = 0; k < pm_language_count(); k++) {
        const pm_language *const language = pm_language_at(k);
        for (uint64_t seed = 1; !pm_language_rules(language) && seed <= SEEDS; seed++) {
            pmi_bracket_reader readers[2];
            for (unsigned r = 0; r < 2; r++) {
                uint64_t own = 2 * seed + r, common = seed, blanks = 3 * seed + r;
                size_t n = put_pieces(text[r], language, (unsigned)(seed % 9) * 2, &own, &own);
                n += put_pieces(text[r] + n, language, 3 + (unsigned)(seed % 10), &common, &blanks);
                reader_of(&readers[r], language, &directives);
                read_text(&readers[r], text[r], n, r == 0);
            }
            const bool same = agree(&readers[0], &readers[1]);
            uint64_t after = seed + 1000;
            const size_t n = put_pieces(rest, language, 12, &after, &after);
            for (size_t i = 0; i < n && same; i++)
                if (read_byte(&readers[0].lexer, &directives, rest + i) !=
                    read_byte(&readers[1].lexer, &directives, rest + i))
                    fail_msg("%s, seed %d: byte %zu of %s behind %s and %s", pm_language_name(language), (int)seed, i,
                             rest, text[0], text[1]);
            agreed += same;
            differed += !same;
            pmi_lexer_clear(&readers[0].lexer);
            pmi_lexer_clear(&readers[1].lexer);
            memset(text, 0, sizeof text);
            memset(rest, 0, sizeof rest);
        }
    }
    assert_true(agreed > differed / 4);
}

/* What a lexer kept of a heredoc does not tell two states behind it apart. */
TEST(test_states_behind_heredocs) {
    static const struct {
        const char *language, *one, *other;
    } pairs[] = {
        {"php", "<?php $a = <<<A\n(\nA;\n/* b", "<?php $a = \"c\";\n/* b"},
        {"perl", "$a = <<'A';\n(\nA\n$b = 1;\n\n=pod\n", "$b = 1;\n\n=pod\n"},
        {"ruby", "a = <<~A\n(\n  A\nb = 1 # c", "b = 1 # c"},
    };
    for (size_t p = 0; p < COUNT_OF(pairs); p++) {
        static pmi_directives directives;
        pmi_bracket_reader readers[2];
        unsigned char states[2][512];
        size_t length[2];
        for (unsigned r = 0; r < 2; r++) {
            const char *const text = r == 0 ? pairs[p].one : pairs[p].other;
            reader_of(&readers[r], pm_language_by_name(pairs[p].language), &directives);
            read_text(&readers[r], text, strlen(text), false);
            length[r] = pmi_lexer_save_apart(&readers[r].lexer, states[r], sizeof states[r]);
            pmi_lexer_clear(&readers[r].lexer);
        }
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(states[0], states[1], length[0]);
    }
}
