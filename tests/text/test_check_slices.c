/* SPDX-License-Identifier: Apache-2.0 */
/* A text read in slices by several threads: all that is reported is what one thread reports. */
#include <stdio.h>
#include <string.h>

#include "core/check/slices.h"
#include "core/context/context.h"
#include "core/text/language.h"
#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/text/findings.h"

#define TEXT_MAX 16384u
#define FAULTS_MAX 16384u
#define COUNTS_MAX 9u
#define PIECES_MAX 64u

/* Pieces of texts, those first that open or close something that reaches over lines. */
static const struct {
    const char *language;
    const char *pieces[25]; /* a NULL behind the last one */
} languages[] = {
    {"text", {"(", ")", "[", "]", "{", "}", "\n", "a"}},
    {"json", {"\"", "\\", "\\\\\"", "{\"a\": [", "]}", "[", "]", "\"b(\": ", "1, ", "\n", "{", "}"}},
    {"c",
     {"/*",          "*/", "//",   "\"",  "'",   "\\",  "\n", "#if 0\n", "\n#if A\n", "\n#else\n", "\n#endif\n",
      "\n#elif B\n", "f(", ");\n", "{\n", "}\n", "1'0", "a[", "]",       "/",         "*",         "\n#error '(\n"}},
    {"c++", {"R\"a(", ")a\"", "/*", "*/", "\"", "'", "\\", "\n", "\n#if A\n", "\n#else\n", "\n#endif\n", "(", ")"}},
    {"javascript",
     {"`", "${", "}", "{", "/*", "*/", "//", "\"", "'", "\\", "\n", "/", "a", "=", "(", ")", "[", "]", "\n\n"}},
    {"java", {"\"\"\"", "\"", "/*", "*/", "//", "'", "\\", "\n", "(", ")", "{", "}", "a"}},
    {"go", {"`", "\"", "/*", "*/", "//", "'", "\\", "\n", "(", ")", "{", "}", "a"}},
    {"rust", {"r#\"", "\"#", "\"", "/*", "*/", "//", "'", "'a ", "\\", "\n", "(", ")", "{", "}", "a"}},
    {"python", {"\"\"\"", "'''", "\"", "'", "#", "\\", "\n", "(", ")", "{", "}", "[", "]", "a", "f\""}},
    {"shell", {"<<A\n", "\nA\n", "case a in ", "esac", ")", "(", "\"", "'", "$(", "\n", "#", "\\", "{", "}", " "}},
    {"perl", {"q{", "}", "s/", "/", "<<A;\n", "\nA\n", "$", "(", ")", "\"", "'", "#", "\n", "a"}},
    {"yaml", {"a: ", "- ", "[", "]", "{", "}", "|\n", "  ", "\n", "'", "\"", "#", "b"}},
    {"php", {"<?php ", "?>", "(", ")", "\"", "'", "/*", "*/", "<<<A\n", "\nA\n", "\n", "{", "}", "$a"}},
    {"csharp", {"@\"", "$\"{", "}\"", "\"", "/*", "*/", "\n", "(", ")", "{", "}", "'"}},
};

static pm_diagnostic found_faults[FAULTS_MAX], expected_faults[FAULTS_MAX];
static findings found = {.room = FAULTS_MAX, .most = SIZE_MAX, .faults = found_faults};
static findings expected = {.room = FAULTS_MAX, .most = SIZE_MAX, .faults = expected_faults};

static void assert_equal(const findings *a, const findings *b) {
    const char *const difference = findings_difference(a, b);
    assert_true(a->count <= a->room);
    if (difference)
        fail_msg("with slices differs: %s", difference);
}

/* Reads `head` bytes in one thread, and the rest in slices (0: all in one thread). */
static void find(findings *to, const char *language, const char *text, size_t n, size_t head, size_t slice,
                 unsigned threads) {
    pm_check *check;
    to->count = 0;
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, findings_note, to, &check));
    if (slice == 0) {
        assert_ok(pm_check_push(check, text, n));
    } else {
        assert_ok(pm_check_push(check, text, head));
        assert_ok(pmi_check_read_slices(check, (const unsigned char *)text + head, n - head, slice, threads));
    }
    assert_ok(pm_check_finish(check, &to->summary));
    pm_check_destroy(check);
}

static void compare(const char *language, const char *text, size_t n, size_t head, size_t slice, unsigned threads) {
    find(&expected, language, text, n, 0, 0, 1);
    find(&found, language, text, n, head, slice, threads);
    assert_equal(&found, &expected);
}

/* Pieces at random; `calm` of 8 are the language's brackets and blanks. */
static size_t text_make(char *text, size_t room, const char *const *pieces, uint64_t seed, unsigned calm) {
    uint64_t state = seed;
    size_t count = 0, n = 0;
    while (pieces[count])
        count++;
    while (n + 16 < room) {
        const bool usual = random_next(&state) % 8 < calm;
        const char *const piece = usual ? (const char *[]){"ab ", "x\n", "()", "12"}[random_next(&state) % 4]
                                        : pieces[random_next(&state) % count];
        memcpy(text + n, piece, strlen(piece));
        n += strlen(piece);
    }
    return n;
}

TEST(test_random_texts) {
    static char text[TEXT_MAX];
    for (size_t k = 0; k < COUNT_OF(languages); k++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            const size_t room = seed % 3 == 0 ? TEXT_MAX : 2048;
            const size_t n = text_make(text, room, languages[k].pieces, seed, seed % 8);
            const size_t slice = 64 * (1 + seed % 7), head = seed % 5 * 29;
            compare(languages[k].language, text, n, head, slice, 1 + (unsigned)seed % 3 + 1);
        }
}

/* Conditionals, most of whose branches balance, in slices that hold whole ones: those leave no effect but the depth. */
TEST(test_conditionals) {
    static const char *const pieces[] = {"\n#if A\n",  "\n#if A\n", "\n#endif\n", "\n#endif\n",
                                         "\n#endif\n", "\n#else\n", "([{}])",     "\n#elif B\n",
                                         "\n#if 0\n",  "{\n",       "}\n",        NULL};
    static char text[TEXT_MAX];
    for (uint64_t seed = 0; seed < 400; seed++) {
        const size_t n = text_make(text, 1024 + seed % 4 * 1024, pieces, seed, (unsigned)seed % 7);
        compare("c", text, n, seed % 3 * 40, 64 * (4 + seed % 9), 2);
    }
}

/* Conditionals that reach over the border of two chunks of a slice, and how deep their branches get. */
TEST(test_conditionals_over_chunks) {
    enum {
        SLICE = 10240
    };
    static const char *const branches[] = {"((()))", "(((", ")", "#if 0\n((()))\n#endif\n",
                                           "#if B\n(())\n#else\n#endif\n"};
    static char text[6 * SLICE];
    for (size_t k = 0; k < 2 * COUNT_OF(branches); k++) {
        memset(text, '\n', sizeof text);
        for (size_t begin = 0; begin + SLICE <= sizeof text; begin += SLICE) {
            memcpy(text + begin + 8100, "#if A\n", 6);
            memcpy(text + begin + (k % 2 ? 8120 : 8200), branches[k / 2], strlen(branches[k / 2]));
            memcpy(text + begin + 8400, "#endif\n", 7);
        }
        compare("c", text, sizeof text, 0, SLICE, 2);
    }
}

/* Several readings, of which the shallowest one counts, below what is open before a slice, and what a slice opens and
 * closes around conditionals, most of which balance. */
TEST(test_conditional_that_settles_opens) {
    enum {
        SLICE = 256
    };
    static const char several[] = "#if A\n((\n#else\n(\n#endif\n";
    static const char *const slices[][2] = {
        {"[", "\n#if B\n#endif\n{{{}}}"},
        {"", "\n{\n#if B\n#endif\n{{{}}}\n}\n"},
        {"", "\n{{\n#if B\n(\n#if C\n#endif\n[[]])\n#endif\n{{{}}}\n}}\n"},
        {"", "\n#if B\n{\n#if C\n#endif\n{{{}}}\n}\n#else\n#endif\n"},
        {"", "\n{(\n#if B\n#endif\n)]\n"},
    };
    static char text[4 * SLICE];
    for (size_t k = 0; k < COUNT_OF(slices); k++) {
        memset(text, '\n', sizeof text);
        memcpy(text, several, sizeof several - 1);
        memcpy(text + sizeof several - 1, slices[k][0], strlen(slices[k][0]));
        memcpy(text + SLICE, slices[k][1], strlen(slices[k][1]));
        compare("c", text, sizeof text, 0, SLICE, 2);
    }
}

/* Code in a string that has no end. To the guess of a slice it seems to begin where a quote is escaped in it. */
TEST(test_code_in_strings_over_slices) {
    enum {
        SLICE = 128
    };
    static const struct {
        const char *language, *open, *escaped, *code;
    } strings[] = {
        {"nix", "''", "'''", "${f("},
        {"javascript", "`", "\\`", "${f("},
        {"javascript", "`", "\\`", "${b}${`c"},
        {"ruby", "\"", "\\\"", "#{f("},
        {"swift", "\"\"\"\n", "\\\"\"\"", "\\(f("},
    };
    static char text[PM_CHUNK_BYTES + 4 * SLICE];
    for (size_t k = 0; k < COUNT_OF(strings); k++) {
        memset(text, '\n', sizeof text);
        memcpy(text, strings[k].open, strlen(strings[k].open));
        for (size_t at = SLICE / 2; at < sizeof text; at += SLICE)
            memcpy(text + at, strings[k].escaped, strlen(strings[k].escaped));
        memcpy(text + sizeof text - 40, strings[k].code, strlen(strings[k].code));
        compare(strings[k].language, text, sizeof text, 0, SLICE, 2);
    }
}

TEST(test_all_slice_counts) {
    static char text[TEXT_MAX];
    for (size_t k = 0; k < COUNT_OF(languages); k++)
        for (size_t count = 1; count <= COUNTS_MAX; count++) {
            const size_t n = text_make(text, 9 * 64 * count, languages[k].pieces, count, 6);
            compare(languages[k].language, text, n, 0, (n / count + 63) / 64 * 64, 2);
            compare(languages[k].language, text, n, 0, 64 * count, 3);
        }
}

/* Pieces of a text in that language: its regions' openers and closers, and what stands in all texts. Returns their
 * count. */
static size_t pieces_of(const pm_language *language, const char **pieces, size_t room) {
    static const char *const usual[] = {"(", ")", "[", "]", "{", "}", "\n", "\\", "\"", "'", "a", "\n\n  ", "= "};
    size_t count = 0;
    for (; count < COUNT_OF(usual); count++)
        pieces[count] = usual[count];
    for (size_t r = 0; r < language->region_count && count + 2 < room; r++) {
        const pmi_region *const region = &language->regions[r];
        if (region->open)
            pieces[count++] = region->open;
        if (region->close)
            pieces[count++] = region->close;
    }
    return count;
}

TEST(test_all_languages) {
    static char text[TEXT_MAX / 2];
    const char *pieces[PIECES_MAX + 1] = {NULL};
    for (size_t k = 0; k < pm_language_count(); k++) {
        const pm_language *const language = pm_language_at(k);
        if (pm_language_rules(language))
            continue; /* one thread reads these */
        pieces[pieces_of(language, pieces, PIECES_MAX)] = NULL;
        for (uint64_t seed = 0; seed < 6; seed++) {
            const size_t n = text_make(text, sizeof text >> seed % 2, pieces, seed, 2 + (unsigned)seed);
            compare(pm_language_name(language), text, n, seed % 2 * 17, (size_t)64 << seed, 2 + (unsigned)seed % 2);
        }
    }
}

/* The text of 64 bytes that each slice is falls on every place of a short text, in every language. */
TEST(test_cuts_at_every_place) {
    static char text[TEXT_MAX];
    const char *pieces[PIECES_MAX + 1] = {NULL};
    for (size_t k = 0; k < pm_language_count(); k++) {
        const pm_language *const language = pm_language_at(k);
        if (pm_language_rules(language))
            continue;
        pieces[pieces_of(language, pieces, PIECES_MAX)] = NULL;
        for (uint64_t seed = 0; seed < 4; seed++)
            for (size_t shift = 0; shift < 64; shift++) {
                memset(text, "\n a("[seed], shift);
                const size_t n = shift + text_make(text + shift, 450, pieces, seed, 1 + 2 * (unsigned)seed);
                compare(pm_language_name(language), text, n, 0, 64, 2);
            }
    }
}

/* What opens something stands at every place around a border. */
TEST(test_openers_at_borders) {
    static char text[768];
    for (size_t k = 0; k < COUNT_OF(languages); k++)
        for (const char *const *piece = languages[k].pieces; piece < languages[k].pieces + 24 && *piece; piece++)
            for (size_t at = 252; at <= 257; at++) {
                for (size_t i = 0; i < sizeof text; i++)
                    text[i] = "(a)\n"[i % 4];
                memcpy(text + at, *piece, strlen(*piece));
                if (at % 2)
                    memcpy(text + 640, *piece, strlen(*piece));
                compare(languages[k].language, text, sizeof text, 0, 128, 2);
            }
}

TEST(test_deep_and_faulty_texts) {
    static char text[TEXT_MAX];
    for (size_t shape = 0; shape < 4; shape++) {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = shape == 0   ? "([)]"[i % 4]
                      : shape == 1 ? ")"[0]
                                   : "({[)}]"[i < sizeof text / 2 ? i % 3 : 3 + i % 3];
        if (shape == 3)
            memset(text + 4000, '\n', 300);
        compare("text", text, sizeof text, 7, 1024, 2);
        compare("c", text, sizeof text, 0, 192, 4);
    }
}

/* Chunks full of brackets, of which some close what is open before the slice, or the wrong one. */
TEST(test_closes_among_many_brackets) {
    enum {
        SLICE = 20480
    };
    static char text[4 * SLICE];
    static const char *const closes[] = {"]", "}", "]]", "]}", "}]]]}", "]["};
    static const char *const languages_of[] = {"json", "c", "python"};
    for (uint64_t seed = 0; seed < 24; seed++) {
        uint64_t random = seed;
        memset(text, '[', 512);
        for (size_t i = 512; i < sizeof text; i++)
            text[i] = "[{}]()\n "[i % 8];
        for (unsigned k = 0; k < 2 + 5 * (seed % 4); k++) {
            const char *const close = closes[random_next(&random) % COUNT_OF(closes)];
            memcpy(text + random_next(&random) % (sizeof text - 8), close, strlen(close));
        }
        compare(languages_of[seed % 3], text, sizeof text, 0, SLICE, 2);
    }
}

TEST(test_reporter_that_wants_no_more) {
    static char text[TEXT_MAX];
    memset(text, ']', sizeof text);
    for (size_t most = 1; most < 300; most += 97) {
        expected.most = found.most = most;
        compare("json", text, sizeof text, 0, 512, 2);
        assert_int_equal(found.count, most);
    }
    expected.most = found.most = SIZE_MAX;
}

/* Without memory for slices one thread reads, and without any the status says so. */
TEST(test_no_memory) {
    static char text[TEXT_MAX];
    memset(text, '{', sizeof text);
    for (size_t i = 0; i < sizeof text; i += 64 - i / 256)
        text[i] = '\n';
    for (size_t fail_at = 1;; fail_at++) {
        fault_allocator memory = {.fail_at = fail_at};
        pm_context *context;
        pm_check *check;
        pm_check_summary summary;
        pm_status status = fault_allocator_context(&memory, &context);
        if (status != PM_OK)
            continue;
        status = pm_check_create(context, pm_language_by_name("c"), NULL, NULL, NULL, &check);
        if (status == PM_OK) {
            (void)pmi_check_read_slices(check, (const unsigned char *)text, sizeof text, 512, 2);
            status = pm_check_finish(check, &summary);
            pm_check_destroy(check);
        }
        const bool enough = memory.calls < fail_at;
        assert_true(status == PM_OK || (!enough && status == PM_OUT_OF_MEMORY));
        context_close(context, &memory);
        if (enough)
            break;
    }
}

/* ---- Guesses ---- */

static void reader_init(pmi_bracket_reader *reader, const char *name, pmi_directives *directives) {
    const pm_allocator allocator = pm_context_allocator(NULL);
    const pm_language *const language = pm_language_by_name(name);
    pmi_bracket_reader_init(reader, pmi_simd_of(NULL)->classifier, language, pm_language_alphabet(language),
                            &allocator);
    reader->lexer.directives = directives;
}

/* The guess at each word from `from` on is what a lexer comes to that reads all before it. */
static void expect_guesses(const char *language, const char *text, size_t n, size_t from) {
    static pmi_directives directives;
    const unsigned char *const bytes = (const unsigned char *)text;
    pmi_bracket_reader known, guessed;
    uint64_t brackets;
    reader_init(&known, language, &directives);
    reader_init(&guessed, language, &directives);
    for (size_t at = 0; at + 64 <= n; at += 64) {
        if (at >= from) {
            pmi_lexer_guess(&guessed, bytes, at, 0, SIZE_MAX, NULL);
            assert_int_equal(guessed.lexer.state, known.lexer.state);
            assert_true(known.lexer.state != PM_LEXER_REGION || guessed.lexer.region == known.lexer.region);
        }
        assert_ok(pmi_bracket_reader_words(&known, bytes + at, 1, &brackets));
    }
}

/* A string longer than what is looked at first, with brackets in it, and a long line that begins nowhere near. */
TEST(test_guesses) {
    enum {
        PART = 8192
    };
    static char text[3 * PART];
    size_t n = 0;
    while (n < PART)
        n += (size_t)sprintf(text + n, "f(a[%zu], {})\n", n);
    n += (size_t)sprintf(text + n, "'''\n");
    while (n < 2 * PART)
        n += (size_t)sprintf(text + n, n % 8 == 0 ? "Text of a note (with %zu)\n" : "and %zu others,\n", n);
    expect_guesses("python", text, n, PART + 1024);
    for (n = 0; n < 3 * PART - 64;)
        n += (size_t)sprintf(text + n, "a.b(this.c,%zu,\"change\",this.d(e));", n);
    expect_guesses("javascript", text, n, PART);
}

/* Prose has as many brackets as code, but is not in words of code; and PHP's code is mostly far behind its <?php. */
TEST(test_guesses_among_prose) {
    enum {
        PART = 8192
    };
    static char text[3 * PART];
    size_t n = 0;
    while (n < PART)
        n += (size_t)sprintf(text + n, "if a%zu in b: c(d) # some words that (we) read and pass over\n", n);
    n += (size_t)sprintf(text + n, "\"\"\"\n");
    while (n < 2 * PART)
        n += (size_t)sprintf(text + n, "    - Which of the (several) names are to be taken if none is given at all.\n");
    expect_guesses("python", text, n, 64);
    n = (size_t)sprintf(text, "<p>\n<?php\n");
    while (n < 2 * PART)
        n += (size_t)sprintf(text + n, "function f%zu($a) { return $a[0]; }\n", n);
    expect_guesses("php", text, n, 64);
}

/* Nothing tells what is in a long string from code but where it began; code without brackets is code, too. */
TEST(test_guesses_far_from_what_decides) {
    enum {
        PART = 8192
    };
    static char text[6 * PART];
    size_t n = 0;
    while (n < PART)
        n += (size_t)sprintf(text + n, "f(a[%zu], {})\n", n);
    n += (size_t)sprintf(text + n, "a = \"\"\"\n");
    while (n < 6 * PART - 64)
        n += (size_t)sprintf(text + n, "b = %zu\n", n);
    expect_guesses("python", text, n, PART + 1024);
    for (n = 0; n < 6 * PART - 64;)
        n += (size_t)sprintf(text + n, "    \"name %zu\", 'a',\n", n);
    expect_guesses("java", text, n, 64);
}

/* What has lasted is believed to go on, whatever it looks like, up to where its end is seen. */
TEST(test_guesses_in_what_lasts) {
    enum {
        PART = 8192
    };
    static char text[3 * PART];
    static pmi_directives directives;
    const unsigned char *const bytes = (const unsigned char *)text;
    pmi_bracket_reader lasting, guessed;
    uint64_t brackets;
    reader_init(&lasting, "c", &directives);
    reader_init(&guessed, "c", &directives);
    size_t n = (size_t)sprintf(text, "/*");
    while (n < 3 * PART - 64)
        n += (size_t)sprintf(text + n, "f(a[%zu], g(b), {c});\n", n);
    memcpy(text + 2 * PART, "*/\n", 3);
    assert_ok(pmi_bracket_reader_words(&lasting, bytes, 1, &brackets));
    pmi_lexer_guess(&guessed, bytes, PART, 0, SIZE_MAX, NULL);
    assert_int_equal(guessed.lexer.state, PM_LEXER_CODE);
    pmi_lexer_guess(&guessed, bytes, PART, 0, SIZE_MAX, &lasting.lexer);
    assert_int_equal(guessed.lexer.state, PM_LEXER_REGION);
    assert_int_equal(guessed.lexer.start, 0);
    pmi_lexer_guess(&guessed, bytes, 2 * PART + 1024, 0, SIZE_MAX, &lasting.lexer);
    assert_int_equal(guessed.lexer.state, PM_LEXER_CODE);
}

/* A text long enough that pm_check_push() uses the context's threads. */
TEST(test_long_text) {
    const size_t n = PM_CHECK_SLICED_BYTES_MIN + PM_CHECK_SLICE_BYTES_MAX + 12345;
    char *const text = allocate(n, 1);
    pm_check_summary one = {0}, two = {0};
    for (size_t i = 0; i < n; i++)
        text[i] = "{\"a(\": [1, 2],\n \"b\": {}}\n"[i % 25];
    for (unsigned threads = 1; threads <= 2; threads++) {
        pm_context *const context = context_of(&(pm_options){.struct_size = sizeof(pm_options), .threads = threads});
        pm_check *check;
        assert_ok(pm_check_create(context, pm_language_by_name("json"), NULL, NULL, NULL, &check));
        assert_ok(pm_check_text(check, text, n, threads == 1 ? &one : &two));
        pm_check_destroy(check);
        pm_context_destroy(context);
    }
    assert_memory_equal(&one, &two, sizeof one);
    free(text);
}
