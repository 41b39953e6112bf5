/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in records against a check of each record alone: every separator, every cut, faults in any record. */
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"
#include "tests/text/code_pieces.h"
#include "tests/text/place.h"
#include "tests/text/summary.h"

enum {
    FAULTS_MAX = 42000, /* more than there are brackets in a text here */
    LONG_TEXT = 40000
};

/* What was reported; with the place at which the record begins, for a record that is checked alone. */
typedef struct findings {
    pm_diagnostic *list;
    size_t count, wanted;
    pm_place begin;
    uint64_t record;
} findings;

static pm_place moved(pm_place place, pm_place begin) {
    if (place.line == 0)
        return place;
    return (pm_place){begin.offset + place.offset, begin.line + place.line - 1,
                      place.column + (place.line == 1 ? begin.column - 1 : 0)};
}

static bool collect(const pm_diagnostic *diagnostic, void *user) {
    findings *const found = user;
    assert_true(found->count < FAULTS_MAX);
    if (found->count == found->wanted)
        return false;
    pm_diagnostic *const kept = &found->list[found->count++];
    *kept = *diagnostic;
    kept->at = moved(kept->at, found->begin);
    kept->partner = moved(kept->partner, found->begin);
    kept->record += found->record;
    return true;
}

/* Two at a time may be in use. */
static findings findings_create(size_t wanted) {
    static pm_diagnostic lists[2][FAULTS_MAX];
    static unsigned turn;
    return (findings){.list = lists[turn++ % 2], .wanted = wanted, .begin = {0, 1, 1}};
}

static pm_check *check_of(const pm_language *language, findings *found) {
    pm_check *check;
    assert_ok(pm_check_create(NULL, language, NULL, collect, found, &check));
    return check;
}

static void advance(pm_place *place, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        place->column = text[i] == '\n' ? 1 : place->column + 1;
        place->line += text[i] == '\n';
    }
    place->offset += n;
}

/* Checks a record alone, with a check of its own text. */
static void add_record(pm_check *check, findings *found, const char *text, size_t n, pm_check_summary *sum) {
    pm_check_summary one;
    assert_ok(pm_check_text(check, text, n, &one));
    assert_int_equal(one.records, 0);
    summary_add_record(sum, &one);
    found->record = sum->records;
}

static void finish_sum(pm_check_summary *sum, const char *text, size_t n) {
    const pm_place end = place_of(text, n);
    sum->bytes = n;
    sum->lines = end.line - 1 + (end.column > 1);
}

/* What the records of a text are to be found to be. */
static pm_check_summary by_definition(const pm_language *language, int separator, const char *text, size_t n,
                                      findings *found) {
    pm_check *const check = check_of(language, found);
    pm_check_summary sum = {.bytes = n};
    size_t begin = 0;
    for (size_t i = 0; i <= n; i++) {
        const bool ends = i == n ? i > begin : (unsigned char)text[i] == (unsigned)separator;
        if (!ends)
            continue;
        if (i > begin || separator != PM_RECORDS_RS)
            add_record(check, found, text + begin, i - begin, &sum);
        advance(&found->begin, text + begin, i + 1 - begin - (i == n));
        begin = i + 1;
    }
    finish_sum(&sum, text, n);
    pm_check_destroy(check);
    return sum;
}

static bool same_place(pm_place a, pm_place b) {
    return a.offset == b.offset && a.line == b.line && a.column == b.column;
}

static bool same_fault(const pm_diagnostic *a, const pm_diagnostic *b) {
    return a->fault == b->fault && a->length == b->length && a->byte == b->byte && a->record == b->record &&
           a->partner_byte == b->partner_byte && a->partner_length == b->partner_length && same_place(a->at, b->at) &&
           same_place(a->partner, b->partner);
}

static void assert_same(const findings *expected, const pm_check_summary *sum, const findings *found,
                        const pm_check_summary *summary) {
    assert_int_equal(found->count, expected->count);
    for (size_t k = 0; k < found->count; k++)
        assert_true(same_fault(&found->list[k], &expected->list[k]));
    assert_memory_equal(summary, sum, sizeof *sum);
}

/* Pushes a text in pieces: the first of `first` bytes, others of at most `longest`, by chance. */
static void push_cut(pm_check *check, const char *text, size_t n, size_t first, size_t longest, uint64_t *seed) {
    for (size_t done = 0, length; done < n; done += length) {
        length = done == 0 && first > 0 ? first : longest == 1 ? 1 : 1 + random_below(seed, longest);
        length = length < n - done ? length : n - done;
        char *const piece = allocate(length, 1);
        memcpy(piece, text + done, length);
        assert_ok(pm_check_push(check, piece, length));
        free(piece);
    }
}

static void clear(findings *found) {
    memset(found->list, 0, found->count * sizeof *found->list);
    found->count = 0;
}

/* One text, whole, byte by byte, in pieces, and at every cut if it is short. */
static void verify(const char *name, int separator, const char *text, size_t n) {
    const pm_language *const language = pm_language_by_name(name);
    findings expected = findings_create(FAULTS_MAX), found = findings_create(FAULTS_MAX);
    const pm_check_summary sum = by_definition(language, separator, text, n, &expected);
    pm_check *const check = check_of(language, &found);
    pm_check_summary summary;
    uint64_t seed = n;
    assert_ok(pm_check_set_records(check, separator));
    assert_ok(pm_check_text(check, text, n, &summary));
    assert_same(&expected, &sum, &found, &summary);
    const size_t cuts = n < 300 ? n : 4;
    for (size_t cut = 0; cut <= cuts; cut++) {
        static const size_t longest[] = {1, 100, 20000, 5000};
        clear(&found);
        push_cut(check, text, n, cut, n < 300 ? (cut == 0 ? 1 : n) : longest[cut % 4], &seed);
        assert_ok(pm_check_finish(check, &summary));
        assert_same(&expected, &sum, &found, &summary);
    }
    pm_check_destroy(check);
}

static const char *const names[] = {"text", "json", "c",    "python", "javascript", "shell", "yaml", "xml",
                                    "php",  "rust", "perl", "sql",    "ruby",       "html",  "lua",  "css"};
static const int separators[] = {PM_RECORDS_NEWLINE, PM_RECORDS_NUL, PM_RECORDS_RS};

/* ---- Small ones ---- */

TEST(test_records_by_hand) {
    static const char *const texts[] = {"",
                                        "\n",
                                        "\n\n",
                                        "{}",
                                        "{}\n",
                                        "{}\n{}",
                                        "{\n}\n",
                                        "[1]\r\n{]\r\n[2]\r\n",
                                        "\"a\n[\"b\"]\n",
                                        "\"\\\n]\n",
                                        "((((\n))))\n()\n",
                                        "\n(\n\n)",
                                        "#if A\n{\n#else\n}\n#endif\n",
                                        "`${\n}`\n(",
                                        "<a>\n</a>\n<b></b>\n<c",
                                        "/*\n*/ )\n",
                                        "{\"a\": [1, 2]}\n{\"a\": [1, 2}\n{\"b\": \"x\n{}\n"};
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        for (size_t s = 0; s < COUNT_OF(separators); s++)
            for (size_t l = 0; l < COUNT_OF(names); l++) {
                char text[100];
                const size_t n = strlen(texts[t]);
                for (size_t i = 0; i < n; i++)
                    text[i] = (char)(texts[t][i] == '\n' ? separators[s] : texts[t][i]);
                verify(names[l], separators[s], text, n);
            }
}

/* The byte that separates may mean something else in the language. */
TEST(test_records_whose_separator_means_something) {
    verify("json", '"', "[\"a\"]", 5);
    verify("json", '\\', "[\"a\\\"]\"", 7);
    verify("json", ']', "[\"a\"][\"]", 8);
    verify("text", '(', "(()(()))", 8);
    verify("c", '/', "( /* ) // (", 11);
}

/* ---- Long ones ---- */

/* A text of random records: good, with any sort of fault, empty and long ones. bad: of 100 records. */
static size_t make_records(char *text, size_t n, int separator, unsigned bad, uint64_t *seed) {
    static const char *const good[] = {"{\"id\": 12, \"name\": \"a ] b\", \"tags\": [\"x\", {\"y\": []}]}",
                                       "[1, [2, [3]]]", "", "{}", "{\"s\": \"\\\\\\\"}\"}\r"};
    static const char *const wrong[] = {"{\"a\": [1, 2}", "]", "[[[", "{\"a\": \"x", "\"\\", "[\"]", "}{", "[}"};
    size_t length = 0;
    while (length < n) {
        const bool is_bad = random_below(seed, 100) < bad;
        const char *const record =
            is_bad ? wrong[random_below(seed, COUNT_OF(wrong))] : good[random_below(seed, COUNT_OF(good))];
        const size_t times = random_below(seed, 50) == 0 ? random_below(seed, 400) : 1;
        for (size_t k = 0; k < times && length < n; k++) {
            memcpy(text + length, record, strlen(record));
            length += strlen(record);
        }
        text[length++] = (char)separator;
    }
    return random_below(seed, 2) ? length : length - 1;
}

TEST(test_random_records) {
    char *const text = allocate(LONG_TEXT + 100, 1);
    static const unsigned bad[] = {0, 1, 10, 100};
    uint64_t seed = 25;
    for (size_t b = 0; b < COUNT_OF(bad); b++)
        for (size_t l = 0; l < COUNT_OF(names); l++) {
            const int separator = separators[random_below(&seed, COUNT_OF(separators))];
            const size_t n = make_records(text, l < 3 ? LONG_TEXT : 3000, separator, bad[b], &seed);
            verify(names[l], separator, text, n);
        }
    free(text);
}

/* Bytes that mean something, by chance; records of a few bytes to some thousands. */
TEST(test_random_bytes) {
    static const char bytes[] = "()[]{}\"'\\/*#<>`$ a\n";
    char *const text = allocate(LONG_TEXT, 1);
    uint64_t seed = 7;
    for (unsigned round = 0; round < 60; round++) {
        const int separator = separators[round % COUNT_OF(separators)];
        const size_t rare = 1 + random_below(&seed, round % 2 ? 10 : 3000);
        const size_t n = round % 4 == 0 ? 9000 : random_below(&seed, 400);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(random_below(&seed, rare) == 0 ? separator : bytes[random_below(&seed, sizeof bytes - 1)]);
        verify(names[round % COUNT_OF(names)], separator, text, n);
        verify(round % 2 ? "json" : "text", separator, text, n);
    }
    free(text);
}

/* Records that leave brackets open begin anew with every instruction set. */
TEST(test_open_records_with_all_instructions) {
    static char text[1200];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "[[\n"[i % 3];
    for (size_t k = 0; pm_simd_at(k); k++) {
        pm_context *context;
        pm_check *check;
        pm_check_summary found;
        if (pm_context_create(&(pm_options){.struct_size = sizeof(pm_options), .simd = pm_simd_at(k)->name},
                              &context) != PM_OK)
            continue; /* this CPU does not have it */
        assert_ok(pm_check_create(context, pm_language_by_name("json"), NULL, NULL, NULL, &check));
        assert_ok(pm_check_set_records(check, '\n'));
        assert_ok(pm_check_push(check, text, sizeof text));
        assert_ok(pm_check_finish(check, &found));
        assert_int_equal(found.records, 400);
        assert_int_equal(found.unmatched.open, 800);
        assert_int_equal(found.max_depth, 2);
        pm_check_destroy(check);
        pm_context_destroy(context);
    }
}

/* Soup of brackets that close in their record, so that chunks are read by masks, and opens that survive them. */
TEST(test_deep_records) {
    char *const text = allocate(LONG_TEXT, 1);
    for (size_t depth = 1; depth < 10000; depth = depth * 3 + 1) {
        size_t n = 0;
        while (n + 2 * depth + 1 <= LONG_TEXT) {
            memset(text + n, '[', depth);
            memset(text + n + depth, ']', depth);
            text[n + 2 * depth] = '\n';
            n += 2 * depth + 1;
        }
        verify("json", '\n', text, n);
        text[n / 2] = 'x';
        verify("json", '\n', text, n);
    }
    free(text);
}

/* ---- Records by calls and by offsets ---- */

static void verify_offsets(const char *name, const char *text, size_t n, const uint64_t *offsets, size_t count) {
    const pm_language *const language = pm_language_by_name(name);
    findings expected = findings_create(FAULTS_MAX), found = findings_create(FAULTS_MAX);
    pm_check *const alone = check_of(language, &expected), *const check = check_of(language, &found);
    pm_check_summary sum = {.bytes = n}, summary;
    for (size_t r = 0; r < count; r++) {
        add_record(alone, &expected, text + offsets[r], (size_t)(offsets[r + 1] - offsets[r]), &sum);
        advance(&expected.begin, text + offsets[r], (size_t)(offsets[r + 1] - offsets[r]));
    }
    finish_sum(&sum, text, n);
    assert_ok(pm_check_text_records(check, text, offsets, count, &summary));
    assert_same(&expected, &sum, &found, &summary);
    clear(&found);
    for (size_t r = 0; r < count; r++) {
        assert_ok(pm_check_push(check, text + offsets[r], (size_t)(offsets[r + 1] - offsets[r])));
        assert_ok(pm_check_end_record(check));
    }
    assert_ok(pm_check_finish(check, &summary));
    assert_same(&expected, &sum, &found, &summary);
    pm_check_destroy(alone);
    pm_check_destroy(check);
}

TEST(test_records_by_offsets) {
    char *const text = allocate(LONG_TEXT + 100, 1);
    uint64_t *const offsets = allocate(LONG_TEXT, sizeof *offsets), seed = 3;
    for (unsigned round = 0; round < 20; round++) {
        const size_t n = make_records(text, 5000, '\n', 30, &seed);
        size_t count = 0;
        for (offsets[0] = 0; offsets[count] < n; count++) {
            const uint64_t end = offsets[count] + random_below(&seed, round % 2 ? 20 : 3000);
            offsets[count + 1] = end < n ? end : n;
        }
        verify_offsets(names[round % COUNT_OF(names)], text, n, offsets, count);
        verify_offsets("json", text, n, offsets, count);
    }
    free(offsets);
    free(text);
}

/* A good text whose brackets fit, cut anywhere: they do not in the records, unless a cut is where nothing is open. */
TEST(test_records_of_a_good_text) {
    enum {
        N = 6000
    };
    static char text[N];
    uint64_t *const offsets = allocate(N + 1, sizeof *offsets), seed = 17;
    for (unsigned round = 0; round < 60; round++) {
        const size_t deepest = 1 + round % 5;
        size_t depth = 0, count = 0;
        for (size_t i = 0; i < N; i++) {
            const bool opens = depth == 0 || (depth < deepest && i + depth + 1 < N && random_below(&seed, 2));
            depth += opens ? 1 : (size_t)-1;
            text[i] = opens ? '[' : ']';
            if (random_below(&seed, depth == 0 ? 2 : 1000) == 0)
                offsets[count++] = i + 1;
        }
        offsets[0] = 0;
        offsets[count] = N;
        verify_offsets("json", text, N, offsets, count);
        for (size_t k = 0; pm_simd_at(k); k++) {
            findings none = findings_create(1);
            pm_check_summary sum = {.bytes = N, .lines = 1}, summary;
            pm_context *context;
            pm_check *check;
            if (pm_context_create(&(pm_options){.struct_size = sizeof(pm_options), .simd = pm_simd_at(k)->name},
                                  &context) != PM_OK)
                continue; /* this CPU does not have it */
            assert_ok(pm_check_create(context, pm_language_by_name("json"), NULL, NULL, NULL, &check));
            for (size_t r = 0; r < count; r++)
                add_record(check, &none, text + offsets[r], (size_t)(offsets[r + 1] - offsets[r]), &sum);
            assert_ok(pm_check_text_records(check, text, offsets, count, &summary));
            assert_memory_equal(&summary, &sum, sizeof sum);
            pm_check_destroy(check);
            pm_context_destroy(context);
        }
    }
    free(offsets);
}

TEST(test_empty_records_of_no_text) {
    static const uint64_t offsets[] = {0, 0, 0};
    static const char *const languages[] = {"json", "c", "xml"};
    for (size_t k = 0; k < COUNT_OF(languages); k++) {
        findings found = findings_create(1);
        pm_check *const check = check_of(pm_language_by_name(languages[k]), &found);
        pm_check_summary summary;
        assert_ok(pm_check_text_records(check, NULL, offsets, 2, &summary));
        assert_int_equal(summary.records, 2);
        assert_int_equal(summary.bad_records, 0);
        pm_check_destroy(check);
    }
}

/* ---- Short records of code, which are read many at once ---- */

TEST(test_short_records_of_code) {
    enum {
        ROUNDS = 400,
        TEXT = 9000
    };
    char *const text = allocate(TEXT + 1000, 1);
    uint64_t *const offsets = allocate(TEXT + 2, sizeof *offsets), seed = 11;
    for (unsigned round = 0; round < ROUNDS; round++) {
        static const int separators_here[] = {'\n', '\n', 0, 0x1e, ';', 'R', '"', '(', '/'};
        const int separator = separators_here[random_below(&seed, COUNT_OF(separators_here))];
        const size_t most = round % 8 == 0 ? TEXT : random_below(&seed, 250);
        const pm_language *const language = pm_language_at(round % pm_language_count());
        size_t n = 0, count = 0;
        offsets[0] = 0;
        while (n < most) {
            n += make_code(text + n, &seed);
            if (random_below(&seed, 2) == 0)
                text[n++] = (char)separator;
            if (random_below(&seed, 3) > 0 && count < TEXT)
                offsets[++count] = n;
        }
        offsets[count + 1] = n;
        verify_offsets(pm_language_name(language), text, n, offsets, count + 1);
        verify(pm_language_name(language), separator, text, n);
    }
    free(offsets);
    free(text);
}

TEST(test_lines) {
    enum {
        ROUNDS = 20,
        LINES = 100
    };
    char *const text = allocate(LINES * MAKE_LINE_BYTES, 1);
    uint64_t *const offsets = allocate(LINES + 1, sizeof *offsets), seed = 23;
    for (size_t round = 0; round < ROUNDS * pm_language_count(); round++) {
        const char *const name = pm_language_name(pm_language_at(round % pm_language_count()));
        size_t n = 0;
        offsets[0] = 0;
        for (size_t k = 0; k < LINES; k++)
            offsets[k + 1] = n += make_line(text + n, &seed);
        verify_offsets(name, text, n, offsets, LINES);
        verify(name, '\n', text, n);
    }
    free(offsets);
    free(text);
}

TEST(test_pairs_of_lines) {
    char text[MAKE_PAIR_BYTES];
    for (size_t l = 0; l < pm_language_count(); l++)
        for (size_t k = 0; k < COUNT_OF(line_pairs); k++)
            for (size_t pad = 0; pad < 64; pad += 40) {
                const char *const name = pm_language_name(pm_language_at(l));
                const size_t n = make_pair(text, LINE_OF_CODE, line_pairs[k], pad);
                verify(name, '\n', text, n);
                for (size_t i = 0; i < n; i++)
                    text[i] = (char)(text[i] == '\n' ? 0 : text[i] == '\v' ? '\n' : text[i]);
                verify(name, PM_RECORDS_NUL, text, n);
            }
}

static void verify_delimited(const char *name, uint64_t *seed) {
    enum {
        LINES = 150
    };
    char *const text = allocate(LINES * MAKE_LINE_BYTES, 1);
    uint64_t *const offsets = allocate(LINES + 1, sizeof *offsets);
    size_t n = 0;
    offsets[0] = 0;
    for (size_t k = 0; k < LINES; k++)
        offsets[k + 1] = n += make_delimited_line(text + n, seed);
    verify_offsets(name, text, n, offsets, LINES);
    verify(name, '\n', text, n);
    verify(name, ' ', text, n);
    free(offsets);
    free(text);
}

TEST(test_lines_with_delimiters) {
    static const char *const languages[] = {"pascal", "sql", "mysql", "latex", "html", "xml", "jinja", "vue", "svelte"};
    uint64_t seed = 31;
    for (size_t round = 0; round < 40 * COUNT_OF(languages); round++)
        verify_delimited(languages[round % COUNT_OF(languages)], &seed);
}

/* Lines that are longer than what is read of a text at once, and more of them than records are. */
TEST(test_long_lines_with_delimiters) {
    static const char *const languages[] = {"pascal", "sql", "latex", "html", "xml", "jinja", "vue"};
    static const char *const pieces[] = {
        "begin x(1); end; ", "(case when a then b end) ", "\\begin{a}x\\end{a} ", "<i>x</i>",
        "<i>x</i>",          "{% if a %}b{% endif %} ",   "<b>{{ c }}</b>"};
    char *const text = allocate(LONG_TEXT + 4000, 1);
    uint64_t seed = 37;
    for (size_t round = 0; round < 4 * COUNT_OF(languages); round++) {
        const size_t l = round % COUNT_OF(languages), length = strlen(pieces[l]);
        const size_t most = round / COUNT_OF(languages) % 2 ? 4 : 90; /* pieces of a line */
        size_t n = 0;
        while (n < LONG_TEXT) {
            for (size_t k = random_below(&seed, most); k > 0; k--, n += length)
                memcpy(text + n, pieces[l], length);
            n -= n > 0 && random_below(&seed, 300) == 0; /* a line may be bad */
            text[n++] = '\n';
        }
        verify(languages[l], '\n', text, n);
    }
    free(text);
}

TEST(test_pairs_with_delimiters) {
    static const struct {
        const char *language, *line;
    } lines[] = {{"xml", "<a>x</a> <b c=\"d\"/>\n"},
                 {"html", "<p>x</p> <b>y</b><br>\n"},
                 {"html", "<!-- x --><i>y</i>\n"},
                 {"xml", "<!-- x --><i>y</i>\n"},
                 {"vue", "<p :a=\"b\">{{ c }}</p>\n"},
                 {"svelte", "<p>{c}</p>\n"},
                 {"jinja", "{{ a }} {% if b %}{% endif %}\n"},
                 {"latex", "\\emph{x} $y$\n"},
                 {"sql", "select (case when a then b end);\n"},
                 {"pascal", "begin f(a); end;\n"}};
    char text[MAKE_PAIR_BYTES];
    for (size_t l = 0; l < COUNT_OF(lines); l++)
        for (size_t k = 0; k < COUNT_OF(delimited_pairs); k++)
            for (size_t pad = 0; pad < 64; pad += 31) {
                const size_t n = make_pair(text, lines[l].line, delimited_pairs[k], pad);
                verify(lines[l].language, '\n', text, n);
            }
}

/* Code of PHP ends with its line, or something of it goes on behind. */
TEST(test_pairs_of_php) {
    static const char *const pairs[] = {"<?php f(\n); ?>\n",
                                        "<?php \"{$a ?>\n<?php }(\" ?>\n",
                                        "<?php \"{$a // ?>\n<?php }(\" ?>\n",
                                        "<?php // ( ?>\n<? ( ?>\n",
                                        "<?php # ( ?>x\n<? ( ?>\n",
                                        "<?\"#a ?>\n(\" ?>\n",
                                        "<?php <<<E ?>\n(\nE; ?>\n",
                                        "<? # ( ?>x<?\n( ?>\n",
                                        "<?php /* ?>\n( */ ?>\n",
                                        "<\n?php ( ?>\n",
                                        "<?php 'a ?>\n(' ?>\n",
                                        "<?php a ?\n>( ?>\n",
                                        "<?php `?>\n(` ?>\n",
                                        "<?php a ?><?'\n' ( ?>\n"};
    char text[MAKE_PAIR_BYTES];
    for (size_t k = 0; k < COUNT_OF(pairs); k++)
        for (size_t pad = 0; pad < 64; pad += 31) {
            const size_t n = make_pair(text, "<b><?php f([1], 'a)') ?></b>\n", pairs[k], pad);
            verify("php", '\n', text, n);
        }
}

/* Runs of good records and of bad ones, each up to as long as records are read alone, and longer. */
TEST(test_runs_of_bad_records) {
    static const char *const languages[] = {"python", "c", "sh", "php", "ruby", "json"};
    static const char *const good[] = {"f(1)\n", "\n", "x = {[2]}\n"}, *const bad[] = {"f(\n", "\"x\n", "]}\n",
                                                                                       "#if a\n"};
    enum {
        RECORDS = 600,
        LONGEST = 80
    };
    char *const text = allocate(RECORDS * MAKE_LINE_BYTES, 1);
    uint64_t *const offsets = allocate(RECORDS + 1, sizeof *offsets), seed = 29;
    for (size_t round = 0; round < 10 * COUNT_OF(languages); round++) {
        size_t n = 0, left = 0;
        bool are_good = false;
        offsets[0] = 0;
        for (size_t r = 0; r < RECORDS; r++, left--) {
            if (left == 0) {
                left = 1 + random_below(&seed, random_below(&seed, 2) ? LONGEST : 4);
                are_good = !are_good;
            }
            const char *const record =
                are_good ? good[random_below(&seed, COUNT_OF(good))] : bad[random_below(&seed, COUNT_OF(bad))];
            memcpy(text + n, record, strlen(record));
            offsets[r + 1] = n += strlen(record);
        }
        verify_offsets(languages[round % COUNT_OF(languages)], text, n, offsets, RECORDS);
        verify(languages[round % COUNT_OF(languages)], '\n', text, n);
    }
    free(offsets);
    free(text);
}

/* A record that ends behind an #if, and one that closes more than it opens: whole words, read in bulk. */
TEST(test_open_branches) {
    enum {
        PAIRS = 40, /* of records, so many that some are read alone */
        OPENS = 256,
        CLOSES = 128
    };
    static const char directive[] = "#if a\n";
    char *const text = allocate(PAIRS, OPENS + CLOSES);
    uint64_t offsets[2 * PAIRS + 1] = {0};
    for (size_t k = 0; k < PAIRS; k++) {
        char *const pair = text + k * (OPENS + CLOSES);
        memset(pair, '(', OPENS);
        memcpy(pair, directive, strlen(directive));
        memset(pair + OPENS, ')', CLOSES);
        offsets[2 * k + 1] = k * (OPENS + CLOSES) + OPENS;
        offsets[2 * k + 2] = (k + 1) * (OPENS + CLOSES);
    }
    verify_offsets("c", text, PAIRS * (OPENS + CLOSES), offsets, COUNT_OF(offsets) - 1);
    free(text);
}

/* ---- Arguments, and a state in the middle ---- */

TEST(test_arguments) {
    static const uint64_t up[] = {0, 2, 3}, down[] = {0, 3, 2};
    findings found = findings_create(1);
    pm_check *const check = check_of(pm_language_by_name("json"), &found);
    pm_check_summary summary;
    assert_invalid(pm_check_set_records(NULL, '\n'));
    assert_invalid(pm_check_set_records(check, -2));
    assert_invalid(pm_check_set_records(check, 256));
    assert_invalid(pm_check_end_record(NULL));
    assert_invalid(pm_check_text_records(check, "[]]", down, 2, &summary));
    assert_invalid(pm_check_text_records(check, NULL, up, 2, &summary));
    assert_invalid(pm_check_text_records(check, "[]]", NULL, 2, &summary));
    assert_ok(pm_check_push(check, "[", 1));
    assert_invalid(pm_check_set_records(check, '\n'));
    assert_invalid(pm_check_text_records(check, "[]]", up, 2, &summary));
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(summary.records, 0);
    clear(&found);
    assert_ok(pm_check_set_records(check, '\n')); /* after one fault no more are wanted */
    assert_ok(pm_check_text(check, "]\n]\n", 4, &summary));
    assert_int_equal(found.count, 1);
    assert_int_equal(summary.bad_records, 2);
    assert_ok(pm_check_set_records(check, PM_RECORDS_NONE));
    assert_ok(pm_check_text(check, "[\n]", 3, &summary));
    assert_int_equal(summary.bad_records + summary.unmatched.open, 0);
    pm_check_destroy(check);
}

TEST(test_open_and_saved_records) {
    static const char *const languages[] = {"json", "c", "xml"};
    static const char *const heads[] = {"[{\n{[\"a", "{(\n{/*", "<a><b>\n<c x=\""};
    for (size_t l = 0; l < COUNT_OF(languages); l++) {
        findings found = findings_create(FAULTS_MAX);
        pm_check *const check = check_of(pm_language_by_name(languages[l]), &found);
        pm_check_state *saved;
        pm_check_summary first, second;
        pm_open_bracket open;
        pm_open_end end;
        uint64_t count;
        char suffix[40];
        size_t length;
        assert_ok(pm_check_set_records(check, '\n'));
        assert_ok(pm_check_push(check, heads[l], strlen(heads[l])));
        assert_ok(pm_check_open(check, &open, 1, &count, &end));
        assert_int_equal(count, l == 0 ? 2 : l == 1 ? 1 : 0);
        assert_true(count == 0 || open.at.line == 2);
        assert_int_equal(end.offset, strlen(heads[l]));
        assert_ok(pm_check_save(check, &saved));
        assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
        assert_ok(pm_check_text(check, suffix, length, &first));
        assert_int_equal(first.records, 2);
        assert_int_equal(first.bad_records, 1);
        assert_ok(pm_check_restore(check, saved));
        assert_ok(pm_check_text(check, suffix, length, &second));
        assert_memory_equal(&first, &second, sizeof first);
        pm_check_state_destroy(saved);
        pm_check_destroy(check);
    }
}
