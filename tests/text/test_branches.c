/* SPDX-License-Identifier: Apache-2.0 */
/* Conditional branches: the check of C against every choice of branches, and what it says of each bracket. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "parenmatch.h"
#include "tests/support/unit.h"
#include "tests/text/reported.h"
#include "tests/text/summary.h"

#define TEXT_MAX 4096u
#define NOTHING UINT64_MAX

/* Checks a text that is cut into two pieces. */
static uint64_t check_cut(pm_check *check, const char *text, size_t n, size_t cut) {
    pm_check_summary summary;
    assert_ok(pm_check_push(check, text, cut));
    assert_ok(pm_check_push(check, text + cut, n - cut));
    assert_ok(pm_check_finish(check, &summary));
    return summary_faults(&summary);
}

/* Each bracket that is reported has a ~ before it. */
static const char *const texts[] = {
    "#if A\nif (a) {\n#else\nif (b) {\n#endif\n}\n",
    "#ifdef A\n{\n#endif\n(x)\n#ifdef A\n}\n#endif\n",
    "#ifndef H\n#define H\n#ifdef C\n\"C\" {\n#endif\nf() { if (x) { } }\n#ifdef C\n}\n#endif\n#endif\n",
    "#ifndef H\nf() ~{ if (x) { }\n#endif\n",
    "#ifndef H\nf() { if (x) { } }\n~}\n#endif\n",
    "#ifndef H\nf(~]~) { }\n#endif\n",
    "#if A\nx(\n#else\ny[\n#endif\n1\n#if A\n)\n#else\n]\n#endif\n",
    "{\n#if A\n} else {\n#endif\n#if B\n} else if (b) {\n#elif C\n} else if (c) {\n#endif\n}\n",
    "{\n#if A\n}\n#endif\n#if !A\n}\n#endif\n",
    "{\n#if A\n{\n#elif B\n{\n#elif C\n{\n#else\n{\n#endif\n}}\n",
    "#if 0\n(]}\n#endif\n()\n",
    "#if 0 /* ( */\n(]}\n#if A\n(\n#else\n)\n#endif\n)\n#else\n(\n#endif\n)\n",
    "#if 0x1\n~(\n#endif\n",
    "#if 0\n(\n#elif A\n~(\n#endif\n",
    "  #\t if /* ( */ A \\\n (b)\n(\n#  else // (\n(\n #endif /* ( */\n)\n",
    "#if(A)\n(\n#else\n(\n#endif\n)\n",
    "#ifdef A\n#if B\n{\n#else\n{\n#endif\n#else\n{\n#endif\n}\n",
    "~}\n#else\n(\n#endif\n)\n#elif\n",
    "#if A\n(\n#if B\n)\n#else\n)",
    "((\n#if A\n~]\n#endif\n))",
    "{\n#if A\n(\n#else\n~[\n#endif\n)\n}\n~)\n",
    "/*\n#if A\n*/ (\n#endif\n) \"\\\n#if A \\\n(\" #if A\n",
    "#define a \\\n#if A (\n)",
    "#define a \\\n\n#if A\n(\n#else\n(\n#endif\n)\n", /* the empty line ends the definition */
    "#define a \\\n \t\n\n #if A\n(\n#else\n(\n#endif\n)\n",
    "#define a \\\r\n\r\n#if A\n(\n#else\n(\n#endif\n)\n",
    "#if A\n#endif\n#if A\n~(\n#else\n",
    "#if A\n~[\n#else\n~(\n",
    "#if A\n~[\n#else\n~(\n#if B\nx\n#endif\n",
    "#if A\n(\n#endif\n~[\n",
    "#if 0\n)\n#elif B\n(\n#endif\n~{\n",
    "(\n#if A\n)\n~[\n#endif\n~[\n",
    "#if A\n~{\n#endif\n#if A\n~(\n",
    "(\n#if A\n~]\n~{\n#if A\n",
};

/* Every name. */
static const char *const named_texts[] = {
    "#ifdef A\n(\n#elifdef B\n(\n#elifndef C\n(\n#elif D\n(\n#else\n(\n#endif\n)\n",
    "#error don't (\n#warning don't (\n#region don't (\n#endregion don't (\n~(\n",
    "#undef A\n#pragma a ~(\n#include <b>\n~(\n",
    "#if A\n(\n#elif1\n#ifx\n#endifs\n#errors ()\n#else\n(\n#endif\n)\n",
};

/* In assembly other names than these are words of a comment. */
static const char *const assembly_texts[] = {
    "#a (\n#ifdef A\n(\n#elifdef (\n#else\n(\n#endif\n)\n#error (\n#warning (\n#region (\n#(\n",
    "#if A\n(\n#elif B\n(\n#else\n(\n#endif\n)\n#define a ~(\n#undef a ~(\n",
    "#ifndef a\n(\n)\n#endif\n#pragma a ~(\n#include ~(\n#pragmas (\n",
};

/* In Verilog a directive begins with a backtick, anywhere in a line. */
static const char *const verilog_texts[] = {
    "a = {\n`ifdef A\n1 }\n`else\n2 }\n`endif\n;\n",
    "f(x `ifdef A , y) `elsif B , z) `else ) `endif ;\n",
    "f(x `ifndef A , y ~] `endif );\n",
    "`ifdef A `ifdef B ( `else ( `endif `else ( `endif )\n",
    "`error ( // `else\n) `if 0 ~( `endif \"`else\" /* `ifdef */ x`elsef(`else_y)\n",
    "`define X `ifdef A \\\n ( `endif ~]\n",
    "``ifdef A(`else``else_(x`endif)`endifs~(`endif_if_a_name_is_long",
    "` ifdef A (\n` \telse (\n`\t endif )\n`",
};

static void check_texts(const char *language, const char *const *list, size_t count) {
    char text[TEXT_MAX];
    reported expected, found = {0};
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name(language), NULL, collect, &found, &check));
    for (size_t t = 0; t < count; t++)
        for (size_t before = 0; before <= 3000; before = before < 65 ? before + 13 : before + 1468) {
            const size_t n = read_marked(list[t], '~', before, text, &expected);
            for (size_t cut = before < 65 ? 0 : before; cut <= n; cut++) {
                found.count = 0;
                check_cut(check, text, n, cut);
                sort_reported(&found);
                if (found.count != expected.count || memcmp(found.at, expected.at, found.count * sizeof *found.at) != 0)
                    fail_msg("cut at %zu, %zu reported, the first at %zu: %s", cut - before, found.count,
                             found.count ? (size_t)found.at[0] - before : 0, list[t]);
            }
        }
    pm_check_destroy(check);
}

TEST(test_texts) {
    check_texts("c", texts, COUNT_OF(texts));
    check_texts("c", named_texts, COUNT_OF(named_texts));
    check_texts("glsl", named_texts, COUNT_OF(named_texts));
    check_texts("assembly", assembly_texts, COUNT_OF(assembly_texts));
    check_texts("verilog", verilog_texts, COUNT_OF(verilog_texts));
}

/* Notes the number of unmatched opens, or SIZE_MAX once one is reported behind a later one. */
static bool note_open(const pm_diagnostic *diagnostic, void *user) {
    uint64_t *const noted = user; /* their number, and the last one's place */
    if (diagnostic->fault != PM_FAULT_UNMATCHED_OPEN)
        return true;
    noted[0] = noted[0] == SIZE_MAX || (noted[0] > 0 && diagnostic->at.offset <= noted[1]) ? SIZE_MAX : noted[0] + 1;
    noted[1] = diagnostic->at.offset;
    return true;
}

/* Unmatched opens are reported in the order of their places, however branches gave them up. */
TEST(test_order_of_opens) {
    static const char *const pieces[] = {"(\n",       "[\n",       ")\n",        "((\n", "\n#if A\n",
                                         "\n#if B\n", "\n#else\n", "\n#endif\n", "{\n",  "a\n"};
    uint64_t seed = 1, noted[2], most = 0;
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, note_open, noted, &check));
    for (size_t round = 0; round < 2000; round++) {
        pm_check_summary summary;
        noted[0] = 0;
        for (size_t k = 1 + random_below(&seed, round % 10 ? 40 : 400); k > 0; k--) {
            const char *const piece = pieces[random_below(&seed, COUNT_OF(pieces))];
            assert_ok(pm_check_push(check, piece, strlen(piece)));
        }
        assert_ok(pm_check_finish(check, &summary));
        assert_int_equal(noted[0], summary.unmatched.open);
        most = noted[0] > most ? noted[0] : most;
    }
    assert_true(most > 30);
    pm_check_destroy(check);
}

/* A directive begins a line however many blanks are before it. */
TEST(test_far_from_a_lines_beginning) {
    static const char *const languages[] = {"c", "fortran", "glsl", "assembly"};
    static const char directives[] = "#ifdef A\n(\n#else\n(\n#endif\n)\n";
    const size_t length = strlen(directives);
    char text[TEXT_MAX];
    for (size_t l = 0; l < COUNT_OF(languages); l++) {
        pm_check *check;
        assert_ok(pm_check_create(NULL, pm_language_by_name(languages[l]), NULL, NULL, NULL, &check));
        for (size_t blanks = 0; blanks < 300; blanks += 3)
            for (size_t before = 0; before < 192; before += 31) {
                memset(text, ' ', sizeof text);
                text[0] = 'x';
                text[before] = '\n';
                memcpy(text + before + 1 + blanks, directives, length);
                assert_int_equal(check_cut(check, text, before + 1 + blanks + length, 0), 0);
            }
        pm_check_destroy(check);
    }
}

/* ---- Every choice of branches ---- */

static const char *const tokens[] = {"(", ")", "[", "]", "\n#if\n", "\n#else\n", "\n#endif\n"};
enum {
    IF = 4,
    ELSE,
    ENDIF,
    TOKENS,
    LENGTH = 6
};

typedef enum outcome {
    IMPOSSIBLE, /* there is no such branch */
    BALANCED,
    UNBALANCED
} outcome;

typedef struct choice_group {
    unsigned chosen, branch;
    bool has_else, live; /* live: what is around it is read */
} choice_group;

/* Closes a group, whose last branches may be implied. */
static bool possible(const choice_group *group) {
    const unsigned branches = group->branch + 1 + !group->has_else;
    return group->chosen < branches;
}

/* Reads tokens with one choice for every #if: a digit of that base. */
static outcome read_choice(const unsigned *list, size_t n, unsigned base, unsigned choice) {
    choice_group groups[LENGTH];
    unsigned open[LENGTH];
    size_t depth = 0, level = 0;
    outcome result = BALANCED;
    for (size_t i = 0; i < n; i++) {
        choice_group *const group = level ? &groups[level - 1] : NULL;
        const bool live = !group || (group->live && group->chosen == group->branch);
        if (list[i] == IF) {
            groups[level++] = (choice_group){choice % base, 0, false, live};
            choice /= base;
        } else if (list[i] == ELSE && group) {
            group->branch++;
            group->has_else = true;
        } else if (list[i] == ENDIF && group) {
            if (!possible(group))
                return IMPOSSIBLE;
            level--;
        } else if (live && list[i] < IF && list[i] % 2 == 0) {
            open[depth++] = list[i];
        } else if (live && list[i] < IF) {
            if (depth == 0 || open[--depth] + 1 != list[i])
                result = UNBALANCED;
        }
    }
    for (; level > 0; level--)
        if (!possible(&groups[level - 1]))
            return IMPOSSIBLE;
    return depth > 0 ? UNBALANCED : result;
}

/* If every choice is balanced, nothing is reported; if none is, something is. */
TEST(test_every_choice) {
    pm_check *check;
    assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, NULL, NULL, &check));
    size_t all = 0, none = 0;
    for (size_t number = 1; number < 823543; number++) { /* TOKENS to the LENGTH-th, except for a factor */
        char text[8 * LENGTH + 1] = "";
        unsigned list[LENGTH], base = 2, choices = 1;
        size_t n = 0;
        for (size_t rest = number; rest > 0 && n < LENGTH; rest /= TOKENS) {
            list[n] = (unsigned)(rest % TOKENS);
            base += list[n] == ELSE;
            strcat(text, tokens[list[n++]]);
        }
        for (size_t i = 0; i < n; i++)
            choices *= list[i] == IF ? base : 1;
        bool balanced = false, unbalanced = false;
        for (unsigned choice = 0; choice < choices; choice++) {
            const outcome result = read_choice(list, n, base, choice);
            balanced |= result == BALANCED;
            unbalanced |= result == UNBALANCED;
        }
        const uint64_t faults = check_cut(check, text, strlen(text), strlen(text) / 2);
        if ((!balanced && faults == 0) || (!unbalanced && faults > 0))
            fail_msg("%zu faults: %s", (size_t)faults, text);
        all += !unbalanced;
        none += !balanced;
    }
    assert_true(all > 1000 && none > 1000);
    pm_check_destroy(check);
}

/* The depth counts from the shallowest reading, whatever directives that change nothing come in between. */
TEST(test_depth_of_several_readings) {
    static const char *const list[] = {
        "#if A\n((\n#else\n(\n#endif\n[{{{}}}]",
        "#if A\n((\n#else\n(\n#endif\n[\n#if B\n#endif\n{{{}}}]",
        "#if A\n((\n#else\n(\n#endif\n[\n#if B\n{{{}}}\n#else\n[]\n#endif\n]",
        "#if A\n(\n#else\n((\n#endif\n[{{\n#if B\n#endif\n{}\n#if B\n#endif\n}}]",
    };
    char text[512];
    pm_check *check;
    pm_check_summary summary;
    assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, NULL, NULL, &check));
    for (size_t k = 0; k < COUNT_OF(list); k++)
        for (size_t before = 0; before <= 128; before += 64)
            for (size_t cut = 0; cut <= before + strlen(list[k]); cut++) {
                memset(text, '\n', sizeof text);
                memcpy(text + before, list[k], strlen(list[k]));
                assert_ok(pm_check_push(check, text, cut));
                assert_ok(pm_check_push(check, text + cut, sizeof text - cut));
                assert_ok(pm_check_finish(check, &summary));
                assert_int_equal(summary.max_depth, 5);
            }
    pm_check_destroy(check);
}

/* ---- Long texts ---- */

/* Many groups that open and close, at every depth; more readings than are kept; memory that does not grow. */
TEST(test_bounded_memory) {
    fault_allocator memory = {0};
    pm_context *context = context_with(&memory);
    pm_check *check;
    assert_ok(pm_check_create(context, pm_language_by_name("c"), NULL, NULL, NULL, &check));
    for (size_t i = 0; i < 20000; i++) {
        const char *const text = "f() {\n#ifdef A\n{ (\n#endif\n[1]\n#ifdef A\n)\n}\n#endif\n}\n";
        assert_ok(pm_check_push(check, text, strlen(text)));
    }
    pm_check_summary summary;
    assert_true(memory.peak_bytes < 200000);
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(summary_faults(&summary), 0);
    for (size_t i = 0; i < 40; i++)
        assert_ok(pm_check_push(check, "#if A\n(\n#endif\n", 15));
    for (size_t i = 0; i < 40; i++)
        assert_ok(pm_check_push(check, "#if A\n)\n#endif\n", 15));
    assert_ok(pm_check_finish(check, &summary));
    assert_int_equal(summary_faults(&summary), 0);
    for (size_t i = 0; i < 10000; i++)
        assert_ok(pm_check_push(check, "#if A\n(\n#endif\n", 15));
    assert_true(memory.peak_bytes < 10000 * 150); /* an entry for the open and one for the readings before it */
    assert_ok(pm_check_finish(check, &summary));
    pm_check_destroy(check);
    context_close(context, &memory);
}

/* Of more readings than are kept, the first of equally deep ones are. */
TEST(test_first_readings_stay) {
    static const char opens[] = "([{", closes[] = ")]}";
    for (unsigned kept = 0; kept < 9; kept++) {
        char text[200] = "#if A\n";
        const size_t kinds = 3;
        for (unsigned k = 0; k < 9; k++) {
            const char pair[] = {opens[k / kinds], opens[k % kinds], '\n', 0};
            strcat(text, pair);
            strcat(text, k < 7 ? "#elif A\n" : k < 8 ? "#else\n" : "#endif\n");
        }
        const char both[] = {closes[kept % kinds], closes[kept / kinds], 0};
        strcat(text, both);
        pm_check *check;
        assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, NULL, NULL, &check));
        pm_check_summary found;
        assert_ok(pm_check_push(check, text, strlen(text)));
        assert_ok(pm_check_finish(check, &found));
        assert_int_equal(found.mismatched + found.unmatched.close > 0, kept == 8);
        pm_check_destroy(check);
    }
}

/* Of more readings than are kept, the deepest go; of equally deep ones the first. */
TEST(test_deepest_readings_go) {
    static const char opens[] = "([{", closes[] = ")]}";
    for (unsigned kept = 0; kept < 9; kept++) {
        char text[200] = "#if A\n";
        for (unsigned k = 0; k < 8; k++) {
            const char pair[] = {opens[k / 3], opens[k % 3], '\n', 0};
            strcat(text, pair);
            strcat(text, k < 7 ? "#elif A\n" : "#else\n{\n#endif\n");
        }
        const char both[] = {closes[kept % 3], closes[kept / 3], 0};
        strcat(text, kept < 8 ? both : "}");
        pm_check *check;
        assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, NULL, NULL, &check));
        pm_check_summary found;
        assert_ok(pm_check_push(check, text, strlen(text)));
        assert_ok(pm_check_finish(check, &found));
        assert_int_equal(found.mismatched + found.unmatched.close > 0, kept == 0);
        pm_check_destroy(check);
    }
}

/* Opens of equal words before a directive: all of them are open behind it. */
TEST(test_equal_words_before_branches) {
    enum {
        WORDS = 40,
        N = 64 * WORDS
    };
    char opens[N], closes[N];
    for (size_t i = 0; i < N; i++) {
        opens[i] = "([{ "[i % 64 % 4];
        closes[N - 1 - i] = ")]} "[i % 64 % 4];
    }
    for (size_t wrong = 0; wrong < 2; wrong++) {
        pm_check *check;
        pm_check_summary found;
        reported faults = {.count = 0};
        assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, collect, &faults, &check));
        assert_ok(pm_check_push(check, opens, N));
        assert_ok(pm_check_push(check, "\n#if A\n#endif\n", 15));
        uint64_t count;
        assert_ok(pm_check_open(check, NULL, 0, &count, NULL));
        assert_int_equal(count, N / 4 * 3);
        assert_ok(pm_check_push(check, closes, N - 4 * wrong)); /* of which the last three close the first opens */
        assert_ok(pm_check_finish(check, &found));
        assert_int_equal(summary_faults(&found), 3 * wrong);
        for (size_t k = 0; k < faults.count; k++)
            assert_int_equal(faults.at[k], k);
        pm_check_destroy(check);
    }
}

static bool mix_fault(const pm_diagnostic *diagnostic, void *user) {
    uint64_t *const mixed = user;
    const uint64_t parts[] = {diagnostic->fault, diagnostic->at.offset, diagnostic->at.line, diagnostic->at.column,
                              diagnostic->partner.offset};
    for (size_t k = 0; k < COUNT_OF(parts); k++)
        *mixed = (*mixed ^ parts[k]) * UINT64_C(0x9e3779b97f4a7c15);
    return true;
}

/* Writes pieces at random, most of them in pairs that may be far apart; `nested`: mostly #ifs in each other. Returns
 * the length. */
static size_t write_far_branches(uint64_t *seed, bool nested, char *text, size_t most) {
    static const char *const begins[] = {"(", "[", "{", "\n#if A\n", "\n#ifdef A\n", "\n#if 0\n"};
    static const char *const ends[] = {")", "]", "}", "\n#endif\n", "\n#endif\n", "\n#endif\n"};
    static const char *const others[] = {"\n#else\n", "\n#elif B\n", "()", "a;\n", ")", "#if\n(\n#endif\n"};
    unsigned open[64];
    size_t n = 0, depth = 0;
    while (n + 3000 < most) {
        const uint64_t drawn = random_below(seed, 100);
        const char *piece = others[random_below(seed, nested || drawn < 50 ? 4 : COUNT_OF(others))];
        if (drawn < (nested ? 35 : 20) && depth < COUNT_OF(open))
            piece = begins[open[depth++] =
                               nested ? 3 * (random_below(seed, 4) > 0) : (unsigned)random_below(seed, drawn ? 5 : 6)];
        else if (drawn < 40 && depth > 0)
            piece = ends[open[--depth]];
        const size_t blanks = drawn % 7 ? 0 : random_below(seed, 2000);
        memcpy(text + n, piece, strlen(piece));
        memset(text + n + strlen(piece), ' ', blanks);
        n += strlen(piece) + blanks;
    }
    return n;
}

/* Checks a text as a whole, and in short pieces; *mixed is what mix_fault() changes. */
static void check_in_pieces(pm_check *check, const char *text, size_t n, uint64_t *mixed, pm_check_summary *whole) {
    pm_check_summary cut;
    *mixed = 0;
    assert_ok(pm_check_text(check, text, n, whole));
    const uint64_t faults = *mixed;
    *mixed = 0;
    for (size_t done = 0, length; done < n; done += length) {
        length = n - done < 63 ? n - done : 63;
        assert_ok(pm_check_push(check, text + done, length));
    }
    assert_ok(pm_check_finish(check, &cut));
    if (memcmp(whole, &cut, sizeof cut) != 0 || *mixed != faults)
        fail_msg("%zu faults in one, %zu in pieces: %.200s", (size_t)summary_faults(whole),
                 (size_t)summary_faults(&cut), text);
}

/* Conditionals that are far longer than what is read at once. */
TEST(test_far_branches) {
    enum {
        MOST = 40000
    };
    char *const text = malloc(MOST);
    uint64_t seed = 5, mixed, good = 0;
    pm_check *check;
    pm_check_summary found;
    assert_non_null(text);
    assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, mix_fault, &mixed, &check));
    for (size_t round = 0; round < 400; round++) {
        const size_t n = write_far_branches(&seed, round % 4 == 3, text, round % 2 ? MOST : MOST / 4);
        check_in_pieces(check, text, n, &mixed, &found);
        good += summary_faults(&found) < 10;
    }
    assert_true(good > 20 && good < 380);
    pm_check_destroy(check);
    free(text);
}

/* The end of nested #ifs, which leave more stacks than readings are kept. */
TEST(test_nested_ends) {
    static const char *const begins[] = {"",
                                         "(\n",
                                         "#if A\n(\n#else\n[\n#endif\n",
                                         "#if A\n((\n#elif B\n(\n#endif\n",
                                         "#if A\n(\n#else\n",
                                         "{\n#if A\n}\n"};
    static const char *const opens[] = {"", "(", "[", "{{{"}, *const ifs[] = {"\n#if A\n", "\n#if A\n#else\n"};
    char text[TEXT_MAX];
    uint64_t seed = 3, mixed;
    pm_check *check;
    pm_check_summary found;
    assert_ok(pm_check_create(NULL, pm_language_by_name("c"), NULL, mix_fault, &mixed, &check));
    for (size_t round = 0; round < 6000; round++) {
        strcpy(text, begins[round % COUNT_OF(begins)]);
        for (size_t levels = random_below(&seed, 20); levels > 0; levels--) {
            strcat(text, opens[random_below(&seed, COUNT_OF(opens))]);
            strcat(text, ifs[random_below(&seed, COUNT_OF(ifs))]);
        }
        strcat(text, opens[random_below(&seed, COUNT_OF(opens))]);
        check_in_pieces(check, text, strlen(text), &mixed, &found);
    }
    pm_check_destroy(check);
}

/* Opens before, in and between many nested branches, never closed, with every allocation failing in its turn: in many
 * pushes, and as a text. */
static pm_status check_nested(pm_context *context, size_t depth, pm_check_summary *summary) {
    const char *const text = "(\n#if A\n[\n#else\n{\n#endif\n#if B\n";
    static const char nested[] = "#if A\n#if B\n(\n";
    static char all[500 * (sizeof nested - 1)];
    for (size_t k = 0; k < sizeof all; k++)
        all[k] = nested[k % (sizeof nested - 1)];
    memcpy(all + sizeof all / 2, "}", 1);
    pm_check *check;
    pm_status status = pm_check_create(context, pm_language_by_name("c"), NULL, NULL, NULL, &check);
    for (size_t i = 0; i < depth && status == PM_OK; i++)
        status = pm_check_push(check, text, strlen(text));
    if (check) {
        const pm_status finished = pm_check_finish(check, summary);
        status = status == PM_OK ? finished : status;
        status = status == PM_OK ? pm_check_text(check, all, sizeof all, NULL) : status;
        assert_ok(pm_check_push(check, "()", 2));
        assert_ok(pm_check_finish(check, NULL));
    }
    pm_check_destroy(check);
    return status;
}

TEST(test_every_allocation_fails) {
    fault_allocator memory = {0};
    pm_context *context = context_with(&memory);
    size_t failures = 0;
    pm_check_summary summary;
    for (pm_status status = PM_OUT_OF_MEMORY; status == PM_OUT_OF_MEMORY; failures++) {
        memory.fail_at = memory.calls + 1 + failures;
        status = check_nested(context, 500, &summary);
        assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
    }
    assert_true(failures > 5);
    assert_true(summary.unmatched.open > 0);
    context_close(context, &memory);
}
