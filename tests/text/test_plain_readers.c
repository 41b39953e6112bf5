/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library against plain readers of languages: the brackets of a text and its check, whole and in chunks, cut off at
 * every place, and with bytes changed. Files named in PM_TEXTS, with blanks between them, are read so, too.
 */
#include <stdlib.h>
#include <string.h>

#include "core/lexer/lexer.h"
#include "core/lexer/parts.h"
#include "inputs/families.h"
#include "tests/support/unit.h"
#include "tests/text/plain_files.h"
#include "tests/text/plain_readers.h"
#include "tests/text/summary.h"

enum {
    TEXT_MAX = 1 << 18,
    SOUP_MAX = 6000
};

static char text[TEXT_MAX];
static char code[TEXT_MAX];
static bool brackets[TEXT_MAX];

static size_t kind_of(char byte) {
    return byte == '(' || byte == ')' ? 0 : byte == '[' || byte == ']' ? 1 : 2;
}

/* What the check must find in the text that was read. */
static pm_check_summary summary_of(const plain_text *read) {
    static char opens[TEXT_MAX];
    pm_check_summary found = {.bytes = read->n, .unterminated = read->unterminated};
    uint64_t depth = 0;
    for (size_t i = 0; i < read->n; i++) {
        const char byte = read->bytes[i];
        found.lines += byte == '\n' || i + 1 == read->n;
        if (!read->brackets[i])
            continue;
        found.brackets++;
        if (strchr("([{", byte)) {
            opens[depth++] = byte;
            found.max_depth = depth > found.max_depth ? depth : found.max_depth;
        } else if (depth == 0) {
            found.unmatched.close++;
        } else {
            found.mismatched += kind_of(opens[--depth]) != kind_of(byte);
        }
    }
    found.unmatched.open = depth;
    return found;
}

/* Does a directive choose branches? tests/text/test_branches.c is about those. */
static bool has_branches(const plain_reader *reader, const plain_text *read) {
    const bool chooses = pm_language_by_name(reader->language)->code & PM_CODE_DIRECTIVES;
    for (size_t i = 0; chooses && i + 3 < read->n; i++) {
        size_t name = i + 1;
        while (name + 3 < read->n && (read->bytes[name] == ' ' || read->bytes[name] == '\t'))
            name++;
        if (read->bytes[i] == '#' &&
            (memcmp(read->bytes + name, "if", 2) == 0 || memcmp(read->bytes + name, "el", 2) == 0))
            return true;
    }
    return false;
}

/* What branches do not change. */
static pm_check_summary without_branches(pm_check_summary found) {
    return (pm_check_summary){.bytes = found.bytes, .lines = found.lines, .unterminated = found.unterminated};
}

static void assert_right(const plain_reader *reader, const char *bytes, size_t n, const char *how, bool right) {
    if (right)
        return;
    print_error("%s, %s, %zu bytes: %.*s\n", reader->language, how, n, n < 300 ? (int)n : 300, bytes);
    fail();
}

/* The checks of a language, which are made once. */
typedef struct reader_checks {
    pm_check *counts, *notes; /* the latter notes where what is cut off begins */
    size_t cut;
} reader_checks;

static bool note_cut(const pm_diagnostic *diagnostic, void *user) {
    if (diagnostic->fault == PM_FAULT_UNTERMINATED)
        *(size_t *)user = (size_t)diagnostic->at.offset;
    return true;
}

static void checks_create(const plain_reader *reader, reader_checks *checks) {
    const pm_language *const language = pm_language_by_name(reader->language);
    assert_ok(pm_check_create(NULL, language, NULL, NULL, NULL, &checks->counts));
    assert_ok(pm_check_create(NULL, language, NULL, note_cut, &checks->cut, &checks->notes));
}

static void checks_destroy(reader_checks *checks) {
    pm_check_destroy(checks->counts);
    pm_check_destroy(checks->notes);
}

/* Is what the text's end cuts off reported where it begins? Rust's raw strings begin at their quotes. */
static void try_cut(const plain_reader *reader, reader_checks *checks, const plain_text *read) {
    size_t cut = read->cut;
    checks->cut = SIZE_MAX;
    assert_ok(pm_check_text(checks->notes, read->bytes, read->n, NULL));
    const size_t whole = checks->cut;
    checks->cut = SIZE_MAX;
    for (size_t at = 0; at < read->n; at += 61)
        assert_ok(pm_check_push(checks->notes, read->bytes + at, read->n - at < 61 ? read->n - at : 61));
    assert_ok(pm_check_finish(checks->notes, NULL));
    const size_t parts = checks->cut;
    while (read->bytes[cut] == '#')
        cut++;
    if (whole != cut || parts != cut)
        print_error("What is cut off begins at %zu and %zu for the library, not at %zu.\n", whole, parts, cut);
    assert_right(reader, read->bytes, read->n, "the place", whole == cut && parts == cut);
}

/* Reads n bytes, in a block of their own, in every way. */
static void try_text(const plain_reader *reader, reader_checks *checks, const char *from, size_t n) {
    static const size_t chunks[] = {1, 7, 63, 64, 65, 4096};
    static uint64_t positions[TEXT_MAX];
    const pm_language *const language = pm_language_by_name(reader->language);
    char *const bytes = allocate(n, 1);
    memcpy(bytes, from, n);
    plain_text read = {.bytes = bytes, .n = n, .code = code, .brackets = brackets};
    plain_read(reader, &read);
    if (read.may_be_jsx && strcmp(reader->language, "javascript") == 0) {
        free(bytes);
        return;
    }
    const bool branches = has_branches(reader, &read);
    const pm_check_summary all = summary_of(&read), expected = branches ? without_branches(all) : all;
    pm_check_summary found;
    size_t count, k = 0;
    assert_ok(pm_text_brackets(NULL, language, NULL, bytes, n, TEXT_MAX, NULL, positions, NULL, &count));
    for (size_t i = 0; i < n; i++) {
        const bool found_here = k < count && positions[k] == i;
        k += found_here;
        if (found_here != brackets[i])
            print_error("The byte at %zu is %s bracket for the library.\n", i, found_here ? "a" : "no");
        assert_right(reader, bytes, n, "brackets", found_here == brackets[i]);
    }
    assert_ok(pm_check_text(checks->counts, bytes, n, &found));
    found = branches ? without_branches(found) : found;
    assert_right(reader, bytes, n, "whole", summary_equal(&found, &expected));
    if (read.unterminated)
        try_cut(reader, checks, &read);
    const size_t chunk = chunks[n % COUNT_OF(chunks)];
    for (size_t at = 0; at < n; at += chunk)
        assert_ok(pm_check_push(checks->counts, bytes + at, n - at < chunk ? n - at : chunk));
    assert_ok(pm_check_finish(checks->counts, &found));
    found = branches ? without_branches(found) : found;
    assert_right(reader, bytes, n, "chunks", summary_equal(&found, &expected));
    free(bytes);
}

static bool is_among(const char *const *names, size_t count, const char *language) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(names[k], language) == 0)
            return true;
    return false;
}

/* Is it one of the languages like C? */
static bool is_like_c(const char *language) {
    static const char *const names[] = {"c", "go", "java", "rust", "javascript"};
    return is_among(names, COUNT_OF(names), language);
}

static size_t make_soup(const plain_reader *reader, uint64_t *seed, size_t n) {
    size_t pieces = 0, length = 0;
    while (reader->pieces[pieces])
        pieces++;
    const size_t blanks = random_below(seed, 4); /* so that some texts have words without anything */
    while (length < n) {
        const char *const piece = reader->pieces[random_below(seed, pieces)];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
        for (size_t k = random_below(seed, 1 + 20 * blanks); k > 0; k--)
            text[length++] = 'x';
    }
    return n;
}

TEST(test_soups) {
    uint64_t seed = 1;
    for (size_t r = 0; r < plain_reader_count; r++) {
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        for (int round = 0; round < 3000; round++) {
            const size_t n = random_below(&seed, round % 100 == 0 ? SOUP_MAX : 200);
            try_text(&plain_readers[r], &checks, text, make_soup(&plain_readers[r], &seed, n));
        }
        checks_destroy(&checks);
    }
}

TEST(test_cuts) {
    uint64_t seed = 2;
    for (size_t r = 0; r < plain_reader_count; r++) {
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        for (int round = 0; round < 20; round++)
            for (size_t n = make_soup(&plain_readers[r], &seed, 300); n > 0; n--)
                try_text(&plain_readers[r], &checks, text, n);
        checks_destroy(&checks);
    }
}

/* ---- Where words of 64 bytes meet ---- */

TEST(test_borders) {
    static const char bytes[] = "/*\"x";
    static const char *const before[] = {"", "/*", "("};
    enum {
        LENGTH = 6
    };
    for (size_t r = 0; r < plain_reader_count; r++) {
        if (!is_like_c(plain_readers[r].language))
            continue;
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        for (size_t text_of = 0; text_of < (COUNT_OF(before) << 2 * LENGTH); text_of++)
            for (size_t at = 59; at < 63; at++) {
                const char *const first = before[text_of >> 2 * LENGTH];
                memset(text, 'x', 192);
                memcpy(text, first, strlen(first));
                for (size_t k = 0; k < LENGTH; k++)
                    text[at + k] = bytes[text_of >> 2 * k & 3];
                text[at + LENGTH + 1] = '\n';
                try_text(&plain_readers[r], &checks, text, 192 - text_of % 5);
            }
        checks_destroy(&checks);
    }
}

static size_t put_line(size_t at, const char *begin, size_t more, const char *end) {
    memcpy(text + at, begin, strlen(begin));
    at += strlen(begin);
    memset(text + at, 'x', more);
    memcpy(text + at + more, end, strlen(end));
    return at + more + strlen(end);
}

/* Quotes, backslashes and comments of scripts, where a word or a chunk ends. */
TEST(test_script_borders) {
    static const char *const languages[] = {"shell", "ruby", "perl"};
    static const char bytes[] = "\"\\'# $";
    enum {
        LENGTH = 5,
        BYTES = sizeof bytes - 1
    };
    for (size_t r = 0; r < plain_reader_count; r++) {
        if (!is_among(languages, COUNT_OF(languages), plain_readers[r].language))
            continue;
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        for (size_t text_of = 0; text_of < 7776; text_of++) { /* BYTES to the power of LENGTH */
            size_t of = text_of;
            memset(text, 'x', 192);
            for (size_t k = 0; k < LENGTH; k++, of /= BYTES)
                text[60 + k + text_of % 3] = bytes[of % BYTES];
            memcpy(text + 70, "( \"( '(\n( ", 11);
            try_text(&plain_readers[r], &checks, text, 128 - text_of % 5);
        }
        checks_destroy(&checks);
    }
}

/* What may stand in the ${ } of a string, and is no more than its name. */
TEST(test_shell_variables) {
    static const char *const pieces[] = {"\"${a", "${a",        "}",  "}\"",  "\"", "#", "##", "|#",
                                         "&#",    "[",          "]",  ":-",   "$b", "(", ")",  " ",
                                         "\n",    "case x in ", "a)", "esac", "%%", "\\"};
    for (size_t r = 0; r < plain_reader_count; r++) {
        if (strcmp(plain_readers[r].language, "shell") != 0)
            continue;
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        uint64_t seed = 8;
        for (int round = 0; round < 30000; round++) {
            const size_t few = 3 + random_below(&seed, COUNT_OF(pieces)), first = random_below(&seed, COUNT_OF(pieces));
            size_t n = put_line(0, round % 2 == 0 ? "case x in " : "", random_below(&seed, 60), "\"${a");
            while (n < 150) {
                const char *const piece = pieces[(first + random_below(&seed, few)) % COUNT_OF(pieces)];
                n = put_line(n, piece, 0, "");
            }
            try_text(&plain_readers[r], &checks, text, n);
        }
        checks_destroy(&checks);
    }
}

/* Code in strings in code in strings, dozens deep, and what may interrupt it. */
TEST(test_shell_nests) {
    static const char *const pieces[] = {"\"$(", "\"${a", "\"${a:-$(",  "\"",     ")\"",     "}\"", ")",
                                         "}",    "(",     "$(",         "{",      "# a\n",   "\n",  "\\",
                                         "'",    "$'",    "${b}",       "<<E\n",  "E\n",     "<<<", "case",
                                         " ",    "esac ", "case x in ", ";; a) ", "\"${a}\""};
    for (size_t r = 0; r < plain_reader_count; r++) {
        if (strcmp(plain_readers[r].language, "shell") != 0)
            continue;
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        uint64_t seed = 31;
        for (int round = 0; round < 10000; round++) {
            const size_t depth = random_below(&seed, 40), openers = 1 + random_below(&seed, 3);
            size_t n = put_line(0, round % 4 == 0 ? "case x in a) " : "", random_below(&seed, 70), "");
            for (size_t k = 0; k < depth; k++)
                n = put_line(n, pieces[random_below(&seed, openers)], 0, random_below(&seed, 4) == 0 ? "\n" : "");
            for (const size_t end = n + 150; n < end;)
                n = put_line(n, pieces[random_below(&seed, COUNT_OF(pieces))], 0, "");
            try_text(&plain_readers[r], &checks, text, n);
        }
        checks_destroy(&checks);
    }
}

/* Blanks between what stands behind each other, of any number. */
TEST(test_script_blanks) {
    static const char *const languages[] = {"ruby", "perl"};
    static const char *const before[] = {"\n", "x\n", "q", "(s", "x qw", "=", "$s"};
    static const char *const behind[] = {"=item (\n(\n=cut\n(", "{(}(", "(()(", "\"(\"(", "/(/(", " #(\n(", "__END__("};
    for (size_t r = 0; r < plain_reader_count; r++) {
        if (!is_among(languages, COUNT_OF(languages), plain_readers[r].language))
            continue;
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        for (size_t k = 0; k < COUNT_OF(before) * COUNT_OF(behind) * 140; k++) {
            const char *const first = before[k % COUNT_OF(before)];
            const char *const last = behind[k / COUNT_OF(before) % COUNT_OF(behind)];
            const size_t blanks = k / COUNT_OF(before) / COUNT_OF(behind);
            memcpy(text, first, strlen(first));
            memset(text + strlen(first), blanks % 3 == 0 ? '\t' : ' ', blanks);
            memcpy(text + strlen(first) + blanks, last, strlen(last));
            for (size_t cut = 0; cut < 4; cut++)
                try_text(&plain_readers[r], &checks, text, strlen(first) + blanks + strlen(last) - cut);
        }
        checks_destroy(&checks);
    }
}

/* ---- Files ---- */

static bool try_language(const char *language, const char *bytes, size_t n) {
    for (size_t r = 0; r < plain_reader_count; r++)
        if (strcmp(plain_readers[r].language, language) == 0) {
            reader_checks checks;
            checks_create(&plain_readers[r], &checks);
            try_text(&plain_readers[r], &checks, bytes, n);
            checks_destroy(&checks);
            return true;
        }
    return false;
}

TEST(test_files) {
    plain_files_try(text, TEXT_MAX, try_language);
}

/* ---- A shell's blanks, and the like, which a lexer that gets a byte at a time cannot pass over ---- */

TEST(test_single_bytes) {
    static const char *const pieces[] = {"case ", "esac", " in ", "a)",      "(",     ")",  ";;",   ";&",  ";;&",
                                         " ",     "  ",   "\n",   "x",       "[",     "]",  "{",    "}",   "\"",
                                         "'",     "$(",   "#",    "\\",      "<<E\n", "\r", "\r\n", "E\n", "%w(",
                                         "q{",    "/",    "`",    "return ", "${",    "\t", "&",    "case"};
    static const char *const languages[] = {"shell", "ruby", "perl", "php", "javascript", "elixir", "nix", "kotlin"};
    const pm_allocator allocator = pm_context_allocator(NULL);
    uint64_t seed = 5;
    for (size_t round = 0; round < 80000; round++) {
        const pm_language *const language = pm_language_by_name(languages[round % COUNT_OF(languages)]);
        pmi_lexer whole, single;
        uint64_t counted, expected = 0, bit;
        size_t n = 0;
        pmi_lexer_init(&whole, language, pm_language_alphabet(language), &allocator);
        pmi_lexer_init(&single, language, pm_language_alphabet(language), &allocator);
        while (n < PM_LEXER_PIECE - 7) {
            const char *const piece = pieces[random_below(&seed, COUNT_OF(pieces))];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        assert_ok(pmi_lexer_scan(&whole, (const unsigned char *)text, n, &counted));
        for (size_t i = 0; i < n; i++) {
            assert_ok(pmi_lexer_scan(&single, (const unsigned char *)text + i, 1, &bit));
            expected |= bit << i;
        }
        assert_int_equal(counted, expected);
        assert_int_equal(whole.state, single.state);
        if (language->code & PM_CODE_SHELL) /* others keep blanks inside a run */
            assert_memory_equal(&whole.history, &single.history, sizeof whole.history);
        pmi_lexer_clear(&whole);
        pmi_lexer_clear(&single);
    }
}

/* ---- Heredocs' lines, which are passed over as soon as they are no word ---- */

TEST(test_heredoc_lines) {
    static const char *const languages[] = {"shell", "ruby", "perl", "php"};
    static const char *const opens[] = {"x = <<WORD\n", "x = <<-WORD\n", "x = <<'WORD'\n", "x = <<WORD, <<B\nB\n",
                                        "<<''\n"};
    static const char *const begins[] = {"", "WOR", "WORD", "WORD\r", " \tWORD", "\r"};
    static const size_t more[] = {0, 1, 25, 26, 27, 28, 31, 32, 33, 64, 150, 4096};
    static const char *const ends[] = {"\n", "\r\n", "WORD\n", "\r\r\nWORD\n", "\nWORD\r\nB\n", "\nWORD"};
    for (size_t r = 0; r < plain_reader_count; r++) {
        if (!is_among(languages, COUNT_OF(languages), plain_readers[r].language))
            continue;
        reader_checks checks;
        checks_create(&plain_readers[r], &checks);
        for (size_t k = 0; k < COUNT_OF(opens) * COUNT_OF(begins) * COUNT_OF(more) * COUNT_OF(ends); k++) {
            size_t of = k, n = put_line(0, opens[of % COUNT_OF(opens)], 0, "");
            of /= COUNT_OF(opens);
            const char *const begin = begins[of % COUNT_OF(begins)];
            of /= COUNT_OF(begins);
            n = put_line(n, begin, more[of % COUNT_OF(more)], ends[of / COUNT_OF(more)]);
            n = put_line(n, "(\n", 0, "WORD\n(\n");
            try_text(&plain_readers[r], &checks, text, n - k % 3);
        }
        checks_destroy(&checks);
    }
}

/* ---- Returns that stand alone, and cuts, in every language ---- */

TEST(test_returns) {
    static const char *const pieces[] = {"case ", "\r",  "\r\n", "\n",   "\\",    "\\\r", " in ", "(",        ")",
                                         "[",     "]",   "{",    "}",    "\"",    "'",    "`",    "#",        "//",
                                         "/*",    "*/",  "--",   "$(",   "<<E\r", "E\r",  "then", "x",        "=",
                                         "\r/",   "%w(", "q{",   "#if ", "$",     "${",   "r\"",  "\n=begin", "\r#",
                                         "\t",    "-\r", ": ",   "|\r",  "---",   "<a>",  ";",    "|||"};
    uint64_t seed = 6;
    for (size_t round = 0; round < 60000; round++) {
        const pm_language *const language = pm_language_at(round % pm_language_count());
        const size_t few = 1 + random_below(&seed, COUNT_OF(pieces)), first = random_below(&seed, COUNT_OF(pieces));
        pm_check_summary whole, parts;
        pm_check *check;
        size_t n = 0, at = 0;
        const size_t wanted = random_below(&seed, round % 4 == 0 ? 400 : 60);
        while (n < wanted) {
            const char *const piece = pieces[(first + random_below(&seed, few)) % COUNT_OF(pieces)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        assert_ok(pm_check_create(NULL, language, NULL, NULL, NULL, &check));
        assert_ok(pm_check_text(check, text, n, &whole));
        for (size_t part; at < n; at += part) {
            part = 1 + random_below(&seed, round % 3 == 0 ? 1 : n - at);
            assert_ok(pm_check_push(check, text + at, part));
        }
        assert_ok(pm_check_finish(check, &parts));
        if (!summary_equal(&whole, &parts)) {
            print_error("%s, in parts, %zu bytes: %.*s\n", pm_language_name(language), n, (int)n, text);
            fail();
        }
        pm_check_destroy(check);
    }
}

/* ---- YAML, whose runs are passed over, against its reading byte by byte ---- */

static bool keeps_state(const pmi_yaml *a, const pmi_yaml *b) {
    return a->state == b->state && a->flow == b->flow && a->column == b->column && a->indent == b->indent &&
           a->key == b->key && a->newest == b->newest && a->repeats == b->repeats && a->continues == b->continues;
}

TEST(test_yaml_runs) {
    static const char *const pieces[] = {"[", "]", "{",  "}",  "\"", "'",    "\\",  "#",  " ",  "  ",    "\n",
                                         ":", "-", "- ", ": ", ",",  "---",  "...", "|",  ">",  "a",     "ab c",
                                         "?", ".", "&a", "\t", "\r", "\n  ", "''",  "\0", "!x", "a: b\n"};
    const pm_language *const language = pm_language_by_name("yaml");
    const pm_allocator allocator = pm_context_allocator(NULL);
    uint64_t seed = 4;
    for (int round = 0; round < 30000; round++) {
        pmi_lexer runs, bytes;
        uint64_t counted, expected = 0;
        size_t n = 0;
        pmi_lexer_init(&runs, language, pm_language_alphabet(language), &allocator);
        pmi_lexer_init(&bytes, language, pm_language_alphabet(language), &allocator);
        while (n < PM_LEXER_PIECE - 5) {
            const char *const piece = pieces[random_below(&seed, COUNT_OF(pieces))];
            const size_t length = *piece ? strlen(piece) : 1;
            memcpy(text + n, piece, length);
            n += length;
        }
        assert_ok(pmi_lexer_scan(&runs, (const unsigned char *)text, n, &counted));
        for (size_t i = 0; i < n; i++) {
            pmi_lexer_yaml_byte(&bytes, (unsigned char)text[i], i);
            expected |= (uint64_t)(bytes.verdict == PM_LEXER_COUNTED) << i;
            bytes.verdict = PM_LEXER_AS_READ;
        }
        assert_int_equal(counted, expected);
        assert_true(keeps_state(&runs.yaml, &bytes.yaml));
        assert_int_equal(runs.start, bytes.start);
        pmi_lexer_clear(&runs);
        pmi_lexer_clear(&bytes);
    }
}

/* The same of long texts: blocks of many lines, and flow collections over several. */
TEST(test_yaml_words) {
    static const char *const pieces[] = {"a: |\n",
                                         "- >-\n",
                                         "--- |\n",
                                         "  [b]\n",
                                         "    c: [d\n",
                                         "\n",
                                         "      - {\n",
                                         "[x, ",
                                         "\"y\\\"[\", ",
                                         "'z''[', ",
                                         "]\n",
                                         "}\n",
                                         "- &a [*b]\n",
                                         "{k: [v], \"w\": (\n",
                                         " - !t 'x'  # [\n",
                                         "-\n",
                                         "k:\n",
                                         " ? [\n",
                                         "# {\n",
                                         "    ",
                                         "[\"a\", b]: c\n",
                                         "---\n",
                                         "...\n",
                                         ": [\n",
                                         "\t",
                                         "plain [ text\n"};
    const pm_language *const language = pm_language_by_name("yaml");
    const pm_allocator allocator = pm_context_allocator(NULL);
    static uint64_t positions[SOUP_MAX];
    uint64_t seed = 7;
    for (int round = 0; round < 6000; round++) {
        const size_t few = 1 + random_below(&seed, COUNT_OF(pieces)), first = random_below(&seed, COUNT_OF(pieces));
        const size_t wanted = random_below(&seed, round % 50 == 0 ? SOUP_MAX - 300 : 400);
        pmi_lexer bytes;
        size_t n = 0, count, k = 0;
        pmi_lexer_init(&bytes, language, pm_language_alphabet(language), &allocator);
        while (n < wanted) {
            const char *const piece = pieces[(first + random_below(&seed, few)) % COUNT_OF(pieces)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
            for (size_t more = random_below(&seed, 8) == 0 ? random_below(&seed, 120) : 0; more > 0; more--)
                text[n++] = more % 3 == 0 ? ' ' : 'x';
        }
        assert_ok(pm_text_brackets(NULL, language, NULL, text, n, SOUP_MAX, NULL, positions, NULL, &count));
        for (size_t i = 0; i < n; i++) {
            pmi_lexer_yaml_byte(&bytes, (unsigned char)text[i], i);
            const bool counted = bytes.verdict == PM_LEXER_COUNTED, found = k < count && positions[k] == i;
            bytes.verdict = PM_LEXER_AS_READ;
            k += found;
            if (found != counted)
                print_error("yaml, byte %zu of: %.*s\n", i, (int)n, text);
            assert_int_equal(found, counted);
        }
        pmi_lexer_clear(&bytes);
    }
}
