/* SPDX-License-Identifier: Apache-2.0 */
/* Suffixes that are kept from one question to the next, in branches that leave different brackets open, in patterns and
 * in the code of strings behind faults: a check that is asked after each piece answers as one that is asked once. */
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"

enum {
    TEXT_MAX = 1000,
    SUFFIX_MAX = 500
};

enum {
    BRANCHES = 13 /* pieces of nothing but branches and brackets */
};

static const char *const pieces[] = {
    "#if A\n",
    "#else\n",
    "#elif B\n",
    "#endif\n",
    "\n#if 0\n",
    "\n#endif",
    "#if A\n(\n#else\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "int x = y;\n",
    "\"",
    "'",
    "//",
    "/*",
    "*/",
    "\n",
    "\\",
    "\\\n",
    "'\\''",
    "x",
    "#",
    "R\"(",
    ")\"",
    "\n#endif\n",
    "\"a\\",
    "// a \\b",
    "/* b */ ",
    "\n/* a comment that fills more than a word of the text that is being read at once */\n#else\n",
    "\n/* the same, and behind it another end of what the branches are about, alone */\n#endif\n"};

/* Of languages with code in strings. */
static const char *const literals[] = {"`",  "${", "`${",  "{",    "}",          "(",      ")",     "[",
                                       "]",  "\"", "\"${", "$\"{", "#{",         "\"$(",   "$(",    "'",
                                       "x",  "\n", "/",    "<a>",  "</a>",       "\\(",    " ",     "''${",
                                       "$'", ";;", "((",   "))",   "case x in ", "esac\n", "<<E\n", "E\n"};

typedef struct walk {
    const pm_language *language;
    pm_check *check;
    char text[TEXT_MAX]; /* of the record */
    size_t n, saved_n;
    pm_check_state *saved;
    uint64_t seed;
} walk;

static pm_check *check_of(const pm_language *language) {
    pm_check *check;
    assert_ok(pm_check_create(NULL, language, NULL, NULL, NULL, &check));
    return check;
}

/* Asks, and where it is `sure`, another check once. */
static void ask(walk *at, bool sure) {
    static const size_t capacities[] = {0, 3, 16, SUFFIX_MAX};
    const size_t capacity = capacities[random_below(&at->seed, 4)];
    char given[SUFFIX_MAX], right[SUFFIX_MAX];
    size_t given_length, right_length;
    memset(given, 0, sizeof given);
    memset(right, 0, sizeof right);
    const pm_status status = pm_check_suffix(at->check, given, capacity, &given_length);
    if (!sure)
        return;
    pm_check *const once = check_of(at->language);
    assert_ok(pm_check_push(once, at->text, at->n));
    assert_int_equal(status, pm_check_suffix(once, right, capacity, &right_length));
    if (given_length != right_length || (status == PM_OK && memcmp(given, right, sizeof given) != 0))
        fail_msg("%s <%.*s> <%.*s>, not <%.*s>", pm_language_name(at->language), (int)at->n, at->text, (int)capacity,
                 given, (int)capacity, right);
    pm_check_destroy(once);
}

static void compare(walk *at) {
    ask(at, true);
}

static void append(walk *at, const char *bytes, size_t n) {
    memcpy(at->text + at->n, bytes, n);
    at->n += n;
    assert_ok(pm_check_push(at->check, bytes, n));
}

/* Asks after each byte or behind the piece; of eleven answers, which take hardly any time, one is compared. */
static void push_piece(walk *at, const char *piece) {
    const size_t n = strlen(piece), step = random_below(&at->seed, 3) > 0 ? 1 : n;
    for (size_t i = 0; i < n; i += step) {
        append(at, piece + i, step);
        ask(at, at->n % 11 == 0);
    }
}

static void save(walk *at) {
    pm_check_state_destroy(at->saved);
    assert_ok(pm_check_save(at->check, &at->saved));
    at->saved_n = at->n;
}

static void go_back(walk *at) {
    if (!at->saved)
        return;
    assert_ok(pm_check_restore(at->check, at->saved));
    at->n = at->saved_n;
    compare(at);
}

static void end_record(walk *at) {
    assert_ok(pm_check_end_record(at->check));
    pm_check_state_destroy(at->saved);
    at->saved = NULL;
    at->n = 0;
    compare(at);
}

static void run(const pm_language *language, const char *first, const char *const *from, size_t pieces_used,
                uint64_t seed) {
    walk at = {.language = language, .check = check_of(language), .seed = seed};
    push_piece(&at, first);
    while (at.n + 100 < TEXT_MAX) {
        const size_t what = random_below(&at.seed, 40);
        if (what == 0)
            save(&at);
        else if (what < 3)
            go_back(&at);
        else if (what == 3 && random_below(&at.seed, 4) == 0)
            end_record(&at);
        else
            push_piece(&at, from[random_below(&at.seed, pieces_used)]);
    }
    pm_check_state_destroy(at.saved);
    pm_check_destroy(at.check);
}

/* Nothing that is nested deep is read again for each piece, which would take minutes here. */
TEST(test_deep) {
    enum {
        DEEP = 20000
    };
    static const char level[] = "#if A\n(\n#else\n";
    pm_check *const check = check_of(pm_language_by_name("c"));
    for (size_t k = 0; k < DEEP; k++)
        for (size_t i = 0; i + 1 < sizeof level; i++) {
            char suffix[16];
            size_t length;
            assert_ok(pm_check_push(check, level + i, 1));
            assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
            if (i + 2 == sizeof level) {
                assert_int_equal(length, 8 * (k + 1) + 1);
                assert_memory_equal(suffix, k > 0 ? "\n#endif\n\n#endif\n" : "\n#endif\n)", k > 0 ? 16 : 9);
            }
        }
    pm_check_destroy(check);
}

/* Another byte, which is taken back. */
static void try_byte(walk *at, char byte) {
    char suffix[16];
    size_t length;
    save(at);
    assert_ok(pm_check_push(at->check, &byte, 1));
    (void)pm_check_suffix(at->check, suffix, sizeof suffix, &length);
    assert_ok(pm_check_restore(at->check, at->saved));
}

/* The same behind a beginning that is pushed at once, and where the text goes back after each byte. */
static void type_deep(const char *name, const char *begin, const char *level) {
    enum {
        DEEP = 3000
    };
    walk at = {.language = pm_language_by_name(name), .check = check_of(pm_language_by_name(name))};
    const size_t n = strlen(level), length = strlen(begin);
    char *const text = malloc(length + DEEP * n);
    assert_non_null(text);
    memcpy(text, begin, length);
    for (size_t k = 0; k < DEEP; k++)
        memcpy(text + length + k * n, level, n);
    const size_t at_once = length + (length > 0 ? DEEP / 2 * n : 0);
    assert_ok(pm_check_push(at.check, text, at_once));
    for (size_t i = at_once; i < length + DEEP * n; i++) {
        char suffix[2][16] = {{0}};
        size_t lengths[2];
        assert_ok(pm_check_push(at.check, text + i, 1));
        try_byte(&at, '\n');
        const pm_status status = pm_check_suffix(at.check, suffix[0], sizeof suffix[0], &lengths[0]);
        if (i % 4001 > 0)
            continue;
        pm_check *const once = check_of(at.language);
        assert_ok(pm_check_push(once, text, i + 1));
        assert_int_equal(status, pm_check_suffix(once, suffix[1], sizeof suffix[1], &lengths[1]));
        assert_int_equal(lengths[0], lengths[1]);
        if (status == PM_OK)
            assert_memory_equal(suffix[0], suffix[1], sizeof suffix[0]);
        pm_check_destroy(once);
    }
    pm_check_state_destroy(at.saved);
    pm_check_destroy(at.check);
    free(text);
}

TEST(test_deep_pieces) {
    type_deep("c", "", "#if A\n(\n#else\n");
    type_deep("shell", "", "case x in {");
    type_deep("shell", "<<'E' ", "case x in {{");
    type_deep("javascript", "x)", "`${");
    type_deep("kotlin", "x)", "\"${");
    type_deep("csharp", "", "m{$\"def ");
}

TEST(test_walks) {
    static const char *const languages[] = {"c", "c++", "csharp", "verilog"};
    for (uint64_t round = 0; round < 120; round++)
        run(pm_language_by_name(languages[round % 4]), pieces[6], pieces, sizeof pieces / sizeof *pieces, round);
    for (uint64_t round = 0; round < 60; round++)
        run(pm_language_by_name("c"), pieces[6], pieces, BRANCHES, round);
}

/* What was kept of a text that was given up is not used, however often the check goes back later. */
TEST(test_going_back_often) {
    static const char given_up[] = ") `${ ( ( `${ (", text[] = ") `${ [ ( `${ (";
    walk at = {.language = pm_language_by_name("javascript"), .check = check_of(pm_language_by_name("javascript"))};
    append(&at, "x", 1);
    save(&at);
    append(&at, given_up, sizeof given_up - 1);
    compare(&at);
    go_back(&at);
    append(&at, text, sizeof text - 1);
    for (size_t k = 0; k < 40; k++) {
        save(&at);
        assert_ok(pm_check_restore(at.check, at.saved));
        append(&at, "(", 1);
    }
    for (size_t k = 0; k < 10; k++)
        compare(&at);
    pm_check_state_destroy(at.saved);
    pm_check_destroy(at.check);
}

/* The parenthesis behind a pattern is one of the string's code, whatever is open. */
TEST(test_case_in_string) {
    static const char text[] = "}\"${$(case in ";
    walk at = {.language = pm_language_by_name("shell"), .check = check_of(pm_language_by_name("shell"))};
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        append(&at, text + i, 1);
        compare(&at);
    }
    pm_check_destroy(at.check);
}

TEST(test_walks_in_strings) {
    static const char *const languages[] = {"javascript", "shell", "ruby", "kotlin", "csharp", "nix", "tsx", "julia"};
    for (uint64_t round = 64; round < 72; round++)
        run(pm_language_by_name(languages[round % 8]), ")", literals, sizeof literals / sizeof *literals, round);
}

/* In patterns of `case`, of which parentheses end some. */
TEST(test_walks_in_patterns) {
    static const char *const patterns[] = {
        "case x in ", "case x in ", "{",  "{",      "{{", "(",  "(",  ")", "}", "[",     "]",   "x",  "a|b) ", "`",
        "'",          "\"",         ";;", "esac\n", " ",  "\n", "\\", "$", "#", "<<E\n", "E\n", "$(", "${"};
    for (uint64_t round = 0; round < 8; round++)
        run(pm_language_by_name("shell"), round % 2 ? "case x in {{{{{{{{{" : "{[{{[{{{{{case x in ", patterns,
            COUNT_OF(patterns), round);
}

static void type_in_braces(size_t n, void *first) {
    char suffix[16];
    size_t length;
    pm_check *const check = check_of(pm_language_by_name("shell"));
    assert_ok(pm_check_push(check, first, strlen(first)));
    for (size_t i = 0; i < n; i++) {
        assert_ok(pm_check_push(check, &"ab c"[i % 4], 1));
        assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
    }
    pm_check_destroy(check);
}

/* The suffix of a text that must be read is not read each time. */
TEST(test_text_in_a_pattern) {
    char pattern[] = "case x in {{{{{{{{", code[] = "{{{{{{{{";
    assert_true(
        takes_at_most(5, (timed_work){type_in_braces, 10000, pattern}, (timed_work){type_in_braces, 10000, code}));
}

typedef struct deep_text {
    const char *language, *piece, *typed;
    size_t pieces;
} deep_text;

/* Types what is typed, n times, behind many pieces. */
static void type_behind(size_t n, void *text) {
    const deep_text *const deep = text;
    char suffix[16];
    size_t length;
    pm_check_state *state;
    pm_check *const check = check_of(pm_language_by_name(deep->language));
    for (size_t k = 0; k < deep->pieces; k++)
        assert_ok(pm_check_push(check, deep->piece, strlen(deep->piece)));
    assert_ok(pm_check_save(check, &state));
    for (size_t k = 0; k < n; k++) {
        assert_ok(pm_check_restore(check, state));
        for (const char *byte = deep->typed; *byte; byte++) {
            assert_ok(pm_check_push(check, byte, 1));
            (void)pm_check_suffix(check, suffix, sizeof suffix, &length);
        }
    }
    pm_check_state_destroy(state);
    pm_check_destroy(check);
}

/* What is nested deep is not read again: that there is no suffix is known where the first open is given up, and rests
 * are kept also behind strings whose closers might be doubled. */
TEST(test_bytes_behind_deep_texts) {
    deep_text texts[] = {{"c", "#if A\n(\n#else\n{\n#endif\n", "#if A\nx(", 5000},
                         {"c", "#if A\n({\n#endif\n", "#if A\n({\n#endif", 5000},
                         {"csharp", "]%{$@\"", "]%{$@\"", 5000}};
    for (size_t k = 0; k < COUNT_OF(texts); k++) {
        deep_text few = texts[k];
        few.pieces = 10;
        assert_true(takes_at_most(5, (timed_work){type_behind, 300, &texts[k]}, (timed_work){type_behind, 300, &few}));
    }
}

/* Types elements and expressions behind one in which a quote waits, and many elements. */
static void type_behind_quote(size_t n, void *elements) {
    static const char element[] = "<b>text</b> ", typed[] = "<i>a {b} </i> c";
    char suffix[16];
    size_t length;
    pm_check *const check = check_of(pm_language_by_name("svelte"));
    assert_ok(pm_check_push(check, "{`}", 3));
    for (size_t k = 0; k < *(size_t *)elements; k++)
        assert_ok(pm_check_push(check, element, sizeof element - 1));
    for (size_t i = 0; i < n; i++) {
        assert_ok(pm_check_push(check, typed + i % (sizeof typed - 1), 1));
        assert_ok(pm_check_suffix(check, suffix, sizeof suffix, &length));
    }
    pm_check_destroy(check);
}

/* What is behind a quote that may yet begin a string is not read again, as long as it waits. */
TEST(test_text_behind_a_waiting_quote) {
    size_t many = 5000, few = 10;
    assert_true(
        takes_at_most(5, (timed_work){type_behind_quote, 3000, &many}, (timed_work){type_behind_quote, 3000, &few}));
}
