/* SPDX-License-Identifier: Apache-2.0 */
/* A document with leaves of at most 8 bytes, which this program is built with: short texts have all shapes of trees,
 * and every cut between two bytes of a language's constructs. */
#ifdef TEST_MMAP
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#endif
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/document/document.h"
#include "inputs/families.h"
#include "tests/document/model.h"
#include "tests/support/guarded.h"
#include "tests/support/unit.h"

/* The heights of two children differ by one at most. */
static bool is_balanced(const pmi_document_node *node) {
    if (node->height == 1)
        return true;
    const int left = node->child[0]->height, right = node->child[1]->height;
    return left - right <= 1 && right - left <= 1 && node->height == (left > right ? left : right) + 1 &&
           is_balanced(node->child[0]) && is_balanced(node->child[1]);
}

static void compare(const document_model *model, pm_document *document, size_t step, const char *what) {
    assert_true(is_balanced(document->root));
    const char *const wrong = document_model_compare(model, document, step);
    if (wrong)
        fail_msg("%s, %s: %s of [%.*s]", pm_language_name(model->language), what, wrong, (int)model->n, model->text);
}

static void edit(document_model *model, pm_document *document, size_t at, size_t removed, const char *text,
                 size_t inserted) {
    document_model_replace(model, at, removed, text, inserted);
    assert_ok(pm_document_replace(document, at, removed, text, inserted));
}

/* Of every text of n of these bytes every edit that removes some and inserts at most one. */
static void check_every_edit(const char *language, const char *alphabet, unsigned n) {
    const size_t letters = strlen(alphabet);
    size_t texts = 1;
    for (unsigned k = 0; k < n; k++)
        texts *= letters;
    for (size_t t = 0; t < texts; t++) {
        char text[16];
        for (size_t k = 0, rest = t; k < n; k++, rest /= letters)
            text[k] = alphabet[rest % letters];
        for (unsigned at = 0; at <= n; at++)
            for (unsigned removed = 0; removed <= n - at && removed < 3; removed++)
                for (size_t letter = 0; letter <= letters; letter++) {
                    document_model model = {.language = pm_language_by_name(language)};
                    pm_document *document;
                    document_model_replace(&model, 0, 0, text, n);
                    assert_ok(pm_document_create(NULL, model.language, text, n, &document));
                    edit(&model, document, at, removed, &alphabet[letter % letters], letter < letters);
                    compare(&model, document, 1, "every edit");
                    pm_document_destroy(document);
                    document_model_destroy(&model);
                }
    }
}

TEST(test_every_edit_of_short_texts) {
    for (unsigned n = 0; n <= 3; n++) {
        check_every_edit("text", "()[", n);
        check_every_edit("json", "[]{\"\\", n);
        check_every_edit("c", "(/*'\n", n);
    }
}

/* Appends the piece that each digit of `code` says, so many of them. */
static void append_branches(document_model *model, unsigned pieces, size_t code) {
    static const char *const piece[] = {"(", ")", "[", "\n#if a\n", "\n#else\n", "\n#endif\n", "\n#if 0\n"};
    for (; pieces > 0; pieces--, code /= COUNT_OF(piece)) {
        const char *const next = piece[code % COUNT_OF(piece)];
        document_model_replace(model, model->n, 0, next, strlen(next));
    }
}

/* Every text of 5 brackets and directives, and after an edit that removes the piece that is in the middle. */
TEST(test_every_short_text_with_branches) {
    for (size_t code = 0; code < 7 * 7 * 7 * 7 * 7; code++) {
        document_model model = {.language = pm_language_by_name("c")}, start = {0};
        pm_document *document;
        append_branches(&model, 5, code);
        append_branches(&start, 2, code);
        assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
        compare(&model, document, 1000, "branches");
        const size_t at = start.n;
        append_branches(&start, 1, code / 49);
        edit(&model, document, at, start.n - at, NULL, 0);
        compare(&model, document, 1000, "branches, edited");
        pm_document_destroy(document);
        document_model_destroy(&model);
        document_model_destroy(&start);
    }
}

/* Texts of brackets and directives, most of which balance: of each three pieces, one closes what is open. */
TEST(test_long_texts_with_branches) {
    uint64_t seed = 8;
    size_t passed = 0;
    for (unsigned round = 0; round < 300; round++) {
        document_model model = {.language = pm_language_by_name("c")};
        pm_document *document;
        char open[64];
        size_t depth = 0;
        for (unsigned k = 0; k < 60; k++) {
            static const char *const begins[] = {"(", "[", "\n#if a\n", "\n#ifdef a\n", "\n#if 0\n"};
            const size_t begin = (size_t)random_below(&seed, round % 2 ? 5 : 4);
            const bool closes = depth > 0 && (depth == sizeof open || k + depth > 55 || random_below(&seed, 2) == 0);
            const char *piece = begins[begin];
            if (closes)
                piece = open[--depth] == '(' ? ")" : open[depth] == '[' ? "]" : "\n#endif\n";
            else
                open[depth++] = piece[0];
            document_model_replace(&model, model.n, 0, piece, strlen(piece));
            piece = random_below(&seed, 100) == 0 ? document_model_piece(&seed) : "\n#else\n";
            if (piece[1] != '#' || (depth > 0 && open[depth - 1] == '\n' && random_below(&seed, 4) == 0))
                document_model_replace(&model, model.n, 0, piece, strlen(piece));
        }
        assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
        compare(&model, document, 97, "branches that balance");
        passed += !document->summed_up;
        for (unsigned k = 0; k < 10; k++) {
            const char *const piece = document_model_piece(&seed);
            edit(&model, document, (size_t)random_below(&seed, model.n), (size_t)random_below(&seed, 2), piece,
                 strlen(piece));
            compare(&model, document, 97, "branches, edited");
        }
        pm_document_destroy(document);
        document_model_destroy(&model);
    }
    assert_true(passed > 100);
}

/* A piece of a text whose brackets cross its branches. */
static const char *branch_piece(const pm_language *language, uint64_t *seed) {
    static const char *const pieces[] = {"(",          ")",          "[",         "]",           "{",
                                         "}",          "(",          ")",         "x",           "\"",
                                         "\n#if a\n",  "\n#if a\n",  "\n#if 0\n", "\n#elif b\n", "\n#else\n",
                                         "\n#endif\n", "\n#endif\n", "\n#endif\n"};
    static const char *const verilog[] = {"`ifdef a\n", "`else\n", "`endif\n"};
    const size_t piece = (size_t)random_below(seed, COUNT_OF(pieces));
    if (strcmp(pm_language_name(language), "verilog") == 0 && piece >= 10)
        return verilog[piece % 3];
    return pieces[piece];
}

static void append_branch_pieces(document_model *model, size_t count, uint64_t *seed) {
    for (size_t k = 0; k < count; k++) {
        const char *const piece = branch_piece(model->language, seed);
        document_model_replace(model, model->n, 0, piece, strlen(piece));
    }
}

/* Texts whose brackets cross their branches, in every language that has some, edited again and again. */
TEST(test_brackets_that_cross_branches) {
    static const char *const languages[] = {"c", "c", "csharp", "glsl", "fortran", "verilog", "assembly"};
    uint64_t seed = 21;
    for (size_t round = 0; round < 40 * COUNT_OF(languages); round++) {
        document_model model = {.language = pm_language_by_name(languages[round % COUNT_OF(languages)])};
        pm_document *document;
        append_branch_pieces(&model, (size_t)random_below(&seed, 120), &seed);
        assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
        compare(&model, document, 41, "branches that brackets cross");
        for (unsigned k = 0; k < 12; k++) {
            document_model inserted = {.language = model.language};
            const size_t at = (size_t)random_below(&seed, model.n + 1);
            size_t removed = (size_t)random_below(&seed, 12);
            removed = removed < model.n - at ? removed : model.n - at;
            append_branch_pieces(&inserted, (size_t)random_below(&seed, 3), &seed);
            edit(&model, document, at, removed, inserted.text, inserted.n);
            document_model_destroy(&inserted);
            compare(&model, document, 41, "branches that brackets cross, edited");
        }
        pm_document_destroy(document);
        document_model_destroy(&model);
    }
}

/* The first reading is 4 deeper than the other one, from which the depth is counted before and behind the second
 * conditional. */
TEST(test_depth_of_readings) {
    static const char text[] = "#if a\n((((\n#endif\n(([]))(\n#if b\n                          #endif\n(((())))\n)";
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    pm_check_summary summary;
    document_model_replace(&model, 0, 0, text, sizeof text - 1);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    assert_int_equal(document->root->height, 5); /* which keeps its residue */
    assert_ok(pm_document_summary(document, &summary));
    assert_int_equal(summary.max_depth, 5);
    compare(&model, document, 1, "depth");
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Nodes that keep the residue that they have. */
static size_t count_residues(const pmi_document_node *node) {
    if (node->height == 1)
        return 0;
    return (node->followed && pmi_document_keeps_residue(node->height) && node->residue) +
           count_residues(node->child[0]) + count_residues(node->child[1]);
}

/* Leaves whose parent is higher than one of two leaves. */
static size_t count_single_leaves(const pmi_document_node *node) {
    if (node->height <= 2)
        return 0;
    size_t count = 0;
    for (unsigned k = 0; k < 2; k++)
        count += node->child[k]->height == 1 ? 1 : count_single_leaves(node->child[k]);
    return count;
}

/* A question reads leaves that no node which keeps its residue has, of which a new text has one at most. */
TEST(test_shape_of_new_trees) {
    char text[400];
    pm_context *context;
    assert_ok(pm_context_create(&(pm_options){.threads = 1}, &context));
    memset(text, '(', sizeof text);
    for (size_t n = 0; n <= sizeof text; n++) {
        pm_document *document;
        assert_ok(pm_document_create(context, pm_language_by_name("c"), text, n, &document));
        assert_true(is_balanced(document->root));
        assert_true(count_single_leaves(document->root) <= 1);
        pm_document_destroy(document);
    }
    pm_context_destroy(context);
}

/* A question after an edit works out again only what the edit concerns, and not more than is kept. */
TEST(test_residues_are_kept) {
    static const char declarations[] = "#ifdef A\nextern {\n#endif\nf(a[]);\n#ifdef A\n}\n#endif\n";
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    for (unsigned k = 0; k < 40; k++)
        document_model_replace(&model, model.n, 0, declarations, sizeof declarations - 1);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    assert_int_equal(count_residues(document->root), 0); /* nobody asked */
    compare(&model, document, 97, "declarations");
    const size_t all = count_residues(document->root);
    assert_true(all > 20);
    edit(&model, document, model.n / 2, 0, "x", 1);
    assert_true(count_residues(document->root) >= all - document->root->height / 2u);
    assert_ok(pm_document_settle(document, UINT64_MAX));
    compare(&model, document, 97, "declarations, edited");
    assert_int_equal(count_residues(document->root), all);
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Faults that are kept move with the text, by one edit or two, and not where what is read as code moves. */
TEST(test_faults_that_move) {
    static const char pad[] = "long words of code, nothing else, and words again\n";
    static const char group[] = "#if a\n(\n#endif\n)\n", strings[] = "\"(]\" (]\n";
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    for (unsigned k = 0; k < 20; k++) /* residues without items */
        document_model_replace(&model, model.n, 0, pad, sizeof pad - 1);
    document_model_replace(&model, model.n, 0, "]\n", 2);
    for (unsigned k = 0; k < 8; k++) /* more items than the root keeps */
        document_model_replace(&model, model.n, 0, group, sizeof group - 1);
    document_model_replace(&model, model.n, 0, pad, sizeof pad - 1);
    document_model_replace(&model, model.n, 0, strings, sizeof strings - 1);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    compare(&model, document, 7, "faults");
    edit(&model, document, 10, 0, "x", 1);
    compare(&model, document, 7, "faults, after an edit");
    edit(&model, document, 10, 0, "x", 1);
    edit(&model, document, 500, 0, "x", 1);
    compare(&model, document, 7, "faults, after two edits");
    edit(&model, document, model.n - sizeof strings + 1, 0, "\"", 1);
    compare(&model, document, 7, "faults, another pair being code");
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Of many opens behind a directive a check has a bit each. Once they are gone, residues are tried again. */
TEST(test_deep_texts_are_checked) {
    static const char group[] = "#if a\n(\n#else\n(\n#endif\n)\n";
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    document_model_replace(&model, 0, 0, group, sizeof group - 1);
    for (unsigned k = 0; k < 60; k++)
        document_model_replace(&model, model.n, 0, "[", 1);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    compare(&model, document, 7, "deep");
    assert_true(document->checks > 0);
    edit(&model, document, sizeof group - 1, 60, NULL, 0);
    for (unsigned k = 0; k < 20; k++) {
        edit(&model, document, model.n, 0, "x", 1);
        compare(&model, document, 7, "no longer deep");
    }
    assert_int_equal(document->checks, 0);
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* What was found before the text was read on is not what is found then. */
TEST(test_branches_that_settle) {
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    pm_document_bracket brackets[2];
    size_t count;
    static const char group[] = "(\n#if a\n(\n#endif\n)\n";
    for (unsigned k = 0; k < 30; k++)
        document_model_replace(&model, model.n, 0, group, sizeof group - 1);
    document_model_replace(&model, model.n, 0, "]", 1); /* which the comment hides */
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    compare(&model, document, 97, "branches");
    edit(&model, document, 5 * (sizeof group - 1), 0, "/*", 2);
    assert_true(pm_document_settled(document) < model.n);
    assert_ok(pm_document_brackets(document, 0, 1, 2, brackets, &count));
    assert_true(pm_document_settled(document) < model.n);
    compare(&model, document, 97, "branches, settled");
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Every language: a text of pieces, edited again and again. */
TEST(test_random_edits_of_every_language) {
    uint64_t seed = 1;
    for (size_t l = 0; pm_language_alphabet(pm_language_at(l)); l++)
        for (unsigned round = 0; round < 3; round++) {
            document_model model = {.language = pm_language_at(l)};
            pm_document *document;
            document_model_append_pieces(&model, random_below(&seed, 200), &seed);
            assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
            compare(&model, document, 7, "created");
            for (unsigned k = 0; k < 40; k++) {
                document_model inserted = {0};
                const size_t at = (size_t)random_below(&seed, model.n + 1);
                size_t removed = (size_t)random_below(&seed, random_below(&seed, 8) == 0 ? 60 : 5);
                removed = removed < model.n - at ? removed : model.n - at;
                document_model_append_pieces(&inserted, random_below(&seed, random_below(&seed, 8) == 0 ? 60 : 3),
                                             &seed);
                edit(&model, document, at, removed, inserted.text, inserted.n);
                document_model_destroy(&inserted);
                if (random_below(&seed, 3) > 0)
                    compare(&model, document, 1 + (size_t)random_below(&seed, 9), "edited");
            }
            pm_document_destroy(document);
            document_model_destroy(&model);
        }
}

/* Opens a text that nothing is behind, and edits it so often that few of its blocks are borrowed in the end. */
static void edit_borrowed(pm_context *context, const pm_language *language, size_t n, unsigned edits, uint64_t *seed) {
    document_model model = {.language = language};
    document_model_append_pieces(&model, n, seed);
    n = model.n;
    guarded_memory memory = guarded_allocate(n);
    char *const text = (char *)memory.end - n, *const as_before = allocate(n, 1);
    memcpy(text, model.text, n);
    memcpy(as_before, text, n);
    pm_document *document;
    assert_ok(pm_document_create_borrowed(context, language, text, n, &document));
    assert_int_equal(pm_document_settled(document), n);
    compare(&model, document, 29, "borrowed");
    for (unsigned k = 0; k < edits; k++) {
        const size_t at = (size_t)random_below(seed, model.n + 1), from = (size_t)random_below(seed, n);
        size_t removed = (size_t)random_below(seed, k % 8 == 0 ? 40 : 4);
        removed = removed < model.n - at ? removed : model.n - at;
        const size_t inserted = (size_t)random_below(seed, k % 8 == 1 ? 40 : 4);
        edit(&model, document, at, removed, text + from, inserted < n - from ? inserted : n - from);
        if (k % 2)
            compare(&model, document, 29, "borrowed, edited");
    }
    pm_document_destroy(document);
    assert_memory_equal(text, as_before, n);
    free(as_before);
    guarded_free(&memory);
    document_model_destroy(&model);
}

TEST(test_borrowed_texts) {
    uint64_t seed = 9;
    pm_context *threads;
    assert_ok(pm_context_create(&(pm_options){.threads = 4}, &threads));
    for (size_t l = 0; pm_language_alphabet(pm_language_at(l)); l++) {
        edit_borrowed(NULL, pm_language_at(l), 1 + (size_t)random_below(&seed, 200), 40, &seed);
        edit_borrowed(threads, pm_language_at(l), 600 + (size_t)random_below(&seed, 600), 4, &seed);
    }
    pm_context_destroy(threads);
}

/* Four threads open texts whose slices, of 64 bytes and more, begin in strings and comments, too. */
TEST(test_opening_by_threads) {
    uint64_t seed = 5;
    pm_context *context;
    assert_ok(pm_context_create(&(pm_options){.threads = 4}, &context));
    for (size_t l = 0; pm_language_alphabet(pm_language_at(l)); l++) {
        document_model model = {.language = pm_language_at(l)};
        pm_document *document;
        document_model_append_pieces(&model, 600 + random_below(&seed, 600), &seed);
        assert_ok(pm_document_create(context, model.language, model.text, model.n, &document));
        assert_int_equal(pm_document_settled(document), model.n);
        compare(&model, document, 29, "opened by threads");
        edit(&model, document, (size_t)random_below(&seed, model.n), 0, "\"", 1);
        compare(&model, document, 97, "edited");
        pm_document_destroy(document);
        document_model_destroy(&model);
    }
    pm_context_destroy(context);
}

/* Four threads compare long rows, of which an edit shifts all or some: mismatches everywhere, at one place or nowhere.
 */
TEST(test_comparing_by_threads) {
    uint64_t seed = 6;
    pm_context *context;
    assert_ok(pm_context_create(&(pm_options){.threads = 4}, &context));
    for (unsigned round = 0; round < 40; round++) {
        document_model model = {.language = pm_language_by_name("text")};
        pm_document *document;
        char text[600];
        const size_t half = 40 + (size_t)random_below(&seed, sizeof text / 2 - 40);
        for (size_t i = 0; i < half; i++) {
            const size_t kind = (size_t)random_below(&seed, round % 4 ? 3 : 1);
            text[i] = "([{"[kind];
            text[2 * half - 1 - i] = ")]}"[kind];
        }
        document_model_replace(&model, 0, 0, text, 2 * half);
        assert_ok(pm_document_create(context, model.language, text, 2 * half, &document));
        for (unsigned k = 0; k < 6; k++) {
            edit(&model, document, (size_t)random_below(&seed, model.n), k == 3, "[", k != 3);
            compare(&model, document, 97, "long rows");
        }
        pm_document_destroy(document);
        document_model_destroy(&model);
    }
    pm_context_destroy(context);
}

/* An edit that turns over all that follows reads on for a portion of 16 bytes only. */
TEST(test_settling) {
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    for (unsigned k = 0; k < 50; k++)
        document_model_replace(&model, model.n, 0, "(abc)[\n]", 8);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    assert_int_equal(pm_document_settled(document), model.n);
    edit(&model, document, 9, 0, "/*", 2);
    const uint64_t settled = pm_document_settled(document);
    assert_true(settled > 9 && settled < 60);
    assert_int_equal(pm_document_partner(document, 0), 4); /* without reading on */
    assert_int_equal(pm_document_settled(document), settled);
    assert_ok(pm_document_settle(document, 20));
    assert_true(pm_document_settled(document) > settled && pm_document_settled(document) < model.n);
    edit(&model, document, 5, 0, "\"", 1); /* a second place that is not settled */
    assert_int_equal(pm_document_partner(document, model.n - 3), PM_BP_NONE);
    compare(&model, document, 1, "settled");
    assert_int_equal(pm_document_settled(document), model.n);
    edit(&model, document, 5, 1, NULL, 0);
    edit(&model, document, 9, 2, NULL, 0);
    assert_int_equal(pm_document_fault_count(document), 0);
    compare(&model, document, 1, "as before");
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Each allocation of an edit fails in turn: the document is as before, or as after it. */
static void check_failures(const char *language, const char *text, size_t at, size_t removed, const char *inserted) {
    for (size_t fail_at = 1, borrows = 0;; fail_at++) {
        fault_allocator memory = {0};
        pm_context *context = context_with(&memory);
        document_model model = {.language = pm_language_by_name(language)};
        pm_document *document;
        document_model_replace(&model, 0, 0, text, strlen(text));
        memory.fail_at = 0;
        assert_ok((borrows ? pm_document_create_borrowed : pm_document_create)(context, model.language, text, model.n,
                                                                               &document));
        const size_t before = memory.calls;
        memory.fail_at = before + fail_at;
        const pm_status status = pm_document_replace(document, at, removed, inserted, strlen(inserted));
        const bool failed = memory.calls >= memory.fail_at;
        memory.fail_at = 0;
        assert_true(status == PM_OK || (failed && status == PM_OUT_OF_MEMORY));
        if (status == PM_OK)
            document_model_replace(&model, at, removed, inserted, strlen(inserted));
        compare(&model, document, 1, "after a failure");
        pm_document_destroy(document);
        document_model_destroy(&model);
        context_close(context, &memory);
        if (!failed && borrows++)
            break;
        fail_at = failed ? fail_at : 0;
    }
}

/* Each allocation of an opening fails in turn. */
static void check_failing_opening(bool borrows) {
    for (size_t fail_at = 1;; fail_at++) {
        fault_allocator memory = {0};
        pm_context *context = context_with(&memory);
        pm_document *document;
        memory.fail_at = memory.calls + fail_at;
        const pm_status status = (borrows ? pm_document_create_borrowed : pm_document_create)(
            context, pm_language_by_name("c"), "(((((((((((()", 13, &document);
        assert_int_equal(status, memory.calls < memory.fail_at ? PM_OK : PM_OUT_OF_MEMORY);
        assert_true((document != NULL) == (status == PM_OK));
        pm_document_destroy(document);
        context_close(context, &memory);
        if (status == PM_OK)
            break;
    }
}

TEST(test_failing_allocations) {
    check_failures("c", "(a[b]{c}) /* ( */ (d)(e)[f] \"(\" x", 3, 1, "(");
    check_failures("c", "(a[b]{c}) /* ( */ (d)(e)[f] \"(\" x", 0, 0, "/*");
    check_failures("c", "(a[b]{c})\n#if a\n(\n#else\n(\n#endif\n)", 3, 4, "((((((((((((((((((((((((((((((((");
    check_failures("json", "[[[[[[[[[[{{{{{{{{{{{}}}}}}}}}}}]]]]]]]]]]", 10, 20, "");
    check_failures("javascript", "`${`${`${`${`${a}`}`}`}`}` (b)", 12, 1, "x");
    check_failing_opening(false);
    check_failing_opening(true);
}

static bool take_fault(const pm_diagnostic *fault, void *user) {
    (void)fault;
    ++*(size_t *)user;
    return true;
}

/* Each allocation of a question fails in turn, which the next question makes good. */
TEST(test_failing_questions) {
    static const char text[] = "(a\n#if a\n(\n#else\n[\n#endif\n))\n#if b\n{{\n#endif\n}(]\n#if c\n(\n#endif\n";
    for (size_t fail_at = 1, failed = 1; failed; fail_at++) {
        fault_allocator memory = {0};
        pm_context *context = context_with(&memory);
        document_model model = {.language = pm_language_by_name("c")};
        pm_document *document;
        pm_check_summary summary;
        size_t faults = 0;
        document_model_replace(&model, 0, 0, text, sizeof text - 1);
        memory.fail_at = 0;
        assert_ok(pm_document_create(context, model.language, text, model.n, &document));
        memory.fail_at = memory.calls + fail_at;
        const pm_status summed_up = pm_document_summary(document, &summary);
        const pm_status listed = pm_document_faults(document, 0, take_fault, &faults);
        failed = memory.calls >= memory.fail_at;
        assert_true(summed_up == PM_OK || (failed && summed_up == PM_OUT_OF_MEMORY));
        assert_true(listed == PM_OK || (failed && listed == PM_OUT_OF_MEMORY));
        memory.fail_at = 0;
        compare(&model, document, 1, "after a question that failed");
        pm_document_destroy(document);
        document_model_destroy(&model);
        context_close(context, &memory);
    }
}

/* Allocates as many blocks as are left. */
static void *allocate_some(size_t bytes, void *left) {
    size_t *const count = left;
    if (*count == 0)
        return NULL;
    --*count;
    return malloc(bytes);
}

/* Edits of a text in slabs that fail, and others behind them, which move the nodes of trees that were given up. */
TEST(test_slabs_after_failing_edits) {
    document_model model = {.language = pm_language_by_name("json")};
    pm_document *document;
    uint64_t seed = 5;
    document_model_append_pieces(&model, 1500, &seed);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    const pm_allocator allocator = document->allocator;
    for (size_t allocations = 0, done = 0; done < 20; allocations++) {
        size_t left = allocations;
        const size_t at = (size_t)random_below(&seed, model.n - 40);
        document->allocator.alloc = allocate_some;
        document->allocator.user = &left;
        const pm_status status = pm_document_replace(document, at, 30, "[[]]", 4);
        document->allocator = allocator;
        assert_true(status == PM_OK || status == PM_OUT_OF_MEMORY);
        done += status == PM_OK;
        if (status == PM_OK)
            document_model_replace(&model, at, 30, "[[]]", 4);
        for (unsigned edits = 0; edits < 4; edits++)
            edit(&model, document, (size_t)random_below(&seed, model.n - 40), 20, "[1, {\"a\": 2}], ", 16);
        compare(&model, document, 500, "after an edit that failed");
    }
    pm_document_destroy(document);
    document_model_destroy(&model);
}

#ifdef TEST_MMAP

static atomic_size_t maps;
static size_t fail_at; /* 0: none fails */

/* What slab.c calls. */
void *test_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);

void *test_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    const size_t map = atomic_fetch_add(&maps, 1) + 1;
    return fail_at > 0 && map >= fail_at ? MAP_FAILED : mmap(at, bytes, protection, flags, file, offset);
}

/* Opens more texts than there are spare slabs, and edits them, while the system gives no memory from the fail_at-th
 * call on. */
static void edit_without_maps(uint64_t seed) {
    enum {
        TEXTS = 6
    };
    document_model models[TEXTS];
    pm_document *documents[TEXTS];
    maps = 0;
    for (unsigned k = 0; k < TEXTS; k++) {
        models[k] = (document_model){.language = pm_language_by_name("json")};
        document_model_append_pieces(&models[k], 1500, &seed);
        assert_ok(pm_document_create(NULL, models[k].language, models[k].text, models[k].n, &documents[k]));
    }
    for (unsigned edits = 0; edits < 600; edits++) {
        const unsigned k = edits % TEXTS;
        const size_t at = (size_t)random_below(&seed, models[k].n), rest = models[k].n - at;
        const size_t removed = (size_t)random_below(&seed, edits % 50 == 0 ? 40 : 5);
        document_model inserted = {0};
        document_model_append_pieces(&inserted, (size_t)random_below(&seed, edits % 50 == 1 ? 30 : 4), &seed);
        edit(&models[k], documents[k], at, removed < rest ? removed : rest, inserted.text, inserted.n);
        document_model_destroy(&inserted);
    }
    for (unsigned k = 0; k < TEXTS; k++) {
        compare(&models[k], documents[k], 50, "without memory of the system");
        pm_document_destroy(documents[k]);
        document_model_destroy(&models[k]);
    }
}

TEST(test_slabs_that_fail) {
    fail_at = 0;
    edit_without_maps(1); /* as many slabs as may be are spare then */
    edit_without_maps(1);
    const size_t all = maps;
    assert_true(all > 4);
    for (fail_at = 1; fail_at <= all; fail_at++)
        edit_without_maps(fail_at);
    fail_at = 0;
}

#endif
