/* SPDX-License-Identifier: Apache-2.0 */
/* Documents as the library builds them, with leaves of some thousand bytes: long texts, and bad arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/families.h"
#include "tests/document/model.h"
#include "tests/support/unit.h"

static pm_document *open_text(const char *text, size_t n) {
    pm_document *document;
    assert_ok(pm_document_create(NULL, pm_language_by_name("json"), text, n, &document));
    return document;
}

/* Bytes of the process that are in memory, without pages of files; 0 where it is not known which are the document's. */
static double resident(void) {
    unsigned long pages = 0, of_files = 0;
#ifdef TEST_RESIDENT
    FILE *const file = fopen("/proc/self/statm", "r");
    assert_true(file && fscanf(file, "%*u %lu %lu", &pages, &of_files) == 2);
    fclose(file);
#endif
    return 4096.0 * (double)(pages - of_files);
}

/* A text takes little more memory than its bytes. Cuts make leaves short; they are shared out. */
TEST(test_memory_after_cuts) {
    enum {
        BYTES = 16 << 20,
        CUT = 500
    };
    char *const text = malloc(BYTES);
    assert_true(text);
    uint64_t seed = 12;
    for (size_t i = 0; i < BYTES; i++)
        text[i] = "[]{}, 12"[i % 8];
    const double before = resident();
    pm_document *const document = open_text(text, BYTES);
    assert_true((double)pm_document_size_in_bytes(document) < 1.052 * BYTES);
    uint64_t length = BYTES;
    for (; length > BYTES / 16 * 9; length -= CUT)
        assert_ok(pm_document_replace(document, random_below(&seed, length - CUT), CUT, NULL, 0));
    assert_true((double)pm_document_size_in_bytes(document) < 1.06 * (double)length);
    assert_true(resident() - before < 1.09 * (double)length);
    pm_document_destroy(document);
    free(text);
}

static void compare(const document_model *model, pm_document *document, size_t step, const char *what) {
    const char *const wrong = document_model_compare(model, document, step);
    if (wrong)
        fail_msg("%s, %s: %s", pm_language_name(model->language), what, wrong);
}

static void edit(document_model *model, pm_document *document, size_t at, size_t removed, const char *text,
                 size_t inserted) {
    document_model_replace(model, at, removed, text, inserted);
    assert_ok(pm_document_replace(document, at, removed, text, inserted));
}

/* Keystrokes, and now and then some thousand bytes that go or come. */
static void edit_somewhere(document_model *model, pm_document *document, uint64_t *seed) {
    const size_t at = (size_t)random_below(seed, model->n + 1);
    const bool large = random_below(seed, 4) == 0;
    size_t removed = (size_t)random_below(seed, large ? 12000 : 3);
    removed = removed < model->n - at ? removed : model->n - at;
    document_model inserted = {0};
    document_model_append_pieces(&inserted, (size_t)random_below(seed, large ? 12000 : 3), seed);
    edit(model, document, at, removed, inserted.text, inserted.n);
    document_model_destroy(&inserted);
}

TEST(test_long_texts) {
    static const char *const languages[] = {"text",  "json", "c",    "javascript", "ruby",
                                            "shell", "php",  "rust", "verilog"};
    uint64_t seed = 7;
    for (size_t l = 0; l < COUNT_OF(languages); l++) {
        document_model model = {.language = pm_language_by_name(languages[l])};
        pm_document *document;
        document_model_append_pieces(&model, l == 2 || l == 8 ? 8000 : 30000, &seed);
        assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
        for (unsigned k = 0; k < 5; k++) {
            for (unsigned edits = 0; edits < 5; edits++)
                edit_somewhere(&model, document, &seed);
            compare(&model, document, 1999, "edited");
        }
        pm_document_destroy(document);
        document_model_destroy(&model);
    }
}

static void assert_reads(const pm_document *document, const char *text, size_t n, char *to) {
    assert_int_equal(pm_document_length(document), n);
    assert_ok(pm_document_read(document, 0, n, to));
    assert_memory_equal(to, text, n);
}

/* Texts of more than one slab: one is edited and closed, one stays as it is, one is opened where the first was. */
TEST(test_slabs) {
    enum {
        BYTES = 34 << 20,
        LONGEST = 30000
    };
    char *const text = malloc(BYTES), *const edited = malloc(BYTES), *const read = malloc(BYTES);
    assert_true(text && edited && read);
    uint64_t seed = 11;
    for (size_t i = 0; i < BYTES; i++)
        text[i] = "[]{}, 12"[i % 7 == 0 ? random_below(&seed, 8) : i % 8];
    memcpy(edited, text, BYTES);
    pm_document *const first = open_text(text, BYTES), *const second = open_text(text, BYTES);
    for (unsigned k = 0; k < 3000; k++) {
        const size_t n = (size_t)random_below(&seed, k % 16 == 0 ? LONGEST : 8);
        const size_t at = (size_t)random_below(&seed, BYTES - n), from = (size_t)random_below(&seed, BYTES - n);
        memmove(edited + at, text + from, n);
        assert_ok(pm_document_replace(first, at, n, text + from, n));
    }
    assert_reads(first, edited, BYTES, read);
    pm_check_summary kept, again;
    assert_ok(pm_document_summary(second, &kept));
    pm_document_destroy(first);
    pm_document *const third = open_text(text, BYTES);
    assert_ok(pm_document_summary(third, &again));
    assert_memory_equal(&kept, &again, sizeof kept);
    assert_reads(third, text, BYTES, read);
    pm_document_destroy(third);
    assert_reads(second, text, BYTES, read);
    pm_document_destroy(second);
    free(text);
    free(edited);
    free(read);
}

/* A borrowed text takes memory for what is known of it, and for blocks that an edit has changed. */
TEST(test_borrowed_text) {
    enum {
        BYTES = 8 << 20
    };
    document_model model = {.language = pm_language_by_name("json")};
    char *const text = malloc(BYTES), *const read = malloc(BYTES + 100);
    assert_true(text && read);
    for (size_t i = 0; i < BYTES; i++)
        text[i] = "[]{}, 12"[i % 8];
    pm_document *document;
    assert_ok(pm_document_create_borrowed(NULL, model.language, text, BYTES, &document));
    const size_t fresh = pm_document_size_in_bytes(document);
    assert_true(fresh < 0.06 * BYTES);
    document_model_replace(&model, 0, 0, text, BYTES);
    for (unsigned k = 0; k < 100; k++)
        edit(&model, document, 3 + k * (BYTES / 100), 0, "x", 1);
    const size_t edited = pm_document_size_in_bytes(document);
    assert_true(edited > fresh + 100 * 6000 && edited < fresh + 100 * 8200);
    assert_int_equal(pm_document_fault_count(document), 0);
    assert_reads(document, model.text, model.n, read);
    pm_document_destroy(document);
    document_model_destroy(&model);
    free(text);
    free(read);
}

/* Directives of Verilog choose branches as those of C do. */
TEST(test_verilog) {
    static const char text[] = "(`ifdef A\n[\n`else\n[(\n)\n`endif\n])";
    document_model model = {.language = pm_language_by_name("verilog")};
    pm_document *document;
    document_model_replace(&model, 0, 0, text, strlen(text));
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    assert_int_equal(pm_document_fault_count(document), 0);
    compare(&model, document, 1, "branches");
    edit(&model, document, 0, 1, "", 0);
    assert_int_equal(pm_document_fault_count(document), 1);
    compare(&model, document, 1, "one open fewer");
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Three bytes are removed at the end of one half. What is behind them is read otherwise, and has the same fault 3 bytes
 * earlier. */
TEST(test_faults_behind_removed_bytes) {
    enum {
        HALF = 2 * 6144 /* bytes: of two leaves, whose node keeps what they leave */
    };
    static const char group[] = "#if a\n(\n#endif\n)", strings[] = ";;\"] \"]";
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    for (unsigned k = 0; k < 2 * HALF; k++)
        document_model_replace(&model, k, 0, "\n", 1);
    memcpy(model.text, group, sizeof group - 1);
    memcpy(model.text + HALF - 3, strings, sizeof strings - 1);
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    compare(&model, document, 97, "a string across the middle");
    edit(&model, document, HALF - 3, 3, NULL, 0);
    compare(&model, document, 97, "a string behind it");
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Declarations of hundreds of headers, joined: brackets cross branches all over the text. One header in 40 has a
 * bracket too many, or an #if. */
TEST(test_joined_headers) {
    static const char *const parts[] = {
        "#ifndef A\n#define A\n#ifdef B\nextern \"C\" {\n#endif\n", "int f(int (*a)[2]);\n",
        "#if 0\n{\n#endif\n#if C\nvoid g(int\n#else\nint g(\n#endif\n);\n", "#ifdef B\n}\n#endif\n#endif\n"};
    static const char *const wrong[] = {"(", "]", "\n#if D\n", "\n#endif\n", "{", "\n#else\n"};
    uint64_t seed = 14;
    document_model model = {.language = pm_language_by_name("c")};
    pm_document *document;
    for (unsigned k = 0; k < 600; k++) {
        for (unsigned part = 0; part < 4; part++)
            document_model_replace(&model, model.n, 0, parts[part], strlen(parts[part]));
        const char *const piece = wrong[random_below(&seed, COUNT_OF(wrong))];
        if (k % 40 == 39)
            document_model_replace(&model, model.n, 0, piece, strlen(piece));
    }
    assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
    compare(&model, document, 9973, "headers");
    for (unsigned k = 0; k < 12; k++) {
        edit_somewhere(&model, document, &seed);
        compare(&model, document, 9973, "headers, edited");
    }
    pm_document_destroy(document);
    document_model_destroy(&model);
}

/* Deep texts: rows of thousands of brackets meet, all of one kind or of several, right and wrong. */
TEST(test_deep_texts) {
    uint64_t seed = 5;
    for (unsigned shape = 0; shape < 4; shape++) {
        document_model model = {.language = pm_language_by_name("text")};
        pm_document *document;
        const size_t half = 20000;
        char *const text = allocate(2 * half, 1);
        for (size_t i = 0; i < half; i++) {
            const size_t kind = shape == 0 ? 0 : shape == 1 ? i % 3 : random_below(&seed, 3);
            text[i] = "([{"[kind];
            text[2 * half - 1 - i] = ")]}"[shape == 3 && i % 2 ? (kind + 1) % 3 : kind];
        }
        document_model_replace(&model, 0, 0, text, 2 * half);
        assert_ok(pm_document_create(NULL, model.language, text, 2 * half, &document));
        compare(&model, document, 9973, "deep");
        edit(&model, document, half / 2, 1, "", 0);
        edit(&model, document, half / 3, 0, "]", 1);
        compare(&model, document, 9973, "deep, edited");
        pm_document_destroy(document);
        document_model_destroy(&model);
        free(text);
    }
}

/* Literals nested by thousands, of one sort or two by turns: more than a leaf may end, and more runs than a few. */
TEST(test_deep_literals) {
    static const char *const opens[] = {"`${`${", "`${`${{"}, *const closes[] = {"}`}`", "}}`}`"};
    for (unsigned shape = 0; shape < 2; shape++) {
        document_model model = {.language = pm_language_by_name("javascript")};
        pm_document *document;
        for (unsigned k = 0; k < 4000; k++)
            document_model_replace(&model, model.n, 0, opens[shape], strlen(opens[shape]));
        const size_t half = model.n;
        for (unsigned k = 0; k < 4000; k++)
            document_model_replace(&model, model.n, 0, closes[shape], strlen(closes[shape]));
        assert_ok(pm_document_create(NULL, model.language, model.text, model.n, &document));
        assert_int_equal(pm_document_fault_count(document), 0);
        compare(&model, document, 9973, "literals");
        edit(&model, document, half, 0, "({", 2);
        edit(&model, document, 10, 0, "`", 1);
        compare(&model, document, 9973, "literals, edited");
        edit(&model, document, 10, 1, NULL, 0);
        edit(&model, document, half, 2, NULL, 0);
        assert_int_equal(pm_document_fault_count(document), 0);
        compare(&model, document, 9973, "literals, as before");
        pm_document_destroy(document);
        document_model_destroy(&model);
    }
}

/* A text that is typed, a byte at a time, and deleted again. */
TEST(test_typing) {
    uint64_t seed = 3;
    document_model model = {.language = pm_language_by_name("c")}, typed = {0};
    pm_document *document;
    assert_ok(pm_document_create(NULL, model.language, NULL, 0, &document));
    document_model_append_pieces(&typed, 20000, &seed);
    for (size_t i = 0; i < typed.n; i++)
        assert_ok(pm_document_replace(document, i, 0, typed.text + i, 1));
    document_model_replace(&model, 0, 0, typed.text, typed.n);
    compare(&model, document, 7919, "typed");
    for (size_t i = typed.n; i-- > 100;)
        assert_ok(pm_document_replace(document, i, 1, NULL, 0));
    document_model_replace(&model, 100, typed.n - 100, NULL, 0);
    compare(&model, document, 1, "deleted");
    assert_true(pm_document_size_in_bytes(document) < 200000);
    pm_document_destroy(document);
    document_model_destroy(&model);
    document_model_destroy(&typed);
}

TEST(test_arguments) {
    const pm_language *const json = pm_language_by_name("json");
    pm_document *document;
    pm_document_bracket brackets[2];
    size_t count;
    char text[4];
    assert_invalid(pm_document_create(NULL, NULL, "", 0, &document));
    assert_invalid(pm_document_create(NULL, json, NULL, 1, &document));
    assert_invalid(pm_document_create(NULL, json, "", 0, NULL));
    assert_invalid(pm_document_create_borrowed(NULL, json, NULL, 1, &document));
    assert_invalid(pm_document_create_borrowed(NULL, json, "", 0, NULL));
    assert_int_equal(pm_document_create_borrowed(NULL, pm_language_by_name("xml"), "", 0, &document), PM_UNSUPPORTED);
    assert_null(document);
    if (SIZE_MAX > PM_DOCUMENT_BYTES_MAX) {
        const size_t too_large = (size_t)PM_DOCUMENT_BYTES_MAX + 1;
        assert_int_equal(pm_document_create(NULL, json, "", too_large, &document), PM_TOO_LARGE);
        assert_null(document);
    }
    assert_int_equal(pm_document_create(NULL, pm_language_by_name("xml"), "", 0, &document), PM_UNSUPPORTED);
    assert_ok(pm_document_create(NULL, json, "[[]", 3, &document));
    assert_invalid(pm_document_replace(NULL, 0, 0, "", 0));
    assert_invalid(pm_document_replace(document, 4, 0, "x", 1));
    assert_invalid(pm_document_replace(document, 2, 2, "x", 1));
    assert_invalid(pm_document_replace(document, 2, 0, NULL, 1));
    assert_int_equal(pm_document_replace(document, 3, 0, "", PM_DOCUMENT_BYTES_MAX), PM_TOO_LARGE);
    assert_ok(pm_document_replace(document, 3, 0, NULL, 0));
    assert_invalid(pm_document_read(document, 2, 2, text));
    assert_invalid(pm_document_read(document, 0, 1, NULL));
    assert_invalid(pm_document_brackets(document, 0, 4, 2, brackets, &count));
    assert_invalid(pm_document_brackets(document, 0, 3, 2, brackets, NULL));
    assert_invalid(pm_document_brackets(document, 0, 3, 2, NULL, &count));
    assert_ok(pm_document_brackets(document, 0, 3, 2, brackets, &count));
    assert_int_equal(count, 3);
    assert_true(brackets[0].faulty && !brackets[1].faulty);
    assert_ok(pm_document_path(document, 2, 1, brackets, &count));
    assert_int_equal(count, 2);
    assert_int_equal(brackets[0].offset, 1);
    assert_invalid(pm_document_path(document, 4, 0, NULL, &count));
    assert_invalid(pm_document_faults(document, 0, NULL, NULL));
    assert_invalid(pm_document_summary(document, NULL));
    assert_invalid(pm_document_settle(NULL, 1));
    assert_int_equal(pm_document_partner(document, 3), PM_BP_NONE);
    assert_int_equal(pm_document_partner(document, 1), 2);
    assert_int_equal(pm_document_fault_count(document), 1);
    assert_int_equal(pm_document_line_offset(document, 0), PM_BP_NONE);
    pm_document_destroy(document);
    pm_document_destroy(NULL);
}
